// SPDX-License-Identifier: MIT
// solids.h: families of random convex solids, most of them with faces and edges that are parallel to each other
#ifndef ABUT_TEST_SOLIDS_H
#define ABUT_TEST_SOLIDS_H

#include "pairs.h"

typedef enum solid {
    SOLID_BOX,
    SOLID_PRISM,     ///< regular polygons
    SOLID_ANTIPRISM, ///< the upper polygon turned by half a side
    SOLID_FRUSTUM,   ///< the upper polygon smaller, by 1e-13 to 0.9
    SOLID_CONE,      ///< a polygon and a tip, 1e-3 to 10 high
    SOLID_WEDGE,     ///< a box with a sloping top that ends at the bottom or above it
    SOLID_CUT_CUBE,  ///< a corner cut off, by 1e-10 to 0.9
    SOLID_BULGE,     ///< a cube with points 1e-13 to 1e-3 above three faces
    SOLID_PLATE,     ///< a square or a polygon, 1e-7 to 1e-3 thick
    SOLID_SUM,       ///< of three to five segments, some of them nearly parallel, short, or in a plane
    SOLID_ROUND,     ///< an icosahedron, some with the middles of its edges
    SOLID_HULL,      ///< of 4 to 20 points
    SOLID_SLIVER,    ///< of 4 to 16 points, flat or thin by 1e-6 to 1e-3
    SOLID_REMOTE,    ///< of 4 to 20 points, up to 1e6 from the mesh's origin
    SOLID_COUNT
} solid;

enum { SOLID_POINTS = 64 };

/// Points whose hull is the solid, about 1 in size. Returns their number.
int solid_points(test_random *random, solid which, abut_vec3 *points);

const char *solid_name(solid which);

/// Makes the hull of solid_points(), multiplied by a scale.
test_convex make_solid(test_random *random, solid which, double scale);

/// Copies a shape's vertices in the same order, multiplied by a scale.
test_convex copy_solid(const test_convex *shape, double scale);

#endif
