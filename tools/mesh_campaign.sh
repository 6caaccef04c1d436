#!/bin/sh
# SPDX-License-Identifier: MIT
# mesh_campaign.sh FOLDER [OPTION ...]: contacts of real meshes, see tools/mesh_campaign.c and docs/real-meshes.md
#
# Clones three public repositories into FOLDER, outside of the tree, unless they are there, builds the program and runs it
# on their meshes. Options are passed on: --method NAME, --triangles MOST, --least FEWEST, --list.
set -eu
folder=${1:?usage: mesh_campaign.sh FOLDER [--method NAME] [--triangles MOST] [--least FEWEST] [--list]}
shift
root=$(cd "$(dirname "$0")/.." && pwd)
build=${BUILD:-$root/build/check}

for repository in alecjacobson/common-3d-test-models ipc-sim/rigid-ipc google-deepmind/mujoco_menagerie; do
    name=${repository#*/}
    [ -d "$folder/$name" ] || git clone --depth 1 "https://github.com/$repository" "$folder/$name"
done
cmake --build "$build" --target mesh_campaign

# without stones and splinters that are all alike, and without drawings of robots that are only seen
cd "$folder"
find common-3d-test-models/data rigid-ipc/meshes mujoco_menagerie/franka_emika_panda mujoco_menagerie/robotis_op3 \
    mujoco_menagerie/universal_robots_ur5e mujoco_menagerie/shadow_hand mujoco_menagerie/robotiq_2f85 \
    \( -name '*.obj' -o -name '*.stl' -o -name '*.STL' -o -name '*.ply' -o -name '*.off' \) -size +0 |
    grep -v -e /arch/ -e /fracture/ | LC_ALL=C sort | tr '\n' '\0' | xargs -0 "$build/tools/mesh_campaign" "$@"
