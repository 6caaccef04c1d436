// SPDX-License-Identifier: MIT
// holes.c: filling small holes of a surface
//
// The open edges of an oriented surface form loops. Of all triangulations of a loop, the one with the least area is
// taken, by dynamic programming over its chords; triangles without area are never taken.
//
// Source: the least-area triangulation of polygons in space, Barequet and Sharir 1995.
// Cost:   for a loop of n corners n^3, at most 64^3.
#include "check/holes.h"

#include "base/memory.h"

#include <string.h>

/// The open edges by their first vertex, in the direction of the faces that would close them.
typedef struct borders {
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    int *next;               ///< of each vertex: the end of the open edge that begins there; -1: none, -2: several
    unsigned char *is_small; ///< of each part of the mesh: whether all of its borders are
    struct loop_plan *plan;
    double perimeter;
} borders;

static const double default_perimeter = 0.1; ///< of the diagonal

/// A triangulation of a loop.
typedef struct loop_plan {
    int corners[ABUT_HOLE_CORNERS];
    int count;
    double areas[ABUT_HOLE_CORNERS * ABUT_HOLE_CORNERS]; ///< of the best triangulation behind chord i, k
    int apexes[ABUT_HOLE_CORNERS * ABUT_HOLE_CORNERS];
} loop_plan;

static void find_open_edges(borders *b)
{
    for (int i = 0; i < b->elements.vertex_count; ++i) {
        b->next[i] = -1;
    }
    for (int i = 0; i < 3 * b->elements.triangle_count; ++i) {
        if (b->topology.triangle_neighbours[i] == ABUT_BOUNDARY) {
            const int *t = b->elements.triangles + 3 * (size_t)(i / 3);
            int from = t[(i + 1) % 3], to = t[i % 3];
            b->next[from] = b->next[from] == -1 ? to : -2;
        }
    }
}

/// Follows the loop from a vertex. Returns the number of its corners; 0 if it is not a small simple loop.
static int follow(const borders *b, int start, int *corners)
{
    double length = 0.0;
    int count = 0, at = start;
    do {
        int next = b->next[at];
        if (next < 0 || count == ABUT_HOLE_CORNERS) {
            return 0;
        }
        corners[count++] = at;
        length += abut_norm(abut_sub(b->elements.vertices[next], b->elements.vertices[at]));
        at = next;
    } while (at != start && length <= b->perimeter);
    return at == start && length <= b->perimeter ? count : 0;
}

static double area_of(const borders *b, const loop_plan *plan, int i, int j, int k)
{
    const abut_vec3 *v = b->elements.vertices;
    abut_vec3 p = v[plan->corners[i]];
    double area = abut_norm(abut_cross(abut_sub(v[plan->corners[j]], p), abut_sub(v[plan->corners[k]], p)));
    return area > 0.0 ? area : HUGE_VAL;
}

/// Finds the triangulation of least area. Returns 0 if every one has a triangle without area.
static int plan_loop(const borders *b, loop_plan *plan)
{
    int n = plan->count;
    for (int span = 1; span < n; ++span) {
        for (int i = 0; i + span < n; ++i) {
            int k = i + span, at = i * ABUT_HOLE_CORNERS + k;
            plan->areas[at] = span == 1 ? 0.0 : HUGE_VAL;
            for (int j = i + 1; j < k; ++j) {
                double area = plan->areas[i * ABUT_HOLE_CORNERS + j] + plan->areas[j * ABUT_HOLE_CORNERS + k] +
                              area_of(b, plan, i, j, k);
                if (area < plan->areas[at]) {
                    plan->areas[at] = area;
                    plan->apexes[at] = j;
                }
            }
        }
    }
    return !isinf(plan->areas[n - 1]);
}

/// Adds the triangles behind chord i, k; the recursion is as deep as the loop has corners.
static abut_status add_triangles(abut_surface *surface, const loop_plan *plan, int i, int k)
{
    if (k - i < 2) {
        return ABUT_OK;
    }
    int j = plan->apexes[i * ABUT_HOLE_CORNERS + k];
    const int triangle[3] = {plan->corners[i], plan->corners[j], plan->corners[k]};
    abut_status status = abut_surface_add_face(&surface->parts, &surface->face_sources, triangle, 3, -1);
    ++surface->counts.faces_added;
    status = status == ABUT_OK ? add_triangles(surface, plan, i, j) : status;
    return status == ABUT_OK ? add_triangles(surface, plan, j, k) : status;
}

/// Notes the parts that have a border which is not small.
static void rule_out(borders *b)
{
    loop_plan *plan = b->plan;
    memset(b->is_small, 1, (size_t)b->topology.part_count);
    for (int i = 0; i < b->elements.vertex_count; ++i) {
        if (b->next[i] != -1) {
            plan->count = b->next[i] == -2 ? 0 : follow(b, i, plan->corners);
            int part = b->topology.vertex_parts[i];
            b->is_small[part] = b->is_small[part] && plan->count >= 3 && plan_loop(b, plan);
        }
    }
}

static abut_status fill(borders *b, abut_surface *surface)
{
    abut_status status = ABUT_OK;
    loop_plan *plan = b->plan;
    for (int i = 0; i < b->elements.vertex_count && status == ABUT_OK; ++i) {
        if (b->next[i] < 0 || !b->is_small[b->topology.vertex_parts[i]]) {
            continue;
        }
        plan->count = follow(b, i, plan->corners);
        (void)plan_loop(b, plan);
        status = add_triangles(surface, plan, 0, plan->count - 1);
        ++surface->counts.holes_filled;
        for (int k = 0; k < plan->count; ++k) {
            b->next[plan->corners[k]] = -1;
        }
    }
    return status;
}

/// Prepares to look at the borders of a mesh. Release with end_borders(), also after a failure.
static abut_status begin_borders(borders *b, const abut_context *context, const abut_mesh *mesh, double perimeter)
{
    *b = (borders){.perimeter = perimeter};
    b->elements = abut_mesh_get_elements(mesh);
    b->topology = abut_mesh_get_topology(mesh);
    b->next = abut_allocate(context, (size_t)b->elements.vertex_count, sizeof *b->next);
    b->is_small = abut_allocate(context, (size_t)b->topology.part_count, 1);
    b->plan = abut_allocate(context, 1, sizeof *b->plan);
    if (b->next == NULL || b->is_small == NULL || b->plan == NULL) {
        return ABUT_NO_MEMORY;
    }
    find_open_edges(b);
    rule_out(b);
    return ABUT_OK;
}

static void end_borders(borders *b, const abut_context *context)
{
    abut_free(context, b->next);
    abut_free(context, b->is_small);
    abut_free(context, b->plan);
}

/// Whether there are borders, and loops of them can be followed.
static int has_loops(const abut_mesh *mesh)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    return info.boundary_edge_count > 0 && info.misoriented_edge_count == 0;
}

double abut_holes_perimeter(const abut_surface *surface, double hole)
{
    return hole < 0.0 ? default_perimeter * abut_box_diagonal(surface->bounds) : ldexp(hole, -surface->exponent);
}

abut_status abut_holes_fill(abut_surface *surface, double perimeter, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    abut_mesh *mesh = NULL;
    abut_status status = abut_surface_build(surface, &mesh, error);
    if (status == ABUT_OK && has_loops(mesh)) {
        borders b;
        status = begin_borders(&b, context, mesh, perimeter);
        status = status == ABUT_OK ? fill(&b, surface) : status;
        end_borders(&b, context);
        status = status == ABUT_OK ? ABUT_OK : abut_surface_fail(error, status);
    }
    abut_mesh_destroy(mesh);
    return status;
}

abut_status abut_holes_are_small(const abut_context *context, const abut_mesh *mesh, double perimeter,
                                 int *are_small)
{
    *are_small = 0;
    if (!has_loops(mesh)) {
        return ABUT_OK;
    }
    borders b;
    abut_status status = begin_borders(&b, context, mesh, perimeter);
    if (status == ABUT_OK) {
        *are_small = memchr(b.is_small, 0, (size_t)b.topology.part_count) == NULL;
    }
    end_borders(&b, context);
    return status;
}
