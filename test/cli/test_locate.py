# SPDX-License-Identifier: MIT
"""test_locate.py: abut locate"""
import math
import random

from command import BLOCK, CUBE, CommandTest, inside_out, main


def frame():
    """A square frame as unit cubes: 3 x 3 x 1 with a hole in the middle, as unit squares."""
    filled = {(x, y, 0) for x in range(3) for y in range(3)} - {(1, 1, 0)}
    vertices, faces = {}, []
    for cell in sorted(filled):
        for axis in range(3):
            for side in (0, 1):
                if tuple(c + (2 * side - 1 if k == axis else 0) for k, c in enumerate(cell)) in filled:
                    continue
                u, v = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    at = list(cell)
                    at[axis], at[u], at[v] = cell[axis] + side, cell[u] + i, cell[v] + j
                    corners.append(vertices.setdefault(tuple(at), len(vertices) + 1))
                faces.append(corners if side else corners[::-1])
    lines = ["v %d %d %d" % at for at in vertices] + ["f " + " ".join(map(str, corners)) for corners in faces]
    return "\n".join(lines) + "\n"


def needles(count):
    """Thin pyramids along both families of lines of the saddle z = x y: cut planes of one cut all of the other."""
    lines, width = [], 0.05 / count
    for i in range(count):
        s = (2 * i + 1) / count - 1
        x, y = (0, width, 0), (width, 0, 0)
        for a, b, side in (((s, -1.1, -1.1 * s), (s, 1.1, 1.1 * s), y),
                           ((-1.1, s, 4 * width - 1.1 * s), (1.1, s, 4 * width + 1.1 * s), x)):
            base = [a, [p + q for p, q in zip(a, side)], [a[0], a[1], a[2] + width]]
            if side is x:
                base.reverse()
            lines += ["v %.17g %.17g %.17g" % tuple(p) for p in (*base, b)]
            lines += ["f -4 -3 -2", "f -3 -4 -1", "f -2 -3 -1", "f -4 -2 -1"]
    return "\n".join(lines) + "\n"


def is_in_frame(x, y, z):
    return 0 < x < 3 and 0 < y < 3 and 0 < z < 1 and not (1 < x < 2 and 1 < y < 2)


def row(*points):
    return ",".join("%.17g" % x for point in points for x in point) + "\n"


class Locate(CommandTest):
    def results(self, solid, points, *words):
        result = self.json("locate", solid, self.write("points.csv", points), *words)
        self.assertEqual(set(result), {"schema", "solid", "points", "pose", "tolerance", "results"})
        return result["results"]

    def places(self, solid, points, *words):
        """"inside", "outside", or kind and index."""
        return [r["place"] if r["feature"] is None else "%s %d" % (r["feature"]["kind"], r["feature"]["index"])
                for r in self.results(solid, points, *words)]

    def test_points(self):
        """The block is 2 x 2 x 1: its file has the top, z = 1, as face 1, and the vertex (2, 0, 0) as vertex 1."""
        points = "x,y,z\n# a comment\n0.5,1.5,1\n\n2 0 0  # a corner\r\n0.5,0,0\n1,1,0.5\n1,1,1.5\n"
        results = self.results(BLOCK, points)
        self.assertEqual([(r["row"], r["line"], r["shape"]) for r in results],
                         [(i, line, "point") for i, line in enumerate((3, 5, 6, 7, 8))])
        self.assertEqual([r["place"] for r in results], ["on", "on", "on", "inside", "outside"])
        self.assertEqual(results[0]["feature"], {"kind": "face", "index": 1, "merged": False})
        self.assertEqual(results[1]["feature"], {"kind": "vertex", "index": 1, "merged": False})
        self.assertEqual(results[2]["feature"], {"kind": "edge", "index": 0, "vertices": [0, 1], "merged": False})
        self.assertEqual([results[3]["feature"], results[4]["feature"]], [None, None])

    def test_merged_features(self):
        """Each side of CUBE is two triangles: z = 1 is faces 2 and 3. The diagonal between them is not an edge."""
        results = self.results(self.write("cube.obj", CUBE), "0.5,0.5,1\n0.9,0.2,1\n0.2,0.9,1\n")
        for result in results:
            self.assertEqual(result["feature"], {"kind": "face", "index": 2, "merged": True})

    def test_hole(self):
        solid = self.write("frame.obj", frame())
        points = "0.5,0.5,0.5\n1.5,1.5,0.5\n1.5,1.5,0\n1,1.5,0.5\n1,1,0.5\n1,1,1\n0.5,1,0\n"
        self.assertEqual([r["place"] for r in self.results(solid, points)],
                         ["inside", "outside", "outside", "on", "on", "on", "on"])
        kinds = [r["feature"] and r["feature"]["kind"] for r in self.results(solid, points)]
        self.assertEqual(kinds, [None, None, None, "face", "edge", "vertex", "face"])

    def test_segment(self):
        """From x = -1 to 4 through the hole: it meets walls at x = 0, 1, 2 and 3."""
        result, = self.results(self.write("frame.obj", frame()), row((-1, 1.5, 0.5), (4, 1.5, 0.5)))
        pieces = result["pieces"]
        self.assertEqual([p["place"] for p in pieces], ["outside", "on", "inside", "on", "outside", "on", "inside", "on", "outside"])
        self.assert_near([p["begin"] for p in pieces], [0, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8])
        self.assert_near([p["end"] for p in pieces], [0.2, 0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8, 1])
        self.assert_near([p["measure"] for p in pieces], [1, 0, 1, 0, 1, 0, 1, 0, 1])
        self.assertEqual([p["dimension"] for p in pieces], [1, 0] * 4 + [1])

    def test_segment_along_an_edge(self):
        """Along the edge y = z = 0 of the block, which ends at vertices 0 and 1, to x = 3."""
        result, = self.results(BLOCK, row((0, 0, 0), (3, 0, 0)))
        self.assertEqual([(p["place"], p["feature"] and p["feature"]["kind"]) for p in result["pieces"]],
                         [("on", "vertex"), ("on", "edge"), ("on", "vertex"), ("outside", None)])
        self.assert_near([p["end"] for p in result["pieces"]], [0, 2 / 3, 2 / 3, 1])

    def test_random_segments(self):
        """The middle of every piece is where the piece is said to be, and the pieces follow each other from 0 to 1."""
        rng = random.Random(15)
        segments = [[[rng.uniform(-1, 4), rng.uniform(-1, 4), rng.uniform(-0.5, 1.5)] for _ in range(2)] for _ in range(200)]
        results = self.results(self.write("frame.obj", frame()), "".join(row(*s) for s in segments))
        self.assertEqual(len(results), len(segments))
        seen = set()
        for (a, b), result in zip(segments, results):
            at = 0
            for piece in result["pieces"]:
                self.assertEqual(piece["begin"], at)
                at, t = piece["end"], 0.5 * (piece["begin"] + piece["end"])
                middle = [x + t * (y - x) for x, y in zip(a, b)]
                if piece["dimension"] == 1:
                    self.assertEqual(piece["place"], "inside" if is_in_frame(*middle) else "outside", middle)
                seen.add(piece["place"])
            self.assertEqual(at, 1)
        self.assertEqual(seen, {"inside", "outside", "on"})

    def test_polygon_across(self):
        """A square of side 5 around the frame at half its height: 8 of its area are inside, 25 - 8 outside. It meets the
        four walls outside, of length 3, the four of the hole, of length 1, and the edges between them in points."""
        square = row((-1, -1, 0.5), (4, -1, 0.5), (4, 4, 0.5), (-1, 4, 0.5))
        result, = self.results(self.write("frame.obj", frame()), square)
        pieces = result["pieces"]
        areas = {p["place"]: p["measure"] for p in pieces if p["dimension"] == 2}
        self.assert_near([areas["inside"], areas["outside"]], [8, 17])
        walls = sorted(p["measure"] for p in pieces if p["dimension"] == 1)
        self.assert_near(walls, [1] * 4 + [3] * 4)
        self.assertEqual({p["feature"]["kind"] for p in pieces if p["dimension"] == 1}, {"face"})
        self.assertEqual([p["feature"]["kind"] for p in pieces if p["dimension"] == 0], ["edge"] * 8)

    def test_polygon_on_a_face(self):
        """The triangle (-3, 0), (4.5, 0), (4.5, 7.5) at the height of the frame's top covers y <= x + 3, which is all of
        the top: area 8, with 8 edges and 8 vertices; 28.125 - 8 are outside. Each feature comes once."""
        triangle = row((-3, 0, 1), (4.5, 0, 1), (4.5, 7.5, 1))
        result, = self.results(self.write("frame.obj", frame()), triangle)
        areas = {p["place"]: p["measure"] for p in result["pieces"] if p["dimension"] == 2}
        self.assert_near([areas["on"], areas["outside"]], [8, 20.125])
        edges = [p for p in result["pieces"] if p["dimension"] == 1]
        self.assert_near(sorted(p["measure"] for p in edges), [1] * 4 + [3] * 4)
        self.assertEqual(sum(p["dimension"] == 0 for p in result["pieces"]), 8)
        names = [str(p["feature"]) for p in result["pieces"]]
        self.assertEqual(len(names), len(set(names)))

    def test_random_polygons(self):
        """The areas of the pieces add up to that of the triangle."""
        rng = random.Random(16)
        triangles = [[[rng.uniform(-1, 4), rng.uniform(-1, 4), rng.uniform(-0.5, 1.5)] for _ in range(3)] for _ in range(50)]
        results = self.results(self.write("frame.obj", frame()), "".join(row(*t) for t in triangles))
        for (a, b, c), result in zip(triangles, results):
            u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
            cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
            area = 0.5 * sum(x * x for x in cross) ** 0.5
            self.assert_near([sum(p["measure"] for p in result["pieces"] if p["dimension"] == 2)], [area])

    def test_pose(self):
        """A quarter turn about z puts the block's (x, y, z) at (-y, x, z), before the shift."""
        turn = "10 20 30 1 0 0 1"
        self.assertEqual(self.places(BLOCK, "8.5,20.5,31\n10,22,30\n9,21,30.5\n11,21,30.5\n", "--pose", turn),
                         ["face 1", "vertex 1", "inside", "outside"])
        far = "3e8 0 -2e8 0.9 0.1 0.2 0.3"  # coordinates there are rounded by 3e-8, more than the default tolerance
        place = self.json("locate", BLOCK, self.write("one.csv", "3e8,0,-2e8\n"), "--pose", far)
        self.assertEqual(place["results"][0]["feature"], {"kind": "vertex", "index": 0, "merged": False})
        self.assertGreater(place["tolerance"], 3e-8)

    def test_tolerance(self):
        self.assertEqual(self.places(BLOCK, "1,1,1.01\n"), ["outside"])
        self.assertEqual(self.places(BLOCK, "1,1,1.01\n", "--tolerance", "0.02"), ["face 1"])

    def test_formats(self):
        path = self.write("points.csv", row((0, 1, 0.5)) + row((0.5, 0, 0)) + row((1, 1, -1), (1, 1, 0.5)))
        rows = self.csv("locate", BLOCK, path)
        self.assertEqual(list(rows[0]), ["row", "line", "shape", "dimension", "begin", "end", "measure", "place", "kind",
                                         "index", "vertices", "merged"])
        self.assertEqual([r["place"] for r in rows], ["on", "on", "outside", "on", "inside"])
        self.assertEqual([r["row"] for r in rows], ["0", "1", "2", "2", "2"])
        self.assertEqual((rows[1]["kind"], rows[1]["vertices"], rows[1]["begin"]), ("edge", "0 1", ""))
        self.assertEqual((rows[2]["kind"], rows[2]["begin"], rows[2]["measure"]), ("", "0", "1"))
        table = self.text("locate", BLOCK, path)
        self.assertIn("edge 0-1", table)
        self.assertIn("measure", table)
        # Points alone need fewer columns in a table, but not in CSV.
        few = self.write("few.csv", "0,0,0\n")
        self.assertNotIn("measure", self.text("locate", BLOCK, few))
        self.assertEqual(list(self.csv("locate", BLOCK, few)[0]), list(rows[0]))

    def test_stdin(self):
        done = self.run_abut("locate", BLOCK, "-", "--format", "csv", input=b"\xef\xbb\xbf1,1,0.5\n")
        self.assertIn(b"inside", done.stdout)
        self.fails("locate", BLOCK, "-", says=("-:1: ",), input=b"1,1\n")

    def test_bad_lines(self):
        for text, says in [
            ("x,y,z\n1,2\n", (":2: ", "2 numbers")),
            ("1,2,3,4\n", (":1: ", "4 numbers")),
            ("1,2,3\nx,y,z\n", (":2: ", "not a finite number")),
            ("0,0,zero\n", (":1: ", "not a finite number")),
            ("nan,nan,nan\n", (":1: ", "not a finite number")),
            ("# c\n\n1,,3\n", (":3: ", "not a finite number")),
            ("1,2,3\r4,5,6\n", (":1: ", "not a finite number")),
            ("1e61,0,0\n", (":1: ", "1e+60")),
            ("1,2,\0003\n", (":1: ", "zero byte", "column 5")),
            (row((0, 0, 0), (1, 0, 0), (2, 0, 0)), (":1: ", "on a line")),
            (row((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 0, 0)), (":1: ", "corners 4 and 1", "equal")),
            (row((0, 0, 0), (1, 0, 0), (1, 1, 0), (0.9, 0.1, 0)), (":1: ", "not convex at corner 4")),
            (row((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0.1)), (":1: ", "not planar")),
            # a pentagram turns left at every corner, but twice around
            (row((1, 0, 0), (-0.809, 0.588, 0), (0.309, -0.951, 0), (0.309, 0.951, 0), (-0.809, -0.588, 0)),
             (":1: ", "crosses itself")),
            ("", ("no points",)),
            ("x,y,z\n", ("no points",)),
        ]:
            self.fails("locate", BLOCK, self.write("bad.csv", text), says=("bad.csv", *says))

    def test_almost_convex(self):
        """Coordinates of seven digits: a regular polygon of 100 corners, turned, is planar and convex within rounding."""
        corners = [(round(math.cos(a), 7), round(0.6 * math.sin(a), 7), round(0.8 * math.sin(a), 7))
                   for a in (2 * math.pi * i / 100 for i in range(100))]
        result, = self.results(BLOCK, row(*corners))
        self.assertAlmostEqual(sum(p["measure"] for p in result["pieces"] if p["dimension"] == 2), math.pi, delta=0.01)

    def test_bad_solids_and_options(self):
        points = self.write("points.csv", "0,0,0\n")
        opened = self.write("open.obj", "\n".join(CUBE.splitlines()[:-1]) + "\n")
        self.fails("locate", opened, points, says=("open.obj", "not closed", "abut mesh check"))
        self.fails("locate", self.write("in.obj", inside_out(CUBE)), points, says=("in.obj", "--repair"))
        self.fails("locate", self.write("needles.obj", needles(150)), points, says=("needles.obj", "too many pieces"))
        self.fails("locate", "missing.obj", points, says=("missing.obj",))
        self.fails("locate", BLOCK, "missing.csv", says=("missing.csv",))
        self.fails("locate", BLOCK, points, "--tolerance", "1", says=("--tolerance", "hundredth"))
        self.fails("locate", BLOCK, points, "--tolerance", "0", says=("--tolerance",))
        self.fails("locate", BLOCK, points, "--pose", "1 2", says=("--pose", "has 2"))
        self.fails("locate", BLOCK, points, "--pose", "1e20 0 0", says=("--pose", "far away"))
        self.fails("locate", BLOCK, says=("locate",))


if __name__ == "__main__":
    main()
