// SPDX-License-Identifier: MIT
// four.h: four numbers, or the vectors of four pairs, at a time, by the vector types of gcc and clang
//
// For kernels that are compiled once for every machine and once for AVX2: the same operations in the same order, so
// the same numbers. Vectors are passed between functions of one file only.
#ifndef ABUT_MATH_FOUR_H
#define ABUT_MATH_FOUR_H

#include <stdint.h>

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t four_bits __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct four3 {
    four x[3];
} four3;

static inline four all(double x)
{
    four v = {x, x, x, x};
    return v;
}

static inline four3 subtract(const four3 *a, const four3 *b)
{
    four3 v = {{a->x[0] - b->x[0], a->x[1] - b->x[1], a->x[2] - b->x[2]}};
    return v;
}

static inline four3 cross(const four3 *a, const four3 *b)
{
    four3 v = {{a->x[1] * b->x[2] - a->x[2] * b->x[1], a->x[2] * b->x[0] - a->x[0] * b->x[2],
                a->x[0] * b->x[1] - a->x[1] * b->x[0]}};
    return v;
}

static inline four dot(const four3 *a, const four3 *b)
{
    return a->x[0] * b->x[0] + a->x[1] * b->x[1] + a->x[2] * b->x[2];
}

static inline four choose(four_bits mask, four a, four b)
{
    return (four)(((four_bits)a & mask) | ((four_bits)b & ~mask));
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

#endif
