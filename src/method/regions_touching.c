// SPDX-License-Identifier: MIT
// regions_touching.c: poses in which two solids touch, and their contact regions there
//
// Regions exist only where solids touch. Solids that overlap because of their motion are moved back along it, by at
// most one time step, to where they begin to touch. If that does not separate them, or if they do not move, the
// tolerance is widened step by step until the overlap counts as touching. Solids that overlap by more are separated
// (regions_overlap.c). With an envelope, solids that are apart touch within it.
#include "abut/sweep.h"
#include "method/regions_analysis.h"
#include "region/overlap_pieces.h"

static const double widening = 4.0;    ///< factor from one try to the next
static const double strictness = 1e-3; ///< of the tolerance: deeper overlaps are moved back along the motion
static const double rounding = 1e-12;  ///< of the size: smaller overlaps are rounding
/// Faces within an angle of 4 tolerance / size stay within the tolerance of each other, on both sides of the line in
/// which they cross, over half the size.
static const double tilting = 4.0;
/// Times the tolerance: points of solids that do not overlap may overlap so much along the normal between them.
static const double deepest_share = 2.0;
/// Of the speed: a motion with a smaller part along the normal slides along the region, and did not lead into the
/// overlap.
static const double grazing = 1e-3;
/// Radians in a time step: solids that turn by more may have touched several times in it.
static const double fast_turn = 0.5;

void abut_regions_place(abut_regions_analysis *a, abut_pose b_to_a)
{
    a->sides[1].turn = b_to_a.rotation;
    a->sides[1].rotation = abut_quat_matrix(b_to_a.rotation);
    a->sides[1].translation = b_to_a.position;
    a->has_gap = a->is_strict = 0;
}

double abut_regions_angle(const abut_query *query, double tolerance)
{
    return fmax(query->angle, tilting * tolerance / query->size);
}

/// Of the angle: beyond it directions are so uncertain that every motion counts as feasible (an eighth, see
/// abut_cone_beyond in cone.h), so segments and points are never necessary. Only polygons are, of three intervals at
/// least.
static const double blunt = 0.13;

/// Whether what touches may have regions.
static int is_promising(const abut_regions_analysis *a)
{
    return !a->touch.overlaps && a->touch.node_count > 0 && (a->angle < blunt || a->touch.interval_count >= 3);
}

static abut_touch_limits limits_of(const abut_regions_analysis *a, double tolerance)
{
    abut_touch_limits limits = {.tolerance = tolerance, .receding = a->receding};
    limits.angle = abut_regions_angle(a->query, tolerance);
    limits.linear = a->hints.linear;
    limits.angular = a->hints.angular;
    return limits;
}

/// Finds what touches, and the regions. Returns 0 if memory ran out.
static int find_regions(abut_regions_analysis *a, const abut_touch_limits *limits, const abut_touch_limits *strict)
{
    abut_arena *arena = &a->sink->arena;
    abut_convex_outcome outcome = ABUT_CONVEX_REFUSED;
    a->set = (abut_region_set){0};
    // within the envelope, solids that overlap and solids without regions are rejected alike
    a->hints.polygons_only = a->is_convex && limits->angle >= blunt && limits->tolerance > a->query->tolerance;
    int is_wide = limits->tolerance > a->query->tolerance && limits->tolerance <= a->query->envelope;
    a->hints.level = is_wide ? deepest_share * a->query->tolerance : HUGE_VAL;
    if (a->is_convex) {
        abut_convex_meeting meeting = {a->sides, a->watch.solids, a->gap.normal,
                                       limits,   strict,          a->hints.polygons_only};
        outcome = abut_convex_touch_find(arena, &meeting, &a->touch, &a->set);
        a->is_strict = outcome == ABUT_CONVEX_STRICT_POLYGON;
    }
    if (outcome == ABUT_CONVEX_REFUSED) {
        outcome = abut_touch_find(arena, a->sides, limits, &a->touch) ? ABUT_CONVEX_FOUND : ABUT_CONVEX_NO_MEMORY;
    }
    if (outcome == ABUT_CONVEX_FOUND && is_promising(a)) {
        return abut_regions_find(&a->touch, &a->hints, &a->set);
    }
    int is_polygon = outcome == ABUT_CONVEX_POLYGON || outcome == ABUT_CONVEX_STRICT_POLYGON;
    if (is_polygon && !isinf(a->hints.level)) {
        return abut_regions_finish_polygons(&a->touch, &a->hints, &a->set);
    }
    return outcome != ABUT_CONVEX_NO_MEMORY;
}

/// Finds what touches within the tolerance, and the regions. With a strict tolerance: also whether the solids overlap
/// by more than that; `is_strict` tells that they do not.
static abut_status analyse_both(abut_regions_analysis *a, double tolerance, const abut_touch_limits *strict)
{
    a->is_current = a->is_strict = 0;
    if (abut_regions_foresee(a, tolerance)) {
        return ABUT_OK;
    }
    abut_touch_limits limits = limits_of(a, tolerance);
    a->angle = limits.angle;
    if (!find_regions(a, &limits, strict)) {
        return abut_sink_fail(a->sink, ABUT_NO_MEMORY, "no memory for the contact regions");
    }
    a->overlaps = a->touch.overlaps || a->set.overlaps;
    abut_stats *stats = abut_sink_stats(a->sink);
    stats->candidate_pairs += a->touch.candidate_pairs;
    stats->tested_pairs += a->touch.tested_pairs;
    return ABUT_OK;
}

abut_status abut_regions_analyse(abut_regions_analysis *a, double tolerance)
{
    if (a->is_strict && a->touch.tolerance == tolerance) {
        return ABUT_OK; // find_overlap() has just done it
    }
    return analyse_both(a, tolerance, NULL);
}

/// Analyses with smaller and smaller tolerances, down to `least`, until the solids do not overlap.
static abut_status analyse_down(abut_regions_analysis *a, double tolerance, double least)
{
    abut_status status = abut_regions_analyse(a, tolerance);
    while (status == ABUT_OK && a->overlaps && tolerance > least) {
        tolerance = fmax(tolerance / widening, least);
        status = abut_regions_analyse(a, tolerance);
    }
    return status;
}

static double strict_tolerance(const abut_query *query)
{
    return fmax(strictness * query->tolerance, rounding * query->size);
}

abut_status abut_regions_analyse_apart(abut_regions_analysis *a, double tolerance)
{
    return analyse_down(a, tolerance, strict_tolerance(a->query));
}

// ---- moving back along the motion

/// The pose of a side `time` ago.
static abut_pose pose_before(const abut_side *side, double time)
{
    abut_pose pose = side->pose;
    double rate = abut_norm(side->angular_velocity);
    if (rate > 0.0) {
        abut_vec3 axis = abut_scale(1.0 / rate, side->angular_velocity);
        pose.rotation = abut_quat_unit(abut_quat_multiply(abut_quat_from_axis(axis, -rate * time), pose.rotation));
    }
    pose.position = abut_add_scaled(pose.position, -time, side->linear_velocity);
    return pose;
}

/// Analyses the poses of `time` ago.
static abut_status analyse_before(abut_regions_analysis *a, double time, double tolerance)
{
    const abut_pair *pair = a->query->pair;
    abut_regions_place(a, abut_pose_relative(pose_before(&pair->a, time), pose_before(&pair->b, time)));
    return abut_regions_analyse(a, tolerance);
}

/// Whether the motion leads from the regions into the overlap, and does not only slide along them.
static int is_closing(const abut_regions_analysis *a)
{
    for (int i = 0; i < a->set.region_count; ++i) {
        const abut_touch_region *region = &a->set.regions[i];
        int corner = a->set.corners[a->set.outlines[region->outline_begin].begin];
        abut_vec3 velocity =
            abut_add(a->hints.linear, abut_cross(a->hints.angular, a->touch.nodes[corner].point_a));
        for (int k = 0; k < region->normals.count; ++k) {
            if (abut_dot(region->normals.items[k], velocity) < -grazing * abut_norm(velocity)) {
                return 1;
            }
        }
    }
    return 0;
}

/// The motion of a side from where it was one step ago.
static abut_motion motion_of(const abut_side *side, double dt)
{
    abut_motion motion = {pose_before(side, dt), {0.0, 0.0, 0.0}, side->linear_velocity, side->angular_velocity};
    return motion;
}

/// How long ago solids that turn fast first touched in the last step, by a sweep; 0 if that is not known. On their way
/// they may have overlapped and parted again, and bisection would find any of these times.
static double first_touch(const abut_regions_analysis *a, double strict)
{
    const abut_pair *pair = a->query->pair;
    double turn = fmax(abut_norm(pair->a.angular_velocity), abut_norm(pair->b.angular_velocity)) * pair->dt;
    if (!(turn > fast_turn)) {
        return 0.0;
    }
    abut_sweep_def def = abut_sweep_def_default(a->sides[0].tree, a->sides[1].tree);
    def.motion_a = motion_of(&pair->a, pair->dt);
    def.motion_b = motion_of(&pair->b, pair->dt);
    def.duration = pair->dt;
    def.tolerance = strict;
    abut_sweep_hit hit;
    int is_known = abut_sweep(&def, &hit, NULL) == ABUT_OK && hit.is_hit && hit.time > 0.0;
    return is_known ? fmax(pair->dt - hit.time, 0.0) : 0.0;
}

/// Finds the moment of the last time step at which the solids begin to overlap, by a sweep or by bisection, and analyses
/// the poses just before it. `overlaps` stays set if they already overlapped one step ago.
static abut_status back_off(abut_regions_analysis *a, double speed, double strict)
{
    double early = a->query->pair->dt, late = 0.0, touch = first_touch(a, strict);
    abut_status status = analyse_before(a, touch > 0.0 ? touch : early, touch > 0.0 ? a->query->tolerance : strict);
    if (status == ABUT_OK && touch > 0.0) {
        if (!a->overlaps && a->set.region_count > 0) {
            return ABUT_OK;
        }
        status = analyse_before(a, early, strict);
    }
    if (status != ABUT_OK || a->overlaps) {
        return status;
    }
    while (status == ABUT_OK && speed * (early - late) > 0.25 * strict) {
        double middle = 0.5 * (early + late);
        if (middle <= late || middle >= early) {
            break;
        }
        status = analyse_before(a, middle, strict);
        if (a->overlaps) {
            late = middle;
        } else {
            early = middle;
        }
    }
    return status == ABUT_OK ? analyse_before(a, early, a->query->tolerance) : status;
}

/// The tolerance of the next analysis of the poses of the query.
static double next_tolerance(const abut_query *query)
{
    int has_envelope = query->envelope > fmax(query->tolerance, rounding * query->size);
    return has_envelope ? query->envelope : query->tolerance;
}

/// Whether a node shows that the solids do not overlap there by more than the strict tolerance.
static int is_shallow(const abut_regions_analysis *a, const abut_touch_node *node, double strict)
{
    abut_vec3 way = abut_sub(node->point_b, node->point_a);
    int is_face_a = node->a.kind == ABUT_ENTITY_FACE;
    if (is_face_a || node->b.kind == ABUT_ENTITY_FACE) {
        abut_vec3 n = is_face_a ? abut_touch_normal(&a->sides[0], node->a.index)
                                : abut_negate(abut_touch_normal(&a->sides[1], node->b.index));
        return abut_dot(n, way) >= -strict;
    }
    return abut_norm_squared(way) <= strict * strict;
}

/// Whether the last analysis, with a wider tolerance, shows that the solids do not overlap by more than the strict one.
/// If it found that they only touch in polygons, an overlap would show in a node: a corner behind a face, or two edges
/// that have passed each other. At other regions faces may overlap by an angle that only the strict analysis sees.
static int is_overlap_shallow(const abut_regions_analysis *a, double strict)
{
    int is_so = !a->overlaps && (a->set.region_count > 0 || a->touch.node_count == 0);
    for (int i = 0; i < a->set.region_count && is_so; ++i) {
        is_so = a->set.regions[i].dimension == 2;
    }
    for (int i = 0; i < a->touch.node_count && is_so; ++i) {
        is_so = is_shallow(a, &a->touch.nodes[i], strict);
    }
    return is_so;
}

/// find_overlap() for solids that are not convex: analyses them with both tolerances, unless the first analysis tells the
/// outcome of the other. If they do not overlap, the first one is the next one.
static abut_status find_overlap_of_any(abut_regions_analysis *a, double strict)
{
    abut_status status = abut_regions_analyse(a, a->query->tolerance);
    if (status != ABUT_OK || is_overlap_shallow(a, strict)) {
        a->is_strict = 1;
        return status;
    }
    abut_touch touch = a->touch;
    abut_region_set set = a->set;
    double angle = a->angle;
    int overlaps = a->overlaps;
    status = abut_regions_analyse(a, strict);
    if (status == ABUT_OK && !a->overlaps) {
        a->touch = touch;
        a->set = set;
        a->angle = angle;
        a->overlaps = overlaps;
        a->is_strict = 1;
    }
    return status;
}

/// Finds whether the solids overlap by more than the strict tolerance, in the poses of the query; `is_strict` tells that
/// they do not. Mostly the next analysis answers this as well, so it comes first: for convex solids with two faces on
/// each other, and for others without an envelope, within which nodes may be far apart, and without culling, which
/// leaves nodes out.
static abut_status find_overlap(abut_regions_analysis *a, double strict)
{
    if (a->is_convex) {
        if (abut_regions_foresee(a, strict)) {
            return ABUT_OK;
        }
        abut_touch_limits limits = limits_of(a, strict);
        abut_convex_meeting meeting = {a->sides, a->watch.solids, a->gap.normal, &limits, NULL, 0};
        if (abut_convex_faces_meet(&meeting)) {
            abut_status status = analyse_both(a, next_tolerance(a->query), &limits);
            if (status != ABUT_OK || a->is_strict) {
                return status;
            }
        }
    } else if (isinf(a->receding) && next_tolerance(a->query) == a->query->tolerance) {
        return find_overlap_of_any(a, strict);
    }
    return abut_regions_analyse(a, strict);
}

double abut_regions_speed_bound(const abut_regions_analysis *a)
{
    // points that can touch are in the box of the smaller solid
    const abut_box bounds[2] = {a->sides[0].model->elements.bounds, a->sides[1].model->elements.bounds};
    int smaller = abut_box_diagonal(bounds[1]) < abut_box_diagonal(bounds[0]);
    abut_vec3 middle = abut_touch_place(&a->sides[smaller], abut_box_center(bounds[smaller]));
    abut_vec3 velocity = abut_add(a->hints.linear, abut_cross(a->hints.angular, middle));
    return abut_norm(velocity) + 0.5 * abut_box_diagonal(bounds[smaller]) * abut_norm(a->hints.angular);
}

/// Whether the normals of the regions are not all parallel.
static int has_several_normals(const abut_regions_analysis *a)
{
    const abut_vec3 *first = NULL;
    for (int i = 0; i < a->set.region_count; ++i) {
        const abut_directions *normals = &a->set.regions[i].normals;
        for (int k = 0; k < normals->count; ++k) {
            first = first != NULL ? first : &normals->items[k];
            if (abut_norm(abut_cross(*first, normals->items[k])) > a->query->angle) {
                return 1;
            }
        }
    }
    return 0;
}

/// For solids that overlap everywhere on their way, which may have led further in than a wider tolerance takes: takes the
/// poses of the last step, if the memory knows that they touched in just these. A spike that fits its hole exactly and is
/// pushed aside has touched there, and at no other time. Only contacts with several normals can hold a body so.
static abut_status try_past(abut_regions_analysis *a, double speed, double strict, int *is_answer)
{
    const abut_kept *past = a->past;
    double step = speed * a->query->pair->dt;
    if (past == NULL || a->hints.remembered_count == 0 || step <= abut_regions_overlap_limit * a->query->size ||
        abut_regions_distance_moved(a, past->b_to_a) > 2.0 * step ||
        abut_norm(abut_sub(past->touching.position, past->b_to_a.position)) > strict) {
        return ABUT_OK;
    }
    abut_regions_place(a, past->touching);
    abut_status status = abut_regions_analyse(a, a->query->tolerance);
    *is_answer = status == ABUT_OK && !a->overlaps && has_several_normals(a);
    return status;
}

/// Whether one of the solids is not convex, or has several parts. Convex solids that overlap have one touch only, and all
/// of their corners inside are left to method convex.
static int has_reflex_edge(const abut_regions_analysis *a)
{
    for (int side = 0; side < 2; ++side) {
        const abut_region_model *model = a->sides[side].model;
        for (int i = 0; i < model->brep.edge_count; ++i) {
            if (model->brep.edges[i].kind == ABUT_EDGE_REFLEX) {
                return 1;
            }
        }
        if (model->part_count > 1) {
            return 1;
        }
    }
    return 0;
}

static abut_status try_envelopes(abut_regions_analysis *a, int *is_answer);

/// For solids that were moved back to where they touch: takes what is within the envelope there as well. Solids that
/// rest on one edge and overlap by rounding are about to touch with the next one.
static abut_status widen_to_envelope(abut_regions_analysis *a)
{
    abut_touch touch = a->touch;
    abut_region_set set = a->set;
    double angle = a->angle;
    int is_found = 0;
    abut_status status = try_envelopes(a, &is_found);
    if (!is_found) {
        a->touch = touch;
        a->set = set;
        a->angle = angle;
        a->overlaps = 0;
    }
    return status;
}

/// Moves solids back that overlap because of their motion.
static abut_status try_motion(abut_regions_analysis *a, int *is_answer)
{
    const abut_query *query = a->query;
    double strict = strict_tolerance(query);
    double speed = abut_regions_speed_bound(a);
    if (speed * query->pair->dt <= query->tolerance) {
        return ABUT_OK;
    }
    abut_status status = find_overlap(a, strict);
    if (status != ABUT_OK || !a->overlaps || a->is_strict) {
        return status;
    }
    ++abut_sink_stats(a->sink)->fallbacks;
    abut_convex_gap gap = a->gap;
    status = back_off(a, speed, strict);
    *is_answer = status == ABUT_OK && !a->overlaps && is_closing(a);
    if (*is_answer && isinf(a->receding) && has_reflex_edge(a)) {
        status = abut_regions_widen_touch(a);
    }
    if (*is_answer && status == ABUT_OK && query->envelope > query->tolerance) {
        status = widen_to_envelope(a);
    }
    if (status == ABUT_OK && a->overlaps) {
        status = try_past(a, speed, strict, is_answer);
    }
    if (!*is_answer) {
        abut_regions_place(a, query->b_to_a);
        a->gap = gap; // where they are now
        a->has_gap = a->is_convex;
    }
    return status;
}

// ---- other tolerances

/// The way from B to A along the line between their nearest points. Returns 0 if they are further apart than the envelope.
static int find_way(abut_regions_analysis *a, abut_vec3 *way, double *distance)
{
    const abut_query *query = a->query;
    if (a->is_convex) { // the line is the same for all pairs of nearest points
        abut_convex_gap gap = abut_regions_gap(a);
        if (gap.lower > 0.0 && gap.upper - gap.lower <= strict_tolerance(query)) {
            *distance = 0.5 * (gap.lower + gap.upper);
            *way = abut_scale(-*distance, gap.normal);
            return *distance <= query->envelope;
        }
    }
    abut_tree_gap gap = abut_tree_distance(a->sides[0].tree, a->sides[1].tree, query->b_to_a, query->envelope);
    *distance = gap.distance;
    *way = abut_sub(gap.point_a, gap.point_b);
    return gap.element_a >= 0;
}

/// Moves B to where it touches A, along the line between their nearest points, and finds the regions there. What is
/// within the envelope beyond these points is taken as well, as far as it can be told apart.
static abut_status close_gap(abut_regions_analysis *a, int *is_answer)
{
    const abut_query *query = a->query;
    abut_vec3 way;
    double distance;
    if (!find_way(a, &way, &distance)) {
        return ABUT_OK;
    }
    abut_regions_place(a, abut_pose_make(abut_add(query->b_to_a.position, way), query->b_to_a.rotation));
    double tolerance = fmax(query->envelope - distance, query->tolerance);
    abut_status status = ABUT_OK;
    while (status == ABUT_OK && !*is_answer && tolerance > query->tolerance) {
        tolerance = fmax(tolerance / widening, query->tolerance);
        status = tolerance > query->tolerance ? abut_regions_analyse(a, tolerance)
                                              : abut_regions_analyse_apart(a, tolerance);
        *is_answer = !a->overlaps && a->set.region_count > 0;
    }
    if (!*is_answer) {
        abut_regions_place(a, query->b_to_a);
    }
    return status;
}

/// Takes the envelope as the tolerance. If it is larger than details of the bodies, near and far parts cannot be told
/// apart and the solids seem to overlap. Then smaller envelopes are tried; each one is counted in `caps`.
static abut_status look_in_envelopes(abut_regions_analysis *a, int *is_answer)
{
    const abut_query *query = a->query;
    abut_stats *stats = abut_sink_stats(a->sink);
    int64_t caps = stats->caps;
    double least = fmax(query->tolerance, rounding * query->size);
    for (double reach = query->envelope; reach > least; reach /= widening) {
        if (a->is_convex && a->has_gap && a->gap.lower > reach) {
            ++stats->caps; // nothing is so near
            continue;
        }
        abut_status status = abut_regions_analyse(a, reach);
        *is_answer = !a->overlaps && a->set.region_count > 0;
        if (status != ABUT_OK || *is_answer) {
            return status;
        }
        ++stats->caps;
    }
    double distance = abut_regions_distance(a);
    if (isinf(distance)) { // nothing is within the envelope, so a smaller one loses nothing
        stats->caps = caps;
        *is_answer = 1;
        a->set = (abut_region_set){0}; // with what a rejected analysis counted
        return ABUT_OK;
    }
    if (distance <= query->tolerance || !isinf(a->receding)) {
        return ABUT_OK;
    }
    abut_status status = close_gap(a, is_answer);
    return status != ABUT_OK || *is_answer
               ? status
               : abut_sink_fail(
                     a->sink, ABUT_UNSUPPORTED,
                     "the envelope is larger than details of the bodies, which are within it: take a smaller "
                     "envelope, or method closest-points");
}

/// Looks for what is within the envelope. The solids do not overlap by more than the tolerance, so normals along which
/// points do are not those that keep them apart.
static abut_status try_envelopes(abut_regions_analysis *a, int *is_answer)
{
    a->hints.deepest = deepest_share * a->query->tolerance;
    abut_status status = look_in_envelopes(a, is_answer);
    a->hints.deepest = HUGE_VAL;
    return status;
}

/// Parts that are nearly parallel may seem to overlap: what is within the tolerance of each other reaches far beyond
/// where they touch. If the solids are apart, or touch at a strict tolerance, smaller ones are tried. `overlaps` stays
/// set if they overlap.
static abut_status narrow_tolerance(abut_regions_analysis *a, double tolerance)
{
    const abut_query *query = a->query;
    const double levels[2] = {strict_tolerance(query), rounding * query->size};
    int are_apart = abut_sides_are_apart(a->sides), level = 0;
    for (int is_found = are_apart; !is_found; ++level) {
        if (level == 2) {
            a->overlaps = 1;
            return ABUT_OK;
        }
        abut_status status = abut_regions_analyse(a, levels[level]);
        if (status != ABUT_OK) {
            return status;
        }
        is_found = !a->overlaps && a->set.region_count > 0; // what seems to overlap must touch somewhere
    }
    ++abut_sink_stats(a->sink)->fallbacks;
    return analyse_down(a, tolerance / widening, are_apart ? levels[1] : levels[level - 1]);
}

/// Refuses solids that overlap, and says by how much. Between convex ones, whose distance is known in part, at least by how
/// much: others may want only to know that they overlap.
static abut_status refuse_overlap(abut_regions_analysis *a)
{
    double limit = abut_regions_overlap_limit * a->query->size;
    abut_convex_gap gap = a->is_convex ? abut_regions_gap(a) : (abut_convex_gap){.is_exact = 1};
    abut_status status = a->is_convex ? ABUT_OK : abut_regions_separate(a);
    double depth = a->is_convex ? -gap.upper : a->way_out;
    return status != ABUT_OK
               ? status
               : abut_fail(&a->sink->error, ABUT_OVERLAP,
                           "the bodies overlap by %s%g, more than a thousandth of the smaller one's size (%g)",
                           gap.is_exact ? "" : "at least ", fmax(depth, limit), limit);
}

/// Widens the tolerance until the solids touch within it. If they do not, they are separated.
static abut_status widen_tolerance(abut_regions_analysis *a)
{
    const abut_query *query = a->query;
    double limit = abut_regions_overlap_limit * query->size, tolerance = fmin(query->tolerance, limit);
    abut_status first = abut_regions_analyse(a, tolerance);
    if (first == ABUT_OK && a->overlaps && isinf(a->receding)) {
        first = narrow_tolerance(a, tolerance);
    }
    if (first != ABUT_OK || !a->overlaps) {
        a->is_current = first == ABUT_OK && a->touch.tolerance == tolerance;
        return first;
    }
    ++abut_sink_stats(a->sink)->fallbacks;
    ++a->widenings;
    while (tolerance < limit) {
        // from a tolerance below rounding, widening would take hundreds of tries; from zero it would never end
        tolerance = fmin(fmax(widening * tolerance, rounding * query->size), limit);
        abut_status status = abut_regions_analyse(a, tolerance);
        // solids that overlapped at a smaller tolerance must touch somewhere
        a->is_current = !a->overlaps && a->set.region_count > 0;
        if (status != ABUT_OK || a->is_current) {
            return status;
        }
        ++abut_sink_stats(a->sink)->fallbacks;
        ++a->widenings;
    }
    return abut_query_option(query, "overlap") == 0.0 ? abut_regions_separate(a) : refuse_overlap(a);
}

abut_status abut_regions_find_touching(abut_regions_analysis *a)
{
    int is_answer = 0;
    abut_status status = try_motion(a, &is_answer);
    if (status == ABUT_OK && !is_answer && a->query->envelope > a->query->tolerance) {
        status = try_envelopes(a, &is_answer);
    }
    return status != ABUT_OK || is_answer ? status : widen_tolerance(a);
}
