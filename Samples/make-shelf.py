#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""Draws the sample clip: a warehouse shelf before a slowly drifting camera, with the truth for every frame.

Writes shelf.mjpeg, shelf.truth.jsonl and shelf.scene.json. Needs Debian's python3-numpy, python3-pil, zint,
qrencode and fonts-dejavu-core. The same seed gives the same shelf; the JPEG bytes may differ with another release of
Pillow.

The shelf is measured in units: one unit is one pixel for a label in the shelf's plane while the camera is at rest. The
origin is the middle of the picture, x goes right, y down, z away from the camera.
"""

import argparse
import json
import math
import os

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from shelf_labels import LABELS, Label
from shelf_scenery import (
    HEIGHT, RATE, SHUTTER, WIDTH, background, encode, lightmap, plane, pose, project, speed, warp)

# A gloved hand: what it does, the label, and the moment (s) in which it is at the label.
HANDS = [
    ("place", "oil", 0.90),
    ("take", "bearing", 1.55),
    ("take", "noodle", 2.40),
    ("place", "bearing", 3.10),
    ("pass", "pallet", 3.85),
]
REACH = 0.30  # s from below the picture to the label, and the same back
PASS_REACH = 0.24  # s: covers the code for less than 0.4 s
BELOW = 330  # units that a hand comes up


# MARK: - Hands


def hand_offset(action, t):
    """How far below its label a hand is, in units, and `None` while it is out of the picture."""
    kind, _, at = action
    reach = PASS_REACH if kind == "pass" else REACH
    u = abs(t - at) / reach
    return None if u >= 1 else BELOW * u ** 1.6


def carried(label, t):
    """The label's way: `None` while it is not on the shelf, else its offset in units while a hand carries it."""
    actions = [a for a in HANDS if a[1] == label.id and a[0] != "pass"]
    there, offset = not actions or actions[0][0] == "take", 0.0
    for action in actions:
        kind, _, at = action
        if kind == "take" and t >= at:
            there, offset = hand_offset(action, t) is not None, hand_offset(action, t) or 0.0
        if kind == "place" and t >= at - REACH:
            there, offset = True, 0.0
            if t < at:
                offset = hand_offset(action, t) or 0.0
    return offset if there else None


def draw_hand(camera, label, offset):
    """A glove and a sleeve over the label's middle: colour and cover, both at twice the picture's size."""
    (x, y), = project([label.centre + [0, offset, -30]], camera) * 2
    colour = Image.new("RGB", (2 * WIDTH, 2 * HEIGHT), (196, 92, 40))
    cover = Image.new("L", colour.size, 0)
    draw, mask = ImageDraw.Draw(colour), ImageDraw.Draw(cover)

    def limb(x0, y0, x1, y1, wide, tone):
        for canvas, fill in ((draw, tone), (mask, 255)):
            canvas.line((x0, y0, x1, y1), fill=fill, width=wide)
            for cx, cy in ((x0, y0), (x1, y1)):
                canvas.ellipse((cx - wide / 2, cy - wide / 2, cx + wide / 2, cy + wide / 2), fill=fill)

    limb(x + 40, y + 230, x + 150, y + 1500, 190, (58, 74, 96))  # sleeve
    limb(x + 36, y + 190, x + 44, y + 236, 200, (44, 56, 74))  # cuff
    for i, (dx, long) in enumerate(((-96, 118), (-34, 150), (30, 146), (92, 112))):  # fingers, then the palm
        limb(x + dx, y - 10, x + dx * 1.08, y - long, 66, (188 - 7 * (i % 2), 86, 36))
    limb(x - 70, y + 40, x + 70, y + 40, 200, (200, 94, 40))
    limb(x - 40, y + 110, x + 60, y + 130, 180, (194, 90, 38))
    limb(x - 110, y + 90, x - 168, y + 6, 62, (204, 100, 46))  # thumb
    return colour.filter(ImageFilter.GaussianBlur(5)), cover.filter(ImageFilter.GaussianBlur(1.2))


# MARK: - Frames


class Shelf:
    def __init__(self, seed):
        self.seed = seed
        self.labels = [Label(row) for row in LABELS]
        for i, label in enumerate(self.labels):
            twin = next((other for other in self.labels[:i] if label.payload and other.payload == label.payload), None)
            label.twin_of = twin and twin.id
        self.back = background(np.random.default_rng([seed, 1]))
        self.light = lightmap()
        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        self.vignette = 1 - 0.16 * (((x / WIDTH - 0.5) * 2) ** 2 + ((y / HEIGHT - 0.5) * 2) ** 2) / 2

    def frame(self, number):
        """One picture and its truth."""
        t = number / RATE
        camera = pose(t)
        picture = warp(self.back, project(plane(30), camera), (WIDTH, HEIGHT))
        shown = []
        for label in self.labels:
            offset = carried(label, t)
            if offset is None:
                continue
            quad = project(label.corners(offset=offset), camera)
            if quad[:, 1].min() < HEIGHT - 1:
                self.hang(picture, label, quad)
                shown.append((label, offset, quad))
        cover, shade = Image.new("L", (WIDTH, HEIGHT), 0), Image.new("L", (WIDTH, HEIGHT), 0)
        hands = [(next(x for x in self.labels if x.id == a[1]), hand_offset(a, t)) for a in HANDS]
        hands = [(label, offset) for label, offset in hands if offset is not None]
        for label, offset in hands:
            colour, mask = (x.resize((WIDTH, HEIGHT), Image.Resampling.BOX) for x in draw_hand(camera, label, offset))
            shade.paste(mask.filter(ImageFilter.GaussianBlur(9)), (-9, 5))
            picture = Image.composite(Image.eval(picture, lambda v: int(v * 0.72)), picture, shade)
            picture.paste(colour, (0, 0), mask)
            cover.paste(255, (0, 0), mask)
        cover = np.asarray(cover)
        truth = {"frame": number, "t": round(t, 4), "file": "%06d.jpg" % number,
                 "blur_px": round(speed(t) * SHUTTER, 2), "light": 1.0, "hand": bool(hands),
                 "items": [self.truth(label, offset, quad, camera, cover) for label, offset, quad in shown]}
        return self.expose(picture, camera, number), truth

    def hang(self, picture, label, quad):
        """Draws the label, twice as large and then halved so that its edges are smooth, over its soft shadow."""
        left, top = np.floor(quad.min(0)).astype(int) - 8
        right, bottom = np.ceil(quad.max(0)).astype(int) + 8
        size = (2 * int(right - left), 2 * int(bottom - top))
        local = (quad - [left, top]) * 2
        paper = warp(label.texture, local, size).reduce(2)
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).polygon([tuple(p) for p in local], fill=255)
        mask = mask.reduce(2)
        shadow = mask.filter(ImageFilter.GaussianBlur(3))
        picture.paste((44, 34, 26), (int(left) + 2, int(top) + 4), shadow.point(lambda v: v * 4 // 10))
        picture.paste(paper, (int(left), int(top)), mask)

    def expose(self, picture, camera, number):
        """What the sensor makes of it: light, lens, vignette and noise."""
        light = warp(self.light, project(plane(-15), camera) / 4, (WIDTH // 4, HEIGHT // 4))
        light = np.asarray(light.resize((WIDTH, HEIGHT), Image.Resampling.BILINEAR), np.float32) / 255
        pixels = np.asarray(picture.filter(ImageFilter.GaussianBlur(0.75)), np.float32)
        pixels = pixels * (light * self.vignette)[..., None]
        random = np.random.default_rng([self.seed, 2, number])
        noise = random.standard_normal((HEIGHT, WIDTH), dtype=np.float32)
        pixels += (noise * (0.7 + 0.05 * np.sqrt(pixels.mean(2))))[..., None]
        return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))

    def truth(self, label, offset, quad, camera, cover):
        item = {"id": label.id, "kind": label.kind, "symbology": label.symbology, "payload": label.payload,
                "text": label.text, "lang": "eng", "quad": rounded(quad), "visible": seen(quad, cover), "present": True}
        if label.twin_of:
            item["twin_of"] = label.twin_of
        if label.code:
            code = project(label.corners(label.code, offset), camera)
            width, height = label.texture.size
            shrunk = math.sqrt(area(quad) / (width * height))
            item.update(code_quad=rounded(code), code_visible=seen(code, cover),
                        px_per_module=round(label.module * label.scale * shrunk, 2))
        return item

    def scene(self, seconds):
        events = [{"t": at, "event": {"take": "removed", "place": "added", "pass": "hand_passes"}[kind], "id": name,
                   "frame": round(at * RATE)} for kind, name, at in HANDS]
        last = {name: (kind, at) for kind, name, at in HANDS}
        items = []
        for label in self.labels:
            kind, at = last.get(label.id, (None, None))
            first = next((a for a in HANDS if a[1] == label.id), ("none", label.id, 0))
            items.append({"id": label.id, "kind": label.kind, "symbology": label.symbology, "payload": label.payload,
                          "text": label.text, "lang": "eng", "twin_of": label.twin_of,
                          "from_t": first[2] if first[0] == "place" else 0, "to_t": at if kind == "take" else None})
        size = "%dx%d" % (WIDTH, HEIGHT)
        return {"scenario": "sample", "args": {"size": size, "fps": RATE, "seconds": seconds, "seed": self.seed},
                "events": events, "items": items}


def rounded(quad):
    return [[round(float(v), 1) for v in point] for point in quad]


def area(quad):
    x, y = np.asarray(quad).T
    return abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def seen(quad, cover):
    """The share of a quad that is inside the picture and under no hand."""
    left, top = np.floor(np.min(quad, 0)).astype(int)
    right, bottom = np.ceil(np.max(quad, 0)).astype(int) + 1
    mask = Image.new("1", (int(right - left), int(bottom - top)), 0)
    ImageDraw.Draw(mask).polygon([tuple(p) for p in np.asarray(quad) - [left, top]], fill=1)
    mask = np.asarray(mask)
    x0, y0, x1, y1 = max(0, left), max(0, top), min(WIDTH, right), min(HEIGHT, bottom)
    if x1 <= x0 or y1 <= y0:
        return 0.0
    inside = mask[y0 - top:y1 - top, x0 - left:x1 - left]
    return round(float((inside & (cover[y0:y1, x0:x1] < 128)).sum() / max(1, mask.sum())), 3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=os.path.dirname(os.path.abspath(__file__)), help="folder to write to")
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    shelf, total = Shelf(options.seed), 0
    os.makedirs(options.out, exist_ok=True)
    at = lambda name: os.path.join(options.out, name)
    with open(at("shelf.mjpeg"), "wb") as clip, open(at("shelf.truth.jsonl"), "w", encoding="utf-8") as lines:
        for number in range(options.frames):
            picture, truth = shelf.frame(number)
            total += clip.write(encode(picture))
            lines.write(json.dumps(truth, ensure_ascii=False) + "\n")
    with open(at("shelf.scene.json"), "w", encoding="utf-8") as file:
        json.dump(shelf.scene(round(options.frames / RATE, 3)), file, ensure_ascii=False, indent=1)
        file.write("\n")
    print("%d frames, %.2f MiB, %.1f kB a frame" % (options.frames, total / 2**20, total / 1000 / options.frames))


if __name__ == "__main__":
    main()
