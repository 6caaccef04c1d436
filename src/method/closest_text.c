// SPDX-License-Identifier: MIT
// closest_text.c: closest-points as the paper's text has it: all pairs of features of eroded bodies within 2 epsilon
//
// The features of a pair of triangles are their vertices with the other triangle, which includes its edges and vertices,
// and their edges with each other. The average of the two closest points is the contact, the separation its normal. A
// separation of zero has no direction and gives no contact.
#include "method/closest_points.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

/// Two closest points, on A and on B.
typedef struct closest_pair {
    abut_vec3 points[2];
    abut_feature features[2];
    abut_anchor anchors[2];
    abut_normal_side normal_side; ///< a face gives the normal, if the separation is along it
} closest_pair;

/// The depth is the length of the separation, less 2 epsilon: taken literally, bodies that touch would be 2 epsilon deep.
static void add_pair(const abut_closest *c, const closest_pair *pair, abut_local_output *output)
{
    abut_vec3 separation = abut_sub(pair->points[1], pair->points[0]);
    double distance = abut_norm(separation);
    if (!(distance <= c->threshold + c->reach && distance > c->zero)) {
        return;
    }
    double gap = distance - c->threshold;
    abut_contact contact = {.normal = abut_scale(1.0 / distance, separation),
                            .feature_a = pair->features[0],
                            .feature_b = pair->features[1],
                            .anchor_a = pair->anchors[0],
                            .anchor_b = pair->anchors[1],
                            .normal_side = pair->normal_side,
                            .normal_feature = {.kind = ABUT_FEATURE_NONE, .index = -1, .vertices = {-1, -1}}};
    if (pair->normal_side != ABUT_NORMAL_BOTH) {
        contact.normal_feature = pair->features[pair->normal_side == ABUT_NORMAL_B];
    }
    abut_vec3 middle = abut_lerp(pair->points[0], pair->points[1], 0.5);
    contact.position_a = abut_add_scaled(middle, -0.5 * gap, contact.normal);
    contact.position_b = abut_add_scaled(middle, 0.5 * gap, contact.normal);
    abut_local_contact(output, &contact);
}

/// The feature of a triangle on which the point with these weights lies.
static abut_feature feature_at(const abut_placed *side, int triangle, const double weights[3])
{
    int zeros = (weights[0] == 0.0) + (weights[1] == 0.0) + (weights[2] == 0.0);
    for (int k = 0; k < 3 && zeros == 2; ++k) {
        if (weights[k] != 0.0) {
            return abut_feature_vertex(side->elements.triangles[3 * triangle + k]);
        }
    }
    for (int k = 0; k < 3 && zeros == 1; ++k) {
        if (weights[(k + 2) % 3] == 0.0) {
            return abut_feature_edge(side->mesh, side->topology.triangle_edges[3 * triangle + k]);
        }
    }
    return abut_feature_face(side->elements.triangle_faces[triangle]);
}

/// Corner k of the triangle of one side against the triangle of the other.
static void try_vertex(const abut_local *local, int of_vertex, const int triangles[2], int k,
                       abut_vec3 corners[2][3], abut_local_output *output)
{
    const abut_placed *sides[2] = {&local->a, &local->b};
    int other = !of_vertex, vertex = sides[of_vertex]->elements.triangles[3 * triangles[of_vertex] + k];
    double weights[3];
    closest_pair pair = {.normal_side = ABUT_NORMAL_BOTH};
    (void)abut_point_triangle_distance_squared(corners[of_vertex][k], corners[other], weights);
    pair.points[of_vertex] = corners[of_vertex][k];
    pair.points[other] = abut_triangle_point(corners[other], weights);
    pair.features[of_vertex] = abut_feature_vertex(vertex);
    pair.features[other] = feature_at(sides[other], triangles[other], weights);
    pair.anchors[of_vertex] = abut_vertex_anchor(vertex);
    pair.anchors[other] = abut_triangle_anchor(sides[other], triangles[other], weights);
    if (pair.features[other].kind == ABUT_FEATURE_FACE) {
        pair.normal_side = other == 0 ? ABUT_NORMAL_A : ABUT_NORMAL_B;
    }
    add_pair(local->user, &pair, output);
}

/// Edge i of A's triangle against edge k of B's, if their closest points are inside both: ends are vertices.
static void try_edges(const abut_local *local, const int triangles[2], int i, int k, abut_vec3 corners[2][3],
                      abut_local_output *output)
{
    const abut_closest *c = local->user;
    abut_vec3 p = corners[0][i], q = corners[1][k], u = abut_sub(corners[0][(i + 1) % 3], p),
              v = abut_sub(corners[1][(k + 1) % 3], q);
    double s, t;
    (void)abut_segment_segment_inner_distance_squared(p, abut_add(p, u), q, abut_add(q, v), &s, &t);
    if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) ||
        !(abut_norm(abut_cross(u, v)) > c->slack * abut_norm(u) * abut_norm(v))) {
        return;
    }
    closest_pair pair = {.normal_side = ABUT_NORMAL_BOTH,
                         .points = {abut_add_scaled(p, s, u), abut_add_scaled(q, t, v)},
                         .anchors = {abut_edge_anchor(&local->a, triangles[0], i, s),
                                     abut_edge_anchor(&local->b, triangles[1], k, t)}};
    pair.features[0] = abut_feature_edge(local->a.mesh, local->a.topology.triangle_edges[3 * triangles[0] + i]);
    pair.features[1] = abut_feature_edge(local->b.mesh, local->b.topology.triangle_edges[3 * triangles[1] + k]);
    add_pair(c, &pair, output);
}

void abut_closest_by_text(const abut_local *local, int triangle_a, int triangle_b, abut_local_output *output)
{
    const abut_closest *c = local->user;
    const int triangles[2] = {triangle_a, triangle_b};
    abut_vec3 corners[2][3];
    ++output->stats.tested_pairs;
    for (int side = 0; side < 2; ++side) {
        abut_placed_triangle(&c->eroded[side], triangles[side], corners[side]);
    }
    for (int i = 0; i < 6; ++i) {
        const abut_placed *side = i < 3 ? &local->a : &local->b;
        if (abut_triangle_owns_vertex(side, triangles[i / 3], i % 3)) {
            try_vertex(local, i / 3, triangles, i % 3, corners, output);
        }
    }
    for (int i = 0; i < 9; ++i) {
        if (abut_triangle_owns_edge(&local->a, triangle_a, i / 3) &&
            abut_triangle_owns_edge(&local->b, triangle_b, i % 3)) {
            try_edges(local, triangles, i / 3, i % 3, corners, output);
        }
    }
}
