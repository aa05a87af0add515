# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The mode is chosen by quality level, can be forced, and is stepped down from where the camera can not deliver it."""

from vm.places import payloads


def mode(daemon):
    got = daemon.capture()["mode"]
    return f"{got['width']}x{got['height']} {got['format']}", got["rate"]


def chosen(t, camera, quality, wanted):
    t.step = quality
    daemon, _ = t.watch(camera, "A", "--quality", quality, name=quality)
    t.check(mode(daemon) == wanted, f"{mode(daemon)} was chosen")
    t.check("asked" in daemon.capture(), f"asked: {daemon.capture().get('asked')}")
    daemon.end()


def run(t):
    camera = t.fakecam()
    chosen(t, camera, "fast", ("1280x720 MJPG", 30))
    chosen(t, camera, "balanced", ("1280x720 MJPG", 30))
    chosen(t, camera, "accurate", ("1280x720 MJPG", 30))

    t.step = "weak"
    camera.tell("weak", "on")
    daemon, subscriber = t.watch(camera, "A", "--size", "640x480", "--rate", 10, name="weak")
    capture = daemon.capture()
    t.check(capture["stepDowns"] > 0 and capture["mode"]["format"] == "MJPG",
            f"raw video can not be started (EIO): {capture['stepDowns']} steps down to {mode(daemon)}")
    subscriber.only(payloads("A"))
    daemon.end()

    t.step = "a format that there is not"
    daemon, subscriber = t.watch(camera, "A", "--format", "H264", name="forced")
    said = [line for line in daemon.log().splitlines() if "H264" in line]
    t.check(len(said) == 1 and "the nearest is 1280x720 MJPG" in said[0], f"the log says once what is taken: {said}")
    subscriber.only(payloads("A"))
    daemon.end()
