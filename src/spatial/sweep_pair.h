// SPDX-License-Identifier: MIT
// sweep_pair.h: when two moving triangles touch
//
// Everything is seen from the center of A, in the axes that A has at the start, so that lengths are of the size of the
// bodies wherever they are. The gap of two sets along a unit vector n, from A to B, is min n.b - max n.a. Two convex sets are apart if the gap
// is positive along some n; how the gap of fixed n changes is easy to bound.
#ifndef ABUT_SPATIAL_SWEEP_PAIR_H
#define ABUT_SPATIAL_SWEEP_PAIR_H

#include <abut/math.h>

/// A body at one time.
typedef struct abut_sweep_body {
    abut_vec3 at;       ///< its center
    abut_vec3 velocity; ///< of the center; that of A is zero
    abut_vec3 spin;
    double spin_rate; ///< length of `spin`
    abut_vec3 center; ///< in the body's frame
} abut_sweep_body;

typedef struct abut_sweep_bodies {
    abut_sweep_body a, b;
    abut_mat3 rotation;   ///< from B's axes to A's
    double time;          ///< since the start of the sweep
    double rest;          ///< time up to the end of the sweep
    double tolerance;     ///< what counts as touching
    double sink;          ///< by how much bodies that touch at the start may get into each other before it is told
    double time_accuracy; ///< a triangle pair touches if it is sure to be apart for no longer than this
    double rounding;      ///< error of a gap
} abut_sweep_bodies;

/// How a pair of triangles touches.
typedef struct abut_sweep_touch {
    double time, gap;
    abut_vec3 normal;
} abut_sweep_touch;

/// How long c + f t + q t^2 - e t^3 is sure to stay at or above 0, up to `most`. 0 if c is below 0; e is 0 or more.
double abut_sweep_span(double c, double f, double q, double e, double most);

/// Whether sets with a gap of at most the tolerance, now and before, keep it above -tolerance up to the end of the sweep.
/// `reach_a` and `reach_b` bound the distance of points from the centers.
int abut_sweep_slides(const abut_sweep_bodies *s, abut_vec3 normal, double gap, double reach_a, double reach_b);

/// Whether two triangles touch before `end`, a time within which no body turns by more than 1. Corners are relative to
/// the centers.
int abut_sweep_triangles(const abut_sweep_bodies *s, const abut_vec3 a[3], const abut_vec3 b[3], double end,
                         abut_sweep_touch *touch);

/// The corners of a triangle at a later time, relative to the center of the body.
void abut_sweep_turn(const abut_sweep_body *body, const abut_vec3 corners[3], double time, abut_vec3 turned[3]);

#endif
