// SPDX-License-Identifier: MIT
// moving.c: relative vectors and the volume polynomial of two moving features
//
// Rounding errors, with u = 2^-53, and S the largest relative coordinate:
// A coordinate of a relative vector is the difference of two doubles: its error is at most u S. At a time t, straight
// paths: (1-t) v0 + t v1 adds u S each for the rounding of 1-t, of the products and of the sum: 4 u S in all. Curved
// paths: three products with rounded weights: 8 u S. In the dot product with a vector d of length at most 1 + 4 u the
// sum of |d_k| is below 1.74, so these errors give 14 u S, products and sums 3 u 1.74 S: below 20 u S. `noise` is
// 32 u S.
// A coefficient of the volume is a convex combination of determinants a . (b x c), whose vectors have the relative
// error u in every coordinate. Of the six products of a determinant each has the relative error 3 u from its factors,
// 2 u from two products, and 4 u from sums. The weights of the combination and its sums add 8 u, a restriction to a
// part of the interval 2 n + 2 rounded steps: 14 u for n = 6. That is 6 (9 + 8 + 14) u |a| |b| |c| = 186 u |a| |b| |c|,
// with |.| the largest coordinate of all control points. Products of denormal size have errors of 2^-1075 instead: fewer
// than 32 of them, times |a| < 1e61 where they are factors, and 32 that are not, are below 1e-250. `volume_noise` is
// 256 u |a| |b| |c| + 1e-250.
#include "prim/moving.h"
#include "math/bernstein.h"

static double largest_of(const abut_vec3 *vectors, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double x = fabs(vectors[i].x), y = fabs(vectors[i].y), z = fabs(vectors[i].z);
        largest = x > largest ? x : largest;
        largest = y > largest ? y : largest;
        largest = z > largest ? z : largest;
    }
    return largest;
}

static int is_in_range(const abut_vec3 *vertices)
{
    int is_fine = 1;
    for (int i = 0; i < 4; ++i) {
        // false for NaN
        is_fine &= fabs(vertices[i].x) <= ABUT_MOVING_LARGEST && fabs(vertices[i].y) <= ABUT_MOVING_LARGEST &&
                   fabs(vertices[i].z) <= ABUT_MOVING_LARGEST;
    }
    return is_fine;
}

static void find_vectors(abut_moving_kind kind, const abut_vec3 *v, abut_vec3 *out)
{
    if (kind == ABUT_VERTEX_FACE) {
        out[0] = abut_sub(v[0], v[1]);
        out[1] = abut_sub(v[0], v[2]);
        out[2] = abut_sub(v[0], v[3]);
    } else {
        out[0] = abut_sub(v[0], v[2]);
        out[1] = abut_sub(v[0], v[3]);
        out[2] = abut_sub(v[1], v[2]);
        out[3] = abut_sub(v[1], v[3]);
    }
}

// Brings the size between 1/2 and 1. What underflows is far below the noise.
static void rescale(abut_moving *moving)
{
    int exponent;
    (void)frexp(moving->size, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent;
    moving->scale = ldexp(1.0, -exponent);
    moving->size *= moving->scale;
    for (int step = 0; step <= moving->degree; ++step) {
        for (int i = 0; i < moving->vector_count; ++i) {
            moving->vectors[step][i] = abut_scale(moving->scale, moving->vectors[step][i]);
        }
    }
}

int abut_moving_make(const abut_moving_pair *pair, abut_moving *moving)
{
    moving->kind = pair->kind;
    moving->degree = pair->is_curved ? 2 : 1;
    moving->vector_count = pair->kind == ABUT_VERTEX_FACE ? 3 : 4;
    moving->scale = 1.0;
    moving->size = 0.0;
    for (int step = 0; step <= moving->degree; ++step) {
        const abut_vec3 *v = abut_moving_vertices(pair, step);
        if (!is_in_range(v)) {
            return 0;
        }
        find_vectors(pair->kind, v, moving->vectors[step]);
        double largest = largest_of(moving->vectors[step], moving->vector_count);
        moving->size = largest > moving->size ? largest : moving->size;
    }
    if (moving->size > 0.0 &&
        !(moving->size <= ABUT_MOVING_UNSCALED && moving->size >= 1.0 / ABUT_MOVING_UNSCALED)) {
        rescale(moving);
    }
    moving->noise = ABUT_MOVING_NOISE * moving->size;
    return 1;
}

int abut_moving_axis_separates(const abut_moving *moving, double separation)
{
    abut_vec3 least = moving->vectors[0][0], most = least;
    for (int step = 0; step <= moving->degree; ++step) {
        for (int i = 0; i < moving->vector_count; ++i) {
            least = abut_min(least, moving->vectors[step][i]);
            most = abut_max(most, moving->vectors[step][i]);
        }
    }
    double limit = separation > 0.0 ? separation + moving->noise : 0.0;
    return least.x > limit || least.y > limit || least.z > limit || most.x < -limit || most.y < -limit ||
           most.z < -limit;
}

// The three vectors of the determinant at a step: first - second, and two edges.
static void find_arms(const abut_moving_pair *pair, int step, double scale, abut_vec3 arms[3])
{
    const abut_vec3 *v = abut_moving_vertices(pair, step);
    if (pair->kind == ABUT_VERTEX_FACE) {
        arms[0] = abut_sub(v[0], v[1]);
        arms[1] = abut_sub(v[2], v[1]);
        arms[2] = abut_sub(v[3], v[1]);
    } else {
        arms[0] = abut_sub(v[0], v[2]);
        arms[1] = abut_sub(v[1], v[0]);
        arms[2] = abut_sub(v[3], v[2]);
    }
    if (scale != 1.0) {
        for (int i = 0; i < 3; ++i) {
            arms[i] = abut_scale(scale, arms[i]);
        }
    }
}

void abut_moving_find_volume(const abut_moving_pair *pair, abut_moving *moving)
{
    abut_vec3 arms[MOVING_PATH + 1][3], by_arm[3][MOVING_PATH + 1];
    double largest[3] = {0.0, 0.0, 0.0};
    for (int step = 0; step <= moving->degree; ++step) {
        find_arms(pair, step, moving->scale, arms[step]);
        for (int i = 0; i < 3; ++i) {
            by_arm[i][step] = arms[step][i];
            largest[i] = fmax(largest[i], largest_of(&arms[step][i], 1));
        }
    }
    moving->volume_noise =
        ABUT_MOVING_VOLUME_NOISE * largest[0] * largest[1] * largest[2] + ABUT_MOVING_VOLUME_LEAST;
    if (moving->degree == 1) {
        abut_vec3 n0 = abut_cross(arms[0][1], arms[0][2]), n2 = abut_cross(arms[1][1], arms[1][2]);
        abut_vec3 twice_n1 = abut_add(abut_cross(arms[0][1], arms[1][2]), abut_cross(arms[1][1], arms[0][2]));
        moving->volume[0] = abut_dot(arms[0][0], n0);
        moving->volume[1] = (abut_dot(arms[1][0], n0) + abut_dot(arms[0][0], twice_n1)) / 3.0;
        moving->volume[2] = (abut_dot(arms[0][0], n2) + abut_dot(arms[1][0], twice_n1)) / 3.0;
        moving->volume[3] = abut_dot(arms[1][0], n2);
    } else {
        abut_vec3 normal[2 * MOVING_PATH + 1];
        abut_bernstein_cross(by_arm[1], 2, by_arm[2], 2, normal);
        abut_bernstein_dot(by_arm[0], 2, normal, 4, moving->volume);
    }
}
