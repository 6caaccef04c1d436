// SPDX-License-Identifier: MIT
// brep_loops.c: the boundary loops of faces
#include "base/memory.h"
#include "mesh/brep.h"

enum { NONE = -1 };

typedef struct loops {
    abut_brep_loop *items; // in the order in which they were found: by their lowest edge
    double *areas;         // signed areas in the plane of the face
    int count;
    unsigned char *seen; // for each side of a triangle: whether it begins a coedge of a loop found so far
} loops;

// Whether a side runs against the direction of its B-rep edge.
static int is_reversed(const abut_brep_work *work, int side)
{
    int mesh_edge = work->topology.triangle_edges[side];
    int runs_upward = work->topology.edge_vertices[2 * (size_t)mesh_edge] == abut_side_start(&work->mesh, side);
    return runs_upward == work->is_backward[mesh_edge];
}

// Whether a side on the boundary of its face is the first on its B-rep edge.
static int begins_coedge(const abut_brep_work *work, int side)
{
    int mesh_edge = work->topology.triangle_edges[side];
    const abut_brep_edge *edge = &work->edges[work->mesh_edge_edges[mesh_edge]];
    const int *chain = work->brep->elements.edge_mesh_edges + edge->mesh_edge_begin;
    return mesh_edge == chain[is_reversed(work, side) ? edge->mesh_edge_count - 1 : 0];
}

// Follows the boundary from a side that begins a coedge. Writes the coedges and returns their number.
static int follow(const abut_brep_work *work, loops *found, int first, abut_brep_coedge *coedges)
{
    abut_vec3 normal = work->faces[work->triangle_faces[first / 3]].normal;
    abut_vec3 origin = work->mesh.vertices[abut_side_start(&work->mesh, first)];
    double area = 0.0;
    int count = 0, side = first;
    do {
        if (begins_coedge(work, side)) {
            unsigned int edge = (unsigned int)work->mesh_edge_edges[work->topology.triangle_edges[side]];
            abut_brep_coedge coedge = {edge & 0x7fffffffu, (unsigned int)is_reversed(work, side) & 1u};
            coedges[count++] = coedge;
            found->seen[side] = 1;
        }
        abut_vec3 a = abut_sub(work->mesh.vertices[abut_side_start(&work->mesh, side)], origin);
        abut_vec3 b = abut_sub(work->mesh.vertices[abut_side_end(&work->mesh, side)], origin);
        area += 0.5 * abut_dot(abut_cross(a, b), normal);
        side = abut_brep_next_side(work, side);
    } while (side != first);
    found->areas[found->count] = area;
    return count;
}

// Adds the loops that begin at a mesh edge and run along it in the given direction. The mesh edge is the first of
// its B-rep edge in that direction. Returns the number of coedges used.
static int follow_from(const abut_brep_work *work, loops *found, int mesh_edge, int reversed,
                       abut_brep_coedge *coedges, int used)
{
    int count;
    const int *around = abut_brep_around(work, mesh_edge, &count);
    for (int i = 0; i < count; ++i) {
        int side = abut_side_at_edge(&work->topology, around[i], mesh_edge);
        if (found->seen[side] || is_reversed(work, side) != reversed) {
            continue;
        }
        abut_brep_loop *loop = &found->items[found->count];
        loop->face = work->triangle_faces[around[i]];
        loop->coedge_begin = used;
        loop->coedge_count = follow(work, found, side, coedges + used);
        loop->is_hole = 1;
        used += loop->coedge_count;
        ++found->count;
    }
    return used;
}

// Sorts the loops by face. In each face the loop with the largest area is the outer one and comes first.
static void sort_loops(abut_brep_work *work, loops *found, abut_brep_loop *sorted, int *outer)
{
    int face_count = work->brep->elements.face_count;
    for (int i = 0; i < face_count; ++i) {
        outer[i] = NONE;
    }
    for (int i = 0; i < found->count; ++i) {
        int face = found->items[i].face;
        ++work->faces[face].loop_count;
        if (outer[face] == NONE || found->areas[i] > found->areas[outer[face]]) {
            outer[face] = i;
        }
    }
    int begin = 0;
    for (int i = 0; i < face_count; ++i) {
        work->faces[i].loop_begin = begin;
        begin += work->faces[i].loop_count;
        work->faces[i].loop_count = 0;
        if (outer[i] != NONE) {
            found->items[outer[i]].is_hole = 0;
            sorted[work->faces[i].loop_begin] = found->items[outer[i]];
            work->faces[i].loop_count = 1;
        }
    }
    for (int i = 0; i < found->count; ++i) {
        abut_brep_face *face = &work->faces[found->items[i].face];
        if (found->items[i].is_hole) {
            sorted[face->loop_begin + face->loop_count++] = found->items[i];
        }
    }
}

static abut_status find_loops(abut_brep_work *work, loops *found, abut_brep_coedge *coedges, int *outer)
{
    int used = 0;
    for (int i = 0; i < work->brep->elements.edge_count; ++i) {
        const abut_brep_edge *edge = &work->edges[i];
        const int *chain = work->brep->elements.edge_mesh_edges + edge->mesh_edge_begin;
        used = follow_from(work, found, chain[0], 0, coedges, used);
        used = follow_from(work, found, chain[edge->mesh_edge_count - 1], 1, coedges, used);
    }
    abut_brep_loop *sorted = abut_brep_own(work->brep, (size_t)found->count, sizeof *sorted);
    if (sorted == NULL) {
        return ABUT_NO_MEMORY;
    }
    sort_loops(work, found, sorted, outer);
    work->brep->elements.loops = sorted;
    work->brep->elements.loop_count = found->count;
    return ABUT_OK;
}

abut_status abut_brep_make_loops(abut_brep_work *work)
{
    const abut_context *context = &work->context;
    int coedge_count = 0;
    for (int i = 0; i < work->brep->elements.edge_count; ++i) {
        int count;
        (void)abut_brep_around(work, work->brep->elements.edge_mesh_edges[work->edges[i].mesh_edge_begin], &count);
        coedge_count += count;
    }
    abut_brep_coedge *coedges = abut_brep_own(work->brep, (size_t)coedge_count, sizeof *coedges);
    work->brep->elements.coedges = coedges;
    work->brep->elements.coedge_count = coedge_count;
    loops found = {abut_allocate(context, (size_t)coedge_count, sizeof(abut_brep_loop)),
                   abut_allocate(context, (size_t)coedge_count, sizeof(double)), 0,
                   abut_allocate_zeroed(context, (size_t)work->mesh.triangle_count, 3)};
    int *outer = abut_allocate(context, (size_t)work->brep->elements.face_count, sizeof(int));
    abut_status status = ABUT_NO_MEMORY;
    if (coedges != NULL && found.items != NULL && found.areas != NULL && found.seen != NULL && outer != NULL) {
        status = find_loops(work, &found, coedges, outer);
    }
    abut_free(context, outer);
    abut_free(context, found.seen);
    abut_free(context, found.areas);
    abut_free(context, found.items);
    return status;
}
