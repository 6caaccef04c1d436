// SPDX-License-Identifier: MIT
// penalty.c: penalty impulses of moving features, integrated along their paths
//
// With n the normal of the features (not of unit length) and f = n . (p - q) their volume, the force on the first feature
// is -k (f / |n|^2) n: the depth -side f / |n| along side n / |n|. It does not depend on the points p and q, as n is at right
// angles to the features, nor on the sign of n. It is bounded by k |p - q| also if n vanishes. force_paths.c integrates it.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, theorem 1 and equations 12, 13, 16, 17; the slips of the paper are listed in
//          docs/methods/continuous.md.
// Differs: signs, and the factor dt; the exact integral is the default. The paper's constant is the root mean square of
//          |n| over the step; ABUT_PENALTY_INTERVAL takes it over the interval.
#include <abut/penalty.h>
#include <abut/support.h>

#include "continuous/force_paths.h"
#include "continuous/impulse_wide.h"
#include "continuous/penalty_shell.h"
#include "math/bernstein.h"
#include "prim/moving.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

#include <string.h>

static const double LARGEST = 1e100;
static const double USUAL = 1e30; // squares of distances up to this, down to its inverse, need no scaling

/// No intervals and no impulses. The room for intervals is left as it is: to clear it takes longer than to test most pairs.
static void clear(abut_penalty *penalty)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    penalty->interval_count = 0;
    for (int i = 0; i < 4; ++i) {
        penalty->impulses[i] = zero;
    }
    penalty->total = penalty->angular_defect = zero;
    penalty->is_without_side = 0;
    penalty->track = (abut_penalty_track){0};
    penalty->end_depth = 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Intervals

/// A pair that touches at the end of the step without being inside has a side to remember: the next step cannot see it.
static void keep_touch(const abut_moving *moving, const abut_impacts *impacts, int known, abut_penalty *penalty)
{
    const abut_impact *last = impacts->count > 0 ? &impacts->items[impacts->count - 1] : NULL;
    if (last == NULL || last->upper < 1.0) {
        return;
    }
    int side = penalty->interval_count > 0 ? penalty->intervals[penalty->interval_count - 1].side : known;
    if (side == 0 && last->lower > 0.0) {
        side = abut_sign_of(bernstein_value(moving->volume, 3 * moving->degree, last->lower));
    }
    penalty->track.side = side;
    memcpy(penalty->track.weights, last->weights, sizeof last->weights);
}

/// Walks along the sign changes of the volume: the first feature enters where it meets the second one, and leaves where
/// the sign comes back, met or not.
static void find_intervals(const abut_moving *moving, const abut_impacts *impacts, const abut_penalty_track *track,
                           abut_penalty *penalty)
{
    double roots[MOVING_VOLUME];
    const double *volume = moving->volume;
    int n = 3 * moving->degree, known = track != NULL ? track->side : 0;
    int root_count = abut_bernstein_roots(volume, n, roots);
    int side = 0; // sign of the volume, just after time 0 and then after each root
    for (int i = 0; i <= n && side == 0; ++i) {
        side = abut_sign_of(volume[i]);
    }
    int is_inside = known * side < 0;
    if (is_inside) {
        abut_penalty_begin(penalty, 0.0, known, track->weights);
    }
    penalty->is_without_side = known == 0 && impacts->count > 0 && impacts->items[0].lower == 0.0;
    int first = volume[0] == 0.0 && side < 0; // the root at time 0 is behind
    for (int i = first; i < root_count; ++i, side = -side) {
        if (is_inside) {
            penalty->intervals[penalty->interval_count++].end = roots[i];
            is_inside = 0;
            continue;
        }
        const abut_impact *impact = abut_impact_at(impacts, roots[i]);
        int has_side = impact != NULL && (impact->lower > 0.0 || known == side);
        if (has_side && penalty->interval_count < ABUT_PENALTY_CAPACITY) {
            abut_penalty_begin(penalty, roots[i], side, impact->weights);
            is_inside = 1;
        }
    }
    if (is_inside) {
        abut_penalty_keep(penalty);
    } else {
        keep_touch(moving, impacts, known, penalty);
    }
}

/// Distributes an impulse on the first feature to the vertices.
static void distribute(const abut_moving_pair *pair, abut_vec3 impulse, const double *weights, double time,
                       abut_penalty *penalty)
{
    int first = pair->kind == ABUT_VERTEX_FACE ? 1 : 2, degree = pair->is_curved ? 2 : 1;
    abut_vec3 gap = {0.0, 0.0, 0.0};
    for (int i = 0; i < 4; ++i) {
        double weight = i < first ? weights[i] : -weights[i];
        penalty->impulses[i] = abut_add_scaled(penalty->impulses[i], weight, impulse);
        abut_vec3 c[MOVING_PATH + 1]; // relative to vertex 0: the weights sum to zero
        for (int step = 0; step <= degree; ++step) {
            const abut_vec3 *v = abut_moving_vertices(pair, step);
            c[step] = abut_sub(v[i], v[0]);
        }
        gap = abut_add_scaled(gap, weight, abut_curve_point(c, degree, time));
    }
    penalty->total = abut_add(penalty->total, impulse);
    penalty->angular_defect = abut_add(penalty->angular_defect, abut_cross(gap, impulse));
}

static void find_impulses(const abut_moving_pair *pair, const abut_force_arms *arms,
                          const abut_penalty_params *params, abut_penalty *penalty)
{
    double factor = -params->stiffness * params->dt;
    abut_vec3 at_end = {0.0, 0.0, 0.0};
    if (penalty->track.side != 0) {
        abut_force_paths last = abut_force_paths_make(arms, 1.0, 1.0);
        last.wall = penalty->track.side * arms->shell;
        at_end = abut_force_at(&last, 1.0);
        double wall = arms->shell * abut_norm(last.normal[2 * last.degree]);
        int is_inside = penalty->track.side * last.volume[3 * last.degree] < wall;
        penalty->end_depth = is_inside ? arms->unit * abut_norm(at_end) : 0.0;
    }
    for (int i = 0; i < penalty->interval_count; ++i) {
        abut_penalty_interval *interval = &penalty->intervals[i];
        double time = 0.5 * (interval->begin + interval->end);
        if (params->rule == ABUT_PENALTY_END) {
            int is_last = interval->end == 1.0 && penalty->track.side != 0;
            interval->impulse = abut_scale(is_last ? factor * arms->unit : 0.0, at_end);
            time = 1.0;
        } else {
            interval->impulse = abut_scale(
                factor, abut_force_integral(arms, params->rule, interval->side, interval->begin, interval->end));
        }
        distribute(pair, interval->impulse, interval->weights, time, penalty);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Queries

void abut_penalty_params_init(abut_penalty_params *params, size_t size)
{
    const abut_penalty_params made = {
        .struct_size = sizeof made, .rule = ABUT_PENALTY_EXACT, .dt = 1.0, .stiffness = 1.0};
    abut_write_versioned(params, size, &made, sizeof made);
}

static abut_status read_params(const abut_penalty_params *params, abut_penalty_params *own)
{
    *own =
        (abut_penalty_params){.struct_size = sizeof *own, .rule = ABUT_PENALTY_EXACT, .dt = 1.0, .stiffness = 1.0};
    if ((params != NULL && !abut_read_versioned(own, sizeof *own, params)) || own->rule < ABUT_PENALTY_EXACT ||
        own->rule > ABUT_PENALTY_END) {
        return ABUT_BAD_ARGUMENT;
    }
    int is_fine = own->dt >= 0.0 && own->dt <= LARGEST && own->stiffness >= 0.0 && own->stiffness <= LARGEST &&
                  own->separation >= 0.0 && own->separation <= LARGEST;
    return is_fine ? ABUT_OK : ABUT_BAD_DATA;
}

static int are_in_range(const abut_vec3 *points, int count)
{
    int is_fine = 1;
    for (int i = 0; i < count; ++i) {
        abut_vec3 a = abut_abs(points[i]); // false for NaN
        is_fine &= (a.x <= LARGEST) & (a.y <= LARGEST) & (a.z <= LARGEST);
    }
    return is_fine;
}

/// Whether all coordinates of the paths are finite and not too large.
static int is_in_range(const abut_moving_pair *pair)
{
    return are_in_range(pair->start, 4) & are_in_range(pair->end, 4) &
           (!pair->is_curved || are_in_range(pair->middle, 4));
}

static abut_force_arms arms_of(const abut_moving_pair *pair)
{
    int degree = pair->is_curved ? 2 : 1;
    const abut_vec3 *rows[MOVING_PATH + 1];
    for (int i = 0; i <= degree; ++i) {
        rows[i] = abut_moving_vertices(pair, i);
    }
    return abut_force_arms_make(pair->kind, degree, rows);
}

static double sum_of(abut_vec3 v)
{
    return v.x + v.y + v.z;
}

/// The axes along which the first feature is above the second one by the distance (bits 0 to 2), or below (3 to 5).
static int axes_apart(abut_moving_kind kind, const abut_vec3 *v, double distance)
{
    int is_face = kind == ABUT_VERTEX_FACE;
    abut_vec3 low = is_face ? v[0] : abut_min(v[0], v[1]), high = is_face ? v[0] : abut_max(v[0], v[1]);
    abut_vec3 other_low = abut_min(v[2], v[3]), other_high = abut_max(v[2], v[3]);
    other_low = is_face ? abut_min(other_low, v[1]) : other_low;
    other_high = is_face ? abut_max(other_high, v[1]) : other_high;
    abut_vec3 above = abut_sub(low, other_high), below = abut_sub(other_low, high);
    return (above.x >= distance) | (above.y >= distance) << 1 | (above.z >= distance) << 2 |
           (below.x >= distance) << 3 | (below.y >= distance) << 4 | (below.z >= distance) << 5;
}

/// The intervals of a pair with a separation.
static abut_status find_near_intervals(const abut_moving_pair *pair, const abut_penalty_track *track,
                                       double separation, abut_force_arms *arms, abut_penalty *penalty)
{
    if (pair->kind != ABUT_VERTEX_FACE && pair->kind != ABUT_EDGE_EDGE) {
        return ABUT_BAD_ARGUMENT;
    }
    if (!is_in_range(pair)) {
        return ABUT_BAD_DATA;
    }
    int is_tracked = track != NULL && track->side != 0;
    if (!is_tracked && !pair->is_curved &&
        (axes_apart(pair->kind, pair->start, separation) & axes_apart(pair->kind, pair->end, separation)) != 0) {
        return ABUT_OK; // an axis that keeps them apart at both ends does so all the time
    }
    *arms = arms_of(pair);
    return abut_find_shell_intervals(pair, track, separation, arms, penalty);
}

/// The intervals of a pair without a separation.
static abut_status find_touch_intervals(const abut_moving_pair *pair, const abut_penalty_track *track,
                                        abut_force_arms *arms, abut_penalty *penalty)
{
    abut_impacts impacts;
    abut_status status = abut_find_impacts(pair, NULL, &impacts);
    int is_tracked = track != NULL && track->side != 0;
    if (status != ABUT_OK || (impacts.count == 0 && !is_tracked)) {
        return status;
    }
    abut_moving moving;
    (void)abut_moving_make(pair, &moving); // abut_find_impacts() took it
    abut_moving_find_volume(pair, &moving);
    *arms = arms_of(pair);
    if (arms->is_scaled) {
        abut_force_paths paths = abut_force_paths_make(arms, 0.0, 1.0);
        memcpy(moving.volume, paths.volume, sizeof moving.volume);
    }
    find_intervals(&moving, &impacts, track, penalty);
    return ABUT_OK;
}

abut_status abut_find_penalty(const abut_moving_pair *pair, const abut_penalty_track *track,
                              const abut_penalty_params *params, abut_penalty *penalty)
{
    clear(penalty);
    abut_penalty_params own;
    abut_force_arms arms;
    abut_status status = read_params(params, &own);
    if (status == ABUT_OK && own.separation > 0.0) {
        status = find_near_intervals(pair, track, own.separation, &arms, penalty);
    } else if (status == ABUT_OK) {
        status = find_touch_intervals(pair, track, &arms, penalty);
    }
    if (status == ABUT_OK && penalty->interval_count > 0) {
        find_impulses(pair, &arms, &own, penalty);
    }
    if (status != ABUT_OK || !isfinite(sum_of(penalty->total)) || !isfinite(sum_of(penalty->angular_defect))) {
        clear(penalty);
        return status != ABUT_OK ? status : ABUT_BAD_DATA;
    }
    return ABUT_OK;
}

abut_vec3 abut_interval_impulse(const abut_moving_pair *pair, double factor, double begin, double end)
{
    if (!is_in_range(pair)) {
        return abut_vec3_make((double)NAN, (double)NAN, (double)NAN);
    }
    abut_force_arms arms = arms_of(pair);
    return abut_scale(-factor, abut_force_integral(&arms, ABUT_PENALTY_INTERVAL, 0, begin, end));
}

abut_status abut_find_path_impulse(abut_moving_kind kind, int degree, const abut_vec3 *points, double begin,
                                   double end, const abut_penalty_params *params, abut_vec3 *impulse)
{
    *impulse = abut_vec3_make(0.0, 0.0, 0.0);
    abut_penalty_params own;
    abut_status status = read_params(params, &own);
    if (status != ABUT_OK || degree < 1 || degree > ABUT_PENALTY_DEGREE || own.separation > 0.0 ||
        (kind != ABUT_VERTEX_FACE && kind != ABUT_EDGE_EDGE)) {
        return status != ABUT_OK ? status : ABUT_BAD_ARGUMENT;
    }
    if (!(begin >= 0.0 && begin <= end && end <= 1.0) || !are_in_range(points, 4 * (degree + 1))) {
        return ABUT_BAD_DATA;
    }
    const abut_vec3 *rows[ABUT_PENALTY_DEGREE + 1];
    for (int i = 0; i <= degree; ++i) {
        rows[i] = points + (ptrdiff_t)4 * i;
    }
    abut_force_arms arms = abut_force_arms_make(kind, degree, rows);
    if (own.rule == ABUT_PENALTY_END) {
        abut_force_paths last = abut_force_paths_make(&arms, 1.0, 1.0);
        *impulse = abut_scale(end == 1.0 ? -own.stiffness * own.dt * arms.unit : 0.0, abut_force_at(&last, 1.0));
    } else {
        *impulse = abut_scale(-own.stiffness * own.dt, abut_force_integral(&arms, own.rule, 0, begin, end));
    }
    return ABUT_OK;
}

/// Scales vectors whose products of distances would overflow or vanish. Returns what they were in units of now.
static double bring_to_usual_size(abut_vec3 v[4])
{
    double largest = 0.0;
    for (int i = 0; i < 4; ++i) {
        largest = fmax(largest, abut_max_component(abut_abs(v[i])));
    }
    double scale = abut_force_scale(largest);
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_scale(scale, v[i]);
    }
    return 1.0 / scale;
}

abut_status abut_find_discrete_penalty(const abut_moving_pair *pair, double tolerance,
                                       const abut_penalty_params *params, abut_penalty *penalty)
{
    clear(penalty);
    abut_penalty_params own;
    abut_status status = read_params(params, &own);
    if (status != ABUT_OK || own.separation > 0.0 ||
        (pair->kind != ABUT_VERTEX_FACE && pair->kind != ABUT_EDGE_EDGE)) {
        return status != ABUT_OK ? status : ABUT_BAD_ARGUMENT;
    }
    if (!(tolerance >= 0.0 && tolerance <= LARGEST) || !is_in_range(pair)) {
        return ABUT_BAD_DATA;
    }
    if (axes_apart(pair->kind, pair->end, tolerance) != 0) {
        return ABUT_OK;
    }
    double weights[4] = {1.0}, unit = 1.0;
    abut_vec3 v[4], gap;
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_sub(pair->end[i], pair->end[0]);
    }
    double squares = abut_norm_squared(v[1]) + abut_norm_squared(v[2]) + abut_norm_squared(v[3]);
    if (!(squares < USUAL && squares > 1.0 / USUAL)) {
        unit = bring_to_usual_size(v);
    }
    if (pair->kind == ABUT_VERTEX_FACE) {
        (void)abut_point_triangle_distance_squared(v[0], v + 1, weights + 1);
        gap = abut_negate(abut_triangle_point(v + 1, weights + 1));
    } else {
        (void)abut_segment_segment_distance_squared(v[0], v[1], v[2], v[3], &weights[1], &weights[3]);
        weights[0] = 1.0 - weights[1];
        weights[2] = 1.0 - weights[3];
        gap = abut_sub(abut_lerp(v[0], v[1], weights[1]), abut_lerp(v[2], v[3], weights[3]));
    }
    double scaled = abut_norm(gap), distance = scaled * unit;
    if (scaled > 0.0 && distance < tolerance) {
        abut_vec3 impulse = abut_scale(own.stiffness * own.dt * (tolerance - distance) / scaled, gap);
        penalty->intervals[0] = (abut_penalty_interval){.begin = 1.0, .end = 1.0, .impulse = impulse};
        memcpy(penalty->intervals[0].weights, weights, sizeof weights);
        penalty->interval_count = 1;
        distribute(pair, impulse, weights, 1.0, penalty);
    }
    return ABUT_OK;
}

abut_vec3 abut_penalty_friction(abut_vec3 impulse, abut_vec3 velocity, double coulomb, double viscous_dt,
                                double limit)
{
    abut_vec3 direction = abut_unit(impulse);
    abut_vec3 sliding = abut_add_scaled(velocity, -abut_dot(velocity, direction), direction);
    double speed = abut_norm(sliding);
    if (!(speed > 0.0)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    double size = fmin(coulomb * abut_norm(impulse) + viscous_dt * speed, limit);
    return abut_scale(-size / speed, sliding);
}
