// SPDX-License-Identifier: MIT
// topology.c: edges of triangles and segments, adjacency, and connected parts
//
// The sides of triangles, and the segments, are put into one list for each lower vertex. Each list is sorted by the
// upper vertex, then by triangle. Everything about edges is read from the sorted lists.
#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"

#include <limits.h>
#include <string.h>

typedef struct side_ends {
    int lower, upper;
} side_ends;

// Side i runs from corner i % 3 of triangle i / 3 to the next corner. The segments follow after the triangles.
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

// A side in the list of its lower vertex.
typedef struct listed_side {
    int upper, side;
} listed_side;

// All sides by lower vertex: those of vertex v are sides[starts[v]] .. sides[starts[v + 1] - 1].
typedef struct side_lists {
    listed_side *sides;
    int *starts;
    int side_count;
} side_lists;

static void list_sides(const abut_mesh_elements *elements, side_lists *lists)
{
    int vertex_count = elements->vertex_count;
    memset(lists->starts, 0, ((size_t)vertex_count + 1) * sizeof *lists->starts);
    for (int i = 0; i < lists->side_count; ++i) {
        ++lists->starts[ends_of(elements, i).lower + 1];
    }
    abut_offsets_from_counts(lists->starts, vertex_count);
    for (int i = 0; i < lists->side_count; ++i) {
        side_ends ends = ends_of(elements, i);
        listed_side listed = {ends.upper, i};
        lists->sides[lists->starts[ends.lower]++] = listed;
    }
    abut_offsets_rewind(lists->starts, vertex_count);
}

static inline int is_before(listed_side a, listed_side b)
{
    return a.upper < b.upper || (a.upper == b.upper && a.side < b.side);
}

static void sort_short_list(listed_side *sides, int count)
{
    for (int i = 1; i < count; ++i) {
        listed_side moved = sides[i];
        int k = i;
        for (; k > 0 && is_before(moved, sides[k - 1]); --k) {
            sides[k] = sides[k - 1];
        }
        sides[k] = moved;
    }
}

static void sift_down(listed_side *sides, int root, int count)
{
    listed_side moved = sides[root];
    for (;;) {
        int child = 2 * root + 1;
        if (child >= count) {
            break;
        }
        child += child + 1 < count && is_before(sides[child], sides[child + 1]);
        if (!is_before(moved, sides[child])) {
            break;
        }
        sides[root] = sides[child];
        root = child;
    }
    sides[root] = moved;
}

// Heap sort, so that even a vertex with a million edges takes n log n.
static void sort_long_list(listed_side *sides, int count)
{
    for (int i = count / 2 - 1; i >= 0; --i) {
        sift_down(sides, i, count);
    }
    for (int end = count - 1; end > 0; --end) {
        listed_side last = sides[0];
        sides[0] = sides[end];
        sides[end] = last;
        sift_down(sides, 0, end);
    }
}

// Sorts each list, and counts the edges.
static int sort_lists(const side_lists *lists, int vertex_count)
{
    enum { SHORT = 48 }; // insertion sort is faster for short lists
    int edge_count = 0;
    for (int v = 0; v < vertex_count; ++v) {
        listed_side *sides = lists->sides + lists->starts[v];
        int count = lists->starts[v + 1] - lists->starts[v];
        if (count <= SHORT) {
            sort_short_list(sides, count);
        } else {
            sort_long_list(sides, count);
        }
        for (int i = 0; i < count; ++i) {
            edge_count += i == 0 || sides[i].upper != sides[i - 1].upper;
        }
    }
    return edge_count;
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

static abut_status make_edges(abut_mesh *mesh, const side_lists *lists)
{
    const abut_mesh_elements *elements = &mesh->elements;
    abut_mesh_topology *topology = &mesh->topology;
    int corner_count = 3 * elements->triangle_count;
    topology->edge_count = sort_lists(lists, elements->vertex_count);
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
    for (int v = 0; v < elements->vertex_count; ++v) {
        for (int i = lists->starts[v]; i < lists->starts[v + 1]; ++i) {
            listed_side listed = lists->sides[i];
            if (i == lists->starts[v] || listed.upper != lists->sides[i - 1].upper) {
                ++edge;
                edge_vertices[2 * (size_t)edge] = v;
                edge_vertices[2 * (size_t)edge + 1] = listed.upper;
                offsets[edge] = used;
            }
            if (listed.side < corner_count) {
                triangle_edges[listed.side] = edge;
                edge_triangles[used++] = listed.side / 3;
            } else {
                segment_edges[listed.side - corner_count] = edge;
            }
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

// Lists for each vertex the items (of `size` vertices each) that contain it, in ascending order.
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

// Joins the vertices of one element. The root of a set is its lowest vertex, so parts are numbered in that order.
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
    // the vertices below i already have their part numbers; a root gets the next number
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
    side_lists lists = {.side_count = 3 * elements->triangle_count + elements->segment_count};
    lists.sides = abut_allocate(&mesh->context, (size_t)lists.side_count, sizeof *lists.sides);
    lists.starts = abut_allocate(&mesh->context, (size_t)elements->vertex_count + 1, sizeof *lists.starts);
    abut_status status = ABUT_NO_MEMORY;
    if (lists.sides != NULL && lists.starts != NULL) {
        list_sides(elements, &lists);
        status = make_edges(mesh, &lists);
    }
    abut_free(&mesh->context, lists.starts);
    abut_free(&mesh->context, lists.sides);
    return status;
}

abut_status abut_mesh_make_topology(abut_mesh *mesh, abut_error *error)
{
    const abut_mesh_elements *elements = &mesh->elements;
    abut_mesh_topology *topology = &mesh->topology;
    if (elements->segment_count > INT_MAX - 3 * elements->triangle_count) {
        return abut_fail(error, ABUT_LIMIT,
                         "mesh: %d triangles and %d segments are too many for int indices of their edges",
                         elements->triangle_count, elements->segment_count);
    }
    abut_status status = make_all_edges(mesh);
    if (status == ABUT_OK) {
        status = make_incidence(mesh, elements->triangles, elements->triangle_count, 3,
                                &topology->vertex_triangle_offsets, &topology->vertex_triangles);
    }
    if (status == ABUT_OK && topology->edge_count > INT_MAX / 2) {
        return abut_fail(error, ABUT_LIMIT, "mesh: there are more than %d edges, which is the limit", INT_MAX / 2);
    }
    if (status == ABUT_OK) {
        status = make_incidence(mesh, topology->edge_vertices, topology->edge_count, 2,
                                &topology->vertex_edge_offsets, &topology->vertex_edges);
    }
    if (status == ABUT_OK) {
        status = make_parts(mesh);
    }
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "out of memory for the neighbours of a mesh");
}
