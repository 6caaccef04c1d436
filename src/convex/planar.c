// SPDX-License-Identifier: MIT
// planar.c: points, segments and convex polygons in the contact plane, and their intersection
#include "convex/planar.h"

static abut_vec2 sub(abut_vec2 a, abut_vec2 b)
{
    return abut_vec2_make(a.x - b.x, a.y - b.y);
}

static abut_vec2 mix(abut_vec2 a, abut_vec2 b, double t)
{
    return abut_vec2_make(a.x + t * (b.x - a.x), a.y + t * (b.y - a.y));
}

static double dot(abut_vec2 a, abut_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static double cross(abut_vec2 a, abut_vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

static double squared(abut_vec2 a)
{
    return dot(a, a);
}

static double clamp(double x)
{
    return x > 0.0 ? x < 1.0 ? x : 1.0 : 0.0;
}

static int is_near(abut_vec2 p, abut_vec2 q, double tolerance)
{
    return squared(sub(p, q)) <= tolerance * tolerance;
}

static int after(int i, int count)
{
    return i + 1 < count ? i + 1 : 0;
}

// ---------------------------------------------------------------------------------------------------------------
// Hull

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

// Whether q is left of the way from p to r, or so near to it that it is no corner.
static int is_no_corner(abut_vec2 p, abut_vec2 q, abut_vec2 r, double tolerance)
{
    abut_vec2 way = sub(r, p);
    if (squared(way) <= tolerance * tolerance) {
        return is_near(p, q, tolerance);
    }
    double turn = cross(sub(q, p), way);
    return turn <= 0.0 || turn * turn <= tolerance * tolerance * squared(way);
}

// One side of the hull, from `begin` in steps to `end`; q of each three in a row must be a corner.
static int add_chain(const abut_planar *set, int begin, int end, int step, double tolerance, int *chain, int count)
{
    int first = count;
    for (int i = begin; i != end; i += step) {
        while (count - first >= 2 && is_no_corner(set->points[chain[count - 2]], set->points[chain[count - 1]],
                                                  set->points[i], tolerance)) {
            --count;
        }
        chain[count++] = i;
    }
    return count - 1; // the last one begins the other side
}

static void find_hull(abut_planar *set, double tolerance)
{
    sort_points(set);
    int chain[2 * ABUT_PLANAR_POINTS];
    int count = add_chain(set, 0, set->count, 1, tolerance, chain, 0);
    count = add_chain(set, set->count - 1, -1, -1, tolerance, chain, count);
    count = count < set->count ? count : set->count;
    abut_vec2 points[ABUT_PLANAR_POINTS];
    int ids[ABUT_PLANAR_POINTS];
    for (int i = 0; i < count; ++i) {
        points[i] = set->points[chain[i]];
        ids[i] = set->ids[chain[i]];
    }
    set->count = 0;
    for (int i = 0; i < count; ++i) {
        if (set->count == 0 || !is_near(points[i], set->points[set->count - 1], tolerance)) {
            set->ids[set->count] = ids[i];
            set->points[set->count++] = points[i];
        }
    }
    if (set->count > 1 && is_near(set->points[0], set->points[set->count - 1], tolerance)) {
        --set->count;
    }
}

void abut_planar_close(abut_planar *set, double tolerance)
{
    if (set->count > 2) {
        find_hull(set, tolerance);
    } else if (set->count == 2 && is_near(set->points[0], set->points[1], tolerance)) {
        set->count = 1;
    }
    for (int i = 0; i < set->count && set->count > 2; ++i) {
        abut_vec2 from = set->points[i], way = sub(set->points[after(i, set->count)], from);
        double s = 1.0 / sqrt(squared(way));
        set->normals[i] = abut_vec2_make(-s * way.y, s * way.x);
        set->offsets[i] = dot(set->normals[i], from);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Closest points

static abut_vec2 nearest_on_side(const abut_planar *set, int i, abut_vec2 p)
{
    abut_vec2 from = set->points[i], to = set->points[after(i, set->count)], way = sub(to, from);
    double length = squared(way);
    return length > 0.0 ? mix(from, to, clamp(dot(sub(p, from), way) / length)) : from;
}

// How far a point is left of a side.
static double height_over(const abut_planar *set, int i, abut_vec2 p)
{
    return dot(set->normals[i], p) - set->offsets[i];
}

static int is_inside(const abut_planar *set, abut_vec2 p)
{
    for (int i = 0; i < set->count; ++i) {
        if (set->count < 3 || !(height_over(set, i, p) >= 0.0)) {
            return 0;
        }
    }
    return 1;
}

static abut_vec2 nearest_in(const abut_planar *set, abut_vec2 p)
{
    if (is_inside(set, p)) {
        return p;
    }
    abut_vec2 best = set->points[0];
    for (int i = 0; i < set->count; ++i) {
        abut_vec2 q = nearest_on_side(set, i, p);
        best = squared(sub(q, p)) < squared(sub(best, p)) ? q : best;
    }
    return best;
}

static abut_planar_point point_of(abut_vec2 a, abut_vec2 b)
{
    abut_planar_point point = {a, b, ABUT_PLANAR_ANYWHERE, ABUT_PLANAR_ANYWHERE};
    return point;
}

// Of sets that do not cross, one of the closest points is a corner.
static abut_planar_point closest(const abut_planar *a, const abut_planar *b)
{
    abut_planar_point best = point_of(a->points[0], nearest_in(b, a->points[0]));
    for (int i = 1; i < a->count; ++i) {
        abut_planar_point next = point_of(a->points[i], nearest_in(b, a->points[i]));
        best = squared(sub(next.a, next.b)) < squared(sub(best.a, best.b)) ? next : best;
    }
    for (int i = 0; i < b->count; ++i) {
        abut_planar_point next = point_of(nearest_in(a, b->points[i]), b->points[i]);
        best = squared(sub(next.a, next.b)) < squared(sub(best.a, best.b)) ? next : best;
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// Intersection

// A corner of a set while the sides of a polygon cut it. Ways are sides of the set, or ~i for side i of the polygon.
typedef struct cut_corner {
    abut_vec2 point;
    int way;  // to the next corner
    int from; // the way that was cut; the corner of the set where none was
    int by;   // the side that cut it, or -1
} cut_corner;

// Cuts a list of corners by the half plane left of a side, which may be exceeded by the tolerance. Returns the new count, or -1
// where nothing is cut.
static int cut(const cut_corner *in, int count, const abut_planar *set, int side, double tolerance, cut_corner *out)
{
    double heights[2 * ABUT_PLANAR_POINTS];
    double lowest = HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        heights[i] = height_over(set, side, in[i].point);
        lowest = heights[i] < lowest ? heights[i] : lowest;
    }
    if (lowest >= -tolerance) {
        return -1;
    }
    int made = 0;
    for (int i = 0; i < count; ++i) {
        int next = after(i, count);
        double here = heights[i], there = heights[next];
        if (here >= -tolerance) {
            out[made++] = in[i];
        }
        // a segment has one side only
        if ((here < -tolerance) != (there < -tolerance) && (count > 2 || i == 0)) {
            out[made].point = mix(in[i].point, in[next].point, clamp(here / (here - there)));
            out[made].way = here < -tolerance ? in[i].way : ~side;
            out[made].from = in[i].way;
            out[made++].by = side;
        }
    }
    return made;
}

// Leaves one of points that are next to each other around a polygon and closer than the tolerance.
static int merge_around(abut_planar_point *points, int count, double tolerance)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        if (kept == 0 || !is_near(points[kept - 1].a, points[i].a, tolerance)) {
            points[kept++] = points[i];
        }
    }
    return kept > 1 && is_near(points[0].a, points[kept - 1].a, tolerance) ? kept - 1 : kept;
}

// What a corner is on: in the set, and in the polygon, where two sides that follow each other have a corner.
static int place_in_set(const cut_corner *corner)
{
    return corner->by < 0 ? corner->from : corner->from >= 0 ? ~corner->from : ABUT_PLANAR_ANYWHERE;
}

static int place_in_polygon(const cut_corner *corner, int side_count)
{
    int is_corner = corner->from < 0 && after(~corner->from, side_count) == corner->by;
    return corner->by < 0      ? ABUT_PLANAR_ANYWHERE
           : corner->from >= 0 ? ~corner->by
           : is_corner         ? corner->by
                               : ABUT_PLANAR_ANYWHERE;
}

// A point, segment or polygon with a polygon, which is A or B.
static int intersect_polygon(const abut_planar *set, const abut_planar *polygon, int is_polygon_a, double tolerance,
                             abut_planar_point *points)
{
    cut_corner buffers[2][2 * ABUT_PLANAR_POINTS];
    const cut_corner *from = buffers[0];
    int count = set->count, next = 1;
    for (int i = 0; i < count; ++i) {
        buffers[0][i] = (cut_corner){set->points[i], i, i, -1};
    }
    for (int side = 0; side < polygon->count && count > 0; ++side) {
        int made = cut(from, count, polygon, side, tolerance, buffers[next]);
        if (made >= 0) {
            from = buffers[next];
            count = made;
            next = 1 - next;
        }
    }
    for (int i = 0; i < count; ++i) {
        int in_set = place_in_set(&from[i]), in_polygon = place_in_polygon(&from[i], polygon->count);
        points[i].a = points[i].b = from[i].point;
        points[i].on_a = is_polygon_a ? in_polygon : in_set;
        points[i].on_b = is_polygon_a ? in_set : in_polygon;
    }
    return merge_around(points, count, tolerance);
}

static int merge(abut_planar_point *points, int count, double tolerance)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        int is_new = 1;
        for (int k = 0; k < kept && is_new; ++k) {
            is_new = !is_near(points[k].a, points[i].a, tolerance);
        }
        if (is_new) {
            points[kept++] = points[i];
        }
    }
    return kept;
}

static int intersect_segments(const abut_planar *a, const abut_planar *b, double tolerance,
                              abut_planar_point *points)
{
    abut_vec2 p = a->points[0], u = sub(a->points[1], p), q = b->points[0], v = sub(b->points[1], q);
    double product = cross(u, v), limit = tolerance * tolerance;
    // parallel: the ends that are on the other one
    if (product * product <= limit * squared(u) || product * product <= limit * squared(v)) {
        int count = 0;
        for (int i = 0; i < 4; ++i) {
            abut_vec2 end = i < 2 ? a->points[i] : b->points[i - 2];
            abut_vec2 on_a = nearest_on_side(a, 0, end), on_b = nearest_on_side(b, 0, end);
            if (is_near(on_a, on_b, tolerance)) {
                points[count++] = point_of(on_a, on_b);
            }
        }
        return merge(points, count, tolerance);
    }
    abut_vec2 w = sub(q, p);
    points[0] = point_of(mix(p, a->points[1], clamp(cross(w, v) / product)),
                         mix(q, b->points[1], clamp(cross(w, u) / product)));
    return is_near(points[0].a, points[0].b, tolerance);
}

int abut_planar_intersect(const abut_planar *a, const abut_planar *b, double tolerance, abut_planar_point *points,
                          int *is_repaired)
{
    int count = 0;
    *is_repaired = 0;
    if (b->count > 2) {
        count = intersect_polygon(a, b, 0, tolerance, points);
    } else if (a->count > 2) {
        count = intersect_polygon(b, a, 1, tolerance, points);
    } else if (a->count == 2 && b->count == 2) {
        count = intersect_segments(a, b, tolerance, points);
    }
    if (count == 0) {
        points[0] = closest(a, b);
        *is_repaired = !is_near(points[0].a, points[0].b, tolerance);
        return 1;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------------------------
// Places

static abut_planar_place at_corner(int i)
{
    abut_planar_place place = {{i, i, i}, {1.0, 0.0, 0.0}, 1};
    return place;
}

static abut_planar_place on_side(const abut_planar *set, int i, abut_vec2 p)
{
    int next = after(i, set->count);
    abut_vec2 way = sub(set->points[next], set->points[i]);
    double t = clamp(dot(sub(p, set->points[i]), way) / dot(way, way));
    abut_planar_place place = {{i, next, i}, {1.0 - t, t, 0.0}, 2};
    return place;
}

// Of the triangles from the first corner, the one that has the point.
static abut_planar_place in_fan(const abut_planar *set, abut_vec2 p)
{
    int i = 1;
    while (i + 2 < set->count && cross(sub(set->points[i + 1], set->points[0]), sub(p, set->points[0])) > 0.0) {
        ++i;
    }
    abut_vec2 u = sub(set->points[i], set->points[0]), v = sub(set->points[i + 1], set->points[0]);
    abut_vec2 w = sub(p, set->points[0]);
    double area = cross(u, v), x = cross(w, v) / area, y = cross(u, w) / area;
    abut_planar_place place = {{0, i, i + 1}, {1.0 - x - y, x, y}, 3};
    return place;
}

// The side whose line is nearest to a point, or -1 where it is further than the tolerance; most points are far inside.
static int nearest_side(const abut_planar *set, abut_vec2 point, double tolerance)
{
    double least = HUGE_VAL;
    for (int i = 0; i < set->count; ++i) {
        double height = fabs(height_over(set, i, point));
        least = height < least ? height : least;
    }
    int side = -1;
    for (int i = 0; i < set->count && least <= tolerance && side < 0; ++i) {
        side = fabs(height_over(set, i, point)) == least ? i : -1;
    }
    return side;
}

// A point of the set that is at a corner or on a side is within the tolerance of the line that is nearest to it.
abut_planar_place abut_planar_locate(const abut_planar *set, abut_vec2 point, int on, double tolerance)
{
    if (set->count == 1 || (on >= 0 && on != ABUT_PLANAR_ANYWHERE)) {
        return at_corner(set->count == 1 ? 0 : on);
    }
    int side = on != ABUT_PLANAR_ANYWHERE ? ~on : set->count == 2 ? 0 : nearest_side(set, point, tolerance);
    if (side < 0) {
        return in_fan(set, point);
    }
    int next = after(side, set->count);
    return is_near(set->points[side], point, tolerance)   ? at_corner(side)
           : is_near(set->points[next], point, tolerance) ? at_corner(next)
                                                          : on_side(set, side, point);
}
