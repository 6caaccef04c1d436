// SPDX-License-Identifier: MIT
// spanning.h: fewer normals, points and constraints, for solvers that need a spanning set only
#ifndef ABUT_REGION_SPANNING_H
#define ABUT_REGION_SPANNING_H

#include "region/cone.h"

/// Moves the most transversal normals, at most three, to the front; returns how many. Three normals span all
/// directions, but do not hold a point in a pit of four walls: the fourth wall is missing.
int abut_spanning_normals(abut_vec3 *normals, int count);

/// Normals of equally good cones together, at most, unless each of the cones alone has more.
enum { ABUT_TIED_NORMALS = 8 };

/// Of the marked cones, which are given by their normals, leaves some marked that have at most ABUT_TIED_NORMALS
/// normals together, or one cone: one with the fewest normals, then those in the most different directions. What all
/// of them allow, each of them allows.
void abut_spanning_cones(const abut_directions *cones, int count, double angle, unsigned char *is_marked);

/// Chooses at most three points: the two that are furthest apart, and the one furthest from their line. Returns how
/// many; points within the tolerance of those before them are left out.
int abut_spanning_points(const abut_vec3 *points, int count, double tolerance, int chosen[3]);

/// A normal at a point.
typedef struct abut_constraint {
    abut_vec3 point, normal;
} abut_constraint;

/// Chooses at most six constraints with linearly independent wrenches, each as far as possible from the span of those
/// before it. Moments are divided by `size`, to compare them with forces. Returns how many.
int abut_spanning_constraints(const abut_constraint *constraints, int count, double size, int chosen[6]);

#endif
