#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""test_mutants.py: mutations.py changes what it should and nothing else; mutants.py tells killed from survived"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import mutants  # noqa: E402
import mutations  # noqa: E402


def changes(body, kind="int"):
    """Operator and changed line of every mutation of a function with this body."""
    source = f"static {kind} f(int a, int b)\n{{\n{body}\n}}\n"
    found = list(mutations.mutations_of("x.c", source))
    for mutation in found:
        assert mutation.apply(source).count("\n") == source.count("\n")
    return {(m.operator, m.after) for m in found}


class Operators(unittest.TestCase):
    def test_statements(self):
        self.assertEqual(changes("g(a,\n  b);"), {("delete statement", ";")})
        self.assertEqual(changes("p->x[a] = b;"), {("delete statement", ";")})
        self.assertEqual(changes("++a;"), {("delete statement", ";")})

    def test_conditions(self):
        self.assertIn(("negate condition", "if (!(a)) {"), changes("if (a) {\n}"))
        self.assertEqual(changes("while (a) {\n}"), {("negate condition", "while (!(a)) {")})
        self.assertIn(("negate condition", "b = !(a & b) ? a : b;"), changes("b = a & b ? a : b;"))

    def test_comparisons(self):
        self.assertEqual(changes("int c = a < b;"),
                         {("change comparison", "int c = a <= b;"), ("change comparison", "int c = a >= b;")})
        self.assertEqual(changes("int c = a == b;"), {("change comparison", "int c = a != b;")})

    def test_sums(self):
        self.assertEqual(changes("int c = a + b;"), {("swap + and -", "int c = a - b;")})
        self.assertEqual(changes("int c = -a;"), set())
        self.assertIn(("swap + and -", "a += b;"), changes("a -= b;"))

    def test_constants(self):
        self.assertEqual(changes("int c = 1;"), {("change constant", "int c = 2;"), ("change constant", "int c = 0;")})
        self.assertEqual(changes("double c = 0.5;"), {("change constant", "double c = 1.5;")})
        self.assertEqual(changes("float c = 0x1p-1f;"), {("change constant", "float c = 1.5f;")})
        self.assertEqual(changes("double c = 1e300;"), {("change constant", "double c = 2e+300;")})
        self.assertEqual(changes("size_t c = 0x10u;"), {("change constant", "size_t c = 17u;")})

    def test_returns(self):
        self.assertEqual(changes("return 0;"), {("replace return value", "return 1;")})
        self.assertEqual(changes("return a;"), {("replace return value", "return ((void)(a), 0);")})
        self.assertEqual(changes("return ABUT_OK;", "abut_status"),
                         {("replace return value", "return ABUT_NO_MEMORY;")})
        self.assertEqual(changes("return p;", "const char *"), {("replace return value", "return ((void)(p), NULL);")})
        self.assertEqual(changes("return p;", "pose"), {("replace return value", "return ((void)(p), (pose){0});")})

    def test_jumps(self):
        self.assertEqual(changes("for (;;) {\nbreak;\n}"), {("drop jump", ";")})
        self.assertEqual(changes("return;", "void"), {("drop jump", ";")})

    def test_min_and_max(self):
        self.assertEqual(changes("double c = fmin(a, b);"), {("swap min and max", "double c = fmax(a, b);")})
        self.assertEqual(changes("int c = abut_max(a, b);"), {("swap min and max", "int c = abut_min(a, b);")})

    def test_operands(self):
        self.assertEqual(changes("int c = f(a) && b || a;"),
                         {("drop operand", line) for line in ("int c = b || a;", "int c = f(a) || a;", "int c = a;",
                                                              "int c = f(a) && b ;")})

    def test_what_stays(self):
        for body in ("// a = 1;", "/* g(); */", "#if 1\n#endif", "ABUT_ASSERT(a == 1 && b);", "(void)a;", "goto end;",
                     "int c[4], d;", "static const int c[2] = {1, 2};", "const struct s *p = g;", "struct s t = {0};"):
            self.assertEqual(changes(body), set(), body)
        outside = "static const int table[2] = {1, 2};\nint f(int a);\n"
        self.assertEqual(list(mutations.mutations_of("x.c", outside)), [])
        self.assertEqual(changes("int c = 1; g(&c); b = c;"), {("delete statement", line) for line in
                                                               ("int c = 1; ; b = c;", "int c = 1; g(&c); ;")})
        self.assertEqual(changes('g("1 + 2 < 3", \'1\'); // a = 1;'), {("delete statement", ";")})


class Choice(unittest.TestCase):
    SOURCE = "".join(f"int f{i}(int a)\n{{\n    int b = a + {i};\n    return b;\n}}\n\n" for i in range(50))

    def choose(self, source, seed):
        return [m.key for m in mutations.choice_of_lines(mutations.mutations_of("x.c", source), seed)]

    def test_one_for_each_line(self):
        self.assertEqual(len(self.choose(self.SOURCE, 1)), 100)

    def test_follows_the_seed(self):
        self.assertEqual(self.choose(self.SOURCE, 1), self.choose(self.SOURCE, 1))
        self.assertNotEqual(self.choose(self.SOURCE, 1), self.choose(self.SOURCE, 2))

    def test_stays_when_other_lines_change(self):
        edited = self.SOURCE.replace("a + 7;", "a * a;").replace("a + 9;", "a + 9; // said")
        edited = edited.replace("int f3(", "\n// moved\nint f3(")
        before, after = self.choose(self.SOURCE, 1), self.choose(edited, 1)
        self.assertEqual([key for key in before if key in after], after)
        self.assertEqual(len(after), 99)

    def test_equal_lines_have_keys_of_their_own(self):
        twice = "int f(int a)\n{\n    ++a;\n    ++a;\n    return a;\n}\n"
        self.assertEqual(len({m.key for m in mutations.mutations_of("x.c", twice)}), 3)

    def test_shares(self):
        sizes = {"a": 1, "b": 100, "c": 899}
        self.assertEqual(mutations.shares(sizes, 200), {"a": 1, "b": 20, "c": 179})
        for count in range(1, 50):
            self.assertEqual(sum(mutations.shares(sizes, count).values()), count)


SMALL_PROJECT = {
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.21)\nproject(small C)\nenable_testing()\n"
                      "add_subdirectory(src)\nadd_subdirectory(test)\n",
    "src/CMakeLists.txt": "add_library(abut_objects OBJECT sum/sum.c)\n"
                          "target_include_directories(abut_objects PRIVATE .)\n"
                          "add_library(abut_internal STATIC $<TARGET_OBJECTS:abut_objects>)\n",
    "src/sum/sum.c": '#include "sum/half.h"\nint unseen;\n'
                     "int sum(int a, int b)\n{\n    unseen = a;\n    a = a / 1;\n    return half(a + a) + b;\n}\n",
    "src/sum/half.h": "static inline int half(int a)\n{\n    for (; a % 2; a += 2) {\n    }\n    return a / 2;\n}\n",
    "test/CMakeLists.txt": "add_subdirectory(sum)\n",
    "test/sum/CMakeLists.txt": "add_executable(test_sum test_sum.c)\n"
                               "target_link_libraries(test_sum PRIVATE abut_internal)\n"
                               "add_test(NAME sum COMMAND test_sum)\n",
    "test/sum/test_sum.c": "int sum(int a, int b);\n"
                           "int main(void)\n{\n    return sum(2, 3) != 5 || sum(-2, 1) != -1;\n}\n",
}


class Small(unittest.TestCase):
    """The whole run on a library with one function and one test. The assignment to `unseen` is not tested. Without the
    statement a = a / 1 the object code is the same."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name).resolve()
        for name, text in SMALL_PROJECT.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        source = (self.root / "src/sum/sum.c").read_text()
        self.keys = {m.after: m.key for m in mutations.mutations_of("src/sum/sum.c", source)}
        header = (self.root / "src/sum/half.h").read_text()
        self.keys.update({m.after: m.key for m in mutations.mutations_of("src/sum/half.h", header)})

    def tearDown(self):
        self.folder.cleanup()

    def run_mutants(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "tools/mutants.py", "--root", self.root, *arguments],
                              capture_output=True, text=True, check=False)

    def test_states(self):
        text = (self.root / "src/sum/sum.c").read_text()
        unseen = next(m for m in mutations.mutations_of("src/sum/sum.c", text) if m.before == "unseen = a;")
        no_effect = next(m for m in mutations.mutations_of("src/sum/sum.c", text)
                         if m.before == "a = a / 1;" and m.operator == "delete statement")
        swapped = self.keys["return half(a + a) - b;"]
        in_header = self.keys["return a / 3;"]
        done = self.run_mutants("--only", unseen.key, no_effect.key, swapped, in_header)
        self.assertEqual(done.returncode, 1, done.stderr)
        table = dict(zip("mutants killed timeout survived broken same".split(),
                         map(int, done.stdout.splitlines()[1].split()[1:])))
        self.assertEqual(table, {"mutants": 3, "killed": 2, "timeout": 0, "survived": 1, "broken": 0, "same": 1})
        self.assertIn(f"{unseen.key} src/sum/sum.c:5 sum: delete statement  (no reason in docs/mutants.md)\n"
                      "  - unseen = a;\n  + ;\n", done.stdout)

        # a run of all mutants, and a second one, which takes its results from the first
        first = self.run_mutants("--count", "5")
        again = self.run_mutants("--count", "5")
        self.assertEqual(first.stdout, again.stdout, first.stderr + again.stderr)

        # a test that fails without any change
        (self.root / "test/sum/test_sum.c").write_text("int main(void)\n{\n    return 1;\n}\n")
        red = self.run_mutants("--count", "5")
        self.assertEqual(red.returncode, 2)
        self.assertIn("tests fail without any change: sum", red.stderr)


class Report(unittest.TestCase):
    def test_rate_and_reasons(self):
        found = list(mutations.mutations_of("x.c", Choice.SOURCE))[:20]
        states = {"x": {m: ("killed", "t") for m in found[:17]} | {m: ("survived", None) for m in found[17:]}}
        keys = {m.key for m in found[17:]}
        with open("/dev/null", "w") as nowhere:
            sys.stdout, shown = nowhere, sys.stdout
            try:
                self.assertTrue(mutants.report(states, keys, True))  # 17 of 20 are 85 %
                self.assertFalse(mutants.report(states, set(list(keys)[1:]), True))
                states["x"][found[0]] = ("survived", None)
                self.assertFalse(mutants.report(states, keys | {found[0].key}, True))
            finally:
                sys.stdout = shown

    def test_entries(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "mutants.md"
            page.write_text("- `0123456789` x.c, f: only time\n- other\n\n`abcdefabcd` in a sentence\n")
            self.assertEqual(mutants.reasons_of(page), {"0123456789"})
            self.assertEqual(mutants.reasons_of(Path(folder) / "none.md"), set())


if __name__ == "__main__":
    unittest.main()
