// SPDX-License-Identifier: MIT
// convex.c: contacts of two convex solids, from the minimum translation and the contact manifold
//
// src/convex/ computes the signed distance of the pair and its direction, and proves them. Moved along that direction
// until they touch, the bodies touch in a point, a segment or a polygon, whose corners are the contacts. All contacts
// have the same normal, so none works against another.
//
// Source:  Yi and Drumwright 2016.
// Differs: the normal points from A to B. If directions tie, history decides, then velocity; the paper leaves the
//          choice open. Dilation sweeps each body with a ball, so the distance is less by the two radii.
// Cost:    a few hundred nanoseconds to a few microseconds; less with a memory. No allocation in a repeated query.
// Fails:   refuses meshes that are not convex (unless geometry=hull), offset, soft bodies and self-contact. Bodies
//          that overlap deeply are separated along the shortest way, not the way they came.
#include "base/error.h"
#include "convex/frame.h"
#include "method/feature_hash.h"
#include "method/methods.h"
#include "method/params.h"

#include <abut/convex.h>

enum { GEOMETRY_MESH = 0, GEOMETRY_HULL = 1, MANIFOLD_KISSING = 0, MANIFOLD_OVERLAP = 1 };

static const char *const geometry_choices[] = {"mesh", "hull", NULL};
static const char *const manifold_choices[] = {"kissing", "overlap", NULL};

enum { OPTION_GEOMETRY = 0, OPTION_MANIFOLD = 1 };

static const abut_option_info options[] = {
    {.name = "geometry",
     .help = "mesh: the mesh, which must be convex; hull: the convex hull of its vertices, whatever its surface",
     .choices = geometry_choices,
     .value = GEOMETRY_MESH},
    {.name = "manifold",
     .help =
         "kissing: corners of what touches once the bodies are moved until they touch; overlap: all corners inside "
         "the other body",
     .choices = manifold_choices,
     .value = MANIFOLD_KISSING,
     .is_of_query = 1},
};

static int choice_of(const abut_params *params, int option)
{
    return (int)abut_params_option(params, &abut_method_convex, option);
}

int abut_convex_takes_hull(const abut_params *params)
{
    return choice_of(params, OPTION_GEOMETRY) == GEOMETRY_HULL;
}

static abut_status prepare_convex(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                  void **data, abut_error *error)
{
    abut_convex_params convex_params = abut_convex_params_default();
    convex_params.takes_hull = abut_convex_takes_hull(params);
    abut_convex *convex = NULL;
    abut_error reason = {0};
    abut_status status = abut_convex_create(context, abut_shape_mesh(shape), &convex_params, &convex, &reason);
    *data = convex;
    if (status == ABUT_UNSUPPORTED || status == ABUT_LIMIT) {
        return abut_fail_element(error, status, reason.element,
                                 "%s; option geometry=hull takes the convex hull instead", reason.text);
    }
    return status == ABUT_OK ? ABUT_OK : abut_fail_element(error, status, reason.element, "%s", reason.text);
}

static void release_convex(void *data, const abut_context *context)
{
    (void)context;
    abut_convex_destroy(data);
}

static const char *find_fault(const abut_query *query)
{
    const abut_pair *pair = query->pair;
    if (query->is_self) {
        return "method convex does not find self-contact";
    }
    if (pair->a.instance != NULL || pair->b.instance != NULL) {
        return "method convex does not support soft bodies";
    }
    if (abut_shape_offset(pair->a.shape) != 0.0 || abut_shape_offset(pair->b.shape) != 0.0) {
        return "method convex does not support an offset";
    }
    return NULL;
}

/// The velocity of a side at a point of the world.
static abut_vec3 velocity_at(const abut_side *side, abut_vec3 at)
{
    abut_vec3 arm = abut_sub(at, side->pose.position);
    return abut_add(side->linear_velocity, abut_cross(side->angular_velocity, arm));
}

static abut_convex_pair make_pair(const abut_query *query)
{
    const abut_pair *pair = query->pair;
    abut_convex_pair convex =
        abut_convex_pair_default(abut_query_data(query, pair->a.shape), abut_query_data(query, pair->b.shape));
    convex.pose_a = pair->a.pose;
    convex.pose_b = pair->b.pose;
    abut_vec3 middle = abut_pose_apply(pair->b.pose, abut_convex_get_info(convex.b).inner_center);
    convex.velocity = abut_sub(velocity_at(&pair->b, middle), velocity_at(&pair->a, middle));
    convex.tolerance = query->tolerance;
    return convex;
}

/// What contacts and the region are made from.
typedef struct report {
    const abut_query *query;
    const abut_convex_result *result;
    double radius_a, radius_b;
    abut_sink *sink;
} report;

static void add_contact(const report *r, const abut_convex_point *point, int region)
{
    abut_vec3 n = r->result->normal;
    abut_contact c = {.position_a = abut_add_scaled(point->position_a, r->radius_a, n),
                      .position_b = abut_add_scaled(point->position_b, -r->radius_b, n),
                      .normal = n,
                      .feature_a = point->feature_a,
                      .feature_b = point->feature_b,
                      .normal_feature = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}},
                      .normal_side = ABUT_NORMAL_BOTH,
                      .anchor_a = point->anchor_a,
                      .anchor_b = point->anchor_b,
                      .rule = r->result->rule,
                      .region = region};
    if (r->result->feature_a.kind == ABUT_FEATURE_FACE) {
        c.normal_side = ABUT_NORMAL_A;
        c.normal_feature = r->result->feature_a;
    } else if (r->result->feature_b.kind == ABUT_FEATURE_FACE) {
        c.normal_side = ABUT_NORMAL_B;
        c.normal_feature = r->result->feature_b;
    }
    (void)abut_sink_contact(r->sink, &c);
}

/// Adds one region with all points. Each direction that ties is a cone of motions that separate the bodies.
static int add_region(const report *r, const abut_convex_manifold *manifold)
{
    const abut_convex_result *result = r->result;
    abut_region_loop loop = {.point_count = manifold->count};
    for (int i = 0; i < manifold->count; ++i) {
        abut_vec3 a = manifold->points[i].position_a, b = manifold->points[i].position_b;
        abut_vec3 middle = abut_add_scaled(abut_lerp(a, b, 0.5), 0.5 * (r->radius_a - r->radius_b), result->normal);
        int at = abut_sink_points(r->sink, &middle, 1);
        loop.point_begin = i == 0 ? at : loop.point_begin;
    }
    abut_region region = {.kind = (abut_region_kind)manifold->dimension,
                          .feature_a = result->feature_a,
                          .feature_b = result->feature_b,
                          .loop_begin = abut_sink_loop(r->sink, &loop),
                          .loop_count = 1,
                          .normal_begin = abut_sink_directions(r->sink, result->directions, 1),
                          .normal_count = 1,
                          .measure = manifold->measure,
                          .rule = result->rule};
    region.cone_count = result->direction_count;
    for (int i = 0; i < result->direction_count; ++i) {
        abut_region_cone cone = {.direction_begin = region.normal_begin, .direction_count = 1};
        if (i > 0) {
            cone.direction_begin = abut_sink_directions(r->sink, &result->directions[i], 1);
        }
        int at = abut_sink_cone(r->sink, &cone);
        region.cone_begin = i == 0 ? at : region.cone_begin;
    }
    region.id = abut_hash_features(region.feature_a, region.feature_b);
    return abut_sink_region(r->sink, &region);
}

static double reach_of(const abut_query *query)
{
    return fmax(query->tolerance, query->envelope);
}

static double gap_of(const report *r, const abut_convex_point *point)
{
    return abut_dot(r->result->normal, abut_sub(point->position_b, point->position_a));
}

static int is_within_reach(const report *r, const abut_convex_point *point)
{
    return gap_of(r, point) - r->radius_a - r->radius_b <= reach_of(r->query);
}

/// At most this many vertices of a shape are used on the contact plane.
static int count_most(const abut_convex *convex)
{
    int count = abut_convex_get_info(convex).vertex_count;
    return count < ABUT_CONVEX_PLANE_VERTICES ? count : ABUT_CONVEX_PLANE_VERTICES;
}

static abut_status add_contacts(const report *r, const abut_convex_frame *frame)
{
    // an intersection has at most as many corners as both polygons together
    abut_convex_manifold manifold = {.capacity = count_most(frame->a) + count_most(frame->b)};
    if (choice_of(r->query->params, OPTION_MANIFOLD) == MANIFOLD_OVERLAP ||
        r->query->envelope > r->query->tolerance) {
        // all corners whose gap is within reach, also of faces that are tilted
        manifold.depth = reach_of(r->query) + r->radius_a + r->radius_b - r->result->distance;
    }
    manifold.points = abut_sink_scratch(r->sink, (size_t)manifold.capacity * sizeof *manifold.points);
    if (manifold.points == NULL) {
        return ABUT_NO_MEMORY;
    }
    abut_status status = abut_convex_manifold_of(frame, r->result, &manifold);
    if (status != ABUT_OK) {
        return status;
    }
    abut_stats *stats = abut_sink_stats(r->sink);
    stats->repairs += manifold.repair_count;
    stats->caps += manifold.cap_count;
    int region = add_region(r, &manifold);
    double least = HUGE_VAL;
    for (int i = 0; i < manifold.count; ++i) {
        if (manifold.depth > 0.0 && !is_within_reach(r, &manifold.points[i])) {
            continue; // if the faces are tilted, some corners are apart
        }
        add_contact(r, &manifold.points[i], region);
        least = fmin(least, gap_of(r, &manifold.points[i]));
        stats->arbitrary_normals += r->result->rule == ABUT_RULE_NONE;
    }
    if (least > r->result->distance + r->query->tolerance) {
        // the outline of what is inside goes around a bulge without its deepest corner
        manifold.depth = 0.0;
        status = abut_convex_manifold_of(frame, r->result, &manifold);
        for (int i = 0; status == ABUT_OK && i < manifold.count; ++i) {
            add_contact(r, &manifold.points[i], region);
        }
    }
    return status;
}

static abut_status query_convex(const abut_query *query, abut_sink *sink)
{
    const char *fault = find_fault(query);
    if (fault != NULL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED, fault);
    }
    abut_convex_pair pair = make_pair(query);
    pair.scratch_size = abut_convex_scratch_size(pair.a, pair.b);
    if (pair.scratch_size > 0) {
        pair.scratch = abut_sink_scratch(sink, pair.scratch_size);
        if (pair.scratch == NULL) {
            return ABUT_NO_MEMORY;
        }
    }
    size_t size;
    const abut_convex_memory *before = abut_query_memory(query, &size);
    abut_convex_memory after = {{0}, {0.0, 0.0, 0.0}};
    abut_convex_frame frame;
    abut_convex_result result;
    abut_status status = abut_convex_read_pair(&pair, &frame);
    if (status == ABUT_OK) {
        status = abut_convex_distance_of(&frame, size == sizeof *before ? before : NULL, &after, &result);
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (query->pair->memory != NULL) {
        abut_convex_memory *next = abut_sink_memory(sink, sizeof *next);
        if (next == NULL) {
            return ABUT_NO_MEMORY;
        }
        *next = after;
    }
    abut_stats *stats = abut_sink_stats(sink);
    stats->candidate_pairs = stats->tested_pairs = 1;
    stats->fallbacks += result.fallback_count;
    report r = {query, &result, abut_shape_dilation(query->pair->a.shape),
                abut_shape_dilation(query->pair->b.shape), sink};
    if (result.distance - r.radius_a - r.radius_b <= reach_of(query)) {
        status = add_contacts(&r, &frame);
    }
    return status;
}

const abut_method abut_method_convex = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "convex",
    .summary = "minimum translation and contact manifold of two convex solids",
    .source = "Yi and Drumwright 2016",
    .taxonomy = {.locality = ABUT_GLOBAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_FEATURE_TYPES,
                 .traits = {2, 0, 0, 0},
                 .is_ours = 1},
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_CLOSED | ABUT_NEEDS_MEMORY,
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .prepare = prepare_convex,
    .release = release_convex,
    .query = query_convex,
};
