// SPDX-License-Identifier: MIT
// quasi_lmd.c: contacts at the local minima of the distance between dilated complexes
//
// Every shape is a complex of vertices, edges and triangles, swept by a ball. A local minimum of the distance between
// two complexes, or what would be one after a turn by less than theta, is a contact: the direction from one point to
// the other is the normal, and both points are moved along it by the dilations. So gaps may be negative, as long as the
// complexes themselves do not meet. Solids are inset by as much as they are dilated, unless the shape says otherwise.
//
// Source:  Merlhiot 2007, sections 4 to 6.
// Differs: minima that only theta makes different are merged: two with points within sin(theta) times the distance, and
//          normals within 2 theta, are one contact, the nearer one.
// Cost:    by the pairs of simplices that can hold a minimum; no allocation in a repeated query.
// Self:    pairs of simplices that have no common vertex. A surface that crosses itself is refused.
// Fails:   bodies that overlap by more than their dilations are refused, unless overlap=separate moves them apart first
//          (lmd_overlap.c). Edges that cross at small angles, and faces that face each other without an edge between,
//          give contacts at the ends of what they share only.
#include "base/error.h"
#include "method/base_complex.h"
#include "method/lmd_derivative.h"
#include "method/lmd_overlap.h"
#include "method/merge_lmds.h"
#include "method/methods.h"
#include "method/params.h"
#include "method/shared_options.h"
#include "method/workspace.h"

enum { OPTION_THETA, OPTION_INSET, OPTION_OVERLAP_TEST, OPTION_OVERLAP, OPTION_COUNT };

static const double radians_per_degree = 0.017453292519943295;

static const char *const no_yes[] = {"no", "yes", NULL};
static const char *const overlap_choices[] = {"refuse", "separate", NULL};

static const abut_option_info options[OPTION_COUNT] = {
    [OPTION_THETA] = ABUT_OPTION_THETA,
    [OPTION_INSET] =
        {.name = "inset",
         .help = "inset and equal dilation of closed shapes that have neither offset nor dilation, in units "
                 "of the shape's bounding diagonal",
         .value = 1e-4,
         .lower = 0.0,
         .upper = 0.1},
    [OPTION_OVERLAP_TEST] = {.name = "overlap-test",
                             .help =
                                 "yes: refuse bodies that overlap by more than their dilations; no: skip the test",
                             .choices = no_yes,
                             .value = 1,
                             .is_of_query = 1},
    [OPTION_OVERLAP] = {.name = "overlap",
                        .help =
                            "of more than the dilations. refuse: the query fails; separate: contacts are those of "
                            "a translation that separates the bodies, on the side that memory, motion or "
                            "orientation tells",
                        .choices = overlap_choices,
                        .is_of_query = 1},
};

static abut_status prepare_lmd(const abut_shape *shape, const abut_params *params, const abut_context *context,
                               void **data, abut_error *error)
{
    abut_base *base = NULL;
    double inset = abut_params_option(params, &abut_method_quasi_lmd, OPTION_INSET);
    abut_status status = abut_base_create(context, shape, inset, &base, error);
    *data = base;
    return status;
}

static void release_lmd(void *data, const abut_context *context)
{
    abut_base_destroy(data, context);
}

// ---- contacts

/// The feature of the mesh that a simplex is part of.
static abut_feature feature_of(const abut_mesh *mesh, const abut_simplex *s)
{
    if (s->patch >= 0) { // a face, or inside a flat one
        abut_feature face = abut_feature_face(s->patch);
        face.is_merged = 1;
        return face;
    }
    if (s->corner_count == 1) {
        return abut_feature_vertex(s->vertices[0]);
    }
    int edge = s->corner_count == 2 ? abut_mesh_find_edge(mesh, s->vertices[0], s->vertices[1]) : -1;
    if (edge >= 0) {
        return abut_feature_edge(mesh, edge);
    }
    // of a tetrahedron whose faces the mesh does not name
    return s->corner_count == 3 && s->face < 0 ? abut_feature_tet(~s->face) : abut_feature_vertex(s->vertices[0]);
}

/// The point as weights of the simplex's corners.
static abut_anchor anchor_of(const abut_base *base, const abut_simplex *s, abut_vec3 p)
{
    const abut_vec3 *v = base->vertices;
    abut_anchor anchor = {.vertices = {s->vertices[0], s->vertices[1], s->vertices[2], -1}, .weights = {1.0}};
    if (s->corner_count == 2) {
        abut_vec3 along = abut_sub(v[s->vertices[1]], v[s->vertices[0]]);
        double t = abut_dot(abut_sub(p, v[s->vertices[0]]), along) / abut_norm_squared(along);
        anchor.weights[1] = fmin(fmax(t, 0.0), 1.0);
        anchor.weights[0] = 1.0 - anchor.weights[1];
    } else if (s->corner_count == 3) {
        abut_vec3 a = v[s->vertices[0]];
        abut_vec3 e = abut_sub(v[s->vertices[1]], a), g = abut_sub(v[s->vertices[2]], a), w = abut_sub(p, a);
        abut_vec3 n = abut_cross(e, g);
        double squared = abut_norm_squared(n);
        anchor.weights[1] = fmax(abut_dot(abut_cross(w, g), n) / squared, 0.0);
        anchor.weights[2] = fmax(abut_dot(abut_cross(e, w), n) / squared, 0.0);
        anchor.weights[0] = 1.0 - anchor.weights[1] - anchor.weights[2];
    }
    return anchor;
}

typedef struct lmd_query {
    const abut_query *query;
    const abut_base *bases[2];
    abut_mat3 rotation; ///< of A's frame
    abut_lmd_way way;   ///< B was moved by it before the search; zero: it was not
    double reach;       ///< largest gap at the true poses, for bodies that were moved apart
} lmd_query;

static abut_vec3 to_world(const lmd_query *q, abut_vec3 p)
{
    return abut_add(abut_mat3_apply(q->rotation, p), q->query->pair->a.pose.position);
}

static abut_contact make_contact(const lmd_query *q, const abut_lmd *lmd)
{
    const abut_side *sides[2] = {&q->query->pair->a, &q->query->pair->b};
    abut_simplex a = abut_complex_get_simplex(q->bases[0]->complex, lmd->simplex_a);
    abut_simplex b = abut_complex_get_simplex(q->bases[1]->complex, lmd->simplex_b);
    abut_vec3 normal = abut_scale(1.0 / lmd->distance, abut_sub(lmd->point_b, lmd->point_a));
    abut_contact c = {.feature_a = feature_of(abut_side_mesh(sides[0]), &a),
                      .feature_b = feature_of(abut_side_mesh(sides[1]), &b),
                      .region = -1,
                      .flags = q->query->is_self ? ABUT_CONTACT_ARBITRARY_SIGN : 0,
                      .rule = q->way.rule};
    abut_vec3 point_b = abut_sub(lmd->point_b, q->way.translation);
    c.normal = abut_unit(abut_mat3_apply(q->rotation, normal));
    c.anchor_a = anchor_of(q->bases[0], &a, lmd->point_a);
    c.anchor_b = anchor_of(q->bases[1], &b, abut_pose_apply_inverse(q->query->b_to_a, point_b));
    double reaches[2];
    abut_lmd_reaches(q->query, q->bases, &c, reaches);
    c.position_a = to_world(q, abut_add_scaled(lmd->point_a, reaches[0], normal));
    c.position_b = to_world(q, abut_add_scaled(point_b, -reaches[1], normal));
    c.normal_side = a.patch >= 0 ? ABUT_NORMAL_A : b.patch >= 0 ? ABUT_NORMAL_B : ABUT_NORMAL_BOTH;
    c.normal_feature = c.normal_side == ABUT_NORMAL_A   ? c.feature_a
                       : c.normal_side == ABUT_NORMAL_B ? c.feature_b
                                                        : (abut_feature){.index = -1, .vertices = {-1, -1}};
    return c;
}

static int is_moved(const lmd_query *q)
{
    return abut_norm_squared(q->way.translation) > 0.0;
}

/// The gap of a contact where the bodies are, not where they were moved to.
static double gap_where_they_are(const lmd_query *q, const abut_lmd *lmd)
{
    abut_contact c = make_contact(q, lmd);
    return abut_dot(c.normal, abut_sub(c.position_b, c.position_a));
}

static abut_status add_contacts(const lmd_query *q, const abut_lmd_view *view, double theta, abut_sink *sink)
{
    int has_derivatives = (q->query->params->flags & ABUT_PARAMS_DERIVATIVES) != 0;
    int keeps_all = (q->query->params->flags & ABUT_PARAMS_KEEP_REDUNDANT) != 0;
    int *kept = NULL, kept_count = view->count;
    if (!keeps_all) {
        abut_lmd_merging merging = {.sine = sin(theta),
                                    .chord = fmax(2.0 * theta, q->query->angle),
                                    .merge = q->query->merge,
                                    .step = 1e-9 * q->query->size};
        kept = abut_merge_lmds(view, &merging, sink, &kept_count);
        if (kept == NULL) {
            return ABUT_NO_MEMORY;
        }
        sink->own_filtered = view->count - kept_count;
    }
    // bodies that meet have a contact: at least the nearest one
    double farthest = q->reach;
    if (is_moved(q) && view->count > 0) {
        double least = HUGE_VAL;
        for (int i = 0; i < kept_count; ++i) {
            least = fmin(least, gap_where_they_are(q, &view->items[kept != NULL ? kept[i] : i]));
        }
        farthest = fmax(farthest, least);
    }
    for (int i = 0; i < kept_count; ++i) {
        const abut_lmd *lmd = &view->items[kept != NULL ? kept[i] : i];
        if (is_moved(q) && gap_where_they_are(q, lmd) > farthest) {
            continue; // near only because B was moved
        }
        abut_contact contact = make_contact(q, lmd);
        int index = abut_sink_contact(sink, &contact);
        if (has_derivatives && index >= 0) {
            abut_derivative derivative = is_moved(q) ? abut_fixed_derivative(q->query, &contact)
                                                     : abut_lmd_derivative(q->query, q->bases, lmd, &contact);
            (void)abut_sink_derivative(sink, index, &derivative);
        }
    }
    return ABUT_OK;
}

static void add_stats(const lmd_query *q, const abut_lmd_view *view, abut_sink *sink)
{
    abut_stats *stats = abut_sink_stats(sink);
    stats->candidate_pairs += view->stats.leaf_pairs;
    stats->tested_pairs += view->stats.leaf_pairs;
    for (int i = 0; i < 2; ++i) {
        const abut_complex_info *info = &q->bases[i]->info.info;
        stats->degenerate_elements += info->collapsed_count + info->flipped_count + info->dropped_count;
        stats->data_bytes += (int64_t)q->bases[i]->bytes;
    }
}

/// Which of two parts of one body is A does not matter, but it must not change from contact to contact: they are exchanged
/// so that all normals are on one side of a plane in the frame of the body.
static int order_sides(const abut_query *query, abut_lmd_view *view, abut_sink *sink)
{
    const abut_vec3 along = {0.4517539514526257, 0.3217505543966422, 0.8321470588215693}; // no direction of edges
    abut_lmd *items = query->is_self ? abut_sink_scratch(sink, (size_t)(view->count + 1) * sizeof *items) : NULL;
    if (!query->is_self || items == NULL) {
        return !query->is_self;
    }
    for (int i = 0; i < view->count; ++i) {
        abut_lmd lmd = view->items[i];
        int is_swapped = abut_dot(along, abut_sub(lmd.point_b, lmd.point_a)) < 0.0;
        items[i] =
            is_swapped ? (abut_lmd){lmd.point_b, lmd.point_a, lmd.distance, lmd.simplex_b, lmd.simplex_a} : lmd;
    }
    view->items = items;
    return 1;
}

/// Finds the LMDs of bodies that are apart, or that were moved apart.
static abut_status search(const lmd_query *q, abut_sink *sink)
{
    double moved = abut_norm(q->way.translation);
    double reach = q->reach + q->bases[0]->info.dilation + q->bases[1]->info.dilation + moved;
    return abut_lmd_search(q->query, q->bases, q->way.translation, reach, sink);
}

/// A body that crosses itself has no way out.
static abut_status refuse_crossing(const lmd_query *q, abut_sink *sink)
{
    int faces[2];
    if (!abut_base_meets_itself(q->bases[0], faces)) {
        return ABUT_OK;
    }
    return abut_fail_element(
        &sink->error, ABUT_OVERLAP, faces[0],
        "the surface crosses itself, at faces %d and %d among others: self-contact is found only "
        "if parts touch or are apart (abut mesh check lists the crossings)",
        faces[0], faces[1]);
}

/// Moves bodies apart that meet, or refuses them for the reason `text`.
static abut_status part(lmd_query *q, const char *text, abut_sink *sink)
{
    if (q->query->is_self || abut_query_option(q->query, options[OPTION_OVERLAP].name) == 0.0) {
        return abut_sink_fail(sink, ABUT_OVERLAP, text);
    }
    return abut_lmd_separate(q->query, q->bases, sink, &q->way);
}

static abut_status query_lmd(const abut_query *query, abut_sink *sink)
{
    const abut_pair *pair = query->pair;
    if (pair->a.instance != NULL || pair->b.instance != NULL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED,
                              "method quasi-lmd does not support soft bodies: it builds complexes when shapes are "
                              "prepared");
    }
    lmd_query q = {.query = query,
                   .bases = {abut_query_data(query, pair->a.shape), abut_query_data(query, pair->b.shape)},
                   .rotation = abut_quat_matrix(pair->a.pose.rotation)};
    // corners are rounded by up to the deviation: what touches them in the files is that far away
    q.reach = fmax(query->tolerance, query->envelope) + q.bases[0]->info.deviation + q.bases[1]->info.deviation;
    abut_status status = ABUT_OK;
    const char *text = NULL;
    if (query->is_self) {
        status = refuse_crossing(&q, sink);
    } else if (abut_query_option(query, options[OPTION_OVERLAP_TEST].name) != 0.0 &&
               abut_bases_overlap(q.bases[0], q.bases[1], abut_side_mesh(&pair->a), abut_side_mesh(&pair->b),
                                  query->b_to_a, &text)) {
        status = part(&q, text, sink);
    }
    status = status == ABUT_OK ? search(&q, sink) : status;
    if (status == ABUT_OK && abut_lmd_set_get(sink->lmds).stats.touching_pairs > 0) {
        status =
            part(&q,
                 "the undilated bodies touch, so that there is no normal: give at least one of them a dilation "
                 "(--dilation L; for closed bodies with --offset -L)",
                 sink);
        status = status == ABUT_OK ? search(&q, sink) : status;
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_lmd_view view = abut_lmd_set_get(sink->lmds);
    add_stats(&q, &view, sink);
    if (!order_sides(query, &view, sink)) {
        return ABUT_NO_MEMORY;
    }
    double theta = radians_per_degree * abut_query_option(query, options[OPTION_THETA].name);
    status = add_contacts(&q, &view, theta, sink);
    if (status == ABUT_OK && is_moved(&q) && sink->drafts.count == 0) {
        return abut_sink_fail(sink, ABUT_OVERLAP, "the bodies overlap, and nothing near by tells how they touch");
    }
    return status;
}

const abut_method abut_method_quasi_lmd = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "quasi-lmd",
    .summary = "local minima of the distance between dilated points, lines, shells and solids",
    .source = "Merlhiot 2007",
    .taxonomy = {.locality = ABUT_SEMI_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_CLOSEST_POINTS,
                 .traits = {2, 1, 1, 1},
                 .is_ours = 1},
    .options = options,
    .option_count = OPTION_COUNT,
    .prepare = prepare_lmd,
    .release = release_lmd,
    .query = query_lmd,
};
