// SPDX-License-Identifier: MIT
// slide.c: tracked pairs go on to neighbouring features when the bodies slide
//
// The features of a pair face each other if the foot of the vertex is in the triangle, or if the nearest points of
// the two lines are in the edges. A vertex whose foot leaves its triangle goes on to the triangle across the edge
// that it passed, if it penetrates that one too. Else it passed a rim: its edges that cross the rim go on in its
// place. An edge that leaves the other one at an end goes on to the edges at that end, or the end itself to a
// triangle at the other edge. Edges must be the outermost parts of their bodies (share.c). A pair for which none of
// these penetrates, within 60 degrees of the last normal, has left.
//
// Source:  Tang, Manocha, Otaduy, Tong 2012, section 3.6, which only names the idea (Irving et al. 2004).
// Differs: the rules are ours.
#include "response/track.h"

#include "base/memory.h"

static const double BESIDE = 1e-9; // weights down to its negative are inside
enum { WALK = 32 };                // triangles that a vertex passes in a step at most; around a rim it has no end

/// Where the features of a pair are at the start of the step.
typedef struct facing {
    abut_vec3 normal; ///< of unit length, on the side of the first feature outside
    double weights[4];
    double depth; ///< below the tolerance
    int is_flat;  ///< the features have no normal
} facing;

static facing look(const abut_moving_bodies *bodies, const abut_tracked_pair *pair, double tolerance)
{
    abut_moving_pair moving = abut_tracked_motion(bodies, pair);
    const abut_vec3 *v = moving.start;
    facing out = {.weights = {1.0}};
    int is_face = pair->kind == ABUT_VERTEX_FACE;
    abut_vec3 gap = abut_sub(v[0], v[is_face ? 1 : 2]);
    abut_vec3 first = is_face ? abut_sub(v[2], v[1]) : abut_sub(v[1], v[0]);
    abut_vec3 second = abut_sub(v[3], v[is_face ? 1 : 2]);
    abut_vec3 normal = abut_cross(first, second);
    double square = abut_norm_squared(normal);
    if (!(square > 0.0)) {
        out.is_flat = 1;
        return out;
    }
    // gap = s first + u second + h normal
    double s = abut_dot(abut_cross(gap, second), normal) / square;
    double u = abut_dot(abut_cross(first, gap), normal) / square;
    if (is_face) {
        out.weights[1] = 1.0 - s - u;
        out.weights[2] = s;
        out.weights[3] = u;
    } else { // v0 - s first = v2 + u second + h normal
        out.weights[0] = 1.0 + s;
        out.weights[1] = -s;
        out.weights[2] = 1.0 - u;
        out.weights[3] = u;
    }
    double length = sqrt(square);
    out.normal = abut_scale(pair->track.side / length, normal);
    out.depth = tolerance - abut_dot(gap, out.normal);
    return out;
}

/// The place of the least weight, or -1 if all are inside.
static int find_outside(const facing *f)
{
    int found = -1;
    for (int i = 0; i < 4; ++i) {
        if (f->weights[i] < -BESIDE && (found < 0 || f->weights[i] < f->weights[found])) {
            found = i;
        }
    }
    return found;
}

static void set_triangle(const abut_moving_side *side, int triangle, abut_tracked_pair *pair)
{
    pair->elements[1] = triangle;
    for (int k = 0; k < 3; ++k) {
        pair->vertices[1 + k] = side->elements.triangles[3 * triangle + k];
    }
}

static void set_edge(const abut_moving_side *side, int edge, int second, abut_tracked_pair *pair)
{
    pair->elements[second] = edge;
    pair->vertices[2 * second] = side->topology.edge_vertices[2 * edge];
    pair->vertices[2 * second + 1] = side->topology.edge_vertices[2 * edge + 1];
}

static int names(const abut_tracked_pair *pair)
{
    for (int i = 0; i < abut_first_count(pair->kind); ++i) {
        for (int k = abut_first_count(pair->kind); k < 4; ++k) {
            if (pair->vertices[i] == pair->vertices[k]) {
                return 1;
            }
        }
    }
    return 0;
}

/// The pairs that one may go on to.
typedef struct successors {
    const abut_context *context;
    const abut_moving_bodies *bodies;
    double tolerance;
    abut_vec3 normal; ///< of the pair that leaves
    abut_track_list *out;
    int begin; ///< of the successors in the list
    int has_all;
    double best;
} successors;

/// Adds a pair if its features face each other, it penetrates, and its normal is within 60 degrees of the last one.
/// The sign of its side is chosen by that normal. Returns 0 if memory ran out.
static int try_pair(successors *s, abut_tracked_pair pair)
{
    if (s->bodies->is_self && names(&pair)) {
        return 1;
    }
    pair.track.side = 1;
    facing f = look(s->bodies, &pair, s->tolerance);
    if (!f.is_flat && abut_dot(f.normal, s->normal) < 0.0) {
        pair.track.side = -1;
        f.normal = abut_negate(f.normal);
        f.depth = 2.0 * s->tolerance - f.depth;
    }
    double along = abut_dot(f.normal, s->normal);
    if (f.is_flat || !(f.depth > 0.0) || find_outside(&f) >= 0 || !(along > 0.5) ||
        (pair.kind == ABUT_EDGE_EDGE && !abut_pair_is_outermost(s->bodies, &pair, 0.0, f.normal))) {
        return 1;
    }
    for (int i = 0; i < 4; ++i) {
        pair.track.weights[i] = f.weights[i];
    }
    abut_track_list *out = s->out;
    if (!s->has_all && out->count > s->begin) { // only the best one
        if (along > s->best) {
            out->items[s->begin] = pair;
            s->best = along;
        }
        return 1;
    }
    if (!abut_grow(s->context, &out->items, &out->capacity, out->count + 1, sizeof *out->items)) {
        return 0;
    }
    s->best = along;
    out->items[out->count++] = pair;
    return 1;
}

/// Follows the foot of a vertex from triangle to triangle. Returns 1 if it is in one, 0 if it passed a rim: `edge`.
static int walk(const abut_moving_bodies *bodies, double tolerance, abut_tracked_pair *pair, facing *f, int *edge)
{
    const abut_moving_side *side = abut_pair_side(bodies, pair->is_flipped, 1);
    for (int step = 0; step < WALK; ++step) {
        int outside = find_outside(f);
        if (outside < 0) {
            return 1;
        }
        int k = outside % 3; // corner outside - 1 is opposite the edge from corner `outside` to the next: modulo 3
        *edge = side->topology.triangle_edges[3 * pair->elements[1] + k];
        int next = side->topology.triangle_neighbours[3 * pair->elements[1] + k];
        if (next < 0) {
            return 0;
        }
        abut_tracked_pair across = *pair;
        set_triangle(side, next, &across);
        int from = pair->vertices[1 + k]; // where the edge begins in the one triangle, it ends in the other
        int is_turned = 0;
        for (int i = 0; i < 3; ++i) {
            is_turned |= across.vertices[1 + i] == from &&
                         across.vertices[1 + (i + 1) % 3] == pair->vertices[1 + (k + 1) % 3];
        }
        across.track.side = is_turned ? -pair->track.side : pair->track.side;
        facing at = look(bodies, &across, tolerance);
        if (at.is_flat || !(at.depth > 0.0)) {
            return 0;
        }
        *pair = across;
        *f = at;
    }
    return 0;
}

static int leave_rim(successors *s, const abut_tracked_pair *pair, int rim)
{
    int flip = pair->is_flipped, vertex = pair->elements[0];
    const abut_moving_side *own = abut_pair_side(s->bodies, flip, 0), *other = abut_pair_side(s->bodies, flip, 1);
    const abut_mesh_topology *topology = &own->topology;
    for (int i = topology->vertex_edge_offsets[vertex]; i < topology->vertex_edge_offsets[vertex + 1]; ++i) {
        abut_tracked_pair edges = *pair; // A's edge is the first
        edges.kind = ABUT_EDGE_EDGE;
        edges.is_flipped = 0;
        set_edge(own, topology->vertex_edges[i], flip, &edges);
        set_edge(other, rim, !flip, &edges);
        abut_vec3 kept = s->normal;
        s->normal = flip ? abut_negate(kept) : kept; // from the second feature to the first
        int is_fine = try_pair(s, edges);
        s->normal = kept;
        if (!is_fine) {
            return 0;
        }
    }
    return 1;
}

/// An edge leaves the other one at the end with this place in the pair.
static int leave_end(successors *s, const abut_tracked_pair *pair, int place)
{
    int second = place / 2; // whose end it is
    int end = pair->vertices[place];
    const abut_moving_side *own = abut_pair_side(s->bodies, 0, second),
                           *other = abut_pair_side(s->bodies, 0, !second);
    const abut_mesh_topology *topology = &own->topology;
    for (int i = topology->vertex_edge_offsets[end]; i < topology->vertex_edge_offsets[end + 1]; ++i) {
        abut_tracked_pair edges = *pair;
        set_edge(own, topology->vertex_edges[i], second, &edges);
        if (topology->vertex_edges[i] != pair->elements[second] && !try_pair(s, edges)) {
            return 0;
        }
    }
    int edge = pair->elements[!second];
    for (int i = other->topology.edge_triangle_offsets[edge]; i < other->topology.edge_triangle_offsets[edge + 1];
         ++i) {
        abut_tracked_pair face = *pair;
        face.kind = ABUT_VERTEX_FACE;
        face.is_flipped = second;
        face.elements[0] = face.vertices[0] = end;
        set_triangle(other, other->topology.edge_triangles[i], &face);
        abut_vec3 kept = s->normal;
        s->normal = second ? abut_negate(kept) : kept;
        int is_fine = try_pair(s, face);
        s->normal = kept;
        if (!is_fine) {
            return 0;
        }
    }
    return 1;
}

int abut_slide_pair(const abut_context *context, const abut_moving_bodies *bodies, const abut_tracked_pair *pair,
                    double tolerance, int has_shares, abut_track_list *out, abut_slide_counts *counts)
{
    if (!abut_grow(context, &out->items, &out->capacity, out->count + 1, sizeof *out->items)) {
        return 0;
    }
    abut_tracked_pair own = *pair;
    facing f = look(bodies, &own, tolerance);
    if (f.is_flat || !(f.depth > 0.0)) { // it touches: its features stay
        out->items[out->count++] = own;
        return 1;
    }
    successors s = {.context = context,
                    .bodies = bodies,
                    .tolerance = tolerance,
                    .out = out,
                    .begin = out->count,
                    .has_all = has_shares};
    int outside = find_outside(&f), rim = -1;
    if (outside < 0 || (own.kind == ABUT_VERTEX_FACE && walk(bodies, tolerance, &own, &f, &rim))) {
        for (int i = 0; i < 4; ++i) {
            own.track.weights[i] = f.weights[i];
        }
        counts->moved += outside >= 0;
        out->items[out->count++] = own;
        return 1;
    }
    s.normal = f.normal;
    int is_fine = own.kind == ABUT_VERTEX_FACE ? leave_rim(&s, &own, rim) : leave_end(&s, &own, outside ^ 1);
    int made = out->count - s.begin;
    for (int i = 0; i < made; ++i) {
        out->items[s.begin + i].share = has_shares ? pair->share / made : pair->share;
    }
    counts->moved += made > 0;
    counts->left += made == 0;
    return is_fine;
}
