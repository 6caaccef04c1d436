#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables and plots of docs/reproduction.md on continuous penalty forces (Tang et al. 2012).

    tools/penalty_figures.py ABUT FOLDER DOCS [SCENE|growth ...]

Runs the command ABUT on the scenes of the paper with continuous forces (cpf), and with discrete ones (discrete,
discrete-ccd) at the same step and at a third of it, one thread each. Keeps the results in FOLDER and uses those that are
there. Writes tables of roughness, frame rates, and growth into DOCS/reproduction.md, in which rows of other scenes stay, and
the forces over time as penalty-*.svg. Needs python3.

The force is that of all moving bodies on all fixed ones, or on the cloth: a vector, whose integral over time is the change of
momentum less gravity's part. So runs that begin and end nearly at rest have the same impulse, whatever happens in between.

Roughness: the vectors are averaged to the paper's step. Of the power of their length, the share above the frequency
1 / (10 dt); "of the oscillation": the same without the mean. Two runs are compared only if the means of the length, and
the lengths of the impulses, agree within 5 %.
"""

import cmath
import csv
import json
import math
import os
import resource
import subprocess
import sys
import time

import chart
import page

# scene: bodies that bear the others, seconds, step, frames per second in the paper, figure
SCENES = {
    "chain": ("box,link-0", 10.0, 0.02, 60, "1, 8"),
    "ball-and-stick": ("stick", 0.75, 0.15, 60, "9"),
    "pin-rings": ("base,pin-*", 5.0, 1 / 30, 35, "1, 15, 16"),
    "octopus": ("bowl", 1.2, 0.003, 10, "10, 11"),
    "tori-on-cloth": ("cloth", 3.0, 1 / 30, 6, "12, 13"),
    "dragons": ("bucket", 1.5, 0.003, 3, "14"),
}
STEPS_TIMED = {"chain": 150, "ball-and-stick": 5, "pin-rings": 150, "octopus": 200, "tori-on-cloth": 60, "dragons": 40}
CLOTHS = (20, 40, 80)  # cells along a side
NOT_COMPARED = ("ball-and-stick", "dragons")  # one impact; one run takes minutes


def run(abut, folder, scene, response, dt, *options, watched=None, seconds=None):
    """The rows of a run, and its seconds a step."""
    watched = watched or SCENES[scene][0]
    steps = round((seconds or SCENES[scene][1]) / dt)
    name = "-".join([scene, response, f"{dt:.3g}", watched.replace("*", ""), str(steps), *(o.strip("-") for o in options)])
    path = os.path.join(folder, f"penalty-{name}.csv")
    if not os.path.exists(path):
        command = [abut, "simulate", scene, "--response", response, "--dt", repr(dt), "--steps", str(steps), "--watch",
                   watched, "--format", "csv", *options]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        begin = time.time()
        with open(path + ".part", "w", encoding="utf-8") as out:
            done = subprocess.run(command, stdout=out, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        with open(path + ".cost", "w", encoding="utf-8") as out:
            out.write(f"{used} {time.time() - begin} {done.returncode}\n")
        os.rename(path + ".part", path)
    with open(path, encoding="utf-8") as rows, open(path + ".cost", encoding="utf-8") as cost:
        rows = list(csv.DictReader(rows))
        used, _, code = cost.read().split()
    return {"rows": rows, "seconds": float(used) / max(len(rows), 1), "is_whole": code == "0" and len(rows) == steps}


def slower(abut, folder, scene, other):
    """How many times as long as one with other forces a step of a scene takes with continuous ones."""
    if scene in NOT_COMPARED:
        return "-"
    ours, theirs = (run(abut, folder, scene, r, SCENES[scene][2])["seconds"] for r in ("cpf", other))
    return f"{ours / theirs:.1f}"


def vectors(result):
    return [tuple(float(row["force_" + axis]) for axis in "xyz") for row in result["rows"]]


def forces(result, dt, width):
    """Time, and the length of the force averaged over `width`."""
    share = max(1, round(width / dt))
    values = vectors(result)
    points = []
    for i in range(0, len(values) - share + 1, share):
        sums = [sum(v[axis] for v in values[i:i + share]) / share for axis in range(3)]
        points.append(((i + share) * dt, math.hypot(*sums)))
    return points


def impulse(result, dt):
    return math.hypot(*(dt * sum(v[axis] for v in vectors(result)) for axis in range(3)))


def roughness(points):
    """Shares of the power above a tenth of the sampling frequency: of all of it, and of that of the oscillation."""
    values = [p[1] for p in points]
    n, power = len(values), []
    for k in range(n // 2 + 1):
        x = sum(v * cmath.exp(-2j * math.pi * k * i / n) for i, v in enumerate(values))
        power.append((1 if k == 0 or 2 * k == n else 2) * abs(x) ** 2)
    high = sum(p for k, p in enumerate(power) if k / n > 0.1)
    whole, swing = sum(power), sum(power[1:])
    return (high / whole if whole > 0 else 0.0), (high / swing if swing > 0 else 0.0)


def mean(points):
    return sum(p[1] for p in points) / max(len(points), 1)


def compare(abut, folder, scene):
    """A row for each discrete force beside the continuous one, and the lines of the plot."""
    dt = SCENES[scene][2]
    smooth = run(abut, folder, scene, "cpf", dt)
    base = forces(smooth, dt, dt)
    lines, rows = {"cpf": base}, []
    own = roughness(base)
    for response in ("discrete", "discrete-ccd"):
        for part in (1, 3):
            other = run(abut, folder, scene, response, dt / part)
            points = forces(other, dt / part, dt)
            by_force = mean(points) / mean(base) - 1
            by_impulse = impulse(other, dt / part) / impulse(smooth, dt) - 1
            is_valid = other["is_whole"] and abs(by_force) <= 0.05 and abs(by_impulse) <= 0.05
            its = roughness(points) if points else (math.nan, math.nan)
            rows.append([scene, f"{response}, dt / {part}" if part > 1 else response, f"{own[0]:.5f}", f"{its[0]:.5f}",
                         f"{own[1]:.4f}", f"{its[1]:.4f}", f"{100 * by_force:+.1f} %", f"{100 * by_impulse:+.1f} %",
                         "yes" if is_valid else "no" if other["is_whole"] else "no: the run failed"])
            lines[f"{response}, dt/{part}" if part > 1 else response] = points
    return rows, lines


def shares(abut, folder, scene, steps):
    """Seconds a step of the broad phase, of detection with impulses, of elastic forces and of all else; megabytes; the mean
    number of contacts."""
    path = os.path.join(folder, "penalty-rate-" + os.path.basename(scene).removesuffix(".json"))
    if not os.path.exists(path + ".txt"):
        one = {**os.environ, "OMP_NUM_THREADS": "1"}
        with subprocess.Popen([abut, "simulate", scene, "--steps", str(steps), "--out", path + ".h5"], env=one,
                              stdout=subprocess.DEVNULL) as child:
            memory = os.wait4(child.pid, 0)[2].ru_maxrss / 1024
        subprocess.run([abut, "export", path + ".h5", "--csv", path], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(path, "steps.csv"), encoding="utf-8") as rows:
            rows = list(csv.DictReader(rows))
        sums = [sum(float(r["seconds_" + part]) for r in rows) for part in ("broad", "narrow", "move", "solve")]
        os.remove(path + ".h5")
        with open(path + ".txt", "w", encoding="utf-8") as out:
            contacts = sum(float(r["contacts"]) for r in rows) / len(rows)
            out.write(" ".join(str(s / len(rows)) for s in sums) + f" {memory} {contacts}\n")
    with open(path + ".txt", encoding="utf-8") as file:
        return [float(x) for x in file.read().split()]


def scene_of_cloth(cells):
    """A cloth of 2 cells^2 triangles, and the scene in which it falls on a box, as texts of an OBJ and a JSON file."""
    side = cells + 1
    lines = [f"v {(i % side) / cells - 0.5!r} 0 {(i // side) / cells - 0.5!r}" for i in range(side * side)]
    for i in range(cells * cells):
        a = i // cells * side + i % cells + 1
        lines += [f"f {a} {a + side} {a + side + 1}", f"f {a} {a + side + 1} {a + 1}"]
    scene = {
        "schema": 1, "gravity": [0, -9.81, 0], "dt": 0.005, "materials": {"m": {}},
        "meshes": {"cloth": {"file": f"cloth-{cells}.obj"}, "box": {"box": [0.5, 0.5, 0.5]}},
        "bodies": [{"mesh": "box", "material": "m", "fixed": True},
                   {"mesh": "cloth", "material": "m", "position": [0, 0.251, 0],
                    "soft": {"stretch": 100, "area_density": 0.3, "mass_damping": 1}}]}
    return "\n".join(lines) + "\n", json.dumps(scene)


def growth(abut, folder):
    """Rows of triangles, contacts, milliseconds a step, the same for a triangle, and memory, for cloths of five sizes."""
    rows = []
    for cells in CLOTHS:
        name = os.path.join(folder, f"cloth-{cells}")
        mesh, scene = scene_of_cloth(cells)
        for ending, text in ((".obj", mesh), (".json", scene)):
            with open(name + ending, "w", encoding="utf-8") as out:
                out.write(text)
        *seconds, memory, contacts = shares(abut, folder, name + ".json", 20)
        step = sum(seconds)
        rows.append([f"{2 * cells * cells:,}", f"{contacts:.0f}", f"{1e3 * step:.3g}", f"{5e5 * step / cells ** 2:.2f}",
                     f"{memory:.0f} MB"])
    return rows


def merge(docs, name, head, fresh):
    """Puts the rows of the scenes that were run into a table; those of other scenes stay."""
    done = {row[0] for row in fresh}
    kept = [row + ["-"] * (len(head) - len(row)) for row in page.rows(docs, name) if row[0] not in done]
    order = list(SCENES)
    page.put(docs, name, page.table(head, sorted(kept + fresh, key=lambda row: order.index(row[0]))))


def write(docs, name, title, lines):
    with open(os.path.join(docs, f"penalty-{name}.svg"), "w", encoding="utf-8") as out:
        out.write(chart.draw(title, lines, "time in s"))


def plot_rings(abut, folder, docs):
    """Figures 15 and 16."""
    dt, base = SCENES["pin-rings"][2], {"watched": "base"}
    lines = {}
    for stiffness in (2000, 4000, 8000):
        result = run(abut, folder, "pin-rings", "cpf", dt, "--stiffness", str(stiffness), **base)
        lines[f"cpf, k = {stiffness}"] = forces(result, dt, dt)
    write(docs, "stiffness", "pin-rings: force on the base, by stiffness", lines)
    lines = {}
    for response, step in (("cpf", dt), ("cpf", 0.01), ("discrete-ccd", dt), ("discrete-ccd", 0.01), ("discrete-ccd", 1e-3),
                           ("discrete-ccd", 1e-4)):
        result = run(abut, folder, "pin-rings", response, step, seconds=1.5, **base)
        lines[f"{response.removeprefix('discrete-')} {step:.2g}"] = forces(result, step, max(step, 0.01))
    write(docs, "steps", "pin-rings: force on the base, by step in s", lines)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    abut, folder, docs, *chosen = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    table, rates = [], []
    for scene in [c for c in chosen if c != "growth"] or (SCENES if not chosen else ()):
        _, _, dt, frames, figure = SCENES[scene]
        result = run(abut, folder, scene, "cpf", dt)
        least = min(float(row["contact_step"] or "inf") for row in result["rows"])
        broad, narrow, move, solve, memory, _ = shares(abut, folder, scene, STEPS_TIMED[scene])
        whole, cost = broad + narrow + move + solve, result["seconds"]  # a busy machine lengthens the former
        rates.append([scene, figure, f"{dt:.4g}", f"{least:.3g}", f"{max(int(r['contacts']) for r in result['rows'])}",
                      f"{1 / cost:.0f}" if cost < 0.1 else f"{1 / cost:.1f}", str(frames),
                      f"{100 * (broad + narrow) / whole:.0f} %", f"{100 * move / whole:.0f} %",
                      f"{100 * solve / whole:.0f} %", f"{memory:.0f} MB",
                      " / ".join(slower(abut, folder, scene, other) for other in ("discrete", "discrete-ccd"))])
        if scene in NOT_COMPARED:
            continue
        rows, lines = compare(abut, folder, scene)
        table += rows
        if scene == "chain":  # the paper plots the force on the box alone
            lines = {r: forces(run(abut, folder, scene, r, dt, watched="box"), dt, dt) for r in
                     ("cpf", "discrete", "discrete-ccd")}
        if scene != "pin-rings":
            write(docs, scene, f"{scene}: contact force", lines)
    if not chosen or "pin-rings" in chosen:
        plot_rings(abut, folder, docs)
    if rates:
        merge(docs, "penalty roughness", ["scene", "compared with", "roughness of cpf", "of the other",
                                          "of its oscillation, cpf", "the other", "mean force", "impulse", "valid"], table)
        merge(docs, "penalty rates", ["scene", "figure", "dt", "least sqrt(2 m / k)", "most contacts", "steps a second",
                                      "the paper", "detection and impulses", "elastic forces", "friction and motion", "memory",
                                      "time of a step / with discrete, discrete-ccd"], rates)
    if not chosen or "growth" in chosen:
        page.put(docs, "penalty growth", page.table(["triangles", "contacts", "ms a step", "us a triangle", "memory"],
                                                    growth(abut, folder)))


if __name__ == "__main__":
    main()
