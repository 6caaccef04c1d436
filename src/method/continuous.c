// SPDX-License-Identifier: MIT
// continuous.c: contacts of vertices with faces and of edges with edges, at the time of their first touch in the step
//
// Every vertex moves along a straight line from its place at the start of the step to its place at the end. Each pair of
// features (moving_features.c) is tested once. A pair that touches gives one contact, at the time and place of its first
// touch.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, sections 3.2 to 3.5: pairs of features, and the normals of faces and of
//          pairs of edges, on the side where the features were before.
// Differs: the tests never miss a touch (prim/impact.c). Features that come within the tolerance without touching give
//          contacts too.
// Cost:    linear in the pairs of triangles whose swept boxes overlap.
// Fails:   bodies that overlap at the start: only what crosses within the step is reported.
#include "method/methods.h"
#include "method/moving_features.h"
#include "method/shape.h"

#include <abut/continuous.h>
#include <abut/support.h>
#include <stdio.h>

enum { ALL_TIMES = 0 };               ///< the first choice of option `times`
static const double SAME_TIME = 1e-9; // touches within it are at the same time

typedef struct continuous_task {
    const abut_query *query;
    abut_moving_bodies bodies;
    abut_impact_params params;
    double tolerance;
    double latest; ///< contacts after this time are left out
    double first;  ///< time of the first touch so far
    int is_search; ///< look for the time of the first touch only
    int wrong;     ///< the vertex that ended the search: it moves too far
    abut_sink *sink;
    abut_stats *stats;
} continuous_task;

static abut_status prepare(const abut_shape *shape, const abut_params *params, const abut_context *context,
                           void **data, abut_error *error)
{
    (void)params;
    abut_feature_owners *owners = NULL;
    abut_status status = abut_feature_owners_create(shape, context, &owners, error);
    *data = owners;
    return status;
}

static void release(void *data, const abut_context *context)
{
    abut_feature_owners_destroy(data, context);
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts

static abut_vec3 weighted(const abut_vec3 *points, const double *weights, int count)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        sum = abut_add_scaled(sum, weights[i], points[i]);
    }
    return sum;
}

/// The direction from the first feature to the second, and what decided it.
static abut_vec3 find_normal(const abut_moving_pair *pair, const abut_impact *impact, abut_contact *contact)
{
    abut_vec3 v[4];
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_lerp(pair->start[i], pair->end[i], impact->time);
    }
    int is_face = pair->kind == ABUT_VERTEX_FACE, first = is_face ? 1 : 2;
    abut_vec3 arm = is_face ? abut_sub(v[2], v[1]) : abut_sub(v[1], v[0]);
    abut_vec3 other = is_face ? abut_sub(v[3], v[1]) : abut_sub(v[3], v[2]);
    abut_vec3 cross = abut_cross(arm, other);
    abut_vec3 gap =
        abut_sub(weighted(v + first, impact->weights + first, 4 - first), weighted(v, impact->weights, first));
    abut_vec3 before = abut_sub(weighted(pair->start + first, impact->weights + first, 4 - first),
                                weighted(pair->start, impact->weights, first));
    abut_vec3 after = abut_sub(weighted(pair->end + first, impact->weights + first, 4 - first),
                               weighted(pair->end, impact->weights, first));
    abut_vec3 approach = abut_sub(before, after); // the first feature moves along it, as seen from the second
    double tiny = 1e-9 * (abut_norm(arm) + abut_norm(other));
    contact->rule = ABUT_RULE_GEOMETRY;
    if (!(abut_norm(cross) > tiny * tiny * 1e6)) { // parallel edges, or a triangle without area
        abut_vec3 axis = abut_unit(abut_norm_squared(arm) > abut_norm_squared(other) ? arm : other);
        const abut_vec3 tries[3] = {gap, before, approach};
        for (int i = 0; i < 3; ++i) {
            abut_vec3 across = abut_add_scaled(tries[i], -abut_dot(tries[i], axis), axis);
            if (abut_norm(across) > tiny) {
                contact->rule = i == 2 ? ABUT_RULE_VELOCITY : ABUT_RULE_GEOMETRY;
                return abut_unit(across);
            }
        }
        contact->rule = ABUT_RULE_NONE;
        contact->flags |= ABUT_CONTACT_ARBITRARY_SIGN;
        return abut_norm(axis) > 0.5 ? abut_any_perpendicular(axis) : abut_vec3_make(0.0, 0.0, 1.0);
    }
    abut_vec3 normal = abut_unit(cross);
    if (impact->side != 0) {
        return abut_scale(-impact->side, normal);
    }
    const double tries[3] = {abut_dot(before, normal), abut_dot(gap, normal), abut_dot(approach, normal)};
    for (int i = 0; i < 3; ++i) {
        if (fabs(tries[i]) > tiny) {
            contact->rule = i == 2 ? ABUT_RULE_VELOCITY : ABUT_RULE_GEOMETRY;
            return abut_scale(tries[i] > 0.0 ? 1.0 : -1.0, normal);
        }
    }
    // At rest: the outside of the face; edges have none.
    contact->rule = is_face ? ABUT_RULE_GEOMETRY : ABUT_RULE_NONE;
    contact->flags |= is_face ? 0u : ABUT_CONTACT_ARBITRARY_SIGN;
    return abut_negate(normal);
}

static abut_anchor make_anchor(const int *vertices, const double *weights, int count)
{
    abut_anchor anchor = {{-1, -1, -1, -1}, {0.0, 0.0, 0.0, 0.0}};
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += weights[i];
    }
    for (int i = 0; i < count; ++i) {
        anchor.vertices[i] = vertices[i];
        anchor.weights[i] = weights[i] / sum;
    }
    return anchor;
}

static void add_contact(continuous_task *task, const abut_feature_pair *pair, const abut_impact *impact)
{
    int first = pair->moving.kind == ABUT_VERTEX_FACE ? 1 : 2;
    abut_vec3 v[4];
    abut_contact contact = {.time = impact->lower, .region = -1};
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_lerp(pair->moving.start[i], pair->moving.end[i], contact.time);
    }
    abut_vec3 normal = find_normal(&pair->moving, impact, &contact);
    abut_vec3 p = weighted(v, impact->weights, first), q = weighted(v + first, impact->weights + first, 4 - first);
    abut_anchor on_first = make_anchor(pair->vertices, impact->weights, first);
    abut_anchor on_second = make_anchor(pair->vertices + first, impact->weights + first, 4 - first);
    int flip = pair->is_flipped;
    contact.normal = flip ? abut_negate(normal) : normal;
    contact.position_a = flip ? q : p;
    contact.position_b = flip ? p : q;
    contact.anchor_a = flip ? on_second : on_first;
    contact.anchor_b = flip ? on_first : on_second;
    abut_feature features[2];
    for (int second = 0; second < 2; ++second) {
        const abut_moving_side *side = &task->bodies.sides[second != flip];
        features[second] = abut_moving_feature(side, pair->moving.kind, second, pair->elements[second]);
    }
    contact.feature_a = features[flip];
    contact.feature_b = features[!flip];
    if (pair->moving.kind == ABUT_VERTEX_FACE) {
        contact.normal_feature = features[1];
        contact.normal_side = flip ? ABUT_NORMAL_A : ABUT_NORMAL_B;
    }
    task->stats->arbitrary_normals += contact.rule == ABUT_RULE_NONE;
    (void)abut_sink_contact(task->sink, &contact);
}

/// The number of the vertex with the largest coordinate.
static int furthest_vertex(const abut_feature_pair *pair)
{
    int furthest = 0;
    double most = 0.0;
    for (int i = 0; i < 4; ++i) {
        double far = fmax(abut_max_component(abut_abs(pair->moving.start[i])),
                          abut_max_component(abut_abs(pair->moving.end[i])));
        furthest = far > most ? i : furthest;
        most = fmax(most, far);
    }
    return pair->vertices[furthest];
}

/// Tests a pair of features: for a touch, and if there is none, for coming within the tolerance.
static int test_features(void *user, const abut_feature_pair *pair)
{
    continuous_task *task = user;
    abut_impacts impacts;
    task->params.separation = 0.0;
    abut_status status = abut_find_impacts(&pair->moving, &task->params, &impacts);
    if (status == ABUT_OK && impacts.count == 0 && task->tolerance > 0.0) {
        task->params.separation = task->tolerance;
        status = abut_find_impacts(&pair->moving, &task->params, &impacts);
    }
    task->stats->tested_pairs += !task->is_search;
    if (status != ABUT_OK) {
        task->wrong = furthest_vertex(pair);
        return 1;
    }
    if (impacts.count > 0) {
        task->first = fmin(task->first, impacts.items[0].lower);
    }
    if (impacts.count > 0 && !task->is_search && impacts.items[0].lower <= task->latest) {
        task->stats->fallbacks += !impacts.items[0].is_certain && task->params.separation == 0.0;
        add_contact(task, pair, &impacts.items[0]);
    }
    return 0;
}

static abut_status query_continuous(const abut_query *query, abut_sink *sink)
{
    const abut_pair *pair = query->pair;
    if (query->is_self && pair->a.instance == NULL) {
        return ABUT_OK; // a rigid body does not move relative to itself
    }
    continuous_task task = {.query = query,
                            .params = abut_impact_params_default(),
                            .tolerance = fmax(query->tolerance, query->envelope),
                            .latest = 1.0,
                            .first = 1.0,
                            .sink = sink,
                            .stats = abut_sink_stats(sink)};
    task.params.is_first_only = 1;
    const abut_feature_owners *owners[2] = {abut_query_data(query, abut_side_shape(&pair->a)),
                                            abut_query_data(query, abut_side_shape(&pair->b))};
    task.bodies = abut_moving_bodies_make(pair, query->is_self, owners);
    int is_stopped = 0;
    for (int pass = abut_query_option(query, "times") == ALL_TIMES; pass < 2 && !is_stopped; ++pass) {
        task.is_search = pass == 0;
        int64_t candidates;
        is_stopped = abut_moving_features_visit(&task.bodies, task.tolerance, test_features, &task, &candidates);
        task.stats->candidate_pairs += task.is_search ? 0 : candidates;
        task.latest = fmin(task.latest, task.first + SAME_TIME);
    }
    if (is_stopped) {
        char text[120];
        (void)snprintf(
            text, sizeof text,
            "vertex %d of a body moves beyond 1e100, too far for continuous tests: lower the speed or dt",
            task.wrong);
        return abut_sink_fail(sink, ABUT_BAD_DATA, text);
    }
    return ABUT_OK;
}

static const char *const times_choices[] = {"all", "first", NULL};
static const abut_option_info options[] = {
    {.name = "times",
     .help = "all: every pair of features at its first touch; first: only what touches at the first touch of the "
             "bodies",
     .choices = times_choices,
     .value = ALL_TIMES,
     .is_of_query = 1},
};

const abut_method abut_method_continuous = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "continuous",
    .summary = "vertices with faces and edges with edges, at their first touch in the step",
    .source = "Tang, Manocha, Otaduy, Tong 2012",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 1,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_FEATURE_TYPES,
                 .traits = {2, 2, 2, 2},
                 .is_ours = 1},
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_TRIANGLE_TREE | ABUT_NEEDS_VELOCITY,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .prepare = prepare,
    .release = release,
    .query = query_continuous,
};
