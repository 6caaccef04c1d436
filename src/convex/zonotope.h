// SPDX-License-Identifier: MIT
// zonotope.h: shapes that are sums of a few segments, such as boxes
#ifndef ABUT_CONVEX_ZONOTOPE_H
#define ABUT_CONVEX_ZONOTOPE_H

#include <abut/math.h>

enum {
    /// Enough for boxes, hexagonal prisms and rhombic dodecahedra; loops over four doubles also vectorise well.
    ABUT_ZONOTOPE_GENERATORS = 4,
    ABUT_ZONOTOPE_FACES = 6,  ///< pairs of opposite faces: at most one per pair of the 4 generators
    ABUT_ZONOTOPE_EDGES = 24, ///< by Euler: 14 vertices + 12 faces - 2
};

/// All points center + t1 g1 + t2 g2 + ... with t from -1 to 1. The generators g are half edges.
typedef struct abut_zonotope {
    int count; ///< number of generators; 0 if the shape is no zonotope or has more than four
    int face_count;
    int is_box; ///< 1: face i is at right angles to generator i, and its normal along it; the generators are right-handed
    abut_vec3 center;
    double x[ABUT_ZONOTOPE_GENERATORS], y[ABUT_ZONOTOPE_GENERATORS],
        z[ABUT_ZONOTOPE_GENERATORS];          ///< coordinates of the generators; zero beyond `count`
    double squared[ABUT_ZONOTOPE_GENERATORS]; ///< squared lengths of the generators
    abut_vec3 normals[ABUT_ZONOTOPE_FACES];
    double widths[ABUT_ZONOTOPE_FACES]; ///< distance from the center to the face
    int faces[ABUT_ZONOTOPE_FACES][2];  ///< the face along the normal and the one against it
    /// weights[f][g] is the length of g x (the other generators of face f), summed over these. For n = g x b, the
    /// extent of this zonotope along n is the sum over f of weights[f][g] |normals[f] . b|: see zonotope.c.
    double weights[ABUT_ZONOTOPE_FACES][ABUT_ZONOTOPE_GENERATORS];
    int vertices[1 << ABUT_ZONOTOPE_GENERATORS]; ///< indexed by the signs of all t as bits; -1: no vertex
    int generators[ABUT_ZONOTOPE_EDGES];         ///< generator of each edge
} abut_zonotope;

#endif
