# SPDX-License-Identifier: MIT
"""test_cases.py: abut cases"""
import errno
import json
import os
import shlex
import shutil
import unittest
from pathlib import Path

from command import FUNDAMENTAL, MIXED, SCENES, CommandTest, length, main

# spike: 5 vertices, a square of half width B at height 0 and the apex at H = 3 B; S = 25 gives B = 1
SPIKE_VERTICES = {(0, 3, 0), (1, 0, 1), (-1, 0, 1), (1, 0, -1), (-1, 0, -1)}


class Cases(CommandTest):
    def test_list(self):
        cases = self.json("cases")["cases"]
        self.assertEqual([case["name"] for case in cases], FUNDAMENTAL + MIXED)
        self.assertEqual([case["minimum"] for case in cases], [1, 1, 2, 4, 2, 4, 1, 2, 4, 4, 2] + 5 * [None])
        self.assertEqual([case["groups"][0] for case in cases], 10 * ["fundamental"] + 6 * ["mixed"])
        for case in cases:
            self.assertEqual(sorted([case["a"]["fixed"], case["b"]["fixed"]]), [False, True])
            self.assertAlmostEqual(length(case["sink"]), 1, delta=1e-12)
            for reading in ("velocity", "table"):
                for truth in case["truth"][reading]:
                    self.assertAlmostEqual(length(truth["normal"]), 1, delta=1e-12)
        rows = self.csv("cases")
        self.assertEqual([row["name"] for row in rows], FUNDAMENTAL + MIXED + SCENES)
        self.assertEqual([float(row["size"]) for row in rows if row["size"]], [case["size"] for case in cases])
        table = self.text("cases")
        for name in FUNDAMENTAL + MIXED + SCENES:
            self.assertRegex(table, r"(?m)^%s " % name)

    def test_files_of_a_case(self):
        files = self.json("cases", "spikes", "--out", "deep/folder")["files"]
        self.assertEqual(set(files), {"deep/folder/spikes" + end for end in ("-a.obj", "-a.node", "-a.ele", "-a.face", "-b.obj",
                                                                               "-b.node", "-b.ele", "-b.face", ".json")})
        folder = self.folder / "deep/folder"
        self.assertEqual(set(files), {"deep/folder/" + path.name for path in folder.iterdir()})
        lines = (folder / "spikes-a.obj").read_text().splitlines()
        vertices = {tuple(float(x) for x in line.split()[1:]) for line in lines if line.startswith("v ")}
        self.assertEqual(vertices, SPIKE_VERTICES)
        self.assertEqual(sum(line.startswith("f ") for line in lines), 6)
        case = json.loads((folder / "spikes.json").read_text())
        self.assertEqual(case["schema"], 1)
        self.assertEqual({**case, "schema": 0}, {**self.json("cases", "spikes")["cases"][0], "schema": 0})
        for body in ("a", "b"):
            self.assertTrue((folder / case[body]["surface"]).exists())
            info = self.json("mesh", "info", str(folder / case[body]["tets"]))
            self.assertGreater(info["counts"]["tets"], 0)
            # A pyramid of base 2 x 2 and height 3.
            self.assertAlmostEqual(info["solid"]["volume"], 4, delta=1e-12)

    def test_files_are_replaced_whole(self):
        # A hard link to the old file keeps its content.
        old = Path(self.write("spikes.json", "old"))
        os.link(old, self.folder / "kept")
        self.run_abut("cases", "spikes", "--out", ".")
        self.assertEqual((self.folder / "kept").read_text(), "old")
        self.assertEqual(json.loads(old.read_text())["name"], "spikes")
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_scenes(self):
        # Ground and 7 stones in a row; 80 bricks; 2 x 3 stones with 7 above. Joints: docs/cases.md.
        scenes = self.json("cases", "scenes")["scenes"]
        self.assertEqual([(s["name"], len(s["bodies"]), len(s["joints"]), s["minimum"], s["feature_minimum"], s["area"])
                          for s in scenes],
                         [("pillar", 8, 7, 40, 49, None), ("wall", 81, 213, 852, None, 37.59375), ("arch", 14, 14, 56, None, 14),
                          ("arch-overlap", 14, 14, 56, None, 14)])
        for scene in scenes[1:]:
            self.assertAlmostEqual(sum(joint["area"] for joint in scene["joints"]), scene["area"], delta=1e-12)
        files = self.json("cases", "arch", "--out", "folder")["files"]
        self.assertEqual(files, [f"folder/arch-{i}.{end}" for i in range(3) for end in ("obj", "node", "ele", "face")]
                         + ["folder/arch.json"])
        arch = json.loads((self.folder / "folder/arch.json").read_text())
        self.assertEqual({**arch, "schema": 0}, {**scenes[2], "schema": 0})
        self.assertEqual([body["name"] for body in arch["bodies"] if body["fixed"]], ["ground"])
        # Two stones that touch in a square of area 1: four contacts with the joint's normal.
        bodies, joint = {body["name"]: body for body in arch["bodies"]}, arch["joints"][6]
        for kind in ("surface", "tets"):
            words = ["contacts", *("folder/" + bodies[joint[side]][kind] for side in "ab")]
            for side in "ab":
                words += ["--pose-" + side, " ".join(str(x) for x in bodies[joint[side]]["pose"])]
            contacts = self.json(*words, "--method", "regions")["contacts"]
            self.assertEqual(len(contacts), 4)
            for contact in contacts:
                self.assert_near(contact["normal"], joint["normal"])

    @unittest.skipUnless(shutil.which("tetgen"), "needs tetgen")
    def test_refined_scenes(self):
        self.run_abut("cases", "arch", "--out", "fine", "--refine", "2")
        self.run_abut("cases", "arch", "--out", "coarse")
        stones = [self.json("mesh", "info", f"{folder}/arch-2.node") for folder in ("fine", "coarse")]
        self.assertGreater(stones[0]["counts"]["tets"], 10 * stones[1]["counts"]["tets"])
        self.assertAlmostEqual(stones[0]["solid"]["volume"], stones[1]["solid"]["volume"], delta=1e-9)
        self.fails("cases", "arch", "--refine", "0", says="--refine")

    def test_commands_give_what_assess_measures(self):
        """Every method on every case, in one of the three states; with ABUT_TEST_LONG in all of them."""
        self.run_abut("cases", "all", "--out", ".")
        stride = 1 if "ABUT_TEST_LONG" in os.environ else 3
        measured, log = {}, ""
        for i, name in enumerate(FUNDAMENTAL):
            case = json.loads((self.folder / (name + ".json")).read_text())
            rows = self.json("assess", "--case", name, "--state", ",".join(s["state"] for s in case["states"]))["results"]
            for k, state in enumerate(case["states"]):
                words = shlex.split(state["command"])
                self.assertEqual(words[:2] + words[-2:], ["abut", "contacts", "--format", "json"])
                for row in [r for r in rows if r["state"] == state["state"]][(i + k) % stride::stride]:
                    contacts = self.contacts_of_command(words[1:-2], row)
                    key = {"case": name, "method": row["method"], "state": row["state"]}
                    if contacts:
                        measured[tuple(key.values())] = row
                        log += json.dumps({**key, "contacts": contacts}) + "\n"
        # The contacts of all commands, in one log, get the same scores as the methods.
        scores = self.json("assess", "--contacts", self.write("log.jsonl", log), "--case", "fundamental")["results"]
        scored = {(s["case"], s["method"], s["state"]): s for s in scores}
        self.assertEqual(set(scored), set(measured))
        self.assertGreater(len(scored), 90)
        for key, row in measured.items():
            for field in ("quality", "coverage", "coverage_normals", "excess", "contacts", "quality_table"):
                self.assertEqual(scored[key][field], row[field], (row, field))

    def contacts_of_command(self, words, row):
        """The contacts that the command finds with the method of the row: as many as in the row, or the same failure."""
        if row["status"] != "ok":
            error = self.fails(*words, "--method", row["method"])
            self.assertTrue(row["message"] in error or (row["status"] == "too much overlap" and "overlap" in error), error)
            return []
        contacts = self.json(*words, "--method", row["method"])["contacts"]
        self.assertEqual(len(contacts), row["contacts"], row)
        return contacts

    def test_states_move_the_moving_body(self):
        # Half a time step of 0.01 at the speed (-H/2, -2H, 0) of the spikes, with H = 3.
        case, = self.json("cases", "spikes")["cases"]
        touching, detection, sunk = case["states"]
        self.assertEqual(touching["displacement"], [0, 0, 0])
        self.assert_near(detection["displacement"], [-0.0075, -0.03, 0])
        self.assertEqual(sunk["state"], "sunk:0.01")
        self.assert_near(sunk["displacement"], [0.01 * x for x in case["sink"]])
        self.assertEqual(detection["pose_b"], case["b"]["pose"])
        self.assert_near(detection["pose_a"][:3], [p + d for p, d in zip(case["a"]["pose"], detection["displacement"])])

    def test_scene_size(self):
        large, = self.json("cases", "spikes")["cases"]
        small, = self.json("cases", "spikes", "--scene-size", "20")["cases"]
        self.assertEqual((large["scene_size"], small["scene_size"]), (25, 20))
        self.assertAlmostEqual(small["size"] / large["size"], 0.8, delta=1e-12)

    def test_errors(self):
        self.fails("cases", "spkes", says=["spkes", "do you mean spikes?"])
        self.fails("cases", "xyzzy", says="abut cases")
        self.fails("cases", "--out", "folder", says="abut cases all --out folder")
        for size in ("-1", "0"):
            self.fails("cases", "spikes", "--scene-size", size, says=["--scene-size", "more than 0"])
        self.fails("cases", "spikes", "--out", self.write("file", "x"), says="folder")
        self.fails("cases", "spikes", "--out", "", says="--out")
        (self.folder / "taken/spikes-b.face").mkdir(parents=True)
        self.fails("cases", "spikes", "--out", "taken", says=["taken/spikes-b.face: ", "folder"])
        self.fails("cases", "spikes", "--out", "/proc/nowhere", says="/proc/nowhere")

    def test_a_folder_that_cannot_be_made_has_the_true_reason(self):
        words = {errno.EACCES: "permission denied", errno.EPERM: "permission denied", errno.EROFS: "read-only",
                 errno.ENOENT: "no such file"}
        for parent in ("/sys", "/proc"):
            with self.assertRaises(OSError) as caught:
                os.mkdir(parent + "/abut-nowhere")
            self.fails("cases", "spikes", "--out", parent + "/abut-nowhere/deeper", says=words[caught.exception.errno])


if __name__ == "__main__":
    main()
