#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_docs.py: checks what the documents say

- Every C block of a document is part of a file that the tests compile: the line `<!-- from FILE -->` above it names the
  file. A block without that line must not be marked as C.
- Every relative link leads to a file and, if it names a heading, to that heading.
- Every name abut_... or ABUT_... in a document, or in a comment of a public header, occurs in the code.
- docs/dependencies.md gives a reason for the packages that tools/setup.sh installs, and for no others.
- Every folder of src/ is in the picture of docs/architecture.md.
- Every `make TARGET` of a document or workflow is in the Makefile, every preset of a workflow in CMakePresets.json.
- Lines have at most 120 columns, except for tables, images, blocks of code and targets of links. They end with whole
  words, and tables have one row a line.
- The version of CITATION.cff is that of CMakeLists.txt, and CHANGELOG.md and debian/changelog know it.
Prints every breach as file:line. The exit code is 1 if there is one.
"""
import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = re.compile(r"^<!-- from (\S+) -->$")
NAME = re.compile(r"\b(?:abut|ABUT)_\w+")
MAKE = re.compile(r"(?:`|run: )make (?:\w+=\S+ )*([a-z][a-z-]*)")
LINE_LENGTH = 120
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def normalized(text):
    return "\n".join(line.rstrip() for line in textwrap.dedent(text).strip("\n").splitlines())


def contains(source, block):
    """Whether `source` has the lines of `block` in sequence, with any indentation."""
    lines, wanted = source.splitlines(), block.splitlines()
    for i in range(len(lines) - len(wanted) + 1):
        if normalized("\n".join(lines[i:i + len(wanted)])) == block:
            return True
    return False


def block_breaches(lines):
    i = 0
    while i < len(lines):
        if not lines[i].startswith("```"):
            i += 1
            continue
        begin, language = i, lines[i][3:].strip()
        i += 1
        while i < len(lines) and not lines[i].startswith("```"):
            i += 1
        block = normalized("\n".join(lines[begin + 1:i]))
        i += 1
        match = SOURCE.match(lines[begin - 1]) if begin > 0 else None
        if match:
            source = ROOT / match.group(1)
            if not source.is_file() or not contains(source.read_text(encoding="utf-8"), block):
                yield begin + 1, f"the block is not a part of {match.group(1)}"
        elif language in ("c", "cpp", "python"):
            yield begin + 1, f"a block of {language} without a line '<!-- from FILE -->' above it"


def anchors(lines):
    """The anchors of headings: lower case, hyphens for spaces, no other punctuation."""
    is_code = False
    for line in lines:
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and re.match("#+ ", line):
            yield re.sub(r"[^\w -]", "", line.lstrip("#").strip().lower()).replace(" ", "-")


def link_breaches(path, lines):
    for number, line in enumerate(lines, 1):
        for name, anchor in LINK.findall(line):
            if "://" in name or name.startswith("mailto:"):
                continue
            target = path.parent / name if name else path
            if not target.exists():
                yield number, f"the link to {name} leads nowhere"
            elif anchor:
                there = lines if target == path else target.read_text(encoding="utf-8").splitlines()
                if anchor not in anchors(there):
                    yield number, f"{name or path.name} has no heading for #{anchor}"


def names_of_code():
    """All names in C files, without their comments, and in build files."""
    names = set()
    for folder in ("include", "src", "lab", "cli", "bench", "peers", "examples", "test"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".c", ".h", ".cpp", ".in"):
                names.update(NAME.findall(re.sub("//.*", "", path.read_text(encoding="utf-8"))))
    for path in (ROOT / "CMakeLists.txt", ROOT / "Makefile", *(ROOT / "cmake").iterdir()):
        names.update(NAME.findall(path.read_text(encoding="utf-8")))
    return names


def name_breaches(lines, names):
    for number, line in enumerate(lines, 1):
        for name in NAME.findall(line):
            # ABUT_CONTACT_ stands for all names that begin with it
            if name not in names and not (name.endswith("_") and any(known.startswith(name) for known in names)):
                yield number, f"there is no {name}"


def target_breaches(lines, targets):
    for number, line in enumerate(lines, 1):
        for target in MAKE.findall(line):
            if target not in targets:
                yield number, f"there is no make {target}"


def workflow_breaches(targets):
    presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["testPresets"]}
    for path in sorted((ROOT / ".github/workflows").glob("*.yml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            for preset in re.findall(r"[a-z-]+", "".join(re.findall(r"^ *preset: \[(.*)\]$", line))):
                if preset not in presets:
                    yield f"{path.relative_to(ROOT)}:{number}: there is no preset {preset}"
        for number, text in target_breaches(lines, targets):
            yield f"{path.relative_to(ROOT)}:{number}: {text}"


def length_breaches(lines):
    is_code = False
    for number, line in enumerate(lines, 1):
        is_code ^= line.startswith("```")
        text = re.sub(r"\]\([^)]*\)|https?://\S+", "", line)
        if len(text) > LINE_LENGTH and not is_code and not line.lstrip().startswith(("|", "![")):
            yield number, f"the line has {len(text)} columns, more than {LINE_LENGTH}"


def word_breaches(lines):
    """Words that a line break cuts after a hyphen or slash are shown with a space in them."""
    is_code = False
    for number, (line, following) in enumerate(zip(lines, lines[1:]), 1):
        is_code ^= line.startswith("```")
        if not is_code and re.search(r"\w[-/]$", line) and re.match(r" *\w", following):
            yield number, f"the line break cuts the word {line.split()[-1]}{following.split()[0]}"


def table_breaches(lines):
    """A table whose lines were folded like those of a paragraph."""
    for number, line in enumerate(lines, 1):
        if re.search(r"\S.*\| \|-{3}", line):
            yield number, "the table has lost its line breaks"


def package_breaches():
    rows = re.findall(r"^\| (`.*?`) \|", (ROOT / "docs/dependencies.md").read_text(encoding="utf-8").split("\n## ")[0], re.M)
    reasons = set(re.findall("`(.*?)`", " ".join(rows)))
    packages = set()
    for purpose in ("assess", "bench", "docs", "package", "test", "viewer"):
        listed = subprocess.run([ROOT / "tools/setup.sh", "--list", purpose], capture_output=True, text=True, check=True)
        packages |= set(listed.stdout.split())
    for package in sorted(packages - reasons):
        yield f"docs/dependencies.md has no reason for {package}"
    for package in sorted(reasons - packages):
        yield f"docs/dependencies.md has {package}, which tools/setup.sh does not install"


def folder_breaches():
    picture = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    for folder in sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "src").iterdir() if p.is_dir()):
        if f"\n{folder}/ " not in picture:
            yield f"docs/architecture.md does not show {folder}/"


def version_breaches():
    version = re.search(r"project\(abut VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    if f"\nversion: {version}\n" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8"):
        yield f"CITATION.cff does not say version {version}"
    if f"[{version}]" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        yield f"CHANGELOG.md does not know version {version}"
    if not (ROOT / "debian/changelog").read_text(encoding="utf-8").startswith(f"abut ({version}) "):
        yield f"debian/changelog does not begin with version {version}"


def main():
    documents = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    names = names_of_code()
    targets = set(re.findall(r"(?m)^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8")))
    breaches = 0
    for path in documents:
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, text in (*block_breaches(lines), *link_breaches(path, lines), *name_breaches(lines, names),
                             *target_breaches(lines, targets), *length_breaches(lines), *word_breaches(lines),
                             *table_breaches(lines)):
            print(f"{path.relative_to(ROOT)}:{number}: {text}")
            breaches += 1
    for path in sorted((ROOT / "include").rglob("*.h")):
        comments = [line.partition("//")[2] for line in path.read_text(encoding="utf-8").splitlines()]
        for number, text in name_breaches(comments, names):
            print(f"{path.relative_to(ROOT)}:{number}: {text}")
            breaches += 1
    for text in (*workflow_breaches(targets), *package_breaches(), *folder_breaches(), *version_breaches()):
        print(text)
        breaches += 1
    print(f"{len(documents)} documents, {breaches} breaches")
    return 1 if breaches or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
