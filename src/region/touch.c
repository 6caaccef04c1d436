// SPDX-License-Identifier: MIT
// touch.c: where the entities of two placed B-reps touch: points, and segments between them
//
// First the nodes: each corner of one solid against the other's surface, each edge against the other's edges, among the
// triangles whose boxes are within the tolerance. A corner near a corner is on that corner, else near an edge on
// that edge, else on the face: so what is found does not depend on the triangles. Then the segments between the nodes
// (touch_intervals.c).
#include "region/touch_lists.h"

#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

#include <string.h>

void *abut_touch_add(abut_arena *arena, abut_touch_list *l, size_t item_size)
{
    if (l->count == l->capacity) {
        int capacity = l->capacity > 0 ? 2 * l->capacity : 32;
        char *items = abut_arena_take(arena, (size_t)capacity * item_size);
        if (items == NULL) {
            return NULL;
        }
        if (l->count > 0) {
            memcpy(items, l->items, (size_t)l->count * item_size);
        }
        l->items = items;
        l->capacity = capacity;
    }
    return (char *)l->items + (size_t)l->count++ * item_size;
}

int *abut_touch_order(abut_touch *touch, int count, abut_index_compare *compare, const void *items)
{
    int *order = abut_arena_take(touch->arena, 2 * ((size_t)count + 1) * sizeof *order);
    if (order == NULL) {
        touch->is_out_of_memory = 1;
        return NULL;
    }
    for (int i = 0; i < count; ++i) {
        order[i] = i;
    }
    abut_sort_indices(order, order + count, count, compare, items);
    return order;
}

enum { SMALL_MESH = 32 }; ///< triangles

/// A vertex of one side near the other's surface.
typedef struct vertex_hit {
    int vertex;
    abut_entity other;
    double squared;
    abut_vec3 point; ///< on the other side
} vertex_hit;

/// Two edges near each other, inside both.
typedef struct edge_hit {
    int edges[2];
    double squared;
    abut_vec3 points[2];
} edge_hit;

typedef struct search {
    abut_touch *touch;
    const abut_touch_limits *limits;
    double squared;  ///< of the tolerance
    abut_box common; ///< of both sides, grown by the tolerance: nothing touches outside
    abut_touch_list vertex_hits[2];
    abut_touch_list loose[2]; ///< vertices that came near a triangle without touching it, as int, once for each
    abut_touch_list edge_hits;
} search;

typedef struct placed_triangle {
    int index;
    abut_vec3 corners[3];
    abut_vec3 normal;            ///< of its face
    const int *vertices, *edges; ///< of the mesh
    int face;                    ///< of the B-rep
    abut_box box;
    unsigned owned; ///< corners and edges that it stands for and that may touch something
    int is_culled;  ///< it recedes from the other side
} placed_triangle;

static int boxes_meet(const abut_box *a, const abut_box *b, double margin)
{
    return a->lower.x <= b->upper.x + margin && b->lower.x <= a->upper.x + margin &&
           a->lower.y <= b->upper.y + margin && b->lower.y <= a->upper.y + margin &&
           a->lower.z <= b->upper.z + margin && b->lower.z <= a->upper.z + margin;
}

/// fmin and fmax look after NaN, which costs a call each; here all numbers are finite.
static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

static abut_box box_of_two(abut_vec3 p, abut_vec3 q)
{
    abut_box box = {{lesser(p.x, q.x), lesser(p.y, q.y), lesser(p.z, q.z)},
                    {greater(p.x, q.x), greater(p.y, q.y), greater(p.z, q.z)}};
    return box;
}

/// Whether a triangle of A (`side` 0) or B recedes from the other everywhere. The velocity is linear in the point, so the
/// corners tell.
static int recedes(const search *s, int side, const placed_triangle *t)
{
    const abut_touch_limits *limits = s->limits;
    if (limits->receding == HUGE_VAL) {
        return 0;
    }
    for (int k = 0; k < 3; ++k) {
        abut_vec3 velocity = abut_add(limits->linear, abut_cross(limits->angular, t->corners[k]));
        double away = abut_dot(t->normal, velocity);
        if ((side == 0 ? away : -away) <= limits->receding) {
            return 0;
        }
    }
    return 1;
}

static placed_triangle get_triangle(const search *s, int which, int index)
{
    const abut_touch_side *side = &s->touch->sides[which];
    const abut_region_model *model = side->model;
    placed_triangle t = {.index = index,
                         .vertices = &model->elements.triangles[3 * (size_t)index],
                         .edges = &model->topology.triangle_edges[3 * (size_t)index],
                         .face = model->brep.triangle_faces[index]};
    for (int k = 0; k < 3; ++k) {
        t.corners[k] = abut_touch_place(side, model->elements.vertices[t.vertices[k]]);
    }
    t.normal = abut_touch_normal(side, t.face);
    t.box = box_of_two(t.corners[0], t.corners[1]);
    t.box.lower = abut_vec3_make(lesser(t.box.lower.x, t.corners[2].x), lesser(t.box.lower.y, t.corners[2].y),
                                 lesser(t.box.lower.z, t.corners[2].z));
    t.box.upper = abut_vec3_make(greater(t.box.upper.x, t.corners[2].x), greater(t.box.upper.y, t.corners[2].y),
                                 greater(t.box.upper.z, t.corners[2].z));
    t.is_culled = recedes(s, which, &t);
    unsigned owned = model->owned[index];
    for (int k = 0; k < 3; ++k) {
        if ((owned >> k & 1u) != 0) {
            abut_box point = {t.corners[k], t.corners[k]};
            t.owned |= (unsigned)boxes_meet(&point, &s->common, 0.0) << k;
        }
        if ((owned >> (3 + k) & 1u) != 0) {
            abut_box edge = box_of_two(t.corners[k], t.corners[(k + 1) % 3]);
            t.owned |= (unsigned)boxes_meet(&edge, &s->common, 0.0) << (3 + k);
        }
    }
    return t;
}

static int owns_corner(const placed_triangle *t, int k)
{
    return (int)(t->owned >> k & 1u);
}

static int owns_edge(const placed_triangle *t, int k)
{
    return (int)(t->owned >> (3 + k) & 1u);
}

/// How far a point is inside the planes through the edges of a triangle at right angles to it, for each edge, times the edge's length.
static void find_insides(const placed_triangle *t, abut_vec3 p, double insides[3], double lengths[3])
{
    for (int k = 0; k < 3; ++k) {
        abut_vec3 edge = abut_sub(t->corners[(k + 1) % 3], t->corners[k]);
        insides[k] = abut_dot(abut_cross(t->normal, edge), abut_sub(p, t->corners[k]));
        lengths[k] = abut_norm(edge);
    }
}

/// The squared distance of a point at some height above a triangle; more than the tolerance's where it is further away. Only near the
/// border the exact way is needed.
static double squared_distance(const search *s, const placed_triangle *t, abut_vec3 p, double height,
                               abut_vec3 *point)
{
    double insides[3], lengths[3], tolerance = s->touch->tolerance;
    if (fabs(height) > tolerance) {
        return height * height;
    }
    find_insides(t, p, insides, lengths);
    int is_inside = 1;
    for (int k = 0; k < 3; ++k) {
        if (insides[k] < -2.0 * tolerance * lengths[k]) {
            return 4.0 * s->squared;
        }
        is_inside &= insides[k] > 0.0;
    }
    if (is_inside) {
        *point = abut_add_scaled(p, -height, t->normal);
        return height * height;
    }
    double weights[3];
    double squared = abut_point_triangle_distance_squared(p, t->corners, weights);
    *point = abut_triangle_point(t->corners, weights);
    return squared;
}

/// What a point near a triangle is on: one of its corners or sharp edges within the tolerance, else its face.
static abut_entity entity_at(const search *s, const abut_touch_side *side, const placed_triangle *t, abut_vec3 p,
                             double *squared, abut_vec3 *point)
{
    const abut_brep_elements *brep = &side->model->brep;
    abut_entity entity = {ABUT_ENTITY_FACE, t->face};
    double nearest = s->squared;
    for (int k = 0; k < 3; ++k) {
        int vertex = brep->mesh_vertex_vertices[t->vertices[k]];
        double d = abut_norm_squared(abut_sub(t->corners[k], p));
        if (vertex >= 0 && d <= nearest) {
            entity.kind = ABUT_ENTITY_VERTEX;
            entity.index = vertex;
            *squared = nearest = d;
            *point = t->corners[k];
        }
    }
    if (entity.kind == ABUT_ENTITY_VERTEX) {
        return entity;
    }
    for (int k = 0; k < 3; ++k) {
        int edge = brep->mesh_edge_edges[t->edges[k]];
        if (edge >= 0) {
            double weight;
            abut_vec3 from = t->corners[k], to = t->corners[(k + 1) % 3];
            double d = abut_point_segment_distance_squared(p, from, to, &weight);
            if (d <= nearest) {
                entity.kind = ABUT_ENTITY_EDGE;
                entity.index = edge;
                *squared = nearest = d;
                *point = abut_lerp(from, to, weight);
            }
        }
    }
    return entity;
}

/// Corners of a triangle of `side` against a triangle of the other one, above which they are by `heights`.
static void test_corners(search *s, int side, const placed_triangle *points, const double heights[3],
                         const placed_triangle *t)
{
    abut_touch *touch = s->touch;
    const abut_touch_side *own = &touch->sides[side], *other = &touch->sides[1 - side];
    for (int k = 0; k < 3; ++k) {
        abut_box point = {points->corners[k], points->corners[k]};
        if (!owns_corner(points, k) || !boxes_meet(&point, &t->box, 2.0 * touch->tolerance)) {
            continue;
        }
        int vertex = own->model->brep.mesh_vertex_vertices[points->vertices[k]];
        abut_vec3 foot;
        double squared = squared_distance(s, t, points->corners[k], heights[k], &foot);
        if (!(squared <= s->squared)) {
            int *loose = abut_touch_add(touch->arena, &s->loose[side], sizeof *loose);
            if (loose != NULL) {
                *loose = vertex;
            }
            s->touch->is_out_of_memory |= loose == NULL;
            continue;
        }
        vertex_hit *hit = abut_touch_add(touch->arena, &s->vertex_hits[side], sizeof *hit);
        if (hit == NULL) {
            s->touch->is_out_of_memory = 1;
            return;
        }
        hit->vertex = vertex;
        hit->squared = squared;
        hit->point = foot;
        hit->other = entity_at(s, other, t, points->corners[k], &hit->squared, &hit->point);
    }
}

/// Whether two edges run along each other: within the tolerance all over the part that they share.
static int run_together(const search *s, const abut_vec3 a[2], const abut_vec3 b[2])
{
    int near = 0;
    for (int i = 0; i < 4; ++i) {
        double weight;
        const abut_vec3 *own = i < 2 ? a : b, *other = i < 2 ? b : a;
        abut_vec3 p = own[i % 2];
        double squared = abut_point_segment_distance_squared(p, other[0], other[1], &weight);
        if (weight > 0.0 && weight < 1.0 && squared > s->squared) {
            return 0;
        }
        near += squared <= s->squared;
    }
    return near >= 2;
}

static void test_edges(search *s, const placed_triangle *a, int i, const placed_triangle *b, int k)
{
    abut_touch *touch = s->touch;
    abut_box box_a = box_of_two(a->corners[i], a->corners[(i + 1) % 3]);
    abut_box box_b = box_of_two(b->corners[k], b->corners[(k + 1) % 3]);
    if (!boxes_meet(&box_a, &box_b, touch->tolerance)) {
        return;
    }
    int edge_a = touch->sides[0].model->brep.mesh_edge_edges[a->edges[i]];
    int edge_b = touch->sides[1].model->brep.mesh_edge_edges[b->edges[k]];
    double x, y;
    abut_vec3 p = a->corners[i], q = b->corners[k], r = a->corners[(i + 1) % 3], t = b->corners[(k + 1) % 3];
    double squared = abut_segment_segment_distance_squared(p, r, q, t, &x, &y);
    if (!(squared <= s->squared)) {
        return;
    }
    abut_vec3 points[2] = {abut_lerp(p, r, x), abut_lerp(q, t, y)};
    abut_vec3 ends[2][2];
    for (int side = 0; side < 2; ++side) {
        for (int end = 0; end < 2; ++end) {
            ends[side][end] = abut_touch_edge_end(&touch->sides[side], side == 0 ? edge_a : edge_b, end);
            if (abut_norm_squared(abut_sub(ends[side][end], points[1 - side])) <= s->squared) {
                return; // the corner's business
            }
        }
    }
    if (run_together(s, ends[0], ends[1])) {
        return;
    }
    edge_hit *hit = abut_touch_add(touch->arena, &s->edge_hits, sizeof *hit);
    if (hit == NULL) {
        s->touch->is_out_of_memory = 1;
        return;
    }
    hit->edges[0] = edge_a;
    hit->edges[1] = edge_b;
    hit->squared = squared;
    hit->points[0] = points[0];
    hit->points[1] = points[1];
}

/// Whether a sharp edge of one triangle runs through the other, further than the tolerance on both sides and away from its
/// sharp edges: then the solids overlap.
static int pierces(const search *s, const placed_triangle *edges, const double heights[3],
                   const abut_touch_side *side, const placed_triangle *t)
{
    double tolerance = s->touch->tolerance;
    for (int k = 0; k < 3; ++k) {
        double from = heights[k], to = heights[(k + 1) % 3];
        if (!owns_edge(edges, k) || lesser(from, to) >= -tolerance || greater(from, to) <= tolerance) {
            continue;
        }
        abut_vec3 p = abut_lerp(edges->corners[k], edges->corners[(k + 1) % 3], from / (from - to));
        double insides[3], lengths[3];
        find_insides(t, p, insides, lengths);
        int is_through = 1;
        for (int m = 0; m < 3; ++m) {
            // a flat edge is inside the face; there, both triangles see the point
            double margin = side->model->brep.mesh_edge_edges[t->edges[m]] >= 0 ? tolerance : -0.1 * tolerance;
            is_through &= insides[m] > margin * lengths[m];
            // a corner may lie on the border of the face, where no edge of this triangle does
            is_through &= !side->model->is_border_vertex[t->vertices[m]] ||
                          abut_norm_squared(abut_sub(t->corners[m], p)) > s->squared;
        }
        if (is_through) {
            return 1;
        }
    }
    return 0;
}

/// Heights of a triangle's corners above another's face; 0 where it is out of reach.
static int find_heights(const placed_triangle *t, const placed_triangle *of, double reach, double heights[3])
{
    for (int k = 0; k < 3; ++k) {
        heights[k] = abut_dot(t->normal, abut_sub(of->corners[k], t->corners[0]));
    }
    double lower = lesser(lesser(heights[0], heights[1]), heights[2]);
    double upper = greater(greater(heights[0], heights[1]), heights[2]);
    return lower <= reach && upper >= -reach;
}

static int test_triangles(search *s, const placed_triangle *a, const placed_triangle *b)
{
    abut_touch *touch = s->touch;
    double heights_a[3], heights_b[3], reach = 2.0 * touch->tolerance;
    if ((a->owned | b->owned) == 0 || (a->is_culled && b->is_culled) || !find_heights(b, a, reach, heights_a) ||
        !find_heights(a, b, reach, heights_b)) {
        return 0;
    }
    ++touch->tested_pairs;
    if (!b->is_culled) {
        test_corners(s, 0, a, heights_a, b);
    }
    if (!a->is_culled) {
        test_corners(s, 1, b, heights_b, a);
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (owns_edge(a, i) && owns_edge(b, k)) {
                test_edges(s, a, i, b, k);
            }
        }
    }
    touch->overlaps |=
        pierces(s, a, heights_a, &touch->sides[1], b) || pierces(s, b, heights_b, &touch->sides[0], a);
    return touch->overlaps || s->touch->is_out_of_memory;
}

static int test_pair(void *user, int element_a, int element_b)
{
    search *s = user;
    ++s->touch->candidate_pairs;
    placed_triangle a = get_triangle(s, 0, element_a);
    placed_triangle b = get_triangle(s, 1, element_b);
    return test_triangles(s, &a, &b);
}

/// The box of all vertices of a side in A's frame.
static abut_box box_of_side(const abut_touch_side *side)
{
    abut_box local = side->model->elements.bounds;
    abut_vec3 half = abut_scale(0.5, abut_sub(local.upper, local.lower));
    abut_vec3 middle = abut_touch_place(side, abut_box_center(local));
    abut_mat3 r = {abut_abs(side->rotation.x), abut_abs(side->rotation.y), abut_abs(side->rotation.z)};
    abut_vec3 extent = abut_mat3_apply(r, half);
    abut_box box = {abut_sub(middle, extent), abut_add(middle, extent)};
    return box;
}

/// The triangles of a side that are near the other one; returns their number.
static int collect(const search *s, int side, placed_triangle *found)
{
    int count = 0;
    for (int i = 0; i < s->touch->sides[side].model->elements.triangle_count; ++i) {
        found[count] = get_triangle(s, side, i);
        count += boxes_meet(&found[count].box, &s->common, 0.0);
    }
    return count;
}

/// For small meshes a look at all pairs is faster than two trees.
static void test_all(search *s)
{
    placed_triangle found[2][SMALL_MESH];
    int count_a = collect(s, 0, found[0]);
    int count_b = collect(s, 1, found[1]);
    for (int i = 0; i < count_a; ++i) {
        for (int k = 0; k < count_b; ++k) {
            if (boxes_meet(&found[0][i].box, &found[1][k].box, s->touch->tolerance)) {
                ++s->touch->candidate_pairs;
                if (test_triangles(s, &found[0][i], &found[1][k])) {
                    return;
                }
            }
        }
    }
}

/// By vertex, then the lowest dimension, then the nearest, then the index.
static int compare_hits(const void *user, int a, int b)
{
    const vertex_hit *x = (const vertex_hit *)user + a, *y = (const vertex_hit *)user + b;
    if (x->vertex != y->vertex) {
        return x->vertex < y->vertex ? -1 : 1;
    }
    if (x->other.kind != y->other.kind) {
        return x->other.kind < y->other.kind ? -1 : 1;
    }
    if (x->squared != y->squared) {
        return x->squared < y->squared ? -1 : 1;
    }
    return (x->other.index > y->other.index) - (x->other.index < y->other.index);
}

static abut_touch_node *add_node(search *s, abut_touch_list *nodes)
{
    abut_touch_node *node = abut_touch_add(s->touch->arena, nodes, sizeof *node);
    s->touch->is_out_of_memory |= node == NULL;
    return node;
}

/// One node for each vertex that touches: what is best. On several faces, with no edge near, it touches each of them.
static void nodes_of_vertices(search *s, int side, abut_touch_list *nodes)
{
    const abut_touch_list *hits = &s->vertex_hits[side];
    const vertex_hit *items = hits->items;
    const int *order = abut_touch_order(s->touch, hits->count, compare_hits, items);
    int vertex = -1, kind = 0, face_begin = 0;
    for (int i = 0; order != NULL && i < hits->count; ++i) {
        const vertex_hit *hit = &items[order[i]];
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
        // a vertex of B on a vertex of A was found from A
        if (is_known || (side == 1 && hit->other.kind == ABUT_ENTITY_VERTEX)) {
            continue;
        }
        abut_touch_node *node = add_node(s, nodes);
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
    }
}

static int compare_edge_hits(const void *user, int a, int b)
{
    const edge_hit *x = (const edge_hit *)user + a, *y = (const edge_hit *)user + b;
    for (int i = 0; i < 2; ++i) {
        if (x->edges[i] != y->edges[i]) {
            return x->edges[i] < y->edges[i] ? -1 : 1;
        }
    }
    return x->squared < y->squared ? -1 : x->squared > y->squared;
}

/// One node for each pair of edges that cross; straight edges cross once.
static void nodes_of_edges(search *s, abut_touch_list *nodes)
{
    const edge_hit *items = s->edge_hits.items;
    const int *order = abut_touch_order(s->touch, s->edge_hits.count, compare_edge_hits, items);
    for (int i = 0; order != NULL && i < s->edge_hits.count; ++i) {
        const edge_hit *hit = &items[order[i]], *before = i > 0 ? &items[order[i - 1]] : NULL;
        if (before != NULL && before->edges[0] == hit->edges[0] && before->edges[1] == hit->edges[1]) {
            continue;
        }
        // where a corner was found within the tolerance of the crossing, that is the node
        int is_known = 0;
        for (int k = 0; k < nodes->count && !is_known; ++k) {
            const abut_touch_node *node = (const abut_touch_node *)nodes->items + k;
            is_known = node->a.kind + node->b.kind < 2 * ABUT_ENTITY_EDGE &&
                       abut_norm_squared(abut_sub(node->point_a, hit->points[0])) <= s->squared;
        }
        abut_touch_node *node = is_known ? NULL : add_node(s, nodes);
        if (node != NULL) {
            node->a.kind = node->b.kind = ABUT_ENTITY_EDGE;
            node->a.index = hit->edges[0];
            node->b.index = hit->edges[1];
            node->point_a = hit->points[0];
            node->point_b = hit->points[1];
        }
    }
}

/// Whether a point is inside a closed mesh, by the first triangle that a ray meets.
static int is_inside(const abut_touch_side *side, abut_vec3 p)
{
    static const abut_vec3 directions[3] = {{0.61, 0.53, 0.59}, {-0.47, 0.71, 0.52}, {0.33, -0.64, 0.69}};
    abut_vec3 local = abut_mat3_apply_transposed(side->rotation, abut_sub(p, side->translation));
    int inside = 0;
    for (int i = 0; i < 3; ++i) {
        abut_tree_hit hit = abut_tree_ray(side->tree, local, directions[i], HUGE_VAL);
        if (hit.element >= 0) {
            int face = side->model->brep.triangle_faces[hit.element];
            inside += abut_dot(side->model->brep.faces[face].normal, directions[i]) > 0.0;
        }
    }
    return inside >= 2;
}

static int compare_ints(const void *user, int a, int b)
{
    const int *items = user;
    return items[a] < items[b] ? -1 : items[a] > items[b];
}

/// Vertices that came near and touch nothing must not be inside the other solid.
static int has_vertex_inside(search *s, int side)
{
    const int *loose = s->loose[side].items;
    const vertex_hit *hits = s->vertex_hits[side].items;
    const int *order = abut_touch_order(s->touch, s->loose[side].count, compare_ints, loose);
    for (int i = 0; order != NULL && i < s->loose[side].count; ++i) {
        int vertex = loose[order[i]], touches = i > 0 && loose[order[i - 1]] == vertex;
        for (int k = 0; k < s->vertex_hits[side].count && !touches; ++k) {
            touches = hits[k].vertex == vertex;
        }
        abut_vec3 p =
            abut_touch_place(&s->touch->sides[side], abut_region_vertex(s->touch->sides[side].model, vertex));
        if (!touches && is_inside(&s->touch->sides[1 - side], p)) {
            return 1;
        }
    }
    return 0;
}

/// Where nothing touches, one solid may still be inside the other as a whole.
static int has_side_inside(const search *s)
{
    for (int side = 0; side < 2; ++side) {
        const abut_touch_side *own = &s->touch->sides[side];
        if (own->model->brep.vertex_count > 0 &&
            is_inside(&s->touch->sides[1 - side], abut_touch_place(own, abut_region_vertex(own->model, 0)))) {
            return 1;
        }
    }
    return 0;
}

int abut_touch_find(abut_arena *arena, const abut_touch_side sides[2], const abut_touch_limits *limits,
                    abut_touch *touch)
{
    double tolerance = limits->tolerance;
    memset(touch, 0, sizeof *touch);
    touch->sides[0] = sides[0];
    touch->sides[1] = sides[1];
    touch->tolerance = tolerance;
    touch->angle = limits->angle;
    touch->arena = arena;
    search s = {.touch = touch, .limits = limits, .squared = tolerance * tolerance};
    abut_box boxes[2] = {box_of_side(&sides[0]), box_of_side(&sides[1])};
    // rounding of the boxes is far below the tolerance added here
    abut_vec3 margin = abut_vec3_make(2.0 * tolerance, 2.0 * tolerance, 2.0 * tolerance);
    s.common.lower = abut_sub(abut_max(boxes[0].lower, boxes[1].lower), margin);
    s.common.upper = abut_add(abut_min(boxes[0].upper, boxes[1].upper), margin);
    if (s.common.lower.x > s.common.upper.x || s.common.lower.y > s.common.upper.y ||
        s.common.lower.z > s.common.upper.z) {
        return 1;
    }
    if (sides[0].model->elements.triangle_count < SMALL_MESH &&
        sides[1].model->elements.triangle_count < SMALL_MESH) {
        test_all(&s);
    } else {
        abut_pose b_to_a = abut_pose_make(sides[1].translation, sides[1].turn);
        (void)abut_tree_pairs(sides[0].tree, sides[1].tree, b_to_a, tolerance, test_pair, &s);
    }
    for (int side = 0; side < 2 && !touch->overlaps && !touch->is_out_of_memory; ++side) {
        touch->overlaps = has_vertex_inside(&s, side);
    }
    if (touch->overlaps || touch->is_out_of_memory) {
        return !touch->is_out_of_memory;
    }
    abut_touch_list nodes = {0}, intervals = {0};
    nodes_of_vertices(&s, 0, &nodes);
    nodes_of_vertices(&s, 1, &nodes);
    nodes_of_edges(&s, &nodes);
    touch->nodes = nodes.items;
    touch->node_count = nodes.count;
    touch->overlaps = nodes.count == 0 && has_side_inside(&s);
    abut_touch_find_intervals(touch, 0, &intervals);
    abut_touch_find_intervals(touch, 1, &intervals);
    touch->intervals = intervals.items;
    touch->interval_count = intervals.count;
    return !touch->is_out_of_memory;
}
