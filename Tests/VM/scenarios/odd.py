# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""What is rare in the field: a clock that jumps, a camera of one frame a second, no udev, a region, text."""

from vm.daemon import LIGHT
from vm.places import payloads
from vm.processes import call, must

ITEMS = payloads("A")
RAW = ["--rate", 10, "--format", "YUYV", "--size", "640x480"]
LONG = True


def clock(t, camera):
    t.step = "clock"
    daemon, subscriber = t.watch(camera, "A", *LIGHT, name="clock")
    moment, openings = subscriber.mark(), daemon.capture()["openings"]
    for change in ("+1 hour", "-1 hour", "+12 hours", "-12 hours", "+3 years", "-3 years"):
        must("date", "-s", change)
        t.pause(1)
        age = daemon.capture()["newestFrameAge"]
        t.check(0 <= age < 1, f"{change}: the newest frame is {age:.2f} s old")
    for method in ("becameUnavailable", "didRemove", "didAdd"):
        subscriber.none(method, moment)
    t.check(daemon.capture()["openings"] == openings, "it was not opened anew")
    daemon.end()


def turned(t, camera):
    t.step = "region and rotation"
    daemon, _ = t.watch(camera, "A", *RAW, "--rotate", 90, name="turned")
    status = daemon.status()
    t.check((status["frameWidth"], status["frameHeight"]) == (480, 640), f"{status['frameWidth']}x{status['frameHeight']}")
    daemon.end()
    daemon = t.daemon(camera.link, *RAW, "--region", "0,0,0.45,0.7", name="region")
    subscriber = t.subscriber(daemon)
    subscriber.expect_items({"https://wh.example/i/A88994"}, subscriber.mark(daemon.started), 10)
    t.pause(2)
    subscriber.only({"https://wh.example/i/A88994"}, "only what is in the region")
    camera.unplug()
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    subscriber.expect_items({"https://wh.example/i/A88994"}, moment, 5)
    subscriber.only({"https://wh.example/i/A88994"}, "also after a replug")
    daemon.end()


def slow(t, camera, rate):
    t.step = f"{rate} frames a second"
    camera.tell("fps", rate)
    daemon, subscriber = t.watch(camera, "A", "--size", "640x480", name=f"slow-{rate}")
    moment, openings = subscriber.mark(), daemon.capture()["openings"]
    t.pause(10)
    subscriber.none("becameUnavailable", moment)
    subscriber.none("didRemove", moment)
    t.check(daemon.capture()["openings"] == openings, f"openings {openings} -> {daemon.capture()['openings']}")
    camera.tell("fps", 0)
    daemon.end()


def replugs(t, camera, subscriber, limit=5):
    for number in range(3):
        moment = subscriber.after(camera.unplug)
        subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
        t.pause(0.5)
        moment = subscriber.mark()
        camera.tell("plug")
        subscriber.expect("becameAvailable", moment, limit)
        subscriber.expect_items(ITEMS, moment, limit)


def user(t, camera):
    t.step = "plain user"
    daemon, subscriber = t.watch(camera, "A", *LIGHT, name="user", user="datascand")
    replugs(t, camera, subscriber, 6)
    codes = [e.params["code"] for e in subscriber.events if e.method == "becameUnavailable"]
    t.check(set(codes) == {"cameraLost"}, f"told: {codes}")
    daemon.end()


def with_text(t, camera):
    """Text takes most of the emulated processor: barcodes come all the same, if later."""
    t.step = "text"
    daemon, subscriber = t.watch(camera, "A", *LIGHT, "--types", "text", name="text")
    moment = subscriber.after(camera.unplug)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(ITEMS, moment, 8)
    daemon.end()


def without_udev(t, camera):
    t.step = "no udev"
    daemon, subscriber = t.watch("/dev/video0", "A", *LIGHT, name="no-udev")
    units = ["systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "systemd-udevd.service"]
    must("systemctl", "stop", *units)
    replugs(t, camera, subscriber)
    t.note(call("ls", "-l", "/run/udev/control", "/dev/video0", "/dev/v4l/by-id")[1])
    must("systemctl", "start", *units)
    daemon.end()


def run(t):
    camera = t.fakecam()
    for part in (clock, turned, user, with_text):
        part(t, camera)
    slow(t, camera, 1)
    without_udev(t, camera)
