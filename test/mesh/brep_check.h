// SPDX-License-Identifier: MIT
// brep_check.h: invariants of every B-rep, and geometric comparison of two
#ifndef ABUT_TEST_BREP_CHECK_H
#define ABUT_TEST_BREP_CHECK_H

#include <abut/brep.h>

/// How much two B-reps of one solid may differ.
typedef struct brep_tolerance {
    double length; ///< of planes, absolute
    double angle;  ///< of normals and edges, in radians
    double area;   ///< relative
} brep_tolerance;

/// Checks that a B-rep is consistent with itself and with its mesh. Returns the number of failures.
int brep_check_valid(const abut_mesh *mesh, const abut_brep *brep, const char *label);

/// Checks that two B-reps describe the same solid: equal vertices (bit for bit), edges with kind and angle, faces
/// with plane, area and loops, and cycles of edges at vertices. The numbering may differ. Returns the number of
/// failures.
int brep_check_same(const abut_mesh *mesh_a, const abut_brep *brep_a, const abut_mesh *mesh_b,
                    const abut_brep *brep_b, brep_tolerance tolerance, const char *label);

#endif
