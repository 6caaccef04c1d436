// SPDX-License-Identifier: MIT
// samples.h: random pairs of solids, in arrangements that are hard for a search over features
#ifndef ABUT_TEST_SAMPLES_H
#define ABUT_TEST_SAMPLES_H

#include "solids.h"

typedef enum arrangement {
    ARRANGED_FREELY,
    ARRANGED_PARALLEL,  ///< a copy or another solid, turned by a fraction of a circle and up to 1e-6 more
    ARRANGED_STACKED,   ///< a face of each on the other
    ARRANGED_ON_PLANE,  ///< B at the plane of a face of A, and mostly beside it
    ARRANGED_IDENTICAL, ///< a copy in the same place, or turned by up to 1e-6
    ARRANGED_TOUCHING,  ///< within 1e-12 of the smaller one
    ARRANGED_INSIDE,    ///< B small and in A
    ARRANGED_LARGE,     ///< up to 200 vertices each
    ARRANGEMENTS
} arrangement;

typedef struct sample {
    test_convex a, b;
    solid solid_a, solid_b;
    arrangement arranged;
    abut_convex_pair pair;
    double small, large; ///< diagonals
    double size;         ///< the larger diagonal and the largest coordinate
    double span;         ///< of what a query adds up: both bodies from their own origins, and the way between these
} sample;

const char *arrangement_name(arrangement which);

/// The same pair for the same number, whatever was made before. Sizes differ by up to 1e6 in one of nine, and one
/// of four is up to 1e6 sizes from the world's origin.
sample make_sample(uint64_t number);
void release_sample(sample *s);

#endif
