// SPDX-License-Identifier: MIT
// pick.h: choose the nearest pair of points from several candidates
//
// Near its minimum a distance hardly changes: pairs whose distances agree up to rounding may be 1e-8 of the size
// apart. Among these we take the pair that best satisfies the optimality condition. Points x of A and y of B are
// nearest if, in the direction r = y - x, no corner of A is beyond x and no corner of B is before y. The excess is
// how far the worst corner violates this, times |r|. It is 0 for the nearest points.
#ifndef ABUT_PRIM_PICK_H
#define ABUT_PRIM_PICK_H

#include <float.h>
#include <math.h>

static inline double abut_least(const double *values, int count)
{
    double least = values[0];
    for (int i = 1; i < count; ++i) { // as fmin(), which is a call: a NaN loses
        least = values[i] < least || least != least ? values[i] : least;
    }
    return least;
}

/// Candidates with a larger squared distance are not the nearest, whatever their excess. 64 DBL_EPSILON: a squared
/// distance has a few dozen roundings.
static inline double abut_pick_bound(const double *squared, int count)
{
    return abut_least(squared, count) * (1.0 + 64.0 * DBL_EPSILON);
}

/// The index of the candidate with the least excess, among those whose squared distance is within abut_pick_bound();
/// the excess of others is not read. NaN is never chosen unless all are NaN.
static inline int abut_pick_nearest(const double *squared, const double *excess, int count)
{
    double bound = abut_pick_bound(squared, count);
    int best = -1;
    for (int i = 0; i < count; ++i) {
        if (squared[i] <= bound && (best < 0 || excess[i] < excess[best])) {
            best = i;
        }
    }
    return best < 0 ? 0 : best; // -1 if all are NaN
}

#endif
