// SPDX-License-Identifier: MIT
// roof.h: a roof for tests of methods on triangles
#ifndef ABUT_TEST_METHOD_ROOF_H
#define ABUT_TEST_METHOD_ROOF_H

#include "shapes.h"

/// A roof with a ridge from -1 to 1 along z, slopes down to y = -1 at x = -1 and x = 1, closed below; then turned, and
/// moved up by `height`.
static inline abut_mesh *make_roof(abut_quat turn, double height)
{
    abut_vec3 vertices[6] = {{0, 0, -1}, {0, 0, 1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, -1}, {-1, -1, 1}};
    for (int i = 0; i < 6; ++i) {
        vertices[i] = abut_add(abut_quat_rotate(turn, vertices[i]), abut_vec3_make(0, height, 0));
    }
    static const int triangles[] = {0, 1, 3, 0, 3, 2, 0, 4, 5, 0, 5, 1, 2, 3, 5, 2, 5, 4, 1, 5, 3, 0, 2, 4};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.face_vertices = triangles;
    def.face_count = 8;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

#endif
