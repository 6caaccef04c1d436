// SPDX-License-Identifier: MIT
// mesh_pairs.h: what two meshes have in common, and how long it takes abut and other libraries to find out
#ifndef ABUT_BENCH_MESH_PAIRS_H
#define ABUT_BENCH_MESH_PAIRS_H

#include "bench.h"

#include <abut/tree.h>

/// Adds rows on the builds of peers; `min_ns` is what abut takes for a triangle. Returns 0 on failure.
int bench_measure_peer_builds(bench_report *report, const bench_options *options, const char *scene,
                              const abut_mesh *mesh, double min_ns);

/// Adds rows on a mesh and its copy in several places: intersecting pairs and the least distance. Returns 0 on failure.
int bench_measure_mesh_pairs(bench_report *report, const bench_options *options, const char *scene,
                             const abut_mesh *mesh, const abut_tree *tree);

#endif
