// SPDX-License-Identifier: MIT
// hierarchy.h: the sphere-cone hierarchy over the simplices of a complex
#ifndef ABUT_COMPLEX_HIERARCHY_H
#define ABUT_COMPLEX_HIERARCHY_H

#include "complex/complex.h"

/// A node: ball, cone and class bits of the simplices below it.
struct abut_lmd_node {
    float center[3], radius; ///< relative to the origin of the complex
    float axis[3];           ///< of the cone
    float cosine, sine;      ///< of its half angle
    float low, high;         ///< the simplices along the axis, from the center
    int32_t child;           ///< the first of two neighbours in the array; ~s for a leaf with simplex s
    unsigned char classes;   ///< bit k: there is a simplex of class k
    unsigned char is_two_sided;
};

/// The vertices of a simplex. Returns how many: 1 to 3.
int abut_complex_corners(const abut_complex *complex, int simplex, int corners[3]);

/// Builds the hierarchy from classes and cones. Plain: cuts by position only, and no class bits.
abut_status abut_complex_make_hierarchy(abut_complex *complex, int is_plain, abut_error *error);

#endif
