// SPDX-License-Identifier: MIT
// float4_scalar.c: the scalar version of float4.h
#define ABUT_NO_SIMD
#include "math/float4_answers.h"

void find_scalar_answers(const float in[FLOAT4_INPUTS], float out[FLOAT4_ANSWERS])
{
    find_float4_answers(in, out);
}
