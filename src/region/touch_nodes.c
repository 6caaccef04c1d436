// SPDX-License-Identifier: MIT
// touch_nodes.c: one node for all hits of a place
//
// A corner near a corner of the other solid is on that corner; else, near an edge, on that edge; else on the face. So
// the nodes do not depend on how faces are cut into triangles.
#include "region/touch_search.h"

#include "prim/compare.h"

#include <string.h>

/// By vertex, then dimension, distance, index and triangle.
static int compare_hits(const void *user, int a, int b)
{
    const abut_vertex_hit *x = (const abut_vertex_hit *)user + a, *y = (const abut_vertex_hit *)user + b;
    if (x->vertex != y->vertex) {
        return x->vertex < y->vertex ? -1 : 1;
    }
    if (x->other.kind != y->other.kind) {
        return x->other.kind < y->other.kind ? -1 : 1;
    }
    if (x->squared != y->squared) {
        return x->squared < y->squared ? -1 : 1;
    }
    if (x->other.index != y->other.index) {
        return x->other.index < y->other.index ? -1 : 1;
    }
    return x->triangle < y->triangle ? -1 : x->triangle > y->triangle;
}

/// Makes one node, of the best hit, for each vertex that touches; on several faces without an edge nearby, one for
/// each face.
static void nodes_of_vertices(abut_touch_search *s, int side, abut_arena_list *nodes)
{
    const abut_arena_list *hits = &s->vertex_hits[side];
    const abut_vertex_hit *items = hits->items;
    const int *order = abut_search_order(s, hits->count, compare_hits, items);
    int vertex = -1, kind = 0, face_begin = 0;
    for (int i = 0; order != NULL && i < hits->count; ++i) {
        const abut_vertex_hit *hit = &items[order[i]];
        if (hit->vertex == vertex && (kind != ABUT_ENTITY_FACE || hit->other.kind != ABUT_ENTITY_FACE)) {
            continue;
        }
        if (hit->vertex != vertex) {
            face_begin = nodes->count;
        }
        int is_known = 0;
        for (int k = face_begin; k < nodes->count; ++k) {
            const abut_touch_node *node = (const abut_touch_node *)nodes->items + k;
            is_known |= (side == 0 ? node->b.index : node->a.index) == hit->other.index && hit->vertex == vertex;
        }
        vertex = hit->vertex;
        kind = (int)hit->other.kind;
        // a vertex of B on a vertex of A was already found from A
        if (is_known || (side == 1 && hit->other.kind == ABUT_ENTITY_VERTEX)) {
            continue;
        }
        abut_touch_node *node = abut_search_add(s, nodes, sizeof *node);
        if (node == NULL) {
            return;
        }
        abut_entity own = {ABUT_ENTITY_VERTEX, hit->vertex};
        abut_vec3 place =
            abut_touch_place(&s->touch->sides[side], abut_region_vertex(s->touch->sides[side].model, hit->vertex));
        node->a = side == 0 ? own : hit->other;
        node->b = side == 0 ? hit->other : own;
        node->point_a = side == 0 ? place : hit->point;
        node->point_b = side == 0 ? hit->point : place;
        node->triangle = hit->other.kind == ABUT_ENTITY_FACE ? hit->triangle : -1;
    }
}

static int compare_edge_hits(const void *user, int a, int b)
{
    const abut_edge_hit *x = (const abut_edge_hit *)user + a, *y = (const abut_edge_hit *)user + b;
    for (int i = 0; i < 2; ++i) {
        if (x->edges[i] != y->edges[i]) {
            return x->edges[i] < y->edges[i] ? -1 : 1;
        }
    }
    return x->squared < y->squared ? -1 : x->squared > y->squared;
}

/// Whether one of the nodes is within the tolerance of a point. `order` sorts them by abut_touch_sweep().
static int has_node_near(const abut_touch_search *s, const abut_touch_node *nodes, const int *order, int count,
                         abut_vec3 p)
{
    // twice the tolerance leaves room for rounding
    double place = abut_touch_sweep(p), reach = 2.0 * s->touch->tolerance;
    int begin = 0, end = count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (abut_touch_sweep(nodes[order[middle]].point_a) < place - reach) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    for (int i = begin; i < count && abut_touch_sweep(nodes[order[i]].point_a) <= place + reach; ++i) {
        if (abut_norm_squared(abut_sub(nodes[order[i]].point_a, p)) <= s->squared) {
            return 1;
        }
    }
    return 0;
}

/// Makes one node for each pair of edges that cross; straight edges cross once.
static void nodes_of_edges(abut_touch_search *s, abut_arena_list *nodes)
{
    int vertex_nodes = nodes->count;
    if (s->edge_hits.count == 0) {
        return;
    }
    const abut_edge_hit *items = s->edge_hits.items;
    const int *order = abut_search_order(s, s->edge_hits.count, compare_edge_hits, items);
    const int *sweep = abut_search_order(s, vertex_nodes, abut_touch_compare_sweep, nodes->items);
    for (int i = 0; order != NULL && i < s->edge_hits.count; ++i) {
        const abut_edge_hit *hit = &items[order[i]], *before = i > 0 ? &items[order[i - 1]] : NULL;
        if (before != NULL && before->edges[0] == hit->edges[0] && before->edges[1] == hit->edges[1]) {
            continue;
        }
        // a corner within the tolerance of the crossing is the node already
        int is_known = sweep != NULL && has_node_near(s, nodes->items, sweep, vertex_nodes, hit->points[0]);
        abut_touch_node *node = is_known ? NULL : abut_search_add(s, nodes, sizeof *node);
        if (node != NULL) {
            node->a.kind = node->b.kind = ABUT_ENTITY_EDGE;
            node->a.index = hit->edges[0];
            node->b.index = hit->edges[1];
            node->point_a = hit->points[0];
            node->point_b = hit->points[1];
            node->triangle = -1;
        }
    }
}

int abut_touch_is_inside(const abut_touch_side *side, abut_vec3 p)
{
    static const abut_vec3 directions[3] = {{0.61, 0.53, 0.59}, {-0.47, 0.71, 0.52}, {0.33, -0.64, 0.69}};
    abut_vec3 local = abut_mat3_apply_transposed(side->rotation, abut_sub(p, side->translation));
    abut_box point = {local, local};
    int inside = 0;
    if (!abut_boxes_overlap(point, side->model->elements.bounds)) {
        return 0;
    }
    for (int i = 0; i < 3; ++i) {
        abut_tree_hit hit = abut_tree_ray(side->tree, local, directions[i], HUGE_VAL);
        if (hit.element >= 0) {
            int face = side->model->brep.triangle_faces[hit.element];
            inside += abut_dot(side->model->brep.faces[face].normal, directions[i]) > 0.0;
        }
    }
    return inside >= 2;
}

/// Whether a point is inside a side. Points on faces that were left out because they recede are not inside, though rays
/// may say so.
static int is_inside(const abut_touch_search *s, const abut_touch_side *side, abut_vec3 p)
{
    if (!abut_touch_is_inside(side, p)) {
        return 0;
    }
    abut_vec3 local = abut_mat3_apply_transposed(side->rotation, abut_sub(p, side->translation));
    int has_culling = s->limits->receding != HUGE_VAL;
    return !(has_culling && abut_tree_nearest(side->tree, local, s->touch->tolerance).element >= 0);
}

static int compare_ints(const void *user, int a, int b)
{
    const int *items = user;
    return items[a] < items[b] ? -1 : items[a] > items[b];
}

static int compare_hit_vertices(const void *user, int a, int b)
{
    const abut_vertex_hit *items = user;
    return items[a].vertex < items[b].vertex ? -1 : items[a].vertex > items[b].vertex;
}

/// Whether a vertex that came near the other solid and does not touch it is inside it.
static int has_vertex_inside(abut_touch_search *s, int side)
{
    int count = s->loose[side].count, hit_count = s->vertex_hits[side].count;
    if (count == 0) {
        return 0;
    }
    const int *loose = s->loose[side].items;
    const abut_vertex_hit *hits = s->vertex_hits[side].items;
    const int *order = abut_search_order(s, count, compare_ints, loose);
    const int *hit_order = abut_search_order(s, hit_count, compare_hit_vertices, hits);
    for (int i = 0, k = 0; order != NULL && hit_order != NULL && i < count; ++i) {
        int vertex = loose[order[i]], is_repeated = i > 0 && loose[order[i - 1]] == vertex;
        while (k < hit_count && hits[hit_order[k]].vertex < vertex) {
            ++k;
        }
        int touches = k < hit_count && hits[hit_order[k]].vertex == vertex;
        const abut_touch_side *own = &s->touch->sides[side], *other = &s->touch->sides[1 - side];
        abut_vec3 p = abut_touch_place(own, abut_region_vertex(own->model, vertex));
        if (!is_repeated && !touches && is_inside(s, other, p)) {
            return 1;
        }
    }
    return 0;
}

/// Whether a part of the surface that touches nothing is wholly inside the other solid.
static int has_part_inside(abut_touch_search *s, int side, const abut_arena_list *nodes)
{
    const abut_touch_side *own = &s->touch->sides[side];
    const abut_region_model *model = own->model;
    if (model->part_count == 1 && nodes->count > 0) {
        return 0;
    }
    unsigned char *is_touching = abut_arena_take(s->touch->arena, (size_t)model->part_count + 1);
    if (is_touching == NULL) {
        s->is_out_of_memory = 1;
        return 0;
    }
    memset(is_touching, 0, (size_t)model->part_count);
    for (int i = 0; i < nodes->count; ++i) {
        const abut_touch_node *node = (const abut_touch_node *)nodes->items + i;
        int part = abut_region_part(model, side == 0 ? node->a : node->b);
        if (part >= 0) {
            is_touching[part] = 1;
        }
    }
    for (int i = 0; i < model->part_count; ++i) {
        abut_vec3 p = abut_touch_place(own, abut_region_vertex(model, model->part_vertices[i]));
        if (!is_touching[i] && is_inside(s, &s->touch->sides[1 - side], p)) {
            return 1;
        }
    }
    return 0;
}

void abut_search_nodes(abut_touch_search *s)
{
    abut_touch *touch = s->touch;
    for (int side = 0; side < 2 && s->can_overlap && !touch->overlaps && !s->is_out_of_memory; ++side) {
        touch->overlaps = has_vertex_inside(s, side);
    }
    if (touch->overlaps || s->is_out_of_memory) {
        return;
    }
    abut_arena_list nodes = {0};
    nodes_of_vertices(s, 0, &nodes);
    nodes_of_vertices(s, 1, &nodes);
    nodes_of_edges(s, &nodes);
    touch->nodes = nodes.items;
    touch->node_count = nodes.count;
    for (int side = 0; side < 2 && s->can_overlap && !touch->overlaps && !s->is_out_of_memory; ++side) {
        touch->overlaps = has_part_inside(s, side, &nodes);
    }
}
