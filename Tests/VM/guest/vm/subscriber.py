# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""A subscriber: `datascan watch` as anyone would run it, with the time at which each of its lines came."""

import json
import subprocess
import threading
import time

from .places import program
from .processes import end


class Event:
    def __init__(self, message, at):
        self.method, self.params, self.at = message.get("method"), message.get("params", {}), at

    def payloads(self):
        return [item["payload"]["string"] for item in self.params.get("items", []) if "payload" in item]


class Moment:
    """A point in the stream of events, and in time: what comes after it is looked at, and times count from it."""

    def __init__(self, index, at):
        self.index, self.at = index, at


class Subscriber:
    def __init__(self, checks, folder, record):
        self.checks = checks
        self.events, self.changed = [], threading.Condition()
        self.process = subprocess.Popen(
            [program("datascan"), "watch", "--socket-dir", str(folder), "--wait", "30", "--json"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=open(f"{record}.errors", "wb"))
        self.record = open(record, "w", encoding="utf-8")
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            at = time.monotonic()
            text = line.decode(errors="replace")
            self.record.write(f"{at:.3f} {text}")
            self.record.flush()
            with self.changed:
                self.events.append(Event(json.loads(text), at))
                self.changed.notify_all()

    def mark(self, at=None):
        """Now, or an earlier or later time; events that are here already are before it."""
        with self.changed:
            return Moment(len(self.events), time.monotonic() if at is None else at)

    def after(self, act):
        """The moment of an act that tells when it was: its events come after it, also those that were quicker than its
        answer."""
        moment = self.mark()
        moment.at = act()
        return moment

    def since(self, moment):
        with self.changed:
            return self.events[moment.index:]

    def wait(self, moment, holds, limit):
        """The first event after the moment for which `holds`, None if there is none `limit` seconds after it."""
        with self.changed:
            index = moment.index
            while True:
                for event in self.events[index:]:
                    if holds(event):
                        return event
                index = len(self.events)
                left = moment.at + limit - time.monotonic()
                if left <= 0:
                    return None
                self.changed.wait(left)

    # What a scenario tells.

    def expect(self, method, moment, limit, code=None, patience=None):
        """An event must come within the limit. It is waited for longer, to tell how late it was."""
        name = f"{method} {code}" if code else method
        found = self.wait(moment, lambda e: e.method == method and code in (None, e.params.get("code")),
                          patience or 3 * limit)
        if found is None:
            others = [f"{e.method} {e.params.get('code', '')}".strip() for e in self.since(moment)]
            self.checks.need(False, f"{name} did not come within {patience or 3 * limit:g} s; came: {others}")
        self.checks.took(found.at - moment.at, limit, name)
        return found

    def expect_items(self, payloads, moment, limit, method="didAdd", reason=None, patience=None):
        """Each payload must be added (or removed, for that reason) within the limit."""
        missing, last = set(payloads), moment.at
        verb = "announced" if method == "didAdd" else f"removed{f' ({reason})' if reason else ''}"

        def all_seen(event):
            nonlocal last
            if event.method == method:
                for item in event.params.get("items", []):
                    fits = reason is None or item.get("reason") == reason
                    if fits and item.get("payload", {}).get("string") in missing:
                        missing.discard(item["payload"]["string"])
                        last = event.at
            return not missing

        if self.wait(moment, all_seen, patience or 3 * limit) is None:
            self.checks.need(False, f"not {verb} within {patience or 3 * limit:g} s: {sorted(missing)}")
        self.checks.took(last - moment.at, limit, f"{len(payloads)} codes {verb}")

    def none(self, method, moment, what=None):
        """No such event may have come since."""
        found = [e for e in self.since(moment) if e.method == method]
        detail = "; ".join(str(e.params.get("code") or e.payloads()) for e in found)
        return self.checks.check(not found, f"{what or f'no {method}'}{f', but {detail}' if found else ''}")

    def only(self, payloads, what="no wrong item"):
        """Nothing but these payloads may ever have been announced."""
        wrong = {p for e in self.events for p in e.payloads()} - set(payloads)
        return self.checks.check(not wrong, what + (f", but {sorted(wrong)}" if wrong else ""))

    def connected(self):
        """It was never disconnected: it runs, and was greeted once."""
        hellos = sum(e.method == "hello" for e in self.events)
        return self.checks.check(self.process.poll() is None and hellos == 1,
                                 f"the subscriber stayed connected ({len(self.events)} events, {hellos} hello)")

    def in_view(self):
        """The payloads of the items that are there now."""
        items = {}
        for event in list(self.events):
            for item in event.params.get("items", []):
                if event.method in ("didAdd", "snapshot", "didUpdate"):
                    items[item["id"]] = item.get("payload", {}).get("string")
                elif event.method == "didRemove":
                    items.pop(item["id"], None)
        return set(items.values())

    def end(self):
        end(self.process)
