// SPDX-License-Identifier: MIT
// event_row.c: the gap of one contact point as a function of the motion of two bodies
//
// A point p over a plane of another body, with the normal n that turns with it: gap = n . (p - c) for any point c of
// the plane. In the axes of the plane's body the acceleration of p is a_p - a_q - 2 w x u, where q is the point of
// that body at p and u the velocity of p relative to q; so
//
//     gap'  = n . u,      gap'' = n . (a_p - a_q - 2 w x u)
//
// Two lines with directions d and e: gap = N . (q - p) / |N|, N = d x e, for any two points p and q on them. At the
// points where they are closest, while gap and gap' are zero,
//
//     gap'  = N . (q' - p') / |N|,      gap'' = (N . (q'' - p'') + 2 N' . (q' - p')) / |N|
//
// In both, a_p of a body with acceleration a and angular acceleration b is a + b x r + w x (w x r); the first two terms
// are those of the unknowns, and the bias is the rest.
//
// Source: Bouma and Vanecek 1993, section 2.1, has the first; the second is derived here.
#include "world/event.h"

#include "method/params.h"

/// Lines within this angle are taken as parallel: their cross product is no normal.
static const double parallel_angle = 1e-5;
/// The cross product of two edges is the normal of a contact if it is this near to it, and a face's normal likewise.
static const double same_normal = 1e-6;

static abut_vec3 to_local(const abut_body *body, abut_vec3 direction)
{
    return abut_quat_rotate(abut_quat_conjugate(body->motion.rotation), direction);
}

static abut_vec3 to_world(const abut_body *body, abut_vec3 direction)
{
    return abut_quat_rotate(body->motion.rotation, direction);
}

static abut_vec3 local_point(const abut_body *body, abut_vec3 position)
{
    return to_local(body, abut_sub(position, body->motion.center));
}

/// The vector area of a face, in the axes of the mesh; and one of its corners.
static abut_vec3 face_area(const abut_body *body, int face, abut_vec3 *corner)
{
    abut_mesh_elements e = abut_mesh_get_elements(abut_shape_mesh(body->shape));
    int begin = e.face_offsets[face], end = e.face_offsets[face + 1];
    abut_vec3 area = {0.0, 0.0, 0.0};
    *corner = e.vertices[e.face_vertices[begin]];
    for (int i = begin + 1; i + 1 < end; ++i) {
        abut_vec3 first = abut_sub(e.vertices[e.face_vertices[i]], *corner);
        abut_vec3 second = abut_sub(e.vertices[e.face_vertices[i + 1]], *corner);
        area = abut_add(area, abut_cross(first, second));
    }
    return area;
}

/// Makes a plane of a body: the one of its feature, if that is a face with this normal, else the one through a point.
static void set_plane(const abut_body *body, const abut_feature *feature, abut_vec3 position, abut_vec3 normal,
                      double outward, abut_vec3 *point, abut_vec3 *direction)
{
    *direction = to_local(body, normal);
    *point = local_point(body, position);
    if (feature->kind == ABUT_FEATURE_FACE) {
        abut_vec3 corner, unit = abut_unit(face_area(body, feature->index, &corner));
        if (outward * abut_dot(unit, *direction) > 1.0 - same_normal) {
            *direction = abut_scale(outward, unit);
            *point = abut_sub(corner, body->local_center);
        }
    }
}

/// The edges at a feature: the edge itself, or all that end at a vertex.
typedef struct edge_list {
    const int *edges;
    int count;
} edge_list;

static edge_list edges_at(const abut_body *body, const abut_feature *feature)
{
    abut_mesh_topology t = abut_mesh_get_topology(abut_shape_mesh(body->shape));
    if (feature->kind == ABUT_FEATURE_EDGE) {
        return (edge_list){&feature->index, 1};
    }
    int begin = t.vertex_edge_offsets[feature->index];
    return (edge_list){t.vertex_edges + begin, t.vertex_edge_offsets[feature->index + 1] - begin};
}

/// The direction of an edge, in the axes of the body; and its first end, from the body's centre.
static abut_vec3 edge_of(const abut_body *body, int edge, abut_vec3 *end)
{
    const abut_mesh *mesh = abut_shape_mesh(body->shape);
    const abut_vec3 *vertices = abut_mesh_get_elements(mesh).vertices;
    const int *ends = abut_mesh_get_topology(mesh).edge_vertices + 2 * (size_t)edge;
    *end = abut_sub(vertices[ends[0]], body->local_center);
    return abut_unit(abut_sub(vertices[ends[1]], vertices[ends[0]]));
}

/// Makes a row of two edges of which the normal is the cross product, unless there are none. A corner has several edges:
/// the best one is taken.
static int set_edges(const abut_body *a, const abut_body *b, const abut_contact *c, abut_event_row *row)
{
    edge_list of_a = edges_at(a, &c->feature_a), of_b = edges_at(b, &c->feature_b);
    double best = 1.0 - same_normal;
    int is_found = 0;
    for (int i = 0; i < of_a.count * of_b.count; ++i) {
        abut_vec3 end_a, end_b;
        abut_vec3 d = edge_of(a, of_a.edges[i / of_b.count], &end_a);
        abut_vec3 e = edge_of(b, of_b.edges[i % of_b.count], &end_b);
        abut_vec3 cross = abut_cross(to_world(a, d), to_world(b, e));
        double along = abut_dot(cross, c->normal), size = abut_norm(cross);
        if (size > parallel_angle && fabs(along) > best * size) {
            best = fabs(along) / size;
            is_found = 1;
            row->kind = ABUT_ROW_EDGES;
            row->sign = along > 0.0 ? 1.0 : -1.0;
            row->direction_a = d;
            row->direction_b = e;
            row->point_a = end_a;
            row->point_b = end_b;
        }
    }
    return is_found;
}

/// Whether an edge or a vertex is that of a face with this normal.
static int has_face(const abut_body *body, const abut_feature *feature, abut_vec3 outward)
{
    const abut_mesh *mesh = abut_shape_mesh(body->shape);
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_mesh_topology t = abut_mesh_get_topology(mesh);
    int is_edge = feature->kind == ABUT_FEATURE_EDGE;
    const int *offsets = is_edge ? t.edge_triangle_offsets : t.vertex_triangle_offsets;
    const int *triangles = is_edge ? t.edge_triangles : t.vertex_triangles;
    abut_vec3 local = to_local(body, outward), corner;
    for (int i = offsets[feature->index]; i < offsets[feature->index + 1]; ++i) {
        abut_vec3 unit = abut_unit(face_area(body, e.triangle_faces[triangles[i]], &corner));
        if (abut_dot(unit, local) > 1.0 - same_normal) {
            return 1;
        }
    }
    return 0;
}

/// Whether a contact is one of two edges: its features are edges, or a corner and an edge or corner of which no face has
/// the normal.
static int is_of_edges(const abut_body *a, const abut_body *b, const abut_contact *c)
{
    abut_feature_kind kind_a = c->feature_a.kind, kind_b = c->feature_b.kind;
    int is_thin = (kind_a == ABUT_FEATURE_EDGE || kind_a == ABUT_FEATURE_VERTEX) &&
                  (kind_b == ABUT_FEATURE_EDGE || kind_b == ABUT_FEATURE_VERTEX);
    return is_thin &&
           ((kind_a == ABUT_FEATURE_EDGE && kind_b == ABUT_FEATURE_EDGE) ||
            (!has_face(a, &c->feature_a, c->normal) && !has_face(b, &c->feature_b, abut_negate(c->normal))));
}

/// Whose plane a contact has: that of a face under a corner or an edge; that of a face at an edge on which a corner of
/// the other body is; else that of the body that gave the normal.
static int is_plane_of_b(const abut_body *a, const abut_body *b, const abut_contact *c)
{
    abut_feature_kind kind_a = c->feature_a.kind, kind_b = c->feature_b.kind;
    if ((kind_a == ABUT_FEATURE_FACE) != (kind_b == ABUT_FEATURE_FACE)) {
        return kind_b == ABUT_FEATURE_FACE;
    }
    if (kind_a == ABUT_FEATURE_VERTEX && kind_b == ABUT_FEATURE_EDGE) {
        return c->normal_side == ABUT_NORMAL_B || has_face(b, &c->feature_b, abut_negate(c->normal));
    }
    if (kind_a == ABUT_FEATURE_EDGE && kind_b == ABUT_FEATURE_VERTEX) {
        return c->normal_side == ABUT_NORMAL_B && !has_face(a, &c->feature_a, c->normal);
    }
    return c->normal_side == ABUT_NORMAL_B;
}

abut_event_row abut_event_row_of(const abut_world *world, const abut_world_contact *contact)
{
    const abut_contact *c = &contact->contact;
    const abut_body *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
    double size = fmin(a->size, b->size);
    abut_length tolerance = world->choices[abut_world_law(world, a->material, b->material).choice].params.tolerance;
    abut_event_row row = {.body_a = contact->body_a,
                          .body_b = contact->body_b,
                          .restitution = contact->restitution,
                          .size = size,
                          .tolerance = abut_length_resolve(tolerance, size)};
    if (is_of_edges(a, b, c) && set_edges(a, b, c, &row)) {
        return row;
    }
    if (is_plane_of_b(a, b, c)) {
        row.kind = ABUT_ROW_POINT_OF_A;
        row.point_a = local_point(a, c->position_a);
        set_plane(b, &c->feature_b, c->position_b, c->normal, -1.0, &row.point_b, &row.direction_b);
    } else {
        row.kind = ABUT_ROW_POINT_OF_B;
        row.point_b = local_point(b, c->position_b);
        set_plane(a, &c->feature_a, c->position_a, c->normal, 1.0, &row.point_a, &row.direction_a);
    }
    return row;
}

static abut_vec3 velocity_at(const abut_body *body, abut_vec3 arm)
{
    return abut_add(body->motion.linear_velocity, abut_cross(body->motion.angular_velocity, arm));
}

static abut_vec3 centripetal(const abut_body *body, abut_vec3 arm)
{
    abut_vec3 spin = body->motion.angular_velocity;
    return abut_cross(spin, abut_cross(spin, arm));
}

static abut_event_frame frame_of_edges(const abut_body *a, const abut_body *b, const abut_event_row *row)
{
    abut_vec3 d = to_world(a, row->direction_a), e = to_world(b, row->direction_b);
    abut_vec3 p = abut_add(a->motion.center, to_world(a, row->point_a));
    abut_vec3 q = abut_add(b->motion.center, to_world(b, row->point_b)), apart = abut_sub(q, p);
    abut_vec3 cross = abut_cross(d, e);
    double square = abut_norm_squared(cross), length = sqrt(square);
    p = abut_add_scaled(p, abut_dot(abut_cross(apart, e), cross) / square, d);
    q = abut_add_scaled(q, abut_dot(abut_cross(apart, d), cross) / square, e);
    abut_event_frame made = {.normal = abut_scale(row->sign / length, cross), .point = abut_lerp(p, q, 0.5)};
    made.arm_a = abut_sub(p, a->motion.center);
    made.arm_b = abut_sub(q, b->motion.center);
    made.gap = abut_dot(made.normal, abut_sub(q, p));
    abut_vec3 slip = abut_sub(velocity_at(b, made.arm_b), velocity_at(a, made.arm_a));
    made.speed = abut_dot(made.normal, slip);
    abut_vec3 turning = abut_add(abut_cross(abut_cross(a->motion.angular_velocity, d), e),
                                 abut_cross(d, abut_cross(b->motion.angular_velocity, e)));
    made.bias = abut_dot(made.normal, abut_sub(centripetal(b, made.arm_b), centripetal(a, made.arm_a))) +
                2.0 * row->sign / length * abut_dot(turning, slip);
    return made;
}

abut_event_frame abut_event_row_frame(const abut_world *world, const abut_event_row *row)
{
    const abut_body *a = &world->bodies[row->body_a], *b = &world->bodies[row->body_b];
    if (row->kind == ABUT_ROW_EDGES) {
        return frame_of_edges(a, b, row);
    }
    abut_vec3 p = abut_add(a->motion.center, to_world(a, row->point_a));
    abut_vec3 q = abut_add(b->motion.center, to_world(b, row->point_b));
    int plane_of_b = row->kind == ABUT_ROW_POINT_OF_A;
    abut_event_frame made = {.normal = plane_of_b ? to_world(b, row->direction_b) : to_world(a, row->direction_a)};
    made.point = plane_of_b ? p : q;
    made.gap = abut_dot(made.normal, abut_sub(q, p));
    made.arm_a = abut_sub(made.point, a->motion.center);
    made.arm_b = abut_sub(made.point, b->motion.center);
    abut_vec3 slip = abut_sub(velocity_at(b, made.arm_b), velocity_at(a, made.arm_a));
    made.speed = abut_dot(made.normal, slip);
    abut_vec3 spin = plane_of_b ? b->motion.angular_velocity : a->motion.angular_velocity;
    abut_vec3 turning = abut_scale(2.0, abut_cross(spin, slip));
    abut_vec3 inward = abut_sub(centripetal(b, made.arm_b), centripetal(a, made.arm_a));
    made.bias = abut_dot(made.normal, abut_sub(inward, turning));
    return made;
}

// ---------------------------------------------------------------------------------------------------------------
// The hull of the rows of a plane

/// Coordinates in a plane.
typedef struct plane {
    abut_vec3 x, y;
} plane;

/// How far a row is to the left of the line through two others.
static double side_of(const plane *at, abut_vec3 from, abut_vec3 to, abut_vec3 point)
{
    abut_vec3 along = abut_sub(to, from), other = abut_sub(point, from);
    return abut_dot(along, at->x) * abut_dot(other, at->y) - abut_dot(along, at->y) * abut_dot(other, at->x);
}

/// Walks around the hull of the rows of a group, and marks all others. By gift wrapping: a plane has few corners.
static void mark_group(const abut_world *world, abut_event_row *rows, const int *group, int count, abut_vec3 normal)
{
    plane at = {abut_any_perpendicular(normal), {0.0, 0.0, 0.0}};
    at.y = abut_cross(normal, at.x);
    double slack = same_normal * rows[group[0]].size * rows[group[0]].size;
    int first = 0, current, steps = 0;
    for (int i = 0; i < count; ++i) {
        rows[group[i]].is_inner = 1;
        double is_further = abut_dot(at.x, abut_sub(abut_event_row_frame(world, &rows[group[i]]).point,
                                                    abut_event_row_frame(world, &rows[group[first]]).point));
        first = is_further > 0.0 ? i : first;
    }
    current = first;
    do {
        rows[group[current]].is_inner = 0;
        abut_vec3 from = abut_event_row_frame(world, &rows[group[current]]).point;
        int next = current;
        abut_vec3 to = from;
        for (int i = 0; i < count; ++i) {
            abut_vec3 point = abut_event_row_frame(world, &rows[group[i]]).point;
            double left = next == current ? -HUGE_VAL : side_of(&at, from, to, point);
            int is_longer = abut_norm_squared(abut_sub(point, from)) > abut_norm_squared(abut_sub(to, from));
            if (left < -slack || (left <= slack && is_longer)) {
                next = i;
                to = point;
            }
        }
        current = next;
    } while (current != first && ++steps < count);
}

/// The free body of a row whose other body stands still; -1 if it has none. To such a body all others are one.
static int carried_body(const abut_world *world, const abut_event_row *row)
{
    const abut_body *a = &world->bodies[row->body_a], *b = &world->bodies[row->body_b];
    const abut_body *other = a->is_fixed ? a : b;
    int stands = other->is_fixed && abut_norm_squared(other->motion.linear_velocity) == 0.0 &&
                 abut_norm_squared(other->motion.angular_velocity) == 0.0;
    return !stands ? -1 : a->is_fixed ? row->body_b : row->body_a;
}

/// The normal of a row, towards the body that is carried if there is one.
static abut_vec3 carrying_normal(const abut_event_row *row, const abut_event_frame *frame, int carried)
{
    return row->body_a == carried ? abut_negate(frame->normal) : frame->normal;
}

void abut_event_mark_inner(const abut_world *world, abut_event_row *rows, int count, int *room)
{
    for (int i = 0; i < count; ++i) {
        rows[i].is_inner = 0;
    }
    for (int i = 0; i < count; ++i) {
        int size = 0, carried = carried_body(world, &rows[i]);
        if (rows[i].is_grouped) {
            continue;
        }
        abut_event_frame frame = abut_event_row_frame(world, &rows[i]);
        abut_vec3 normal = carrying_normal(&rows[i], &frame, carried);
        for (int k = i; k < count; ++k) {
            int is_same = carried >= 0 ? carried_body(world, &rows[k]) == carried
                                       : rows[k].body_a == rows[i].body_a && rows[k].body_b == rows[i].body_b;
            if (rows[k].is_grouped || !is_same) {
                continue;
            }
            abut_event_frame other = abut_event_row_frame(world, &rows[k]);
            double height = abut_dot(normal, abut_sub(other.point, frame.point));
            if (abut_dot(carrying_normal(&rows[k], &other, carried), normal) >
                    1.0 - 0.5 * same_normal * same_normal &&
                fabs(height) <= rows[i].tolerance) {
                rows[k].is_grouped = 1;
                room[size++] = k;
            }
        }
        if (size > 4) {
            mark_group(world, rows, room, size, normal);
        }
    }
}
