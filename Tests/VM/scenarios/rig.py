# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The scripted camera is what it should be: without datascand, in the kernel's own eyes.

What the other scenarios rely on: frames arrive as they were given, and each fault looks to a program as it does with a
real camera.
"""

import os
import re
import subprocess
import time

from vm.checks import wait_for
from vm.places import picture
from vm.processes import call, must

HEIGHTS = {640: 480, 1280: 720}


def set_format(node, fourcc, width):
    return call("v4l2-ctl", "-d", node, f"--set-fmt-video=width={width},height={HEIGHTS[width]},pixelformat={fourcc}")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def modes(t, camera, kind):
    for fourcc, suffix in (("MJPG", "jpg"), ("YUYV", "yuyv")):
        for width in HEIGHTS:
            start = time.monotonic()
            set_format(camera.node, fourcc, width)
            call("v4l2-ctl", "-d", camera.node, "--stream-mmap=4", "--stream-count=2", "--stream-to=/tmp/frames")
            same = content("/tmp/frames") == content(picture("A", suffix, width)) * 2
            t.check(same, f"{kind} {fourcc} {width}: 2 frames are the picture, after {time.monotonic() - start:.2f} s")


def stream(camera, fourcc, *fault, frames=12):
    """The exit code and [(sequence, bytes)] of a stream with a fault in it."""
    with open("/tmp/trace", "wb") as trace:
        process = subprocess.Popen(
            ["v4l2-ctl", "-d", camera.node, f"--set-fmt-video=width=640,height=480,pixelformat={fourcc}", "--verbose",
             "--stream-mmap=4", "--stream-poll", f"--stream-count={frames}", "--stream-to=/dev/null"],
            stdout=trace, stderr=trace)
        wait_for(lambda: b"dqbuf" in content("/tmp/trace"), 5)
        camera.tell(*fault)
        try:
            code = process.wait(1.5)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
    lines = re.findall(r"dqbuf: +\d+ seq: +(\d+) bytesused: +(\d+)", content("/tmp/trace").decode())
    return code, [(int(sequence), int(count)) for sequence, count in lines]


def gaps(frames):
    return sum(later[0] - earlier[0] - 1 for earlier, later in zip(frames, frames[1:]))


def faults(t, camera):
    camera.tell("fps", 30)
    jpeg, raw = os.path.getsize(picture("A")), os.path.getsize(picture("A", "yuyv"))
    _, frames = stream(camera, "MJPG", "short", 2)
    t.check([f[1] for f in frames].count(jpeg // 2) == 2 and not gaps(frames), "short: 2 half MJPEG frames, not marked")
    _, frames = stream(camera, "YUYV", "short", 2)
    t.check({f[1] for f in frames} == {raw} and gaps(frames) == 2, "short: 2 half YUYV frames are kept by the driver")
    _, frames = stream(camera, "YUYV", "err")
    t.check({f[1] for f in frames} == {raw} and gaps(frames) == 1, "err: 1 YUYV frame is kept by the driver")
    _, frames = stream(camera, "MJPG", "drop")
    t.check(any(f[1] > jpeg for f in frames), "drop: an MJPEG frame has its successor glued to it")
    _, frames = stream(camera, "MJPG", "empty")
    t.check({f[1] for f in frames} == {jpeg} and gaps(frames) == 1, "empty: 1 empty frame is kept by the driver")
    _, frames = stream(camera, "MJPG", "freeze")
    t.check(0 < len(frames) < 12, f"freeze: no more after {len(frames)} frames")
    camera.tell("thaw")
    code, frames = stream(camera, "MJPG", "proto", 8, frames=100)
    t.check(len(frames) < 100, f"proto: the stream stands still after {len(frames)} frames")
    code, frames = stream(camera, "MJPG", "unplug", frames=100)
    t.check(len(frames) < 100, f"unplug: the stream ends after {len(frames)} frames with exit code {code}")
    camera.wait_until_gone()
    start = time.monotonic()
    t.took(camera.plug() - start, 5, "plug: the stable path is there")
    camera.tell("stall")
    code, output = set_format(camera.node, "MJPG", 1280)
    t.check("error" in output.lower() or code != 0, "stall: the format can not be set")
    camera.tell("weak", "on")
    set_format(camera.node, "YUYV", 640)
    code, output = call("v4l2-ctl", "-d", camera.node, "--stream-mmap=4", "--stream-count=3")
    t.check("VIDIOC_STREAMON returned -1 (Input/output error)" in output, "weak: the stream can not be started: EIO")


def controls(t, camera):
    listed = must("v4l2-ctl", "-d", camera.node, "-L")
    wanted = ["auto_exposure", "exposure_time_absolute", "focus_absolute", "focus_automatic_continuous", "zoom_absolute",
              "power_line_frequency", "white_balance_temperature", "brightness", "exposure_dynamic_framerate"]
    t.check(all(name in listed for name in wanted) and "Manual Mode" in listed, "controls: all are there, with menus")
    code, _ = call("v4l2-ctl", "-d", camera.node, "-c", "exposure_time_absolute=100")
    t.check(code != 0, "controls: the exposure time can not be set while it is automatic")
    must("v4l2-ctl", "-d", camera.node, "-c", "auto_exposure=1")
    must("v4l2-ctl", "-d", camera.node, "-c", "exposure_time_absolute=100,zoom_absolute=150")
    t.check(camera.tell("get", "exposure_time_absolute") == "100", "controls: the exposure time arrives in the camera")
    camera.unplug()
    camera.wait_until_gone()
    camera.plug()
    t.check(camera.tell("get", "zoom_absolute") == "100", "controls: a replug sets them back")


def run(t):
    camera = t.fakecam()
    modes(t, camera, "bulk")
    controls(t, camera)
    faults(t, camera)
    camera.end()
    camera = t.fakecam(isochronous=True, serial="SCENE1")
    modes(t, camera, "isochronous")
