# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Every format that is claimed, by a test pattern of the driver vivid: luma within 2 levels of the reference."""

import os

from vm.places import program
from vm.processes import call

WIDTH, HEIGHT = 640, 360
NATIVE = ["GREY", "YUYV", "UYVY", "YVYU", "NV12", "NV21", "YU12", "YV12", "Y16 "]
CONVERTED = ["RGB3", "NV16", "NV61", "BGR3"]
PATTERNS = {"75% colour bars": 0, "grey ramp": 19}
LEVELS = 2


def reference(vivid):
    """The luma of the pattern, from YUYV, by another program."""
    vivid.format(WIDTH, HEIGHT, "YUYV")
    vivid.capture("/tmp/reference")
    with open("/tmp/reference", "rb") as file:
        return file.read()[0:2 * WIDTH * HEIGHT:2]


def probe(vivid, fourcc):
    """The luma as datascand makes it, or what went wrong."""
    if os.path.exists("/tmp/luma.pgm"):
        os.remove("/tmp/luma.pgm")
    code, output = call(program("camera-probe"), vivid.node, "--size", f"{WIDTH}x{HEIGHT}", "--format", fourcc,
                        "--frames", "3", "--pgm", "/tmp/luma.pgm", limit=20)
    if code != 0:
        return None, f"exit code {code}: {output.strip()}"
    with open("/tmp/luma.pgm", "rb") as file:
        data = file.read()
    return data[-WIDTH * HEIGHT:], data[:20].split(b"255")[0].decode(errors="replace")


def run(t):
    vivid = t.vivid()
    vivid.set(osd_text_mode=2)
    vivid.rate(30)
    for pattern, number in PATTERNS.items():
        vivid.set(test_pattern=number)
        wanted = reference(vivid)
        t.check(max(wanted) - min(wanted) > 100, f"{pattern}: the reference has levels {min(wanted)} to {max(wanted)}")
        for fourcc in NATIVE + CONVERTED:
            luma, said = probe(vivid, fourcc)
            if luma is None or len(luma) != len(wanted):
                t.check(False, f"{pattern}: {fourcc}: {said}")
                continue
            worst = max(abs(a - b) for a, b in zip(luma, wanted))
            t.check(worst <= LEVELS, f"{pattern}: {fourcc}: at most {worst} levels from the reference (limit {LEVELS})")
