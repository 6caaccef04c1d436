// SPDX-License-Identifier: MIT
// convex_intervals.c: the segments between the points where two convex solids touch
//
// Does what touch_intervals.c does, for the edges near the other solid.
#include "region/convex_task.h"

/// A node on an edge.
typedef struct stop {
    int node;
    double place; ///< grows along the edge; infinite at its ends
} stop;

/// The nodes on an edge of a side, in its direction; returns how many.
static int find_stops(const abut_convex_task *task, int side, const abut_near_edge *e,
                      stop stops[ABUT_CONVEX_NODES])
{
    const abut_near_side *near = &task->sides[side];
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

/// The edge that holds both entities, or -1. Nodes on it and on an edge of the other solid need no further test, as in
/// touch_intervals.c.
static int common_edge(const abut_region_model *model, abut_entity x, abut_entity y)
{
    const abut_brep_elements *brep = &model->brep;
    int count = x.kind == ABUT_ENTITY_EDGE ? 1 : 0;
    const int *candidates = &x.index;
    if (x.kind == ABUT_ENTITY_VERTEX) {
        count = brep->vertices[x.index].cycle_count;
        candidates = brep->vertex_cycles + brep->vertices[x.index].cycle_begin;
    }
    for (int i = 0; i < count; ++i) {
        if (is_on_edge(model, y, candidates[i])) {
            return candidates[i];
        }
    }
    return -1;
}

int abut_convex_is_on_face(const abut_region_model *model, abut_entity entity, int face)
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
        if (abut_convex_is_on_face(model, y, face)) {
            return face;
        }
    }
    return -1;
}

/// The face of a side within the tolerance of p, or -1.
static int face_at(const abut_convex_task *task, int side, abut_vec3 p)
{
    const abut_touch_side *placed = task->sides[side].placed;
    abut_vec3 local = abut_mat3_apply_transposed(placed->rotation, abut_sub(p, placed->translation));
    abut_tree_hit hit = abut_tree_nearest(placed->tree, local, task->limits->tolerance);
    return hit.element >= 0 ? placed->model->brep.triangle_faces[hit.element] : -1;
}

/// Adds the interval of an edge of `side` between two nodes, if the edge lies on the other solid there.
static void add_interval(abut_convex_task *task, int side, int edge, int from, int to)
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
    other.index = common_edge(task->sides[1 - side].placed->model, x, y);
    if (other.index >= 0 && side == 1) {
        return; // already found from A's edge
    }
    if (other.index < 0) {
        other.kind = ABUT_ENTITY_FACE;
        other.index = common_face(task->sides[1 - side].placed->model, x, y);
        other.index = other.index >= 0 ? other.index : face_at(task, 1 - side, middle);
    }
    task->is_full |= task->interval_count == ABUT_CONVEX_INTERVALS;
    if (other.index >= 0 && !task->is_full) {
        task->intervals[task->interval_count++] =
            (abut_touch_interval){side == 0 ? own : other, side == 0 ? other : own, {from, to}};
    }
}

static void find_intervals(abut_convex_task *task, int side)
{
    stop stops[ABUT_CONVEX_NODES];
    for (int i = 0; i < task->sides[side].edge_count; ++i) {
        const abut_near_edge *e = &task->sides[side].edges[i];
        int count = find_stops(task, side, e, stops);
        for (int k = 1; k < count; ++k) {
            add_interval(task, side, e->edge, stops[k - 1].node, stops[k].node);
        }
    }
}

void abut_convex_find_intervals(abut_convex_task *task)
{
    find_intervals(task, 0);
    find_intervals(task, 1);
}
