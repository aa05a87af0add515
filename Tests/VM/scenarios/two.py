# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Two cameras by two daemons at once: each sees its own, and one that is pulled out does not disturb the other."""

from vm.daemon import LIGHT
from vm.places import payloads


def run(t):
    left = t.fakecam("A", port=0, serial="LEFT")
    right = t.fakecam("B", port=1, serial="RIGHT", isochronous=True)
    left_daemon, left_events = t.watch(left, "A", *LIGHT, name="left")
    right_daemon, right_events = t.watch(right, "B", *LIGHT, name="right")
    t.step = "left unplugged"
    moment, other = left_events.mark(), right_events.mark()
    before = right_daemon.capture()["framesTaken"]
    left.unplug()
    left_events.expect("becameUnavailable", moment, 2, "cameraLost")
    left.wait_until_gone()
    moment.at = left.plug()
    left_events.expect_items(payloads("A"), moment, 5)
    for method in ("becameUnavailable", "didRemove"):
        right_events.none(method, other, f"right: no {method}")
    after = right_daemon.capture()["framesTaken"]
    t.check(after > before, f"right: frames {before} -> {after}")
    t.step = "all"
    left_events.only(payloads("A"))
    right_events.only(payloads("B"))
