// SPDX-License-Identifier: MIT
// motions.h: the motions that two touching solids allow each other
//
// Two bodies that touch at a point may move against each other by v if cone B, moved by v, stays out of cone A. The
// forbidden motions are the Minkowski sum of the interiors of A and -B, so the feasible ones are a union of convex
// cones.
#ifndef ABUT_REGION_MOTIONS_H
#define ABUT_REGION_MOTIONS_H

#include "region/cone.h"

/// The motions of B relative to A that two touching solids allow: all v such that every clause has a normal n with
/// n . v >= 0. Normals are unit and point from A to B.
typedef struct abut_feasible {
    const abut_directions *clauses;
    int clause_count;
    /// Set by abut_feasible_cones(): the same motions as a union of convex cones, given by their constraints. None
    /// lies within another, and no constraint follows from the others of its cone.
    const abut_directions *cones;
    int cone_count;
    int overlaps;  ///< the solids do not only touch: some clause has no normal
    int is_capped; ///< the union has more cones than fit the list
} abut_feasible;

/// Finds the clauses. Returns 0 if memory ran out.
int abut_feasible_motions(abut_arena *arena, abut_local_solid a, abut_local_solid b, double angle,
                          abut_feasible *feasible);

/// The motions against the half-space of a face: one clause with one normal. `is_beyond` says that the other solid is
/// outside it; otherwise the two overlap. Returns 0 if memory ran out.
int abut_feasible_at_face(abut_arena *arena, abut_vec3 normal, int is_beyond, abut_feasible *feasible);

/// Multiplies the clauses out to cones. Returns 0 if memory ran out.
int abut_feasible_cones(abut_arena *arena, double angle, abut_feasible *feasible);

/// Whether all motions with c . v >= 0 for the constraints are feasible. Returns -1 if memory ran out.
int abut_feasible_contains(abut_arena *arena, const abut_feasible *feasible, abut_directions constraints,
                           double angle);

#endif
