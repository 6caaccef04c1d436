// SPDX-License-Identifier: MIT
// triangle_triangle.c: intersection test and distance of two triangles
//
// If two triangles intersect, an edge of one intersects the other: the ends of their common segment, or the corners
// of their common polygon, are on edges. If they are apart, the nearest points are a corner and a point of the other
// triangle, or are inside two edges.
#include "prim/triangle_triangle.h"
#include "prim/compare.h"
#include "prim/pick.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"
#include "prim/segment_triangle.h"
#include <abut/predicates.h>

// The plane of a triangle: the normal (b - a) x (c - a), and its permanent (the same sums with every product made
// positive), which bounds the rounding error.
typedef struct plane {
    abut_vec3 origin, normal, permanent;
} plane;

static plane make_plane(const abut_vec3 t[3])
{
    abut_vec3 u = abut_sub(t[1], t[0]), v = abut_sub(t[2], t[0]), s = abut_abs(u), r = abut_abs(v);
    plane p = {t[0], abut_cross(u, v),
               abut_vec3_make(s.y * r.z + s.z * r.y, s.z * r.x + s.x * r.z, s.x * r.y + s.y * r.x)};
    return p;
}

// On which side of the plane of `triangle` each corner of t is. The normal gives most signs: h = normal . (d - a)
// has eight roundings (three differences, two products, three sums), each at most 2^-53 of the sum of the positive
// products. Twice their sum, 2^-49, is a safe bound. The second term is for underflow, as in predicates.c. If h is
// within the bound, the exact predicate decides.
static void find_sides(const abut_vec3 triangle[3], const abut_vec3 t[3], int sides[3])
{
    plane p = make_plane(triangle);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 d = abut_sub(t[i], p.origin), size = abut_abs(d);
        double height = abut_dot(p.normal, d);
        double bound = 0x1p-49 * abut_dot(p.permanent, size) + 0x1p-1000 * (size.x + size.y + size.z + 1.0);
        if (fabs(height) > bound) {
            sides[i] = height > 0.0 ? 1 : -1;
        } else {
            (void)abut_orient3d(triangle[0], triangle[1], triangle[2], t[i], &sides[i]);
        }
    }
}

// Whether all corners are strictly on one side.
static int is_beside(const int sides[3])
{
    return sides[0] != 0 && sides[0] == sides[1] && sides[0] == sides[2];
}

// The corner that is alone on its side. All sides are 1 or -1, and not all are equal.
static int lone_corner(const int sides[3])
{
    return sides[1] == sides[2] ? 0 : sides[0] == sides[2] ? 1 : 2;
}

// Each triangle crosses the plane of the other, and no corner lies in it. So each triangle intersects the common
// line of the planes in an interval, whose ends are on the two edges at its lone corner. The orientation of these
// edges tells the order of the ends.
static int intervals_overlap(const abut_vec3 a[3], const int sides_a[3], const abut_vec3 b[3], const int sides_b[3])
{
    int i = lone_corner(sides_a), k = lone_corner(sides_b), first, second;
    // Order the corners so that both lone corners are in front of the other's plane: swapping two corners flips a
    // plane.
    int turn_a = sides_b[k] < 0, turn_b = sides_a[i] < 0;
    abut_vec3 pa = a[i], qa = a[(i + 1 + turn_a) % 3], ra = a[(i + 2 - turn_a) % 3];
    abut_vec3 pb = b[k], qb = b[(k + 1 + turn_b) % 3], rb = b[(k + 2 - turn_b) % 3];
    (void)abut_orient3d(pa, qa, pb, qb, &first);
    (void)abut_orient3d(pa, ra, rb, pb, &second);
    return first <= 0 && second <= 0;
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
    int sides_a[3], sides_b[3];
    if (!abut_boxes_overlap(abut_box_of(a, 3), abut_box_of(b, 3))) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        if (!abut_is_finite(a[i]) || !abut_is_finite(b[i])) {
            return 0;
        }
    }
    find_sides(a, b, sides_b);
    if (is_beside(sides_b)) {
        return 0;
    }
    find_sides(b, a, sides_a);
    if (is_beside(sides_a)) {
        return 0;
    }
    int is_general = sides_a[0] * sides_a[1] * sides_a[2] * sides_b[0] * sides_b[1] * sides_b[2] != 0;
    return is_general ? intervals_overlap(a, sides_a, b, sides_b) : edges_meet(a, b) || edges_meet(b, a);
}

// Candidates for the nearest points: 6 corners, 9 pairs of edges, and up to 6 points where edges cross planes.
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

// Tries the points where edges cross the plane of t.
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
        double beyond = abut_dot(abut_sub(a[i], points[0]), r), before = abut_dot(abut_sub(points[1], b[i]), r);
        excess = beyond > excess ? beyond : excess;
        excess = before > excess ? before : excess;
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
    double bound = abut_pick_bound(list.squared, list.count);
    for (int i = 0; i < list.count; ++i) {
        excess[i] = list.squared[i] <= bound ? find_excess(a, b, list.points[i]) : HUGE_VAL;
    }
    int best = abut_pick_nearest(list.squared, excess, list.count);
    *point_a = list.points[best][0];
    *point_b = is_common ? *point_a : list.points[best][1];
    return is_common ? 0.0 : abut_least(list.squared, list.count);
}
