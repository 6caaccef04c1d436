// SPDX-License-Identifier: MIT
// tessellate.h: solids, and random tessellations of them
#ifndef ABUT_TEST_TESSELLATE_H
#define ABUT_TEST_TESSELLATE_H

#include "random.h"

#include <abut/mesh.h>

/// A surface of triangles that can be subdivided. Triangles with the same plane number are coplanar.
typedef struct test_solid {
    abut_vec3 *vertices;
    int vertex_count, vertex_capacity;
    int *triangles; ///< three vertices each
    int *planes;    ///< a number for each triangle
    int triangle_count, triangle_capacity;
} test_solid;

/// A solid from polygons. `polygons` has for each the number of its vertices and then the vertices; a 0 ends the
/// list. Coordinates must be small integers (times a power of two), so that planes can be compared exactly.
test_solid solid_from_polygons(const abut_vec3 *vertices, int vertex_count, const int *polygons);

/// A solid of unit cubes, one for each '#' in `filled`. x varies fastest, then y, then z.
test_solid solid_from_voxels(const char *filled, int nx, int ny, int nz);

/// An upright prism on a regular polygon, of radius and height 1.
test_solid solid_prism(int side_count);

/// A regular polygon of radius 1 as an open sheet.
test_solid solid_disc(int side_count);

/// The triangles of a mesh, with the faces of its B-rep as planes.
test_solid solid_from_mesh(const abut_mesh *mesh);

test_solid solid_copy(const test_solid *solid);
void solid_free(test_solid *solid);

/// Changes the triangles but not the surface: adds vertices on edges and in triangles, and flips edges between
/// coplanar triangles.
void solid_tessellate(test_solid *solid, test_random *random, int vertex_count, int flip_count);

/// Renumbers vertices and triangles, and rotates the corners of triangles.
void solid_shuffle(test_solid *solid, test_random *random);

/// p -> pose (scale p)
void solid_move(test_solid *solid, double scale, abut_pose pose);

/// Rounds all coordinates to float.
void solid_round(test_solid *solid);

/// The mesh of the solid. Ends the test if it cannot be made.
abut_mesh *solid_mesh(const test_solid *solid, abut_precision precision);

#endif
