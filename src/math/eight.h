// SPDX-License-Identifier: MIT
// eight.h: eight floats at a time, by the vector types of gcc and clang
//
// For kernels that are compiled once for every machine and once for AVX2: the same operations in the same order, so
// the same numbers. Vectors are passed between functions of one file only.
#ifndef ABUT_MATH_EIGHT_H
#define ABUT_MATH_EIGHT_H

#include <math.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t eight_bits __attribute__((vector_size(32), aligned(4), may_alias)); ///< 0 or -1 after a comparison

static inline eight eight_all(float x)
{
    eight v = {x, x, x, x, x, x, x, x};
    return v;
}

static inline eight eight_load(const float p[8])
{
    return *(const eight *)(const void *)p;
}

static inline eight_bits eight_from_bytes(const unsigned char p[8])
{
    typedef unsigned char bytes __attribute__((vector_size(8), aligned(1), may_alias));
    return __builtin_convertvector(*(const bytes *)(const void *)p, eight_bits);
}

static inline eight eight_pick(eight_bits which, eight a, eight b)
{
    return (eight)((which & (eight_bits)a) | (~which & (eight_bits)b));
}

static inline eight eight_abs(eight a)
{
    return (eight)((eight_bits)a & 0x7fffffff);
}

#if defined(__AVX2__)

static inline eight eight_min(eight a, eight b)
{
    return (eight)_mm256_min_ps((__m256)a, (__m256)b);
}

static inline eight eight_max(eight a, eight b)
{
    return (eight)_mm256_max_ps((__m256)a, (__m256)b);
}

static inline eight eight_sqrt(eight a)
{
    return (eight)_mm256_sqrt_ps((__m256)a);
}

/// Bit i is set if lane i is -1.
static inline unsigned eight_mask(eight_bits a)
{
    return (unsigned)_mm256_movemask_ps((__m256)a);
}

#else

/// a < b ? a : b
static inline eight eight_min(eight a, eight b)
{
    return eight_pick(a < b, a, b);
}

static inline eight eight_max(eight a, eight b)
{
    return eight_pick(a > b, a, b);
}

#if defined(__SSE2__)

typedef union eight_halves {
    eight whole;
    __m128 halves[2];
} eight_halves;

static inline eight eight_sqrt(eight a)
{
    eight_halves v = {.whole = a};
    v.halves[0] = _mm_sqrt_ps(v.halves[0]);
    v.halves[1] = _mm_sqrt_ps(v.halves[1]);
    return v.whole;
}

static inline unsigned eight_mask(eight_bits a)
{
    eight_halves v = {.whole = (eight)a};
    return (unsigned)_mm_movemask_ps(v.halves[0]) | (unsigned)_mm_movemask_ps(v.halves[1]) << 4;
}

#else

static inline eight eight_sqrt(eight a)
{
    for (int i = 0; i < 8; ++i) {
        a[i] = sqrtf(a[i]);
    }
    return a;
}

static inline unsigned eight_mask(eight_bits a)
{
    unsigned mask = 0;
    for (int i = 0; i < 8; ++i) {
        mask |= a[i] < 0 ? 1u << i : 0u;
    }
    return mask;
}

#endif
#endif
#endif
