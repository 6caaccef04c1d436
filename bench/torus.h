// SPDX-License-Identifier: MIT
// torus.h: the meshes that the benchmarks share: a torus of any size, boxes, and other triangles
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

#endif
