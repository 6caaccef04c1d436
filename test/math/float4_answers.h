// SPDX-License-Identifier: MIT
// float4_answers.h: every operation of float4.h on the same numbers; the twins include it with and without SIMD
#ifndef ABUT_TEST_FLOAT4_ANSWERS_H
#define ABUT_TEST_FLOAT4_ANSWERS_H

#include "math/float4.h"

enum { FLOAT4_INPUTS = 8, FLOAT4_ANSWERS = 41 };

static inline void find_float4_answers(const float in[FLOAT4_INPUTS], float out[FLOAT4_ANSWERS])
{
    abut_float4 a = abut_float4_load(in), b = abut_float4_load(in + 4);
    abut_float4_store(out, abut_float4_all(in[0]));
    abut_float4_store(out + 4, abut_float4_load_twice_each(in));
    abut_float4_store(out + 8, abut_float4_load_twice_both(in));
    abut_float4_store(out + 12, abut_float4_add(a, b));
    abut_float4_store(out + 16, abut_float4_sub(a, b));
    abut_float4_store(out + 20, abut_float4_mul(a, b));
    abut_float4_store(out + 24, abut_float4_min(a, b));
    abut_float4_store(out + 28, abut_float4_max(a, b));
    abut_float4_store(out + 32, abut_float4_abs(a));
    abut_float4_store(out + 36, abut_float4_add(abut_float4_mul(a, b), a)); // rounded twice
    out[40] = (float)abut_float4_at_most(a, b);
}

/// The answers of the scalar twin.
void find_scalar_answers(const float in[FLOAT4_INPUTS], float out[FLOAT4_ANSWERS]);

#endif
