#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Experiments behind docs/reproduction.md: why a cell of the paper's Table 8 differs from ours.

    tools/reproduce.py build/abut > cells.md

Every cell of `abut assess --case fundamental --method erleben --compare paper` that differs is run again with one thing changed, then
with two:

    reading       the author's program instead of the text
    rounding      the pose moved by what single precision rounds (draws)
    state         touching; the same with rounding; the second and third detection
    tessellation  the same bodies with flat quads cut along the other diagonal at random, vertices numbered at random, and
                  tetrahedra made anew by tetgen (draws)
    size          the published scenes' S = 20 instead of 25
    filter        redundant contacts removed as the author's program does: sorted by bodies, position, normal and depth, and
                  neighbours merged that agree in all of them within 1.2e-6

A cell counts as explained by the first of these with which it agrees, within 10 points (contacts: 10 %). Draws are the same in
every run. Needs python3 and tetgen.
"""

import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
import tempfile

MEASURES = ("coverage", "quality", "contacts")
DRAWS = 12
FLOAT = 2.0 ** -23  # of single precision, times sizes of up to 2
GRAVITY, STEP = 9.82, 0.01
PLAIN = ("hole", "crack")  # cut by tetgen without a quality bound, as the paper's program does


def abut(*words):
    done = subprocess.run([ABUT, *words, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def compare(*words):
    """The cells of --compare: {(reading, method, case): {measure: (ours, paper, agreement)}}."""
    rows = abut("assess", "--case", "fundamental", "--method", "erleben", "--compare", "paper", *words)["results"]
    return {(r["reading"], r["method"], r["case"]): {m: r[m] for m in MEASURES} for r in rows
            if r["source"] == "Table 8"}


def agrees(measure, ours, paper):
    limit = 0.1 * paper if measure == "contacts" else 10
    return abs(ours - paper) <= limit + 1e-9


# ---- bodies with another tessellation

def read_table(path):
    with open(path, encoding="ascii") as file:
        lines = [line.split("#")[0].split() for line in file]
    return [[float(x) for x in line] for line in lines if line][1:]


def write_table(path, header, rows):
    with open(path, "w", encoding="ascii") as file:
        file.write(header + "\n")
        file.writelines(" ".join([str(i), *(repr(x) for x in row)]) + "\n" for i, row in enumerate(rows))


def cross(u, v):
    return (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])


def normal_of(vertices, a, b, c):
    u, v = ([vertices[j][k] - vertices[a][k] for k in range(3)] for j in (b, c))
    n = cross(u, v)
    length = math.hypot(*n)
    return [x / length for x in n] if length > 1e-12 else None


def flip_diagonals(vertices, triangles, draw):
    """Turns the common edge of two triangles in one plane, where they form a convex quad, with probability 1/2."""
    triangles = [tuple(t) for t in triangles]
    for edge in sorted({(min(t[k], t[k - 1]), max(t[k], t[k - 1])) for t in triangles for k in range(3)}):
        sides = [(i, t) for i, t in enumerate(triangles) if edge[0] in t and edge[1] in t]
        if len(sides) != 2 or draw.random() < 0.5:
            continue
        (i, first), (j, second) = sides
        k = next(k for k in range(3) if {first[k], first[(k + 1) % 3]} == set(edge))
        a, b, c = first[k], first[(k + 1) % 3], first[(k + 2) % 3]
        d = next(v for v in second if v not in edge)
        normals = [normal_of(vertices, *t) for t in (first, second, (a, d, c), (d, b, c))]
        if None not in normals and all(math.dist(n, normals[0]) < 1e-9 for n in normals):
            triangles[i], triangles[j] = (a, d, c), (d, b, c)
    return triangles


def cut_anew(source, target, shape, draw):
    """Writes target.node, .ele and .face: the body of source with another tessellation."""
    faces = [[int(i) for i in row[1:4]] for row in read_table(source + ".face")]
    count = 1 + max(i for t in faces for i in t)
    vertices = [row[1:4] for row in read_table(source + ".node")[:count]]
    order = list(range(count))
    draw.shuffle(order)
    number = {old: new for new, old in enumerate(order)}
    vertices = [vertices[i] for i in order]
    faces = flip_diagonals(vertices, [[number[i] for i in t] for t in faces], draw)
    draw.shuffle(faces)
    with open(target + ".poly", "w", encoding="ascii") as file:
        file.write(f"{count} 3 0 0\n" + "".join(f"{i} {x!r} {y!r} {z!r}\n" for i, (x, y, z) in enumerate(vertices)))
        file.write(f"{len(faces)} 0\n" + "".join(f"1\n3 {a} {b} {c}\n" for a, b, c in faces) + "0\n")
    subprocess.run(["tetgen", "-pYQ" if shape in PLAIN else "-pYq2Q", target + ".poly"], check=True,
                   stdout=subprocess.DEVNULL)
    nodes = [row[1:4] for row in read_table(target + ".1.node")]
    tets = [[int(i) for i in row[1:5]] for row in read_table(target + ".1.ele")]
    write_table(target + ".node", f"{len(nodes)} 3 0 0", vertices + nodes[count:])
    write_table(target + ".ele", f"{len(tets)} 4 0", tets)
    write_table(target + ".face", f"{len(faces)} 0", faces)


# ---- one query, scored as --compare does

def displacement(case, state):
    moving = case["b"] if case["a"]["fixed"] else case["a"]
    kind, number, _ = state
    if kind == "sunk":
        return [number * x for x in case["sink"]]
    if kind == "detection":  # the k-th, if nothing stops the body
        fall = GRAVITY * STEP * STEP * number * (number - 1) / 2 if number > 1 else 0.0
        move = [(number - 0.5) * STEP * v for v in moving["linear_velocity"]]
        return [move[0], move[1] - fall, move[2]]
    return [0.0, 0.0, 0.0]


def poses_of(case, state):
    poses = {}
    move = displacement(case, state)
    draw = random.Random(f"{case['name']} {state}")
    for side in "ab":
        pose = list(case[side]["pose"])
        if not case[side]["fixed"]:
            pose[:3] = [p + d for p, d in zip(pose, move)]
            if state[2] is not None:
                pose = [p + draw.uniform(-FLOAT, FLOAT) for p in pose]
        poses[side] = pose
    return poses


def turn(q, v):
    w, x, y, z = q
    t = [2 * c for c in cross((x, y, z), v)]
    u = cross((x, y, z), t)
    return [v[k] + w * t[k] + u[k] for k in range(3)]


def twice_area(files, contact):
    """Of the face that gave the normal: the length of the normal in the author's program."""
    base = files[contact["normal_side"]]
    face = read_table(base + ".face")[contact["normal_feature"]["index"]]
    a, b, c = ([float(x) for x in read_table(base + ".node")[int(i)][1:4]] for i in face[1:4])
    return math.hypot(*cross([b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]))


EPSILON = 10 * 2.0 ** -23


def program_filter(contacts):
    """What is left of raw contacts in the author's program: only neighbours in the order are compared, depths count."""
    kept = []
    row = lambda c: [c["position"][k] for k in (1, 0, 2)] + [c["normal"][k] for k in (1, 0, 2)] + [c["gap"]]
    for contact in sorted(contacts, key=row):
        if not kept or any(abs(x - y) > EPSILON for x, y in zip(row(kept[-1]), row(contact))):
            kept.append(contact)
    return kept


def query(method, reading, case, state, files, is_raw):
    poses = poses_of(case, state)
    words = ["contacts", files["a"] + ".node", files["b"] + ".node", "--method", method]
    for side in "ab":
        words += ["--pose-" + side, " ".join(repr(x) for x in poses[side]),
                  "--velocity-" + side, " ".join(repr(x) for x in case[side]["linear_velocity"] + [0, 0, 0])]
    words += ["--option", "reading=" + reading]
    if method == "closest-points":
        words += ["--option", "epsilon=0.01"] + (["--option", "erosion=program"] if reading == "program" else [])
    contacts = program_filter(abut(*words, "--raw")["contacts"]) if is_raw else abut(*words)["contacts"]
    expected = {tuple(t["normal"]) for t in case["truth"]["table"]}
    met, right = set(), 0
    for contact in contacts:
        normal = contact["normal"]
        if method == "intersection" and reading == "program" and contact["normal_feature"] is not None \
                and contact["normal_feature"]["kind"] == "face":
            length = twice_area(files, contact)
            normal = [length * x for x in normal]
        hits = {e for e in expected if min(math.dist(normal, e), math.dist([-x for x in normal], e)) <= 1e-3}
        met |= hits
        right += bool(hits)
    return {"coverage": 100 * len(met) / len(expected), "quality": 100 * right / max(len(contacts), 1),
            "contacts": len(contacts)}


# ---- the experiments

# kind, number, and the draw of the rounding
STATES = {"detection": ("detection", 1, None), "sunk:0.000982": ("sunk", 0.000982, None)}
TOUCHING, ROUNDED = [("touching", 0, None)], [("touching", 0, i) for i in range(DRAWS)]
LATER = [("detection", 2, None), ("detection", 3, None)]


SIZES = (None, "20")


class Laboratory:
    def __init__(self, folder):
        self.folder = folder
        self.base = compare()
        self.known = {}
        self.cases = {}
        for size in SIZES:
            place = os.path.join(folder, str(size))
            abut("cases", "fundamental", "--out", place, *([] if size is None else ["--scene-size", size]))
            for name in {case for _, _, case in self.base}:
                with open(os.path.join(place, name + ".json"), encoding="utf-8") as file:
                    self.cases[size, name] = json.load(file)
                for i in range(DRAWS):
                    for side in "ab":
                        source = os.path.join(place, f"{name}-{side}")
                        shape = self.cases[size, name][side]["shape"]
                        cut_anew(source, f"{source}-{i}", shape, random.Random(f"{name} {side} {i}"))

    def run(self, reading, method, name, state, cut=None, size=None, is_raw=False):
        key = (reading, method, name, state, cut, size, is_raw)
        if key not in self.known:
            base = os.path.join(self.folder, str(size), name)
            files = {side: f"{base}-{side}" + ("" if cut is None else f"-{cut}") for side in "ab"}
            self.known[key] = query(method, reading, self.cases[size, name], state, files, is_raw)
        return self.known[key]

    def experiments(self, reading, method, name):
        """(words, results): one thing changed at a time, then two; for the text, the same again with the program."""
        own = STATES[self.state_of(name)]
        cuts = range(DRAWS)
        for r in ("text", "program") if reading == "text" else ("program",):
            run = lambda state, r=r, **changed: self.run(r, method, name, state, **changed)
            start = "program" if r != reading else ""
            join = lambda words, start=start: ", ".join(w for w in (start, words) if w)
            if start:
                yield start, [run(own)]
            rounded = [own[:2] + (i,) for i in range(DRAWS)]
            yield join("rounding"), [run(s) for s in rounded]
            yield join("state: touching"), [run(s) for s in TOUCHING]
            yield join("state: touching, rounded"), [run(s) for s in ROUNDED]
            yield join("state: later detection"), [run(s) for s in LATER if s != own]
            yield join("tessellation"), [run(own, cut=c) for c in cuts]
            yield join("size"), [run(own, size="20")]
            yield join("filter"), [run(own, is_raw=True)]
            yield join("rounding, tessellation"), [run(s, cut=c) for s in rounded[:3] for c in cuts]
            yield join("rounding, filter"), [run(s, is_raw=True) for s in rounded]
            yield join("state, tessellation"), [run(s, cut=c) for s in TOUCHING + ROUNDED[:2] for c in cuts]
            yield join("state, filter"), [run(s, is_raw=True) for s in TOUCHING + ROUNDED]
            yield join("tessellation, size"), [run(own, cut=c, size="20") for c in cuts]
            yield join("tessellation, filter"), [run(own, cut=c, is_raw=True) for c in cuts]
            yield join("size, filter"), [run(own, size="20", is_raw=True)]

    @staticmethod
    def state_of(name):
        return "sunk:0.000982" if name in ("sliding-spike", "sliding-wedge", "internal-edges", "cliff-edges") \
            else "detection"

    def explain(self, key):
        """{measure: (words, values)} of the cells of a row that differ."""
        cells = self.base[key]
        left = {m for m in MEASURES if cells[m]["agreement"] == "different"}
        found = {}
        for words, results in self.experiments(*key):
            if not left:
                break
            for measure in sorted(left):
                values = sorted({r[measure] for r in results})
                if any(agrees(measure, v, cells[measure]["paper"]) for v in values):
                    found[measure] = (words, values)
                    left.discard(measure)
        for measure in left:
            found[measure] = ("unknown", [])
        return found


def number(x):
    return f"{x:.1f}".rstrip("0").rstrip(".")


def span(values):
    if not values:
        return ""
    return number(values[0]) if len(values) == 1 else f"{number(values[0])} to {number(values[-1])}"


def check_scores(laboratory):
    """The scores made here are those of the command."""
    for key, cells in laboratory.base.items():
        reading, method, name = key
        ours = laboratory.run(reading, method, name, STATES[laboratory.state_of(name)], None)
        for measure in MEASURES:
            if abs(ours[measure] - cells[measure]["ours"]) > 1e-9:
                sys.exit(f"{key}: {measure} is {ours[measure]} here and {cells[measure]['ours']} in --compare")


def main():
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(folder)
        check_scores(laboratory)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            explained = dict(zip(laboratory.base, pool.map(laboratory.explain, laboratory.base)))
    for reading in ("text", "program"):
        counts = {}
        print(f"\n### Reading {reading}: cells that differ by more than 10 points\n")
        print("| method | case | measure | ours | paper | explained by | with it |\n|---|---|---|---|---|---|---|")
        for key, found in explained.items():
            if key[0] != reading:
                continue
            for measure in MEASURES:
                if measure in found:
                    words, values = found[measure]
                    cell = laboratory.base[key][measure]
                    counts[words] = counts.get(words, 0) + 1
                    print(f"| {key[1]} | {key[2]} | {measure} | {number(cell['ours'])} | {number(cell['paper'])} "
                          f"| {words} | {span(values)} |")
        print("\n| explained by | cells |\n|---|---|")
        for words, count in sorted(counts.items()):
            print(f"| {words} | {count} |")


ABUT = os.path.abspath(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
main()
