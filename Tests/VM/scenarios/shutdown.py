# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""SIGTERM ends the daemon within 2 s, whatever the camera does."""

import os

from vm.daemon import LIGHT

# uvcvideo waits that long for an answer to a control request, and no signal interrupts it: the kernel keeps the process
# until then.
KERNEL = 5


def ends(t, daemon, what, limit=2):
    seconds = daemon.terminate(15)
    if not t.check(seconds is not None and seconds <= limit, f"{what}: ended after {seconds} s (limit {limit})"):
        daemon.process.kill()
    t.check(daemon.process.returncode == 0, f"{what}: exit code {daemon.process.returncode}")
    t.check(not os.path.exists(daemon.socket), f"{what}: its sockets are gone")


def run(t):
    camera = t.fakecam()
    daemon, _ = t.watch(camera, "A", *LIGHT, name="streaming")
    ends(t, daemon, "streaming")

    daemon, _ = t.watch(camera, "A", *LIGHT, name="frozen")
    camera.tell("freeze")
    ends(t, daemon, "frozen just now")
    camera.tell("thaw")
    daemon, subscriber = t.watch(camera, "A", *LIGHT, name="given-up")
    moment = subscriber.mark()
    camera.tell("freeze")
    subscriber.expect("becameUnavailable", moment, 2, "noFrames")
    ends(t, daemon, "frozen and given up")
    camera.tell("thaw")

    daemon, _ = t.watch(camera, "A", *LIGHT, name="hung")
    camera.tell("hang")
    ends(t, daemon, "control requests hang", 2 + KERNEL)
    camera.tell("unhang")

    camera.tell("hang")
    daemon = t.daemon(camera.link, *LIGHT, name="opening")
    t.pause(1)
    ends(t, daemon, "hangs while it is opened", 2 + KERNEL)
    camera.tell("unhang")

    camera.unplug()
    camera.wait_until_gone()
    daemon = t.daemon(camera.link, name="absent")
    t.pause(1)
    ends(t, daemon, "no camera")
