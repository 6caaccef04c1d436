// SPDX-License-Identifier: MIT
// moving_features.c: the pairs of features of two moving bodies that may touch within a step
//
// Cost: linear in the pairs of triangles whose swept boxes overlap. Boxes of rigid bodies are grown by the largest
//       motion of a corner relative to the other body, those of soft bodies are fitted to the step.
#include "method/moving_features.h"

#include "mesh/closed.h"

#include <abut/support.h>
#include <abut/sweep.h>

abut_status abut_feature_owners_create(const abut_shape *shape, const abut_context *context,
                                       abut_feature_owners **owners, abut_error *error)
{
    if (abut_shape_dilation(shape) != 0.0 || abut_shape_offset(shape) != 0.0) {
        return abut_fail(error, ABUT_UNSUPPORTED, "method continuous takes shapes without dilation and offset");
    }
    abut_mesh_elements elements = abut_mesh_get_elements(abut_shape_mesh(shape));
    abut_mesh_topology topology = abut_mesh_get_topology(abut_shape_mesh(shape));
    abut_feature_owners *made = abut_allocate(context, 1, sizeof *made);
    uint8_t *bits = abut_allocate_zeroed(context, (size_t)elements.triangle_count, sizeof *bits);
    if (made == NULL || bits == NULL) {
        abut_free(context, made);
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
    abut_error reason;
    made->is_closed = abut_mesh_check_closed(abut_shape_mesh(shape), &reason) == ABUT_OK;
    made->bits = bits;
    *owners = made;
    return ABUT_OK;
}

void abut_feature_owners_destroy(abut_feature_owners *owners, const abut_context *context)
{
    if (owners != NULL) {
        abut_free(context, owners->bits);
        abut_free(context, owners);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Motion

static abut_moving_side place_side(const abut_side *side, double dt, const abut_feature_owners *owners)
{
    abut_moving_side out = {.mesh = abut_side_mesh(side),
                            .tree = abut_side_tree(side, ABUT_ELEMENT_TRIANGLE),
                            .start = abut_side_vertices(side),
                            .poses = {side->pose, side->pose},
                            .is_soft = side->instance != NULL,
                            .is_closed = owners->is_closed,
                            .owned = owners->bits};
    out.elements = abut_mesh_get_elements(out.mesh);
    out.topology = abut_mesh_get_topology(out.mesh);
    out.end = out.is_soft ? abut_instance_end(side->instance) : out.start;
    if (!out.is_soft && side->end_pose != NULL) {
        out.poses[1] = abut_pose_make(side->end_pose->position, abut_quat_unit(side->end_pose->rotation));
    } else if (!out.is_soft) {
        abut_motion motion = {.pose = side->pose,
                              .linear_velocity = side->linear_velocity,
                              .angular_velocity = side->angular_velocity};
        out.poses[1] = dt > 0.0 ? abut_motion_pose(&motion, dt) : side->pose;
    }
    out.rotations[0] = abut_quat_matrix(out.poses[0].rotation);
    out.rotations[1] = abut_quat_matrix(out.poses[1].rotation);
    for (int end = 0; end < 2; ++end) {
        abut_quat r = out.poses[end].rotation;
        abut_vec3 p = out.poses[end].position;
        out.is_unmoved[end] =
            r.w == 1.0 && r.x == 0.0 && r.y == 0.0 && r.z == 0.0 && p.x == 0.0 && p.y == 0.0 && p.z == 0.0;
    }
    return out;
}

abut_moving_bodies abut_moving_bodies_make(const abut_pair *pair, int is_self,
                                           const abut_feature_owners *const owners[2])
{
    abut_moving_bodies bodies = {.is_self = is_self, .b_to_a = abut_pose_relative(pair->a.pose, pair->b.pose)};
    bodies.sides[0] = place_side(&pair->a, pair->dt, owners[0]);
    bodies.sides[1] = place_side(&pair->b, pair->dt, owners[1]);
    return bodies;
}

static abut_vec3 place_point(const abut_moving_side *side, abut_vec3 p, int end)
{
    return side->is_unmoved[end] ? p
                                 : abut_add(abut_mat3_apply(side->rotations[end], p), side->poses[end].position);
}

abut_vec3 abut_moving_vertex(const abut_moving_side *side, int vertex, int end)
{
    return place_point(side, end ? side->end[vertex] : side->start[vertex], end);
}

/// The largest motion of a point of the mesh, relative to a translation. The motion is affine in the point, so a corner
/// of the bounds has the largest.
static double largest_motion(const abut_moving_side *side, abut_vec3 translation)
{
    abut_box box = side->elements.bounds;
    double largest = 0.0;
    for (int i = 0; i < 8; ++i) {
        abut_vec3 p = abut_vec3_make(i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
                                     i & 4 ? box.upper.z : box.lower.z);
        abut_vec3 way = abut_sub(place_point(side, p, 1), place_point(side, p, 0));
        largest = fmax(largest, abut_norm(abut_sub(way, translation)));
    }
    return largest;
}

/// How far the boxes must be grown to hold the motion of rigid bodies. Soft bodies have boxes of the whole step.
static double find_margin(const abut_moving_bodies *bodies, double tolerance)
{
    abut_vec3 common = {0.0, 0.0, 0.0};
    const abut_moving_side *sides = bodies->sides;
    if (!sides[0].is_soft && !sides[1].is_soft) {
        abut_vec3 center = abut_box_center(sides[0].elements.bounds);
        common = abut_sub(place_point(&sides[0], center, 1), place_point(&sides[0], center, 0));
    }
    double margin = tolerance;
    for (int s = 0; s < 2; ++s) {
        margin += sides[s].is_soft ? 0.0 : largest_motion(&sides[s], common);
    }
    return margin * (1.0 + 1e-12);
}

/// A triangle and where its corners go.
typedef struct moving_triangle {
    const abut_moving_side *side;
    int index;
    int vertices[3];
    abut_vec3 start[3], end[3];
} moving_triangle;

static moving_triangle place_triangle(const abut_moving_side *side, int triangle)
{
    moving_triangle t = {.side = side, .index = triangle};
    for (int k = 0; k < 3; ++k) {
        int vertex = side->elements.triangles[3 * triangle + k];
        t.vertices[k] = vertex;
        t.start[k] = abut_moving_vertex(side, vertex, 0);
        t.end[k] = abut_moving_vertex(side, vertex, 1);
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
// Pairs of features

abut_feature abut_moving_feature(const abut_moving_side *side, abut_moving_kind kind, int second, int element)
{
    if (kind == ABUT_EDGE_EDGE) {
        return abut_feature_edge(side->mesh, element);
    }
    return second ? abut_feature_face(side->elements.triangle_faces[element]) : abut_feature_vertex(element);
}

typedef struct visiting {
    const abut_moving_bodies *bodies;
    double tolerance;
    abut_feature_pair_function *function;
    void *user;
    int64_t candidates;
} visiting;

static void set_vertex(abut_feature_pair *pair, int place, const moving_triangle *t, int corner)
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
static int visit_vertices(visiting *v, const moving_triangle *a, const moving_triangle *b, int is_flipped)
{
    for (int k = 0; k < 3; ++k) {
        if ((a->side->owned[a->index] >> k & 1) == 0) {
            continue;
        }
        abut_feature_pair pair = {
            .moving = {.kind = ABUT_VERTEX_FACE}, .elements = {a->vertices[k], b->index}, .is_flipped = is_flipped};
        set_vertex(&pair, 0, a, k);
        for (int i = 0; i < 3; ++i) {
            set_vertex(&pair, 1 + i, b, i);
        }
        if (v->bodies->is_self && shares_vertex(pair.vertices, 1, pair.vertices + 1, 3)) {
            continue;
        }
        int result = v->function(v->user, &pair);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

static int visit_edges(visiting *v, const moving_triangle *a, const moving_triangle *b)
{
    for (int i = 0; i < 9; ++i) {
        int k = i / 3, m = i % 3;
        if ((a->side->owned[a->index] >> (3 + k) & b->side->owned[b->index] >> (3 + m) & 1) == 0) {
            continue;
        }
        abut_feature_pair pair = {.moving = {.kind = ABUT_EDGE_EDGE},
                                  .elements = {a->side->topology.triangle_edges[3 * a->index + k],
                                               b->side->topology.triangle_edges[3 * b->index + m]}};
        set_vertex(&pair, 0, a, k);
        set_vertex(&pair, 1, a, (k + 1) % 3);
        set_vertex(&pair, 2, b, m);
        set_vertex(&pair, 3, b, (m + 1) % 3);
        if (v->bodies->is_self && shares_vertex(pair.vertices, 2, pair.vertices + 2, 2)) {
            continue;
        }
        int result = v->function(v->user, &pair);
        if (result != 0) {
            return result;
        }
    }
    return 0;
}

static int visit_triangles(void *user, int element_a, int element_b)
{
    visiting *v = user;
    ++v->candidates;
    moving_triangle a = place_triangle(&v->bodies->sides[0], element_a),
                    b = place_triangle(&v->bodies->sides[1], element_b);
    if (axes_separate(&a, &b, v->tolerance)) {
        return 0;
    }
    int result = visit_vertices(v, &a, &b, 0);
    result = result != 0 ? result : visit_vertices(v, &b, &a, 1);
    return result != 0 ? result : visit_edges(v, &a, &b);
}

int abut_moving_features_visit(const abut_moving_bodies *bodies, double tolerance,
                               abut_feature_pair_function *function, void *user, int64_t *candidates)
{
    visiting v = {.bodies = bodies, .tolerance = tolerance, .function = function, .user = user};
    const abut_tree *a = bodies->sides[0].tree, *b = bodies->sides[1].tree;
    double margin = find_margin(bodies, tolerance);
    int result = bodies->is_self ? abut_tree_self_pairs(a, margin, visit_triangles, &v)
                                 : abut_tree_pairs(a, b, bodies->b_to_a, margin, visit_triangles, &v);
    *candidates = v.candidates;
    return result;
}
