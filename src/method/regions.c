// SPDX-License-Identifier: MIT
// regions.c: contacts from the regions in which two polyhedra touch
//
// The whole neighbourhood decides, not a pair of triangles: coplanar triangles are one face, and where the solids
// touch is a set of polygons, segments and points. Those that the others do not make needless are kept; their
// corners are the contacts, and their normals bound the motions that keep the solids apart.
//
// Source:  Bouma and Vanecek 1993, sections 3 and 4.3; Erleben 2018, section 4 (contacts are the corners of regions).
// Differs: the reduction asks for the feasible motions instead of half-spaces that approximate the solids
//          (src/region/regions.c); touching pairs come from the box hierarchy. Solids that overlap by more than the
//          tolerance are moved back along their motion to where they touch; where that does not part them, the
//          tolerance is widened step by step to at most a thousandth of the size. Both are counted as fallbacks.
//          With a memory, bodies that rest on each other are not looked at again before they have moved by a
//          thousandth of the tolerance, unless something other than their place decided.
// Cost:    linear in the triangle pairs near the contact, times a logarithm; no allocation.
// Fails:   overlaps deeper than that, and meshes that are not closed: a status says so.
#include "region/contact_regions.h"
#include "region/kept.h"
#include "region/spanning.h"

#include "base/hash.h"
#include "method/methods.h"
#include "method/workspace.h"
#include "prim/point_triangle.h"
#include <string.h>

static const double overlap_limit = 1e-3; ///< of the size: deeper overlaps are refused
static const double widening = 4.0;       ///< of the tolerance, from try to try
static const double strictness = 1e-3;    ///< of the tolerance: overlaps above it are moved back along the motion
static const double rounding = 1e-12;     ///< of the size: smaller overlaps are rounding
static const double tilting =
    4.0; ///< times tolerance / size: faces at a smaller angle touch all over, if they reach over half the size
static const double still = 1e-3; ///< of the tolerance: what moved by less has what it had
static const double grazing =
    1e-3; ///< of the speed: with less along a normal, a motion did not lead into the overlap

static abut_status prepare_regions(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                   void **data, abut_error *error)
{
    (void)params;
    abut_region_model *model = NULL;
    abut_status status =
        abut_region_model_create(context, abut_shape_mesh(shape), abut_shape_brep(shape), &model, error);
    *data = model;
    return status;
}

static void release_regions(void *data, const abut_context *context)
{
    (void)context;
    abut_region_model_destroy(data);
}

/// What a query works with. A's frame is the frame of A's mesh.
typedef struct analysis {
    const abut_query *query;
    abut_sink *sink;
    abut_touch_side sides[2];
    abut_mat3 turns[2]; ///< from the frames of the meshes to the world
    double angle;       ///< directions within it are parallel; follows the tolerance
    abut_region_hints hints;
    int points_span; ///< option points=spanning
    double receding; ///< faces that recede faster than this are left out
    abut_touch touch;
    abut_region_set set;
    int overlaps;
    int is_true;   ///< the state that was found is the true one, not one of the past
    int widenings; ///< of the tolerance in it
} analysis;

static void place_b(analysis *a, abut_pose b_to_a)
{
    a->sides[1].turn = b_to_a.rotation;
    a->sides[1].rotation = abut_quat_matrix(b_to_a.rotation);
    a->sides[1].translation = b_to_a.position;
}

/// Where a side was `time` ago.
static abut_pose pose_before(const abut_side *side, double time)
{
    abut_pose pose = side->pose;
    double rate = abut_norm(side->angular_velocity);
    if (rate > 0.0) {
        abut_vec3 axis = abut_scale(1.0 / rate, side->angular_velocity);
        pose.rotation = abut_quat_unit(abut_quat_multiply(abut_quat_from_axis(axis, -rate * time), pose.rotation));
    }
    pose.position = abut_add_scaled(pose.position, -time, side->linear_velocity);
    return pose;
}

/// Finds what touches within the tolerance, and the regions.
static abut_status analyse(analysis *a, double tolerance)
{
    a->angle = fmax(a->query->angle, tilting * tolerance / a->query->size);
    abut_touch_limits limits = {.tolerance = tolerance, .angle = a->angle, .receding = a->receding};
    limits.linear = a->hints.linear;
    limits.angular = a->hints.angular;
    if (!abut_touch_find(&a->sink->arena, a->sides, &limits, &a->touch) ||
        (!a->touch.overlaps && !abut_regions_find(&a->touch, &a->hints, &a->set))) {
        return abut_sink_fail(a->sink, ABUT_NO_MEMORY, "no memory for the contact regions");
    }
    a->overlaps = a->touch.overlaps || a->set.overlaps;
    a->is_true = 0;
    abut_stats *stats = abut_sink_stats(a->sink);
    stats->candidate_pairs += a->touch.candidate_pairs;
    stats->tested_pairs += a->touch.tested_pairs;
    return ABUT_OK;
}

/// The state `time` ago.
static abut_status analyse_before(analysis *a, double time, double tolerance)
{
    const abut_pair *pair = a->query->pair;
    place_b(a, abut_pose_relative(pose_before(&pair->a, time), pose_before(&pair->b, time)));
    return analyse(a, tolerance);
}

/// Whether the motion leads from what touches into an overlap, and does not only slide along it.
static int is_closing(const analysis *a)
{
    for (int i = 0; i < a->set.region_count; ++i) {
        const abut_touch_region *region = &a->set.regions[i];
        int corner = a->set.corners[a->set.outlines[region->outline_begin].begin];
        abut_vec3 velocity =
            abut_add(a->hints.linear, abut_cross(a->hints.angular, a->touch.nodes[corner].point_a));
        for (int k = 0; k < region->normals.count; ++k) {
            if (abut_dot(region->normals.items[k], velocity) < -grazing * abut_norm(velocity)) {
                return 1;
            }
        }
    }
    return 0;
}

/// Moves B back along its motion relative to A, by at most one step, to where the solids touch. `overlaps` stays
/// set where that does not part them.
static abut_status back_off(analysis *a, double speed, double strict)
{
    double early = a->query->pair->dt, late = 0.0;
    abut_status status = analyse_before(a, early, strict);
    if (status != ABUT_OK || a->overlaps) {
        return status;
    }
    while (status == ABUT_OK && speed * (early - late) > 0.25 * strict) {
        double middle = 0.5 * (early + late);
        if (middle <= late || middle >= early) {
            break;
        }
        status = analyse_before(a, middle, strict);
        if (a->overlaps) {
            late = middle;
        } else {
            early = middle;
        }
    }
    return status == ABUT_OK ? analyse_before(a, early, a->query->tolerance) : status;
}

/// What is within the envelope touches, as far as the parts of the bodies are larger than it: else what is near and
/// what is far cannot be told, and nothing separates them. Then a smaller envelope is tried, and counted.
static abut_status try_envelopes(analysis *a, int *is_answer)
{
    const abut_query *query = a->query;
    abut_stats *stats = abut_sink_stats(a->sink);
    int64_t caps = stats->caps;
    double least = fmax(query->tolerance, rounding * query->size);
    for (double reach = query->envelope; reach > least; reach /= widening) {
        abut_status status = analyse(a, reach);
        *is_answer = !a->overlaps && a->set.region_count > 0;
        if (status != ABUT_OK || *is_answer) {
            return status;
        }
        ++stats->caps;
    }
    abut_tree_gap gap = abut_tree_distance(a->sides[0].tree, a->sides[1].tree, query->b_to_a, query->envelope);
    if (gap.element_a < 0) { // nothing is near, so that nothing was cut short
        stats->caps = caps;
        *is_answer = 1;
        a->set.region_count = 0;
        return ABUT_OK;
    }
    return gap.distance > query->tolerance && isinf(a->receding)
               ? abut_sink_fail(
                     a->sink, ABUT_UNSUPPORTED,
                     "the bodies are within the envelope, but it is too large for their parts: take a smaller "
                     "one, or method closest-points")
               : ABUT_OK;
}

/// A bound of the speed of B against A where they can touch: in the box of the smaller one, wherever the frames are.
static double fastest_point(const analysis *a)
{
    const abut_box bounds[2] = {a->sides[0].model->elements.bounds, a->sides[1].model->elements.bounds};
    int smaller = abut_box_diagonal(bounds[1]) < abut_box_diagonal(bounds[0]);
    abut_vec3 middle = abut_touch_place(&a->sides[smaller], abut_box_center(bounds[smaller]));
    abut_vec3 velocity = abut_add(a->hints.linear, abut_cross(a->hints.angular, middle));
    return abut_norm(velocity) + 0.5 * abut_box_diagonal(bounds[smaller]) * abut_norm(a->hints.angular);
}

static abut_status find_touching_state(analysis *a)
{
    const abut_query *query = a->query;
    double strict = fmax(strictness * query->tolerance, rounding * query->size);
    double speed = fastest_point(a);
    abut_status status = ABUT_OK;
    if (speed * query->pair->dt > query->tolerance) {
        status = analyse(a, strict);
        if (status == ABUT_OK && a->overlaps) {
            ++abut_sink_stats(a->sink)->fallbacks;
            status = back_off(a, speed, strict);
            if (status != ABUT_OK || (!a->overlaps && is_closing(a))) {
                return status;
            }
        }
    }
    place_b(a, query->b_to_a);
    if (status == ABUT_OK && query->envelope > query->tolerance) {
        int is_answer = 0;
        status = try_envelopes(a, &is_answer);
        if (status != ABUT_OK || is_answer) {
            return status;
        }
    }
    double limit = overlap_limit * query->size, least = query->tolerance, smallest = rounding * query->size;
    // a tolerance below rounding, or of zero, would take hundreds of tries to widen, or never end
    for (double tolerance = least; status == ABUT_OK; tolerance = fmax(widening * tolerance, smallest)) {
        status = analyse(a, fmin(tolerance, limit));
        // what overlapped at a smaller tolerance touches somewhere
        int is_answer = !a->overlaps && (tolerance == least || a->set.region_count > 0);
        a->is_true = is_answer;
        if (status != ABUT_OK || is_answer) {
            return status;
        }
        ++abut_sink_stats(a->sink)->fallbacks;
        ++a->widenings;
        if (tolerance >= limit) {
            break;
        }
    }
    return status != ABUT_OK
               ? status
               : abut_sink_fail(
                     a->sink, ABUT_OVERLAP,
                     "the bodies overlap by more than a thousandth of the smaller one's size, and did not touch "
                     "one time step ago: give the velocities that led there, or take method convex or "
                     "intersection");
}

// ---- what was found, in the caller's words
// ---------------------------------------------------------------------------

static abut_feature feature_of(const abut_region_model *model, abut_entity entity)
{
    abut_feature feature = {.vertices = {-1, -1}};
    switch (entity.kind) {
    case ABUT_ENTITY_VERTEX: return abut_feature_vertex(model->brep.vertices[entity.index].source_vertex);
    case ABUT_ENTITY_EDGE: {
        const abut_brep_edge *edge = &model->brep.edges[entity.index];
        feature = abut_feature_edge(model->mesh, edge->source_edge);
        feature.is_merged = edge->mesh_edge_count > 1;
        break;
    }
    case ABUT_ENTITY_FACE: {
        const abut_brep_face *face = &model->brep.faces[entity.index];
        feature = abut_feature_face(face->source_face);
        int last = model->brep.face_triangles[face->triangle_begin + face->triangle_count - 1];
        feature.is_merged = model->elements.triangle_faces[last] != face->source_face;
        break;
    }
    }
    return feature;
}

/// A material point of a side by weights on vertices, for a point in the mesh's frame; on a face, in one of its
/// triangles.
static abut_anchor anchor_of(const abut_touch_side *side, abut_entity entity, int triangle, abut_vec3 local)
{
    const abut_region_model *model = side->model;
    abut_anchor anchor = {{-1, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}};
    if (entity.kind == ABUT_ENTITY_VERTEX) {
        anchor.vertices[0] = model->brep.vertices[entity.index].source_vertex;
    } else if (entity.kind == ABUT_ENTITY_EDGE) {
        const abut_brep_edge *edge = &model->brep.edges[entity.index];
        abut_vec3 from = abut_region_vertex(model, edge->vertices[0]);
        abut_vec3 along = abut_sub(abut_region_vertex(model, edge->vertices[1]), from);
        double weight = abut_dot(abut_sub(local, from), along) / abut_norm_squared(along);
        anchor.vertices[0] = model->brep.vertices[edge->vertices[0]].source_vertex;
        anchor.vertices[1] = model->brep.vertices[edge->vertices[1]].source_vertex;
        anchor.weights[0] = 1.0 - weight;
        anchor.weights[1] = weight;
    } else {
        abut_vec3 corners[3];
        for (int k = 0; k < 3; ++k) {
            anchor.vertices[k] = model->elements.triangles[3 * (size_t)triangle + (size_t)k];
            corners[k] = model->elements.vertices[anchor.vertices[k]];
        }
        (void)abut_point_triangle_distance_squared(local, corners, anchor.weights);
    }
    return anchor;
}

/// The face next to an entity of a side whose outward normal is n, or -1.
static int face_with_normal(const abut_touch_side *side, abut_entity entity, abut_vec3 n, double angle)
{
    const abut_brep_elements *brep = &side->model->brep;
    int count = 1, faces[2] = {entity.index, -1};
    if (entity.kind == ABUT_ENTITY_EDGE) {
        count = 2;
        faces[0] = brep->edges[entity.index].faces[0];
        faces[1] = brep->edges[entity.index].faces[1];
    } else if (entity.kind == ABUT_ENTITY_VERTEX) {
        count = brep->vertices[entity.index].cycle_count;
    }
    for (int i = 0; i < count; ++i) {
        int face = entity.kind != ABUT_ENTITY_VERTEX
                       ? faces[i]
                       : abut_region_left_face(side->model,
                                               brep->vertex_cycles[brep->vertices[entity.index].cycle_begin + i],
                                               entity.index);
        if (abut_norm(abut_sub(abut_touch_normal(side, face), n)) <= 8.0 * angle) {
            return face;
        }
    }
    return -1;
}

/// Whose face a normal of a region is, and which; ABUT_NORMAL_BOTH where it is no face's.
static abut_normal_side find_normal_face(const analysis *a, const abut_touch_region *region, abut_vec3 n, int *face)
{
    *face = face_with_normal(&a->sides[0], region->a, n, a->angle);
    if (*face >= 0) {
        return ABUT_NORMAL_A;
    }
    *face = face_with_normal(&a->sides[1], region->b, abut_negate(n), a->angle);
    return *face >= 0 ? ABUT_NORMAL_B : ABUT_NORMAL_BOTH;
}

static void name_normal(const analysis *a, const abut_touch_region *region, abut_vec3 n, abut_contact *c)
{
    int face;
    c->normal_side = find_normal_face(a, region, n, &face);
    if (c->normal_side == ABUT_NORMAL_BOTH) {
        c->normal_feature.vertices[0] = c->normal_feature.vertices[1] = -1;
        return;
    }
    abut_entity entity = {ABUT_ENTITY_FACE, face};
    c->normal_feature = feature_of(a->sides[c->normal_side == ABUT_NORMAL_A ? 0 : 1].model, entity);
}

/// The point of B at a node, in the frame of B's mesh.
static abut_vec3 local_point_b(const analysis *a, const abut_touch_node *node)
{
    return abut_mat3_apply_transposed(a->sides[1].rotation, abut_sub(node->point_b, a->sides[1].translation));
}

/// The two points at a node, in the true state and the world.
static void world_points(const analysis *a, const abut_touch_node *node, abut_vec3 local_b, abut_vec3 points[2])
{
    const abut_pair *pair = a->query->pair;
    points[0] = abut_add(abut_mat3_apply(a->turns[0], node->point_a), pair->a.pose.position);
    points[1] = abut_add(abut_mat3_apply(a->turns[1], local_b), pair->b.pose.position);
}

/// A normal of a region, in A's frame, in the true state and the world; unit to the last digit. From a touching
/// state of the past the normal of a face goes on with its body.
static abut_vec3 world_direction(const analysis *a, const abut_touch_region *region, abut_vec3 direction)
{
    int face;
    abut_quat touching = a->sides[1].turn, now = a->query->b_to_a.rotation;
    int has_turned = touching.w != now.w || touching.x != now.x || touching.y != now.y || touching.z != now.z;
    int is_of_b = has_turned && find_normal_face(a, region, direction, &face) == ABUT_NORMAL_B;
    abut_vec3 n = is_of_b
                      ? abut_mat3_apply(a->turns[1], abut_mat3_apply_transposed(a->sides[1].rotation, direction))
                      : abut_mat3_apply(a->turns[0], direction);
    return abut_scale(1.0 / abut_norm(n), n);
}

/// A corner of a region as a contact, without its normal: entities of the touching state, positions of the true one.
static abut_contact contact_at(const analysis *a, int node_index)
{
    const abut_touch_node *node = &a->touch.nodes[node_index];
    abut_vec3 local_b = local_point_b(a, node), points[2];
    world_points(a, node, local_b, points);
    abut_contact c = {.feature_a = feature_of(a->sides[0].model, node->a),
                      .feature_b = feature_of(a->sides[1].model, node->b),
                      .anchor_a = anchor_of(&a->sides[0], node->a, node->triangle, node->point_a),
                      .anchor_b = anchor_of(&a->sides[1], node->b, node->triangle, local_b),
                      .position_a = points[0],
                      .position_b = points[1]};
    return c;
}

static int add_directions(analysis *a, const abut_touch_region *region, abut_directions directions)
{
    int first = -1;
    for (int i = 0; i < directions.count; ++i) {
        abut_vec3 n = world_direction(a, region, directions.items[i]);
        int index = abut_sink_directions(a->sink, &n, 1);
        first = i == 0 ? index : first;
    }
    return first < 0 ? 0 : first;
}

static uint64_t region_id(const analysis *a, const abut_touch_region *region, int ordinal)
{
    abut_feature x = feature_of(a->sides[0].model, region->a), y = feature_of(a->sides[1].model, region->b);
    uint64_t id = abut_hash_mix(ABUT_HASH_START, (uint64_t)x.kind << 32 | (uint32_t)x.index);
    id = abut_hash_mix(id, (uint64_t)y.kind << 32 | (uint32_t)y.index);
    return abut_hash_mix(id, (uint64_t)ordinal);
}

static int deliver_region(analysis *a, const abut_region_set *set, const abut_touch_region *region, int ordinal)
{
    abut_region out = {.kind = (abut_region_kind)region->dimension,
                       .feature_a = feature_of(a->sides[0].model, region->a),
                       .feature_b = feature_of(a->sides[1].model, region->b),
                       .loop_begin = a->sink->loops.count,
                       .loop_count = region->outline_count,
                       .normal_count = region->normals.count,
                       .cone_begin = a->sink->cones.count,
                       .cone_count = region->feasible.cone_count,
                       .measure = region->measure,
                       .rule = region->rule,
                       .id = region_id(a, region, ordinal)};
    out.normal_begin = add_directions(a, region, region->normals);
    for (int i = 0; i < region->feasible.cone_count; ++i) {
        abut_region_cone cone = {.direction_begin = add_directions(a, region, region->feasible.cones[i]),
                                 .direction_count = region->feasible.cones[i].count};
        (void)abut_sink_cone(a->sink, &cone);
    }
    for (int i = 0; i < region->outline_count; ++i) {
        const abut_outline *outline = &set->outlines[region->outline_begin + i];
        abut_region_loop loop = {a->sink->points.count, outline->count, outline->is_hole};
        for (int k = 0; k < outline->count; ++k) {
            const abut_touch_node *node = &a->touch.nodes[set->corners[outline->begin + k]];
            abut_vec3 points[2];
            world_points(a, node, local_point_b(a, node), points);
            abut_vec3 point = abut_lerp(points[0], points[1], 0.5);
            (void)abut_sink_points(a->sink, &point, 1);
        }
        (void)abut_sink_loop(a->sink, &loop);
    }
    return abut_sink_region(a->sink, &out);
}

/// A contact to come: a corner of a region, and a normal.
typedef struct planned_contact {
    int region, node;
    abut_vec3 normal; ///< in A's frame
} planned_contact;

static int plan_corners(const analysis *a, int region_index, const int *corners, int count, planned_contact *plan)
{
    const abut_touch_region *region = &a->set.regions[region_index];
    int planned = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < region->normals.count; ++k) {
            planned_contact p = {region_index, corners[i], region->normals.items[k]};
            plan[planned++] = p;
        }
    }
    return planned;
}

/// All corners of a region, or, with `points=spanning`, n + 1 of them for an n-dimensional one.
static int plan_region(analysis *a, int region_index, planned_contact *plan)
{
    const abut_touch_region *region = &a->set.regions[region_index];
    const abut_outline *first = &a->set.outlines[region->outline_begin];
    const abut_outline *last = first + region->outline_count - 1;
    const int *corners = a->set.corners + first->begin;
    int count = last->begin + last->count - first->begin;
    if (!a->points_span || count <= region->dimension + 1) {
        return plan_corners(a, region_index, corners, count, plan);
    }
    abut_vec3 *points = abut_sink_scratch(a->sink, (size_t)count * sizeof *points);
    int chosen[3], nodes[3];
    if (points == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        points[i] = a->touch.nodes[corners[i]].point_a;
    }
    int found = abut_spanning_points(points, count, a->touch.tolerance, chosen);
    for (int i = 0; i < found; ++i) {
        nodes[i] = corners[chosen[i]];
    }
    return plan_corners(a, region_index, nodes, found, plan);
}

/// Leaves at most six constraints that span what all of them span; returns how many.
static int reduce_plan(analysis *a, planned_contact *plan, int count)
{
    abut_constraint *constraints = abut_sink_scratch(a->sink, (size_t)count * sizeof *constraints);
    if (constraints == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        constraints[i].point = a->touch.nodes[plan[i].node].point_a;
        constraints[i].normal = plan[i].normal;
    }
    int chosen[6];
    int found = abut_spanning_constraints(constraints, count, a->query->size, chosen);
    planned_contact kept[6];
    for (int i = 0; i < found; ++i) {
        kept[i] = plan[chosen[i]];
    }
    for (int i = 0; i < found; ++i) {
        plan[i] = kept[i];
    }
    return found;
}

static void deliver(analysis *a)
{
    const abut_region_set *set = &a->set;
    size_t room = 1;
    for (int i = 0; i < set->region_count; ++i) {
        const abut_touch_region *region = &set->regions[i];
        for (int k = 0; k < region->outline_count; ++k) {
            room += (size_t)set->outlines[region->outline_begin + k].count * (size_t)region->normals.count;
        }
    }
    planned_contact *plan = abut_sink_scratch(a->sink, room * sizeof *plan);
    if (plan == NULL) {
        return; // the sink knows
    }
    int count = 0;
    for (int i = 0; i < set->region_count; ++i) {
        const abut_touch_region *region = &set->regions[i];
        int is_next = i > 0 && set->regions[i - 1].a.index == region->a.index &&
                      set->regions[i - 1].b.index == region->b.index;
        (void)deliver_region(a, set, region, is_next ? i : 0);
        count += plan_region(a, i, plan + count);
    }
    if (a->points_span) {
        count = reduce_plan(a, plan, count);
    }
    for (int i = 0; i < count; ++i) {
        const abut_touch_region *region = &set->regions[plan[i].region];
        abut_contact c = contact_at(a, plan[i].node);
        c.region = plan[i].region;
        c.rule = region->rule;
        name_normal(a, region, plan[i].normal, &c);
        c.normal = world_direction(a, region, plan[i].normal);
        (void)abut_sink_contact(a->sink, &c);
    }
}

/// Whether answers hang on the motion only through the choice of normals, and have all of these.
static int is_of_all(const analysis *a)
{
    return isinf(a->receding) && !a->hints.is_spanning && a->query->envelope <= a->query->tolerance;
}

/// Whether nothing but the place of the bodies decided.
static int is_of_place(const analysis *a)
{
    int is_so = a->is_true && a->set.ambiguous == 0 && a->set.capped == 0 && a->set.open_outlines == 0;
    for (int i = 0; is_so && i < a->set.region_count; ++i) {
        is_so = a->set.regions[i].rule == ABUT_RULE_GEOMETRY;
    }
    return is_so;
}

/// Keeps the chosen normals, or the whole answer, for the next query of the pair.
static void remember(analysis *a)
{
    abut_kept head = {.b_to_a = a->query->b_to_a, .tolerance = a->query->tolerance, .angle = a->query->angle};
    head.is_whole = is_of_all(a) && is_of_place(a);
    head.reach = a->touch.tolerance;
    head.widenings = a->widenings;
    void *next = abut_sink_memory(a->sink, abut_kept_measure(&a->set, &head));
    if (next != NULL) {
        abut_kept_write(next, &head, &a->touch, &a->set);
    }
}

/// The farthest that a point of B has moved in A's frame since then, at most.
static double way_since(const analysis *a, abut_pose then)
{
    abut_pose now = a->query->b_to_a;
    abut_quat turn = abut_quat_multiply(abut_quat_conjugate(then.rotation), now.rotation);
    double half_sine = abut_norm(abut_vec3_make(turn.x, turn.y, turn.z));
    abut_box bounds = a->sides[1].model->elements.bounds;
    double reach = abut_norm(abut_max(abut_abs(bounds.lower), abut_abs(bounds.upper)));
    return abut_norm(abut_sub(now.position, then.position)) + 2.0 * half_sine * reach;
}

/// Answers with what was kept, where the bodies are where they were. Returns 0 where they are not.
static int recall(analysis *a, const abut_kept *kept, size_t size)
{
    const abut_query *query = a->query;
    if (kept == NULL || !kept->is_whole || !is_of_all(a) || fastest_point(a) * query->pair->dt > query->tolerance ||
        kept->tolerance != query->tolerance || kept->angle != query->angle ||
        !(way_since(a, kept->b_to_a) <= still * kept->tolerance)) {
        return 0;
    }
    if (!abut_kept_read(&a->sink->arena, kept, &a->touch, &a->set)) {
        return 0; // an analysis needs more memory: it will tell
    }
    a->angle = fmax(kept->angle, tilting * kept->reach / query->size);
    abut_sink_stats(a->sink)->fallbacks += kept->widenings;
    place_b(a, kept->b_to_a);
    void *next = abut_sink_memory(a->sink, size);
    if (next != NULL) {
        memcpy(next, kept, size);
    }
    return 1;
}

static abut_status query_regions(const abut_query *query, abut_sink *sink)
{
    const abut_pair *pair = query->pair;
    if (query->is_self || pair->a.instance != NULL || pair->b.instance != NULL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, "method regions takes two rigid bodies");
    }
    if (abut_shape_dilation(pair->a.shape) != 0.0 || abut_shape_offset(pair->a.shape) != 0.0 ||
        abut_shape_dilation(pair->b.shape) != 0.0 || abut_shape_offset(pair->b.shape) != 0.0) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, "method regions knows neither dilation nor offset");
    }
    analysis a = {.query = query, .sink = sink};
    const abut_side *sides[2] = {&pair->a, &pair->b};
    for (int i = 0; i < 2; ++i) {
        a.sides[i].model = abut_query_data(query, sides[i]->shape);
        a.sides[i].tree = abut_side_tree(sides[i], ABUT_ELEMENT_TRIANGLE);
        a.sides[i].turn = abut_quat_identity();
        a.sides[i].rotation = abut_mat3_identity();
        a.turns[i] = abut_quat_matrix(sides[i]->pose.rotation);
    }
    place_b(&a, query->b_to_a);
    // in A's frame, seen from A: a point p of the world moves by v_B(p) - v_A(p)
    abut_vec3 angular = abut_sub(pair->b.angular_velocity, pair->a.angular_velocity);
    abut_vec3 linear =
        abut_sub(abut_sub(pair->b.linear_velocity, pair->a.linear_velocity),
                 abut_cross(pair->b.angular_velocity, abut_sub(pair->b.pose.position, pair->a.pose.position)));
    a.hints.linear = abut_mat3_apply_transposed(a.turns[0], linear);
    a.hints.angular = abut_mat3_apply_transposed(a.turns[0], angular);
    a.points_span = abut_query_option(query, "points") == 1.0;
    a.receding =
        abut_query_option(query, "culling") == 1.0 && pair->dt > 0.0 ? query->tolerance / pair->dt : HUGE_VAL;
    a.hints.is_spanning = abut_query_option(query, "normals") == 1.0;
    size_t size;
    const abut_kept *kept = abut_query_memory(query, &size);
    a.hints.remembered = kept != NULL ? abut_kept_remembered(kept) : NULL;
    a.hints.remembered_count = kept != NULL ? kept->remembered_count : 0;
    a.hints.least_speed = pair->dt > 0.0 ? query->tolerance / pair->dt : HUGE_VAL;
    if (recall(&a, kept, size)) {
        deliver(&a);
        return ABUT_OK;
    }
    abut_status status = find_touching_state(&a);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_region_set *set = &a.set;
    abut_stats *stats = abut_sink_stats(sink);
    stats->arbitrary_normals += set->ambiguous;
    stats->caps += set->capped;
    stats->repairs += set->open_outlines;
    deliver(&a);
    remember(&a);
    return ABUT_OK;
}

static const char *const normal_choices[] = {"all", "spanning", NULL};
static const char *const point_choices[] = {"corners", "spanning", NULL};
static const char *const culling_choices[] = {"off", "on", NULL};
static const abut_option_info options[] = {
    {.name = "normals",
     .help = "all: every normal that bounds the motion; spanning: at most three a region, which is not enough in a "
             "pit of four walls",
     .choices = normal_choices,
     .is_of_query = 1},
    {.name = "points",
     .help = "corners: all corners of a region; spanning: n + 1 points for an n-dimensional region, at most six "
             "constraints a pair",
     .choices = point_choices,
     .is_of_query = 1},
    {.name = "culling",
     .help = "on: leave out faces that move away from the other body by more than the tolerance in a step",
     .choices = culling_choices,
     .is_of_query = 1},
};

const abut_method abut_method_regions = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "regions",
    .summary = "corners of the polygons, segments and points in which two solids touch",
    .source = "Bouma and Vanecek 1993, section 3",
    .taxonomy = {.locality = ABUT_SEMI_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_REGIONS,
                 .traits = {2, 1, 1, 1},
                 .is_ours = 1},
    .needs =
        ABUT_NEEDS_CLOSED | ABUT_NEEDS_TRIANGLE_TREE | ABUT_NEEDS_BREP | ABUT_NEEDS_VELOCITY | ABUT_NEEDS_MEMORY,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .prepare = prepare_regions,
    .release = release_regions,
    .query = query_regions,
};
