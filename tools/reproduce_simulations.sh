#!/bin/sh
# SPDX-License-Identifier: MIT
# reproduce_simulations.sh: tables and plots of docs/reproduction.md
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

# as the author's program: Figures 24 to 28, and 21
program="--step 2 --settings paper --option reading=program --option precision=single --option epsilon=0.01 --option erosion=program"
# shellcheck disable=SC2086
assess --case wall,arch --method closest-points,opposing $program --curves curves.csv > curves.txt
# shellcheck disable=SC2086
assess --case pillar --method closest-points,intersection,opposing $program --curves pillar-curves.csv > pillar-curves.txt
"$tools/plot_curves.py" curves.csv "$docs" alignment,area
"$tools/plot_curves.py" pillar-curves.csv "$docs" alignment,histogram

assess --case fundamental --method erleben --compare paper --format json > table-8.json
assess --case wall,arch --method erleben --compare paper --format json > scenes.json
"$tools/step_tables.py" "$docs" table-8.json scenes.json

cases=pillar,fundamental
assess --case $cases --method erleben --steps 500 --compare paper --format json --curves counts-erleben.csv > outcomes-erleben.json
assess --case $cases --method regions --steps 500 --format json --curves counts-regions.csv > outcomes-regions.json
"$tools/motion_tables.py" "$docs" counts-erleben.csv counts-regions.csv outcomes-erleben.json outcomes-regions.json

study perturbation perturbation --scales 0,0.01,0.02,0.03
study refinement refinement --ratios coarse,2,1.2,1.1,1.07
study refinement-raw refinement --ratios coarse,2,1.2,1.1,1.07 --raw
study timestep timestep
"$tools/study_tables.py" "$docs" perturbation.json refinement.json refinement-raw.json timestep.json

for response in prox mcp; do
    study spin-cube-$response spin --scene spinning-box --response $response
    study spin-box-$response spin --response $response
    study spin-spheres-$response spin --scene rolling-spheres --vertices 50,200 --dts 0.001 --radii 0.01,0.1,1,10,100 \
        --response $response
done
"$tools/spin_tables.py" "$docs" spin-cube-*.json spin-box-*.json spin-spheres-*.json

# of Tang et al. 2012; dragons take many minutes: name them yourself
"$tools/penalty_figures.py" "$abut" . "$docs" chain ball-and-stick pin-rings octopus tori-on-cloth growth
rm -f "$docs/penalty-pin-rings.svg" # the same forces are in penalty-steps.svg
