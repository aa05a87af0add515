# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The labels of the sample clip: what is printed on them, where they hang, and how they are drawn.

Lengths are in the units of make-shelf.py: one unit is about one pixel of the clip.
"""

import math
import os
import subprocess
import tempfile

import numpy as np
from PIL import Image, ImageDraw, ImageFont

INK, PAPER = (56, 56, 58), (208, 208, 205)
BAR_HEIGHT = 38  # units
FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSans%s.ttf"
ZINT_NAMES = {"EAN13": "EANX", "EAN8": "EANX", "UPCA": "UPCA", "Code128": "CODE128", "Code39": "CODE39",
              "ITF14": "C25INTER"}  # zint's own ITF14 draws bearer bars, which no carton printer needs

# id, symbology, payload, lines of text, centre x, y, depth z, yaw, pitch, roll in degrees, module in units.
# The EAN-13s of one row have halves whose check sums differ: a scan line through two of them may join the left half of
# one with the right half of the other, and ZBar reads that as a code where the check digit happens to fit.
LABELS = [
    ("tea", "EAN13", "4006381333931", ["GREEN TEA"], -470, -232, -14, 5, -3, -1.9, 2.36),
    ("aa-left", "EAN13", "8801039015988", ["AA CELL"], -163, -236, -20, -4, 2, 1.2, 2.36),
    ("aa-right", "EAN13", "8801039015988", ["AA CELL"], 141, -229, -8, 4, -2, -1.4, 2.36),
    ("bolts", "QRCode", "Größe 42 · 창고", ["HEX BOLT", "QTY 480"], 447, -233, -18, -6, 3, 2.4, 4.3),
    ("carton", "ITF14", "10012345000017", ["TAPE 48MM"], -415, 2, -16, 3, 3, 1.6, 2.34),
    ("place", None, None, ["C-07-02"], -44, 0, -6, -3, -2, -0.8, 0),
    ("filter", "QRCode", "https://wh.example/i/A88994", ["LOT A88994", "EXP 2027-03-14"],
     355, 3, -22, 4, -3, -2.2, 4.3),
    ("bearing", "Code39", "B2-417", ["BEARING"], -462, 236, -20, -5, -2, 1.9, 2.36),
    ("noodle", "UPCA", "036000291452", ["RICE 1KG"], -150, 240, -12, 4, 3, -1.7, 2.38),
    ("oil", "EAN8", "96385074", ["OIL 46"], 127, 238, -24, -3, 2, 2.3, 2.5),
    ("pallet", "Code128", "WR-5417", ["WRAP", "WR-5417"], 433, 235, -10, 5, -3, -1.2, 2.4),
]


# MARK: - Codes


def linear_modules(symbology, payload):
    """The bars of a linear code, one value a module, true for ink."""
    digits = payload[:-1] if symbology in ("EAN13", "EAN8", "UPCA") else payload
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "code.png")
        command = ["zint", "-b", ZINT_NAMES[symbology], "--notext", "--scale=1", "-w", "0", "-d", digits, "-o", path]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with Image.open(path) as picture:
            ink = np.asarray(picture.convert("L")) < 128
    row = ink[ink.shape[0] // 2]
    columns = np.flatnonzero(row)
    return row[columns[0]:columns[-1] + 1:2]  # zint draws two px a module at scale 1


def qr_modules(payload):
    """The modules of a QR code in byte mode, without the quiet zone."""
    command = ["qrencode", "-t", "ASCII", "-m", "0", "-l", "M", "-8", payload]
    rows = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return np.array([[row[i] == "#" for i in range(0, len(row), 2)] for row in rows if row])


# MARK: - Labels


def font(size, bold=True):
    return ImageFont.truetype(FONTS % ("-Bold" if bold else ""), size)


def draw_text(draw, x, y, text, capitals, bold=True):
    """Draws a line whose capitals are that high, its top at `y`; gives its right edge."""
    face = font(int(round(capitals / 0.729)), bold)  # DejaVu's capitals are 0.729 of its size
    left, top, _, _ = face.getbbox("H")
    draw.text((x - left, y - top), text, font=face, fill=INK)
    return x + face.getlength(text)


class Label:
    """A printed label: its texture and where it hangs."""

    def __init__(self, row):
        (self.id, self.symbology, self.payload, self.text, x, y, z, yaw, pitch, roll, self.module) = row
        self.centre = np.array([x, y, z], float)
        self.turn = rotation(math.radians(yaw), math.radians(pitch), math.radians(roll))
        self.code = None  # left, top, right, bottom in texture px
        self.twin_of = None
        # A module is a whole number of texture px, so each label has its own scale: texture px a unit.
        px = {None: 0, "QRCode": 10}.get(self.symbology, 6)
        self.scale = px / self.module if px else 2.5
        if self.symbology is None:
            self.texture = self.draw_place()
        elif self.symbology == "QRCode":
            self.texture = self.draw_qr(qr_modules(self.payload), px)
        else:
            self.texture = self.draw_linear(linear_modules(self.symbology, self.payload), px)

    @property
    def kind(self):
        return {None: "text", "QRCode": "qr"}.get(self.symbology, (self.symbology or "").lower())

    def sheet(self, width, height):
        texture = Image.new("RGB", (int(width), int(height)), PAPER)
        return texture, ImageDraw.Draw(texture)

    def draw_linear(self, bars, px):
        unit, quiet, bar_height = self.scale, 11 * px, int(BAR_HEIGHT * self.scale)
        width = len(bars) * px + 2 * quiet
        below = len(self.text) > 1
        height = (14 + 22 + 14) * unit + bar_height + ((12 + 22 + 12) * unit if below else 14 * unit)
        texture, draw = self.sheet(width, height)
        top = int(50 * unit)
        draw_text(draw, quiet, 14 * unit, self.text[0], 22 * unit)
        for i in np.flatnonzero(bars):
            draw.rectangle((quiet + i * px, top, quiet + (i + 1) * px - 1, top + bar_height - 1), fill=INK)
        if below:
            draw_text(draw, quiet, top + bar_height + 13 * unit, self.text[1], 22 * unit, bold=False)
        self.code = (quiet, top, quiet + len(bars) * px, top + bar_height)
        return texture

    def draw_qr(self, cells, px):
        unit, quiet, side = self.scale, 5 * px, len(cells) * px
        texture, draw = self.sheet(1, 1)
        lines = [(text, 22, len(text) < 9) for text in self.text]  # bold 8s run together, and a lot has many
        right = max(draw_text(draw, 0, 0, text, capitals * unit, bold) for text, capitals, bold in lines)
        texture, draw = self.sheet(side + 2 * quiet + right + 10 * unit, side + 2 * quiet)
        for y, x in zip(*(quiet + px * i for i in np.nonzero(cells))):
            draw.rectangle((x, y, x + px - 1, y + px - 1), fill=INK)
        for i, (text, capitals, bold) in enumerate(lines):
            draw_text(draw, side + 2 * quiet, (34 + 48 * i) * unit, text, capitals * unit, bold)
        self.code = (quiet, quiet, quiet + side, quiet + side)
        return texture

    def draw_place(self):
        unit, width, height = self.scale, 272, 92
        texture, draw = self.sheet(width * unit, height * unit)
        draw.rectangle((0, 0, 14 * unit, height * unit), fill=(236, 178, 40))
        draw_text(draw, 30 * unit, 27 * unit, self.text[0], 38 * unit)
        return texture

    def corners(self, box=None, offset=0.0):
        """The corners of a box of texture px on the shelf, `offset` units below the label's place."""
        width, height = self.texture.size
        left, top, right, bottom = box or (0, 0, width, height)
        flat = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)
        flat = (flat - [width / 2, height / 2]) / self.scale
        return np.c_[flat, np.zeros(4)] @ self.turn.T + self.centre + [0, offset, 0]


def rotation(yaw, pitch, roll):
    cy, sy, cp, sp, cr, sr = (f(a) for a in (yaw, pitch, roll) for f in (math.cos, math.sin))
    return (np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]]) @ np.array([[1, 0, 0], [0, cp, -sp], [0, sp, cp]])
            @ np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]]))
