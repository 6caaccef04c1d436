#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sorted curves and histograms of scenes as SVG, in the form of Figures 21, 24, 25, 27 and 28 of Erleben 2018.

    abut assess --case wall,arch --method closest-points,opposing --step 2 --settings paper --option reading=program \\
        --option precision=single --option epsilon=0.01 --option erosion=program --curves curves.csv
    tools/plot_curves.py curves.csv docs [alignment,area]

Draws all curves, or those that are named. Writes wall-alignment.svg, wall-area.svg and so on: one plot for each scene and curve, one line for each method. Needs
python3.
"""

import csv
import os
import sys

import chart

TITLES = {"alignment": "Q of the contacts, sorted", "histogram": "contacts by Q, in steps of 0.05", "area": "contact areas of pairs of bodies, sorted"}
XS = {"alignment": "share of the contacts", "histogram": "Q", "area": "share of the pairs"}
# The areas of the joints, which a right curve consists of.
PLATEAUS = {("wall", "area"): (0.15625, 0.2, 0.3125), ("arch", "area"): (1.0,), ("arch-overlap", "area"): (1.0,)}


def read(path):
    curves = {}
    with open(path, encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            methods = curves.setdefault((row["case"], row["curve"]), {})
            methods.setdefault(row["method"], []).append(float(row["value"]))
    return curves


def line(curve, values):
    """Label and points of a curve."""
    if curve != "histogram":
        return f" ({len(values)})", chart.sorted_line(values)
    total = sum(values)
    return f" ({total:.0f})", [((i + 0.5) / len(values), v / max(total, 1)) for i, v in enumerate(values)]


def plot(name, methods):
    scene, curve = name
    lines = {}
    for method, values in methods.items():
        label, points = line(curve, values)
        lines[method + label] = points
    return chart.draw(f"{scene}: {TITLES[curve]}", lines, XS[curve], high=1.05 if curve == "alignment" else None,
                      dashed=PLATEAUS.get(name, ()))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    wanted = sys.argv[3].split(",") if len(sys.argv) == 4 else TITLES
    for name, methods in read(sys.argv[1]).items():
        if name[1] not in wanted:
            continue
        with open(os.path.join(sys.argv[2], "-".join(name) + ".svg"), "w", encoding="ascii") as file:
            file.write(plot(name, methods))


main()
