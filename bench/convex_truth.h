// SPDX-License-Identifier: MIT
// convex_truth.h: the signed distance of overlapping convex polyhedra by all separating axes, in long double
//
// The reference for the errors of all libraries, including ours. It shares no code with any of them, and is slow.
#ifndef ABUT_BENCH_CONVEX_TRUTH_H
#define ABUT_BENCH_CONVEX_TRUTH_H

#include <abut/convex.h>

/// Two copies of a convex mesh that contains the origin: A in its own frame, B at a pose.
typedef struct convex_truth convex_truth;

/// Returns NULL if memory ran out.
convex_truth *convex_truth_create(const abut_mesh *mesh);
void convex_truth_destroy(convex_truth *truth);

/// Sets the pose of B for the functions below.
void convex_truth_place(convex_truth *truth, abut_pose b_to_a);

/// Minus the least overlap over all directions. If the bodies are apart, a lower bound of the distance: the largest
/// distance of two parallel planes between them that touch a face or an edge of each.
double convex_truth_distance(convex_truth *truth);

/// Verifies the certificate of an answer to 1e-12, with all vertices and faces: the planes normal to `normal`
/// through both supports are the distance apart and, if that is positive, so are the witness points, each in its
/// body. A negative distance is only proved to be an upper bound of the depth; convex_truth_distance() checks the
/// rest.
int convex_truth_agrees(const convex_truth *truth, const abut_convex_result *result);

#endif
