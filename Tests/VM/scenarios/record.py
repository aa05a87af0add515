# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""What the camera sees, as the camera gave it: recorded, bounded, and replayed."""

import os
import subprocess
import time

from vm.places import payloads, picture, program
from vm.processes import call
from vm.subscriber import Moment


def content(path):
    with open(path, "rb") as file:
        return file.read()


def run(t):
    camera = t.fakecam()
    record = [program("datascan"), "record"]
    options = ["--source", camera.link, "--format", "MJPG", "--size", "640x480"]
    start = time.monotonic()
    code, output = call(*record, "/tmp/clip.mjpeg", *options, "--frames", "10")
    t.need(code == 0, f"10 frames into a file: exit code {code} after {time.monotonic() - start:.1f} s: {output.strip()}")
    data, frame = content("/tmp/clip.mjpeg"), content(picture("A"))
    t.check(data.count(frame) == 10, f"each as the camera gave it: {len(data)} bytes")
    start = time.monotonic()
    code, output = call(*record, "/tmp/clip", *options, "--seconds", "2")
    files = os.listdir("/tmp/clip") if os.path.isdir("/tmp/clip") else []
    t.check(code == 0 and len(files) > 5, f"2 s into a folder: exit code {code}, {len(files)} files after "
            f"{time.monotonic() - start:.1f} s: {output.strip()}")
    t.step = "daemon"
    daemon, subscriber = t.watch(camera, "A", "--format", "MJPG", "--size", "640x480", "--rate", 10)
    code, output = call(*record, "/tmp/live.mjpeg", "--socket-dir", daemon.folder, "--frames", "10")
    t.check(code == 0 and content("/tmp/live.mjpeg").count(frame) == 10,
            f"10 frames through a daemon that has the camera: exit code {code}: {output.strip()}")
    subscriber.none("didRemove", Moment(0, 0))
    code, output = call(*record, "/tmp/busy.mjpeg", *options)
    t.check(code == 69 and "cameraBusy" in output and f"pid {daemon.pid}" in output,
            f"the daemon's camera, opened directly: exit code {code}: {output.strip()}")
    unplugged(t, camera, daemon, frame)
    daemon.end()
    t.step = "raw"
    raw(t, camera)
    camera.unplug()
    t.step = "replay"
    t.watch("/tmp/clip.mjpeg", "A", "--loop")


def unplugged(t, camera, daemon, frame):
    """In mid-recording: what was written is whole, and the daemon goes on."""
    t.step = "unplug"
    command = [program("datascan"), "record", "/tmp/cut.mjpeg", "--socket-dir", daemon.folder, "--json"]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    t.background(process)
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and not (os.path.exists("/tmp/cut.mjpeg") and content("/tmp/cut.mjpeg")):
        time.sleep(0.05)
    start = time.monotonic()
    camera.unplug()
    output = process.communicate(timeout=20)[0].decode(errors="replace")
    took = time.monotonic() - start
    data, lines = content("/tmp/cut.mjpeg"), content("/tmp/cut.mjpeg.times").count(b"\n") - 1
    t.check(process.returncode == 69 and "cameraLost" in output,
            f"the end of the recording is told after {took:.2f} s: exit code {process.returncode}: {output.strip()}")
    t.check(lines > 0 and data == frame * lines, f"{lines} whole frames and nothing else")
    camera.plug()
    code, output = call(program("datascan"), "record", "/tmp/after-unplug.mjpeg", "--socket-dir", daemon.folder,
                        "--frames", "3", "--wait", "20")
    t.check(code == 0, f"once the camera is back: exit code {code}: {output.strip()}")


def raw(t, camera):
    """Luma of a raw format, and what does not take it."""
    record = [program("datascan"), "record"]
    options = ["--source", camera.link, "--format", "YUYV", "--size", "640x480", "--wait", "10"]
    code, output = call(*record, "/tmp/raw.mjpeg", *options)
    t.check(code == 78 and "--format MJPG" in output, f"no JPEG: exit code {code}: {output.strip()}")
    code, output = call(*record, "/tmp/raw.y4m", *options, "--frames", "5")
    size = os.path.getsize("/tmp/raw.y4m") if os.path.exists("/tmp/raw.y4m") else 0
    t.check(code == 0 and size > 5 * 640 * 480, f"5 frames of luma: exit code {code}, {size} bytes: {output.strip()}")
