#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/reproduction.md on step 3: Table 7 of Erleben 2018, and sections 8.2 and 8.3.

    abut assess --case pillar,wall,arch --method erleben --compare paper --step 3 --format json > step-3.json
    tools/step_tables.py docs step-3.json

Needs python3.
"""

import json
import sys

import page

READINGS = ["text", "program"]
MEASURED = ["closest-points", "opposing"]  # what the paper has of Wall and Arch


def number(value, digits):
    return "" if value is None else f"{value:.{digits}f}"


def pillar_table(cells):
    """Quality and contacts, by method."""
    rows = []
    for (case, method), both in cells.items():
        if case == "pillar":
            row = [f"`{method}`"]
            for field, digits in (("quality", 1), ("contacts", 0)):
                row += [number(both[reading][field]["ours"], digits) for reading in READINGS]
                row.append(number(both["text"][field]["paper"], digits))
            rows.append(row)
    return page.table(["Pillar, Table 7", "quality, %: text", "program", "paper", "contacts: text", "program", "paper"], rows)


def scenes_table(cells):
    """The share of wrong normals, and P."""
    rows = []
    for case in ("wall", "arch"):
        for method in MEASURED:
            both = cells[case, method]
            wrong = lambda row, whose: number(100.0 - row["quality"][whose], 0)
            share = lambda row, whose: number(0.01 * row["coverage"][whose], 2)
            row = [case, f"`{method}`"]
            for value in (wrong, share):
                row += [value(both[reading], "ours") for reading in READINGS] + [value(both["text"], "paper")]
            rows.append(row)
    return page.table(["scene", "method", "wrong normals, %: text", "program", "paper", "P: text", "program", "paper"], rows)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    cells = {}
    with open(sys.argv[2], encoding="utf-8") as file:
        for row in json.load(file)["results"]:
            if row["option"] is None:
                cells.setdefault((row["case"], row["method"]), {})[row["reading"]] = row
    page.put(sys.argv[1], "pillar-step-3", pillar_table(cells))
    page.put(sys.argv[1], "scenes-step-3", scenes_table(cells))


main()
