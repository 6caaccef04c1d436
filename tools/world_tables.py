#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""world_tables.py: the tables of docs/benchmarks.md on steps of simulations, from a run of the benchmark

usage: abut bench world --large --format json | tools/world_tables.py
       tools/world_tables.py REPORT.json ...

Several reports, of pieces of the run (--only), are one.
"""
import json
import sys

PARTS = ["move", "broad", "narrow", "solve"]


def table(head, rows):
    for cells in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(cells) + " |")
    print()


def times(row):
    """Milliseconds of the parts of a step, and of the step."""
    return ["%.3g" % (1e-6 * x) for x in [row["values"][part + "_ns"] for part in PARTS] + [row["median_ns"]]]


def step_cells(row):
    values = row["values"]
    counts = ["%.4g" % values[name] for name in ["bodies", "pairs", "contacts", "iterations"]]
    return [row["scene"], row["subject"].replace(" steps", ""), str(row["threads"]), *times(row), *counts]


def growth_cells(row):
    values = row["values"]
    return ["{:,.0f}".format(values["bodies"] - 1), str(row["threads"]), *times(row), "%.3g" % (1e-3 * values["body_ns"]),
            "{:,.0f}".format(values["contacts"]), "%.3g" % values["iterations"]]


def peer_cells(row):
    values = row["values"]
    parts = ["%.3g" % (1e-6 * values[part + "_ns"]) for part in ["broad", "narrow", "solve", "stabilise"]]
    counts = ["%.0f" % values["contacts"], "%.0f" % values["sweeps"], "%.3g" % values["iterations"], "%.3g" % values["stabilise_iterations"]]
    steps = ["%.3g" % (1e-6 * ns) for ns in (row["median_ns"], values["mean_ns"])]
    return [row["scene"], row["subject"], str(row["threads"]), *parts, *steps, *counts,
            "%.2g" % values["penetration"], "%.2g" % values["drift"]]


def main():
    reports = [json.load(open(path, encoding="utf-8")) for path in sys.argv[1:]] or [json.load(sys.stdin)]
    report = {part: [line for piece in reports for line in piece[part]] for part in ("rows", "notes")}
    fields = [row for row in report["rows"] if row["scene"].startswith("field")]
    beside = [row for row in report["rows"] if "drift" in row["values"]]
    events = [row for row in report["rows"] if "events" in row["values"]]
    scenes = [row for row in report["rows"] if row not in fields + beside + events]
    table(["scene", "steps", "threads", *PARTS, "a step", "bodies", "pairs", "contacts", "iterations"],
          [step_cells(row) for row in scenes])
    table(["boxes", "threads", *PARTS, "a step", "a step and body, µs", "contacts", "iterations"],
          [growth_cells(row) for row in fields if row["subject"] == "next steps"])
    table(["scene", "engine", "threads", "broad", "narrow", "solve", "stabilise", "a step", "mean", "contacts", "sweeps",
           "iterations", "of stabilisation", "penetration", "drift"], [peer_cells(row) for row in beside])
    table(["scene", "steps", "events", "queries", "an event, ms"],
          [[row["scene"], *["%.0f" % row["values"][name] for name in ("steps", "events", "queries")],
            "%.3g" % (1e-6 * row["median_ns"])] for row in events])
    print("\n".join(report["notes"]))


if __name__ == "__main__":
    main()
