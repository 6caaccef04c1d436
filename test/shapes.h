// SPDX-License-Identifier: MIT
// shapes.h: small meshes and shapes for tests
#ifndef ABUT_TEST_SHAPES_H
#define ABUT_TEST_SHAPES_H

#include "check.h"

#include <abut/abut.h>

/// A mesh of triangles.
static inline abut_mesh *make_triangles(const abut_context *context, const abut_vec3 *vertices, int vertex_count,
                                        const int *triangles, int count)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_vertices = triangles;
    def.face_count = count;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(context, &def, &mesh, &error), ABUT_OK);
    return mesh;
}

/// A box given by its lower and upper corner, as twelve outward triangles. Face 2k and 2k + 1 are the sides -x, +x, -y, +y,
/// -z, +z in this order; vertex i has x, y, z upper where bits 0, 1, 2 of i are set.
static inline abut_mesh *make_box(const abut_context *context, abut_vec3 lower, abut_vec3 upper)
{
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] =
            abut_vec3_make(i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z);
    }
    static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    return make_triangles(context, vertices, 8, triangles, 12);
}

/// The box of make_box() with the same vertices, as six tetrahedra around the diagonal from vertex 0 to vertex 7.
static inline abut_mesh *make_solid_box(const abut_context *context, abut_vec3 lower, abut_vec3 upper)
{
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] =
            abut_vec3_make(i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z);
    }
    static const int tets[24] = {0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.tets = tets;
    def.tet_count = 6;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(context, &def, &mesh, &error), ABUT_OK);
    return mesh;
}

/// An L with the profile (0, 0), (2, 0), (2, 1), (corner, corner), (1, 2), (0, 2) and z from 0 to 1: three unit cubes where the
/// inner corner is at 1, convex where it is at 1.5.
static inline abut_mesh *make_l(const abut_context *context, double corner)
{
    const abut_vec2 profile[6] = {{0, 0}, {2, 0}, {2, 1}, {corner, corner}, {1, 2}, {0, 2}};
    abut_vec3 vertices[12];
    int offsets[9] = {0, 6, 12}, faces[36];
    for (int i = 0; i < 12; ++i) {
        vertices[i] = abut_vec3_make(profile[i % 6].x, profile[i % 6].y, i < 6 ? 0.0 : 1.0);
        faces[i] = i < 6 ? 5 - i : i;
    }
    for (int i = 0; i < 6; ++i) {
        int next = (i + 1) % 6, *side = &faces[12 + 4 * i];
        side[0] = i, side[1] = next, side[2] = next + 6, side[3] = i + 6;
        offsets[3 + i] = 12 + 4 * (i + 1);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 12;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = 8;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(context, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

/// A tetrahedron of four vertices in any order.
static inline abut_mesh *make_tetrahedron(const abut_context *context, const abut_vec3 vertices[4])
{
    static const int tet[4] = {0, 1, 2, 3};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.tets = tet;
    def.tet_count = 1;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(context, &def, &mesh, &error), ABUT_OK);
    return mesh;
}

/// A shape of a mesh, prepared for a method.
static inline abut_shape *make_shape(const abut_context *context, const abut_mesh *mesh, const abut_method *method,
                                     const abut_params *params)
{
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_shape *shape = NULL;
    abut_error error;
    assert_int_equal(abut_shape_create(context, &def, &shape, &error), ABUT_OK);
    abut_status status = abut_shape_prepare(shape, method, params, &error);
    check_report(status == ABUT_OK, __FILE__, __LINE__, "prepare: %s", status == ABUT_OK ? "" : error.text);
    return shape;
}

/// A contact of a vertex of A with face 0 of B, whose normal is given. Gap 0, no region.
static inline abut_contact plain_contact(abut_vec3 position, abut_vec3 normal, int vertex)
{
    abut_contact c = {.position_a = position,
                      .position_b = position,
                      .normal = normal,
                      .feature_a = abut_feature_vertex(vertex),
                      .feature_b = abut_feature_face(0),
                      .normal_feature = abut_feature_face(0),
                      .normal_side = ABUT_NORMAL_B,
                      .anchor_a = {.vertices = {vertex, -1, -1, -1}, .weights = {1.0}},
                      .anchor_b = {.vertices = {-1, -1, -1, -1}},
                      .region = -1};
    return c;
}

#endif
