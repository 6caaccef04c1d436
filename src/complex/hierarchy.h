// SPDX-License-Identifier: MIT
// hierarchy.h: the sphere-cone hierarchy over the simplices of a complex
#ifndef ABUT_COMPLEX_HIERARCHY_H
#define ABUT_COMPLEX_HIERARCHY_H

#include "complex/complex.h"

enum {
    ABUT_LMD_CHILDREN = 8, ///< of a node, at most
    ABUT_LMD_DEEPEST = 11  ///< levels: 2^30 simplices, eight times fewer at each
};

/// A node: ball, cone, slab and class bits of each of its children. A child is a node or a simplex.
struct abut_lmd_node {
    float center[3][ABUT_LMD_CHILDREN]; ///< relative to the origin of the complex
    float radius[ABUT_LMD_CHILDREN];
    float axis[3][ABUT_LMD_CHILDREN]; ///< of the cone
    float cosine[ABUT_LMD_CHILDREN];  ///< of its half angle
    float sine[ABUT_LMD_CHILDREN];
    float low[ABUT_LMD_CHILDREN]; ///< the slab: the simplices along the axis, from the center
    float high[ABUT_LMD_CHILDREN];
    int32_t child[ABUT_LMD_CHILDREN];              ///< a node; ~s: simplex s
    unsigned char classes[ABUT_LMD_CHILDREN];      ///< bit k: there is a simplex of class k; 0: there is no child
    unsigned char is_two_sided[ABUT_LMD_CHILDREN]; ///< the cone
};

/// The bounds of a child, in double.
typedef struct abut_lmd_bounds {
    abut_vec3 center;
    double radius;
    abut_vec3 axis;
    double cosine, sine, low, high;
    int child, classes, is_two_sided;
} abut_lmd_bounds;

/// Children are named by 8 times their node, and their place in it.
static inline abut_lmd_bounds abut_lmd_get_bounds(const abut_lmd_node *nodes, int child)
{
    const abut_lmd_node *n = &nodes[child / ABUT_LMD_CHILDREN];
    int k = child % ABUT_LMD_CHILDREN;
    abut_lmd_bounds bounds = {{n->center[0][k], n->center[1][k], n->center[2][k]},
                              n->radius[k],
                              {n->axis[0][k], n->axis[1][k], n->axis[2][k]},
                              n->cosine[k],
                              n->sine[k],
                              n->low[k],
                              n->high[k],
                              n->child[k],
                              n->classes[k],
                              n->is_two_sided[k]};
    return bounds;
}

/// The vertices of a simplex. Returns how many: 1 to 3.
int abut_complex_corners(const abut_complex *complex, int simplex, int corners[3]);

/// Builds the hierarchy from classes and cones. Plain: cuts by position only, and no class bits.
abut_status abut_complex_make_hierarchy(abut_complex *complex, int is_plain, abut_error *error);

#endif
