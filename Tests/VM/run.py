#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Runs the release build in a guest machine with scripted cameras.

usage: run.py [SCENARIO ... | all]

Without arguments it runs those that do not say `LONG = True`. Kernel, root file system and saved machine are made once
and kept in $DATASCAND_VM_CACHE (.build/vm). Prints a line for each check with its measured time. The logs of a scenario
that fails are kept in `failures` in that folder.

Two machines share the scenarios where two processors have nothing else to do, else one runs them all: limits are times.
$DATASCAND_VM_MACHINES says how many there are to be.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)

from rig.cache import Cache, remove  # noqa: E402 - after the line that finds it
from rig.image import BuildError, Image  # noqa: E402
from rig.machine import MachineError  # noqa: E402

SILENCE = 90  # s without a line, after which a guest is given up
PROGRAMS = ["datascand", "datascan"]
PROBE = "camera-probe"


def scenario_names():
    return sorted(name[:-3] for name in os.listdir(os.path.join(HERE, "scenarios")) if name.endswith(".py"))


def is_long(name):
    """Whether a scenario takes minutes and is run when it is asked for only."""
    with open(os.path.join(HERE, "scenarios", f"{name}.py"), encoding="utf-8") as file:
        return "\nLONG = True\n" in file.read()


def wanted_names(words):
    if words == ["all"]:
        return scenario_names()
    return words or [name for name in scenario_names() if not is_long(name)]


def programs():
    """The programs that go into the guest: the release build, and the probe where the package has it."""
    built = os.path.join(ROOT, ".build", "release")
    if os.path.isdir(os.path.join(HERE, "Probe")):
        command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--product", PROBE]
        progress = os.path.join(ROOT, "scripts", "with-progress")
        if subprocess.run([progress, f"test-vm: {PROBE}", *command], cwd=ROOT).returncode != 0:
            sys.exit(f"test-vm: {PROBE} could not be built")
    found = [os.path.join(built, name) for name in PROGRAMS]
    for path in found:
        if not os.access(path, os.X_OK):
            sys.exit(f"test-vm: there is no {os.path.relpath(path, ROOT)}; run `make build` first")
    probe = os.path.join(built, PROBE)
    return found + ([probe] if os.path.exists(probe) else [])


def fill_share(share, image, files, names):
    """What the guest sees as /host."""
    remove(share)
    os.makedirs(os.path.join(share, "bin"))
    for path in [*files, image.fakecam]:
        name = "fakecam" if path == image.fakecam else os.path.basename(path)
        shutil.copy(path, os.path.join(share, "bin", name))
    shutil.copytree(image.pictures, os.path.join(share, "pictures"))
    for folder in ("guest", "scenarios"):
        shutil.copytree(os.path.join(HERE, folder), os.path.join(share, folder))
    with open(os.path.join(share, "names"), "w", encoding="ascii") as file:
        file.write("\n".join(names) + "\n")


class Output:
    """The guest's output as it grows. Prints it and keeps count."""

    def __init__(self, path):
        self.path, self.offset, self.rest = path, 0, b""
        self.passed = self.failed = 0
        self.failed_names = set()
        self.begun, self.ended = None, []
        self.took = {}  # seconds of each that has ended
        self.changed = time.monotonic()

    def read(self):
        try:
            with open(self.path, "rb") as file:
                file.seek(self.offset)
                data = file.read()
        except FileNotFoundError:
            return
        if not data:
            return
        self.offset += len(data)
        self.changed = time.monotonic()
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self._take(line.decode(errors="replace"))

    def _take(self, line):
        print(line, flush=True)
        if line.startswith("ok  "):
            self.passed += 1
        elif line.startswith("FAIL"):
            self.failed += 1
            self.failed_names.add(self.begun or (line.split() + ["", ""])[1])
        elif line.startswith("--- "):
            self.begun = line[4:].split(":")[0]
        elif line.startswith("=== "):
            name, rest = line[4:].split(":", 1)
            self.ended.append(name)
            self.took[name] = float(rest.split()[-2])
            self.begun = None


def run_machine(image, share, stop):
    """Runs one machine until it is off, or silent for too long, or all are to end."""
    output = Output(os.path.join(share, "out", "log"))
    machine = image.start(share)
    try:
        machine.go()
        while machine.runs() and not stop.is_set():
            time.sleep(0.05)
            output.read()
            if time.monotonic() - output.changed > SILENCE:
                print(f"test-vm: no line for {SILENCE} s", flush=True)
                break
    finally:
        machine.end()
    output.read()
    return output


def keep_logs(cache, share, name):
    target = os.path.join(cache.folder, "failures", name)
    remove(target)
    shutil.copytree(os.path.join(share, "out"), target)
    print(f"test-vm: the logs are in {os.path.relpath(target)}", flush=True)


def run_scenarios(cache, image, files, names, number, stop, times):
    """Runs scenarios in one machine, those after a failed one in a fresh one.

    The numbers of passed and failed checks, and the names of the scenarios that failed."""
    left, passed, failed, failed_names = list(names), 0, 0, set()
    while left and not stop.is_set():
        share = os.path.join(cache.folder, f"share-{number}")
        fill_share(share, image, files, left)
        output = run_machine(image, share, stop)
        times.seconds.update(output.took)
        passed, failed = passed + output.passed, failed + output.failed
        failed_names |= output.failed_names & set(names)
        done = output.ended + ([output.begun] if output.begun else [])
        last = done[-1] if done else left[0]
        if len(output.ended) < len(left) and (output.begun or not output.ended):
            print(f"FAIL {last}: the guest ended in the middle of it", flush=True)
            failed += 1
            failed_names.add(last)
        if output.failed or len(done) < len(left) or output.begun:
            keep_logs(cache, share, last)
        left = left[max(1, len(done)):]
    return passed, failed, sorted(failed_names)


class Times:
    """How long each scenario took the last time, so that they can be shared out evenly."""

    UNKNOWN = 20

    def __init__(self, cache):
        self.path = os.path.join(cache.folder, "times.json")
        try:
            with open(self.path, encoding="ascii") as file:
                self.seconds = json.load(file)
        except (OSError, ValueError):
            self.seconds = {}

    def of(self, name):
        return self.seconds.get(name, self.UNKNOWN)

    def keep(self):
        with open(self.path, "w", encoding="ascii") as file:
            json.dump(self.seconds, file)

    def shares(self, names, count):
        """The names in so many lists, the longest first, each to the list that is the shortest yet."""
        shares = [[] for _ in range(min(count, len(names)))]
        for name in sorted(names, key=self.of, reverse=True):
            min(shares, key=lambda share: sum(map(self.of, share))).append(name)
        return shares


def idle_processors(seconds=1.0):
    """How many processors had nothing to do for a moment."""
    def idle():
        with open("/proc/stat", encoding="ascii") as file:
            fields = file.readline().split()
        return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")

    before = idle()
    time.sleep(seconds)
    return (idle() - before) / seconds


def machine_count():
    """One where the host is busy."""
    said = os.environ.get("DATASCAND_VM_MACHINES")
    return int(said) if said else 2 if idle_processors() > 1.5 else 1


def run_machines(cache, image, names):
    """Runs the scenarios in several machines at once, and those that failed once more, alone.

    The emulation shares the host, whose noise was measured at 40 % and more: a limit that was missed once may be the
    host's doing, one that is missed again with the host to itself is ours. The numbers of passed and failed checks."""
    count = machine_count()
    print(f"test-vm: {count} machine{'s' if count > 1 else ''}", flush=True)
    files, stop, times = programs(), threading.Event(), Times(cache)
    with ThreadPoolExecutor(count) as pool:
        try:
            runs = [pool.submit(run_scenarios, cache, image, files, share, number, stop, times)
                    for number, share in enumerate(times.shares(names, count))]
            results = [run.result() for run in runs]
        finally:
            stop.set()
        again = sorted(name for _, _, names in results for name in names)
        passed, failed = sum(passed for passed, _, _ in results), sum(failed for _, failed, _ in results)
        if again:
            print(f"test-vm: {failed} checks failed; again, alone: {' '.join(again)}", flush=True)
            more, failed, _ = run_scenarios(cache, image, files, again, 0, threading.Event(), times)
            passed += more
    times.keep()
    return passed, failed


def main():
    names = wanted_names(" ".join(sys.argv[1:]).replace(",", " ").split())
    unknown = [name for name in names if name not in scenario_names()]
    if unknown:
        sys.exit(f"test-vm: no scenario {', '.join(unknown)}; there are {', '.join(scenario_names())}")
    cache = Cache(os.environ.get("DATASCAND_VM_CACHE") or os.path.join(ROOT, ".build", "vm"))
    with cache.locked():
        start = time.monotonic()
        remove(os.path.join(cache.folder, "failures"))
        image = Image(cache)
        ready = time.monotonic()
        print(f"test-vm: the machine is ready after {ready - start:.1f} s", flush=True)
        passed, failed = run_machines(cache, image, names)
        print(f"test-vm: {len(names)} scenarios in {time.monotonic() - ready:.1f} s", flush=True)
        print(f"{passed} passed, {failed} failed", flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except (BuildError, MachineError) as error:
        sys.exit(f"test-vm: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
