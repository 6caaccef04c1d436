// SPDX-License-Identifier: MIT
// regions_scene.h: a query of two solids, and how it is measured
#ifndef ABUT_BENCH_REGIONS_SCENE_H
#define ABUT_BENCH_REGIONS_SCENE_H

#include "bench.h"

#include <abut/abut.h>

/// A query and its data. Freed by regions_scene_end().
typedef struct regions_scene {
    abut_mesh *meshes[2]; ///< the second may be the first
    abut_shape *shapes[2];
    abut_workspace *workspace;
    abut_result result;
    abut_pair pair;
    abut_params params;
    const abut_method *method;
    int calls; ///< of a repeat
    int is_sliding;
    abut_pose ends[2]; ///< of B, which slides to and fro between them
} regions_scene;

/// A scene without meshes, both poses the identity.
regions_scene regions_scene_start(void);
void regions_scene_end(regions_scene *s);

/// Prepares both meshes for a method. Returns 0 on failure, after a line on stderr; so do the functions below.
int regions_scene_prepare(regions_scene *s, const abut_method *method);

/// Adds a memory to the pair, with the answer of a first query.
int regions_scene_remember(regions_scene *s);

/// Lets B move from query to query: by `way`, and by `angle` about the z axis, and back. If the pair has a memory, what a
/// query writes to it is committed after it.
void regions_scene_slide(regions_scene *s, abut_vec3 way, double angle);

/// Measures the query and adds a row.
int regions_scene_measure(bench_report *report, const bench_options *options, regions_scene *s, const char *name,
                          const char *subject);

/// The slope of the line through points, by least squares.
double regions_slope(const double *x, const double *y, int count);

/// Time and memory to prepare shapes, in growing sizes (regions_preparation.c).
int bench_regions_preparation(bench_report *report, const bench_options *options);

/// Queries of one kind of scene in growing sizes, each row with the exponents of its growth (regions_growth.c).
int bench_regions_growth(bench_report *report, const bench_options *options);

#endif
