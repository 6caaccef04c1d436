# SPDX-License-Identifier: MIT
"""test_usage.py: help, version, verbs, options, and output that cannot be written"""
import ctypes
import math
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from command import ABUT, BLOCK, CUBE, FAULTY, SPIKE, CommandTest, main

VERBS = ["methods", "cases", "mesh info", "mesh check", "mesh convert", "mesh tetrahedralize", "contacts", "distance",
         "locate", "ccd", "assess", "simulate", "bench"]


class Usage(CommandTest):
    def test_version(self):
        self.assertRegex(self.text("--version"), r"^abut \d+\.\d+\.\d+\n$")
        self.fails("--version", "x", says="'x'")

    def test_help_lists_all_verbs(self):
        text = self.text("--help")
        for verb in VERBS:
            self.assertRegex(text, r"(?m)^  %s +\S" % verb)
        self.assertEqual(text, self.text("help"))
        self.assertEqual(text, self.text("-h"))

    def test_help_of_every_verb_has_usage_options_and_example(self):
        for verb in VERBS:
            text = self.text(*verb.split(), "--help")
            self.assertIn("Usage: abut " + verb, text)
            self.assertIn("--help", text)
            self.assertRegex(text, r"(?m)^Example:\n  abut " + verb)
            self.assertEqual(text, self.text("help", *verb.split()))
            self.assertEqual(text, self.text(*verb.split(), "--nonsense", "--help"))

    def test_help_comes_in_every_spelling(self):
        for words in (["--help=contacts"], ["--help", "contacts"], ["-h", "contacts"], ["help", "contacts", "--raw"]):
            self.assertEqual(self.text(*words), self.text("contacts", "--help"))
        for words in (["help", "assess", "compare"], ["--help=assess", "compare"], ["help", "assess", "--compare"]):
            self.assertEqual(self.text(*words), self.text("assess", "--help=compare"))
        for words in (["--help", "mesh", "info"], ["--help=mesh info"]):
            self.assertEqual(self.text(*words), self.text("mesh", "info", "--help"))
        self.assertEqual(self.text("help", "help"), self.text("help"))
        self.assertEqual(self.text("--help=mesh"), self.text("mesh", "--help"))
        self.fails("help", "assess", "compares", says=["'compares'", "--help=compare"])
        self.fails("help", "contacts", "compare", says=["'compare'", "abut contacts --help"])

    def test_help_of_a_family_shows_all_of_it(self):
        text = self.text("mesh", "--help")
        for verb in ("mesh info", "mesh check", "mesh convert", "mesh tetrahedralize"):
            self.assertIn("Usage: abut " + verb, text)
            self.assertRegex(text, r"(?m)^  %s +\S" % verb)

    def test_help_lines_fit_a_terminal(self):
        for verb in VERBS:
            for line in self.text(*verb.split(), "--help").splitlines():
                self.assertLessEqual(len(line), 120, line)

    def test_unknown_verbs_name_those_that_exist(self):
        for words in (["simulat"], ["frobnicate", "x"], [], ["help", "render"], ["--help=render"], [""]):
            error = self.fails(*words, says="verb")
            for verb in VERBS:
                self.assertIn(verb, error)
        # The first word is known: only the verbs that begin with it help.
        for words in (["mesh"], ["mesh", "view", "x.obj"], ["help", "mesh", "view"]):
            error = self.fails(*words, says=[verb for verb in VERBS if verb.startswith("mesh ")])
            self.assertNotIn("contacts", error)
        self.fails("study", says=["study spin", "abut study --help"])

    def test_misspelt_verbs_suggest_the_nearest(self):
        for words, right in ((["conatcts"], "contacts"), (["mesh", "inof", "x.obj"], "mesh info"), (["asses"], "assess"),
                             (["hlep"], "help"), (["help", "method"], "methods")):
            self.fails(*words, says="do you mean %s?" % right)

    def test_options_come_after_the_verb(self):
        self.fails("--verson", says=["unknown option --verson", "do you mean --version?"])
        self.fails("--format", "json", "methods", says=["--format", "verb"])

    def test_unknown_options_suggest_the_nearest(self):
        for wrong, right in (("--metod", "--method"), ("--fromat", "--format"), ("--tol", "--tolerance"),
                             ("--methods=x", "--method"), ("--pose-1", "--pose-a"), ("--posee-b", "--pose-b"),
                             ("--velocty-c=x", "--velocity-c"), ("--pose-B", "--pose-b"), ("--Method", "--method")):
            self.fails("contacts", BLOCK, SPIKE, wrong, "x", says=["do you mean %s?" % right])
        self.fails("contacts", BLOCK, SPIKE, "--zzzzzzzzzzzz", says="abut contacts --help")
        self.fails("contacts", BLOCK, SPIKE, "-x", says="unknown option -x")
        self.fails("contacts", BLOCK, SPIKE, "--" + "x" * 5000, says="unknown option")

    def test_options_need_their_values_once(self):
        self.fails("contacts", BLOCK, SPIKE, "--method", says="needs a value")
        self.fails("contacts", BLOCK, SPIKE, "--method", "--raw", says="needs a value")
        self.fails("contacts", BLOCK, SPIKE, "--raw=1", says="takes no value")
        self.fails("contacts", BLOCK, SPIKE, "--dt", "1", "--dt=2", says="twice")
        self.fails("contacts", BLOCK, SPIKE, "--format", "xml", says="table, json or csv")

    def test_numbers_without_quotes_get_a_hint(self):
        for words in (["contacts", BLOCK, SPIKE, "--pose-b"], ["distance", BLOCK, SPIKE, "--pose-a"],
                      ["contacts", BLOCK, SPIKE, "--velocity-b"], ["simulate", "pillar", "--gravity"]):
            self.fails(*words, "0", "-1", "2", says=[words[-1], "quotes", words[-1] + ' "'])

    def test_operands_are_counted(self):
        self.fails("contacts", BLOCK, says=["two files or more", "--self"])
        self.fails("contacts", "", SPIKE, says="empty")
        self.fails("mesh", "info", says="FILE")
        self.fails("mesh", "info", BLOCK, SPIKE, says="unexpected")
        self.fails("methods", "x", says="unexpected")

    def test_two_dashes_end_the_options(self):
        self.write("--help", "v 0 0 0\n")
        self.fails("mesh", "info", "--", "--help", says="--help")

    def test_a_file_is_named_once_and_in_full(self):
        # The library shortens long names, and some messages are about a file beside the one that was given.
        long = "x" * 200 + ".obj"
        self.assertEqual(self.fails("mesh", "info", long).count("xxx.obj"), 1)
        self.fails("mesh", "info", long, says=["abut: %s:" % long, "no such file"])
        (self.folder / "block.ele").mkdir()
        error = self.fails("mesh", "convert", BLOCK, "block.node", "--triangles", says="block.ele")
        self.assertNotIn("block.node", error)

    def test_missing_files_have_one_wording(self):
        for words, end in ((["mesh", "info", "missing.obj"], "obj"), (["contacts", BLOCK, "missing.stl"], "stl"),
                           (["mesh", "info", "missing.node"], "node"), (["assess", "--contacts", "missing.jsonl"], "jsonl"),
                           (["contacts", BLOCK, SPIKE, "--plugin", "./missing.so"], "so"), (["export", "missing.h5"], "h5"),
                           (["simulate", "missing.json"], "json"), (["study", "merge", "missing.part"], "part")):
            self.fails(*words, says=["missing.%s: cannot be read: no such file or folder" % end])

    def test_an_error_stays_one_line(self):
        self.fails("mesh", "info", "a\nb\r.obj", says="a?b?.obj")

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            for words in (["--help"], ["--version"], ["methods"], ["cases"], ["mesh", "info", BLOCK],
                          ["contacts", BLOCK, SPIKE, "--format", "json"], ["assess", "--case", "spikes"]):
                self.fails(*words, code=3, stdout=full, says="standard output")

    def test_closed_output(self):
        self.fails("methods", code=3, says="standard output", stdout=None, preexec_fn=lambda: os.close(1))

    def test_a_closed_pipe_is_quiet(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = self.run_abut("cases", "--format", "json", code=3, stdout=writer)
        os.close(writer)
        self.assertEqual(done.errors, "")

    def test_unfinished_files_of_others_are_left_alone(self):
        # FILE is first written under a temporary name, which may exist already.
        names = ["curves.csv.part", "curves.csv.part0", "out.obj.part0"]
        for name in names:
            self.write(name, "mine")
        self.run_abut("assess", "--case", "pillar", "--method", "regions", "--curves", "curves.csv")
        self.run_abut("mesh", "convert", BLOCK, "out.obj")
        self.assertEqual([(self.folder / name).read_text() for name in names], ["mine"] * 3)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names + ["curves.csv", "out.obj"]))

    @unittest.skipUnless(sys.platform == "linux", "looks at the folder by inotify")
    def test_a_name_is_taken_only_by_a_file_that_is_whole(self):
        # The check must not create and remove the file itself: another process may have opened it meanwhile.
        libc = ctypes.CDLL(None)
        watch = libc.inotify_init1(os.O_NONBLOCK)
        self.assertGreaterEqual(libc.inotify_add_watch(watch, str(self.folder).encode(), 0x100 | 0x200 | 0x80), 0)
        self.run_abut("mesh", "convert", BLOCK, "out.obj")
        events, seen = os.read(watch, 65536), []
        os.close(watch)
        while events:  # of IN_CREATE, IN_DELETE and IN_MOVED_TO: watch, mask, cookie, length, name
            _, mask, _, length = struct.unpack_from("iIII", events)
            name = events[16:16 + length].rstrip(b"\0")
            seen += [mask] if name == b"out.obj" else []
            events = events[16 + length:]
        self.assertEqual(seen, [0x80])

    def test_a_path_through_a_file(self):
        self.write("file", "")
        self.fails("mesh", "convert", BLOCK, "file/out.obj", says=["file/out.obj: ", "folder"])

    @unittest.skipUnless(Path("/dev/zero").exists(), "needs a device that never ends")
    def test_a_line_that_never_ends(self):
        self.fails("assess", "--contacts", "/dev/zero", says=["/dev/zero:1: ", "67108864"])

    def test_no_child_process(self):
        # The file is not to blame.
        self.run_abut("simulate", "spikes", "--steps", "1", "--out", "run.h5")
        self.fails("export", "run.h5", "--csv", "out", code=3, says="pipe",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (5, 5)))

    def test_locale_does_not_matter(self):
        environment = {**os.environ, "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
        self.assertEqual(self.text("cases", "--format", "csv"), self.text("cases", "--format", "csv", env=environment))

    def test_interrupt(self):
        child = subprocess.Popen([ABUT, "assess", "--contacts", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        # The command has read the first line and waits for more: otherwise there would be an error about an empty log.
        child.stdin.write(b'{"schema":1}\n')
        child.stdin.flush()
        try:
            child.wait(timeout=0.5)
        except subprocess.TimeoutExpired:
            pass
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=30)
        self.assertEqual((child.returncode, output, errors), (3, b"", b"abut: interrupted\n"))

    def test_interrupt_while_a_file_is_written(self):
        # 250 x 250 vertices take long enough to interrupt. The file is complete or does not exist.
        side = 250
        grid = "".join("v %d %d %.17g\n" % (i % side, i // side, math.sin(i)) for i in range(side * side))
        grid += "".join("f %d %d %d\n" % (i, i + 1, i + side) for i in range(1, side * (side - 1)))
        source, target = self.write("grid.obj", grid), self.folder / "out.off"
        child = subprocess.Popen([ABUT, "mesh", "convert", source, str(target)], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
        part = self.folder / "out.off.part0"
        while child.poll() is None and not (part.exists() and part.stat().st_size > 0):
            time.sleep(0.001)
        child.send_signal(signal.SIGINT)
        output, errors = child.communicate(timeout=60)
        self.assertEqual((child.returncode, output, errors), (3, b"", b"abut: interrupted\n"))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["grid.obj", "out.off"])
        self.assertEqual(target.read_text().count("\n"), 2 + side * side + side * (side - 1) - 1)

    def processes(self, mark):
        """The processes with this text in their environment."""
        found = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                found += [path.parent.name] if mark.encode() in path.read_bytes() else []
            except OSError:
                pass  # it has ended, or belongs to others
        return found

    def interrupt(self, number, *words):
        """Sends the signal as soon as the command has a child. Returns how the command ended, after all processes have."""
        temporary = Path(tempfile.mkdtemp(dir=self.folder))
        mark = "ABUT_TEST_MARK=%s" % self.folder
        program = self.folder / "tetgen"
        program.write_text("#!/bin/sh\nexec sleep 1000\n")
        program.chmod(0o700)
        environment = {**os.environ, "TMPDIR": str(temporary), "ABUT_TEST_MARK": str(self.folder),
                       "PATH": "%s:%s" % (self.folder, os.environ["PATH"])}
        child = subprocess.Popen([ABUT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        limit = time.monotonic() + 30
        while len(self.processes(mark)) < 2 and time.monotonic() < limit:
            time.sleep(0.02)
        time.sleep(0.3)  # a plug-in is loaded in a child too, but not for long
        child.send_signal(number)
        output, errors = child.communicate(timeout=30)
        while self.processes(mark) and time.monotonic() < limit:
            time.sleep(0.02)
        self.assertEqual(self.processes(mark), [])
        return child.returncode, output, errors, list(temporary.iterdir())

    @unittest.skipUnless(sys.platform == "linux", "looks at /proc")
    def test_interrupt_leaves_nothing_behind(self):
        cube = self.write("cube.obj", CUBE)
        commands = [("mesh", "tetrahedralize", cube, str(self.folder / "cube.node")),
                    ("contacts", BLOCK, SPIKE, "--plugin", FAULTY, "--option", "fault=hang")]
        for words in commands if FAULTY else commands[:1]:
            for number in (signal.SIGINT, signal.SIGTERM):
                self.assertEqual(self.interrupt(number, *words), (3, b"", b"abut: interrupted\n", []))
            self.assertEqual(self.interrupt(signal.SIGKILL, *words)[0], -signal.SIGKILL)

    def test_methods(self):
        methods = self.json("methods")["methods"]
        names = [m["name"] for m in methods]
        self.assertIn("intersection", names)
        self.assertEqual([m["name"] for m in methods if m["default"]], ["auto"])
        self.assertEqual({m["name"]: m["taxonomy"]["origin"] for m in methods if m["name"] in ("regions", "intersection")},
                         {"regions": "ours", "intersection": "paper"})
        for method in methods:
            self.assertRegex(method["name"], r"^[a-z][a-z0-9-]*$")
            self.assertTrue(method["summary"] and method["source"])
            taxonomy = method["taxonomy"]
            self.assertIn(taxonomy["locality"], ("local", "semi-local", "global"))
            self.assertIn(taxonomy["accuracy"], ("exact", "approximate"))
            self.assertIn(taxonomy["time"], ("discrete", "continuous"))
            self.assertEqual(set(taxonomy["traits"].values()) - {"trivial", "with-effort", "not-possible"}, set())
            self.assertIsInstance(method["needs"], list)
            for option in method["options"]:
                self.assertTrue("choices" in option or "lower" in option)
        self.assertEqual([row["name"] for row in self.csv("methods")], names)
        table = self.text("methods")
        for name in names:
            self.assertRegex(table, r"(?m)^%s +(paper|ours) " % re.escape(name))
        # regions works without velocities, but uses them
        self.assertEqual({row["name"]: row["needs"] for row in self.csv("methods")}["regions"], "closed (velocity)")
        for line in table[table.index("\nOptions of "):].splitlines():
            self.assertLessEqual(len(line), 100, line)

    @unittest.skipUnless(FAULTY, "needs the test's plug-in")
    def test_methods_of_plugins(self):
        names = [m["name"] for m in self.json("methods")["methods"]]
        self.assertEqual([m["name"] for m in self.json("methods", "--plugin", FAULTY)["methods"]], names + ["faulty"])
        self.assertIn("Options of faulty", self.text("methods", "--plugin", FAULTY))
        self.fails("methods", "--plugin", "./missing.so", says=["missing.so: ", "no such file"])

    def test_bench(self):
        groups = [g["name"] for g in self.json("bench", "--list")["groups"]]
        self.assertEqual([g["name"] for g in self.csv("bench", "--list")], groups)
        self.assertIn("predicates", groups)
        report = self.json("bench", "predicates", "--seconds", "1e-9", "--repeats", "1")
        self.assertTrue(report)
        self.fails("bench", "predicate", says="do you mean predicates?")
        self.fails("bench", "predicates", "--repeats", "1.5", says="whole number")
        self.fails("bench", "predicates", "--seconds", "0", says=["--seconds", "more than 0"])


if __name__ == "__main__":
    main()
