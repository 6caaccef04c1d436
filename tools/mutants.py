#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutants.py: how many small changes to src/ do the tests notice?

Changes one place of src/ at a time (mutations.py), compiles it and runs the tests of its folder. A change that a test
notices is killed. The others survive, and each of these needs an entry in docs/mutants.md that says why.

The choice depends on the seed and the text of the lines alone. Folders get mutants in proportion to their code. A
change that does not compile, or gives the same object code, is replaced by the next one. All work is done on copies in
build/mutants: a tree, which is built once with -O1 and assertions, and a copy of it for each worker. Results are kept
in build/mutants/results.jsonl until the sources or the tests change, so an interrupted run goes on where it stopped.

Exit status: 1 if fewer than 85 % are killed or a survivor has no entry, 2 if there is no answer, for example because
a test fails without any change.
"""
import argparse
import fcntl
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.dont_write_bytecode = True
import mutations  # noqa: E402

LEAST_RATE = 0.85
TIMEOUT_FACTOR = 5  # a test may take this many times its usual processor time,
TIMEOUT_SPARE = 2  # and so many seconds more
WALL_FACTOR = 20  # for tests that wait: elapsed seconds for each second of processor time that is allowed
MEMORY_KB = 8 << 20  # address space of a test

# Tests in other folders that run too, because the folder's own tests reach the code only through them.
MORE_TESTS = {
    "base": ["mesh", "io", "tree", "query"],  # errors, contexts, structs of older versions, sorting, hashing
    "method": ["figures"],  # what method regions delivers of contacts that are known by hand
    "region": ["regions"],  # the answer of the method whose core this folder is
}
# Quick, with assertions and with what the compiler can check of arrays and arithmetic: a trap kills the test.
FLAGS = "-O1 -fsanitize=undefined -fsanitize-undefined-trap-on-error"
LEFT_OUT = {".git", "build", "out", "__pycache__"}


@dataclass
class Test:
    name: str
    folder: str
    program: str  # relative to the tree
    arguments: list
    cpu: float = 0.0  # seconds of processor time without any change
    kills: Counter = field(default_factory=Counter)  # by folder of the mutant

    def promise(self, folder):
        """Kills to expect in a second: high comes first."""
        return (self.kills[folder] + 0.5) / (self.cpu + 0.05)


def run(command, cwd):
    """Runs a command in a session of its own: an interrupt at the keyboard must not look like a failed compilation."""
    return subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          start_new_session=True)


def give_up(text):
    print(f"mutants: {text}", file=sys.stderr)
    sys.exit(2)


def must(command, cwd):
    done = run(command, cwd)
    if done.returncode != 0:
        give_up(f"{shlex.join(map(str, command))} failed:\n{done.stdout[-4000:]}")


def folder_of(mutation):
    """The folder of src/."""
    return mutation.path.split("/")[1]


def files_below(folder):
    for path in sorted(folder.iterdir()):
        if path.name not in LEFT_OUT and not path.name.startswith("build-"):
            if path.is_dir() and not path.is_symlink():
                yield from files_below(path)
            elif path.is_file():
                yield path


def mirror(root, tree):
    """Makes `tree` a copy of the sources. Files that are equal keep their time, so that a build does little."""
    wanted = {path.relative_to(root) for path in files_below(root)}
    tree.mkdir(parents=True, exist_ok=True)
    for name in {path.relative_to(tree) for path in files_below(tree)} - wanted:
        (tree / name).unlink()
    for name in wanted:
        data = (root / name).read_bytes()
        if not (tree / name).is_file() or (tree / name).read_bytes() != data:
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes(data)
            shutil.copymode(root / name, tree / name)


class Tree:
    """A copy of the sources and its build: how to compile a file and to link a test."""

    def __init__(self, path):
        self.path = path
        self.build = path / "build"

    def make(self, folders, jobs):
        """Configures, then builds the tests of these folders of src/."""
        ccache = shutil.which("ccache")
        must(["cmake", "-S", self.path, "-B", self.build, "-G", "Unix Makefiles", "-DCMAKE_BUILD_TYPE=Debug",
              f"-DCMAKE_C_FLAGS_DEBUG={FLAGS}", "-DCMAKE_C_FLAGS=-w", "-DABUT_BENCH=OFF",
              "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *([f"-DCMAKE_C_COMPILER_LAUNCHER={ccache}"] if ccache else [])],
             self.path)
        self.tests = self.find_tests(folders)
        targets = sorted({Path(test.program).name for test in self.tests})
        must(["cmake", "--build", self.build, "--parallel", str(jobs), "--target", *targets], self.path)
        self.read_commands()

    def find_tests(self, folders):
        """The tests that are programs below test/FOLDER of the build."""
        tests = []
        for folder in sorted({path.name for path in (self.build / "test").iterdir() if path.is_dir()}):
            listing = self.build / "test" / folder / "CTestTestfile.cmake"
            for line in listing.read_text().splitlines() if listing.is_file() else []:
                words = re.match(r'add_test\(\[=\[(.*?)\]=\] (".*")\)', line)
                command = re.findall(r'"([^"]*)"', words[2]) if words else [""]
                if Path(command[0]).parent == listing.parent:
                    program = Path(command[0]).relative_to(self.path)
                    tests.append(Test(words[1], folder, str(program), command[1:]))
        used = {name for folder in folders for name in MORE_TESTS.get(folder, [])}
        return [test for test in tests if test.folder in folders or test.name in used]

    def read_commands(self):
        self.compiles = {}  # object -> command, both with paths of this tree
        self.needs = defaultdict(list)  # source or header -> objects
        for entry in json.loads((self.build / "compile_commands.json").read_text()):
            words = shlex.split(entry["command"])
            directory = Path(entry["directory"])
            name = str((directory / words[words.index("-o") + 1]).relative_to(self.path))
            listed = self.path / (name + ".d")
            if listed.is_file():
                self.compiles[name] = (str(directory.relative_to(self.path)), words)
                for needed in re.findall(r"[^\s\\:]+", listed.read_text())[1:]:
                    path = Path(os.path.normpath(directory / needed))
                    if path.is_relative_to(self.path):
                        self.needs[str(path.relative_to(self.path))].append(name)

    def link_script(self, program):
        """The folder of a program or library, and the commands that link it."""
        path = Path(program)
        target = path.name if path.suffix != ".a" else path.stem[len("lib"):]
        return path.parent, self.path / path.parent / "CMakeFiles" / f"{target}.dir" / "link.txt"


class Worker:
    """A copy of the tree in which one mutant at a time lives."""

    LIBRARY = "build/src/libabut_internal.a"

    def __init__(self, tree, path):
        self.tree, self.path = tree, path
        shutil.rmtree(path, ignore_errors=True)
        for name in ("src", "include", "test", "build/src", "build/include", "build/test"):
            if (tree.path / name).is_dir():
                shutil.copytree(tree.path / name, path / name, symlinks=True)
        (path / "scratch").mkdir()
        self.originals = {}  # objects without any change, compiled here: their paths are part of the code

    def here(self, words):
        return [word.replace(str(self.tree.path), str(self.path)) for word in words]

    def compile(self, name):
        directory, words = self.tree.compiles[name]
        return run(self.here(words), self.path / directory).returncode == 0

    def link(self, program):
        folder, script = self.tree.link_script(program)
        (self.path / program).unlink(missing_ok=True)
        for line in script.read_text().splitlines():
            must(shlex.split(line), self.path / folder)

    def run_test(self, test, cpu_limit):
        """Returns "passed", "failed" or "timeout", and the processor time."""
        command = ["sh", "-c", f'ulimit -t {int(cpu_limit) + 1} -v {MEMORY_KB}; ulimit -c 0; exec "$@"', "sh",
                   str(self.path / test.program), *self.here(test.arguments)]
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "TMPDIR": str(self.path / "scratch"),
                       "MALLOC_PERTURB_": "165"}  # new memory is not zero by chance
        process = subprocess.Popen(command, cwd=(self.path / test.program).parent, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   start_new_session=True)
        late = threading.Event()

        def end():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(WALL_FACTOR * cpu_limit, end)
        timer.start()
        is_failed = False
        for line in process.stderr:
            if b"[  FAILED  ]" in line:  # cmocka goes on after a failure, we need not
                is_failed = True
                os.killpg(process.pid, signal.SIGKILL)
                break
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        timer.cancel()
        if is_failed:
            outcome = "failed"
        elif late.is_set() or process.returncode == -signal.SIGXCPU:
            outcome = "timeout"
        else:
            outcome = "passed" if process.returncode == 0 else "failed"
        return outcome, usage.ru_utime + usage.ru_stime

    def measure(self, tests):
        """Runs tests without any change and returns the names of those that fail."""
        red = []
        for test in tests:
            outcome, test.cpu = self.run_test(test, 300)
            red += [test.name] if outcome != "passed" else []
        return red

    def judge(self, mutation, tests):
        """Returns the state of a mutant and the test that killed it."""
        source = self.path / mutation.path
        original = source.read_text()
        objects = [name for name in self.tree.needs[mutation.path]
                   if name.startswith("build/src/") or any(name in self.objects_of(test) for test in tests)]
        for name in objects:
            if name not in self.originals:
                self.compile(name)
                self.originals[name] = (self.path / name).read_bytes()
        source.write_text(mutation.apply(original))
        try:
            if not all(self.compile(name) for name in objects):
                return "broken", None
            if all((self.path / name).read_bytes() == self.originals[name] for name in objects):
                return "equivalent", None
            self.link(self.LIBRARY)
            folder = folder_of(mutation)
            for test in sorted(tests, key=lambda test: -test.promise(folder)):
                self.link(test.program)
                outcome, _ = self.run_test(test, TIMEOUT_FACTOR * test.cpu + TIMEOUT_SPARE)
                if outcome != "passed":
                    test.kills[folder] += 1
                    return ("killed" if outcome == "failed" else "timeout"), test.name
            return "survived", None
        finally:
            source.write_text(original)
            for name in objects:
                (self.path / name).write_bytes(self.originals[name])

    def objects_of(self, test):
        folder, script = self.tree.link_script(test.program)
        return {str(folder / word) for word in shlex.split(script.read_text()) if word.endswith(".o")}


class Run:
    """The mutants of all folders, shared by the workers."""

    def __init__(self, root, options):
        self.options = options
        self.root, self.place = root, root / "build" / "mutants"
        self.place.mkdir(parents=True, exist_ok=True)
        self.guard = open(self.place / "lock", "w")
        try:
            fcntl.flock(self.guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            give_up(f"another run uses {self.place}")
        self.tree = Tree(self.place / "tree")
        mirror(root, self.tree.path)
        self.choose([m for path in sorted((self.tree.path / "src").glob("*/*.[ch]"))
                     for m in mutations.mutations_of(str(path.relative_to(self.tree.path)), path.read_text())])
        self.lock = threading.Lock()
        self.states = defaultdict(dict)  # folder -> mutation -> (state, test), None while it runs

    def choose(self, found):
        """Sets the order of the mutants of each folder, and how many of them are wanted."""
        only = self.options.only
        order = ([m for m in found if m.key.startswith(tuple(only))] if only
                 else mutations.choice_of_lines(found, self.options.seed))
        self.choice = defaultdict(list)
        for mutation in order:
            self.choice[folder_of(mutation)].append(mutation)
        sizes = {folder: len(choice) for folder, choice in self.choice.items()}
        if only:
            self.wanted = sizes
        elif self.options.folder:
            self.wanted = {self.options.folder: self.options.count}
        else:
            self.wanted = mutations.shares(sizes, self.options.count)
        self.wanted = {folder: count for folder, count in sorted(self.wanted.items()) if count > 0}

    def tests_of(self, folder):
        return [test for test in self.tree.tests if test.folder == folder or test.name in MORE_TESTS.get(folder, [])]

    def digest(self, folder):
        """Changes with the sources and with the tests of a folder."""
        total = hashlib.sha256()
        tests = {test.folder for test in self.tests_of(folder)}
        total.update(FLAGS.encode())
        for path in files_below(self.tree.path):
            parts = path.relative_to(self.tree.path).parts
            is_test = parts[0] == "test" and (len(parts) == 2 or parts[1] in tests)
            if is_test or parts[0] in ("src", "include", "cmake"):
                total.update(f"{parts}".encode() + path.read_bytes())
        return total.hexdigest()[:16]

    def next(self):
        """The next mutant to look at, with its tests."""
        with self.lock:
            for folder, count in self.wanted.items():
                states = self.states[folder]
                good = sum(state is None or state[0] not in ("broken", "equivalent") for state in states.values())
                rest = self.choice[folder][len(states):]
                if good < count and rest:
                    states[rest[0]] = None
                    return rest[0]
        return None

    def work(self, worker):
        try:
            while not self.is_over and (mutation := self.next()) is not None:
                folder = folder_of(mutation)
                key = f"{self.digests[folder]}-{mutation.key}"
                begin = time.monotonic()
                state, test = self.known.get(key) or worker.judge(mutation, self.tests_of(folder))
                with self.lock:
                    self.states[folder][mutation] = (state, test)
                    if key not in self.known:
                        self.results.write(json.dumps({"key": key, "state": state, "test": test}) + "\n")
                        self.results.flush()
                    self.say(mutation, state, test, time.monotonic() - begin)
        except BaseException as failure:  # the other workers stop too
            self.failure = self.failure or failure
            self.is_over = True

    def say(self, mutation, state, test, seconds):
        done = sum(state is not None and state[0] not in ("broken", "equivalent")
                   for states in self.states.values() for state in states.values())
        print(f"{done}/{sum(self.wanted.values())} {seconds:.1f} s {mutation.path}:{mutation.line} {mutation.key} "
              f"{mutation.operator}: {state}{f' by {test}' if test else ''}", file=sys.stderr, flush=True)

    def go(self):
        jobs = self.options.jobs
        print(f"building {self.tree.path.relative_to(self.root)}", file=sys.stderr, flush=True)
        self.tree.make(set(self.wanted), jobs)
        self.workers = [Worker(self.tree, self.place / f"worker-{i}") for i in range(jobs)]
        print(f"running {len(self.tree.tests)} tests without a change", file=sys.stderr, flush=True)
        with ThreadPoolExecutor(jobs) as pool:
            groups = pool.map(lambda i: self.workers[i].measure(self.tree.tests[i::jobs]), range(jobs))
        red = [name for group in groups for name in group]
        if red:
            give_up(f"tests fail without any change: {', '.join(red)}")
        lonely = [folder for folder in self.wanted if not self.tests_of(folder)]
        if lonely:
            give_up(f"no tests for src/{', src/'.join(lonely)}")
        self.digests = {folder: self.digest(folder) for folder in self.wanted}
        path = self.place / "results.jsonl"
        lines = path.read_text().splitlines() if path.is_file() and not self.options.only else []
        self.known = {line["key"]: (line["state"], line["test"]) for line in map(json.loads, lines)}
        self.is_over, self.failure = False, None
        with open(path, "a", encoding="utf-8") as self.results:
            threads = [threading.Thread(target=self.work, args=(worker,)) for worker in self.workers]
            for thread in threads:
                thread.start()
            try:
                for thread in threads:
                    thread.join()
            finally:
                self.is_over = True
        if self.failure:
            raise self.failure


def reasons_of(path):
    """The mutants that docs/mutants.md explains: items of a list that start with a key."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    return set(re.findall(r"^- `([0-9a-f]{10})` ", text, re.MULTILINE))


def report(states, reasons, is_whole):
    """Prints the table and the survivors, and returns whether all is well."""
    print(f"{'folder':<10} mutants  killed  timeout  survived  not compiled  same code")
    total = Counter()
    rows = {folder: Counter(state for state, _ in found.values()) for folder, found in states.items()}
    for row in rows.values():
        total.update(row)
    for folder, row in [*rows.items(), ("all", total)]:
        judged = row["killed"] + row["timeout"] + row["survived"]
        print(f"{folder:<10} {judged:7d} {row['killed']:7d} {row['timeout']:8d} {row['survived']:9d} "
              f"{row['broken']:13d} {row['equivalent']:10d}")
    survivors = [m for found in states.values() for m, state in found.items() if state[0] == "survived"]
    for m in survivors:
        known = "" if m.key in reasons else "  (no reason in docs/mutants.md)"
        print(f"\n{m.key} {m.path}:{m.line} {m.function}: {m.operator}{known}\n  - {m.before}\n  + {m.after}")
    killed = total["killed"] + total["timeout"]
    rate = killed / max(1, killed + total["survived"])
    unexplained = sum(m.key not in reasons for m in survivors)
    stale = reasons - {m.key for m in survivors} if is_whole else set()
    print(f"\n{100 * rate:.1f} % killed, at least {100 * LEAST_RATE:.0f} % wanted; {len(survivors)} survivors, "
          f"{unexplained} of them without a reason")
    if stale:
        print(f"docs/mutants.md explains mutants that did not survive in this run: {', '.join(sorted(stale))}")
    return rate >= LEAST_RATE and not unexplained


def main():
    parser = argparse.ArgumentParser(description="Change src/ in small ways and count what the tests notice.")
    parser.add_argument("--count", type=int, default=200, help="mutants (200)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice (1)")
    parser.add_argument("--jobs", type=int, default=2, help="workers, each with a copy of the build (2)")
    parser.add_argument("--folder", help="only this folder of src/")
    parser.add_argument("--only", nargs="+", metavar="KEY", help="only these mutants, run anew")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.count < 1 or options.jobs < 1:
        parser.error("--count and --jobs are at least 1")
    all_mutants = Run(options.root.resolve(), options)
    try:
        all_mutants.go()
    except KeyboardInterrupt:
        give_up("interrupted; the same command continues the run")
    is_whole = not options.only and not options.folder
    return 0 if report(all_mutants.states, reasons_of(options.root / "docs" / "mutants.md"), is_whole) else 1


if __name__ == "__main__":
    sys.exit(main())
