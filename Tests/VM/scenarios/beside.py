# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Other programs beside the daemon: they do not disturb it."""

import subprocess

from vm.daemon import LIGHT
from vm.places import payloads, program
from vm.processes import call

ITEMS = payloads("A")


def while_it_streams(t, camera, daemon, subscriber):
    t.step = "streams"
    moment, before = subscriber.mark(), daemon.capture()
    for number in range(5):
        code, _ = call(program("datascan"), "cameras", "--json")
        t.check(code == 0, f"datascan cameras: exit code {code}")
    code, output = call(program("datascan"), "controls", "--source", camera.link, "auto_exposure=1",
                        "exposure_time_absolute=77")
    t.check(code == 0 and camera.tell("get", "exposure_time_absolute") == "77", f"datascan controls: {output.strip()[-120:]}")
    after = daemon.capture()
    t.check(after["openings"] == before["openings"] and after["newestFrameAge"] < 1, "it streams on")
    t.check(after["driverDrops"] - before["driverDrops"] < 5, f"drops {before['driverDrops']} -> {after['driverDrops']}")
    for method in ("becameUnavailable", "didRemove"):
        subscriber.none(method, moment)


def recorded(t, camera, daemon, subscriber):
    t.step = "record"
    record = [program("datascan"), "record", "--socket-dir", daemon.folder]
    process = subprocess.Popen([*record, "/tmp/beside.mjpeg"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    t.background(process)
    t.pause(2)
    moment = subscriber.after(camera.unplug)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    try:
        output = process.communicate(timeout=8)[0].decode().strip()
        t.check(process.returncode == 69, f"the recording ended: exit code {process.returncode}: {output[-300:]}")
    except subprocess.TimeoutExpired:
        t.check(False, "the recording did not end within 8 s of the camera's end")
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    subscriber.expect_items(ITEMS, moment, 5)
    code, output = call(*record, "/tmp/again.mjpeg", "--frames", "5")
    t.check(code == 0, f"another recording: exit code {code} {output.strip()[-150:]}")


def run(t):
    camera = t.fakecam()
    daemon, subscriber = t.watch(camera, "A", *LIGHT)
    while_it_streams(t, camera, daemon, subscriber)
    recorded(t, camera, daemon, subscriber)
    subscriber.only(ITEMS)
    subscriber.connected()
