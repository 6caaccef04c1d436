// SPDX-License-Identifier: MIT
// impact_families.h: moving pairs for tests: structured ones first, since random ones are never degenerate
#ifndef ABUT_TEST_IMPACT_FAMILIES_H
#define ABUT_TEST_IMPACT_FAMILIES_H

#include "random.h"

#include <abut/continuous.h>

enum impact_family {
    FAMILY_LATTICE,    ///< small integers: everything coincides now and then
    FAMILY_TOUCHING,   ///< made to touch at a time k / 8 at a point with weights k / 8: exact, so they touch
    FAMILY_NUDGED,     ///< the same, with one coordinate moved by an ulp or two
    FAMILY_PLANAR,     ///< all in the plane x + y + z = 0
    FAMILY_SLIDING,    ///< a vertex, or an edge, slides in the plane of a triangle at rest, some ulps off
    FAMILY_PARALLEL,   ///< parallel edges; triangles without area
    FAMILY_COLLAPSING, ///< the normal vanishes within the step
    FAMILY_AT_REST,    ///< no motion, or common translation
    FAMILY_NEAR,       ///< made to touch, then moved away by 1e-1 to 1e-17
    FAMILY_NEEDLE,     ///< all four vertices near a line that moves, at distances of 1 to 1e-16, some with a touch
    FAMILY_SHARED, ///< vertices in common, at the start, at the end or always: neighbours, points, identical features
    FAMILY_MIXED,    ///< coordinates of any magnitude, from denormal ones to 1e99
    FAMILY_ROTATING, ///< ends turned by a rotation: the volume has several roots
    FAMILY_RANDOM,   ///< uniform
    FAMILY_COUNT
};

static const char *const family_names[FAMILY_COUNT] = {"lattice",  "touching",   "nudged",   "planar", "sliding",
                                                       "parallel", "collapsing", "at rest",  "near",   "needle",
                                                       "shared",   "mixed",      "rotating", "random"};

static inline abut_vec3 lattice_vec3(test_random *random, int extent)
{
    double x = random_below(random, 2 * extent + 1) - extent;
    double y = random_below(random, 2 * extent + 1) - extent;
    double z = random_below(random, 2 * extent + 1) - extent;
    return abut_vec3_make(x, y, z);
}

/// Features at a lattice place that touch at time k / 8, with lattice velocities (and accelerations): all numbers are
/// multiples of 1 / 512, so nothing is rounded.
static inline void make_touching(test_random *random, abut_moving_pair *pair)
{
    abut_vec3 at[4], speed[4], bend[4];
    double t = random_below(random, 9) / 8.0;
    for (int i = 0; i < 4; ++i) {
        at[i] = lattice_vec3(random, 3);
        speed[i] = lattice_vec3(random, 3);
        bend[i] = pair->is_curved ? lattice_vec3(random, 2) : abut_vec3_make(0, 0, 0);
    }
    // weights of the first corner or end, and of the others
    double a = random_below(random, 9) / 8.0, b = random_below(random, 9) / 8.0;
    abut_vec3 *v = at;
    if (pair->kind == ABUT_VERTEX_FACE) {
        a = a + b > 1.0 ? 1.0 - a : a;
        b = a + b > 1.0 ? 1.0 - b : b;
        v[0] = abut_add_scaled(abut_add_scaled(abut_scale(a, v[1]), b, v[2]), 1.0 - a - b, v[3]);
    } else {
        // move the first edge so that the two points coincide
        abut_vec3 p = abut_add_scaled(abut_scale(1.0 - a, v[0]), a, v[1]);
        abut_vec3 q = abut_add_scaled(abut_scale(1.0 - b, v[2]), b, v[3]);
        v[0] = abut_add(v[0], abut_sub(q, p));
        v[1] = abut_add(v[1], abut_sub(q, p));
    }
    for (int i = 0; i < 4; ++i) { // x(s) = at + (s - t) speed + (s - t)^2 bend
        pair->start[i] = abut_add_scaled(abut_add_scaled(at[i], -t, speed[i]), t * t, bend[i]);
        pair->end[i] = abut_add_scaled(abut_add_scaled(at[i], 1.0 - t, speed[i]), (1.0 - t) * (1.0 - t), bend[i]);
        // middle = start + x'(0) / 2
        pair->middle[i] = abut_add_scaled(abut_add_scaled(pair->start[i], 0.5, speed[i]), -t, bend[i]);
    }
}

static inline double *any_coordinate(test_random *random, abut_moving_pair *pair)
{
    abut_vec3 *v =
        random_below(random, 2) ? &pair->start[random_below(random, 4)] : &pair->end[random_below(random, 4)];
    int k = random_below(random, 3);
    return k == 0 ? &v->x : k == 1 ? &v->y : &v->z;
}

static inline void make_planar(test_random *random, abut_moving_pair *pair, int lift)
{
    abut_vec3 *rows[3] = {pair->start, pair->end, pair->middle};
    for (int i = 0; i < 12; ++i) {
        abut_vec3 *v = &rows[i / 4][i % 4];
        *v = lattice_vec3(random, 3);
        v->z = -v->x - v->y;
    }
    if (lift) {
        *any_coordinate(random, pair) += ldexp(random_below(random, 5) - 2, -random_below(random, 53));
    }
}

static inline void make_rotating(test_random *random, abut_moving_pair *pair)
{
    abut_quat turn[2] = {random_rotation(random), random_rotation(random)};
    abut_vec3 way[2] = {random_vec3(random, 1.0), random_vec3(random, 1.0)};
    for (int i = 0; i < 4; ++i) {
        int body = pair->kind == ABUT_VERTEX_FACE ? i > 0 : i > 1;
        pair->start[i] = random_vec3(random, 1.0);
        pair->end[i] = abut_add(abut_quat_rotate(turn[body], pair->start[i]), way[body]);
        pair->middle[i] = abut_add(abut_lerp(pair->start[i], pair->end[i], 0.5), random_vec3(random, 0.2));
    }
}

/// A vector of a random order of magnitude: 1 to 1e-16.
static inline abut_vec3 shrunk_vec3(test_random *random)
{
    return abut_scale(pow(10.0, -random_in(random, 0.0, 16.0)), random_vec3(random, 1.0));
}

/// Thin triangles and nearly parallel edges that pass each other closely: all vertices are on a line at a time in [0, 1], then
/// off by distances and speeds of any magnitude.
static inline void make_needle(test_random *random, abut_moving_pair *pair)
{
    abut_vec3 along = random_vec3(random, 1.0), way = shrunk_vec3(random);
    double t = random_below(random, 9) / 8.0;
    double bend = pair->is_curved ? 1.0 : 0.0;
    for (int i = 0; i < 4; ++i) {
        double x = random_below(random, 3) ? random_in(random, -1.0, 1.0) : random_below(random, 3) - 1;
        abut_vec3 at =
            abut_add(abut_scale(x, along), random_below(random, 2) ? shrunk_vec3(random) : abut_vec3_make(0, 0, 0));
        abut_vec3 speed = abut_add(random_below(random, 2) ? random_vec3(random, 1.0) : shrunk_vec3(random), way);
        abut_vec3 turn = abut_scale(bend, shrunk_vec3(random));
        pair->start[i] = abut_add_scaled(at, -t, speed);
        pair->end[i] = abut_add_scaled(abut_add_scaled(at, 1.0 - t, speed), 2.0, turn);
        pair->middle[i] = abut_add(abut_lerp(pair->start[i], pair->end[i], 0.5), turn);
    }
}

static inline void make_lattice(test_random *random, abut_moving_pair *pair, int extent)
{
    for (int i = 0; i < 4; ++i) {
        pair->start[i] = lattice_vec3(random, extent);
        pair->end[i] = lattice_vec3(random, extent);
        pair->middle[i] = lattice_vec3(random, extent);
    }
}

/// Small integers or random numbers with one to three vertices put onto others; now and then an ulp beside them.
static inline void make_shared(test_random *random, abut_moving_pair *pair)
{
    int is_random = random_below(random, 2);
    make_lattice(random, pair, 2);
    for (int i = 0; i < 4 && is_random; ++i) {
        pair->start[i] = random_vec3(random, 1.0);
        pair->end[i] = random_vec3(random, 1.0);
        pair->middle[i] = random_vec3(random, 1.0);
    }
    for (int k = random_below(random, 3); k >= 0; --k) {
        int from = random_below(random, 4), to = random_below(random, 4), when = 1 + random_below(random, 7);
        pair->start[to] = when & 1 ? pair->start[from] : pair->start[to];
        pair->end[to] = when & 2 ? pair->end[from] : pair->end[to];
        pair->middle[to] = when & 4 ? pair->middle[from] : pair->middle[to];
    }
    if (random_below(random, 3) == 0) {
        double *x = any_coordinate(random, pair);
        *x = nextafter(*x, random_below(random, 2) ? 10.0 : -10.0);
    }
}

/// A touch in which every axis has a scale of its own, or vertices each with its own, or all of denormal numbers.
static inline void make_mixed(test_random *random, abut_moving_pair *pair)
{
    int kind = random_below(random, 3);
    make_touching(random, pair);
    double scale[3];
    for (int k = 0; k < 3; ++k) {
        scale[k] = ldexp(1.0, kind == 0 ? -1065 - random_below(random, 10) : random_below(random, 590) - 330);
    }
    abut_vec3 *rows[3] = {pair->start, pair->end, pair->middle};
    for (int i = 0; i < 12; ++i) {
        abut_vec3 *v = &rows[i / 4][i % 4];
        double own = kind == 2 ? ldexp(1.0, random_below(random, 60)) : 1.0;
        *v = abut_vec3_make(v->x * scale[0] * own, v->y * scale[kind == 1] * own,
                            v->z * scale[kind == 1 ? 2 : 0] * own);
    }
}

/// Makes one feature degenerate: at both ends, or at a time within the step.
static inline void make_degenerate(test_random *random, abut_moving_pair *pair, int is_within)
{
    make_touching(random, pair);
    double t = is_within ? random_below(random, 9) / 8.0 : 0.0;
    int moved = pair->kind == ABUT_VERTEX_FACE ? 3 : 1;
    for (int end = 0; end < 2; ++end) {
        abut_vec3 *v = end ? pair->end : pair->start;
        double w = random_below(random, 9) / 8.0;
        abut_vec3 wanted; // in line with the others: parallel to the other edge, or on the line of the first two
        if (pair->kind == ABUT_VERTEX_FACE) {
            wanted = abut_lerp(v[1], v[2], w);
        } else {
            wanted = abut_add_scaled(v[0], 2.0 * w - 1.0, abut_sub(v[3], v[2]));
        }
        double off = is_within ? (end ? 1.0 - t : -t) : 0.0; // zero at time t
        v[moved] = abut_add_scaled(wanted, off, abut_vec3_make(1, 2, -1));
    }
}

static inline abut_moving_pair make_pair(test_random *random, int family, int is_curved)
{
    abut_moving_pair pair = {.kind = random_below(random, 2) ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE,
                             .is_curved = is_curved};
    abut_vec3 way;
    switch (family) {
    case FAMILY_LATTICE: make_lattice(random, &pair, 1 + random_below(random, 3)); break;
    case FAMILY_TOUCHING: make_touching(random, &pair); break;
    case FAMILY_NUDGED: {
        make_touching(random, &pair);
        double *x = any_coordinate(random, &pair);
        *x = nextafter(*x, random_below(random, 2) ? 10.0 : -10.0);
        break;
    }
    case FAMILY_PLANAR: make_planar(random, &pair, 0); break;
    case FAMILY_SLIDING: make_planar(random, &pair, 1); break;
    case FAMILY_PARALLEL: make_degenerate(random, &pair, 0); break;
    case FAMILY_COLLAPSING: make_degenerate(random, &pair, 1); break;
    case FAMILY_AT_REST:
        make_lattice(random, &pair, 2);
        way = lattice_vec3(random, 1);
        for (int i = 0; i < 4; ++i) {
            pair.end[i] = abut_add(pair.start[i], way);
            pair.middle[i] = abut_add_scaled(pair.start[i], 0.5, way);
        }
        break;
    case FAMILY_NEAR:
        make_touching(random, &pair);
        *any_coordinate(random, &pair) +=
            pow(10.0, -random_in(random, 1.0, 17.0)) * (random_below(random, 2) ? 1 : -1);
        break;
    case FAMILY_NEEDLE: make_needle(random, &pair); break;
    case FAMILY_SHARED: make_shared(random, &pair); break;
    case FAMILY_MIXED: make_mixed(random, &pair); break;
    case FAMILY_ROTATING: make_rotating(random, &pair); break;
    default:
        for (int i = 0; i < 4; ++i) {
            pair.start[i] = random_vec3(random, 1.0);
            pair.end[i] = random_vec3(random, 1.0);
            pair.middle[i] = random_vec3(random, 1.0);
        }
        break;
    }
    return pair;
}

/// Multiplies by a power of two and adds an offset, where that is exact. Both keep what touches.
static inline void move_pair(test_random *random, abut_moving_pair *pair, int family)
{
    int is_scaled = random_below(random, 3) == 0 && family != FAMILY_MIXED;
    double scale = ldexp(1.0, is_scaled ? random_below(random, 400) - 200 : 0);
    int is_exact =
        family < FAMILY_NUDGED || (family >= FAMILY_PLANAR && family != FAMILY_SLIDING && family < FAMILY_NEAR);
    abut_vec3 offset =
        is_exact && random_below(random, 3) == 0 ? lattice_vec3(random, 1 << 20) : abut_vec3_make(0, 0, 0);
    abut_vec3 *rows[3] = {pair->start, pair->end, pair->middle};
    for (int i = 0; i < 12; ++i) {
        rows[i / 4][i % 4] = abut_scale(scale, abut_add(rows[i / 4][i % 4], offset));
    }
}

#endif
