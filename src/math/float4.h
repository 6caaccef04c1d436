// SPDX-License-Identifier: MIT
// float4.h: operations on four floats, with SSE2 if the target has it, else in scalar code
//
// Both versions round every operation and treat NaN alike, so they give the same bits; a test compares them.
// Define ABUT_NO_SIMD to use the scalar version everywhere.
#ifndef ABUT_MATH_FLOAT4_H
#define ABUT_MATH_FLOAT4_H

#include <abut/math.h>

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

static inline abut_float4 abut_float4_div(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_div_ps(a.lanes, b.lanes));
}

static inline abut_float4 abut_float4_sqrt(abut_float4 a)
{
    return abut_float4_of(_mm_sqrt_ps(a.lanes));
}

/// a < b ? a : b, so b if either is NaN
static inline abut_float4 abut_float4_min(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_min_ps(a.lanes, b.lanes));
}

/// a > b ? a : b, so b if either is NaN
static inline abut_float4 abut_float4_max(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_max_ps(a.lanes, b.lanes));
}

static inline abut_float4 abut_float4_abs(abut_float4 a)
{
    return abut_float4_of(_mm_andnot_ps(_mm_set1_ps(-0.0f), a.lanes));
}

/// Bit i is set if a[i] <= b[i].
static inline int abut_float4_at_most(abut_float4 a, abut_float4 b)
{
    return _mm_movemask_ps(_mm_cmple_ps(a.lanes, b.lanes));
}

/// scale * (p - origin), computed in double and then rounded; the fourth lane is 0
static inline abut_float4 abut_float4_place(const abut_vec3 *p, const abut_vec3 *origin, double scale)
{
    __m128d factor = _mm_set1_pd(scale);
    __m128d xy = _mm_sub_pd(_mm_loadu_pd(&p->x), _mm_loadu_pd(&origin->x));
    __m128d z = _mm_sub_sd(_mm_load_sd(&p->z), _mm_load_sd(&origin->z));
    return abut_float4_of(_mm_movelh_ps(_mm_cvtpd_ps(_mm_mul_pd(factor, xy)), _mm_cvtpd_ps(_mm_mul_sd(z, factor))));
}

/// p[0] = a[0], p[1] = a[1]
static inline void abut_float4_store_two(float p[2], abut_float4 a)
{
    _mm_storel_epi64((__m128i *)(void *)p, _mm_castps_si128(a.lanes));
}

/// The least of the four lanes, none of which may be NaN.
static inline float abut_float4_least(abut_float4 a)
{
    __m128 two = _mm_min_ps(a.lanes, _mm_movehl_ps(a.lanes, a.lanes));
    return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
}

/// The greatest of the four lanes, none of which may be NaN.
static inline float abut_float4_greatest(abut_float4 a)
{
    __m128 two = _mm_max_ps(a.lanes, _mm_movehl_ps(a.lanes, a.lanes));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_shuffle_ps(two, two, 1)));
}

/// a[1] a[2] a[0] a[3]
static inline abut_float4 abut_float4_turn(abut_float4 a)
{
    return abut_float4_of(_mm_shuffle_ps(a.lanes, a.lanes, _MM_SHUFFLE(3, 0, 2, 1)));
}

/// a[2] a[3] a[0] a[1]
static inline abut_float4 abut_float4_swap_halves(abut_float4 a)
{
    return abut_float4_of(_mm_shuffle_ps(a.lanes, a.lanes, _MM_SHUFFLE(1, 0, 3, 2)));
}

/// a[0] a[1] b[0] b[1]
static inline abut_float4 abut_float4_mix_halves(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_movelh_ps(a.lanes, b.lanes));
}

/// a[0] b[0] a[1] b[1]
static inline abut_float4 abut_float4_mix_low(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_unpacklo_ps(a.lanes, b.lanes));
}

/// a[2] b[2] a[3] b[3]
static inline abut_float4 abut_float4_mix_high(abut_float4 a, abut_float4 b)
{
    return abut_float4_of(_mm_unpackhi_ps(a.lanes, b.lanes));
}

#else

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

static inline abut_float4 abut_float4_div(abut_float4 a, abut_float4 b)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] /= b.lanes[i];
    }
    return a;
}

static inline abut_float4 abut_float4_sqrt(abut_float4 a)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] = sqrtf(a.lanes[i]);
    }
    return a;
}

/// a < b ? a : b, so b if either is NaN
static inline abut_float4 abut_float4_min(abut_float4 a, abut_float4 b)
{
    for (int i = 0; i < 4; ++i) {
        a.lanes[i] = a.lanes[i] < b.lanes[i] ? a.lanes[i] : b.lanes[i];
    }
    return a;
}

/// a > b ? a : b, so b if either is NaN
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

/// Bit i is set if a[i] <= b[i].
static inline int abut_float4_at_most(abut_float4 a, abut_float4 b)
{
    int mask = 0;
    for (int i = 0; i < 4; ++i) {
        mask |= (a.lanes[i] <= b.lanes[i]) << i;
    }
    return mask;
}

/// scale * (p - origin), computed in double and then rounded; the fourth lane is 0
static inline abut_float4 abut_float4_place(const abut_vec3 *p, const abut_vec3 *origin, double scale)
{
    abut_float4 result = {{(float)(scale * (p->x - origin->x)), (float)(scale * (p->y - origin->y)),
                           (float)(scale * (p->z - origin->z)), 0.0f}};
    return result;
}

/// p[0] = a[0], p[1] = a[1]
static inline void abut_float4_store_two(float p[2], abut_float4 a)
{
    p[0] = a.lanes[0];
    p[1] = a.lanes[1];
}

/// The least of the four lanes, none of which may be NaN.
static inline float abut_float4_least(abut_float4 a)
{
    float even = a.lanes[0] < a.lanes[2] ? a.lanes[0] : a.lanes[2];
    float odd = a.lanes[1] < a.lanes[3] ? a.lanes[1] : a.lanes[3];
    return even < odd ? even : odd;
}

/// The greatest of the four lanes, none of which may be NaN.
static inline float abut_float4_greatest(abut_float4 a)
{
    float even = a.lanes[0] > a.lanes[2] ? a.lanes[0] : a.lanes[2];
    float odd = a.lanes[1] > a.lanes[3] ? a.lanes[1] : a.lanes[3];
    return even > odd ? even : odd;
}

/// a[1] a[2] a[0] a[3]
static inline abut_float4 abut_float4_turn(abut_float4 a)
{
    abut_float4 result = {{a.lanes[1], a.lanes[2], a.lanes[0], a.lanes[3]}};
    return result;
}

/// a[2] a[3] a[0] a[1]
static inline abut_float4 abut_float4_swap_halves(abut_float4 a)
{
    abut_float4 result = {{a.lanes[2], a.lanes[3], a.lanes[0], a.lanes[1]}};
    return result;
}

/// a[0] a[1] b[0] b[1]
static inline abut_float4 abut_float4_mix_halves(abut_float4 a, abut_float4 b)
{
    abut_float4 result = {{a.lanes[0], a.lanes[1], b.lanes[0], b.lanes[1]}};
    return result;
}

/// a[0] b[0] a[1] b[1]
static inline abut_float4 abut_float4_mix_low(abut_float4 a, abut_float4 b)
{
    abut_float4 result = {{a.lanes[0], b.lanes[0], a.lanes[1], b.lanes[1]}};
    return result;
}

/// a[2] b[2] a[3] b[3]
static inline abut_float4 abut_float4_mix_high(abut_float4 a, abut_float4 b)
{
    abut_float4 result = {{a.lanes[2], b.lanes[2], a.lanes[3], b.lanes[3]}};
    return result;
}
#endif

/// The first three columns of a 4x4 matrix that is given by its rows.
static inline void abut_float4_transpose(const abut_float4 rows[4], abut_float4 columns[3])
{
    abut_float4 even = abut_float4_mix_low(rows[0], rows[2]), odd = abut_float4_mix_low(rows[1], rows[3]);
    columns[0] = abut_float4_mix_low(even, odd);
    columns[1] = abut_float4_mix_high(even, odd);
    columns[2] =
        abut_float4_mix_low(abut_float4_mix_high(rows[0], rows[2]), abut_float4_mix_high(rows[1], rows[3]));
}

/// The cross product of the first three lanes. The fourth is 0 if the fourth lanes of a and b are finite and their
/// product does not overflow.
static inline abut_float4 abut_float4_cross(abut_float4 a, abut_float4 b)
{
    return abut_float4_turn(
        abut_float4_sub(abut_float4_mul(a, abut_float4_turn(b)), abut_float4_mul(abut_float4_turn(a), b)));
}

#endif
