# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""A picture that stands still where noise should differ, and one that is black: told apart from no frames."""

from vm.places import payloads


def frozen(t, camera):
    t.step = "frozen"
    camera.tell("noise", "on")
    daemon, subscriber = t.watch(camera, "A", "--format", "YUYV", "--size", "640x480", "--rate", 10,
                                 "--frozen-after", 2, name="frozen")
    moment = subscriber.mark()
    t.pause(3)
    subscriber.none("becameUnavailable", moment, "a picture with noise is not frozen")
    moment = subscriber.mark()
    camera.tell("noise", "off")
    subscriber.expect("becameUnavailable", moment, 4, "frozen")
    moment = subscriber.mark()
    camera.tell("noise", "on")
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(payloads("A"), moment, 5)
    camera.tell("noise", "off")
    daemon.end()


def dark(t, camera):
    t.step = "dark"
    daemon, subscriber = t.watch(camera, "A", "--format", "MJPG", "--size", "640x480", "--rate", 10, name="dark")
    moment = subscriber.mark()
    t.pause(3)
    subscriber.none("becameUnavailable", moment, "a picture that stands still is not frozen where nobody asked")
    moment = subscriber.mark()
    camera.show("black")
    subscriber.expect("becameUnavailable", moment, 3, "dark")
    moment = subscriber.mark()
    camera.show("A")
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(payloads("A"), moment, 5)
    subscriber.connected()
    daemon.end()


def run(t):
    camera = t.fakecam()
    frozen(t, camera)
    dark(t, camera)
