# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""A camera that another process holds, that may not be opened, or that is none: told apart, and waited for."""

import os
import subprocess

from vm.daemon import LIGHT
from vm.places import payloads, program
from vm.processes import call, end

ITEMS = payloads("A")


def busy(t, camera):
    t.step = "busy"
    holder = subprocess.Popen(["v4l2-ctl", "-d", camera.node, "--set-fmt-video=width=640,height=480,pixelformat=MJPG",
                               "--stream-mmap=4", "--stream-to=/dev/null"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    t.background(holder)
    t.pause(1)
    daemon = t.daemon(camera.link, *LIGHT, name="busy")
    subscriber = t.subscriber(daemon)
    found = daemon.wait_for_status(lambda s: "sourceUnavailable" in s, 3)
    why = daemon.status().get("sourceUnavailable", {})
    t.check(found is not None and why.get("code") == "cameraBusy", f"unavailable: {why}")
    t.check("v4l2-ctl" in why.get("message", "") and str(holder.pid) in why.get("message", ""), "it says who holds it")
    moment = subscriber.mark()
    end(holder)
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(ITEMS, moment, 5)
    daemon.end()


def forbidden(t, camera):
    """udev sets a node's group after it made it, so a refusal is only believed after some seconds."""
    t.step = "permission"
    os.chmod(camera.node, 0)
    daemon = t.daemon(camera.link, *LIGHT, name="permission", user="datascand")
    subscriber = t.subscriber(daemon)
    found = daemon.wait_for_status(lambda s: "sourceUnavailable" in s, 8)
    why = daemon.status().get("sourceUnavailable", {})
    t.check(found is not None and why.get("code") == "permissionDenied", f"unavailable after {found} s: {why}")
    moment = subscriber.mark()
    os.chmod(camera.node, 0o660)
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(ITEMS, moment, 5)
    daemon.end()


def is_refused(t, what, source):
    """No camera, and it will not become one: the daemon ends at once and says what is wrong."""
    t.step = what
    code, output = call(program("datascand"), "--source", source, "--types", "barcode", "--socket-dir",
                        f"/run/{what.replace(' ', '-')}", limit=10)
    t.check(code == 66 and source in output, f"exit code {code}: {output.strip()[-200:]}")


def run(t):
    camera = t.fakecam()
    busy(t, camera)
    forbidden(t, camera)
    is_refused(t, "metadata node", camera.link.replace("index0", "index1"))
    is_refused(t, "null device", "/dev/null")
    is_refused(t, "terminal", "/dev/ttyS0")
