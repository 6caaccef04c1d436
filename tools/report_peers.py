#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""report_peers.py: what `abut report` knows of other engines: the table cli/verb/report_peers_table.h

usage: tools/report_peers.py ABUT > cli/verb/report_peers_table.h

ABUT is a command that was built with ABUT_PEERS. Takes ten seconds.
"""
import json
import subprocess
import sys

NAMES = {"fcl": "FCL 0.7, meshes", "bullet-gimpact": "Bullet 3.24, GImpact", "bullet-hulls": "Bullet 3.24, hulls",
         "ode": "ODE 0.16, meshes", "mujoco": "MuJoCo 2.2, hulls"}


def run(*words):
    text = subprocess.run([sys.argv[1], "assess", "--compare", "peers", "--format", "json", *words],
                          check=True, capture_output=True, text=True).stdout
    return [row for row in json.loads(text)["results"] if row["method"] in NAMES]


def number(value):
    return "NAN" if value is None else repr(float(value))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("// SPDX-License-Identifier: MIT\n"
          "// report_peers_table.h: contacts of other engines, measured; written by tools/report_peers.py")
    print("// clang-format off\nstatic const peer_row peer_rows[] = {")
    for row in run():
        print('    {"%s", "%s", %s, %s, %s, %s},' % (NAMES[row["method"]], row["case"], number(row["quality"]),
                                                     number(row["coverage"]), number(row["excess"]),
                                                     number(row["contacts"])))
    print("};\n\n/// In the order of the depths.\nstatic const peer_overlap peer_overlaps[] = {")
    overlaps = run("--case", "overlap")
    for method, name in NAMES.items():
        rows = sorted((row for row in overlaps if row["method"] == method), key=lambda row: row["depth"])
        print('    {"%s", {%s}},' % (name, ", ".join(number(row["resolved_share"]) for row in rows)))
    print("};\n// clang-format on")


if __name__ == "__main__":
    main()
