// SPDX-License-Identifier: MIT
// planar_close.c: the convex hull of points in the contact plane, simplified within a tolerance
//
// The hull is found without a tolerance. Then corners are left out: a walk starts at a far corner and always jumps to
// the last corner such that all corners between are within the tolerance of the new side. The result may be a point or
// a segment. A polygon gets a line through every side, plus a bevel through each sharp corner.
//
// Source:  Andrew 1979, the monotone chain.
// Cost:    quadratic in the points, for the sort and for the tests of corners left out; there are rarely more than 8.
// Fails:   never. Points that are not finite give arbitrary corners.
#include "convex/planar.h"
#include "convex/planar_math.h"

static int comes_before(const abut_planar *set, int i, int j)
{
    abut_vec2 p = set->points[i], q = set->points[j];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : set->ids[i] < set->ids[j];
}

// Insertion sort: there are few points, mostly three or four.
static void sort_points(abut_planar *set)
{
    for (int i = 1; i < set->count; ++i) {
        for (int j = i; j > 0 && comes_before(set, j, j - 1); --j) {
            abut_vec2 point = set->points[j];
            int id = set->ids[j];
            set->points[j] = set->points[j - 1];
            set->ids[j] = set->ids[j - 1];
            set->points[j - 1] = point;
            set->ids[j - 1] = id;
        }
    }
}

// The corners of a hull, counter-clockwise. Two extra places, since both ends of the chains occur twice during the
// construction.
typedef struct ring {
    abut_vec2 points[ABUT_PLANAR_POINTS + 2];
    int ids[ABUT_PLANAR_POINTS + 2];
    int count;
} ring;

// Adds a point to a chain, after removing points that would not make a left turn. `first` is where the lower or upper
// chain begins.
static void add_to_hull(ring *r, int first, abut_vec2 point, int id)
{
    while (r->count - first >= 2 && abut_vec2_cross(abut_vec2_sub(r->points[r->count - 1], r->points[r->count - 2]),
                                                    abut_vec2_sub(point, r->points[r->count - 2])) <= 0.0) {
        --r->count;
    }
    r->points[r->count] = point;
    r->ids[r->count++] = id;
}

// Uses no tolerance, so no point is dropped that later points would turn into a corner.
static void find_hull(const abut_planar *sorted, ring *r)
{
    r->count = 0;
    for (int i = 0; i < sorted->count; ++i) {
        add_to_hull(r, 0, sorted->points[i], sorted->ids[i]);
    }
    int first = r->count - 1;
    for (int i = sorted->count - 2; i >= 0; --i) {
        add_to_hull(r, first, sorted->points[i], sorted->ids[i]);
    }
    --r->count; // the last point repeats the first
}

static int find_furthest(const ring *r)
{
    int furthest = 0;
    double most = 0.0;
    for (int i = 1; i < r->count; ++i) {
        double distance = abut_vec2_norm_squared(abut_vec2_sub(r->points[i], r->points[0]));
        if (distance > most) {
            most = distance;
            furthest = i;
        }
    }
    return furthest;
}

static int is_near_segment(abut_vec2 p, abut_vec2 from, abut_vec2 to, double tolerance)
{
    abut_vec2 way = abut_vec2_sub(to, from), side = abut_vec2_sub(p, from);
    double along = abut_vec2_dot(side, way), length = abut_vec2_norm_squared(way),
           turn = abut_vec2_cross(way, side);
    if (along <= 0.0) {
        return abut_vec2_is_near(p, from, tolerance);
    }
    if (along >= length) {
        return abut_vec2_is_near(p, to, tolerance);
    }
    return turn * turn <= tolerance * tolerance * length;
}

// Wraps a corner number that runs past the last corner.
static int corner_of(const ring *r, int i)
{
    return i < r->count ? i : i - r->count;
}

// Returns 1 if all corners between two are within the tolerance of the segment that joins them.
static int can_skip(const ring *r, int from, int to, double tolerance)
{
    abut_vec2 p = r->points[corner_of(r, from)], q = r->points[corner_of(r, to)];
    int i = from + 1;
    while (i < to && is_near_segment(r->points[corner_of(r, i)], p, q, tolerance)) {
        ++i;
    }
    return i == to;
}

// Starts at a far corner and jumps to the last corner that can_skip() allows, until back at the start. Each test looks
// at the hull's own corners, so errors do not add up: every corner left out is within the tolerance of a side.
static void keep_corners(const ring *r, double tolerance, abut_planar *set)
{
    int begin = find_furthest(r), end = begin + r->count;
    set->count = 0;
    for (int i = begin, next; i < end; i = next) {
        set->points[set->count] = r->points[corner_of(r, i)];
        set->ids[set->count++] = r->ids[corner_of(r, i)];
        next = i + 1;
        while (next < end && can_skip(r, i, next + 1, tolerance)) {
            ++next;
        }
    }
}

static void find_sides(abut_planar *set)
{
    for (int i = 0; i < set->count; ++i) {
        abut_vec2 from = set->points[i], way = abut_vec2_sub(set->points[abut_planar_after(i, set->count)], from);
        double s = 1.0 / sqrt(abut_vec2_norm_squared(way));
        set->normals[i] = abut_vec2_make(-s * way.y, s * way.x);
        set->offsets[i] = abut_vec2_dot(set->normals[i], from);
    }
}

// Adds a line through each sharp corner, at right angles to its bisector. Without it, points far beyond the tip would
// be within the tolerance of both sides.
static void find_bevels(abut_planar *set)
{
    set->line_count = set->count;
    for (int i = 0, last = set->count - 1; i < set->count; last = i++) {
        abut_vec2 u = set->normals[last], v = set->normals[i];
        if (abut_planar_is_sharp(abut_vec2_dot(u, v))) {
            abut_vec2 inward = {v.y - u.y,
                                u.x - v.x}; // sum of the two unit vectors from the corner along its sides
            double s = 1.0 / sqrt(abut_vec2_norm_squared(inward));
            set->bevels[set->line_count - set->count] = i;
            set->normals[set->line_count] = abut_vec2_make(s * inward.x, s * inward.y);
            set->offsets[set->line_count] = abut_vec2_dot(set->normals[set->line_count], set->points[i]);
            ++set->line_count;
        }
    }
}

void abut_planar_close(abut_planar *set, double tolerance)
{
    if (set->count > 2) {
        ring r;
        sort_points(set);
        find_hull(set, &r);
        keep_corners(&r, tolerance, set);
    } else if (set->count == 2 && abut_vec2_is_near(set->points[0], set->points[1], tolerance)) {
        set->count = 1;
    }
    if (set->count > 2) {
        find_sides(set);
        find_bevels(set);
    }
}
