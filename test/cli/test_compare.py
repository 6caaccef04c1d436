# SPDX-License-Identifier: MIT
"""test_compare.py: abut assess --compare paper"""
import os
import re
import shutil
import subprocess
import unittest
from xml.etree import ElementTree

from command import ABUT, FUNDAMENTAL, SOURCE, CommandTest, main

MEASURES = ("coverage", "quality", "contacts")
SUNK = ["sliding-spike", "sliding-wedge", "internal-edges", "cliff-edges"]


def agreement(measure, ours, paper):
    """The rule of docs/reproduction.md, written a second time."""
    if ours is None or paper is None:
        return None
    if measure == "contacts":
        return "equal" if ours == paper else "near" if abs(ours - paper) <= 0.1 * paper else "different"
    return "equal" if abs(ours - paper) <= 0.05 else "near" if abs(ours - paper) <= 10 else "different"


class Compare(CommandTest):
    WORDS = ("assess", "--case", "fundamental", "--method", "intersection", "--compare", "paper")

    def test_rows(self):
        rows = self.json(*self.WORDS)["results"]
        names = FUNDAMENTAL + ["pillar"]
        self.assertEqual([(r["reading"], r["option"], r["case"]) for r in rows],
                         [(reading, option, name) for reading in ("text", "program")
                          for option in (None, "skip-flat-edges=yes") for name in names])
        for row in rows:
            state = "sunk:0.000982" if row["case"] in SUNK else "touching" if row["case"] == "pillar" else "detection"
            self.assertEqual((row["state"], row["status"]), (state, "ok"))
            is_paper = row["option"] is None
            self.assertEqual(row["source"], (("Table 7" if row["case"] == "pillar" else "Table 8") if is_paper else None))
            for measure in MEASURES:
                cell = row[measure]
                self.assertEqual(cell["agreement"], agreement(measure, cell["ours"], cell["paper"]), row)
                self.assertEqual(cell["paper"] is None,
                                 not is_paper or (row["case"], measure) == ("pillar", "coverage"), row)
        # Numbers read off the paper's tables.
        spikes, pillar = rows[0], rows[10]
        self.assertEqual([spikes[m]["paper"] for m in MEASURES], [100, 10, 20])
        self.assertEqual([pillar[m]["paper"] for m in MEASURES], [None, 15.4, 722])

    def test_ours_are_those_of_assess(self):
        # Where all bodies are as in Table 4 and the fixed one is A, signs agree, and only the name of the measure differs.
        words = ("assess", "--case", "sliding-spike,cliff-edges", "--method", "intersection")
        compared = self.json(*words, "--compare", "paper", "--state", "sunk:0.01")["results"]
        plain = self.json(*words, "--state", "sunk:0.01")["results"]
        for row, other in zip(compared[:2], plain, strict=True):
            self.assertEqual((row["case"], row["contacts"]["ours"]), (other["case"], other["contacts"]))
            self.assertGreaterEqual(row["quality"]["ours"], other["quality_table"])
        self.assertEqual([r["case"] for r in compared], ["sliding-spike", "cliff-edges"] * 4)

    def test_counts_add_up(self):
        report = self.json(*self.WORDS)
        self.assertEqual([(c["reading"], c["source"], c["measure"], c["cells"]) for c in report["agreement"]],
                         [(reading, *rest) for reading in ("text", "program") for rest in (
                             ("Table 8", None, 30), ("Table 8", "coverage", 10), ("Table 8", "quality", 10),
                             ("Table 8", "contacts", 10), ("Table 7", None, 2), ("Table 7", "quality", 1),
                             ("Table 7", "contacts", 1))])
        for count in report["agreement"]:
            for word in ("equal", "near", "different"):
                found = sum(row[m]["agreement"] == word for row in report["results"] for m in MEASURES
                            if row["reading"] == count["reading"] and row["source"] == count["source"]
                            and count["measure"] in (None, m))
                self.assertEqual(count[word], found, count)

    def test_formats_agree(self):
        rows, results, table = self.csv(*self.WORDS), self.json(*self.WORDS)["results"], self.text(*self.WORDS)
        lines = [line for line in table.splitlines() if line.split(" ")[0] in FUNDAMENTAL + ["pillar"]]
        signs = {"equal": "=", "near": "~", "different": "x"}
        for row, result, line in zip(rows, results, lines, strict=True):
            self.assertEqual((row["case"], row["reading"], row["option"]),
                             (result["case"], result["reading"], result["option"] or ""))
            for measure in MEASURES:
                cell = result[measure]
                self.assertEqual(row[measure + "_agreement"], cell["agreement"] or "")
                self.assertEqual(float(row[measure + "_paper"]) if row[measure + "_paper"] else None, cell["paper"])
            found = [signs[result[m]["agreement"]] for m in MEASURES if result[m]["agreement"]]
            self.assertEqual(re.findall(r"(?<= )[=~x](?= )", line), found, line)
        self.assertEqual(len(re.findall(r"(?m)^Reading (text|program), Table [78] +\d+ cells: ", table)), 4)

    def test_scenes(self):
        rows = self.json("assess", "--case", "wall,arch", "--method", "intersection,regions", "--compare", "paper")["results"]
        self.assertEqual({r["source"] for r in rows}, {None})
        self.assertEqual([r["quality"]["ours"] for r in rows if r["method"] == "regions"], [100] * 4)

    @unittest.skipUnless(shutil.which("tetgen"), "needs tetgen")
    @unittest.skipIf(os.environ.get("ABUT_SANITIZE"), "hundreds of runs like those of test_cases.py, for the tool's sums")
    def test_experiments(self):
        # The tool scores contacts itself, and ends with an error where its scores are not those of the command.
        done = subprocess.run([SOURCE / "tools/reproduce.py", ABUT, "sliding-spike"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for reading in ("text", "program"):
            self.assertIn(f"### Table 8, reading {reading}, cells that differ", done.stdout)
        self.assertEqual(len(re.findall(r"(?m)^Of 24 cells \d+ differ", done.stdout)), 2)
        # Equation by equation: the mean of two normals is not vertical, the program's one normal is.
        self.assertIn("| `opposing` | `sliding-spike` | coverage | 0 | 100 | program | 100 |", done.stdout)

    def test_plots(self):
        self.run_abut("assess", "--case", "wall,arch", "--method", "intersection,regions", "--curves", "curves.csv")
        done = subprocess.run([SOURCE / "tools/plot_curves.py", self.folder / "curves.csv", self.folder])
        self.assertEqual(done.returncode, 0)
        for name in ("wall-alignment", "wall-area", "arch-alignment", "arch-area"):
            drawing = ElementTree.parse(self.folder / (name + ".svg")).getroot()
            self.assertEqual(len(drawing.findall("{http://www.w3.org/2000/svg}polyline")), 2)

    def test_errors(self):
        self.fails("assess", "--compare", "other", says=["--compare", "paper"])
        for words in (("--require", "quality>=1"), ("--contacts", "x.jsonl"), ("--readings",)):
            self.fails("assess", "--compare", "paper", *words, says=["--compare", words[0]])
        for option in ("reading=text", "skip-flat-edges=yes"):
            self.fails("assess", "--compare", "paper", "--option", option, says=["--compare", option])
        self.fails("assess", "--compare", "paper", "--state", "touching,detection", says=["--compare", "--state"])


if __name__ == "__main__":
    main()
