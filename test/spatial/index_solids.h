// SPDX-License-Identifier: MIT
// index_solids.h: solids for the tests of the Brep-index, and an exact oracle that locates points
#ifndef ABUT_TEST_INDEX_SOLIDS_H
#define ABUT_TEST_INDEX_SOLIDS_H

#include "random.h"

#include <abut/abut.h>

/// A mesh with its B-rep and index. All are freed together.
typedef struct indexed_solid {
    const char *name;
    abut_mesh *mesh;
    abut_brep *brep;
    abut_brep_index *index;
} indexed_solid;

/// Solids with integer coordinates, convex and not, with holes, cavities and several parts. The first VOXEL_SOLIDS are
/// made of unit cubes.
enum { VOXEL_SOLIDS = 8, EXACT_SOLIDS = 11, ALL_SOLIDS = 15 };

/// Number `which` of ALL_SOLIDS. Those from EXACT_SOLIDS on have arbitrary coordinates. Ends the test on failure.
indexed_solid make_indexed_solid(int which, abut_index_cuts cuts);

/// Solid number `which`, randomly triangulated, turned, scaled and moved.
indexed_solid make_moved_solid(int which, abut_index_cuts cuts, test_random *random);

/// A random solid of unit cubes in an n by n by n grid whose surface is a manifold.
indexed_solid make_voxel_blob(int n, abut_index_cuts cuts, test_random *random);

/// A polyhedral sphere of slices and stacks: two caps of triangles, between them quadrilaterals.
indexed_solid make_sphere(int slices, int stacks, abut_index_cuts cuts);

/// A prism of height 1 on a polygon with `teeth` corners at radius 1, alternating with as many at radius 0.8.
indexed_solid make_gear(int teeth, abut_index_cuts cuts);

void free_indexed_solid(indexed_solid *solid);

/// Locates a point by exact signs: on a vertex, edge or face, else inside or outside by the parity of a ray's
/// crossings.
abut_location locate_exactly(const indexed_solid *solid, abut_vec3 point);

/// Distance to the nearest triangle, by brute force.
double distance_to_surface(const indexed_solid *solid, abut_vec3 point);

/// Whether the insides of two solids of unit cubes, B moved by `shift`, have a cube in common.
int has_common_cube(const indexed_solid *a, const indexed_solid *b, abut_vec3 shift);

static inline int is_same_location(abut_location a, abut_location b)
{
    return a.place == b.place && a.entity == b.entity;
}

#endif
