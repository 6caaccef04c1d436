#!/bin/sh
# SPDX-License-Identifier: MIT
# pictures.sh: makes the drawings and screenshots of the documents that show computed contacts
#
# usage: tools/pictures.sh ABUT VIEWER_BUILD DOCS
#
# ABUT is the command, VIEWER_BUILD the folder viewer/ of its build, DOCS gets the pictures. The drawings have the same
# bytes each time. VIEWER_BUILD "" leaves out the screenshots.
set -eu
if [ $# -ne 3 ]; then
    echo "usage: tools/pictures.sh ABUT VIEWER_BUILD DOCS" >&2
    exit 2
fi
tools=$(cd "$(dirname "$0")" && pwd)
ABUT=$(realpath "$1")
export ABUT
docs=$3
mkdir -p "$docs/methods"

"$ABUT" draw --scene arch --width 560 --out "$docs/draw-arch.svg"
"$ABUT" draw --case wedges --method opposing --width 420 --out "$docs/draw-wedges.svg"

# case_of NAME [WIDTH]: a case with its correct contacts
case_of() {
    name=$1
    shift
    "$ABUT" draw --case "$name" --method regions --title "$name" --width "${1:-210}" --out "$docs/case-$name.svg"
}
for name in spikes spike-and-wedge wedges spike-in-hole spike-in-crack wedge-in-crack internal-edges cliff-edges; do
    case_of $name
done
case_of sliding-spike 330
case_of sliding-wedge 330

# regions: a polygon, an edge and a tip
"$ABUT" draw --case internal-edges --method regions --width 260 --title "" --out "$docs/methods/regions-polygon.svg"
"$ABUT" draw --case wedge-in-crack --method regions --width 260 --title "" --out "$docs/methods/regions-edge.svg"
"$ABUT" draw --case spikes --method regions --width 260 --title "" --out "$docs/methods/regions-tip.svg"

"$ABUT" draw --case wedge-in-crack --state sunk:0.1 --method regions --width 260 --title "sunk by 0.1" \
    --out "$docs/methods/regions-overlap.svg"

# auto: two solids, and an open surface
"$ABUT" draw box:2,1,2 box:1,1,1 --pose-b "0.3 0.9 0 1 0 0 0" --width 260 --title "solids, sunk by 0.1" \
    --out "$docs/methods/auto-solids.svg"
"$ABUT" draw box:2,1,2 "$tools/../examples/square.obj" --pose-b "0.1 0.2 -0.5 0.7071 0 -0.7071 0" --width 260 \
    --title "an open square" --out "$docs/methods/auto-open.svg"

# regions in time: a block slides off the first of two fingers, and a block tips
for step in 1 40 79 85; do
    "$ABUT" draw --scene two-fingers --step $step --view z --width 200 --title "step $step" \
        --out "$docs/fingers-$step.svg"
done
"$ABUT" draw --scene tip --step 30 --width 320 --out "$docs/tip-30.svg"
"$ABUT" draw --scene tip --step 60 --width 320 --out "$docs/tip-60.svg"

# finds METHOD CASE CASE: what a method finds in two cases, mostly one that it solves and one that it does not
finds() {
    "$ABUT" draw --case "$2" --method "$1" --width 300 --title "$1: $2" --out "$docs/methods/$1-finds.svg"
    "$ABUT" draw --case "$3" --method "$1" --width 300 --title "$1: $3" --out "$docs/methods/$1-misses.svg"
}
finds intersection spike-and-wedge cliff-edges
finds vertex-only spike-in-crack cliff-edges
finds consistent-vertex spike-in-crack cliff-edges
finds volume-sat spike-in-crack cliff-edges
finds surface-sat internal-edges cliff-edges
finds opposing cliff-edges wedge-in-crack
finds growth wedge-in-crack cliff-edges
finds closest-points internal-edges cliff-edges
finds implicit-field internal-edges wedges
finds quasi-lmd wedge-in-crack wedges
finds continuous wedges cliff-edges
"$ABUT" draw --case cliff-edges --method convex --width 300 --title "convex: cliff-edges" \
    --out "$docs/methods/convex-finds.svg"

if [ -n "$2" ]; then
    ABUT_VIEWER_BUILD=$(realpath "$2")
    export ABUT_VIEWER_BUILD
    node "$tools/../viewer/test/screenshots.mjs" "$docs"
fi
