// SPDX-License-Identifier: MIT
// brep_cycles.c: the edges about each vertex of a B-rep, counter-clockwise seen from outside
//
// The triangles at a vertex form fans, which end at boundary, non-manifold and misoriented edges or close. A fan that
// ends is listed from its first to its last edge; one that closes begins at its edge of lowest number.
#include "base/cycle.h"
#include "base/memory.h"
#include "mesh/brep.h"

enum { NONE = -1 };

typedef struct cycles {
    const abut_brep_work *work;
    unsigned char *seen; // sides that begin at the vertex and are in a fan
    int *edges;
    int count;
} cycles;

static int twin_of(const abut_brep_work *work, int side)
{
    return abut_side_twin(&work->mesh, &work->topology, side);
}

static void add(cycles *made, int side)
{
    int edge = made->work->mesh_edge_edges[made->work->topology.triangle_edges[side]];
    if (edge != NONE) {
        made->edges[made->count++] = edge;
    }
}

// Turns clockwise from a side that begins at the vertex to the first of its fan, or all round back to it.
static int first_of_fan(const abut_brep_work *work, int side)
{
    int first = side;
    for (;;) {
        int twin = twin_of(work, first);
        if (twin == ABUT_NO_SIDE || abut_side_next(twin) == side) {
            return first;
        }
        first = abut_side_next(twin);
    }
}

static void add_fan(cycles *made, int side)
{
    const abut_brep_work *work = made->work;
    int first = first_of_fan(work, side);
    int begin = made->count;
    side = first;
    for (;;) {
        made->seen[side] = 1;
        add(made, side);
        int closing = abut_side_previous(side); // comes back to the vertex on the other side of the triangle
        int next = twin_of(work, closing);
        if (next == ABUT_NO_SIDE) {
            add(made, closing);
            return;
        }
        if (next == first) {
            abut_begin_with_lowest(made->edges + begin, made->count - begin);
            return;
        }
        side = next;
    }
}

// How often an edge is listed at one of its ends: once in the middle of a fan, and at the end of each fan that ends.
static int listing_count(const abut_brep_work *work, const abut_brep_edge *edge)
{
    if (edge->kind == ABUT_EDGE_CONVEX || edge->kind == ABUT_EDGE_REFLEX) {
        return 1;
    }
    int count;
    (void)abut_brep_around(work, work->brep->elements.edge_mesh_edges[edge->mesh_edge_begin], &count);
    return count;
}

abut_status abut_brep_make_cycles(abut_brep_work *work)
{
    size_t room = 0;
    for (int i = 0; i < work->brep->elements.edge_count; ++i) {
        room += 2 * (size_t)listing_count(work, &work->edges[i]);
    }
    cycles made = {work, abut_allocate_zeroed(&work->context, (size_t)work->mesh.triangle_count, 3),
                   abut_brep_own(work->brep, room, sizeof(int)), 0};
    if (made.seen == NULL || made.edges == NULL) {
        abut_free(&work->context, made.seen);
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < work->brep->elements.vertex_count; ++i) {
        abut_brep_vertex *vertex = &work->vertices[i];
        int mesh_vertex = vertex->source_vertex;
        vertex->cycle_begin = made.count;
        int end = work->topology.vertex_triangle_offsets[mesh_vertex + 1];
        for (int k = work->topology.vertex_triangle_offsets[mesh_vertex]; k < end; ++k) {
            int side = abut_side_at_corner(&work->mesh, work->topology.vertex_triangles[k], mesh_vertex);
            if (!made.seen[side]) {
                add_fan(&made, side);
            }
        }
        vertex->cycle_count = made.count - vertex->cycle_begin;
    }
    abut_free(&work->context, made.seen);
    work->brep->elements.vertex_cycles = made.edges;
    return ABUT_OK;
}
