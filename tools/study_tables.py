#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables and plots of docs/reproduction.md from the results of studies.

    abut study perturbation --scales 0,0.01,0.02,0.03 --out perturbation.json
    abut study refinement --ratios coarse,2,1.2,1.1,1.07 --out refinement.json
    abut study refinement --ratios coarse,2,1.2,1.1,1.07 --raw --out refinement-raw.json
    abut study timestep --out timestep.json
    tools/study_tables.py docs perturbation.json refinement.json refinement-raw.json timestep.json

Writes a table for each file into docs/reproduction.md: good and, in brackets, exact normals in %, by value and method.
Writes study-perturbation-METHOD.svg and so on, with a line for each value (the median over the seeds), and
study-refinement.svg of the finest meshes, with a line for each method. Plots of results with --raw end in -raw.svg. Needs
python3.
"""
import json
import os
import sys

import chart
import page

UNITS = {"scale": " m", "ratio": "", "dt": " s"}


def text_of(value):
    return value if isinstance(value, str) else f"{value:g}"


def table(result):
    """Rows by value, columns by method."""
    name = result["parameters"][0]
    cells = {}
    for group in result["summary"]:
        value, method = text_of(group["parameters"][name]) + UNITS[name], group["parameters"]["method"]
        good, exact = (group["values"][key]["mean"] for key in ("good", "exact"))
        cells.setdefault(value, {})[method] = "failed" if good is None else f"{good:.1f} ({exact:.1f})"
    methods = list(next(iter(cells.values())))
    return page.table([name, *(f"`{m}`" for m in methods)], [[value, *(row[m] for m in methods)] for value, row in cells.items()])


def is_raw(result):
    return any("raw" in text.split() for key, text in result["settings"].items() if key.startswith("with-"))


def thinned(values):
    """At most 300 of the values, evenly spaced: a plot shows no more."""
    return values if len(values) <= 300 else [values[i * (len(values) - 1) // 299] for i in range(300)]


def curve(result, group):
    """The sorted Q of a group over the share of contacts: the median over several runs, or that of a single run."""
    values = group["spread"].get("quality", {}).get("median")
    if values is not None:
        return [(i / (len(values) - 1), q) for i, q in enumerate(values)]
    for run in result["runs"]:
        if group["parameters"].items() <= run["parameters"].items() and "series" in run:
            return chart.sorted_line(thinned(run["series"]["quality"]))
    return []


def plots(result):
    """(file name, SVG text) of a result."""
    name, study, scene = result["parameters"][0], result["study"], result["settings"]["scene"]
    by_method = {}
    for group in result["summary"]:
        line, parameters = curve(result, group), group["parameters"]
        if line and parameters["method"] != "regions":
            by_method.setdefault(parameters["method"], {})[text_of(parameters[name]) + UNITS[name]] = line
    title = f"{scene}, {study}: Q of {'all' if is_raw(result) else 'the'} contacts, sorted"
    end = "-raw.svg" if is_raw(result) else ".svg"
    if study == "refinement":
        lines = {f"{method}, {name} {list(lines)[-1]}": list(lines.values())[-1] for method, lines in by_method.items()}
        yield f"study-{study}{end}", chart.draw(title, lines, "share of the contacts", high=1.05)
        return
    for method, lines in by_method.items():
        yield f"study-{study}-{method}{end}", chart.draw(f"{title}: {method}", lines, "share of the contacts", high=1.05)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        page.put(sys.argv[1], result["study"] + ("-raw" if is_raw(result) else ""), table(result))
        for name, text in plots(result):
            with open(os.path.join(sys.argv[1], name), "w", encoding="ascii") as file:
                file.write(text)


main()
