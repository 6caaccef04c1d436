// SPDX-License-Identifier: MIT
// lmd_overlap.c: a way out for bodies whose base complexes meet
//
// A surface that is not closed has no inside, so its side must come from elsewhere. In this order:
// 1. The pair's memory: B is to be where the normals of its last contacts point (history).
// 2. The motion: B goes back the way it came, by at most two steps (velocity).
// 3. The orientation of the triangles: B is to be on the outer side of A's triangles, A on that of B's. Along the
//    curves in which the surfaces cross, half the integral of r x dr is the vector area of A within B (Stokes), as for
//    solids. A sheet that enters a face by its border crosses it in a line without area; then the normals along the
//    curves tell (orientation).
// 4. Nothing: the shortest way of 26 directions (translation).
// Along a direction B goes out in growing steps until the complexes are apart. From there t descends: the LMDs near the
// touch bound the translations that keep the complexes apart, the least one within these bounds is the next one, as far
// as the way there is free. That is a local minimum.
//
// Cost:  some tens of tests whether the complexes meet for each direction. No allocation.
// Fails: a closed shell around a body that it crosses everywhere has no way out that is shorter than its size.
#include "method/lmd_overlap.h"

#include "abut/translation.h"
#include "complex/complex.h"
#include "method/pair.h"
#include "method/pair_memory.h"
#include "region/overlap_pieces.h"

enum { ROUNDS = 12, BISECTIONS = 24 };

static const double first_step = 1e-5;   ///< of the size: the first step out along a direction
static const double nearness = 1e-6;     ///< of the size: how near to the touch a way ends
static const double clearance = 1e-5;    ///< of the size: complexes at this distance have good normals
static const double planes_reach = 1e-3; ///< of the size: LMDs within this distance bound a descent
static const double gain = 1e-3;         ///< of its length: a translation must become this much shorter

typedef struct way_search {
    const abut_query *query;
    const abut_base *const *bases;
    const abut_mesh *meshes[2];
    abut_sink *sink;
    double span; ///< of both bodies together, or more: a longer way is never needed
    int has_touches; ///< triangles alone do not tell: a mesh has points or segments, or the bodies touch but do not cross
    abut_vec3 best;
    double best_length; ///< HUGE_VAL: none was found
    abut_status status;
} way_search;

abut_status abut_lmd_search(const abut_query *query, const abut_base *const bases[2], abut_vec3 translation,
                            double reach, abut_sink *sink)
{
    abut_lmd_def def = abut_lmd_def_default();
    def.a = bases[0]->complex;
    def.b = bases[1]->complex;
    def.b_to_a = query->b_to_a;
    def.b_to_a.position = abut_add(def.b_to_a.position, translation);
    def.theta = 0.017453292519943295 * abut_query_option(query, "theta");
    def.reach = reach;
    def.is_self = query->is_self;
    if (sink->lmds == NULL && abut_lmd_set_create(&sink->context, &sink->lmds) != ABUT_OK) {
        return ABUT_NO_MEMORY;
    }
    return abut_find_lmds(&def, sink->lmds, &sink->error);
}

static int is_free(way_search *s, abut_vec3 t)
{
    const char *text;
    abut_pose pose = abut_pose_make(abut_add(s->query->b_to_a.position, t), s->query->b_to_a.rotation);
    if (abut_bases_overlap(s->bases[0], s->bases[1], s->meshes[0], s->meshes[1], pose, &text)) {
        return 0;
    }
    if (!s->has_touches) {
        return 1;
    }
    abut_status status = abut_lmd_search(s->query, s->bases, t, nearness * s->query->size, s->sink);
    s->status = s->status == ABUT_OK ? status : s->status;
    return status == ABUT_OK && abut_lmd_set_get(s->sink->lmds).stats.touching_pairs == 0;
}

/// The last free translation on the way from a free one to one that is not.
static abut_vec3 last_free(way_search *s, abut_vec3 from, abut_vec3 to)
{
    double free = 0.0, blocked = 1.0, length = abut_norm(abut_sub(to, from));
    for (int i = 0; i < BISECTIONS && (blocked - free) * length > nearness * s->query->size; ++i) {
        double middle = 0.5 * (free + blocked);
        if (is_free(s, abut_lerp(from, to, middle))) {
            free = middle;
        } else {
            blocked = middle;
        }
    }
    return abut_lerp(from, to, free);
}

/// The least translation within the planes of the LMDs near the touch at t. Returns 0 if there is none.
static int project(way_search *s, abut_vec3 t, abut_vec3 *target)
{
    abut_status status = abut_lmd_search(s->query, s->bases, t, planes_reach * s->query->size, s->sink);
    if (status != ABUT_OK) {
        s->status = status;
        return 0;
    }
    abut_lmd_view view = abut_lmd_set_get(s->sink->lmds);
    abut_arena_mark mark = abut_arena_get_mark(&s->sink->arena);
    abut_half_space *planes = abut_sink_scratch(s->sink, (size_t)(view.count + 1) * sizeof *planes);
    if (planes == NULL) {
        s->status = ABUT_NO_MEMORY;
        return 0;
    }
    int count = 0;
    for (int i = 0; i < view.count; ++i) {
        const abut_lmd *lmd = &view.items[i];
        if (lmd->distance > 0.0) {
            abut_vec3 n = abut_scale(1.0 / lmd->distance, abut_sub(lmd->point_b, lmd->point_a));
            planes[count++] = (abut_half_space){n, abut_dot(n, t) - lmd->distance};
        }
    }
    int is_found = count > 0 && abut_least_translation(planes, count, target);
    abut_arena_rewind(&s->sink->arena, mark);
    return is_found;
}

/// Goes from a free translation to one that is the least near by, and keeps it if it is better than the best one.
static void descend(way_search *s, abut_vec3 t)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    t = last_free(s, t, zero);
    for (int round = 0; round < ROUNDS && s->status == ABUT_OK; ++round) {
        abut_vec3 target;
        double length = abut_norm(t);
        if (length <= 2.0 * clearance * s->query->size || !project(s, t, &target) ||
            abut_norm(target) > (1.0 - gain) * length) {
            break;
        }
        abut_vec3 next = is_free(s, target) ? target : last_free(s, t, target);
        next = last_free(s, next, zero);
        if (abut_norm(next) > (1.0 - gain) * length) {
            break;
        }
        t = next;
    }
    double length = abut_norm(t);
    abut_vec3 further = abut_scale(1.0 + clearance * s->query->size / length, t);
    if (length < s->best_length && length > 0.0 && s->status == ABUT_OK) {
        s->best = is_free(s, further) ? further : t;
        s->best_length = length;
    }
}

/// Goes out along a direction until the complexes are apart, by at most `limit`, and descends from there.
static void start_along(way_search *s, abut_vec3 direction, double limit)
{
    abut_vec3 unit = abut_unit(direction);
    if (!abut_is_finite(unit) || abut_norm_squared(unit) < 0.5) {
        return;
    }
    double step = first_step * s->query->size;
    for (int is_last = 0; !is_last && s->status == ABUT_OK; step *= 2.0) {
        is_last = step >= limit;
        abut_vec3 t = abut_scale(fmin(step, limit), unit);
        if (is_free(s, t)) {
            descend(s, t);
            return;
        }
    }
}

// ---- sides

static void start_by_history(way_search *s)
{
    const abut_memory *memory = s->query->pair->memory;
    int count = 0;
    const abut_known_contact *known = memory != NULL ? abut_memory_read_known(memory, &count) : NULL;
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        sum = known[i].age == 0 ? abut_add(sum, known[i].normal) : sum;
    }
    if (abut_norm(sum) > 1e-3) {
        start_along(s, sum, s->span);
    }
}

static void start_by_velocity(way_search *s)
{
    const abut_pair *pair = s->query->pair;
    abut_relative_motion motion = abut_pair_relative_motion(&pair->a, &pair->b);
    abut_box box = abut_mesh_get_elements(s->meshes[1]).bounds;
    abut_vec3 middle = abut_pose_apply(s->query->b_to_a, abut_box_center(box));
    abut_vec3 velocity = abut_add(motion.linear, abut_cross(motion.angular, middle));
    double way = abut_norm(velocity) * pair->dt;
    if (way > s->query->tolerance) {
        start_along(s, abut_negate(velocity), fmin(2.0 * way, s->span));
    }
}

/// What the curves in which the triangles cross say about the sides.
typedef struct curve_sums {
    const way_search *search;
    abut_vec3 origin;     ///< a point of the curves
    abut_vec3 area;       ///< vector area of A within B, if the curves are closed
    abut_vec3 normals[2]; ///< of A's and of B's triangles along the curves
    int count;
} curve_sums;

static void load_corners(const way_search *s, int side, int triangle, abut_vec3 corners[3])
{
    const int *t = s->bases[side]->complex->triangles + 3 * (size_t)triangle;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 p = s->bases[side]->vertices[t[i]];
        corners[i] = side == 1 ? abut_pose_apply(s->query->b_to_a, p) : p;
    }
}

static int add_crossing(void *user, int triangle_a, int triangle_b)
{
    curve_sums *sums = user;
    abut_vec3 corners[2][3], ends[2];
    load_corners(sums->search, 0, triangle_a, corners[0]);
    load_corners(sums->search, 1, triangle_b, corners[1]);
    if (!abut_crossing_segment(corners[0], corners[1], ends)) {
        return 0;
    }
    sums->origin = sums->count++ == 0 ? ends[0] : sums->origin;
    abut_vec3 p = abut_sub(ends[0], sums->origin), q = abut_sub(ends[1], sums->origin);
    sums->area = abut_add(sums->area, abut_scale(0.5, abut_cross(p, q)));
    double length = abut_norm(abut_sub(q, p));
    for (int i = 0; i < 2; ++i) {
        abut_vec3 n = abut_cross(abut_sub(corners[i][1], corners[i][0]), abut_sub(corners[i][2], corners[i][0]));
        sums->normals[i] = abut_add_scaled(sums->normals[i], length, abut_unit(n));
    }
    return 0;
}

static void start_by_orientation(way_search *s)
{
    curve_sums sums = {.search = s};
    (void)abut_tree_intersections(s->bases[0]->tree, s->bases[1]->tree, s->query->b_to_a, 0.0, add_crossing, &sums);
    if (sums.count > 0) {
        start_along(s, sums.area, s->span);
        start_along(s, sums.normals[0], s->span);
        start_along(s, abut_negate(sums.normals[1]), s->span);
    }
}

static void start_all_around(way_search *s)
{
    for (int i = 0; i < 27; ++i) {
        abut_vec3 direction = {i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
        start_along(s, direction, 2.0 * s->span);
    }
}

abut_status abut_lmd_separate(const abut_query *query, const abut_base *const bases[2], abut_sink *sink,
                              abut_lmd_way *way)
{
    static const struct {
        abut_rule rule;
        void (*start)(way_search *s);
    } sides[] = {{ABUT_RULE_HISTORY, start_by_history},
                 {ABUT_RULE_VELOCITY, start_by_velocity},
                 {ABUT_RULE_ORIENTATION, start_by_orientation},
                 {ABUT_RULE_TRANSLATION, start_all_around}};
    way_search s = {.query = query,
                    .bases = bases,
                    .meshes = {abut_side_mesh(&query->pair->a), abut_side_mesh(&query->pair->b)},
                    .sink = sink,
                    .span = query->size, // two points have no span of their own
                    .best_length = HUGE_VAL};
    for (int i = 0; i < 2; ++i) {
        abut_mesh_elements elements = abut_mesh_get_elements(s.meshes[i]);
        s.span += abut_box_diagonal(elements.bounds);
        s.has_touches |= elements.segment_count > 0 || elements.point_count > 0;
    }
    s.has_touches = s.has_touches || is_free(&s, s.best);
    ++abut_sink_stats(sink)->fallbacks;
    for (size_t i = 0; i < sizeof sides / sizeof sides[0] && isinf(s.best_length) && s.status == ABUT_OK; ++i) {
        sides[i].start(&s);
        way->rule = sides[i].rule;
    }
    way->translation = s.best;
    if (s.status != ABUT_OK) {
        return s.status;
    }
    return !isinf(s.best_length)
               ? ABUT_OK
               : abut_sink_fail(sink, ABUT_OVERLAP,
                                "the bodies overlap, and no translation was found that separates them");
}
