// SPDX-License-Identifier: MIT
// impulse_kernel.h: the impulses of impulse_wide.h, compiled once for every machine and once for AVX2
//
// The closed form of penalty.c for straight paths and a constant length of the normal in the interval, on four pairs at a
// time. A file that includes this defines ABUT_IMPULSE_CODE, the name of the function.
#include "continuous/impulse_wide.h"
#include "math/four.h"

static inline four load(const double *numbers, int first)
{
    return *(const four *)(numbers + first);
}

/// (1 - t) a + t b
static inline four3 between(const four3 *a, const four3 *b, four t)
{
    four r = 1.0 - t;
    four3 v = {{r * a->x[0] + t * b->x[0], r * a->x[1] + t * b->x[1], r * a->x[2] + t * b->x[2]}};
    return v;
}

/// The three vectors of the volume at the start and at the end of the intervals: first - second, and two edges.
static inline void find_arms(const abut_moving_batch *pairs, int first, four begin, four end, four3 a[3],
                             four3 b[3])
{
    int is_face = pairs->kind == ABUT_VERTEX_FACE, second = is_face ? 1 : 2;
    const int ends[3][2] = {{0, second}, {is_face ? 2 : 1, is_face ? 1 : 0}, {3, second}};
    for (int i = 0; i < 3; ++i) {
        four3 start, stop;
        for (int k = 0; k < 3; ++k) {
            start.x[k] = load(pairs->start[ends[i][0]][k], first) - load(pairs->start[ends[i][1]][k], first);
            stop.x[k] = load(pairs->end[ends[i][0]][k], first) - load(pairs->end[ends[i][1]][k], first);
        }
        a[i] = between(&start, &stop, begin);
        b[i] = between(&start, &stop, end);
    }
}

unsigned ABUT_IMPULSE_CODE(const abut_impulse_batch *batch, int first, double factor)
{
    static const double weights[3][4] = {{10.0, 6.0, 3.0, 1.0}, {4.0, 6.0, 6.0, 4.0}, {1.0, 3.0, 6.0, 10.0}};
    four begin = load(batch->begin, first), end = load(batch->end, first);
    four3 a[3], b[3], n[3];
    find_arms(&batch->pairs, first, begin, end, a, b);
    n[0] = cross(&a[1], &a[2]);
    n[2] = cross(&b[1], &b[2]);
    four3 left = cross(&a[1], &b[2]), right = cross(&b[1], &a[2]);
    for (int k = 0; k < 3; ++k) {
        n[1].x[k] = 0.5 * (left.x[k] + right.x[k]);
    }
    four f[4] = {dot(&a[0], &n[0]), (2.0 * dot(&a[0], &n[1]) + dot(&b[0], &n[0])) / 3.0,
                 (dot(&a[0], &n[2]) + 2.0 * dot(&b[0], &n[1])) / 3.0, dot(&b[0], &n[2])};
    four square = (dot(&n[0], &n[0]) + dot(&n[0], &n[1]) + (2.0 * dot(&n[1], &n[1]) + dot(&n[0], &n[2])) / 3.0 +
                   dot(&n[1], &n[2]) + dot(&n[2], &n[2])) /
                  5.0;
    four3 sum = {{all(0.0), all(0.0), all(0.0)}};
    for (int k = 0; k < 3; ++k) {
        const double *w = weights[k];
        four g = w[0] * f[0] + w[1] * f[1] + w[2] * f[2] + w[3] * f[3];
        for (int i = 0; i < 3; ++i) {
            sum.x[i] += g * n[k].x[i];
        }
    }
    four scale = -factor * (end - begin) / (60.0 * square);
    for (int i = 0; i < 3; ++i) {
        *(four *)(batch->impulses[i] + first) = scale * sum.x[i];
    }
    // Then normals are below 1e75, volumes below 1e136, and no product of the two vanishes.
    four size = largest_of(largest_of(all(0.0), &a[0]), &b[0]);
    four_bits is_usual = (square > 1e-150) & (square < 1e150) & (size > 1e-60) & (size < 1e60);
    return (unsigned)((~is_usual[0] & 1) | (~is_usual[1] & 2) | (~is_usual[2] & 4) | (~is_usual[3] & 8));
}
