// SPDX-License-Identifier: MIT
// touch_intervals.c: the segments between touching points
//
// Between two successive nodes on an edge nothing changes, so the point in the middle tells whether the edge lies on
// the other solid, and on which entity.
#include "region/touch_search.h"

#include "prim/point_triangle.h"
#include "spatial/tree.h"

/// Of the tolerance: a face this near to the middle of an interval is taken without a look at others.
static const double exact = 1e-3;

/// A node on an edge.
typedef struct stop {
    int edge, node;
    double place; ///< grows along the edge; infinite at its ends
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

static void add_stop(abut_touch_search *s, abut_arena_list *stops, int edge, int node, double place)
{
    stop *added = abut_search_add(s, stops, sizeof *added);
    if (added != NULL) {
        added->edge = edge;
        added->node = node;
        added->place = place;
    }
}

/// Finds all nodes on the edges of a side.
static void find_stops(abut_touch_search *s, int side, abut_arena_list *stops)
{
    const abut_touch *touch = s->touch;
    const abut_touch_side *placed = &touch->sides[side];
    const abut_brep_elements *brep = &placed->model->brep;
    for (int i = 0; i < touch->node_count; ++i) {
        const abut_touch_node *node = &touch->nodes[i];
        abut_entity own = side == 0 ? node->a : node->b;
        if (own.kind == ABUT_ENTITY_EDGE) {
            const int *ends = brep->edges[own.index].vertices;
            abut_vec3 along =
                abut_mat3_apply(placed->rotation, abut_sub(abut_region_vertex(placed->model, ends[1]),
                                                           abut_region_vertex(placed->model, ends[0])));
            add_stop(s, stops, own.index, i, abut_dot(along, side == 0 ? node->point_a : node->point_b));
        } else if (own.kind == ABUT_ENTITY_VERTEX) {
            const abut_brep_vertex *v = &brep->vertices[own.index];
            for (int k = 0; k < v->cycle_count; ++k) {
                int edge = brep->vertex_cycles[v->cycle_begin + k];
                add_stop(s, stops, edge, i, brep->edges[edge].vertices[0] == own.index ? -HUGE_VAL : HUGE_VAL);
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

/// The edge that holds both entities, or -1. Two nodes on it and on an edge of the other solid need no further test: the
/// points of either node are within the tolerance of each other, so those between the nodes are as well. A test could
/// fail by rounding only, and then tell the one edge that they lie on each other and the other edge that they do not.
static int common_edge(const abut_region_model *model, abut_entity x, abut_entity y)
{
    const abut_brep_elements *brep = &model->brep;
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
        if (is_on_edge(model, y, candidates[i])) {
            return candidates[i];
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

/// How many faces there are at an entity.
static int count_faces(const abut_region_model *model, abut_entity entity)
{
    return entity.kind == ABUT_ENTITY_FACE   ? 1
           : entity.kind == ABUT_ENTITY_EDGE ? 2
                                             : model->brep.vertices[entity.index].cycle_count;
}

/// Face number i at an entity.
static int face_number(const abut_region_model *model, abut_entity entity, int i)
{
    if (entity.kind == ABUT_ENTITY_FACE) {
        return entity.index;
    }
    if (entity.kind == ABUT_ENTITY_EDGE) {
        return model->brep.edges[entity.index].faces[i];
    }
    int edge = model->brep.vertex_cycles[model->brep.vertices[entity.index].cycle_begin + i];
    return abut_region_left_face(model, edge, entity.index);
}

/// A convex face that holds both entities, and so everything between them; -1 if there is none.
static int common_convex_face(const abut_region_model *model, abut_entity x, abut_entity y)
{
    for (int i = 0; i < count_faces(model, x); ++i) {
        int face = face_number(model, x, i);
        if (model->is_convex_face[face] && is_on_face(model, y, face)) {
            return face;
        }
    }
    return -1;
}

/// The triangle nearest to a point of the mesh's frame, up to a distance.
typedef struct nearest_triangle {
    const abut_region_model *model;
    abut_vec3 point;
    double limit, squared;
    int triangle; ///< -1: none yet
} nearest_triangle;

static void try_triangle(nearest_triangle *nearest, int triangle)
{
    const abut_mesh_elements *mesh = &nearest->model->elements;
    abut_vec3 corners[3], normal = nearest->model->brep.faces[nearest->model->brep.triangle_faces[triangle]].normal;
    for (int k = 0; k < 3; ++k) {
        corners[k] = mesh->vertices[mesh->triangles[3 * (size_t)triangle + (size_t)k]];
    }
    // corners may be off the plane of their face by the tolerance of the B-rep
    double height = abut_dot(normal, abut_sub(nearest->point, corners[0])), weights[3];
    if (fabs(height) > nearest->limit + 4.0 * nearest->model->brep.tolerance) {
        return;
    }
    double squared = abut_point_triangle_distance_squared(nearest->point, corners, weights);
    if (squared <= nearest->limit * nearest->limit &&
        (squared < nearest->squared || (squared == nearest->squared && triangle < nearest->triangle))) {
        nearest->squared = squared;
        nearest->triangle = triangle;
    }
}

/// Tries the triangles of a wide face; `user` is the nearest triangle so far.
static void try_wide_face(void *user, int index)
{
    nearest_triangle *nearest = user;
    const abut_wide_face *wide = &nearest->model->touch->faces[index];
    abut_wide_search search =
        abut_wide_search_begin(wide, &nearest->model->elements, nearest->point, nearest->limit);
    int triangle;
    while ((triangle = abut_wide_search_next(&search)) >= 0) {
        try_triangle(nearest, triangle);
    }
}

/// Tries an element of the touch model; `user` is the nearest triangle so far.
static void try_element(void *user, int element)
{
    nearest_triangle *nearest = user;
    int triangle = nearest->model->touch->sources[element];
    if (triangle >= 0) { // no border
        try_triangle(nearest, triangle);
    }
}

/// The face of `side` within the tolerance of p, which is between two nodes on its entities x and y; or -1.
static int face_at(const abut_touch_search *s, int side, abut_entity x, abut_entity y, abut_vec3 p)
{
    const abut_touch_side *placed = &s->touch->sides[side];
    const abut_region_model *model = placed->model;
    double limit = s->touch->tolerance;
    abut_vec3 local = abut_mat3_apply_transposed(placed->rotation, abut_sub(p, placed->translation));
    if (model->touch == NULL) {
        abut_tree_hit hit = abut_tree_nearest(placed->tree, local, limit);
        return hit.element >= 0 ? model->brep.triangle_faces[hit.element] : -1;
    }
    nearest_triangle nearest = {model, local, limit, HUGE_VAL, -1};
    // mostly the point is on a face at both entities
    for (int i = 0; i < count_faces(model, x); ++i) {
        int face = face_number(model, x, i), wide = abut_touch_model_find(model->touch, face);
        if (wide >= 0 && is_on_face(model, y, face)) {
            try_wide_face(&nearest, wide);
        }
    }
    if (!(nearest.squared <= exact * exact * s->squared)) {
        abut_vec3 in_trees = abut_pose_apply_inverse(model->touch->frame, local);
        double reach = limit + 2.0 * model->brep.tolerance; // for rounding, and corners off the plane
        abut_tree_near(model->touch->tree, in_trees, reach, try_element, &nearest);
        abut_tree_near(model->touch->covers, in_trees, reach, try_wide_face, &nearest);
    }
    return nearest.triangle >= 0 ? model->brep.triangle_faces[nearest.triangle] : -1;
}

static void find_intervals(abut_touch_search *s, int side, abut_arena_list *intervals)
{
    abut_touch *touch = s->touch;
    abut_arena_list stops = {0};
    find_stops(s, side, &stops);
    const stop *items = stops.items;
    const int *order = abut_search_order(s, stops.count, compare_stops, items);
    for (int i = 1; order != NULL && i < stops.count && !s->is_out_of_memory; ++i) {
        const stop *from = &items[order[i - 1]], *to = &items[order[i]];
        if (from->edge != to->edge) {
            continue;
        }
        const abut_touch_node *nodes[2] = {&touch->nodes[from->node], &touch->nodes[to->node]};
        abut_vec3 p = side == 0 ? nodes[0]->point_a : nodes[0]->point_b;
        abut_vec3 q = side == 0 ? nodes[1]->point_a : nodes[1]->point_b;
        // skip nodes at one place. Both sides decide by A's points: else an outline could have a gap here
        if (abut_norm_squared(abut_sub(nodes[1]->point_a, nodes[0]->point_a)) <= s->squared) {
            continue;
        }
        abut_vec3 middle = abut_lerp(p, q, 0.5);
        abut_entity own = {ABUT_ENTITY_EDGE, from->edge}, other = {ABUT_ENTITY_EDGE, -1};
        abut_entity x = side == 0 ? nodes[0]->b : nodes[0]->a, y = side == 0 ? nodes[1]->b : nodes[1]->a;
        other.index = common_edge(touch->sides[1 - side].model, x, y);
        if (other.index >= 0 && side == 1) {
            continue; // already found from A's edge
        }
        if (other.index < 0) {
            other.kind = ABUT_ENTITY_FACE;
            other.index = common_convex_face(touch->sides[1 - side].model, x, y);
            other.index = other.index >= 0 ? other.index : face_at(s, 1 - side, x, y, middle);
        }
        if (other.index >= 0) {
            abut_touch_interval *interval = abut_search_add(s, intervals, sizeof *interval);
            if (interval == NULL) {
                return;
            }
            interval->a = side == 0 ? own : other;
            interval->b = side == 0 ? other : own;
            interval->nodes[0] = from->node;
            interval->nodes[1] = to->node;
        }
    }
}

void abut_search_intervals(abut_touch_search *s)
{
    abut_arena_list intervals = {0};
    find_intervals(s, 0, &intervals);
    find_intervals(s, 1, &intervals);
    s->touch->intervals = intervals.items;
    s->touch->interval_count = intervals.count;
}
