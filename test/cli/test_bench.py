# SPDX-License-Identifier: MIT
"""test_bench.py: abut bench convex, methods, regions, solve, spin, sweep and world: what their reports contain, and that our answers in them are correct"""
import json
import re
import os
import subprocess
import sys
import unittest

from command import SOURCE, CommandTest, main

SCENES = ["cubes, random", "cubes, shallow", "cubes, stacked", "sphere 50", "sphere 200", "sphere 1000"]
MOTIONS = ["cubes, moving", "sphere 50, moving", "sphere 200, moving", "sphere 1000, moving"]
PEERS = ["libccd", "fcl", "bullet", "ode", "mujoco"]


class Convex(CommandTest):
    @unittest.skipIf(os.environ.get("ABUT_SANITIZE"), "half a minute of queries like those of test/convex")
    def test_report(self):
        report = self.json("bench", "convex", "--seconds", "1e-9", "--repeats", "1")
        rows = {(r["scene"], r["subject"]): r for r in report["rows"]}
        self.check_pairs(rows)
        self.check_motions(rows)
        self.check_table(rows)
        self.check_peers(rows, report["notes"])
        self.check_tool(report)

    def check_pairs(self, rows):
        # The depths are between 0.001 and 2; the truth is computed with 64 bits of mantissa, ours with 53.
        for scene in SCENES:
            values = rows[scene, "abut"]["values"]
            self.assertLess(values["error"], 1e-13, scene)
            self.assertEqual([values[k] for k in ["wrong", "missed", "aborted", "uncertified"]], [0] * 4, scene)
            self.assertLessEqual(values["call_median_ns"], values["call_p99_ns"])
            self.assertGreater(rows[scene, "abut, with manifold"]["values"]["times_distance"], 0.0)

    def check_motions(self, rows):
        for scene in MOTIONS:
            for kind in ["overlapping", "apart"]:
                values = rows[scene, kind + ", memory"]["values"]
                self.assertEqual((values["uncertified"], values["differing"]), (0, 0), (scene, kind))
                self.assertGreater(values["changes"], 10)
                self.assertLess(values["difference"], 1e-13)
                self.assertLessEqual(values["call_p99_ns"], values["call_max_ns"])
                self.assertIn((scene, kind + ", cold"), rows)
            self.assertLess(rows[scene, "overlapping, memory"]["values"]["error"], 1e-13)

    def check_table(self, rows):
        values = rows["table I", "abut"]["values"]
        self.assertLessEqual(values["error_min"], values["error_mean"])
        self.assertLessEqual(values["error_mean"], values["error_max"])
        self.assertLess(values["error_max"], 1e-13)

    def check_peers(self, rows, notes):
        exact = set()
        for peer in PEERS:
            found = [rows[scene, peer]["values"] for scene in SCENES if (scene, peer) in rows]
            self.assertEqual(len(found), 0 if peer + ": not installed" in notes else len(SCENES), peer)
            if any(v["exact"] for v in found):
                exact.add(peer)
                for v in found:
                    self.assertEqual((v["missed"], v["aborted"], v["error"] < 1e-12), (0, 0, True), peer)
        for scene in SCENES:
            note = next(n for n in notes if n.startswith(scene + ": "))
            self.assertEqual(note.endswith("no exact peer"), not exact, note)
        self.assertRegex(notes[-1], r"hold what a call of nothing takes: [0-9.]+ ns")

    def check_tool(self, report):
        path = self.write("report.json", json.dumps(report))
        done = subprocess.run([sys.executable, "-B", str(SOURCE / "tools/convex_tables.py"), path], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        for scene in SCENES + MOTIONS:
            self.assertIn("| %s |" % scene, done.stdout)
        self.assertRegex(done.stdout, r"(?m)^\| abut \| 0 \|")

    def test_help(self):
        self.assertIn("abut bench", self.text("bench", "convex", "--help"))

    def test_out(self):
        """The file has the rows of the table."""
        table = self.text("bench", "predicates", "--seconds", "1e-9", "--repeats", "1", "--out", "rows.json")
        rows = json.loads((self.folder / "rows.json").read_text())["rows"]
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertIn(row["subject"], table)
        self.fails("bench", "predicates", "--out", "no/such/folder.json")


class Methods(CommandTest):
    def test_report(self):
        report = self.json("bench", "methods", "--seconds", "1e-9", "--repeats", "1")
        rows = {(r["scene"], r["subject"]): r["values"] for r in report["rows"]}
        methods = [m["name"] for m in self.json("methods")["methods"]]
        for method in methods:
            # pairs of bodies whose boxes touch
            self.assertEqual(rows["pillar", method]["pairs"], 7, method)
            self.assertEqual(rows["wall", method]["pairs"], 213, method)
            for scene in ["pillar", "wall", "block 1k, 10 x 10", "block 10k, 10 x 10"]:
                self.assertGreater(rows[scene, method]["contacts"], 0, (scene, method))
                self.assertGreater(rows[scene, method]["call_mean_ns"], 0, (scene, method))
            # Nine times the triangles, the same contact: about as many pairs of elements. Somewhat more if the method's reach or
            # grid is relative to the body's size.
            small, large = (rows["block %s, 10 x 10" % size, method]["candidates"] for size in ["1k", "10k"])
            self.assertLess(large, 2.0 * small, method)
        self.assertEqual(len(rows), 4 * len(methods))
        path = self.write("report.json", json.dumps(report))
        done = subprocess.run([sys.executable, "-B", str(SOURCE / "tools/method_tables.py"), path], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        for method in methods:
            self.assertEqual(done.stdout.count("| `%s` |" % method), 3)


class Lmd(CommandTest):
    @unittest.skipIf(os.environ.get("ABUT_SANITIZE"), "a million pairs of nodes, as in test/complex")
    def test_report(self):
        """All hierarchies and threads give the same quasi-LMDs. The scene is not empty. Nine times the simplices take about
        as many tests of nodes: at most twice as many."""
        report = self.json("bench", "lmd", "--seconds", "1e-9", "--repeats", "1")
        rows = {(r["scene"], r["subject"]): r for r in report["rows"]}
        scene = "(8, 40), seed 1"
        full, plain = rows[scene, "full"], rows[scene, "plain"]
        self.assertEqual({full["hash"]}, {plain["hash"], rows[scene, "full, two threads"]["hash"]})
        self.assertGreater(full["values"]["leaf_pairs_gap"], 100)
        self.assertGreater(full["values"]["leaf_pairs_peg"], 100)
        self.assertLess(full["values"]["leaf_pairs_gap"], plain["values"]["leaf_pairs_gap"])
        self.assertLessEqual(full["values"]["bytes_each"], 160)
        small = rows["(100, 400), seed 1", "full"]["values"]
        self.assertGreater(full["values"]["simplices"], 9 * small["simplices"])
        self.assertLess(full["values"]["node_pairs"], 2 * small["node_pairs"])
        if (scene, "pairs, fcl") in rows:
            self.assertEqual(rows[scene, "pairs, fcl"]["values"]["differing"], 0)
        self.assertTrue(any("hash of the assembly" in note for note in report["notes"]))
        path = self.write("report.json", json.dumps(report))
        done = subprocess.run([sys.executable, "-B", str(SOURCE / "tools/lmd_tables.py"), path], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("| (8, 40) | 92,934 |"), 1)


class Regions(CommandTest):
    def test_report(self):
        report = self.json("bench", "regions", "--seconds", "1e-9", "--repeats", "1")
        rows = {r["scene"]: r["values"] for r in report["rows"] if r["subject"] != "intersection"}
        # the same contact, however its faces are cut: four corners
        for size in ["12", "108", "972", "10k"]:
            self.assertEqual(rows["bricks " + size]["contacts"], 4, size)
        # the outlines of gears cross twice at each tooth, and have the corners between teeth of both
        for teeth in [8, 32, 128]:
            self.assertEqual(rows["gears %d" % teeth]["contacts"], 4 * teeth)
        # at rest nothing is looked at; who slides on polygons is analysed once
        for scene in ["turned L", "L beside L", "tips 128", "gears 128"]:
            self.assertEqual(rows[scene + ", at rest"]["candidates"], 0, scene)
        for scene in ["L beside L, sliding", "gears 128, turning"]:
            self.assertEqual(rows[scene]["candidates"], rows[scene.split(",")[0]]["candidates"], scene)
            self.assertEqual(rows[scene]["candidates"], rows[scene + ", no memory"]["candidates"], scene)
        path = self.write("report.json", json.dumps(report))
        done = subprocess.run([sys.executable, "-B", str(SOURCE / "tools/regions_tables.py"), path],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        # every series that grows has an exponent
        powers = re.findall(r"(?m)^\| .*: [0-9.]+ .?s \| (-?[0-9.]+) \|", done.stdout)
        self.assertEqual(len(powers), 11, done.stdout)
        for scene in ["turned L", "L beside L", "tips 128", "gears 128", "pile of 300 boxes"]:
            self.assertIn("| %s |" % scene, done.stdout)


class Solve(CommandTest):
    def test_report(self):
        report = self.json("bench", "solve", "--seconds", "1e-9", "--repeats", "1")
        found = [(r["scene"], r["subject"], r["threads"], r["values"]) for r in report["rows"]]
        rows = {(scene, subject): values for scene, subject, threads, values in found if threads == 1}
        # 8 bricks on the ground, 9 x 15 pairs above each other and 10 x 7 side by side, 4 contacts each. Nothing moves in the end:
        # 100 sweeps leave a small part of the fall of 0.0982, and more if one factor serves all contacts.
        for rule, share in [("local", 0.03), ("global", 0.2), ("blocked", 0.03), ("conjugate", 0.01)]:
            values = rows["wall of 80 bricks", "prox, " + rule]
            self.assertEqual((values["contacts"], values["sweeps"]), (4 * (8 + 9 * 15 + 10 * 7), 100), rule)
            self.assertLess(values["residual"], share * 0.0982, rule)
        # The residual over time. So little time allows only the first point of each curve, and a note says so. Up to 64 sweeps there
        # are no Newton steps.
        peers = {subject for scene, subject in rows if scene == "wall of 80 bricks" and not subject.startswith("prox")}
        for scene, contacts in [("wall of 10 x 10", 4 * (10 + 9 * 19 + 10 * 9)), ("100 stacks of 10", 4000), ("pile of 200", None)]:
            for subject in ["conjugate", "newton", *peers]:
                values = rows[scene, subject]
                self.assertEqual((values["sweeps"], values["newton_steps"]), (10, 0), subject)
                self.assertEqual(values["contacts"], contacts or rows[scene, "newton"]["contacts"], subject)
                self.assertTrue(any(n.startswith("%s, %s: no 20 sweeps" % (scene, subject)) for n in report["notes"]), subject)
            self.assertEqual(rows[scene, "conjugate"]["residual"], rows[scene, "newton"]["residual"])
            # what threads gain, if there are some
            gains = [values["gain"] for name, subject, threads, values in found if name == scene and threads > 1]
            self.assertIn(len(gains), [0, 2])
            self.assertTrue(all(gain > 0 for gain in gains))
        for scene, bricks in [("brick", 1), ("stack of 3", 3), ("stack of 10", 10)]:
            values = rows[scene, "mcp, 4 directions"]
            self.assertEqual(values["contacts"], 4 * bricks, scene)
            self.assertLess(values["residual"], 1e-12, scene)
        path = self.write("report.json", json.dumps(report))
        done = subprocess.run([sys.executable, "-B", str(SOURCE / "tools/solve_tables.py"), path], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("| 100 stacks of 10 | 4,000 | 10 |"), 1)


class Spin(CommandTest):
    def test_report(self):
        rows = self.json("bench", "spin", "--seconds", "1e-9", "--repeats", "1")["rows"]
        self.assertEqual(len(rows), 9)
        for row in rows:
            values = row["values"]
            shares = [values[part + "_percent"] for part in ("contact", "distance", "solve")]
            # contact is the narrow phase minus the distance, which is timed separately: on a busy machine its share may be 0
            self.assertTrue(all(share >= 0 for share in shares) and min(shares[1:]) > 0, row)
        # a cube on its face; Table II
        self.assertEqual((rows[0]["values"]["contacts"], rows[0]["values"]["paper_ns"]), (4, 1.3e6))
        self.assertEqual({row["values"]["paper_ns"] for row in rows if "paper_ns" in row["values"]}, {1.3e6, 18e6, 370e6})

    def test_csv_has_its_notes_on_stderr(self):
        done = self.run_abut("bench", "spin", "--seconds", "1e-9", "--repeats", "1", "--format", "csv")
        self.assertIn("Yi and Drumwright 2016, Table II", done.errors)
        self.assertNotIn(b"Yi and Drumwright", done.stdout)


class World(CommandTest):
    def test_report(self):
        report = self.json("bench", "world", "--seconds", "1e-9", "--repeats", "1")
        events = [r for r in report["rows"] if "events" in r["values"]]
        self.assertEqual([r["scene"] for r in events], ["rings", "tip", "stop"])
        self.assertTrue(all(r["values"]["queries"] >= r["values"]["events"] > 0 for r in events))
        threads = {r["threads"] for r in report["rows"]}
        beside = [r for r in report["rows"] if "drift" in r["values"]]
        self.check_growth([r for r in report["rows"] if r not in beside and r not in events], threads)
        self.check_boxes(beside, threads)
        self.assertEqual(len([n for n in report["notes"] if "exponents of growth" in n]), len(threads))
        self.assertEqual(len([n for n in report["notes"] if "a loop without memory" in n]), len(threads) - 1)
        path = self.write("report.json", json.dumps(report))
        done = subprocess.run([sys.executable, "-B", str(SOURCE / "tools/world_tables.py"), path], capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("| wall |"), 2 * len(threads))
        self.assertEqual(done.stdout.count("| 1,000 |"), len(threads))

    def check_growth(self, found, threads):
        rows = {(r["scene"], r["subject"], r["threads"]): r for r in found}
        self.assertEqual(len(rows), 5 * 2 * len(threads))
        for (scene, subject, count), row in rows.items():
            self.assertEqual(row["hash"], rows[scene, subject, 1]["hash"])
            self.assertEqual(row["repeats"], 5 if subject == "first 5 steps" else 1)
            values = row["values"]
            # medians over one step add up, except for rounding
            if subject == "next steps":
                parts = sum(values[part + "_ns"] for part in ("move", "broad", "narrow", "solve"))
                self.assertAlmostEqual(parts / row["median_ns"], 1.0, places=9)
            self.assertAlmostEqual(values["body_ns"] * values["bodies"] / row["median_ns"], 1.0, places=9)
            if scene == "wall":  # 80 bricks on the ground, as in the group solve
                self.assertEqual((values["bodies"], values["contacts"]), (81, 852))
            elif scene != "colosseum":  # each box touches one below it and no other
                boxes = int(scene.split()[-1].replace(",", ""))
                self.assertEqual((values["bodies"], values["pairs"]), (boxes + 1, boxes))
                # 4 corners on the ground, at most an octagon on each of three boxes
                self.assertLessEqual(values["contacts"], boxes / 4 * (4 + 3 * 8))
                self.assertGreaterEqual(values["contacts"], boxes / 4 * 4 * 4)

    def check_boxes(self, found, threads):
        ours = [r for r in found if r["subject"] != "bullet"]
        ways = {r["subject"] for r in ours if r["scene"] == "1,000 boxes in stacks"}
        self.assertEqual(ways, {"regions", "convex", "convex, manifold=overlap"})
        # the first two also on all threads, if there are more than one; one more row for the boxes that sleep
        self.assertEqual(len(ours), 3 + 2 * (len(threads) - 1) + 1)
        hashes = {}
        for row in ours:
            values = row["values"]
            if "asleep" in row["subject"]:
                # all sleep: nothing is solved, and nothing moves
                self.assertEqual((values["bodies"], values["contacts"]), (401, 1600))
                self.assertEqual((values["iterations"], values["drift"]), (0, 0))
                continue
            # 3 steps from rest. A body that nothing held would fall by 9.82 (3 * 0.01)^2 / 2 = 0.0044. Each box stands on 4
            # corners; with few sweeps it tilts, and edges may cross.
            self.assertEqual((row["repeats"], values["bodies"]), (3, 1001), row)
            self.assertLess(values["drift"], 0.1 * 0.0044, row)
            self.assertGreaterEqual(values["contacts"], 4000, row)
            self.assertLessEqual(values["contacts"], 4000 if values["iterations"] == 25 else 8000, row)
            self.assertEqual(hashes.setdefault(row["subject"], row["hash"]), row["hash"])


class Only(CommandTest):
    def test_only(self):
        """A part of a name selects scenes; "scene, subject" selects rows."""
        def scenes(group, text):
            rows = self.json("bench", group, "--seconds", "1e-9", "--repeats", "1", "--only", text)["rows"]
            return [(r["scene"], r["subject"]) for r in rows]

        self.assertEqual({scene for scene, _ in scenes("regions", "tips 1")},
                         {"tips 16", "tips 128", "tips 128, at rest", "tips 128, turning", "tips 128, turning, no memory"})
        self.assertEqual({scene for scene, _ in scenes("solve", "stack of")}, {"stack of 3", "stack of 10"})
        self.assertEqual(set(scenes("world", "in stacks, regions")), {("1,000 boxes in stacks", "regions")})
        self.assertEqual({scene for scene, _ in scenes("world", "field of 100")}, {"field of 100"})
        # Also in groups that ask by the scene alone before they measure; and the subject alone selects nothing.
        self.assertEqual(scenes("regions", "L beside L, sliding, no memory"), [("L beside L, sliding, no memory", "regions")])
        self.assertEqual(scenes("regions", "beside L, sliding, no memory, reg"), [("L beside L, sliding, no memory", "regions")])
        for group, text in [("regions", "L beside L, no memory, convex"), ("world", "nonsense"), ("solve", "nonsense")]:
            self.fails("bench", group, "--seconds", "1e-9", "--repeats", "1", "--only", text, says=["--only", text])


class Sweep(CommandTest):
    def test_sweep(self):
        """Ours is never late, and is there: at the time of the touch the meshes are apart by rounding and the time
        tolerance only."""
        rows = self.json("bench", "sweep", "--seconds", "1e-9", "--repeats", "1")["rows"]
        times = {}
        for row in rows:
            motion, _, subject = row["subject"].partition(", ")
            if motion != "distance" and subject == "abut":
                self.assertEqual(row["values"]["never_late"], 1)
                self.assertLess(row["values"]["distance_there"], 1e-7)
                times[row["scene"], motion] = row["values"]["time"]
        self.assertEqual(len(times), 24)


if __name__ == "__main__":
    main()
