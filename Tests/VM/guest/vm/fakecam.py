# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The scripted webcam: fakecam runs as a process and takes commands."""

import glob
import os
import subprocess
import time

from .checks import Failed, wait_for
from .places import picture, program
from .processes import call, end


class FakeCamera:
    """A camera that is plugged into a port of the virtual hub. It starts unplugged. With `raw` it has that format only.

    `link` is its stable path; `node` is the device behind it now.
    """

    def __init__(self, log, port=0, serial="SCENE0", isochronous=False, name="Scripted Camera", raw=None):
        command = [program("fakecam"), "-p", str(port), "-s", serial, "-n", name]
        command += (["-i"] if isochronous else []) + (["-r", raw] if raw else [])
        self.raw = raw
        self.link = f"/dev/v4l/by-id/usb-Scenario_Works_{name.replace(' ', '_')}_{serial}-video-index0"
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)

    def tell(self, *words):
        """Sends a command and gives what it tells."""
        self.process.stdin.write(" ".join(map(str, words)).encode() + b"\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().decode().strip()
        if not answer.startswith("ok"):
            raise RuntimeError(f"fakecam: {' '.join(map(str, words))}: {answer or 'it has ended'}")
        return answer[3:]

    def show(self, name):
        """Shows a picture in all formats and sizes that it has, from the next frame on."""
        if self.raw:
            self.tell("raw", picture(name, self.raw.lower()))
            return
        for width in (640, 1280):
            self.tell("mjpeg", picture(name, "jpg", width))
            self.tell("raw", picture(name, "yuyv", width))

    @property
    def node(self):
        return os.path.realpath(self.link) if os.path.islink(self.link) else None

    @property
    def path_link(self):
        """The stable path by port."""
        return next((path for path in glob.glob("/dev/v4l/by-path/*") if os.path.realpath(path) == self.node), None)

    def plug(self, *port):
        """Plugs it in and waits for its stable path. The time when that was there."""
        self.tell("plug", *port)
        if wait_for(lambda: os.path.exists(self.link), 10) is None:
            raise Failed(f"no {self.link} 10 s after plugging")
        return time.monotonic()

    def unplug(self):
        """The time when it was pulled out."""
        at = time.monotonic()
        self.tell("unplug")
        return at

    def wait_until_gone(self):
        if wait_for(lambda: not os.path.lexists(self.link), 10) is None:
            raise Failed(f"{self.link} is still there 10 s after unplugging")

    def kill(self):
        at = time.monotonic()
        self.process.kill()
        self.process.wait()
        return at

    def end(self):
        if self.process.poll() is None:
            self.process.stdin.close()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                end(self.process)
        call("udevadm", "settle", "--timeout=5")
