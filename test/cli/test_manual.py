# SPDX-License-Identifier: MIT
"""test_manual.py: the man page and the completion of bash know what --help knows"""
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from command import ABUT, CommandTest, main

MANUAL = Path(os.environ["ABUT_MANUAL"])
PAGE, COMPLETION = MANUAL / "abut.1", MANUAL / "abut.bash"


def complete(*words):
    """What bash offers for the last word."""
    script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _abut; printf "%s\\n" "${COMPREPLY[@]}"'
    found = subprocess.run(["bash", "-c", script, "bash", COMPLETION, ABUT, *words], capture_output=True, text=True, check=True)
    return found.stdout.split()


class Manual(CommandTest):
    def verbs(self):
        names = re.findall(r"(?m)^  ([a-z]+(?: [a-z]+)?) {2,}", self.text("--help"))
        self.assertIn("mesh info", names)
        self.assertIn("contacts", names)
        return names

    def options(self, verb):
        """Those that the help of a verb lists, with the pages that it names by --help=PAGE."""
        text = self.text("help", *verb.split())
        for page in [name for names in re.findall(r"--help=([a-z|]+)", text) for name in names.split("|")]:
            text += self.text(*verb.split(), f"--help={page}")
        names = sorted(set(re.findall(r"(?m)^  (--[a-z-]+)", text)))
        self.assertIn("--help", names)
        return names

    def test_page_has_every_verb_with_its_options(self):
        sections = re.split(r"(?m)^\.SS abut ", PAGE.read_text(encoding="utf-8").replace("\\-", "-"))[1:]
        page = {section.split("\n", 1)[0]: section for section in sections}
        self.assertEqual([name for name in page if " --" not in name], self.verbs())
        for verb in self.verbs():
            self.assertEqual(sorted(set(re.findall(r"(?m)^\\fB(--[a-z-]+)\\fR", page[verb]))), self.options(verb), verb)
        # The modes of a verb, which have help pages of their own, have sections too.
        modes = [name.split(" --") for name in page if " --" in name]
        self.assertEqual(sorted(modes), [["assess", mode] for mode in ("compare", "contacts", "steps")])
        for verb, mode in modes:
            options = re.findall(r"(?m)^  (--[a-z-]+)", self.text(verb, f"--help={mode}"))
            self.assertEqual(re.findall(r"(?m)^\\fB(--[a-z-]+)\\fR", page[f"{verb} --{mode}"]), options, mode)

    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_page_has_no_warnings(self):
        lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", PAGE], capture_output=True, text=True)
        self.assertEqual((lint.returncode, lint.stdout), (0, ""))

    # What --help says reaches the reader: no character of it is taken for a macro or an escape.
    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc")
    def test_page_reads_like_the_help(self):
        shown = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=500", PAGE], capture_output=True, text=True, check=True)
        shown = " ".join(re.sub(".\b", "", shown.stdout).split())
        for verb in self.verbs():
            text = self.text("help", *verb.split())
            for part in (text.split("\n\nOptions:")[0], text.split("\nExample:")[1]):
                for line in part.splitlines():
                    self.assertIn(" ".join(line.removeprefix("Usage: ").split()), shown)

    def test_script_is_valid(self):
        subprocess.run(["bash", "-n", COMPLETION], check=True)

    def test_verbs_are_completed(self):
        first = list(dict.fromkeys(verb.split()[0] for verb in self.verbs()))
        self.assertEqual(complete(""), [*first, "help", "--help", "--version"] if "help" not in first
                         else [*first, "--help", "--version"])
        self.assertEqual(complete("cont"), ["contacts"])
        self.assertEqual(complete("mesh", ""), [verb.split()[1] for verb in self.verbs() if verb.startswith("mesh ")])
        self.assertEqual(complete("help", "mesh", "i"), ["info"])
        self.assertEqual(complete("help", "dist"), ["distance"])
        for words in (["--help", "=", "dist"], ["--help", "dist"], ["-h", "dist"]):
            self.assertEqual(complete(*words), ["distance"])
        self.assertIn("contacts", complete("--help", "="))
        self.assertEqual(complete("--help", "=", "mesh", "i"), ["info"])

    # The help names the first of --pose-a, --pose-b and so on; the script offers the second too.
    def test_options_are_completed(self):
        for verb in self.verbs():
            found = set(complete(*verb.split(), "--"))
            self.assertEqual(sorted(found - {"--pose-b", "--velocity-b"}), self.options(verb), verb)
        self.assertIn("--pose-b", complete("contacts", "a.obj", "--po"))
        self.assertEqual(complete("mesh", "convert", "--tri"), ["--triangles"])

    def test_values_are_completed(self):
        self.assertEqual(complete("contacts", "a.obj", "--format", ""), ["table", "json", "csv"])
        self.assertEqual(complete("contacts", "--format", "=", "j"), ["json"])
        self.assertEqual(complete("contacts", "--format", "="), ["table", "json", "csv"])
        self.assertEqual(complete("simulate", "--friction", ""), ["infinite"])
        self.assertEqual(complete("simulate", "--warm-start", "o"), ["on", "off"])
        self.assertEqual(complete("contacts", "--method", "vertex"), ["vertex-only"])
        self.assertIn("spike-in-hole", complete("assess", "--case", "spike"))
        self.assertEqual(complete("assess", "--case", "fund"), ["fundamental"])
        self.assertEqual(complete("assess", "--method", "erl"), ["erleben"])
        self.assertEqual(complete("assess", "--help", "=", ""), ["contacts", "steps", "compare"])
        self.assertEqual(complete("help", "assess", "com"), ["compare"])

    def test_lists_are_completed_after_commas(self):
        self.assertEqual(complete("assess", "--method", "regions,vertex"), ["regions,vertex-only"])
        self.assertEqual(complete("assess", "--case", "=", "spikes,wall,pil"), ["spikes,wall,pillar"])
        self.assertEqual(complete("study", "timestep", "--method", "growth,oppo"), ["growth,opposing"])
        self.assertEqual(complete("contacts", "--method", "regions,vertex"), [])  # takes one

    def test_names_of_cases_and_scenes_are_completed(self):
        self.assertEqual(complete("simulate", "colo"), ["colosseum"])
        self.assertEqual(complete("simulate", "spinning-b"), ["spinning-box"])
        self.assertEqual(complete("simulate", "--steps", "3", "pil"), ["pillar"])
        self.assertEqual(complete("cases", "spikes", "cliff"), ["cliff-edges"])
        self.assertEqual(complete("cases", "--out", "cliff"), [])  # a folder

    # No word to offer: bash goes on with file names.
    def test_operands_are_left_to_bash(self):
        self.assertEqual(complete("contacts", "a"), [])
        self.assertEqual(complete("contacts", "--tolerance", ""), [])


if __name__ == "__main__":
    main()
