// SPDX-License-Identifier: MIT
// torus.c: meshes that the benchmarks share, in any size
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

static void fill_torus(int around, int across, abut_vec3 *vertices, int *triangles)
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
        fill_torus(around, across, vertices, triangles);
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

// The vertex of a cube of n cells a side at grid point x, y, z, one of which is 0 or n. The points of the lowest and
// highest layer come first, then those around the others.
static int cube_vertex(int n, int x, int y, int z)
{
    int layer = (n + 1) * (n + 1);
    if (z == 0 || z == n) {
        return (z == n ? layer : 0) + y * (n + 1) + x;
    }
    int around = y == 0 ? x : x == n ? n + y : y == n ? 3 * n - x : 4 * n - y;
    return 2 * layer + (z - 1) * 4 * n + around;
}

static int *add_square(int *end, int a, int b, int c, int d)
{
    const int triangles[6] = {a, b, c, a, c, d};
    memcpy(end, triangles, sizeof triangles);
    return end + 6;
}

static void fill_cube(int n, bench_shape *shape, abut_vec3 *vertices, int *triangles)
{
    for (int z = 0; z <= n; ++z) {
        for (int y = 0; y <= n; ++y) {
            for (int x = 0; x <= n; x += y == 0 || y == n || z == 0 || z == n ? 1 : n) {
                abut_vec3 p = {2.0 * x / n - 1.0, 2.0 * y / n - 1.0, 2.0 * z / n - 1.0};
                vertices[cube_vertex(n, x, y, z)] = shape != NULL ? shape(p) : p;
            }
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            for (int side = 0; side <= n; side += n) {
                int s = side == 0, t = !s; // outward on both sides
                triangles = add_square(triangles, cube_vertex(n, i + s, k, side), cube_vertex(n, i + t, k, side),
                                       cube_vertex(n, i + t, k + 1, side), cube_vertex(n, i + s, k + 1, side));
                triangles = add_square(triangles, cube_vertex(n, i + t, side, k), cube_vertex(n, i + s, side, k),
                                       cube_vertex(n, i + s, side, k + 1), cube_vertex(n, i + t, side, k + 1));
                triangles = add_square(triangles, cube_vertex(n, side, i + s, k), cube_vertex(n, side, i + t, k),
                                       cube_vertex(n, side, i + t, k + 1), cube_vertex(n, side, i + s, k + 1));
            }
        }
    }
}

abut_status bench_make_cube(int triangle_count, bench_shape *shape, abut_mesh **mesh, abut_error *error)
{
    int n = (int)(sqrt(triangle_count / 12.0) + 0.5), count = 6 * n * n + 2;
    abut_vec3 *vertices = malloc((size_t)count * sizeof *vertices);
    int *triangles = malloc((size_t)n * (size_t)n * 36 * sizeof *triangles);
    abut_status status = ABUT_NO_MEMORY;
    if (vertices != NULL && triangles != NULL) {
        fill_cube(n, shape, vertices, triangles);
        abut_mesh_def def = bench_triangle_def(vertices, count, triangles, 12 * n * n);
        status = abut_mesh_create(NULL, &def, mesh, error);
    } else {
        (void)snprintf(error->text, sizeof error->text, "out of memory");
    }
    free(triangles);
    free(vertices);
    return status;
}

abut_vec3 bench_sphere(abut_vec3 p)
{
    return abut_unit(p);
}

abut_vec3 bench_rough(abut_vec3 p)
{
    abut_vec3 u = abut_unit(p);
    double height = 1.0, amplitude = 0.08, frequency = 3.0;
    for (int octave = 0; octave < 6; ++octave) { // each half as high and 2.1 times as fine
        height += amplitude * sin(frequency * u.x + 1.7 * octave) * sin(frequency * u.y + 0.6 * octave + 1.0) *
                  sin(frequency * u.z + 2.9 * octave + 2.0);
        amplitude *= 0.5;
        frequency *= 2.1;
    }
    return abut_scale(height, u);
}
