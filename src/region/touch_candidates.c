// SPDX-License-Identifier: MIT
// touch_candidates.c: corners of one solid near the other, edges that cross, and edges that run through a face
//
// The solids consist of elements: triangles or, if faces have many of these, the elements of the touch model and wide
// faces (touch_model.h). Elements own corners and edges, each one element. The tests of touch_tests.c are run for pairs
// of elements, and pairs of an element and a wide face, whose boxes are within the tolerance; for small solids, for
// everything near the other one. Since each corner and edge has one owner, each pair is tested once.
#include "region/touch_placed.h"

enum {
    SMALL_MESH = 32, ///< most elements, most corners and, without a touch model, most vertices of a small mesh
    SMALL_WIDE = 8,  ///< most wide faces of a small mesh
};

// ---- elements

/// An element of a side, with the corners and edges that it owns.
typedef struct placed_element {
    int index;                     ///< -1: none yet
    int is_near;                   ///< it may reach the common box; the rest is set only then
    int has_triangle;              ///< it is no border
    abut_placed_triangle triangle; ///< of a border: only the corners, the first two of them its ends
    abut_placed_vertex vertices[3];
    abut_placed_edge edges[3];
    int vertex_count, edge_count;
} placed_element;

static int element_count(const abut_region_model *model)
{
    return model->touch != NULL ? model->touch->element_count : model->elements.triangle_count;
}

/// The corners of an element, vertices of the mesh.
static const int *element_corners(const abut_region_model *model, int element)
{
    return (model->touch != NULL ? model->touch->corners : model->elements.triangles) + 3 * (size_t)element;
}

static unsigned element_owned(const abut_region_model *model, int element)
{
    return model->touch != NULL ? model->touch->owned[element] : model->owned[element];
}

/// The triangle of an element, or ~(edge of the B-rep) of a border.
static int element_source(const abut_region_model *model, int element)
{
    return model->touch != NULL ? model->touch->sources[element] : element;
}

/// The corners in the common box that an element owns; returns how many, at most 3.
static int owned_vertices(const abut_region_model *model, int element, const abut_placed_triangle *t,
                          abut_placed_vertex *found)
{
    const int *vertices = element_corners(model, element);
    unsigned owned = element_owned(model, element);
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        if ((owned >> k & 1u) != 0 && t->sides[k] == 0) {
            found[count].vertex = model->brep.mesh_vertex_vertices[vertices[k]];
            found[count++].point = t->corners[k];
        }
    }
    return count;
}

/// The edges that a triangle owns and that may reach the common box; returns how many, at most 3.
static int owned_edges(const abut_region_model *model, int element, const abut_placed_triangle *t,
                       abut_placed_edge *found)
{
    const int *vertices = element_corners(model, element);
    const int *edges = &model->topology.triangle_edges[3 * (size_t)t->index];
    unsigned owned = element_owned(model, element);
    int count = 0;
    for (int k = 0; k < 3; ++k) {
        int next = k < 2 ? k + 1 : 0;
        if ((owned >> (3 + k) & 1u) != 0 && (t->sides[k] & t->sides[next]) == 0) {
            abut_placed_edge *e = &found[count++];
            e->box = abut_box_of_two(t->corners[k], t->corners[next]);
            e->edge = model->brep.mesh_edge_edges[edges[k]];
            e->ends[0] = t->corners[k];
            e->ends[1] = t->corners[next];
            e->is_corner[0] = model->brep.mesh_vertex_vertices[vertices[k]] >= 0;
            e->is_corner[1] = model->brep.mesh_vertex_vertices[vertices[next]] >= 0;
            e->recedes = t->recedes;
        }
    }
    return count;
}

/// The whole edge of a border.
static void place_border(const abut_touch_search *s, int side, int edge, const abut_vec3 ends[2],
                         abut_placed_edge *e)
{
    const abut_touch_side *own = &s->touch->sides[side];
    e->edge = edge;
    e->ends[0] = ends[0];
    e->ends[1] = ends[1];
    e->is_corner[0] = e->is_corner[1] = 1;
    e->box = abut_box_of_two(ends[0], ends[1]);
    e->recedes = s->limits->receding != HUGE_VAL;
    for (int k = 0; k < 2 && e->recedes; ++k) {
        int face = own->model->brep.edges[edge].faces[k];
        e->recedes = face < 0 || abut_placed_recedes(s, side, abut_touch_normal(own, face), ends, 2);
    }
}

/// Fills in an element whose triangle has its corners and sides. Returns 0 if it is outside the common box.
static int finish_element(const abut_touch_search *s, int side, int index, abut_placed_triangle *t,
                          abut_placed_vertex *vertices, abut_placed_edge *edges, int counts[2])
{
    const abut_region_model *model = s->touch->sides[side].model;
    int source = element_source(model, index);
    counts[0] = counts[1] = 0;
    if (source < 0) {
        if ((t->sides[0] & t->sides[1]) != 0) {
            return 0;
        }
        place_border(s, side, ~source, t->corners, edges);
        counts[1] = 1;
    } else {
        t->index = source;
        if (!abut_placed_finish(s, side, t)) {
            return 0;
        }
        if (element_owned(model, index) == 0) {
            return 1;
        }
        counts[1] = owned_edges(model, index, t, edges);
    }
    counts[0] = owned_vertices(model, index, t, vertices);
    return 1;
}

static void place_element(const abut_touch_search *s, int side, int index, placed_element *element)
{
    const abut_touch_side *own = &s->touch->sides[side];
    abut_placed_triangle *t = &element->triangle;
    const int *corners = element_corners(own->model, index);
    int counts[2];
    for (int k = 0; k < 3; ++k) {
        t->corners[k] = abut_touch_place(own, own->model->elements.vertices[corners[k]]);
        t->sides[k] = abut_box_sides(t->corners[k], &s->common);
    }
    element->index = index;
    element->has_triangle = element_source(own->model, index) >= 0;
    element->is_near = finish_element(s, side, index, t, element->vertices, element->edges, counts);
    element->vertex_count = counts[0];
    element->edge_count = counts[1];
}

/// Places wide face number `index`. Returns 0 if it is outside the common box.
static int place_face(const abut_touch_search *s, int side, int index, abut_placed_face *face)
{
    const abut_touch_side *own = &s->touch->sides[side];
    const abut_touch_model *touch = own->model->touch;
    abut_vec3 cover[3];
    for (int k = 0; k < 3; ++k) {
        cover[k] = abut_touch_place(own, touch->cover_corners[3 * (size_t)index + (size_t)k]);
    }
    // the rectangle around the face has one corner of the cover, and the middles of its sides (wide_face.c)
    const abut_vec3 corners[4] = {cover[0], abut_lerp(cover[0], cover[1], 0.5), abut_lerp(cover[0], cover[2], 0.5),
                                  abut_lerp(cover[1], cover[2], 0.5)};
    unsigned sides = ~0u;
    face->box = abut_box_of_two(corners[0], corners[1]);
    for (int k = 0; k < 4; ++k) {
        sides &= abut_box_sides(corners[k], &s->common);
        abut_box_extend(&face->box, corners[k]);
    }
    face->wide = &touch->faces[index];
    face->normal = abut_touch_normal(own, face->wide->face);
    face->point = corners[0];
    return sides == 0;
}

// ---- pairs from the box hierarchies

/// The current pair. Its members are kept, since many pairs share one with the pair before.
typedef struct pair_search {
    abut_touch_search *search;
    placed_element elements[2];
    int element_side;      ///< of a pair of an element and a wide face: the side of the element
    int face;              ///< the current wide face, of the other side, or -1
    int is_near_face;      ///< it may reach the common box
    abut_placed_face wide; ///< the current wide face
} pair_search;

/// Whether a triangle comes within `reach` of the plane of another.
static int reaches_plane(const abut_placed_triangle *t, const abut_placed_triangle *of, double reach)
{
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        double height = abut_dot(of->normal, abut_sub(t->corners[k], of->corners[0]));
        lower = abut_lesser(lower, height);
        upper = abut_greater(upper, height);
    }
    return lower <= reach && upper >= -reach;
}

static int is_done(const abut_touch_search *s)
{
    return s->touch->overlaps || s->is_out_of_memory;
}

/// Tests the corners and edges of an element against a triangle of the other side.
static void test_against_triangle(abut_touch_search *s, int side, const placed_element *element,
                                  const abut_placed_triangle *t)
{
    for (int i = 0; i < element->vertex_count; ++i) {
        if (abut_is_vertex_near(s, &element->vertices[i], t)) {
            abut_test_vertex(s, side, &element->vertices[i], t);
        }
    }
    for (int i = 0; i < element->edge_count && s->can_overlap && !s->touch->overlaps; ++i) {
        s->touch->overlaps = abut_test_piercing(s, side, &element->edges[i], t);
    }
}

static int test_pair(void *user, int element_a, int element_b)
{
    pair_search *pair = user;
    abut_touch_search *s = pair->search;
    placed_element *a = &pair->elements[0], *b = &pair->elements[1];
    ++s->touch->candidate_pairs;
    if (a->index != element_a) {
        place_element(s, 0, element_a, a);
    }
    if (b->index != element_b) {
        place_element(s, 1, element_b, b);
    }
    double reach = 2.0 * s->touch->tolerance;
    if (!a->is_near || !b->is_near || (b->has_triangle && !reaches_plane(&a->triangle, &b->triangle, reach)) ||
        (a->has_triangle && !reaches_plane(&b->triangle, &a->triangle, reach))) {
        return 0;
    }
    if (b->has_triangle) {
        test_against_triangle(s, 0, a, &b->triangle);
    }
    if (a->has_triangle) {
        test_against_triangle(s, 1, b, &a->triangle);
    }
    for (int i = 0; i < a->edge_count; ++i) {
        for (int k = 0; k < b->edge_count; ++k) {
            if (abut_are_edges_near(s, &a->edges[i], &b->edges[k])) {
                abut_test_edges(s, &a->edges[i], &b->edges[k]);
            }
        }
    }
    return is_done(s);
}

static int test_face_pair(void *user, int index_a, int index_b)
{
    pair_search *pair = user;
    abut_touch_search *s = pair->search;
    int side = pair->element_side, index = side == 0 ? index_a : index_b, face = side == 0 ? index_b : index_a;
    placed_element *element = &pair->elements[side];
    ++s->touch->candidate_pairs;
    if (pair->face != face) {
        pair->face = face;
        pair->is_near_face = place_face(s, 1 - side, face, &pair->wide);
    }
    if (!pair->is_near_face || element_owned(s->touch->sides[side].model, index) == 0) {
        return 0;
    }
    if (element->index != index) {
        place_element(s, side, index, element);
    }
    if (!element->is_near) {
        return 0;
    }
    for (int i = 0; i < element->vertex_count; ++i) {
        abut_test_vertex_face(s, side, &element->vertices[i], &pair->wide);
    }
    for (int i = 0; i < element->edge_count && s->can_overlap && !s->touch->overlaps; ++i) {
        s->touch->overlaps = abut_test_piercing_face(s, side, &element->edges[i], &pair->wide);
    }
    return is_done(s);
}

static void test_near_pairs(abut_touch_search *s)
{
    const abut_touch_side *sides = s->touch->sides;
    const abut_touch_model *touch[2] = {sides[0].model->touch, sides[1].model->touch};
    const abut_tree *trees[2] = {touch[0] != NULL ? touch[0]->tree : sides[0].tree,
                                 touch[1] != NULL ? touch[1]->tree : sides[1].tree};
    pair_search pair = {.search = s, .elements = {{.index = -1}, {.index = -1}}};
    abut_pose frames[2] = {touch[0] != NULL ? touch[0]->frame : abut_pose_identity(),
                           touch[1] != NULL ? touch[1]->frame : abut_pose_identity()};
    abut_pose b_to_a = abut_pose_make(sides[1].translation, sides[1].turn);
    b_to_a = abut_pose_relative(frames[0], abut_pose_multiply(b_to_a, frames[1]));
    // the tolerance of a B-rep is above the rounding of coordinates in the frames
    double flatness = 0.0;
    for (int side = 0; side < 2; ++side) {
        flatness += touch[side] != NULL ? 2.0 * sides[side].model->brep.tolerance : 0.0;
    }
    double reach = s->touch->tolerance + flatness;
    (void)abut_tree_pairs(trees[0], trees[1], b_to_a, reach, test_pair, &pair);
    reach = 2.0 * s->touch->tolerance + flatness;
    for (int side = 0; side < 2 && !is_done(s); ++side) {
        const abut_touch_model *other = touch[1 - side];
        if (other != NULL) {
            pair.element_side = side;
            pair.face = -1;
            (void)abut_tree_pairs(side == 0 ? trees[0] : other->covers, side == 0 ? other->covers : trees[1],
                                  b_to_a, reach, test_face_pair, &pair);
        }
    }
}

// ---- small meshes

/// All of a small mesh that is near the other one.
typedef struct near_parts {
    abut_placed_triangle triangles[SMALL_MESH];
    abut_placed_vertex vertices[SMALL_MESH];
    abut_placed_edge edges[3 * SMALL_MESH];
    abut_placed_face faces[SMALL_WIDE];
    int triangle_count, vertex_count, edge_count, face_count;
} near_parts;

static void add_near(const abut_touch_search *s, int side, int index, near_parts *near)
{
    int counts[2];
    abut_placed_triangle *t = &near->triangles[near->triangle_count];
    if (finish_element(s, side, index, t, near->vertices + near->vertex_count, near->edges + near->edge_count,
                       counts)) {
        near->vertex_count += counts[0];
        near->edge_count += counts[1];
        near->triangle_count += element_source(s->touch->sides[side].model, index) >= 0;
    }
}

/// Collects the triangles of a mesh without touch model; each vertex is placed once.
static void collect_triangles(const abut_touch_search *s, int side, near_parts *near)
{
    const abut_touch_side *own = &s->touch->sides[side];
    abut_vec3 places[SMALL_MESH];
    unsigned sides[SMALL_MESH];
    for (int i = 0; i < own->model->elements.vertex_count; ++i) {
        places[i] = abut_touch_place(own, own->model->elements.vertices[i]);
        sides[i] = abut_box_sides(places[i], &s->common);
    }
    for (int i = 0; i < own->model->elements.triangle_count; ++i) {
        abut_placed_triangle *t = &near->triangles[near->triangle_count];
        const int *corners = element_corners(own->model, i);
        for (int k = 0; k < 3; ++k) {
            t->corners[k] = places[corners[k]];
            t->sides[k] = sides[corners[k]];
        }
        add_near(s, side, i, near);
    }
}

static void collect_elements(const abut_touch_search *s, int side, near_parts *near)
{
    const abut_touch_side *own = &s->touch->sides[side];
    const abut_touch_model *touch = own->model->touch;
    for (int i = 0; i < touch->element_count; ++i) {
        abut_placed_triangle *t = &near->triangles[near->triangle_count];
        for (int k = 0; k < 3; ++k) {
            t->corners[k] = abut_touch_place(own, own->model->elements.vertices[element_corners(own->model, i)[k]]);
            t->sides[k] = abut_box_sides(t->corners[k], &s->common);
        }
        add_near(s, side, i, near);
    }
    for (int i = 0; i < touch->face_count; ++i) {
        near->face_count += place_face(s, side, i, &near->faces[near->face_count]);
    }
}

static void collect(const abut_touch_search *s, int side, near_parts *near)
{
    near->triangle_count = near->vertex_count = near->edge_count = near->face_count = 0;
    if (s->touch->sides[side].model->touch != NULL) {
        collect_elements(s, side, near);
    } else {
        collect_triangles(s, side, near);
    }
}

/// Tests the corners and edges of `side` against the surface of the other side.
static void test_surface(abut_touch_search *s, int side, const near_parts *own, const near_parts *other)
{
    for (int k = 0; k < other->triangle_count; ++k) {
        for (int i = 0; i < own->vertex_count; ++i) {
            if (abut_is_vertex_near(s, &own->vertices[i], &other->triangles[k])) {
                abut_test_vertex(s, side, &own->vertices[i], &other->triangles[k]);
            }
        }
        for (int i = 0; i < own->edge_count && s->can_overlap && !s->touch->overlaps; ++i) {
            s->touch->overlaps = abut_test_piercing(s, side, &own->edges[i], &other->triangles[k]);
        }
    }
    for (int k = 0; k < other->face_count; ++k) {
        for (int i = 0; i < own->vertex_count; ++i) {
            abut_test_vertex_face(s, side, &own->vertices[i], &other->faces[k]);
        }
        for (int i = 0; i < own->edge_count && s->can_overlap && !s->touch->overlaps; ++i) {
            s->touch->overlaps = abut_test_piercing_face(s, side, &own->edges[i], &other->faces[k]);
        }
    }
}

/// Tests everything near the other side: for small meshes this is faster than two trees.
static void test_all(abut_touch_search *s)
{
    if (s->touch->small_parts == NULL) {
        s->touch->small_parts = abut_arena_take(s->touch->arena, 2 * sizeof(near_parts));
    }
    near_parts *near = s->touch->small_parts;
    if (near == NULL) {
        s->is_out_of_memory = 1;
        return;
    }
    collect(s, 0, &near[0]);
    collect(s, 1, &near[1]);
    s->touch->candidate_pairs +=
        (int64_t)(near[0].triangle_count + near[0].face_count) * (near[1].triangle_count + near[1].face_count);
    test_surface(s, 0, &near[0], &near[1]);
    test_surface(s, 1, &near[1], &near[0]);
    for (int i = 0; i < near[0].edge_count; ++i) {
        for (int k = 0; k < near[1].edge_count; ++k) {
            if (abut_are_edges_near(s, &near[0].edges[i], &near[1].edges[k])) {
                abut_test_edges(s, &near[0].edges[i], &near[1].edges[k]);
            }
        }
    }
}

static int is_small(const abut_touch_side *side)
{
    const abut_region_model *model = side->model;
    int vertices = model->touch != NULL ? model->brep.vertex_count : model->elements.vertex_count;
    return element_count(model) <= SMALL_MESH && vertices <= SMALL_MESH &&
           (model->touch == NULL || model->touch->face_count <= SMALL_WIDE);
}

void abut_search_candidates(abut_touch_search *s)
{
    if (is_small(&s->touch->sides[0]) && is_small(&s->touch->sides[1])) {
        test_all(s);
    } else {
        test_near_pairs(s);
    }
}
