// SPDX-License-Identifier: MIT
// query.c: the path of a query: check, canonical order, method, check its output, finish and deliver
#include "abut/translation.h"
#include "base/error.h"
#include "method/finish.h"
#include "method/methods.h"
#include "method/pair.h"
#include "method/pair_memory.h"
#include "method/params.h"
#include "method/shape.h"

#include <string.h>

/// Whether a soft body has all the trees of its shape. It got its own when it was created.
static int instance_has_trees(const abut_instance *instance, const abut_shape *shape)
{
    for (int kind = 0; kind < ABUT_ELEMENT_KINDS; ++kind) {
        if (abut_shape_tree(shape, (abut_element_kind)kind) != NULL &&
            abut_instance_tree(instance, (abut_element_kind)kind) == NULL) {
            return 0;
        }
    }
    return 1;
}

static abut_status check_prepared(const abut_side *side, const abut_method *method, const abut_params *params,
                                  const char *name, abut_error *error)
{
    if (!abut_shape_is_prepared(abut_side_shape(side), method, params)) {
        return abut_fail(error, ABUT_UNPREPARED,
                         "side %s is not prepared for method %s with these options: call abut_shape_prepare()",
                         name, method->name);
    }
    if (side->instance != NULL && !instance_has_trees(side->instance, abut_side_shape(side))) {
        return abut_fail(
            error, ABUT_UNPREPARED,
            "the soft body of side %s is older than what its shape prepared for method %s: create it again", name,
            method->name);
    }
    return ABUT_OK;
}

static abut_query make_query(const abut_pair *pair, const abut_params *params, const abut_method *method)
{
    double size_a = abut_side_diagonal(&pair->a), size_b = abut_side_diagonal(&pair->b);
    abut_query query = {.pair = pair, .params = params, .method = method};
    query.b_to_a = abut_pose_relative(pair->a.pose, pair->b.pose);
    query.is_self = abut_pair_is_self(pair);
    // a single point has no size: use the other side's
    query.size = size_a > 0.0 && size_b > 0.0 ? fmin(size_a, size_b) : fmax(size_a, size_b);
    query.tolerance = abut_length_resolve(params->tolerance, query.size);
    query.envelope = abut_length_resolve(params->envelope, query.size);
    query.merge = abut_length_resolve(params->merge, query.size);
    query.angle = params->angle;
    return query;
}

/// Of the smaller body: a translation that separates the bodies and is longer is not a short one.
static const double short_way = 0.25;

/// Finds the way out of a deep overlap: the least translation that opens all contacts. Gaps of other methods are not lengths
/// of a way out.
static int find_way_out(const abut_query *query, abut_sink *sink, abut_result *result)
{
    static const abut_method *const methods[] = {&abut_method_regions, &abut_method_convex, &abut_method_quasi_lmd};
    int is_meant = 0, count = result->contacts.count;
    double deepest = 0.0;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; ++i) {
        is_meant |= strcmp(result->method, methods[i]->name) == 0;
    }
    for (int i = 0; i < count && is_meant; ++i) {
        deepest = fmin(deepest, result->contacts.items[i].gap);
    }
    if (!(deepest < -short_way * query->size)) {
        return 1;
    }
    abut_half_space *sides = abut_arena_take(&sink->arena, (size_t)count * sizeof *sides);
    for (int i = 0; i < count && sides != NULL; ++i) {
        sides[i] = (abut_half_space){result->contacts.items[i].normal, -result->contacts.items[i].gap};
    }
    if (sides == NULL) {
        return 0;
    }
    result->has_long_way_out = 1;
    if (!abut_least_translation(sides, count, &result->way_out)) { // contacts contradict each other
        result->way_out = (abut_vec3){0.0, 0.0, 0.0};
    }
    return 1;
}

static abut_status run(const abut_query *query, int is_swapped, abut_sink *sink, abut_result *result)
{
    abut_sink_begin(sink, query);
    if (!isfinite(query->tolerance) || !isfinite(query->envelope) || !isfinite(query->merge)) {
        return abut_fail(&sink->error, ABUT_BAD_ARGUMENT,
                         "a relative tolerance, envelope or merge overflows for bodies of size %g", query->size);
    }
    abut_status status = query->method->query(query, sink);
    if (sink->is_out_of_memory) {
        return abut_fail(&sink->error, ABUT_NO_MEMORY, "no memory for the contacts of method %s",
                         query->method->name);
    }
    if (status != ABUT_OK) {
        if (sink->error.status == ABUT_OK) {
            (void)abut_fail(&sink->error, status, "method %s: %s", query->method->name, abut_status_text(status));
        }
        return status;
    }
    abut_sink_complete(sink);
    status = abut_sink_check(sink);
    if (status == ABUT_OK) {
        status = abut_sink_finish(sink, is_swapped, result);
        result->method = sink->chosen != NULL ? sink->chosen : query->method->name;
        result->reason = sink->chosen != NULL ? sink->reason : NULL;
        if (status == ABUT_OK && !find_way_out(query, sink, result)) {
            return abut_fail(&sink->error, ABUT_NO_MEMORY, "no memory for the way out of an overlap");
        }
    }
    return status;
}

abut_status abut_find_contacts(const abut_pair *pair, const abut_method *method, const abut_params *params,
                               abut_workspace *workspace, abut_result *result)
{
    ABUT_ASSERT(pair != NULL && workspace != NULL && result != NULL);
    if (result->struct_size != sizeof *result) {
        abut_pair_drop_memory(pair);
        return ABUT_BAD_ARGUMENT; // no message: in a struct of another size `error` may be elsewhere
    }
    abut_result_clear(result);
    abut_pair ordered;
    abut_params read;
    int is_swapped = 0;
    abut_status status = abut_pair_canonical(pair, &ordered, &is_swapped, &result->error);
    if (status == ABUT_OK) {
        status = abut_params_read(params, method, &read, &result->error);
    }
    if (status == ABUT_OK) {
        status = check_prepared(&ordered.a, method, &read, is_swapped ? "B" : "A", &result->error);
    }
    if (status == ABUT_OK) {
        status = check_prepared(&ordered.b, method, &read, is_swapped ? "A" : "B", &result->error);
    }
    if (status == ABUT_OK) {
        abut_query query = make_query(&ordered, &read, method);
        abut_sink *sink = &workspace->sink;
        status = run(&query, is_swapped, sink, result);
        if (status != ABUT_OK) {
            abut_result_clear(result); // it may already name arrays if memory ran out late
        }
        result->stats = sink->stats;
        result->error = sink->error;
        sink->query = NULL;
    }
    if (status != ABUT_OK) {
        abut_pair_drop_memory(pair);
    }
    return status;
}

const void *abut_query_data(const abut_query *query, const abut_shape *shape)
{
    return abut_shape_find_data(shape, query->method, query->params);
}

const void *abut_query_memory(const abut_query *query, size_t *size)
{
    *size = 0;
    return query->pair->memory != NULL ? abut_memory_read(query->pair->memory, query->method->name, size) : NULL;
}

int abut_query_motion(const abut_query *query, abut_vec3 *linear, abut_vec3 *angular)
{
    size_t size;
    const abut_relative_motion *motion =
        abut_query_memory(query, &size) != NULL ? abut_memory_motion(query->pair->memory) : NULL;
    if (motion != NULL) {
        *linear = motion->linear;
        *angular = motion->angular;
    }
    return motion != NULL;
}
