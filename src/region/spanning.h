// SPDX-License-Identifier: MIT
// spanning.h: fewer normals and fewer points, for solvers that ask for a spanning set only
#ifndef ABUT_REGION_SPANNING_H
#define ABUT_REGION_SPANNING_H

#include <abut/math.h>

/// Moves the (at most three) most transversal of some normals to the front; returns how many. Three normals span all
/// directions, but do not keep a point inside a pit of four walls: the fourth wall is open.
int abut_spanning_normals(abut_vec3 *normals, int count);

/// Chooses at most three of some points: the two that are furthest apart, and the one furthest from their line.
/// Returns how many; points that add nothing are left out.
int abut_spanning_points(const abut_vec3 *points, int count, double tolerance, int chosen[3]);

/// A normal at a point.
typedef struct abut_constraint {
    abut_vec3 point, normal;
} abut_constraint;

/// Chooses at most six constraints whose effects on the six degrees of freedom of a body are independent, each as
/// different from those before it as possible. `size` makes turning and moving comparable. Returns how many.
int abut_spanning_constraints(const abut_constraint *constraints, int count, double size, int chosen[6]);

#endif
