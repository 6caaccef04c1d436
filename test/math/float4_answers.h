// SPDX-License-Identifier: MIT
// float4_answers.h: every operation of float4.h on the same numbers; included once with SIMD and once without
#ifndef ABUT_TEST_FLOAT4_ANSWERS_H
#define ABUT_TEST_FLOAT4_ANSWERS_H

#include "math/float4.h"

enum { FLOAT4_INPUTS = 8, FLOAT4_ANSWERS = 93 };

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
    out[41] = abut_float4_least(a);
    out[42] = abut_float4_greatest(a);
    abut_float4_store_two(out + 43, a);
    abut_float4_store(out + 45, abut_float4_div(a, b));
    abut_float4_store(out + 49, abut_float4_sqrt(a));
    abut_float4_store(out + 53, abut_float4_turn(a));
    abut_float4_store(out + 57, abut_float4_swap_halves(a));
    abut_float4_store(out + 61, abut_float4_mix_halves(a, b));
    abut_float4_store(out + 65, abut_float4_mix_low(a, b));
    abut_float4_store(out + 69, abut_float4_mix_high(a, b));
    abut_float4_store(out + 73, abut_float4_cross(a, b));
    abut_vec3 p = abut_vec3_make((double)in[0], (double)in[1], (double)in[2]);
    abut_vec3 origin = abut_vec3_make((double)in[4], (double)in[5], (double)in[6]);
    abut_float4_store(out + 77, abut_float4_place(&p, &origin, (double)in[7]));
    abut_float4 rows[4] = {a, b, abut_float4_turn(a), abut_float4_turn(b)}, columns[3];
    abut_float4_transpose(rows, columns);
    for (int i = 0; i < 3; ++i) {
        abut_float4_store(out + 81 + 4 * i, columns[i]);
    }
}

/// The answers of the scalar version.
void find_scalar_answers(const float in[FLOAT4_INPUTS], float out[FLOAT4_ANSWERS]);

#endif
