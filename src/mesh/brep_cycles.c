// SPDX-License-Identifier: MIT
// brep_cycles.c: the edges around each vertex of a B-rep, counter-clockwise seen from outside
//
// The triangles at a vertex form fans. A fan is closed, or it ends at boundary, non-manifold or misoriented edges.
// An open fan is listed from its first to its last edge. A closed one begins at its edge with the lowest number.
#include "base/cycle.h"
#include "base/memory.h"
#include "mesh/brep.h"

enum { NONE = -1 };

typedef struct cycles {
    const abut_brep_work *work;
    unsigned char *seen; // for each side of a triangle: whether a fan about its start contains it
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

// Goes clockwise from a side that begins at the vertex to the first side of its fan. In a closed fan it stops before
// it comes back to `side`.
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
        int closing = abut_side_previous(side); // the other side of the triangle at the vertex
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

// How often an edge is listed at each of its two vertices: once if it is inside a fan, else once for each triangle
// at it, which begins or ends a fan there.
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
