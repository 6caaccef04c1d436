// SPDX-License-Identifier: MIT
// mesh_pairs.h: intersecting pairs of triangles and distance of two meshes, with abut and other libraries
#ifndef ABUT_BENCH_MESH_PAIRS_H
#define ABUT_BENCH_MESH_PAIRS_H

#include "bench.h"

#include <abut/tree.h>

/// Adds rows for the builds of peers; `min_ns` is the time of abut per triangle. Returns 0 on failure.
int bench_measure_peer_builds(bench_report *report, const bench_options *options, const char *scene,
                              const abut_mesh *mesh, double min_ns);

/// Adds rows for a mesh and its copy at several poses: intersecting pairs and distance. Returns 0 on failure.
int bench_measure_mesh_pairs(bench_report *report, const bench_options *options, const char *scene,
                             const abut_mesh *mesh, const abut_tree *tree);

/// Adds rows for the distance of two meshes of about as many triangles each, of several shapes and at several poses.
/// Returns 0 on failure.
int bench_measure_mesh_distances(bench_report *report, const bench_options *options, const char *scene,
                                 int triangle_count);

#endif
