// SPDX-License-Identifier: MIT
// implicit_field.c: contacts of points of one surface in the signed distance field of the other
//
// Each solid has a grid of signed distances. The vertices of the other surface, and points along its edges, are
// looked up there: where the value is not above the reach, there is a contact with the gradient as normal and the
// value as gap. Both solids are asked.
//
// Source:  Erleben 2018, sections 3.2.4 and 3.3.3 ("implicit field" of Table 3), after Guendelman et al. 2003.
// Differs: points on edges come in addition to vertices; both bodies have a field, and both give samples.
// Cost:    linear in the triangles and samples within the other's box; no allocation in a repeated query. A grid takes
//          8 bytes a node, and a search in the mesh for each of them.
// Fails:   values are off by up to half the diagonal of a cell where the distance is not linear, that is, next to
//          edges and where two faces are equally near; normals there turn smoothly (cases cliff-edges, wedges).
//          Faces that meet between samples, and bodies that are thinner than two cells, are missed or found late.
#include "base/arena_list.h"
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "method/local.h"
#include "method/methods.h"
#include "method/params.h"
#include "method/workspace.h"
#include "spatial/field.h"

enum { OPTION_RESOLUTION, OPTION_EDGE_SAMPLES, OPTION_COUNT };
enum { DEFAULT_RESOLUTION = 32, SAMPLE_GRAIN = 64 };

static const double least_slope = 1e-3; // below, the gradient has no direction: that of a distance is 1

static const abut_option_info options[OPTION_COUNT] = {
    [OPTION_RESOLUTION] = {.name = "resolution",
                           .help = "cells along the longest side of a body",
                           .value = DEFAULT_RESOLUTION,
                           .lower = ABUT_FIELD_LEAST_CELLS,
                           .upper = ABUT_FIELD_MOST_CELLS},
    [OPTION_EDGE_SAMPLES] = {.name = "edge-samples",
                             .help =
                                 "yes: points along edges too, as far apart as the cells of the other body's grid",
                             .choices = abut_no_yes_choices,
                             .value = 1,
                             .is_of_query = 1},
};

/// The grid of a shape, and a tree with its box alone, which finds the triangles of other shapes in it.
typedef struct field_data {
    abut_field field;
    abut_mesh *box_mesh; ///< one segment, from corner to corner
    abut_tree *box_tree;
} field_data;

static void release_data(void *data, const abut_context *context)
{
    field_data *d = data;
    abut_field_release(&d->field, context);
    abut_tree_destroy(d->box_tree);
    abut_mesh_destroy(d->box_mesh);
    abut_free(context, d);
}

static abut_status make_box_tree(field_data *d, const abut_context *context, abut_error *error)
{
    const abut_vec3 corners[2] = {d->field.box.lower, d->field.box.upper};
    static const int segment[2] = {0, 1};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = corners;
    def.vertex_count = 2;
    def.segments = segment;
    def.segment_count = 1;
    abut_status status = abut_mesh_create(context, &def, &d->box_mesh, error);
    return status == ABUT_OK ? abut_tree_create(context, d->box_mesh, ABUT_ELEMENT_SEGMENT, &d->box_tree, error)
                             : status;
}

static abut_status prepare_field(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                 void **data, abut_error *error)
{
    field_data *d = abut_allocate_zeroed(context, 1, sizeof *d);
    if (d == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a distance field");
    }
    int resolution = (int)abut_params_option(params, &abut_method_implicit_field, OPTION_RESOLUTION);
    abut_status status =
        abut_field_create(context, abut_shape_mesh(shape), abut_shape_tree(shape, ABUT_ELEMENT_TRIANGLE),
                          resolution, &d->field, error);
    if (status == ABUT_OK) {
        status = make_box_tree(d, context, error);
    }
    if (status != ABUT_OK) {
        release_data(d, context);
        return status;
    }
    *data = d;
    return ABUT_OK;
}

// ---- samples

/// A point of one surface in the frame of the other's field.
typedef struct sample {
    int element;    ///< a vertex, or an edge if `edge_at` is not negative
    double edge_at; ///< from the lower vertex (0) to the other
    abut_vec3 point;
    abut_vec3 gradient;
    double value;
} sample;

/// The samples of one surface in the field of the other.
typedef struct survey {
    const abut_placed *side; ///< of the samples
    const abut_field *field;
    abut_pose to_field; ///< from the frame of `side`
    int takes_edges, is_side_a;
    abut_sink *sink;
    abut_arena_list samples; ///< sample
} survey;

/// Returns 0 where memory ran out.
static int add_sample(survey *s, int element, double edge_at, abut_vec3 point)
{
    sample *added = abut_arena_list_add(&s->sink->arena, &s->samples, 1, sizeof *added);
    if (added == NULL) {
        s->sink->is_out_of_memory = 1;
        return 0;
    }
    *added = (sample){.element = element, .edge_at = edge_at, .point = point};
    return 1;
}

static abut_vec3 to_field(const survey *s, int vertex)
{
    return abut_pose_apply(s->to_field, s->side->vertices[vertex]);
}

/// The part of the way from p to q, from 0 to 1, that is in the box; empty where lower > upper.
static void clip(const abut_box *box, abut_vec3 p, abut_vec3 q, double *lower, double *upper)
{
    const double from[3] = {p.x, p.y, p.z}, to[3] = {q.x, q.y, q.z};
    const double low[3] = {box->lower.x, box->lower.y, box->lower.z},
                 high[3] = {box->upper.x, box->upper.y, box->upper.z};
    *lower = 0.0;
    *upper = 1.0;
    for (int i = 0; i < 3; ++i) {
        double way = to[i] - from[i];
        if (way != 0.0) {
            double a = (low[i] - from[i]) / way, b = (high[i] - from[i]) / way;
            *lower = fmax(*lower, fmin(a, b));
            *upper = fmin(*upper, fmax(a, b));
        } else if (from[i] < low[i] || from[i] > high[i]) {
            *upper = -1.0;
        }
    }
}

/// Cuts the edge into equal parts of at most a step of the grid; their ends in the grid, but not those of the edge,
/// are samples.
static int add_edge(survey *s, int edge)
{
    const int *ends = &s->side->topology.edge_vertices[2 * edge];
    abut_vec3 p = to_field(s, ends[0]), q = to_field(s, ends[1]);
    double lower, upper, parts = ceil(abut_norm(abut_sub(q, p)) / s->field->step - 1e-6);
    clip(&s->field->box, p, q, &lower, &upper);
    double last = fmin(floor(upper * parts), parts - 1.0);
    for (double i = fmax(ceil(lower * parts), 1.0); i <= last; i += 1.0) {
        abut_vec3 point = abut_lerp(p, q, i / parts);
        if (abut_field_covers(s->field, point) && !add_sample(s, edge, i / parts, point)) {
            return 0;
        }
    }
    return 1;
}

/// Each vertex and edge is taken with the lowest of its triangles.
static int survey_triangle(survey *s, int triangle)
{
    const abut_mesh_topology *topology = &s->side->topology;
    for (int k = 0; k < 3; ++k) {
        int vertex = s->side->elements.triangles[3 * triangle + k],
            edge = topology->triangle_edges[3 * triangle + k];
        if (topology->vertex_triangles[topology->vertex_triangle_offsets[vertex]] == triangle) {
            abut_vec3 point = to_field(s, vertex);
            if (abut_field_covers(s->field, point) && !add_sample(s, vertex, -1.0, point)) {
                return 1;
            }
        }
        if (s->takes_edges && topology->edge_triangles[topology->edge_triangle_offsets[edge]] == triangle &&
            !add_edge(s, edge)) {
            return 1;
        }
    }
    return 0;
}

static int survey_pair(void *user, int element_a, int element_b)
{
    survey *s = user;
    ++abut_sink_stats(s->sink)->candidate_pairs;
    return survey_triangle(s, s->is_side_a ? element_a : element_b);
}

static void evaluate(void *data, int begin, int end, int worker)
{
    (void)worker;
    const survey *s = data;
    sample *samples = s->samples.items;
    for (int i = begin; i < end; ++i) {
        sample *m = &samples[i];
        m->value = abut_field_value(s->field, m->point, &m->gradient);
    }
}

// ---- contacts

/// The direction away from the solid of the field: of the gradient or, where it has none, of the nearest point of
/// the surface. Zero where the sample is that point: on the surface, with slopes around it that cancel.
static abut_vec3 outward_at(const survey *s, const sample *m, const abut_tree *tree)
{
    if (abut_norm(m->gradient) >= least_slope) {
        return abut_unit(m->gradient);
    }
    abut_vec3 way = abut_sub(m->point, abut_tree_nearest(tree, m->point, HUGE_VAL).point);
    abut_sink_stats(s->sink)->fallbacks += abut_norm_squared(way) > 0.0;
    return abut_unit(m->value < 0.0 ? abut_negate(way) : way);
}

static void add_contact(const survey *s, const sample *m, abut_vec3 outward, const abut_pose *pose)
{
    abut_feature none = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}};
    abut_anchor nowhere = {{-1, -1, -1, -1}, {0.0, 0.0, 0.0, 0.0}}, anchor = abut_vertex_anchor(m->element);
    abut_feature feature = abut_feature_vertex(m->element);
    if (m->edge_at >= 0.0) {
        const int *ends = &s->side->topology.edge_vertices[2 * m->element];
        abut_anchor on_edge = {{ends[0], ends[1], -1, -1}, {1.0 - m->edge_at, m->edge_at, 0.0, 0.0}};
        anchor = on_edge;
        feature = abut_feature_edge(s->side->mesh, m->element);
    }
    abut_vec3 at = abut_pose_apply(*pose, m->point), n = abut_unit(abut_quat_rotate(pose->rotation, outward));
    abut_vec3 foot = abut_pose_apply(*pose, abut_add_scaled(m->point, -m->value, outward));
    abut_contact c = {.position_a = s->is_side_a ? at : foot,
                      .position_b = s->is_side_a ? foot : at,
                      .normal = s->is_side_a ? abut_negate(n) : n,
                      .feature_a = s->is_side_a ? feature : none,
                      .feature_b = s->is_side_a ? none : feature,
                      .normal_feature = none,
                      .normal_side = s->is_side_a ? ABUT_NORMAL_B : ABUT_NORMAL_A,
                      .anchor_a = s->is_side_a ? anchor : nowhere,
                      .anchor_b = s->is_side_a ? nowhere : anchor,
                      .region = -1};
    (void)abut_sink_contact(s->sink, &c);
}

/// The contacts of the samples of one side in the field of the other.
static abut_status find_contacts(const abut_local *local, int is_side_a, abut_sink *sink)
{
    const abut_query *query = local->query;
    const abut_side *sampled = is_side_a ? &query->pair->a : &query->pair->b;
    const abut_side *solid = is_side_a ? &query->pair->b : &query->pair->a;
    const field_data *data = abut_query_data(query, solid->shape);
    const abut_tree *tree = abut_side_tree(sampled, ABUT_ELEMENT_TRIANGLE);
    double reach = fmax(query->tolerance, query->envelope);
    abut_stats *stats = abut_sink_stats(sink);
    survey s = {.side = is_side_a ? &local->a : &local->b,
                .field = &data->field,
                .to_field = is_side_a ? abut_pose_relative(query->b_to_a, abut_pose_identity()) : query->b_to_a,
                .takes_edges = abut_query_option(query, options[OPTION_EDGE_SAMPLES].name) != 0.0,
                .is_side_a = is_side_a,
                .sink = sink};
    stats->caps += reach > abut_field_margin(&data->field);
    stats->data_bytes += (int64_t)(sizeof *data + abut_field_bytes(&data->field));
    (void)abut_tree_pairs(is_side_a ? tree : data->box_tree, is_side_a ? data->box_tree : tree, query->b_to_a, 0.0,
                          survey_pair, &s);
    if (sink->is_out_of_memory) {
        return ABUT_NO_MEMORY;
    }
    const sample *samples = s.samples.items;
    abut_parallel_for(&sink->context, s.samples.count, SAMPLE_GRAIN, evaluate, &s);
    stats->tested_pairs += s.samples.count;
    for (int i = 0; i < s.samples.count; ++i) {
        if (samples[i].value <= reach) {
            abut_vec3 outward = outward_at(&s, &samples[i], abut_side_tree(solid, ABUT_ELEMENT_TRIANGLE));
            if (abut_norm_squared(outward) > 0.0) {
                add_contact(&s, &samples[i], outward, &solid->pose);
            }
        }
    }
    return sink->is_out_of_memory ? ABUT_NO_MEMORY : ABUT_OK;
}

static abut_status query_field(const abut_query *query, abut_sink *sink)
{
    if (query->pair->a.instance != NULL || query->pair->b.instance != NULL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED,
                              "method implicit-field does not take soft bodies: grids are made when prepared");
    }
    abut_local local;
    abut_status status = abut_local_begin(&local, query, NULL, sink);
    for (int side = 0; side < 2 && status == ABUT_OK; ++side) {
        status = find_contacts(&local, side == 0, sink);
    }
    return status;
}

const abut_method abut_method_implicit_field = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "implicit-field",
    .summary = "vertices and points on edges, in the other body's signed distance grid",
    .source = "Erleben 2018, sections 3.2.4 and 3.3.3; Guendelman et al. 2003",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 0,
                 .is_continuous = 0,
                 .representation = ABUT_IMPLICIT_FIELD,
                 .normals = ABUT_NORMAL_FIELD,
                 .traits = {0, 1, 1, 1}},
    .needs = ABUT_NEEDS_TRIANGLES | ABUT_NEEDS_CLOSED | ABUT_NEEDS_TRIANGLE_TREE,
    .options = options,
    .option_count = OPTION_COUNT,
    .prepare = prepare_field,
    .release = release_data,
    .query = query_field,
};
