# SPDX-License-Identifier: MIT
"""test_contacts.py: abut contacts"""
import json
import re
import unittest

from command import CUBE, FAULTY, BLOCK, SPIKE, CommandTest, inside_out, length, main

CONTACT_FIELDS = {"position", "position_a", "position_b", "normal", "gap", "normal_speed", "time", "feature_a",
                  "feature_b", "normal_feature", "normal_side", "weights_a", "weights_b", "rule", "region", "id", "flags"}
STATS = {"candidate_pairs", "tested_pairs", "raw_contacts", "filtered_contacts", "degenerate_elements",
         "arbitrary_normals", "fallbacks", "caps", "repairs", "data_bytes"}
UP = "0 0 1 1 0 0 0"


# two unit cubes beside each other and one on the first: concave
L_SHAPE = """v 0 0 0
v 2 0 0
v 2 1 0
v 1 1 0
v 1 2 0
v 0 2 0
v 0 0 1
v 2 0 1
v 2 1 1
v 1 1 1
v 1 2 1
v 0 2 1
f 6 5 4 3 2 1
f 7 8 9 10 11 12
f 1 2 8 7
f 2 3 9 8
f 3 4 10 9
f 4 5 11 10
f 5 6 12 11
f 6 1 7 12
"""


class Contacts(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube = self.write("cube.obj", CUBE)
        self.other = self.write("other.obj", CUBE)

    def check_feature(self, feature, kinds=("vertex", "edge", "face", "tet")):
        self.assertIn(feature["kind"], kinds)
        self.assertIsInstance(feature["index"], int)
        self.assertIsInstance(feature["merged"], bool)
        self.assertEqual("vertices" in feature, feature["kind"] == "edge")

    def test_json_is_the_contract(self):
        result = self.json("contacts", BLOCK, SPIKE)
        self.assertEqual(set(result), {"schema", "method", "a", "b", "answered_by", "reason", "contacts", "regions", "stats"})
        self.assertEqual((result["method"], result["a"], result["b"]), ("auto", BLOCK, SPIKE))
        self.assertEqual((result["answered_by"], result["reason"]), ("regions", "both bodies are convex"))
        self.assertEqual(set(result["stats"]), STATS)
        self.assertGreater(len(result["contacts"]), 0)
        self.assertEqual(result["stats"]["raw_contacts"] - result["stats"]["filtered_contacts"], len(result["contacts"]))
        for contact in result["contacts"]:
            self.assertEqual(set(contact), CONTACT_FIELDS)
            self.assertAlmostEqual(length(contact["normal"]), 1, delta=1e-12)
            self.assertRegex(contact["id"], r"^[0-9a-f]{16}$")
            self.assertIn(contact["rule"], ("geometry", "history", "velocity", "none"))
            self.check_feature(contact["feature_a"])
            self.check_feature(contact["feature_b"])
            self.check_feature(contact["normal_feature"], ("none", "vertex", "edge", "face", "tet"))
            gap = sum(n * (b - a) for n, a, b in zip(contact["normal"], contact["position_a"], contact["position_b"]))
            self.assertAlmostEqual(contact["gap"], gap, delta=1e-12)
            self.assert_near(contact["position"],
                             [(a + b) / 2 for a, b in zip(contact["position_a"], contact["position_b"])])
            for side in "ab":
                self.assertAlmostEqual(sum(contact["weights_" + side]["weights"]), 1, delta=1e-12)
        # The spike's tip stands on the block's top.
        contact, = result["contacts"]
        self.assertEqual((contact["position"], contact["normal"], contact["gap"]), ([0.5, 1.5, 1], [0, 0, 1], 0))
        self.assertEqual((contact["feature_a"]["kind"], contact["feature_b"]), ("face", {"kind": "vertex", "index": 0, "merged": False}))

    def test_same_bytes_again(self):
        words = ("contacts", BLOCK, SPIKE, "--format", "json")
        self.assertEqual(self.text(*words), self.text(*words))

    def test_swapped_bodies_give_flipped_normals(self):
        def facts(result, a, b, sign):
            return sorted((c["position"], c["position_" + a], c["position_" + b], [sign * x + 0 for x in c["normal"]],
                           c["gap"], json.dumps(c["feature_" + a]), json.dumps(c["feature_" + b]))
                          for c in result["contacts"])
        # A cube with the spike's tip on its top, and a tilted one that overlaps the spike.
        for method, pose in (("regions", "0.25 1.25 0 1 0 0 0"), ("intersection", "0.25 1.25 0.125 0.96 0.02 0.05 0.01")):
            velocity = "0 0.5 -1 0.1 0 0"
            one = self.json("contacts", self.cube, SPIKE, "--method", method, "--pose-a", pose, "--velocity-a", velocity)
            two = self.json("contacts", SPIKE, self.cube, "--method", method, "--pose-b", pose, "--velocity-b", velocity)
            self.assertGreater(len(one["contacts"]), 0)
            self.assertEqual(facts(one, "a", "b", 1), facts(two, "b", "a", -1))

    def test_velocity_gives_the_normal_speed(self):
        # B falls with speed 2 onto A's top: every upward normal sees -2.
        result = self.json("contacts", self.cube, self.other, "--pose-b", "0.25 0.25 1 1 0 0 0", "--velocity-b", "0 0 -2 0 0 0")
        up = [c for c in result["contacts"] if c["normal"] == [0, 0, 1]]
        self.assertGreater(len(up), 0)
        for contact in up:
            self.assertAlmostEqual(contact["normal_speed"], -2, delta=1e-12)

    def test_sweep_prints_the_contacts_of_the_first_touch(self):
        # B falls with speed 4 from 2 above A's top: it touches after 0.5, on a square of side 0.5.
        fall = (self.cube, self.other, "--pose-b", "0.5 0.5 3", "--velocity-b", "0 0 -4 0 0 0", "--sweep")
        result = self.json("contacts", *fall, "--dt", "1")
        self.assertAlmostEqual(result["touch_time"], 0.5, delta=1e-12)
        self.assertEqual(len(result["contacts"]), 4)
        for contact in result["contacts"]:
            self.assertEqual(contact["normal"], [0, 0, 1])
            self.assertAlmostEqual(contact["position"][2], 1, delta=1e-9)
        self.assertIn("first touch at time 0.5, 4 contacts", self.text("contacts", *fall, "--dt", "1"))
        # Within 0.25 it does not get there, which is a result.
        result = self.json("contacts", *fall, "--dt", "0.25")
        self.assertIsNone(result["touch_time"])
        self.assertEqual(result["contacts"], [])
        self.assertIn("no touch up to time 0.25, 0 contacts", self.text("contacts", *fall, "--dt", "0.25"))
        # Without --sweep there is no such number.
        self.assertNotIn("touch_time", self.json("contacts", self.cube, self.other, "--pose-b", "0.5 0.5 1"))
        self.fails("contacts", *fall[:-3], "--velocity-b", "0 0 -4 1e9 0 0", "--dt", "1", "--sweep", code=3,
                   says="turns by 1e+09")

    def test_quaternions_are_normalised(self):
        one = self.json("contacts", self.cube, self.other, "--pose-b", "0.5 0.5 1 1 0 0 0")
        two = self.json("contacts", self.cube, self.other, "--pose-b", "0.5,0.5, 1 1e-200 0 0 0")
        self.assertEqual(one, two)

    def test_a_place_is_a_pose_without_rotation(self):
        one = self.json("contacts", self.cube, self.other, "--pose-b", "0.5 0.5 1 1 0 0 0")
        two = self.json("contacts", self.cube, self.other, "--pose-b", "0.5 0.5 1 ")
        self.assertEqual(one, two)

    def test_bad_poses_and_velocities(self):
        for pose in ("", "0 0", "0 0 0 1", "0 0 0 0 0 0 0", "0 0 0 nan 0 0 0", "0 0 inf 1 0 0 0", "0 0 0 1 0 0 0 0", "0 0 0 1 0 0 x",
                     "0x1 0 0 1 0 0 0", "1e999 0 0 1 0 0 0", "0 0 0 1 0 0 0,"):
            self.fails("contacts", BLOCK, SPIKE, "--pose-a", pose, says="--pose-a")
        for velocity in ("0 0 0", "0 0 0 0 0 nan", "a b c d e f"):
            self.fails("contacts", BLOCK, SPIKE, "--velocity-b", velocity, says=["--velocity-b", "6 numbers"])
        for text, count in (("0 0 0", "has 3"), ("1", "has 1"), ("0 0 0 0 0 0 0", "has 7"), ("", "has 0")):
            self.fails("contacts", BLOCK, SPIKE, "--velocity-b", text, says=count)
        self.fails("contacts", BLOCK, SPIKE, "--pose-b", "1 2", says=["7 numbers", "3", "has 2"])
        self.fails("contacts", BLOCK, SPIKE, "--pose-c", UP, says=["--pose-c", "2 files"])

    def test_bad_numbers(self):
        for option in ("tolerance", "envelope", "merge", "angle", "dt", "dilation"):
            for value in ("-1", "nan", "inf", "1%", "", "1 2"):
                self.fails("contacts", BLOCK, SPIKE, "--" + option, value, says="--" + option)
        self.fails("contacts", BLOCK, SPIKE, "--offset", "x", says="--offset")
        self.fails("contacts", BLOCK, SPIKE, "--angle", "90", says=["--angle", "57 degrees"])

    def test_bad_methods_and_options(self):
        self.fails("contacts", BLOCK, SPIKE, "--method", "intersecton", says=["intersecton", "do you mean intersection?"])
        self.fails("contacts", BLOCK, SPIKE, "--method", "xyzzy", says="abut methods")
        self.fails("contacts", BLOCK, SPIKE, "--option", "xyzzy=1", says="xyzzy=1")
        self.fails("contacts", BLOCK, SPIKE, "--option", "xyzzy", says="xyzzy")
        self.fails("contacts", BLOCK, SPIKE, "--plugin", "./missing.so", says="missing.so")
        self.fails("contacts", BLOCK, SPIKE, "--plugin", self.cube, says=["cube.obj: ", "plug-in"])

    def test_an_option_is_named_as_it_was_written(self):
        self.fails("contacts", BLOCK, SPIKE, "--normals", "some", says=["option --normals 'some': ", "all, spanning"])
        self.fails("contacts", BLOCK, SPIKE, "--option", "normals=some", says=["option --option 'normals=some': "])
        self.fails("contacts", BLOCK, SPIKE, "--method", "intersection", "--points", "corners", says="option --points 'corners': ")

    def test_files_of_equal_names_are_told_apart(self):
        # Of two blocks and a spike, the pairs are (a, b), (a, spike), (b, spike). Two files need no letters: A and B do.
        words = ("contacts", BLOCK, BLOCK, SPIKE, "--pose-b", "2 0 0")
        names = [(pair["a"], pair["b"]) for pair in self.json(*words)["pairs"]]
        first, second = BLOCK + " (a)", BLOCK + " (b)"
        self.assertEqual(names, [(first, second), (first, SPIKE), (second, SPIKE)])
        self.assertIn("A %s, B %s: 4 contacts" % (first, second), self.text(*words))
        self.assertIn(BLOCK + " (b) and " + BLOCK + " (c)", self.run_abut("contacts", SPIKE, BLOCK, BLOCK).errors)
        self.assertNotIn("(a)", self.text("contacts", BLOCK, BLOCK, "--pose-b", "2 0 0"))

    def test_polygons_that_cross_themselves_are_noted(self):
        bow = self.write("bow.obj", "v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n")
        done = self.run_abut("contacts", bow, self.cube, "--method", "intersection", "--pose-b", "5 5 5")
        for word in ("note: ", "1 polygon crosses itself", "abut mesh check " + bow):
            self.assertIn(word, done.errors)

    def test_bad_files(self):
        self.fails("contacts", BLOCK, "missing.obj", says="missing.obj")
        self.fails("contacts", self.write("broken.obj", "v 0 0 0\nv 0 0\n"), SPIKE, says="broken.obj:2")
        self.fails("contacts", BLOCK, self.write("b.step", "ISO-10303-21;\n"), says=["b.step", "STL"])

    def test_refusals_of_the_default_method_name_what_to_do(self):
        opened = self.write("open.obj", CUBE[:CUBE.rindex("f ")])
        self.fails("contacts", opened, SPIKE, "--method", "regions", says=["open.obj", "closed", "see abut mesh check", "--method auto"])
        result = self.json("contacts", opened, SPIKE)
        self.assertEqual((result["answered_by"], result["reason"]), ("quasi-lmd", "one body is not a closed solid"))
        # cubes that overlap by 0.7 x 0.7 x 0.5: the shortest way out is 0.5 along z; so for a cube and an L
        for other, pose, depth in ((self.other, "0.3 0.3 0.5 1 0 0 0", 0.5), (self.write("bent.obj", L_SHAPE), "0 0 0.5", 0.5)):
            contacts = self.json("contacts", self.cube, other, "--pose-b", pose)["contacts"]
            self.assertEqual(len(contacts), 4)
            for contact in contacts:
                self.assert_near([contact["gap"], *contact["normal"]], [-depth, 0, 0, 1], tolerance=1e-9)
        inverted = self.write("inverted.obj", inside_out(CUBE))
        self.fails("contacts", inverted, SPIKE, "--method", "regions", says=["inside out", "abut mesh convert %s OUT --repair" % inverted])
        self.run_abut("mesh", "convert", inverted, "OUT.obj", "--repair")
        self.run_abut("contacts", "OUT.obj", self.cube, "--pose-b", "0 0 1")
        # every triangle has its own corners: repairable according to mesh check, so the message must recommend it
        faces = [line.split()[1:] for line in CUBE.splitlines() if line.startswith("f")]
        points = [line for line in CUBE.splitlines() if line.startswith("v")]
        soup = self.write("soup.obj", "".join(f"{points[int(i) - 1]}\n" for face in faces for i in face)
                          + "".join(f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}\n" for k in range(len(faces))))
        self.fails("contacts", soup, SPIKE, "--method", "regions", says=["see abut mesh check " + soup, "--repair, which makes a solid"])
        done = self.run_abut("contacts", soup, self.other, "--pose-b", UP, "--repair", "--format", "json")
        self.assertIn("welded 28 vertices", done.errors)
        self.assertEqual([json.loads(done.stdout)["answered_by"], len(json.loads(done.stdout)["contacts"])], ["regions", 4])
        # ten times as large, and ten times as far away
        large = self.json("contacts", self.cube, self.other, "--pose-b", "0 0 10", "--scale", "10")["contacts"]
        self.assertEqual([len(large), max(c["position"][0] for c in large)], [4, 10.0])
        self.fails("contacts", self.cube, self.other, "--scale", "0", says="--scale")
        self.fails("contacts", opened, SPIKE, "--method", "regions", says="--repair does not close it")
        self.assertEqual(self.json("distance", soup, self.cube, "--pose-b", "0 0 3")["distance"], 2)
        self.run_abut("mesh", "convert", soup, "mended.obj", "--repair")
        self.run_abut("contacts", "mended.obj", self.other, "--pose-b", UP)
        self.fails("contacts", self.write("nan.obj", CUBE.replace("v 1 1 1", "v nan 1 1")), SPIKE,
                   says=["nan.obj:", "see abut mesh check"])
        # of a file without faces only the hull can be taken: neither method auto nor a repair helps
        result = self.run_abut("contacts", self.write("bare.obj", "v 0 0 0\nv 1 0 0\n"), SPIKE, code=2)
        self.assertIn("geometry=hull", result.errors)
        self.assertNotIn("--method auto", result.errors)
        self.assertNotIn("mesh check", result.errors)

    def notes(self, *words):
        lines = self.run_abut("contacts", *words).errors.splitlines()
        for line in lines:
            self.assertTrue(line.startswith("abut: note: "), line)
        return lines

    # Two binary STL files of 50 mm cubes, the upper one shifted and exactly on the lower one: the overlap is a square with
    # corners (20, 10) to (50, 50). Its corners are the contacts, up to the inset, with gap 0.
    def test_quasi_lmd_of_two_stl_files_that_touch(self):
        paths = []
        for name, pose in (("part", (20, 10, 50)), ("frame", (0, 0, 0))):
            rows = [row.split() for row in CUBE.splitlines()]
            text = "".join("v %s %s %s\n" % tuple(50 * float(x) + p for x, p in zip(row[1:], pose)) if row[0] == "v"
                           else " ".join(row) + "\n" for row in rows if row)
            paths.append(str(self.folder / (name + ".stl")))
            self.text("mesh", "convert", self.write(name + ".obj", text), paths[-1])
        words = (*paths, "--method", "quasi-lmd", "--envelope", "0.5")
        contacts = self.json("contacts", *words)["contacts"]
        self.assertEqual(len(contacts), 4)
        places = sorted((round(c["position"][0], 1), round(c["position"][1], 1)) for c in contacts)
        self.assertEqual(places, [(20.0, 10.0), (20.0, 50.0), (50.0, 10.0), (50.0, 50.0)])
        for contact in contacts:
            self.assertAlmostEqual(contact["gap"], 0, delta=1e-4)
            self.assertAlmostEqual(contact["normal"][2], -1, delta=1e-6)
        lines = self.notes(*words)
        self.assertEqual(len([line for line in lines if "inset by 0.00866" in line and "differs by at most" in line]), 2)
        # the lower one without its top: a shell, and the user is told
        opened = self.write("open.obj", "\n".join(CUBE.splitlines()[:-1]))
        line, = [n for n in self.notes(opened, self.other, "--pose-b", UP, "--method", "quasi-lmd", "--dilation", "0.01",
                                       "--offset", "-0.01") if "shell" in n]
        self.assertIn("open.obj: 1 surface is not closed", line)
        error = self.run_abut("contacts", self.cube, self.other, "--pose-b", "0.5 0 0", "--method", "quasi-lmd", code=2).errors
        self.assertIn("overlap by more than their dilations", error)
        error = self.run_abut("contacts", self.cube, self.other, "--method", "regions", "--theta", "3", code=2).errors
        self.assertIn("theta", error)

    def test_notes_say_where_the_answer_is_doubtful(self):
        on_top = ("--pose-b", UP)
        self.assertEqual(self.notes(self.cube, self.other, *on_top), [])
        inverted = self.write("inverted.obj", inside_out(CUBE))
        line, = [n for n in self.notes(inverted, self.other, *on_top, "--method", "intersection") if "inside out" in n]
        self.assertIn("inverted.obj", line)
        self.assertIn("volume -1", line)
        # a triangle whose corners are on a line, in the middle of the cube's top, where the other cube touches
        thin = self.write("thin.obj", CUBE + "v 0.25 0.5 1\nv 0.5 0.5 1\nv 0.75 0.5 1\nf 9 10 11\n")
        self.assertIn("area or volume",
                      "".join(self.notes(thin, self.other, *on_top, "--method", "intersection")))
        # how an answer was found is no reason for a note: a little too deep for the tolerance, and a tip on a face
        self.assertEqual(self.notes(self.cube, self.other, "--pose-b", "0 0 0.9999 1 0 0 0"), [])
        self.assertEqual(self.notes(BLOCK, SPIKE, "--method", "convex"), [])
        # two spikes tip to tip: each of their faces could give the normal
        down = self.write("down.obj", "v 0 0 1\nv 1 1 2\nv -1 1 2\nv 0 -1 2\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n")
        up = self.write("up.obj", "v 0 0 1\nv 1 1 0\nv -1 1 0\nv 0 -1 0\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n")
        self.assertIn("could as well be", "".join(self.notes(up, down)))

    def test_json_is_compact_and_zero_has_no_sign(self):
        text = self.text("contacts", self.cube, self.other, "--pose-b", "0.25 0.25 1 1 0 0 0", "--format", "json")
        self.assertNotIn("-0.0", text)
        self.assertRegex(text, r'(?m)^ *"normal": \[0\.0, 0\.0, 1\.0\],$')
        table = self.text("contacts", self.cube, self.other, "--pose-b", "0.25 0.25 1 1 0 0 0", "--format", "csv")
        self.assertNotRegex(table, r"(^|,)-0(,|$)")

    def test_names_with_brackets_and_quotes_stay_as_they_are(self):
        name = 'a "[{,  \\ }] b.obj'
        self.write(name, CUBE)
        self.assertEqual(self.json("contacts", name, self.other, "--pose-b", UP)["a"], name)

    def test_a_file_with_itself(self):
        """Two cubes in one file, one on the other and 0.25 beside it, have the four corners of their common face."""
        cube = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        faces = [(4, 3, 2, 1), (5, 6, 7, 8), (1, 2, 6, 5), (2, 3, 7, 6), (3, 4, 8, 7), (4, 1, 5, 8)]
        lines = ["v %g %g %g" % p for p in cube] + ["v %g %g %g" % (x + 0.25, y, z + 1) for x, y, z in cube]
        lines += ["f " + " ".join(str(i + k) for i in face) for k in (0, 8) for face in faces]
        two = self.write("two.obj", "\n".join(lines) + "\n")
        result = self.json("contacts", two, "--self")
        self.assertEqual((result["a"], result["b"], result["answered_by"], len(result["contacts"])), (two, two, "quasi-lmd", 4))
        for contact in result["contacts"]:
            self.assertAlmostEqual(abs(contact["normal"][2]), 1, places=6)
            self.assertAlmostEqual(contact["gap"], 0, places=9)
            self.assertEqual(contact["flags"], ["arbitrary-sign"])
        # with a second file: each with itself, and the pair
        pairs = self.json("contacts", two, self.cube, "--self", "--pose-b", "9 0 0")["pairs"]
        self.assertEqual([len(pair["contacts"]) for pair in pairs], [4, 0, 0])
        self.fails("contacts", two, says=["--self", "two files"])
        self.fails("contacts", two, self.cube, "--self", "--sweep", says=["--self", "--sweep"])

    def test_three_files_are_three_pairs(self):
        result = self.json("contacts", self.cube, self.other, BLOCK, "--pose-b", "0.5 0.5 1 1 0 0 0", "--pose-c", "9 9 9 1 0 0 0")
        self.assertEqual(set(result), {"schema", "method", "pairs"})
        self.assertEqual([(p["a"], p["b"]) for p in result["pairs"]],
                         [(self.cube, self.other), (self.cube, BLOCK), (self.other, BLOCK)])
        self.assertGreater(len(result["pairs"][0]["contacts"]), 0)
        self.assertEqual([len(p["contacts"]) for p in result["pairs"][1:]], [0, 0])
        alone = self.json("contacts", self.cube, self.other, "--pose-b", "0.5 0.5 1 1 0 0 0")
        self.assertEqual(result["pairs"][0]["contacts"], alone["contacts"])

    def test_formats_agree(self):
        words = ("contacts", self.cube, self.other, "--pose-b", "0.3 0.7 0.9999999 1 0 0 0")
        contacts = self.json(*words)["contacts"]
        rows = self.csv(*words)
        table = self.text(*words)
        self.assertEqual(len(rows), len(contacts))
        for row, contact in zip(rows, contacts):
            self.assertEqual((row["a"], row["b"]), (self.cube, self.other))
            for name in ("position", "position_a", "position_b", "normal"):
                self.assertEqual([float(row["%s_%s" % (name, axis)]) for axis in "xyz"], contact[name])
            self.assertEqual(float(row["gap"]), contact["gap"])
            self.assertEqual((row["kind_a"], int(row["index_a"])), (contact["feature_a"]["kind"], contact["feature_a"]["index"]))
            self.assertEqual((row["rule"], row["id"]), (contact["rule"], contact["id"]))
            self.assertEqual(row["flags"].split(), contact["flags"])
            for side in "ab":
                feature = contact["feature_" + side]
                self.assertEqual([int(x) for x in row["vertices_" + side].split()], feature.get("vertices", []))
                self.assertEqual(row["merged_" + side] == "yes", feature["merged"])
        self.assertTrue(any(row["vertices_a"] for row in rows))
        self.assertIn("Method auto (the default)", table)
        self.assertIn("%d contacts" % len(contacts), table)
        lines = table.splitlines()
        begin = next(i for i, line in enumerate(lines) if re.match(r" *x +y +z +normal x", line))
        self.assertEqual(len(lines) - begin - 1, len(contacts))
        for line, contact in zip(lines[begin + 1:], contacts):
            self.assert_near([float(x) for x in line.split()[:3]], contact["position"], 1e-5)

    def test_primitives_by_name(self):
        """A ball of radius 2 whose middle is 2.5 above a plane, and 1.5 (an overlap): one contact. With facets, which `convex`
        needs, the least gap is the same, since they have a corner at the lowest point. Two unit balls with one middle
        overlap by 2 in any direction. A box of 0.2 on the plane, far away, has its four corners."""
        exact = self.json("contacts", "sphere:2", "plane", "--pose-a", "7 0 2.5", "--method", "quasi-lmd", "--envelope", "1")
        self.assertEqual((exact["a"], exact["b"], len(exact["contacts"])), ("sphere:2", "plane", 1))
        self.assertAlmostEqual(exact["contacts"][0]["gap"], 0.5, places=12)
        self.assert_near(exact["contacts"][0]["normal"], [0, 0, -1], 1e-9)
        sunk = self.json("contacts", "sphere:2", "plane", "--pose-a", "7 0 1.5")
        self.assertEqual(len(sunk["contacts"]), 1)
        self.assertAlmostEqual(sunk["contacts"][0]["gap"], -0.5, places=12)
        balls = self.json("contacts", "sphere:1", "sphere:1")["contacts"]
        self.assertEqual(len(balls), 1)
        self.assertAlmostEqual(balls[0]["gap"], -2, places=12)
        done = self.run_abut("contacts", "sphere:2", "plane", "--pose-a", "7 0 1.5", "--method", "convex", "--format", "json")
        self.assertIn("facets", done.errors)
        contacts = json.loads(done.stdout)["contacts"]
        self.assertAlmostEqual(min(c["gap"] for c in contacts), -0.5, places=9)
        box = self.json("contacts", "plane", "box:0.2,0.2,0.2", "--pose-b", "70 0 0.1", "--method", "quasi-lmd")
        self.assertEqual(len(box["contacts"]), 4)
        for contact in box["contacts"]:
            self.assertAlmostEqual(contact["gap"], 0, places=9)
            self.assert_near([abs(contact["position"][0] - 70), abs(contact["position"][1])], [0.1, 0.1], 1e-4)
        mixed = self.json("contacts", "sphere:0.5", self.cube, "--pose-a", "0.5 0.5 1.75", "--method", "quasi-lmd", "--envelope", "1")
        self.assertAlmostEqual(mixed["contacts"][0]["gap"], 0.25, places=9)

    def test_wrong_primitives_have_one_line(self):
        self.fails("contacts", "box:1,2", "plane", says=["box:1,2: ", "2 numbers", "box:X,Y,Z"])
        self.fails("contacts", "sphere:x", "plane", says=["sphere:x: ", "number 1"])
        self.fails("contacts", "plane", "plane", says="plane:S")
        self.fails("distance", "sphere:0", self.cube, says="above 0")
        self.fails("contacts", "ball:1", self.cube, says="ball:1")
        self.fails("contacts", "sphere:", "plane", says=["sphere:: ", "missing"])
        self.fails("contacts", "plane", "sphere", says=["abut: sphere: ", "missing"])

    def test_misspelt_primitives_get_a_suggestion(self):
        """Only if no file of that name exists; a name of a file gets none."""
        for name, meant in (("spere:1", "sphere:1"), ("bx:1,2,3", "box:1,2,3"), ("Plane", "plane"),
                            ("rounded-bx:1,1,1,.1", "rounded-box:1,1,1,.1")):
            for verb in ("contacts", "distance"):
                self.fails(verb, name, self.cube, says=[f"abut: {name}: ", f"do you mean {meant}?"])
        for name in ("missing.obj", "boxes.stl", "plane.obj"):
            self.assertNotIn("do you mean", self.fails("contacts", name, self.cube, says=name))
        self.write("spere:1", "v 0 0 0\n")
        self.assertNotIn("do you mean", self.fails("contacts", "spere:1", self.cube, says="spere:1"))

    def test_files_of_vertices_alone(self):
        """The refusal says what the file has and what takes it; that does take it. The tetrahedron's slope x + y + z = 1 is
        1 / sqrt 3 from the middle of the coordinates, and the cube's corner is there."""
        path = self.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
        for method in ("auto", "regions", "convex"):
            self.fails("contacts", path, self.cube, "--method", method,
                       says=["points.obj", "only vertices", "method convex with option geometry=hull"])
        contacts = self.json("contacts", path, self.cube, "--method", "convex", "--option", "geometry=hull",
                             "--pose-b", "0.25 0.25 0.5")["contacts"]
        self.assertEqual(len(contacts), 1)
        self.assertAlmostEqual(contacts[0]["gap"], 0, delta=1e-12)
        path = self.write("line.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n")
        self.fails("contacts", path, self.cube, "--method", "regions", says=["line.obj", "triangles", "quasi-lmd"])
        self.assertEqual(len(self.json("contacts", path, self.cube, "--pose-b", "1 -0.5 -0.5")["contacts"]), 1)

    def test_no_contacts_is_a_result(self):
        result = self.json("contacts", BLOCK, SPIKE, "--pose-b", "0 0 9 1 0 0 0")
        self.assertEqual(result["contacts"], [])
        self.assertIn("0 contacts", self.text("contacts", BLOCK, SPIKE, "--pose-b", "0 0 9 1 0 0 0"))
        self.assertEqual(self.csv("contacts", BLOCK, SPIKE, "--pose-b", "0 0 9 1 0 0 0"), [])

    def test_far_way_out_is_said(self):
        """From the middle of a cube of side 4, one of side 1 must move by 2.5; sunk by 0.05 it needs no note."""
        done = self.run_abut("contacts", "box:1,1,1", "box:4,4,4")
        self.assertIn("no small translation separates them", done.errors)
        self.assertIn("moves B by 2.5,", done.errors)
        done = self.run_abut("contacts", "box:1,1,1", "box:4,4,4", "--pose-b", "2.45 0 0 1 0 0 0")
        self.assertNotIn("no small translation", done.errors)

    def test_refused_overlaps_are_measured(self):
        """Cubes of side 2 that are 1.9 apart, and a block in a box."""
        options = ("--method", "regions", "--option", "overlap=refuse")
        self.fails("contacts", "box:2,2,2", "box:2,2,2", "--pose-b", "0.1 0.2 1.9 1 0 0 0", *options, code=2,
                   says="overlap by 0.1, more than a thousandth")
        self.fails("contacts", "box:4,4,2", BLOCK, "--pose-b", "0 0 0.5 1 0 0 0", *options, code=2,
                   says="overlap by 0.5, more than a thousandth")

    def test_hull_takes_any_vertices(self):
        """The hull of four points and of an open triangle with a fourth vertex touches a cube."""
        points = self.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\np 1 2 3 4\n")
        triangle = self.write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n")
        for path in points, triangle:
            result = self.json("contacts", path, "box:1,1,1", "--method", "convex", "--option", "geometry=hull",
                               "--pose-b", "-0.5 0.25 0.25 1 0 0 0")
            self.assertAlmostEqual(min(c["gap"] for c in result["contacts"]), 0.0)
            self.fails("contacts", path, "box:1,1,1", "--method", "convex", says="needs")

    def test_raw_keeps_redundant_contacts(self):
        filtered = self.json("contacts", BLOCK, SPIKE)
        raw = self.json("contacts", BLOCK, SPIKE, "--raw")
        self.assertEqual(len(raw["contacts"]), filtered["stats"]["raw_contacts"])

    @unittest.skipUnless(FAULTY, "needs the test's plug-in")
    def test_plugin(self):
        words = ("contacts", BLOCK, SPIKE, "--plugin", FAULTY)
        result = self.json(*words)
        self.assertEqual((result["method"], len(result["contacts"])), ("faulty", 1))
        self.assertEqual(set(result["stats"]), STATS)
        self.assertEqual(self.json(*words, "--method", "intersection")["method"], "intersection")
        self.fails(*words, "--option", "fault=crash", code=3, says=["faulty", "signal"])
        self.fails(*words, "--option", "fault=hang", "--seconds", "0.2", code=3, says=["faulty", "0.2 seconds"])
        self.fails(*words, "--option", "fault=normal", code=3, says="faulty")
        self.fails(*words, "--option", "fault=refusal", code=2, says="does not like")
        self.fails(*words, "--option", "fault=unknown", code=2, says="crash")
        self.fails(*words, "--plugin", FAULTY, says="already")


if __name__ == "__main__":
    main()
