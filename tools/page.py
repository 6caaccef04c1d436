# SPDX-License-Identifier: MIT
"""Tables in docs/reproduction.md: put() replaces what is between <!-- NAME --> and <!-- end of NAME -->, rows() reads it."""

import os


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def rows(folder, name):
    """The cells of the rows of a table that is there."""
    with open(os.path.join(folder, "reproduction.md"), encoding="utf-8") as file:
        text = file.read().partition(f"<!-- {name} -->")[2].partition(f"<!-- end of {name} -->")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def put(folder, name, text):
    path = os.path.join(folder, "reproduction.md")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    before, found, rest = page.partition(begin)
    old, found_end, after = rest.partition(end)
    if not found or not found_end:
        raise SystemExit(f"{path}: it has no <!-- {name} --> and <!-- end of {name} -->")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{before}{begin}\n\n{text}\n\n{end}{after}")
