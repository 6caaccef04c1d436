// SPDX-License-Identifier: MIT
// program_single.c: the program's tests in single precision
#include <float.h>
#include <math.h>

typedef float real;
#define REAL_EPSILON FLT_EPSILON
#define REAL_SQRT sqrtf
#define REAL_COS cosf

#include "program/real_tests.h"

void abut_program_test_single(abut_program_test test, const abut_program_pair *pair)
{
    run_test(test, pair);
}

double abut_program_epsilon_single(void)
{
    return tiny;
}
