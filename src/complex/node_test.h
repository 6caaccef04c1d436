// SPDX-License-Identifier: MIT
// node_test.h: which children of a node can hold a quasi-LMD together with a node of the other complex
#ifndef ABUT_COMPLEX_NODE_TEST_H
#define ABUT_COMPLEX_NODE_TEST_H

#include "complex/hierarchy.h"

/// A child of the other hierarchy, in the frame of the hierarchy that it is tested against, and the limits of a search.
typedef struct abut_lmd_probe {
    float center[3], radius;
    float axis[3];
    float cosine, sine; ///< of the half angle of its cone and theta
    float low, high;
    float reach;                    ///< the longest distance
    float slack;                    ///< a length: what rounding may do to a position
    float theta_cosine, theta_sine; ///< of theta
    int is_two_sided;
    int classes; ///< bits of the classes that are compatible with one of its own
} abut_lmd_probe;

/// Bit k of the answer: child k can hold a quasi-LMD together with the probe. In float, with room for rounding.
typedef unsigned abut_lmd_node_test(const abut_lmd_node *node, const abut_lmd_probe *probe);

abut_lmd_node_test abut_lmd_node_test_plain;
#if defined(ABUT_HAS_AVX2)
abut_lmd_node_test abut_lmd_node_test_avx2; ///< only for processors with AVX2
#endif

#endif
