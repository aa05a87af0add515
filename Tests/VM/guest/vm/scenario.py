# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""One scenario: it makes cameras, daemons and subscribers, which end with it, and checks what they do."""

import pathlib
import shutil
import time

from .checks import Checks
from .daemon import Daemon
from .fakecam import FakeCamera
from .places import OUTPUT, WORK, payloads
from .processes import call, end
from .subscriber import Moment, Subscriber
from .vivid import Vivid


class Scenario(Checks):
    def __init__(self, name):
        super().__init__(name)
        self.folder = WORK / name
        self.folder.mkdir(parents=True)
        self._made = []

    def _keep(self, thing):
        self._made.append(thing)
        return thing

    def log(self, name):
        return self.folder / name

    def fakecam(self, picture="A", plugged=True, **options):
        """A scripted webcam that shows a picture."""
        camera = self._keep(FakeCamera(open(self.log("fakecam.log"), "ab"), **options))
        if picture:
            camera.show(picture)
        if plugged:
            camera.plug()
        return camera

    def vivid(self, **options):
        return self._keep(Vivid(**options))

    def daemon(self, source, *arguments, name="daemon", user=None, types="barcode"):
        """A daemon that watches a source and takes connections."""
        words = ["--source", source, "--types", types, "--log-level", "debug", *arguments]
        daemon = self._keep(Daemon(self.folder / name, self.log(f"{name}.log"), words, user))
        if daemon.wait_until_open() is None:
            self.need(False, f"the daemon on {source} opened its socket; its log: {daemon.log()[-1000:].strip()}")
        return daemon

    def subscriber(self, daemon, name=None):
        """A subscriber that has its snapshot."""
        record = self.log(f"events-{name or daemon.folder.rsplit('/', 1)[-1]}")
        subscriber = self._keep(Subscriber(self, daemon.folder, record))
        if subscriber.wait(Moment(0, time.monotonic()), lambda e: e.method == "snapshot", 10) is None:
            self.need(False, "a subscriber got its snapshot")
        return subscriber

    def watch(self, camera, picture, *arguments, **options):
        """The beginning of most scenarios: a daemon, a subscriber, and the picture's codes announced."""
        source = camera.link if isinstance(camera, FakeCamera) else camera
        daemon = self.daemon(source, *arguments, **options)
        subscriber = self.subscriber(daemon)
        subscriber.expect_items(payloads(picture), Moment(0, daemon.started), 10)
        return daemon, subscriber

    def background(self, process):
        """A process that ends with the scenario."""
        return self._keep(_Ended(process))

    def setting(self, path, value):
        """Writes a file of the kernel's, until the scenario ends."""
        self._keep(_Setting(path, value))

    def pause(self, seconds):
        """Lets time pass in which something must not happen."""
        time.sleep(seconds)

    def close(self):
        for thing in reversed(self._made):
            try:
                thing.end()
            except Exception as error:
                self.check(False, f"{type(thing).__name__} could not be ended: {error!r}")

    def keep_logs(self):
        """Hands what there is to know about a failure to the host."""
        with open(self.log("kernel.log"), "w", encoding="utf-8") as file:
            file.write(call("dmesg")[1])
        with open(self.log("processes.log"), "w", encoding="utf-8") as file:
            file.write(call("ps", "-eLo", "pid,tid,stat,wchan:32,etime,comm")[1])
        ignore = lambda folder, names: [n for n in names if n.endswith(".sock")]
        shutil.copytree(self.folder, OUTPUT / self.scenario, ignore=ignore, dirs_exist_ok=True)


class _Setting:
    def __init__(self, path, value):
        self.path = pathlib.Path(path)
        self.before = self.path.read_text(encoding="ascii")
        self.path.write_text(value, encoding="ascii")

    def end(self):
        self.path.write_text(self.before, encoding="ascii")


class _Ended:
    def __init__(self, process):
        self.process = process

    def end(self):
        end(self.process)

