// SPDX-License-Identifier: MIT
// leaf.h: the quasi-LMD of two open simplices
#ifndef ABUT_COMPLEX_LEAF_H
#define ABUT_COMPLEX_LEAF_H

#include "complex/hierarchy.h"

/// Two complexes, one of them placed, and the limits of a search.
typedef struct abut_lmd_frame {
    const abut_complex *a, *b;
    abut_mat3 rotation;    ///< of B's frame to A's
    abut_vec3 translation; ///< of B's origin, relative to A's
    double reach;
    double sine, cosine; ///< of theta
    double extent;       ///< no position that matters is farther from A's origin
    double slack;        ///< a length: what rounding may do to a position
    double zero;         ///< distances up to this have no direction
    int is_self;         ///< B is A, in place
} abut_lmd_frame;

enum { ABUT_LMD_NONE = 0, ABUT_LMD_FOUND = 1, ABUT_LMD_TOUCHING = 2 };

/// Bit l of entry k: classes k and l are compatible (the paper's Table 2).
extern const unsigned char abut_lmd_compatible[8];

/// Looks for the quasi-LMD of two leaves, named as in abut_lmd_get_bounds(). Points are relative to A's origin, in A's axes.
/// @return ABUT_LMD_FOUND; ABUT_LMD_TOUCHING if the points are one, so that there is no direction; or ABUT_LMD_NONE
int abut_lmd_of_leaves(const abut_lmd_frame *frame, int leaf_a, int leaf_b, abut_lmd *lmd);

#endif
