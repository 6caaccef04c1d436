// SPDX-License-Identifier: MIT
// regions_points.h: scenes that touch in one point or in few
#ifndef ABUT_BENCH_REGIONS_POINTS_H
#define ABUT_BENCH_REGIONS_POINTS_H

#include "regions_scene.h"

// Each makes the meshes of a scene and places them. Returns its size, or 0 after a line on stderr.

/// A cone of `size` faces, tip on tip with another, which is turned by half a face.
double regions_points_tips(regions_scene *s, int size);
/// A cone of `size` faces, tip down on a slab.
double regions_points_apex(regions_scene *s, int size);
/// The case of two saddles of `size` dips.
double regions_points_saddles(regions_scene *s, int size);
/// An L on another one, turned by 90 degrees. `size` is 1.
double regions_points_turned_l(regions_scene *s, int size);
/// An L beside another one. `size` is 1.
double regions_points_l_beside(regions_scene *s, int size);

#endif
