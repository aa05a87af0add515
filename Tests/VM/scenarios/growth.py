# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""200 replugs, as quick as they go: no descriptor and no memory is lost on the way."""

from vm.daemon import LIGHT
from vm.places import payloads

ITEMS = payloads("A")
ROUNDS, WARM = 200, 40
LONG = True


def run(t):
    camera = t.fakecam()
    daemon, subscriber = t.watch(camera, "A", *LIGHT)
    slowest, false_returns = 0, 0
    for number in range(1, ROUNDS + 1):
        moment = subscriber.after(camera.unplug)
        told = subscriber.wait(moment, lambda e: e.method == "becameUnavailable", 5)
        camera.wait_until_gone()
        since = subscriber.since(moment)
        if told:  # a frame that was on its way when the camera went is no return
            false_returns += any(e.method == "becameAvailable" for e in since[since.index(told):])
        moment = subscriber.after(camera.plug)
        event = subscriber.wait(moment, lambda e: e.method == "becameAvailable", 10)
        if event is None:
            t.need(False, f"round {number}: it came back")
        slowest = max(slowest, event.at - moment.at)
        if number == WARM:
            descriptors, resident = daemon.descriptors(), daemon.resident()
        if number % 20 == 0:
            t.note(f"round {number}: {daemon.resident() // 1024} KiB, {daemon.descriptors()} descriptors")
    t.check(false_returns == 0, f"{false_returns} times frames were said to come from a camera that was gone")
    t.took(slowest, 5, "the slowest becameAvailable")
    t.check(daemon.descriptors() <= descriptors, f"descriptors: {descriptors}, then {daemon.descriptors()}")
    growth = (daemon.resident() - resident) / 1024
    t.check(growth <= 1024, f"memory grew by {growth:.0f} KiB from round {WARM} to {ROUNDS} (limit 1024)")
    subscriber.only(ITEMS)
    subscriber.connected()
