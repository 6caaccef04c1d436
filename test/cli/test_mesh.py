# SPDX-License-Identifier: MIT
"""test_mesh.py: abut mesh info, check, convert, tetrahedralize"""
import shutil
import unittest

from command import CUBE, BLOCK, CommandTest, inside_out, main


class Mesh(CommandTest):
    def test_info_of_a_cube(self):
        # A unit cube: 8 vertices, 12 triangles, 18 edges, volume 1, area 6; about its centre the inertia is 1/6.
        info = self.json("mesh", "info", self.write("cube.obj", CUBE))
        self.assertEqual(info["counts"], {"vertices": 8, "points": 0, "segments": 0, "faces": 12, "triangles": 12,
                                          "tets": 0, "edges": 18, "parts": 1})
        self.assertEqual(info["bounds"]["lower"], [0, 0, 0])
        self.assertEqual(info["bounds"]["upper"], [1, 1, 1])
        surface, solid, brep = info["surface"], info["solid"], info["brep"]
        self.assertTrue(surface["closed"] and surface["oriented"])
        self.assertAlmostEqual(surface["area"], 6, delta=1e-14)
        self.assertAlmostEqual(solid["volume"], 1, delta=1e-14)
        self.assert_near(solid["center"], [0.5, 0.5, 0.5])
        self.assert_near(solid["principal_moments"], [1 / 6] * 3)
        self.assert_near(sum(solid["inertia"], []), [1 / 6, 0, 0, 0, 1 / 6, 0, 0, 0, 1 / 6])
        self.assertEqual((brep["faces"], brep["edges"], brep["convex_edges"], brep["reflex_edges"], brep["vertices"]),
                         (6, 12, 12, 0, 8))

    def test_info_names_open_and_crowded_edges(self):
        # Three triangles at the edge 0-1, each with two open edges.
        path = self.write("fan.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nf 1 2 3\nf 2 1 4\nf 1 2 5\n")
        info = self.json("mesh", "info", path)
        self.assertFalse(info["surface"]["closed"])
        self.assertEqual(info["surface"]["boundary_edges"], 6)
        self.assertEqual(info["surface"]["first_boundary_edges"], [[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4]])
        self.assertEqual(info["surface"]["first_non_manifold_edges"], [[0, 1]])
        self.assertIsNone(info["solid"]["volume"])
        self.assertIsNone(info["solid"]["center"])

    def test_info_tells_a_mesh_that_is_inside_out(self):
        self.assertEqual(self.json("mesh", "info", self.write("cube.obj", CUBE))["surface"]["orientation"], "outward")
        path = self.write("inverted.obj", inside_out(CUBE))
        self.assertEqual(self.json("mesh", "info", path)["surface"]["orientation"], "inside out")
        self.assertRegex(self.text("mesh", "info", path), r"(?m)^surface.orientation +inside out$")
        opened = self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assertIsNone(self.json("mesh", "info", opened)["surface"]["orientation"])

    def test_info_formats_agree(self):
        path = self.write("cube.obj", CUBE)
        info = self.json("mesh", "info", path)
        rows = {row["property"]: row["value"] for row in self.csv("mesh", "info", path)}
        self.assertEqual(float(rows["bounds.diagonal"]), info["bounds"]["diagonal"])
        self.assertEqual([float(x) for x in rows["solid.principal_moments"].split()], info["solid"]["principal_moments"])
        self.assertEqual(rows["surface.closed"], "yes")
        table = dict(line.split(None, 1) for line in self.text("mesh", "info", path).splitlines())
        self.assertEqual(table.keys() - {"property"}, rows.keys())
        self.assertEqual(table["counts.vertices"], "8")

    def test_bad_files(self):
        for name, content, says in (
                ("broken.obj", "v 0 0 0\nv 1 0 zero\n", "broken.obj:2"),
                ("nan.obj", "v 0 0 0\nv nan 0 0\n", "nan.obj:2"),
                ("range.obj", "v 0 0 0\nf 1 2 3\n", "range.obj:2"),
                ("empty.obj", "", "empty"),
                ("part.step", "ISO-10303-21;\nHEADER;\n", "STL"),
                ("part.stp", "ISO-10303-21;\nHEADER;\n", "STL"),
                ("step.obj", "ISO-10303-21;\nHEADER;\n", "STL"),
                ("short.stl", b"\0" * 84 + b"\1", "short.stl"),
                ("obj.stl", CUBE, "STL")):
            self.fails("mesh", "info", self.write(name, content), says=[name, says])
        self.fails("mesh", "info", str(self.folder / "missing.obj"), says="missing.obj")
        self.fails("mesh", "info", str(self.folder), says=str(self.folder))

    def test_convert_keeps_the_vertices(self):
        path = self.write("cube.obj", CUBE.replace("v 1 1 1", "v 1 1 1.1000000000000001"))
        self.run_abut("mesh", "convert", path, "a.node")
        self.run_abut("mesh", "convert", "a.node", "b.obj")
        self.assertEqual(self.json("mesh", "info", path)["hash"], self.json("mesh", "info", "b.obj")["hash"])
        self.run_abut("mesh", "convert", path, "c.stl", "--text")
        self.assertTrue((self.folder / "c.stl").read_bytes().startswith(b"solid"))
        self.run_abut("mesh", "convert", path, "d.stl")
        self.assertEqual(self.json("mesh", "info", "d.stl")["precision"], "float")

    def test_convert_goes_through_every_format(self):
        path = self.write("cube.obj", CUBE.replace("v 1 1 1", "v 1 1 1.1000000000000001"))
        expected = self.json("mesh", "info", path)["hash"]
        for name, options in (("a.ply", []), ("b.ply", ["--text"]), ("c.off", []), ("d.msh", [])):
            self.run_abut("mesh", "convert", path, name, *options)
            self.assertEqual(self.json("mesh", "info", name)["hash"], expected, name)
            path = name
        self.assertTrue((self.folder / "b.ply").read_bytes().startswith(b"ply\nformat ascii"))
        self.run_abut("mesh", "convert", path, "e.vtu")
        self.assertIn(b"UnstructuredGrid", (self.folder / "e.vtu").read_bytes())
        self.fails("mesh", "info", "e.vtu", says="not read")
        self.fails("mesh", "convert", path, "f.off", "--text", says=["--text", ".stl", ".ply"])

    def test_broken_files_of_every_kind(self):
        for name, content in (
            ("a.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty int x\n"
                      "property int y\nproperty int z\nend_header\n"),
            ("a.off", "OFF\n4000000000 1 0\n"),
            ("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4000000000\n"),
        ):
            self.fails("mesh", "info", self.write(name, content), says=[name + ":", "bytes"])

    def test_convert_cuts_polygons_on_request(self):
        # A block of six quadrangles; TetGen files can only have triangles.
        self.fails("mesh", "convert", BLOCK, "block.node", says=["face 0", "--triangles"])
        self.run_abut("mesh", "convert", BLOCK, "block.node", "--triangles")
        self.assertEqual(self.json("mesh", "info", "block.node")["counts"]["faces"], 12)

    def test_convert_refuses(self):
        self.fails("mesh", "convert", BLOCK, "out.xyz", says="out.xyz")
        self.fails("mesh", "convert", BLOCK, "nowhere/out.obj", says=["nowhere/out.obj", "folder"])
        self.fails("mesh", "convert", BLOCK, str(self.folder), says="folder")
        cube = self.write("cube.obj", CUBE)
        for same in (cube, "./cube.obj", "link.obj"):
            if same == "link.obj":
                (self.folder / same).symlink_to(cube)
            self.fails("mesh", "convert", cube, same, says=[same, "another"])
        self.assertEqual((self.folder / "cube.obj").read_text(), CUBE)
        self.run_abut("mesh", "convert", cube, "cube.node")
        self.fails("mesh", "tetrahedralize", "cube.node", "./cube.node", says="another")
        self.write("kept.obj", "old")
        (self.folder / "other.obj").symlink_to("kept.obj")
        self.run_abut("mesh", "convert", cube, "other.obj")
        self.assertTrue((self.folder / "other.obj").is_symlink())
        self.assertIn("v ", (self.folder / "kept.obj").read_text())
        (self.folder / "full.obj").symlink_to("/dev/full")
        self.fails("mesh", "convert", BLOCK, "full.obj", says=["full.obj", "regular file"])

    def test_check_of_a_sound_mesh(self):
        check = self.json("mesh", "check", self.write("cube.obj", CUBE))
        self.assertEqual((check["verdict"], check["findings"]), ("sound", []))
        self.assertAlmostEqual(check["tolerance"], 1e-6 * 3 ** 0.5, delta=1e-18)
        self.assertIn("sound: ", self.text("mesh", "check", "cube.obj"))
        self.assertEqual(self.csv("mesh", "check", "cube.obj"), [])

    def test_check_of_a_mesh_that_has_nothing_to_repair(self):
        # Only vertices, and one face without area: the repair drops everything, so that nothing can be written.
        for text in ("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"):
            path = self.write("bare.obj", text)
            check = self.json("mesh", "check", path)
            self.assertEqual(check["verdict"], "faulty")
            self.assertIn("no-elements", [finding["kind"] for finding in check["findings"]])
            self.assertEqual("(tolerance" in self.text("mesh", "check", path), "f" in text)  # of no vertices: none
            self.assertIn("out.obj", self.run_abut("mesh", "convert", path, "out.obj", "--repair", code=2).errors)

    def test_repair_says_what_is_left(self):
        # Vertex 7 is missing, so its triangles are dropped: a hole, which the repair does not fill.
        path = self.write("nan.obj", CUBE.replace("v 1 1 1", "v nan 1 1"))
        self.assertIn("open-edges",
                      self.run_abut("mesh", "convert", path, "out.obj", "--repair").errors)
        soup = self.run_abut("mesh", "convert", self.write("sick.obj", self.SICK), "sound.obj", "--repair").errors
        self.assertNotIn("left after", soup)

    # A cube with faults: vertex 8 equals vertex 6, and the last face uses it; a NaN and an unused vertex; face 2 is reversed; a face
    # with vertices that do not exist, a duplicate face, a face with a vertex twice.
    SICK = (CUBE.replace("f 5 6 7", "f 5 7 6").replace("f 3 8 7", "f 3 8 9")
            .replace("f 1 3 2", "v 1 1 1\nv nan 0 0\nv 5 5 5\nf 1 3 2")
            + "f 1 2 77\nf 0 1 2\nf 2 1 3\nf 4 4 5\nf 1 2 10\n")

    def test_check_names_what_is_wrong(self):
        path = self.write("sick.obj", self.SICK)
        check = self.json("mesh", "check", path)
        found = {finding["kind"]: (finding["count"], finding["elements"]) for finding in check["findings"]}
        self.assertEqual(found["not-finite"], (1, [9]))
        self.assertEqual(found["index-out-of-range"], (2, [12, 13]))
        self.assertEqual(found["duplicate-vertices"], (1, [[8, 6]]))
        self.assertEqual(found["unused-vertices"], (1, [10]))
        self.assertEqual(found["degenerate-faces"], (1, [15]))
        self.assertEqual(found["duplicate-faces"], (1, [[14, 0]]))
        self.assertEqual(found["flipped-faces"], (1, [2]))
        self.assertEqual(check["verdict"], "repairable")
        for finding in check["findings"]:
            self.assertEqual(list(finding), ["kind", "severity", "count", "complete", "element", "elements", "meaning",
                                             "repair", "repaired"])
            self.assertTrue(finding["meaning"] and finding["repair"])
        text = self.text("mesh", "check", path)
        rows = self.csv("mesh", "check", path)
        self.assertEqual([row["kind"] for row in rows], [finding["kind"] for finding in check["findings"]])
        for finding in check["findings"]:
            self.assertIn(finding["kind"], text)
            self.assertIn(finding["meaning"], text)

    def test_repair_removes_what_check_names(self):
        done = self.run_abut("mesh", "convert", self.write("sick.obj", self.SICK), "well.obj", "--repair")
        self.assertEqual(len(done.errors.splitlines()), 1)
        self.assertIn("welded 1 vertex, dropped 2 vertices, dropped 5 faces", done.errors)
        self.assertEqual(self.json("mesh", "check", "well.obj")["findings"], [])
        info = self.json("mesh", "info", "well.obj")
        self.assertAlmostEqual(info["solid"]["volume"], 1, delta=1e-14)
        self.assertEqual((info["counts"]["vertices"], info["counts"]["faces"]), (8, 12))

    def test_repair_welds_within_a_tolerance(self):
        path = self.write("crack.obj", CUBE.replace("f 1 3 2", "v 1 1 1.01\nf 1 3 2").replace("f 3 8 7", "f 3 8 9"))
        self.run_abut("mesh", "convert", path, "a.obj", "--repair")
        self.assertFalse(self.json("mesh", "info", "a.obj")["surface"]["closed"])
        self.run_abut("mesh", "convert", path, "b.obj", "--repair", "--tolerance", "0.02")
        self.assertTrue(self.json("mesh", "info", "b.obj")["surface"]["closed"])
        self.fails("mesh", "convert", path, "c.obj", "--tolerance", "0.02", says="--repair")
        self.fails("mesh", "convert", path, "c.obj", "--repair", "--tolerance", "-1", says="--tolerance")

    def test_max_edge_keeps_the_body(self):
        path = self.write("cube.obj", CUBE)
        self.run_abut("mesh", "convert", path, "fine.obj", "--max-edge", "0.3")
        info, fine = self.json("mesh", "info", path), self.json("mesh", "info", "fine.obj")
        self.assertGreater(fine["counts"]["faces"], 12 * 16)
        self.assertTrue(fine["surface"]["closed"] and fine["surface"]["oriented"])
        self.assertAlmostEqual(fine["solid"]["volume"], 1, delta=1e-13)
        for count in ("faces", "edges", "convex_edges", "vertices"):
            self.assertEqual(fine["brep"][count], info["brep"][count])
        self.fails("mesh", "convert", path, "x.obj", "--max-edge", "0", says="--max-edge")
        self.fails("mesh", "convert", path, "x.obj", "--max-edge", "1e-7", code=3, says=["cube.obj", "triangles"])
        self.run_abut("cases", "spikes", "--out", "spikes")
        self.fails("mesh", "convert", "spikes/spikes-a.node", "x.node", "--max-edge", "0.3", says="tetrahedra")

    def test_check_answers_on_any_file(self):
        # A file that cannot be parsed is an error with a line number; any other file gives a result.
        self.fails("mesh", "check", self.write("broken.obj", "v 0 0 0\nv 1 0 zero\n"), says="broken.obj:2")
        self.fails("mesh", "check", str(self.folder / "missing.obj"), says="missing.obj")
        for name, content in (("range.obj", "v 0 0 0\nf 1 2 3\n"), ("nan.obj", "v nan inf -1e999\n"),
                              ("short.obj", "v 0 0 0\nf 1\n"), ("point.obj", "v 1 2 3\np 1 7\n"),
                              ("nan.stl", b"\0" * 80 + b"\1\0\0\0" + b"\xff" * 50),
                              ("index.off", "OFF\n1 1 0\n0 0 0\n3 0 1 -2\n")):
            self.fails("mesh", "info", self.write(name, content), says=name)
            self.assertGreater(len(self.json("mesh", "check", name)["findings"]), 0, name)

    @unittest.skipUnless(shutil.which("tetgen"), "needs tetgen")
    def test_tetrahedralize(self):
        self.run_abut("mesh", "tetrahedralize", self.write("cube.obj", CUBE), "cube.node")
        info = self.json("mesh", "info", "cube.node")
        self.assertGreaterEqual(info["counts"]["tets"], 5)
        self.assertAlmostEqual(info["solid"]["volume"], 1, delta=1e-12)
        self.run_abut("mesh", "tetrahedralize", BLOCK, "block.node")
        self.assertAlmostEqual(self.json("mesh", "info", "block.node")["solid"]["volume"], 4, delta=1e-12)
        # An OBJ file cannot have tetrahedra; it can have the surface.
        self.fails("mesh", "convert", "cube.node", "cube2.obj", says="cube2.obj")
        self.run_abut("mesh", "convert", "cube.node", "cube2.obj", "--surface")
        self.assertEqual(self.json("mesh", "info", "cube2.obj")["counts"]["tets"], 0)

    def test_tetrahedralize_fails_well(self):
        opened = self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.fails("mesh", "tetrahedralize", opened, "out.node", says="open.obj")
        self.fails("mesh", "tetrahedralize", BLOCK, "nowhere/out.node", says="nowhere/out.node")
        self.fails("mesh", "tetrahedralize", BLOCK, "out.node", "--seconds", "0", says=["--seconds", "more than 0"])
        self.fails("mesh", "tetrahedralize", BLOCK, "out.obj", says=["out.obj", ".node"])
        without = {"PATH": str(self.folder)}
        self.fails("mesh", "tetrahedralize", BLOCK, "out.node", env=without, code=3, says="tetgen")


if __name__ == "__main__":
    main()
