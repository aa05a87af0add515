# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Every way to stream: each barcode is announced, and a changed picture's old items go and its new ones come."""

from vm.places import payloads

OLD, NEW = payloads("A"), payloads("B")


def one_mode(t, camera, fourcc, size):
    camera.show("A")
    daemon, subscriber = t.watch(camera, "A", "--format", fourcc, "--size", size, "--rate", 10, name=f"{t.step}")
    got = daemon.capture()["mode"]
    t.check(f"{got['width']}x{got['height']} {got['format']}" == f"{size} {fourcc}", f"the mode is the one asked: {got}")
    moment = subscriber.mark()
    camera.show("B")
    subscriber.expect_items(NEW, moment, 5)
    subscriber.expect_items(OLD, moment, 8, "didRemove", reason="gone")  # after looks that did not find them: these take long
    subscriber.only(OLD | NEW)
    daemon.end()


def run(t):
    for kind, isochronous in (("bulk", False), ("isochronous", True)):
        camera = t.fakecam(isochronous=isochronous)
        for fourcc in ("MJPG", "YUYV"):
            for size in ("640x480", "1280x720"):
                t.step = f"{kind} {fourcc} {size}"
                one_mode(t, camera, fourcc, size)
        camera.end()
