// SPDX-License-Identifier: MIT
// share.c: the area of contact around a pair of features
//
// Where two triangulated faces lie on each other, the points of the pairs of features (vertices of one in triangles
// of the other, crossings of edges) are the corners of the cells into which the two meshes cut the area of contact: a
// cell is the intersection of a triangle of A with one of B. Each cell is cut into triangles at the mean of its
// corners, each of which gives a third of its area to each of its corners, and the mean passes its part on to all
// corners of the cell. So a linear depth is integrated exactly: force and moment do not depend on the meshes. Faces
// that are not flat are projected along the normal of the pair.
//
// Several pairs meet at one point if a vertex is on an edge or on a vertex. Those with the same normal divide what is
// around it. Edges that cross where one of them is not the outermost part of its body along the normal, such as an
// edge within a flat face that another one passes sideways, get nothing: other pairs touch there first.
//
// A tip or a sharp edge has hardly any area in projection. It gets at least SHARP of the true area of the triangles
// there, so that it has a force.
#include "response/track.h"

#include "base/memory.h"
#include "base/sort.h"

static const double SHARP = 0.01;
static const double STEEP = 0.1;       // cosine: triangles that face the normal by less have no area
static const double OUTERMOST = 0.5;   // sine: how far faces at an edge may rise above it, along the normal
static const double TIP = 0.1;         // the same for edges at a vertex that is a tip
static const double SAME_NORMAL = 0.9; // cosine
enum { POLYGON = 9 };

int abut_tracked_pair_compare(const abut_tracked_pair *a, const abut_tracked_pair *b)
{
    const int x[4] = {(int)a->kind, a->is_flipped, a->elements[0], a->elements[1]};
    const int y[4] = {(int)b->kind, b->is_flipped, b->elements[0], b->elements[1]};
    for (int i = 0; i < 4; ++i) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

abut_moving_pair abut_tracked_motion(const abut_moving_bodies *bodies, const abut_tracked_pair *pair)
{
    abut_moving_pair moving = {.kind = pair->kind};
    for (int i = 0; i < 4; ++i) {
        const abut_moving_side *side = abut_pair_side(bodies, pair->is_flipped, i >= abut_first_count(pair->kind));
        moving.start[i] = abut_moving_vertex(side, pair->vertices[i], 0);
        moving.end[i] = abut_moving_vertex(side, pair->vertices[i], 1);
    }
    return moving;
}

void abut_tracked_points(const abut_moving_bodies *bodies, const abut_tracked_pair *pair, const double *weights,
                         abut_vec3 points[2])
{
    points[0] = points[1] = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 4; ++i) {
        int second = i >= abut_first_count(pair->kind), body = second != pair->is_flipped;
        abut_vec3 v = abut_moving_vertex(&bodies->sides[body], pair->vertices[i], 0);
        points[body] = abut_add_scaled(points[body], weights[i], v);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Cells

/// The part of a convex polygon to the left of the line from p to q. Returns its number of corners.
static int clip(const abut_vec2 *in, int count, abut_vec2 p, abut_vec2 q, abut_vec2 *out)
{
    int made = 0;
    double dx = q.x - p.x, dy = q.y - p.y;
    for (int i = 0; i < count; ++i) {
        abut_vec2 a = in[i], b = in[(i + 1) % count];
        double at_a = dx * (a.y - p.y) - dy * (a.x - p.x), at_b = dx * (b.y - p.y) - dy * (b.x - p.x);
        if (at_a >= 0.0 && made < POLYGON) {
            out[made++] = a;
        }
        if ((at_a < 0.0) != (at_b < 0.0) && at_a != 0.0 && at_b != 0.0 && made < POLYGON) {
            double t = at_a / (at_a - at_b);
            out[made++] = abut_vec2_make(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y));
        }
    }
    return made;
}

static double doubled_area(const abut_vec2 *t)
{
    return (t[1].x - t[0].x) * (t[2].y - t[0].y) - (t[1].y - t[0].y) * (t[2].x - t[0].x);
}

static void turn_left(abut_vec2 *t)
{
    if (doubled_area(t) < 0.0) {
        abut_vec2 kept = t[1];
        t[1] = t[2];
        t[2] = kept;
    }
}

static int is_near(abut_vec2 p, double tolerance)
{
    return p.x * p.x + p.y * p.y <= tolerance * tolerance;
}

/// Drops corners that are within the tolerance of the line between their neighbours: edges that are nearly parallel
/// cross anywhere. Returns the number of corners left.
static int drop_flat_corners(abut_vec2 *cell, int count, double tolerance)
{
    for (int i = 0; i < count;) {
        abut_vec2 before = cell[(i + count - 1) % count], after = cell[(i + 1) % count];
        const abut_vec2 t[3] = {before, cell[i], after};
        double length = hypot(after.x - before.x, after.y - before.y);
        if (fabs(doubled_area(t)) > tolerance * length) {
            ++i;
            continue;
        }
        --count;
        for (int k = i; k < count; ++k) {
            cell[k] = cell[k + 1];
        }
        i = i > 0 ? i - 1 : 0;
    }
    return count;
}

/// The share of the origin in the cell of two triangles: what its corners there get.
static double origin_share(abut_vec2 a[3], abut_vec2 b[3], double tolerance)
{
    abut_vec2 cell[POLYGON], other[POLYGON];
    turn_left(a);
    turn_left(b);
    int count = clip(a, 3, b[0], b[1], cell);
    count = clip(cell, count, b[1], b[2], other);
    count = clip(other, count, b[2], b[0], cell);
    count = drop_flat_corners(cell, count, tolerance);
    abut_vec2 mean = {0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        mean = abut_vec2_make(mean.x + cell[i].x / count, mean.y + cell[i].y / count);
    }
    double share = 0.0, area = 0.0;
    int corners = 0;
    for (int i = 0; i < count; ++i) {
        const abut_vec2 t[3] = {mean, cell[i], cell[(i + 1) % count]};
        double part = 0.5 * fabs(doubled_area(t));
        share += (is_near(t[1], tolerance) + is_near(t[2], tolerance)) * part / 3.0;
        corners += is_near(t[1], tolerance);
        area += part;
    }
    return count > 0 ? share + area / 3.0 * corners / count : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Points

/// The triangles around a feature.
static const int *find_triangles(const abut_moving_side *side, const abut_tracked_pair *pair, int second,
                                 int *count)
{
    const abut_mesh_topology *topology = &side->topology;
    int element = pair->elements[second];
    *count = 1;
    if (pair->kind == ABUT_VERTEX_FACE && second) {
        return &pair->elements[1];
    }
    int is_edge = pair->kind == ABUT_EDGE_EDGE;
    const int *offsets = is_edge ? topology->edge_triangle_offsets : topology->vertex_triangle_offsets;
    *count = offsets[element + 1] - offsets[element];
    return (is_edge ? topology->edge_triangles : topology->vertex_triangles) + offsets[element];
}

/// Adds the triangles around a feature of a body to those around the point. Returns 0 if memory ran out.
static int add_triangles(const abut_context *context, const abut_moving_side *side, const abut_tracked_pair *pair,
                         int second, int body, abut_share_room *room)
{
    int count;
    const int *found = find_triangles(side, pair, second, &count);
    if (!abut_grow(context, &room->triangles[body], &room->capacities[body], room->counts[body] + count,
                   sizeof *room->triangles[body])) {
        return 0;
    }
    int known = room->counts[body];
    for (int i = 0; i < count; ++i) {
        int is_known = 0;
        for (int k = 0; k < known && !is_known; ++k) {
            is_known = room->triangles[body][k] == found[i];
        }
        if (!is_known) {
            room->triangles[body][room->counts[body]++] = found[i];
        }
    }
    return 1;
}

static abut_vec3 place_vertex(const abut_moving_side *side, int vertex, double time)
{
    return abut_lerp(abut_moving_vertex(side, vertex, 0), abut_moving_vertex(side, vertex, 1), time);
}

/// A triangle at a time, relative to an origin.
static void place_triangle(const abut_moving_side *side, int triangle, double time, abut_vec3 origin,
                           abut_vec3 out[3])
{
    for (int k = 0; k < 3; ++k) {
        out[k] = abut_sub(place_vertex(side, side->elements.triangles[3 * triangle + k], time), origin);
    }
}

/// The triangles of a body around a point, at a time.
typedef struct surroundings {
    double area;   ///< their true area
    double facing; ///< the largest cosine of their normals with the normal of the pair
} surroundings;

static surroundings look_around(const abut_moving_side *side, const int *triangles, int count, double time,
                                abut_vec3 normal)
{
    surroundings out = {0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        abut_vec3 t[3];
        place_triangle(side, triangles[i], time, abut_vec3_make(0.0, 0.0, 0.0), t);
        abut_vec3 cross = abut_cross(abut_sub(t[1], t[0]), abut_sub(t[2], t[0]));
        out.area += 0.5 * abut_norm(cross);
        out.facing = fmax(out.facing, fabs(abut_dot(abut_unit(cross), normal)));
    }
    return out;
}

/// How far the body rises above a feature, along a direction: the largest sine of the edges at a vertex, or of the
/// triangles at an edge. Zero or less: the feature is the outermost part there.
static double find_rise(const abut_moving_side *side, const abut_tracked_pair *pair, int second, double time,
                        abut_vec3 outward)
{
    const abut_mesh_topology *topology = &side->topology;
    int element = pair->elements[second];
    double rise = -1.0;
    if (pair->kind == ABUT_VERTEX_FACE) {
        abut_vec3 at = place_vertex(side, element, time);
        for (int i = topology->vertex_edge_offsets[element]; i < topology->vertex_edge_offsets[element + 1]; ++i) {
            const int *ends = topology->edge_vertices + 2 * topology->vertex_edges[i];
            abut_vec3 other = place_vertex(side, ends[0] == element ? ends[1] : ends[0], time);
            rise = fmax(rise, abut_dot(abut_unit(abut_sub(other, at)), outward));
        }
        return rise;
    }
    abut_vec3 from = place_vertex(side, pair->vertices[2 * second], time);
    abut_vec3 along = abut_unit(abut_sub(place_vertex(side, pair->vertices[2 * second + 1], time), from));
    for (int i = topology->edge_triangle_offsets[element]; i < topology->edge_triangle_offsets[element + 1]; ++i) {
        abut_vec3 t[3], inward = {0.0, 0.0, 0.0};
        place_triangle(side, topology->edge_triangles[i], time, from, t);
        for (int k = 0; k < 3; ++k) { // the corners on the edge give nothing
            inward = abut_add(inward, abut_add_scaled(t[k], -abut_dot(t[k], along), along));
        }
        rise = fmax(rise, abut_dot(abut_unit(inward), outward));
    }
    return rise;
}

void abut_find_fronts(const abut_moving_bodies *bodies, abut_active_pair *pair)
{
    abut_vec3 n = abut_scale(pair->side, abut_unit(pair->normal)); // from the second feature to the first
    for (int second = 0; second < 2; ++second) {
        int body = second != pair->pair.is_flipped, count;
        const abut_moving_side *side = &bodies->sides[body];
        const int *triangles = find_triangles(side, &pair->pair, second, &count);
        abut_vec3 sum = {0.0, 0.0, 0.0};
        for (int i = 0; i < count; ++i) {
            abut_vec3 t[3];
            place_triangle(side, triangles[i], pair->time, abut_vec3_make(0.0, 0.0, 0.0), t);
            sum = abut_add(sum, abut_unit(abut_cross(abut_sub(t[1], t[0]), abut_sub(t[2], t[0]))));
        }
        double along = abut_dot(abut_unit(sum), second ? n : abut_negate(n));
        pair->pair.fronts[body] = (along > 0.5) - (along < -0.5);
    }
}

int abut_pair_is_outermost(const abut_moving_bodies *bodies, const abut_tracked_pair *pair, double time,
                           abut_vec3 normal)
{
    int flip = pair->is_flipped;
    double rise = find_rise(abut_pair_side(bodies, flip, 0), pair, 0, time, abut_negate(normal));
    if (pair->kind == ABUT_VERTEX_FACE) {
        return rise <= TIP;
    }
    return fmax(rise, find_rise(abut_pair_side(bodies, flip, 1), pair, 1, time, normal)) <= OUTERMOST;
}

static int is_outermost(const abut_moving_bodies *bodies, const abut_active_pair *pair)
{
    return abut_pair_is_outermost(bodies, &pair->pair, pair->time, abut_scale(pair->side, abut_unit(pair->normal)));
}

/// The area around the point where `pair` meets, of all triangles in the room.
static double point_area(const abut_moving_bodies *bodies, const abut_active_pair *pair, double tolerance,
                         const abut_share_room *room)
{
    double time = pair->time;
    abut_moving_pair moving = abut_tracked_motion(bodies, &pair->pair);
    abut_vec3 origin = {0.0, 0.0, 0.0};
    for (int i = abut_first_count(moving.kind); i < 4; ++i) {
        origin = abut_add_scaled(origin, pair->weights[i], abut_lerp(moving.start[i], moving.end[i], time));
    }
    abut_vec3 normal = abut_unit(pair->normal), x = abut_any_perpendicular(normal), y = abut_cross(normal, x);
    double area = 0.0;
    for (int i = 0; i < room->counts[0] * room->counts[1]; ++i) {
        const int elements[2] = {room->triangles[0][i / room->counts[1]], room->triangles[1][i % room->counts[1]]};
        abut_vec2 flat[2][3];
        for (int body = 0; body < 2; ++body) {
            abut_vec3 t[3];
            place_triangle(&bodies->sides[body], elements[body], time, origin, t);
            for (int k = 0; k < 3; ++k) {
                flat[body][k] = abut_vec2_make(abut_dot(t[k], x), abut_dot(t[k], y));
            }
        }
        area += origin_share(flat[0], flat[1], tolerance);
    }
    surroundings a = look_around(&bodies->sides[0], room->triangles[0], room->counts[0], time, normal);
    surroundings b = look_around(&bodies->sides[1], room->triangles[1], room->counts[1], time, normal);
    int is_sharp = fmin(a.facing, b.facing) < STEEP && is_outermost(bodies, pair);
    return is_sharp ? fmax(area, SHARP * fmin(a.area, b.area) / 3.0) : area;
}

static int compare_places(const void *user, int a, int b)
{
    const abut_active_pair *pairs = user;
    return (pairs[a].place > pairs[b].place) - (pairs[a].place < pairs[b].place);
}

static int is_same_point(const abut_active_pair *a, const abut_active_pair *b, double tolerance)
{
    return abut_norm(abut_sub(a->points[0], b->points[0])) <= tolerance &&
           abut_norm(abut_sub(a->points[1], b->points[1])) <= tolerance;
}

/// Finds the pairs at the point of the first one: they are near it in the order of places. Puts them in front of the
/// scratch.
static int gather(const abut_active_pair *pairs, int count, int first, double tolerance, abut_share_room *room)
{
    int members = 0;
    const abut_active_pair *leader = &pairs[room->order[first]];
    for (int i = first; i < count && pairs[room->order[i]].place <= leader->place + tolerance; ++i) {
        if (!room->is_done[i] && is_same_point(leader, &pairs[room->order[i]], tolerance)) {
            room->is_done[i] = 1;
            room->scratch[members++] = room->order[i];
        }
    }
    return members;
}

/// Gives the pairs at one point, in front of the scratch, their shares, if one of them is new. Returns 0 if memory
/// ran out.
static int divide(const abut_context *context, const abut_moving_bodies *bodies, double tolerance,
                  abut_active_pair *pairs, int members, abut_share_room *room)
{
    int new_count = 0;
    room->counts[0] = room->counts[1] = 0;
    for (int k = 0; k < members; ++k) {
        abut_active_pair *member = &pairs[room->scratch[k]];
        int flip = member->pair.is_flipped;
        new_count += member->is_new;
        member->is_carrier = !member->is_exit && abut_norm_squared(member->normal) > 0.0 &&
                             (member->pair.kind == ABUT_VERTEX_FACE || is_outermost(bodies, member));
        if (!add_triangles(context, abut_pair_side(bodies, flip, 0), &member->pair, 0, flip, room) ||
            !add_triangles(context, abut_pair_side(bodies, flip, 1), &member->pair, 1, !flip, room)) {
            return 0;
        }
    }
    for (int k = 0; k < members && new_count > 0; ++k) {
        abut_active_pair *member = &pairs[room->scratch[k]];
        abut_vec3 normal = abut_unit(member->normal);
        int sharers = 0;
        for (int m = 0; m < members; ++m) {
            const abut_active_pair *other = &pairs[room->scratch[m]];
            sharers += other->is_carrier && fabs(abut_dot(normal, abut_unit(other->normal))) > SAME_NORMAL;
        }
        member->pair.share = member->is_carrier ? point_area(bodies, member, tolerance, room) / sharers : 0.0;
    }
    return 1;
}

int abut_share_areas(const abut_context *context, const abut_moving_bodies *bodies, double tolerance,
                     abut_active_pair *pairs, int count, abut_share_room *room)
{
    int new_count = 0;
    for (int i = 0; i < count; ++i) {
        new_count += pairs[i].is_new;
    }
    if (new_count == 0) {
        return 1;
    }
    if (!abut_grow(context, &room->order, &room->order_capacity, count, sizeof *room->order) ||
        !abut_grow(context, &room->scratch, &room->scratch_capacity, count, sizeof *room->scratch) ||
        !abut_grow(context, &room->is_done, &room->done_capacity, count, sizeof *room->is_done)) {
        return 0;
    }
    const abut_vec3 along = {0.5423, 0.6741,
                             0.5016}; // no face, edge or grid of usual models is perpendicular to it
    for (int i = 0; i < count; ++i) {
        abut_tracked_points(bodies, &pairs[i].pair, pairs[i].weights, pairs[i].points);
        pairs[i].place = abut_dot(pairs[i].points[0], along);
        room->order[i] = i;
        room->is_done[i] = 0;
    }
    abut_sort_indices(room->order, room->scratch, count, compare_places, pairs);
    for (int i = 0; i < count; ++i) {
        int members = room->is_done[i] ? 0 : gather(pairs, count, i, tolerance, room);
        if (members > 0 && !divide(context, bodies, tolerance, pairs, members, room)) {
            return 0;
        }
    }
    return 1;
}

void abut_share_room_release(const abut_context *context, abut_share_room *room)
{
    abut_free(context, room->order);
    abut_free(context, room->scratch);
    abut_free(context, room->triangles[0]);
    abut_free(context, room->triangles[1]);
    abut_free(context, room->is_done);
}
