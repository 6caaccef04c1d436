// SPDX-License-Identifier: MIT
// pair_changes.c: what happened to contacts and regions since the last step, in the order of the pairs
#include "world/world.h"

#include "base/memory.h"

#include <limits.h>

int abut_world_keep_changes(const abut_context *context, abut_detector *d, abut_body_pair bodies,
                            abut_pair_answer *answer)
{
    answer->change_begin = d->change_count;
    for (int i = 0; i < d->result.events.count; ++i) {
        const abut_event *event = &d->result.events.items[i];
        if (event->kind == ABUT_EVENT_PERSIST) {
            continue;
        }
        if (d->change_count == INT_MAX ||
            !abut_grow(context, &d->changes, &d->change_capacity, d->change_count + 1, sizeof *d->changes)) {
            return 0;
        }
        d->changes[d->change_count++] = (abut_world_change){bodies.a, bodies.b, *event};
    }
    answer->change_count = d->change_count - answer->change_begin;
    return 1;
}

static int add_change(abut_world *world, const abut_world_change *change)
{
    if (world->change_count == INT_MAX || !abut_grow(&world->context, &world->changes, &world->change_capacity,
                                                     world->change_count + 1, sizeof *world->changes)) {
        return 0;
    }
    world->changes[world->change_count++] = *change;
    world->report.churn += !change->event.is_region;
    return 1;
}

/// Ends all that a pair had which is no pair any more.
static int add_ends(abut_world *world, const abut_pair_state *pair)
{
    abut_world_change change = {pair->bodies.a, pair->bodies.b, {.kind = ABUT_EVENT_END}};
    int is_done = 1;
    for (int i = 0; i < pair->region_count.regions && is_done; ++i) {
        change.event.is_region = 1;
        change.event.id = world->known_regions.regions[pair->region_begin.regions + i].region.id;
        change.event.other_id = change.event.id;
        is_done = add_change(world, &change);
    }
    for (int i = 0; i < pair->contact_count && is_done; ++i) {
        change.event.is_region = 0;
        change.event.id = change.event.other_id = world->known_contacts[pair->contact_begin + i].contact.id;
        is_done = add_change(world, &change);
    }
    return is_done;
}

abut_status abut_world_collect_changes(abut_world *world)
{
    int is_done = 1;
    world->change_count = world->report.churn = 0;
    for (int i = 0, k = 0; (i < world->pair_count || k < world->known_pair_count) && is_done;) {
        const abut_pair_state *pair = i < world->pair_count ? &world->pairs[i] : NULL;
        const abut_pair_state *known = k < world->known_pair_count ? &world->known_pairs[k] : NULL;
        if (pair == NULL || (known != NULL && abut_world_is_pair_before(known->bodies, pair->bodies))) {
            is_done = add_ends(world, known);
            ++k;
            continue;
        }
        const abut_pair_answer *answer = &world->answers[i++];
        for (int m = 0; m < answer->change_count && !pair->is_asleep && is_done; ++m) {
            is_done = add_change(world, &world->detectors[answer->worker].changes[answer->change_begin + m]);
        }
        k += known != NULL && !abut_world_is_pair_before(pair->bodies, known->bodies);
    }
    world->report.changes = world->changes;
    world->report.change_count = world->change_count;
    return is_done ? ABUT_OK : ABUT_NO_MEMORY;
}
