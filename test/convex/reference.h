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

/// A body in world axes, relative to A's position, exact up to quadruple rounding.
typedef struct reference_body {
    quad3 *points;
    abut_vec3 *rough; ///< the points in double precision
    int count;
    const int *triangles, *edges; ///< of the mesh
    int triangle_count, edge_count;
    int last; ///< the point where a search for the highest point begins
} reference_body;

/// A facet of the Minkowski difference A - B: its outward unit normal and the overlap of the bodies along it.
typedef struct reference_facet {
    abut_vec3 normal;
    quad overlap;
} reference_facet;

typedef struct reference {
    reference_body bodies[2];
    abut_vec3 origin;        ///< A's position
    double scale;            ///< largest coordinate of both bodies
    quad least;              ///< least overlap along normals of all faces and all pairs of edges; negative: apart
    reference_facet *facets; ///< those whose overlap exceeds `least` by at most `slack`
    int facet_count, facet_capacity;
    double slack;
} reference;

/// A separating axis or the direction of minimum translation is the normal of a face or of two edges. Tries all of
/// them, and measures those that may be close to the least over all vertices.
reference reference_find(const abut_convex_pair *pair, const test_convex *a, const test_convex *b, double slack);
void reference_release(reference *truth);

/// The overlap along a direction from A to B, over all vertices.
double reference_overlap(reference *truth, abut_vec3 direction);

/// Lower bound of the distance of a world point from body 0 (A) or 1 (B): the largest distance in front of the plane
/// of a triangle, moved out to the body's highest point.
double reference_outside(reference *truth, int body, abut_vec3 point);

/// The distance of disjoint bodies, over all pairs of vertices and triangles and all pairs of edges.
double reference_distance(const reference *truth);

/// normal . (to - from), and in `across` the length of the component orthogonal to the normal.
double reference_along(abut_vec3 normal, abut_vec3 from, abut_vec3 to, double *across);

#endif
