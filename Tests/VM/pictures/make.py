#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Makes the pictures that the cameras of the scenarios show, with zint, qrencode and ImageMagick.

usage: make.py FOLDER

A and B in both sizes, as JPEG and as raw YUYV, each with a QR code, an EAN-13 and a Code 128; `payloads.json` says which.
A in 640x480 in other raw formats, too, with the luma that is to be made of each as `A-640.FORMAT.luma`; where that is 0
nothing is to be compared, as with interpolated pixels at edges. Black ones, and JPEGs that no camera should send: `bare`
(no Huffman tables, as most webcams do send it), `huge` (its header claims 65500 x 65500), `other` (another size than
negotiated), `progressive`.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

SIZES = [(640, 480), (1280, 720)]
PAYLOADS = {
    "A": {"QR": "https://wh.example/i/A88994", "EAN13": "4006381333931", "Code128": "WR-5417"},
    "B": {"QR": "https://wh.example/i/B10477", "EAN13": "8801039015988", "Code128": "LOT-2093"},
}
PAPER = "gray(92%)"
COLOURS = [(red, green, blue) for red in (0, 255) for green in (0, 255) for blue in (0, 255)]
# Where the codes lie, in tenths of the picture from its top-left, and their scale at a width of 640: pixels a module.
PLACES = {"QR": (0.7, 1, 5), "EAN13": (5, 1.2, 2), "Code128": (4.4, 6, 2)}


def run(*command, data=None):
    return subprocess.run(command, input=data, check=True, stdout=subprocess.PIPE).stdout


def draw_code(symbology, payload, module, path):
    if symbology == "QR":
        run("qrencode", "-o", path, "-s", str(module), "-m", "4", "-l", "M", payload)
        return
    kind, data = ("EANX", payload[:12]) if symbology == "EAN13" else ("CODE128", payload)
    # zint draws a module 2 pixels wide at the scale 1.
    run("zint", "-b", kind, "-d", data, "--scale", str(module / 2), "--height", "40", "--quietzones", "--notext",
        "-o", path)


def draw(name, size, folder):
    """A picture as luma, a row after the other."""
    width, height = size
    command = ["convert", "-size", f"{width}x{height}", f"xc:{PAPER}"]
    for symbology, payload in PAYLOADS.get(name, {}).items():
        left, top, module = PLACES[symbology]
        path = os.path.join(folder, f"{symbology}.png")
        draw_code(symbology, payload, module * width // 640, path)
        command += ["(", path, "-colorspace", "gray", ")", "-geometry",
                    f"+{int(left * width / 10)}+{int(top * height / 10)}", "-composite"]
    return run(*command, "-blur", "0x0.6", "-colorspace", "gray", "-depth", "8", "gray:-")


def jpeg(luma, size, *options):
    """4:2:2 and baseline, like a webcam's."""
    return run("convert", "-size", f"{size[0]}x{size[1]}", "-depth", "8", "gray:-", "-type", "TrueColor",
               "-sampling-factor", "2x1", "-define", "jpeg:optimize-coding=off", "-quality", "88", *options, "jpeg:-",
               data=luma)


def yuyv(luma):
    raw = bytearray(b"\x80" * (2 * len(luma)))
    raw[0::2] = luma
    return bytes(raw)


def in_colour(luma, width):
    """Red, green and blue of a picture on yellowish paper, with bars of colour at its left edge, where no code is."""
    tables = [bytes(value * tint // 255 for value in range(256)) for tint in (255, 240, 190)]
    channels = [bytearray(luma.translate(table)) for table in tables]
    for number, colour in enumerate(COLOURS):
        for row in range(360 + 12 * number, 372 + 12 * number):
            for channel, value in zip(channels, colour):
                channel[row * width:row * width + 80] = bytes([value]) * 80
    return channels


def luma_of(red, green, blue):
    """ITU-R BT.601, in 16 to 235."""
    known = {}
    return bytes(known.get(pixel) or known.setdefault(pixel, round(16 + (
        0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]) * 219 / 255)) for pixel in zip(red, green, blue))


def bayer(red, green, blue, width):
    """Blue and green in the even rows, green and red in the odd ones."""
    raw = bytearray(green)
    for row in range(0, len(raw), 2 * width):
        raw[row:row + width:2] = blue[row:row + width:2]
        raw[row + width + 1:row + 2 * width:2] = red[row + width + 1:row + 2 * width:2]
    return bytes(raw)


def flat_only(luma, width):
    """Only pixels that are like all those at most 2 away, else 0: what is interpolated differs at edges."""
    near = [i + j * width for i in range(-2, 3) for j in range(-2, 3)]
    inside = range(2 * width + 2, len(luma) - 2 * width - 2)
    flat = bytearray(len(luma))
    for at in inside:
        value = luma[at]
        if 2 <= at % width < width - 2 and all(luma[at + offset] == value for offset in near):
            flat[at] = value
    return bytes(flat)


def raw_formats(luma, width):
    """(name, bytes, the luma that is to come of it)."""
    luma = luma.translate(bytes(max(16, value) for value in range(256)))
    pairs, chroma = bytearray(b"\x5a\x00\xa6\x00" * (len(luma) // 2)), b"\x5a\xa6" * (len(luma) // 4)
    pairs[1::2] = luma
    yield "uyvy", bytes(pairs), luma
    yield "nv12", luma + chroma, luma
    yield "grey", luma, luma
    red, green, blue = in_colour(luma, width)
    triples = bytearray(3 * len(luma))
    triples[0::3], triples[1::3], triples[2::3] = blue, green, red
    wanted = luma_of(red, green, blue)
    yield "bgr3", bytes(triples), wanted
    yield "ba81", bayer(red, green, blue, width), flat_only(wanted, width)


def segments(data):
    """(marker, start, end) of each segment up to the coded picture."""
    at = 2
    while data[at + 1] != 0xDA:
        end = at + 2 + struct.unpack_from(">H", data, at + 2)[0]
        yield data[at + 1], at, end
        at = end


def without_tables(data):
    kept = data
    for marker, start, end in reversed(list(segments(data))):
        if marker == 0xC4:
            kept = kept[:start] + kept[end:]
    return kept


def claiming(data, width, height):
    start = next(start for marker, start, _ in segments(data) if 0xC0 <= marker <= 0xC2)
    return data[:start + 5] + struct.pack(">HH", height, width) + data[start + 9:]


def main(folder):
    os.makedirs(folder)
    with tempfile.TemporaryDirectory() as work:
        lumas = {(name, size): draw(name, size, work) for name in PAYLOADS for size in SIZES}
    for size in SIZES:
        lumas["black", size] = b"\x10" * (size[0] * size[1])
    files = {}
    for (name, size), luma in lumas.items():
        files[f"{name}-{size[0]}.jpg"] = jpeg(luma, size)
        files[f"{name}-{size[0]}.yuyv"] = yuyv(luma)
    for name, raw, wanted in raw_formats(lumas["A", SIZES[0]], SIZES[0][0]):
        files[f"A-640.{name}"], files[f"A-640.{name}.luma"] = raw, wanted
    small = files["B-640.jpg"]
    files["bare-640.jpg"] = without_tables(small)
    files["huge-640.jpg"] = claiming(small, 65500, 65500)
    files["other-640.jpg"] = files["B-1280.jpg"]
    files["progressive-640.jpg"] = jpeg(lumas["B", SIZES[0]], SIZES[0], "-interlace", "JPEG")
    files["payloads.json"] = json.dumps(PAYLOADS).encode()
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


if __name__ == "__main__":
    main(sys.argv[1])
