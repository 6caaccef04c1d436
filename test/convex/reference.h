// SPDX-License-Identifier: MIT
// reference.h: overlap and distance of convex bodies by brute force over all features, in quadruple precision
#ifndef ABUT_TEST_REFERENCE_H
#define ABUT_TEST_REFERENCE_H

#include "pairs.h"

#include <float.h>

#if LDBL_MANT_DIG >= 113
typedef long double quad; // arm64 has no other name for it
#else
__extension__ typedef __float128 quad;
#endif

typedef struct quad3 {
    quad x, y, z;
} quad3;

/// A body in the world, relative to A's position: exact but for quadruple rounding.
typedef struct reference_body {
    quad3 *points;
    abut_vec3 *rough; ///< the same in double precision
    int count;
    const int *triangles, *edges; ///< of the mesh
    int triangle_count, edge_count;
    int last; ///< where a search for the highest point begins
} reference_body;

/// A facet of the Minkowski difference A - B: its outward unit normal and the overlap of the bodies in it.
typedef struct reference_facet {
    abut_vec3 normal;
    quad overlap;
} reference_facet;

typedef struct reference {
    reference_body bodies[2];
    abut_vec3 origin;        ///< A's position
    double scale;            ///< largest coordinate of both bodies
    quad least;              ///< overlap over the normals of all faces and of all pairs of edges; negative: apart
    reference_facet *facets; ///< those whose overlap is above that by `slack` at most
    int facet_count, facet_capacity;
    double slack;
} reference;

/// Whatever separates the bodies, or is the shortest way out, is the normal of a face or of two edges: all of them
/// are tried, and those that may be near to the least are measured over all vertices.
reference reference_find(const abut_convex_pair *pair, const test_convex *a, const test_convex *b, double slack);
void reference_release(reference *truth);

/// The overlap in a direction from A to B, over all vertices.
double reference_overlap(reference *truth, abut_vec3 direction);

/// How far a point of the world is out of body 0 (A) or 1 (B), at least: in front of the plane of one of its
/// triangles, moved out to the body's highest point.
double reference_outside(reference *truth, int body, abut_vec3 point);

/// The distance of bodies that are apart: vertices from triangles and edges from edges, all of them.
double reference_distance(const reference *truth);

/// normal . (to - from), and the length of what is left at right angles.
double reference_along(abut_vec3 normal, abut_vec3 from, abut_vec3 to, double *across);

#endif
