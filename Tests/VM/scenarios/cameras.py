# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""`datascan cameras` lists real cameras only, with what each can do and who holds it."""

import json

from vm.daemon import LIGHT
from vm.places import program
from vm.processes import call


def listed(t):
    code, output = call(program("datascan"), "cameras", "--json")
    t.need(code == 0, f"datascan cameras --json: exit code {code}{': ' + output.strip()[-300:] if code else ''}")
    return json.loads(output)


def run(t):
    t.check(listed(t) == [], "none without a camera")
    first = t.fakecam(serial="FIRST")
    second = t.fakecam(port=1, serial="SECOND", name="Other Camera", isochronous=True)
    vivid = t.vivid()
    found = {camera["device"]: camera for camera in listed(t)}
    t.check(set(found) == {first.node, second.node, vivid.node}, f"no metadata nodes: {sorted(found)}")
    one = found[first.node]
    t.check(one["name"].startswith("Scripted Camera") and one["driver"] == "uvcvideo" and "vhci" in one["bus"],
            f"{one['name']} on {one['bus']} by {one['driver']}")
    t.check(one["stablePath"] == one["byId"] == first.link and one["byPath"] == first.path_link,
            f"stable paths {one['byId']} and {one['byPath']}")
    modes = {(m["format"], m["width"], m["height"]): m["rates"] for m in one["modes"]}
    t.check(modes.get(("MJPG", 1280, 720)) == [30, 15, 10, 5] and modes.get(("YUYV", 1280, 720)) == [10, 5],
            f"modes and rates: {modes}")
    t.check(not one["busy"] and not one["holders"], "nobody holds it")
    daemon, _ = t.watch(first, "A", *LIGHT)
    one = next(camera for camera in listed(t) if camera["device"] == first.node)
    t.check(one["busy"] and daemon.pid in [h["pid"] for h in one["holders"]], f"held by {one['holders']}")
    code, output = call(program("datascan"), "cameras")
    t.check(code == 0 and first.link in output and "datascand" in output, "the same for people")
