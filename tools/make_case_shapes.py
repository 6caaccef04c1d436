#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes lab/cases/case_shapes.c: surfaces and tetrahedra of the bodies of the ten fundamental cases.

    tools/make_case_shapes.py > lab/cases/case_shapes.c

This file is the only source of the surfaces. Each has a unit form: a body of any size is the unit form times a scale per
axis, so its coordinates are rounded at most once. The program tetgen (Debian's 1.5.0) makes the tetrahedra at the scale
`reference`, at which the body has its true proportions. Points that tetgen adds are divided by that scale. Needs python3
and tetgen.
"""

import os
import subprocess
import sys
import tempfile
from fractions import Fraction

HULL = "pYq2Q"  # radius-edge ratio 2, surface left as it is
PLAIN = "pQ"  # constrained Delaunay, as the paper's program has it: tetgen cuts flat parts of the surface anew


def quads(*corners):
    """Cuts quads into first-second-third and first-third-fourth."""
    return [t for a, b, c, d in corners for t in ((a, b, c), (a, c, d))]


def from_one(triangles):
    """Indices from 1 to indices from 0."""
    return [tuple(i - 1 for i in t) for t in triangles]


BOX_QUADS = quads((0, 1, 2, 3), (4, 7, 6, 5), (4, 0, 3, 7), (1, 5, 6, 2), (7, 3, 2, 6), (5, 1, 0, 4))


def spike():
    """A pyramid: apex, then the base by the signs (+,+), (-,+), (+,-), (-,-) of (x, z)."""
    vertices = [(0, 1, 0), (1, 0, 1), (-1, 0, 1), (1, 0, -1), (-1, 0, -1)]
    triangles = [(2, 1, 0), (1, 3, 0), (3, 4, 0), (4, 2, 0)] + quads((1, 2, 4, 3))
    return vertices, triangles, (1, 3, 1), HULL


def wedge():
    """A prism: the two ends of the ridge, then the base."""
    vertices = [(0, 1, -1), (0, 1, 1), (1, 0, 1), (-1, 0, 1), (1, 0, -1), (-1, 0, -1)]
    triangles = [(3, 2, 1), (4, 5, 0)] + quads((2, 4, 0, 1), (5, 3, 1, 0), (2, 3, 5, 4))
    return vertices, triangles, (1, 3, 2), HULL


def box(reference):
    """v0..v3 is the face z = 1, ordered by (x, y); v4..v7 is the face z = -1."""
    face = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    vertices = [(x, y, z) for z in (1, -1) for x, y in face]
    return vertices, BOX_QUADS, reference, HULL


def frustum():
    """Numbered as the box; the lower half width is 1.5 times the upper."""
    vertices = [(x * 1.5, y, z * 1.5) if y < 0 else (x, y, z) for x, y, z in box(None)[0]]
    return vertices, BOX_QUADS, (1, 1, 1), HULL


def slab():
    """A flat top with internal vertices 12 and 13 and internal edges, in units of its half height."""
    vertices = [(-2, 1, 2), (0, 1, 2), (2, 1, 2), (2, 1, 0), (2, 1, -2), (0, 1, -2), (-2, 1, -2), (-2, 1, 0),
                (-2, -1, 2), (2, -1, 2), (2, -1, -2), (-2, -1, -2), (-1, 1, 1), (1, 1, 1)]
    top = [(1, 2, 13), (1, 13, 8), (2, 3, 14), (3, 4, 14), (4, 5, 6), (6, 7, 8), (2, 14, 6), (14, 4, 6), (2, 6, 13),
           (13, 6, 8)]
    bottom = [(10, 9, 12), (10, 12, 11)]
    sides = [(1, 9, 2), (9, 10, 2), (2, 10, 3), (11, 12, 6), (11, 6, 5), (6, 12, 7), (3, 10, 4), (10, 11, 4),
             (11, 5, 4), (12, 8, 7), (12, 9, 8), (9, 1, 8)]
    return vertices, from_one(top + bottom + sides), (1, 1, 1), HULL


def crack():
    """A block with a groove along z: four rows of five, bottom and top at z = 2, top and bottom at z = -2."""
    xs = (-1, -0.5, 0, 0.5, 1)
    low = [(x, -0.5) for x in xs]
    high = [(x, 0 if x == 0 else 0.5) for x in xs]
    rows = [(low, 2), (high, 2), (high, -2), (low, -2)]
    vertices = [(x, y, z) for row, z in rows for x, y in row]
    groove = [(7, 8, 12), (12, 8, 13), (8, 9, 13), (13, 9, 14)]
    top = [(6, 7, 11), (11, 7, 12), (9, 10, 14), (14, 10, 15)]
    front = [(1, 2, 6), (6, 2, 7), (3, 8, 2), (2, 8, 7), (3, 4, 8), (8, 4, 9), (4, 5, 9), (9, 5, 10)]
    back = [(11, 12, 16), (16, 12, 17), (12, 13, 17), (17, 13, 18), (14, 19, 13), (13, 19, 18), (14, 15, 19),
            (19, 15, 20)]
    bottom = [(16, 17, 1), (1, 17, 2), (18, 3, 17), (17, 3, 2), (18, 19, 3), (3, 19, 4), (19, 20, 4), (4, 20, 5)]
    ends = [(5, 20, 10), (10, 20, 15), (16, 1, 11), (11, 1, 6)]
    return vertices, from_one(groove + top + front + back + bottom + ends), (1, 1, 1), PLAIN


def hole():
    """A block with a pit like an upside-down pyramid. Rows of constant y and z, x ascending: bottom z = 1, then the top from
    z = 1 to -1 (the pit's lowest point is in the middle), then the bottom from z = -1 to 0.5."""
    xs = (-1, -0.5, 0, 0.5, 1)
    bottom_row = {z: [(x, -0.5, z) for x in xs] for z in xs}
    vertices = bottom_row[1] + [(x, 0.5, 1) for x in xs] + [(x, 0.5, 0.5) for x in xs if x != 0]
    vertices += [(-1, 0.5, 0), (0, 0, 0), (1, 0.5, 0)]
    vertices += [(x, 0.5, -0.5) for x in xs if x != 0] + [(x, 0.5, -1) for x in xs]
    for z in (-1, -0.5, 0, 0.5):
        vertices += bottom_row[z]
    top = [(6, 7, 11), (11, 7, 12), (7, 8, 12), (13, 12, 8), (13, 8, 9), (9, 10, 13), (13, 10, 14), (11, 12, 15),
           (17, 13, 14), (18, 15, 19), (12, 19, 15), (17, 20, 13), (20, 17, 21), (18, 19, 22), (22, 19, 23),
           (23, 19, 24), (24, 19, 20), (25, 24, 20), (20, 21, 25), (25, 21, 26)]
    pit = [(16, 12, 13), (16, 19, 12), (19, 16, 20), (13, 20, 16)]
    number = {v: i for i, v in enumerate(vertices)}
    at = lambda x, y, z: number[(x, y, z)]
    cells = list(zip(xs, xs[1:]))
    sides = []
    for u, v in cells:
        sides += [(at(u, -0.5, 1), at(v, -0.5, 1), at(v, 0.5, 1), at(u, 0.5, 1)),
                  (at(v, -0.5, -1), at(u, -0.5, -1), at(u, 0.5, -1), at(v, 0.5, -1)),
                  (at(1, -0.5, v), at(1, -0.5, u), at(1, 0.5, u), at(1, 0.5, v)),
                  (at(-1, -0.5, u), at(-1, -0.5, v), at(-1, 0.5, v), at(-1, 0.5, u))]
        sides += [(at(u, -0.5, z), at(v, -0.5, z), at(v, -0.5, w), at(u, -0.5, w)) for z, w in cells]
    return vertices, from_one(top + pit) + quads(*sides), (1, 1, 1), PLAIN


SHAPES = {
    "spike": spike(),
    "wedge": wedge(),
    "hole": hole(),
    "crack": crack(),
    "ground": box((10, 1, 10)),
    "slab": slab(),
    "box": box((1, 1, 1)),
    "frustum": frustum(),
}


def volume6(a, b, c, d):
    """Six times the signed volume, exactly; positive if a, b, c is counter-clockwise seen from d's far side."""
    a, b, c, d = ([Fraction(x) for x in p] for p in (a, b, c, d))
    u, v, w = ([p[k] - a[k] for k in range(3)] for p in (b, c, d))
    return (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
            + u[2] * (v[0] * w[1] - v[1] * w[0]))


def surface_volume6(vertices, triangles):
    return sum(volume6((0, 0, 0), *(vertices[i] for i in t)) for t in triangles)


def check_surface(name, vertices, triangles):
    edges = [(t[k], t[(k + 1) % 3]) for t in triangles for k in range(3)]
    if len(set(edges)) != len(edges) or any((b, a) not in edges for a, b in edges):
        sys.exit(f"{name}: the surface is not closed and oriented")
    if len(set(map(tuple, vertices))) != len(vertices):
        sys.exit(f"{name}: a vertex is there twice")
    if surface_volume6(vertices, triangles) <= 0:
        sys.exit(f"{name}: the surface is inside out")


def rows(path):
    """The numbers of a TetGen file's data lines, without the header."""
    with open(path, encoding="ascii") as file:
        lines = [line.split("#")[0].split() for line in file]
    return [line for line in lines if line][1:]


def run_tetgen(vertices, triangles, switches):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "body.poly"), "w", encoding="ascii") as file:
            file.write(f"{len(vertices)} 3 0 0\n")
            file.writelines(f"{i} {x!r} {y!r} {z!r}\n" for i, (x, y, z) in enumerate(vertices))
            file.write(f"{len(triangles)} 0\n")
            file.writelines(f"1\n3 {a} {b} {c}\n" for a, b, c in triangles)
            file.write("0\n")
        subprocess.run(["tetgen", "-" + switches, "body.poly"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        nodes = [tuple(float(x) for x in line[1:4]) for line in rows(os.path.join(folder, "body.1.node"))]
        tets = [tuple(int(i) for i in line[1:5]) for line in rows(os.path.join(folder, "body.1.ele"))]
    return nodes, tets


def check_tets(name, vertices, triangles, tets):
    """Checks that the tets are positive, conform, fill the surface exactly, and have the surface as boundary."""
    faces = {}
    for a, b, c, d in tets:
        for face in ((b, d, c), (a, c, d), (a, d, b), (a, b, c)):
            key = frozenset(face)
            faces[key] = faces.get(key, 0) + 1
    boundary = {key for key, count in faces.items() if count == 1}
    if max(faces.values()) > 2 or boundary != {frozenset(t) for t in triangles}:
        sys.exit(f"{name}: the boundary of the tetrahedra is not the surface")
    volumes = [volume6(*(vertices[i] for i in t)) for t in tets]
    if min(volumes) <= 0 or sum(volumes) != surface_volume6(vertices, triangles):
        sys.exit(f"{name}: the tetrahedra do not fill the surface")


def boundary_of(tets):
    """The faces of one tetrahedron only, counter-clockwise from outside, if the tetrahedra are positive."""
    faces = {}
    for a, b, c, d in tets:
        for face in ((b, c, d), (a, d, c), (a, b, d), (a, c, b)):
            faces.setdefault(frozenset(face), []).append(face)
    return [same[0] for same in faces.values() if len(same) == 1]


def positive(vertices, tet):
    """The tet, reordered to a positive volume."""
    a, b, c, d = tet
    return tet if volume6(*(vertices[i] for i in tet)) > 0 else (a, b, d, c)


def make(name, shape):
    unit, triangles, reference, switches = shape
    unit = [tuple(float(x) for x in v) for v in unit]
    check_surface(name, unit, triangles)
    nodes, tets = run_tetgen([tuple(x * s for x, s in zip(v, reference)) for v in unit], triangles, switches)
    vertices = unit + [tuple(x / s for x, s in zip(v, reference)) for v in nodes[len(unit):]]
    tets = [positive(vertices, t) for t in tets]
    if switches == PLAIN:
        volume = surface_volume6(vertices, triangles)
        triangles = boundary_of(tets)
        check_surface(name, vertices, triangles)
        if surface_volume6(vertices, triangles) != volume:
            sys.exit(f"{name}: tetgen changed the body")
    check_tets(name, vertices, triangles, tets)
    return vertices, triangles, tets, len(unit)


def table(kind, name, items, width=116):
    """A C array, with lines as long as possible."""
    lines = [f"static const {kind} {name} = {{"]
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line)
            line = "   "
        line += f" {item},"
    return "\n".join(lines + [line, "};"])


def vector(v):
    return "{" + ", ".join(repr(x + 0.0) for x in v) + "}"


def main():
    print("// SPDX-License-Identifier: MIT")
    print("// case_shapes.c: surfaces and tetrahedra of the bodies of the fundamental cases, in unit form")
    print("//\n// Made by tools/make_case_shapes.py with TetGen 1.5.0; change the script, not this file.")
    print('#include "cases/case_shapes.h"\n\n#include <stddef.h>\n#include <string.h>\n\n// clang-format off')
    entries = []
    for name, shape in SHAPES.items():
        vertices, triangles, tets, surface_count = make(name, shape)
        print(table("abut_vec3", f"{name}_vertices[]", [vector(v) for v in vertices]))
        print(table("int", f"{name}_triangles[]", [", ".join(map(str, t)) for t in triangles]))
        print(table("int", f"{name}_tets[]", [", ".join(map(str, t)) for t in tets]))
        print()
        entries.append(f'    {{"{name}", {name}_vertices, {name}_triangles, {name}_tets, {len(vertices)}, '
                       f"{surface_count}, {len(triangles)}, {len(tets)}}},")
    print("static const abut_case_shape shapes[] = {")
    print("\n".join(entries))
    print("};\n// clang-format on")
    print("""
const abut_case_shape *abut_case_shape_find(const char *name)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; ++i) {
        if (strcmp(shapes[i].name, name) == 0) {
            return &shapes[i];
        }
    }
    return NULL;
}""")


main()
