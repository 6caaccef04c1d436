// SPDX-License-Identifier: MIT
// torus.c: the meshes that the benchmarks share
#include "torus.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tau = 6.283185307179586; // a full turn

abut_mesh_def bench_triangle_def(const abut_vec3 *vertices, int vertex_count, const int *triangles,
                                 int triangle_count)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_vertices = triangles;
    def.face_count = triangle_count;
    return def;
}

static void fill(int around, int across, abut_vec3 *vertices, int *triangles)
{
    for (int i = 0; i < around * across; ++i) {
        int a = i / across, b = i % across;
        double u = tau * a / around, v = tau * b / across, radius = 1.0 + 0.4 * cos(v);
        vertices[i] = abut_vec3_make(radius * cos(u), radius * sin(u), 0.4 * sin(v));
        int next_a = (a + 1) % around * across, next_b = (b + 1) % across;
        const int quad[6] = {i, next_a + b, next_a + next_b, i, next_a + next_b, a * across + next_b};
        memcpy(triangles + (size_t)i * 6, quad, sizeof quad);
    }
}

abut_status bench_make_torus(int triangle_count, abut_mesh **mesh, abut_error *error)
{
    // About square quads: the ratio of the radii is 2.5.
    int around = (int)sqrt(0.5 * triangle_count * 2.5), across = triangle_count / (2 * around);
    int count = around * across;
    abut_vec3 *vertices = malloc((size_t)count * sizeof *vertices);
    int *triangles = malloc((size_t)count * 6 * sizeof *triangles);
    abut_status status = ABUT_NO_MEMORY;
    if (vertices != NULL && triangles != NULL) {
        fill(around, across, vertices, triangles);
        abut_mesh_def def = bench_triangle_def(vertices, count, triangles, 2 * count);
        status = abut_mesh_create(NULL, &def, mesh, error);
    } else {
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    }
    free(triangles);
    free(vertices);
    return status;
}

int bench_make_box(abut_vec3 size, abut_mesh **mesh)
{
    static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? 0.5 * size.x : -0.5 * size.x, i & 2 ? 0.5 * size.y : -0.5 * size.y,
                                     i & 4 ? 0.5 * size.z : -0.5 * size.z);
    }
    abut_mesh_def def = bench_triangle_def(vertices, 8, triangles, 12);
    abut_error error;
    return abut_mesh_create(NULL, &def, mesh, &error) == ABUT_OK || bench_fail("%s", error.text);
}
