# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Cameras that are hard to tell apart, and a camera in the place of another one."""

import os
import time

from vm.checks import wait_for
from vm.daemon import LIGHT
from vm.places import payloads
from vm.subscriber import Moment

A = payloads("A")


def same_serial(t):
    """By path each stays itself, whoever has the name by id."""
    t.step = "same serial"
    left, right = t.fakecam("A", serial="TWIN"), t.fakecam("B", port=1, serial="TWIN", plugged=False)
    path = left.path_link
    right.tell("plug")
    daemon = t.daemon(path, *LIGHT, name="path")
    subscriber = t.subscriber(daemon)
    subscriber.expect_items(A, subscriber.mark(daemon.started), 10)
    for number in range(3):
        moment = subscriber.after(left.unplug)
        subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
        t.need(wait_for(lambda: not os.path.lexists(path), 10) is not None, "it is gone")
        left.tell("plug")
        t.need(wait_for(lambda: os.path.exists(path), 20) is not None, "its path is back")
        subscriber.expect_items(A, Moment(moment.index, time.monotonic()), 5)
    subscriber.only(A, "never the other one")
    daemon.end()
    for camera in (left, right):
        camera.end()


def swapped(t):
    """By path, another model in the same port is taken."""
    t.step = "swapped"
    old = t.fakecam(serial="OLD")
    new = t.fakecam(serial="NEW", name="Other Model", plugged=False, raw="GREY")
    daemon = t.daemon(old.path_link, "--rate", 10, "--size", "640x480", name="swapped")
    subscriber = t.subscriber(daemon)
    subscriber.expect_items(A, subscriber.mark(daemon.started), 10)
    moment = subscriber.after(old.unplug)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    old.wait_until_gone()
    moment = subscriber.after(new.plug)
    subscriber.expect("becameAvailable", moment, 5)
    capture = daemon.capture()
    t.check(capture["name"].startswith("Other Model") and capture["mode"]["format"] == "GREY",
            f"it is {capture['name']} in {capture['mode']}")
    daemon.end()
    for camera in (old, new):
        camera.end()


def run(t):
    same_serial(t)
    swapped(t)
