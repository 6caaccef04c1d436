// SPDX-License-Identifier: MIT
// triangle_triangle.c: whether two triangles meet, and how far apart they are
//
// If two triangles meet, then so do an edge of one and the other: the ends of their common line, or the corners of their
// common polygon, are on edges. Apart, the nearest points are a corner and a triangle, or inside two edges.
#include "prim/triangle_triangle.h"
#include "prim/compare.h"
#include "prim/pick.h"
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

// Pairs of points that may be nearest: 6 of corners, 9 of edges, and up to 6 where edges cross planes.
enum { TRY_CAPACITY = 21 };

typedef struct try_list {
    double squared[TRY_CAPACITY];
    abut_vec3 points[TRY_CAPACITY][2]; // on A, on B
    int count;
} try_list;

static void add_try(try_list *list, double squared, abut_vec3 on_first, abut_vec3 on_second, int is_swapped)
{
    list->squared[list->count] = squared;
    list->points[list->count][is_swapped] = on_first;
    list->points[list->count][!is_swapped] = on_second;
    ++list->count;
}

static void try_corners(try_list *list, const abut_vec3 corners[3], const abut_vec3 t[3], int is_swapped)
{
    for (int i = 0; i < 3; ++i) {
        double weights[3];
        double squared = abut_point_triangle_distance_squared(corners[i], t, weights);
        add_try(list, squared, corners[i], abut_triangle_point(t, weights), is_swapped);
    }
}

static void try_edges(try_list *list, const abut_vec3 a[3], const abut_vec3 b[3])
{
    for (int i = 0; i < 9; ++i) {
        abut_vec3 p0 = a[i / 3], p1 = a[(i / 3 + 1) % 3], q0 = b[i % 3], q1 = b[(i + 1) % 3];
        double s, t;
        double squared = abut_segment_segment_inner_distance_squared(p0, p1, q0, q1, &s, &t);
        add_try(list, squared, abut_lerp(p0, p1, s), abut_lerp(q0, q1, t), 0);
    }
}

// Where edges go through the plane of t.
static void try_crossings(try_list *list, const abut_vec3 edges[3], const abut_vec3 t[3], int is_swapped)
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
        add_try(list, squared, crossing, abut_triangle_point(t, weights), is_swapped);
    }
}

static double find_excess(const abut_vec3 a[3], const abut_vec3 b[3], const abut_vec3 points[2])
{
    abut_vec3 r = abut_sub(points[1], points[0]);
    double excess = 0.0;
    for (int i = 0; i < 3; ++i) {
        excess = fmax(excess, abut_dot(abut_sub(a[i], points[0]), r));
        excess = fmax(excess, abut_dot(abut_sub(points[1], b[i]), r));
    }
    return excess;
}

double abut_triangle_triangle_distance_squared(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 *point_a,
                                               abut_vec3 *point_b)
{
    try_list list;
    double excess[TRY_CAPACITY];
    int is_common = abut_triangles_intersect(a, b);
    list.count = 0;
    try_corners(&list, a, b, 0);
    try_corners(&list, b, a, 1);
    try_edges(&list, a, b);
    if (is_common) {
        try_crossings(&list, a, b, 0);
        try_crossings(&list, b, a, 1);
    }
    for (int i = 0; i < list.count; ++i) {
        excess[i] = find_excess(a, b, list.points[i]);
    }
    int best = abut_pick_nearest(list.squared, excess, list.count);
    *point_a = list.points[best][0];
    *point_b = is_common ? *point_a : list.points[best][1];
    return is_common ? 0.0 : abut_least(list.squared, list.count);
}
