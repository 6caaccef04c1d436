#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sorted curves of scenes as SVG, in the form of Figures 24, 25, 27 and 28 of Erleben 2018.

    abut assess --case wall,arch --method closest-points,opposing --option epsilon=0.01 --option reading=program \\
        --option erosion=program --curves curves.csv
    tools/plot_curves.py curves.csv docs

Writes wall-alignment.svg, wall-area.svg and so on: one drawing for each scene and curve, one line for each method. Needs python3.
"""

import csv
import os
import sys

WIDTH, HEIGHT = 560, 240
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 30, 40
COLOURS = {"closest-points": "#1f6fb4", "opposing": "#d95f02"}
OTHERS = ["#33805a", "#7a52a8", "#a03050", "#606060"]
TITLES = {"alignment": "Q of the contacts, sorted", "area": "contact areas of pairs of bodies, sorted"}
# what a right curve is made of: the areas of the joints
PLATEAUS = {("wall", "area"): (0.15625, 0.2, 0.3125), ("arch", "area"): (1.0,), ("arch-overlap", "area"): (1.0,)}


def read(path):
    curves = {}
    with open(path, encoding="ascii", newline="") as file:
        for row in csv.DictReader(file):
            methods = curves.setdefault((row["case"], row["curve"]), {})
            methods.setdefault(row["method"], []).append(float(row["value"]))
    return curves


def number(x):
    return f"{x:.2f}".rstrip("0").rstrip(".")


def ticks(top):
    step = next(s for s in (0.05, 0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0) if top / s <= 6)
    return [i * step for i in range(int(top / step + 1e-9) + 1)]


def plot(name, methods):
    scene, curve = name
    top = 1.05 * max([1.0 if curve == "alignment" else 0.0, *PLATEAUS.get(name, ()), *(max(v) for v in methods.values())])
    x = lambda share: LEFT + share * (WIDTH - LEFT - RIGHT)
    y = lambda value: HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
             f'<text x="{LEFT}" y="18">{scene}: {TITLES[curve]}</text>']
    for value in ticks(top):
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#e0e0e0"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{number(value)}</text>')
    for value in PLATEAUS.get(name, ()):
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#909090" '
                     'stroke-dasharray="4 3"/>')
    for i, (method, values) in enumerate(methods.items()):
        colour = COLOURS.get(method, OTHERS[i % len(OTHERS)])
        # a step where the drawn height changes
        steps = [k for k, v in enumerate(values) if k == 0 or f"{y(v):.1f}" != f"{y(values[k - 1]):.1f}"]
        path = " ".join(f"{x(a / len(values)):.1f},{y(values[a]):.1f} {x(b / len(values)):.1f},{y(values[a]):.1f}"
                        for a, b in zip(steps, steps[1:] + [len(values)]))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        left = LEFT + 170 * i
        lines.append(f'<line x1="{left}" x2="{left + 18}" y1="{HEIGHT - 12}" y2="{HEIGHT - 12}" stroke="{colour}" '
                     'stroke-width="3"/>')
        lines.append(f'<text x="{left + 24}" y="{HEIGHT - 8}">{method} ({len(values)})</text>')
    lines.append(f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" height="{HEIGHT - TOP - BOTTOM}" fill="none" '
                 'stroke="#404040"/>')
    return "\n".join(lines + ["</svg>", ""])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    for name, methods in read(sys.argv[1]).items():
        with open(os.path.join(sys.argv[2], "-".join(name) + ".svg"), "w", encoding="ascii") as file:
            file.write(plot(name, methods))


main()
