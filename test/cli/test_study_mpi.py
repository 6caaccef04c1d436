# SPDX-License-Identifier: MIT
"""test_study_mpi.py: abut study with mpirun; skipped without mpirun, or if the command was built without MPI"""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from command import ABUT, FAULTY, CommandTest, main

SKIPPED = 77
MPIRUN = shutil.which("mpirun")
# mpirun must be told that root and more ranks than cores are fine. OpenMPI itself leaks, so leaks are not checked here.
LEAVE = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
         "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
STUDY = ("study", "perturbation", "--scales", "0.01", "--method", "regions,growth", "--seeds", "3", "--iterations", "300")


def run_ranks(count, *arguments, **options):
    return subprocess.run([MPIRUN, "--oversubscribe", "-n", str(count), ABUT, *arguments], env=LEAVE, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **options)


def children(process):
    """The child processes of a process on this machine, oldest first."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


class Ranks(CommandTest):
    def test_the_same_bytes_on_any_number_of_ranks(self):
        self.run_abut(*STUDY, "--out", "alone.json")
        alone = (self.folder / "alone.json").read_bytes()
        table = self.text(*STUDY)
        for count in (1, 2, 3):
            done = run_ranks(count, *STUDY, "--out", "ranks.json", cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr.decode())
            self.assertEqual((self.folder / "ranks.json").read_bytes(), alone, "%d ranks" % count)
            self.assertEqual(done.stdout.decode(), table)  # once, from one rank
        self.assertEqual(sorted(os.listdir(self.folder)), ["alone.json", "ranks.json"])

    def test_several_runs_a_rank(self):
        done = run_ranks(2, *STUDY, "--jobs", "3", cwd=self.folder)
        self.assertEqual(done.stdout.decode(), self.text(*STUDY))

    def test_runs_are_kept(self):
        """Ranks do not repeat a shard that was done without MPI."""
        self.run_abut(*STUDY, "--shard", "1/2", "--out", "x.json.runs")
        done = run_ranks(2, *STUDY, "--out", "x.json", cwd=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr.decode(), r"\bdone: 3\b.*\bleft: 3\b")
        self.assertEqual((self.folder / "x.json").read_text(), self.text(*STUDY, "--format", "json"))

    def test_wrong_options_are_told_once(self):
        for words in (("--seeds", "none"), ("--scene", "none"), ("--scales", "1e300"), ("--none",)):
            done = run_ranks(3, *STUDY, *words, cwd=self.folder) if words[0] not in STUDY else \
                run_ranks(3, "study", "perturbation", *words, cwd=self.folder)
            self.assertNotEqual(done.returncode, 0)
            lines = [line for line in done.stderr.decode().splitlines() if line.startswith("abut: ")]
            self.assertEqual(len(lines), 1, done.stderr.decode())

    def test_a_helper_that_is_killed(self):
        """Rank 0 does not wait for ever for a rank that failed."""
        process = subprocess.Popen([MPIRUN, "--oversubscribe", "-n", "2", ABUT, *STUDY[:6], "--method", "growth", "--seeds", "5000"],
                                   env=LEAVE, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        helpers = []
        deadline = time.monotonic() + 60
        while len(helpers) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
            # a helper is the child of a rank, which is the child of mpirun
            helpers = [child for rank in children(process.pid) for child in children(rank)]
        os.kill(helpers[1], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("helper process", errors.decode())

    @unittest.skipUnless(FAULTY, "needs the test's plug-in")
    def test_a_run_that_crashes(self):
        words = ("study", "timestep", "--plugin", FAULTY, "--option", "fault=crash", "--method", "regions",
                 "--iterations", "300", "--format", "json")
        done = run_ranks(2, *words, cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        result = json.loads(done.stdout)
        self.assertEqual([row["failed"] for row in result["summary"]], [0, 1, 0, 1, 0, 1])
        self.assertEqual(result, json.loads(self.run_abut(*words, code=3).stdout))
        self.assertEqual(done.stderr.decode().count("abut: run failed: "), 3)


if __name__ == "__main__":
    if MPIRUN is None:
        print("skipped: there is no mpirun")
        sys.exit(SKIPPED)
    if b"built without MPI" in run_ranks(1, *STUDY).stderr:
        print("skipped: the command was built without MPI")
        sys.exit(SKIPPED)
    main()
