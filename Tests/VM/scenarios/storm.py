# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""A plug that is loose: the camera goes while it is opened, and comes and goes faster than it can be opened."""

import random
import time

from vm.daemon import LIGHT
from vm.places import payloads

ITEMS = payloads("A")
MOMENTS = 20
LONG = True


def comes_back(t, camera, daemon, subscriber, descriptors):
    """Everything is as before, within the time that one replug may take."""
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(ITEMS, moment, 5)
    now = daemon.descriptors()
    t.check(now <= descriptors, f"descriptors: {descriptors}, then {now}")


def while_opening(t, camera, daemon, subscriber, descriptors):
    t.step = "opening"
    for number in range(MOMENTS):
        camera.tell("plug")
        time.sleep(1.2 * (number + random.random()) / MOMENTS)
        camera.unplug()
        time.sleep(0.1)
    comes_back(t, camera, daemon, subscriber, descriptors)


def storm(t, camera, daemon, subscriber, descriptors, seconds):
    t.step = "storm"
    moment, before = subscriber.mark(), daemon.processor_time()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        camera.tell("plug")
        time.sleep(random.choice([0.1, 0.3, 0.6]))  # the kernel needs 0.2 s to make a node
        camera.unplug()
        time.sleep(0.1)
    used = daemon.processor_time() - before
    told = [e.params.get("code") for e in subscriber.since(moment) if e.method == "becameUnavailable"]
    t.check(len(told) <= 3, f"told {told} in {seconds} s; {used / seconds * 100:.0f} % of the (slow) processor")
    comes_back(t, camera, daemon, subscriber, descriptors)


def run(t):
    camera = t.fakecam()
    daemon, subscriber = t.watch(camera, "A", *LIGHT)
    descriptors, resident = daemon.descriptors(), daemon.resident()
    camera.unplug()
    while_opening(t, camera, daemon, subscriber, descriptors)
    camera.unplug()
    storm(t, camera, daemon, subscriber, descriptors, 15)
    t.step = "all"
    codes = {e.params.get("code") for e in subscriber.events if e.method == "becameUnavailable"}
    t.check(codes <= {"cameraLost"}, f"codes: {sorted(codes)}")
    growth = (daemon.resident() - resident) / 1024
    t.check(growth <= 2048, f"memory grew by {growth:.0f} KiB (limit 2048)")
    t.check(daemon.status()["workerRestarts"] == 0, "no worker was replaced")
    subscriber.only(ITEMS)
    subscriber.connected()
