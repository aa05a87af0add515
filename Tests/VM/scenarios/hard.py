# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Faults that last, and processes that are stopped and killed."""

import os
import signal
import subprocess
import time

from vm.daemon import LIGHT
from vm.places import payloads, program
from vm.processes import call

ITEMS = payloads("A")
LONG = True


def only_damaged(t, camera):
    """Not one good frame comes any more: that is told, and is over when good ones come."""
    daemon, subscriber = t.watch(camera, "A", *LIGHT, name="damaged")
    for fault in ("err", "short", "junk", "empty", "drop"):
        t.step = f"only {fault}"
        moment = subscriber.mark()
        camera.tell(fault, 100000)
        subscriber.expect("becameUnavailable", moment, 2, "noFrames", patience=12)
        moment = subscriber.mark()
        camera.tell(fault, 0)
        subscriber.expect("becameAvailable", moment, 5, patience=15)
        subscriber.expect_items(ITEMS, moment, 5)
    subscriber.only(ITEMS)
    daemon.end()


def stopped_and_killed(t, camera):
    t.step = "SIGSTOP"
    first, subscriber = t.watch(camera, "A", *LIGHT, name="first")
    moment = subscriber.mark()
    os.kill(first.pid, signal.SIGSTOP)
    time.sleep(4)
    os.kill(first.pid, signal.SIGCONT)
    t.pause(2)
    t.check(first.capture()["newestFrameAge"] < 1, "frames come after it was stopped for 4 s")
    for method in ("becameUnavailable", "didRemove"):
        subscriber.none(method, moment)
    t.step = "taken over"
    second = t.daemon(camera.link, *LIGHT, name="second")
    other = t.subscriber(second)
    t.pause(1)
    why = second.status().get("sourceUnavailable", {})
    t.check(why.get("code") == "cameraBusy" and "datascand" in why.get("message", ""), f"{why}")
    moment = other.mark()
    first.process.kill()
    other.expect_items(ITEMS, moment, 5)
    second.end()


def looked_at(t, camera):
    """Another program looks at the camera again and again, also in the moment of its opening: it is not busy for that."""
    t.step = "looked at"
    daemon, subscriber = t.watch(camera, "A", *LIGHT, name="looked-at")
    loop = t.background(subprocess.Popen(["bash", "-c", f"while :; do {program('datascan')} cameras --json; done"],
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
    for number in range(8):
        start = subscriber.after(camera.unplug)
        subscriber.expect("becameUnavailable", start, 2, "cameraLost")
        camera.wait_until_gone()
        moment = subscriber.after(camera.plug)
        subscriber.expect_items(ITEMS, moment, 5)
        codes = [e.params["code"] for e in subscriber.since(start) if e.method == "becameUnavailable"]
        t.check(codes == ["cameraLost"], f"told: {codes}")
    loop.end()
    daemon.end()


def hangs(t, camera):
    """Control requests get no answer, so that an opening is stuck in the kernel: the daemon answers all the same."""
    t.step = "hangs"
    daemon, subscriber = t.watch(camera, "A", *LIGHT, name="hangs")
    moment = subscriber.mark()
    camera.tell("freeze")
    camera.tell("hang")
    subscriber.expect("becameUnavailable", moment, 2, "noFrames", patience=25)
    t.pause(1)
    start = time.monotonic()
    daemon.status()
    t.took(time.monotonic() - start, 1, "the status")
    start = time.monotonic()
    daemon.ask("stopScanning")
    t.took(time.monotonic() - start, 1, "stopScanning")
    daemon.ask("startScanning")
    start = time.monotonic()
    code, _ = call(program("datascan"), "cameras", "--json")
    t.note(f"datascan cameras: exit code {code} after {time.monotonic() - start:.1f} s")
    moment = subscriber.after(camera.unplug)
    camera.tell("unhang")
    camera.tell("thaw")
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    subscriber.expect_items(ITEMS, moment, 5)
    daemon.end()


def run(t):
    camera = t.fakecam()
    only_damaged(t, camera)
    stopped_and_killed(t, camera)
    looked_at(t, camera)
    hangs(t, camera)
