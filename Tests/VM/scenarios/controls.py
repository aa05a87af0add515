# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Controls by name: read, set, refused, and applied again after a replug."""

import json

from vm.daemon import LIGHT
from vm.places import payloads, program
from vm.processes import call

SET = {"auto_exposure": 1, "exposure_time_absolute": 120, "focus_automatic_continuous": 0, "focus_absolute": 40,
       "power_line_frequency": 1, "zoom_absolute": 150, "brightness": -7}


def controls(camera, *words):
    return call(program("datascan"), "controls", "--source", camera.link, *words)


def by_command(t, camera):
    t.step = "command"
    code, output = controls(camera, "--json")
    t.need(code == 0, f"datascan controls --json: exit code {code}{': ' + output[-300:].strip() if code else ''}")
    listed = {control["name"]: control for control in json.loads(output)}
    t.check(set(SET) <= set(listed), f"lists {len(listed)} controls")
    exposure = listed.get("exposure_time_absolute", {})
    t.check([exposure.get(key) for key in ("minimum", "maximum", "default")] == [3, 2047, 250],
            f"with ranges: {exposure.get('minimum')} to {exposure.get('maximum')}, default {exposure.get('default')}")
    menu = [entry["name"] for entry in listed.get("auto_exposure", {}).get("menu", [])]
    t.check(menu == ["Manual Mode", "Aperture Priority Mode"], f"with menus: {menu}")
    code, output = controls(camera, "brightness=12")
    t.check(code == 0 and camera.tell("get", "brightness") == "12", f"sets one: {output.strip()}")
    code, output = controls(camera, "sharpnes=12")
    t.check(code != 0 and "sharpness" in output and "zoom_absolute" in output,
            f"an unknown one lists the known: exit code {code}: {output.strip()[-200:]}")
    code, output = controls(camera, "brightness=1000")
    t.check(code != 0 and "64" in output, f"out of range: exit code {code}: {output.strip()[-200:]}")


def in_camera(camera):
    return {name: int(camera.tell("get", name)) for name in SET}


def by_daemon(t, camera):
    """Whatever the order: the exposure time can only be set after the automatic one is off."""
    t.step = "daemon"
    words = [word for name in reversed(SET) for word in ("--control", f"{name}={SET[name]}")]
    daemon, subscriber = t.watch(camera, "A", *LIGHT, *words)
    t.check(in_camera(camera) == SET, f"the camera has {in_camera(camera)}")
    t.step = "replug"
    camera.unplug()
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    subscriber.expect_items(payloads("A"), moment, 5)
    t.check(in_camera(camera) == SET, f"the camera has {in_camera(camera)}")
    t.step = "deaf"
    camera.tell("deaf", "on")
    camera.unplug()
    camera.wait_until_gone()
    moment = subscriber.after(camera.plug)
    subscriber.expect_items(payloads("A"), moment, 5)
    t.check(daemon.runs(), "a camera that takes no control is scanned all the same")


def run(t):
    camera = t.fakecam()
    by_command(t, camera)
    by_daemon(t, camera)
