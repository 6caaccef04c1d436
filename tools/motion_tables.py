#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables and the plot of docs/reproduction.md on 500 steps of simulation: Table 6, Figure 22 and the outcomes.

    abut assess --case pillar,fundamental --method erleben --steps 500 --compare paper --format json \\
        --curves counts-erleben.csv > outcomes-erleben.json
    abut assess --case pillar,fundamental --method regions --steps 500 --format json \\
        --curves counts-regions.csv > outcomes-regions.json
    tools/motion_tables.py docs counts-erleben.csv counts-regions.csv outcomes-erleben.json outcomes-regions.json

Writes two tables into docs/reproduction.md: Table 6 of Erleben 2018 beside our numbers, and the outcome by case and
method. Writes contacts-per-step.svg. Needs python3.
"""

import csv
import json
import os
import sys

import chart
import page

SHOWN = ["closest-points", "opposing", "growth", "regions"]  # the paper's three, and ours


def number(value):
    return "-" if value is None else f"{value:.1f}".removesuffix(".0")


def counts_of(counts):
    return [number(counts[key]) if counts else "-" for key in ("mean", "least", "most", "deviation")]


def said_of(row):
    return row.get("paper") or {"contacts": None, "outcome": None}


def counts_table(rows):
    """Table 6, by method and reading."""
    return page.table(["method", "reading", "mean", "least", "most", "deviation", "paper: mean", "least", "most", "deviation"],
                [[f"`{r['method']}`", r.get("reading") or "-", *counts_of(r["contacts"]), *counts_of(said_of(r)["contacts"])]
                 for r in rows if r["case"] == "pillar"])


def outcomes_table(rows):
    """Text / program, with the paper's value in brackets."""
    cells = {}
    for row in rows:
        cells.setdefault(row["method"], {}).setdefault(row["case"], []).append(row)
    cases = list(dict.fromkeys(row["case"] for row in rows))
    def cell(both):
        ours = list(dict.fromkeys(r["outcome"] or r["status"] for r in both))
        said = said_of(both[0])["outcome"]
        return " / ".join(ours) + (f" ({said})" if said else "")
    methods = list(cells)
    return page.table(["case", *(f"`{m}`" for m in methods)], [[f"`{c}`", *(cell(cells[m][c]) for m in methods)] for c in cases])


def draw_counts(paths, folder):
    lines = {}
    for path in paths:
        with open(path, encoding="ascii", newline="") as file:
            for row in csv.DictReader(file):
                if row["case"] == "pillar" and row["method"] in SHOWN and row.get("reading") != "text":
                    lines.setdefault(row["method"], []).append((float(row["step"]), float(row["contacts"])))
    with open(os.path.join(folder, "contacts-per-step.svg"), "w", encoding="ascii") as file:
        file.write(chart.draw("pillar: contacts of each step (Figure 22), reading program", {m: lines[m] for m in SHOWN}, "step"))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    rows = []
    for path in sys.argv[2:]:
        if path.endswith(".json"):
            with open(path, encoding="utf-8") as file:
                rows += json.load(file)["results"]
    page.put(sys.argv[1], "counts", counts_table(rows))
    page.put(sys.argv[1], "outcomes", outcomes_table(rows))
    draw_counts([path for path in sys.argv[2:] if path.endswith(".csv")], sys.argv[1])


main()
