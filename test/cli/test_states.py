# SPDX-License-Identifier: MIT
"""test_states.py: abut assess --compare paper --states: the author's own meshes, and folders that are wrong

The author's meshes are not in this repository. ABUT_STATES names a folder that has them (docs/reproduction.md); without
it they are looked for beside the repository.
"""
import csv
import os
import shutil
import unittest
from pathlib import Path

from command import SOURCE, CommandTest, main

STATES = Path(os.environ.get("ABUT_STATES", SOURCE.parent / "shared/data/prox"))
HEADER = "case,method,detection,contacts\n"
# a tetrahedron with its corner 3 up, or turned and on top of it
LOWER = "4 3 0 0\n0 0 0 0\n1 0 0 1\n2 1 0 0\n3 0 1 0\n"
UPPER = "4 3 0 0\n0 0 1.9 0\n1 1 1.9 0\n2 0 1.9 1\n3 0 0.9 0\n"
TETS = "1 4 0\n0 0 1 2 3\n"
PAPER = ("assess", "--compare", "paper")


@unittest.skipUnless((STATES / "states.csv").exists(), f"{STATES} does not have the author's states: set ABUT_STATES")
class AuthorsStates(CommandTest):
    def test_cells_of_table_8(self):
        report = self.json(*PAPER, "--case", "fundamental", "--method", "erleben", "--states", str(STATES))
        counts = {(c["reading"], c["methods"]): (c["equal"], c["cells"]) for c in report["agreement"]
                  if c["source"] == "Table 8" and c["measure"] is None}
        self.assertEqual(counts["program", "others"], (210, 210))
        # What the program itself reaches: 9 contacts instead of 10 on spikes, 0 instead of 7 on wedges, and the quality
        # on internal-edges.
        self.assertEqual(counts["program", "closest-points"], (27, 30))
        self.assertGreaterEqual(counts["program-double", "others"][0], 155)
        left = [(r["case"], m) for r in report["results"] if (r["reading"], r["method"]) == ("program", "closest-points")
                for m in ("coverage", "quality", "contacts") if r[m]["agreement"] != "equal"]
        self.assertEqual(left, [("spikes", "contacts"), ("wedges", "contacts"), ("internal-edges", "quality")])
        self.assertEqual({r["state"] for r in report["results"]}, {"step:1", "step:2"})

    def test_contacts_are_those_of_the_program(self):
        # Each contact of all 80 states: position, normal and depth, as far as single precision goes.
        with open(STATES / "states.csv", encoding="ascii") as file:
            states = list(csv.DictReader(file))
        self.assertEqual(len(states), 80)
        for state in states:
            base = STATES / state["case"] / state["method"]
            closest = state["method"] == "closest-points"
            words = ("--option", "reading=program", "--option", "precision=single")
            words += ("--option", "epsilon=0.01", "--option", "erosion=none") if closest else ()
            found = self.json("contacts", f"{base}-a.node", f"{base}-b.node", "--method",
                              state["method"], *words)["contacts"]
            with open(f"{base}.csv", encoding="ascii") as file:
                rows = list(csv.DictReader(file))
            ours = [[*c["position"], *c["normal"], c["gap"]] for c in found]
            self.assertEqual((len(ours), len(rows)), (int(state["contacts"]),) * 2, state)
            for row in rows:
                theirs = self.contact(row, closest, state["method"] == "intersection")
                nearest = min(ours, key=lambda c: max(abs(x - y) for x, y in zip(c, theirs, strict=True)))
                self.assert_near(nearest, theirs, 1e-6)
                ours.remove(nearest)

    def contact(self, row, is_closest, is_intersection):
        """As ours: a unit normal, and a gap that is negative inside."""
        normal = [float(row[k]) for k in ("nx", "ny", "nz")]
        length = sum(x * x for x in normal) ** 0.5
        gap = float(row["depth"]) / (length if is_intersection else 1)
        return [float(row[k]) for k in ("x", "y", "z")] + [
            x / length for x in normal] + [-abs(gap) if is_closest else gap]


class OurStates(CommandTest):
    def test_cells_of_table_8(self):
        # On our own scenes fewer cells agree (docs/reproduction.md): 125 and 23.
        report = self.json(*PAPER, "--case", "fundamental", "--method", "erleben")
        self.assertIn("ours, scene size 20, at the second detection", report["states"])
        counts = {c["methods"]: (c["equal"], c["cells"]) for c in report["agreement"]
                  if (c["reading"], c["source"], c["measure"]) == ("program", "Table 8", None)}
        self.assertGreaterEqual(counts["others"], (120, 210))
        self.assertGreaterEqual(counts["closest-points"], (20, 30))


class Folders(CommandTest):
    """Folders of one state, right and wrong."""

    def make(self, states=HEADER + "spikes,opposing,2,1\n", **files):
        shutil.rmtree(self.folder / "states", ignore_errors=True)
        (self.folder / "states/spikes").mkdir(parents=True)
        self.write("states/states.csv", states)
        parts = {"a_node": UPPER, "a_ele": TETS, "b_node": LOWER, "b_ele": TETS, **files}
        for name, text in parts.items():
            if text is not None:
                self.write("states/spikes/opposing-" + name.replace("_", "."), text)
        return (*PAPER, "--case", "spikes", "--method", "opposing", "--states", "states")

    def test_right(self):
        report = self.json(*self.make())
        self.assertEqual(report["states"], "states")
        rows = report["results"]
        self.assertEqual([(r["reading"], r["state"], r["status"]) for r in rows],
                         [(reading, "step:2", "ok") for reading in ("text", "program", "program-double")])
        self.assertGreater(rows[1]["contacts"]["ours"], 0)
        self.assertIn("States: states.", self.text(*self.make()))
        # Contacts of the other program are not read, whatever they are.
        self.write("states/spikes/opposing.csv", "nonsense")
        self.assertEqual(self.json(*self.make())["results"], rows)

    def test_wrong_lists(self):
        self.fails(*PAPER, "--states", "nowhere", says=["nowhere/states.csv"])
        for states, place in ((HEADER, "states.csv:1:"), ("x\n", "states.csv:1:"), (HEADER + "spikes,opposing\n", ":2:"),
                              (HEADER + "../..,opposing,2,1\n", ":2:"), (HEADER + "spikes,\0,2,1\n", ":2:"),
                              (HEADER + "spikes,opposing,2,1\nspikes,opposing,2,1\n", ":3:")):
            self.fails(*self.make(states), says=["states/states.csv", place])
        self.fails(*self.make(HEADER + "wedges,opposing,2,1\n"), says=["states/states.csv", "spikes", "opposing"])

    def test_wrong_meshes(self):
        for files, place in (({"a_node": None}, "opposing-a.node"), ({"b_ele": None}, "opposing-b.node"),
                             ({"a_ele": "1 4 0\n0 0 1 2 9\n"}, "opposing-a.ele:2"),
                             ({"b_node": LOWER.replace("1 0 0 1", "1 0 x 1")}, "opposing-b.node:3"),
                             ({"b_node": LOWER.replace("1 0 0 1", "1 0 nan 1")}, "opposing-b.node:3")):
            rows = self.json(*self.make(**files), code=3 if files == {"a_node": None} else 0)["results"]
            for row in rows:
                self.assertNotEqual(row["status"], "ok")
                self.assertIn(place, row["message"])

    def test_wrong_words(self):
        for words in (("--state", "touching"), ("--step", "1"), ("--scene-size", "25")):
            self.fails(*self.make(), *words, says=["--states", words[0]])
        words = self.make()
        self.fails(*PAPER, "--case", "pillar", *words[5:], says=["--states", "pillar"])
        self.fails("assess", "--states", "states", says=["--states", "--compare"])


if __name__ == "__main__":
    main()
