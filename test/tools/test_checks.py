#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_checks.py: check_layers.py and check_docs.py find the breaches that they are made for"""
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import check_docs  # noqa: E402
import check_layers  # noqa: E402


def includes(path, *lines):
    return [text for _, text in check_layers.include_breaches(ROOT / path, lines, ROOT)]


class Layers(unittest.TestCase):
    def test_down_is_allowed(self):
        self.assertEqual(includes("src/mesh/x.c", '#include "base/error.h"', "#include <abut/mesh.h>"), [])

    def test_up_is_not(self):
        self.assertEqual(includes("src/base/x.c", '#include "mesh/mesh.h"'),
                         ["src/base may not include mesh/mesh.h of src/mesh"])

    def test_command_and_laboratory_see_public_headers_only(self):
        self.assertEqual(includes("cli/x.c", "#include <abut-lab/lab.h>"), [])
        self.assertEqual(len(includes("cli/x.c", '#include "base/error.h"', '#include "../src/base/memory.h"')), 2)
        self.assertEqual(len(includes("lab/cases/x.c", '#include "base/error.h"')), 1)

    def test_library_does_not_know_the_laboratory(self):
        self.assertEqual(len(includes("src/method/x.c", "#include <abut-lab/case.h>")), 1)
        self.assertEqual(len(includes("include/abut/x.h", "#include <abut-lab/case.h>")), 1)

    def test_outside_libraries_have_one_home(self):
        self.assertEqual(includes("src/mesh/x.c", "#include <libqhull_r/libqhull_r.h>"), [])
        self.assertEqual(includes("src/method/x.c", "#include <jansson.h>"), ["src/method may not use jansson.h"])

    def test_rooms_of_the_laboratory_and_the_command(self):
        self.assertEqual(includes("lab/study/x.c", '#include "cases/case_meshes.h"'), [])
        self.assertEqual(len(includes("lab/cases/x.c", '#include "study/study_text.h"')), 1)
        self.assertEqual(len(includes("cli/shared/x.c", '#include "verb/verbs.h"')), 1)
        self.assertEqual(len(includes("lab/cases/x.c", "#include <hdf5.h>")), 1)

    def test_names_are_unique(self):
        files = [ROOT / name for name in ("include/abut/mesh.h", "src/mesh/mesh.h", "lab/study/study.c", "cli/verb/study.c")]
        self.assertEqual([text for _, text in check_layers.name_breaches(files, ROOT)],
                         ["lab/study/study.c has the same name"])

    def test_structs_that_may_grow_are_not_inside_others(self):
        header = """typedef struct abut_params {
    size_t struct_size;
} abut_params;
ABUT_API abut_params abut_params_default(void);
ABUT_API void abut_params_init(abut_params *params, size_t size);
typedef struct abut_def {
    const abut_params *params;
    abut_params second_params;
    abut_vec3 gravity;
} abut_def;
ABUT_API abut_def abut_def_default(void);
"""
        self.assertEqual([(line, text.split(",")[0]) for _, line, text in check_layers.struct_breaches({"a.h": header})],
                         [(8, "abut_def contains abut_params"), (4, "abut_params_default returns abut_params")])

    def test_sizes(self):
        function = ["int f(void)", "{", *["    ;"] * 118, "}"]
        self.assertEqual(list(check_layers.size_breaches(function)), [])
        function.insert(2, "    ;")
        self.assertEqual(list(check_layers.size_breaches(function)), [(2, "the function has 121 lines, more than 120")])
        self.assertEqual(list(check_layers.size_breaches([""] * 800)), [])
        self.assertEqual(list(check_layers.size_breaches([""] * 801)), [(1, "the file has 801 lines, more than 800")])


class Documents(unittest.TestCase):
    def test_block_is_part_of_a_file(self):
        inside = ["<!-- from examples/contacts.c -->", "```c", "exit(2);", "```"]
        self.assertEqual(list(check_docs.block_breaches(inside)), [])
        inside[2] = "exit(3);"
        self.assertEqual([number for number, _ in check_docs.block_breaches(inside)], [2])

    def test_block_without_a_file(self):
        self.assertEqual(len(list(check_docs.block_breaches(["", "```c", "int x;", "```"]))), 1)
        self.assertEqual(list(check_docs.block_breaches(["", "```", "make test", "```"])), [])

    def test_links(self):
        lines = ["[a](README.md) [b](https://example.org) [c](nothing.md#there)"]
        breaches = list(check_docs.link_breaches(ROOT / "CONTRIBUTING.md", lines))
        self.assertEqual(breaches, [(1, "the link to nothing.md leads nowhere")])

    def test_links_to_headings(self):
        lines = ["# A `b`, c", "```", "# no heading", "```", "[d](#a-b-c) [e](#no-heading)",
                 "[f](README.md#two-commands) [g](README.md#three-commands)"]
        self.assertEqual(list(check_docs.link_breaches(ROOT / "CONTRIBUTING.md", lines)),
                         [(5, "CONTRIBUTING.md has no heading for #no-heading"),
                          (6, "README.md has no heading for #three-commands")])

    def test_names(self):
        names = {"abut_mesh_read", "ABUT_CONTACT_OLD"}
        self.assertEqual(list(check_docs.name_breaches(["`abut_mesh_read()`, flags ABUT_CONTACT_..."], names)), [])
        self.assertEqual(list(check_docs.name_breaches(["", "abut_mesh_reed(), ABUT_CONTRACT_..."], names)),
                         [(2, "there is no abut_mesh_reed"), (2, "there is no ABUT_CONTRACT_")])

    def test_targets(self):
        lines = ["`make test`, `make SETUP=0 tset`", "      - run: make all"]
        self.assertEqual(list(check_docs.target_breaches(lines, {"test"})),
                         [(1, "there is no make tset"), (2, "there is no make all")])

    def test_long_lines(self):
        line = "x" * 121
        lines = [line[1:], f"| {line} |", "```", line, "```", line, f"[x](../{line}.md)", f"https://example.org/{line}"]
        self.assertEqual(list(check_docs.length_breaches(lines)), [(6, "the line has 121 columns, more than 120")])


if __name__ == "__main__":
    unittest.main()
