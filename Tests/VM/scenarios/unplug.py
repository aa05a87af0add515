# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""A camera is pulled out in mid-stream and put back, 20 times, as the same node and as another; then it dies."""

import os

from vm.daemon import LIGHT
from vm.places import payloads

ITEMS = payloads("A")
ROUNDS = 20
WARM = 3  # rounds after which nothing may grow


def lost(subscriber, moment):
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    subscriber.expect_items(ITEMS, moment, 2, "didRemove", reason="sourceLost")


def back(subscriber, moment):
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(ITEMS, moment, 5)


def one_round(t, camera, subscriber, other_node):
    """With `other_node` a program still holds the old node, so that the kernel has to give the camera another one."""
    before = camera.node
    held = os.open(before, os.O_RDWR) if other_node else None
    start = subscriber.mark()
    lost(subscriber, subscriber.after(camera.unplug))
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    back(subscriber, moment)
    if other_node:
        t.check(camera.node != before, f"it came back as {camera.node}, not as {before}")
        os.close(held)
    counts = {m: sum(len(e.payloads()) for e in subscriber.since(start) if e.method == m) for m in ("didAdd", "didRemove")}
    t.check(counts == {"didAdd": len(ITEMS), "didRemove": len(ITEMS)}, f"each item went and came once: {counts}")


def dies(t, camera, subscriber):
    """The program that is the camera is killed: it is gone without a farewell."""
    t.step = "killed"
    lost(subscriber, subscriber.after(camera.kill))
    camera = t.fakecam(plugged=False)
    moment = subscriber.after(camera.plug)
    back(subscriber, moment)


def run(t):
    camera = t.fakecam()
    daemon, subscriber = t.watch(camera, "A", *LIGHT)
    for number in range(1, ROUNDS + 1):
        t.step = str(number)
        one_round(t, camera, subscriber, other_node=number % 2 == 0)
        if number == WARM:
            descriptors, resident = daemon.descriptors(), daemon.resident()
    t.step = "all"
    t.check(daemon.descriptors() == descriptors, f"descriptors: {descriptors}, then {daemon.descriptors()}")
    growth = (daemon.resident() - resident) / 1024
    t.check(growth <= 1024, f"memory grew by {growth:.0f} KiB from round {WARM} to {ROUNDS} (limit 1024)")
    dies(t, camera, subscriber)
    t.step = "all"
    status = daemon.status()
    t.check(status["workerRestarts"] == 0, f"no worker was replaced; {status['capture']['openings']} openings")
    subscriber.only(ITEMS)
    subscriber.connected()
