#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of docs/benchmarks.md, section "Quasi-LMDs", from `abut bench lmd --large --format json`.

Usage: abut bench lmd --large --format json | tools/lmd_tables.py
       tools/lmd_tables.py REPORT.json

Without --large, the tables have the rows that were measured.
"""
import json
import sys


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def milliseconds(nanoseconds, digits=2):
    return "%.*f" % (digits, 1e-6 * nanoseconds)


def times(row):
    values, paper = row["values"], ""
    if "paper_mean_ns" in values and row["scene"].endswith("seed 1") and row["threads"] == 1:
        paper = ", ".join(milliseconds(values["paper_%s_ns" % name]) for name in ("mean", "least", "largest"))
    return [milliseconds(row["min_ns"]), milliseconds(values["least_ns"], 4), milliseconds(values["p99_ns"]),
            milliseconds(values["largest_ns"]), paper]


def main():
    with open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin as file:
        report = json.load(file)
    rows = {(row["scene"], row["subject"]): row for row in report["rows"]}
    scenes = list(dict.fromkeys(row["scene"] for row in report["rows"]))

    compared = [s for s in scenes if s.startswith(("(2, 10)", "(1, 5)"))]
    order = [(size, subject) for size in ("(2, 10)", "(1, 5)") for subject in ("plain", "full", "full, two threads")]
    table(["hierarchy", "mean", "least", "99th percentile", "largest", "paper"],
          [["%s, %s%s" % (subject.split(",")[0], scene, ", two threads" if "two" in subject else "")] + times(rows[scene, subject])
           for size, subject in order for scene in compared if scene.startswith(size) and (scene, subject) in rows])

    for scene in compared:
        full, plain = rows.get((scene, "full")), rows.get((scene, "plain"))
        if full and plain:
            values = [r["values"] for r in (plain, full)]
            ratio = {name: values[0][name] / values[1][name]
                     for name in ("largest_ns", "most_node_pairs", "leaf_pairs_gap", "leaf_pairs_peg")}
            print("%s: plain / full: largest %.2f, tests of nodes in the heaviest request %.2f, leaf pairs in the gap %.1f, "
                  "at the pegs %.1f; hashes %s %s" % (scene, ratio["largest_ns"], ratio["most_node_pairs"],
                                                    ratio["leaf_pairs_gap"], ratio["leaf_pairs_peg"], plain["hash"], full["hash"]))
    print()

    table(["(s, l)", "simplices", "ms", "quasi-LMDs", "leaf pairs, gap", "leaf pairs, peg", "tests of nodes", "bytes a simplex",
           "build, s"],
          [[scene.split(", seed")[0], "{:,.0f}".format(v["simplices"]), milliseconds(rows[scene, "full"]["min_ns"])] +
           ["%.0f" % v[name] for name in ("lmds", "leaf_pairs_gap", "leaf_pairs_peg", "node_pairs")] +
           ["%.1f" % v["bytes_each"], "%.2f" % v["build_seconds"]]
           for scene in scenes if scene.endswith("seed 1") for v in [rows[scene, "full"]["values"]]])

    table(["(s, l)", "all quasi-LMDs", "FCL's minimum distance", "FCL / Abut"],
          [[scene.split(", seed")[0], milliseconds(own["min_ns"]), milliseconds(fcl["min_ns"]),
            "%.1f" % (fcl["min_ns"] / own["min_ns"])]
           for scene in scenes for own, fcl in [(rows.get((scene, "pairs, abut")), rows.get((scene, "pairs, fcl")))]
           if own and fcl])


if __name__ == "__main__":
    main()
