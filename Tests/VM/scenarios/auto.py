# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""`auto`: another camera is taken when the first one has been away for a minute, and when it never works."""

from vm.daemon import LIGHT
from vm.places import payloads

B = payloads("B")
LONG = True


def replaced(t, first, second):
    t.step = "away"
    daemon, subscriber = t.watch("auto", "A", *LIGHT, name="away")
    moment = subscriber.after(first.unplug)
    subscriber.expect("becameUnavailable", moment, 2, "cameraLost")
    subscriber.expect("becameAvailable", moment, 66, patience=75)
    subscriber.expect_items(B, moment, 68, patience=75)
    moment = subscriber.mark()
    first.plug()
    t.pause(3)
    subscriber.none("becameUnavailable", moment, "and keeps it")
    daemon.end()


def never_worked(t, first, second):
    """It is plugged in, and no mode of it can be negotiated."""
    t.step = "broken"
    first.unplug()
    second.unplug()
    first.wait_until_gone()
    second.wait_until_gone()
    first.tell("stall", 100000)
    first.plug()
    second.plug()
    daemon = t.daemon("auto", *LIGHT, name="broken")
    subscriber = t.subscriber(daemon)
    found = subscriber.wait(subscriber.mark(), lambda e: e.method == "didAdd", 75)
    why = daemon.status().get("sourceUnavailable", {}).get("message")
    t.check(found is not None, f"the second one is taken within 75 s{'' if found else f'; unavailable: {why}'}")


def run(t):
    first, second = t.fakecam("A", serial="FIRST"), t.fakecam("B", port=1, serial="SECOND")
    replaced(t, first, second)
    never_worked(t, first, second)
