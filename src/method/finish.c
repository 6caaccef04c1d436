// SPDX-License-Identifier: MIT
// finish.c: from what a method found to what the caller gets: complete, sorted, filtered, numbered, turned back
#include "method/finish.h"

#include "base/error.h"
#include "base/sort.h"
#include "method/feature_hash.h"
#include "method/filter.h"
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

/// Where a contact of certain features is among those of the same features: in A's frame and rounded, so that
/// neither a motion of both bodies nor what rounding makes of it changes the order.
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

/// Feature order, then place and normal, so that the order does not depend on how the method went about it; the
/// stable sort leaves contacts that are equal in all of it in the order of adding.
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

/// Returns 0 where memory ran out.
static int sort_drafts(abut_sink *sink)
{
    size_t count = (size_t)sink->drafts.count;
    int *order = abut_arena_take(&sink->arena, 2 * count * sizeof *order);
    abut_draft *sorted = abut_arena_take(&sink->arena, count * sizeof *sorted);
    sort_key *keys = abut_arena_take(&sink->arena, count * sizeof *keys);
    if (order == NULL || sorted == NULL || keys == NULL) {
        return 0;
    }
    abut_draft *drafts = sink->drafts.items;
    abut_pose pose = sink->query->pair->a.pose;
    abut_mat3 rotation = abut_quat_matrix(pose.rotation);
    double step = 1e-9 * sink->query->size;
    for (int i = 0; i < sink->drafts.count; ++i) {
        order[i] = i;
        keys[i] = key_of(&drafts[i].contact, &rotation, pose.position, step);
    }
    sort_input input = {drafts, keys};
    abut_sort_indices(order, order + count, sink->drafts.count, compare_drafts, &input);
    for (size_t i = 0; i < count; ++i) {
        sorted[i] = drafts[order[i]];
    }
    if (count > 0) {
        memcpy(drafts, sorted, count * sizeof *sorted);
    }
    return 1;
}

/// Ids are made in canonical order, so that they do not change when the caller swaps A and B.
static void number(abut_draft *drafts, int count)
{
    int ordinal = 0;
    for (int i = 0; i < count; ++i) {
        abut_contact *c = &drafts[i].contact;
        ordinal = i > 0 && compare_features(&drafts[i - 1].contact, c) == 0 ? ordinal + 1 : 0;
        uint64_t hash = abut_hash_features(c->feature_a, c->feature_b);
        hash = abut_hash_feature(abut_hash_mix(hash, (uint64_t)c->normal_side), c->normal_feature);
        c->id = abut_hash_mix(hash, (uint64_t)ordinal);
    }
}

void abut_sink_complete(abut_sink *sink)
{
    abut_draft *drafts = sink->drafts.items;
    for (int i = 0; i < sink->drafts.count; ++i) {
        complete(&drafts[i].contact, sink->query->pair);
    }
}

abut_status abut_sink_finish(abut_sink *sink)
{
    const abut_query *query = sink->query;
    abut_draft *drafts = sink->drafts.items;
    sink->stats.raw_contacts = sink->drafts.count;
    int keeps_all = (query->params->flags & ABUT_PARAMS_KEEP_REDUNDANT) != 0;
    if (!sort_drafts(sink) || (!keeps_all && !abut_filter_redundant(sink, query->merge, query->angle))) {
        return abut_fail(&sink->error, ABUT_NO_MEMORY, "no memory to sort %d contacts", sink->drafts.count);
    }
    number(drafts, sink->drafts.count);
    return ABUT_OK;
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

static abut_status deliver_contacts(const abut_sink *sink, int is_swapped, abut_result *result)
{
    const abut_draft *drafts = sink->drafts.items;
    int count = sink->drafts.count;
    int wants_derivatives =
        (sink->query->params->flags & ABUT_PARAMS_DERIVATIVES) != 0 && sink->derivatives.count > 0;
    result->contacts.required = count;
    result->derivatives.required = wants_derivatives ? count : 0;
    int fitting = count < result->contacts.capacity ? count : result->contacts.capacity;
    for (int i = 0; i < fitting; ++i) {
        result->contacts.items[i] = is_swapped ? abut_contact_turned(drafts[i].contact) : drafts[i].contact;
    }
    result->contacts.count = fitting;
    abut_status status = fitting < count ? ABUT_TRUNCATED : ABUT_OK;
    if (wants_derivatives && result->derivatives.items != NULL) {
        const abut_derivative *derivatives = sink->derivatives.items;
        int room = fitting < result->derivatives.capacity ? fitting : result->derivatives.capacity;
        for (int i = 0; i < room; ++i) {
            abut_derivative none = {0};
            const abut_derivative *d = drafts[i].derivative >= 0 ? &derivatives[drafts[i].derivative] : &none;
            result->derivatives.items[i] = is_swapped ? turn_derivative(d) : *d;
        }
        result->derivatives.count = room;
        status = room < count ? ABUT_TRUNCATED : status;
    }
    return status;
}

static void copy_list(const abut_list *list, void *items, int *count, size_t item_size)
{
    if (list->count > 0) {
        memcpy(items, list->items, (size_t)list->count * item_size);
    }
    *count = list->count;
}

/// A region is of use only with all that it refers to.
static abut_status deliver_regions(const abut_sink *sink, int is_swapped, abut_result *result)
{
    result->regions.required = sink->regions.count;
    result->loops.required = sink->loops.count;
    result->cones.required = sink->cones.count;
    result->points.required = sink->points.count;
    result->directions.required = sink->directions.count;
    int fits = sink->regions.count <= result->regions.capacity && sink->loops.count <= result->loops.capacity &&
               sink->cones.count <= result->cones.capacity && sink->points.count <= result->points.capacity &&
               sink->directions.count <= result->directions.capacity;
    if (!fits) {
        return result->regions.items != NULL ? ABUT_TRUNCATED : ABUT_OK;
    }
    copy_list(&sink->regions, result->regions.items, &result->regions.count, sizeof(abut_region));
    copy_list(&sink->loops, result->loops.items, &result->loops.count, sizeof(abut_region_loop));
    copy_list(&sink->cones, result->cones.items, &result->cones.count, sizeof(abut_region_cone));
    copy_list(&sink->points, result->points.items, &result->points.count, sizeof(abut_vec3));
    copy_list(&sink->directions, result->directions.items, &result->directions.count, sizeof(abut_vec3));
    if (is_swapped) {
        for (int i = 0; i < result->regions.count; ++i) {
            abut_region *r = &result->regions.items[i];
            abut_feature a = r->feature_a;
            r->feature_a = r->feature_b;
            r->feature_b = a;
        }
        for (int i = 0; i < result->directions.count; ++i) {
            result->directions.items[i] = abut_negate(result->directions.items[i]);
        }
    }
    return ABUT_OK;
}

static abut_status deliver_events(const abut_sink *sink, abut_result *result)
{
    result->events.required = sink->events.count;
    int fitting = sink->events.count < result->events.capacity ? sink->events.count : result->events.capacity;
    if (fitting > 0) {
        memcpy(result->events.items, sink->events.items, (size_t)fitting * sizeof(abut_event));
    }
    result->events.count = fitting;
    return result->events.items != NULL && fitting < sink->events.count ? ABUT_TRUNCATED : ABUT_OK;
}

abut_status abut_sink_deliver(const abut_sink *sink, int is_swapped, abut_result *result)
{
    abut_status contacts = deliver_contacts(sink, is_swapped, result);
    abut_status regions = deliver_regions(sink, is_swapped, result);
    abut_status events = deliver_events(sink, result);
    return contacts == ABUT_OK && regions == ABUT_OK && events == ABUT_OK ? ABUT_OK : ABUT_TRUNCATED;
}
