// SPDX-License-Identifier: MIT
// brep_chains.c: straight pieces of the chains of sharp mesh edges
//
// Two sharp mesh edges may be parts of one edge if no third one ends at their common vertex and both have the same
// faces on the same sides. Such chains are cut into straight pieces. A piece grows from the longest remaining mesh
// edge, over vertices within the tolerance of a fixed line. It grows again along the line between its ends, until
// nothing changes. If a chain turns only slightly, a piece grows past the corner until it leaves the tolerance. So
// each corner between two pieces is moved afterwards to the vertex at which the vertices around it are closest to
// the two lines.
#include "mesh/brep_chains.h"

#include "base/cycle.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"

// ROUND_LIMIT: a piece grows at most this often; usually it settles in two rounds. ZONE_LIMIT: a corner moves by at
// most this many vertices, which bounds the cost of finely divided edges.
enum { NONE = -1, ROUND_LIMIT = 8, ZONE_LIMIT = 32 };

typedef struct chains {
    const abut_brep_work *work;
    abut_brep_pieces *found;
    int *links;               // for each vertex: the two sharp mesh edges of the chain through it, or NONE
    unsigned char *is_corner; // for each vertex: whether pieces end there
} chains;

typedef struct line {
    abut_vec3 origin, direction;
} line;

// A hash of the faces at a mesh edge and of the directions in which they run along it, seen from `vertex`. It does
// not depend on the order of the triangles.
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

// Whether every face boundary that arrives at the vertex along mesh edge `from` continues along mesh edge `to`.
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
    // along the chain, the first edge arrives at the vertex and the second leaves it
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

static double distance_from(const abut_brep_work *work, const line *fixed, int vertex)
{
    return abut_norm(abut_cross(fixed->direction, abut_sub(position(work, vertex), fixed->origin)));
}

// Whether the mesh edge from `from` to `to` continues the line: in its direction if `sense` is 1, against it if -1.
static int follows(const abut_brep_work *work, const line *fixed, double sense, int from, int to)
{
    abut_vec3 step = abut_sub(position(work, to), position(work, from));
    if (!(distance_from(work, fixed, to) <= work->tolerance)) {
        return 0;
    }
    return abut_norm(step) <= abut_brep_blur * work->tolerance || sense * abut_dot(step, fixed->direction) > 0.0;
}

// The mesh edge of the chain that follows `mesh_edge` at a vertex, or NONE.
static int next_mesh_edge(const chains *all, int mesh_edge, int vertex)
{
    const int *links = all->links + 2 * (size_t)vertex;
    return links[0] == mesh_edge ? links[1] : links[0];
}

typedef struct chain_end {
    int mesh_edge, vertex;
} chain_end;

// Extends a piece at one end for as long as the chain follows the line. It stops before vertex `stop`, the other end
// of the piece, so that no edge becomes a closed loop.
static chain_end extend(const chains *all, const line *fixed, double sense, chain_end end, int stop)
{
    for (;;) {
        int next = next_mesh_edge(all, end.mesh_edge, end.vertex);
        if (next == NONE || all->found->piece_of[next] != NONE) {
            return end;
        }
        int far = abut_brep_other_end(all->work, next, end.vertex);
        if (far == stop || !follows(all->work, fixed, sense, end.vertex, far)) {
            return end;
        }
        end.mesh_edge = next;
        end.vertex = far;
    }
}

// Grows a piece from a mesh edge, and marks its mesh edges and its ends.
static void grow_piece(chains *all, int seed)
{
    const abut_brep_work *work = all->work;
    abut_brep_pieces *found = all->found;
    const int *ends = work->topology.edge_vertices + 2 * (size_t)seed;
    const chain_end seed_first = {seed, ends[0]}, seed_last = {seed, ends[1]};
    chain_end first = seed_first, last = seed_last;
    line fixed = line_between(work, ends[0], ends[1]);
    for (int i = 0; i < ROUND_LIMIT; ++i) {
        chain_end next_last = extend(all, &fixed, 1.0, seed_last, seed_first.vertex);
        chain_end next_first = extend(all, &fixed, -1.0, seed_first, next_last.vertex);
        int is_done = next_first.vertex == first.vertex && next_last.vertex == last.vertex;
        first = next_first;
        last = next_last;
        if (is_done) {
            break;
        }
        fixed = line_between(work, first.vertex, last.vertex);
    }
    int piece = found->count++;
    int mesh_edge = first.mesh_edge, vertex = first.vertex;
    for (;;) {
        found->piece_of[mesh_edge] = piece;
        vertex = abut_brep_other_end(work, mesh_edge, vertex);
        if (mesh_edge == last.mesh_edge) {
            break;
        }
        mesh_edge = next_mesh_edge(all, mesh_edge, vertex);
    }
    found->starts[piece] = first.vertex;
    found->ends[piece] = last.vertex;
    all->is_corner[first.vertex] = 1;
    all->is_corner[last.vertex] = 1;
}

// The vertices along a chain, around a corner, that may replace the corner.
typedef struct zone {
    int vertices[2 * ZONE_LIMIT + 1];
    int count;
    int far_ends[2]; // the other ends of the pieces before and after the corner
} zone;

// Adds the vertices that follow a corner in one direction, until one is a corner or is not within the tolerance of
// the line on the other side of the corner.
static void add_to_zone(const chains *all, zone *around, int corner, int mesh_edge, const line *other)
{
    int vertex = corner;
    for (int i = 0; i < ZONE_LIMIT; ++i) {
        vertex = abut_brep_other_end(all->work, mesh_edge, vertex);
        if (all->is_corner[vertex] || !(distance_from(all->work, other, vertex) <= all->work->tolerance)) {
            return;
        }
        around->vertices[around->count++] = vertex;
        mesh_edge = next_mesh_edge(all, mesh_edge, vertex);
    }
}

// The sum of the distances of the zone's vertices from the two lines that meet at its vertex `corner`.
static double misfit(const abut_brep_work *work, const zone *around, int corner)
{
    line before = line_between(work, around->far_ends[0], around->vertices[corner]);
    line after = line_between(work, around->vertices[corner], around->far_ends[1]);
    double sum = 0.0;
    for (int i = 0; i < around->count; ++i) {
        sum += distance_from(work, i < corner ? &before : &after, around->vertices[i]);
    }
    return sum;
}

// Moves a corner between two pieces of one chain to the vertex with the smallest misfit.
static void settle_corner(chains *all, int corner)
{
    const abut_brep_work *work = all->work;
    const abut_brep_pieces *found = all->found;
    const int *links = all->links + 2 * (size_t)corner;
    if (!all->is_corner[corner] || links[0] == NONE || found->piece_of[links[0]] == found->piece_of[links[1]]) {
        return;
    }
    line lines[2];
    zone around = {.count = 0};
    for (int k = 0; k < 2; ++k) {
        int piece = found->piece_of[links[k]];
        around.far_ends[k] = found->starts[piece] == corner ? found->ends[piece] : found->starts[piece];
        lines[k] = line_between(work, corner, around.far_ends[k]);
    }
    add_to_zone(all, &around, corner, links[0], &lines[1]);
    abut_reverse(around.vertices, around.count);
    int best = around.count;
    around.vertices[around.count++] = corner;
    add_to_zone(all, &around, corner, links[1], &lines[0]);
    double smallest = misfit(work, &around, best);
    for (int i = 0; i < around.count; ++i) {
        double sum = misfit(work, &around, i);
        if (sum < smallest) {
            smallest = sum;
            best = i;
        }
    }
    all->is_corner[corner] = 0;
    all->is_corner[around.vertices[best]] = 1;
}

// Writes the piece that contains a mesh edge, from corner to corner.
static void write_piece(chains *all, int mesh_edge)
{
    abut_brep_pieces *found = all->found;
    int vertex = all->work->topology.edge_vertices[2 * (size_t)mesh_edge];
    while (!all->is_corner[vertex]) {
        mesh_edge = next_mesh_edge(all, mesh_edge, vertex);
        vertex = abut_brep_other_end(all->work, mesh_edge, vertex);
    }
    int piece = found->count++, used = found->offsets[piece];
    found->starts[piece] = vertex;
    for (;;) {
        found->mesh_edges[used++] = mesh_edge;
        found->piece_of[mesh_edge] = piece;
        vertex = abut_brep_other_end(all->work, mesh_edge, vertex);
        if (all->is_corner[vertex]) {
            break;
        }
        mesh_edge = next_mesh_edge(all, mesh_edge, vertex);
    }
    found->ends[piece] = vertex;
    found->offsets[piece + 1] = used;
}

// Longer edges first; equal ones by index.
static int compare_lengths(const void *user, int a, int b)
{
    const double *lengths = user;
    return lengths[a] > lengths[b] ? -1 : lengths[a] < lengths[b] ? 1 : (a > b) - (a < b);
}

static void forget_pieces(chains *all)
{
    for (int i = 0; i < all->work->topology.edge_count; ++i) {
        all->found->piece_of[i] = NONE;
    }
    all->found->count = 0;
    all->found->offsets[0] = 0;
}

// Whether a sharp mesh edge is a piece alone: no chain goes through its ends.
static int is_alone(const chains *all, int mesh_edge)
{
    const int *ends = all->work->topology.edge_vertices + 2 * (size_t)mesh_edge;
    return all->links[2 * (size_t)ends[0]] == NONE && all->links[2 * (size_t)ends[1]] == NONE;
}

// Lists the sharp mesh edges of chains, longer ones first, and marks the ends of the others. `order` has room for twice
// as many; the second half is scratch. Returns their number.
static int sort_linked(chains *all, int *order, double *lengths, int sharp_count)
{
    const abut_brep_work *work = all->work;
    int count = 0;
    for (int i = 0; i < work->topology.edge_count; ++i) {
        const int *ends = work->topology.edge_vertices + 2 * (size_t)i;
        if (work->is_sharp[i] && is_alone(all, i)) {
            all->is_corner[ends[0]] = all->is_corner[ends[1]] = 1;
        } else if (work->is_sharp[i]) {
            lengths[i] = abut_norm(abut_sub(position(work, ends[1]), position(work, ends[0])));
            order[count++] = i;
        }
    }
    abut_sort_indices(order, order + sharp_count, count, compare_lengths, lengths);
    return count;
}

static void run(chains *all, int *order, double *lengths, int sharp_count)
{
    const abut_brep_work *work = all->work;
    for (int i = 0; i < work->mesh.vertex_count; ++i) {
        find_link(work, i, all->links + 2 * (size_t)i);
    }
    int linked_count = sort_linked(all, order, lengths, sharp_count);
    forget_pieces(all);
    for (int i = 0; i < linked_count; ++i) {
        if (all->found->piece_of[order[i]] == NONE) {
            grow_piece(all, order[i]);
        }
    }
    for (int i = 0; i < work->mesh.vertex_count && linked_count > 0; ++i) {
        settle_corner(all, i);
    }
    forget_pieces(all);
    for (int i = 0; i < work->topology.edge_count; ++i) {
        if (work->is_sharp[i] && all->found->piece_of[i] == NONE) {
            write_piece(all, i);
        }
    }
}

abut_status abut_brep_find_pieces(const abut_brep_work *work, abut_brep_pieces *found, int sharp_count)
{
    const abut_context *context = &work->context;
    chains all = {work, found, abut_allocate(context, (size_t)work->mesh.vertex_count, 2 * sizeof(int)),
                  abut_allocate_zeroed(context, (size_t)work->mesh.vertex_count, 1)};
    int *order = abut_allocate(context, (size_t)sharp_count, 2 * sizeof(int));
    double *lengths = abut_allocate(context, (size_t)work->topology.edge_count, sizeof(double));
    int have_memory = all.links != NULL && all.is_corner != NULL && order != NULL && lengths != NULL;
    if (have_memory) {
        run(&all, order, lengths, sharp_count);
    }
    abut_free(context, lengths);
    abut_free(context, order);
    abut_free(context, all.is_corner);
    abut_free(context, all.links);
    return have_memory ? ABUT_OK : ABUT_NO_MEMORY;
}
