// SPDX-License-Identifier: MIT
// tracker.c: penalty impulses of two meshes, and the pairs of features that penetrate from step to step
//
// A step first looks at the tracked pairs, wherever they are, and then at all other pairs of features whose swept boxes
// overlap (method/moving_features.c). A pair that is new has no history: its side is that before it meets.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, sections 3.2 to 3.6.
// Differs: pairs share the stiffness by area (share.c) and go on to neighbouring features (slide.c), both as options;
//          pairs can be tracked along the paths that the bodies took in the end (abut_tracker_follow()).
// Cost:    that of the continuous tests of all candidates; no allocation in a repeated step.
// Fails:   pairs that penetrate at the start without a history: they are counted.
#include <abut/response.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "method/methods.h"
#include "method/pair.h"
#include "method/shape.h"
#include "response/response_params.h"
#include "response/track.h"

#include <string.h>

static const double SAME_POINT = 1e-6; // of the smaller body: pairs within it share an area

struct abut_tracker {
    abut_context context;
    abut_track_list known, current, next; ///< committed; at the start of this step; at its end
    abut_track_list spare;                ///< for sorting
    abut_active_pair *active;
    int active_count, active_capacity;
    abut_response_pair *pairs;
    int *pair_owners; ///< the active pair of each
    int pair_count, pair_capacity, owner_capacity;
    int *order, *scratch;
    int order_capacity, scratch_capacity;
    abut_share_room room;
};

void abut_response_params_init(abut_response_params *params, size_t size)
{
    const abut_response_params made = {.struct_size = sizeof made, .stiffness = 1.0, .has_sliding = 1};
    abut_write_versioned(params, size, &made, sizeof made);
}

abut_status abut_tracker_create(const abut_context *context, abut_tracker **tracker, abut_error *error)
{
    abut_context own = abut_context_or_default(context);
    *tracker = abut_allocate_zeroed(&own, 1, sizeof **tracker);
    if (*tracker == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a tracker");
    }
    (*tracker)->context = own;
    return ABUT_OK;
}

void abut_tracker_destroy(abut_tracker *tracker)
{
    if (tracker == NULL) {
        return;
    }
    abut_context context = tracker->context;
    abut_free(&context, tracker->known.items);
    abut_free(&context, tracker->current.items);
    abut_free(&context, tracker->next.items);
    abut_free(&context, tracker->spare.items);
    abut_free(&context, tracker->active);
    abut_free(&context, tracker->pairs);
    abut_free(&context, tracker->pair_owners);
    abut_free(&context, tracker->order);
    abut_free(&context, tracker->scratch);
    abut_share_room_release(&context, &tracker->room);
    abut_free(&context, tracker);
}

void abut_tracker_commit(abut_tracker *tracker)
{
    abut_track_list kept = tracker->known;
    tracker->known = tracker->next;
    tracker->next = kept;
}

void abut_tracker_clear(abut_tracker *tracker)
{
    tracker->known.count = tracker->next.count = 0;
}

int abut_tracker_count(const abut_tracker *tracker)
{
    return tracker->known.count;
}

// ---------------------------------------------------------------------------------------------------------------
// A step

/// What a step works on.
typedef struct tracking {
    abut_tracker *tracker;
    abut_response_params params;
    abut_penalty_params penalty;
    abut_moving_bodies bodies;
    abut_response *response;
    abut_error *error;
    abut_status status;
} tracking;

static int compare_listed(const void *user, int a, int b)
{
    const abut_tracked_pair *items = user;
    return abut_tracked_pair_compare(&items[a], &items[b]);
}

/// Sorts a list, and joins pairs that became the same: their shares add up. Returns 0 if memory ran out.
static int sort_list(abut_tracker *tracker, abut_track_list *list, int has_shares)
{
    const abut_context *context = &tracker->context;
    int is_sorted = 1;
    for (int i = 1; i < list->count && is_sorted; ++i) {
        is_sorted = abut_tracked_pair_compare(&list->items[i - 1], &list->items[i]) < 0;
    }
    if (is_sorted) {
        return 1;
    }
    abut_track_list *spare = &tracker->spare;
    if (!abut_grow(context, &tracker->order, &tracker->order_capacity, list->count, sizeof *tracker->order) ||
        !abut_grow(context, &tracker->scratch, &tracker->scratch_capacity, list->count, sizeof *tracker->scratch) ||
        !abut_grow(context, &spare->items, &spare->capacity, list->count, sizeof *spare->items)) {
        return 0;
    }
    for (int i = 0; i < list->count; ++i) {
        tracker->order[i] = i;
    }
    abut_sort_indices(tracker->order, tracker->scratch, list->count, compare_listed, list->items);
    int made = 0;
    for (int i = 0; i < list->count; ++i) {
        const abut_tracked_pair *item = &list->items[tracker->order[i]];
        if (made > 0 && abut_tracked_pair_compare(&spare->items[made - 1], item) == 0) {
            spare->items[made - 1].share += has_shares ? item->share : 0.0;
        } else {
            spare->items[made++] = *item;
        }
    }
    abut_tracked_pair *items = spare->items;
    int capacity = spare->capacity;
    spare->items = list->items;
    spare->capacity = list->capacity;
    list->items = items;
    list->capacity = capacity;
    list->count = made;
    return 1;
}

/// Whether the meshes still have the features of a pair.
static int has_features(const abut_moving_bodies *bodies, const abut_tracked_pair *pair)
{
    for (int second = 0; second < 2; ++second) {
        const abut_moving_side *side = abut_pair_side(bodies, pair->is_flipped, second);
        int element = pair->elements[second];
        if (pair->kind == ABUT_EDGE_EDGE) {
            const int *v = pair->vertices + 2 * second;
            const int *edge = side->topology.edge_vertices + 2 * element;
            if (element >= side->topology.edge_count ||
                !((edge[0] == v[0] && edge[1] == v[1]) || (edge[0] == v[1] && edge[1] == v[0]))) {
                return 0;
            }
        } else if (second) {
            const int *corners = side->elements.triangles + 3 * element;
            if (element >= side->elements.triangle_count ||
                memcmp(corners, pair->vertices + 1, 3 * sizeof *corners) != 0) {
                return 0;
            }
        } else if (element >= side->elements.vertex_count) {
            return 0;
        }
    }
    return 1;
}

static int fail(tracking *t, abut_status status, const char *text)
{
    t->status = abut_fail(t->error, status, "%s", text);
    return 1;
}

/// Adds an interval of a pair to the response; `interval` NULL: a pair without a side.
static int add_pair(tracking *t, const abut_tracked_pair *pair, const abut_penalty_interval *interval)
{
    abut_tracker *tracker = t->tracker;
    int count = tracker->pair_count;
    if (!abut_grow(&tracker->context, &tracker->pairs, &tracker->pair_capacity, count + 1,
                   sizeof *tracker->pairs) ||
        !abut_grow(&tracker->context, &tracker->pair_owners, &tracker->owner_capacity, count + 1,
                   sizeof *tracker->pair_owners)) {
        return fail(t, ABUT_NO_MEMORY, "no memory for penalty impulses");
    }
    abut_response_pair *made = &tracker->pairs[count];
    *made = (abut_response_pair){.kind = pair->kind, .is_flipped = pair->is_flipped};
    memcpy(made->vertices, pair->vertices, sizeof made->vertices);
    abut_feature features[2];
    for (int second = 0; second < 2; ++second) {
        int body = second != pair->is_flipped;
        features[body] = abut_moving_feature(&t->bodies.sides[body], pair->kind, second, pair->elements[second]);
    }
    made->feature_a = features[0];
    made->feature_b = features[1];
    if (interval == NULL) {
        made->is_without_side = 1;
        tracker->pair_owners[count] = -1;
        ++t->response->without_side_count;
    } else {
        memcpy(made->weights, interval->weights, sizeof interval->weights);
        abut_vec3 points[2];
        abut_tracked_points(&t->bodies, pair, interval->weights, points);
        made->point_a = points[0];
        made->point_b = points[1];
        made->begin = interval->begin;
        made->end = interval->end;
        made->impulse = pair->is_flipped ? interval->impulse : abut_negate(interval->impulse);
        tracker->pair_owners[count] = tracker->active_count;
    }
    ++tracker->pair_count;
    return 0;
}

/// Not of unit length.
static abut_vec3 normal_at(const abut_moving_pair *pair, double time)
{
    abut_vec3 v[4];
    for (int i = 0; i < 4; ++i) {
        v[i] = abut_lerp(pair->start[i], pair->end[i], time);
    }
    return pair->kind == ABUT_VERTEX_FACE ? abut_cross(abut_sub(v[2], v[1]), abut_sub(v[3], v[1]))
                                          : abut_cross(abut_sub(v[1], v[0]), abut_sub(v[3], v[2]));
}

/// Adds a pair that penetrates or touches. `pair` has its share if it is not new.
static int add_active(tracking *t, abut_tracked_pair pair, int is_new, const abut_moving_pair *moving,
                      const abut_penalty *penalty)
{
    abut_tracker *tracker = t->tracker;
    for (int i = 0; i < penalty->interval_count; ++i) {
        if (add_pair(t, &pair, &penalty->intervals[i])) {
            return 1;
        }
    }
    if (penalty->is_without_side && add_pair(t, &pair, NULL)) {
        return 1;
    }
    if (penalty->interval_count == 0 && penalty->track.side == 0) {
        return 0;
    }
    if (!abut_grow(&tracker->context, &tracker->active, &tracker->active_capacity, tracker->active_count + 1,
                   sizeof *tracker->active)) {
        return fail(t, ABUT_NO_MEMORY, "no memory for tracked pairs");
    }
    abut_active_pair *made = &tracker->active[tracker->active_count++];
    *made = (abut_active_pair){.pair = pair, .is_new = is_new, .defect = penalty->angular_defect, .time = 1.0};
    made->pair.track = penalty->track;
    made->side = penalty->track.side;
    memcpy(made->weights, penalty->track.weights, sizeof made->weights);
    if (penalty->interval_count > 0) {
        made->time = penalty->intervals[0].begin;
        made->side = penalty->intervals[0].side;
        memcpy(made->weights, penalty->intervals[0].weights, sizeof made->weights);
    }
    made->normal = normal_at(moving, made->time);
    return 0;
}

static int find_known(const abut_track_list *list, const abut_tracked_pair *pair)
{
    int low = 0, high = list->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = abut_tracked_pair_compare(&list->items[middle], pair);
        if (order == 0) {
            return 1;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return 0;
}

static int fail_pair(tracking *t, const abut_feature_pair *pair)
{
    t->status = abut_fail_element(
        t->error, ABUT_BAD_DATA, pair->vertices[0],
        "the motion of vertex %d of body %s, or of what it meets, is not finite or too large for continuous tests",
        pair->vertices[0], pair->is_flipped ? "B" : "A");
    return 1;
}

static abut_tracked_pair identify(const abut_feature_pair *pair)
{
    abut_tracked_pair out = {.kind = pair->moving.kind, .is_flipped = pair->is_flipped, .share = 1.0};
    memcpy(out.elements, pair->elements, sizeof out.elements);
    memcpy(out.vertices, pair->vertices, sizeof out.vertices);
    return out;
}

static int visit_continuous(void *user, const abut_feature_pair *pair)
{
    tracking *t = user;
    abut_tracked_pair own = identify(pair);
    if (t->tracker->current.count > 0 && find_known(&t->tracker->current, &own)) {
        return 0;
    }
    ++t->response->tested_pairs;
    abut_penalty penalty;
    return abut_find_penalty(&pair->moving, NULL, &t->penalty, &penalty) != ABUT_OK
               ? fail_pair(t, pair)
               : add_active(t, own, 1, &pair->moving, &penalty);
}

/// Whether the nearest points of two features face each other: their gap is perpendicular to both features.
static int is_facing(const abut_moving_pair *pair, abut_vec3 gap)
{
    const abut_vec3 *v = pair->end;
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    abut_vec3 first = is_face ? abut_sub(v[2], v[1]) : abut_sub(v[1], v[0]);
    abut_vec3 second = abut_sub(v[3], v[is_face ? 1 : 2]);
    const double least = 1e-9;
    return fabs(abut_dot(gap, first)) <= least * abut_norm(gap) * abut_norm(first) &&
           fabs(abut_dot(gap, second)) <= least * abut_norm(gap) * abut_norm(second);
}

static int visit_discrete(void *user, const abut_feature_pair *pair)
{
    tracking *t = user;
    ++t->response->tested_pairs;
    abut_penalty penalty;
    if (abut_find_discrete_penalty(&pair->moving, t->params.tolerance, &t->penalty, &penalty) != ABUT_OK) {
        return fail_pair(t, pair);
    }
    if (penalty.interval_count == 0 || !is_facing(&pair->moving, penalty.total)) {
        return 0;
    }
    int result = add_active(t, identify(pair), 1, &pair->moving, &penalty);
    if (result == 0) {
        abut_active_pair *made = &t->tracker->active[t->tracker->active_count - 1];
        made->normal = penalty.total;
        made->side = 1;
    }
    return result;
}

/// Tracked pairs, wherever they are: at the start of the step, and then in it.
static int follow_known(tracking *t)
{
    abut_tracker *tracker = t->tracker;
    abut_track_list *current = &tracker->current;
    int has_shares = t->params.weights == ABUT_WEIGHTS_AREA;
    abut_slide_counts counts = {0};
    current->count = 0;
    for (int i = 0; i < tracker->known.count; ++i) {
        const abut_tracked_pair *known = &tracker->known.items[i];
        if (!has_features(&t->bodies, known)) {
            ++t->response->gone_count;
            continue;
        }
        int is_fine = abut_grow(&tracker->context, &current->items, &current->capacity, current->count + 1,
                                sizeof *current->items);
        if (is_fine && t->params.has_sliding) {
            is_fine = abut_slide_pair(&tracker->context, &t->bodies, known, t->params.tolerance, has_shares,
                                      current, &counts);
        } else if (is_fine) {
            current->items[current->count++] = *known;
        }
        if (!is_fine) {
            return fail(t, ABUT_NO_MEMORY, "no memory for tracked pairs");
        }
    }
    if (!sort_list(tracker, current, has_shares)) {
        return fail(t, ABUT_NO_MEMORY, "no memory for tracked pairs");
    }
    t->response->moved_count = counts.moved;
    t->response->left_count = counts.left;
    for (int i = 0; i < current->count; ++i) {
        abut_feature_pair pair = {.is_flipped = current->items[i].is_flipped};
        memcpy(pair.vertices, current->items[i].vertices, sizeof pair.vertices);
        pair.moving = abut_tracked_motion(&t->bodies, &current->items[i]);
        ++t->response->tested_pairs;
        abut_penalty penalty;
        if (abut_find_penalty(&pair.moving, &current->items[i].track, &t->penalty, &penalty) != ABUT_OK) {
            return fail_pair(t, &pair);
        }
        if (add_active(t, current->items[i], 0, &pair.moving, &penalty)) {
            return 1;
        }
    }
    return 0;
}

/// Places both bodies at their poses at the end of the step, at rest.
static void stop_at_end(abut_moving_bodies *bodies)
{
    for (int s = 0; s < 2; ++s) {
        abut_moving_side *side = &bodies->sides[s];
        side->start = side->end;
        side->poses[0] = side->poses[1];
        side->rotations[0] = side->rotations[1];
        side->is_unmoved[0] = side->is_unmoved[1];
    }
    bodies->b_to_a = abut_pose_relative(bodies->sides[0].poses[0], bodies->sides[1].poses[0]);
}

/// A closed body that another one entered from outside is left from inside: new pairs from there would keep it in.
/// They are no entries as long as only pairs of the other kind are tracked.
static void mark_exits(tracking *t)
{
    const abut_track_list *current = &t->tracker->current;
    int tracked[2][3] = {{0}}; // of A and B, by front + 1
    for (int i = 0; i < current->count; ++i) {
        for (int body = 0; body < 2; ++body) {
            ++tracked[body][current->items[i].fronts[body] + 1];
        }
    }
    for (int i = 0; i < t->tracker->active_count; ++i) {
        abut_active_pair *pair = &t->tracker->active[i];
        if (!pair->is_new) {
            continue;
        }
        abut_find_fronts(&t->bodies, pair);
        for (int body = 0; body < 2; ++body) {
            int front = pair->pair.fronts[body];
            pair->is_exit |= t->bodies.sides[body].is_closed && front != 0 && tracked[body][1 - front] > 0 &&
                             tracked[body][1 + front] == 0;
        }
    }
}

/// Scales impulses by the shares and adds them up. Leaves out those that share nothing.
static void sum_pairs(tracking *t)
{
    abut_tracker *tracker = t->tracker;
    abut_response *response = t->response;
    int made = 0;
    for (int i = 0; i < tracker->pair_count; ++i) {
        abut_response_pair pair = tracker->pairs[i];
        int owner = tracker->pair_owners[i];
        if (owner >= 0) {
            pair.share = tracker->active[owner].is_exit ? 0.0 : tracker->active[owner].pair.share;
            pair.impulse = abut_scale(pair.share, pair.impulse);
            response->impulse = abut_add(response->impulse, pair.impulse);
        }
        if (pair.share > 0.0 || pair.is_without_side) {
            tracker->pairs[made++] = pair;
        }
    }
    response->pairs = tracker->pairs;
    response->count = made;
}

/// Finds the shares of all pairs, and lists what is tracked.
static int finish(tracking *t)
{
    abut_tracker *tracker = t->tracker;
    double size = fmin(abut_box_diagonal(t->bodies.sides[0].elements.bounds),
                       abut_box_diagonal(t->bodies.sides[1].elements.bounds));
    mark_exits(t);
    int has_shares = t->params.weights == ABUT_WEIGHTS_AREA;
    if (has_shares && !abut_share_areas(&tracker->context, &t->bodies, SAME_POINT * size, tracker->active,
                                        tracker->active_count, &tracker->room)) {
        return fail(t, ABUT_NO_MEMORY, "no memory for the shares of tracked pairs");
    }
    sum_pairs(t);
    abut_response *response = t->response;
    abut_track_list *next = &tracker->next;
    next->count = 0;
    for (int i = 0; i < tracker->active_count; ++i) {
        const abut_active_pair *active = &tracker->active[i];
        if (active->is_exit || !(active->pair.share > 0.0)) {
            continue;
        }
        response->angular_defect = abut_add_scaled(response->angular_defect, active->pair.share, active->defect);
        if (active->pair.track.side == 0) {
            continue;
        }
        if (!abut_grow(&tracker->context, &next->items, &next->capacity, next->count + 1, sizeof *next->items)) {
            return fail(t, ABUT_NO_MEMORY, "no memory for tracked pairs");
        }
        next->items[next->count++] = active->pair;
    }
    response->tracked_count = next->count;
    if (!sort_list(tracker, next, has_shares)) {
        return fail(t, ABUT_NO_MEMORY, "no memory for tracked pairs");
    }
    return 0;
}

abut_status abut_response_params_read(const abut_response_params *params, abut_response_params *own,
                                      abut_error *error)
{
    *own = abut_response_params_default();
    if (params != NULL && !abut_read_versioned(own, sizeof *own, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the parameters were not made by abut_response_params_default()");
    }
    if (own->kind < ABUT_RESPONSE_CPF || own->kind > ABUT_RESPONSE_DISCRETE_CCD ||
        own->weights < ABUT_WEIGHTS_AREA || own->weights > ABUT_WEIGHTS_MASS || own->rule < ABUT_PENALTY_EXACT ||
        own->rule >= ABUT_PENALTY_END) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no such kind, weights or rule of a response");
    }
    if (!(own->stiffness >= 0.0 && own->stiffness <= 1e100) ||
        !(own->tolerance >= 0.0 && own->tolerance <= 1e100)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "stiffness and tolerance must be from 0 to 1e100");
    }
    return ABUT_OK;
}

/// The owners of the features of a side, from its preparation.
static abut_status find_owners(const abut_side *side, const abut_feature_owners **owners, abut_error *error)
{
    const abut_params params = abut_params_default();
    *owners = abut_shape_find_data(abut_side_shape(side), &abut_method_continuous, &params);
    return *owners != NULL ? ABUT_OK
                           : abut_fail(error, ABUT_UNPREPARED,
                                       "a shape is not prepared for method continuous: call abut_shape_prepare()");
}

static abut_status begin(tracking *t, const abut_pair *pair, const abut_response_params *params)
{
    abut_pair own, bare = abut_pair_default(NULL, NULL);
    abut_status status = abut_response_params_read(params, &t->params, t->error);
    if (status != ABUT_OK) {
        return status;
    }
    t->penalty = abut_penalty_params_default();
    t->penalty.stiffness = t->params.stiffness;
    t->penalty.rule = t->params.kind == ABUT_RESPONSE_CPF ? t->params.rule : ABUT_PENALTY_END;
    t->penalty.separation = t->params.kind == ABUT_RESPONSE_DISCRETE ? 0.0 : t->params.tolerance;
    if (!abut_read_versioned(&bare, sizeof bare, pair)) {
        return abut_fail(t->error, ABUT_BAD_ARGUMENT, "the pair was not made by abut_pair_default()");
    }
    bare.memory = NULL;
    int is_swapped;
    status = abut_pair_canonical(&bare, &own, &is_swapped, t->error);
    if (status == ABUT_OK && is_swapped) {
        abut_side first = own.b;
        own.b = own.a;
        own.a = first;
    }
    const abut_feature_owners *owners[2];
    status = status == ABUT_OK ? find_owners(&own.a, &owners[0], t->error) : status;
    status = status == ABUT_OK ? find_owners(&own.b, &owners[1], t->error) : status;
    if (status != ABUT_OK) {
        return status;
    }
    t->penalty.dt = own.dt;
    t->bodies = abut_moving_bodies_make(&own, abut_pair_is_self(&own), owners);
    if (t->params.kind == ABUT_RESPONSE_DISCRETE) {
        stop_at_end(&t->bodies);
    }
    return ABUT_OK;
}

static abut_status run(abut_tracker *tracker, const abut_pair *pair, const abut_response_params *params,
                       int has_impulses, abut_response *response, abut_error *error)
{
    *response = (abut_response){0};
    tracking t = {.tracker = tracker, .response = response, .error = error};
    t.status = begin(&t, pair, params);
    t.penalty.rule = has_impulses ? t.penalty.rule : ABUT_PENALTY_END; // which integrates nothing
    tracker->active_count = tracker->pair_count = tracker->next.count = 0;
    int is_still = t.bodies.is_self && !t.bodies.sides[0].is_soft; // a rigid body does not move relative to itself
    if (t.status != ABUT_OK || is_still) {
        return t.status;
    }
    int is_discrete = t.params.kind == ABUT_RESPONSE_DISCRETE;
    int is_stopped = is_discrete ? 0 : follow_known(&t);
    if (!is_stopped) {
        is_stopped = abut_moving_features_visit(&t.bodies, t.params.tolerance,
                                                is_discrete ? visit_discrete : visit_continuous, &t,
                                                &response->candidate_pairs);
    }
    if (!is_stopped) {
        is_stopped = finish(&t);
    }
    if (is_stopped) {
        *response = (abut_response){0};
        tracker->next.count = 0;
        return t.status;
    }
    return ABUT_OK;
}

abut_status abut_tracker_step(abut_tracker *tracker, const abut_pair *pair, const abut_response_params *params,
                              abut_response *response, abut_error *error)
{
    return run(tracker, pair, params, 1, response, error);
}

abut_status abut_tracker_follow(abut_tracker *tracker, const abut_pair *pair, const abut_response_params *params,
                                abut_error *error)
{
    abut_response response;
    return run(tracker, pair, params, 0, &response, error);
}
