# SPDX-License-Identifier: MIT
"""test_draw.py: abut draw"""
import math
import random
import resource
import xml.etree.ElementTree as xml
from pathlib import Path

from command import BLOCK, CUBE, FUNDAMENTAL, SPIKE, CommandTest, main

SVG = "{http://www.w3.org/2000/svg}"


class Draw(CommandTest):
    def picture(self, *words):
        """The picture on stdout, as a tree."""
        return xml.fromstring(self.text("draw", *words))

    def marks(self, tree, name):
        """How many marks of contacts there are, without the one of the legend."""
        count = sum(item.get("class") == name for item in tree.iter())
        return count - 1 if count else 0

    def title(self, tree):
        """All lines of it."""
        return " ".join(item.text for item in tree.iter(SVG + "text") if item.get("class") == "title")

    def test_files(self):
        """The spike stands on one point of the block: one contact; both bodies are there."""
        tree = self.picture(BLOCK, SPIKE)
        self.assertEqual(self.title(tree), "block.obj and spike.obj: 1 contact by auto")
        self.assertEqual(self.marks(tree, "contact"), 1)
        self.assertEqual(len({item.get("fill") for item in tree.iter() if item.get("class") == "face"}) > 2, True)

    def test_regions_are_filled(self):
        """Two cubes on each other touch in a square with four corners."""
        path = self.write("cube.obj", CUBE)
        tree = self.picture(path, path, "--pose-b", "0 1 0", "--view", "contact")
        self.assertEqual(self.marks(tree, "contact"), 4)
        regions = [item.get("d") for item in tree.iter() if item.get("class") == "region"]
        self.assertEqual(len(regions), 1)
        self.assertEqual(regions[0].count("L"), 3)

    def test_cases_show_right_and_wrong(self):
        """`regions` gets every case right. `opposing` on the wedges: as its row of abut assess says."""
        for name in FUNDAMENTAL:
            tree = self.picture("--case", name)
            self.assertEqual((self.marks(tree, "wrong"), self.marks(tree, "missed")), (0, 0), name)
            self.assertGreater(self.marks(tree, "right"), 0, name)
        row, = self.json("assess", "--case", "wedges", "--method", "opposing")["results"]
        tree = self.picture("--case", "wedges", "--method", "opposing")
        right, wrong = self.marks(tree, "right"), self.marks(tree, "wrong")
        self.assertEqual(right + wrong, row["contacts"])
        self.assertAlmostEqual(100 * right / (right + wrong), row["quality"])
        self.assertGreater(self.marks(tree, "missed"), 0)
        self.assertLess(row["coverage"], 100)

    def test_scenes(self):
        tree = self.picture("--scene", "arch")
        count = self.json("assess", "--case", "arch", "--method", "regions")["results"][0]["contacts"]
        self.assertEqual(self.marks(tree, "right"), count)
        self.assertEqual(self.title(self.picture("--scene", "pillar", "--step", "2")).split(":")[0], "pillar, step 2")

    def test_recording(self):
        path = str(Path(self.folder) / "run.h5")
        run = self.json("simulate", "arch", "--steps", "3", "--out", path)
        tree = self.picture(path)
        self.assertEqual(self.marks(tree, "right"), run["steps"][-1]["contacts"])
        self.assertEqual(self.title(tree).split(":")[0], "arch, step 3")
        self.assertEqual(self.marks(self.picture(path, "--step", "0"), "right"), 0)
        self.fails("draw", path, "--step", "4", says="has 3 steps")
        self.fails("draw", path, "--method", "opposing", says="--method")

    def test_file_and_stdout_are_the_same(self):
        path = Path(self.folder) / "picture.svg"
        self.assertEqual(self.text("draw", BLOCK, SPIKE, "--out", str(path)), "")
        self.assertEqual(path.read_text(), self.text("draw", BLOCK, SPIKE))

    def rough_ball(self, name, count, height):
        """A ball of 2 count^2 triangles whose edges nearly all bend by more than 30 degrees."""
        rng = random.Random(5)
        lines = []
        for i in range(count + 1):
            for k in range(count):
                size, tilt, turn = 1 + rng.uniform(-3, 3) / count, math.pi * i / count, 2 * math.pi * k / count
                lines.append("v %r %r %r" % (size * math.sin(tilt) * math.cos(turn), height + size * math.cos(tilt),
                                             size * math.sin(tilt) * math.sin(turn)))
        for i in range(count):
            for k in range(count):
                a, b = 1 + count * i + k, 1 + count * i + (k + 1) % count
                lines += ["f %d %d %d" % (a, b, b + count), "f %d %d %d" % (a, b + count, a + count)]
        return self.write(name, "\n".join(lines) + "\n")

    def test_time_grows_as_triangles(self):
        """100,000 triangles, whose rough edges are all drawn, take at most 8 times as long as 25,000; if every edge met
        every triangle, it were 16 times."""
        times, sizes = [], []
        for count in (79, 158):
            files = [self.rough_ball("%d-%d.obj" % (count, i), count, 2.1 * i) for i in range(2)]
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            sizes.append(len(self.text("draw", *files, "--method", "closest-points")))
            times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
        self.assertGreater(sizes[1], 3 * sizes[0])
        self.assertLess(times[1], 8 * max(times[0], 0.05), times)

    def test_names_cannot_add_markup(self):
        path = self.write("a<b>&c.obj", CUBE)
        tree = self.picture(path, SPIKE, "--method", "closest-points")
        self.assertIn("a<b>&c.obj", self.title(tree))

    def test_names_without_an_ending(self):
        for name in ("picture", "picture.SVG", "folder.d/picture"):
            path = Path(self.folder) / name
            path.parent.mkdir(exist_ok=True)
            self.run_abut("draw", BLOCK, SPIKE, "--out", str(path))
            self.assertIn("<svg", path.read_text()[:10])

    def test_wrong_use(self):
        for words, word in (([], "needs one of these"), ([BLOCK], "two mesh files"),
                            ([BLOCK, SPIKE, "--case", "spikes"], "needs one of these"),
                            (["--case", "spike"], "do you mean spikes?"), (["--scene", "pilar"], "pillar"),
                            ([BLOCK, SPIKE, "--view", "w"], "--view"), ([BLOCK, SPIKE, "--width", "7"], "--width"),
                            ([BLOCK, SPIKE, "--step", "1"], "--step"), ([BLOCK, SPIKE, "--state", "sunk:1"], "--state"),
                            (["--case", "spikes", "--state", "step:3"], "--state"),
                            ([BLOCK, SPIKE, "--out", BLOCK], "block.obj"),
                            ([BLOCK, SPIKE, "--out", "x.png"], "x.png: cannot be written: not as .png; give a name that "
                                                               "ends in .svg"),
                            (["no.h5"], "no.h5")):
            self.fails("draw", *words, says=word)


if __name__ == "__main__":
    main()
