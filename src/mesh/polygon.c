// SPDX-License-Identifier: MIT
// polygon.c: cutting polygons into triangles by clipping ears
//
// The polygon is projected along the largest component of its normal. This keeps the two other coordinates
// unchanged, so the exact orientation test sees the polygon itself and not a rounded image. An ear is a corner that
// turns left and has no other vertex in its closed triangle; only corners that do not turn left can be there. Ears
// are clipped round by round, two corners apart, which avoids narrow triangles. Clipping an ear affects only its two
// neighbours, so only these are tested again.
//
// The corners that may block an ear are kept in a tree of rectangles, sorted along a space-filling curve.
// Cost: n log n, except for contrived polygons.
#include "mesh/polygon.h"

#include "base/memory.h"
#include "base/sort.h"
#include "mesh/polygon_simple.h"

#include <string.h>

enum { NONE = -1 };

static const abut_polygon_rectangle NOTHING = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};

void abut_polygon_cutter_init(abut_polygon_cutter *cutter, const abut_context *context)
{
    memset(cutter, 0, sizeof *cutter);
    cutter->context = *context;
}

void abut_polygon_cutter_release(abut_polygon_cutter *cutter)
{
    abut_free(&cutter->context, cutter->points);
    abut_free(&cutter->context, cutter->nodes);
    abut_free(&cutter->context, cutter->next);
    cutter->points = NULL;
    cutter->nodes = NULL;
    cutter->next = NULL;
    cutter->capacity = 0;
}

static abut_status reserve(abut_polygon_cutter *cutter, int count)
{
    if (count < cutter->capacity) {
        return ABUT_OK; // strictly less: the queue needs one more item, its end
    }
    abut_polygon_cutter_release(cutter);
    size_t room = 8; // the tree needs a power of two
    while (room <= (size_t)count) {
        room *= 2;
    }
    cutter->points = abut_allocate(&cutter->context, room, sizeof *cutter->points);
    cutter->nodes = abut_allocate(&cutter->context, room, 2 * sizeof *cutter->nodes);
    cutter->next = abut_allocate(&cutter->context, room, 6 * sizeof(int));
    if (cutter->points == NULL || cutter->nodes == NULL || cutter->next == NULL) {
        abut_polygon_cutter_release(cutter);
        return ABUT_NO_MEMORY;
    }
    cutter->previous = cutter->next + room;
    cutter->blockers = cutter->previous + room;
    cutter->blocker_slot = cutter->blockers + room;
    cutter->queue_next = cutter->blocker_slot + room;
    cutter->queue_previous = cutter->queue_next + room;
    cutter->capacity = (int)room;
    return ABUT_OK;
}

static void project(abut_polygon_cutter *cutter, const abut_vec3 *vertices, const int *polygon, int count)
{
    abut_vec3 origin = vertices[polygon[0]];
    abut_vec3 normal = {0.0, 0.0, 0.0};
    for (int i = 1; i + 1 < count; ++i) {
        abut_vec3 a = abut_sub(vertices[polygon[i]], origin), b = abut_sub(vertices[polygon[i + 1]], origin);
        normal = abut_add(normal, abut_cross(a, b));
    }
    abut_vec3 size = abut_abs(normal);
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = vertices[polygon[i]];
        if (size.x >= size.y && size.x >= size.z) {
            cutter->points[i] = abut_vec2_make(p.y, p.z);
        } else if (size.y >= size.z) {
            cutter->points[i] = abut_vec2_make(p.z, p.x);
        } else {
            cutter->points[i] = abut_vec2_make(p.x, p.y);
        }
    }
}

// The turn at the lowest corner, which is the orientation of the whole polygon.
static int orientation(const abut_vec2 *points, int count)
{
    int lowest = 0;
    for (int i = 1; i < count; ++i) {
        if (points[i].x < points[lowest].x || (points[i].x == points[lowest].x && points[i].y < points[lowest].y)) {
            lowest = i;
        }
    }
    return abut_turn(points[(lowest + count - 1) % count], points[lowest], points[(lowest + 1) % count]);
}

static void swap_axes(abut_vec2 *points, int count)
{
    for (int i = 0; i < count; ++i) {
        points[i] = abut_vec2_make(points[i].y, points[i].x);
    }
}

static int corner_turn(const abut_polygon_cutter *cutter, int corner)
{
    const abut_vec2 *points = cutter->points;
    return abut_turn(points[cutter->previous[corner]], points[corner], points[cutter->next[corner]]);
}

// ---- tree of the corners that may block an ear: node i has the children 2i and 2i + 1; leaves are at leaf_count +
// slot

static void join_children(abut_polygon_rectangle *nodes, int node)
{
    const abut_polygon_rectangle *a = &nodes[2 * node], *b = a + 1;
    nodes[node].lower = abut_vec2_make(fmin(a->lower.x, b->lower.x), fmin(a->lower.y, b->lower.y));
    nodes[node].upper = abut_vec2_make(fmax(a->upper.x, b->upper.x), fmax(a->upper.y, b->upper.y));
}

// Moves the 15 bits of x to the bits 0, 2, 4, ...
static int spread_bits(int x)
{
    x = (x | x << 8) & 0x00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f;
    x = (x | x << 2) & 0x33333333;
    return (x | x << 1) & 0x55555555;
}

// The position of x between lower and upper, as a number from 0 to 2^15 - 1. Halving avoids overflow.
static int cell_of(double x, double lower, double upper)
{
    double part = (0.5 * x - 0.5 * lower) / (0.5 * upper - 0.5 * lower);
    return (int)(32767.0 * fmin(fmax(part, 0.0), 1.0)); // NaN, if lower equals upper, becomes 0
}

static int compare_places(const void *user, int i, int k)
{
    const int *places = user;
    return places[i] != places[k] ? (places[i] > places[k]) - (places[i] < places[k]) : (i > k) - (i < k);
}

// Sorts the blockers along a Z-order (Morton) curve, so that neighbours in the list are near each other.
static void sort_blockers(abut_polygon_cutter *cutter, int blocker_count)
{
    int *places = cutter->queue_next, *scratch = cutter->queue_previous; // not yet in use
    abut_polygon_rectangle all = NOTHING;
    for (int i = 0; i < blocker_count; ++i) {
        abut_vec2 p = cutter->points[cutter->blockers[i]];
        all.lower = abut_vec2_make(fmin(all.lower.x, p.x), fmin(all.lower.y, p.y));
        all.upper = abut_vec2_make(fmax(all.upper.x, p.x), fmax(all.upper.y, p.y));
    }
    for (int i = 0; i < blocker_count; ++i) {
        abut_vec2 p = cutter->points[cutter->blockers[i]];
        places[cutter->blockers[i]] = spread_bits(cell_of(p.x, all.lower.x, all.upper.x)) |
                                      spread_bits(cell_of(p.y, all.lower.y, all.upper.y)) << 1;
    }
    abut_sort_indices(cutter->blockers, scratch, blocker_count, compare_places, places);
}

static void make_tree(abut_polygon_cutter *cutter, int count)
{
    int blocker_count = 0;
    for (int i = 0; i < count; ++i) {
        cutter->blocker_slot[i] = NONE;
        if (corner_turn(cutter, i) <= 0) {
            cutter->blockers[blocker_count++] = i;
        }
    }
    sort_blockers(cutter, blocker_count);
    cutter->leaf_count = 1;
    while (cutter->leaf_count < blocker_count) {
        cutter->leaf_count *= 2;
    }
    for (int i = 0; i < cutter->leaf_count; ++i) {
        abut_polygon_rectangle *leaf = &cutter->nodes[cutter->leaf_count + i];
        *leaf = NOTHING;
        if (i < blocker_count) {
            cutter->blocker_slot[cutter->blockers[i]] = i;
            leaf->lower = leaf->upper = cutter->points[cutter->blockers[i]];
        }
    }
    for (int i = cutter->leaf_count - 1; i >= 1; --i) {
        join_children(cutter->nodes, i);
    }
}

// A corner whose neighbour was clipped turns further left than before and may no longer block.
static void update_blocker(abut_polygon_cutter *cutter, int corner)
{
    if (cutter->blocker_slot[corner] == NONE || corner_turn(cutter, corner) <= 0) {
        return;
    }
    int node = cutter->leaf_count + cutter->blocker_slot[corner];
    cutter->blocker_slot[corner] = NONE;
    cutter->nodes[node] = NOTHING;
    for (node /= 2; node >= 1; node /= 2) {
        join_children(cutter->nodes, node);
    }
}

// Whether a rectangle is entirely to the right of the line from a to b: if its leftmost corner is.
static int is_right_of(const abut_polygon_rectangle *r, abut_vec2 a, abut_vec2 b)
{
    abut_vec2 leftmost = abut_vec2_make(b.y > a.y ? r->lower.x : r->upper.x, b.x > a.x ? r->upper.y : r->lower.y);
    return abut_turn(a, b, leftmost) < 0;
}

// Whether a rectangle is apart from the closed triangle a b c. May miss some that are, but is exact for single
// points.
static int is_apart(const abut_polygon_rectangle *r, abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    return r->upper.x < fmin(a.x, fmin(b.x, c.x)) || r->lower.x > fmax(a.x, fmax(b.x, c.x)) ||
           r->upper.y < fmin(a.y, fmin(b.y, c.y)) || r->lower.y > fmax(a.y, fmax(b.y, c.y)) ||
           is_right_of(r, a, b) || is_right_of(r, b, c) || is_right_of(r, c, a);
}

static int is_ear(const abut_polygon_cutter *cutter, int corner)
{
    if (cutter->blocker_slot[corner] != NONE) {
        return 0;
    }
    int before = cutter->previous[corner], after = cutter->next[corner];
    abut_vec2 a = cutter->points[before], b = cutter->points[corner], c = cutter->points[after];
    int node = 1;
    while (node != 0) {
        if (!is_apart(&cutter->nodes[node], a, b, c)) {
            if (node < cutter->leaf_count) {
                node *= 2;
                continue;
            }
            int blocker = cutter->blockers[node - cutter->leaf_count];
            if (blocker != before && blocker != after) {
                return 0;
            }
        }
        // go to the sibling, or to the sibling of the nearest ancestor that is a left child
        while (node % 2 == 1) {
            node /= 2;
        }
        node += node != 0;
    }
    return 1;
}

// ---- queue of the corners to test: a ring through the item `count`, which marks its end

static void leave_queue(abut_polygon_cutter *cutter, int corner)
{
    int after = cutter->queue_next[corner];
    if (after != NONE) {
        cutter->queue_next[cutter->queue_previous[corner]] = after;
        cutter->queue_previous[after] = cutter->queue_previous[corner];
        cutter->queue_next[corner] = NONE;
    }
}

static void enter_queue(abut_polygon_cutter *cutter, int corner, int count)
{
    leave_queue(cutter, corner);
    int last = cutter->queue_previous[count];
    cutter->queue_next[last] = corner;
    cutter->queue_previous[corner] = last;
    cutter->queue_next[corner] = count;
    cutter->queue_previous[count] = corner;
}

static void start_clipping(abut_polygon_cutter *cutter, int count)
{
    for (int i = 0; i < count; ++i) {
        cutter->next[i] = i + 1 < count ? i + 1 : 0;
        cutter->previous[i] = i > 0 ? i - 1 : count - 1;
    }
    make_tree(cutter, count);
    for (int i = 0; i < count; ++i) {
        cutter->queue_next[i] = NONE;
    }
    cutter->queue_next[count] = cutter->queue_previous[count] = count;
    for (int i = 0; i < count; ++i) {
        enter_queue(cutter, cutter->next[i], count);
    }
}

// Returns 0 if there is no ear, which cannot happen if the polygon does not cross itself.
static int clip_ears(abut_polygon_cutter *cutter, const int *polygon, int count, int *triangles)
{
    start_clipping(cutter, count);
    for (int left = count; left > 3;) {
        int corner = cutter->queue_next[count];
        if (corner == count) {
            return 0;
        }
        leave_queue(cutter, corner);
        if (!is_ear(cutter, corner)) {
            continue;
        }
        int before = cutter->previous[corner], after = cutter->next[corner];
        *triangles++ = polygon[before];
        *triangles++ = polygon[corner];
        *triangles++ = polygon[after];
        cutter->next[before] = after;
        cutter->previous[after] = before;
        --left;
        update_blocker(cutter, before);
        update_blocker(cutter, after);
        enter_queue(cutter, before, count);
        enter_queue(cutter, after, count);
    }
    int corner = cutter->queue_next[count]; // the queue contains the neighbours of the last ear
    *triangles++ = polygon[cutter->previous[corner]];
    *triangles++ = polygon[corner];
    *triangles++ = polygon[cutter->next[corner]];
    return corner_turn(cutter, corner) > 0;
}

static void cut_fan(const int *polygon, int count, int *triangles)
{
    for (int i = 1; i + 1 < count; ++i) {
        *triangles++ = polygon[0];
        *triangles++ = polygon[i];
        *triangles++ = polygon[i + 1];
    }
}

abut_status abut_polygon_cut(abut_polygon_cutter *cutter, const abut_vec3 *vertices, const int *polygon, int count,
                             int *triangles, int *is_regular)
{
    if (count > ABUT_POLYGON_LIMIT) {
        return ABUT_LIMIT;
    }
    *is_regular = 1;
    if (count == 3) {
        memcpy(triangles, polygon, 3 * sizeof(int));
        return ABUT_OK;
    }
    abut_status status = reserve(cutter, count);
    if (status != ABUT_OK) {
        return status;
    }
    project(cutter, vertices, polygon, count);
    int way = orientation(cutter->points, count);
    if (way < 0) {
        swap_axes(cutter->points, count);
    }
    abut_polygon_sweep_memory memory = {cutter->next, cutter->previous, cutter->blockers};
    *is_regular = way != 0 && abut_polygon_is_simple(cutter->points, count, memory) &&
                  clip_ears(cutter, polygon, count, triangles);
    if (!*is_regular) {
        cut_fan(polygon, count, triangles);
    }
    return ABUT_OK;
}
