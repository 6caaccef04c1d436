// SPDX-License-Identifier: MIT
// convex_nodes.c: the points where corners and edges of two convex solids touch
//
// A corner is on a corner of the other solid, else on an edge, else on faces. Edges that cross make nodes away from
// corners. The tests and their order are those of touch_candidates.c and touch_nodes.c.
#include "prim/compare.h"
#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"
#include "region/convex_task.h"

/// Squared sine of the angle between edges below which their distance is found by the slower, robust function; as in
/// touch_candidates.c.
static const double parallel_edges = 1e-6;

/// Whether a squared distance is within the tolerance.
static inline int is_within(abut_convex_task *task, double squared)
{
    if (squared > task->squared) {
        return 0;
    }
    if (squared > task->inner) {
        task->is_clear = 0;
    }
    return 1;
}

static inline int is_in_box(abut_vec3 p, const abut_box *box, double margin)
{
    return p.x >= box->lower.x - margin && p.x <= box->upper.x + margin && p.y >= box->lower.y - margin &&
           p.y <= box->upper.y + margin && p.z >= box->lower.z - margin && p.z <= box->upper.z + margin;
}

static abut_touch_node *add_node(abut_convex_task *task)
{
    task->is_full |= task->node_count == ABUT_CONVEX_NODES;
    return task->is_full ? NULL : &task->nodes[task->node_count++];
}

static void add_vertex_node(abut_convex_task *task, int side, int slot, abut_entity other, abut_vec3 point,
                            int triangle)
{
    abut_touch_node *node = add_node(task);
    if (node != NULL) {
        const abut_near_side *near = &task->sides[side];
        abut_entity own = {ABUT_ENTITY_VERTEX, near->vertices[slot]};
        node->a = side == 0 ? own : other;
        node->b = side == 0 ? other : own;
        node->point_a = side == 0 ? near->points[slot] : point;
        node->point_b = side == 0 ? point : near->points[slot];
        node->triangle = triangle;
    }
}

/// The nearest corner of the other side within the tolerance of a point. Returns 0 if there is none.
static int find_vertex(abut_convex_task *task, const abut_near_side *other, abut_vec3 p, abut_entity *entity,
                       abut_vec3 *point)
{
    double best = 0.0;
    int found = 0;
    for (int i = 0; i < other->vertex_count; ++i) {
        double squared = abut_norm_squared(abut_sub(other->points[i], p));
        if (is_within(task, squared) && (!found || squared < best)) {
            best = squared;
            found = 1;
            entity->kind = ABUT_ENTITY_VERTEX;
            entity->index = other->vertices[i];
            *point = other->points[i];
        }
    }
    return found;
}

/// The nearest edge of the other side within the tolerance of a point. Returns 0 if there is none.
static int find_edge(abut_convex_task *task, const abut_near_side *other, abut_vec3 p, abut_entity *entity,
                     abut_vec3 *point)
{
    double best = 0.0, reach = 2.0 * task->limits->tolerance;
    int found = 0;
    for (int i = 0; i < other->edge_count; ++i) {
        const abut_near_edge *e = &other->edges[i];
        if (!is_in_box(p, &e->box, reach)) {
            continue;
        }
        double weight, squared = abut_point_segment_distance_squared(p, e->ends[0], e->ends[1], &weight);
        ++task->tested_pairs;
        if (is_within(task, squared) && (!found || squared < best)) {
            best = squared;
            found = 1;
            entity->kind = ABUT_ENTITY_EDGE;
            entity->index = e->edge;
            *point = abut_lerp(e->ends[0], e->ends[1], weight);
        }
    }
    return found;
}

/// A point over a face.
typedef struct face_hit {
    int face, triangle;
    double squared;
    abut_vec3 point;
} face_hit;

/// Whether a point over the plane of a face is within its border.
static int is_over_face(const abut_near_side *side, int slot, abut_vec3 p)
{
    const abut_brep_elements *brep = &side->placed->model->brep;
    const abut_brep_loop *loop = &brep->loops[brep->faces[side->faces[slot]].loop_begin];
    const abut_brep_coedge *coedge = &brep->coedges[loop->coedge_begin], *end = coedge + loop->coedge_count;
    abut_vec3 first = abut_near_corner(side, brep->edges[coedge->edge].vertices[coedge->is_reversed]), from = first;
    for (; coedge != end; ++coedge) {
        abut_vec3 to = coedge + 1 == end
                           ? first
                           : abut_near_corner(side, brep->edges[coedge->edge].vertices[1 - coedge->is_reversed]);
        if (abut_dot(abut_cross(side->normals[slot], abut_sub(to, from)), abut_sub(p, from)) < 0.0) {
            return 0;
        }
        from = to;
    }
    return 1;
}

/// Finds the triangle of a face at a point within the tolerance of the face, over it and away from its border. Returns
/// 0 if there is none.
static int find_face_hit(abut_convex_task *task, const abut_near_side *side, int slot, abut_vec3 p, face_hit *hit)
{
    const abut_region_model *model = side->placed->model;
    const abut_brep_face *f = &model->brep.faces[side->faces[slot]];
    abut_vec3 normal = side->normals[slot];
    hit->triangle = -1;
    for (int i = 0; i < f->triangle_count; ++i) {
        int triangle = model->brep.face_triangles[f->triangle_begin + i], is_inside = 1, is_near = 1;
        const int *vertices = &model->elements.triangles[3 * (size_t)triangle];
        abut_vec3 corners[3];
        for (int k = 0; k < 3; ++k) {
            corners[k] = abut_near_corner(side, model->brep.mesh_vertex_vertices[vertices[k]]);
        }
        double height = abut_dot(normal, abut_sub(p, corners[0]));
        for (int k = 0; k < 3 && is_near; ++k) {
            abut_vec3 edge = abut_sub(corners[k < 2 ? k + 1 : 0], corners[k]);
            double inside = abut_dot(abut_cross(normal, edge), abut_sub(p, corners[k]));
            is_inside &= inside > 0.0;
            is_near = inside >= 0.0 || inside * inside <= 4.0 * task->squared * abut_norm_squared(edge);
        }
        if (!is_near || height * height > task->squared) {
            continue;
        }
        double squared = height * height, weights[3];
        abut_vec3 point = abut_add_scaled(p, -height, normal);
        if (!is_inside) {
            squared = abut_point_triangle_distance_squared(p, corners, weights);
            point = abut_triangle_point(corners, weights);
        }
        if (is_within(task, squared) && (hit->triangle < 0 || squared < hit->squared)) {
            *hit = (face_hit){side->faces[slot], triangle, squared, point};
        }
    }
    return hit->triangle >= 0;
}

/// Makes a node for each face of the other side that a corner is on, the nearest first.
static void find_faces(abut_convex_task *task, int side, int slot)
{
    const abut_near_side *other = &task->sides[1 - side];
    abut_vec3 p = task->sides[side].points[slot];
    face_hit hits[ABUT_NEAR_FACES];
    int count = 0;
    for (int i = 0; i < other->face_count; ++i) {
        // twice the tolerance: the corners of a face are in one plane within less than that
        if (fabs(abut_dot(other->normals[i], p) - other->offsets[i]) > 2.0 * task->limits->tolerance) {
            continue;
        }
        ++task->tested_pairs;
        if (is_over_face(other, i, p) && find_face_hit(task, other, i, p, &hits[count])) {
            face_hit made = hits[count];
            int at = count++;
            for (; at > 0 && (made.squared < hits[at - 1].squared ||
                              (made.squared == hits[at - 1].squared && made.face < hits[at - 1].face));
                 --at) {
                hits[at] = hits[at - 1];
            }
            hits[at] = made;
        }
    }
    for (int i = 0; i < count; ++i) {
        abut_entity entity = {ABUT_ENTITY_FACE, hits[i].face};
        add_vertex_node(task, side, slot, entity, hits[i].point, hits[i].triangle);
    }
}

/// Makes the nodes of the corners of a side: on a corner, else on an edge, else on faces of the other side.
static void find_vertex_nodes(abut_convex_task *task, int side)
{
    const abut_near_side *own = &task->sides[side], *other = &task->sides[1 - side];
    for (int i = 0; i < own->vertex_count; ++i) {
        abut_entity entity;
        abut_vec3 point, p = own->points[i];
        if (!is_in_box(p, &other->box, 2.0 * task->limits->tolerance)) {
            continue;
        }
        if (find_vertex(task, other, p, &entity, &point)) {
            if (side == 0) { // a corner of B on one of A was found from A
                add_vertex_node(task, side, i, entity, point, -1);
            }
        } else if (find_edge(task, other, p, &entity, &point)) {
            add_vertex_node(task, side, i, entity, point, -1);
        } else {
            find_faces(task, side, i);
        }
    }
}

/// Clamps a place along an edge to 0..1. Returns 0 if it was further than the tolerance beyond an end.
static int clamp_place(abut_convex_task *task, double *x, double length_squared)
{
    double beyond = *x < 0.0 ? -*x : *x > 1.0 ? *x - 1.0 : 0.0;
    *x = *x < 0.0 ? 0.0 : *x > 1.0 ? 1.0 : *x;
    return is_within(task, beyond * beyond * length_squared);
}

/// Whether two edges run along each other: within the tolerance wherever they are side by side.
static int run_together(abut_convex_task *task, const abut_vec3 a[2], const abut_vec3 b[2])
{
    int near = 0;
    for (int i = 0; i < 4; ++i) {
        double weight;
        const abut_vec3 *own = i < 2 ? a : b, *other = i < 2 ? b : a;
        double squared = abut_point_segment_distance_squared(own[i % 2], other[0], other[1], &weight);
        int is_near = is_within(task, squared);
        if (weight > 0.0 && weight < 1.0 && !is_near) {
            return 0;
        }
        near += is_near;
    }
    return near >= 2;
}

/// The points at which two edges are nearest to each other. Returns 0 if they are further apart than the tolerance, or
/// within it only beyond an end, where the corner is tested instead, or if they run along each other.
static int find_crossing(abut_convex_task *task, const abut_near_edge *a, const abut_near_edge *b,
                         abut_vec3 points[2])
{
    abut_vec3 u = abut_sub(a->ends[1], a->ends[0]), v = abut_sub(b->ends[1], b->ends[0]);
    abut_vec3 offset = abut_sub(b->ends[0], a->ends[0]), n = abut_cross(u, v);
    double uu = abut_norm_squared(u), vv = abut_norm_squared(v), nn = abut_norm_squared(n), x, y;
    if (nn > parallel_edges * uu * vv) {
        double distance = abut_dot(offset, n);
        if (distance * distance > task->squared * nn) {
            return 0;
        }
        x = abut_dot(abut_cross(offset, v), n) / nn;
        y = abut_dot(abut_cross(offset, u), n) / nn;
        if (!clamp_place(task, &x, uu) || !clamp_place(task, &y, vv)) {
            return 0;
        }
    } else if (run_together(task, a->ends, b->ends)) {
        return 0;
    } else {
        (void)abut_segment_segment_distance_squared(a->ends[0], a->ends[1], b->ends[0], b->ends[1], &x, &y);
    }
    points[0] = abut_add_scaled(a->ends[0], x, u);
    points[1] = abut_add_scaled(b->ends[0], y, v);
    return is_within(task, abut_norm_squared(abut_sub(points[1], points[0])));
}

static void test_edges(abut_convex_task *task, const abut_near_edge *a, const abut_near_edge *b, int vertex_nodes)
{
    abut_vec3 points[2];
    ++task->tested_pairs;
    if (!find_crossing(task, a, b, points)) {
        return;
    }
    for (int end = 0; end < 2; ++end) { // crossings near a corner are left to that corner
        if (is_within(task, abut_norm_squared(abut_sub(a->ends[end], points[1]))) ||
            is_within(task, abut_norm_squared(abut_sub(b->ends[end], points[0])))) {
            return;
        }
    }
    if (run_together(task, a->ends, b->ends)) {
        return;
    }
    for (int i = 0; i < vertex_nodes; ++i) {
        if (is_within(task, abut_norm_squared(abut_sub(task->nodes[i].point_a, points[0])))) {
            return;
        }
    }
    abut_touch_node *node = add_node(task);
    if (node != NULL) {
        node->a = (abut_entity){ABUT_ENTITY_EDGE, a->edge};
        node->b = (abut_entity){ABUT_ENTITY_EDGE, b->edge};
        node->point_a = points[0];
        node->point_b = points[1];
        node->triangle = -1;
    }
}

static void find_edge_nodes(abut_convex_task *task)
{
    const abut_near_side *a = &task->sides[0], *b = &task->sides[1];
    double tolerance = task->limits->tolerance;
    int vertex_nodes = task->node_count, count = 0;
    const abut_near_edge *near[ABUT_NEAR_EDGES]; // of B, near anything of A
    for (int i = 0; i < b->edge_count; ++i) {
        near[count] = &b->edges[i];
        count += abut_boxes_are_near(b->edges[i].box, a->box, tolerance);
    }
    for (int i = 0; i < a->edge_count && count > 0; ++i) {
        if (!abut_boxes_are_near(a->edges[i].box, b->box, tolerance)) {
            continue;
        }
        for (int k = 0; k < count; ++k) {
            if (abut_boxes_are_near(a->edges[i].box, near[k]->box, tolerance)) {
                test_edges(task, &a->edges[i], near[k], vertex_nodes);
            }
        }
    }
}

void abut_convex_find_nodes(abut_convex_task *task)
{
    find_vertex_nodes(task, 0);
    find_vertex_nodes(task, 1);
    find_edge_nodes(task);
}
