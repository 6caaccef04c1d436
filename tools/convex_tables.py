#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""convex_tables.py: the tables of docs/benchmarks.md on convex polyhedra, from a run of the benchmark

usage: abut bench convex --format json | tools/convex_tables.py
       tools/convex_tables.py REPORT.json
"""
import json
import math
import sys

# The aims: scene, and the highest mean time of a query without memory, in ns.
COLD = {"cubes, random": 550, "cubes, shallow": 550, "cubes, stacked": 550, "sphere 50": 2000, "sphere 200": 2800,
        "sphere 1000": 5300}
MANIFOLD, EXACT_PEER, OVERLAPPING_MEDIAN, APART_MEDIAN = 1.6, 2.0, 300, 150
MOTIONS = ["cubes, moving", "sphere 50, moving", "sphere 200, moving", "sphere 1000, moving"]
CREATED = ["sphere", "prism", "cone", "cut cube", "lens"]
PEERS = ["libccd", "fcl", "bullet", "ode", "mujoco"]


def table(head, rows):
    for cells in [head, ["---"] * len(head), *rows]:
        print("| " + " | ".join(cells) + " |")
    print()


def verdict(holds):
    return "met" if holds else "**missed**"


def number(x):
    return "%.3g" % x if abs(x) < 1000 else "%.0f" % x


def cold_tables(rows, peers):
    def accuracy(row):
        v = row["values"]
        return "%s (%d, %d, %d)" % (number(v["error"]), v["wrong"], v["missed"], v["aborted"])

    times, errors = [], []
    for scene, limit in COLD.items():
        own, manifold = rows[scene, "abut"], rows[scene, "abut, with manifold"]
        exact = [rows[scene, p]["values"]["times_abut"] for p in peers if rows[scene, p]["values"]["exact"]]
        ratio, with_manifold = manifold["values"]["times_distance"], manifold["values"]["call_mean_ns"]
        mean = own["values"]["call_mean_ns"]
        spread = "%.0f / %.0f" % (own["values"]["call_median_ns"], own["values"]["call_p99_ns"])
        times.append([scene, "%.0f" % mean, spread, "%d: %s" % (limit, verdict(mean <= limit)),
                      "%.0f: %s" % (with_manifold, verdict(with_manifold <= MANIFOLD * limit)),
                      "%.2f: %s" % (ratio, verdict(ratio <= MANIFOLD)),
                      *["%.0f" % rows[scene, p]["values"]["call_mean_ns"] for p in peers],
                      "%.2f: %s" % (min(exact), verdict(min(exact) >= EXACT_PEER)) if exact else "no exact peer"])
        errors.append([scene, accuracy(own), *[accuracy(rows[scene, p]) for p in peers]])
    table(["scene", "abut", "median / 99 %", "at most", "with manifold (at most %.1f times that)" % MANIFOLD,
           "with / without (at most %.1f)" % MANIFOLD, *peers, "fastest exact peer / abut (at least %.0f)" % EXACT_PEER], times)
    table(["scene", "abut", *peers], errors)


def motion_table(rows):
    lines = []
    for kind, limit in [("overlapping", OVERLAPPING_MEDIAN), ("apart", APART_MEDIAN)]:
        for scene in MOTIONS:
            cold, row = rows[scene, kind + ", cold"], rows[scene, kind + ", memory"]
            v = row["values"]
            median, p99, cold_mean = v["call_median_ns"], v["call_p99_ns"], cold["values"]["call_mean_ns"]
            own = median - v["timer_ns"]
            lines.append([scene, kind, "%d" % v["changes"], "%.0f" % v["call_mean_ns"],
                          "%.0f (%d: %s)" % (median, limit, verdict(median <= limit)), "%.0f" % own,
                          "%.0f (%s)" % (p99, verdict(p99 <= cold_mean)), "%.0f" % v["call_max_ns"],
                          "%.0f / %.0f" % (cold_mean, cold["values"]["call_p99_ns"]), "%d" % v["uncertified"],
                          "%d" % v["differing"]])
    table(["scene", "bodies", "feature changes", "mean", "median (at most)", "without the timer",
           "99 % (at most the cold mean)", "largest", "cold: mean / 99 %", "not certified", "not as cold"], lines)


def box_table(rows):
    """Distance and manifold of two boxes beside Bullet's box detector, if that is installed."""
    lines = []
    for scene in [s for s in COLD if (s, "bullet boxes, with manifold") in rows]:
        own, peer = rows[scene, "abut, with manifold"], rows[scene, "bullet boxes, with manifold"]
        lines.append([scene, "%.0f" % own["min_ns"], "%.0f" % peer["min_ns"], "%.2f" % (own["min_ns"] / peer["min_ns"]),
                      number(peer["values"]["error"])])
    if lines:
        table(["ns a pair, with manifold", "abut", "Bullet's box detector", "abut / Bullet", "largest error of Bullet"], lines)


def worst_table(rows):
    table(["two copies in one place", *MOTIONS],
          [["one query, microseconds", *["%.1f" % (rows[s, "in one place, cold"]["median_ns"] / 1e3) for s in MOTIONS]]])


def error_table(rows, peers):
    names = ["error_min", "error_max", "error_mean", "error_deviation"]
    table(["library", "minimum error", "maximum error", "mean error", "standard deviation", "missed"],
          [[subject, *[number(rows["table I", subject]["values"][n]) for n in names],
            "%d" % rows["table I", subject]["values"]["missed"]] for subject in ["abut", *peers]])


def creation_table(rows):
    lines = []
    for family in CREATED:
        sizes = [(subject, row) for (scene, subject), row in rows.items() if scene == family and subject.startswith("create, ")]
        sizes.sort(key=lambda size: size[1]["values"]["vertices"])
        x = [math.log(row["values"]["vertices"]) for _, row in sizes]
        y = [math.log(row["min_ns"]) for _, row in sizes]
        mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
        slope = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y)) / sum((u - mean_x) ** 2 for u in x)
        lines.append([family, *["%.3g" % (row["min_ns"] / 1e6) for _, row in sizes], "%.2f" % slope])
    table(["milliseconds to create a shape", *[subject[len("create, "):] + " vertices" for subject, _ in sizes], "exponent"],
          lines)


def main():
    source = open(sys.argv[1], encoding="utf-8") if len(sys.argv) > 1 else sys.stdin
    with source:
        report = json.load(source)
    rows = {(r["scene"], r["subject"]): r for r in report["rows"]}
    peers = [p for p in PEERS if ("table I", p) in rows]
    cold_tables(rows, peers)
    motion_table(rows)
    box_table(rows)
    creation_table(rows)
    worst_table(rows)
    error_table(rows, peers)
    for note in report["notes"]:
        print("- " + note)


if __name__ == "__main__":
    main()
