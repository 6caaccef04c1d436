// SPDX-License-Identifier: MIT
// complexes.h: complexes for tests
#ifndef ABUT_TEST_COMPLEXES_H
#define ABUT_TEST_COMPLEXES_H

#include "random.h"
#include "shapes.h"

#include <abut/complex.h>
#include <stdlib.h>

static inline abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static inline abut_complex *make_complex(const abut_context *context, const abut_mesh *mesh)
{
    abut_complex_def def = abut_complex_def_default();
    def.mesh = mesh;
    abut_complex *complex = NULL;
    abut_error error;
    abut_status status = abut_complex_create(context, &def, &complex, &error);
    CHECK_STATUS(status, ABUT_OK, "complex");
    return complex;
}

/// A mesh of segments, or of points if `ends` is NULL.
static inline abut_mesh *make_segments(const abut_vec3 *vertices, int vertex_count, const int *ends, int count)
{
    abut_mesh_def def = abut_mesh_def_default();
    int points[256];
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    if (ends != NULL) {
        def.segments = ends;
        def.segment_count = count;
    } else {
        for (int i = 0; i < vertex_count; ++i) {
            points[i] = i;
        }
        def.points = points;
        def.point_count = vertex_count;
    }
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

/// A copy of a mesh, turned, scaled and moved.
static inline abut_mesh *make_moved(const abut_mesh *mesh, abut_pose pose, double scale)
{
    abut_mesh_def def = abut_mesh_get_def(mesh);
    abut_vec3 *moved = malloc((size_t)def.vertex_count * sizeof *moved);
    for (int i = 0; i < def.vertex_count; ++i) {
        moved[i] = abut_pose_apply(pose, abut_scale(scale, def.vertices[i]));
    }
    def.vertices = moved;
    abut_mesh *copy = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &copy, NULL), ABUT_OK);
    free(moved);
    return copy;
}

/// An n by n grid of squares in z = 0 from (0, 0) to (n, n), cut along one diagonal; vertex x + (n + 1) y.
static inline abut_mesh *make_sheet(int n)
{
    abut_vec3 vertices[256];
    int triangles[6 * 256], count = 0;
    for (int i = 0; i < (n + 1) * (n + 1); ++i) {
        vertices[i] = abut_vec3_make(i % (n + 1), i / (n + 1), 0.0);
    }
    for (int i = 0; i < n * n; ++i) {
        int a = i % n + (n + 1) * (i / n);
        const int square[6] = {a, a + 1, a + n + 2, a, a + n + 2, a + n + 1};
        for (int k = 0; k < 6; ++k) {
            triangles[count++] = square[k];
        }
    }
    return make_triangles(NULL, vertices, (n + 1) * (n + 1), triangles, count / 3);
}

#endif
