// SPDX-License-Identifier: MIT
// impact_oracle.h: whether two moving features touch, decided by exact rational arithmetic
//
// Everything is a polynomial of the time with rational coefficients. A vertex is in a triangle at a time if it is on one
// of its edges, or if the volume is zero, the normal is not, and three polynomials are not negative. Two edges meet if an
// end of one is on the other, or the volume is zero, the normal is not, and four polynomials are not negative. Each of
// these is a set of equations and inequalities in one variable, solved with greatest common divisors and Sturm chains.
#ifndef ABUT_TEST_IMPACT_ORACLE_H
#define ABUT_TEST_IMPACT_ORACLE_H

#include <abut/continuous.h>

/// Whether the features touch at a time in [0, 1].
int oracle_touches(const abut_moving_pair *pair);

#endif
