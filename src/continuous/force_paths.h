// SPDX-License-Identifier: MIT
// force_paths.h: normal and volume of two moving features along their paths, and the integral of the penalty force
//
// The three arms of a pair are first - second and two edges, the factors of the volume f = first . n, n = edge x edge.
#ifndef ABUT_CONTINUOUS_FORCE_PATHS_H
#define ABUT_CONTINUOUS_FORCE_PATHS_H

#include <abut/penalty.h>

enum { FORCE_PATH = ABUT_PENALTY_DEGREE, FORCE_NORMAL = 2 * FORCE_PATH, FORCE_VOLUME = 3 * FORCE_PATH };

/// The arms over the step. The depth is first . n / |n|, whatever the lengths of the edges are, so each arm that is very
/// large or small is brought to a size of about 1 on its own.
typedef struct abut_force_arms {
    int degree;
    int is_scaled;
    double scales[3]; ///< by which each was multiplied
    double unit;      ///< depths of these arms times this are those of the pair
    double shell;     ///< the force begins at this distance, in units of the arms
    abut_vec3 points[3][FORCE_PATH + 1];
} abut_force_arms;

/// Normal and volume over a part of the step, in the Bernstein basis.
typedef struct abut_force_paths {
    int degree; ///< of the arms; that of the normal is twice, that of the volume three times as high
    abut_vec3 normal[FORCE_NORMAL + 1];
    double volume[FORCE_VOLUME + 1];
    double wall; ///< where the force begins: a distance with the sign of the side; 0 at first
} abut_force_paths;

/// `rows[i]` has control point i of the four vertices.
abut_force_arms abut_force_arms_make(abut_moving_kind kind, int degree, const abut_vec3 *const *rows);

/// Over [s, e].
abut_force_paths abut_force_paths_make(const abut_force_arms *arms, double s, double e);

/// (f / |n| - wall) n / |n| at a time of the part, from 0 to 1; zero where the normal vanishes. In units of the arms.
abut_vec3 abut_force_at(const abut_force_paths *paths, double t);

/// The integral of (f / |n| - wall) n / |n| over [begin, end], by a rule other than ABUT_PENALTY_END, in units of the pair.
/// The wall is the shell of the arms, with the sign of the side.
abut_vec3 abut_force_integral(const abut_force_arms *arms, abut_penalty_rule rule, int side, double begin,
                              double end);

/// The power of two that brings a length to about 1.
double abut_force_scale(double length);

/// A point of a curve.
abut_vec3 abut_curve_point(const abut_vec3 *points, int degree, double t);

#endif
