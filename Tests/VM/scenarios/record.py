# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""What the camera sees, as the camera gave it: recorded, bounded, and replayed."""

import os
import time

from vm.places import payloads, picture, program
from vm.processes import call


def content(path):
    with open(path, "rb") as file:
        return file.read()


def run(t):
    camera = t.fakecam()
    record = [program("datascan"), "record"]
    options = ["--source", camera.link]
    start = time.monotonic()
    code, output = call(*record, "/tmp/clip.mjpeg", *options, "--frames", "10")
    t.need(code == 0, f"10 frames into a file: exit code {code} after {time.monotonic() - start:.1f} s: {output.strip()}")
    data, frame = content("/tmp/clip.mjpeg"), content(picture("A"))
    wide = content(picture("A", width=1280))
    t.check(data.count(frame) + data.count(wide) == 10, f"each as the camera gave it: {len(data)} bytes")
    start = time.monotonic()
    code, output = call(*record, "/tmp/clip", *options, "--seconds", "2")
    files = os.listdir("/tmp/clip") if os.path.isdir("/tmp/clip") else []
    t.check(code == 0 and len(files) > 5, f"2 s into a folder: exit code {code}, {len(files)} files after "
            f"{time.monotonic() - start:.1f} s: {output.strip()}")
    camera.unplug()
    t.step = "replay"
    t.watch("/tmp/clip.mjpeg", "A", "--loop")
    t.check(True, f"{len(payloads('A'))} codes of the recording are announced")
