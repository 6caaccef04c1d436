// SPDX-License-Identifier: MIT
// zonotope.h: shapes that are sums of a few segments, such as boxes
#ifndef ABUT_CONVEX_ZONOTOPE_H
#define ABUT_CONVEX_ZONOTOPE_H

#include <abut/math.h>

enum {
    ABUT_ZONOTOPE_GENERATORS = 4,
    ABUT_ZONOTOPE_FACES = 6,  ///< pairs of opposite faces: one for each two generators
    ABUT_ZONOTOPE_EDGES = 24, ///< two less than vertices and faces, which are 14 and 12
};

/// All points center + t1 g1 + t2 g2 + ... with t between -1 and 1: the generators g are halves of edges.
typedef struct abut_zonotope {
    int count; ///< of generators; 0: the shape is no zonotope, or has more
    int face_count;
    abut_vec3 center;
    double x[ABUT_ZONOTOPE_GENERATORS], y[ABUT_ZONOTOPE_GENERATORS],
        z[ABUT_ZONOTOPE_GENERATORS];          ///< of generators; zero beyond `count`
    double squared[ABUT_ZONOTOPE_GENERATORS]; ///< their squared lengths
    abut_vec3 normals[ABUT_ZONOTOPE_FACES];
    double widths[ABUT_ZONOTOPE_FACES]; ///< from the center to the face
    int faces[ABUT_ZONOTOPE_FACES][2];  ///< along the normal and against it
    /// For a direction at right angles to generator g, all others reach as far as a sum of weights [face][g] times the
    /// normal's part along what else spans the direction: see zonotope.c.
    double weights[ABUT_ZONOTOPE_FACES][ABUT_ZONOTOPE_GENERATORS];
    int vertices[1 << ABUT_ZONOTOPE_GENERATORS]; ///< by the signs of all t; -1: no vertex
    int generators[ABUT_ZONOTOPE_EDGES];         ///< of each edge
} abut_zonotope;

#endif
