// SPDX-License-Identifier: MIT
// pick.h: which of several tries is the nearest pair of points
//
// Near its minimum a distance hardly changes: pairs that are equally near to rounding may be 1e-8 apart. Among these
// the pair is taken that is most nearly a minimum. Points x of A and y of B are nearest if no corner of A is
// beyond x, and no corner of B before y, in the direction of r = y - x. The excess is how far the worst corner is,
// times |r|; it is 0 for the nearest points.
#ifndef ABUT_PRIM_PICK_H
#define ABUT_PRIM_PICK_H

#include <float.h>
#include <math.h>

static inline double abut_least(const double *values, int count)
{
    double least = values[0];
    for (int i = 1; i < count; ++i) {
        least = fmin(least, values[i]);
    }
    return least;
}

/// The index of the try with the least excess among those with the least squared distance, up to rounding.
static inline int abut_pick_nearest(const double *squared, const double *excess, int count)
{
    double bound = abut_least(squared, count) * (1.0 + 64.0 * DBL_EPSILON);
    int best = -1;
    for (int i = 0; i < count; ++i) {
        if (squared[i] <= bound && (best < 0 || excess[i] < excess[best])) {
            best = i;
        }
    }
    return best < 0 ? 0 : best; // all are NaN
}

#endif
