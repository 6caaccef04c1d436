// SPDX-License-Identifier: MIT
// frame.h: a pair of convex shapes in A's frame, and facets of their Minkowski difference
#ifndef ABUT_CONVEX_FRAME_H
#define ABUT_CONVEX_FRAME_H

#include "convex/convex.h"

/// A pair of shapes. A point p of B is rotation p + offset in A's frame.
typedef struct abut_convex_frame {
    const abut_convex *a, *b;
    abut_mat3 rotation;
    abut_vec3 offset;
    double scale;      ///< bound of all coordinates; rounding errors are relative to it
    abut_vec3 between; ///< from the center of A's inner ball to the center of B's
    double balls;      ///< sum of the radii of the inner balls
    abut_mat3 a_to_world, b_to_world;
    abut_vec3 position_a, position_b; ///< in the world
    abut_vec3 velocity;
    double tolerance;
    void *scratch;       ///< memory of the caller, or NULL
    size_t scratch_size; ///< in bytes
} abut_convex_frame;

static inline abut_vec3 abut_convex_to_b(const abut_convex_frame *frame, abut_vec3 direction)
{
    return abut_mat3_apply_transposed(frame->rotation, direction);
}

/// A point of B in A's frame.
static inline abut_vec3 abut_convex_from_b(const abut_convex_frame *frame, int point)
{
    return abut_add(abut_mat3_apply(frame->rotation, frame->b->points[point]), frame->offset);
}

/// The features that form a facet of the Minkowski difference.
typedef enum abut_axis_kind {
    ABUT_AXIS_FACE_A = 0, ///< a face of A and a vertex of B
    ABUT_AXIS_FACE_B = 1, ///< a vertex of A and a face of B
    ABUT_AXIS_EDGES = 2   ///< an edge of each
} abut_axis_kind;

/// A unit direction from A to B, the overlap of the bodies along it, and their supports.
typedef struct abut_axis {
    abut_vec3 normal;
    double overlap;
    abut_axis_kind kind;
    int feature_a, feature_b; ///< face, edge or vertex of each body, depending on `kind`
    int a, b;                 ///< support vertices
    double gap_a, gap_b;      ///< how much lower all neighbours of the supports are, see abut_axis_measure()
} abut_axis;

/// Finds the support of a shape in a direction. If the direction is the normal of `face`, it is known; with -1, a
/// climb from `start` finds it.
static inline int abut_axis_support(const abut_convex *shape, abut_vec3 direction, int face, int edge, int start,
                                    double *height, double *gap)
{
    if (face < 0) {
        return abut_convex_peak(shape, direction, start, edge, height, gap);
    }
    int point = shape->tops[face];
    *height = abut_dot(shape->points[point], direction);
    *gap = 0.0;
    return point;
}

/// Computes the overlap along axis->normal. Climbs start from axis->a and axis->b, which become the supports. `edge_a`
/// and `edge_b` are edges at right angles to the normal, or -1: their other ends do not count in the gaps. The gap of
/// a face is 0.
static inline void abut_axis_measure(const abut_convex_frame *frame, abut_axis *axis, int edge_a, int edge_b)
{
    double height_a, height_b;
    abut_vec3 against = abut_negate(abut_convex_to_b(frame, axis->normal));
    int face_a = axis->kind == ABUT_AXIS_FACE_A ? axis->feature_a : -1;
    int face_b = axis->kind == ABUT_AXIS_FACE_B ? axis->feature_b : -1;
    axis->a = abut_axis_support(frame->a, axis->normal, face_a, edge_a, axis->a, &height_a, &axis->gap_a);
    axis->b = abut_axis_support(frame->b, against, face_b, edge_b, axis->b, &height_b, &axis->gap_b);
    axis->overlap = height_a + height_b - abut_dot(axis->normal, frame->offset);
}

/// abut_axis_measure() for a facet: passes its two edges, if it has any.
static inline void abut_axis_measure_facet(const abut_convex_frame *frame, abut_axis *axis)
{
    int has_edges = axis->kind == ABUT_AXIS_EDGES;
    abut_axis_measure(frame, axis, has_edges ? axis->feature_a : -1, has_edges ? axis->feature_b : -1);
}

/// Makes a direction that is nearly orthogonal to two edges exactly orthogonal, up to rounding. Needed for nearly
/// parallel edges: normalising their short cross product amplifies its rounding error.
abut_vec3 abut_axis_straighten(const abut_vec3 *edge_a, const abut_vec3 *edge_b, const abut_vec3 *normal);

/// Sine of the angle between two edges, no unit. Below it (about 4 DBL_EPSILON), edges count as parallel: the
/// direction of their cross product is only rounding error. Nothing is lost: a facet of such edges is nearer to the
/// origin than its neighbours by at most the sine times the edge length.
#define ABUT_AXIS_SINE_LOWEST 1e-15

/// The unit normal of two edges, on the side of `like`. Below a sine of 1e-3, where the cross product has lost three
/// digits, it is made orthogonal to both edges again. Returns 0 if they are parallel.
static inline int abut_axis_of_edges(abut_vec3 edge_a, abut_vec3 edge_b, abut_vec3 like, abut_vec3 *normal)
{
    abut_vec3 n = abut_cross(edge_a, edge_b);
    double squared = abut_norm_squared(n), squares = abut_norm_squared(edge_a) * abut_norm_squared(edge_b);
    if (!(squared > ABUT_AXIS_SINE_LOWEST * ABUT_AXIS_SINE_LOWEST * squares)) {
        return 0;
    }
    n = abut_scale((abut_dot(n, like) < 0.0 ? -1.0 : 1.0) / sqrt(squared), n);
    *normal = squared < 1e-6 * squares ? abut_axis_straighten(&edge_a, &edge_b, &n) : n;
    return 1;
}

/// Vector of an edge of A from its first to its second point.
static inline abut_vec3 abut_convex_edge_a(const abut_convex_frame *frame, int edge)
{
    const int *points = frame->a->edges[edge].points;
    return abut_sub(frame->a->points[points[1]], frame->a->points[points[0]]);
}

/// Vector of an edge of B from its first to its second point, in A's frame.
static inline abut_vec3 abut_convex_edge_b(const abut_convex_frame *frame, int edge)
{
    const int *points = frame->b->edges[edge].points;
    return abut_mat3_apply(frame->rotation, abut_sub(frame->b->points[points[1]], frame->b->points[points[0]]));
}

/// Checks the caller's pair and copies it, with defaults filled in. Leaves out `rotation`, `offset`, `scale`,
/// `between` and `balls`, which only the distance needs.
abut_status abut_convex_read_pair(const abut_convex_pair *pair, abut_convex_frame *frame);

/// abut_convex_distance() for a pair that was read. Fills in the rest of the frame.
abut_status abut_convex_distance_of(abut_convex_frame *frame, const abut_convex_memory *before,
                                    abut_convex_memory *after, abut_convex_result *result);

/// abut_convex_find_manifold() for a pair that was read. The parts and supports of `result` must be those of the shapes.
abut_status abut_convex_manifold_of(const abut_convex_frame *frame, const abut_convex_result *result,
                                    abut_convex_manifold *manifold);

/// Signed distance of a point in a face's plane to the nearest line of a side: positive inside the face.
double abut_convex_room(const abut_convex *shape, int face, abut_vec3 point);

#endif
