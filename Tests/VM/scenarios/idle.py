# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""What it costs to wait: processor time and lines of log while the camera is away, hangs or is dark."""

import time

SECONDS = 20
LONG = True


def costs(t, daemon, what, percent, lines):
    t.step = what
    before, log, start = daemon.processor_time(), daemon.log(), time.monotonic()
    t.pause(SECONDS)
    used = (daemon.processor_time() - before) / (time.monotonic() - start) * 100
    said = daemon.log()[len(log):].splitlines()
    info = [line for line in said if not line.startswith("<7>")]
    t.check(used <= percent, f"{used:.1f} % of the (slow) processor (limit {percent})")
    t.check(len(info) <= lines, f"{len(info)} lines of log in {SECONDS} s (limit {lines}), {len(said)} with debug: {info[-2:]}")


def run(t):
    camera = t.fakecam()
    daemon, subscriber = t.watch(camera, "A", "--rate", 10, "--size", "640x480")
    moment = subscriber.after(camera.unplug)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    costs(t, daemon, "away", 10, 2)
    camera.wait_until_gone()
    camera.plug()
    subscriber.expect("becameAvailable", moment, 60)
    moment = subscriber.mark()
    camera.tell("freeze")
    subscriber.expect("becameUnavailable", moment, 2, "noFrames")
    costs(t, daemon, "hangs", 10, 2)
    camera.tell("thaw")
    subscriber.expect("becameAvailable", moment, 60)
    moment = subscriber.mark()
    camera.show("black")
    subscriber.expect("becameUnavailable", moment, 3, "dark")
    costs(t, daemon, "dark", 30, 2)
