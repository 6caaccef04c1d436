// SPDX-License-Identifier: MIT
// cone.h: polyhedral cones of directions, and the motions that two touching solids allow each other
//
// Near a point a polyhedron is a cone: a half-space at a face, a wedge at an edge, a cone of several faces at a
// vertex. Two bodies that touch at the point may move against each other by v if cone B, moved by v, stays out of
// cone A. The forbidden motions are the Minkowski sum of the interiors of A and -B, so the feasible ones are a
// union of convex cones.
#ifndef ABUT_REGION_CONE_H
#define ABUT_REGION_CONE_H

#include "base/memory.h"

#include <abut/math.h>

/// A convex cone: either its constraints {v : c . v >= 0 for all c} or the rays that span it, by context.
typedef struct abut_directions {
    const abut_vec3 *items;
    int count;
} abut_directions;

/// Whether two rays of cones are one. Constraints are known within `angle`, so a ray, which lies in the planes of two
/// constraints, is known within sqrt(2) angles if these are about at right angles. Two copies of a ray differ by at
/// most twice that, which is less than 4 angles.
static inline int abut_cone_is_same_ray(abut_vec3 a, abut_vec3 b, double angle)
{
    return abut_norm_squared(abut_sub(a, b)) <= 16.0 * angle * angle;
}

/// Rays that span the convex cone {v : c . v >= 0 for all constraints}; a line in it gives two rays. Directions
/// count as at right angles within `angle`. Returns 0 where memory ran out.
int abut_cone_rays(abut_arena *arena, abut_directions constraints, double angle, abut_directions *rays);

/// Whether every v with c . v >= 0 for all constraints has n . v >= 0, within `angle`.
int abut_cone_implies(abut_directions constraints, abut_vec3 n, double angle);

/// Distance of v from the convex cone of the constraints.
double abut_cone_distance(abut_directions constraints, abut_vec3 v);

/// A solid near a point: a union of convex cones, each by its rays (the solid is what they span).
typedef struct abut_local_solid {
    const abut_directions *pieces;
    int count;
    int is_coarse; ///< the pieces are more than the solid
} abut_local_solid;

/// The motions of B against A that two touching solids allow: v with, for each clause, n . v >= 0 for some normal n of
/// it. Normals are unit and point from A to B.
typedef struct abut_feasible {
    const abut_directions *clauses;
    int clause_count;
    /// Of abut_feasible_cones(): the same as a union of convex cones, by their constraints, none within another.
    const abut_directions *cones;
    int cone_count;
    int overlaps;  ///< the solids do not only touch: some clause has no normal
    int is_capped; ///< the union has more cones than are listed
} abut_feasible;

/// Finds the clauses. Returns 0 where memory ran out.
int abut_feasible_motions(abut_arena *arena, abut_local_solid a, abut_local_solid b, double angle,
                          abut_feasible *feasible);

/// Multiplies the clauses out to cones. Returns 0 where memory ran out.
int abut_feasible_cones(abut_arena *arena, double angle, abut_feasible *feasible);

/// Whether all motions with c . v >= 0 for the constraints are feasible. Returns -1 where memory ran out.
int abut_feasible_contains(abut_arena *arena, const abut_feasible *feasible, abut_directions constraints,
                           double angle);

#endif
