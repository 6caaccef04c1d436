// SPDX-License-Identifier: MIT
// soup.h: meshes for the tests of the tree, and brute-force queries
#ifndef ABUT_TEST_SOUP_H
#define ABUT_TEST_SOUP_H

#include "check.h"
#include "prim/point_segment.h"
#include "prim/point_tet.h"
#include "prim/point_triangle.h"
#include "random.h"
#include <abut/tree.h>
#include <stdlib.h>

enum { VERTICES = 400, ELEMENTS = 400 };

// Vertices and elements of a mesh.
typedef struct soup {
    abut_vec3 vertices[VERTICES];
    int vertex_count;
    int corners[4 * ELEMENTS];
    int element_count;
    abut_element_kind kind;
} soup;

typedef enum soup_style {
    STYLE_RANDOM,  // small triangles anywhere
    STYLE_SLIVERS, // needles as long as the mesh, 1e-6 wide
    STYLE_GRID,    // integer coordinates: many ties, flat elements and elements that touch
    STYLE_UNEQUAL, // sizes from 1e-6 to 1
    STYLE_SAME,    // all elements are equal
    STYLE_COUNT
} soup_style;

static inline soup make_soup(test_random *random, abut_element_kind kind, soup_style style, int element_count)
{
    soup s = {.kind = kind, .element_count = element_count};
    int corner_count = (int)kind + 1;
    s.vertex_count = VERTICES;
    for (int i = 0; i < element_count; ++i) {
        abut_vec3 center = random_vec3(random, 1.0), axis = random_unit(random);
        double size = style == STYLE_UNEQUAL ? pow(10.0, random_in(random, -6.0, 0.0)) : 0.1;
        for (int k = 0; k < corner_count; ++k) {
            int corner = i * corner_count + k;
            int vertex = style == STYLE_SAME ? k : corner % VERTICES;
            s.corners[corner] = vertex;
            if (style == STYLE_SLIVERS) {
                s.vertices[vertex] =
                    abut_add(abut_scale(random_in(random, -1.0, 1.0), axis), random_vec3(random, 1e-6));
            } else if (style == STYLE_GRID) {
                s.vertices[vertex] = abut_vec3_make(random_below(random, 7) - 3, random_below(random, 7) - 3,
                                                    random_below(random, 7) - 3);
            } else {
                s.vertices[vertex] = abut_add(center, random_vec3(random, size));
            }
        }
    }
    return s;
}

// Elements share vertices if there are more corners than vertices.
static inline abut_mesh *make_mesh(const soup *s)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = s->vertices;
    def.vertex_count = s->vertex_count;
    switch (s->kind) {
    case ABUT_ELEMENT_POINT:
        def.points = s->corners;
        def.point_count = s->element_count;
        break;
    case ABUT_ELEMENT_SEGMENT:
        def.segments = s->corners;
        def.segment_count = s->element_count;
        break;
    case ABUT_ELEMENT_TRIANGLE:
        def.face_vertices = s->corners;
        def.face_count = s->element_count;
        break;
    case ABUT_ELEMENT_TET:
        def.tets = s->corners;
        def.tet_count = s->element_count;
        break;
    }
    abut_mesh *mesh = NULL;
    abut_error error;
    abut_status status = abut_mesh_create(NULL, &def, &mesh, &error);
    if (!CHECK(status == ABUT_OK, "%s", error.text)) {
        abort();
    }
    return mesh;
}

static inline abut_tree *make_tree(const abut_mesh *mesh, abut_element_kind kind)
{
    abut_tree *tree = NULL;
    abut_error error;
    abut_status status = abut_tree_create(NULL, mesh, kind, &tree, &error);
    if (!CHECK(status == ABUT_OK, "%s", error.text)) {
        abort();
    }
    return tree;
}

static inline void move_soup(soup *s, double scale, abut_vec3 offset)
{
    for (int i = 0; i < s->vertex_count; ++i) {
        s->vertices[i] = abut_add(abut_scale(scale, s->vertices[i]), offset);
    }
}

static inline void triangle_of(const soup *s, const abut_vec3 *vertices, int element, abut_vec3 t[3])
{
    for (int k = 0; k < 3; ++k) {
        t[k] = vertices[s->corners[3 * element + k]];
    }
}

static const double scales[] = {1e-3, 1.0, 1e3};

typedef struct pair_table {
    unsigned char seen[ELEMENTS][ELEMENTS];
    int count;
    uint64_t order; // a hash of the pairs that depends on their order
} pair_table;

static inline int note_pair(void *user, int a, int b)
{
    pair_table *table = user;
    CHECK(a >= 0 && a < ELEMENTS && b >= 0 && b < ELEMENTS && table->seen[a][b] == 0, "pair %d %d twice", a, b);
    table->seen[a][b] = 1;
    table->count += 1;
    table->order = (table->order ^ (uint64_t)(a * ELEMENTS + b)) * 0x9e3779b97f4a7c15u;
    return 0;
}

// Counts pairs; `user` points to an int.
static inline int count_pair(void *user, int a, int b)
{
    (void)a;
    (void)b;
    ++*(int *)user;
    return 0;
}

static inline double element_distance(const soup *s, int element, abut_vec3 p)
{
    double t, weights[4], squared = 0.0;
    abut_vec3 c[4];
    int corner_count = (int)s->kind + 1;
    for (int k = 0; k < corner_count; ++k) {
        c[k] = s->vertices[s->corners[corner_count * element + k]];
    }
    switch (s->kind) {
    case ABUT_ELEMENT_POINT: squared = abut_norm_squared(abut_sub(p, c[0])); break;
    case ABUT_ELEMENT_SEGMENT: squared = abut_point_segment_distance_squared(p, c[0], c[1], &t); break;
    case ABUT_ELEMENT_TRIANGLE: squared = abut_point_triangle_distance_squared(p, c, weights); break;
    case ABUT_ELEMENT_TET: squared = abut_point_tet_distance_squared(p, c, weights); break;
    }
    return sqrt(squared);
}

static inline abut_tree_hit brute_nearest(const soup *s, abut_vec3 p, double limit)
{
    abut_tree_hit best = {-1, HUGE_VAL, {0.0, 0.0, 0.0}};
    for (int i = 0; i < s->element_count; ++i) {
        double distance = element_distance(s, i, p);
        if (distance <= limit && distance < best.distance) {
            best.element = i;
            best.distance = distance;
        }
    }
    return best;
}

#endif
