#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mesh_tables.py: the tables of docs/benchmarks.md on box hierarchies

abut bench mesh --large --format json | tools/mesh_tables.py
"""
import json
import math
import sys

SIZES = ["1k", "10k", "100k", "1m"]
SHAPES = ["torus", "sphere", "rough", "cube"]
POSES = ["gap", "point", "stack"]
PEERS = ["fcl", "bullet", "ode"]


def digits(value):
    """Four significant digits, without an exponent."""
    return "" if value is None else "%.*f" % (max(0, 3 - int(math.floor(math.log10(value)))), value)


def print_row(cells):
    print("| " + " | ".join(cells) + " |")


def print_builds(rows):
    print_row(["triangles", "abut ns", "FCL ns", "Bullet ns", "ODE ns", "Bullet / abut", "bytes a triangle"])
    print("|" + "---|" * 7)
    for size in SIZES:
        own = rows.get(("torus " + size, "build, abut"))
        if own is None:
            continue
        times = [rows["torus " + size, "build, " + peer]["min_ns"] for peer in PEERS]
        print_row([size, "%.0f" % own["min_ns"], *("%.0f" % t for t in times), "%.2f" % (times[1] / own["min_ns"]),
                   "%.0f" % own["values"]["bytes_each"]])


def right_peers(rows, scene, search):
    """Times of the peers that find the same pairs as we do; for distances, of FCL."""
    for peer in PEERS:
        row = rows.get((scene, "%s, %s" % (search, peer)))
        if row is not None and row["values"].get("missing", 0) == 0 and row["values"].get("extra", 0) == 0:
            yield row["min_ns"]


def peer_cell(rows, scene, search, peer):
    row = rows.get((scene, "%s, %s" % (search, peer)))
    if row is None:
        return ""
    values = row["values"]
    found = "" if peer == "fcl" or "missing" not in values else " (%d, %d)" % (values["missing"], values["extra"])
    return digits(row["min_ns"] / 1000) + found


def print_searches(rows):
    print_row(["triangles", "search", "pairs", "abut µs", "FCL µs", "Bullet µs (missing, extra)", "ODE µs (missing, extra)",
               "fastest right peer / abut"])
    print("|" + "---|" * 8)
    ratios = []
    for size in SIZES:
        scene = "torus " + size
        for search in ["overlap", "stacked", "apart", "distance"]:
            own = rows.get((scene, search + ", abut"))
            if own is None:
                continue
            ratio = min(right_peers(rows, scene, search)) / own["min_ns"]
            if search in ("overlap", "stacked"):
                ratios.append(ratio)
            pairs = own["values"].get("pairs")
            print_row([size, search, "" if pairs is None else "%d" % pairs, digits(own["min_ns"] / 1000),
                       *(peer_cell(rows, scene, search, peer) for peer in PEERS), "%.2f" % ratio])
    print("\nIntersecting cells: geometric mean %.2f, least %.2f" %
          (math.exp(sum(map(math.log, ratios)) / len(ratios)), min(ratios)))


def print_distances(rows):
    print_row(["triangles", "shape", *("%s: abut µs / FCL µs (FCL / abut)" % pose for pose in POSES)])
    print("|" + "---|" * (2 + len(POSES)))
    ratios = []
    for size in SIZES:
        for shape in SHAPES:
            cells = []
            for pose in POSES:
                own, fcl = (rows.get(("distance " + size, "%s, %s, %s" % (shape, pose, who))) for who in ("abut", "fcl"))
                if own is not None and fcl is not None:
                    ratios.append(fcl["min_ns"] / own["min_ns"])
                    cells.append("%s / %s (%.1f)" % (digits(own["min_ns"] / 1000), digits(fcl["min_ns"] / 1000), ratios[-1]))
            if cells:
                print_row([size, shape, *cells])
    if ratios:
        print("\nDistances: geometric mean %.2f, least %.2f" %
              (math.exp(sum(map(math.log, ratios)) / len(ratios)), min(ratios)))


def main():
    report = json.load(open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin)
    rows = {(row["scene"], row["subject"]): row for row in report["rows"]}
    print_builds(rows)
    print()
    print_searches(rows)
    print()
    print_distances(rows)


if __name__ == "__main__":
    main()
