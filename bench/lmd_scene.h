// SPDX-License-Identifier: MIT
// lmd_scene.h: the assembly as complexes, and requests along its path
#ifndef ABUT_BENCH_LMD_SCENE_H
#define ABUT_BENCH_LMD_SCENE_H

#include "bench.h"

#include <abut-lab/assembly.h>

/// The complexes of an assembly. Freed by lmd_scene_end().
typedef struct lmd_scene {
    abut_assembly *assembly;
    abut_complex *complexes[ABUT_ASSEMBLY_SHAPES];
    abut_lmd_set *set;
    double build_seconds;
    int64_t simplex_count, bytes; ///< of all complexes
} lmd_scene;

/// What the requests of a path find and test, in all.
typedef struct lmd_counts {
    int64_t lmds[ABUT_ASSEMBLY_PHASES], leaf_pairs[ABUT_ASSEMBLY_PHASES], node_pairs[ABUT_ASSEMBLY_PHASES];
    int64_t most_nodes; ///< node pairs of the request with the most
    double shortest;    ///< the shortest distance of all
    uint64_t hash;      ///< of all answers
} lmd_counts;

/// Builds the complexes with as many threads as given. The assembly must outlive the scene. Returns 0 on failure, after a
/// line on stderr.
int lmd_scene_start(lmd_scene *s, abut_assembly *assembly, int is_plain, int threads);
void lmd_scene_end(lmd_scene *s);

/// One pair of a request: the linkage at a pose beside shape `shape`, 1 to 25. The set has the answer.
int lmd_scene_ask(lmd_scene *s, int pose, int shape);

/// Request `pose`: all pairs.
void lmd_scene_request(void *scene, int pose);

lmd_counts lmd_scene_count(lmd_scene *s);

#endif
