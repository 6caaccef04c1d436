// SPDX-License-Identifier: MIT
// closest_points.c: contacts of features whose closest points are near, on bodies made smaller before
//
// Both surfaces recede by epsilon, so that bodies that touch are 2 epsilon apart and the closest points of two
// features have a separation vector to take the normal from. Each vertex is taken to the nearest face, edge or
// vertex of the other surface, and each pair of edges to its closest points inside both. Pairs within 2 epsilon are
// contacts, whose positions are those of the same features on the original surfaces.
//
// Source:  Erleben 2018, section 6 ("Closest points method"); erosion by sections 6 and 8.3.
// Differs: the text does not say which pairs of features have closest points. Here it is a vertex over a face of
//          the other surface, and otherwise features each of which is nearest to the other in its neighbourhood. (A
//          vertex over a face need not be the lowest of its surface, or a tilted box would stand on one corner.)
//          Epsilon may differ between the bodies: "2 epsilon" is their sum.
//          Corners and edges recede by more than epsilon. So pairs further apart are contacts, too, if each is
//          nearest to the other and their original features touch or overlap along the normal. The gap is that of
//          the original features: distance - 2 epsilon where faces meet.
// Cost:    linear in the pairs of triangles within 2 epsilon; no allocation in a repeated query. Eroding is linear
//          in the mesh.
// Fails:   where corners and edges meet, the separation vector is between the normals that are right (cases spikes,
//          wedges). Bodies that sink deeper than 2 epsilon are not found at all, or from one side (option penetration).
#include "method/closest_points.h"

#include "base/error.h"
#include "method/methods.h"
#include "method/neighbourhood.h"
#include "method/params.h"
#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

enum { OPTION_EPSILON, OPTION_EROSION, OPTION_READING, OPTION_PENETRATION, OPTION_COUNT };
enum { READING_TEXT = 0, READING_PROGRAM = 1, TEXT_LIMIT = 6 + 9 + 2 * 9 };

static const double default_epsilon = 1e-3; // of the bounding diagonal

static const char *const erosion_choices[] = {"mitred", "vertex-normal", "scale", "program", NULL};
static const char *const yes_no_choices[] = {"no", "yes", NULL};

static const abut_option_info options[OPTION_COUNT] = {
    [OPTION_EPSILON] = {.name = "epsilon",
                        .help = "erosion distance, a length; 0: 0.001 of the shape's bounding diagonal",
                        .lower = 0.0,
                        .upper = 1e60},
    [OPTION_EROSION] = {.name = "erosion",
                        .help =
                            "mitred: faces recede by epsilon; vertex-normal: vertices move by it; scale: to 0.99; "
                            "program: vertex-normal for convex hulls, else scale",
                        .choices = erosion_choices,
                        .value = ABUT_EROSION_MITRED},
    [OPTION_READING] = {.name = "reading",
                        .help = "text: as the paper says; program: as its author's program does, on tetrahedra",
                        .choices = abut_reading_choices,
                        .value = READING_TEXT},
    [OPTION_PENETRATION] = {.name = "penetration",
                            .help = "yes: also contacts of features deeper than 2 epsilon (reading=text)",
                            .choices = yes_no_choices,
                            .value = 0,
                            .is_of_query = 1},
};

// ---- features

/// Pairs of triangles share features. Each feature is looked at with the lowest of its triangles only: if it is near
/// another triangle, all pairs of these two are among the pairs.
static int owns_edge(const abut_placed *side, int triangle, int k)
{
    int edge = side->topology.triangle_edges[3 * triangle + k];
    return side->topology.edge_triangles[side->topology.edge_triangle_offsets[edge]] == triangle;
}

static int owns_vertex(const abut_placed *side, int triangle, int k)
{
    int vertex = side->elements.triangles[3 * triangle + k];
    return side->topology.vertex_triangles[side->topology.vertex_triangle_offsets[vertex]] == triangle;
}

// ---- vertices

/// A vertex of one surface and a triangle of the other.
typedef struct vertex_task {
    const abut_local *local;
    const abut_closest *closest;
    int side; ///< of the vertex: 0 is A
    int vertex, triangle;
    abut_vec3 point;          ///< the eroded vertex
    const abut_vec3 *corners; ///< eroded
    abut_local_output *output;
} vertex_task;

/// The nearest point of the eroded triangle.
typedef struct nearest {
    abut_vec3 separation; ///< from it to the vertex
    double distance;
    double limit;     ///< of distances: by how much both recede at least
    int is_over_face; ///< the separation is the normal of a face at it
} nearest;

/// A place on a triangle, and where it is on the original surface.
typedef struct place {
    abut_feature feature;
    abut_anchor anchor;
    abut_vec3 position;
} place;

static const abut_placed *original(const abut_local *local, int side)
{
    return side == 0 ? &local->a : &local->b;
}

/// The nearest place of the original triangle to the original point.
static place face_place(const abut_placed *side, int triangle, abut_vec3 point)
{
    abut_vec3 corners[3];
    double weights[3];
    abut_placed_triangle(side, triangle, corners);
    (void)abut_point_triangle_distance_squared(point, corners, weights);
    place p = {.feature = abut_feature_face(side->elements.triangle_faces[triangle]),
               .anchor = abut_triangle_anchor(side, triangle, weights),
               .position = abut_triangle_point(corners, weights)};
    return p;
}

static place edge_place(const abut_placed *side, int triangle, int k, double t)
{
    abut_vec3 corners[3];
    abut_placed_triangle(side, triangle, corners);
    place p = {.feature = abut_feature_edge(side->mesh, side->topology.triangle_edges[3 * triangle + k]),
               .anchor = abut_edge_anchor(side, triangle, k, t),
               .position = abut_lerp(corners[k], corners[(k + 1) % 3], t)};
    return p;
}

static place vertex_place(const abut_placed *side, int vertex)
{
    place p = {.feature = abut_feature_vertex(vertex),
               .anchor = abut_vertex_anchor(vertex),
               .position = abut_placed_vertex(side, vertex)};
    return p;
}

/// Whether original places are no further apart along a direction than contacts may be. Eroded places can be near
/// without: where a part is thinner than 2 epsilon, its far side has moved past the near one.
static int is_gap_small(const abut_closest *c, const place *from, const place *to, abut_vec3 direction)
{
    return abut_dot(direction, abut_sub(to->position, from->position)) <= c->most_gap;
}

/// Whether original places touch, or overlap along a direction.
static int places_meet(const abut_closest *c, const place *from, const place *to, abut_vec3 direction)
{
    abut_vec3 way = abut_sub(to->position, from->position);
    double gap = abut_dot(way, direction);
    return abut_norm(abut_add_scaled(way, -fmin(gap, 0.0), direction)) <= c->reach;
}

/// The contact of a place on `side` and one on the other, which lies in `direction` of it. The normal is that of
/// the first place where this is a face.
static void add_contact(const place *from, int side, const place *to, abut_vec3 direction, int is_arbitrary,
                        abut_local_output *output)
{
    abut_contact c = {.normal_side = ABUT_NORMAL_BOTH,
                      .normal_feature = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}}};
    const place *a = side == 0 ? from : to, *b = side == 0 ? to : from;
    c.position_a = a->position;
    c.position_b = b->position;
    c.feature_a = a->feature;
    c.feature_b = b->feature;
    c.anchor_a = a->anchor;
    c.anchor_b = b->anchor;
    c.normal = side == 0 ? direction : abut_negate(direction);
    if (from->feature.kind == ABUT_FEATURE_FACE) {
        c.normal_side = side == 0 ? ABUT_NORMAL_A : ABUT_NORMAL_B;
        c.normal_feature = from->feature;
    }
    if (is_arbitrary) {
        c.rule = ABUT_RULE_NONE;
        ++output->stats.arbitrary_normals;
    }
    abut_local_contact(output, &c);
}

/// Whether the original vertex is inside the other original body or on it, as far as the triangles about the
/// nearest one tell.
static int is_inside(const vertex_task *t, abut_vec3 point)
{
    const abut_placed *side = original(t->local, !t->side);
    const int *vertices = &side->elements.triangles[3 * t->triangle],
              *offsets = side->topology.vertex_triangle_offsets;
    double least = HUGE_VAL;
    abut_vec3 way = {0.0, 0.0, 0.0}, outward = way;
    for (int corner = 0; corner < 3; ++corner) {
        for (int i = offsets[vertices[corner]]; i < offsets[vertices[corner] + 1]; ++i) {
            int triangle = side->topology.vertex_triangles[i];
            abut_vec3 corners[3];
            double weights[3];
            abut_placed_triangle(side, triangle, corners);
            double squared = abut_point_triangle_distance_squared(point, corners, weights);
            if (squared < least) {
                least = squared;
                way = abut_sub(point, abut_triangle_point(corners, weights));
                outward = abut_placed_place_normal(side, triangle, weights);
            }
        }
    }
    return abut_dot(way, outward) < 0.0 || least <= t->closest->reach * t->closest->reach;
}

/// Whether the vertex and its nearest place are in contact. Within what both recede at least, it must be over a
/// face and not on the far side of its own body, or each nearest to the other. Corners recede by more: then each
/// must be nearest to the other, and the original places meet or the original vertex be inside already.
static int is_contact(const vertex_task *t, const nearest *found, const place *from, const place *to,
                      abut_vec3 direction)
{
    const abut_closest *c = t->closest;
    int is_within = found->distance <= found->limit && is_gap_small(c, from, to, direction);
    if (is_within && found->is_over_face) {
        abut_vec3 outward = abut_placed_vertex_normal(original(t->local, t->side), t->vertex);
        return abut_dot(outward, direction) <= c->slack;
    }
    return abut_placed_is_over_vertex(&c->eroded[t->side], t->vertex, abut_negate(direction), c->slack) &&
           (is_within || places_meet(c, from, to, direction) ||
            (abut_dot(direction, abut_sub(to->position, from->position)) < 0.0 && is_inside(t, to->position)));
}

static void vertex_over_face(const vertex_task *t, const nearest *found)
{
    const abut_placed *side = original(t->local, !t->side);
    abut_vec3 n = abut_placed_normal(&t->closest->eroded[!t->side], t->triangle);
    if (abut_norm_squared(n) == 0.0 || abut_dot(n, abut_sub(t->point, t->corners[0])) < -t->closest->tolerance) {
        return;
    }
    place to = vertex_place(original(t->local, t->side), t->vertex);
    place from = face_place(side, t->triangle, to.position);
    if (is_contact(t, found, &from, &to, n)) {
        add_contact(&from, !t->side, &to, n, 0, t->output);
    }
}

/// The direction of the separation, or where there is none, the given one.
static abut_vec3 direction_of(const vertex_task *t, const nearest *found, abut_vec3 other)
{
    return found->distance > t->closest->zero ? abut_scale(1.0 / found->distance, found->separation) : other;
}

/// `k` is the edge of the triangle.
static void vertex_over_edge(const vertex_task *t, int k, const nearest *found)
{
    const abut_placed *eroded = &t->closest->eroded[!t->side], *side = original(t->local, !t->side);
    if (!owns_edge(side, t->triangle, k)) {
        return;
    }
    int edge = side->topology.triangle_edges[3 * t->triangle + k];
    abut_vec3 direction = direction_of(t, found, abut_placed_edge_normal(eroded, edge));
    if (abut_norm_squared(direction) == 0.0 ||
        !abut_placed_is_over_edge(eroded, edge, direction, t->closest->slack)) {
        return;
    }
    place to = vertex_place(original(t->local, t->side), t->vertex);
    const int *corners = &side->elements.triangles[3 * t->triangle];
    double weight;
    (void)abut_point_segment_distance_squared(to.position, abut_placed_vertex(side, corners[k]),
                                              abut_placed_vertex(side, corners[(k + 1) % 3]), &weight);
    place from = edge_place(side, t->triangle, k, weight);
    if (is_contact(t, found, &from, &to, direction)) {
        add_contact(&from, !t->side, &to, direction, found->distance <= t->closest->zero, t->output);
    }
}

static void vertex_over_vertex(const vertex_task *t, int k, const nearest *found)
{
    const abut_placed *eroded = &t->closest->eroded[!t->side], *side = original(t->local, !t->side);
    if (!owns_vertex(side, t->triangle, k)) {
        return;
    }
    int other = side->elements.triangles[3 * t->triangle + k];
    abut_vec3 direction = direction_of(t, found, abut_placed_vertex_normal(eroded, other));
    if (abut_norm_squared(direction) == 0.0 ||
        !abut_placed_is_over_vertex(eroded, other, direction, t->closest->slack)) {
        return;
    }
    place to = vertex_place(original(t->local, t->side), t->vertex), from = vertex_place(side, other);
    if (is_contact(t, found, &from, &to, direction)) {
        add_contact(&from, !t->side, &to, direction, found->distance <= t->closest->zero, t->output);
    }
}

static void look_at_vertex(const vertex_task *t)
{
    const abut_closest *c = t->closest;
    double weights[3];
    nearest found = {.limit = c->erosions[t->side]->recessions[t->vertex] + c->reach};
    found.distance = sqrt(abut_point_triangle_distance_squared(t->point, t->corners, weights));
    if (!(found.distance <= c->farthest)) {
        return;
    }
    const int *vertices = &original(t->local, !t->side)->elements.triangles[3 * t->triangle];
    for (int k = 0; k < 3; ++k) {
        found.limit += weights[k] * c->erosions[!t->side]->recessions[vertices[k]];
    }
    found.separation = abut_sub(t->point, abut_triangle_point(t->corners, weights));
    found.is_over_face =
        abut_placed_is_normal(&c->eroded[!t->side], t->triangle, weights, found.separation, c->slack);
    int k;
    switch (abut_feature_at(weights, &k)) {
    case 0: vertex_over_face(t, &found); break;
    case 1: vertex_over_edge(t, k, &found); break;
    default: vertex_over_vertex(t, k, &found); break;
    }
}

// ---- edges

/// An edge of one surface, eroded and original.
typedef struct edge_end {
    int triangle, k, index; ///< edge k of the triangle, and its number in the mesh
    abut_vec3 start, end;   ///< eroded
    double recessions[2];   ///< of start and end
} edge_end;

static edge_end get_edge(const abut_local *local, int side, int triangle, int k, const abut_vec3 corners[3])
{
    const abut_closest *c = local->user;
    const int *vertices = &original(local, side)->elements.triangles[3 * triangle];
    const double *recessions = c->erosions[side]->recessions;
    edge_end e = {.triangle = triangle,
                  .k = k,
                  .index = original(local, side)->topology.triangle_edges[3 * triangle + k],
                  .start = corners[k],
                  .end = corners[(k + 1) % 3],
                  .recessions = {recessions[vertices[k]], recessions[vertices[(k + 1) % 3]]}};
    return e;
}

/// The places of the closest points of two original edges.
static void edge_places(const abut_local *local, const edge_end *a, const edge_end *b, place places[2])
{
    const edge_end *edges[2] = {a, b};
    abut_vec3 starts[2], ends[2];
    double weights[2];
    for (int i = 0; i < 2; ++i) {
        const int *vertices = &original(local, i)->elements.triangles[3 * edges[i]->triangle];
        starts[i] = abut_placed_vertex(original(local, i), vertices[edges[i]->k]);
        ends[i] = abut_placed_vertex(original(local, i), vertices[(edges[i]->k + 1) % 3]);
    }
    (void)abut_segment_segment_distance_squared(starts[0], ends[0], starts[1], ends[1], &weights[0], &weights[1]);
    for (int i = 0; i < 2; ++i) {
        places[i] = edge_place(original(local, i), edges[i]->triangle, edges[i]->k, weights[i]);
    }
}

static void look_at_edges(const abut_local *local, const edge_end *a, const edge_end *b, abut_local_output *output)
{
    const abut_closest *c = local->user;
    abut_vec3 u = abut_sub(a->end, a->start), v = abut_sub(b->end, b->start), cross = abut_cross(u, v);
    double s, t;
    double distance = sqrt(abut_segment_segment_inner_distance_squared(a->start, a->end, b->start, b->end, &s, &t));
    if (!(distance <= c->farthest) || !(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) || // an end is seen as a vertex
        !(abut_norm(cross) > c->slack * abut_norm(u) * abut_norm(v))) {
        return;
    }
    const abut_placed *eroded_a = &c->eroded[0], *eroded_b = &c->eroded[1];
    int has_direction = distance > c->zero;
    abut_vec3 along = abut_sub(abut_lerp(b->start, b->end, t), abut_lerp(a->start, a->end, s));
    if (!has_direction) {
        along = abut_sub(abut_placed_edge_normal(eroded_a, a->index), abut_placed_edge_normal(eroded_b, b->index));
    }
    abut_vec3 n = abut_unit(cross);
    n = abut_dot(n, along) < 0.0 ? abut_negate(n) : n;
    if (!abut_placed_is_over_edge(eroded_a, a->index, n, c->slack) ||
        !abut_placed_is_over_edge(eroded_b, b->index, abut_negate(n), c->slack)) {
        return;
    }
    double limit = (1.0 - s) * a->recessions[0] + s * a->recessions[1] + (1.0 - t) * b->recessions[0] +
                   t * b->recessions[1] + c->reach;
    place places[2];
    edge_places(local, a, b, places);
    if ((distance <= limit && is_gap_small(c, &places[0], &places[1], n)) ||
        places_meet(c, &places[0], &places[1], n)) {
        add_contact(&places[0], 0, &places[1], n, !has_direction, output);
    }
}

// ---- deeper than 2 epsilon

/// An edge of one surface that runs through the inside of a triangle of the other: (E, F) where it does, and (V, F)
/// for its end beneath, if this is below the inside of the triangle.
static void look_at_crossing(const vertex_task *t, int edge_triangle, int k)
{
    const abut_closest *c = t->closest;
    const abut_placed *side = original(t->local, t->side), *face_side = original(t->local, !t->side);
    const int *corners = &side->elements.triangles[3 * edge_triangle];
    abut_vec3 n = abut_placed_normal(&c->eroded[!t->side], t->triangle), ends[2];
    double heights[2], weights[3];
    for (int i = 0; i < 2; ++i) {
        ends[i] = abut_placed_vertex(&c->eroded[t->side], corners[(k + i) % 3]);
        heights[i] = abut_dot(n, abut_sub(ends[i], t->corners[0]));
    }
    if (!(fmin(heights[0], heights[1]) < 0.0 && fmax(heights[0], heights[1]) > 0.0)) {
        return;
    }
    double at = heights[0] / (heights[0] - heights[1]);
    abut_vec3 crossing = abut_lerp(ends[0], ends[1], at);
    if (sqrt(abut_point_triangle_distance_squared(crossing, t->corners, weights)) > c->zero) {
        return;
    }
    place edge = edge_place(side, edge_triangle, k, at);
    place face = face_place(face_side, t->triangle, edge.position);
    add_contact(&face, !t->side, &edge, n, 0, t->output);
    int below = heights[0] < 0.0 ? 0 : 1;
    (void)abut_point_triangle_distance_squared(ends[below], t->corners, weights);
    if (weights[0] > 0.0 && weights[1] > 0.0 && weights[2] > 0.0) {
        place vertex = vertex_place(side, corners[(k + below) % 3]);
        face = face_place(face_side, t->triangle, vertex.position);
        add_contact(&face, !t->side, &vertex, n, 0, t->output);
    }
}

// ---- pairs

static int are_apart(const abut_vec3 a[3], const abut_vec3 b[3], double limit)
{
    abut_vec3 lower_a = abut_min(abut_min(a[0], a[1]), a[2]), upper_a = abut_max(abut_max(a[0], a[1]), a[2]);
    abut_vec3 lower_b = abut_min(abut_min(b[0], b[1]), b[2]), upper_b = abut_max(abut_max(b[0], b[1]), b[2]);
    abut_vec3 gap = abut_max(abut_sub(lower_a, upper_b), abut_sub(lower_b, upper_a));
    return abut_max_component(gap) > limit;
}

static void look_at_triangles(const abut_local *local, int triangle_a, int triangle_b, abut_local_output *output)
{
    const abut_closest *c = local->user;
    const int triangles[2] = {triangle_a, triangle_b};
    abut_vec3 corners[2][3];
    for (int i = 0; i < 2; ++i) {
        abut_placed_triangle(&c->eroded[i], triangles[i], corners[i]);
    }
    if (are_apart(corners[0], corners[1], c->farthest)) {
        return;
    }
    ++output->stats.tested_pairs;
    for (int i = 0; i < 2; ++i) {
        const abut_placed *side = original(local, i);
        output->stats.degenerate_elements +=
            abut_norm_squared(abut_placed_normal(&c->eroded[i], triangles[i])) == 0.0;
        for (int k = 0; k < 3; ++k) {
            vertex_task task = {
                local,         c,           i,     side->elements.triangles[3 * triangles[i] + k], triangles[!i],
                corners[i][k], corners[!i], output};
            if (owns_vertex(side, triangles[i], k)) {
                look_at_vertex(&task);
            }
            if (c->is_deep && owns_edge(side, triangles[i], k)) {
                look_at_crossing(&task, triangles[i], k);
            }
        }
    }
    for (int i = 0; i < 9; ++i) {
        if (owns_edge(&local->a, triangle_a, i / 3) && owns_edge(&local->b, triangle_b, i % 3)) {
            edge_end a = get_edge(local, 0, triangle_a, i / 3, corners[0]);
            edge_end b = get_edge(local, 1, triangle_b, i % 3, corners[1]);
            look_at_edges(local, &a, &b, output);
        }
    }
}

// ---- the method

static abut_status prepare_closest(const abut_shape *shape, const abut_params *params, const abut_context *context,
                                   void **data, abut_error *error)
{
    const abut_method *method = &abut_method_closest_points;
    const abut_mesh *mesh = abut_shape_mesh(shape);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    int is_program = (int)abut_params_option(params, method, OPTION_READING) == READING_PROGRAM;
    if (is_program && elements.tet_count == 0) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "method closest-points with reading=program needs tetrahedra, and the mesh has none");
    }
    double epsilon = abut_params_option(params, method, OPTION_EPSILON);
    double diagonal = abut_box_diagonal(elements.bounds);
    if (epsilon > diagonal) {
        return abut_fail(error, ABUT_UNSUPPORTED, "epsilon %g is more than the whole mesh, whose diagonal is %g",
                         epsilon, diagonal);
    }
    epsilon = epsilon == 0.0 ? default_epsilon * diagonal : epsilon;
    abut_erosion *erosion = NULL;
    abut_status status =
        abut_erosion_create(context, mesh, (abut_erosion_kind)abut_params_option(params, method, OPTION_EROSION),
                            epsilon, is_program ? ABUT_ELEMENT_TET : ABUT_ELEMENT_TRIANGLE, &erosion, error);
    *data = erosion;
    return status;
}

static void release_closest(void *data, const abut_context *context)
{
    abut_erosion_destroy(data, context);
}

static abut_status query_closest(const abut_query *query, abut_sink *sink)
{
    if (query->pair->a.instance != NULL || query->pair->b.instance != NULL) {
        return abut_sink_fail(sink, ABUT_UNSUPPORTED,
                              "method closest-points does not take soft bodies: they are eroded when prepared");
    }
    abut_local local;
    abut_closest c = {.tolerance = query->tolerance,
                      .reach = fmax(query->tolerance, query->envelope),
                      .zero = fmax(1e-3 * query->tolerance, 1e-13 * query->size),
                      .slack = sin(query->angle),
                      .is_deep = abut_query_option(query, options[OPTION_PENETRATION].name) != 0.0};
    abut_status status = abut_local_begin(&local, query, &c, sink);
    if (status != ABUT_OK) {
        return status;
    }
    for (int i = 0; i < 2; ++i) {
        c.erosions[i] = abut_query_data(query, i == 0 ? query->pair->a.shape : query->pair->b.shape);
        c.eroded[i] = *original(&local, i);
        c.eroded[i].vertices = c.erosions[i]->vertices;
        c.threshold += c.erosions[i]->epsilon;
        c.most_gap += c.erosions[i]->overreach;
        c.farthest += c.erosions[i]->farthest;
        abut_sink_stats(sink)->caps += c.erosions[i]->cap_count;
        abut_sink_stats(sink)->data_bytes += (int64_t)abut_erosion_bytes(c.erosions[i]);
    }
    c.farthest += c.reach;
    c.most_gap += c.reach;
    int is_program = abut_query_option(query, options[OPTION_READING].name) == READING_PROGRAM;
    abut_element_kind kind = is_program ? ABUT_ELEMENT_TET : ABUT_ELEMENT_TRIANGLE;
    abut_local_task task = {.kind_a = kind,
                            .kind_b = kind,
                            .tree_a = c.erosions[0]->tree,
                            .tree_b = c.erosions[1]->tree,
                            .margin = is_program ? c.threshold + c.reach : c.farthest,
                            .is_surface_only = is_program,
                            .contact_limit = is_program ? ABUT_CLOSEST_PROGRAM_LIMIT : TEXT_LIMIT,
                            .function = is_program ? abut_closest_by_program : look_at_triangles};
    return abut_local_run(&local, &task, sink);
}

const abut_method abut_method_closest_points = {
    .abi = ABUT_METHOD_ABI,
    .struct_size = sizeof(abut_method),
    .name = "closest-points",
    .summary = "closest points of features within 2 epsilon, on surfaces eroded by epsilon",
    .source = "Erleben 2018, section 6",
    .taxonomy = {.locality = ABUT_LOCAL,
                 .is_exact = 1,
                 .is_continuous = 0,
                 .representation = ABUT_SURFACE_BASED,
                 .normals = ABUT_NORMAL_CLOSEST_POINTS,
                 .traits = {2, 2, 2, 2}},
    .needs = ABUT_NEEDS_TRIANGLES,
    .options = options,
    .option_count = OPTION_COUNT,
    .prepare = prepare_closest,
    .release = release_closest,
    .query = query_closest,
};
