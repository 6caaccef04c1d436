// SPDX-License-Identifier: MIT
// touch_intervals.c: segments where edges of one solid lie on the other, between nodes
//
// Between two nodes that follow each other on an edge nothing changes, so one point in the middle tells whether the edge lies on
// the other solid, and on what.
#include "prim/point_segment.h"
#include "region/touch_lists.h"

/// A node as it lies on an edge.
typedef struct stop {
    int edge, node;
    double place; ///< along the edge
} stop;

static int compare_stops(const void *user, int a, int b)
{
    const stop *x = (const stop *)user + a, *y = (const stop *)user + b;
    if (x->edge != y->edge) {
        return x->edge < y->edge ? -1 : 1;
    }
    if (x->place != y->place) {
        return x->place < y->place ? -1 : 1;
    }
    return x->node < y->node ? -1 : x->node > y->node;
}

static void add_stop(abut_touch *touch, abut_touch_list *stops, int side, int edge, int node, abut_vec3 point)
{
    stop *added = abut_touch_add(touch->arena, stops, sizeof *added);
    if (added == NULL) {
        touch->is_out_of_memory = 1;
        return;
    }
    abut_vec3 from = abut_touch_edge_end(&touch->sides[side], edge, 0);
    abut_vec3 along = abut_sub(abut_touch_edge_end(&touch->sides[side], edge, 1), from);
    added->edge = edge;
    added->node = node;
    added->place = abut_dot(along, abut_sub(point, from)) / abut_norm(along);
}

/// All nodes on the edges of a side.
static void find_stops(abut_touch *touch, int side, abut_touch_list *stops)
{
    const abut_brep_elements *brep = &touch->sides[side].model->brep;
    for (int i = 0; i < touch->node_count; ++i) {
        const abut_touch_node *node = &touch->nodes[i];
        abut_entity own = side == 0 ? node->a : node->b;
        abut_vec3 point = side == 0 ? node->point_a : node->point_b;
        if (own.kind == ABUT_ENTITY_EDGE) {
            add_stop(touch, stops, side, own.index, i, point);
        } else if (own.kind == ABUT_ENTITY_VERTEX) {
            const abut_brep_vertex *v = &brep->vertices[own.index];
            for (int k = 0; k < v->cycle_count; ++k) {
                add_stop(touch, stops, side, brep->vertex_cycles[v->cycle_begin + k], i, point);
            }
        }
    }
}

static int is_on_edge(const abut_region_model *model, abut_entity entity, int edge)
{
    const abut_brep_edge *e = &model->brep.edges[edge];
    return (entity.kind == ABUT_ENTITY_EDGE && entity.index == edge) ||
           (entity.kind == ABUT_ENTITY_VERTEX &&
            (e->vertices[0] == entity.index || e->vertices[1] == entity.index));
}

/// The edge of `side` that holds both entities and passes within the tolerance of p, or -1.
static int common_edge(const abut_touch *touch, int side, abut_entity x, abut_entity y, abut_vec3 p)
{
    const abut_touch_side *placed = &touch->sides[side];
    const abut_brep_elements *brep = &placed->model->brep;
    int edges = 0;
    const int *candidates = NULL;
    if (x.kind == ABUT_ENTITY_EDGE) {
        edges = 1;
        candidates = &x.index;
    } else if (x.kind == ABUT_ENTITY_VERTEX) {
        edges = brep->vertices[x.index].cycle_count;
        candidates = brep->vertex_cycles + brep->vertices[x.index].cycle_begin;
    }
    for (int i = 0; i < edges; ++i) {
        double weight;
        int edge = candidates[i];
        if (is_on_edge(placed->model, y, edge) &&
            abut_point_segment_distance_squared(p, abut_touch_edge_end(placed, edge, 0),
                                                abut_touch_edge_end(placed, edge, 1),
                                                &weight) <= touch->tolerance * touch->tolerance) {
            return edge;
        }
    }
    return -1;
}

/// Whether a face's closure holds an entity.
static int is_on_face(const abut_region_model *model, abut_entity entity, int face)
{
    if (entity.kind == ABUT_ENTITY_FACE) {
        return entity.index == face;
    }
    if (entity.kind == ABUT_ENTITY_EDGE) {
        const abut_brep_edge *e = &model->brep.edges[entity.index];
        return e->faces[0] == face || e->faces[1] == face;
    }
    const abut_brep_vertex *v = &model->brep.vertices[entity.index];
    for (int i = 0; i < v->cycle_count; ++i) {
        if (abut_region_left_face(model, model->brep.vertex_cycles[v->cycle_begin + i], entity.index) == face) {
            return 1;
        }
    }
    return 0;
}

/// A convex face that holds both entities, or -1: then it holds all between them.
static int common_convex_face(const abut_region_model *model, abut_entity x, abut_entity y)
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
        if (model->is_convex_face[face] && is_on_face(model, y, face)) {
            return face;
        }
    }
    return -1;
}

/// The face of `side` within the tolerance of p, or -1.
static int face_at(const abut_touch *touch, int side, abut_vec3 p)
{
    const abut_touch_side *placed = &touch->sides[side];
    abut_vec3 local = abut_mat3_apply_transposed(placed->rotation, abut_sub(p, placed->translation));
    abut_tree_hit hit = abut_tree_nearest(placed->tree, local, touch->tolerance);
    return hit.element >= 0 ? placed->model->brep.triangle_faces[hit.element] : -1;
}

void abut_touch_find_intervals(abut_touch *touch, int side, abut_touch_list *intervals)
{
    abut_touch_list stops = {0};
    find_stops(touch, side, &stops);
    const stop *items = stops.items;
    const int *order = abut_touch_order(touch, stops.count, compare_stops, items);
    for (int i = 1; order != NULL && i < stops.count && !touch->is_out_of_memory; ++i) {
        const stop *from = &items[order[i - 1]], *to = &items[order[i]];
        if (from->edge != to->edge || to->place - from->place <= touch->tolerance) {
            continue;
        }
        const abut_touch_node *nodes[2] = {&touch->nodes[from->node], &touch->nodes[to->node]};
        abut_vec3 middle = side == 0 ? abut_lerp(nodes[0]->point_a, nodes[1]->point_a, 0.5)
                                     : abut_lerp(nodes[0]->point_b, nodes[1]->point_b, 0.5);
        abut_entity own = {ABUT_ENTITY_EDGE, from->edge}, other = {ABUT_ENTITY_EDGE, -1};
        abut_entity x = side == 0 ? nodes[0]->b : nodes[0]->a, y = side == 0 ? nodes[1]->b : nodes[1]->a;
        other.index = common_edge(touch, 1 - side, x, y, middle);
        if (other.index >= 0 && side == 1) {
            continue; // found from A
        }
        if (other.index < 0) {
            other.kind = ABUT_ENTITY_FACE;
            other.index = common_convex_face(touch->sides[1 - side].model, x, y);
            other.index = other.index >= 0 ? other.index : face_at(touch, 1 - side, middle);
        }
        if (other.index >= 0) {
            abut_touch_interval *interval = abut_touch_add(touch->arena, intervals, sizeof *interval);
            if (interval == NULL) {
                touch->is_out_of_memory = 1;
                return;
            }
            interval->a = side == 0 ? own : other;
            interval->b = side == 0 ? other : own;
            interval->nodes[0] = from->node;
            interval->nodes[1] = to->node;
        }
    }
}
