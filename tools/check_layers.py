#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_layers.py: the rules of docs/architecture.md that a machine can check

Which folder may include which, which folder may use an external library, and how long files and functions may be.
Prints every breach as file:line. The exit code is 1 if there is one.
"""
import re
import sys
from pathlib import Path

FILE_LINES = 800
FUNCTION_LINES = 120

# Each folder may include itself and these. Public headers are named by their include path.
LAYERS = ["src/base", "src/math", "src/prim", "src/program", "src/mesh", "src/io", "src/spatial", "src/check", "src/convex", "src/region", "src/complex", "src/continuous",
          "src/method", "src/response", "src/solve", "src/soft", "src/world"]
LAB_LAYERS = ["lab/common", "lab/process", "lab/cases", "lab/scenes", "lab/assess", "lab/assembly", "lab/overlap", "lab/recording", "lab/study",
              "lab/draw"]
MAY_USE = {
    "include/abut": {"include/abut"},
    "include/abut-lab": {"include/abut", "include/abut-lab"},
    **{layer: {"include/abut", *LAYERS[:i]} for i, layer in enumerate(LAYERS)},
    "src/solve": {"include/abut", "src/base", "src/math"},  # contacts are numbers to it
    "src/soft": {"include/abut", "src/base", "src/math"},  # forces of one body; contacts are impulses to it
    **{layer: {"include/abut", "include/abut-lab", *LAB_LAYERS[:i]} for i, layer in enumerate(LAB_LAYERS)},
    "peers": set(),
    "bench": {"include/abut", "include/abut-lab", "peers"},
    "cli/shared": {"include/abut", "include/abut-lab"},
    "cli/verb": {"include/abut", "include/abut-lab", "bench", "cli/shared"},
    "cli/manual": {"include/abut", "include/abut-lab", "cli/shared", "cli/verb"},
    "cli": {"include/abut", "include/abut-lab", "cli/shared", "cli/verb"},
    "examples": {"include/abut", "include/abut-lab"},
}
# Headers of external libraries, and the folders that may use them. Tests may use all of them.
OUTSIDE = {
    "omp.h": {"src/base"},
    "libqhull_r/": {"src/mesh"},
    "jansson.h": {"cli", "lab"},
    "hdf5.h": {"lab/recording"},
    "mpi.h": {"cli/verb"},
    "microhttpd.h": {"cli/verb"},
    "dlfcn.h": {"lab/process"},
    "assimp/": {"peers"},
    "ccd/": {"peers"},
    "BulletCollision/": {"peers"},
    "btBulletDynamicsCommon.h": {"peers"},
    "fcl/": {"peers"},
    "ode/": {"peers"},
    "mujoco/": {"peers"},
    "gmp.h": set(),
    "cmocka.h": set(),
}
# Structs whose `struct_size` must match exactly: they do not grow.
EXACT = {"abut_result", "abut_buffers", "abut_method", "abut_study_kind"}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def folder_of(path, root):
    """The layer that a file belongs to, or None for tests."""
    parts = path.relative_to(root).parts
    names = ("/".join(parts[:2]), parts[0])
    return next((name for name in names if name in MAY_USE), None)


def target_folder(path, quoted, name, root):
    """The folder that an include names; None for a system header or one that the build makes."""
    if not quoted:
        top = name.split("/")[0]
        return f"include/{top}" if top in ("abut", "abut-lab") and "/" in name else None
    for base in (path.parent, root / "src", root / "lab", root / "cli", root / "bench", root / "peers", root):
        found = (base / name).resolve()
        if found.is_file() and found.is_relative_to(root):
            return folder_of(found, root) or "test"
    return None


def include_breaches(path, lines, root):
    folder = folder_of(path, root)
    if folder is None:
        return
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, name = match.group(1) == '"', match.group(2)
        target = target_folder(path, quoted, name, root)
        if target is not None and target != folder and target not in MAY_USE[folder]:
            yield number, f"{folder} may not include {name} of {target}"
        for header, folders in OUTSIDE.items():
            if name.startswith(header) and not {folder, folder.split("/")[0]} & folders:
                yield number, f"{folder} may not use {header.rstrip('/')}"


def size_breaches(lines):
    if len(lines) > FILE_LINES:
        yield 1, f"the file has {len(lines)} lines, more than {FILE_LINES}"
    begin = None
    for number, line in enumerate(lines, 1):
        if line == "{":  # clang-format puts the braces of a function, and only those, alone in the first column
            begin = number
        elif line == "}" and begin is not None:
            if number - begin + 1 > FUNCTION_LINES:
                yield begin, f"the function has {number - begin + 1} lines, more than {FUNCTION_LINES}"
            begin = None


def head_breaches(lines):
    if not lines or lines[0] != "// SPDX-License-Identifier: MIT":
        yield 1, "the first line is not '// SPDX-License-Identifier: MIT'"


def name_breaches(files, root):
    """File names must be unique, so that a message or a search names one place. A private header may repeat the name
    of the public header that it completes."""
    first = {}
    for path in files:
        if folder_of(path, root) in ("include/abut", "include/abut-lab"):
            continue
        if path.name in first:
            yield path, f"{first[path.name].relative_to(root)} has the same name"
        first.setdefault(path.name, path)


def struct_breaches(texts):
    """Structs that may grow (with `struct_size`) must not be inside others or be returned by exported functions: their
    size would be part of somebody else's layout. `texts` are the public headers by path."""
    struct = re.compile(r"^(?:typedef )?struct (abut_\w+) \{\n(.*?)^\}", re.M | re.S)
    bodies = [(path, text, match) for path, text in texts.items() for match in struct.finditer(text)]
    growing = {match.group(1) for _, _, match in bodies if "size_t struct_size;" in match.group(2)} - EXACT
    for path, text, match in bodies:
        for member in re.finditer(r"^ +(?:const )?(abut_\w+) \w", match.group(2), re.M):
            if member.group(1) in growing:
                line = text[:match.start(2) + member.start()].count("\n") + 1
                yield path, line, f"{match.group(1)} contains {member.group(1)}, which may grow: point to it"
    for path, text in texts.items():
        for match in re.finditer(r"^ABUT_API (abut_\w+) (\w+)\(", text, re.M):
            if match.group(1) in growing:
                line = text[:match.start()].count("\n") + 1
                yield path, line, f"{match.group(2)} returns {match.group(1)}, which may grow: write to the caller's"


def main():
    root = Path(__file__).resolve().parent.parent
    tops = ["bench", "cli", "examples", "include", "lab", "peers", "src", "test"]
    files = sorted(p for top in tops for p in (root / top).rglob("*") if p.suffix in (".c", ".h", ".cpp"))
    breaches = 0
    for path in files:
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, text in (*head_breaches(lines), *include_breaches(path, lines, root), *size_breaches(lines)):
            print(f"{path.relative_to(root)}:{number}: {text}")
            breaches += 1
    for path, text in name_breaches(files, root):
        print(f"{path.relative_to(root)}:1: {text}")
        breaches += 1
    public = {p: p.read_text(encoding="utf-8") for p in files if folder_of(p, root) in ("include/abut", "include/abut-lab")}
    for path, number, text in struct_breaches(public):
        print(f"{path.relative_to(root)}:{number}: {text}")
        breaches += 1
    print(f"{len(files)} files, {breaches} breaches")
    return 1 if breaches or not files else 0


if __name__ == "__main__":
    sys.exit(main())
