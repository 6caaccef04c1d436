// SPDX-License-Identifier: MIT
// polygon.c: cutting polygons into triangles by clipping ears
//
// The polygon is projected along the largest component of its normal, which keeps the two other coordinates as they
// are, so that the exact orientation test sees the polygon and not a rounded image of it. An ear is a corner that
// turns left, with no other vertex in its closed triangle; only corners that do not turn left can be there. Ears are
// taken round by round, two corners apart, which gives fat triangles.
//
// Cost: sorting for polygons of common shapes, the square of the number of vertices at worst.
#include "mesh/polygon.h"

#include "base/memory.h"
#include "base/sort.h"

#include <abut/predicates.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1 };

void abut_polygon_cutter_init(abut_polygon_cutter *cutter, const abut_context *context)
{
    memset(cutter, 0, sizeof *cutter);
    cutter->context = *context;
}

void abut_polygon_cutter_release(abut_polygon_cutter *cutter)
{
    abut_free(&cutter->context, cutter->points);
    abut_free(&cutter->context, cutter->next);
    cutter->points = NULL;
    cutter->next = NULL;
    cutter->capacity = 0;
}

static abut_status reserve(abut_polygon_cutter *cutter, int count)
{
    if (count < cutter->capacity) {
        return ABUT_OK; // there is room for one more point
    }
    abut_polygon_cutter_release(cutter);
    size_t room = 2 * (size_t)count;
    cutter->points = abut_allocate(&cutter->context, room, sizeof *cutter->points);
    cutter->next = abut_allocate(&cutter->context, room, 4 * sizeof(int));
    if (cutter->points == NULL || cutter->next == NULL) {
        abut_polygon_cutter_release(cutter);
        return ABUT_NO_MEMORY;
    }
    cutter->previous = cutter->next + room;
    cutter->blockers = cutter->previous + room;
    cutter->blocker_slot = cutter->blockers + room;
    cutter->capacity = (int)room;
    return ABUT_OK;
}

// 0 too where the coordinates are beyond what the exact test takes: such polygons count as irregular.
static int turn(abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    int sign;
    (void)abut_orient2d(a, b, c, &sign);
    return sign;
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

// The corner with the lowest coordinates turns the way the whole polygon does. Returns that turn.
static int orientation(const abut_vec2 *points, int count)
{
    int lowest = 0;
    for (int i = 1; i < count; ++i) {
        if (points[i].x < points[lowest].x || (points[i].x == points[lowest].x && points[i].y < points[lowest].y)) {
            lowest = i;
        }
    }
    return turn(points[(lowest + count - 1) % count], points[lowest], points[(lowest + 1) % count]);
}

static void swap_axes(abut_vec2 *points, int count)
{
    for (int i = 0; i < count; ++i) {
        points[i] = abut_vec2_make(points[i].y, points[i].x);
    }
}

// Whether p, which is on the line through a and b, is between them or at one of them.
static int is_between(abut_vec2 a, abut_vec2 b, abut_vec2 p)
{
    return fmin(a.x, b.x) <= p.x && p.x <= fmax(a.x, b.x) && fmin(a.y, b.y) <= p.y && p.y <= fmax(a.y, b.y);
}

static int segments_meet(abut_vec2 a, abut_vec2 b, abut_vec2 c, abut_vec2 d)
{
    if (fmax(a.x, b.x) < fmin(c.x, d.x) || fmax(c.x, d.x) < fmin(a.x, b.x) || fmax(a.y, b.y) < fmin(c.y, d.y) ||
        fmax(c.y, d.y) < fmin(a.y, b.y)) {
        return 0;
    }
    int c_side = turn(a, b, c), d_side = turn(a, b, d), a_side = turn(c, d, a), b_side = turn(c, d, b);
    if (c_side * d_side < 0 && a_side * b_side < 0) {
        return 1;
    }
    return (c_side == 0 && is_between(a, b, c)) || (d_side == 0 && is_between(a, b, d)) ||
           (a_side == 0 && is_between(c, d, a)) || (b_side == 0 && is_between(c, d, b));
}

// Side i runs from point i to the next. `user` is the polygon with its first point repeated at the end.
static int compare_sides(const void *user, int i, int k)
{
    const abut_vec2 *points = user;
    double a = fmin(points[i].x, points[i + 1].x), b = fmin(points[k].x, points[k + 1].x);
    return a < b ? -1 : a > b ? 1 : (i > k) - (i < k);
}

// Whether two sides have a point in common that is not their common corner. Only sides whose ranges of x overlap are
// compared.
static int crosses_itself(abut_polygon_cutter *cutter, int count)
{
    abut_vec2 *points = cutter->points;
    int *order = cutter->next;
    points[count] = points[0];
    for (int i = 0; i < count; ++i) {
        order[i] = i;
        abut_vec2 a = points[i], b = points[i + 1], c = points[(i + 2) % count];
        if (turn(a, b, c) == 0 && (is_between(a, b, c) || is_between(b, c, a))) {
            return 1;
        }
    }
    abut_sort_indices(order, cutter->previous, count, compare_sides, points);
    for (int i = 0; i < count; ++i) {
        abut_vec2 a = points[order[i]], b = points[order[i] + 1];
        double end = fmax(a.x, b.x);
        for (int k = i + 1; k < count; ++k) {
            abut_vec2 c = points[order[k]], d = points[order[k] + 1];
            int step = abs(order[i] - order[k]);
            if (fmin(c.x, d.x) > end) {
                break;
            }
            if (step != 1 && step != count - 1 && segments_meet(a, b, c, d)) {
                return 1;
            }
        }
    }
    return 0;
}

static int corner_turn(const abut_polygon_cutter *cutter, int corner)
{
    const abut_vec2 *points = cutter->points;
    return turn(points[cutter->previous[corner]], points[corner], points[cutter->next[corner]]);
}

static int is_ear(const abut_polygon_cutter *cutter, int corner, int blocker_count)
{
    if (cutter->blocker_slot[corner] != NONE) {
        return 0;
    }
    const abut_vec2 *points = cutter->points;
    int before = cutter->previous[corner], after = cutter->next[corner];
    abut_vec2 a = points[before], b = points[corner], c = points[after];
    for (int i = 0; i < blocker_count; ++i) {
        int other = cutter->blockers[i];
        if (other == before || other == after) {
            continue;
        }
        abut_vec2 p = points[other];
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) {
            return 0;
        }
    }
    return 1;
}

// A corner whose neighbour was cut off turns more to the left than before, and may no longer block.
static int update_blocker(abut_polygon_cutter *cutter, int corner, int blocker_count)
{
    int slot = cutter->blocker_slot[corner];
    if (slot == NONE || corner_turn(cutter, corner) <= 0) {
        return blocker_count;
    }
    int last = cutter->blockers[blocker_count - 1];
    cutter->blockers[slot] = last;
    cutter->blocker_slot[last] = slot;
    cutter->blocker_slot[corner] = NONE;
    return blocker_count - 1;
}

// Returns 0 where no ear was found, which cannot be for a polygon that does not cross itself.
static int clip_ears(abut_polygon_cutter *cutter, const int *polygon, int count, int *triangles)
{
    int blocker_count = 0;
    for (int i = 0; i < count; ++i) {
        cutter->next[i] = i + 1 < count ? i + 1 : 0;
        cutter->previous[i] = i > 0 ? i - 1 : count - 1;
    }
    for (int i = 0; i < count; ++i) {
        int blocks = corner_turn(cutter, i) <= 0;
        cutter->blocker_slot[i] = blocks ? blocker_count : NONE;
        if (blocks) {
            cutter->blockers[blocker_count++] = i;
        }
    }
    int corner = 1, left = count, misses = 0;
    while (left > 3) {
        if (!is_ear(cutter, corner, blocker_count)) {
            if (++misses == left) {
                return 0;
            }
            corner = cutter->next[corner];
            continue;
        }
        misses = 0;
        int before = cutter->previous[corner], after = cutter->next[corner];
        *triangles++ = polygon[before];
        *triangles++ = polygon[corner];
        *triangles++ = polygon[after];
        cutter->next[before] = after;
        cutter->previous[after] = before;
        --left;
        blocker_count = update_blocker(cutter, before, blocker_count);
        blocker_count = update_blocker(cutter, after, blocker_count);
        corner = cutter->next[after];
    }
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
    *is_regular = way != 0 && !crosses_itself(cutter, count) && clip_ears(cutter, polygon, count, triangles);
    if (!*is_regular) {
        cut_fan(polygon, count, triangles);
    }
    return ABUT_OK;
}
