#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Kinetic energy of bodies that spin without slip, over time, as SVG.

    abut study spin --dts 0.001 --curves spin.csv > spin.txt
    tools/plot_spin.py spin.csv "sphere on a box" docs/spin-box.svg

One line for the starts on a vertex, one for those on a face, and for each number of vertices the median of the random starts. The file has one time
step, size, tolerance and method. Needs python3.
"""

import csv
import sys

import chart

SECONDS = 5.0


def read(path):
    """{(vertices, start, seed or line of the spread): [(time, energy), ...]}"""
    curves = {}
    with open(path, encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            key = (int(float(row["vertices"])), row["start"], row["seed"])
            curves.setdefault(key, []).append((SECONDS * float(row["position"]), float(row["value"])))
    return curves


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    curves, lines = read(sys.argv[1]), {}
    for (vertices, start, seed), line in sorted(curves.items()):
        if start != "random":
            lines.setdefault(start, line)  # all vertex counts are alike
    for (vertices, start, seed), line in sorted(curves.items()):
        if seed == "median":
            lines[f"{vertices}"] = line
    with open(sys.argv[3], "w", encoding="ascii") as file:
        file.write(chart.draw(f"{sys.argv[2]}: share of kinetic energy left; random starts by vertices", lines, "seconds", high=1.05))


if __name__ == "__main__":
    main()
