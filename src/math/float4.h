// SPDX-License-Identifier: MIT
// float4.h: four floats at once, by SSE2 where there is it, else one after the other
//
// Both twins round every operation alike and treat NaN alike, so that they give the same bits; a test compares them.
// ABUT_NO_SIMD takes the scalar twin everywhere.
#ifndef ABUT_MATH_FLOAT4_H
#define ABUT_MATH_FLOAT4_H

#if defined(__SSE2__) && !defined(ABUT_NO_SIMD)
#include <emmintrin.h>

typedef struct abut_float4 {
    __m128 lanes;
} abut_float4;

static inline abut_float4 abut_float4_of(__m128 lanes)
{
    abut_float4 result = {lanes};
    return result;
}

/// x x x x
static inline abut_float4 abut_float4_all(float x)
{
    return abut_float4_of(_mm_set1_ps(x));
}

static inline abut_float4 abut_float4_load(const float p[4])
{
    return abut_float4_of(_mm_loadu_ps(p));
}

static inline void abut_float4_store(float p[4], abut_float4 a)
{
    _mm_storeu_ps(p, a.lanes);
}

/// p[0] p[0] p[1] p[1]
static inline abut_float4 abut_float4_load_twice_each(const float p[2])
{
    __m128 pair = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return abut_float4_of(_mm_unpacklo_ps(pair, pair));
}

/// p[0] p[1] p[0] p[1]
static inline abut_float4 abut_float4_load_twice_both(const float p[2])
{
    __m128 pair = _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p));
    return abut_float4_of(_mm_movelh_ps(pair, pair));
}

static inline abut_float4 abut_float4_add(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_add_ps(a.lanes, b.lanes));
}

static inline abut_float4 abut_float4_sub(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_sub_ps(a.lanes, b.lanes));
}

static inline abut_float4 abut_float4_mul(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_mul_ps(a.lanes, b.lanes));
}

/// a < b ? a : b, so b where one is NaN
static inline abut_float4 abut_float4_min(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_min_ps(a.lanes, b.lanes));
}

/// a > b ? a : b, so b where one is NaN
static inline abut_float4 abut_float4_max(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_max_ps(a.lanes, b.lanes));
}

static inline abut_float4 abut_float4_abs(abut_float4 a)
{
    return abut_float4_of(_mm_andnot_ps(_mm_set1_ps(-0.0f), a.lanes));
}

/// Bit i is set where a[i] <= b[i].
static inline int abut_float4_at_most(abut_float4 a, abut_float4 b)
{
    return _mm_movemask_ps(_mm_cmple_ps(a.lanes, b.lanes));
}

#else
#include <math.h>

typedef struct abut_float4 {
    float lanes[4];
} abut_float4;

static inline abut_float4 abut_float4_all(float x)
{
    abut_float4 result = {{x, x, x, x}};
    return result;
}

static inline abut_float4 abut_float4_load(const float p[4])
{
    abut_float4 result = {{p[0], p[1], p[2], p[3]}};
    return result;
}

static inline void abut_float4_store(float p[4], abut_float4 a)
{
    for (int i = 0; i < 4; ++i) {
        p[i] = a.lanes[i];
    }
}

/// p[0] p[0] p[1] p[1]
static inline abut_float4 abut_float4_load_twice_each(const float p[2])
{
    abut_float4 result = {{p[0], p[0], p[1], p[1]}};
    return result;
}

/// p[0] p[1] p[0] p[1]
static inline abut_float4 abut_float4_load_twice_both(const float p[2])
{
    abut_float4 result = {{p[0], p[1], p[0], p[1]}};
    return result;
}

static inline abut_float4 abut_float4_add(abut_float4 a, abut_float4 b)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] += b.lanes[i];
    }
    return a;
}

static inline abut_float4 abut_float4_sub(abut_float4 a, abut_float4 b)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] -= b.lanes[i];
    }
    return a;
}

static inline abut_float4 abut_float4_mul(abut_float4 a, abut_float4 b)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] *= b.lanes[i];
    }
    return a;
}

/// a < b ? a : b, so b where one is NaN
static inline abut_float4 abut_float4_min(abut_float4 a, abut_float4 b)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
    }
    return a;
}

/// a > b ? a : b, so b where one is NaN
static inline abut_float4 abut_float4_max(abut_float4 a, abut_float4 b)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] = a.lanes[i] > b.lanes[i] ? a.lanes[i] : b.lanes[i];
    }
    return a;
}

static inline abut_float4 abut_float4_abs(abut_float4 a)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] = fabsf(a.lanes[i]);
    }
    return a;
}

/// Bit i is set where a[i] <= b[i].
static inline int abut_float4_at_most(abut_float4 a, abut_float4 b)
{
    int mask = 0;
    for (int i = 0; i < 4; ++i) {
        mask |= (a.lanes[i] <= b.lanes[i]) << i;
    }
    return mask;
}
#endif

#endif
