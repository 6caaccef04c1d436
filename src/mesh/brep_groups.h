// SPDX-License-Identifier: MIT
// brep_groups.h: groups of triangles that may share planar faces
#ifndef ABUT_MESH_BREP_GROUPS_H
#define ABUT_MESH_BREP_GROUPS_H

#include "mesh/brep.h"

/// Group i has the triangles members[offsets[i]] .. [offsets[i + 1] - 1], in ascending order. Groups are in the order
/// of their lowest triangles. No face has triangles of two groups.
typedef struct abut_brep_groups {
    int *members;
    int *offsets;
    int count;
    int largest; ///< triangles of the largest group
} abut_brep_groups;

/// Finds the groups. Returns 0 if out of memory.
int abut_brep_find_groups(const abut_brep_work *work, abut_brep_groups *groups);
void abut_brep_free_groups(const abut_brep_work *work, abut_brep_groups *groups);

#endif
