// SPDX-License-Identifier: MIT
// look.c: findings about the edges, vertices, parts and shells of a mesh
#include "check/look.h"

#include "base/memory.h"
#include "mesh/sides.h"

static int corner_of(const abut_mesh_elements *elements, int triangle, int vertex)
{
    return abut_side_at_corner(elements, triangle, vertex) - 3 * triangle;
}

// Goes from triangle to triangle around a vertex, leaving the first through side `out`. Stops at a border or back at
// the first. Returns the number of other triangles visited.
static int walk_around(const abut_mesh_elements *elements, const abut_mesh_topology *topology, int vertex,
                       int first, int out)
{
    int triangle = first, met = 0;
    for (;;) {
        size_t side = 3 * (size_t)triangle + (size_t)out;
        int crossed = topology->triangle_edges[side];
        triangle = topology->triangle_neighbours[side];
        if (triangle < 0 || triangle == first) {
            return met;
        }
        ++met;
        int corner = corner_of(elements, triangle, vertex);
        // leave through the side at the corner that we did not come through
        out =
            topology->triangle_edges[3 * (size_t)triangle + (size_t)corner] == crossed ? (corner + 2) % 3 : corner;
    }
}

// Whether the triangles at a vertex form more than one fan. Vertices of non-manifold edges are not reported, because
// the edges are.
static int is_pinched(const abut_mesh_elements *elements, const abut_mesh_topology *topology, int vertex)
{
    int begin = topology->vertex_triangle_offsets[vertex];
    int count = topology->vertex_triangle_offsets[vertex + 1] - begin;
    if (count < 2) {
        return 0;
    }
    for (int i = topology->vertex_edge_offsets[vertex]; i < topology->vertex_edge_offsets[vertex + 1]; ++i) {
        int edge = topology->vertex_edges[i];
        if (topology->edge_triangle_offsets[edge + 1] - topology->edge_triangle_offsets[edge] > 2) {
            return 0;
        }
    }
    int first = topology->vertex_triangles[begin];
    int corner = corner_of(elements, first, vertex);
    int met = walk_around(elements, topology, vertex, first, corner);
    if (met < count - 1) {
        met += walk_around(elements, topology, vertex, first, (corner + 2) % 3);
    }
    return met < count - 1;
}

void abut_look_at_edges(abut_check *check, const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    for (int i = 0; i < topology.edge_count; ++i) {
        int count = topology.edge_triangle_offsets[i + 1] - topology.edge_triangle_offsets[i];
        if (count == 1 || count > 2) {
            abut_findings_add(check, count == 1 ? ABUT_FINDING_OPEN_EDGE : ABUT_FINDING_NON_MANIFOLD_EDGE,
                              topology.edge_vertices + 2 * (size_t)i);
        }
    }
    for (int i = 0; i < elements.vertex_count; ++i) {
        if (is_pinched(&elements, &topology, i)) {
            abut_findings_add_one(check, ABUT_FINDING_NON_MANIFOLD_VERTEX, i);
        }
    }
}

abut_status abut_look_at_parts(abut_check *check, const abut_mesh *mesh, const int *sources, abut_error *error)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    unsigned char *is_known = abut_allocate_zeroed(&check->context, (size_t)topology.part_count, 1);
    if (is_known == NULL) {
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    int count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        // the first pass counts the parts with faces, the second reports them if there are several
        for (int i = 0; i < elements.face_count && (pass == 0 || count > 1); ++i) {
            int part = topology.vertex_parts[elements.face_vertices[elements.face_offsets[i]]];
            if (is_known[part] == pass) {
                is_known[part] = (unsigned char)(pass + 1);
                count += pass == 0;
                if (pass == 1) {
                    abut_findings_add_one(check, ABUT_FINDING_SEVERAL_PARTS, sources[i]);
                }
            }
        }
    }
    abut_free(&check->context, is_known);
    return ABUT_OK;
}

static void add_flipped(abut_check *check, const abut_mesh_elements *elements, const int *sources,
                        const abut_shells *shells)
{
    int last = -1;
    for (int i = 0; i < elements->triangle_count; ++i) {
        int face = elements->triangle_faces[i];
        if (shells->is_turned[i] && face != last) {
            abut_findings_add_one(check, ABUT_FINDING_FLIPPED_FACE, sources[face]);
            last = face;
        }
    }
}

void abut_look_at_shells(abut_check *check, const abut_mesh *mesh, const int *sources, const abut_shells *shells)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    add_flipped(check, &elements, sources, shells);
    for (int i = 0; i < shells->count; ++i) {
        const abut_shell *shell = &shells->shells[i];
        int face = sources[elements.triangle_faces[shell->first]];
        if (!shell->is_orientable) {
            abut_findings_add_one(check, ABUT_FINDING_ONE_SIDED_PART, face);
        }
        if (abut_shell_is_inside_out(shell)) {
            abut_findings_add_one(check, ABUT_FINDING_INSIDE_OUT_PART, face);
        }
        if (shell->parent >= 0) {
            int outer = elements.triangle_faces[shells->shells[shell->parent].first];
            abut_findings_add_two(check, ABUT_FINDING_NESTED_PART, face, sources[outer]);
        }
    }
}
