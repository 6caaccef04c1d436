# SPDX-License-Identifier: MIT
"""test_simulate.py: abut simulate"""
import json
import os
import signal
import subprocess
import time

from pathlib import Path

from command import ABUT, SOURCE, CommandTest, main

FINDINGS = Path(os.environ.get("ABUT_FINDINGS", SOURCE.parent / "shared/data/findings"))

SCENE = {
    "schema": 1,
    "gravity": [0, -10, 0],
    "materials": {"m": {"density": 1000, "friction": 0.5}},
    "meshes": {"ground": {"box": [10, 2, 10]}, "cube": {"box": [1, 1, 1]}},
    "bodies": [{"name": "ground", "mesh": "ground", "material": "m", "position": [0, -1, 0], "fixed": True},
               {"name": "cube", "mesh": "cube", "material": "m", "position": [0, 0.5, 0]}],
}


class Simulate(CommandTest):
    def scene(self, change):
        scene = json.loads(json.dumps(SCENE))
        change(scene)
        return self.write("scene.json", json.dumps(scene, indent=1))

    def test_a_cube_rests(self):
        """Four corners carry a cube of 1000 kg; nothing moves."""
        result = self.json("simulate", self.scene(lambda s: None), "--steps", "20")
        self.assertEqual((result["method"], result["end"], len(result["steps"])), ("auto", "done", 20))
        self.assertEqual(result["contacts"], {"mean": 4, "least": 4, "most": 4, "deviation": 0})
        self.assertLess(result["steps"][-1]["moved"], 1e-9)
        self.assert_near(result["bodies"][1]["pose"], [0, 0.5, 0, 1, 0, 0, 0], tolerance=1e-9)

    def test_soft_bodies_move(self):
        """A soft cube that falls for n steps of dt from rest has fallen by g dt^2 n (n + 1) / 2."""
        def change(scene):
            scene["bodies"][1].update(soft={"young": 1e5}, position=[0, 3, 0])
        steps = self.json("simulate", self.scene(change), "--steps", "5", "--dt", "0.01")["steps"]
        self.assert_near([step["moved"] for step in steps], [1e-3 * n * (n + 1) / 2 for n in range(1, 6)], tolerance=1e-9)

    def test_critical_step_of_explicit_bodies(self):
        """It goes with the length over the speed of sound: doubling Young's modulus divides it by sqrt(2)."""
        steps = []
        for young in (1e5, 2e5):
            path = self.scene(lambda s: s["bodies"][1].update(soft={"young": young, "integrator": "explicit"}, position=[0, 3, 0]))
            text = self.text("simulate", path, "--steps", "2", "--dt", "0.001")
            steps.append(float(text.partition("the least critical step ")[2].partition(", of cube\n")[0]))
        self.assert_near([steps[0] / steps[1]], [2 ** 0.5], tolerance=0.01)
        self.assertIn("motion grows without end", self.text("simulate", path, "--steps", "1", "--dt", repr(1.1 * steps[1])))

    def test_ranges_are_those_of_scene_files(self):
        path = self.scene(lambda s: None)
        self.fails("simulate", path, "--dt", "1e-300", says=["--dt '1e-300'", "1e-12", "1e+12"])
        self.fails("simulate", path, "--stabilise", "on", "--share", "2", says=["--share '2'", "from 0 to 1"])
        self.fails("simulate", "spinning-box", "--vertices", "50", says=["--vertices", "spheres"])

    def test_nothing_is_named_twice(self):
        """Line numbers refer to the file, in which json.dumps(..., indent=1) puts each item on its own line."""
        again = [{"materials": ["m", "n"], "friction": 1}, {"materials": ["n", "m"], "friction": 2}]
        path = self.scene(lambda s: s.update(materials={"m": {}, "n": {}}, pairs=again))
        at = [i for i, line in enumerate((self.folder / "scene.json").read_text().splitlines(), 1) if '"materials"' in line][2]
        self.fails("simulate", path, says="scene.json:%d: pairs[1].materials: " % at)
        path = self.scene(lambda s: s["bodies"][1].update(name="ground"))
        at = [i for i, line in enumerate((self.folder / "scene.json").read_text().splitlines(), 1) if '"name": "ground"' in line][1]
        self.fails("simulate", path, says=['scene.json:%d: bodies[1].name: ' % at, '"ground"'])
        path = self.scene(lambda s: [body.pop("name") for body in s["bodies"]])
        self.assertEqual([body["name"] for body in self.json("simulate", path, "--steps", "1")["bodies"]], ["body-0", "body-1"])

    def test_texts_that_are_no_scene(self):
        text = json.dumps(SCENE)
        self.write("mark.json", b"\xef\xbb\xbf" + text.encode())
        self.fails("simulate", "mark.json", says=["mark.json:1: ", "byte order mark"])
        for old, new in (('"ground": ', '"\\u0000": '), ('"name": "cube"', '"name": "\\u0000"')):
            self.write("zero.json", text.replace(old, new))
            self.fails("simulate", "zero.json", says=["zero.json:1: ", "\\u0000"])

    def test_errors_in_json_say_where_and_what_to_do(self):
        for text, says in (("", (":1: ", "empty")), ('{"schema": 1,\n', (":2: ", "ends too early")),
                           ('{"schema": 1,\n "dt": 1,\n}', (":3: ", "'}'", "remove the comma")),
                           ('{"schema": 1\n "dt": 1}', (":2: ", '"dt"', "comma is missing")),
                           ("{'schema': 1}", (":1: ", "double quotes")), ('{"schema": 1}\n}', (":2: ", "'}'", "follows")),
                           ('{"dt": 1,\n "dt": 2}', (":2: ", '"dt"', "twice")), ('{"dt": 1e999}', (":1: ", "1e999", "too large")),
                           ('{\n// x\n"dt": 1}', (":2: ", "comments")), ("[]", (":1: ", "object")),
                           ('{"dt": 1}', (":1: ", '"schema" is missing')), ('{"schema": 2}', (":1: ", "schema: ", "1")),
                           ('{"schema": 1}', (":1: ", "materials: ", "missing"))):
            self.write("bad.json", text)
            self.fails("simulate", "bad.json", says=["bad.json" + says[0], *says[1:]])

    def test_a_body_without_a_material_is_named(self):
        for change, says in ((lambda body: body.pop("material"), "missing"), (lambda body: body.update(material=-1), "by name"),
                             (lambda body: body.update(material="ston"), '"ston"')):
            path = self.scene(lambda s: change(s["bodies"][1]))
            self.fails("simulate", path, says=["bodies[1].material: ", '"cube"', says])

    def test_a_cube_that_starts_inside_the_ground_comes_out(self):
        """A quarter deep: four contacts that push it up."""
        path = self.scene(lambda s: s["bodies"][1].update(position=[0, 0.25, 0]))
        done = self.run_abut("simulate", path, "--steps", "5", "--format", "json")
        result = json.loads(done.stdout)
        self.assertEqual((result["end"], [step["contacts"] for step in result["steps"]]), ("done", 5 * [4]))
        self.assertGreater(result["bodies"][1]["pose"][1], 0.25)

    def test_mesh_files_are_repaired(self):
        """A cube whose faces have vertices of their own is open until they are welded, and then it rests on four corners."""
        corners = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        faces = ((3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
        lines = ["v %g %g %g" % corners[i] for face in faces for i in face]
        lines += ["f %d %d %d %d" % tuple(range(4 * k + 1, 4 * k + 5)) for k in range(6)]
        self.write("soup.obj", "\n".join(lines) + "\n")
        self.write("broken.obj", "\n".join(lines + ["f 1 2 99"]) + "\n")
        for name, says in (("soup.obj", ["the mesh is open", "with --repair it can be simulated"]), ("broken.obj", ["vertex 99", "--repair helps"])):
            def change(scene, name=name, **more):
                scene["meshes"]["soup"] = dict({"file": name}, **more)
                scene["bodies"][1].update(mesh="soup", position=[0, 0, 0])
            path = self.scene(change)
            self.fails("simulate", path, says=says)
            done = self.run_abut("simulate", path, "--steps", "3", "--repair", "--format", "json")
            self.assertEqual([step["contacts"] for step in json.loads(done.stdout)["steps"]], [4, 4, 4])
            self.assertIn("soup: welded 16 vertices", done.errors)
            own = self.scene(lambda s: change(s, repair=True))
            self.assertEqual(self.json("simulate", own, "--steps", "3")["steps"][2]["contacts"], 4)
        self.fails("simulate", self.scene(lambda s: s["meshes"]["cube"].update(repair=True)), says=["repair", "file"])
        self.fails("simulate", "pillar", "--repair", says=["--repair", "pillar"])

    def test_without_timings_the_file_is_the_same(self):
        for name in ("one.h5", "two.h5"):
            self.run_abut("simulate", "pillar", "--steps", "3", "--out", name, "--timings", "off")
        self.assertEqual((self.folder / "one.h5").read_bytes(), (self.folder / "two.h5").read_bytes())
        self.fails("simulate", "pillar", "--timings", "off", says="--out")

    def test_primitives_rest(self):
        """A ball and a rope at rest on a plane, exact with quasi-lmd, and with facets. Both runs can be recorded and read."""
        scene = {"schema": 1, "gravity": [0, 0, -10], "materials": {"m": {}},
                 "meshes": {"g": {"primitive": "plane:20"}, "s": {"primitive": "sphere:0.5"},
                            "r": {"primitive": "rope:0.1,0,0,0,1,0,0,2,0,0", "scale": 2}},
                 "bodies": [{"mesh": "g", "material": "m", "fixed": True},
                            {"mesh": "s", "material": "m", "position": [0, 0, 0.5]},
                            {"mesh": "r", "material": "m", "position": [3, 0, 0.2], "mass": 2}]}
        path = self.write("primitives.json", json.dumps(scene))
        for method in ("quasi-lmd", "regions"):
            result = self.json("simulate", path, "--method", method, "--steps", "20", "--out", "p.h5")
            self.assert_near([b["pose"][2] for b in result["bodies"]], [0, 0.5, 0.2], tolerance=1e-4)
            self.assertGreaterEqual(result["contacts"]["least"], 3, method)
            self.assertIn("steps", self.text("export", "p.h5"))
        scene["meshes"]["s"]["primitive"] = "sphere:-1"
        self.fails("simulate", self.write("bad.json", json.dumps(scene)), says=["meshes.s.primitive", "above 0"])
        scene["meshes"]["s"]["primitive"] = "ball"
        self.fails("simulate", self.write("bad.json", json.dumps(scene)), says=["meshes.s.primitive", "sphere:0.5"])

    def test_a_cube_falls(self):
        """From 3.5 up for 0.2 s with g = 10: 0.2 down at speed 2."""
        path = self.scene(lambda s: s["bodies"][1].update(position=[0, 3.5, 0]))
        result = self.json("simulate", path, "--steps", "20")
        self.assert_near(result["bodies"][1]["pose"][:3], [0, 3.3, 0], tolerance=1e-12)
        self.assert_near(result["bodies"][1]["linear_velocity"], [0, -2, 0], tolerance=1e-12)
        self.assertEqual(result["contacts"]["most"], 0)

    def test_friction_and_gravity_from_options(self):
        """On a plane with gravity tilted by 45 degrees and without friction: a = g sin 45."""
        result = self.json("simulate", self.scene(lambda s: None), "--steps", "10", "--gravity", "10 -10 0", "--friction", "0")
        self.assert_near(result["bodies"][1]["linear_velocity"], [1, 0, 0], tolerance=1e-7)
        stays = self.json("simulate", self.scene(lambda s: None), "--steps", "10", "--gravity", "4.9 -10 0")
        self.assert_near(stays["bodies"][1]["linear_velocity"], [0, 0, 0], tolerance=1e-7)

    def test_no_slip_and_torsion(self):
        """A cube that spins at 10 stops at once if nothing slips. With friction 0.5 it loses mu g dt d / (1/6) in a step, d = sqrt 1/2; a
        torsion radius r makes d the square root of d^2 + r^2."""
        path = self.scene(lambda s: s["bodies"][1].update(spin=[0, 10, 0]))
        held = self.json("simulate", path, "--steps", "1", "--friction", "infinite")
        self.assert_near(held["bodies"][1]["angular_velocity"], [0, 0, 0], tolerance=1e-7)
        for radius in (0, 0.5):
            result = self.json("simulate", path, "--steps", "1", "--torsion", str(radius), "--residual", "1e-12")
            loss = 0.3 * (0.5 + radius ** 2) ** 0.5
            self.assert_near(result["bodies"][1]["angular_velocity"], [0, 10 - loss, 0], tolerance=1e-7)

    def test_spinning(self):
        """On a vertex below its centre a body keeps its spin; on a face it stops at once; the options are for these scenes only."""
        for start, spin in (("vertex", 10), ("face", 0)):
            result = self.json("simulate", "spinning-sphere", "--vertices", "50", "--start", start, "--steps", "20")
            self.assertAlmostEqual(result["bodies"][0]["angular_velocity"][1], spin, delta=1e-7)
        ends = [self.json("simulate", "rolling-spheres", "--start", "random", "--seed", seed, "--steps", "5", "--radius", "3")["bodies"]
                for seed in "121"]
        self.assertEqual(ends[0], ends[2])
        self.assertNotEqual(ends[0], ends[1])
        self.assertEqual(len(self.json("simulate", "spinning-box", "--dt", "0.1")["steps"]), 50)
        self.fails("simulate", "pillar", "--vertices", "50", says=("--vertices", "spinning-sphere"))
        self.fails("simulate", "spinning-sphere", "--vertices", "5", says=("5 vertices",))
        self.fails("simulate", "spinning-box", "--start", "edge", says=("vertex, face or random",))

    def test_stabilisation(self):
        """An overlap of 0.02: a step removes the share of what exceeds the slop, up to 1e-6 of the size, and the cube stays at rest. It is on
        for scene files. A swept step moves the cube by no more than 5e-4 of its size, the square root of 3."""
        path = self.scene(lambda s: s["bodies"][1].update(position=[0, 0.48, 0]))
        unswept = ("--sweeps", "off")
        for options, rise in ((unswept, 0.01), (("--stabilise", "off"), 0.0), (("--stabilise", "on", "--share", "1", *unswept), 0.02),
                              (("--stabilise", "on", "--slop", "0.01", *unswept), 0.005), ((), 5e-4 * 3**0.5)):
            result = self.json("simulate", path, "--steps", "1", "--method", "convex", "--gravity", "0 0 0", *options)
            self.assert_near(result["bodies"][1]["pose"][:3], [0, 0.48 + rise, 0], tolerance=1e-6 * 3**0.5)
            self.assert_near(result["bodies"][1]["linear_velocity"], [0, 0, 0], tolerance=1e-9)
        self.fails("simulate", path, "--stabilise", "off", "--slop", "0.1", says=("--stabilise on",))

    def test_sleep(self):
        """A cube at rest sleeps after some steps, by default in scene files: then nothing is solved, and it keeps its contacts."""
        path, quiet = self.scene(lambda s: None), self.write("quiet.json", json.dumps({**SCENE, "sleep": False}))
        for file, options, sleeps in ((path, (), True), (path, ("--sleep", "off"), False), (quiet, (), False), (quiet, ("--sleep", "on"), True)):
            last = self.json("simulate", file, "--steps", "200", *options)["steps"][-1]
            self.assertEqual(last["iterations"] == 0, sleeps, (file, options, last))
            self.assertEqual(last["contacts"], 4)
        self.fails("simulate", path, "--sleep", "maybe", says=("--sleep",))

    def test_pillar_in_all_formats(self):
        table = self.text("simulate", "pillar", "--steps", "30")
        self.assertIn("pillar, method auto, 30 steps of 0.01: done", table)
        self.assertIn("mean 40.00, least 40, most 40", table)
        rows = self.csv("simulate", "pillar", "--steps", "30")
        self.assertEqual([row["contacts"] for row in rows], ["40"] * 30)

    def test_threads_do_not_matter(self):
        runs = [self.text("simulate", "wall", "--steps", "3", "--format", "json", env={**os.environ, "OMP_NUM_THREADS": n})
                for n in ("1", "2")]
        self.assertEqual(runs[0], runs[1])

    def test_bad_scenes(self):
        for change, says in ((lambda s: s["bodies"][1].update(material="x"), ("bodies[1].material: ", '"x"')),
                             (lambda s: s["materials"]["m"].update(density=0), "materials.m.density: "),
                             (lambda s: s["meshes"].update(cube={"box": [1, 1e-300, 1]}), ("bodies[1]: ", "cube", "mass")),
                             (lambda s: s["meshes"].update(cube={"box": [1, 1, 1e308]}), ("meshes.cube: ",)),
                             (lambda s: s.update(steps=2.7), ("steps: ", "2.7", "whole number")),
                             (lambda s: s["bodies"][1].update(mesh="x"), ("bodies[1].mesh: ", '"x"')),
                             (lambda s: s["bodies"][1].update(position=[0, float("nan"), 0]), "'NaN'"),
                             (lambda s: s["meshes"].update(cube={"file": "none.obj"}), "meshes.cube.file"),
                             (lambda s: s["bodies"][1].update(position=[0, 0, None]), "bodies[1].position[2]")):
            path = self.scene(change)
            self.fails("simulate", path, "--steps", "1", says=says)

    def test_overlapping_fixed_bodies_are_noted(self):
        """The cube, fixed in the ground, is noted with its line and both names, and the run is done. Of seven walls in the
        ground, five are noted and the others counted."""
        path = self.scene(lambda s: s["bodies"][1].update(fixed=True, position=[0, 0, 0]))
        lines = (self.folder / "scene.json").read_text().splitlines()
        at = lines.index('   "name": "cube",')  # the brace before it, counted from 1
        done = self.run_abut("simulate", path, "--steps", "2", "--format", "json")
        self.assertEqual(json.loads(done.stdout)["end"], "done")
        self.assertEqual(len(done.errors.splitlines()), 1)
        for word in ("abut: note: ", f"scene.json:{at}: ", "(ground)", "(cube)", "overlap"):
            self.assertIn(word, done.errors)
        walls = [{"mesh": "cube", "material": "m", "position": [1.3 * i - 4, 0, 0], "fixed": True} for i in range(7)]
        path = self.scene(lambda s: s["bodies"].extend(walls))
        notes = self.run_abut("simulate", path, "--steps", "1").errors.splitlines()
        self.assertEqual(len(notes), 6)
        self.assertIn("3 more", notes[-1])  # two walls, and the free cube in one of them

    def test_no_churn_at_rest(self):
        """The first step begins all contacts; at rest none begins or ends."""
        for scene, steps in (("pillar", "500"), ("wall", "500" if os.environ.get("ABUT_TEST_LONG") else "20"), ("arch", "500" if os.environ.get("ABUT_TEST_LONG") else "100")):
            rows = self.csv("simulate", scene, "--steps", steps)
            self.assertEqual(rows[0]["churn"], rows[0]["contacts"])
            self.assertEqual({row["churn"] for row in rows[1:]}, {"0"})

    def test_sliding_scenes(self):
        """Nothing but the weight acts before the body tips: its kinetic energy stays."""
        for scene, steps in (("two-fingers", 80), ("seam", 150), ("cliff-slide", 100), ("groove", 70)):
            for method in ("regions",) if scene == "groove" else ("regions", "convex"):
                rows = self.csv("simulate", scene, "--method", method, "--steps", str(steps))
                first = float(rows[0]["kinetic_energy"])
                for row in rows:
                    self.assertAlmostEqual(float(row["kinetic_energy"]), first, delta=1e-9 * first)

    def test_sweeps(self):
        """Without sweeps the plates pass the wall; with them they stop at it."""
        for options, least, most in ([], -0.111, -0.109), (["--sweeps", "off"], 0.0, 1e6):
            done = json.loads(self.text("simulate", "bullets", "--format", "json", *options))
            for body in done["bodies"][3:]:
                self.assertTrue(least < body["pose"][0] < most, body)
            self.assertEqual(sum(step["impacts"] for step in done["steps"]) > 0, not options)
            self.assertEqual(sum(step["lost_time"] for step in done["steps"]), 0)
        self.assertIn("Impacts within steps: ", self.text("simulate", "bullets"))
        # cases, which are not swept by default, get what sweeps need
        fall = ("simulate", "spikes", "--steps", "60", "--gravity", "0 0 -9.8")
        self.assertIn("Impacts within steps: ", self.text(*fall, "--sweeps", "on"))
        self.assertNotIn("Impacts within steps: ", self.text(*fall))
        path = self.scene(lambda s: s.update(sweeps=True, impacts="one by one"))
        self.fails("simulate", path, says=("impacts", "simultaneous"))

    def test_findings_about_impacts(self):
        """A plate does not pass a wall, and bodies of scene files bounce to e^2 of the height."""
        if not FINDINGS.exists():
            self.skipTest(f"{FINDINGS} does not exist")
        done = json.loads(self.text("simulate", FINDINGS / "bullets/minimal.json", "--format", "json"))
        self.assertAlmostEqual(done["bodies"][1]["pose"][0], -0.11, delta=1e-6)
        done = json.loads(self.text("simulate", FINDINGS / "bullets/scene.json", "--format", "json", "--steps", "3"))
        for body in done["bodies"][1:]:
            self.assertLess(body["pose"][0], 0, body)
        rows = self.csv("simulate", FINDINGS / "restitution/bounce.json")
        energies = [float(row["kinetic_energy"]) + float(row["potential_energy"]) for row in rows]
        scene = json.loads((FINDINGS / "restitution/bounce.json").read_text())
        low = min(float(row["potential_energy"]) for row in rows)  # at the ground
        restitution = max(material.get("restitution", 0) for material in scene["materials"].values())
        ratio = (energies[-1] - low) / (energies[0] - low)
        self.assertAlmostEqual(ratio, restitution ** 2, delta=0.01)

    def test_impacts_of_a_cradle(self):
        """The last of touching boxes leaves with the whole speed only if impacts are sequential."""
        for rule, speed in ("simultaneous", 1 / 3), ("sequential", 1):
            done = json.loads(self.text("simulate", "cradle", "--impacts", rule, "--format", "json"))
            self.assertAlmostEqual(done["bodies"][-1]["linear_velocity"][0], speed, delta=1e-4)

    def test_penalty_forces(self):
        """A stick throws a ball upwards, or sideways with forces at the end of the step; a cube comes to rest."""
        for kind, up in ("cpf", True), ("discrete", False):
            x, y, _ = self.json("simulate", "ball-and-stick", "--response", kind)["bodies"][1]["linear_velocity"]
            self.assertEqual(y > 4 * abs(x), up, (x, y))
            self.assertEqual(x > 3 * abs(y), not up, (x, y))
        def change(scene):
            scene["response"] = {"stiffness": 4e6}
            scene["bodies"][1]["position"] = [0, 0.6, 0]
        result = self.json("simulate", self.scene(change), "--steps", "300")
        self.assertEqual(result["method"], "continuous")
        self.assertLess(abs(result["bodies"][1]["pose"][1] - 0.5), 0.01)
        self.assertLess(result["steps"][-1]["kinetic_energy"], 1e-6)
        self.fails("simulate", "pillar", "--response", "cpf", says=("--stiffness",))
        self.fails("simulate", "pillar", "--stiffness", "3", says=("--response",))
        self.fails("simulate", "ball-and-stick", "--tolerance", "0.1", says=("--tolerance",))
        self.fails("simulate", "chain", "--method", "regions", says=("--method",))
        self.fails("simulate", self.scene(lambda s: s.update(response={})), says=("response", "stiffness"))
        self.fails("simulate", self.scene(lambda s: s.update(response={"stiffness": -1})), says=("response.stiffness",))
        self.fails("simulate", self.scene(lambda s: s.update(response={"stiffness": 1, "kind": "soft"})),
                   says=("response.kind", "discrete-ccd"))
        for names in ("", "box,", "nothing"):
            self.fails("simulate", "chain", "--watch", names, says=("--watch",))

    def test_bad_usage(self):
        self.fails("simulate", "pilar", says=("do you mean pillar?",))
        self.fails("simulate", "colloseum", says=("do you mean colosseum?",))
        for arguments in ([], ["nothing-like-it"]):
            self.fails("simulate", *arguments, says=("spikes", "saddles-6", "arch-overlap", "funnel", "rolling-spheres", ".json"))
        self.fails("simulate", "spinning-box", "--dt", "1e-300", says=("1e-300",))
        self.fails("simulate", "pillar", "--steps", "1.5", says=("whole number",))
        self.fails("simulate", "pillar", "--stepper", "leapfrog", says=("moreau, semi-implicit or events",))
        self.fails("simulate", "pillar", "--method", "nothing", says=("unknown method",))
        self.fails("simulate", "none.json", says=("none.json",))

    def test_deep_overlaps_are_noted_and_answered(self):
        path = self.scene(lambda s: s["bodies"][1].update(position=[0, 0.2, 0]))
        for options in ([], ["--method", "regions"], ["--method", "convex"]):
            done = self.run_abut("simulate", path, "--steps", "5", "--format", "json", *options)
            note, = done.errors.splitlines()
            for word in ("note", "(ground)", "(cube)", "overlap at the start"):
                self.assertIn(word, note)
            self.assertEqual(json.loads(done.stdout)["steps"][0]["contacts"], 4, options)

    def test_no_steps(self):
        self.assertNotIn("nan", self.text("simulate", "pillar", "--steps", "0"))

    def test_a_stack_that_falls(self):
        """Three cubes with small gaps land on each other and come to rest."""
        def change(scene):
            scene["bodies"] = scene["bodies"][:1] + [
                {"name": "cube-%d" % i, "mesh": "cube", "material": "m", "position": [0, 0.51 + 1.01 * i, 0]} for i in range(3)]
        result = self.json("simulate", self.scene(change), "--steps", "100")
        self.assertEqual(result["end"], "done")
        for i in range(3):
            self.assertLess(abs(result["bodies"][i + 1]["pose"][1] - 0.5 - i), 0.02)

    def test_cloth_and_tetrahedra_of_a_user(self):
        """The example: cloth of an OBJ file and tetrahedra of an MSH file fall on a mesh, by a scene of 18 lines."""
        folder = SOURCE / "examples/soft"
        text = (folder / "table.json").read_text()
        self.assertLessEqual(len(text.splitlines()), 20)
        result = self.json("simulate", str(folder / "table.json"), "--steps", "60")
        self.assertEqual(result["end"], "done")
        self.assertGreater(result["steps"][-1]["contacts"], 0)
        self.assertGreater(result["steps"][-1]["elastic_energy"], 0)

    def test_wrong_soft_bodies_are_named(self):
        """A bad value, a mesh without tetrahedra, and tetrahedra that were turned inside out."""
        folder = SOURCE / "examples/soft"
        text = (folder / "table.json").read_text()
        for name in ("table.obj", "cloth.obj", "block.msh"):
            self.write(name, (folder / name).read_bytes())
        lines = (folder / "block.msh").read_text().split("\n")
        node = next(i for i, line in enumerate(lines) if line.startswith("22 "))
        for name, at in (("flat.msh", "0.05 0.05 0.05"), ("inverted.msh", "0.07 0.06 0.09")):
            lines[node] = "22 " + at  # an inner node, on another one or beyond it
            self.write(name, "\n".join(lines))
        for old, new, says in (('"poisson": 0.3', '"poisson": 0.6', ("scene.json:16: ", "poisson", "0.6")),
                               ('"area_density": 0.3', '"area_density": -1', ("scene.json:14: ", "area_density")),
                               ("block.msh", "table.obj", ("scene.json:16: ", "no tetrahedra")),
                               ("block.msh", "flat.msh", ("tetrahedron 78 ", "no volume")),
                               ("block.msh", "inverted.msh", ("tetrahedra 28 and 78 ", "inside out"))):
            self.write("scene.json", text.replace(old, new).encode())
            self.fails("simulate", "scene.json", says=says)

    def test_interrupt_prints_what_was_done(self):
        process = subprocess.Popen([ABUT, "simulate", "wall", "--steps", "1000000000", "--format", "json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        self.assertRegex(error.decode(), r"^abut: interrupted after \d+ of 1000000000 steps\n$")
        self.assertEqual(json.loads(out)["end"], "interrupted")


if __name__ == "__main__":
    main()
