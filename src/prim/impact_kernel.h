// SPDX-License-Identifier: MIT
// impact_kernel.h: the filter of impact_wide.h, compiled once for every machine and once for AVX2
//
// The same operations in the same order as abut_moving_axis_separates() and abut_moving_find_volume(), on four numbers at a
// time by the vector types of gcc and clang. A file that includes this defines ABUT_IMPACT_CODE, the name of the function.
#include "math/four.h"
#include "prim/impact_wide.h"
#include "prim/moving.h"

static inline four choose(four_bits mask, four a, four b)
{
    return (four)(((four_bits)a & mask) | ((four_bits)b & ~mask));
}

static inline four least(four a, four b)
{
    return choose(b < a, b, a);
}

static inline four most(four a, four b)
{
    return choose(b > a, b, a);
}

static inline four size_of(four a)
{
    const four_bits sign = (four_bits){INT64_MIN, INT64_MIN, INT64_MIN, INT64_MIN};
    return (four)((four_bits)a & ~sign);
}

static inline four largest_of(four so_far, const four3 *v)
{
    return most(most(most(so_far, size_of(v->x[0])), size_of(v->x[1])), size_of(v->x[2]));
}

/// Whether the volume has one sign: minus the bits of the lanes.
static inline four_bits has_one_sign(four3 arms[2][3])
{
    four largest[3];
    for (int i = 0; i < 3; ++i) {
        largest[i] = largest_of(largest_of(all(0.0), &arms[0][i]), &arms[1][i]);
    }
    four noise = all(ABUT_MOVING_VOLUME_NOISE) * largest[0] * largest[1] * largest[2];
    four3 n0 = cross(&arms[0][1], &arms[0][2]), n2 = cross(&arms[1][1], &arms[1][2]);
    four3 a = cross(&arms[0][1], &arms[1][2]), b = cross(&arms[1][1], &arms[0][2]);
    four3 twice_n1 = {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
    four volume[4] = {dot(&arms[0][0], &n0), (dot(&arms[1][0], &n0) + dot(&arms[0][0], &twice_n1)) / 3.0,
                      (dot(&arms[0][0], &n2) + dot(&arms[1][0], &twice_n1)) / 3.0, dot(&arms[1][0], &n2)};
    four low = least(least(least(volume[0], volume[1]), volume[2]), volume[3]);
    four high = most(most(most(volume[0], volume[1]), volume[2]), volume[3]);
    return (low > noise) | (high < -noise);
}

unsigned ABUT_IMPACT_CODE(const abut_moving_batch *batch, int first)
{
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
    static const int faces[3][2] = {{0, 1}, {0, 2}, {0, 3}}, edges[4][2] = {{0, 2}, {0, 3}, {1, 2}, {1, 3}};
    four3 low, high;
    four size = all(0.0);
    for (int step = 0; step < 2; ++step) {
        for (int i = 0; i < (is_face ? 3 : 4); ++i) {
            const int *ends = is_face ? faces[i] : edges[i];
            four3 u = subtract(&v[step][ends[0]], &v[step][ends[1]]);
            size = largest_of(size, &u);
            for (int k = 0; k < 3; ++k) {
                low.x[k] = step + i == 0 ? u.x[k] : least(low.x[k], u.x[k]);
                high.x[k] = step + i == 0 ? u.x[k] : most(high.x[k], u.x[k]);
            }
        }
    }
    four_bits is_apart = (low.x[0] > 0.0) | (low.x[1] > 0.0) | (low.x[2] > 0.0) | (high.x[0] < 0.0) |
                         (high.x[1] < 0.0) | (high.x[2] < 0.0);
    four3 arms[2][3];
    for (int step = 0; step < 2; ++step) {
        const four3 *p = v[step];
        arms[step][0] = subtract(&p[0], &p[is_face ? 1 : 2]);
        arms[step][1] = is_face ? subtract(&p[2], &p[1]) : subtract(&p[1], &p[0]);
        arms[step][2] = subtract(&p[3], &p[is_face ? 1 : 2]);
    }
    four_bits is_usual = (size <= ABUT_MOVING_UNSCALED) & (size >= 1.0 / ABUT_MOVING_UNSCALED);
    four_bits needs = ~(is_fine & (is_apart | (is_usual & has_one_sign(arms))));
    return (unsigned)((needs[0] & 1) | (needs[1] & 2) | (needs[2] & 4) | (needs[3] & 8));
}
