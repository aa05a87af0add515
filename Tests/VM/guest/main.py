# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Runs the scenarios that the host names, one after the other, up to the first that fails.

A machine in which a scenario failed may be left in any state; the host runs the rest in a fresh one.
"""

import faulthandler
import importlib.util
import pathlib
import shutil
import sys
import time
import traceback

from vm.checks import Failed
from vm.places import HOST, LOCAL, WORK
from vm.scenario import Scenario


def load(name):
    path = HOST / "scenarios" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(name):
    """Whether all checks of a scenario passed."""
    module, scenario, start = load(name), Scenario(name), time.monotonic()
    print(f"--- {name}: {module.__doc__.strip().splitlines()[0]}", flush=True)
    # Says where it stands, should it take longer than the host waits.
    faulthandler.dump_traceback_later(75, exit=False, file=sys.stdout)
    try:
        module.run(scenario)
    except Failed as failure:
        if failure.args:
            scenario.check(False, str(failure))
    except Exception:
        scenario.check(False, "the scenario itself broke: " + traceback.format_exc())
    if scenario.failed:
        scenario.keep_logs()  # while everything is still there to be looked at
    scenario.close()
    faulthandler.cancel_dump_traceback_later()
    if not scenario.passed + scenario.failed:
        scenario.check(False, "nothing was checked")
    print(f"=== {name}: {scenario.passed} passed, {scenario.failed} failed, {time.monotonic() - start:.1f} s", flush=True)
    return not scenario.failed


def main():
    for folder in ("bin", "pictures"):
        shutil.copytree(HOST / folder, LOCAL / folder)
    WORK.mkdir(parents=True)
    names = (HOST / "names").read_text(encoding="utf-8").split()
    for name in names:
        if not run(name):
            return 1
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    sys.exit(main())
