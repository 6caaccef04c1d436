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

/// Boxes of some vertices, at both ends of the step.
typedef struct extent {
    abut_vec3 low[2], high[2];
} extent;

static extent extent_of_vertex(const moving_triangle *t, int corner)
{
    return (extent){{t->start[corner], t->end[corner]}, {t->start[corner], t->end[corner]}};
}

static extent join(const extent *a, const extent *b)
{
    return (extent){{abut_min(a->low[0], b->low[0]), abut_min(a->low[1], b->low[1])},
                    {abut_max(a->high[0], b->high[0]), abut_max(a->high[1], b->high[1])}};
}

/// Whether a coordinate axis separates two features by more than the tolerance at both ends of the step, with the same
/// sign: then it does all the time.
static int axes_separate(const extent *a, const extent *b, double tolerance)
{
    int above = 7, below = 7;
    for (int end = 0; end < 2; ++end) {
        abut_vec3 over = abut_sub(a->low[end], b->high[end]), under = abut_sub(b->low[end], a->high[end]);
        above &= (over.x > tolerance) | (over.y > tolerance) << 1 | (over.z > tolerance) << 2;
        below &= (under.x > tolerance) | (under.y > tolerance) << 1 | (under.z > tolerance) << 2;
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

/// Which pairs of features two triangles have to visit: bit k: corner k of A's with B's, bit 3 + k: corner k of B's with
/// A's, bit 6 + 3 k + m: edge k of A's with edge m of B's. Only owners visit their features.
static int find_owned(const moving_triangle *a, const moving_triangle *b)
{
    int own_a = a->side->owned[a->index], own_b = b->side->owned[b->index], edges_b = own_b >> 3;
    int mask = (own_a & 7) | (own_b & 7) << 3;
    for (int k = 0; k < 3; ++k) {
        mask |= (own_a >> (3 + k) & 1) != 0 ? edges_b << (6 + 3 * k) : 0;
    }
    return mask;
}

/// The pairs of features of two triangles of one body that share a vertex, as in find_owned().
static int find_shared(const moving_triangle *a, const moving_triangle *b)
{
    int mask = 0;
    for (int i = 0; i < 9; ++i) {
        int k = i / 3, m = i % 3;
        if (a->vertices[k] == b->vertices[m]) {
            // edge k leads from corner k to the next one: two edges of each triangle have the corner
            int k0 = (k + 2) % 3, m0 = (m + 2) % 3;
            mask |=
                1 << k | 8 << m | 64 << (3 * k + m) | 64 << (3 * k0 + m) | 64 << (3 * k + m0) | 64 << (3 * k0 + m0);
        }
    }
    return mask;
}

/// The pairs of features of two triangles that are kept apart by an axis, as in find_owned(). Looks at those of `mask`.
static int find_apart(const extent *a, const extent *b, const extent *face_a, const extent *face_b,
                      double tolerance, int mask)
{
    int apart = 0;
    for (int k = 0; k < 3; ++k) {
        apart |= (mask >> k & 1) != 0 && axes_separate(&a[k], face_b, tolerance) ? 1 << k : 0;
        apart |= (mask >> (3 + k) & 1) != 0 && axes_separate(face_a, &b[k], tolerance) ? 8 << k : 0;
    }
    mask >>= 6;
    extent edges_b[3];
    for (int m = 0; m < 3; ++m) {
        edges_b[m] = join(&b[m], &b[(m + 1) % 3]);
    }
    for (int k = 0; k < 3; ++k) {
        int row = mask >> (3 * k) & 7;
        extent edge = join(&a[k], &a[(k + 1) % 3]);
        if (row != 0 && axes_separate(&edge, face_b, tolerance)) {
            apart |= 7 << (6 + 3 * k);
            continue;
        }
        for (int m = 0; m < 3; ++m) {
            apart |= (row >> m & 1) != 0 && axes_separate(&edge, &edges_b[m], tolerance) ? 64 << (3 * k + m) : 0;
        }
    }
    return apart;
}

/// The pairs of features of two triangles that are to be tested, as in find_owned(). What no test could find to touch is
/// left out before anything is built for it: of neighbours in a mesh that is almost all.
static int find_work(const visiting *v, const moving_triangle *a, const moving_triangle *b)
{
    int mask = find_owned(a, b);
    mask &= v->bodies->is_self ? ~find_shared(a, b) : ~0;
    if (mask == 0) {
        return 0;
    }
    extent corners_a[3], corners_b[3];
    for (int k = 0; k < 3; ++k) {
        corners_a[k] = extent_of_vertex(a, k);
        corners_b[k] = extent_of_vertex(b, k);
    }
    extent face_a = join(&corners_a[0], &corners_a[1]), face_b = join(&corners_b[0], &corners_b[1]);
    face_a = join(&face_a, &corners_a[2]);
    face_b = join(&face_b, &corners_b[2]);
    return axes_separate(&face_a, &face_b, v->tolerance)
               ? 0
               : mask & ~find_apart(corners_a, corners_b, &face_a, &face_b, v->tolerance, mask);
}

/// A corner of the first triangle against the second triangle.
static int visit_vertex(visiting *v, const moving_triangle *a, int corner, const moving_triangle *b, int is_flipped)
{
    abut_feature_pair pair = {.moving = {.kind = ABUT_VERTEX_FACE},
                              .elements = {a->vertices[corner], b->index},
                              .is_flipped = is_flipped};
    set_vertex(&pair, 0, a, corner);
    for (int i = 0; i < 3; ++i) {
        set_vertex(&pair, 1 + i, b, i);
    }
    return v->function(v->user, &pair);
}

static int visit_edges(visiting *v, const moving_triangle *a, int k, const moving_triangle *b, int m)
{
    abut_feature_pair pair = {.moving = {.kind = ABUT_EDGE_EDGE},
                              .elements = {a->side->topology.triangle_edges[3 * a->index + k],
                                           b->side->topology.triangle_edges[3 * b->index + m]}};
    set_vertex(&pair, 0, a, k);
    set_vertex(&pair, 1, a, (k + 1) % 3);
    set_vertex(&pair, 2, b, m);
    set_vertex(&pair, 3, b, (m + 1) % 3);
    return v->function(v->user, &pair);
}

static int visit_triangles(void *user, int element_a, int element_b)
{
    visiting *v = user;
    ++v->candidates;
    moving_triangle a = place_triangle(&v->bodies->sides[0], element_a),
                    b = place_triangle(&v->bodies->sides[1], element_b);
    int work = find_work(v, &a, &b), result = 0;
    for (int i = 0; work >> i != 0 && result == 0; ++i) {
        if ((work >> i & 1) == 0) {
            continue;
        }
        if (i < 3) {
            result = visit_vertex(v, &a, i, &b, 0);
        } else if (i < 6) {
            result = visit_vertex(v, &b, i - 3, &a, 1);
        } else {
            result = visit_edges(v, &a, (i - 6) / 3, &b, (i - 6) % 3);
        }
    }
    return result;
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
