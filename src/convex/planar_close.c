// SPDX-License-Identifier: MIT
// planar_close.c: the convex hull of points in the contact plane, with corners that are a tolerance apart
//
// The hull itself is found without a tolerance. Then corners are left out: from a corner that is far out, a walk goes
// each time to the last corner such that all between are within the tolerance of the side. What is left may be a point
// or a segment. Each polygon gets a line through every side, and one more, a bevel, through each sharp corner.
//
// Source:  Andrew 1979, the monotone chain.
// Cost:    squared in the points, by the sort and by the look at left-out corners; there are seldom more than 8.
// Fails:   never. Points that are not finite give any corners.
#include "convex/planar.h"
#include "convex/planar_math.h"

static int comes_before(const abut_planar *set, int i, int j)
{
    abut_vec2 p = set->points[i], q = set->points[j];
    return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : set->ids[i] < set->ids[j];
}

// By insertion: there are few points, most often three or four.
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

// The corners of a hull, counter-clockwise; room for the two that are there twice while it is made.
typedef struct ring {
    abut_vec2 points[ABUT_PLANAR_POINTS + 2];
    int ids[ABUT_PLANAR_POINTS + 2];
    int count;
} ring;

// Takes back what is no left turn on the way to the next point; `first` is where the lower or the upper side
// begins.
static void add_to_hull(ring *r, int first, abut_vec2 point, int id)
{
    while (r->count - first >= 2 && abut_vec2_cross(abut_vec2_sub(r->points[r->count - 1], r->points[r->count - 2]),
                                                    abut_vec2_sub(point, r->points[r->count - 2])) <= 0.0) {
        --r->count;
    }
    r->points[r->count] = point;
    r->ids[r->count++] = id;
}

// Without a tolerance, so that nothing is lost that later points would make a corner.
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
    --r->count; // the first point, again
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

// Of corners that are numbered on after the last one.
static int corner_of(const ring *r, int i)
{
    return i < r->count ? i : i - r->count;
}

// Whether all corners between two are near the segment of the two.
static int can_skip(const ring *r, int from, int to, double tolerance)
{
    abut_vec2 p = r->points[corner_of(r, from)], q = r->points[corner_of(r, to)];
    int i = from + 1;
    while (i < to && is_near_segment(r->points[corner_of(r, i)], p, q, tolerance)) {
        ++i;
    }
    return i == to;
}

// Begins with a corner that is far out, and goes on to the last one that nothing is lost on the way to; the way
// ends where it began. All that is left out is near a side, and what was left out before does not matter.
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

// A line through each sharp corner, at right angles to what halves it: beyond the corner, what is within the
// tolerance of its two sides goes on far.
static void find_bevels(abut_planar *set)
{
    set->line_count = set->count;
    for (int i = 0, last = set->count - 1; i < set->count; last = i++) {
        abut_vec2 u = set->normals[last], v = set->normals[i];
        if (abut_planar_is_sharp(abut_vec2_dot(u, v))) {
            abut_vec2 inward = {v.y - u.y, u.x - v.x}; // from the corner along one side and back along the other
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
