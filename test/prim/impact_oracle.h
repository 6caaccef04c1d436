// SPDX-License-Identifier: MIT
// impact_oracle.h: whether two moving features touch, decided by exact rational arithmetic
//
// Everything is a polynomial of the time with rational coefficients. A vertex is in a triangle at a time if it is on one
// of its edges, or if the volume is zero, the normal is not, and three polynomials are not negative. Two edges meet if an
// end of one is on the other, or the volume is zero, the normal is not, and four polynomials are not negative. Each of
// these is a set of equations and inequalities in one variable, solved with greatest common divisors and Sturm chains.
// Features come within a distance if two vertices do, or a vertex and the line of an edge while it is between the ends, or
// two features as above with the volume at most the distance times the length of the normal.
#ifndef ABUT_TEST_IMPACT_ORACLE_H
#define ABUT_TEST_IMPACT_ORACLE_H

#include <abut/continuous.h>

/// Whether the features are within a distance of each other at a time in [0, 1].
int oracle_comes_near(const abut_moving_pair *pair, double distance);

/// The same at a time in [begin, end], a part of [0, 1].
int oracle_comes_near_within(const abut_moving_pair *pair, double distance, double begin, double end);

#endif
