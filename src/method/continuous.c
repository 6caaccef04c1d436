// SPDX-License-Identifier: MIT
// continuous.c: contacts of vertices with faces and of edges with edges, at the time of their first touch in the step
//
// Every vertex moves along a straight line from its place at the start of the step to its place at the end. Pairs of
// triangles whose swept boxes overlap are found with the trees. Each pair of features is tested once, by the two triangles
// that own the features. A pair that touches gives one contact, at the time and place of its first touch.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, sections 3.2 to 3.5: pairs of features, and the normals of faces and of
//          pairs of edges, on the side where the features were before.
// Differs: the tests never miss a touch (prim/impact.c). Features that come within the tolerance without touching give
//          contacts too.
// Cost:    linear in the pairs of triangles whose swept boxes overlap. Boxes of rigid bodies are grown by the largest
//          motion of a corner relative to the other body, those of soft bodies are fitted to the step.
// Fails:   bodies that overlap at the start: only what crosses within the step is reported.
#include "method/methods.h"
#include "method/shape.h"

#include <abut/continuous.h>
#include <abut/support.h>
#include <abut/sweep.h>

enum { ALL_TIMES = 0 };               ///< the first choice of option `times`
static const double SAME_TIME = 1e-9; // touches within it are at the same time

/// What a triangle owns: bit k its corner k, bit 3 + k its edge k. Every vertex and edge has one owner.
typedef struct ownership {
    uint8_t *bits;
} ownership;

/// A side and its motion.
typedef struct moving_side {
    const abut_mesh *mesh;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    const abut_vec3 *start, *end; ///< in the frames of the poses
    abut_pose poses[2];
    abut_mat3 rotations[2];
    const uint8_t *owned;
} moving_side;

typedef struct continuous_task {
    const abut_query *query;
    moving_side sides[2];
    abut_impact_params params;
    double tolerance;
    double latest; ///< contacts after this time are left out
    double first;  ///< time of the first touch so far
    int is_search; ///< look for the time of the first touch only
    abut_sink *sink;
    abut_stats *stats;
} continuous_task;

/// A triangle and where its corners go.
typedef struct moving_triangle {
    const moving_side *side;
    int index;
    int vertices[3];
    abut_vec3 start[3], end[3];
} moving_triangle;

// ---------------------------------------------------------------------------------------------------------------
// Preparation

static abut_status prepare(const abut_shape *shape, const abut_params *params, const abut_context *context,
                           void **data, abut_error *error)
{
    (void)params;
    if (abut_shape_dilation(shape) != 0.0 || abut_shape_offset(shape) != 0.0) {
        return abut_fail(error, ABUT_UNSUPPORTED, "method continuous takes shapes without dilation and offset");
    }
    abut_mesh_elements elements = abut_mesh_get_elements(abut_shape_mesh(shape));
    abut_mesh_topology topology = abut_mesh_get_topology(abut_shape_mesh(shape));
    ownership *owned = abut_allocate(context, 1, sizeof *owned);
    uint8_t *bits = abut_allocate_zeroed(context, (size_t)elements.triangle_count, sizeof *bits);
    if (owned == NULL || bits == NULL) {
        abut_free(context, owned);
        abut_free(context, bits);
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the owners of %d edges", topology.edge_count);
    }
    for (int t = 0; t < elements.triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            int vertex = elements.triangles[3 * t + k], edge = topology.triangle_edges[3 * t + k];
            int is_vertex_owner = topology.vertex_triangles[topology.vertex_triangle_offsets[vertex]] == t;
            int is_edge_owner = topology.edge_triangles[topology.edge_triangle_offsets[edge]] == t;
            bits[t] = (uint8_t)(bits[t] | is_vertex_owner << k | is_edge_owner << (3 + k));
        }
    }
    owned->bits = bits;
    *data = owned;
    return ABUT_OK;
}

static void release(void *data, const abut_context *context)
{
    ownership *owned = data;
    if (owned != NULL) {
        abut_free(context, owned->bits);
        abut_free(context, owned);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static void place_side(const abut_query *query, const abut_side *side, moving_side *out)
{
    out->mesh = abut_side_mesh(side);
    out->elements = abut_mesh_get_elements(out->mesh);
    out->topology = abut_mesh_get_topology(out->mesh);
    out->start = abut_side_vertices(side);
    out->end = side->instance != NULL ? abut_instance_end(side->instance) : out->start;
    out->poses[0] = out->poses[1] = side->pose;
    if (side->instance == NULL && side->end_pose != NULL) {
        out->poses[1] = abut_pose_make(side->end_pose->position, abut_quat_unit(side->end_pose->rotation));
    } else if (side->instance == NULL) {
        abut_motion motion = {.pose = side->pose,
                              .linear_velocity = side->linear_velocity,
                              .angular_velocity = side->angular_velocity};
        out->poses[1] = query->pair->dt > 0.0 ? abut_motion_pose(&motion, query->pair->dt) : side->pose;
    }
    out->rotations[0] = abut_quat_matrix(out->poses[0].rotation);
    out->rotations[1] = abut_quat_matrix(out->poses[1].rotation);
    const abut_shape *shape = side->instance != NULL ? abut_instance_shape(side->instance) : side->shape;
    const ownership *owned = abut_query_data(query, shape);
    out->owned = owned->bits;
}

static abut_vec3 place_vertex(const moving_side *side, abut_vec3 p, int end)
{
    return abut_add(abut_mat3_apply(side->rotations[end], p), side->poses[end].position);
}

/// The largest motion of a point of the mesh, relative to a translation. The motion is affine in the point, so a corner
/// of the bounds has the largest.
static double largest_motion(const moving_side *side, abut_vec3 translation)
{
    abut_box box = side->elements.bounds;
    double largest = 0.0;
    for (int i = 0; i < 8; ++i) {
        abut_vec3 p = abut_vec3_make(i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
                                     i & 4 ? box.upper.z : box.lower.z);
        abut_vec3 way = abut_sub(place_vertex(side, p, 1), place_vertex(side, p, 0));
        largest = fmax(largest, abut_norm(abut_sub(way, translation)));
    }
    return largest;
}

/// How far the boxes must be grown to hold the motion of rigid bodies. Soft bodies have boxes of the whole step.
static double find_margin(const continuous_task *task, const abut_pair *pair)
{
    abut_vec3 common = {0.0, 0.0, 0.0};
    int is_soft[2] = {pair->a.instance != NULL, pair->b.instance != NULL};
    if (!is_soft[0] && !is_soft[1]) {
        abut_vec3 center = abut_box_center(task->sides[0].elements.bounds);
        common = abut_sub(place_vertex(&task->sides[0], center, 1), place_vertex(&task->sides[0], center, 0));
    }
    double margin = task->tolerance;
    for (int s = 0; s < 2; ++s) {
        margin += is_soft[s] ? 0.0 : largest_motion(&task->sides[s], common);
    }
    return margin * (1.0 + 1e-12);
}

static moving_triangle place_triangle(const moving_side *side, int triangle)
{
    moving_triangle t = {.side = side, .index = triangle};
    for (int k = 0; k < 3; ++k) {
        int vertex = side->elements.triangles[3 * triangle + k];
        t.vertices[k] = vertex;
        t.start[k] = place_vertex(side, side->start[vertex], 0);
        t.end[k] = place_vertex(side, side->end[vertex], 1);
    }
    return t;
}

/// Whether a coordinate axis separates the triangles by more than the tolerance at both ends of the step, with the same
/// sign: then it does all the time.
static int axes_separate(const moving_triangle *a, const moving_triangle *b, double tolerance)
{
    int above = 7, below = 7;
    for (int end = 0; end < 2; ++end) {
        const abut_vec3 *p = end ? a->end : a->start, *q = end ? b->end : b->start;
        abut_vec3 a_low = abut_min(abut_min(p[0], p[1]), p[2]), a_high = abut_max(abut_max(p[0], p[1]), p[2]);
        abut_vec3 b_low = abut_min(abut_min(q[0], q[1]), q[2]), b_high = abut_max(abut_max(q[0], q[1]), q[2]);
        above &= (a_low.x - b_high.x > tolerance) | (a_low.y - b_high.y > tolerance) << 1 |
                 (a_low.z - b_high.z > tolerance) << 2;
        below &= (b_low.x - a_high.x > tolerance) | (b_low.y - a_high.y > tolerance) << 1 |
                 (b_low.z - a_high.z > tolerance) << 2;
    }
    return (above | below) != 0;
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

/// A pair of features of the two triangles.
typedef struct feature_pair {
    abut_moving_pair moving;
    int vertices[4];
    abut_feature features[2]; ///< of the first feature of `moving`, and of the second
    int is_flipped;           ///< the first feature is B's
} feature_pair;

static void add_contact(continuous_task *task, const feature_pair *pair, const abut_impact *impact)
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
    contact.feature_a = pair->features[flip];
    contact.feature_b = pair->features[!flip];
    if (pair->moving.kind == ABUT_VERTEX_FACE) {
        contact.normal_feature = pair->features[1];
        contact.normal_side = flip ? ABUT_NORMAL_A : ABUT_NORMAL_B;
    }
    task->stats->arbitrary_normals += contact.rule == ABUT_RULE_NONE;
    (void)abut_sink_contact(task->sink, &contact);
}

/// Tests a pair of features: for a touch, and if there is none, for coming within the tolerance.
static int test_features(continuous_task *task, const feature_pair *pair)
{
    abut_impacts impacts;
    task->params.separation = 0.0;
    abut_status status = abut_find_impacts(&pair->moving, &task->params, &impacts);
    if (status == ABUT_OK && impacts.count == 0 && task->tolerance > 0.0) {
        task->params.separation = task->tolerance;
        status = abut_find_impacts(&pair->moving, &task->params, &impacts);
    }
    task->stats->tested_pairs += !task->is_search;
    if (status != ABUT_OK) {
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

static void set_vertex(feature_pair *pair, int place, const moving_triangle *t, int corner)
{
    pair->vertices[place] = t->vertices[corner];
    pair->moving.start[place] = t->start[corner];
    pair->moving.end[place] = t->end[corner];
}

static int shares_vertex(const int *a, int a_count, const int *b, int b_count)
{
    for (int i = 0; i < a_count * b_count; ++i) {
        if (a[i / b_count] == b[i % b_count]) {
            return 1;
        }
    }
    return 0;
}

/// The vertices that the first triangle owns against the second triangle.
static int test_vertices(continuous_task *task, const moving_triangle *a, const moving_triangle *b, int is_flipped)
{
    for (int k = 0; k < 3; ++k) {
        if ((a->side->owned[a->index] >> k & 1) == 0) {
            continue;
        }
        feature_pair pair = {.moving = {.kind = ABUT_VERTEX_FACE}, .is_flipped = is_flipped};
        set_vertex(&pair, 0, a, k);
        for (int i = 0; i < 3; ++i) {
            set_vertex(&pair, 1 + i, b, i);
        }
        if (task->query->is_self && shares_vertex(pair.vertices, 1, pair.vertices + 1, 3)) {
            continue;
        }
        pair.features[0] = abut_feature_vertex(a->vertices[k]);
        pair.features[1] = abut_feature_face(b->side->elements.triangle_faces[b->index]);
        if (test_features(task, &pair)) {
            return 1;
        }
    }
    return 0;
}

static int test_edges(continuous_task *task, const moving_triangle *a, const moving_triangle *b)
{
    for (int i = 0; i < 9; ++i) {
        int k = i / 3, m = i % 3;
        if ((a->side->owned[a->index] >> (3 + k) & b->side->owned[b->index] >> (3 + m) & 1) == 0) {
            continue;
        }
        feature_pair pair = {.moving = {.kind = ABUT_EDGE_EDGE}};
        set_vertex(&pair, 0, a, k);
        set_vertex(&pair, 1, a, (k + 1) % 3);
        set_vertex(&pair, 2, b, m);
        set_vertex(&pair, 3, b, (m + 1) % 3);
        if (task->query->is_self && shares_vertex(pair.vertices, 2, pair.vertices + 2, 2)) {
            continue;
        }
        pair.features[0] = abut_feature_edge(a->side->mesh, a->side->topology.triangle_edges[3 * a->index + k]);
        pair.features[1] = abut_feature_edge(b->side->mesh, b->side->topology.triangle_edges[3 * b->index + m]);
        if (test_features(task, &pair)) {
            return 1;
        }
    }
    return 0;
}

static int test_triangles(void *user, int element_a, int element_b)
{
    continuous_task *task = user;
    task->stats->candidate_pairs += !task->is_search;
    moving_triangle a = place_triangle(&task->sides[0], element_a), b = place_triangle(&task->sides[1], element_b);
    if (axes_separate(&a, &b, task->tolerance)) {
        return 0;
    }
    return test_vertices(task, &a, &b, 0) || test_vertices(task, &b, &a, 1) || test_edges(task, &a, &b);
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
    place_side(query, &pair->a, &task.sides[0]);
    place_side(query, &pair->b, &task.sides[1]);
    const abut_tree *a = abut_side_tree(&pair->a, ABUT_ELEMENT_TRIANGLE);
    const abut_tree *b = abut_side_tree(&pair->b, ABUT_ELEMENT_TRIANGLE);
    double margin = find_margin(&task, pair);
    int is_stopped = 0;
    for (int pass = abut_query_option(query, "times") == ALL_TIMES; pass < 2 && !is_stopped; ++pass) {
        task.is_search = pass == 0;
        is_stopped = query->is_self ? abut_tree_self_pairs(a, margin, test_triangles, &task)
                                    : abut_tree_pairs(a, b, query->b_to_a, margin, test_triangles, &task);
        task.latest = fmin(task.latest, task.first + SAME_TIME);
    }
    return is_stopped
               ? abut_sink_fail(sink, ABUT_BAD_DATA, "the motion of a body is too large for continuous tests")
               : ABUT_OK;
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
