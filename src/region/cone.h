// SPDX-License-Identifier: MIT
// cone.h: polyhedral cones of directions
//
// Near a point a polyhedron is a cone: a half-space at a face, a wedge at an edge, a cone of several faces at a
// vertex.
#ifndef ABUT_REGION_CONE_H
#define ABUT_REGION_CONE_H

#include "base/arena_list.h"

#include <abut/math.h>

/// A convex cone, given either by its constraints {v : c . v >= 0 for all c} or by the rays that span it.
typedef struct abut_directions {
    const abut_vec3 *items;
    int count;
} abut_directions;

/// A growing list of directions in an arena. Set `list.count` to 0 to use its memory again.
typedef struct abut_direction_list {
    abut_arena *arena;
    abut_arena_list list;
    int64_t tested; ///< pairs and constraints that searches for rays have looked at
} abut_direction_list;

/// Appends a direction. Returns 0 if memory ran out.
int abut_directions_push(abut_direction_list *to, abut_vec3 direction);

static inline abut_directions abut_directions_of(const abut_direction_list *from)
{
    abut_directions directions = {from->list.items, from->list.count};
    return directions;
}

/// Whether two rays of cones are one. Constraints are known within `angle`, so a ray, which lies in the planes of two
/// constraints, is known within sqrt(2) angles if these are about at right angles. Two copies of a ray differ by at
/// most twice that, which is less than 4 angles.
static inline int abut_cone_is_same_ray(abut_vec3 a, abut_vec3 b, double angle)
{
    return abut_norm_squared(abut_sub(a, b)) <= 16.0 * angle * angle;
}

/// Whether v meets all constraints within `angle`.
static inline int abut_cone_has(abut_directions constraints, abut_vec3 v, double angle)
{
    for (int i = 0; i < constraints.count; ++i) {
        if (abut_dot(constraints.items[i], v) < -angle) {
            return 0;
        }
    }
    return 1;
}

/// Whether every v of the cone that is spanned by the rays has n . v >= 0, within `angle`.
static inline int abut_cone_implies(abut_directions rays, abut_vec3 n, double angle)
{
    return abut_cone_has(rays, n, angle); // n . r >= -angle, with the roles of constraint and direction exchanged
}

/// Replaces the list by rays that span the convex cone {v : c . v >= 0 for all constraints}; a line in it gives two
/// rays. Directions count as at right angles within `angle`. Returns 0 if memory ran out.
int abut_cone_find_rays(abut_direction_list *rays, abut_directions constraints, double angle);

/// The same into a new list.
int abut_cone_rays(abut_arena *arena, abut_directions constraints, double angle, abut_directions *rays);

abut_vec3 abut_cone_sum(abut_directions rays);

/// A direction inside the cone that is spanned by rays: that of their sum, or zero if they cancel. In a cone that is
/// nearly a half-space they nearly cancel; the rest is as long as the angle between its sides differs from pi.
abut_vec3 abut_cone_inner(abut_directions rays, double angle);

/// Times the angle: a direction is beyond a plane if its sine with it is larger. Sums of rays, each known within 4
/// angles, are tested against normals that are rays as well.
static const double abut_cone_beyond = 8.0;

/// Distance of v from the convex cone of the constraints.
double abut_cone_distance(abut_directions constraints, abut_vec3 v);

/// A convex part of a solid near a point.
typedef struct abut_piece {
    abut_directions rays; ///< that span it
    int is_half_space;
    int is_wedge;     ///< below two faces: a ray in each of them, then the edge in both directions
    abut_vec3 normal; ///< of a half-space: unit, outward
} abut_piece;

enum { ABUT_WEDGE_LINE = 2 }; ///< the rays of a wedge along its edge are this one and the next

/// A solid near a point: a union of convex cones.
typedef struct abut_local_solid {
    const abut_piece *pieces;
    int count;
    int is_coarse; ///< the pieces cover more than the solid
} abut_local_solid;

#endif
