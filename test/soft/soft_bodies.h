// SPDX-License-Identifier: MIT
// soft_bodies.h: meshes of bars, sheets and ropes for soft bodies
#ifndef ABUT_TEST_SOFT_BODIES_H
#define ABUT_TEST_SOFT_BODIES_H

#include "check.h"
#include "failing.h"
#include "random.h"

#include <abut/abut.h>

#include <stdlib.h>

static const double PI = 3.141592653589793;

static inline abut_mesh *make_mesh(const abut_mesh_def *def)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_mesh_create(NULL, def, &mesh, &error);
    CHECK_STATUS(status, ABUT_OK, error.text);
    assert_int_equal(status, ABUT_OK);
    return mesh;
}

static inline int bar_vertex(const int cells[3], int i, int j, int k)
{
    return i + (cells[0] + 1) * (j + (cells[1] + 1) * k);
}

/// A bar of cells, each of six tetrahedra about a diagonal, with a corner at the origin.
static inline abut_mesh *make_bar(const int cells[3], abut_vec3 size)
{
    int vertex_count = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
    int cell_count = cells[0] * cells[1] * cells[2], tet_count = 0;
    abut_vec3 *vertices = malloc((size_t)vertex_count * sizeof *vertices);
    int *tets = malloc((size_t)cell_count * 24 * sizeof *tets);
    assert_true(vertices != NULL && tets != NULL);
    for (int k = 0; k <= cells[2]; ++k) {
        for (int j = 0; j <= cells[1]; ++j) {
            for (int i = 0; i <= cells[0]; ++i) {
                vertices[bar_vertex(cells, i, j, k)] =
                    abut_vec3_make(size.x * i / cells[0], size.y * j / cells[1], size.z * k / cells[2]);
            }
        }
    }
    static const int corners[24] = {0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7};
    for (int cell = 0; cell < cell_count; ++cell) {
        int i = cell % cells[0], j = cell / cells[0] % cells[1], k = cell / (cells[0] * cells[1]);
        for (int n = 0; n < 24; ++n) {
            int c = corners[n];
            tets[tet_count * 4 + n] = bar_vertex(cells, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        }
        tet_count += 6;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.tets = tets;
    def.tet_count = tet_count;
    abut_mesh *mesh = make_mesh(&def);
    free(vertices);
    free(tets);
    return mesh;
}

/// A lattice of equilateral triangles of side 1, in the xy plane: rows of `width` + 1 vertices.
static inline abut_mesh *make_lattice(int width, int rows)
{
    int vertex_count = (width + 1) * (rows + 1), face_count = 0;
    abut_vec3 *vertices = malloc((size_t)vertex_count * sizeof *vertices);
    int *faces = malloc((size_t)width * (size_t)rows * 6 * sizeof *faces);
    assert_true(vertices != NULL && faces != NULL);
    for (int i = 0; i < vertex_count; ++i) {
        int row = i / (width + 1);
        vertices[i] = abut_vec3_make(i % (width + 1) + 0.5 * (row % 2), 0.5 * sqrt(3.0) * row, 0.0);
    }
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < width; ++i) {
            int a = row * (width + 1) + i, b = a + width + 1;
            const int even[6] = {a, a + 1, b, a + 1, b + 1, b}, odd[6] = {a, b + 1, b, a, a + 1, b + 1};
            memcpy(&faces[3 * face_count], row % 2 ? odd : even, sizeof even);
            face_count += 2;
        }
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_vertices = faces;
    def.face_count = face_count;
    abut_mesh *mesh = make_mesh(&def);
    free(vertices);
    free(faces);
    return mesh;
}

/// A straight rope of segments along x.
static inline abut_mesh *make_rope(int segments, double length)
{
    abut_vec3 *vertices = malloc((size_t)(segments + 1) * sizeof *vertices);
    int *ends = malloc((size_t)segments * 2 * sizeof *ends);
    assert_true(vertices != NULL && ends != NULL);
    for (int i = 0; i <= segments; ++i) {
        vertices[i] = abut_vec3_make(length * i / segments, 0.0, 0.0);
        if (i < segments) {
            ends[2 * i] = i;
            ends[2 * i + 1] = i + 1;
        }
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = segments + 1;
    def.segments = ends;
    def.segment_count = segments;
    abut_mesh *mesh = make_mesh(&def);
    free(vertices);
    free(ends);
    return mesh;
}

static inline abut_soft *make_soft(const abut_context *context, const abut_mesh *mesh,
                                   const abut_soft_material *material)
{
    abut_soft_def def = abut_soft_def_default();
    def.mesh = mesh;
    def.material = material;
    abut_soft *soft = NULL;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_soft_create(context, &def, &soft, &error), ABUT_OK, error.text);
    assert_non_null(soft);
    return soft;
}

static inline abut_soft_report advance(abut_soft *soft, const abut_soft_params *params)
{
    abut_soft_report report;
    abut_error error = {.text = ""};
    CHECK_STATUS(abut_soft_accelerate(soft, params, &report, &error), ABUT_OK, error.text);
    CHECK_STATUS(abut_soft_move(soft, params->dt, &error), ABUT_OK, error.text);
    return report;
}

/// The state without motion under the given forces: a long implicit step.
static inline void settle(abut_soft *soft, const abut_soft_params *given)
{
    abut_soft_params params = *given;
    params.dt = 1e4;
    params.newton_limit = 100;
    params.iteration_limit = 20000;
    abut_soft_report report = advance(soft, &params);
    CHECK(report.is_converged, "residual %g", report.residual);
}

#endif
