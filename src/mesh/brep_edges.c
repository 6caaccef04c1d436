// SPDX-License-Identifier: MIT
// brep_edges.c: straight edges of a B-rep, and its vertices
#include "base/memory.h"
#include "mesh/brep_chains.h"

enum { NONE = -1 };
static const double pi = 3.14159265358979323846;

// Marks the sharp mesh edges: all that do not join two triangles of one face. An edge of a segment without triangles
// bounds no face. Returns their number.
static int mark_sharp(abut_brep_work *work)
{
    int count = 0;
    for (int i = 0; i < work->topology.edge_count; ++i) {
        work->is_sharp[i] = 0;
    }
    for (int side = 0; side < 3 * work->mesh.triangle_count; ++side) {
        unsigned char *is_sharp = &work->is_sharp[work->topology.triangle_edges[side]];
        int twin = *is_sharp ? ABUT_NO_SIDE : abut_side_twin(&work->mesh, &work->topology, side);
        if (!*is_sharp &&
            (twin == ABUT_NO_SIDE || work->triangle_faces[twin / 3] != work->triangle_faces[side / 3])) {
            *is_sharp = 1;
            ++count;
        }
    }
    return count;
}

// The vertices are the mesh vertices at which pieces end, in mesh order.
static abut_status number_vertices(abut_brep_work *work, const abut_brep_pieces *found)
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

// Finds the faces, the kind and the angle of an edge whose vertices and mesh edges are known.
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
        abut_vec3 across = abut_cross(left, right),
                  along = abut_sub(work->mesh.vertices[end], work->mesh.vertices[start]);
        double sine = abut_norm(across);
        edge->angle = pi - atan2(abut_dot(across, along) < 0.0 ? -sine : sine, abut_dot(left, right));
        edge->kind = edge->angle > pi ? ABUT_EDGE_REFLEX : ABUT_EDGE_CONVEX;
    }
}

// Copies a piece to `mesh_edges`, starting at its end with the lower number, and fills the edge.
static void fill_edge(abut_brep_work *work, const abut_brep_pieces *found, int piece, int lowest,
                      abut_brep_edge *edge, int *mesh_edges)
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

static abut_status number_edges(abut_brep_work *work, const abut_brep_pieces *found)
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
    int sharp_count = mark_sharp(work);
    abut_brep_pieces found = {0};
    found.mesh_edges = abut_allocate(context, (size_t)sharp_count, sizeof(int));
    found.offsets = abut_allocate(context, (size_t)sharp_count + 1, sizeof(int));
    found.starts = abut_allocate(context, (size_t)sharp_count, sizeof(int));
    found.ends = abut_allocate(context, (size_t)sharp_count, sizeof(int));
    found.piece_of = abut_allocate(context, (size_t)work->topology.edge_count, sizeof(int));
    abut_status status = ABUT_NO_MEMORY;
    if (found.mesh_edges != NULL && found.offsets != NULL && found.starts != NULL && found.ends != NULL &&
        found.piece_of != NULL) {
        status = abut_brep_find_pieces(work, &found, sharp_count);
        if (status == ABUT_OK) {
            status = number_vertices(work, &found);
        }
        if (status == ABUT_OK) {
            status = number_edges(work, &found);
        }
    }
    abut_free(context, found.piece_of);
    abut_free(context, found.ends);
    abut_free(context, found.starts);
    abut_free(context, found.offsets);
    abut_free(context, found.mesh_edges);
    return status;
}
