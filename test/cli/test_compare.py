# SPDX-License-Identifier: MIT
"""test_compare.py: abut assess --compare paper"""
import re
import subprocess
from xml.etree import ElementTree

from command import FUNDAMENTAL, SOURCE, CommandTest, main

MEASURES = ("coverage", "quality", "contacts")
READINGS = ("text", "program", "program-double")


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
                         [(reading, option, name) for reading, option in (
                             ("text", None), ("text", "skip-flat-edges=yes"), ("program", None), ("program-double", None))
                          for name in names])
        for row in rows:
            state = "step:1" if row["case"] == "sliding-wedge" else "step:2"
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
        self.assertEqual(self.json(*words, "--compare", "paper")["states"][:19], "ours, scene size 20")

    def test_counts_add_up(self):
        report = self.json(*self.WORDS)
        self.assertEqual([(c["reading"], c["source"], c["measure"], c["cells"]) for c in report["agreement"]],
                         [(reading, *rest) for reading in READINGS for rest in (
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
        self.assertEqual(len(re.findall(r"(?m)^Reading (text|program|program-double), Table [78] +\d+ of +\d+ cells", table)), 6)
        self.assertIn("States: ours, scene size 20, at the second detection", table)

    def test_closest_points_is_counted_alone(self):
        # On our own states: how many cells there are, not how many agree.
        words = ("assess", "--case", "spikes", "--method", "closest-points,opposing", "--compare", "paper")
        report = self.json(*words)
        self.assertEqual([(c["methods"], c["cells"]) for c in report["agreement"]
                          if c["reading"] == "program" and c["measure"] is None], [(None, 6), ("others", 3), ("closest-points", 3)])
        self.assertEqual([(r["reading"], r["option"]) for r in report["results"] if r["method"] == "closest-points"],
                         [("text", None), ("text", "nearest=yes"), ("program", None), ("program-double", None)])

    def test_scenes(self):
        rows = self.json("assess", "--case", "wall,arch", "--method", "intersection,regions", "--compare", "paper")["results"]
        self.assertEqual({r["source"] for r in rows}, {None})
        self.assertEqual([r["quality"]["ours"] for r in rows if r["method"] == "regions"], [100] * 2)

    def test_plots(self):
        self.run_abut("assess", "--case", "wall,arch", "--method", "intersection,regions", "--curves", "curves.csv")
        done = subprocess.run([SOURCE / "tools/plot_curves.py", self.folder / "curves.csv", self.folder])
        self.assertEqual(done.returncode, 0)
        for name in ("wall-alignment", "wall-histogram", "wall-area", "arch-alignment", "arch-histogram", "arch-area"):
            drawing = ElementTree.parse(self.folder / (name + ".svg")).getroot()
            self.assertEqual(len(drawing.findall("{http://www.w3.org/2000/svg}polyline")), 2)

    def test_errors(self):
        self.fails("assess", "--compare", "other", says=["--compare", "paper"])
        for words in (("--require", "quality>=1"), ("--contacts", "x.jsonl"), ("--readings",)):
            self.fails("assess", "--compare", "paper", *words, says=["--compare", words[0]])
        for option in ("reading=text", "precision=single", "skip-flat-edges=yes", "nearest=yes"):
            self.fails("assess", "--compare", "paper", "--option", option, says=["--compare", option])
        self.fails("assess", "--compare", "paper", "--state", "touching,detection", says=["--compare", "--state"])


if __name__ == "__main__":
    main()
