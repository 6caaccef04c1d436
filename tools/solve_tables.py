#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""solve_tables.py: the tables of docs/benchmarks.md on solvers, from a run of the benchmark

usage: abut bench solve --large --format json | tools/solve_tables.py
       tools/solve_tables.py REPORT.json

Milliseconds are the least over the repeats, for the whole solution, with the number of Newton steps in brackets. Residuals
are speeds.
"""
import json
import sys


def curves(rows):
    """For each scene and number of sweeps: time and residual of each solver."""
    found = [r for r in rows if "newton_steps" in r["values"]]
    subjects = list(dict.fromkeys(r["subject"] for r in found))
    cells = {(r["scene"], r["values"]["sweeps"], r["subject"]): r for r in found}
    print("| scene | contacts | sweeps | " + " | ".join("%s | " % s for s in subjects) + " |")
    print("|---" * (3 + 2 * len(subjects)) + "|")
    for scene, sweeps in dict.fromkeys((r["scene"], r["values"]["sweeps"]) for r in found):
        line, contacts = [], 0
        for subject in subjects:
            row = cells.get((scene, sweeps, subject))
            if row is None:
                line += ["", ""]
                continue
            contacts = row["values"]["contacts"]
            steps = row["values"]["newton_steps"]
            line += ["%.3g" % (1e-6 * row["min_ns"]) + (" (%d)" % steps if steps else ""), "%.1e" % row["values"]["residual"]]
        print("| %s | %s | %s | %s |" % (scene, format(int(contacts), ","), format(int(sweeps), ","), " | ".join(line)))


def threads(rows):
    """What more threads gain, beside a trivial loop."""
    gains = {(r["scene"], r["subject"]): r for r in rows if "gain" in r["values"]}
    if not gains:
        return
    print("\n| scene | threads | 50 sweeps, ms | gain | gain of a trivial loop |")
    print("|---|---|---|---|---|")
    for scene in dict.fromkeys(scene for scene, _ in gains):
        solve, loop = gains[scene, "50 sweeps"], gains[scene, "trivial loop"]
        print("| %s | %d | %.3g | %.2f | %.2f |" % (scene, solve["threads"], 1e-6 * solve["min_ns"], solve["values"]["gain"],
                                                  loop["values"]["gain"]))


def main():
    with open(sys.argv[1]) if len(sys.argv) > 1 else sys.stdin as file:
        report = json.load(file)
    rows = [r for r in report["rows"] if r["group"] == "solve"]
    curves(rows)
    threads(rows)
    for note in report["notes"]:
        print("\n" + note)


if __name__ == "__main__":
    main()
