// SPDX-License-Identifier: MIT
// triangle_triangle.c: whether two triangles meet, and how far apart they are
//
// If two triangles meet, then so do an edge of one and the other: the ends of their common line, or the corners of their
// common polygon, are on edges. Apart, the nearest points are a corner and a triangle, or inside two edges.
#include "prim/triangle_triangle.h"
#include "prim/compare.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"
#include "prim/segment_triangle.h"
#include <abut/predicates.h>

// Whether all of t is strictly on one side of the plane.
static int is_beside(const abut_vec3 plane[3], const abut_vec3 t[3])
{
    int sides[3];
    for (int i = 0; i < 3; ++i) {
        (void)abut_orient3d(plane[0], plane[1], plane[2], t[i], &sides[i]);
        if (sides[i] == 0 || sides[i] != sides[0]) {
            return 0;
        }
    }
    return 1;
}

static int edges_meet(const abut_vec3 edges[3], const abut_vec3 t[3])
{
    for (int i = 0; i < 3; ++i) {
        if (abut_segment_triangle_intersect(edges[i], edges[(i + 1) % 3], t)) {
            return 1;
        }
    }
    return 0;
}

int abut_triangles_intersect(const abut_vec3 a[3], const abut_vec3 b[3])
{
    for (int i = 0; i < 3; ++i) {
        if (!abut_is_finite(a[i]) || !abut_is_finite(b[i])) {
            return 0;
        }
    }
    return abut_boxes_overlap(abut_box_of(a, 3), abut_box_of(b, 3)) && !is_beside(a, b) && !is_beside(b, a) &&
           (edges_meet(a, b) || edges_meet(b, a));
}

// The nearest pair so far.
typedef struct nearest_pair {
    double squared;
    abut_vec3 points[2]; // on A, on B
} nearest_pair;

static void offer(nearest_pair *best, double squared, abut_vec3 on_first, abut_vec3 on_second, int is_swapped)
{
    if (squared < best->squared) {
        best->squared = squared;
        best->points[is_swapped] = on_first;
        best->points[!is_swapped] = on_second;
    }
}

static void try_corners(nearest_pair *best, const abut_vec3 corners[3], const abut_vec3 t[3], int is_swapped)
{
    for (int i = 0; i < 3; ++i) {
        double weights[3];
        double squared = abut_point_triangle_distance_squared(corners[i], t, weights);
        offer(best, squared, corners[i], abut_triangle_point(t, weights), is_swapped);
    }
}

static void try_edges(nearest_pair *best, const abut_vec3 a[3], const abut_vec3 b[3])
{
    for (int i = 0; i < 9; ++i) {
        abut_vec3 p0 = a[i / 3], p1 = a[(i / 3 + 1) % 3], q0 = b[i % 3], q1 = b[(i + 1) % 3];
        double s, t;
        double squared = abut_segment_segment_inner_distance_squared(p0, p1, q0, q1, &s, &t);
        offer(best, squared, abut_lerp(p0, p1, s), abut_lerp(q0, q1, t), 0);
    }
}

// Where edges go through the plane of t.
static void try_crossings(nearest_pair *best, const abut_vec3 edges[3], const abut_vec3 t[3], int is_swapped)
{
    abut_vec3 normal = abut_cross(abut_sub(t[1], t[0]), abut_sub(t[2], t[0]));
    for (int i = 0; i < 3; ++i) {
        abut_vec3 p = edges[i], q = edges[(i + 1) % 3];
        double height_p = abut_dot(normal, abut_sub(p, t[0])), height_q = abut_dot(normal, abut_sub(q, t[0]));
        if ((height_p < 0.0) == (height_q < 0.0)) {
            continue;
        }
        double weights[3];
        abut_vec3 crossing = abut_lerp(p, q, height_p / (height_p - height_q));
        double squared = abut_point_triangle_distance_squared(crossing, t, weights);
        offer(best, squared, crossing, abut_triangle_point(t, weights), is_swapped);
    }
}

double abut_triangle_triangle_distance_squared(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 *point_a,
                                               abut_vec3 *point_b)
{
    nearest_pair best = {HUGE_VAL, {a[0], b[0]}};
    try_corners(&best, a, b, 0);
    try_corners(&best, b, a, 1);
    try_edges(&best, a, b);
    if (abut_triangles_intersect(a, b)) {
        try_crossings(&best, a, b, 0);
        try_crossings(&best, b, a, 1);
        best.squared = 0.0;
        best.points[1] = best.points[0];
    }
    *point_a = best.points[0];
    *point_b = best.points[1];
    return best.squared;
}
