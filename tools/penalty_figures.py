#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables and plots of docs/reproduction.md on continuous penalty forces (Tang et al. 2012).

    tools/penalty_figures.py ABUT FOLDER DOCS [SCENE ...]

Runs the command ABUT on the scenes of the paper with continuous forces (cpf), and with discrete ones (discrete,
discrete-ccd) at the same step and at a third of it, one thread each. Keeps the results in FOLDER and uses those that are
there. Writes a table of roughness and one of frame rates into DOCS/reproduction.md, and the forces over time as
penalty-*.svg. Needs python3.

Roughness: forces are averaged to the paper's step; of the power of their oscillation (mean removed), the share above
the frequency 1 / (10 dt). Two runs are compared only if their mean forces, and so their impulses, agree within 5 %.
"""

import cmath
import csv
import math
import os
import resource
import subprocess
import sys
import time

import chart
import page

# scene: body whose force is plotted, seconds, frames per second in the paper, figure
SCENES = {
    "chain": ("box", 4.0, 60, "8"),
    "ball-and-stick": ("ball", 0.75, 60, "9"),
    "pin-rings": ("base", 5.0, 35, "15, 16"),
    "octopus": ("bowl", 1.5, 10, "11"),
    "tori-on-cloth": ("cloth", 3.0, 6, "13"),
    "dragons": ("bucket", 0.5, 3, "14"),
}
STEPS = {"chain": 0.02, "ball-and-stick": 0.15, "pin-rings": 1 / 30, "octopus": 0.005, "tori-on-cloth": 1 / 30, "dragons": 0.005}


def run(abut, folder, scene, response, dt, *options):
    """The rows of a run, and its seconds a step; None if it failed."""
    watched, seconds = SCENES[scene][:2]
    steps = round(seconds / dt)
    name = "-".join([scene, response, f"{dt:.3g}", *(o.strip("-") for o in options)])
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
            out.write(f"{used} {time.time() - begin} {done.returncode} {after.ru_maxrss}\n")
        os.rename(path + ".part", path)
    with open(path, encoding="utf-8") as rows, open(path + ".cost", encoding="utf-8") as cost:
        rows = list(csv.DictReader(rows))
        used, _, code, memory = cost.read().split()
    return {"rows": rows, "seconds": float(used) / max(len(rows), 1), "is_whole": code == "0" and len(rows) == steps,
            "memory": int(memory) / 1024}


def forces(result, dt, width):
    """Time and force, averaged over `width`."""
    share = max(1, round(width / dt))
    values = [float(row["force"]) for row in result["rows"]]
    return [((i + share) * dt, sum(values[i:i + share]) / share) for i in range(0, len(values) - share + 1, share)]


def roughness(points):
    """Share of the power of the oscillation above a tenth of the sampling frequency."""
    values = [p[1] for p in points]
    n, mean = len(values), sum(values) / max(len(values), 1)
    power = []
    for k in range(1, n // 2 + 1):
        x = sum((v - mean) * cmath.exp(-2j * math.pi * k * i / n) for i, v in enumerate(values))
        power.append((k / n, abs(x) ** 2))
    whole = sum(p for _, p in power)
    return sum(p for f, p in power if f > 0.1) / whole if whole > 0 else 0.0


def mean(points):
    return sum(p[1] for p in points) / max(len(points), 1)


def compare(abut, folder, scene):
    """A row for each discrete force beside the continuous one, and the lines of the plot."""
    dt = STEPS[scene]
    smooth = run(abut, folder, scene, "cpf", dt)
    base = forces(smooth, dt, dt)
    lines, rows = {"cpf": base}, []
    for response in ("discrete", "discrete-ccd"):
        for part in (1, 3):
            other = run(abut, folder, scene, response, dt / part)
            points = forces(other, dt / part, dt)
            difference = mean(points) / mean(base) - 1 if mean(base) > 0 else math.nan
            is_valid = other["is_whole"] and abs(difference) <= 0.05
            rows.append([scene, f"{response}, dt / {part}" if part > 1 else response, f"{roughness(base):.3f}",
                         f"{roughness(points):.3f}" if points else "", f"{100 * difference:+.1f} %",
                         "yes" if is_valid else "no" if other["is_whole"] else "no: the run failed"])
            if part == 1 or response == "discrete-ccd":
                lines[f"{response}, dt/{part}" if part > 1 else response] = points
    return rows, lines


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    abut, folder, docs, *chosen = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    table, rates = [], []
    for scene in chosen or SCENES:
        dt = STEPS[scene]
        result = run(abut, folder, scene, "cpf", dt)
        least = min(float(row["contact_step"] or "inf") for row in result["rows"])
        rates.append([scene, SCENES[scene][3], f"{dt:.4g}", f"{least:.3g}", f"{max(int(r['contacts']) for r in result['rows'])}",
                      f"{1 / result['seconds']:.0f}", str(SCENES[scene][2]), f"{result['memory']:.0f} MB"])
        if scene in ("ball-and-stick", "dragons"):
            continue
        rows, lines = compare(abut, folder, scene)
        table += rows
        svg = chart.draw(f"{scene}: contact force on the {SCENES[scene][0]}", lines, "time in s")
        with open(os.path.join(docs, f"penalty-{scene}.svg"), "w", encoding="utf-8") as out:
            out.write(svg)
    if not chosen or "pin-rings" in chosen:
        dt = STEPS["pin-rings"]
        lines = {}
        for stiffness in (2000, 4000, 8000):
            result = run(abut, folder, "pin-rings", "cpf", dt, "--stiffness", str(stiffness))
            lines[f"cpf, k = {stiffness}"] = forces(result, dt, dt)
        with open(os.path.join(docs, "penalty-stiffness.svg"), "w", encoding="utf-8") as out:
            out.write(chart.draw("pin-rings: force on the base, by stiffness", lines, "time in s"))
        lines = {}
        for response, step in (("cpf", dt), ("cpf", 0.01), ("discrete-ccd", dt), ("discrete-ccd", 0.01), ("discrete-ccd", 1e-3)):
            lines[f"{response.removeprefix('discrete-')} {step:.2g}"] = forces(run(abut, folder, "pin-rings", response, step), step, dt)
        with open(os.path.join(docs, "penalty-steps.svg"), "w", encoding="utf-8") as out:
            out.write(chart.draw("pin-rings: force on the base, by step in s", lines, "time in s"))
    page.put(docs, "penalty roughness", page.table(["scene", "compared with", "roughness of cpf", "of the other",
                                                    "mean force", "valid"], table))
    page.put(docs, "penalty rates", page.table(["scene", "figure", "dt", "least sqrt(2 m / k)", "most contacts",
                                                "steps a second", "the paper", "memory"], rates))


if __name__ == "__main__":
    main()
