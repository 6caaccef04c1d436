# SPDX-License-Identifier: MIT
"""test_motion.py: abut assess --step and --steps: measures over simulated time"""
import csv
import os
import unittest

from command import FAULTY, CommandTest, main

# The solver of the paper, in words of abut simulate.
PAPER = ("--sweep", "forward", "--warm-start", "off", "--residual", "0")


class Step(CommandTest):
    def test_regions_stay_perfect(self):
        # At rest nothing moves, so that every detection is that of the state touching.
        steps = "3,500" if os.environ.get("ABUT_TEST_LONG") else "1,3"
        cases = ["internal-edges", "cliff-edges", "pillar", "arch"]
        rows = self.json("assess", "--method", "regions", "--case", ",".join(cases), "--step", steps)["results"]
        self.assertEqual([(r["state"], r["case"]) for r in rows],
                         [("step:" + k, c) for k in steps.split(",") for c in cases])
        for row in rows:
            self.assertEqual((row["status"], row["quality"], row["coverage"], row["excess"]), ("ok", 100, 100, 1), row)

    def test_contacts_are_those_of_simulate(self):
        for method, case, step in (("opposing", "pillar", 4), ("intersection", "spike-in-hole", 6)):
            for settings, words in (("abut", ()), ("paper", PAPER)):
                row, = self.json("assess", "--method", method, "--case", case, "--step", str(step),
                                 "--settings", settings)["results"]
                last = self.json("simulate", case, "--method", method, "--steps", str(step), *words)["steps"][-1]
                self.assertEqual(row["contacts"], last["contacts"])
                self.assertEqual(row["contacts"], row["raw_contacts"] - row["filtered_contacts"])

    def test_overlap(self):
        # Spikes overlap from the third detection on. A method that refuses that fails, with its name.
        words = ("assess", "--method", "regions", "--case", "spikes", "--step", "3")
        row, = self.json(*words)["results"]
        last = self.json("simulate", "spikes", "--method", "regions", "--steps", "3")["steps"][-1]
        self.assertEqual((row["status"], row["contacts"]), ("ok", last["contacts"]))
        row, = self.json(*words, "--option", "overlap=refuse")["results"]
        self.assertEqual(row["status"], "too much overlap")
        self.assertIn("method regions: the bodies overlap", row["message"])

    def test_states_and_steps_go_together(self):
        rows = self.json("assess", "--method", "regions", "--case", "cliff-edges", "--state", "touching", "--step", "2,2",
                         "--step", "1")["results"]
        self.assertEqual([r["state"] for r in rows], ["touching", "step:2", "step:1"])

    def test_a_step_that_fails_is_a_failed_row(self):
        # The method takes convex bodies only: a block with a hole is none, a spike is one.
        words = ("assess", "--method", "convex", "--case", "spike-in-hole,sliding-spike", "--step", "2")
        hole, slide = self.json(*words)["results"]
        self.assertEqual((hole["status"], slide["status"]), ("unsupported", "ok"))
        self.assertIn("convex", hole["message"])

    def test_curves(self):
        row, = self.json("assess", "--method", "opposing", "--case", "wall", "--step", "3", "--curves", "c.csv")["results"]
        with open(self.folder / "c.csv", encoding="ascii") as file:
            curve = [r for r in csv.DictReader(file) if r["curve"] == "alignment"]
        self.assertEqual({(r["case"], r["method"], r["state"]) for r in curve}, {("wall", "opposing", "step:3")})
        self.assertEqual(len(curve), row["contacts"])

    def test_comparison(self):
        words = ("--case", "pillar,cliff-edges", "--step", "3", "--method", "opposing")
        compared = self.json("assess", *words, "--compare", "paper")["results"]
        self.assertEqual([(r["reading"], r["case"], r["state"]) for r in compared],
                         [(reading, case, "step:3") for reading in ("text", "program", "program-double") for case in ("cliff-edges", "pillar")])
        self.assertEqual([r["source"] for r in compared], ["Table 8", "Table 7"] * 3)
        # The paper's solver is the default of the comparison alone.
        plain = self.json("assess", *words, "--settings", "paper")["results"]
        self.assertEqual([r["contacts"]["ours"] for r in compared[:2]], [r["contacts"] for r in plain])
        own = self.json("assess", *words, "--compare", "paper", "--settings", "abut")["results"]
        self.assertEqual([r["contacts"]["ours"] for r in own[:2]], [r["contacts"] for r in self.json("assess", *words)["results"]])

    def test_errors(self):
        for text in ("0", "-1", "+1", "1.5", "1e3", "three", "nan", "2147483648"):
            self.fails("assess", "--step", text, says=["--step", "whole number"])
        self.fails("assess", "--settings", "paper", says=["--settings", "--step"])
        self.fails("assess", "--settings", "paper", "--compare", "paper", says=["--settings", "--step"])
        self.fails("assess", "--step", "1", "--settings", "other", says=["--settings", "abut", "paper"])
        self.fails("assess", "--compare", "paper", "--step", "1,2", says=["--compare", "--step"])
        self.fails("assess", "--contacts", "x.jsonl", "--step", "1", says=["--contacts", "--step"])

    @unittest.skipUnless(FAULTY, "needs the plug-in")
    def test_plugins_cannot_simulate(self):
        self.fails("assess", "--plugin", FAULTY, "--step", "1", says=["faulty", "plug-in", "cannot simulate"])


class Steps(CommandTest):
    def test_counts_are_those_of_simulate(self):
        for settings, words in (("abut", ()), ("paper", PAPER)):
            row, = self.json("assess", "--method", "consistent-vertex", "--case", "pillar", "--steps", "7", "--settings", settings,
                             "--curves", "counts.csv")["results"]
            run = self.json("simulate", "pillar", "--method", "consistent-vertex", "--steps", "7", *words)
            self.assertEqual((row["contacts"], row["steps"], row["reading"], row["paper"]), (run["contacts"], 7, None, None))
            with open(self.folder / "counts.csv", encoding="ascii") as file:
                counts = list(csv.DictReader(file))
            self.assertEqual([(r["case"], r["method"], int(r["step"]), int(r["contacts"])) for r in counts],
                             [("pillar", "consistent-vertex", s["step"], s["contacts"]) for s in run["steps"]])

    def test_formats_agree(self):
        words = ("assess", "--method", "opposing,regions", "--case", "cliff-edges,pillar", "--steps", "4")
        results, rows, table = self.json(*words)["results"], self.csv(*words), self.text(*words)
        self.assertEqual([(r["case"], r["method"]) for r in results],
                         [(c, m) for c in ("cliff-edges", "pillar") for m in ("opposing", "regions")])
        for row, result in zip(rows, results, strict=True):
            self.assertEqual((row["case"], row["method"], row["outcome"]),
                             (result["case"], result["method"], result["outcome"]))
            for field in ("mean", "least", "most", "deviation"):
                self.assertEqual(float(row[field]), result["contacts"][field])
            for field in ("fall", "slide", "exact_slide", "steps"):
                self.assertEqual(float(row[field]) if row[field] else None, result[field])
        self.assertRegex(table, r"(?m)^pillar, 4 steps$")
        self.assertRegex(table, r"(?m)^regions +4 +40 +40 +40 +0 +stands ")
        self.assertNotIn("paper", table.split("mean, least")[0])

    def test_threads_do_not_matter(self):
        words = ("assess", "--method", "opposing,regions", "--case", "spikes,cliff-edges,pillar", "--steps", "5")
        one, four = (self.text(*words, "--format", "csv", env={**os.environ, "OMP_NUM_THREADS": n}) for n in "14")
        self.assertEqual(one, four)

    def test_outcomes(self):
        # A box on a plinth of the same base slides by g sin 5 t^2 / 2 = 0.107 in half a second, unless horizontal normals at the
        # plinth's edges hold it. A wedge that comes down on the ridge of another slides off and falls.
        words = ("assess", "--case", "cliff-edges", "--method", "intersection,regions", "--steps", "50")
        held, exact = self.json(*words)["results"]
        self.assertEqual((held["outcome"], exact["outcome"]), ("too stable", "stands"))
        self.assertLess(held["slide"], 1e-6)
        for row in (held, exact):
            self.assertAlmostEqual(row["exact_slide"], 0.107, delta=0.002)
            self.assertEqual((row["fall"], row["status"], row["message"]), (None, "ok", None))
        row, = self.json("assess", "--case", "wedges", "--method", "regions", "--steps", "100")["results"]
        self.assertEqual((row["outcome"], row["slide"], row["exact_slide"]), ("collapsed", None, None))
        self.assertGreater(row["fall"], 0.5)

    def test_a_run_that_cannot_begin_has_no_outcome(self):
        row, = self.json("assess", "--case", "spike-in-hole", "--method", "convex", "--steps", "9")["results"]
        self.assertEqual((row["status"], row["outcome"], row["contacts"]), ("unsupported", None, None))

    def test_comparison(self):
        rows = self.json("assess", "--compare", "paper", "--steps", "2", "--case", "pillar,cliff-edges,spikes",
                         "--method", "closest-points,regions")["results"]
        self.assertEqual([(r["case"], r["method"], r["reading"]) for r in rows],
                         [(c, *m) for c in ("spikes", "cliff-edges", "pillar")
                          for m in (("closest-points", "text"), ("closest-points", "program"), ("regions", "text"))])
        # Numbers and words read off Table 6 and section 7.2.
        table = {"mean": 267.11, "least": 102, "most": 375, "deviation": 59.40}
        self.assertEqual([r["paper"] for r in rows[6:8]],
                         [{"contacts": table, "outcome": "collapsed", "source": "section 7.2"}] * 2)
        nothing = {"contacts": None, "outcome": None, "source": None}
        self.assertEqual([r["paper"] for r in rows[:6] + rows[8:]], [nothing] * 7)

    def test_errors(self):
        for steps in ("0", "-1", "1.5"):
            self.fails("assess", "--steps", steps, says=["--steps '%s': must be a whole number from 1 " % steps])
        for words in (("--state", "touching"), ("--step", "3"), ("--require", "quality>=1"), ("--readings",)):
            self.fails("assess", "--steps", "3", *words, says=["--steps", words[0]])
        self.fails("assess", "--contacts", "x.jsonl", "--steps", "3", says=["--contacts", "--steps"])
        self.fails("assess", "--compare", "paper", "--curves", "c.csv", says=["--compare", "--curves", "--steps"])
        self.fails("assess", "--steps", "3", "--curves", "nowhere/c.csv", says="nowhere")
        if FAULTY:
            self.fails("assess", "--plugin", FAULTY, "--steps", "3", says=["faulty", "cannot simulate"])


if __name__ == "__main__":
    main()
