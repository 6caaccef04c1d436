#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""method_tables.py: the tables of docs/benchmarks.md on contact methods, from a run of the benchmark

usage: abut bench methods --large --format json | tools/method_tables.py
       tools/method_tables.py REPORT.json
"""
import json
import sys

PATCH = "block 100k, 22 x 22"
SIZES = ["block 1k, 10 x 10", "block 10k, 10 x 10", "block 100k, 10 x 10"]
AREAS = ["block 100k, 5 x 5", "block 100k, 10 x 10", PATCH, "block 100k, 44 x 44"]


def table(head, rows):
    for cells in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(cells) + " |")
    print()


def micro(row):
    if row is None:
        return "-"
    x = time_of(row) / 1000
    return "%.3g" % x if x < 1000 else "{:,.0f}".format(x)


def ratio(last, first, value):
    return "-" if last is None or first is None else "%.1f" % (value(last) / value(first))


def time_of(row):
    return row["values"]["call_mean_ns"]


def candidates_of(row):
    return row["values"]["candidates"]


def main():
    report = json.load(open(sys.argv[1], encoding="utf-8") if len(sys.argv) > 1 else sys.stdin)
    rows, methods, threads = {}, [], 1
    for row in report["rows"]:
        rows[row["scene"], row["subject"], row["threads"]] = row
        threads = max(threads, row["threads"])
        if row["subject"] not in methods:
            methods.append(row["subject"])

    def get(scene, method, count=1):
        return rows.get((scene, method, count))

    table(["method", "Pillar", "Wall", "1 % of 100k", "the same, %d threads" % threads],
          [["`%s`" % m, micro(get("pillar", m)), micro(get("wall", m)), micro(get(PATCH, m)),
            micro(get(PATCH, m, threads))] for m in methods])
    table(["method", *["%s triangles" % s.split()[1].rstrip(",") for s in SIZES], "100k / 1k", "pairs of elements, 100k / 1k"],
          [["`%s`" % m, *[micro(get(s, m)) for s in SIZES], ratio(get(SIZES[-1], m), get(SIZES[0], m), time_of),
            ratio(get(SIZES[-1], m), get(SIZES[0], m), candidates_of)] for m in methods])
    table(["method", *["%s cells" % s.split(", ")[1] for s in AREAS], "last / first", "pairs of elements, last / first"],
          [["`%s`" % m, *[micro(get(s, m)) for s in AREAS], ratio(get(AREAS[-1], m), get(AREAS[0], m), time_of),
            ratio(get(AREAS[-1], m), get(AREAS[0], m), candidates_of)] for m in methods])


if __name__ == "__main__":
    main()
