# SPDX-License-Identifier: MIT
"""test_spin.py: abut study spin"""
import json

from command import CommandTest, main


class Spin(CommandTest):
    def test_starts(self):
        """A vertex below the centre keeps the energy, a face stops it in one step; the paper's words stand beside them."""
        path = self.folder / "spin.json"
        self.text("study", "spin", "--vertices", "50,100", "--dts", "0.001", "--seeds", "3", "--out", str(path))
        with open(path, encoding="utf-8") as file:
            runs = json.load(file)["runs"]
        self.assertEqual(len(runs), 10)
        for run in runs:
            parameters, values = run["parameters"], run["values"]
            self.assertEqual(values["paper"], {50: "stops", 100: "keeps"}[parameters["vertices"]])
            if parameters["start"] == "vertex":
                self.assertEqual(values["outcome"], "keeps")
                self.assertAlmostEqual(values["kept"], 1, delta=1e-9)
            elif parameters["start"] == "face":
                self.assertEqual((values["outcome"], values["stop_time"]), ("stops", 0.001))
            else:
                self.assertLess(values["total_kept"], 1)
            self.assertEqual(run["series"]["energy"][0], 1)
            self.assertEqual(len(run["series"]["energy"]), 501)

    def test_radii_and_methods(self):
        rows = self.csv("study", "spin", "--scene", "rolling-spheres", "--vertices", "50", "--dts", "0.01", "--starts", "vertex", "--radii",
                        "0.01,1,100", "--method", "convex,regions", "--response", "mcp")
        self.assertEqual([row["outcome"] for row in rows], ["keeps 1"] * 6)

    def test_bad_usage(self):
        for options, says in ((("--vertices", "50.5"), "a whole number"), (("--vertices", "50,3"), "'3' must be a whole number from 8 to 100000"),
                              (("--scene", "spinning-box", "--vertices", "50"), "--vertices is for spheres"), (("--starts", "edge"), "vertex, face or random"),
                              (("--scene", "pillar"), "pillar"), (("--dts", "0"), "'0' must be a number from 5e-09 to 5"),
                              (("--dts", "0.1,1e-300"), "'1e-300' must be a number"), (("--method", "x"), "no method x"),
                              (("--tolerances", "2"), "'2' must be a number"), (("--seeds", "0"), "from 1 to")):
            self.fails("study", "spin", *options, says=(says,))


if __name__ == "__main__":
    main()
