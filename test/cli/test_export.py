# SPDX-License-Identifier: MIT
"""test_export.py: abut simulate --out, and abut export"""
import base64
import csv
import json
import os
import resource
import signal
import stat
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

from command import ABUT, CommandTest, main

SCENE = {
    "schema": 1,
    "name": "cube, \"sliding\"",
    "gravity": [0, -10, 0],
    "materials": {"m": {}},
    "meshes": {"ground": {"box": [10, 2, 10]}, "cube": {"box": [1, 1, 1]}},
    "bodies": [{"name": "ground", "mesh": "ground", "material": "m", "position": [0, -1, 0], "fixed": True},
               {"name": "a <\"cube\", &c>", "mesh": "cube", "material": "m", "position": [0, 0.5, 0],
                "velocity": [0.5, 0, 0], "spin": [0, 1, 0]}],
}
COMPONENTS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


# Debian's Python has Debian's VTK.
VTK_PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
VTK_SCRIPT = """
import json
from vtkmodules.numpy_interface import dataset_adapter
from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

def read(name):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(name)
    reader.Update()
    return dataset_adapter.WrapDataObject(reader.GetOutput())

inputs = [read("vtk/bodies.vtp"), read("vtk/poses-000008.vtp")]
output = dataset_adapter.WrapDataObject(vtkPolyData())
exec(open("vtk/move.py").read())
print(json.dumps({"cells": output.GetNumberOfCells(), "points": output.GetNumberOfPoints(),
                  "before": inputs[0].Points.tolist(), "after": output.Points.tolist(),
                  "contacts": read("vtk/contacts-000008.vtp").GetNumberOfPoints()}))
"""


class Export(CommandTest):
    def record(self, steps=30, change=lambda scene: None, code=0, options=()):
        """A recording of the scene, and what simulate printed."""
        scene = json.loads(json.dumps(SCENE))
        change(scene)
        path = self.write("scene.json", json.dumps(scene))
        out = self.text("simulate", path, "--steps", str(steps), "--out", "run.h5", "--format", "json",
                        *options, code=code)
        return json.loads(out) if out else None

    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_summary(self):
        printed = self.record()
        result = self.json("export", "run.h5")
        self.assertEqual((result["scene"], result["method"], result["end"]), (SCENE["name"], "auto", "done"))
        self.assertEqual((result["bodies"], result["steps"], result["files"]), (2, 30, []))
        self.assertEqual(result["regions"], 30)  # the cube's bottom on the ground, at each step
        self.assertEqual(result["contacts"], sum(step["contacts"] for step in printed["steps"]))
        self.assertRegex(result["hash"], "^[0-9a-f]{16}$")
        self.assertIn(result["hash"], self.text("export", "run.h5"))
        self.assertEqual(self.csv("export", "run.h5")[0]["hash"], result["hash"])

    def test_events(self):
        """A cube falls by h = 1 onto the ground with e = 0.5. It hits it at t0 = sqrt(2 h / g), then after 2 e^k t0 each."""
        def change(scene):
            scene.update(stepper="events", materials={"m": {"friction": 0, "restitution": 0.5}})
            scene["bodies"][1].update(position=[0, 1.5, 0], velocity=[0, 0, 0], spin=[0, 0, 0])
        printed = self.record(steps=140, change=change)
        self.run_abut("export", "run.h5", "--csv", "folder")
        rows = self.rows("folder/events.csv")
        first = (2 / 10) ** 0.5
        expected = first
        for k, (row, event) in enumerate(zip(rows, printed["events"], strict=True)):
            for name in ("time", "body_a", "body_b", "contacts", "speed"):
                self.assertEqual(float(row[name]), event[name])
            self.assertEqual(row["kind"], event["kind"])
            self.assertEqual(int(row["step"]), int(event["time"] / 0.01) + 1)
            if k < 5:
                self.assertEqual((row["kind"], row["body_a"], row["body_b"], row["contacts"]), ("collision", "0", "1", "4"))
                self.assertAlmostEqual(float(row["time"]), expected, delta=1e-9)
                self.assertAlmostEqual(float(row["speed"]), 10 * first * 0.5**k, delta=1e-8)
            expected += 2 * first * 0.5 ** (k + 1)
        self.assertGreaterEqual(len(rows), 5)
        self.assertEqual(sum(int(row["events"]) for row in self.rows("folder/steps.csv")), len(rows))

    def test_csv_has_what_simulate_printed(self):
        printed = self.record()
        self.run_abut("export", "run.h5", "--csv", "deep/folder")
        steps = self.rows("deep/folder/steps.csv")
        for step, row in zip(printed["steps"], steps, strict=True):
            for name in ("step", "time", "contacts", "residual", "kinetic_energy", "potential_energy"):
                self.assertEqual(float(row[name]), step[name])
            self.assertEqual(row["quality"], "")  # a file's right contacts are not known
            self.assertEqual(float(row["seconds_narrow"]) > 0, step["iterations"] > 0)  # 0 once the cube sleeps
        bodies = self.rows("deep/folder/bodies.csv")
        self.assertEqual(len(bodies), 31 * 2)
        self.assertEqual([float(bodies[1]["position_" + x]) for x in "xyz"], [0, 0.5, 0])
        self.assertEqual(bodies[-1]["name"], SCENE["bodies"][1]["name"])
        pose = printed["bodies"][1]["pose"]
        self.assertEqual([float(bodies[-1][name]) for name in ("position_x", "position_y", "position_z", "rotation_w",
                                                               "rotation_x", "rotation_y", "rotation_z")], pose)
        contacts = self.rows("deep/folder/contacts.csv")
        self.assertGreater(len(contacts), 0)
        for step in printed["steps"]:
            self.assertEqual(sum(row["step"] == str(step["step"]) for row in contacts), step["contacts"])
        for row in contacts:
            self.assertEqual((row["body_a"], row["body_b"], row["region"], row["truth"]), ("0", "1", "0", "unknown"))
            self.assert_near([float(row["normal_" + x]) for x in "xyz"], [0, 1, 0], tolerance=1e-9)

    def piece(self, name):
        """A VTK file: the counts of its piece, and the numbers of its arrays by section and name."""
        text, _, rest = (self.folder / name).read_bytes().partition(b'<AppendedData encoding="raw">\n_')
        data, _, tail = rest.rpartition(b"\n</AppendedData>")
        self.assertEqual(tail, b"\n</VTKFile>\n")
        tree = xml.fromstring(text + b"</VTKFile>")
        arrays = {}
        for section in tree.find("PolyData/Piece"):
            for array in section:
                at, letter = int(array.get("offset")), {"Float64": "d", "Int64": "q", "Int32": "i"}[array.get("type")]
                size, = struct.unpack_from("<Q", data, at)
                arrays[section.tag, array.get("Name")] = [
                    *struct.unpack_from("<%d%s" % (size // struct.calcsize(letter), letter), data, at + 8)]
                self.assertLessEqual(at + 8 + size, len(data))
        return {key: int(value) for key, value in tree.find("PolyData/Piece").attrib.items()}, arrays

    def test_vtk(self):
        """The bodies are there once; the cube's pose at each state is that of the recording."""
        printed = self.record(steps=12)
        names = self.json("export", "run.h5", "--vtk", "vtk")["files"]
        self.assertEqual(len(names), 3 * 13 + 3)
        entries = xml.parse(self.folder / "vtk/run.pvd").findall("Collection/DataSet")
        self.assertEqual(len(entries), 3 * 13)
        self.assertEqual({float(e.get("timestep")) for e in entries}, {0} | {s["time"] for s in printed["steps"]})
        for name in ["bodies.vtp"] + [entry.get("file") for entry in entries]:
            counts, arrays = self.piece("vtk/" + name)
            self.assertEqual(len(arrays["Points", "position"]), 3 * counts["NumberOfPoints"])
            cells = 0
            for kind in ("Verts", "Lines", "Polys"):
                offsets = arrays.get((kind, "offsets"), [])
                self.assertEqual(len(offsets), counts["NumberOf" + kind])
                self.assertEqual(offsets, sorted(offsets))
                vertices = arrays.get((kind, "connectivity"), [])
                self.assertEqual(len(vertices), offsets[-1] if offsets else 0)
                self.assertTrue(all(0 <= vertex < counts["NumberOfPoints"] for vertex in vertices))
                cells += len(offsets)
            for (section, array), values in arrays.items():
                items = {"CellData": cells, "PointData": counts["NumberOfPoints"]}.get(section)
                width = {"normal": 3, "impulse": 3, "bodies": 2, "rotation": 4, "linear_velocity": 3, "angular_velocity": 3}
                if items is not None:
                    self.assertEqual(len(values), items * width.get(array, 1), (name, array))
        counts, bodies = self.piece("vtk/bodies.vtp")
        self.assertEqual((counts["NumberOfPoints"], bodies["PointData", "body"]), (18, [0] * 9 + [1] * 9))
        # eight corners, and the middle for its tetrahedra, in its own frame
        self.assertEqual({abs(x) for x in bodies["Points", "position"][27:]}, {0.0, 0.5})
        _, poses = self.piece("vtk/poses-000012.vtp")
        self.assertEqual(poses["Points", "position"][3:] + poses["PointData", "rotation"][4:], printed["bodies"][1]["pose"])

    def soften(self, scene):
        """The cube becomes soft."""
        del scene["bodies"][1]["spin"]
        scene["bodies"][1]["soft"] = {"young": 1e5}

    def test_vtk_of_soft_bodies(self):
        """The faces of a soft cube are where its vertices are; that of the last step moved by what its velocity says."""
        printed = self.record(steps=4, change=self.soften)
        self.assertGreaterEqual(printed["steps"][-1]["elastic_energy"], 0)
        names = self.json("export", "run.h5", "--vtk", "vtk")["files"]
        self.assertEqual(len(names), 4 * 5 + 3)
        counts, bodies = self.piece("vtk/bodies.vtp")
        self.assertEqual(set(bodies["PointData", "body"]), {0})  # the rigid ground
        first, last = self.piece("vtk/soft-000000.vtp")[1], self.piece("vtk/soft-000004.vtp")[1]
        self.assertEqual(set(first["CellData", "body"]), {1})
        self.assertEqual({abs(x) for x in first["Points", "position"][::3]}, {0.0, 0.5})
        moved = [b - a for a, b in zip(first["Points", "position"][::3], last["Points", "position"][::3])]
        self.assert_near([sum(moved) / 9], [4 * 0.01 * 0.5], tolerance=1e-3)
        self.assertEqual(len(last["Polys", "offsets"]), len(last["CellData", "body"]))

    def test_gltf_of_soft_bodies(self):
        """A soft body has a mesh for each state, all of which but the first have the size zero at first."""
        self.record(steps=3, change=self.soften)
        self.run_abut("export", "run.h5", "--gltf", "run.gltf")
        document = json.loads((self.folder / "run.gltf").read_text())
        frames = [node for node in document["nodes"] if ", step " in node["name"]]
        self.assertEqual([node["scale"][0] for node in frames], [1, 0, 0, 0])
        self.assertEqual(len({node["mesh"] for node in frames}), 4)
        self.assertNotIn("mesh", document["nodes"][1])

    def test_vtk_every(self):
        self.record(steps=12)
        self.run_abut("export", "run.h5", "--vtk", "vtk", "--every", "5")
        self.assertEqual(sorted(p.name for p in (self.folder / "vtk").glob("poses-*")),
                         ["poses-%06d.vtp" % k for k in (0, 5, 10, 12)])
        self.fails("export", "run.h5", "--every", "5", says="--every needs")

    def test_vtk_reads_it(self):
        """VTK itself reads the files, and move.py brings the bodies to their poses, in the way of a Programmable Filter."""
        self.record(steps=8)
        self.run_abut("export", "run.h5", "--vtk", "vtk", "--csv", "csv")
        script = self.write("read.py", VTK_SCRIPT)
        done = subprocess.run([VTK_PYTHON, script], cwd=self.folder, capture_output=True, text=True, check=False)
        if "No module named 'vtkmodules'" in done.stderr:
            self.skipTest("python3-vtk9 is not installed")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        result = json.loads(done.stdout)
        pose = [float(self.rows("csv/bodies.csv")[-1][name]) for name in (
            "position_x", "position_y", "position_z", "rotation_w", "rotation_x", "rotation_y", "rotation_z")]
        self.assertEqual((result["cells"], result["points"]), (24, 18))
        # the cube's corners, turned by the matrix of the quaternion
        w, x, y, z = pose[3:]
        matrix = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                  [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                  [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
        for before, after in zip(result["before"][9:], result["after"][9:], strict=True):
            self.assert_near([sum(matrix[i][k] * before[k] for k in range(3)) + pose[i] for i in range(3)], after, 1e-12)
        self.assertEqual(result["contacts"], sum(row["step"] == "8" for row in self.rows("csv/contacts.csv")))

    def test_a_longer_run_is_not_mixed_with_a_shorter_one(self):
        self.record(steps=4)
        self.run_abut("export", "run.h5", "--vtk", "vtk")
        self.run_abut("export", "run.h5", "--vtk", "vtk")
        self.record(steps=3)
        self.fails("export", "run.h5", "--vtk", "vtk", says=("vtk/poses-000004.vtp: ", "3 steps"))

    def test_regions(self):
        """A square ring of 2 x 2 around 1 x 1 stands on the ground: one region of area 3 with a hole, which is two lines in VTK."""
        corners = [(x * size, y, z * size) for y in (0, 1) for size in (1, 0.5) for x, z in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        faces = []  # outward: outside, inside, bottom, top
        for i in range(4):
            k = (i + 1) % 4
            faces += [(i, 8 + i, 8 + k, k), (4 + k, 12 + k, 12 + i, 4 + i), (i, k, 4 + k, 4 + i), (12 + i, 12 + k, 8 + k, 8 + i)]
        self.write("ring.obj", "".join("v %g %g %g\n" % c for c in corners) +
                   "".join("f %d %d %d %d\n" % tuple(v + 1 for v in face) for face in faces))

        def change(scene):
            scene["meshes"]["cube"] = {"file": "ring.obj"}
            scene["bodies"][1].update(position=[0, 0, 0], velocity=[0, 0, 0], spin=[0, 0, 0])
        self.record(steps=2, change=change)
        self.assertEqual(self.json("export", "run.h5", "--csv", "csv", "--vtk", "vtk")["regions"], 2)
        for step, row in enumerate(self.rows("csv/regions.csv"), 1):
            self.assertEqual([row[name] for name in ("step", "region", "body_a", "body_b", "kind", "loops", "points")],
                             [str(step), "0", "0", "1", "polygon", "2", "8"])
            self.assert_near([float(row["measure"])], [3], tolerance=1e-9)
            self.assert_near([float(row["normal_" + x]) for x in "xyz"], [0, 1, 0], tolerance=1e-9)
        self.assertEqual([row["regions"] for row in self.rows("csv/steps.csv")], ["1", "1"])
        self.assertEqual({row["region"] for row in self.rows("csv/contacts.csv")}, {"0"})
        outlines = self.rows("csv/outlines.csv")
        self.assertEqual([row["hole"] for row in outlines], (["0"] * 4 + ["1"] * 4) * 2)
        for row in outlines:
            side = 0.5 if row["hole"] == "1" else 1
            self.assert_near([abs(float(row["position_" + x])) for x in "xyz"], [side, 0, side], tolerance=1e-6)
        counts, arrays = self.piece("vtk/regions-000002.vtp")
        self.assertEqual([counts["NumberOf" + name] for name in ("Points", "Verts", "Lines", "Polys")], [8, 0, 2, 0])
        self.assertEqual((arrays["Lines", "connectivity"], arrays["Lines", "offsets"]),
                         ([0, 1, 2, 3, 0, 4, 5, 6, 7, 4], [5, 10]))

    def check_gltf(self, document, binary, pose, steps=30, states=31):
        """All ranges are inside their buffers; one body moves, and ends at its last pose."""
        self.assertEqual(document["asset"]["version"], "2.0")
        self.assertEqual(document["buffers"][0]["byteLength"], len(binary))
        # two bodies, and the contacts of each step
        self.assertEqual((len(document["nodes"]), len(document["meshes"])), (2 + steps, 2 + steps))
        self.assertEqual(document["scenes"][0]["nodes"], list(range(2 + steps)))
        for view in document["bufferViews"]:
            self.assertLessEqual(view["byteOffset"] + view["byteLength"], len(binary))
            self.assertEqual(view["byteOffset"] % 4, 0)

        def values(index):
            accessor = document["accessors"][index]
            view = document["bufferViews"][accessor["bufferView"]]
            count = accessor["count"] * COMPONENTS[accessor["type"]]
            letter = {5126: "f", 5125: "I", 5121: "B"}[accessor["componentType"]]
            self.assertEqual(struct.calcsize(letter) * count, view["byteLength"])
            return struct.unpack_from("<%d%s" % (count, letter), binary, view["byteOffset"])

        for mesh in document["meshes"][:2]:
            primitive = mesh["primitives"][0]
            self.assertLess(primitive["material"], len(document["materials"]) - 1)
            positions, indices = values(primitive["attributes"]["POSITION"]), values(primitive["indices"])
            self.assertEqual(len(indices), 36)
            self.assertLess(max(indices), len(positions) / 3)
            bounds = document["accessors"][primitive["attributes"]["POSITION"]]
            self.assertEqual((bounds["min"], bounds["max"]), ([min(positions[i::3]) for i in range(3)],
                                                              [max(positions[i::3]) for i in range(3)]))
        animation, = document["animations"]
        paths, shown = {}, {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            times = values(sampler["input"])
            self.assertEqual(list(times), sorted(set(times)))
            if channel["target"]["node"] > 1:
                self.assertEqual((channel["target"]["path"], sampler["interpolation"]), ("scale", "STEP"))
                shown[channel["target"]["node"]] = (times, values(sampler["output"])[::3])
                continue
            self.assertEqual(channel["target"]["node"], 1)
            self.assertEqual((len(times), times[0]), (states, 0))
            paths[channel["target"]["path"]] = values(sampler["output"])
        self.assert_near(paths["translation"][-3:], pose[:3], tolerance=1e-6)
        self.assert_near(paths["rotation"][-4:], pose[4:] + pose[3:4], tolerance=1e-6)
        self.assertEqual(document["nodes"][1]["name"], SCENE["bodies"][1]["name"])
        self.check_shown(document, shown, values, steps)

    def check_shown(self, document, shown, values, steps):
        """At any time the contacts of one state are seen. Four points in grey (nothing is known), and a line up from each."""
        self.assertEqual(len(shown), steps)
        first = min(times[1] for times, _ in shown.values())
        for time in [first + 0.0051 + 0.01 * k for k in range(20)]:
            seen = [node for node, (times, sizes) in shown.items() if sizes[sum(t <= time for t in times) - 1] == 1]
            self.assertEqual(len(seen), 1, time)
        self.assertEqual([node["scale"] for node in document["nodes"][2:]], [[1, 1, 1]] + [[0, 0, 0]] * (steps - 1))
        for mesh in document["meshes"][2:]:
            points, lines = mesh["primitives"]
            self.assertEqual((points["mode"], lines["mode"]), (0, 1))
            positions, ends = (values(p["attributes"]["POSITION"]) for p in (points, lines))
            self.assertEqual((len(positions), len(ends)), (12, 24))
            self.assert_near(positions[1::3], [0] * 4, 1e-6)
            self.assertTrue(all(y > 0.1 for y in ends[4::6]))
            self.assertEqual(set(values(points["attributes"]["COLOR_0"])), {138, 147, 160, 255})
            self.assertEqual(len(values(lines["attributes"]["COLOR_0"])), 32)

    def test_gltf_every(self):
        pose = self.record()["bodies"][1]["pose"]
        self.run_abut("export", "run.h5", "--gltf", "run.glb", "--every", "4")
        file = (self.folder / "run.glb").read_bytes()
        size, = struct.unpack_from("<I", file, 12)
        document = json.loads(file[20:20 + size])
        # states 0, 4, ..., 28 and 30
        self.check_gltf(document, file[28 + size:], pose, steps=8, states=9)

    def test_gltf(self):
        pose = self.record()["bodies"][1]["pose"]
        self.run_abut("export", "run.h5", "--gltf", "run.gltf")
        document = json.loads((self.folder / "run.gltf").read_text())
        head, text = document["buffers"][0]["uri"].split(",")
        self.assertEqual(head, "data:application/octet-stream;base64")
        binary = base64.b64decode(text, validate=True)
        self.check_gltf(document, binary, pose)

        self.run_abut("export", "run.h5", "--gltf", "run.glb")
        file = (self.folder / "run.glb").read_bytes()
        magic, version, total, size, kind = struct.unpack_from("<4sIII4s", file)
        self.assertEqual((magic, version, total, kind, size % 4), (b"glTF", 2, len(file), b"JSON", 0))
        same_size, same_kind = struct.unpack_from("<I4s", file, 20 + size)
        self.assertEqual((same_kind, file[28 + size:]), (b"BIN\0", binary))
        self.assertEqual(same_size, len(binary))
        self.check_gltf(json.loads(file[20:20 + size]), binary, pose)

    def test_truth_of_a_scene(self):
        """With regions, all 40 contacts of the pillar are correct."""
        self.run_abut("simulate", "pillar", "--steps", "3", "--out", "pillar.h5")
        self.run_abut("export", "pillar.h5", "--csv", "csv")
        self.assertEqual([row["quality"] for row in self.rows("csv/steps.csv")], ["100"] * 3)
        self.assertEqual([row["truth"] for row in self.rows("csv/contacts.csv")], ["right"] * 120)

    def test_threads_do_not_matter(self):
        hashes = []
        for n in ("1", "2"):
            environment = {**os.environ, "OMP_NUM_THREADS": n}
            self.run_abut("simulate", "wall", "--steps", "3", "--out", "run%s.h5" % n, env=environment)
            hashes.append(self.json("export", "run%s.h5" % n)["hash"])
        self.assertEqual(hashes[0], hashes[1])
        self.run_abut("simulate", "wall", "--steps", "4", "--out", "run.h5")
        self.assertNotEqual(self.json("export", "run.h5")["hash"], hashes[0])

    def test_interrupt_leaves_a_recording(self):
        process = subprocess.Popen([ABUT, "simulate", "wall", "--steps", "100000", "--format", "json", "--out", "run.h5"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3)
        result = self.json("export", "run.h5")
        self.assertEqual((result["end"], result["steps"]), ("interrupted", len(json.loads(out)["steps"])))

    def test_a_first_step_that_fails_leaves_a_recording(self):
        """A cube at rest starts 0.3 inside the ground: the method may not separate them."""
        printed = self.record(change=lambda s: s["bodies"][1].update(position=[0, 0.2, 0], velocity=[0, 0, 0]), code=3,
                              options=("--method", "regions", "--option", "overlap=refuse"))
        self.assertEqual((printed["end"], len(printed["steps"])), ("failed", 0))
        result = self.json("export", "run.h5")
        self.assertEqual((result["end"], result["steps"]), ("failed", 0))
        for word in ("(ground)", "method regions"):
            self.assertIn(word, result["reason"])

    def test_a_diverging_run_leaves_a_recording(self):
        """With g = 10 and steps of 0.01 a cube that falls from rest has a speed of 0.1 K after step K: 1.05 is passed by step 11. Numbers
        that leave the range of double are also reported with step and body."""
        scene = json.loads(json.dumps(SCENE))
        scene["bodies"][1].update(position=[0, 30, 0], velocity=[0, 0, 0], spin=[0, 0, 0])
        path = self.write("fall.json", json.dumps(scene))
        done = self.run_abut("simulate", path, "--steps", "100", "--speed-limit", "1.05", "--out", "run.h5", code=3)
        self.assertIn("stopped after 10 of 100 steps: step 11: body 1 (", done.errors)
        self.assertRegex(done.errors, r"diverged: .*1\.1\b.*1\.05")
        result = self.json("export", "run.h5")
        self.assertEqual((result["end"], result["steps"]), ("failed", 10))
        self.assertIn("step 11: body 1 (", result["reason"])
        for change in ({"position": [0, 0.5, 0], "spin": [1e200, 0, 0]}, {"position": [0, 9, 0], "velocity": [0, -1e300, 0]},
                       {"position": [0, 9, 0], "velocity": [1.7e308, 1.7e308, 0]}):
            scene["bodies"][1].update(change)
            self.write("fall.json", json.dumps(scene))
            self.fails("simulate", path, "--steps", "10", "--out", "run.h5", code=3, says=("step 1: ", "body 1 ("))
            self.assertEqual(self.json("export", "run.h5")["end"], "failed")

    def test_bad_recordings(self):
        self.record(steps=3)
        whole = (self.folder / "run.h5").read_bytes()
        self.write("empty.h5", b"")
        self.write("half.h5", whole[:len(whole) // 2])
        self.write("text.h5", "no HDF5 at all\n")
        for name in ("empty.h5", "half.h5", "text.h5", "none.h5", "."):
            self.fails("export", name, "--csv", "csv", says=(name,))
            self.assertFalse((self.folder / "csv").exists())
        # an unknown version: the first bytes of `about`, found by the library's version, which follows
        version = self.text("--version").split()[1].encode()
        at = whole.index(version + b"\0") - 4
        self.assertEqual(whole[at:at + 4], b"\6\0\0\0")
        self.write("other.h5", whole[:at] + b"\4" + whole[at + 1:])
        self.fails("export", "other.h5", says=("other.h5: about[0]: ", "version"))

    def test_a_full_disk(self):
        """Simulated by a limit on the file size, which is reached in the middle of the run."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))
        self.fails("simulate", "pillar", "--steps", "100", "--out", "run.h5", code=3,
                   says=("run.h5: ",), preexec_fn=limit)
        self.fails("export", "run.h5", says=("run.h5: ",))
        self.run_abut("simulate", "pillar", "--steps", "100", "--out", "whole.h5")
        self.fails("export", "whole.h5", "--csv", "csv", code=3, says=(".csv: ",), preexec_fn=limit)
        self.assertEqual([p.name for p in self.folder.rglob("*.part")], [])

    def test_bad_usage(self):
        self.record(steps=1)
        self.fails("export", says=("RUN.h5",))
        self.fails("export", "run.h5", "--gltf", "run.h5", says=("run.h5: ", "another"))
        self.fails("export", "run.h5", "--gltf", ".", says=("folder",))
        self.fails("export", "run.h5", "--csv", "scene.json/x", says=("scene.json/x: ",))
        self.fails("simulate", "scene.json", "--out", ".", says=("folder",))
        self.fails("simulate", "scene.json", "--out", "scene.json", says=("scene.json: ", "another"))
        self.fails("simulate", "scene.json", "--out", "none/run.h5", says=("none/run.h5: ", "folder"))

    def test_names_that_cannot_be_written(self):
        """Pipes and links are not replaced. The name is bad input: exit code 2."""
        self.record(steps=1)
        os.mkfifo(self.folder / "pipe")
        os.symlink("nowhere", self.folder / "broken")
        for name, says in (("pipe", ("pipe: ", "regular file")), ("", "empty"),
                           ("broken", ("broken: ", "link")),
                           ("/proc/run.h5", "/proc/run.h5: ")):
            self.fails("simulate", "scene.json", "--steps", "1", "--out", name, says=says)
            self.fails("export", "run.h5", "--gltf", name, says=says)
            self.fails("assess", "--case", "pillar", "--method", "regions", "--curves", name, says=says)
            self.fails("study", "timestep", "--dts", "0.01", "--method", "regions", "--out", name, says=says)
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.folder / "pipe").st_mode))
        self.write("target.glb", "old")
        os.symlink("target.glb", self.folder / "link.glb")
        self.run_abut("export", "run.h5", "--gltf", "link.glb")
        self.assertTrue((self.folder / "link.glb").is_symlink())
        self.assertEqual((self.folder / "target.glb").read_bytes()[:4], b"glTF")

    def test_two_recordings_of_one_name(self):
        """The second recording is refused before it changes the file of the first."""
        first = subprocess.Popen([ABUT, "simulate", "wall", "--steps", "100000", "--out", "run.h5"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        while not (self.folder / "run.h5").exists() or (self.folder / "run.h5").stat().st_size == 0:
            self.assertIsNone(first.poll())
            time.sleep(0.05)
        self.fails("simulate", "wall", "--steps", "1", "--out", "run.h5", code=3,
                   says=("run.h5: ", "another process"))
        time.sleep(0.5)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
        self.assertEqual(self.json("export", "run.h5")["end"], "interrupted")


if __name__ == "__main__":
    main()
