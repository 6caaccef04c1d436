// SPDX-License-Identifier: MIT
// reference.h: signed distance by the Minkowski difference, in quadruple precision
#ifndef ABUT_TEST_REFERENCE_H
#define ABUT_TEST_REFERENCE_H

#include <abut/convex.h>

__extension__ typedef __float128 quad;

typedef struct quad3 {
    quad x, y, z;
} quad3;

/// A facet of the Minkowski difference A - B: its outward unit normal and the overlap of the bodies in it.
typedef struct reference_facet {
    quad3 normal;
    quad overlap;
} reference_facet;

typedef struct reference {
    double distance; ///< signed
    reference_facet *facets;
    int facet_count;
} reference;

/// All vertices of both bodies in the world, exact but for quadruple rounding; then all differences go to qhull, and the
/// normals of its facets are computed again from the vertices that made them. Returns 0 where qhull fails.
int reference_find(const abut_convex_pair *pair, reference *result);
void reference_release(reference *result);

/// The overlap of the bodies in a direction from A to B, over all vertices.
double reference_overlap(const abut_convex_pair *pair, abut_vec3 direction);

#endif
