// SPDX-License-Identifier: MIT
// torus.h: the mesh that the benchmarks share, in any size
#ifndef ABUT_BENCH_TORUS_H
#define ABUT_BENCH_TORUS_H

#include <abut/mesh.h>

/// A closed torus (radii 1 and 0.4, axis z) of about as many triangles: a grid of quads, each cut in two.
abut_status bench_make_torus(int triangle_count, abut_mesh **mesh, abut_error *error);

#endif
