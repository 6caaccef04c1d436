#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/reproduction.md on the Pillar, the Wall and the Arch: Table 7, sections 8.2 and 8.3 of Erleben 2018.

    abut assess --case fundamental --method erleben --compare paper --format json > table-8.json
    abut assess --case wall,arch --method erleben --compare paper --format json > scenes.json
    tools/step_tables.py docs table-8.json scenes.json

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
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    cells = {}
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            for row in json.load(file)["results"]:
                if row["option"] is None:
                    cells.setdefault((row["case"], row["method"]), {})[row["reading"]] = row
    cells = {key: rows for key, rows in cells.items() if "program" in rows}  # the paper's eight methods
    page.put(sys.argv[1], "pillar", pillar_table(cells))
    page.put(sys.argv[1], "scenes", scenes_table(cells))


main()
