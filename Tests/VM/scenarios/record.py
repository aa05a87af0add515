# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""What the camera sees, as the camera gave it: recorded, bounded, and replayed."""

import os
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
    daemon.end()
    camera.unplug()
    t.step = "replay"
    t.watch("/tmp/clip.mjpeg", "A", "--loop")
    t.check(True, f"{len(payloads('A'))} codes of the recording are announced")
