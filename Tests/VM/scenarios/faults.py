# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Frames that stop, are damaged or never come: the right code or counter, recovery, and no item by a bad picture."""

from vm.daemon import LIGHT
from vm.places import payloads, picture

ITEMS = payloads("A")


def stops(t, camera, subscriber):
    t.step = "freeze"
    moment = subscriber.mark()
    camera.tell("freeze")
    subscriber.expect("becameUnavailable", moment, 2, "noFrames")
    subscriber.expect_items(ITEMS, moment, 2, "didRemove", reason="sourceLost")
    moment = subscriber.mark()
    camera.tell("thaw")
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(ITEMS, moment, 5)


def bad_frames(t, camera, daemon, subscriber, fault, counter, count=3):
    """Some frames are bad: they are counted, and nobody is told anything. Of three, one may hide in another's gap."""
    t.step = f"{fault} {count}"
    moment, before = subscriber.mark(), daemon.capture()
    camera.tell(fault, count)
    if counter:
        waited = daemon.wait_for_status(lambda s: s["capture"][counter] >= before[counter] + count - 1, 5)
        after = daemon.capture()
        t.check(waited is not None, f"{counter} {before[counter]} -> {after[counter]}")
    t.pause(1)
    for method in ("didRemove", "becameUnavailable", "didAdd"):
        subscriber.none(method, moment)


def stream_dies(t, camera, subscriber):
    """The transfers fail with EPROTO: the driver ends the stream without a word."""
    t.step = "proto"
    moment = subscriber.mark()
    camera.tell("proto", 10)  # two openings: the driver has five transfers at work
    subscriber.expect("becameUnavailable", moment, 2, patience=10)
    subscriber.expect("becameAvailable", moment, 7)
    subscriber.expect_items(ITEMS, moment, 7)


def can_not_be_opened(t, camera, daemon, subscriber):
    """The format is refused three times after a replug."""
    t.step = "stall"
    camera.unplug()
    camera.wait_until_gone()
    camera.tell("stall", 3)
    moment = subscriber.after(camera.plug)
    subscriber.expect("becameAvailable", moment, 8)
    subscriber.expect_items(ITEMS, moment, 8)


def bad_pictures(t, camera, daemon, subscriber):
    """A JPEG whose header lies is never decoded; one without Huffman tables is what most webcams send."""
    for name in ("huge", "other"):
        t.step = f"{name} JPEG"
        moment, before = subscriber.mark(), daemon.capture()["damagedFrames"]
        camera.tell("mjpeg", picture(name), "640x480")
        subscriber.expect("becameUnavailable", moment, 2, patience=10)
        t.check(daemon.capture()["damagedFrames"] > before, "counted as damaged")
        subscriber.none("didAdd", moment)
        moment = subscriber.mark()
        camera.show("A")
        subscriber.expect("becameAvailable", moment, 5)
        subscriber.expect_items(ITEMS, moment, 5)
    subscriber.only(ITEMS)
    t.step = "bare JPEG"
    moment = subscriber.mark()
    camera.tell("mjpeg", picture("bare"))
    subscriber.expect_items(payloads("B"), moment, 5)


def run(t):
    camera = t.fakecam()
    daemon, subscriber = t.watch(camera, "A", *LIGHT)
    stops(t, camera, subscriber)
    bad_frames(t, camera, daemon, subscriber, "err", "driverDrops")
    for fault in ("short", "junk", "damage"):
        bad_frames(t, camera, daemon, subscriber, fault, "damagedFrames")
    bad_frames(t, camera, daemon, subscriber, "drop", None)  # two pictures in one: the first is read, or neither
    bad_frames(t, camera, daemon, subscriber, "empty", "driverDrops")
    stream_dies(t, camera, subscriber)
    can_not_be_opened(t, camera, daemon, subscriber)
    bad_pictures(t, camera, daemon, subscriber)
    t.step = "all"
    subscriber.connected()
    daemon.end()

    camera.show("A")
    daemon, subscriber = t.watch(camera, "A", "--format", "YUYV", "--size", "640x480", "--rate", 10, name="raw")
    bad_frames(t, camera, daemon, subscriber, "short", "driverDrops")
    t.setting("/sys/module/uvcvideo/parameters/nodrop", "1")  # now such frames come with an error flag
    camera.unplug()
    moment = subscriber.mark()
    camera.wait_until_gone()
    camera.plug()
    subscriber.expect_items(ITEMS, moment, 8)
    bad_frames(t, camera, daemon, subscriber, "short", "damagedFrames")
    bad_frames(t, camera, daemon, subscriber, "err", "damagedFrames")
    subscriber.only(ITEMS)
