# SPDX-License-Identifier: MIT
"""test_no_viewer.py: a command that was built without Node.js: abut view says how to get it, all else works"""
from command import BLOCK, SPIKE, CommandTest, main


class NoViewer(CommandTest):
    def test_view_says_how_to_get_it(self):
        for words in ((BLOCK, SPIKE), (BLOCK, SPIKE, "--out", "page.html"), ("missing.h5",)):
            self.fails("view", *words, says="built without the viewer: install Node.js 18 or newer with npm")
        self.assertFalse((self.folder / "page.html").exists())

    def test_all_else_works(self):
        self.assertEqual(len(self.json("contacts", BLOCK, SPIKE)["contacts"]), 1)
        self.assertIn("<svg", self.text("draw", BLOCK, SPIKE))
        self.run_abut("simulate", "pillar", "--steps", "2", "--out", "run.h5")
        self.run_abut("export", "run.h5", "--gltf", "run.glb")
        self.assertTrue((self.folder / "run.glb").stat().st_size > 1000)
        self.assertIn("view", self.text("--help"))


if __name__ == "__main__":
    main()
