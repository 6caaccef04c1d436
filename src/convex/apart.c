// SPDX-License-Identifier: MIT
// apart.c: closest points of two convex shapes
//
// The point of the Minkowski difference that is nearest to the origin, by simplices of up to four of its vertices: each step
// takes the vertex that is furthest towards the origin, and of the new simplex the part that is nearest. The vertices of the
// simplex are vertices of A and B, so that the last simplex names the features, and the next query of a pair that moved a
// little starts with it: then most queries take one step, with a climb of one look at the neighbours.
//
// The direction comes from the features and not from the difference of two nearby points: it is made orthogonal to the edge
// of the simplex, or is the normal of its triangle. So it stays right down to distances where rounding hides the points.
//
// Source:  the closest features that Yi and Drumwright 2016 (section IV-B) get from V-Clip (Mirtich 1998), here by Gilbert,
//          Johnson and Keerthi 1988 with climbs, which needs no Voronoi planes and has no cases that cycle.
// Cost:    a few steps; with a simplex from before, mostly one. No allocation.
// Fails:   returns 0 where the bodies overlap or touch.
#include "convex/apart.h"

enum { STEPS_HIGHEST = 128 };

void abut_simplex_place(const abut_convex_frame *frame, abut_simplex *simplex)
{
    for (int i = 0; i < simplex->count; ++i) {
        simplex->points[i] = abut_sub(frame->a->points[simplex->a[i]], abut_convex_from_b(frame, simplex->b[i]));
    }
}

// Part of a simplex: the corners `index` with weights, and the point they give.
typedef struct part {
    int index[3];
    double weights[3];
    int count;
    abut_vec3 nearest;
    double squared;
} part;

static part part_of_point(const abut_vec3 *p, int i)
{
    part result = {{i}, {1.0}, 1, p[i], abut_norm_squared(p[i])};
    return result;
}

static part part_of_segment(const abut_vec3 *p, int i, int j)
{
    abut_vec3 u = abut_sub(p[j], p[i]);
    double along = -abut_dot(p[i], u), squared = abut_norm_squared(u);
    if (along <= 0.0) {
        return part_of_point(p, i);
    }
    if (along >= squared) {
        return part_of_point(p, j);
    }
    double t = along / squared;
    abut_vec3 nearest = abut_add_scaled(p[i], t, u);
    // Of a short difference of long vectors, what is along the segment is rounding.
    nearest = abut_add_scaled(nearest, -abut_dot(nearest, u) / squared, u);
    part result = {{i, j}, {1.0 - t, t}, 2, nearest, 0.0};
    result.squared = abut_norm_squared(result.nearest);
    return result;
}

static part nearer(part a, part b)
{
    return b.squared < a.squared ? b : a;
}

static part part_of_triangle(const abut_vec3 *p, int i, int j, int k)
{
    abut_vec3 n = abut_cross(abut_sub(p[j], p[i]), abut_sub(p[k], p[i]));
    double squared = abut_norm_squared(n);
    double weight_i = abut_dot(n, abut_cross(p[j], p[k]));
    double weight_j = abut_dot(n, abut_cross(p[k], p[i]));
    double weight_k = abut_dot(n, abut_cross(p[i], p[j]));
    if (weight_i > 0.0 && weight_j > 0.0 && weight_k > 0.0) {
        double sum = weight_i + weight_j + weight_k;
        part result = {.index = {i, j, k},
                       .weights = {weight_i / sum, weight_j / sum, weight_k / sum},
                       .count = 3,
                       .nearest = abut_scale(abut_dot(n, p[i]) / squared, n)};
        result.squared = abut_norm_squared(result.nearest);
        return result;
    }
    part result = {.squared = HUGE_VAL};
    if (weight_i <= 0.0) {
        result = nearer(result, part_of_segment(p, j, k));
    }
    if (weight_j <= 0.0) {
        result = nearer(result, part_of_segment(p, k, i));
    }
    if (weight_k <= 0.0) {
        result = nearer(result, part_of_segment(p, i, j));
    }
    return result;
}

// Whether the origin is on the other side of the plane of corners i, j, k than corner o, or the four are in a plane.
static int is_beyond(const abut_vec3 *p, int i, int j, int k, int o)
{
    abut_vec3 n = abut_cross(abut_sub(p[j], p[i]), abut_sub(p[k], p[i]));
    double inside = abut_dot(n, abut_sub(p[o], p[i]));
    return inside > 0.0 ? abut_dot(n, p[i]) >= 0.0 : inside < 0.0 ? abut_dot(n, p[i]) <= 0.0 : 1;
}

static part part_of_tetrahedron(const abut_vec3 *p)
{
    static const int faces[4][4] = {{0, 1, 3, 2}, {1, 2, 3, 0}, {2, 0, 3, 1}, {0, 1, 2, 3}};
    part result = {.squared = HUGE_VAL};
    for (int f = 0; f < 4; ++f) {
        const int *c = faces[f];
        if (is_beyond(p, c[0], c[1], c[2], c[3])) {
            result = nearer(result, part_of_triangle(p, c[0], c[1], c[2]));
        }
    }
    return result;
}

// Leaves the part of the simplex that is nearest to the origin; `count` 0 where the origin is inside.
static part reduce(abut_simplex *simplex)
{
    const abut_vec3 *p = simplex->points;
    part nearest = simplex->count == 1   ? part_of_point(p, 0)
                   : simplex->count == 2 ? part_of_segment(p, 0, 1)
                   : simplex->count == 3 ? part_of_triangle(p, 0, 1, 2)
                                         : part_of_tetrahedron(p);
    abut_simplex old = *simplex;
    simplex->count = nearest.count;
    for (int i = 0; i < nearest.count; ++i) {
        int from = nearest.index[i];
        simplex->a[i] = old.a[from];
        simplex->b[i] = old.b[from];
        simplex->points[i] = old.points[from];
        simplex->weights[i] = nearest.weights[i];
    }
    return nearest;
}

static int has_pair(const abut_simplex *simplex, int a, int b)
{
    for (int i = 0; i < simplex->count; ++i) {
        if (simplex->a[i] == a && simplex->b[i] == b) {
            return 1;
        }
    }
    return 0;
}

static void place_points(const abut_convex_frame *frame, abut_apart *result)
{
    const abut_simplex *simplex = &result->simplex;
    abut_vec3 a = abut_vec3_make(0.0, 0.0, 0.0), b = a;
    for (int i = 0; i < simplex->count; ++i) {
        a = abut_add_scaled(a, simplex->weights[i], frame->a->points[simplex->a[i]]);
        b = abut_add_scaled(b, simplex->weights[i], frame->b->points[simplex->b[i]]);
    }
    result->point_a = a;
    result->point_b = abut_add(abut_mat3_apply(frame->rotation, b), frame->offset);
}

int abut_convex_apart(const abut_convex_frame *frame, const abut_simplex *start, abut_apart *result)
{
    // A distance that is no more than this has no direction of its own; a step that gains no more is the last.
    const double nothing = 0x1p-50 * frame->scale;
    abut_simplex *simplex = &result->simplex;
    *simplex = *start;
    part nearest = reduce(simplex);
    abut_axis axis = {.a = start->a[0], .b = start->b[0]};
    int steps = 0;
    for (;; ++steps) {
        double distance = sqrt(nearest.squared);
        if (simplex->count == 0 || distance <= nothing) {
            return 0;
        }
        axis.normal = abut_scale(-1.0 / distance, nearest.nearest);
        abut_axis_measure(frame, &axis);
        if (distance + axis.overlap <= nothing || has_pair(simplex, axis.a, axis.b) || steps == STEPS_HIGHEST) {
            break;
        }
        abut_simplex before = *simplex;
        int i = simplex->count++;
        simplex->a[i] = axis.a;
        simplex->b[i] = axis.b;
        simplex->points[i] = abut_sub(frame->a->points[axis.a], abut_convex_from_b(frame, axis.b));
        part next = reduce(simplex);
        if (simplex->count > 0 && !(next.squared < nearest.squared)) {
            *simplex = before; // rounding ends the descent
            break;
        }
        nearest = next;
    }
    result->axis = axis;
    result->distance = sqrt(nearest.squared);
    result->iteration_count = steps + 1;
    place_points(frame, result);
    return 1;
}
