// SPDX-License-Identifier: MIT
// convex_polygon.c: the polygon in which a face of one convex solid lies on a face of another
//
// The polygon is convex, so its corners are in the order of their angles about their middle. If all nodes are such
// corners, each well away from the others and from a straight line, and no other faces at its sides are parallel, then
// abut_regions_find() makes one region of them: the normal separates the solids at every edge and corner, so no
// segment or point is necessary beside it. Anything else is left to abut_regions_find().
#include "region/convex_task.h"

enum { CORNERS = 16 }; ///< at most; polygons of boxes have up to 8

/// The faces that may lie on each other, as indices in the near faces: those most along the normal.
static void find_faces(const abut_convex_task *task, int slots[2])
{
    for (int side = 0; side < 2; ++side) {
        const abut_near_side *near = &task->sides[side];
        double best = -HUGE_VAL, sign = side == 0 ? 1.0 : -1.0;
        slots[side] = 0;
        for (int i = 0; i < near->face_count; ++i) {
            double cosine = sign * abut_dot(near->normals[i], task->normal);
            if (cosine > best) {
                best = cosine;
                slots[side] = i;
            }
        }
    }
}

/// Whether the two faces oppose each other well within the angle.
static int is_flat(const abut_convex_task *task, const int slots[2])
{
    abut_vec3 sum = abut_add(task->sides[0].normals[slots[0]], task->sides[1].normals[slots[1]]);
    double angle = task->limits->angle;
    return abut_norm_squared(sum) <= 0.25 * angle * angle;
}

/// Grows with the angle of (x, y), from 0 at the x axis to 4.
static double pseudo_angle(double x, double y)
{
    return y >= 0.0 ? (x >= 0.0 ? y / (x + y) : 1.0 - x / (y - x))
                    : (x < 0.0 ? 2.0 + y / (x + y) : 3.0 + x / (x - y));
}

/// Sorts the nodes by their angles about their middle, counter-clockwise seen along the normal, from node 0 on.
static void sort_around(const abut_convex_task *task, abut_vec3 normal, int ring[CORNERS])
{
    int count = task->node_count;
    double angles[CORNERS];
    abut_vec3 middle = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        middle = abut_add(middle, task->nodes[i].point_a);
    }
    middle = abut_scale(1.0 / count, middle);
    abut_vec3 u = abut_sub(task->nodes[0].point_a, middle), v = abut_cross(normal, u);
    ring[0] = 0;
    for (int i = 1; i < count; ++i) {
        abut_vec3 d = abut_sub(task->nodes[i].point_a, middle);
        double angle = pseudo_angle(abut_dot(u, d), abut_dot(v, d));
        int at = i;
        for (; at > 1 && angle < angles[at - 1]; --at) {
            angles[at] = angles[at - 1];
            ring[at] = ring[at - 1];
        }
        angles[at] = angle;
        ring[at] = i;
    }
}

static int is_on_edge(const abut_region_model *model, abut_entity entity, int edge)
{
    const int *ends = model->brep.edges[edge].vertices;
    return entity.kind == ABUT_ENTITY_EDGE     ? entity.index == edge
           : entity.kind == ABUT_ENTITY_VERTEX ? ends[0] == entity.index || ends[1] == entity.index
                                               : 0;
}

/// The edge that holds both entities, or -1.
static int common_edge(const abut_region_model *model, abut_entity x, abut_entity y)
{
    if (x.kind == ABUT_ENTITY_EDGE || y.kind == ABUT_ENTITY_EDGE) {
        int edge = x.kind == ABUT_ENTITY_EDGE ? x.index : y.index;
        return is_on_edge(model, x, edge) && is_on_edge(model, y, edge) ? edge : -1;
    }
    if (x.kind != ABUT_ENTITY_VERTEX || y.kind != ABUT_ENTITY_VERTEX) {
        return -1;
    }
    const abut_brep_vertex *v = &model->brep.vertices[x.index];
    for (int i = 0; i < v->cycle_count; ++i) {
        int edge = model->brep.vertex_cycles[v->cycle_begin + i];
        if (is_on_edge(model, y, edge)) {
            return edge;
        }
    }
    return -1;
}

/// Whether two faces, given by their normals, may lie on each other as well.
static int may_be_flat(const abut_convex_task *task, abut_vec3 m, abut_vec3 n)
{
    double angle = 2.0 * task->limits->angle;
    return abut_dot(m, n) < 0.0 && abut_norm_squared(abut_cross(m, n)) <= angle * angle;
}

/// The normal of the other face at an edge of a face of a side, in A's frame.
static abut_vec3 normal_beyond(const abut_near_side *side, int face, int edge)
{
    const int *faces = side->placed->model->brep.edges[edge].faces;
    return abut_touch_normal(side->placed, faces[0] == face ? faces[1] : faces[0]);
}

/// Whether an edge of one of the solids leads from a node to another, and beyond it no other faces lie on each other.
static int is_side(const abut_convex_task *task, const int slots[2], const abut_touch_node *x,
                   const abut_touch_node *y)
{
    const abut_near_side *a = &task->sides[0], *b = &task->sides[1];
    int edge_a = common_edge(a->placed->model, x->a, y->a), edge_b = common_edge(b->placed->model, x->b, y->b);
    abut_vec3 beyond_a = {0.0, 0.0, 0.0}, beyond_b = beyond_a;
    if (edge_a >= 0) {
        beyond_a = normal_beyond(a, a->faces[slots[0]], edge_a);
        if (may_be_flat(task, beyond_a, b->normals[slots[1]])) {
            return 0;
        }
    }
    if (edge_b >= 0) {
        beyond_b = normal_beyond(b, b->faces[slots[1]], edge_b);
        if (may_be_flat(task, a->normals[slots[0]], beyond_b)) {
            return 0;
        }
    }
    if (edge_a >= 0 && edge_b >= 0) {
        return !may_be_flat(task, beyond_a, beyond_b);
    }
    return edge_a >= 0 || edge_b >= 0;
}

/// Whether the nodes on the ring are corners of a convex polygon: each turns left by more than the tolerance, and a side
/// leads from each to the next.
static int is_convex_ring(const abut_convex_task *task, const int slots[2], const int ring[CORNERS])
{
    int count = task->node_count;
    for (int i = 0; i < count; ++i) {
        const abut_touch_node *before = &task->nodes[ring[i > 0 ? i - 1 : count - 1]];
        const abut_touch_node *node = &task->nodes[ring[i]];
        const abut_touch_node *after = &task->nodes[ring[i + 1 < count ? i + 1 : 0]];
        abut_vec3 along = abut_sub(after->point_a, before->point_a);
        double turn =
            abut_dot(abut_cross(abut_sub(node->point_a, before->point_a), along), task->sides[0].normals[slots[0]]);
        if (turn <= 0.0 || turn * turn <= 1.01 * task->squared * abut_norm_squared(along) ||
            !is_side(task, slots, node, after)) {
            return 0;
        }
    }
    return 1;
}

/// Whether all nodes are on both faces, and further than twice the tolerance from each other.
static int are_corners(const abut_convex_task *task, const int slots[2])
{
    const abut_near_side *a = &task->sides[0], *b = &task->sides[1];
    for (int i = 0; i < task->node_count; ++i) {
        const abut_touch_node *node = &task->nodes[i];
        if (!abut_convex_is_on_face(a->placed->model, node->a, a->faces[slots[0]]) ||
            !abut_convex_is_on_face(b->placed->model, node->b, b->faces[slots[1]])) {
            return 0;
        }
        for (int k = 0; k < i; ++k) {
            if (abut_norm_squared(abut_sub(node->point_a, task->nodes[k].point_a)) <= 4.0 * task->squared) {
                return 0;
            }
        }
    }
    return 1;
}

/// The area of the polygon and its perimeter, as outlines.c finds them.
static double area_of(const abut_convex_task *task, abut_vec3 normal, const int ring[CORNERS], double *perimeter)
{
    abut_vec3 origin = task->nodes[ring[0]].point_a, sum = {0.0, 0.0, 0.0}, p = sum;
    *perimeter = 0.0;
    for (int i = 0; i < task->node_count; ++i) {
        abut_vec3 q = abut_sub(task->nodes[ring[i + 1 < task->node_count ? i + 1 : 0]].point_a, origin);
        sum = abut_add(sum, abut_cross(p, q));
        *perimeter += abut_norm(abut_sub(q, p));
        p = q;
    }
    return 0.5 * abut_dot(sum, normal);
}

/// All that a set of one polygon holds, in one piece of memory.
typedef struct one_polygon {
    abut_touch_region region;
    abut_outline outline;
    abut_directions cone;
    abut_vec3 normal;
    int corners[CORNERS];
} one_polygon;

int abut_convex_find_polygon(const abut_convex_task *task, abut_arena *arena, abut_region_set *set)
{
    int slots[2], ring[CORNERS], count = task->node_count;
    if (count < 3 || count > CORNERS) {
        return 0;
    }
    find_faces(task, slots);
    if (!is_flat(task, slots) || !are_corners(task, slots)) {
        return 0;
    }
    abut_vec3 normal = task->sides[0].normals[slots[0]];
    sort_around(task, normal, ring);
    double perimeter, area = area_of(task, normal, ring, &perimeter);
    one_polygon *made = NULL;
    if (area > 2.0 * task->limits->tolerance * perimeter && is_convex_ring(task, slots, ring)) {
        made = abut_arena_take(arena, sizeof *made);
    }
    if (made == NULL) {
        return 0;
    }
    made->normal = normal;
    made->cone = (abut_directions){&made->normal, 1};
    made->outline = (abut_outline){0, count, 0};
    made->region = (abut_touch_region){
        .a = {ABUT_ENTITY_FACE, task->sides[0].faces[slots[0]]},
        .b = {ABUT_ENTITY_FACE, task->sides[1].faces[slots[1]]},
        .dimension = 2,
        .outline_count = 1,
        .measure = area,
        .feasible = {.clauses = &made->cone, .clause_count = 1, .cones = &made->cone, .cone_count = 1},
        .normals = made->cone,
        .rule = ABUT_RULE_GEOMETRY};
    for (int i = 0; i < count; ++i) {
        made->corners[i] = ring[i];
    }
    *set = (abut_region_set){.regions = &made->region,
                             .region_count = 1,
                             .outlines = &made->outline,
                             .outline_count = 1,
                             .corners = made->corners,
                             .corner_count = count};
    return 1;
}
