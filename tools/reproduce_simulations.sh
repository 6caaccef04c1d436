#!/bin/sh
# SPDX-License-Identifier: MIT
# reproduce_simulations.sh: tables and plots of docs/reproduction.md that need no search
#
# usage: tools/reproduce_simulations.sh ABUT FOLDER DOCS
#
# Runs the command ABUT, keeps its results in FOLDER, and rewrites the plots in DOCS and the tables of its
# reproduction.md. A study that was interrupted continues with the results in FOLDER.
set -eu

[ $# -eq 3 ] || {
    echo "usage: tools/reproduce_simulations.sh ABUT FOLDER DOCS" >&2
    exit 2
}
tools=$(cd "$(dirname "$0")" && pwd)
abut=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
docs=$(cd "$3" && pwd)
mkdir -p "$2"
cd "$2"

assess() {
    "$abut" assess "$@"
}
study() {
    name=$1
    shift
    "$abut" study "$@" --out "$name.json" > "$name.txt"
}

assess --case wall,arch --method closest-points,opposing --option epsilon=0.01 --option reading=program --option erosion=program \
    --curves curves.csv > curves.txt
"$tools/plot_curves.py" curves.csv "$docs"

assess --case pillar,wall,arch --method erleben --compare paper --step 3 --format json > step-3.json
"$tools/step_tables.py" "$docs" step-3.json

cases=pillar,fundamental
assess --case $cases --method erleben --steps 500 --compare paper --format json --curves counts-erleben.csv > outcomes-erleben.json
assess --case $cases --method regions --steps 500 --format json --curves counts-regions.csv > outcomes-regions.json
"$tools/motion_tables.py" "$docs" counts-erleben.csv counts-regions.csv outcomes-erleben.json outcomes-regions.json

study perturbation perturbation --scales 0,0.01,0.02,0.03
study refinement refinement --ratios coarse,2,1.2,1.1,1.07
study refinement-raw refinement --ratios coarse,2,1.2,1.1,1.07 --raw
study timestep timestep
"$tools/study_tables.py" "$docs" perturbation.json refinement.json refinement-raw.json timestep.json

study spin-cube spin --scene spinning-box
study spin-box spin
study spin-spheres spin --scene rolling-spheres --vertices 50,200 --dts 0.001 --radii 0.01,0.1,1,10,100
"$tools/spin_tables.py" "$docs" spin-cube.json spin-box.json spin-spheres.json
