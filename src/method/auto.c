// SPDX-License-Identifier: MIT
// auto.c: chooses a method for each pair
//
// Closed solids are for `regions`. If two convex ones overlap, `convex` answers: all corners that are inside the other
// body are contacts, so that a stack rests on its whole faces. Surfaces that are not closed, lines, points, and shapes
// with a dilation or an offset are for `quasi-lmd`, which takes a side of an open surface if it overlaps the other body.
// It also answers for solids that are near but do not touch, if the envelope is larger than their details.
//
// Differs: two solids keep `quasi-lmd` until they touch, and then `regions` until they part, so that gaps and ids do not
//          jump back and forth. The memory tells which one answered last.
// Cost:    that of the method chosen. A shape holds what all of them need.
// Fails:   soft bodies are for `continuous`.
#include "method/auto.h"

#include "base/error.h"
#include "method/base_complex.h"
#include "method/methods.h"
#include "method/pair.h"
#include "method/pair_memory.h"
#include "method/shape.h"
#include "method/shared_options.h"
#include "method/workspace.h"

#include <stdio.h>
#include <string.h>

static const abut_method *const choices[] = {&abut_method_regions, &abut_method_convex, &abut_method_quasi_lmd};

const abut_method *const *abut_auto_choices(int *count)
{
    *count = (int)(sizeof choices / sizeof choices[0]);
    return choices;
}

enum { GAPS_TOUCHING = 1 }; ///< of option `gaps`

/// What a shape is prepared for.
typedef struct auto_data {
    int is_solid;   ///< for `regions`
    int is_convex;  ///< for `convex`, too
    int is_complex; ///< for `quasi-lmd`
    int64_t bytes;  ///< of the complex, which `regions` and `convex` do not need
} auto_data;

static abut_status prepare_auto(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                void **data, abut_error *error)
{
    (void)params;
    auto_data *made = abut_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to prepare a shape for method auto");
    }
    const abut_params plain = abut_params_default();
    int is_plain = abut_shape_dilation(shape) == 0.0 && abut_shape_offset(shape) == 0.0;
    made->is_solid = is_plain && abut_shape_is_prepared(shape, &abut_method_regions, &plain);
    made->is_convex = made->is_solid && abut_shape_is_prepared(shape, &abut_method_convex, &plain);
    const abut_base *base = abut_shape_find_data(shape, &abut_method_quasi_lmd, &plain);
    made->is_complex = base != NULL;
    made->bytes = base != NULL ? (int64_t)base->bytes : 0;
    *data = made;
    return ABUT_OK;
}

static void release_auto(void *data, const abut_context *context)
{
    abut_free(context, data);
}

// ---- asking a method

/// A query of one of the methods, with an option that `auto` sets.
typedef struct attempt {
    const abut_method *method;
    abut_option option; ///< no name: none
} attempt;

static const attempt by_regions = {&abut_method_regions, {NULL, 0.0}};
static const attempt by_regions_touching = {&abut_method_regions, {"overlap", 1.0}}; // refuse
static const attempt by_convex = {&abut_method_convex, {"manifold", 1.0}};           // overlap
static const attempt by_lmds = {&abut_method_quasi_lmd, {"overlap", 1.0}};           // separate

static int has_option(const abut_method *method, const char *name)
{
    for (int i = 0; i < method->option_count; ++i) {
        if (strcmp(method->options[i].name, name) == 0) {
            return 1;
        }
    }
    return 0;
}

/// The options of the query that the method has, and that of the attempt.
static abut_option *collect_options(const abut_params *params, const attempt *by, abut_option *single,
                                    abut_sink *sink, int *count)
{
    abut_option *options = single;
    *count = 0;
    if (params->option_count > 0) {
        options = abut_sink_scratch(sink, ((size_t)params->option_count + 1) * sizeof *options);
    }
    for (int i = 0; options != NULL && i < params->option_count; ++i) {
        if (has_option(by->method, params->options[i].name)) {
            options[(*count)++] = params->options[i];
        }
    }
    if (options != NULL && by->option.name != NULL) {
        options[(*count)++] = by->option;
    }
    return options;
}

/// Asks a method. What an earlier one found is dropped, and only its work counts.
static abut_status ask(const abut_query *query, const attempt *by, const abut_pair *pair, abut_sink *sink)
{
    abut_stats before = sink->stats;
    abut_option single;
    abut_params params = *query->params;
    abut_query made = *query;
    abut_sink_begin(sink, &made);
    params.options = collect_options(query->params, by, &single, sink, &params.option_count);
    if (params.options == NULL) {
        sink->query = query;
        return ABUT_NO_MEMORY;
    }
    made.params = &params;
    made.pair = pair;
    made.method = by->method;
    abut_status status = by->method->query(&made, sink);
    sink->query = query;
    sink->stats.candidate_pairs += before.candidate_pairs;
    sink->stats.tested_pairs += before.tested_pairs;
    sink->stats.fallbacks += before.fallbacks;
    sink->chosen = by->method->name;
    return status;
}

static void explain(abut_sink *sink, const char *reason)
{
    (void)snprintf(sink->reason, sizeof sink->reason, "%s", reason);
}

static double gap_of(const abut_contact *c)
{
    return abut_dot(c->normal, abut_sub(c->position_b, c->position_a));
}

/// The least gap of what was found; HUGE_VAL: nothing was.
static double least_gap(const abut_sink *sink, abut_vec3 *normal)
{
    const abut_draft *drafts = sink->drafts.items;
    double least = HUGE_VAL;
    for (int i = 0; i < sink->drafts.count; ++i) {
        double gap = gap_of(&drafts[i].contact);
        if (gap < least) {
            least = gap;
            *normal = drafts[i].contact.normal;
        }
    }
    return least;
}

// ---- convex solids

/// The pair with the relative motion that it had when it last touched or was apart.
static abut_pair on_the_way(const abut_pair *pair, const abut_relative_motion *way)
{
    abut_pair made = *pair;
    abut_mat3 rotation = abut_quat_matrix(pair->a.pose.rotation);
    abut_vec3 arm = abut_sub(pair->b.pose.position, pair->a.pose.position);
    made.a.linear_velocity = made.a.angular_velocity = abut_vec3_make(0.0, 0.0, 0.0);
    made.b.angular_velocity = abut_mat3_apply(rotation, way->angular);
    made.b.linear_velocity =
        abut_add(abut_mat3_apply(rotation, way->linear), abut_cross(made.b.angular_velocity, arm));
    return made;
}

/// Convex solids that overlap by more than a touch: all corners inside, by `convex`, unless its shortest way out leads
/// to another side than the one from which the bodies came.
static abut_status find_inside(const abut_query *query, abut_sink *sink)
{
    const abut_memory *memory = query->pair->memory;
    const abut_relative_motion *way = memory != NULL ? abut_memory_read_way(memory) : NULL;
    abut_pair before = way != NULL ? on_the_way(query->pair, way) : *query->pair;
    abut_vec3 back = {0.0, 0.0, 0.0}, out = {0.0, 0.0, 0.0};
    int knows_way =
        way != NULL && ask(query, &by_regions_touching, &before, sink) == ABUT_OK && !isinf(least_gap(sink, &back));
    abut_status status = ask(query, &by_convex, query->pair, sink);
    if (status == ABUT_OK && (!knows_way || (!isinf(least_gap(sink, &out)) && abut_dot(out, back) > 0.0))) {
        explain(sink, "both bodies are convex, and they overlap");
        return status;
    }
    status = knows_way ? ask(query, &by_regions_touching, &before, sink) : status;
    explain(sink, "both bodies are convex; they overlap, and go back the way they came");
    return status;
}

static abut_status query_convex_pair(const abut_query *query, abut_sink *sink)
{
    abut_status status = ask(query, &by_regions_touching, query->pair, sink);
    if (status == ABUT_OVERLAP) {
        return find_inside(query, sink);
    }
    if (status == ABUT_OK && query->pair->memory != NULL) {
        abut_memory_write_way(query->pair->memory, abut_pair_relative_motion(&query->pair->a, &query->pair->b));
    }
    explain(sink, "both bodies are convex");
    return status;
}

// ---- other bodies

static abut_status find_lmds(const abut_query *query, const char *reason, abut_sink *sink)
{
    abut_status status = ask(query, &by_lmds, query->pair, sink);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_draft *first = sink->drafts.items;
    abut_rule rule = sink->drafts.count > 0 ? first->contact.rule : ABUT_RULE_GEOMETRY;
    const char *side = rule == ABUT_RULE_HISTORY    ? "; they overlap: the side is that of the last contacts"
                       : rule == ABUT_RULE_VELOCITY ? "; they overlap: the side is that from which they came"
                       : rule == ABUT_RULE_ORIENTATION
                           ? "; they overlap: the side is that of the triangles' normals"
                       : rule == ABUT_RULE_TRANSLATION ? "; they overlap: the side is that of the shortest way out"
                                                       : "";
    (void)snprintf(sink->reason, sizeof sink->reason, "%s%s", reason, side);
    if (query->pair->memory != NULL && sink->drafts.count > 0) { // `quasi-lmd` has no state, but answered
        if (abut_memory_write(query->pair->memory, abut_method_quasi_lmd.name, 0) == NULL) {
            sink->is_out_of_memory = 1;
        }
    }
    return ABUT_OK;
}

static int stop(void *user, int element_a, int element_b)
{
    (void)user;
    (void)element_a;
    (void)element_b;
    return 1;
}

/// Whether triangles of the two meshes have a common point.
static int do_meet(const abut_query *query)
{
    return abut_tree_intersections(abut_side_tree(&query->pair->a, ABUT_ELEMENT_TRIANGLE),
                                   abut_side_tree(&query->pair->b, ABUT_ELEMENT_TRIANGLE), query->b_to_a, 0.0, stop,
                                   NULL);
}

static int is_last(const abut_query *query, const abut_method *method)
{
    const abut_memory *memory = query->pair->memory;
    return memory != NULL && strcmp(abut_memory_method(memory), method->name) == 0;
}

static int is_for_touching(const abut_query *query)
{
    return query->params->option_count > 0 && abut_query_option(query, "gaps") == GAPS_TOUCHING;
}

/// Whether `regions` has the whole answer. If its envelope was too large for the details of the bodies, or if `quasi-lmd`
/// answered last, it has not, unless the bodies touch.
static int is_whole(const abut_query *query, const abut_sink *sink)
{
    abut_vec3 normal;
    double gap = least_gap(sink, &normal);
    if (isinf(gap)) {
        return !do_meet(query) && (sink->stats.caps == 0 || is_for_touching(query));
    }
    return gap <= query->tolerance || is_for_touching(query) || is_last(query, &abut_method_regions) ||
           (sink->stats.caps == 0 && !is_last(query, &abut_method_quasi_lmd));
}

static const char *const beyond = "the bodies are solids that do not touch, with details smaller than the envelope";

static abut_status query_solids(const abut_query *query, int has_complexes, abut_sink *sink)
{
    abut_vec3 normal;
    if (has_complexes && !is_for_touching(query) && query->envelope > query->tolerance &&
        is_last(query, &abut_method_quasi_lmd) && find_lmds(query, beyond, sink) == ABUT_OK &&
        least_gap(sink, &normal) > query->tolerance + 1e-3 * query->size) {
        return ABUT_OK; // surely apart
    }
    abut_status status = ask(query, &by_regions, query->pair, sink);
    explain(sink, "both bodies are closed solids");
    if (!has_complexes || status == ABUT_NO_MEMORY || (status == ABUT_OK && is_whole(query, sink)) ||
        (is_for_touching(query) && status == ABUT_UNSUPPORTED)) {
        return status;
    }
    abut_error error = sink->error;
    abut_status second = find_lmds(
        query, status == ABUT_OVERLAP ? "no translation separates the solids for method regions" : beyond, sink);
    if (second != ABUT_OK && status == ABUT_OK) {
        status = ask(query, &by_regions, query->pair, sink);
        explain(sink, "both bodies are closed solids");
        return status;
    }
    sink->error = second == ABUT_OK ? sink->error : error;
    return second == ABUT_OK ? ABUT_OK : status;
}

static const char *why_complexes(const abut_shape *a, const abut_shape *b, int solids)
{
    int is_plain = abut_shape_dilation(a) == 0.0 && abut_shape_dilation(b) == 0.0 && abut_shape_offset(a) == 0.0 &&
                   abut_shape_offset(b) == 0.0;
    return !is_plain     ? "a shape has a dilation or an offset"
           : solids == 1 ? "one body is not a closed solid"
                         : "neither body is a closed solid";
}

static abut_status choose(const abut_query *query, const auto_data *a, const auto_data *b, abut_sink *sink)
{
    const abut_pair *pair = query->pair;
    if (query->is_self) {
        return a->is_complex ? find_lmds(query, "the two bodies are one", sink)
                             : abut_sink_fail(sink, ABUT_UNSUPPORTED,
                                              "self-contact is for method quasi-lmd, which cannot use this shape");
    }
    if (a->is_convex && b->is_convex) {
        return query_convex_pair(query, sink);
    }
    int has_complexes = a->is_complex && b->is_complex;
    if (a->is_solid && b->is_solid) {
        return query_solids(query, has_complexes, sink);
    }
    return has_complexes
               ? find_lmds(query, why_complexes(pair->a.shape, pair->b.shape, a->is_solid + b->is_solid), sink)
               : abut_sink_fail(sink, ABUT_UNSUPPORTED,
                                "one body is not a closed solid, and method quasi-lmd cannot use the other");
}

static abut_status query_auto(const abut_query *query, abut_sink *sink)
{
    const abut_pair *pair = query->pair;
    if (pair->a.instance != NULL || pair->b.instance != NULL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED,
                              "method auto does not take soft bodies: use method continuous");
    }
    const auto_data *a = abut_query_data(query, pair->a.shape), *b = abut_query_data(query, pair->b.shape);
    abut_status status = choose(query, a, b, sink);
    sink->stats.data_bytes = a->bytes + b->bytes;
    return status;
}

static const char *const gap_choices[] = {"all", "touching", NULL};
static const abut_option_info options[] = {
    ABUT_OPTION_THETA,
    ABUT_OPTION_NORMALS,
    ABUT_OPTION_POINTS,
    {.name = "gaps",
     .help = "of solids whose details are smaller than the envelope. all: quasi-lmd finds them; touching: regions "
             "finds those that it can, and fails if there are none",
     .choices = gap_choices,
     .is_of_query = 1},
};

const abut_method abut_method_auto = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "auto",
    .summary = "chooses for each pair: regions for solids, quasi-lmd for open meshes, lines and wide gaps",
    .source = "Abut",
    .taxonomy = {.locality = ABUT_SEMI_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_REGIONS,
                 .traits = {2, 1, 1, 1},
                 .is_ours = 1},
    .needs = ABUT_NEEDS_VELOCITY | ABUT_NEEDS_MEMORY,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .prepare = prepare_auto,
    .release = release_auto,
    .query = query_auto,
};
