#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""regions_tables.py: the tables of docs/benchmarks.md on contact regions, from a run of the benchmark

usage: abut bench regions --large --format json | tools/regions_tables.py
       tools/regions_tables.py REPORT.json
"""
import json
import re
import sys

# the first words of the rows of a series, what they are, and the series in the notes
SERIES = [
    ("bricks", "brick on brick, by triangles", "bricks"),
    ("gears", "gears, by teeth", "gears"),
    ("fan gears", "the same, caps as fans", "gears, caps as fans"),
    ("oblique gears", "the same, oblique to the axes", "gears, oblique fans"),
    ("cylinders", "prisms, by sides", "cylinders"),
    ("fan cylinders", "the same, caps as fans", "cylinders, caps as fans"),
    ("turned cylinders", "prisms turned, by sides", "cylinders, turned"),
    ("tips", "tip on tip, by faces", "tips"),
    ("apex", "tip on a slab, by faces", "apex on a slab"),
    ("rough", "preparing a rough ball, by triangles", "preparing a rough ball"),
    ("smooth", "preparing a sphere, by triangles", "preparing a sphere"),
]
# rows with a memory: the scene, and how it moves
MOVING = [("turned L", "sliding"), ("L beside L", "sliding"), ("tips 128", "turning"), ("gears 128", "turning"),
          ("gears 2048", "turning"), ("fan gears 2048", None), ("oblique gears 2048", None)]
BOXES = ["1,000 boxes in stacks", "the same, sliding", "pile of 300 boxes"]


def table(head, rows):
    for cells in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(cells) + " |")
    print()


def time(ns):
    """Three digits, in the unit that fits."""
    for unit, name in [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]:
        if ns >= unit:
            return "%.3g %s" % (ns / unit, name)
    return "%.3g ns" % ns


def series_cells(rows, notes, prefix, name, note):
    sizes = [row for row in rows if re.fullmatch(prefix + r" [0-9]+[km]?", row["scene"])]
    found = next((n for n in notes if n.startswith(note + ": ")), "")
    powers = [re.search(what + r" (?:grows )?as size\^(-?[0-9.]+)", found) for what in ("time", "candidates")]
    return [name, ", ".join("%s: %s" % (row["scene"].split()[-1], time(row["min_ns"])) for row in sizes),
            *[p.group(1) if p else "" for p in powers]]


def memory_cells(rows, scene, motion):
    def find(suffix):
        row = rows.get(scene + suffix)
        return row["min_ns"] if row else None

    alone, rest = find(""), find(", at rest")
    moving = [find(", %s%s" % (motion, end)) for end in (", no memory", "")] if motion else [None, None]
    cells = [time(t) if t else "" for t in (alone, rest, *moving)]
    return [scene, cells[0], cells[1], "%.1f" % (alone / rest) if alone and rest else "", cells[2], cells[3]]


def main():
    report = json.load(open(sys.argv[1], encoding="utf-8") if len(sys.argv) > 1 else sys.stdin)
    own = [row for row in report["rows"] if row["subject"] != "intersection"]
    rows = {row["scene"]: row for row in own}
    table(["scene: least time of a query or of the preparation", "sizes", "p of time in size^p", "of candidates"],
          [series_cells(own, report["notes"], *s) for s in SERIES])
    table(["scene", "no memory", "at rest, with a memory", "gain", "in motion, no memory", "in motion, with a memory"],
          [memory_cells(rows, *m) for m in MOVING if m[0] in rows])
    table(["boxes in a world", "a pair, least", "a pair, median"],
          [[name, time(rows[name]["min_ns"]), time(rows[name]["median_ns"])] for name in BOXES])
    largest = {prefix: next(reversed([row for row in own if row["scene"].startswith(prefix + " ") and
                                      "bytes_a_triangle" in row["values"]])) for prefix in ("rough", "smooth")}
    print("Bytes a triangle beside the mesh: " + ", ".join(
        "%.0f for %s" % (row["values"]["bytes_a_triangle"], row["scene"]) for row in largest.values()) +
          ". `saddles-5`: %s." % time(rows["saddles-5"]["min_ns"]))


if __name__ == "__main__":
    main()
