// SPDX-License-Identifier: MIT
// junctions.c: finds T-junctions, and cuts faces at them
#include "check/junctions.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "mesh/sides.h"
#include "prim/point_segment.h"

#include <float.h>
#include <string.h>

typedef struct search {
    abut_junctions *junctions;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    abut_vec3 *points; // positions of the vertices at open edges
    int *point_vertices;
    int point_count;
    double tolerance;
    int64_t visits_left;
} search;

// Limits of the visits, so that the time stays linear even if everything overlaps everything. A vertex at a border
// is in the boxes of about four triangles; VISITS_EACH is twice that.
enum { VISITS_EACH = 8, VISITS_BASE = 4000000 };

enum { SEARCH_FAILED = 1, SEARCH_LIMIT = 2 };

static int add_junction(abut_junctions *junctions, const abut_junction *junction)
{
    int grown = abut_grow(&junctions->context, &junctions->items, &junctions->capacity, junctions->count + 1,
                          sizeof *junctions->items);
    if (grown) {
        junctions->items[junctions->count++] = *junction;
    }
    return grown;
}

static int is_corner(const abut_mesh_elements *elements, int face, int vertex)
{
    for (int k = elements->face_offsets[face]; k < elements->face_offsets[face + 1]; ++k) {
        if (elements->face_vertices[k] == vertex) {
            return 1;
        }
    }
    return 0;
}

// Tests a vertex and a triangle whose boxes are within the tolerance.
static int visit(void *user, int point, int triangle)
{
    search *s = user;
    if (--s->visits_left < 0) {
        return SEARCH_LIMIT;
    }
    int vertex = s->point_vertices[point];
    const int *corners = s->elements.triangles + 3 * (size_t)triangle;
    if (is_corner(&s->elements, s->elements.triangle_faces[triangle], vertex)) {
        return 0;
    }
    for (int k = 0; k < 3; ++k) {
        if (s->topology.triangle_neighbours[3 * (size_t)triangle + (size_t)k] != ABUT_BOUNDARY) {
            continue;
        }
        abut_junction junction = {3 * triangle + k, vertex, 0.0};
        abut_vec3 a = s->elements.vertices[corners[k]], b = s->elements.vertices[corners[(k + 1) % 3]];
        double squared = abut_point_segment_distance_squared(s->points[point], a, b, &junction.along);
        if (squared <= s->tolerance * s->tolerance && junction.along > 0.0 && junction.along < 1.0 &&
            !add_junction(s->junctions, &junction)) {
            return SEARCH_FAILED;
        }
    }
    return 0;
}

static int compare_junctions(const void *user, int a, int b)
{
    const abut_junction *x = (const abut_junction *)user + a, *y = (const abut_junction *)user + b;
    if (x->side != y->side) {
        return x->side < y->side ? -1 : 1;
    }
    if (x->along != y->along) {
        return x->along < y->along ? -1 : 1;
    }
    return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static int sort_junctions(abut_junctions *junctions)
{
    size_t count = (size_t)junctions->count;
    int *order = abut_allocate(&junctions->context, 2 * count, sizeof(int));
    abut_junction *sorted = abut_allocate(&junctions->context, count, sizeof *sorted);
    if (order == NULL || sorted == NULL) {
        abut_free(&junctions->context, order);
        abut_free(&junctions->context, sorted);
        return 0;
    }
    for (int i = 0; i < junctions->count; ++i) {
        order[i] = i;
    }
    abut_sort_indices(order, order + count, junctions->count, compare_junctions, junctions->items);
    for (int i = 0; i < junctions->count; ++i) {
        sorted[i] = junctions->items[order[i]];
    }
    abut_free(&junctions->context, junctions->items);
    abut_free(&junctions->context, order);
    junctions->items = sorted;
    junctions->capacity = junctions->count;
    return 1;
}

// Collects the vertices at open edges in ascending order. Returns 0 if out of memory.
static int gather_points(search *s)
{
    const abut_context *context = &s->junctions->context;
    size_t vertex_count = (size_t)s->elements.vertex_count;
    unsigned char *is_open = abut_allocate_zeroed(context, vertex_count, 1);
    if (is_open == NULL) {
        return 0;
    }
    for (int i = 0; i < s->topology.edge_count; ++i) {
        if (s->topology.edge_triangle_offsets[i + 1] - s->topology.edge_triangle_offsets[i] == 1) {
            is_open[s->topology.edge_vertices[2 * (size_t)i]] = 1;
            is_open[s->topology.edge_vertices[2 * (size_t)i + 1]] = 1;
        }
    }
    int count = 0;
    for (size_t i = 0; i < vertex_count; ++i) {
        count += is_open[i];
    }
    s->points = abut_allocate(context, (size_t)count, sizeof *s->points);
    s->point_vertices = abut_allocate(context, (size_t)count, sizeof(int));
    int have_memory = s->points != NULL && s->point_vertices != NULL;
    for (int i = 0; i < s->elements.vertex_count && have_memory; ++i) {
        if (is_open[i]) {
            s->points[s->point_count] = s->elements.vertices[i];
            s->point_vertices[s->point_count++] = i;
        }
    }
    abut_free(context, is_open);
    return have_memory;
}

static abut_status search_tree(search *s, const abut_tree *tree, abut_error *error)
{
    const abut_context *context = &s->junctions->context;
    int *points = abut_allocate(context, (size_t)s->point_count, sizeof(int));
    if (points == NULL) {
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    for (int i = 0; i < s->point_count; ++i) {
        points[i] = i;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = s->points;
    def.vertex_count = s->point_count;
    def.points = points;
    def.point_count = s->point_count;
    abut_mesh *mesh = NULL;
    abut_tree *point_tree = NULL;
    abut_status status = abut_mesh_create(context, &def, &mesh, error);
    if (status == ABUT_OK) {
        status = abut_tree_create(context, mesh, ABUT_ELEMENT_POINT, &point_tree, error);
    }
    if (status == ABUT_OK) {
        s->visits_left = VISITS_BASE + (int64_t)VISITS_EACH * s->point_count;
        int result = abut_tree_pairs(point_tree, tree, abut_pose_identity(), s->tolerance, visit, s);
        s->junctions->is_complete = result != SEARCH_LIMIT;
        status = result == SEARCH_FAILED ? abut_surface_fail(error, ABUT_NO_MEMORY) : ABUT_OK;
    }
    abut_tree_destroy(point_tree);
    abut_mesh_destroy(mesh);
    abut_free(context, points);
    return status;
}

abut_status abut_junctions_find(abut_junctions *junctions, const abut_context *context, const abut_mesh *mesh,
                                const abut_tree *tree, double tolerance, abut_error *error)
{
    memset(junctions, 0, sizeof *junctions);
    junctions->context = *context;
    junctions->is_complete = 1;
    search s = {
        .junctions = junctions, .elements = abut_mesh_get_elements(mesh), .topology = abut_mesh_get_topology(mesh)};
    abut_box bounds = s.elements.bounds;
    // rounding moves a vertex that was placed on an edge off it, so allow at least a few ulps
    double largest = abut_max_component(abut_max(abut_abs(bounds.lower), abut_abs(bounds.upper)));
    s.tolerance = s.elements.vertex_count > 0 ? fmax(tolerance, 4.0 * DBL_EPSILON * largest) : 0.0;
    if (!gather_points(&s)) {
        abut_free(context, s.points);
        abut_free(context, s.point_vertices);
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    abut_status status = s.point_count > 0 ? search_tree(&s, tree, error) : ABUT_OK;
    if (status == ABUT_OK && !sort_junctions(junctions)) {
        status = abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    abut_free(context, s.points);
    abut_free(context, s.point_vertices);
    return status;
}

void abut_junctions_release(abut_junctions *junctions)
{
    abut_free(&junctions->context, junctions->items);
}

// The index of the first junction on this side or a later one.
static int first_at(const abut_junctions *junctions, int side)
{
    int begin = 0, end = junctions->count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (junctions->items[middle].side < side) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

static int has_vertex_on(const abut_junctions *junctions, const int *corners, int triangle)
{
    for (int i = first_at(junctions, 3 * triangle);
         i < junctions->count && junctions->items[i].side < 3 * triangle + 3; ++i) {
        int vertex = junctions->items[i].vertex;
        if (corners[0] == vertex || corners[1] == vertex || corners[2] == vertex) {
            return 1;
        }
    }
    return 0;
}

int abut_junctions_join(const abut_junctions *junctions, const int *triangles, int a, int b)
{
    return junctions->count > 0 && (has_vertex_on(junctions, triangles + 3 * (size_t)b, a) ||
                                    has_vertex_on(junctions, triangles + 3 * (size_t)a, b));
}

// ---------------------------------------------------------------------------------------------------------------
// Cutting

typedef struct cutter {
    const abut_junctions *junctions;
    abut_mesh_elements elements;
    abut_surface *surface;
    abut_parts made; // faces only
    abut_ints made_sources;
    abut_ints corners; // of one polygon
} cutter;

// The triangle p, q, r becomes a fan: r with each piece of the side p q.
static abut_status cut_triangle(cutter *c, int face, int begin, int end)
{
    int side = c->junctions->items[begin].side;
    int p = abut_side_start(&c->elements, side), q = abut_side_end(&c->elements, side);
    int r = c->elements.triangles[abut_side_previous(side)];
    int source = c->surface->face_sources.items[face];
    int from = p;
    for (int i = begin; i <= end; ++i) {
        const int piece[3] = {from, i < end ? c->junctions->items[i].vertex : q, r};
        abut_status status = abut_surface_add_face(&c->made, &c->made_sources, piece, 3, source);
        if (status != ABUT_OK) {
            return status;
        }
        from = piece[1];
    }
    return ABUT_OK;
}

// A polygon gets the vertices as additional corners.
static abut_status cut_polygon(cutter *c, int face, int begin, int end)
{
    int side = c->junctions->items[begin].side;
    int p = abut_side_start(&c->elements, side), q = abut_side_end(&c->elements, side);
    int first = c->elements.face_offsets[face], count = c->elements.face_offsets[face + 1] - first;
    const int *corners = c->elements.face_vertices + first;
    const abut_context *context = &c->made.context;
    c->corners.count = 0;
    abut_status status = ABUT_OK;
    for (int k = 0; k < count && status == ABUT_OK; ++k) {
        status = abut_ints_add(context, &c->corners, corners[k]);
        if (corners[k] == p && corners[(k + 1) % count] == q) {
            for (int i = begin; i < end && status == ABUT_OK; ++i) {
                status = abut_ints_add(context, &c->corners, c->junctions->items[i].vertex);
            }
        }
    }
    return status == ABUT_OK ? abut_surface_add_face(&c->made, &c->made_sources, c->corners.items, c->corners.count,
                                                     c->surface->face_sources.items[face])
                             : status;
}

static abut_status cut_faces(cutter *c)
{
    const abut_junctions *junctions = c->junctions;
    const abut_mesh_elements *elements = &c->elements;
    int at = 0;
    for (int face = 0; face < elements->face_count; ++face) {
        // junctions and triangles are both sorted by face
        int begin = at;
        while (at < junctions->count && elements->triangle_faces[junctions->items[at].side / 3] == face) {
            ++at;
        }
        int end = begin;
        while (end < at && junctions->items[end].side == junctions->items[begin].side) {
            ++end;
        }
        int first = elements->face_offsets[face], count = elements->face_offsets[face + 1] - first;
        abut_status status =
            begin == end ? abut_surface_add_face(&c->made, &c->made_sources, elements->face_vertices + first, count,
                                                 c->surface->face_sources.items[face])
            : count == 3 ? cut_triangle(c, face, begin, end)
                         : cut_polygon(c, face, begin, end);
        if (status != ABUT_OK) {
            return status;
        }
        c->surface->counts.junctions_split += end - begin;
    }
    return ABUT_OK;
}

abut_status abut_junctions_split(const abut_junctions *junctions, const abut_mesh *mesh, abut_surface *surface,
                                 abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    cutter c = {.junctions = junctions, .elements = abut_mesh_get_elements(mesh), .surface = surface};
    abut_parts_init(&c.made, context);
    abut_status status = cut_faces(&c);
    if (status == ABUT_OK) {
        abut_ints offsets = surface->parts.face_offsets, vertices = surface->parts.face_vertices;
        abut_ints sources = surface->face_sources;
        surface->parts.face_offsets = c.made.face_offsets;
        surface->parts.face_vertices = c.made.face_vertices;
        surface->face_sources = c.made_sources;
        c.made.face_offsets = offsets;
        c.made.face_vertices = vertices;
        c.made_sources = sources;
    }
    abut_free(context, c.corners.items);
    abut_free(context, c.made_sources.items);
    abut_parts_release(&c.made);
    return status == ABUT_OK ? ABUT_OK : abut_surface_fail(error, status);
}
