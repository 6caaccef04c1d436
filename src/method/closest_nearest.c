// SPDX-License-Identifier: MIT
// closest_nearest.c: closest-points with nearest=yes: features of eroded bodies that are nearest to each other
//
// Each vertex is paired with the nearest face, edge or vertex of the other surface, and edges are paired if their closest
// points are inside both. A vertex and a face below it count; other features only if each is nearest to the other in its
// neighbourhood. (A vertex over a face need not be the lowest of its surface, or a tilted box would stand on one corner.)
// Positions are those of the same features on the original surfaces, and the gap is theirs: between faces, distance - 2
// epsilon. Corners and edges recede by more than epsilon. So pairs further apart are contacts too, if each is nearest to
// the other and their original features touch or overlap along the normal.
#include "method/closest_points.h"
#include "method/neighbourhood.h"
#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

// ---- vertices

/// A vertex of one surface and a triangle of the other.
typedef struct vertex_task {
    const abut_local *local;
    const abut_closest *closest;
    int side; ///< the vertex is of: 0 is A
    int vertex, triangle;
    abut_vec3 point;          ///< the eroded vertex
    const abut_vec3 *corners; ///< eroded
    abut_local_output *output;
} vertex_task;

/// The point of the eroded triangle that is nearest to the vertex.
typedef struct nearest {
    abut_vec3 separation; ///< from the point to the vertex
    double distance;
    double limit;     ///< distance by which both recede at least
    int is_over_face; ///< the separation is the normal of a face at the point
} nearest;

/// A place on the original surface.
typedef struct place {
    abut_feature feature;
    abut_anchor anchor;
    abut_vec3 position;
} place;

static const abut_placed *original(const abut_local *local, int side)
{
    return side == 0 ? &local->a : &local->b;
}

/// The place of the original triangle that is nearest to the original point.
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

/// Whether original places are near enough along a direction for a contact. Eroded places may be near although the
/// original ones are not: in parts thinner than 2 epsilon the far side has moved past the near one.
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

/// Adds the contact of a place on `side` and a place on the other side, which lies in `direction`. If the first place
/// is on a face, the face gives the normal.
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

/// Whether the original vertex is inside the other original body or on it, judged by the triangles around the nearest
/// one.
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

/// Whether the vertex and its nearest place are in contact. Within the distance that both recede at least: if the
/// vertex is over a face and not on the far side of its own body, or if each is nearest to the other. Corners recede
/// by more. Beyond that distance: if each is nearest to the other, and the original places meet or the original vertex
/// is inside.
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

/// The direction of the separation, or the given one if the separation is zero.
static abut_vec3 direction_of(const vertex_task *t, const nearest *found, abut_vec3 other)
{
    return found->distance > t->closest->zero ? abut_scale(1.0 / found->distance, found->separation) : other;
}

/// The vertex is nearest to edge k of the triangle.
static void vertex_over_edge(const vertex_task *t, int k, const nearest *found)
{
    const abut_placed *eroded = &t->closest->eroded[!t->side], *side = original(t->local, !t->side);
    if (!abut_triangle_owns_edge(side, t->triangle, k)) {
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
    if (!abut_triangle_owns_vertex(side, t->triangle, k)) {
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
    if (!(distance <= c->farthest) || !(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) || // ends are tested as vertices
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

/// Contacts of an edge that runs through the inside of a triangle of the other surface: of the edge and the face at
/// the intersection, and of its lower end and the face, if that end is below the inside of the triangle.
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

void abut_closest_by_nearest(const abut_local *local, int triangle_a, int triangle_b, abut_local_output *output)
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
            if (abut_triangle_owns_vertex(side, triangles[i], k)) {
                look_at_vertex(&task);
            }
            if (c->is_deep && abut_triangle_owns_edge(side, triangles[i], k)) {
                look_at_crossing(&task, triangles[i], k);
            }
        }
    }
    for (int i = 0; i < 9; ++i) {
        if (abut_triangle_owns_edge(&local->a, triangle_a, i / 3) &&
            abut_triangle_owns_edge(&local->b, triangle_b, i % 3)) {
            edge_end a = get_edge(local, 0, triangle_a, i / 3, corners[0]);
            edge_end b = get_edge(local, 1, triangle_b, i % 3, corners[1]);
            look_at_edges(local, &a, &b, output);
        }
    }
}
