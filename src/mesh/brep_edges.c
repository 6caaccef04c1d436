// SPDX-License-Identifier: MIT
// brep_edges.c: straight edges of a B-rep
//
// A mesh edge is sharp unless it joins two triangles of one face. Two sharp mesh edges may be parts of one edge where
// no third one ends at their common vertex and the same faces are on the same sides of both. Such chains are then cut
// into straight pieces: a piece grows from the longest mesh edge that is left, along one fixed line by distance, and
// again along the line between its ends, until nothing changes.
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "mesh/brep.h"

#include <string.h>

enum { NONE = -1, ROUND_LIMIT = 8 };
static const double pi = 3.14159265358979323846;

// The pieces that were found, in that order. Piece i has mesh_edges[offsets[i]] .. [offsets[i + 1] - 1], in line
// from vertex starts[i] to vertex ends[i].
typedef struct pieces {
    int *mesh_edges;
    int *offsets;
    int *starts, *ends;
    int count;
    int *piece_of; // of each mesh edge, or NONE
    int *links;    // two for each vertex: the sharp mesh edges that may go on through it, or NONE
} pieces;

typedef struct line {
    abut_vec3 origin, direction;
} line;

static int is_inside_face(const abut_brep_work *work, int mesh_edge)
{
    int count;
    const int *around = abut_brep_around(work, mesh_edge, &count);
    if (count != 2) {
        return count == 0; // an edge of a segment alone bounds no face
    }
    int side = abut_side_at_edge(&work->topology, around[0], mesh_edge);
    return work->triangle_faces[around[0]] == work->triangle_faces[around[1]] &&
           abut_side_twin(&work->mesh, &work->topology, side) != ABUT_NO_SIDE;
}

// A number made of the faces at a mesh edge and the directions in which they run through it, seen along the edge as it
// leaves `vertex`. The order of the triangles does not count.
static uint64_t faces_along(const abut_brep_work *work, int mesh_edge, int vertex)
{
    int count;
    const int *around = abut_brep_around(work, mesh_edge, &count);
    uint64_t sum = 0;
    for (int i = 0; i < count; ++i) {
        int side = abut_side_at_edge(&work->topology, around[i], mesh_edge);
        int runs_along = abut_side_start(&work->mesh, side) == vertex;
        uint64_t face = (uint64_t)work->triangle_faces[around[i]];
        sum += abut_hash_mix(ABUT_HASH_START, 2 * face + (uint64_t)runs_along);
    }
    return sum;
}

// Whether every face boundary that comes to the vertex by mesh edge `from` goes on by mesh edge `to`.
static int boundaries_go_on(const abut_brep_work *work, int vertex, int from, int to)
{
    int count;
    const int *around = abut_brep_around(work, from, &count);
    for (int i = 0; i < count; ++i) {
        int side = abut_side_at_edge(&work->topology, around[i], from);
        if (abut_side_end(&work->mesh, side) == vertex &&
            work->topology.triangle_edges[abut_brep_next_side(work, side)] != to) {
            return 0;
        }
    }
    return 1;
}

static void find_link(const abut_brep_work *work, int vertex, int links[2])
{
    int count = 0;
    links[0] = links[1] = NONE;
    int begin = work->topology.vertex_edge_offsets[vertex], end = work->topology.vertex_edge_offsets[vertex + 1];
    for (int i = begin; i < end; ++i) {
        int mesh_edge = work->topology.vertex_edges[i];
        if (work->is_sharp[mesh_edge]) {
            if (count < 2) {
                links[count] = mesh_edge;
            }
            ++count;
        }
    }
    // along the chain the first edge comes to the vertex and the second leaves it
    if (count != 2 ||
        faces_along(work, links[0], abut_brep_other_end(work, links[0], vertex)) !=
            faces_along(work, links[1], vertex) ||
        !boundaries_go_on(work, vertex, links[0], links[1]) ||
        !boundaries_go_on(work, vertex, links[1], links[0])) {
        links[0] = links[1] = NONE;
    }
}

static abut_vec3 position(const abut_brep_work *work, int vertex)
{
    return work->mesh.vertices[vertex];
}

static line line_between(const abut_brep_work *work, int from, int to)
{
    line through = {position(work, from), abut_unit(abut_sub(position(work, to), position(work, from)))};
    return through;
}

// Whether the mesh edge from `from` to `to` goes on along the line, in its direction or, with `sense` -1, against it.
static int follows(const abut_brep_work *work, const line *fixed, double sense, int from, int to)
{
    abut_vec3 step = abut_sub(position(work, to), position(work, from));
    abut_vec3 offset = abut_cross(fixed->direction, abut_sub(position(work, to), fixed->origin));
    if (!(abut_norm(offset) <= work->tolerance)) {
        return 0;
    }
    return abut_norm(step) <= abut_brep_blur * work->tolerance || sense * abut_dot(step, fixed->direction) > 0.0;
}

typedef struct chain_end {
    int mesh_edge, vertex;
} chain_end;

// Goes on from an end of a chain as far as it follows the line. It never comes to vertex `stop`, the other end of the
// chain, so that no edge is closed.
static chain_end extend(const abut_brep_work *work, const pieces *found, const line *fixed, double sense,
                        chain_end end, int stop)
{
    for (;;) {
        const int *links = found->links + 2 * (size_t)end.vertex;
        int next = links[0] == end.mesh_edge ? links[1] : links[0];
        if (next == NONE || found->piece_of[next] != NONE) {
            return end;
        }
        int far = abut_brep_other_end(work, next, end.vertex);
        if (far == stop || !follows(work, fixed, sense, end.vertex, far)) {
            return end;
        }
        end.mesh_edge = next;
        end.vertex = far;
    }
}

// Grows a piece from a mesh edge and adds it to `found`.
static void grow_piece(const abut_brep_work *work, pieces *found, int seed)
{
    const int *ends = work->topology.edge_vertices + 2 * (size_t)seed;
    const chain_end seed_first = {seed, ends[0]}, seed_last = {seed, ends[1]};
    chain_end first = seed_first, last = seed_last;
    line fixed = line_between(work, ends[0], ends[1]);
    for (int i = 0; i < ROUND_LIMIT; ++i) {
        chain_end next_last = extend(work, found, &fixed, 1.0, seed_last, seed_first.vertex);
        chain_end next_first = extend(work, found, &fixed, -1.0, seed_first, next_last.vertex);
        int is_done = next_first.vertex == first.vertex && next_last.vertex == last.vertex;
        first = next_first;
        last = next_last;
        if (is_done) {
            break;
        }
        fixed = line_between(work, first.vertex, last.vertex);
    }
    int piece = found->count++;
    int used = found->offsets[piece];
    int mesh_edge = first.mesh_edge, vertex = first.vertex;
    for (;;) {
        found->mesh_edges[used++] = mesh_edge;
        found->piece_of[mesh_edge] = piece;
        vertex = abut_brep_other_end(work, mesh_edge, vertex);
        if (mesh_edge == last.mesh_edge) {
            break;
        }
        const int *links = found->links + 2 * (size_t)vertex;
        mesh_edge = links[0] == mesh_edge ? links[1] : links[0];
    }
    found->starts[piece] = first.vertex;
    found->ends[piece] = vertex;
    found->offsets[piece + 1] = used;
}

static int compare_lengths(const void *user, int a, int b)
{
    const double *lengths = user;
    return lengths[a] > lengths[b] ? -1 : lengths[a] < lengths[b] ? 1 : (a > b) - (a < b);
}

static abut_status find_pieces(const abut_brep_work *work, pieces *found, int sharp_count)
{
    const abut_mesh_topology *topology = &work->topology;
    int *order = abut_allocate(&work->context, (size_t)sharp_count, 2 * sizeof(int));
    double *lengths = abut_allocate(&work->context, (size_t)topology->edge_count, sizeof(double));
    if (order == NULL || lengths == NULL) {
        abut_free(&work->context, order);
        abut_free(&work->context, lengths);
        return ABUT_NO_MEMORY;
    }
    int count = 0;
    for (int i = 0; i < topology->edge_count; ++i) {
        const int *ends = topology->edge_vertices + 2 * (size_t)i;
        found->piece_of[i] = NONE;
        lengths[i] = abut_norm(abut_sub(position(work, ends[1]), position(work, ends[0])));
        if (work->is_sharp[i]) {
            order[count++] = i;
        }
    }
    abut_sort_indices(order, order + sharp_count, sharp_count, compare_lengths, lengths);
    for (int i = 0; i < work->mesh.vertex_count; ++i) {
        find_link(work, i, found->links + 2 * (size_t)i);
    }
    found->count = 0;
    found->offsets[0] = 0;
    for (int i = 0; i < sharp_count; ++i) {
        if (found->piece_of[order[i]] == NONE) {
            grow_piece(work, found, order[i]);
        }
    }
    abut_free(&work->context, lengths);
    abut_free(&work->context, order);
    return ABUT_OK;
}

// Mesh vertices where pieces end are the vertices, in the order of the mesh.
static abut_status number_vertices(abut_brep_work *work, const pieces *found)
{
    int vertex_count = work->mesh.vertex_count;
    int *numbers = abut_brep_own(work->brep, (size_t)vertex_count, sizeof(int));
    if (numbers == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < vertex_count; ++i) {
        numbers[i] = NONE;
    }
    for (int i = 0; i < found->count; ++i) {
        numbers[found->starts[i]] = 0;
        numbers[found->ends[i]] = 0;
    }
    int count = 0;
    for (int i = 0; i < vertex_count; ++i) {
        numbers[i] = numbers[i] == NONE ? NONE : count++;
    }
    work->vertices = abut_brep_own(work->brep, (size_t)count, sizeof *work->vertices);
    if (work->vertices == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < vertex_count; ++i) {
        if (numbers[i] != NONE) {
            abut_brep_vertex vertex = {.source_vertex = i};
            work->vertices[numbers[i]] = vertex;
        }
    }
    work->mesh_vertex_vertices = numbers;
    work->brep->elements.mesh_vertex_vertices = numbers;
    work->brep->elements.vertices = work->vertices;
    work->brep->elements.vertex_count = count;
    return ABUT_OK;
}

// Kind and angle of an edge whose vertices and mesh edges are known, and the faces at its sides.
static void classify(const abut_brep_work *work, abut_brep_edge *edge, int first_mesh_edge)
{
    int count;
    const int *around = abut_brep_around(work, first_mesh_edge, &count);
    int start = work->vertices[edge->vertices[0]].source_vertex;
    int end = work->vertices[edge->vertices[1]].source_vertex;
    edge->faces[0] = edge->faces[1] = NONE;
    for (int i = 0; i < count; ++i) {
        int side = abut_side_at_edge(&work->topology, around[i], first_mesh_edge);
        int is_right = abut_side_start(&work->mesh, side) != start;
        if (edge->faces[is_right] == NONE) {
            edge->faces[is_right] = work->triangle_faces[around[i]];
        }
    }
    if (count == 1) {
        edge->kind = ABUT_EDGE_BOUNDARY;
        return;
    }
    edge->kind = ABUT_EDGE_NON_MANIFOLD;
    if (count == 2 && edge->faces[0] != NONE && edge->faces[1] != NONE) {
        abut_vec3 left = work->faces[edge->faces[0]].normal, right = work->faces[edge->faces[1]].normal;
        abut_vec3 across = abut_cross(left, right), along = abut_sub(position(work, end), position(work, start));
        double sine = abut_norm(across);
        edge->angle = pi - atan2(abut_dot(across, along) < 0.0 ? -sine : sine, abut_dot(left, right));
        edge->kind = edge->angle > pi ? ABUT_EDGE_REFLEX : ABUT_EDGE_CONVEX;
    }
}

// Copies a piece to `mesh_edges`, from its end of lower number to the other, and fills the edge.
static void fill_edge(abut_brep_work *work, const pieces *found, int piece, int lowest, abut_brep_edge *edge,
                      int *mesh_edges)
{
    const int *from = found->mesh_edges + found->offsets[piece];
    int count = found->offsets[piece + 1] - found->offsets[piece];
    int start = found->starts[piece], end = found->ends[piece];
    int vertex = start;
    for (int i = 0; i < count; ++i) {
        work->is_backward[from[i]] = work->topology.edge_vertices[2 * (size_t)from[i]] != vertex;
        vertex = abut_brep_other_end(work, from[i], vertex);
    }
    int is_turned = start > end;
    for (int i = 0; i < count; ++i) {
        mesh_edges[i] = from[is_turned ? count - 1 - i : i];
        work->is_backward[from[i]] ^= (unsigned char)is_turned;
    }
    edge->vertices[0] = work->mesh_vertex_vertices[is_turned ? end : start];
    edge->vertices[1] = work->mesh_vertex_vertices[is_turned ? start : end];
    edge->mesh_edge_count = count;
    edge->source_edge = lowest;
    edge->angle = 0.0;
    classify(work, edge, mesh_edges[0]);
}

static abut_status number_edges(abut_brep_work *work, const pieces *found)
{
    int mesh_edge_count = work->topology.edge_count;
    int used = 0, count = 0;
    int *mesh_edges = abut_brep_own(work->brep, (size_t)found->offsets[found->count], sizeof(int));
    work->mesh_edge_edges = abut_brep_own(work->brep, (size_t)mesh_edge_count, sizeof(int));
    work->edges = abut_brep_own(work->brep, (size_t)found->count, sizeof *work->edges);
    if (mesh_edges == NULL || work->mesh_edge_edges == NULL || work->edges == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < mesh_edge_count; ++i) {
        work->mesh_edge_edges[i] = NONE;
    }
    for (int i = 0; i < mesh_edge_count; ++i) {
        if (found->piece_of[i] == NONE || work->mesh_edge_edges[i] != NONE) {
            continue;
        }
        abut_brep_edge *edge = &work->edges[count];
        edge->mesh_edge_begin = used;
        fill_edge(work, found, found->piece_of[i], i, edge, mesh_edges + used);
        for (int k = 0; k < edge->mesh_edge_count; ++k) {
            work->mesh_edge_edges[mesh_edges[used++]] = count;
        }
        ++count;
    }
    work->brep->elements.edges = work->edges;
    work->brep->elements.edge_count = count;
    work->brep->elements.edge_mesh_edges = mesh_edges;
    work->brep->elements.mesh_edge_edges = work->mesh_edge_edges;
    return ABUT_OK;
}

abut_status abut_brep_make_edges(abut_brep_work *work)
{
    const abut_context *context = &work->context;
    int sharp_count = 0;
    for (int i = 0; i < work->topology.edge_count; ++i) {
        work->is_sharp[i] = !is_inside_face(work, i);
        sharp_count += work->is_sharp[i];
    }
    pieces found = {0};
    found.mesh_edges = abut_allocate(context, (size_t)sharp_count, sizeof(int));
    found.offsets = abut_allocate(context, (size_t)sharp_count + 1, sizeof(int));
    found.starts = abut_allocate(context, (size_t)sharp_count, sizeof(int));
    found.ends = abut_allocate(context, (size_t)sharp_count, sizeof(int));
    found.piece_of = abut_allocate(context, (size_t)work->topology.edge_count, sizeof(int));
    found.links = abut_allocate(context, (size_t)work->mesh.vertex_count, 2 * sizeof(int));
    abut_status status = ABUT_NO_MEMORY;
    if (found.mesh_edges != NULL && found.offsets != NULL && found.starts != NULL && found.ends != NULL &&
        found.piece_of != NULL && found.links != NULL) {
        status = find_pieces(work, &found, sharp_count);
        if (status == ABUT_OK) {
            status = number_vertices(work, &found);
        }
        if (status == ABUT_OK) {
            status = number_edges(work, &found);
        }
    }
    abut_free(context, found.links);
    abut_free(context, found.piece_of);
    abut_free(context, found.ends);
    abut_free(context, found.starts);
    abut_free(context, found.offsets);
    abut_free(context, found.mesh_edges);
    return status;
}
