# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Nobody scans: the camera is closed, may come and go, and is scanned again when somebody asks for it."""

import os

from vm.checks import wait_for
from vm.daemon import LIGHT
from vm.places import payloads

ITEMS = payloads("A")


def has_it_open(daemon):
    folder = f"/proc/{daemon.pid}/fd"
    found = []
    for name in os.listdir(folder):
        try:
            found.append(os.readlink(os.path.join(folder, name)))
        except OSError:
            pass
    return any(path.startswith("/dev/video") for path in found)


def stop(t, daemon, subscriber, removes=True):
    moment = subscriber.mark()
    daemon.ask("stopScanning")
    if removes:
        subscriber.expect_items(ITEMS, moment, 2, "didRemove", reason="stopped")
    closed = wait_for(lambda: not has_it_open(daemon), 5)
    t.check(closed is not None and closed <= 2, f"the camera is closed after {closed} s (limit 2)")
    return moment


def start(t, daemon, subscriber):
    moment = subscriber.mark()
    daemon.ask("startScanning")
    subscriber.expect_items(ITEMS, moment, 5)


def run(t):
    camera = t.fakecam()
    daemon, subscriber = t.watch(camera, "A", *LIGHT)
    t.step = "plain"
    moment = stop(t, daemon, subscriber)
    t.pause(2)
    subscriber.none("becameUnavailable", moment)
    start(t, daemon, subscriber)
    t.step = "replugged while stopped"
    moment = stop(t, daemon, subscriber)
    camera.unplug()
    camera.wait_until_gone()
    t.pause(1)
    camera.plug()
    t.pause(1)
    subscriber.none("becameUnavailable", moment)
    start(t, daemon, subscriber)
    t.step = "started without a camera"
    stop(t, daemon, subscriber)
    camera.unplug()
    camera.wait_until_gone()
    moment = subscriber.mark()
    daemon.ask("startScanning")
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    moment = subscriber.after(camera.plug)
    subscriber.expect_items(ITEMS, moment, 5)
    t.step = "stopped without a camera"
    moment = subscriber.after(camera.unplug)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    camera.wait_until_gone()
    moment = subscriber.mark()
    stop(t, daemon, subscriber, removes=False)
    camera.plug()
    t.pause(1)
    t.check(not has_it_open(daemon), "it is not opened while stopped")
    t.note(f"told while stopped: {[(e.method, e.params.get('code')) for e in subscriber.since(moment)]}")
    start(t, daemon, subscriber)
    t.step = "quick"
    for number in range(20):
        daemon.ask("stopScanning")
        daemon.ask("startScanning")
    moment = subscriber.mark()
    t.check(wait_for(lambda: subscriber.in_view() == ITEMS, 5) is not None, f"after 20 stops and starts: {subscriber.in_view()}")
    codes = {e.params.get("code") for e in subscriber.events if e.method == "becameUnavailable"}
    t.check(codes <= {"cameraLost"}, f"codes: {sorted(codes)}")
    subscriber.connected()
