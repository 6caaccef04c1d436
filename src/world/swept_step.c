// SPDX-License-Identifier: MIT
// swept_step.c: a step in which no body passes another one
//
// The step is tried as a whole. If bodies touch on their way, it is tried again up to the time at which the first two do,
// until they end where they touch; then an impact gives them new velocities, and the rest of the step is tried. Nothing
// moves along a path that was not swept.
//
// A body that bounces faster and faster, or one that is squeezed, would take impacts without end. After `cut_limit` of
// them the bodies in each other's way stay where they are for the rest of the step.
#include "world/world.h"

/// How often a step is cut for bodies that approach each other slowly. After that, those that touch are left to the solver.
enum { SLOW_CUTS = 12 };

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

/// Puts a body back to where the part of the step began, with its new velocity.
static void hold(abut_world *world, int index)
{
    abut_body *body = &world->bodies[index];
    abut_paths *p = &world->paths;
    if (!body->is_fixed && !p->is_held[index] && !abut_body_is_asleep(body)) {
        p->is_held[index] = 1;
        body->motion.center = p->begin[index].center;
        body->motion.rotation = p->begin[index].rotation;
        abut_body_update_spin(body);
        ++world->report.held_count;
    }
}

/// Holds the bodies that would pass others, and those that would pass these, for the rest of the step.
static abut_status hold_bodies(abut_world *world, int first, abut_error *error)
{
    abut_paths *p = &world->paths;
    int held = -1;
    while (first >= 0 && held < world->report.held_count) { // not if only fixed bodies are in the way
        held = world->report.held_count;
        for (int i = 0; i < p->hit_count; ++i) {
            if (p->hits[i].time < HUGE_VAL) {
                hold(world, p->hits[i].bodies.a);
                hold(world, p->hits[i].bodies.b);
            }
        }
        abut_status status = abut_world_sweep_paths(world, &first, error);
        if (status != ABUT_OK) {
            return status;
        }
    }
    world->report.lost_time = world->span;
    return ABUT_OK;
}

abut_status abut_world_run_swept(abut_world *world, abut_error *error)
{
    abut_paths *p = &world->paths;
    double rest = world->def.dt, span = rest;
    int cuts = 0, slow_cuts = 0, impacts = 0, is_stuck = 0;
    for (;;) {
        int first = -1;
        p->is_cut = span < rest;
        p->is_lenient = slow_cuts >= SLOW_CUTS;
        abut_status status = abut_world_try_span(world, span, error);
        if (status == ABUT_OK) {
            status = abut_world_sweep_paths(world, &first, error);
        }
        if (status != ABUT_OK) {
            return status;
        }
        const abut_path_hit *hit = first >= 0 ? &p->hits[first] : NULL;
        int is_begin = hit != NULL && !hit->is_slow && is_at_begin(hit, span);
        int is_end = hit == NULL || (!is_begin && is_at_end(hit, span));
        if (is_end && !(span < rest)) {
            break;
        }
        if (!is_end && cuts + impacts >= world->def.cut_limit) {
            status = hold_bodies(world, first, error);
            if (status != ABUT_OK) {
                return status;
            }
            break;
        }
        double time = hit != NULL ? hit->time : 0.0;
        if (is_end) {
            rest -= span;
        } else {
            abut_world_put_back(world, p->begin);
        }
        p->is_rest |= is_end || is_begin;
        if (is_begin || (is_end && hit != NULL && !hit->is_slow)) {
            status = abut_world_collide(world, time, is_stuck, error);
            if (status != ABUT_OK) {
                return status;
            }
            ++impacts;
            is_stuck = is_begin;
            span = rest;
        } else if (is_end) {
            is_stuck = 0;
            span = rest;
        } else {
            ++cuts;
            slow_cuts += hit->is_slow;
            span = time;
        }
    }
    world->report.cut_count = cuts;
    world->report.impact_count = impacts;
    return ABUT_OK;
}
