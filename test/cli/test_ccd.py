# SPDX-License-Identifier: MIT
"""test_ccd.py: abut ccd"""
import os
import sys
from pathlib import Path

from command import SOURCE, CommandTest, main

TRIANGLE = [(-2, -2, 0), (2, -2, 0), (0, 3, 0)]
DATA = Path(os.environ.get("ABUT_CCD_QUERIES", SOURCE.parent / "shared/data/ccd"))


def fraction(x):
    n, d = float(x).as_integer_ratio()
    return "%d,%d" % (n, d)


def query(start, end, truth):
    return "".join(",".join(map(fraction, v)) + ",%d\n" % truth for v in start + end)


def falling(height, truth):
    """A vertex falls from z = 1 to `height` above a triangle at z = 0."""
    return query([(0, 0, 1)] + TRIANGLE, [(0, 0, height)] + TRIANGLE, truth)


class Ccd(CommandTest):
    def test_counts(self):
        """Through it, onto it, and not down to it; the fourth truth is wrong on purpose, and so is the fifth."""
        text = falling(-1, 1) + falling(0, 1) + falling(1e-200, 0) + falling(-0.5, 0) + falling(0.5, 1)
        result = self.json("ccd", self.write("vertex-face.csv", text))
        counts = {k: result[k] for k in ("queries", "true", "found", "missed", "false_alarms", "doubtful")}
        self.assertEqual(counts, {"queries": 5, "true": 3, "found": 2, "missed": 1, "false_alarms": 1, "doubtful": 1})
        self.assertEqual(result["kind"], "vertex-face")
        self.assertTrue(0 < result["median_ns"] <= result["worst_ns"] and result["mean_ns"] <= result["worst_ns"])
        self.assertEqual([(w["query"], w["line"], w["answer"]) for w in result["wrong"]],
                         [(3, 25, "false-alarm"), (4, 33, "missed")])
        self.assertAlmostEqual(result["wrong"][0]["time"], 2 / 3)
        self.assertNotIn("time", result["wrong"][1])

    def test_edges(self):
        """An edge along x at z = 0; one along y rises from z = -1 to 1."""
        fixed = [(-1, 0, 0), (1, 0, 0)]
        text = query(fixed + [(0, -1, -1), (0, 1, -1)], fixed + [(0, -1, 1), (0, 1, 1)], 1)
        path = self.write("queries.csv", text)
        self.assertEqual(self.json("ccd", path, "--kind", "edge-edge")["found"], 1)
        self.assertIn("missed 0, false alarms 0", self.text("ccd", path, "--kind", "edge-edge"))
        self.assertEqual(self.csv("ccd", path, "--kind", "edge-edge"), [])

    def test_bad_files(self):
        good = falling(-1, 1)
        for text, says in [
            ("", ("no queries",)),
            (good + "0,1,0,1,0,1,1\n", ("line 9", "1 lines instead of 8")),
            ("0,1,0,1,0,1\n", (":1: ", "6 fields instead of 7")),
            ("0,1,0,1,x,1,0\n", (":1: ", "z is not a fraction")),
            ("1,3,0,1,0,1,0\n", (":1: ", "denominator of x", "power of two")),
            ("1,0,0,1,0,1,0\n", (":1: ", "denominator of x")),
            ("9007199254740993,1,0,1,0,1,0\n", (":1: ", "x is not a fraction")),
            ("nan,1,0,1,0,1,0\n", (":1: ", "x is not a fraction")),
            ("0,1,0,1,0,1,2\n", (":1: ", "neither 0 nor 1")),
            (good[:-2] + "0\n", (":8: ", "truth differs from that of line 1")),
            (good.replace("0,1,0,1,1,1,1\n", "1" + "0" * 101 + ",1,0,1,1,1,1\n", 1), (":1: ", "x is not")),
        ]:
            self.fails("ccd", self.write("edge-edge.csv", text), says=("edge-edge.csv", *says))
        huge = query([(2.0 ** 340, 0, 1)] + TRIANGLE, [(0, 0, 0)] + TRIANGLE, 0)
        self.fails("ccd", self.write("vertex-face.csv", good + huge), says=("vertex-face.csv:9: ", "1e100"))
        self.fails("ccd", self.write("queries.csv", good), says=("queries.csv", "--kind"))
        self.fails("ccd", self.write("queries.csv", good), "--kind", "x", says=("--kind", "vertex-face"))
        self.fails("ccd", "missing-edge-edge.csv", says=("missing-edge-edge.csv",))

    def test_public_queries(self):
        """216 of 2,429 queries are true: none is missed. At most 1 % of the others are false alarms."""
        if not DATA.is_dir():
            print("skipped: no public queries in", DATA, file=sys.stderr)
            return
        total = {"queries": 0, "true": 0, "found": 0, "missed": 0, "false_alarms": 0}
        for path in sorted(DATA.glob("*.csv")):
            result = self.json("ccd", str(path))
            for key in total:
                total[key] += result[key]
        self.assertEqual({k: total[k] for k in ("queries", "true", "found", "missed")},
                         {"queries": 2429, "true": 216, "found": 216, "missed": 0})
        self.assertLessEqual(total["false_alarms"], 0.01 * (2429 - 216))


if __name__ == "__main__":
    main()
