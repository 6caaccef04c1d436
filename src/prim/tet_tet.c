// SPDX-License-Identifier: MIT
// tet_tet.c: two tetrahedra: separating axes and nearest points
#include "prim/tet_tet.h"
#include "prim/pick.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

const int abut_tet_faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
const int abut_tet_edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

enum { VERTEX_FACE_TRIES = 32, EDGE_EDGE_TRIES = 36 };

int abut_tet_make(const abut_vec3 corners[4], abut_tet *tet)
{
    double longest = 0.0;
    for (int i = 0; i < 4; ++i) {
        tet->corners[i] = corners[i];
    }
    for (int k = 0; k < 6; ++k) {
        longest = fmax(longest, abut_norm(abut_sub(corners[abut_tet_edges[k][0]], corners[abut_tet_edges[k][1]])));
    }
    for (int k = 0; k < 4; ++k) {
        const int *face = abut_tet_faces[k];
        abut_vec3 u = abut_sub(corners[face[1]], corners[face[0]]),
                  v = abut_sub(corners[face[2]], corners[face[0]]);
        abut_vec3 normal = abut_unit(abut_cross(u, v));
        double height = abut_dot(normal, abut_sub(corners[face[0]], corners[k]));
        if (!(fabs(height) > 1e-12 * longest)) {
            return 0;
        }
        tet->normals[k] = height < 0.0 ? abut_negate(normal) : normal;
    }
    return 1;
}

abut_vec3 abut_tet_center(const abut_tet *tet)
{
    abut_vec3 low = abut_add(tet->corners[0], tet->corners[1]), high = abut_add(tet->corners[2], tet->corners[3]);
    return abut_scale(0.25, abut_add(low, high));
}

typedef struct extent {
    double lower, upper;
} extent;

static extent project(const abut_tet *tet, abut_vec3 axis, abut_vec3 origin)
{
    extent range = {HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 4; ++i) {
        double x = abut_dot(axis, abut_sub(tet->corners[i], origin));
        range.lower = x < range.lower ? x : range.lower; // much faster than fmin()
        range.upper = x > range.upper ? x : range.upper;
    }
    return range;
}

static abut_tet_axis make_axis(const abut_tet *a, const abut_tet *b, abut_vec3 direction)
{
    abut_vec3 origin = a->corners[0];
    extent on_a = project(a, direction, origin), on_b = project(b, direction, origin);
    abut_tet_axis axis = {.direction = direction,
                          .forward = on_a.upper - on_b.lower,
                          .backward = on_b.upper - on_a.lower,
                          .face_a = -1,
                          .face_b = -1,
                          .edge_a = -1,
                          .edge_b = -1};
    return axis;
}

int abut_tet_axes(const abut_tet *a, const abut_tet *b, double parallel, double reach,
                  abut_tet_axis axes[ABUT_TET_AXIS_LIMIT])
{
    int count = 0;
    for (int k = 0; k < 8; ++k) {
        int face = k / 2, is_b = k % 2;
        abut_tet_axis axis = make_axis(a, b, is_b ? abut_negate(b->normals[face]) : a->normals[face]);
        axis.face_a = is_b ? -1 : face;
        axis.face_b = is_b ? face : -1;
        if (axis.forward < -reach) {
            return 0;
        }
        axes[count++] = axis;
    }
    abut_vec3 edges[2][6];
    for (int k = 0; k < 6; ++k) {
        const int *ends = abut_tet_edges[k];
        edges[0][k] = abut_unit(abut_sub(a->corners[ends[1]], a->corners[ends[0]]));
        edges[1][k] = abut_unit(abut_sub(b->corners[ends[1]], b->corners[ends[0]]));
    }
    for (int i = 0; i < 36; ++i) {
        abut_vec3 cross = abut_cross(edges[0][i / 6], edges[1][i % 6]);
        double sine = abut_norm(cross);
        if (!(sine > parallel)) {
            continue;
        }
        abut_tet_axis axis = make_axis(a, b, abut_scale(1.0 / sine, cross));
        axis.edge_a = i / 6;
        axis.edge_b = i % 6;
        if (axis.forward < -reach || axis.backward < -reach) {
            return 0;
        }
        axes[count++] = axis;
    }
    return count;
}

/// Candidates for the nearest points. All have one point on each surface, so the least distance is right up to
/// rounding.
typedef struct tries {
    const abut_tet *a, *b;
    double least;
    double squared[VERTEX_FACE_TRIES + EDGE_EDGE_TRIES];
    abut_vec3 on_a[VERTEX_FACE_TRIES + EDGE_EDGE_TRIES];
    abut_vec3 on_b[VERTEX_FACE_TRIES + EDGE_EDGE_TRIES];
    int count;
} tries;

/// Whether a candidate with this squared distance, or with this lower bound of it, may still be nearest. The factor
/// is larger than that of abut_pick_nearest(), so none is lost.
static int is_worth_it(const tries *t, double squared)
{
    return squared <= t->least * (1.0 + 1e-12);
}

static void add_try(tries *t, double squared, abut_vec3 on_a, abut_vec3 on_b)
{
    if (is_worth_it(t, squared)) {
        int i = t->count++;
        t->squared[i] = squared;
        t->on_a[i] = on_a;
        t->on_b[i] = on_b;
        t->least = squared < t->least ? squared : t->least;
    }
}

static void try_corners(tries *t, int points_are_b)
{
    const abut_tet *points = points_are_b ? t->b : t->a, *faces = points_are_b ? t->a : t->b;
    for (int i = 0; i < 16; ++i) {
        abut_vec3 p = points->corners[i / 4];
        double height = abut_tet_height(faces, i % 4, p);
        if (!is_worth_it(t, height * height)) {
            continue; // even the plane of the face is too far
        }
        const int *face = abut_tet_faces[i % 4];
        const abut_vec3 triangle[3] = {faces->corners[face[0]], faces->corners[face[1]], faces->corners[face[2]]};
        double weights[3];
        double squared = abut_point_triangle_distance_squared(p, triangle, weights);
        abut_vec3 nearest = abut_triangle_point(triangle, weights);
        add_try(t, squared, points_are_b ? nearest : p, points_are_b ? p : nearest);
    }
}

static void try_edges(tries *t)
{
    const abut_vec3 *a = t->a->corners, *b = t->b->corners;
    for (int i = 0; i < EDGE_EDGE_TRIES; ++i) {
        const int *e = abut_tet_edges[i / 6], *f = abut_tet_edges[i % 6];
        double x, y;
        double squared = abut_segment_segment_inner_distance_squared(a[e[0]], a[e[1]], b[f[0]], b[f[1]], &x, &y);
        add_try(t, squared, abut_lerp(a[e[0]], a[e[1]], x), abut_lerp(b[f[0]], b[f[1]], y));
    }
}

double abut_tet_tet_distance_squared(const abut_tet *a, const abut_tet *b, abut_vec3 *point_a, abut_vec3 *point_b)
{
    tries t = {.a = a, .b = b, .least = HUGE_VAL, .count = 0};
    double excess[VERTEX_FACE_TRIES + EDGE_EDGE_TRIES];
    try_corners(&t, 0);
    try_corners(&t, 1);
    try_edges(&t);
    for (int i = 0; i < t.count; ++i) {
        abut_vec3 r = abut_sub(t.on_b[i], t.on_a[i]);
        excess[i] = 0.0;
        for (int k = 0; k < 4 && is_worth_it(&t, t.squared[i]); ++k) {
            excess[i] = fmax(excess[i], fmax(abut_dot(abut_sub(a->corners[k], t.on_a[i]), r),
                                             -abut_dot(abut_sub(b->corners[k], t.on_b[i]), r)));
        }
    }
    int best = abut_pick_nearest(t.squared, excess, t.count);
    *point_a = t.on_a[best];
    *point_b = t.on_b[best];
    return t.squared[best];
}
