# SPDX-License-Identifier: MIT
"""test_distance.py: abut distance"""
import math
import re

from command import BLOCK, CUBE, SPIKE, CommandTest, length, main

# Not convex: an L of three cubes, and a U with room for a cube.
L_PROFILE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
U_PROFILE = [(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)]


def prism(profile):
    n = len(profile)
    lines = ["v %d %d %d" % (x, y, z) for z in (0, 1) for x, y in profile]
    lines.append("f " + " ".join(str(i) for i in range(n, 0, -1)))
    lines.append("f " + " ".join(str(i) for i in range(n + 1, 2 * n + 1)))
    for i in range(n):
        j = (i + 1) % n
        lines.append("f %d %d %d %d" % (i + 1, j + 1, j + n + 1, i + n + 1))
    return "\n".join(lines) + "\n"


class Distance(CommandTest):
    def setUp(self):
        super().setUp()
        self.cube = self.write("cube.obj", CUBE)

    def test_apart(self):
        """A unit cube 0.5 above another: 0.5 up, face to face."""
        result = self.json("distance", self.cube, self.cube, "--pose-b", "0 0 1.5 1 0 0 0")
        self.assertEqual(set(result), {"schema", "a", "b", "hull", "distance", "direction", "point_a", "point_b", "feature_a",
                                       "feature_b", "plane_offset", "rule", "directions", "certificate"})
        self.assertAlmostEqual(result["distance"], 0.5, delta=1e-15)
        self.assert_near(result["direction"], [0, 0, 1])
        self.assertEqual((result["feature_a"]["kind"], result["feature_b"]["kind"]), ("face", "face"))
        self.assertEqual(result["certificate"]["proof"], "plane")

    def test_overlap(self):
        """0.1 deep along x: B moves 0.1 along x to touch."""
        result = self.json("distance", self.cube, self.cube, "--pose-b", "0.9 0.2 0.3 1 0 0 0")
        self.assertAlmostEqual(result["distance"], -0.1, delta=1e-15)
        self.assert_near(result["direction"], [1, 0, 0])
        gap = sum(n * (b - a) for n, a, b in zip(result["direction"], result["point_a"], result["point_b"]))
        self.assertAlmostEqual(gap, -0.1, delta=1e-14)

    def test_certificate(self):
        """0.1 deep along x: the planes through the supports, x = 1 and x = 0.9, are the lower bound."""
        certificate = self.json("distance", self.cube, self.cube, "--pose-b", "0.9 0.2 0.3 1 0 0 0")["certificate"]
        self.assertAlmostEqual(certificate["lower"], -0.1, delta=1e-15)
        self.assertAlmostEqual(certificate["upper"], -0.1, delta=1e-15)
        vertices = [[float(x) for x in line.split()[1:]] for line in CUBE.splitlines() if line.startswith("v ")]
        self.assertEqual(vertices[certificate["support_a"]][0], 1)
        self.assertEqual(vertices[certificate["support_b"]][0], 0)

    def test_one_place(self):
        """Two equal cubes in one place: six directions separate them, by the length of a side."""
        result = self.json("distance", self.cube, self.cube)
        self.assertAlmostEqual(result["distance"], -1, delta=1e-15)
        self.assertEqual((len(result["directions"]), result["rule"]), (6, "none"))

    def test_swapped(self):
        pose = "0.3 0.2 1.1 0.9 0.1 0.2 0.3"
        one = self.json("distance", BLOCK, SPIKE, "--pose-b", pose)
        two = self.json("distance", SPIKE, BLOCK, "--pose-a", pose)
        self.assertAlmostEqual(one["distance"], two["distance"], delta=1e-13)
        self.assert_near(one["direction"], [-x for x in two["direction"]])
        self.assertAlmostEqual(length(one["direction"]), 1, delta=1e-14)

    def test_not_convex(self):
        path = self.write("l.obj", prism(L_PROFILE))
        # in the corner of the L, 0.2 from one leg and 0.3 from the other; and 0.1 inside one leg, beside the other
        result = self.json("distance", path, self.cube, "--pose-b", "1.3 1.2 0")
        self.assertAlmostEqual(result["distance"], 0.2, delta=1e-14)
        self.assert_near(result["direction"], [0, 1, 0])
        self.assertNotIn("certificate", result)
        for pose, files, sign in (("--pose-b", (path, self.cube), 1), ("--pose-a", (self.cube, path), -1)):
            result = self.json("distance", *files, pose, "1.3 0.9 0")
            self.assertAlmostEqual(result["distance"], -0.1, delta=1e-9)
            self.assert_near(result["direction"], [0, sign, 0])
        self.assertIn("the shortest one found", self.text("distance", path, self.cube, "--pose-b", "1.3 0.9 0"))
        # The hull's slope x + y = 3 is (2 + 2 - 3) / sqrt 2 from the cube's corner.
        result = self.json("distance", path, self.cube, "--hull", "--pose-b", "2 2 0 1 0 0 0")
        self.assertAlmostEqual(result["distance"], 0.5 ** 0.5, delta=1e-14)
        self.assertTrue(result["hull"])

    def test_touching(self):
        """A U around a block, which touches both inner walls and the bottom: direction and features are of one contact."""
        path = self.write("u.obj", prism(U_PROFILE))
        for pose, files, sign in (("--pose-b", (path, self.cube), 1), ("--pose-a", (self.cube, path), -1)):
            result = self.json("distance", *files, pose, "1 1 0")
            self.assertEqual(result["distance"], 0)
            point, direction = result["point_a"], [sign * x for x in result["direction"]]
            self.assert_near(point, result["point_b"])
            self.assertIn([round(x) for x in direction], ([1, 0, 0], [-1, 0, 0], [0, 1, 0]))
            # of the wall on which the point is: its normal points into the U, where the cube is
            wall = {(1, 0, 0): (0, 1), (-1, 0, 0): (0, 2), (0, 1, 0): (1, 1)}[tuple(round(x) for x in direction)]
            self.assertAlmostEqual(point[wall[0]], wall[1], delta=1e-12)

    def test_touching_within_rounding(self):
        """Two unit cubes side by side in turned poses touch, but for rounding, far away too. 1e-9 more or less does not."""
        seen = set()
        for i in range(20):
            w, x, y, z = (math.cos(0.3 * i + k * k) for k in range(4))
            n = (w * w + x * x + y * y + z * z) ** 0.5
            w, x, y, z = w / n, x / n, y / n, z / n
            side = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
            far = [1e3 * (i % 2)] * 3
            turn = f" {w!r} {x!r} {y!r} {z!r}"
            for more, word in ((0, "touching"), (1e-9, "apart"), (-1e-9, "overlapping")):
                poses = [" ".join(repr(far[k] + t * side[k]) for k in range(3)) + turn for t in (0, 1 + more)]
                words = ("distance", self.cube, self.cube, "--pose-a", poses[0], "--pose-b", poses[1])
                self.assertIn(": " + word, self.text(*words))
                if word == "touching":
                    seen.add(math.copysign(1, self.json(*words)["distance"]))
        self.assertEqual(seen, {-1, 1})  # else the test proves nothing

    def test_inside_out(self):
        path = self.write("turned.obj", "\n".join(
            line if not line.startswith("f ") else "f " + " ".join(reversed(line.split()[1:]))
            for line in CUBE.splitlines()) + "\n")
        done = self.run_abut("distance", path, self.cube, "--pose-b", "0 0 2")
        self.assertIn("inside out", done.errors)

    def test_no_faces(self):
        path = self.write("points.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n")
        self.fails("distance", path, self.cube, says=("points.obj", "no faces", "--hull"))
        self.assertAlmostEqual(self.json("distance", path, self.cube, "--hull", "--pose-b", "0 0 2")["distance"], 1)

    def test_formats(self):
        words = ("distance", self.cube, self.cube, "--pose-b", "0 0 2 1 0 0 0")
        self.assertIn("apart", self.text(*words))
        self.assertEqual(len(self.text(*words, "--format", "csv").splitlines()), 2)

    def test_bad_input(self):
        self.fails("distance", self.cube, self.cube, "--pose-c", "0 0 0 1 0 0 0", says=("2 files",))
        far = "1e160 0 0 1 0 0 0"
        self.fails("distance", self.cube, self.cube, "--pose-b", far, says=("--pose-b", "position", "1e+60"))
        self.fails("distance", self.cube, self.cube, "--pose-a", far, says=("--pose-a", "position", "1e+60"))
        for scale in ("1e200", "1e-200"):
            path = self.write("size.obj", re.sub(r"(?m)^v.*$", lambda line: line[0].replace("1", scale), CUBE))
            for words in ((path, self.cube), (path, self.cube, "--hull")):
                error = self.fails("distance", *words, says=("size.obj", "1e+60"))
                self.assertNotIn("--hull", error)
        self.fails("distance", "missing.obj", self.cube, says=("missing.obj",))


if __name__ == "__main__":
    main()
