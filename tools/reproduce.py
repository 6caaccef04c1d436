#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Experiments behind docs/reproduction.md: why a number of the paper differs from ours.

    tools/reproduce.py build/abut [CASE ...] > cells.md
    tools/reproduce.py build/abut --control CASE ...

Prints our numbers beside the paper's, and then the experiments. Every cell of `abut assess --compare paper` that
differs by more than 10 points (contacts: 10 %) is run again with one thing changed, then with two:

    program       reading=program instead of the text
    rounding      poses moved, and in every other draw also turned, by what single precision rounds (draws)
    state         touching; touching with rounding; the second and third detection. Scenes: every joint overlaps by 1e-7
                  to 1e-3
    tessellation  the same bodies with vertices numbered at random, flat quads of cases cut along a random diagonal, and
                  new tetrahedra by tetgen (draws)
    size          the published scenes' S = 20 instead of 25
    filter        redundant contacts removed as the author's program does: contacts are sorted by position, normal and
                  depth, and neighbours that agree in all of them within 1.2e-6 are merged
    erosion       closest-points: vertices moved along their normals, as section 8.3 says

A cell counts as reached with the first change that makes it agree. --control shows how much that means: how often all
experiments together reach the paper's number, and how often they reach the paper's number of another method. Draws are
the same in every run. Of the joints of the Wall, every seventh is used. Needs python3 and tetgen, and some minutes.
"""

import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import textwrap

MEASURES = ("coverage", "quality", "contacts")
READINGS = ("text", "program")
HEAD = """# The paper's tables, cell by cell

Written by [reproduce.py](../tools/reproduce.py) (`make reproduce`); change the script, not this page.
[reproduction.md](reproduction.md) says what is compared, and what the words mean."""
LEGEND = """The last column has the values of the experiment, least to largest, which reach the paper's within 10 points.
*unknown*: no experiment does. To be reached is weak evidence: see the control in
[reproduction.md](reproduction.md#why-cells-differ)."""
DRAWS = 12
FLOAT = 2.0 ** -23  # of single precision, times sizes of up to 2
GRAVITY, STEP = 9.82, 0.01
PLAIN = ("hole", "crack")  # cut by tetgen without a quality bound, as the paper's program does


def abut(*words):
    done = subprocess.run([ABUT, *words, "--format", "json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def compare(names):
    return abut("assess", "--case", ",".join(names), "--method", "erleben", "--compare", "paper")["results"]


def paper_cells(rows):
    """The cells that the paper has: {(reading, method, case): {measure: {ours, paper, agreement}}}."""
    return {(r["reading"], r["method"], r["case"]): {m: r[m] for m in MEASURES} for r in rows if r["source"]}


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
    """Flips the common edge of two coplanar triangles that form a convex quad, with probability 1/2."""
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


def cut_anew(source, target, shape, draw, flips=True):
    """Writes target.node, .ele and .face: the body of source with another tessellation, also of the surface if it flips."""
    faces = [[int(i) for i in row[1:4]] for row in read_table(source + ".face")]
    count = 1 + max(i for t in faces for i in t)
    vertices = [row[1:4] for row in read_table(source + ".node")[:count]]
    order = list(range(count))
    draw.shuffle(order)
    number = {old: new for new, old in enumerate(order)}
    vertices = [vertices[i] for i in order]
    faces = [[number[i] for i in t] for t in faces]
    faces = flip_diagonals(vertices, faces, draw) if flips else faces
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


def rounded(pose, draw, name):
    """A pose with rounding errors of single precision: of the position, in odd draws also of the rotation."""
    noise = random.Random(f"{name} {draw}")
    count = 7 if draw % 2 else 3
    return [p + noise.uniform(-FLOAT, FLOAT) if k < count else p for k, p in enumerate(pose)]


def poses_of(case, state):
    poses = {}
    move = displacement(case, state)
    for side in "ab":
        pose = list(case[side]["pose"])
        if not case[side]["fixed"]:
            pose[:3] = [p + d for p, d in zip(pose, move)]
            if state[2] is not None:
                pose = rounded(pose, state[2], case["name"])
        poses[side] = pose
    return poses


def twice_area(files, contact):
    """The length that the author's program gives to the normal of this face."""
    base = files[contact["normal_side"]]
    face = read_table(base + ".face")[contact["normal_feature"]["index"]]
    a, b, c = ([float(x) for x in read_table(base + ".node")[int(i)][1:4]] for i in face[1:4])
    return math.hypot(*cross([b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]))


EPSILON = 10 * 2.0 ** -23


def program_filter(contacts):
    """Filters raw contacts as the author's program does: it compares neighbours in the order only, and depths count."""
    kept = []
    row = lambda c: [c["position"][k] for k in (1, 0, 2)] + [c["normal"][k] for k in (1, 0, 2)] + [c["gap"]]
    for contact in sorted(contacts, key=row):
        if not kept or any(abs(x - y) > EPSILON for x, y in zip(row(kept[-1]), row(contact))):
            kept.append(contact)
    return kept


def contacts_of(method, reading, files, poses, is_raw=False, velocities=None, erosion=None):
    """Positions and normals of the contacts of two bodies. Normals have the lengths that the score uses."""
    words = ["contacts", files["a"] + ".node", files["b"] + ".node", "--method", method, "--option", "reading=" + reading]
    for side in "ab":
        words += ["--pose-" + side, " ".join(repr(x) for x in poses[side])]
        if velocities is not None:
            words += ["--velocity-" + side, " ".join(repr(x) for x in velocities[side] + [0, 0, 0])]
    if method == "closest-points":
        erosion = erosion or ("program" if reading == "program" else "mitred")
        words += ["--option", "epsilon=0.01", "--option", "erosion=" + erosion]
    contacts = program_filter(abut(*words, "--raw")["contacts"]) if is_raw else abut(*words)["contacts"]
    scored = []
    for contact in contacts:
        has_length = method == "intersection" and reading == "program" and contact["normal_feature"] is not None \
            and contact["normal_feature"]["kind"] == "face"
        length = twice_area(files, contact) if has_length else 1
        scored.append((contact["position"], [length * x for x in contact["normal"]]))
    return scored


def is_along(normal, expected):
    return min(math.dist(normal, expected), math.dist([-x for x in normal], expected)) <= 1e-3


def query(method, reading, case, state, files, is_raw):
    velocities = {side: case[side]["linear_velocity"] for side in "ab"}
    contacts = contacts_of(method, reading, files, poses_of(case, state), is_raw, velocities)
    expected = {tuple(t["normal"]) for t in case["truth"]["table"]}
    met, right = set(), 0
    for _, normal in contacts:
        hits = {e for e in expected if is_along(normal, e)}
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


class Cases:
    """Experiments with cases of two bodies."""

    def __init__(self, folder, names):
        self.folder = folder
        self.known = {}
        self.cases = {}
        for size in SIZES:
            place = os.path.join(folder, str(size))
            abut("cases", *names, "--out", place, *([] if size is None else ["--scene-size", size]))
            for name in names:
                with open(os.path.join(place, name + ".json"), encoding="utf-8") as file:
                    self.cases[size, name] = json.load(file)
                for i in range(DRAWS):
                    for side in "ab":
                        source = os.path.join(place, f"{name}-{side}")
                        shape = self.cases[size, name][side]["shape"]
                        cut_anew(source, f"{source}-{i}", shape, random.Random(f"{name} {side} {i}"))

    def own(self, reading, method, name):
        return self.run(reading, method, name, STATES[state_of(name)])

    def run(self, reading, method, name, state, cut=None, size=None, is_raw=False):
        key = (reading, method, name, state, cut, size, is_raw)
        if key not in self.known:
            base = os.path.join(self.folder, str(size), name)
            files = {side: f"{base}-{side}" + ("" if cut is None else f"-{cut}") for side in "ab"}
            self.known[key] = query(method, reading, self.cases[size, name], state, files, is_raw)
        return self.known[key]

    def experiments(self, reading, method, name):
        """(words, results): one thing changed at a time, then two; for the text, the same again with the program."""
        own = STATES[state_of(name)]
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


def state_of(name):
    return "sunk:0.000982" if name in ("sliding-spike", "sliding-wedge", "internal-edges", "cliff-edges") else "detection"


# ---- scenes

def hull_area(points):
    """Area of the convex hull of points in the plane."""
    points = sorted(points)
    twice = 0.0
    for row in (points, points[::-1]):
        chain = []
        for p in row:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1])
                                      - (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])) <= 0:
                chain.pop()
            chain.append(p)
        twice += sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(chain, chain[1:]))
    return twice / 2


class Scene:
    """Experiments with the joints of a scene, one by one."""
    DEPTHS = (1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 1e-4, 1e-3)

    def __init__(self, folder, name):
        self.base = os.path.join(folder, name)
        self.known = {}
        abut("cases", name, "--out", folder)
        with open(self.base + ".json", encoding="utf-8") as file:
            self.scene = json.load(file)
        self.bodies = {body["name"]: body for body in self.scene["bodies"]}
        self.draws = 4 if name == "wall" else DRAWS
        self.joints = self.scene["joints"][::7] if name == "wall" else self.scene["joints"]
        for i in range(self.draws):
            for mesh in {body["tets"][:-len(".node")] for body in self.scene["bodies"]}:
                source = os.path.join(folder, mesh)
                cut_anew(source, f"{source}-{i}", None, random.Random(f"{mesh} {i}"), flips=False)
        self.folder = folder

    def joint(self, joint, reading, method, depth, draw, cut, is_raw, erosion):
        """Number of contacts, number of right ones, and the area that they span in the plane of the joint."""
        files, poses = {}, {}
        for side in "ab":
            body = self.bodies[joint[side]]
            files[side] = os.path.join(self.folder, body["tets"][:-len(".node")]) + ("" if cut is None else f"-{cut}")
            poses[side] = list(body["pose"])
        poses["b"][:3] = [p - depth * n for p, n in zip(poses["b"], joint["normal"])]
        if draw is not None:
            poses["b"] = rounded(poses["b"], draw, joint["a"] + joint["b"])
        contacts = contacts_of(method, reading, files, poses, is_raw, erosion=erosion)
        n = joint["normal"]
        u = cross(n, (0.0, 0.0, 1.0))
        v = cross(n, u)
        plane = [tuple(sum(p[k] * w[k] for k in range(3)) for w in (u, v)) for p, _ in contacts]
        return len(contacts), sum(self.is_right(m, n) for _, m in contacts), hull_area(plane)

    def is_right(self, normal, expected):
        """Whether a normal is right. Of Wall and Arch the paper has plots of Q only: there, from Q = 0.99 on."""
        is_seen = abs(sum(x * y for x, y in zip(normal, expected))) >= 0.99
        return is_along(normal, expected) if self.scene["name"] == "pillar" else is_seen

    def run(self, reading, method, depth=0.0, draw=None, cut=None, is_raw=False, erosion=None):
        key = (reading, method, depth, draw, cut, is_raw, erosion)
        if key not in self.known:
            found = [self.joint(j, *key) for j in self.joints]
            count, right, area = (sum(x[k] for x in found) for k in range(3))
            whole = math.nan if self.scene["area"] is None else sum(joint["area"] for joint in self.joints)
            self.known[key] = {"coverage": 100 * area / whole, "quality": 100 * right / max(count, 1), "contacts": count}
        return self.known[key]

    def own(self, reading, method, _):
        return self.run(reading, method)

    def experiments(self, reading, method, _):
        cuts = range(self.draws)
        for r in ("text", "program") if reading == "text" else ("program",):
            run = lambda r=r, **changed: self.run(r, method, **changed)
            start = "program" if r != reading else ""
            join = lambda words, start=start: ", ".join(w for w in (start, words) if w)
            if start:
                yield start, [run()]
            yield join("rounding"), [run(draw=i) for i in cuts]
            yield join("state"), [run(depth=d) for d in self.DEPTHS]
            yield join("tessellation"), [run(cut=c) for c in cuts]
            yield join("filter"), [run(is_raw=True)]
            if method == "closest-points":
                yield join("erosion"), [run(erosion="vertex-normal")]
            yield join("state, rounding"), [run(depth=d, draw=i) for d in self.DEPTHS for i in (0, 1)]
            yield join("state, tessellation"), [run(depth=d, cut=c) for d in self.DEPTHS for c in (0, 1)]
            yield join("state, filter"), [run(depth=d, is_raw=True) for d in self.DEPTHS]
            if method == "closest-points":
                yield join("state, erosion"), [run(depth=d, erosion="vertex-normal") for d in (*self.DEPTHS, 3e-3, 1e-2)]


# ---- the report

def explain(laboratory, key, cells):
    """{measure: (words, values)} for the cells of a row that differ."""
    left = {m for m in MEASURES if cells[m]["agreement"] == "different"}
    found = {}
    for words, results in laboratory.experiments(*key):
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


def check_scores(laboratory, key, cells):
    """Checks that the scores made here are those of the command. Exceptions: the Wall is sampled, the Arch has another normal."""
    ours = laboratory.own(*key)
    for measure in MEASURES:
        loose = key[2] == "wall" or key[2] == "arch"
        if cells[measure]["agreement"] is not None \
                and abs(ours[measure] - cells[measure]["ours"]) > (10 if loose else 1e-9):
            sys.exit(f"{key}: {measure} is {ours[measure]} here and {cells[measure]['ours']} in --compare")


def cell_text(cell):
    if cell["ours"] is None or math.isnan(cell["ours"]):
        return "-"
    ours = number(cell["ours"])
    if cell["paper"] is None:
        return ours
    paper = number(cell["paper"])
    return f"**{ours}** ({paper})" if cell["agreement"] == "different" else f"{ours} ({paper})"


def print_table(title, rows, names):
    """Ours and, in brackets, the paper's; a row for each method and variant, a column for each case."""
    for measure in MEASURES:
        if all(row[measure]["ours"] is None for row in rows):
            continue
        print(f"\n### {title}: {measure}\n")
        print("| method | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
        lines = {}
        for row in rows:
            label = f"`{row['method']}`" + (f", {row['option'].split('=')[0]}" if row["option"] else "")
            lines.setdefault(label, {})[row["case"]] = cell_text(row[measure])
        for label, cells in lines.items():
            print(f"| {label} | " + " | ".join(cells[name] for name in names) + " |")


def print_report(title, rows, explained):
    """Prints the cells of one reading and table that differ."""
    counts = {}
    print(f"\n### {title}, cells that differ\n")
    print("| method | case | measure | ours | paper | reached with | values |\n|---|---|---|---|---|---|---|")
    for key, cells in rows.items():
        for measure in (m for m in MEASURES if m in explained[key]):
            words, values = explained[key][measure]
            counts[words] = counts.get(words, 0) + 1
            print(f"| `{key[1]}` | `{key[2]}` | {measure} | {number(cells[measure]['ours'])} "
                  f"| {number(cells[measure]['paper'])} | {words} | {span(values)} |")
    total = sum(c[m]["agreement"] is not None for c in rows.values() for m in MEASURES)
    words = "; ".join(f"{words} {count}" for words, count in sorted(counts.items(), key=lambda x: (-x[1], x[0])))
    text = f"Of {total} cells {sum(counts.values())} differ by more than 10 points" + (": " + words if words else "") + "."
    print("\n" + textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False))


def print_rounding(laboratories):
    """Prints how much the last bit of a coordinate changes Wall and Arch."""
    print("\n## Wall and Arch, rounded\n\nReading program, with poses as single precision may have them: least to largest of the draws.\n")
    print("| scene | method | poses | wrong normals, % | P |\n|---|---|---|---|---|")
    for name, scene in laboratories.items():
        for method in ("closest-points", "opposing"):
            kinds = {"exact": [None], "moved": range(0, scene.draws, 2), "moved and turned": range(1, scene.draws, 2)}
            for kind, draws in kinds.items():
                runs = [scene.run("program", method, draw=i) for i in draws]
                wrong = sorted({round(100 - r["quality"], 1) for r in runs})
                area = sorted({round(r["coverage"] / 100, 2) for r in runs})
                print(f"| {name} | `{method}` | {kind} | {span(wrong)} | {' to '.join(f'{p:.2f}' for p in area)} |")


def control(names):
    """Reading program: cells that differ, with the paper's number as the target, and with those of the other methods on the case."""
    base = {key: cells for key, cells in paper_cells(compare(names)).items() if key[0] == "program"}
    reached, tried = {"paper": 0, "other": 0}, {"paper": 0, "other": 0}
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Cases(folder, names)
        for key, cells in base.items():
            different = [m for m in MEASURES if cells[m]["agreement"] == "different"]
            results = [r for _, found in laboratory.experiments(*key) for r in found] if different else []
            for measure in different:
                paper, ours = cells[measure]["paper"], cells[measure]["ours"]
                others = {c[measure]["paper"] for k, c in base.items() if k[2] == key[2]}
                targets = [("paper", paper)] + [("other", t) for t in sorted(others)
                                                if not agrees(measure, t, paper) and not agrees(measure, ours, t)]
                for kind, target in targets:
                    tried[kind] += 1
                    reached[kind] += any(agrees(measure, r[measure], target) for r in results)
    for kind in ("paper", "other"):
        print(f"{kind}: {reached[kind]} of {tried[kind]} reached")


def main(names):
    known = abut("cases")
    scenes = [n for n in names if n in {s["name"] for s in known["scenes"]}]
    cases = [n for n in names if n not in scenes]
    compared = compare(names)
    base = paper_cells(compared)
    with tempfile.TemporaryDirectory() as folder:
        laboratories = {name: Scene(folder, name) for name in scenes}
        if cases:
            laboratories.update(dict.fromkeys(cases, Cases(folder, cases)))

        def work(key):
            check_scores(laboratories[key[2]], key, base[key])
            return explain(laboratories[key[2]], key, base[key])

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            explained = dict(zip(base, pool.map(work, base)))
        print_all(scenes, cases, compared, base, explained)
        if {"wall", "arch"} & set(scenes):
            print_rounding({name: laboratories[name] for name in scenes if name != "pillar"})


def print_all(scenes, cases, compared, base, explained):
    groups = [(title, group) for title, group in (
        ("Table 8", cases), ("Table 7", [n for n in scenes if n == "pillar"]),
        ("Sections 8.2 and 8.3", [n for n in scenes if n != "pillar"])) if group]
    print(HEAD)
    print("\n## Ours, and in brackets the paper's\n\nBold: they differ by more than 10 points (contacts: 10 %).")
    for title, group in groups:
        for reading in READINGS:
            print_table(f"{title}, reading {reading}",
                        [r for r in compared if r["case"] in group and r["reading"] == reading], group)
    print(f"\n## Why cells differ\n\n{LEGEND}")
    for title, group in groups:
        for reading in READINGS:
            rows = {key: cells for key, cells in base.items() if key[0] == reading and key[2] in group}
            print_report(f"{title}, reading {reading}", rows, explained)


ABUT = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else sys.exit(__doc__)
if sys.argv[2:3] == ["--control"]:
    control(sys.argv[3:])
else:
    main(sys.argv[2:] or [c["name"] for c in abut("cases", "fundamental")["cases"]] + ["pillar", "wall", "arch"])
