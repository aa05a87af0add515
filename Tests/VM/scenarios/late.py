# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The daemon is there before the camera: it says so, waits, and scans when the camera comes."""

from vm.daemon import LIGHT
from vm.places import payloads


def waits_for(t, camera, source):
    daemon = t.daemon(source, *LIGHT, name=t.step)
    subscriber = t.subscriber(daemon)
    found = daemon.wait_for_status(lambda s: "sourceUnavailable" in s, 3)
    why = daemon.status().get("sourceUnavailable", {})
    t.check(found is not None and why.get("code") == "cameraLost", f"unavailable: {why}")
    moment = subscriber.after(camera.plug)
    subscriber.expect("becameAvailable", moment, 5)
    subscriber.expect_items(payloads("A"), moment, 5)
    t.check(daemon.capture()["stablePath"] in (camera.link, camera.path_link), f"it is {daemon.capture()['stablePath']}")
    moment = subscriber.mark()
    camera.unplug()
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    camera.wait_until_gone()
    daemon.end()


def run(t):
    camera = t.fakecam(plugged=False)
    for name, source in (("by-id", camera.link), ("auto", "auto"), ("node", "/dev/video0")):
        t.step = name
        waits_for(t, camera, source)
