#!/bin/sh
# SPDX-License-Identifier: MIT
# pictures.sh: makes the drawings and screenshots of the documents that show computed contacts
#
# usage: tools/pictures.sh ABUT VIEWER_BUILD DOCS
#
# ABUT is the command, VIEWER_BUILD the folder viewer/ of its build, DOCS gets the pictures. The drawings have the same
# bytes each time.
set -eu
if [ $# -ne 3 ]; then
    echo "usage: tools/pictures.sh ABUT VIEWER_BUILD DOCS" >&2
    exit 2
fi
tools=$(cd "$(dirname "$0")" && pwd)
ABUT=$(realpath "$1")
ABUT_VIEWER_BUILD=$(realpath "$2")
export ABUT ABUT_VIEWER_BUILD
"$ABUT" draw --scene arch --width 560 --out "$3/draw-arch.svg"
"$ABUT" draw --case wedges --method opposing --width 420 --out "$3/draw-wedges.svg"
node "$tools/../viewer/test/screenshots.mjs" "$3"
