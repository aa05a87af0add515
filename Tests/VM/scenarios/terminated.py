# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""SIGTERM at any moment of an opening or a loss ends the daemon within 2 s."""

import random

from vm.daemon import LIGHT

LONG = True


def run(t):
    camera = t.fakecam(plugged=False)
    for number in range(12):
        t.step = str(number)
        daemon = t.daemon(camera.link, *LIGHT, name=f"opening-{number}")
        camera.tell("plug")
        t.pause(0.15 * number * random.random())
        seconds = daemon.terminate(15)
        t.check(seconds is not None and seconds <= 2 and daemon.process.returncode == 0,
                f"after a plug: ended after {seconds} s with {daemon.process.returncode}")
        camera.unplug()
        camera.wait_until_gone()
    camera.plug()
    for number in range(6):
        t.step = f"unplugged {number}"
        daemon, _ = t.watch(camera, "A", *LIGHT, name=f"unplug-{number}")
        camera.unplug()
        t.pause(0.1 * number * random.random())
        seconds = daemon.terminate(15)
        t.check(seconds is not None and seconds <= 2 and daemon.process.returncode == 0,
                f"ended after {seconds} s with {daemon.process.returncode}")
        camera.wait_until_gone()
        camera.plug()
