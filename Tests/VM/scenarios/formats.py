# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Every format that is claimed: luma within 2 levels of a reference.

Those that are read directly by test patterns of the driver vivid, which v4l2-ctl captures in the same format. Those that
libv4l2 converts, and some of the others, by a USB camera that has no other one; there the reference comes with the
picture.
"""

import os

from vm.places import picture, program
from vm.processes import call

WIDTH, HEIGHT = 320, 180
PIXELS = WIDTH * HEIGHT
LEVELS = 2

# Where the luma is in a frame: of a format that has it as bytes, the first of them and the step to the next.
NATIVE = {"GREY": (0, 1), "YUYV": (0, 2), "UYVY": (1, 2), "YVYU": (0, 2), "NV12": (0, 1), "NV21": (0, 1), "YU12": (0, 1),
          "YV12": (0, 1), "Y16 ": (1, 2)}
NOT_READ = ["NV16", "NV61", "RGB3", "BGR3"]  # vivid has formats that are, so libv4l2 is not asked
OVER_USB = {"UYVY": False, "NV12": False, "GREY": False, "BGR3": True, "BA81": True}  # True: by libv4l2
PATTERNS = {"75% colour bars": 0, "grey ramp": 20}


def captured(vivid, fourcc):
    vivid.format(WIDTH, HEIGHT, fourcc)
    vivid.capture("/tmp/reference")
    with open("/tmp/reference", "rb") as file:
        return file.read()


def native_reference(vivid, fourcc):
    first, step = NATIVE[fourcc]
    return captured(vivid, fourcc)[first::step][:PIXELS]


def probe(node, width, height, fourcc):
    """The luma as datascand makes it, and what the probe says."""
    if os.path.exists("/tmp/luma.pgm"):
        os.remove("/tmp/luma.pgm")
    code, output = call(program("camera-probe"), node, "--size", f"{width}x{height}", "--format", fourcc.strip(),
                        "--frames", "3", "--pgm", "/tmp/luma.pgm", limit=20)
    if code != 0:
        return b"", f"exit code {code}: {output.strip()[-200:]}"
    with open("/tmp/luma.pgm", "rb") as file:
        return file.read()[-width * height:], output.strip()


def compare(t, fourcc, made, said, reference, left_out=None):
    """Where the reference has the value `left_out` nothing is compared."""
    if len(made) != len(reference):
        t.check(False, f"{fourcc}: {len(made)} pixels: {said}")
        return
    apart = max(abs(a - b) for a, b in set(zip(made, reference)) if b != left_out)
    t.check(apart <= LEVELS, f"{fourcc}: at most {apart} levels from the reference (limit {LEVELS})")


def of_vivid(t):
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
            compare(t, fourcc, *probe(vivid.node, WIDTH, HEIGHT, fourcc), reference)
    t.step = "not read"
    for fourcc in NOT_READ:
        said = probe(vivid.node, WIDTH, HEIGHT, fourcc)[1]
        t.check(" GREY " in said and "libv4l2" not in said, f"{fourcc}: {said}")
    daemon = t.daemon(vivid.node, "--format", "NV16", "--size", f"{WIDTH}x{HEIGHT}")
    daemon.wait_for_status(lambda s: s["framesDelivered"] > 0, 5)
    said = [line for line in daemon.log().splitlines() if "NV16" in line]
    t.check(len(said) == 1 and "GREY" in said[0], f"the log says once what is taken: {said}")
    daemon.end()
    vivid.end()


def over_usb(t, fourcc, is_converted):
    t.step = "USB"
    camera = t.fakecam(raw=fourcc)
    made, said = probe(camera.node, 640, 480, fourcc)
    with open(picture("A", f"{fourcc.lower()}.luma"), "rb") as file:
        compare(t, fourcc, made, said, file.read(), left_out=0)
    daemon, _ = t.watch(camera, "A", "--size", "640x480", "--rate", 10, name=fourcc)
    capture = daemon.capture()
    t.check(capture.get("isConverted", False) == is_converted, f"{fourcc}: {'' if is_converted else 'not '}made by "
            f"libv4l2: the mode is {capture['mode']}")
    daemon.end()
    camera.end()


def run(t):
    of_vivid(t)
    for fourcc, is_converted in OVER_USB.items():
        over_usb(t, fourcc, is_converted)
