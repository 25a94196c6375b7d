#!/usr/bin/env python3
# Draws the grain of the scenes in scenes/matchstick as strokes on wood, grass or asphalt: assets/grain/NAME.png, the
# textures of their ramps, so that the pictures show the grain under the boxes. The formulas are those of the scenes'
# grain_field.
#   tools/make_grain_pictures.py            all of them
# Needs only the standard library. The output is reproducible.
import math
import pathlib
import random
import struct
import zlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "assets" / "grain"
OAK = [(186, 148, 98), (150, 112, 66), (206, 172, 124), (128, 92, 52)]      # ground colour, then stroke colours
GRASS = [(94, 112, 58), (70, 88, 42), (122, 138, 78), (56, 72, 34)]
ASPHALT = [(92, 94, 98), (70, 72, 76), (122, 124, 128), (150, 150, 146)]


def png(path, width, height, pixels, palette):
    """An indexed PNG with 2 bits per pixel, rows from the top."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        row = pixels[y * width:(y + 1) * width]
        for x in range(0, width, 4):
            four = list(row[x:x + 4]) + [0] * (4 - len(row[x:x + 4]))
            rows.append(four[0] << 6 | four[1] << 4 | four[2] << 2 | four[3])
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 2, 3, 0, 0, 0))
                     + chunk(b"PLTE", bytes(c for rgb in palette for c in rgb)) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b""))


def draw(name, x_range, y_range, angle_deg, palette, per_metre=64, stroke=0.5, per_square_metre=26, brush=2):
    """angle_deg(x, y) counter-clockwise from x; the picture spans the ranges, y upwards. Lengths in metres."""
    width, height = (round((b - a) * per_metre) for a, b in (x_range, y_range))
    pixels = bytearray(width * height)
    rng = random.Random(name)
    for _ in range(round(width * height / per_metre**2 * per_square_metre)):
        start = rng.uniform(*x_range), rng.uniform(*y_range)
        shade, long = rng.choice((1, 1, 2, 3)), stroke * rng.uniform(0.5, 1)
        for way in (1, -1):
            x, y = start
            for _ in range(round(long / 2 * per_metre)):
                column, row = int((x - x_range[0]) * per_metre), int((y_range[1] - y) * per_metre)
                for j in range(row, min(row + brush, height)):
                    for i in range(column, min(column + brush, width)):
                        if i >= 0 and j >= 0:
                            pixels[j * width + i] = shade
                a = math.radians(angle_deg(x, y))
                x, y = x + way * math.cos(a) / per_metre, y + way * math.sin(a) / per_metre
    png(FOLDER / f"{name}.png", width, height, pixels, palette)


FOLDER.mkdir(parents=True, exist_ok=True)
draw("channeling", (-7, 7), (-3.5, 3.5), lambda x, y: -25 * math.tanh(y), OAK)
draw("spreading", (-4.5, 4.5), (-5.5, 5.5), lambda x, y: 25 * math.tanh(y), OAK)
draw("slalom", (-6, 6), (-3, 3), lambda x, y: 30 * math.sin(2 * math.pi * (x + 5.25) / 3), OAK)
draw("incline_45", (-8, 8), (-6, 6), lambda x, y: 45, OAK, per_metre=40, stroke=0.8, per_square_metre=10)
draw("three_boxes", (-2.6, 2.6), (-4, 4), lambda x, y: 30, OAK, per_metre=80)
draw("stroked_pad", (-0.5, 0.5), (-0.25, 0.25), lambda x, y: 0 if x < 0 else 90, OAK, per_metre=700, stroke=0.05, per_square_metre=3000)
for side, low in (("left", 0), ("right", -10)):     # left and right of someone who looks downhill: +y is left
    draw(f"ravine_to_{side}", (-18, 12), (low, low + 10), lambda x, y: -20 * math.tanh(y), GRASS, per_metre=40, stroke=0.9, per_square_metre=10)
    draw(f"ravine_around_{side}", (-18, 12), (low, low + 10), lambda x, y: 45 * math.tanh(4 * y), GRASS, per_metre=40, stroke=0.9, per_square_metre=10)
draw("vehicle", (-6, 46), (-12, 12), lambda x, y: 0 if x < 12 else 60, ASPHALT, per_metre=24, stroke=1.6, per_square_metre=4)
for plank_deg in (0, 45, 90):                       # rolling_cylinder, whose planks differ
    draw(f"plank_{plank_deg}", (-8, 8), (-1, 1), lambda x, y: plank_deg, OAK, per_metre=48, per_square_metre=16)
