// SPDX-License-Identifier: MIT
// impact_kernel.h: the filter of impact_wide.h, compiled once for every machine and once for AVX2
//
// The same operations in the same order as abut_moving_axis_separates(), abut_moving_find_volume() and the search for a
// direction in impact.c over the whole step, on four numbers at a time by the vector types of gcc and clang. A file that
// includes this defines ABUT_IMPACT_CODE, the name of the function.
#include "math/four.h"
#include "prim/impact_wide.h"
#include "prim/moving.h"

#include <math.h>

static inline four3 choose3(four_bits mask, const four3 *a, const four3 *b)
{
    four3 v = {{choose(mask, a->x[0], b->x[0]), choose(mask, a->x[1], b->x[1]), choose(mask, a->x[2], b->x[2])}};
    return v;
}

static inline int has_any(four_bits mask)
{
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

static inline four least(four a, four b)
{
    return choose(b < a, b, a);
}

static inline four3 add_scaled(const four3 *a, four s, const four3 *b)
{
    four3 v = {{a->x[0] + s * b->x[0], a->x[1] + s * b->x[1], a->x[2] + s * b->x[2]}};
    return v;
}

/// Whether abut_unit() takes the usual way.
static inline four_bits is_usual_square(four squared)
{
    return (squared > 1e-30) & (squared < 1e30);
}

/// v / sqrt(squared)
static inline four3 shortened(const four3 *v, four squared)
{
    four s = {1.0 / sqrt(squared[0]), 1.0 / sqrt(squared[1]), 1.0 / sqrt(squared[2]), 1.0 / sqrt(squared[3])};
    four3 u = {{s * v->x[0], s * v->x[1], s * v->x[2]}};
    return u;
}

/// Whether the volume has one sign: minus the bits of the lanes.
static inline four_bits has_one_sign(four3 arms[2][3])
{
    four largest[3];
    for (int i = 0; i < 3; ++i) {
        largest[i] = largest_of(largest_of(all(0.0), &arms[0][i]), &arms[1][i]);
    }
    four noise = all(ABUT_MOVING_VOLUME_NOISE) * largest[0] * largest[1] * largest[2] + ABUT_MOVING_VOLUME_LEAST;
    four3 n0 = cross(&arms[0][1], &arms[0][2]), n2 = cross(&arms[1][1], &arms[1][2]);
    four3 a = cross(&arms[0][1], &arms[1][2]), b = cross(&arms[1][1], &arms[0][2]);
    four3 twice_n1 = {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
    four volume[4] = {dot(&arms[0][0], &n0), (dot(&arms[1][0], &n0) + dot(&arms[0][0], &twice_n1)) / 3.0,
                      (dot(&arms[0][0], &n2) + dot(&arms[1][0], &twice_n1)) / 3.0, dot(&arms[1][0], &n2)};
    four low = least(least(least(volume[0], volume[1]), volume[2]), volume[3]);
    four high = most(most(most(volume[0], volume[1]), volume[2]), volume[3]);
    return (low > noise) | (high < -noise);
}

/// The relative vectors of four pairs at both ends of the step.
typedef struct wide_vectors {
    int count;
    const int *around; ///< their order around the hull
    four3 u[2][4];
} wide_vectors;

/// The direction to the border of the hull of these vectors, as in impact.c; zero or not a number if there is none.
static inline four3 border_direction(const wide_vectors *w, const four3 *middle)
{
    four3 best = middle[0], best_edge = best;
    four nearest = all(HUGE_VAL), nearest_along = all(0.0), zero = all(0.0), one = all(1.0);
    for (int i = 0; i < w->count; ++i) {
        const four3 *a = &middle[w->around[i]];
        four3 edge = subtract(&middle[w->around[(i + 1) % w->count]], a);
        four squared = dot(&edge, &edge), along = -dot(a, &edge);
        along = choose((along <= zero) | ~(squared > zero), zero, choose(along >= squared, one, along / squared));
        four3 point = add_scaled(a, along, &edge);
        four distance = dot(&point, &point);
        four_bits is_nearer = distance < nearest;
        nearest = choose(is_nearer, distance, nearest);
        nearest_along = choose(is_nearer, along, nearest_along);
        best = choose3(is_nearer, &point, &best);
        best_edge = choose3(is_nearer, &edge, &best_edge);
    }
    best = shortened(&best, nearest);
    four tilt = dot(&best, &best_edge) / dot(&best_edge, &best_edge);
    four3 upright = add_scaled(&best, -tilt, &best_edge), nothing = {{zero, zero, zero}};
    four squared = dot(&upright, &upright);
    upright = shortened(&upright, squared);
    upright = choose3(is_usual_square(squared), &upright, &nothing);
    return choose3((nearest_along > zero) & (nearest_along < one), &upright, &best);
}

/// Whether one direction separates the features over the whole step: minus the bits of the lanes.
static inline four_bits is_apart(const wide_vectors *w, four noise)
{
    four3 middle[4];
    for (int i = 0; i < w->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            middle[i].x[k] = w->u[0][i].x[k] + w->u[1][i].x[k];
        }
    }
    four3 a = w->count == 3 ? subtract(&middle[0], &middle[1]) : subtract(&middle[2], &middle[0]);
    four3 b = w->count == 3 ? subtract(&middle[0], &middle[2]) : subtract(&middle[0], &middle[1]);
    four3 normal = cross(&a, &b);
    four_bits positive = ~(four_bits){0}, negative = positive;
    for (int i = 0; i < w->count; ++i) {
        four3 moment = cross(&middle[w->around[i]], &middle[w->around[(i + 1) % w->count]]);
        four side = dot(&moment, &normal);
        positive &= side > 0.0;
        negative &= side < 0.0;
    }
    four squared = dot(&normal, &normal);
    four3 d = shortened(&normal, squared), border = border_direction(w, middle);
    four_bits is_below = dot(&normal, &middle[0]) < 0.0, is_inside = positive | negative;
    four3 down = {{-d.x[0], -d.x[1], -d.x[2]}};
    d = choose3(is_below, &down, &d);
    d = choose3(is_inside, &d, &border);
    four_bits separates = ~is_inside | is_usual_square(squared);
    for (int step = 0; step < 2; ++step) {
        for (int i = 0; i < w->count; ++i) {
            separates &= dot(&d, &w->u[step][i]) > noise;
        }
    }
    return separates;
}

unsigned ABUT_IMPACT_CODE(const abut_moving_batch *batch, int first)
{
    static const int faces[3][2] = {{0, 1}, {0, 2}, {0, 3}}, edges[4][2] = {{0, 2}, {0, 3}, {1, 2}, {1, 3}};
    static const int around[2][4] = {{0, 1, 2, 0}, {0, 1, 3, 2}};
    int is_face = batch->kind == ABUT_VERTEX_FACE;
    four3 v[2][4];
    four_bits is_fine = ~(four_bits){0};
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 3; ++k) {
            v[0][i].x[k] = *(const four *)(batch->start[i][k] + first);
            v[1][i].x[k] = *(const four *)(batch->end[i][k] + first);
            is_fine &=
                (size_of(v[0][i].x[k]) <= ABUT_MOVING_LARGEST) & (size_of(v[1][i].x[k]) <= ABUT_MOVING_LARGEST);
        }
    }
    wide_vectors w = {.count = is_face ? 3 : 4, .around = around[!is_face]};
    four3 low, high;
    four size = all(0.0);
    for (int step = 0; step < 2; ++step) {
        for (int i = 0; i < w.count; ++i) {
            const int *ends = is_face ? faces[i] : edges[i];
            four3 u = subtract(&v[step][ends[0]], &v[step][ends[1]]);
            size = largest_of(size, &u);
            for (int k = 0; k < 3; ++k) {
                low.x[k] = step + i == 0 ? u.x[k] : least(low.x[k], u.x[k]);
                high.x[k] = step + i == 0 ? u.x[k] : most(high.x[k], u.x[k]);
            }
            w.u[step][i] = u;
        }
    }
    four_bits is_free = (low.x[0] > 0.0) | (low.x[1] > 0.0) | (low.x[2] > 0.0) | (high.x[0] < 0.0) |
                        (high.x[1] < 0.0) | (high.x[2] < 0.0);
    four3 arms[2][3];
    for (int step = 0; step < 2; ++step) {
        const four3 *p = v[step];
        arms[step][0] = subtract(&p[0], &p[is_face ? 1 : 2]);
        arms[step][1] = is_face ? subtract(&p[2], &p[1]) : subtract(&p[1], &p[0]);
        arms[step][2] = subtract(&p[3], &p[is_face ? 1 : 2]);
    }
    four_bits is_usual = (size <= ABUT_MOVING_UNSCALED) & (size >= 1.0 / ABUT_MOVING_UNSCALED);
    is_free |= is_usual & has_one_sign(arms);
    if (has_any(~is_free & is_fine & is_usual)) {
        is_free |= is_usual & is_apart(&w, all(ABUT_MOVING_NOISE) * size);
    }
    four_bits needs = ~(is_fine & is_free);
    return (unsigned)((needs[0] & 1) | (needs[1] & 2) | (needs[2] & 4) | (needs[3] & 8));
}
