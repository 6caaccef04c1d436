// SPDX-License-Identifier: MIT
// penalty_shell.c: penetration intervals of features that keep a separation
//
// With the normal n of the features, the volume f = n . (p - q) and the separation h, the features are within their shell
// where f^2 < h^2 |n|^2. Both sides are polynomials, of degree 6 for straight paths and 12 for curved ones, and their
// difference changes its sign where the pair enters or leaves the shell. A pair that entered from one side leaves on that
// side only, so whatever passes through is pushed back.
//
// A pair also ends where its normal has turned by a right angle: two edges that pass through parallel have a normal that
// turns over, and their side means nothing after that.
//
// The side is known wherever the distance is not zero: pairs in the shell at the start need no history.
#include "continuous/penalty_shell.h"

#include "math/bernstein.h"

static const double BESIDE = 1e-9; // weights down to its negative are inside
static const double WIDEST = 1e60; // larger shells, in units of the arms, are clamped

enum { SHELL_DEGREE = 2 * 3 * 2, SHELL_EVENTS = SHELL_DEGREE + 6 };

const abut_impact *abut_impact_at(const abut_impacts *impacts, double time)
{
    for (int i = 0; i < impacts->count; ++i) {
        const abut_impact *impact = &impacts->items[i];
        if (time >= impact->lower - 0x1p-40 && time <= impact->upper + 0x1p-40) {
            return impact;
        }
    }
    return NULL;
}

void abut_penalty_begin(abut_penalty *penalty, double time, int side, const double *weights)
{
    abut_penalty_interval *interval = &penalty->intervals[penalty->interval_count];
    interval->begin = time;
    interval->side = side;
    for (int i = 0; i < 4; ++i) {
        interval->weights[i] = weights[i];
    }
}

void abut_penalty_keep(abut_penalty *penalty)
{
    abut_penalty_interval *last = &penalty->intervals[penalty->interval_count++];
    last->end = 1.0;
    penalty->track.side = last->side;
    for (int i = 0; i < 4; ++i) {
        penalty->track.weights[i] = last->weights[i];
    }
}

/// Whether the features face each other at a time: the foot of the vertex is in the triangle, or the nearest points of the
/// lines are in the edges. `weights` are those of the points.
static int face(const abut_moving_pair *pair, const abut_force_arms *arms, double time, double weights[4])
{
    abut_vec3 arm[3];
    for (int i = 0; i < 3; ++i) {
        arm[i] = abut_curve_point(arms->points[i], arms->degree, time);
    }
    abut_vec3 normal = abut_cross(arm[1], arm[2]);
    double square = abut_norm_squared(normal);
    if (!(square > 0.0)) {
        return 0;
    }
    // arm[0] = s arm[1] + u arm[2] + a multiple of the normal; each arm may have its own scale
    double s = abut_dot(abut_cross(arm[0], arm[2]), normal) / square * (arms->scales[1] / arms->scales[0]);
    double u = abut_dot(abut_cross(arm[1], arm[0]), normal) / square * (arms->scales[2] / arms->scales[0]);
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    weights[0] = is_face ? 1.0 : 1.0 + s;
    weights[1] = is_face ? 1.0 - s - u : -s;
    weights[2] = is_face ? s : 1.0 - u;
    weights[3] = u;
    return weights[0] >= -BESIDE && weights[1] >= -BESIDE && weights[2] >= -BESIDE && weights[3] >= -BESIDE;
}

/// Whether the paths stay outside of the shell for sure.
static int is_far(const abut_force_paths *paths, double shell)
{
    const double *f = paths->volume;
    double least = fabs(f[0]), longest = 0.0;
    for (int i = 0; i <= 3 * paths->degree; ++i) {
        if (abut_sign_of(f[i]) != abut_sign_of(f[0])) {
            return 0;
        }
        least = fmin(least, fabs(f[i]));
    }
    for (int i = 0; i <= 2 * paths->degree; ++i) {
        longest = fmax(longest, abut_norm_squared(paths->normal[i]));
    }
    return least * least > shell * shell * longest;
}

// never_face() is asked for most pairs, so the products are written out instead of calling abut_bernstein_dot() and
// abut_bernstein_cross().

/// The Bernstein coefficients of the product of two quadratics: 1, 4, 6, 4, 1 times them.
static void multiply(const abut_vec3 a[3], const abut_vec3 b[3], double out[5])
{
    out[0] = abut_dot(a[0], b[0]);
    out[1] = 2.0 * (abut_dot(a[0], b[1]) + abut_dot(a[1], b[0]));
    out[2] = abut_dot(a[0], b[2]) + 4.0 * abut_dot(a[1], b[1]) + abut_dot(a[2], b[0]);
    out[3] = 2.0 * (abut_dot(a[1], b[2]) + abut_dot(a[2], b[1]));
    out[4] = abut_dot(a[2], b[2]);
}

/// The cross product of two straight paths.
static void cross_paths(const abut_vec3 *a, const abut_vec3 *b, abut_vec3 out[3])
{
    out[0] = abut_cross(a[0], b[0]);
    out[1] = abut_scale(0.5, abut_add(abut_cross(a[0], b[1]), abut_cross(a[1], b[0])));
    out[2] = abut_cross(a[1], b[1]);
}

/// Whether features on straight paths surely face each other at no time: one of the weights is negative all the time. Then
/// they neither enter the shell nor touch.
static int never_face(const abut_moving_pair *pair, const abut_force_arms *arms, const abut_force_paths *paths)
{
    if (arms->degree != 1 || arms->is_scaled) {
        return 0;
    }
    abut_vec3 moments[3];
    double s[5], u[5], square[5];
    cross_paths(arms->points[0], arms->points[2], moments);
    multiply(moments, paths->normal, s);
    cross_paths(arms->points[1], arms->points[0], moments);
    multiply(moments, paths->normal, u);
    multiply(paths->normal, paths->normal, square);
    int is_face = pair->kind == ABUT_VERTEX_FACE, beside[4] = {1, 1, 1, 1};
    for (int i = 0; i < 5; ++i) {
        double least = -2.0 * BESIDE * fabs(square[i]);
        double first = is_face ? s[i] : -s[i], sum = is_face ? square[i] - s[i] - u[i] : square[i] + s[i];
        beside[0] &= first < least;
        beside[1] &= u[i] < least;
        beside[2] &= sum < least;
        beside[3] &= !is_face && square[i] - u[i] < least;
    }
    return beside[0] | beside[1] | beside[2] | beside[3];
}

/// The time after `begin` at which the normal has turned by a right angle, or 1. Features whose normal turns over are edges
/// that become parallel: their points run away and they face each other no more.
static double find_turn(const abut_force_paths *paths, double begin)
{
    double along[FORCE_NORMAL + 1], roots[FORCE_NORMAL];
    int n = 2 * paths->degree, has_root = 0;
    abut_vec3 normal = abut_curve_point(paths->normal, n, begin);
    for (int i = 0; i <= n; ++i) {
        along[i] = abut_dot(normal, paths->normal[i]);
        has_root |= !(along[i] > 0.0);
    }
    int count = has_root ? abut_bernstein_roots(along, n, roots) : 0;
    for (int i = 0; i < count; ++i) {
        if (roots[i] > begin) {
            return roots[i];
        }
    }
    return 1.0;
}

/// Ends the pair where its normal has turned over. Returns whether it did before a time.
static int ends_by_turning(const abut_force_paths *paths, double until, abut_penalty *penalty)
{
    abut_penalty_interval *last = &penalty->intervals[penalty->interval_count];
    double turn = find_turn(paths, last->begin);
    last->end = turn;
    penalty->interval_count += turn < until;
    return turn < until;
}

/// f^2 - shell^2 |n|^2, of 6 times the degree of the paths.
static void find_shell(const abut_force_paths *paths, double shell, double *out)
{
    double square[2 * FORCE_NORMAL + 1];
    int d = paths->degree, p = 3 * d, q = 4 * d, n = 6 * d;
    abut_bernstein_dot(paths->normal, 2 * d, paths->normal, 2 * d, square);
    for (int k = 0; k <= n; ++k) {
        double f = 0.0, rest = 0.0;
        for (int i = k > p ? k - p : 0; i <= k && i <= p; ++i) {
            f += abut_binomials[p][i] * abut_binomials[p][k - i] * paths->volume[i] * paths->volume[k - i];
        }
        for (int i = k > n - q ? k - (n - q) : 0; i <= k && i <= q; ++i) {
            rest += abut_binomials[q][i] * abut_binomials[n - q][k - i] * square[i];
        }
        out[k] = (f - shell * shell * rest) / abut_binomials[n][k];
    }
}

/// A root of the volume, or of the shell: then `after` is the sign of the latter.
typedef struct shell_event {
    double time;
    int is_touch, after;
} shell_event;

/// All roots in the order of time. Returns their number.
static int list_events(const abut_force_paths *paths, const double *shell, shell_event *events)
{
    double walls[SHELL_DEGREE], touches[6];
    int d = paths->degree;
    int wall_count = abut_bernstein_roots(shell, 6 * d, walls);
    int touch_count = abut_bernstein_roots(paths->volume, 3 * d, touches);
    int made = 0, after = shell[0] < 0.0 ? -1 : 1;
    for (int i = 0, k = 0; i < wall_count || k < touch_count;) {
        if (k == touch_count || (i < wall_count && walls[i] <= touches[k])) {
            after = -after;
            events[made++] = (shell_event){walls[i++], 0, after};
        } else {
            events[made++] = (shell_event){touches[k++], 1, 0};
        }
    }
    return made;
}

/// Where a pair begins at time 0. Returns its side, or 0.
static int begin_at_start(const abut_moving_pair *pair, const abut_penalty_track *track, double shell,
                          const abut_force_arms *arms, const abut_force_paths *paths, abut_penalty *penalty)
{
    double f = paths->volume[0], wall = shell * abut_norm(paths->normal[0]), weights[4];
    if (track != NULL && track->side != 0) {
        if (track->side * f < wall) {
            abut_penalty_begin(penalty, 0.0, track->side, track->weights);
            return track->side;
        }
        return 0;
    }
    if (fabs(f) < wall && face(pair, arms, 0.0, weights)) {
        penalty->is_without_side = f == 0.0;
        abut_penalty_begin(penalty, 0.0, abut_sign_of(f), weights);
        return abut_sign_of(f);
    }
    return 0;
}

abut_status abut_find_shell_intervals(const abut_moving_pair *pair, const abut_penalty_track *track,
                                      double separation, abut_force_arms *arms, abut_penalty *penalty)
{
    double shell = fmin(separation / arms->unit, WIDEST), walls[SHELL_DEGREE + 1], weights[4];
    int is_tracked = track != NULL && track->side != 0;
    abut_force_paths paths = abut_force_paths_make(arms, 0.0, 1.0);
    if (!is_tracked && (is_far(&paths, shell) || never_face(pair, arms, &paths))) {
        return ABUT_OK;
    }
    find_shell(&paths, shell, walls);
    shell_event events[SHELL_EVENTS];
    int count = list_events(&paths, walls, events);
    int side = begin_at_start(pair, track, shell, arms, &paths, penalty), has_impacts = 0;
    abut_impacts impacts = {0};
    for (int i = 0; i < count; ++i) {
        double time = events[i].time;
        side = side != 0 && ends_by_turning(&paths, time, penalty) ? 0 : side;
        int has_room = penalty->interval_count < ABUT_PENALTY_CAPACITY;
        if (events[i].is_touch && side == 0 && has_room) {
            abut_status status = has_impacts ? ABUT_OK : abut_find_impacts(pair, NULL, &impacts);
            if (status != ABUT_OK) {
                return status;
            }
            has_impacts = 1;
            const abut_impact *impact = abut_impact_at(&impacts, time);
            if (impact != NULL && impact->side != 0) {
                side = impact->side;
                abut_penalty_begin(penalty, time, side, impact->weights);
            }
        } else if (!events[i].is_touch) {
            int at = abut_sign_of(bernstein_value(paths.volume, 3 * paths.degree, time));
            if (side == 0 && has_room && events[i].after < 0 && at != 0 && face(pair, arms, time, weights)) {
                side = at;
                abut_penalty_begin(penalty, time, side, weights);
            } else if (side != 0 && side == at && events[i].after > 0) {
                penalty->intervals[penalty->interval_count++].end = time;
                side = 0;
            }
        }
    }
    if (side != 0 && !ends_by_turning(&paths, 1.0, penalty)) {
        abut_penalty_keep(penalty);
    }
    arms->shell = shell;
    return ABUT_OK;
}
