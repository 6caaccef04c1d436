#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table and the plots of docs/reproduction.md on bodies that spin without slip.

    abut study spin --scene spinning-box --response mcp --out spin-cube-mcp.json
    tools/spin_tables.py docs spin-cube-mcp.json spin-cube-prox.json ...

Takes studies of several scenes with both solvers. Writes a table for each solver into docs/reproduction.md: the share of
kinetic energy that is left after 5 s, by size, step and start, and the paper's result. Writes spin-box.svg and
spin-spheres.svg with proximal Gauss-Seidel, for steps of 0.001 and a radius of 1. They have a line for
starts on a vertex, one for starts on a face, and for each number of vertices the median of random starts. Needs python3.
"""

import json
import os
import sys

import chart
import page

SECONDS = 5.0
SCENES = {"spinning-box": "cube on a box", "spinning-sphere": "sphere on a box", "rolling-spheres": "sphere on a fixed sphere"}
STARTS = ["vertex", "face", "random"]
PLOTS = {"spinning-sphere": "spin-box.svg", "rolling-spheres": "spin-spheres.svg"}


def left(values):
    """The share of energy that is left (mean; least and most if they differ), and when runs stopped."""
    mean, least, most = (f"{values['kept'][key]:.2f}" for key in ("mean", "least", "most"))
    text = mean if least == most else f"{mean} ({least} to {most})"
    stop = values["stop_time"]
    if stop["mean"] is None:
        return text
    times = f"{stop['least']:.3g}" if stop["least"] == stop["most"] else f"{stop['least']:.3g} to {stop['most']:.3g}"
    return f"{text}; {values['outcome']}, at {times} s"


def said(values):
    """The paper's result for these runs, without their number."""
    word, time = values["paper"].split(" ")[0], values["paper_stop_time"]["mean"]
    return "" if word == "none" else word if time is None else f"{word} at {time:g} s"


def rows(result):
    """A row for each size and step, a column for each start."""
    cells = {}
    for group in result["summary"]:
        parameters = group["parameters"]
        key = [SCENES[result["settings"]["scene"]], *(f"{parameters[name]:g}" for name in ("radius", "dt", "vertices"))]
        cells.setdefault(tuple(key), {})[parameters["start"]] = group["values"]
    for key, starts in cells.items():
        yield [*key, *(left(starts[start]) if start in starts else "" for start in STARTS), said(next(iter(starts.values())))]


def plot(result):
    lines = {}
    for group in result["summary"]:
        parameters = group["parameters"]
        if parameters["dt"] != 0.001 or parameters["radius"] != 1:
            continue
        if parameters["start"] == "random":
            series = group["spread"]["energy"]["median"]
            name = f"{parameters['vertices']:g}"
        else:
            run = next(r for r in result["runs"] if group["parameters"].items() <= r["parameters"].items())
            series, name = run["series"]["energy"], parameters["start"]
        lines.setdefault(name, [(SECONDS * i / (len(series) - 1), e) for i, e in enumerate(series)])
    scene = result["settings"]["scene"]
    return chart.draw(f"{SCENES[scene]}: share of kinetic energy left; random starts by vertices", lines, "seconds", high=1.05)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    lines = {"prox": [], "mcp": []}
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        scene, response = result["settings"]["scene"], result["settings"]["response"]
        lines[response] += rows(result)
        if scene in PLOTS and response == "prox":
            with open(os.path.join(sys.argv[1], PLOTS[scene]), "w", encoding="ascii") as file:
                file.write(plot(result))
    head = ["scene", "radius", "dt, s", "vertices", "vertex down", "face down", "random", "the paper"]
    page.put(sys.argv[1], "spin", page.table(head, lines["prox"]))
    page.put(sys.argv[1], "spin-mcp", page.table(head, lines["mcp"]))


main()
