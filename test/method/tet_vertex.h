// SPDX-License-Identifier: MIT
// tet_vertex.h: what the tests of vertex-only and consistent-vertex share
#ifndef ABUT_TEST_METHOD_TET_VERTEX_H
#define ABUT_TEST_METHOD_TET_VERTEX_H

#include "method/local_scene.h"

/// A corner of a cube: the faces x = 0, y = 0, z = 0 with normals -x, -y, -z, and x + y + z = 1.
static inline abut_mesh *make_corner(void)
{
    static const abut_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return make_tetrahedron(NULL, vertices);
}

/// Two tetrahedra with a common face in x = 0: (0, 0, 0), (0, 1, 0), (0, 0, 1) with (1, 0, 0), and with (-1, 0, 0).
static inline abut_mesh *make_two_corners(void)
{
    static const abut_vec3 vertices[5] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}};
    static const int tets[8] = {0, 1, 2, 3, 0, 1, 2, 4};
    return make_tet_mesh(NULL, vertices, 5, tets, 2);
}

/// A tetrahedron with one vertex at the tip and three others from there.
static inline abut_mesh *make_spike(abut_vec3 tip, abut_vec3 u, abut_vec3 v, abut_vec3 w)
{
    const abut_vec3 vertices[4] = {tip, abut_add(tip, u), abut_add(tip, v), abut_add(tip, w)};
    return make_tetrahedron(NULL, vertices);
}

/// A needle upward from its tip. Its other vertices are 2 higher, so that only the tip gets near anything.
static inline abut_mesh *make_needle(abut_vec3 tip)
{
    return make_spike(tip, v3(0.1, 2, 0), v3(-0.1, 2, 0.1), v3(0, 2, -0.1));
}

/// Checks the contacts of two meshes, and destroys these.
static inline void check_vertices(const char *method, const char *option, abut_mesh *a, abut_mesh *b,
                                  const local_expected *expected, int count, const char *label)
{
    local_scene s;
    local_begin(&s, NULL, method, option, a, b);
    local_find(&s);
    local_check(&s, expected, count, label);
    local_end(&s);
}

/// Four vertices in a plane: no volume, no normal, so no contact; counted.
static inline void check_flat_host(const char *method)
{
    const abut_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {1, 0, 1}};
    local_scene s;
    local_begin(&s, NULL, method, NULL, make_tetrahedron(NULL, flat), make_needle(v3(0.5, 0, 0.4)));
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 0, "nothing");
    CHECK_INT(s.result.stats.degenerate_elements, 1, "counted");
    local_end(&s);
}

#endif
