// SPDX-License-Identifier: MIT
// overlap_pieces.c: the connected pieces in which the surfaces of two solids cross
//
// Two triangles that cross have a segment in common. The segments form closed curves. Along a curve with direction
// normal_a x normal_b, the part of A's surface inside B is on the left, so its vector area is half the integral of
// r x dr (Stokes). Two segments of one triangle with two neighbours are of the same piece.
#include "region/overlap_pieces.h"

#include "base/arena_list.h"

/// A segment in which two triangles cross.
typedef struct crossing {
    int triangles[2];
    abut_vec3 ends[2]; ///< in the direction normal_a x normal_b
} crossing;

typedef struct piece_search {
    const abut_touch_side *sides;
    abut_arena *arena;
    abut_arena_list crossings;
    int is_out_of_memory;
} piece_search;

static void load_triangle(const abut_touch_side *side, int triangle, abut_vec3 corners[3])
{
    const abut_mesh_elements *elements = &side->model->elements;
    for (int i = 0; i < 3; ++i) {
        corners[i] = abut_touch_place(side, elements->vertices[elements->triangles[3 * triangle + i]]);
    }
}

static abut_vec3 normal_of(const abut_vec3 t[3])
{
    return abut_cross(abut_sub(t[1], t[0]), abut_sub(t[2], t[0]));
}

/// Where a triangle crosses a plane: the two points, and their places along `line`. Returns 0 if it does not.
static int cut_triangle(const abut_vec3 t[3], abut_vec3 normal, abut_vec3 origin, abut_vec3 line,
                        abut_vec3 points[2], double places[2])
{
    double heights[3];
    int count = 0;
    for (int i = 0; i < 3; ++i) {
        heights[i] = abut_dot(normal, abut_sub(t[i], origin));
    }
    for (int i = 0; i < 3 && count < 2; ++i) {
        double here = heights[i], there = heights[(i + 1) % 3];
        if ((here < 0.0) != (there < 0.0)) {
            points[count] = abut_lerp(t[i], t[(i + 1) % 3], here / (here - there));
            places[count] = abut_dot(line, points[count]);
            ++count;
        }
    }
    if (count == 2 && places[0] > places[1]) {
        abut_vec3 point = points[0];
        double place = places[0];
        points[0] = points[1];
        points[1] = point;
        places[0] = places[1];
        places[1] = place;
    }
    return count == 2;
}

int abut_crossing_segment(const abut_vec3 a[3], const abut_vec3 b[3], abut_vec3 ends[2])
{
    abut_vec3 normal_a = normal_of(a), normal_b = normal_of(b), line = abut_cross(normal_a, normal_b);
    abut_vec3 points[2][2];
    double places[2][2];
    if (!cut_triangle(a, normal_b, b[0], line, points[0], places[0]) ||
        !cut_triangle(b, normal_a, a[0], line, points[1], places[1])) {
        return 0;
    }
    int first = places[1][0] > places[0][0], last = places[1][1] < places[0][1];
    ends[0] = points[first][0];
    ends[1] = points[last][1];
    return places[first][0] < places[last][1];
}

static int add_crossing(void *user, int element_a, int element_b)
{
    piece_search *s = user;
    abut_vec3 a[3], b[3];
    crossing found = {.triangles = {element_a, element_b}};
    load_triangle(&s->sides[0], element_a, a);
    load_triangle(&s->sides[1], element_b, b);
    if (abut_crossing_segment(a, b, found.ends)) {
        crossing *added = abut_arena_list_add(s->arena, &s->crossings, 1, sizeof *added);
        s->is_out_of_memory = added == NULL;
        if (added != NULL) {
            *added = found;
        }
    }
    return s->is_out_of_memory;
}

static int compare_pairs(const crossing *x, int a, int b)
{
    return x->triangles[0] != a ? (x->triangles[0] > a) - (x->triangles[0] < a)
                                : (x->triangles[1] > b) - (x->triangles[1] < b);
}

static int compare_crossings(const void *items, int i, int k)
{
    const crossing *c = items;
    return compare_pairs(&c[i], c[k].triangles[0], c[k].triangles[1]);
}

/// The crossing of two triangles, or -1.
static int look_up(const crossing *items, const int *order, int count, int a, int b)
{
    int begin = 0, end = count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2, sign = compare_pairs(&items[order[middle]], a, b);
        if (sign == 0) {
            return order[middle];
        }
        if (sign < 0) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return -1;
}

static int root_of(int *parents, int i)
{
    while (parents[i] != i) {
        i = parents[i] = parents[parents[i]];
    }
    return i;
}

/// Joins each crossing with those of the neighbours of its triangles. Lower indices are roots.
static void join(const piece_search *s, const int *order, int *parents)
{
    const crossing *items = s->crossings.items;
    int count = s->crossings.count;
    for (int i = 0; i < count; ++i) {
        parents[i] = i;
    }
    for (int i = 0; i < 6 * count; ++i) {
        int side = i % 6 / 3, pair[2] = {items[i / 6].triangles[0], items[i / 6].triangles[1]};
        pair[side] = s->sides[side].model->topology.triangle_neighbours[3 * pair[side] + i % 3];
        int other = pair[side] >= 0 ? look_up(items, order, count, pair[0], pair[1]) : -1;
        if (other >= 0) {
            int x = root_of(parents, i / 6), y = root_of(parents, other);
            parents[x > y ? x : y] = x > y ? y : x;
        }
    }
}

int abut_overlap_pieces_find(abut_arena *arena, const abut_touch_side sides[2], abut_overlap_pieces *pieces)
{
    piece_search s = {.sides = sides, .arena = arena};
    abut_pose b_to_a = abut_pose_make(sides[1].translation, sides[1].turn);
    *pieces = (abut_overlap_pieces){.count = 0};
    (void)abut_tree_intersections(sides[0].tree, sides[1].tree, b_to_a, 0.0, add_crossing, &s);
    int count = s.crossings.count;
    const crossing *items = s.crossings.items;
    if (s.is_out_of_memory || count == 0) {
        return !s.is_out_of_memory;
    }
    int *order = abut_arena_order(arena, count, compare_crossings, items);
    int *parents = abut_arena_take(arena, (size_t)count * sizeof *parents);
    pieces->items = abut_arena_take(arena, (size_t)count * sizeof *pieces->items);
    if (order == NULL || parents == NULL || pieces->items == NULL) {
        return 0;
    }
    join(&s, order, parents);
    for (int i = 0; i < count; ++i) { // a root comes before the rest of its piece, and its place takes the number
        int root = parents[i] == i ? i : root_of(parents, i);
        if (root == i) {
            order[i] = pieces->count;
            pieces->items[pieces->count++] = (abut_overlap_piece){.box = abut_box_empty()};
        }
        abut_overlap_piece *piece = &pieces->items[order[root]];
        abut_vec3 p = abut_sub(items[i].ends[0], items[0].ends[0]),
                  q = abut_sub(items[i].ends[1], items[0].ends[0]);
        abut_vec3 area = abut_scale(0.5, abut_cross(p, q));
        piece->area = abut_add(piece->area, area);
        piece->box = abut_box_add(abut_box_add(piece->box, items[i].ends[0]), items[i].ends[1]);
        pieces->area = abut_add(pieces->area, area);
    }
    return 1;
}

// ---- apart

static int stop(void *user, int element_a, int element_b)
{
    (void)user;
    (void)element_a;
    (void)element_b;
    return 1;
}

int abut_sides_are_apart(const abut_touch_side sides[2])
{
    abut_pose b_to_a = abut_pose_make(sides[1].translation, sides[1].turn);
    if (abut_tree_intersections(sides[0].tree, sides[1].tree, b_to_a, 0.0, stop, NULL) != 0) {
        return 0;
    }
    for (int side = 0; side < 2; ++side) {
        const abut_region_model *model = sides[side].model;
        for (int i = 0; i < model->part_count; ++i) {
            abut_vec3 p = abut_touch_place(&sides[side], abut_region_vertex(model, model->part_vertices[i]));
            if (abut_touch_is_inside(&sides[1 - side], p)) {
                return 0;
            }
        }
    }
    return 1;
}
