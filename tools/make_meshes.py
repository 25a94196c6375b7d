#!/usr/bin/env python3
# Writes the meshes of marble_run and screw_conveyor into assets/: closed solids swept along a path or rotated about an axis.
#   tools/make_meshes.py            all of them
# Lengths in metres, z up. Needs only the standard library. The output is reproducible.
import math
import pathlib

ASSETS = pathlib.Path(__file__).resolve().parent.parent / "assets"


class Mesh:
    def __init__(self):
        self.vertices, self.faces = [], []

    def ring(self, points):
        """Adds points; returns their indices, counted from 1 as OBJ does."""
        first = len(self.vertices) + 1
        self.vertices += points
        return list(range(first, first + len(points)))

    def join(self, a, b):
        """Quads between two rings of as many points."""
        for i in range(len(a)):
            k = (i + 1) % len(a)
            self.faces.append((a[i], a[k], b[k], b[i]))

    def strip_cap(self, ring, reverse):
        """Closes a ring whose first half runs along one side and whose second half runs back along the other."""
        n = len(ring)
        for i in range(n // 2 - 1):
            quad = (ring[i], ring[i + 1], ring[n - 2 - i], ring[n - 1 - i])
            self.faces.append(quad if reverse else quad[::-1])

    def write(self, name, comment):
        with open(ASSETS / name, "w") as out:
            out.write(f"# {comment}\n# Made by tools/make_meshes.py.\n")
            for v in self.vertices:
                out.write("v %.5f %.5f %.5f\n" % v)
            for f in self.faces:
                out.write("f " + " ".join(map(str, f)) + "\n")
        print(f"{name}: {len(self.vertices)} vertices, {2 * len(self.faces)} triangles")


def gutter(inner, thickness, low_deg, high_deg, parts):
    """Cross-section of a gutter, (side, up) with the bottom of the inner arc at up = 0: along the inside, back along the outside."""
    angles = [math.radians(low_deg + (high_deg - low_deg) * i / parts) for i in range(parts + 1)]
    inside = [(inner * math.sin(a), inner - inner * math.cos(a)) for a in angles]
    outer = inner + thickness
    outside = [(outer * math.sin(a), inner - outer * math.cos(a)) for a in reversed(angles)]
    return inside + outside


def sweep(path, section, name, comment):
    """path: points with a heading [rad] and a slope; section: (side, up), side to the right of the heading."""
    mesh, rings = Mesh(), []
    for (x, y, z), heading, slope in path:
        along = math.hypot(1, slope)
        right = (math.sin(heading), -math.cos(heading), 0)
        up = (-slope * math.cos(heading) / along, -slope * math.sin(heading) / along, 1 / along)
        rings.append(mesh.ring([tuple(p + s * r + u * q for p, r, q in zip((x, y, z), right, up)) for s, u in section]))
    for a, b in zip(rings, rings[1:]):
        mesh.join(a, b)
    mesh.strip_cap(rings[0], False)
    mesh.strip_cap(rings[-1], True)
    mesh.write(name, comment)


def lathe(profile, parts, name, comment):
    """Turns a closed profile of (radius, z) about the z axis; points with radius 0 become one vertex."""
    mesh, rings = Mesh(), []
    for r, z in profile:
        if r == 0:
            rings.append(mesh.ring([(0, 0, z)]) * parts)
        else:
            rings.append(mesh.ring([(r * math.cos(2 * math.pi * k / parts), r * math.sin(2 * math.pi * k / parts), z) for k in range(parts)]))
    for a, b in zip(rings, rings[1:]):
        for i in range(parts):
            k = (i + 1) % parts
            face = list(dict.fromkeys((a[i], a[k], b[k], b[i])))  # only three vertices at the axis
            if len(face) > 2:
                mesh.faces.append(tuple(face))
    mesh.write(name, comment)


def marble_track():
    """A straight feeder along +x, a helix of 2 1/4 turns to the left about the z axis, a straight run-out along +y that levels out."""
    radius, turns, feeder, run_out = 0.5, 2.25, 1.2, 0.6
    steep, gentle = 0.12, 0.10  # slopes of the feeder and of the helix
    points, z = [], 1.45
    n = 8
    for i in range(n):  # feeder
        points.append(((-feeder + feeder * i / n, -radius, z - steep * feeder * i / n), 0.0, -steep))
    z -= steep * feeder
    parts = int(turns * 60)
    for i in range(parts + 1):
        turn = 2 * math.pi * turns * i / parts
        slope = steep + (gentle - steep) * min(1, 4 * i / parts)
        points.append(((radius * math.sin(turn), -radius * math.cos(turn), z), turn, -slope))
        z -= slope * 2 * math.pi * turns * radius / parts
    n = 10
    for i in range(1, n + 1):  # run-out
        slope = gentle * (1 - i / n)
        z_end = points[-1][0][2] - slope * run_out / n
        points.append(((radius, run_out * i / n, z_end), math.pi / 2, -slope))
    sweep(points, gutter(0.065, 0.012, -75, 105, 14), "marble_track.obj",
          "A marble run: feeder, helix of 2 1/4 turns (radius 0.5 m), run-out; a gutter of 65 mm inner radius.")


def cup(name, radius, height, wall, comment):
    lathe([(0, 0), (radius + wall, 0), (radius + wall, height), (radius, height), (radius, wall), (0, wall)], 48, name, comment)


def tumbler():
    """A tumbler whose wall leans outwards by 1 : 4. Two of them nest: the upper one stands on the lower one's floor, thick enough for its wall to stay clear."""
    foot, lean, wall, height, floor = 0.04, 0.25, 0.004, 0.14, 0.022
    radius = lambda z: foot + lean * z
    lathe([(0, 0), (foot, 0), (radius(height), height), (radius(height) - wall, height), (radius(floor) - wall, floor), (0, floor)], 48, "tumbler.obj",
          "A tumbler, 0.14 m high, wall 4 mm, floor 22 mm; stacked into each other they leave 1.5 mm between the walls.")


def screw_blade():
    """A helicoid about the z axis, right-handed: as a ring of four corners that turns and climbs."""
    inner, outer, half, pitch, turns, parts = 0.045, 0.2, 0.01, 0.24, 7.5, 24
    mesh, rings = Mesh(), []
    for i in range(int(turns * parts) + 1):
        a = 2 * math.pi * i / parts
        z = pitch * i / parts
        c, s = math.cos(a), math.sin(a)
        rings.append(mesh.ring([(inner * c, inner * s, z + half), (outer * c, outer * s, z + half),
                                (outer * c, outer * s, z - half), (inner * c, inner * s, z - half)]))
    for a, b in zip(rings, rings[1:]):
        mesh.join(a, b)
    mesh.strip_cap(rings[0], False)
    mesh.strip_cap(rings[-1], True)
    mesh.write("screw_blade.obj", "The blade of a screw conveyor: 7 1/2 turns of 0.24 m pitch about the z axis, 0.2 m radius, 20 mm thick.")


def main():
    marble_track()
    tumbler()
    cup("cup.obj", 0.22, 0.26, 0.015, "A round cup, 0.22 m inner radius, 0.26 m high.")
    screw_blade()
    straight = lambda length, parts: [((length * i / parts, 0, 0), 0.0, 0.0) for i in range(parts + 1)]
    sweep(straight(1.9, 6), gutter(0.215, 0.015, -85, 50, 24), "screw_trough.obj",
          "The trough of a screw conveyor: a straight gutter along +x, 0.215 m inner radius, 1.9 m long, its bottom at z = 0.")


main()
