// SPDX-License-Identifier: MIT
// program_query.c: reading=program of the local methods
//
// Finds the pairs of tetrahedra with a face on the surface, lets the program's tests run on them, and makes contacts of
// what they report. With precision=single, the corners are rounded in the world frame, where the program has them, and
// its own filter replaces ours: contacts are sorted by position, normal and depth, and neighbours that agree within
// 1.2e-6 are one. With precision=double everything happens in A's frame, so that bodies far away lose nothing.
//
// Source:  the program that goes with Erleben 2018; program/program.h.
// Differs: normals of unit length; the program's of `intersection` are as long as twice the area of the face. A normal
//          of length zero is no contact. A tree of boxes finds the pairs, whose bounds the tests then check as the
//          program's own hierarchy does.
// Cost:    linear in the pairs of tetrahedra whose boxes overlap, on one thread: this reading is for comparisons.
#include "method/program_query.h"

#include "base/arena_list.h"
#include "base/error.h"
#include "method/finish.h"
#include "method/tet_pair.h"
#include "method/workspace.h"

/// What a test reported, and the tetrahedra of the first and the second body.
typedef struct record {
    abut_program_contact contact;
    int tets[2];
} record;

typedef struct search {
    const abut_program_task *task;
    const abut_query *query;
    abut_sink *sink;
    abut_placed sides[2]; ///< first and second body, placed in the frame
    abut_pose frame;      ///< to the world
    int is_swapped;       ///< the first is B
    int is_single;
    abut_arena_list records;
    int tets[2]; ///< of the pair that is being tested
} search;

static void take(void *user, const abut_program_contact *contact)
{
    search *s = user;
    double length = abut_norm(contact->normal);
    if (!abut_is_finite(contact->position) || !isfinite(contact->depth) || !(isfinite(length) && length > 0.0)) {
        ++s->sink->stats.degenerate_elements;
        return;
    }
    record *r = abut_arena_list_add(&s->sink->arena, &s->records, 1, sizeof *r);
    if (r == NULL) {
        s->sink->is_out_of_memory = 1;
        return;
    }
    *r = (record){*contact, {s->tets[0], s->tets[1]}};
}

static abut_tet_element element_of(const search *s, int which, int tet)
{
    abut_tet_element element = {.side = &s->sides[which], .index = tet};
    for (int k = 0; k < 4; ++k) {
        element.surface_faces |= (unsigned)(element.side->topology.tet_triangles[4 * tet + k] >= 0) << k;
    }
    return element;
}

/// The edges of a tetrahedron that may give a normal.
static unsigned allowed_edges(const search *s, const abut_tet_element *element)
{
    unsigned allowed = 0;
    for (int edge = 0; edge < 6; ++edge) {
        const int *faces = abut_tet_edges[5 - edge];
        int is_out = s->task->is_surface_sat && (element->surface_faces & (1u << faces[0] | 1u << faces[1])) == 0;
        int surface_edge = s->task->skips_flat_edges && !is_out ? abut_tet_surface_edge(element, edge) : -1;
        is_out =
            is_out || (surface_edge >= 0 && abut_placed_edge_is_flat(element->side, surface_edge, s->query->angle));
        allowed |= (unsigned)!is_out << edge;
    }
    return allowed;
}

/// Returns 0 if the tetrahedron is not at the surface or flat.
static int load(const search *s, int which, int tet, abut_program_tet *out)
{
    abut_tet_element element = element_of(s, which, tet);
    abut_placed_tet(element.side, tet, out->corners);
    if (element.surface_faces == 0) {
        return 0;
    }
    if (!abut_tet_make(out->corners, &element.tet)) {
        ++s->sink->stats.degenerate_elements;
        return 0;
    }
    out->surface = element.surface_faces;
    out->faces = s->task->is_surface_sat ? element.surface_faces : 15u;
    out->edges = allowed_edges(s, &element);
    return 1;
}

static int test_pair(void *user, int tet_a, int tet_b)
{
    search *s = user;
    abut_program_pair pair = {.threshold = s->task->threshold, .report = take, .user = s};
    s->tets[0] = s->is_swapped ? tet_b : tet_a;
    s->tets[1] = s->is_swapped ? tet_a : tet_b;
    if (load(s, 0, s->tets[0], &pair.first) && load(s, 1, s->tets[1], &pair.second)) {
        ++s->sink->stats.candidate_pairs;
        ++s->sink->stats.tested_pairs;
        (s->is_single ? abut_program_test_single : abut_program_test_double)(s->task->test, &pair);
    }
    return s->sink->is_out_of_memory;
}

// ---- the program's filter

/// What contacts are sorted by, in this order.
static void sort_keys(const abut_program_contact *c, double keys[7])
{
    const double values[7] = {c->position.y, c->position.x, c->position.z, c->normal.y,
                              c->normal.x,   c->normal.z,   c->depth};
    for (int k = 0; k < 7; ++k) {
        keys[k] = values[k];
    }
}

static int compare_records(const void *records, int i, int k)
{
    double a[7], b[7];
    sort_keys(&((const record *)records)[i].contact, a);
    sort_keys(&((const record *)records)[k].contact, b);
    for (int m = 0; m < 7; ++m) {
        if (a[m] != b[m]) {
            return a[m] < b[m] ? -1 : 1;
        }
    }
    return i < k ? -1 : i > k;
}

static int is_same(const abut_program_contact *a, const abut_program_contact *b)
{
    double of_a[7], of_b[7], limit = abut_program_epsilon_single();
    sort_keys(a, of_a);
    sort_keys(b, of_b);
    for (int m = 0; m < 7; ++m) {
        if (fabs(of_a[m] - of_b[m]) > limit) {
            return 0;
        }
    }
    return 1;
}

/// Keeps the first of neighbours that agree; those that are not neighbours after sorting stay. Returns 0 if memory ran
/// out.
static int filter_as_program(search *s)
{
    record *records = s->records.items;
    int count = s->records.count, kept = 0;
    int *order = abut_arena_order(&s->sink->arena, count, compare_records, records);
    record *sorted = abut_sink_scratch(s->sink, (size_t)count * sizeof *sorted);
    if (order == NULL || sorted == NULL) {
        s->sink->is_out_of_memory = 1;
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        const record *r = &records[order[i]];
        if (kept == 0 || !is_same(&sorted[kept - 1].contact, &r->contact)) {
            sorted[kept++] = *r;
        }
    }
    s->records.items = sorted;
    s->records.count = kept;
    s->sink->own_filtered = count - kept;
    return 1;
}

// ---- contacts

static abut_feature feature_of(const abut_tet_element *element, abut_program_part part)
{
    switch (part.kind) {
    case ABUT_PROGRAM_CORNER:
        return abut_feature_vertex(element->side->elements.tets[4 * element->index + part.index]);
    case ABUT_PROGRAM_EDGE: return abut_tet_edge_feature(element, part.index);
    case ABUT_PROGRAM_FACE: return abut_tet_face_feature(element, part.index);
    case ABUT_PROGRAM_TET: break;
    }
    return abut_feature_tet(element->index);
}

static abut_anchor anchor_of(const abut_tet_element *element, abut_vec3 point)
{
    abut_vec3 corners[4];
    abut_placed_tet(element->side, element->index, corners);
    return abut_tet_anchor(element->side, element->index, corners, point);
}

/// The depth is split evenly, so that the contact's position is the program's.
static abut_contact make_contact(const search *s, const record *r)
{
    const abut_program_contact *found = &r->contact;
    abut_tet_element first = element_of(s, 0, r->tets[0]), second = element_of(s, 1, r->tets[1]);
    double length = abut_norm(found->normal);
    abut_vec3 normal = abut_scale(1.0 / length, found->normal);
    // depths of closest points have the other sign; those of `intersection` are scaled like its normals
    double gap = s->task->test == ABUT_PROGRAM_CLOSEST_POINTS ? -fabs(found->depth) : found->depth;
    gap = s->task->test == ABUT_PROGRAM_INTERSECTION ? gap / length : gap;
    abut_contact c = {.position_a = abut_add_scaled(found->position, -0.5 * gap, normal),
                      .position_b = abut_add_scaled(found->position, 0.5 * gap, normal),
                      .normal = normal,
                      .feature_a = feature_of(&first, found->first),
                      .feature_b = feature_of(&second, found->second),
                      .normal_feature = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}},
                      .normal_side = ABUT_NORMAL_BOTH,
                      .region = -1};
    if (found->side != ABUT_PROGRAM_BOTH) {
        int is_of_first = found->side == ABUT_PROGRAM_FIRST;
        c.normal_side = is_of_first ? ABUT_NORMAL_A : ABUT_NORMAL_B;
        c.normal_feature = feature_of(is_of_first ? &first : &second, found->source);
    }
    c.anchor_a = anchor_of(&first, c.position_a);
    c.anchor_b = anchor_of(&second, c.position_b);
    c.position_a = abut_pose_apply(s->frame, c.position_a);
    c.position_b = abut_pose_apply(s->frame, c.position_b);
    c.normal = abut_unit(abut_quat_rotate(s->frame.rotation, c.normal));
    return s->is_swapped ? abut_contact_turned(c) : c;
}

// ---- the query

/// Places both sides: in the world for single precision, else in A's frame.
static abut_status begin(search *s)
{
    abut_local local;
    abut_status status = abut_local_begin(&local, s->query, NULL, s->sink);
    if (status != ABUT_OK) {
        return status;
    }
    abut_placed *sides[2] = {&local.a, &local.b};
    const abut_side *bodies[2] = {&s->query->pair->a, &s->query->pair->b};
    for (int i = 0; i < 2; ++i) {
        if (sides[i]->elements.tet_count == 0) {
            return abut_fail(&s->sink->error, ABUT_UNSUPPORTED,
                             "method %s with reading=program needs tetrahedra on both sides: make them with 'abut "
                             "mesh tetrahedralize', or take reading=text",
                             s->query->method->name);
        }
        if (s->is_single) {
            sides[i]->rotation = abut_quat_matrix(bodies[i]->pose.rotation);
            sides[i]->translation = bodies[i]->pose.position;
        }
        sides[i]->vertices = s->task->vertices[i] != NULL ? s->task->vertices[i] : sides[i]->vertices;
    }
    s->frame = s->is_single ? abut_pose_identity() : bodies[0]->pose;
    s->is_swapped = abut_local_first_is_b(&local);
    s->sides[0] = *sides[s->is_swapped];
    s->sides[1] = *sides[!s->is_swapped];
    return ABUT_OK;
}

static abut_status answer(search *s)
{
    abut_status status = begin(s);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_query *query = s->query;
    const abut_side *bodies[2] = {&query->pair->a, &query->pair->b};
    const abut_tree *trees[2];
    for (int i = 0; i < 2; ++i) {
        trees[i] = s->task->trees[i] != NULL ? s->task->trees[i] : abut_side_tree(bodies[i], ABUT_ELEMENT_TET);
    }
    double margin = fmax(query->tolerance, s->task->threshold);
    (void)abut_tree_pairs(trees[0], trees[1], query->b_to_a, margin, test_pair, s);
    int is_filtered = s->is_single && (query->params->flags & ABUT_PARAMS_KEEP_REDUNDANT) == 0;
    if (s->sink->is_out_of_memory || (is_filtered && !filter_as_program(s))) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < s->records.count; ++i) {
        abut_contact c = make_contact(s, (const record *)s->records.items + i);
        (void)abut_sink_contact(s->sink, &c);
    }
    return s->sink->is_out_of_memory ? ABUT_NO_MEMORY : ABUT_OK;
}

int abut_program_answers(const abut_query *query, const abut_program_task *task, abut_sink *sink,
                         abut_status *status)
{
    int is_program = abut_query_option(query, "reading") != 0.0;
    int is_single = abut_query_option(query, "precision") != 0.0;
    if (is_program) {
        search s = {.task = task, .query = query, .sink = sink, .is_single = is_single};
        *status = answer(&s);
    } else if (is_single) {
        *status = abut_sink_fail(sink, ABUT_UNSUPPORTED,
                                 "precision=single is a part of reading=program: add that, or leave it out");
    }
    return is_program || is_single;
}
