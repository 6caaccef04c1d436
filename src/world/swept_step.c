// SPDX-License-Identifier: MIT
// swept_step.c: a step in which no body passes another one
//
// The step is tried as a whole. If bodies touch on their way, it is tried again for their islands (island_cut.h), up to the
// time at which the first two do, until they end where they touch; then an impact gives them new velocities, and the rest of
// the step is tried. Nothing moves along a path that was not swept.
//
// A body that bounces faster and faster, or one that is squeezed, would take impacts without end. After `cut_limit` of
// them the two bodies in each other's way stay where they are for the rest of the step.
#include "world/island_cut.h"

#include "method/stats.h"
#include "prim/compare.h"

#include <limits.h>

/// An impact that changes nothing at the place of the one before means that the path leaves the contact in another
/// direction than the velocity says: a body that turns has a constant spin for some time, not the one at its beginning. The
/// span is made shorter by this, and longer again after success.
static const double stride_share = 0.25;

/// How often a part is cut to the time of a touch that comes sooner again. The points of a body that turns about a contact
/// which is ahead are on a curve, and touch shortly before the end of any span, until it is short enough.
enum { RECUTS = 2 };

/// How often a single pair is held, after as many cuts as allowed.
enum { HOLDS = 4 };

/// Of a step: what is left of it after an impact is not worth doing.
static const double least_rest = 1e-9;
/// Of a step: bodies that meet earlier may touch already, and the whole step is tried again to find out.
static const double first_share = 1e-3;

/// Whether bodies touch at the beginning of their paths, up to a length that counts as nothing.
static int is_at_begin(const abut_path_hit *hit, double end)
{
    return hit->time * hit->speed <= hit->margin ||
           (hit->time * hit->approach <= hit->margin && hit->time <= 0.01 * end);
}

/// Whether bodies that touch before the end of their paths do not get further into each other than counts as nothing.
static int is_at_end(const abut_path_hit *hit, double end)
{
    return (end - hit->time) * hit->approach <= hit->margin && (end - hit->time) <= 0.01 * end;
}

// ---------------------------------------------------------------------------------------------------------------
// Obstacles

static int is_within(const abut_box *inner, const abut_box *outer)
{
    return inner->lower.x >= outer->lower.x && inner->lower.y >= outer->lower.y &&
           inner->lower.z >= outer->lower.z && inner->upper.x <= outer->upper.x &&
           inner->upper.y <= outer->upper.y && inner->upper.z <= outer->upper.z;
}

/// The obstacle of a pair, if it has one, else -1.
static int obstacle_of(const abut_world *part, int a, int b)
{
    const abut_body *bodies = part->bodies;
    return bodies[a].is_obstacle ? bodies[a].number : bodies[b].is_obstacle ? bodies[b].number : -1;
}

/// Finds an obstacle that pushes a body of the part, or ABUT_CUT_DONE.
static int find_pushing(const abut_world *part)
{
    for (int i = 0; i < part->awake_contact_count; ++i) {
        const abut_solve_contact *c = &part->solve_contacts[i];
        int obstacle = obstacle_of(part, c->body_a, c->body_b);
        if (obstacle >= 0 && part->impulses[i].normal > 0.0) {
            return obstacle;
        }
    }
    return ABUT_CUT_DONE;
}

/// Finds an obstacle that pushes the bodies of the part, or that they meet first, or whose bent path they may meet.
/// ABUT_CUT_TOO_FAR: they leave the box in which all obstacles are. ABUT_CUT_DONE: neither.
static int find_obstacle(const abut_world *part, const abut_box *box, int first)
{
    const abut_paths *p = &part->paths;
    const abut_island_cut *cut = part->whole->cut;
    for (int i = 0; i < part->body_count; ++i) {
        if (!part->bodies[i].is_fixed && !is_within(&p->boxes[i], box)) {
            return ABUT_CUT_TOO_FAR;
        }
    }
    int pushing = find_pushing(part);
    if (pushing != ABUT_CUT_DONE) {
        return pushing;
    }
    if (first >= 0) {
        int obstacle = obstacle_of(part, p->hits[first].bodies.a, p->hits[first].bodies.b);
        if (obstacle >= 0) {
            return obstacle;
        }
    }
    for (int i = 0; i < part->body_count; ++i) {
        int number = part->bodies[i].number;
        for (int k = 0; k < part->body_count && part->bodies[i].is_obstacle && cut->is_bent[number]; ++k) {
            if (!part->bodies[k].is_fixed && abut_boxes_overlap(p->boxes[k], cut->boxes[number])) {
                return number;
            }
        }
    }
    return ABUT_CUT_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Parts of a step

/// How far a part of a world has come.
typedef struct progress {
    double rest, span; ///< what is left of the step, and how much of it is tried
    int cuts, impacts;
    int tries;        ///< cuts and impacts since bodies were held
    int limit;        ///< of these
    int holds;        ///< how often that was
    int held_count;   ///< bodies that are held
    double lost_time; ///< since the first of them is held
    int is_stuck;     ///< the last impact was at the place of the one before
    int recuts;       ///< cuts since a try ended without a touch
    double stride;    ///< the longest span to try
    double size;      ///< free bodies of the part: the work of a cut or an impact
    double budget;    ///< of the work of cuts and impacts that are for all bodies
} progress;

/// What a part has for its cuts and impacts. Each of them costs a step of all its bodies. Those that are for all bodies cost
/// no more than `cut_limit` steps of a small island, with what has been done for the islands that were joined to it. After
/// that, bodies that cannot pass each other are left to the solver.
static progress begin_part(const abut_world *part)
{
    double all = part->def.dt;
    progress now = {.rest = all, .span = all, .stride = all};
    for (int i = 0; i < part->body_count; ++i) {
        now.size += !part->bodies[i].is_fixed;
    }
    now.budget = (double)ABUT_SMALL_ISLAND * part->def.cut_limit;
    now.limit = part->def.cut_limit;
    return now;
}

/// Whether a step is behind: at this pace its cuts do not last. Some are needed to tell.
static int is_behind(const abut_world *part, const progress *now)
{
    const int least = 4;
    double done = 1.0 - now->rest / part->def.dt;
    return now->holds == 0 && now->tries >= least && done * now->limit < now->tries;
}

/// Tries a part of the step, and finds what the bodies meet first, and which obstacle must take part.
static abut_status try_part(abut_world *part, const progress *now, const abut_box *box, int *first, int *obstacle,
                            abut_error *error)
{
    abut_paths *p = &part->paths;
    p->is_cut = now->span < now->rest;
    p->is_lenient = part->whole->cut->work >= now->budget;
    p->is_behind = is_behind(part, now);
    abut_status status = abut_world_try_span(part, now->span, error);
    abut_stats_add(&part->whole->cut->stats, &part->report.stats);
    if (status == ABUT_OK) {
        status = abut_world_sweep_paths(part, first, error);
    }
    if (status == ABUT_OK) {
        *obstacle = find_obstacle(part, box, *first);
    }
    return status;
}

static int hold_body(abut_world *part, int index)
{
    int moves = !part->bodies[index].is_fixed && !part->paths.is_held[index];
    if (moves) {
        abut_body_motion *m = &part->paths.begin[index];
        part->paths.is_held[index] = 1;
        part->paths.held[index] = *m;
        m->linear_velocity = m->angular_velocity = m->angular_momentum = abut_vec3_make(0.0, 0.0, 0.0);
    }
    return moves;
}

/// Holds the free bodies of the pair that meets first, for what is left of the step. After some of these all pairs that
/// meet are held. Returns 0 if none of them moves.
static int hold_bodies(abut_world *part, int first, progress *now)
{
    const abut_paths *p = &part->paths;
    int count = 0;
    for (int i = 0; i < p->hit_count; ++i) {
        const abut_path_hit *hit = &p->hits[i];
        if (i == first || (now->holds >= HOLDS && hit->time < HUGE_VAL)) {
            count += hold_body(part, hit->bodies.a) + hold_body(part, hit->bodies.b);
        }
    }
    ++now->holds;
    now->lost_time = now->held_count == 0 ? now->rest : now->lost_time;
    now->held_count += count;
    now->tries = now->holds < HOLDS ? 0 : now->tries;
    now->limit = part->def.cut_limit;
    now->span = now->rest;
    return count > 0;
}

static int is_hit_harmless(const abut_world *part, int first)
{
    const abut_path_hit *hit = &part->paths.hits[first];
    const abut_body *a = &part->bodies[hit->bodies.a], *b = &part->bodies[hit->bodies.b];
    return !part->paths.is_lenient && abut_world_is_harmless(part, a, b, hit->speed);
}

/// After as many cuts as allowed: bodies that cannot pass get more of them as long as their island is so small that these
/// cost no more than those of a larger one.
static int give_more(const abut_world *part, int first, progress *now)
{
    int gives = part->def.cut_limit > 0 && part->whole->cut->work < now->budget && is_hit_harmless(part, first);
    if (gives) {
        int room = INT_MAX - now->limit;
        now->limit += part->def.cut_limit < room ? part->def.cut_limit : room;
    }
    return gives;
}

/// After that: leaves bodies that cannot pass to the solver for what is left of the step. Returns 0 if the pair that meets
/// first is another one.
static int leave_bodies(const abut_world *part, int first, progress *now)
{
    int leaves = is_hit_harmless(part, first);
    if (leaves) {
        now->budget = 0;
        now->span = now->rest;
    }
    return leaves;
}

/// Gives bodies that were held their velocities back.
static void release_bodies(abut_world *part)
{
    for (int i = 0; i < part->body_count; ++i) {
        if (part->paths.is_held[i]) {
            abut_body_motion *m = &part->bodies[i].motion;
            const abut_body_motion *held = &part->paths.held[i];
            m->linear_velocity = held->linear_velocity;
            m->angular_velocity = held->angular_velocity;
            m->angular_momentum = held->angular_momentum;
        }
    }
}

abut_status abut_world_run_part(abut_world *part, double time, const abut_box *box, int *obstacle,
                                abut_error *error)
{
    abut_paths *p = &part->paths;
    double all = part->def.dt;
    progress now = begin_part(part);
    if (part->def.cut_limit > 0 && part->whole->cut->work < now.budget && time > first_share * all) {
        now.span = time;
        now.cuts = now.tries = time < all;
    }
    p->is_moreau = part->whole->paths.is_moreau;
    p->is_rest = 0;
    for (int i = 0; i < part->body_count; ++i) {
        p->is_held[i] = 0;
        p->traces[i] = abut_box_empty();
    }
    while (now.rest > least_rest * all) {
        int first = -1;
        abut_status status = try_part(part, &now, box, &first, obstacle, error);
        if (status != ABUT_OK || *obstacle != ABUT_CUT_DONE) {
            return status;
        }
        const abut_path_hit *hit = first >= 0 ? &p->hits[first] : NULL;
        int is_begin = hit != NULL && !hit->is_slow && is_at_begin(hit, now.span);
        int is_end = hit == NULL || (!is_begin && is_at_end(hit, now.span));
        if (is_end) {
            for (int i = 0; i < part->body_count; ++i) {
                p->traces[i] = abut_box_union(p->traces[i], p->boxes[i]);
            }
            if (!(now.span < now.rest)) {
                break;
            }
        } else if (now.tries >= now.limit && !give_more(part, first, &now) &&
                   (leave_bodies(part, first, &now) || hold_bodies(part, first, &now))) {
            abut_world_put_back(part, p->begin);
            continue;
        }
        ++now.tries;
        part->whole->cut->work += now.size;
        double at = hit != NULL ? hit->time : 0.0, tried = now.span;
        if (is_end || is_begin) {
            now.recuts = 0;
        }
        if (is_end) {
            now.rest -= now.span;
        } else {
            abut_world_put_back(part, p->begin);
        }
        p->is_rest |= is_end || is_begin;
        if (is_begin && now.is_stuck) {
            now.stride = stride_share * now.span;
            now.span = now.stride;
            ++now.cuts;
        } else if (is_begin || (is_end && hit != NULL && !hit->is_slow)) {
            status = abut_world_collide(part, at, now.is_stuck, error);
            abut_stats_add(&part->whole->cut->stats, &part->report.stats);
            *obstacle = status == ABUT_OK ? find_pushing(part) : ABUT_CUT_DONE;
            if (status != ABUT_OK || *obstacle != ABUT_CUT_DONE) {
                return status;
            }
            ++now.impacts;
            now.is_stuck = is_begin;
            now.span = fmin(now.rest, now.stride);
        } else if (is_end) {
            now.is_stuck = 0;
            now.stride /= stride_share;
            now.span = fmin(now.rest, now.stride);
        } else {
            ++now.cuts;
            ++now.recuts;
            now.span = fmax(at, least_rest * all);
            if (now.recuts > RECUTS) {
                now.span = fmax(fmin(at, stride_share * tried), least_rest * all);
                now.stride = now.span;
            }
        }
    }
    release_bodies(part);
    part->report.cut_count = now.cuts;
    part->report.impact_count = now.impacts;
    part->report.held_count = now.held_count;
    part->report.lost_time = now.lost_time;
    return ABUT_OK;
}

abut_status abut_world_run_swept(abut_world *world, abut_error *error)
{
    int first = -1;
    world->paths.is_lenient = world->paths.is_behind = 0;
    abut_status status = abut_world_try_span(world, world->def.dt, error);
    if (status == ABUT_OK) {
        status = abut_world_sweep_paths(world, &first, error);
    }
    return status == ABUT_OK && first >= 0 ? abut_world_cut_islands(world, error) : status;
}
