// SPDX-License-Identifier: MIT
// torus.h: meshes that the benchmarks share, in any size
#ifndef ABUT_BENCH_TORUS_H
#define ABUT_BENCH_TORUS_H

#include <abut/mesh.h>

/// A mesh of triangles. The arrays remain the caller's.
abut_mesh_def bench_triangle_def(const abut_vec3 *vertices, int vertex_count, const int *triangles,
                                 int triangle_count);

/// A closed torus (radii 1 and 0.4, axis z) of about `triangle_count` triangles: a grid of quads, each cut in two.
abut_status bench_make_torus(int triangle_count, abut_mesh **mesh, abut_error *error);

/// A box of 12 triangles around the origin. Returns 0 on failure, after a line on stderr.
int bench_make_box(abut_vec3 size, abut_mesh **mesh);

/// Moves a vertex of a cube of side 2 about the origin.
typedef abut_vec3 bench_shape(abut_vec3 p);

/// A cube of side 2 about the origin with about as many triangles, all of the same size; `shape` moves its vertices,
/// NULL: a cube.
abut_status bench_make_cube(int triangle_count, bench_shape *shape, abut_mesh **mesh, abut_error *error);

/// Shapes for bench_make_cube(): the unit sphere, and one with bumps of several sizes, the largest of 0.15.
abut_vec3 bench_sphere(abut_vec3 p);
abut_vec3 bench_rough(abut_vec3 p);

#endif
