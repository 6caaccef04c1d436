# SPDX-License-Identifier: MIT
"""test_findings.py: pairs and scenes on which early versions went wrong, from the data beside the tree if it is there

Each also has a test of its own that needs no data: `regions_instant` (the pairs), and `world_sliding` (the seams).
"""
import json
import os
import sys
from pathlib import Path

from command import SOURCE, CommandTest, main

DATA = Path(os.environ.get("ABUT_FINDINGS", SOURCE.parent / "shared/data/findings"))


class Findings(CommandTest):
    def folder_of(self, name):
        if not (DATA / name).is_dir():
            print(f"{DATA / name} is not there: set ABUT_FINDINGS", file=sys.stderr)
            self.skipTest("no data")
        return DATA / name

    def test_refused_touching(self):
        """Four cubes and three, turned: they share two squares across one axis and one across each of the others. The
        three rectangles have twelve corners, and all gaps are zero."""
        folder = self.folder_of("refused-touching")
        result = self.json("contacts", str(folder / "a.obj"), str(folder / "b.obj"))
        self.assertEqual(len(result["contacts"]), 12)
        for contact in result["contacts"]:
            self.assertEqual(contact["rule"], "geometry")
            self.assertLess(abs(contact["gap"]), 1e-6)

    def test_over_constrained_edge(self):
        """+x at both ends of the edge decides: no other normal, and the slide along y is free."""
        folder = self.folder_of("over-constrained-edge")
        for contact in self.json("contacts", str(folder / "a.obj"), str(folder / "b.obj"))["contacts"]:
            self.assertEqual((contact["normal"], contact["rule"]), ([1, 0, 0], "geometry"))

    def test_seams(self):
        """Boxes slide over flush tiles: nothing changes their velocity, with each stepper."""
        folder = self.folder_of("seams")
        for name, method in (("scene.json", "regions"), ("two-tiles-regions/scene.json", "regions"),
                             ("two-tiles-convex/scene.json", "convex")):
            slider = json.loads((folder / name).read_text())["bodies"][-1]
            for stepper in ("moreau", "semi-implicit", "events"):
                steps = 150 if name == "scene.json" else 100
                result = self.json("simulate", str(folder / name), "--method", method, "--stepper", stepper,
                                   "--steps", str(steps))
                body = result["bodies"][-1]
                for k in range(3):
                    self.assertAlmostEqual(body["linear_velocity"][k], slider["velocity"][k], delta=1e-7)
                    end = slider["position"][k] + steps * 0.01 * slider["velocity"][k]
                    self.assertAlmostEqual(body["pose"][k], end, delta=1e-7)


if __name__ == "__main__":
    main()
