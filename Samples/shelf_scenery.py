# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: 2026 The datascand authors
"""The scenery of the sample clip: the camera's way, the shelf behind the labels, and the JPEG encoder's settings.

The units are those of make-shelf.py.
"""

import io
import math

import numpy as np
from PIL import Image, ImageFilter

from shelf_labels import rotation

WIDTH, HEIGHT, RATE = 1280, 720, 30
FOCAL = 1500.0  # px, and the distance of the shelf's plane in units
SHUTTER = 1 / 500  # s: at under 2 px a frame the blur stays below 0.1 px, so it is told in the truth and not drawn
SHELF_SIDE, SHELF_TOP, TEXTURE = 820, 480, 1.5  # units to each side that the background covers, and its px a unit
BEAMS = (-352, -118, 118, 352)


# MARK: - Camera


def eased(t, start, end):
    u = min(1.0, max(0.0, (t - start) / (end - start)))
    return (1 - math.cos(math.pi * u)) / 2


def pose(t):
    """Where the camera is at a time: still, a drift to the right, still, back and a little down, still."""
    there, back = eased(t, 0.5, 2.3), eased(t, 3.3, 5.0)
    place = np.array([-15 + 32 * there - 24 * back, -5 + 9 * back, -FOCAL + 14 * back - 8 * there])
    return place, rotation(math.radians(0.35 * there), 0, math.radians(0.25 * back))


def project(points, camera):
    place, turn = camera
    seen = (np.asarray(points, float) - place) @ turn
    return seen[:, :2] / seen[:, 2:] * FOCAL + [WIDTH / 2, HEIGHT / 2]


def speed(t):
    """Pixels a second by which the middle of the shelf moves in the picture."""
    step, spots = 1e-3, [[x, y, 0] for x in (-400, 0, 400) for y in (-220, 0, 220)]
    moved = project(spots, pose(t + step)) - project(spots, pose(t - step))
    return float(np.hypot(*moved.mean(0))) / (2 * step)


def warp(texture, quad, size):
    """The texture with its corners at `quad`, in a picture of that size."""
    width, height = texture.size
    source = [(0, 0), (width, 0), (width, height), (0, height)]
    rows, right = [], []
    for (x, y), (u, v) in zip(quad, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return texture.transform(size, Image.Transform.PERSPECTIVE, np.linalg.solve(rows, right).tolist(),
                             Image.Resampling.BICUBIC)


# MARK: - The shelf


def background(random):
    """Cartons and beams, with the shadows that lie on them."""
    width, height = int(2 * SHELF_SIDE * TEXTURE), int(2 * SHELF_TOP * TEXTURE)
    picture = np.empty((height, width, 3), np.float32)
    picture[:] = (52, 46, 42)

    def box(left, top, right, bottom):
        x0, x1 = (max(0, int((x + SHELF_SIDE) * TEXTURE)) for x in (left, right))
        y0, y1 = (max(0, int((y + SHELF_TOP) * TEXTURE)) for y in (top, bottom))
        return slice(y0, y1), slice(x0, x1)

    floors = [-SHELF_TOP - 130] + list(BEAMS) + [BEAMS[-1] + 234]
    for above, floor in zip(floors, floors[1:]):
        x = -SHELF_SIDE - random.uniform(0, 120)
        while x < SHELF_SIDE:
            wide, top = random.uniform(190, 330), above + 24 + random.uniform(0, 14)
            tone = np.array([172, 142, 108]) * random.uniform(0.86, 1.06)
            picture[box(x + 3, top, x + wide - 3, floor - 14)] = tone
            picture[box(x + 3, top, x + wide - 3, top + 3)] = tone * 0.8
            x += wide
    for y in BEAMS:
        picture[box(-SHELF_SIDE, y - 16, SHELF_SIDE, y + 16)] = (72, 92, 124)
        picture[box(-SHELF_SIDE, y - 16, SHELF_SIDE, y - 9)] = (92, 112, 142)
    soft = Image.fromarray(picture.clip(0, 255).astype(np.uint8))
    return soft.filter(ImageFilter.GaussianBlur(2.2))


def lightmap():
    """How much light reaches each unit of the shelf, 255 for all: darker under the beams and to the right."""
    y, x = np.mgrid[-SHELF_TOP:SHELF_TOP:4, -SHELF_SIDE:SHELF_SIDE:4].astype(np.float32)
    light = 0.99 - 0.05 * (x / SHELF_SIDE)
    for beam in BEAMS:
        under = y - beam - 14
        light -= np.where(under > 0, 0.30 * np.exp(-under / 26), 0)
    return Image.fromarray((255 * light).clip(0, 255).astype(np.uint8)).filter(ImageFilter.GaussianBlur(3))


def plane(depth, side=SHELF_SIDE, top=SHELF_TOP):
    return [[-side, -top, depth], [side, -top, depth], [side, top, depth], [-side, top, depth]]


# MARK: - JPEG

# 4 MiB for 150 frames leave 27 kB for each; the usual tables at a quality of 25 need 45 kB. Coarse steps for edges and
# a dead zone take what a reader misses least: all codes are read in all frames.
LUMA_STEPS = [min(80, 28 + 14 * (i // 8 + i % 8)) for i in range(64)]
CHROMA_STEPS = [min(99, 44 + 8 * (i // 8 + i % 8)) for i in range(64)]
DEAD_ZONE = 0.72  # steps: a coefficient below it becomes zero; plain rounding would be 0.5
COSINES = np.array([[math.sqrt((2 if i else 1) / 8) * math.cos((2 * j + 1) * i * math.pi / 16) for j in range(8)]
                    for i in range(8)], np.float32)


def encode(picture):
    """The picture as a JPEG whose weak luma coefficients are left out."""
    pixels = np.array(picture.convert("YCbCr"), np.float32)
    blocks = (pixels[..., 0] - 128).reshape(HEIGHT // 8, 8, WIDTH // 8, 8).swapaxes(1, 2)
    steps = np.array(LUMA_STEPS, np.float32).reshape(8, 8)
    scaled = COSINES @ blocks @ COSINES.T / steps
    weak = np.abs(scaled) < DEAD_ZONE
    weak[..., 0, 0] = False
    kept = np.where(weak, 0, np.rint(scaled)) * steps
    pixels[..., 0] = (COSINES.T @ kept @ COSINES).swapaxes(1, 2).reshape(HEIGHT, WIDTH) + 128
    data = io.BytesIO()
    Image.fromarray(pixels.round().clip(0, 255).astype(np.uint8), "YCbCr").save(
        data, "JPEG", qtables=[LUMA_STEPS, CHROMA_STEPS], optimize=True, subsampling="4:2:0")
    return data.getvalue()
