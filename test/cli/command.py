# SPDX-License-Identifier: MIT
"""command.py: runs the command `abut` for the tests, and checks what every call must fulfil"""
import csv
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ABUT = os.environ["ABUT"]
SOURCE = Path(__file__).resolve().parent.parent.parent
# a spike that stands on the point (0.5, 1.5, 1) of a block
BLOCK, SPIKE = str(SOURCE / "examples/block.obj"), str(SOURCE / "examples/spike.obj")
FAULTY = os.environ.get("ABUT_FAULTY_PLUGIN", "")

FUNDAMENTAL = ["spikes", "spike-and-wedge", "wedges", "spike-in-hole", "spike-in-crack", "wedge-in-crack",
               "sliding-spike", "sliding-wedge", "internal-edges", "cliff-edges"]
MIXED = ["spike-on-saddle", "saddles-2", "saddles-3", "saddles-4", "saddles-5", "saddles-6"]
SCENES = ["pillar", "wall", "arch", "arch-overlap"]

# a unit cube as triangles, outward
CUBE = """v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
"""


def inside_out(obj):
    """All triangles reversed."""
    return re.sub(r"(?m)^f (\d+) (\d+) (\d+)$", r"f \1 \3 \2", obj)


def reject_constant(name):
    raise ValueError("JSON must not contain " + name)


class CommandTest(unittest.TestCase):
    """Every test runs in an empty folder of its own."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="abut-test-"))

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    def run_abut(self, *arguments, code=0, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "cwd": self.folder, "timeout": 300, **options}
        done = subprocess.run([ABUT, *arguments], **options)
        errors = (done.stderr or b"").decode()
        self.assertEqual(done.returncode, code, msg="%s\n%s" % (arguments, errors))
        for line in errors.splitlines():
            self.assertTrue(line.startswith("abut: "), line)
        done.errors = errors
        return done

    def text(self, *arguments, **options):
        return self.run_abut(*arguments, **options).stdout.decode()

    def json(self, *arguments, **options):
        text = self.text(*arguments, "--format", "json", **options)
        value = json.loads(text, parse_constant=reject_constant)
        self.assertEqual(value["schema"], 1)
        return value

    def csv(self, *arguments, **options):
        return list(csv.DictReader(io.StringIO(self.text(*arguments, "--format", "csv", **options))))

    def fails(self, *arguments, code=2, says=(), **options):
        """Exactly one line on stderr, which contains these texts, and nothing on stdout."""
        done = self.run_abut(*arguments, code=code, **options)
        self.assertEqual(done.stdout or b"", b"", arguments)
        self.assertEqual(len(done.errors.splitlines()), 1, done.errors)
        for word in [says] if isinstance(says, str) else says:
            self.assertIn(word, done.errors)
        return done.errors

    def assert_near(self, a, b, tolerance=1e-12):
        self.assertLessEqual(max(abs(x - y) for x, y in zip(a, b, strict=True)), tolerance, (a, b))


def length(v):
    return math.sqrt(sum(x * x for x in v))


def main():
    unittest.main(argv=sys.argv, verbosity=1)
