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


def levels(t):
    """A camera of many sizes, the larger the slower: each level takes another mode."""
    vivid, got = t.vivid(), {}
    for quality in ("fast", "balanced", "accurate"):
        t.step = quality
        daemon = t.daemon(vivid.node, "--quality", quality, name=f"vivid-{quality}")
        t.need(daemon.wait_for_status(lambda s: s["framesDelivered"] > 0, 10) is not None, "frames come")
        taken = daemon.capture()["mode"]
        got[quality] = (taken["width"] * taken["height"], taken["rate"])
        t.note(f"{taken['width']}x{taken['height']} at {taken['rate']}/s")
        daemon.end()
    t.step = "levels"
    t.check(got["accurate"][0] > got["balanced"][0] and got["accurate"][1] >= 5, "accurate takes the largest at 5/s or more")
    t.check(got["balanced"][1] >= 15, "balanced takes 15/s or more")
    t.check(got["fast"][1] >= got["balanced"][1] and got["fast"][0] <= 1280 * 720, "fast takes the highest rate")
    vivid.end()


def run(t):
    levels(t)
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
