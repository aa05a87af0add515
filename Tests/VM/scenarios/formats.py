# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Every format that is claimed, by test patterns of the driver vivid: luma within 2 levels of a reference.

The reference is made by other programs: v4l2-ctl captures the pattern in the same format, or for a format that libv4l2
converts as RGB, and the luma is taken out of it here.
"""

import os

from vm.places import program
from vm.processes import call

WIDTH, HEIGHT = 320, 180
PIXELS = WIDTH * HEIGHT
LEVELS = 2

# Where the luma is in a frame: of a format that has it as bytes, the first of them and the step to the next.
NATIVE = {"GREY": (0, 1), "YUYV": (0, 2), "UYVY": (1, 2), "YVYU": (0, 2), "NV12": (0, 1), "NV21": (0, 1), "YU12": (0, 1),
          "YV12": (0, 1), "Y16 ": (1, 2)}
CONVERTED = ["NV16", "NV61", "RGB3", "BGR3"]
PATTERNS = {"75% colour bars": 0, "grey ramp": 20}


def captured(vivid, fourcc):
    vivid.format(WIDTH, HEIGHT, fourcc)
    vivid.capture("/tmp/reference")
    with open("/tmp/reference", "rb") as file:
        return file.read()


def native_reference(vivid, fourcc):
    first, step = NATIVE[fourcc]
    return captured(vivid, fourcc)[first::step][:PIXELS]


def luma(red, green, blue, limited):
    """ITU-R BT.601: in 16 to 235, as libv4l2 makes it, or in 0 to 255."""
    full = 0.299 * red + 0.587 * green + 0.114 * blue
    return round(16 + full * 219 / 255) if limited else round(full)


def converted_references(vivid):
    """Both ranges: libv4l2 may be asked for YUV or for RGB."""
    frame = captured(vivid, "RGB3")
    cache = {}
    for limited in (True, False):
        made = bytearray(PIXELS)
        for i in range(PIXELS):
            pixel = frame[3 * i:3 * i + 3]
            if (pixel, limited) not in cache:
                cache[pixel, limited] = luma(*pixel, limited)
            made[i] = cache[pixel, limited]
        yield bytes(made)


def probe(vivid, fourcc):
    """The luma as datascand makes it, and what went wrong."""
    if os.path.exists("/tmp/luma.pgm"):
        os.remove("/tmp/luma.pgm")
    code, output = call(program("camera-probe"), vivid.node, "--size", f"{WIDTH}x{HEIGHT}", "--format", fourcc.strip(),
                        "--frames", "3", "--pgm", "/tmp/luma.pgm", limit=20)
    if code != 0:
        return b"", f"exit code {code}: {output.strip()[-200:]}"
    with open("/tmp/luma.pgm", "rb") as file:
        data = file.read()
    return data[-PIXELS:], f"a picture of {len(data)} bytes"


def worst(one, other):
    return 0 if one == other else max(abs(a - b) for a, b in zip(one, other))


def compare(t, vivid, fourcc, references):
    made, said = probe(vivid, fourcc)
    if len(made) != PIXELS:
        t.check(False, f"{fourcc}: {said}")
        return
    apart = min(worst(made, reference) for reference in references)
    t.check(apart <= LEVELS, f"{fourcc}: at most {apart} levels from the reference (limit {LEVELS})")


def run(t):
    vivid = t.vivid()
    vivid.set(osd_text_mode=2)
    vivid.rate(30)
    for pattern, number in PATTERNS.items():
        t.step = pattern
        vivid.set(test_pattern=number)
        for fourcc in NATIVE:
            reference = native_reference(vivid, fourcc)
            if max(reference) - min(reference) < 100:
                t.check(False, f"{fourcc}: the reference has levels {min(reference)} to {max(reference)} only")
            compare(t, vivid, fourcc, [reference])
        references = list(converted_references(vivid))
        for fourcc in CONVERTED:
            compare(t, vivid, fourcc, references)
