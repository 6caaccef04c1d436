// SPDX-License-Identifier: MIT
// fixed.c: fixed bodies may touch, but not overlap: nothing could part them
//
// What the world's method answers does not count: closest points of bodies that overlap say nothing, and triangles
// of a body within another do not meet. Solids are looked at by `convex` or `regions`, which tell the inside from
// the outside, and only surfaces that bound no solid by where their triangles intersect.
#include "world/world.h"

#include "base/error.h"

#include <string.h>

static const double deepest = 1e-3; ///< of the smaller body: what `regions` takes as touching, too

/// Whether a method can take both bodies; *status is ABUT_NO_MEMORY or ABUT_OK.
static int prepare_both(const abut_method_choice *choice, abut_shape *a, abut_shape *b, abut_status *status,
                        abut_error *reason)
{
    abut_status answer = abut_shape_prepare(a, choice->method, &choice->params, reason);
    if (answer == ABUT_OK) {
        answer = abut_shape_prepare(b, choice->method, &choice->params, reason);
    }
    *status = answer == ABUT_NO_MEMORY ? ABUT_NO_MEMORY : ABUT_OK;
    return answer == ABUT_OK;
}

/// Whether two fixed bodies overlap; a failure is ABUT_NO_MEMORY.
static abut_status look(abut_world *world, abut_body_pair bodies, int *overlaps, abut_error *reason)
{
    static const char *const names[] = {"convex", "regions", "intersection"};
    abut_detector *d = &world->detectors[0];
    abut_shape *a = world->bodies[bodies.a].shape, *b = world->bodies[bodies.b].shape;
    abut_pair pair = abut_pair_default(a, b);
    pair.a.pose = world->poses[bodies.a];
    pair.b.pose = world->poses[bodies.b];
    double size = fmin(abut_box_diagonal(abut_mesh_get_elements(abut_shape_mesh(a)).bounds),
                       abut_box_diagonal(abut_mesh_get_elements(abut_shape_mesh(b)).bounds));
    *overlaps = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const abut_method_choice choice = {abut_method_find(names[i]), abut_params_default()};
        abut_status status;
        if (!prepare_both(&choice, a, b, &status, reason)) {
            if (status != ABUT_OK) {
                return status;
            }
            continue;
        }
        abut_status answer = abut_detector_query(d, &pair, &choice);
        if (answer == ABUT_NO_MEMORY) {
            *reason = d->result.error;
            return answer;
        }
        double least = 0.0;
        for (int k = 0; answer == ABUT_OK && k < d->result.contacts.count; ++k) {
            least = fmin(least, d->result.contacts.items[k].gap);
        }
        *overlaps = answer == ABUT_OVERLAP || least < -deepest * size;
        if (answer == ABUT_OK || answer == ABUT_OVERLAP) {
            break;
        }
    }
    return ABUT_OK;
}

abut_status abut_world_check_fixed(abut_world *world, abut_error *error)
{
    for (int i = 0; i < world->body_count; ++i) {
        world->is_passive[i] = (unsigned char)!world->bodies[i].is_fixed;
    }
    abut_status status = abut_broad_find(&world->broad, world->boxes, world->is_passive, world->body_count);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "no memory for pairs of bodies");
    }
    for (int i = 0; i < world->broad.pair_count; ++i) {
        abut_body_pair bodies = world->broad.pairs[i];
        if (!world->bodies[bodies.a].is_fixed || !world->bodies[bodies.b].is_fixed) {
            continue;
        }
        int overlaps;
        abut_error reason;
        if (look(world, bodies, &overlaps, &reason) != ABUT_OK) {
            return abut_world_fail_pair(world, bodies, &reason, error);
        }
        if (overlaps) {
            char a[ABUT_BODY_CALL_ROOM], b[ABUT_BODY_CALL_ROOM];
            return abut_fail_element(error, ABUT_BAD_DATA, bodies.a, "%s and %s are fixed, but overlap",
                                     abut_world_call(world, bodies.a, a), abut_world_call(world, bodies.b, b));
        }
    }
    world->has_checked_fixed = 1;
    return ABUT_OK;
}
