# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Checks, each of which prints a line."""

import time


class Failed(Exception):
    """A check failed, and what would come after it makes no sense."""


class Checks:
    """Counts and prints checks. `step` goes before the name of each, such as the number of a round."""

    def __init__(self, scenario):
        self.scenario, self.step = scenario, ""
        self.passed = self.failed = 0

    def check(self, holds, what):
        """One check that does not end the scenario."""
        if holds:
            self.passed += 1
        else:
            self.failed += 1
        print(f"{'ok  ' if holds else 'FAIL'} {self.scenario}{' ' if self.step else ''}{self.step}: {what}", flush=True)
        return holds

    def need(self, holds, what):
        """One check that ends the scenario where it fails."""
        if not self.check(holds, what):
            raise Failed

    def took(self, seconds, limit, what):
        """What happened, and whether it did in time."""
        return self.check(seconds <= limit, f"{what} after {seconds:.2f} s (limit {limit:g})")

    def note(self, text):
        print(f"     {self.scenario}: {text}", flush=True)


def wait_for(condition, limit, interval=0.01):
    """Seconds until `condition()` holds, None if it does not within the limit."""
    start = time.monotonic()
    while True:
        if condition():
            return time.monotonic() - start
        if time.monotonic() - start > limit:
            return None
        time.sleep(interval)
