// SPDX-License-Identifier: MIT
// regions_output.c: from the regions of an analysis to the contacts and regions of the result
//
// Features and corners come from the poses in which the solids touch; positions and normals are moved on, with their
// bodies, to the poses of the query, and into the world.
#include "method/regions_analysis.h"

#include "region/spanning.h"

/// A corner of a region: its points on both bodies, in the world and the poses of the query.
typedef struct placed_corner {
    abut_vec3 local_b; ///< the point of B in the frame of its mesh
    abut_vec3 points[2];
} placed_corner;

static placed_corner place_corner(const abut_regions_analysis *a, const abut_touch_node *node)
{
    const abut_pair *pair = a->query->pair;
    placed_corner c;
    c.local_b = abut_mat3_apply_transposed(a->sides[1].rotation, abut_sub(node->point_b, a->sides[1].translation));
    c.points[0] = abut_add(abut_mat3_apply(a->to_world[0], node->point_a), pair->a.pose.position);
    c.points[1] = abut_add(abut_mat3_apply(a->to_world[1], c.local_b), pair->b.pose.position);
    return c;
}

/// A normal of a region, in the world and the poses of the query; unit up to the last rounding. If B has turned since
/// the solids touched, the normal of one of its faces has turned with it.
static abut_vec3 world_direction(const abut_regions_analysis *a, const abut_touch_region *region,
                                 abut_vec3 direction)
{
    int face;
    abut_quat touching = a->sides[1].turn, now = a->query->b_to_a.rotation;
    int has_turned = touching.w != now.w || touching.x != now.x || touching.y != now.y || touching.z != now.z;
    int is_of_b = has_turned && abut_regions_normal_face(a, region, direction, &face) == ABUT_NORMAL_B;
    abut_vec3 local = is_of_b ? abut_mat3_apply_transposed(a->sides[1].rotation, direction) : direction;
    abut_vec3 n = abut_mat3_apply(a->to_world[is_of_b], local);
    return abut_scale(1.0 / abut_norm(n), n);
}

static int is_equal(abut_vec3 a, abut_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// ---- regions

/// Adds directions of a region; returns the index of the first, or 0 if there are none. If the region has one normal, it
/// is mostly the only direction, and `normal` is that normal in the world.
static int add_directions(abut_regions_analysis *a, const abut_touch_region *region, abut_directions directions,
                          const abut_vec3 *normal)
{
    int first = -1;
    for (int i = 0; i < directions.count; ++i) {
        int is_known = normal != NULL && is_equal(directions.items[i], region->normals.items[0]);
        abut_vec3 n = is_known ? *normal : world_direction(a, region, directions.items[i]);
        int index = abut_sink_directions(a->sink, &n, 1);
        first = i == 0 ? index : first;
    }
    return first < 0 ? 0 : first;
}

static void deliver_outline(abut_regions_analysis *a, const abut_outline *outline, placed_corner *corners)
{
    abut_region_loop loop = {a->sink->points.count, outline->count, outline->is_hole};
    for (int k = outline->begin; k < outline->begin + outline->count; ++k) {
        corners[k] = place_corner(a, &a->touch.nodes[a->set.corners[k]]);
        abut_vec3 point = abut_lerp(corners[k].points[0], corners[k].points[1], 0.5);
        (void)abut_sink_points(a->sink, &point, 1);
    }
    (void)abut_sink_loop(a->sink, &loop);
}

/// Places the corners of the region as well.
static void deliver_region(abut_regions_analysis *a, const abut_touch_region *region, placed_corner *corners)
{
    abut_region out = {.kind = (abut_region_kind)region->dimension,
                       .feature_a = abut_regions_feature(a->sides[0].model, region->a),
                       .feature_b = abut_regions_feature(a->sides[1].model, region->b),
                       .loop_begin = a->sink->loops.count,
                       .loop_count = region->outline_count,
                       .normal_count = region->normals.count,
                       .cone_begin = a->sink->cones.count,
                       .cone_count = region->feasible.cone_count,
                       .measure = region->measure,
                       .rule = region->rule,
                       .life = region->life,
                       .id = abut_regions_id(a, region->a, region->b, region->ordinal)};
    out.normal_begin = add_directions(a, region, region->normals, NULL);
    abut_vec3 normal = {0.0, 0.0, 0.0};
    int has_one = region->normals.count == 1 && !a->sink->is_out_of_memory;
    if (has_one) {
        normal = ((const abut_vec3 *)a->sink->directions.items)[out.normal_begin];
    }
    for (int i = 0; i < region->feasible.cone_count; ++i) {
        abut_directions cone_normals = region->feasible.cones[i];
        abut_region_cone cone = {.direction_begin =
                                     add_directions(a, region, cone_normals, has_one ? &normal : NULL),
                                 .direction_count = region->feasible.cones[i].count};
        (void)abut_sink_cone(a->sink, &cone);
    }
    for (int i = 0; i < region->outline_count; ++i) {
        deliver_outline(a, &a->set.outlines[region->outline_begin + i], corners);
    }
    (void)abut_sink_region(a->sink, &out);
}

// ---- contacts

/// A contact to come: a corner of a region, and a normal.
typedef struct planned_contact {
    int region, corner;
    abut_vec3 normal; ///< in A's frame
} planned_contact;

/// Plans every normal of a region at a corner; returns how many contacts.
static int plan_corner(const abut_regions_analysis *a, int region_index, int corner, planned_contact *plan)
{
    const abut_touch_region *region = &a->set.regions[region_index];
    for (int k = 0; k < region->normals.count; ++k) {
        plan[k] = (planned_contact){region_index, corner, region->normals.items[k]};
    }
    return region->normals.count;
}

/// Plans all corners of a region or, with points=spanning, n + 1 of them for an n-dimensional one.
static int plan_region(abut_regions_analysis *a, int region_index, planned_contact *plan)
{
    const abut_touch_region *region = &a->set.regions[region_index];
    const abut_outline *first = &a->set.outlines[region->outline_begin];
    const abut_outline *last = first + region->outline_count - 1;
    int count = last->begin + last->count - first->begin, planned = 0;
    if (!a->points_span || count <= region->dimension + 1) {
        for (int i = 0; i < count; ++i) {
            planned += plan_corner(a, region_index, first->begin + i, plan + planned);
        }
        return planned;
    }
    abut_vec3 *points = abut_sink_scratch(a->sink, (size_t)count * sizeof *points);
    int chosen[3];
    if (points == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        points[i] = a->touch.nodes[a->set.corners[first->begin + i]].point_a;
    }
    int found = abut_spanning_points(points, count, a->touch.tolerance, chosen);
    for (int i = 0; i < found; ++i) {
        planned += plan_corner(a, region_index, first->begin + chosen[i], plan + planned);
    }
    return planned;
}

/// Reduces a plan to at most six constraints with the same span; returns how many.
static int reduce_plan(abut_regions_analysis *a, planned_contact *plan, int count)
{
    abut_constraint *constraints = abut_sink_scratch(a->sink, (size_t)count * sizeof *constraints);
    if (constraints == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        constraints[i].point = a->touch.nodes[a->set.corners[plan[i].corner]].point_a;
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

/// What contacts with the same normal of a region share, in the world.
typedef struct shared_normal {
    abut_vec3 normal;
    abut_normal_side side;
    abut_feature feature;
} shared_normal;

/// Whether two planned contacts have the same normal.
static int has_same_normal(const planned_contact *x, const planned_contact *y)
{
    return x->region == y->region && is_equal(x->normal, y->normal);
}

/// The normal of a planned contact, and the face that it comes from, if there is one.
static shared_normal find_normal(const abut_regions_analysis *a, const planned_contact *planned)
{
    const abut_touch_region *region = &a->set.regions[planned->region];
    shared_normal found = {.normal = world_direction(a, region, planned->normal),
                           .feature = {.vertices = {-1, -1}}};
    int face;
    found.side = abut_regions_normal_face(a, region, planned->normal, &face);
    if (found.side != ABUT_NORMAL_BOTH) {
        abut_entity entity = {ABUT_ENTITY_FACE, face};
        found.feature = abut_regions_feature(a->sides[found.side == ABUT_NORMAL_A ? 0 : 1].model, entity);
    }
    return found;
}

static void deliver_contact(abut_regions_analysis *a, const planned_contact *planned, const shared_normal *shared,
                            const placed_corner *corner)
{
    const abut_touch_region *region = &a->set.regions[planned->region];
    const abut_touch_node *node = &a->touch.nodes[a->set.corners[planned->corner]];
    abut_contact c = {.feature_a = abut_regions_feature(a->sides[0].model, node->a),
                      .feature_b = abut_regions_feature(a->sides[1].model, node->b),
                      .anchor_a = abut_regions_anchor(&a->sides[0], node->a, node->triangle, node->point_a),
                      .anchor_b = abut_regions_anchor(&a->sides[1], node->b, node->triangle, corner->local_b),
                      .position_a = corner->points[0],
                      .position_b = corner->points[1],
                      .normal = shared->normal,
                      .normal_side = shared->side,
                      .normal_feature = shared->feature,
                      .region = planned->region,
                      .rule = region->rule};
    (void)abut_sink_contact(a->sink, &c);
}

/// The most contacts that a plan may have.
static size_t plan_size(const abut_region_set *set)
{
    size_t size = 0;
    for (int i = 0; i < set->region_count; ++i) {
        const abut_touch_region *region = &set->regions[i];
        for (int k = 0; k < region->outline_count; ++k) {
            size += (size_t)set->outlines[region->outline_begin + k].count * (size_t)region->normals.count;
        }
    }
    return size;
}

void abut_regions_deliver(abut_regions_analysis *a)
{
    const abut_region_set *set = &a->set;
    if (set->region_count == 0) {
        return;
    }
    planned_contact *plan = abut_sink_scratch(a->sink, (plan_size(set) + 1) * sizeof *plan);
    placed_corner *corners = abut_sink_scratch(a->sink, (size_t)set->corner_count * sizeof *corners);
    if (plan == NULL || corners == NULL) {
        return; // the sink reports it
    }
    int count = 0;
    for (int i = 0; i < set->region_count; ++i) {
        deliver_region(a, &set->regions[i], corners);
        count += plan_region(a, i, plan + count);
    }
    if (a->points_span) {
        count = reduce_plan(a, plan, count);
    }
    shared_normal shared = {0};
    for (int i = 0; i < count; ++i) {
        if (i == 0 || !has_same_normal(&plan[i - 1], &plan[i])) {
            shared = find_normal(a, &plan[i]);
        }
        deliver_contact(a, &plan[i], &shared, &corners[plan[i].corner]);
    }
}
