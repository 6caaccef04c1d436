// SPDX-License-Identifier: MIT
// finish.c: from a method's drafts to the answer: complete, sort, remove redundant ones, number, exchange sides
#include "method/finish.h"

#include "base/error.h"
#include "base/sort.h"
#include "method/feature_hash.h"
#include "method/filter.h"
#include "method/identity.h"
#include "method/pair.h"

#include <string.h>

static void complete(abut_contact *c, const abut_pair *pair)
{
    c->position = abut_lerp(c->position_a, c->position_b, 0.5);
    c->gap = abut_dot(c->normal, abut_sub(c->position_b, c->position_a));
    abut_vec3 velocity_a = abut_side_point_velocity(&pair->a, pair->dt, c->position_a, &c->anchor_a);
    abut_vec3 velocity_b = abut_side_point_velocity(&pair->b, pair->dt, c->position_b, &c->anchor_b);
    c->normal_speed = abut_dot(c->normal, abut_sub(velocity_b, velocity_a));
    c->id = 0;
}

static int compare_features(const abut_contact *a, const abut_contact *b)
{
    const int keys[][2] = {
        {(int)a->feature_a.kind, (int)b->feature_a.kind},
        {a->feature_a.index, b->feature_a.index},
        {(int)a->feature_b.kind, (int)b->feature_b.kind},
        {a->feature_b.index, b->feature_b.index},
        {(int)a->normal_side, (int)b->normal_side},
        {(int)a->normal_feature.kind, (int)b->normal_feature.kind},
        {a->normal_feature.index, b->normal_feature.index},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

/// Orders contacts of equal features by place and normal, in A's frame and rounded: a common motion of both bodies, and
/// the rounding that it brings, do not change the order.
typedef struct sort_key {
    double values[8];
} sort_key;

typedef struct sort_input {
    const abut_draft *drafts;
    const sort_key *keys;
} sort_input;

static sort_key key_of(const abut_contact *c, const abut_mat3 *rotation, abut_vec3 origin, double step)
{
    const double normal_steps = 1e9;
    abut_vec3 p = abut_scale(1.0 / step, abut_mat3_apply_transposed(*rotation, abut_sub(c->position, origin)));
    abut_vec3 n = abut_scale(normal_steps, abut_mat3_apply_transposed(*rotation, c->normal));
    sort_key key = {{c->time, floor(p.x + 0.5), floor(p.y + 0.5), floor(p.z + 0.5), floor(n.x + 0.5),
                     floor(n.y + 0.5), floor(n.z + 0.5), c->gap}};
    return key;
}

/// Feature order alone, for contacts that all differ in it.
static int compare_draft_features(const void *user, int left, int right)
{
    const abut_draft *drafts = user;
    return compare_features(&drafts[left].contact, &drafts[right].contact);
}

/// Feature order, then place and normal, so that the order does not depend on the method's order of work. The sort is
/// stable: contacts that are equal in all of it stay in the order in which they were added.
static int compare_drafts(const void *user, int left, int right)
{
    const sort_input *input = user;
    int order = compare_features(&input->drafts[left].contact, &input->drafts[right].contact);
    const double *a = input->keys[left].values, *b = input->keys[right].values;
    for (int i = 0; i < 8 && order == 0; ++i) {
        order = a[i] < b[i] ? -1 : a[i] > b[i];
    }
    return order;
}

/// Sorts drafts by their features. Returns 0 if some have the same ones.
static int sort_by_features(const abut_draft *drafts, int *order, int count)
{
    for (int i = 0; i < count; ++i) {
        order[i] = i;
    }
    abut_sort_indices(order, order + count, count, compare_draft_features, drafts);
    for (int i = 1; i < count; ++i) {
        if (compare_draft_features(drafts, order[i - 1], order[i]) == 0) {
            return 0;
        }
    }
    return 1;
}

/// The drafts in the order of delivery: `count` indices from the sink's arena, or NULL if memory ran out.
static int *sorted_order(abut_sink *sink)
{
    size_t count = (size_t)sink->drafts.count;
    const abut_draft *drafts = sink->drafts.items;
    int *order = abut_arena_take(&sink->arena, 2 * count * sizeof *order);
    if (order == NULL || sort_by_features(drafts, order, sink->drafts.count)) {
        return order;
    }
    sort_key *keys = abut_arena_take(&sink->arena, count * sizeof *keys);
    if (keys == NULL) {
        return NULL;
    }
    abut_pose pose = sink->query->pair->a.pose;
    abut_mat3 rotation = abut_quat_matrix(pose.rotation);
    double step = 1e-9 * sink->query->size;
    for (int i = 0; i < sink->drafts.count; ++i) {
        order[i] = i;
        keys[i] = key_of(&drafts[i].contact, &rotation, pose.position, step);
    }
    sort_input input = {drafts, keys};
    abut_sort_indices(order, order + count, sink->drafts.count, compare_drafts, &input);
    return order;
}

/// Ids are made in canonical order, so that they do not change when the caller swaps A and B.
static void number(abut_draft *drafts, const int *order, int count)
{
    int ordinal = 0;
    for (int i = 0; i < count; ++i) {
        abut_contact *c = &drafts[order[i]].contact;
        ordinal = i > 0 && compare_features(&drafts[order[i - 1]].contact, c) == 0 ? ordinal + 1 : 0;
        c->id = abut_hash_mix(abut_contact_features(c), (uint64_t)ordinal);
    }
}

void abut_sink_complete(abut_sink *sink)
{
    abut_draft *drafts = sink->drafts.items;
    for (int i = 0; i < sink->drafts.count; ++i) {
        complete(&drafts[i].contact, sink->query->pair);
    }
}

abut_contact abut_contact_turned(abut_contact c)
{
    abut_contact t = c;
    t.position_a = c.position_b;
    t.position_b = c.position_a;
    t.normal = abut_negate(c.normal);
    t.feature_a = c.feature_b;
    t.feature_b = c.feature_a;
    t.anchor_a = c.anchor_b;
    t.anchor_b = c.anchor_a;
    if (c.normal_side != ABUT_NORMAL_BOTH) {
        t.normal_side = c.normal_side == ABUT_NORMAL_A ? ABUT_NORMAL_B : ABUT_NORMAL_A;
    }
    return t;
}

static abut_derivative turn_derivative(const abut_derivative *d)
{
    abut_derivative t = *d;
    for (int k = 0; k < 12; ++k) {
        int other = (k + 6) % 12;
        t.gap[k] = d->gap[other];
        for (int i = 0; i < 3; ++i) {
            t.normal[i][k] = -d->normal[i][other];
            t.position_a[i][k] = d->position_b[i][other];
            t.position_b[i][k] = d->position_a[i][other];
        }
    }
    return t;
}

/// Returns 0 if memory ran out.
static int deliver_contacts(abut_sink *sink, const int *order, int count, int is_swapped, abut_result *result)
{
    const abut_draft *drafts = sink->drafts.items;
    abut_contact *contacts = abut_arena_take(&sink->arena, (size_t)count * sizeof *contacts);
    if (contacts == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        const abut_contact *c = &drafts[order[i]].contact;
        contacts[i] = is_swapped ? abut_contact_turned(*c) : *c;
    }
    result->contacts = (abut_contact_view){contacts, count};
    if ((sink->query->params->flags & ABUT_PARAMS_DERIVATIVES) == 0 || sink->derivatives.count == 0) {
        return 1;
    }
    const abut_derivative *found = sink->derivatives.items;
    abut_derivative *derivatives = abut_arena_take(&sink->arena, (size_t)count * sizeof *derivatives);
    if (derivatives == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        int index = drafts[order[i]].derivative;
        derivatives[i] = index < 0    ? (abut_derivative){0}
                         : is_swapped ? turn_derivative(&found[index])
                                      : found[index];
    }
    result->derivatives = (abut_derivative_view){derivatives, count};
    return 1;
}

static void deliver_regions(abut_sink *sink, int is_swapped, abut_result *result)
{
    abut_region *regions = sink->regions.items;
    abut_vec3 *directions = sink->directions.items;
    for (int i = 0; is_swapped && i < sink->regions.count; ++i) {
        abut_feature a = regions[i].feature_a;
        regions[i].feature_a = regions[i].feature_b;
        regions[i].feature_b = a;
    }
    for (int i = 0; is_swapped && i < sink->directions.count; ++i) {
        directions[i] = abut_negate(directions[i]);
    }
    result->regions = (abut_region_view){regions, sink->regions.count};
    result->loops = (abut_loop_view){sink->loops.items, sink->loops.count};
    result->cones = (abut_cone_view){sink->cones.items, sink->cones.count};
    result->points = (abut_vec3_view){sink->points.items, sink->points.count};
    result->directions = (abut_vec3_view){directions, sink->directions.count};
}

abut_status abut_sink_finish(abut_sink *sink, int is_swapped, abut_result *result)
{
    const abut_query *query = sink->query;
    int count = sink->drafts.count;
    sink->stats.raw_contacts = count;
    if (sink->own_filtered >= 0) {
        sink->stats.raw_contacts += sink->own_filtered;
        sink->stats.filtered_contacts = sink->own_filtered;
    }
    int *order = sorted_order(sink);
    int has_room = order != NULL;
    if (has_room && sink->own_filtered < 0 && (query->params->flags & ABUT_PARAMS_KEEP_REDUNDANT) == 0) {
        has_room = abut_filter_redundant(sink, order, &count);
    }
    if (has_room) {
        number(sink->drafts.items, order, count);
        has_room = abut_identify_contacts(sink, order, count) && !sink->is_out_of_memory &&
                   deliver_contacts(sink, order, count, is_swapped, result);
    }
    if (!has_room) {
        return abut_fail(&sink->error, ABUT_NO_MEMORY, "no memory to sort %d contacts", sink->drafts.count);
    }
    deliver_regions(sink, is_swapped, result);
    result->events = (abut_event_view){sink->events.items, sink->events.count};
    return ABUT_OK;
}
