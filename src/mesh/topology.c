// SPDX-License-Identifier: MIT
// topology.c: edges of triangles and segments, and what is next to what
//
// The sides of triangles and the segments are sorted by their two vertices with two passes of counting sort, which
// is linear and keeps equal sides in order of triangle. Everything else is read from the sorted sides.
#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"

#include <limits.h>
#include <string.h>

typedef struct side_ends {
    int lower, upper;
} side_ends;

// Side i is the one from corner i % 3 of triangle i / 3 to the next; the segments come after the triangles.
static inline side_ends ends_of(const abut_mesh_elements *elements, int side)
{
    int corner_count = 3 * elements->triangle_count;
    int a, b;
    if (side < corner_count) {
        a = elements->triangles[side];
        b = elements->triangles[side % 3 == 2 ? side - 2 : side + 1];
    } else {
        const int *segment = elements->segments + 2 * (size_t)(side - corner_count);
        a = segment[0];
        b = segment[1];
    }
    side_ends ends = {a < b ? a : b, a < b ? b : a};
    return ends;
}

// Sorts by upper, then, keeping that order, by lower vertex. `order` and `scratch` have an entry for each side,
// `starts` one for each vertex and one more.
static void sort_sides(const abut_mesh_elements *elements, int side_count, int *order, int *scratch, int *starts)
{
    int vertex_count = elements->vertex_count;
    size_t starts_size = ((size_t)vertex_count + 1) * sizeof(int);
    memset(starts, 0, starts_size);
    for (int i = 0; i < side_count; ++i) {
        ++starts[ends_of(elements, i).upper + 1];
    }
    abut_offsets_from_counts(starts, vertex_count);
    for (int i = 0; i < side_count; ++i) {
        scratch[starts[ends_of(elements, i).upper]++] = i;
    }
    memset(starts, 0, starts_size);
    for (int i = 0; i < side_count; ++i) {
        ++starts[ends_of(elements, i).lower + 1];
    }
    abut_offsets_from_counts(starts, vertex_count);
    for (int i = 0; i < side_count; ++i) {
        order[starts[ends_of(elements, scratch[i]).lower]++] = scratch[i];
    }
}

static int count_edges(const abut_mesh_elements *elements, const int *order, int side_count)
{
    int count = 0;
    side_ends last = {-1, -1};
    for (int i = 0; i < side_count; ++i) {
        side_ends ends = ends_of(elements, order[i]);
        count += ends.lower != last.lower || ends.upper != last.upper;
        last = ends;
    }
    return count;
}

static void fill_neighbours(abut_mesh *mesh, int *neighbours)
{
    const abut_mesh_topology *topology = &mesh->topology;
    for (int i = 0; i < 3 * mesh->elements.triangle_count; ++i) {
        int edge = topology->triangle_edges[i];
        int begin = topology->edge_triangle_offsets[edge];
        int count = topology->edge_triangle_offsets[edge + 1] - begin;
        const int *around = topology->edge_triangles + begin;
        neighbours[i] = count == 1           ? ABUT_BOUNDARY
                        : count > 2          ? ABUT_NON_MANIFOLD
                        : around[0] == i / 3 ? around[1]
                                             : around[0];
    }
}

static abut_status make_edges(abut_mesh *mesh, const int *order, int side_count)
{
    const abut_mesh_elements *elements = &mesh->elements;
    abut_mesh_topology *topology = &mesh->topology;
    int corner_count = 3 * elements->triangle_count;
    topology->edge_count = count_edges(elements, order, side_count);
    int *edge_vertices = abut_mesh_own(mesh, (size_t)topology->edge_count, 2 * sizeof(int));
    int *offsets = abut_mesh_own(mesh, (size_t)topology->edge_count + 1, sizeof(int));
    int *edge_triangles = abut_mesh_own(mesh, (size_t)corner_count, sizeof(int));
    int *triangle_edges = abut_mesh_own(mesh, (size_t)corner_count, sizeof(int));
    int *neighbours = abut_mesh_own(mesh, (size_t)corner_count, sizeof(int));
    int *segment_edges = abut_mesh_own(mesh, (size_t)elements->segment_count, sizeof(int));
    if (edge_vertices == NULL || offsets == NULL || edge_triangles == NULL || triangle_edges == NULL ||
        neighbours == NULL || segment_edges == NULL) {
        return ABUT_NO_MEMORY;
    }
    int edge = -1, used = 0;
    side_ends last = {-1, -1};
    for (int i = 0; i < side_count; ++i) {
        side_ends ends = ends_of(elements, order[i]);
        if (ends.lower != last.lower || ends.upper != last.upper) {
            ++edge;
            edge_vertices[2 * (size_t)edge] = ends.lower;
            edge_vertices[2 * (size_t)edge + 1] = ends.upper;
            offsets[edge] = used;
            last = ends;
        }
        if (order[i] < corner_count) {
            triangle_edges[order[i]] = edge;
            edge_triangles[used++] = order[i] / 3;
        } else {
            segment_edges[order[i] - corner_count] = edge;
        }
    }
    offsets[topology->edge_count] = used;
    topology->edge_vertices = edge_vertices;
    topology->edge_triangle_offsets = offsets;
    topology->edge_triangles = edge_triangles;
    topology->triangle_edges = triangle_edges;
    topology->triangle_neighbours = neighbours;
    topology->segment_edges = segment_edges;
    fill_neighbours(mesh, neighbours);
    return ABUT_OK;
}

// For each vertex the items (of `size` vertices each) that name it, ascending.
static abut_status make_incidence(abut_mesh *mesh, const int *items, int count, int size, const int **offsets,
                                  const int **incident)
{
    int vertex_count = mesh->elements.vertex_count;
    int *starts = abut_mesh_own(mesh, (size_t)vertex_count + 1, sizeof(int));
    int *list = abut_mesh_own(mesh, (size_t)count, (size_t)size * sizeof(int));
    if (starts == NULL || list == NULL) {
        return ABUT_NO_MEMORY;
    }
    memset(starts, 0, ((size_t)vertex_count + 1) * sizeof(int));
    for (size_t i = 0; i < (size_t)count * (size_t)size; ++i) {
        ++starts[items[i] + 1];
    }
    abut_offsets_from_counts(starts, vertex_count);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < size; ++k) {
            list[starts[items[(size_t)i * (size_t)size + (size_t)k]]++] = i;
        }
    }
    abut_offsets_rewind(starts, vertex_count);
    *offsets = starts;
    *incident = list;
    return ABUT_OK;
}

static int find_root(int *parents, int vertex)
{
    while (parents[vertex] != vertex) {
        parents[vertex] = parents[parents[vertex]];
        vertex = parents[vertex];
    }
    return vertex;
}

enum { UNUSED = -1 };

// Joins the vertices of one element. The root of a set is its lowest vertex, so that parts come out in that order.
static void join(int *parents, const int *vertices, int count)
{
    int root = UNUSED;
    for (int k = 0; k < count; ++k) {
        int vertex = vertices[k];
        if (parents[vertex] == UNUSED) {
            parents[vertex] = vertex;
        }
        int other = find_root(parents, vertex);
        if (root == UNUSED || other == root) {
            root = other;
        } else if (other < root) {
            parents[root] = other;
            root = other;
        } else {
            parents[other] = root;
        }
    }
}

static abut_status make_parts(abut_mesh *mesh)
{
    const abut_mesh_elements *elements = &mesh->elements;
    int *parts = abut_mesh_own(mesh, (size_t)elements->vertex_count, sizeof(int));
    if (parts == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < elements->vertex_count; ++i) {
        parts[i] = UNUSED;
    }
    for (int i = 0; i < elements->point_count; ++i) {
        join(parts, elements->points + i, 1);
    }
    for (int i = 0; i < elements->segment_count; ++i) {
        join(parts, elements->segments + 2 * (size_t)i, 2);
    }
    for (int i = 0; i < elements->face_count; ++i) {
        int begin = elements->face_offsets[i];
        join(parts, elements->face_vertices + begin, elements->face_offsets[i + 1] - begin);
    }
    for (int i = 0; i < elements->tet_count; ++i) {
        join(parts, elements->tets + 4 * (size_t)i, 4);
    }
    // the vertices below i have their part already, a root gets the next number
    int count = 0;
    for (int i = 0; i < elements->vertex_count; ++i) {
        if (parts[i] == UNUSED) {
            ++mesh->info.unused_vertex_count;
        } else {
            parts[i] = parts[i] == i ? count++ : parts[parts[i]];
        }
    }
    mesh->topology.vertex_parts = parts;
    mesh->topology.part_count = count;
    return ABUT_OK;
}

static abut_status make_all_edges(abut_mesh *mesh)
{
    const abut_mesh_elements *elements = &mesh->elements;
    int side_count = 3 * elements->triangle_count + elements->segment_count;
    int *order = abut_allocate(&mesh->context, (size_t)side_count, sizeof(int));
    int *scratch = abut_allocate(&mesh->context, (size_t)side_count, sizeof(int));
    int *starts = abut_allocate(&mesh->context, (size_t)elements->vertex_count + 1, sizeof(int));
    int have_memory = order != NULL && scratch != NULL && starts != NULL;
    if (have_memory) {
        sort_sides(elements, side_count, order, scratch, starts);
    }
    abut_free(&mesh->context, starts);
    abut_free(&mesh->context, scratch);
    abut_status status = have_memory ? make_edges(mesh, order, side_count) : ABUT_NO_MEMORY;
    abut_free(&mesh->context, order);
    return status;
}

abut_status abut_mesh_make_topology(abut_mesh *mesh, abut_error *error)
{
    const abut_mesh_elements *elements = &mesh->elements;
    abut_mesh_topology *topology = &mesh->topology;
    if (elements->segment_count > INT_MAX - 3 * elements->triangle_count) {
        return abut_fail(error, ABUT_LIMIT, "mesh: %d triangles and %d segments have too many edges",
                         elements->triangle_count, elements->segment_count);
    }
    abut_status status = make_all_edges(mesh);
    if (status == ABUT_OK) {
        status = make_incidence(mesh, elements->triangles, elements->triangle_count, 3,
                                &topology->vertex_triangle_offsets, &topology->vertex_triangles);
    }
    if (status == ABUT_OK && topology->edge_count > INT_MAX / 2) {
        return abut_fail(error, ABUT_LIMIT, "mesh: more than %d edges", INT_MAX / 2);
    }
    if (status == ABUT_OK) {
        status = make_incidence(mesh, topology->edge_vertices, topology->edge_count, 2,
                                &topology->vertex_edge_offsets, &topology->vertex_edges);
    }
    if (status == ABUT_OK) {
        status = make_parts(mesh);
    }
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "no memory for the neighbours of a mesh");
}
