// SPDX-License-Identifier: MIT
// samples.h: random pairs of solids, in arrangements that are hard for a search over features
#ifndef ABUT_TEST_SAMPLES_H
#define ABUT_TEST_SAMPLES_H

#include "solids.h"

typedef enum arrangement {
    ARRANGED_FREELY,
    ARRANGED_PARALLEL,  ///< a copy or another solid, turned by a fraction of a circle plus up to 1e-6
    ARRANGED_STACKED,   ///< a face of B on a face of A
    ARRANGED_ON_PLANE,  ///< B touches the plane of a face of A, mostly beside the face
    ARRANGED_IDENTICAL, ///< a copy in the same place, or turned by up to 1e-6
    ARRANGED_TOUCHING,  ///< distance within 1e-12 of the smaller body's size
    ARRANGED_INSIDE,    ///< a small B inside A
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
    double span;         ///< bound of the terms of a query: reach of both bodies plus the distance of their origins
} sample;

const char *arrangement_name(arrangement which);

/// Makes a pair that depends on its number only. In one of nine pairs the sizes differ by up to 1e6, and one of four
/// is up to 1e6 sizes away from the world's origin.
sample make_sample(uint64_t number);
void release_sample(sample *s);

#endif
