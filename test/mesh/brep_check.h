// SPDX-License-Identifier: MIT
// brep_check.h: what holds for every B-rep, and comparing two as geometry
#ifndef ABUT_TEST_BREP_CHECK_H
#define ABUT_TEST_BREP_CHECK_H

#include <abut/brep.h>

/// How far two B-reps of one solid may be apart.
typedef struct brep_tolerance {
    double length; ///< of planes, absolute
    double angle;  ///< of normals and edges, in radians
    double area;   ///< relative
} brep_tolerance;

/// Checks that all parts of a B-rep fit together and to its mesh. Returns the number of failures.
int brep_check_valid(const abut_mesh *mesh, const abut_brep *brep, const char *label);

/// Checks that two B-reps are of the same solid: equal vertices (bit by bit), edges with kind and angle, faces with
/// plane, area and loops, cycles of edges at vertices; the numbering may differ. Returns the number of failures.
int brep_check_same(const abut_mesh *mesh_a, const abut_brep *brep_a, const abut_mesh *mesh_b,
                    const abut_brep *brep_b, brep_tolerance tolerance, const char *label);

#endif
