// SPDX-License-Identifier: MIT
// apart.c: closest points of two convex shapes
//
// GJK: finds the point of the Minkowski difference nearest to the origin. Each step adds the support vertex towards
// the origin to a simplex of up to four vertices and keeps the part of the simplex nearest to the origin. The search
// does not depend on neighbouring features, so it also works where the walk over features (vclip.c) gets stuck.
//
// The direction is made orthogonal to the simplex's edge, or is the normal of its triangle. It is not the difference
// of two nearby points, so it stays accurate at distances close to rounding.
//
// Source:  Gilbert, Johnson and Keerthi 1988; supports by climbing along edges.
// Cost:    usually a few steps. No allocation.
// Fails:   returns 0 if the bodies overlap or touch.
#include "convex/apart.h"

// Steps. The descent ends by itself once a step gains nothing, usually after a few; the limit only bounds the time.
// A search that reaches it returns its best points, and distance.c checks whether the planes prove them.
enum { STEPS_HIGHEST = 128 };

// Up to four points of the Minkowski difference, each from a vertex of A and one of B.
typedef struct simplex {
    int a[4], b[4];
    abut_vec3 points[4]; ///< point of A minus point of B, in A's frame
    double weights[4];   ///< of the point nearest to the origin
    int count;
} simplex;

// Part of a simplex: its corners, and the nearest point as a weighted sum of them.
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
    // The nearest point is orthogonal to the segment: remove the component along it, which is rounding error.
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

// Returns 1 if the plane of corners i, j, k separates the origin from corner o, or if the four corners are coplanar.
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

// Reduces the simplex to the part nearest to the origin. `count` becomes 0 if the origin is inside.
static part reduce(simplex *s)
{
    const abut_vec3 *p = s->points;
    part nearest = s->count == 1   ? part_of_point(p, 0)
                   : s->count == 2 ? part_of_segment(p, 0, 1)
                   : s->count == 3 ? part_of_triangle(p, 0, 1, 2)
                                   : part_of_tetrahedron(p);
    simplex old = *s;
    s->count = nearest.count;
    for (int i = 0; i < nearest.count; ++i) {
        int from = nearest.index[i];
        s->a[i] = old.a[from];
        s->b[i] = old.b[from];
        s->points[i] = old.points[from];
        s->weights[i] = nearest.weights[i];
    }
    return nearest;
}

static int has_pair(const simplex *s, int a, int b)
{
    for (int i = 0; i < s->count; ++i) {
        if (s->a[i] == a && s->b[i] == b) {
            return 1;
        }
    }
    return 0;
}

static void add_pair(const abut_convex_frame *frame, simplex *s, int a, int b)
{
    int i = s->count++;
    s->a[i] = a;
    s->b[i] = b;
    s->points[i] = abut_sub(frame->a->points[a], abut_convex_from_b(frame, b));
}

static void place_points(const abut_convex_frame *frame, const simplex *s, abut_apart *result)
{
    abut_vec3 a = abut_vec3_make(0.0, 0.0, 0.0), b = a;
    for (int i = 0; i < s->count; ++i) {
        a = abut_add_scaled(a, s->weights[i], frame->a->points[s->a[i]]);
        b = abut_add_scaled(b, s->weights[i], frame->b->points[s->b[i]]);
    }
    result->point_a = a;
    result->point_b = abut_add(abut_mat3_apply(frame->rotation, b), frame->offset);
}

int abut_convex_apart(const abut_convex_frame *frame, int a, int b, abut_apart *result)
{
    // A length: 4 DBL_EPSILON of the coordinates, the rounding error of a difference of two support points. A shorter
    // distance has no reliable direction, and a step that gains less is the last.
    const double nothing = 0x1p-50 * frame->scale;
    simplex s = {.count = 0};
    add_pair(frame, &s, a, b);
    part nearest = reduce(&s);
    abut_axis axis = {.kind = ABUT_AXIS_EDGES, .a = a, .b = b};
    int steps = 0;
    for (;; ++steps) {
        double distance = sqrt(nearest.squared);
        if (s.count == 0 || distance <= nothing) {
            return 0;
        }
        axis.normal = abut_scale(-1.0 / distance, nearest.nearest);
        abut_axis_measure(frame, &axis, -1, -1);
        if (distance + axis.overlap <= nothing || has_pair(&s, axis.a, axis.b) || steps == STEPS_HIGHEST) {
            break;
        }
        simplex before = s;
        add_pair(frame, &s, axis.a, axis.b);
        part next = reduce(&s);
        if (s.count > 0 && !(next.squared < nearest.squared)) {
            s = before; // rounding ends the descent
            break;
        }
        nearest = next;
    }
    result->axis = axis;
    result->iteration_count = steps + 1;
    place_points(frame, &s, result);
    // The normal of a needle-shaped triangle is inaccurate, and the origin then seems nearer than the points are.
    result->distance = fmax(sqrt(nearest.squared), abut_norm(abut_sub(result->point_b, result->point_a)));
    return 1;
}
