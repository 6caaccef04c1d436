// SPDX-License-Identifier: MIT
// convex_touch.c: where two convex solids touch
//
// Two parallel planes with normal n support the solids. Nothing touches that is further behind its own plane than the
// tolerance is beyond the distance of the planes, so only the corners in two thin slabs, and the edges and faces at
// them, are looked at. These get the tests of touch_candidates.c, touch_nodes.c and touch_intervals.c, whose results
// do not depend on what else is tested; so the choice of n does not matter, as long as the solids hardly overlap along
// it.
#include "region/convex_touch.h"

#include "prim/compare.h"
#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

#include <string.h>

enum {
    NEAR_VERTICES = 24, ///< of one solid; a slab seldom holds more than one face
    NEAR_EDGES = 40,
    NEAR_FACES = 40,
    NODE_LIMIT = 64,
    INTERVAL_LIMIT = 96
};

/// Squared sine of the angle between edges below which their distance is found by the slower, robust function; as in
/// touch_candidates.c.
static const double parallel_edges = 1e-6;

typedef struct near_edge {
    int edge;
    abut_vec3 ends[2]; ///< in the direction of the triangle that owns it
    abut_box box;      ///< of its part in the slab
} near_edge;

/// What of a solid is in its slab, in A's frame.
typedef struct near_side {
    const abut_touch_side *placed;
    const abut_convex_solid *solid;
    int vertex_count, edge_count, face_count;
    int vertices[NEAR_VERTICES]; ///< ascending
    abut_vec3 points[NEAR_VERTICES];
    near_edge edges[NEAR_EDGES]; ///< ascending
    int faces[NEAR_FACES];
    abut_vec3 normals[NEAR_FACES];
    double offsets[NEAR_FACES];           ///< of their planes: normal . p
    double heights[ABUT_CONVEX_FEW];      ///< of all corners, along the normal
    signed char slots[ABUT_CONVEX_FEW];   ///< by corner: its index in `vertices`, or -1
    unsigned char known[ABUT_CONVEX_FEW]; ///< by face: whether it is in `faces`
} near_side;

typedef struct touch_task {
    const abut_touch_limits *limits;
    double squared; ///< the square of the tolerance
    near_side sides[2];
    abut_touch_node *nodes;
    int node_count;
    abut_touch_interval *intervals;
    int interval_count;
    int64_t tested_pairs;
    int is_full; ///< more touches than fits
} touch_task;

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static inline abut_box box_of_two(abut_vec3 p, abut_vec3 q)
{
    abut_box box = {{lesser(p.x, q.x), lesser(p.y, q.y), lesser(p.z, q.z)},
                    {greater(p.x, q.x), greater(p.y, q.y), greater(p.z, q.z)}};
    return box;
}

static inline int is_in_box(abut_vec3 p, const abut_box *box, double margin)
{
    return p.x >= box->lower.x - margin && p.x <= box->upper.x + margin && p.y >= box->lower.y - margin &&
           p.y <= box->upper.y + margin && p.z >= box->lower.z - margin && p.z <= box->upper.z + margin;
}

// ---- the slabs

/// Fills in the heights of all corners along n, which is in A's frame; returns the highest for sign 1, else the lowest.
static double find_heights(near_side *side, abut_vec3 n, double sign)
{
    abut_vec3 local = abut_mat3_apply_transposed(side->placed->rotation, n);
    double offset = abut_dot(n, side->placed->translation), extreme = -HUGE_VAL;
    for (int i = 0; i < side->solid->corner_count; ++i) {
        side->heights[i] = abut_dot(local, side->solid->corners[i]) + offset;
        extreme = greater(extreme, sign * side->heights[i]);
    }
    return sign * extreme;
}

/// A corner of the B-rep in A's frame.
static abut_vec3 corner_point(const near_side *side, int vertex)
{
    int slot = side->slots[vertex];
    return slot >= 0 ? side->points[slot] : abut_touch_place(side->placed, side->solid->corners[vertex]);
}

static int add_face(near_side *side, int face)
{
    if (side->known[face]) {
        return 1;
    }
    side->known[face] = 1;
    if (side->face_count == NEAR_FACES) {
        return 0;
    }
    const abut_brep_face *f = &side->placed->model->brep.faces[face];
    abut_vec3 normal = abut_mat3_apply(side->placed->rotation, f->normal);
    side->normals[side->face_count] = normal;
    side->offsets[side->face_count] = f->offset + abut_dot(normal, side->placed->translation);
    side->faces[side->face_count++] = face;
    return 1;
}

/// Adds an edge with an end in the slab.
static int add_edge(near_side *side, int index, double limit)
{
    const abut_convex_solid_edge *e = &side->solid->edges[index];
    if (side->edge_count == NEAR_EDGES) {
        return 0;
    }
    near_edge *made = &side->edges[side->edge_count++];
    made->edge = index;
    for (int k = 0; k < 2; ++k) {
        made->ends[k] = corner_point(side, e->vertices[k]);
    }
    abut_vec3 inner[2] = {made->ends[0], made->ends[1]};
    for (int k = 0; k < 2; ++k) {
        if (side->slots[e->vertices[k]] < 0) { // where the edge leaves the slab
            double near = side->heights[e->vertices[1 - k]], far = side->heights[e->vertices[k]];
            inner[k] = abut_lerp(made->ends[1 - k], made->ends[k], (near - limit) / (near - far));
        }
    }
    made->box = box_of_two(inner[0], inner[1]);
    return add_face(side, e->faces[0]) && add_face(side, e->faces[1]);
}

/// Collects what is beyond the height `limit`: above it for sign 1, else below. Returns 0 if it is too much.
static int collect(near_side *side, double limit, double sign)
{
    const abut_convex_solid *solid = side->solid;
    side->vertex_count = side->edge_count = side->face_count = 0;
    memset(side->known, 0, (size_t)solid->face_count);
    for (int i = 0; i < solid->corner_count; ++i) {
        side->slots[i] = -1;
        if (sign * side->heights[i] >= sign * limit) {
            if (side->vertex_count == NEAR_VERTICES) {
                return 0;
            }
            side->slots[i] = (signed char)side->vertex_count;
            side->points[side->vertex_count] = abut_touch_place(side->placed, solid->corners[i]);
            side->vertices[side->vertex_count++] = i;
        }
    }
    for (int i = 0; i < solid->edge_count; ++i) {
        const int *ends = solid->edges[i].vertices;
        if ((side->slots[ends[0]] >= 0 || side->slots[ends[1]] >= 0) && !add_edge(side, i, limit)) {
            return 0;
        }
    }
    return 1;
}

// ---- nodes

static abut_touch_node *add_node(touch_task *task)
{
    task->is_full |= task->node_count == NODE_LIMIT;
    return task->is_full ? NULL : &task->nodes[task->node_count++];
}

static void add_vertex_node(touch_task *task, int side, int slot, abut_entity other, abut_vec3 point, int triangle)
{
    abut_touch_node *node = add_node(task);
    if (node != NULL) {
        const near_side *near = &task->sides[side];
        abut_entity own = {ABUT_ENTITY_VERTEX, near->vertices[slot]};
        node->a = side == 0 ? own : other;
        node->b = side == 0 ? other : own;
        node->point_a = side == 0 ? near->points[slot] : point;
        node->point_b = side == 0 ? point : near->points[slot];
        node->triangle = triangle;
    }
}

/// The nearest corner of the other side within the tolerance of a point. Returns 0 if there is none.
static int find_vertex(const touch_task *task, const near_side *other, abut_vec3 p, abut_entity *entity,
                       abut_vec3 *point)
{
    double best = task->squared;
    int found = 0;
    for (int i = 0; i < other->vertex_count; ++i) {
        double squared = abut_norm_squared(abut_sub(other->points[i], p));
        if (squared < best || (!found && squared <= best)) {
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
static int find_edge(touch_task *task, const near_side *other, abut_vec3 p, abut_entity *entity, abut_vec3 *point)
{
    double best = task->squared, reach = 2.0 * task->limits->tolerance;
    int found = 0;
    for (int i = 0; i < other->edge_count; ++i) {
        const near_edge *e = &other->edges[i];
        if (!is_in_box(p, &e->box, reach)) {
            continue;
        }
        double weight, squared = abut_point_segment_distance_squared(p, e->ends[0], e->ends[1], &weight);
        ++task->tested_pairs;
        if (squared < best || (!found && squared <= best)) {
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
static int is_over_face(const near_side *side, int slot, abut_vec3 p)
{
    const abut_brep_elements *brep = &side->placed->model->brep;
    const abut_brep_loop *loop = &brep->loops[brep->faces[side->faces[slot]].loop_begin];
    const abut_brep_coedge *coedge = &brep->coedges[loop->coedge_begin], *end = coedge + loop->coedge_count;
    abut_vec3 first = corner_point(side, brep->edges[coedge->edge].vertices[coedge->is_reversed]), from = first;
    for (; coedge != end; ++coedge) {
        abut_vec3 to = coedge + 1 == end
                           ? first
                           : corner_point(side, brep->edges[coedge->edge].vertices[1 - coedge->is_reversed]);
        if (abut_dot(abut_cross(side->normals[slot], abut_sub(to, from)), abut_sub(p, from)) < 0.0) {
            return 0;
        }
        from = to;
    }
    return 1;
}

/// Finds the triangle of a face at a point within the tolerance of the face, over it and away from its border. Returns
/// 0 if there is none.
static int find_face_hit(const touch_task *task, const near_side *side, int slot, abut_vec3 p, face_hit *hit)
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
            corners[k] = corner_point(side, model->brep.mesh_vertex_vertices[vertices[k]]);
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
        if (squared <= task->squared && (hit->triangle < 0 || squared < hit->squared)) {
            *hit = (face_hit){side->faces[slot], triangle, squared, point};
        }
    }
    return hit->triangle >= 0;
}

/// Makes a node for each face of the other side that a corner is on, the nearest first.
static void find_faces(touch_task *task, int side, int slot)
{
    const near_side *other = &task->sides[1 - side];
    abut_vec3 p = task->sides[side].points[slot];
    face_hit hits[NEAR_FACES];
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
static void find_vertex_nodes(touch_task *task, int side)
{
    const near_side *own = &task->sides[side], *other = &task->sides[1 - side];
    for (int i = 0; i < own->vertex_count; ++i) {
        abut_entity entity;
        abut_vec3 point;
        if (find_vertex(task, other, own->points[i], &entity, &point)) {
            if (side == 0) { // a corner of B on one of A was found from A
                add_vertex_node(task, side, i, entity, point, -1);
            }
        } else if (find_edge(task, other, own->points[i], &entity, &point)) {
            add_vertex_node(task, side, i, entity, point, -1);
        } else {
            find_faces(task, side, i);
        }
    }
}

/// Clamps a place along an edge to 0..1. Returns 0 if it was further than the tolerance beyond an end.
static int clamp_place(double *x, double length_squared, double tolerance_squared)
{
    double beyond = *x < 0.0 ? -*x : *x > 1.0 ? *x - 1.0 : 0.0;
    *x = *x < 0.0 ? 0.0 : *x > 1.0 ? 1.0 : *x;
    return beyond * beyond * length_squared <= tolerance_squared;
}

/// Whether two edges run along each other: within the tolerance wherever they are side by side.
static int run_together(const touch_task *task, const abut_vec3 a[2], const abut_vec3 b[2])
{
    int near = 0;
    for (int i = 0; i < 4; ++i) {
        double weight;
        const abut_vec3 *own = i < 2 ? a : b, *other = i < 2 ? b : a;
        double squared = abut_point_segment_distance_squared(own[i % 2], other[0], other[1], &weight);
        if (weight > 0.0 && weight < 1.0 && squared > task->squared) {
            return 0;
        }
        near += squared <= task->squared;
    }
    return near >= 2;
}

/// The points at which two edges are nearest to each other. Returns 0 if they are further apart than the tolerance, or
/// within it only beyond an end, where the corner is tested instead, or if they run along each other.
static int find_crossing(const touch_task *task, const near_edge *a, const near_edge *b, abut_vec3 points[2])
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
        if (!clamp_place(&x, uu, task->squared) || !clamp_place(&y, vv, task->squared)) {
            return 0;
        }
    } else if (run_together(task, a->ends, b->ends)) {
        return 0;
    } else {
        (void)abut_segment_segment_distance_squared(a->ends[0], a->ends[1], b->ends[0], b->ends[1], &x, &y);
    }
    points[0] = abut_add_scaled(a->ends[0], x, u);
    points[1] = abut_add_scaled(b->ends[0], y, v);
    return abut_norm_squared(abut_sub(points[1], points[0])) <= task->squared;
}

static void test_edges(touch_task *task, const near_edge *a, const near_edge *b, int vertex_nodes)
{
    abut_vec3 points[2];
    ++task->tested_pairs;
    if (!find_crossing(task, a, b, points)) {
        return;
    }
    for (int end = 0; end < 2; ++end) { // crossings near a corner are left to that corner
        if (abut_norm_squared(abut_sub(a->ends[end], points[1])) <= task->squared ||
            abut_norm_squared(abut_sub(b->ends[end], points[0])) <= task->squared) {
            return;
        }
    }
    if (run_together(task, a->ends, b->ends)) {
        return;
    }
    for (int i = 0; i < vertex_nodes; ++i) {
        if (abut_norm_squared(abut_sub(task->nodes[i].point_a, points[0])) <= task->squared) {
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

static void find_edge_nodes(touch_task *task)
{
    int vertex_nodes = task->node_count;
    for (int i = 0; i < task->sides[0].edge_count; ++i) {
        const near_edge *a = &task->sides[0].edges[i];
        for (int k = 0; k < task->sides[1].edge_count; ++k) {
            const near_edge *b = &task->sides[1].edges[k];
            if (abut_boxes_are_near(a->box, b->box, task->limits->tolerance)) {
                test_edges(task, a, b, vertex_nodes);
            }
        }
    }
}

// ---- overlaps

/// Whether the point in which an edge runs through the plane of a face is further than the tolerance within its border.
static int is_well_inside(const touch_task *task, const near_side *side, int slot, abut_vec3 p)
{
    const abut_brep_elements *brep = &side->placed->model->brep;
    const abut_brep_loop *loop = &brep->loops[brep->faces[side->faces[slot]].loop_begin];
    for (int i = 0; i < loop->coedge_count; ++i) {
        const abut_brep_coedge *coedge = &brep->coedges[loop->coedge_begin + i];
        abut_vec3 from = corner_point(side, brep->edges[coedge->edge].vertices[coedge->is_reversed]);
        abut_vec3 to = corner_point(side, brep->edges[coedge->edge].vertices[1 - coedge->is_reversed]);
        abut_vec3 along = abut_sub(to, from);
        double inside = abut_dot(abut_cross(side->normals[slot], along), abut_sub(p, from));
        if (inside <= 0.0 || inside * inside <= task->squared * abut_norm_squared(along)) {
            return 0;
        }
    }
    return 1;
}

/// Whether an edge of one solid runs through a face of the other, further than the tolerance on both sides of its plane
/// and away from its border.
static int has_piercing_edge(const touch_task *task)
{
    double tolerance = task->limits->tolerance;
    for (int side = 0; side < 2; ++side) {
        const near_side *own = &task->sides[side], *other = &task->sides[1 - side];
        for (int i = 0; i < own->edge_count; ++i) {
            const abut_vec3 *ends = own->edges[i].ends;
            for (int k = 0; k < other->face_count; ++k) {
                double from = abut_dot(other->normals[k], ends[0]) - other->offsets[k];
                double to = abut_dot(other->normals[k], ends[1]) - other->offsets[k];
                if (lesser(from, to) < -tolerance && greater(from, to) > tolerance &&
                    is_well_inside(task, other, k, abut_lerp(ends[0], ends[1], from / (from - to)))) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

/// The box of a solid along the axes of A's frame, around the box of its mesh.
static abut_box box_of(const abut_touch_side *placed)
{
    abut_box local = placed->model->elements.bounds;
    abut_vec3 half = abut_scale(0.5, abut_sub(local.upper, local.lower));
    abut_vec3 middle = abut_touch_place(placed, abut_box_center(local));
    abut_mat3 r = {abut_abs(placed->rotation.x), abut_abs(placed->rotation.y), abut_abs(placed->rotation.z)};
    abut_vec3 extent = abut_mat3_apply(r, half);
    abut_box box = {abut_sub(middle, extent), abut_add(middle, extent)};
    return box;
}

/// Whether these boxes overlap by more than half the tolerance. If not, abut_touch_find() looks for no overlap.
static int boxes_overlap(const touch_task *task)
{
    abut_box a = box_of(task->sides[0].placed), b = box_of(task->sides[1].placed);
    abut_vec3 depth = abut_sub(abut_min(a.upper, b.upper), abut_max(a.lower, b.lower));
    double least = 0.5 * task->limits->tolerance;
    return depth.x > least && depth.y > least && depth.z > least;
}

// ---- intervals

/// A node on an edge.
typedef struct stop {
    int node;
    double place; ///< grows along the edge; infinite at its ends
} stop;

/// The nodes on an edge of a side, in its direction; returns how many.
static int find_stops(const touch_task *task, int side, const near_edge *e, stop stops[NODE_LIMIT])
{
    const near_side *near = &task->sides[side];
    const int *ends = near->placed->model->brep.edges[e->edge].vertices;
    int is_turned = near->solid->edges[e->edge].vertices[0] != ends[0], count = 0;
    abut_vec3 along = abut_sub(e->ends[1 - is_turned], e->ends[is_turned]);
    for (int i = 0; i < task->node_count; ++i) {
        const abut_touch_node *node = &task->nodes[i];
        abut_entity own = side == 0 ? node->a : node->b;
        stop made = {i, 0.0};
        if (own.kind == ABUT_ENTITY_EDGE && own.index == e->edge) {
            made.place = abut_dot(along, side == 0 ? node->point_a : node->point_b);
        } else if (own.kind == ABUT_ENTITY_VERTEX && (own.index == ends[0] || own.index == ends[1])) {
            made.place = own.index == ends[0] ? -HUGE_VAL : HUGE_VAL;
        } else {
            continue;
        }
        int at = count++;
        for (; at > 0 && made.place < stops[at - 1].place; --at) {
            stops[at] = stops[at - 1];
        }
        stops[at] = made;
    }
    return count;
}

static int is_on_edge(const abut_region_model *model, abut_entity entity, int edge)
{
    const int *ends = model->brep.edges[edge].vertices;
    return (entity.kind == ABUT_ENTITY_EDGE && entity.index == edge) ||
           (entity.kind == ABUT_ENTITY_VERTEX && (ends[0] == entity.index || ends[1] == entity.index));
}

/// The edge of a side that holds both entities and passes within the tolerance of p, or -1.
static int common_edge(const touch_task *task, int side, abut_entity x, abut_entity y, abut_vec3 p)
{
    const abut_touch_side *placed = task->sides[side].placed;
    const abut_brep_elements *brep = &placed->model->brep;
    int count = x.kind == ABUT_ENTITY_EDGE ? 1 : 0;
    const int *candidates = &x.index;
    if (x.kind == ABUT_ENTITY_VERTEX) {
        count = brep->vertices[x.index].cycle_count;
        candidates = brep->vertex_cycles + brep->vertices[x.index].cycle_begin;
    }
    for (int i = 0; i < count; ++i) {
        double weight;
        int edge = candidates[i];
        if (is_on_edge(placed->model, y, edge) &&
            abut_point_segment_distance_squared(p, abut_touch_edge_end(placed, edge, 0),
                                                abut_touch_edge_end(placed, edge, 1), &weight) <= task->squared) {
            return edge;
        }
    }
    return -1;
}

/// Whether an entity is the face or on its border.
static int is_on_face(const abut_region_model *model, abut_entity entity, int face)
{
    if (entity.kind == ABUT_ENTITY_FACE) {
        return entity.index == face;
    }
    if (entity.kind == ABUT_ENTITY_EDGE) {
        const int *faces = model->brep.edges[entity.index].faces;
        return faces[0] == face || faces[1] == face;
    }
    const abut_brep_vertex *v = &model->brep.vertices[entity.index];
    for (int i = 0; i < v->cycle_count; ++i) {
        if (abut_region_left_face(model, model->brep.vertex_cycles[v->cycle_begin + i], entity.index) == face) {
            return 1;
        }
    }
    return 0;
}

/// A face that holds both entities, or -1.
static int common_face(const abut_region_model *model, abut_entity x, abut_entity y)
{
    int count = 1;
    if (x.kind != ABUT_ENTITY_FACE) {
        count = x.kind == ABUT_ENTITY_EDGE ? 2 : model->brep.vertices[x.index].cycle_count;
    }
    for (int i = 0; i < count; ++i) {
        int face = x.index;
        if (x.kind == ABUT_ENTITY_EDGE) {
            face = model->brep.edges[x.index].faces[i];
        } else if (x.kind == ABUT_ENTITY_VERTEX) {
            int edge = model->brep.vertex_cycles[model->brep.vertices[x.index].cycle_begin + i];
            face = abut_region_left_face(model, edge, x.index);
        }
        if (is_on_face(model, y, face)) {
            return face;
        }
    }
    return -1;
}

/// The face of a side within the tolerance of p, or -1.
static int face_at(const touch_task *task, int side, abut_vec3 p)
{
    const abut_touch_side *placed = task->sides[side].placed;
    abut_vec3 local = abut_mat3_apply_transposed(placed->rotation, abut_sub(p, placed->translation));
    abut_tree_hit hit = abut_tree_nearest(placed->tree, local, task->limits->tolerance);
    return hit.element >= 0 ? placed->model->brep.triangle_faces[hit.element] : -1;
}

/// Adds the interval of an edge of `side` between two nodes, if the edge lies on the other solid there.
static void add_interval(touch_task *task, int side, int edge, int from, int to)
{
    const abut_touch_node *nodes[2] = {&task->nodes[from], &task->nodes[to]};
    abut_vec3 p = side == 0 ? nodes[0]->point_a : nodes[0]->point_b;
    abut_vec3 q = side == 0 ? nodes[1]->point_a : nodes[1]->point_b;
    if (abut_norm_squared(abut_sub(nodes[1]->point_a, nodes[0]->point_a)) <= task->squared) {
        return;
    }
    abut_vec3 middle = abut_lerp(p, q, 0.5);
    abut_entity own = {ABUT_ENTITY_EDGE, edge}, other = {ABUT_ENTITY_EDGE, -1};
    abut_entity x = side == 0 ? nodes[0]->b : nodes[0]->a, y = side == 0 ? nodes[1]->b : nodes[1]->a;
    other.index = common_edge(task, 1 - side, x, y, middle);
    if (other.index >= 0 && side == 1) {
        return; // already found from A's edge
    }
    if (other.index < 0) {
        other.kind = ABUT_ENTITY_FACE;
        other.index = common_face(task->sides[1 - side].placed->model, x, y);
        other.index = other.index >= 0 ? other.index : face_at(task, 1 - side, middle);
    }
    task->is_full |= task->interval_count == INTERVAL_LIMIT;
    if (other.index >= 0 && !task->is_full) {
        task->intervals[task->interval_count++] =
            (abut_touch_interval){side == 0 ? own : other, side == 0 ? other : own, {from, to}};
    }
}

static void find_intervals(touch_task *task, int side)
{
    stop stops[NODE_LIMIT];
    for (int i = 0; i < task->sides[side].edge_count; ++i) {
        const near_edge *e = &task->sides[side].edges[i];
        int count = find_stops(task, side, e, stops);
        for (int k = 1; k < count; ++k) {
            add_interval(task, side, e->edge, stops[k - 1].node, stops[k].node);
        }
    }
}

// ---- all of it

/// Fills in the task's result.
static void find_all(touch_task *task, double gap, int *is_overlapping)
{
    *is_overlapping = gap < 0.0 && has_piercing_edge(task) && boxes_overlap(task);
    if (!*is_overlapping) {
        find_vertex_nodes(task, 0);
        find_vertex_nodes(task, 1);
        find_edge_nodes(task);
        find_intervals(task, 0);
        find_intervals(task, 1);
    }
}

int abut_convex_touch_find(abut_arena *arena, const abut_touch_side sides[2],
                           const abut_convex_solid *const solids[2], const abut_touch_limits *limits,
                           abut_vec3 normal, abut_touch *touch)
{
    double tolerance = limits->tolerance;
    touch_task task; // its sides are large, so they are not set to zero
    task.limits = limits;
    task.squared = tolerance * tolerance;
    task.node_count = task.interval_count = task.is_full = 0;
    task.tested_pairs = 0;
    if (solids[0]->corners == NULL || solids[1]->corners == NULL) {
        return ABUT_CONVEX_TOUCH_REFUSED;
    }
    for (int i = 0; i < 2; ++i) {
        task.sides[i].placed = &sides[i];
        task.sides[i].solid = solids[i];
    }
    double highest = find_heights(&task.sides[0], normal, 1.0);
    double lowest = find_heights(&task.sides[1], normal, -1.0);
    // a little more than the tolerance leaves room for rounding
    double reach = 1.01 * tolerance + abut_convex_unsure(solids, sides[1].translation);
    if (lowest - highest < -0.5 * tolerance || !collect(&task.sides[0], lowest - reach, 1.0) ||
        !collect(&task.sides[1], highest + reach, -1.0)) {
        return ABUT_CONVEX_TOUCH_REFUSED;
    }
    task.nodes = abut_arena_take(arena, NODE_LIMIT * sizeof *task.nodes);
    task.intervals = abut_arena_take(arena, INTERVAL_LIMIT * sizeof *task.intervals);
    if (task.nodes == NULL || task.intervals == NULL) {
        return ABUT_CONVEX_TOUCH_NO_MEMORY;
    }
    int is_overlapping;
    find_all(&task, lowest - highest, &is_overlapping);
    if (task.is_full) {
        return ABUT_CONVEX_TOUCH_REFUSED;
    }
    const near_side *a = &task.sides[0], *b = &task.sides[1];
    *touch = (abut_touch){.sides = {sides[0], sides[1]},
                          .tolerance = tolerance,
                          .angle = limits->angle,
                          .arena = arena,
                          .small_parts = touch->small_parts,
                          .nodes = task.nodes,
                          .node_count = task.node_count,
                          .intervals = task.intervals,
                          .interval_count = task.interval_count,
                          .overlaps = is_overlapping,
                          .candidate_pairs = (int64_t)a->face_count * b->face_count,
                          .tested_pairs = task.tested_pairs};
    return ABUT_CONVEX_TOUCH_FOUND;
}
