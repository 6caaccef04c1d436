// SPDX-License-Identifier: MIT
// program_double.c: the program's tests in double precision
#include <float.h>
#include <math.h>

typedef double real;
#define REAL_EPSILON DBL_EPSILON
#define REAL_SQRT sqrt
#define REAL_COS cos

#include "program/real_tests.h"

void abut_program_test_double(abut_program_test test, const abut_program_pair *pair)
{
    run_test(test, pair);
}

double abut_program_epsilon_double(void)
{
    return tiny;
}
