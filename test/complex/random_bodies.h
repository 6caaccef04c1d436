// SPDX-License-Identifier: MIT
// random_bodies.h: random complexes of every kind, some on a lattice so that much is parallel and flat
#ifndef ABUT_TEST_RANDOM_BODIES_H
#define ABUT_TEST_RANDOM_BODIES_H

#include "complexes.h"

enum { LATTICE = 3 }; ///< cells along each axis

/// Vertex (x, y, z) of the lattice.
static inline int lattice_vertex(int x, int y, int z)
{
    return x + (LATTICE + 1) * (y + (LATTICE + 1) * z);
}

/// A solid of random lattice cells, each of six tetrahedra around its diagonal; vertices are moved by up to `jitter`.
static inline abut_mesh *make_cells(test_random *random, double jitter)
{
    enum { SIDE = LATTICE + 1, VERTICES = SIDE * SIDE * SIDE };
    static const int paths[6][3] = {{1, 2, 4}, {1, 4, 2}, {2, 1, 4}, {2, 4, 1}, {4, 1, 2}, {4, 2, 1}};
    abut_vec3 vertices[VERTICES];
    int tets[4 * 6 * LATTICE * LATTICE * LATTICE], count = 0;
    for (int i = 0; i < VERTICES; ++i) {
        abut_vec3 p = abut_vec3_make(i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
        vertices[i] = abut_add(abut_scale(1.0 / LATTICE, p), random_vec3(random, jitter / LATTICE));
    }
    for (int i = 0; i < LATTICE * LATTICE * LATTICE; ++i) {
        if (i > 0 && random_below(random, 5) < 3) {
            continue;
        }
        int cell[3] = {i % LATTICE, i / LATTICE % LATTICE, i / LATTICE / LATTICE};
        for (int k = 0; k < 6; ++k) {
            for (int corner = 0, bits = 0; corner < 4; ++corner) {
                tets[count++] =
                    lattice_vertex(cell[0] + (bits & 1), cell[1] + (bits >> 1 & 1), cell[2] + (bits >> 2 & 1));
                bits |= corner < 3 ? paths[k][corner] : 0;
            }
        }
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = VERTICES;
    def.tets = tets;
    def.tet_count = count / 4;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

/// Points, a polyline and a strip of triangles over random vertices, flat if `flatness` is 0.
static inline abut_mesh *make_scraps(test_random *random, double flatness)
{
    enum { COUNT = 12 };
    abut_vec3 vertices[3 * COUNT];
    int points[COUNT], segments[2 * COUNT], triangles[3 * COUNT];
    for (int i = 0; i < COUNT; ++i) {
        vertices[i] = random_vec3(random, 0.5);
        // a strip with straight borders
        vertices[COUNT + i] =
            abut_vec3_make(0.1 * i - 0.5, (i % 2 == 0 ? 0.0 : 0.3) + random_in(random, -flatness, flatness),
                           random_in(random, -flatness, flatness));
        vertices[2 * COUNT + i] =
            abut_vec3_make(0.1 * i - 0.5, 0.6 + random_in(random, -flatness, flatness), 0.1 * (i % 3));
        points[i] = i;
        segments[2 * i] = 2 * COUNT + i;
        segments[2 * i + 1] = 2 * COUNT + i + 1;
        triangles[3 * i] = COUNT + i;
        triangles[3 * i + 1] = COUNT + i + 1 + i % 2;
        triangles[3 * i + 2] = COUNT + i + 2 - i % 2;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3 * COUNT;
    def.points = points;
    def.point_count = random_below(random, COUNT);
    def.segments = segments;
    def.segment_count = random_below(random, COUNT - 1);
    def.face_vertices = triangles;
    def.face_count = 1 + random_below(random, COUNT - 3);
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

/// The surface of a mesh of tetrahedra, without them.
static inline abut_mesh *make_surface(const abut_mesh *mesh)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    return make_triangles(NULL, e.vertices, e.vertex_count, e.triangles, e.triangle_count);
}

/// A body of the given kind: 0 lattice cells, 1 cells with moved vertices, 2 flat scraps, 3 crumpled scraps.
static inline abut_mesh *make_random_body(test_random *random, int kind)
{
    return kind == 0   ? make_cells(random, 0.0)
           : kind == 1 ? make_cells(random, 0.2)
           : kind == 2 ? make_scraps(random, 0.0)
                       : make_scraps(random, 0.2);
}

#endif
