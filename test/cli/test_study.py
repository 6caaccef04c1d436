# SPDX-License-Identifier: MIT
"""test_study.py: abut study"""
import csv
import json
import os
import resource
import signal
import subprocess
import time
import unittest

from command import ABUT, FAULTY, CommandTest, main

# two values, two methods: four runs of some milliseconds
SMALL = ("study", "timestep", "--dts", "0.005,0.01", "--method", "regions,opposing", "--iterations", "300")
# more, with samples
SEEDS = ("study", "perturbation", "--scales", "0.01", "--method", "regions,growth", "--seeds", "3", "--iterations", "300")


class Study(CommandTest):
    def path(self, name):
        return str(self.folder / name)

    def result(self, *arguments, name="result.json", code=0, **options):
        """The bytes of the file that a study writes, and its run."""
        done = self.run_abut(*arguments, "--out", self.path(name), code=code, **options)
        return (self.folder / name).read_bytes(), done

    def test_the_paper_is_the_default(self):
        """Sections 8.5 to 8.7: the Pillar, these values, step 3, and 4 for the time step."""
        for study, step, values in (("timestep", 4, [0.001, 0.01, 0.1]), ("perturbation", 3, [0.01, 0.02, 0.03])):
            more = ("--seeds", "1") if study == "perturbation" else ()
            result = self.json("study", study, "--iterations", "5", *more)
            self.assertEqual(result["settings"]["scene"], "pillar")
            self.assertEqual((result["settings"]["step"], result["settings"]["friction"]), (step, 0.5))
            self.assertEqual(result["settings"]["with-closest-points"], "reading=program precision=single epsilon=0.01 erosion=program")
            names = [name for name in ("opposing", "growth", "closest-points", "regions")]
            found = [list(run["parameters"].values())[:2] for run in result["runs"]]
            self.assertEqual(found, [[value, name] for value in values for name in names])
        self.assertIn("(default 1000)", self.text("study", "timestep", "--help"))

    def test_values_and_curves(self):
        """With regions, all normals of the Pillar are correct. The curve of a run has a value for each contact, ascending; of three samples
        the spread has five lines of 101 points; the summary is that of the runs."""
        result = json.loads(self.result(*SEEDS, "--curves", self.path("curves.csv"))[0])
        self.assertEqual(len(result["runs"]), 6)
        for run in result["runs"]:
            curve = run["series"]["quality"]
            self.assertEqual(run["values"]["contacts"], len(curve))
            self.assertEqual(curve, sorted(curve))
            good = sum(q >= 0.99 for q in curve)
            self.assertAlmostEqual(run["values"]["good"], 100 * good / len(curve), places=9)
            self.assertAlmostEqual(run["values"]["mean_q"], sum(curve) / len(curve), places=9)
            if run["parameters"]["method"] == "regions":
                self.assertEqual((len(curve), run["values"]["exact"]), (42, 100))
        growth = [run["values"]["contacts"] for run in result["runs"] if run["parameters"]["method"] == "growth"]
        self.assertEqual(len(set(growth)), 3, "seeds do not matter")
        summary = result["summary"][1]
        self.assertEqual((summary["parameters"], summary["runs"]), ({"scale": 0.01, "method": "growth"}, 3))
        mean = sum(growth) / 3
        deviation = (sum((x - mean) ** 2 for x in growth) / 2) ** 0.5
        stats = summary["values"]["contacts"]
        self.assert_near([stats[k] for k in ("mean", "least", "most", "deviation")],
                         [mean, min(growth), max(growth), deviation], tolerance=1e-9)
        with open(self.path("curves.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        points = [float(r["value"]) for r in rows if (r["method"], r["seed"]) == ("growth", "2")]
        self.assertEqual(points, result["runs"][4]["series"]["quality"])
        median = [float(r["value"]) for r in rows if (r["method"], r["seed"]) == ("growth", "median")]
        self.assertEqual(median, summary["spread"]["quality"]["median"])
        self.assertEqual(len(median), 101)
        least = sorted(run["series"]["quality"][0] for run in result["runs"][3:])
        self.assert_near([median[0]], [least[1]])

    def test_a_run_is_an_assessment(self):
        """abut assess --step measures the same detection."""
        run = self.json("study", "timestep", "--dts", "0.01", "--step", "3", "--method", "opposing")["runs"][0]["values"]
        row = self.json("assess", "--case", "pillar", "--step", "3", "--settings", "paper", "--method", "opposing",
                        "--option", "reading=program", "--option", "precision=single")["results"][0]
        self.assertEqual((run["contacts"], run["exact"]), (row["contacts"], row["quality"]))

    def test_formats(self):
        rows = self.csv(*SEEDS)
        self.assertEqual([(r["scale"], r["method"], r["runs"], r["failed"]) for r in rows],
                         [("0.01", "regions", "3", "0"), ("0.01", "growth", "3", "0")])
        self.assertEqual((rows[0]["contacts_mean"], rows[0]["contacts_deviation"]), ("42", "0"))
        table = self.text(*SEEDS)
        self.assertIn("study perturbation, 6 runs, version", table)
        self.assertRegex(table, r"regions +3 +0 +42 +100 +100 +1 ")
        self.assertRegex(table, r"growth +3 +0 +[0-9.]+ \([0-9]+ to [0-9]+, sd [0-9.e+]+\)")

    def test_the_same_bytes_by_any_number(self):
        whole, _ = self.result(*SEEDS)
        for threads in ("1", "2"):
            other, _ = self.result(*SEEDS, env={**os.environ, "OMP_NUM_THREADS": threads})
            self.assertEqual(other, whole)
        self.assertEqual(self.result(*SEEDS, "--jobs", "4")[0], whole)
        self.assertEqual(self.text(*SEEDS, "--format", "json").encode(), whole)
        self.assertEqual(os.listdir(self.folder), ["result.json"])

    def test_shards(self):
        whole, _ = self.result(*SMALL)
        parts = [self.path("%d.part" % i) for i in (1, 2, 3)]
        for i, part in enumerate(parts):
            done = self.run_abut(*SMALL, "--shard", "%d/3" % (i + 1), "--out", part)
            self.assertEqual(done.stdout, b"")
            self.assertRegex(done.errors, r"\bshard %d\b.*\b%d runs?\b" % (i + 1, 2 if i == 0 else 1))
        self.fails("study", "merge", *parts[:2], says=["1 of 4 runs", "run 2 (dt 0.01, method regions)"])
        self.fails("study", "merge", *parts, parts[1], says=(parts[1], "run 1"))
        self.run_abut("study", "merge", parts[2], parts[0], parts[1], "--out", self.path("merged.json"))
        self.assertEqual((self.folder / "merged.json").read_bytes(), whole)
        self.fails("study", "merge", *parts, "--out", parts[0], says="another")
        other = self.path("other.part")
        self.run_abut(*SMALL, "--step", "2", "--shard", "3/3", "--out", other)
        self.fails("study", "merge", *parts[:2], other, says=(other, "plan"))
        # repeating a finished shard does nothing
        again = self.run_abut(*SMALL, "--shard", "1/3", "--out", parts[0])
        self.assertRegex(again.errors, r"\b2 runs\b.*\b0\b")

    def long_study(self):
        return ("study", "perturbation", "--scales", "0.01", "--method", "growth", "--seeds", "8", "--jobs", "1",
                "--iterations", "300")

    def begin(self, out):
        """Starts a study and waits until some runs are kept, but not all."""
        process = subprocess.Popen([ABUT, *self.long_study(), "--out", out], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        limit = time.time() + 60
        while time.time() < limit and process.poll() is None:
            try:
                with open(out + ".runs", "rb") as file:
                    if file.read().count(b"\n") >= 4:
                        return process
            except FileNotFoundError:
                pass
            time.sleep(0.005)
        self.fail("no runs were kept, or all were done")

    def finish(self, out, whole):
        """The same command does only the remaining runs."""
        with open(out + ".runs", "rb") as file:
            kept = file.read().count(b"\n") - 1
        self.assertTrue(3 <= kept < 8, kept)
        done = self.run_abut(*self.long_study(), "--out", out)
        self.assertRegex(done.errors, r"\bdone: %d\b.*\bleft: %d\b" % (kept, 8 - kept))
        with open(out, "rb") as file:
            self.assertEqual(file.read(), whole)
        self.assertFalse(os.path.exists(out + ".runs"))

    def test_killed_and_taken_up(self):
        whole, _ = self.result(*self.long_study(), name="whole.json")
        out = self.path("killed.json")
        process = self.begin(out)
        process.kill()
        process.communicate()
        self.assertFalse(os.path.exists(out))
        with open(out + ".runs", "ab") as file:
            file.write(b'{"run":11,"values":{"con')  # as if it was killed in the middle of a line
        self.finish(out, whole)

    def test_interrupted_and_taken_up(self):
        whole, _ = self.result(*self.long_study(), name="whole.json")
        out = self.path("interrupted.json")
        process = self.begin(out)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (3, b""))
        self.assertRegex(errors.decode(), r"^abut: interrupted after \d+ of 8 runs\b.*\n$")
        self.finish(out, whole)

    def test_another_plan_is_refused(self):
        self.run_abut(*SMALL, "--shard", "1/2", "--out", self.path("x.json.runs"))
        before = (self.folder / "x.json.runs").read_bytes()
        self.fails(*SMALL, "--friction", "0.4", "--out", self.path("x.json"), says=("x.json.runs", "friction 0.5"))
        self.fails(*SMALL, "--dts", "0.01", "--out", self.path("x.json"), code=2, says="--dts")
        self.fails("study", "timestep", "--dts", "0.005", *SMALL[4:], "--out", self.path("x.json"),
                   says=["plan", "4"])
        self.assertEqual((self.folder / "x.json.runs").read_bytes(), before)
        # a build of other sources
        version = json.loads(before.splitlines()[0])["settings"]["version"]
        self.assertRegex(version, r"^\d+\.\d+\.\d+\+[0-9a-f]{12}$")
        other = version[:-1] + ("0" if version[-1] != "0" else "1")
        (self.folder / "x.json.runs").write_bytes(before.replace(version.encode(), other.encode()))
        self.fails(*SMALL, "--out", self.path("x.json"), says=["plan", other])

    def test_cases(self):
        """The box on the cliff has its four corners at every time step; a case has no finer meshes."""
        result = self.json("study", "timestep", "--scene", "cliff-edges", "--method", "regions", "--iterations", "300")
        self.assertEqual([(r["values"]["contacts"], r["values"]["exact"], r["values"]["least_q"]) for r in result["runs"]], [(4, 100, 1)] * 3)
        self.fails("study", "refinement", "--scene", "spikes", says=["spikes", "mesh"])
        self.fails("study", "timestep", "--scene", "spiks", says="do you mean spikes")

    def test_nothing_to_measure(self):
        self.fails("study", "perturbation", "--scales", "1e3", says=["scale", "1000"])
        done = self.run_abut("study", "perturbation", "--scales", "4", "--seeds", "1", "--method", "regions", code=3)
        self.assertIn("no contacts", done.errors)

    def test_hostile_parts(self):
        self.run_abut(*SMALL, "--shard", "1/2", "--out", self.path("good"))
        good = (self.folder / "good").read_bytes()
        lines = good.splitlines(keepends=True)
        for text, says in ((b"", "not a part"), (b"\n", ("bad:1: ", "empty")), (b"\0" * 100, "not a part"),
                           (lines[0] + b"{}\n", "bad:2: "),
                           (lines[0] + b'{"run":1e9,"values":{},"series":{}}\n', "bad:2: "),
                           (lines[0] + lines[1] + lines[1], "bad:3: "),
                           (lines[0] + b"[" * 100000 + b"\n", ("bad:2: ", "JSON", "nested")),
                           (b'{"schema": 1}\n', ("bad:1: ", '"study" is missing')),
                           (lines[0].replace(b"timestep", b"nothing"), "nothing")):
            part = self.write("bad", text)
            self.fails("study", "merge", part, says=says)
        # the first value of the second run under another name
        self.run_abut(*SMALL, "--shard", "2/2", "--out", self.path("other"))
        other = (self.folder / "other").read_bytes()
        self.write("bad", other.replace(b'"contacts"', b'"touches"', 1))
        self.fails("study", "merge", self.path("good"), self.path("bad"), says=("bad: run ", "run 0"))
        self.fails("study", "merge", self.path("none"), says="none")
        self.fails("study", "merge", str(self.folder), says="file")

    def test_refinement_that_does_not_end(self):
        """Without time for a mesh, its runs fail and the others continue; if tetgen is installed, the message names the next ratio."""
        words = ("study", "refinement", "--method", "regions", "--iterations", "300", "--ratios", "coarse,1.5")
        whole, done = self.result(*words, "--seconds", "1e-9", code=3)
        result = json.loads(whole)
        self.assertEqual(result["runs"][0]["values"]["contacts"], 40)
        self.assertIn("failed", result["runs"][1])
        self.assertEqual([row["failed"] for row in result["summary"]], [0, 1])
        self.assertIn("abut: run failed: ratio 1.5, method regions: ", done.errors)
        # the runs are kept: failed ones are only repeated with --retry
        again = self.result(*words, "--seconds", "1e-9", code=3)
        self.assertEqual(again[0], whole)
        self.assertIn("--retry", again[1].errors)
        retried = self.result(*words, "--seconds", "1e-9", "--retry", code=3)
        self.assertEqual(retried[0], whole)
        self.assertRegex(retried[1].errors, r"\bdone: 1\b.*\bleft: 1\b")

    @unittest.skipUnless(FAULTY, "needs the test's plug-in")
    def test_a_method_that_crashes(self):
        words = ("study", "timestep", "--dts", "0.01", "--plugin", FAULTY, "--method", "regions", "--iterations", "300")
        for fault, says in (("crash", "signal 11"), ("hang", "0.3 seconds"), ("refusal", "does not like")):
            done = self.run_abut(*words, "--option", "fault=" + fault, "--limit", "0.3" if fault == "hang" else "60",
                                 "--format", "json", code=3)
            result = json.loads(done.stdout)
            self.assertEqual(result["runs"][0]["values"]["exact"], 100)
            self.assertIn(says, result["runs"][1]["failed"])
            self.assertIn("run failed: dt 0.01, method faulty: ", done.errors)

    def test_a_full_disk(self):
        """Simulated by a limit on the file size: the plan fits, the first run does not."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))
        self.fails("study", "timestep", "--dts", "0.01", "--method", "regions", "--iterations", "100", "--out", "r.json", code=3,
                   says="r.json.runs: ", preexec_fn=limit)

    def test_bad_usage(self):
        for words, says in ((("--shard", "3/2", "--out", "x"), "--shard '3/2'"), (("--shard", "1/2"), "--out"),
                            (("--shard", "1/2x", "--out", "x"), "--shard '1/2x'"),
                            (("--shard", "1/2", "--out", "x", "--curves", "y"), "abut study merge"),
                            (("--scene", "pilar"), "do you mean pillar"), (("--scene", "tower"), "--scene 'tower'"),
                            (("--dts", "0"), ("--dts '0'", "from 1e-12 to 1e+12")),
                            (("--dts", "0.1,x"), ("--dts '0.1,x'", "'x'")), (("--dts", "0.1,"), ("--dts", "number")),
                            (("--dts", ""), "number"), (("--jobs", "-1"), "from 1 to"),
                            (("--out", "x", "--curves", "./x"), ("--out", "--curves")),
                            (("--step", "0"), "--step"), (("--jobs", "0"), "--jobs"), (("--limit", "0"), "--limit"),
                            (("--method", "none"), "none"), (("--option", "none=1"), "none=1"),
                            (("--seeds", "2"), "--seeds"), (("--out", "no/folder"), "no/folder"),
                            (("--friction", "-1"), "--friction")):
            self.fails("study", "timestep", *words, says=says)
        self.fails("study", "perturbation", "--axes", "xx", says="--axes 'xx'")
        self.fails("study", "perturbation", "--axes", "x", says="--axes 'x'")
        self.fails("study", "refinement", "--ratios", "0.5", says=["'0.5'", "from 1 to 1e+12", "coarse"])
        self.fails("study", "perturbation", "--scales", "0.1,-1", says=["--scales '0.1,-1'", "'-1'", "from 0 to 1e+12"])
        self.fails("study", "perturbation", "--seeds", "-1", says=["--seeds '-1'", "whole number from 1 to"])
        self.fails("study", "merge", says="study merge")
        self.fails("study", "perturbatoin", says="do you mean study perturbation")
        self.assertEqual(os.listdir(self.folder), [])

    def test_axes(self):
        """Displaced along x and z, drums only slide on one another: all normals are exact. Along y they part or overlap by up to 2 cm."""
        runs = {axes: self.json(*SEEDS, "--axes", axes)["runs"][:3] for axes in ("xz", "xy")}
        self.assertEqual([run["values"]["exact"] for run in runs["xz"]], [100, 100, 100])
        self.assertNotEqual([run["values"]["contacts"] for run in runs["xz"]], [run["values"]["contacts"] for run in runs["xy"]])


if __name__ == "__main__":
    main()
