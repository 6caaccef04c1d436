# SPDX-License-Identifier: MIT
"""test_mesh.py: abut mesh info, convert, tetrahedralize"""
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
                ("obj.stl", CUBE, "neither text STL, which starts with 'solid', nor binary STL")):
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
        self.fails("mesh", "convert", path, "f.off", "--text", says="--text is for .stl and .ply")

    def test_broken_files_of_every_kind(self):
        for name, content in (
            ("a.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nproperty int x\n"
                      "property int y\nproperty int z\nend_header\n"),
            ("a.off", "OFF\n4000000000 1 0\n"),
            ("a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4000000000\n"),
        ):
            self.fails("mesh", "info", self.write(name, content), says=[name, "promised"])

    def test_convert_cuts_polygons_on_request(self):
        # A block of six quadrangles; TetGen files hold triangles.
        self.fails("mesh", "convert", BLOCK, "block.node", says="face 0 has 4 corners")
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
            self.fails("mesh", "convert", cube, same, says=[same, "name another"])
        self.assertEqual((self.folder / "cube.obj").read_text(), CUBE)
        self.run_abut("mesh", "convert", cube, "cube.node")
        self.fails("mesh", "tetrahedralize", "cube.node", "./cube.node", says="name another")
        (self.folder / "full.obj").symlink_to("/dev/full")
        self.fails("mesh", "convert", BLOCK, "full.obj", code=3, says="full.obj")

    @unittest.skipUnless(shutil.which("tetgen"), "needs tetgen")
    def test_tetrahedralize(self):
        self.run_abut("mesh", "tetrahedralize", self.write("cube.obj", CUBE), "cube.node")
        info = self.json("mesh", "info", "cube.node")
        self.assertGreaterEqual(info["counts"]["tets"], 5)
        self.assertAlmostEqual(info["solid"]["volume"], 1, delta=1e-12)
        self.run_abut("mesh", "tetrahedralize", BLOCK, "block.node")
        self.assertAlmostEqual(self.json("mesh", "info", "block.node")["solid"]["volume"], 4, delta=1e-12)
        # Tetrahedra do not fit into an OBJ file; the surface does.
        self.fails("mesh", "convert", "cube.node", "cube2.obj", says="cube2.obj")
        self.run_abut("mesh", "convert", "cube.node", "cube2.obj", "--surface")
        self.assertEqual(self.json("mesh", "info", "cube2.obj")["counts"]["tets"], 0)

    def test_tetrahedralize_fails_well(self):
        opened = self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.fails("mesh", "tetrahedralize", opened, "out.node", says="open.obj")
        self.fails("mesh", "tetrahedralize", BLOCK, "nowhere/out.node", says="nowhere/out.node")
        self.fails("mesh", "tetrahedralize", BLOCK, "out.node", "--seconds", "0", says=["--seconds", "more than 0"])
        self.fails("mesh", "tetrahedralize", BLOCK, "out.obj", says="OUT.node")
        without = {"PATH": str(self.folder)}
        self.fails("mesh", "tetrahedralize", BLOCK, "out.node", env=without, code=3, says="tetgen")


if __name__ == "__main__":
    main()
