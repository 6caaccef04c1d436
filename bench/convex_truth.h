// SPDX-License-Identifier: MIT
// convex_truth.h: the signed distance of overlapping convex polyhedra by all separating axes, in long double
//
// What the errors of all libraries, ours too, are measured against. It shares no code with any of them and is slow.
#ifndef ABUT_BENCH_CONVEX_TRUTH_H
#define ABUT_BENCH_CONVEX_TRUTH_H

#include <abut/convex.h>

/// Two copies of a convex mesh that has the origin inside: A in its own frame, B at a pose.
typedef struct convex_truth convex_truth;

/// NULL where memory ran out.
convex_truth *convex_truth_create(const abut_mesh *mesh);
void convex_truth_destroy(convex_truth *truth);

/// Puts B somewhere; all that follows is about B there.
void convex_truth_place(convex_truth *truth, abut_pose b_to_a);

/// Minus the least overlap over all directions. Where the bodies are apart it is the largest distance of two
/// parallel planes between them that touch a face or an edge of each: a lower bound.
double convex_truth_distance(convex_truth *truth);

/// Whether an answer is a proof of itself, to 1e-12, by all vertices and all faces: the planes across the normal
/// through both supports are the distance apart; and where that is positive, the witness points are as far from
/// each other, each in its body. Where it is negative it proves only that no longer motion is needed to part the
/// bodies; the rest is for convex_truth_distance().
int convex_truth_agrees(const convex_truth *truth, const abut_convex_result *result);

#endif
