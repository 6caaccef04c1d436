// SPDX-License-Identifier: MIT
// touch_placed.h: corners, edges, triangles and wide faces of the two sides in A's frame, and the tests between them
#ifndef ABUT_REGION_TOUCH_PLACED_H
#define ABUT_REGION_TOUCH_PLACED_H

#include "prim/compare.h"
#include "region/touch_search.h"

typedef struct abut_placed_vertex {
    int vertex; ///< of the B-rep
    abut_vec3 point;
} abut_placed_vertex;

/// An edge of the B-rep, or a mesh edge that is part of it.
typedef struct abut_placed_edge {
    int edge; ///< of the B-rep
    abut_vec3 ends[2];
    int is_corner[2]; ///< the end is a vertex of the B-rep
    int recedes;      ///< the surface at it recedes
    abut_box box;
} abut_placed_edge;

typedef struct abut_placed_triangle {
    int index;
    abut_vec3 corners[3];
    unsigned sides[3]; ///< by corner: the sides of the common box that it is beyond, see abut_box_sides()
    abut_vec3 normal;  ///< of its face
    abut_box box;
    int recedes; ///< from the other side, everywhere
} abut_placed_triangle;

typedef struct abut_placed_face {
    const abut_wide_face *wide;
    abut_vec3 normal, point; ///< of its plane
    abut_box box;
} abut_placed_face;

/// The smaller number. fmin() and fmax() handle NaN and cost a call each; here all numbers are finite.
static inline double abut_lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double abut_greater(double a, double b)
{
    return a > b ? a : b;
}

static inline abut_box abut_box_of_two(abut_vec3 p, abut_vec3 q)
{
    abut_box box = {{abut_lesser(p.x, q.x), abut_lesser(p.y, q.y), abut_lesser(p.z, q.z)},
                    {abut_greater(p.x, q.x), abut_greater(p.y, q.y), abut_greater(p.z, q.z)}};
    return box;
}

static inline void abut_box_extend(abut_box *box, abut_vec3 p)
{
    box->lower = abut_vec3_make(abut_lesser(box->lower.x, p.x), abut_lesser(box->lower.y, p.y),
                                abut_lesser(box->lower.z, p.z));
    box->upper = abut_vec3_make(abut_greater(box->upper.x, p.x), abut_greater(box->upper.y, p.y),
                                abut_greater(box->upper.z, p.z));
}

/// The sides of a box that a point is beyond, one bit for each. A triangle whose corners are all beyond one side is
/// outside the box.
static inline unsigned abut_box_sides(abut_vec3 p, const abut_box *box)
{
    return (unsigned)(p.x < box->lower.x) | (unsigned)(p.x > box->upper.x) << 1 |
           (unsigned)(p.y < box->lower.y) << 2 | (unsigned)(p.y > box->upper.y) << 3 |
           (unsigned)(p.z < box->lower.z) << 4 | (unsigned)(p.z > box->upper.z) << 5;
}

/// Whether a surface of A (`side` 0) or B with this normal recedes from the other solid at all of some points.
int abut_placed_recedes(const abut_touch_search *s, int side, abut_vec3 normal, const abut_vec3 *points, int count);

/// Fills in a triangle whose index, corners and sides are set. Returns 0 if it is outside the common box.
int abut_placed_finish(const abut_touch_search *s, int side, abut_placed_triangle *t);

/// Whether a point is in a box that is grown by a margin.
static inline int abut_box_has(const abut_box *box, abut_vec3 p, double margin)
{
    return p.x >= box->lower.x - margin && p.x <= box->upper.x + margin && p.y >= box->lower.y - margin &&
           p.y <= box->upper.y + margin && p.z >= box->lower.z - margin && p.z <= box->upper.z + margin;
}

/// Whether a corner needs a test against a triangle of the other side.
static inline int abut_is_vertex_near(const abut_touch_search *s, const abut_placed_vertex *v,
                                      const abut_placed_triangle *t)
{
    return !t->recedes && abut_box_has(&t->box, v->point, 2.0 * s->touch->tolerance);
}

/// Tests a corner of `side` against a triangle of the other side that is near.
void abut_test_vertex(abut_touch_search *s, int side, const abut_placed_vertex *v, const abut_placed_triangle *t);

/// Tests a corner of `side` against a wide face of the other side.
void abut_test_vertex_face(abut_touch_search *s, int side, const abut_placed_vertex *v, const abut_placed_face *f);

/// Whether an edge of A and one of B need a test.
static inline int abut_are_edges_near(const abut_touch_search *s, const abut_placed_edge *a,
                                      const abut_placed_edge *b)
{
    return !(a->recedes && b->recedes) && abut_boxes_are_near(a->box, b->box, s->touch->tolerance);
}

/// Tests an edge of A against an edge of B that is near.
void abut_test_edges(abut_touch_search *s, const abut_placed_edge *a, const abut_placed_edge *b);

/// Whether a sharp edge of `side` runs through a triangle of the other side, further than the tolerance on both sides
/// of its plane and away from the border of its face: then the solids overlap. The whole edge of the B-rep is tested,
/// since its mesh edges may end in the plane of the triangle.
int abut_test_piercing(const abut_touch_search *s, int side, const abut_placed_edge *e,
                       const abut_placed_triangle *t);

/// abut_test_piercing() for a wide face.
int abut_test_piercing_face(abut_touch_search *s, int side, const abut_placed_edge *e, const abut_placed_face *f);

#endif
