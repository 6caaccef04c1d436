// SPDX-License-Identifier: MIT
// planar.c: the intersection of points, segments and convex polygons in the contact plane
//
// Walks around one set, side by side, and clips each side against the other polygon: this gives corners and crossings.
// Between the crossing where the walk leaves the polygon and the one where it returns, it adds the polygon's own
// corners. A point counts as inside if it is at most the tolerance to the right of every line. The lines include
// bevels, which keep points from counting as inside far beyond a sharp tip. Each point found also gets a place in both
// sets: a corner, a point on a side, or a point in a triangle of corners. Sets that do not meet give their closest
// points.
//
// Rounding can swap the order of two crossings that are close together. The walk notices it by a corner that is not in
// the other set, or by a crossing beyond the end of its side, and then replaces the points by their convex hull.
//
// Source:  our own. Sets that do not meet are the second repair of Yi and Drumwright 2016, section IV-E.
// Cost:    product of the two corner counts; no allocation.
// Fails:   points may be up to 4 tolerances outside the sets. Of points closer together than the tolerance, only one
//          is kept.
#include "convex/planar.h"
#include "convex/planar_math.h"

#include <stddef.h>

static double clamp(double x)
{
    return x > 0.0 ? x < 1.0 ? x : 1.0 : 0.0;
}

// ---------------------------------------------------------------------------------------------------------------
// Closest points

static abut_vec2 nearest_on_side(const abut_planar *set, int i, abut_vec2 p)
{
    abut_vec2 from = set->points[i], to = set->points[abut_planar_after(i, set->count)],
              way = abut_vec2_sub(to, from);
    double length = abut_vec2_norm_squared(way);
    return length > 0.0 ? abut_vec2_lerp(from, to, clamp(abut_vec2_dot(abut_vec2_sub(p, from), way) / length))
                        : from;
}

// Signed distance of a point to the left of a line.
static double height_over(const abut_planar *set, int i, abut_vec2 p)
{
    return abut_vec2_dot(set->normals[i], p) - set->offsets[i];
}

static int is_inside(const abut_planar *set, abut_vec2 p)
{
    for (int i = 0; i < set->line_count && set->count > 2; ++i) {
        if (!(height_over(set, i, p) >= 0.0)) {
            return 0;
        }
    }
    return set->count > 2;
}

static abut_vec2 nearest_in(const abut_planar *set, abut_vec2 p)
{
    if (is_inside(set, p)) {
        return p;
    }
    abut_vec2 best = set->points[0];
    for (int i = 0; i < set->count; ++i) {
        abut_vec2 q = nearest_on_side(set, i, p);
        best =
            abut_vec2_norm_squared(abut_vec2_sub(q, p)) < abut_vec2_norm_squared(abut_vec2_sub(best, p)) ? q : best;
    }
    return best;
}

static abut_planar_point point_of(abut_vec2 a, abut_vec2 b)
{
    abut_planar_point point = {.a = a, .b = b};
    return point;
}

// For sets that do not cross, at least one of the two closest points is a corner.
static abut_planar_point closest(const abut_planar *a, const abut_planar *b)
{
    abut_planar_point best = point_of(a->points[0], nearest_in(b, a->points[0]));
    for (int i = 1; i < a->count; ++i) {
        abut_planar_point next = point_of(a->points[i], nearest_in(b, a->points[i]));
        best = abut_vec2_norm_squared(abut_vec2_sub(next.a, next.b)) <
                       abut_vec2_norm_squared(abut_vec2_sub(best.a, best.b))
                   ? next
                   : best;
    }
    for (int i = 0; i < b->count; ++i) {
        abut_planar_point next = point_of(nearest_in(a, b->points[i]), b->points[i]);
        best = abut_vec2_norm_squared(abut_vec2_sub(next.a, next.b)) <
                       abut_vec2_norm_squared(abut_vec2_sub(best.a, best.b))
                   ? next
                   : best;
    }
    return best;
}

// ---------------------------------------------------------------------------------------------------------------
// Places

static void place_at_corner(int i, abut_planar_place *place)
{
    *place = (abut_planar_place){{i, i, i}, 1, {1.0, 0.0, 0.0}};
}

// Places a point at fraction t of a side, or at an end of the side if that is within the tolerance.
static inline void place_along(const abut_planar *set, int i, double t, double tolerance, abut_planar_place *place)
{
    int next = abut_planar_after(i, set->count);
    double rest = 1.0 - t, length = abut_vec2_norm_squared(abut_vec2_sub(set->points[next], set->points[i])),
           limit = tolerance * tolerance;
    if (t * t * length <= limit || rest * rest * length <= limit) {
        place_at_corner(t < rest ? i : next, place);
    } else {
        *place = (abut_planar_place){{i, next, i}, 2, {rest, t, 0.0}};
    }
}

// Places a point outside the set on the nearest side.
static void place_outside(const abut_planar *set, abut_vec2 p, double tolerance, abut_planar_place *place)
{
    int nearest = 0;
    double least = HUGE_VAL;
    for (int i = 0; i < set->count; ++i) {
        double distance = abut_vec2_norm_squared(abut_vec2_sub(nearest_on_side(set, i, p), p));
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    abut_vec2 from = set->points[nearest],
              way = abut_vec2_sub(set->points[abut_planar_after(nearest, set->count)], from);
    place_along(set, nearest, clamp(abut_vec2_dot(abut_vec2_sub(p, from), way) / abut_vec2_norm_squared(way)),
                tolerance, place);
}

// Places a point near the line of side i on that side. If it is beyond an end of the side, places it on the nearest
// side, which may be the next one at a flat corner. Returns 1 if it is beyond the end by more than the tolerance.
static inline int place_on_side(const abut_planar *set, int i, abut_vec2 p, double tolerance,
                                abut_planar_place *place)
{
    abut_vec2 from = set->points[i], way = abut_vec2_sub(set->points[abut_planar_after(i, set->count)], from);
    double length = abut_vec2_norm_squared(way), t = abut_vec2_dot(abut_vec2_sub(p, from), way) / length;
    if (t >= 0.0 && t <= 1.0) {
        place_along(set, i, t, tolerance, place);
        return 0;
    }
    place_outside(set, p, tolerance, place);
    double beyond = t < 0.0 ? t : t - 1.0;
    return beyond * beyond * length > tolerance * tolerance;
}

// Places a point in one of the triangles fanned out from the first corner. The ray from that corner through the point
// meets the opposite side at fraction t; the point is at fraction s of the ray. Weights from s and t give the point
// back accurately even for thin triangles.
static void place_in_fan(const abut_planar *set, abut_vec2 p, abut_planar_place *place)
{
    abut_vec2 w = abut_vec2_sub(p, set->points[0]), u = abut_vec2_sub(set->points[1], set->points[0]);
    abut_vec2 v = abut_vec2_sub(set->points[2], set->points[0]);
    int i = 1;
    double before = abut_vec2_cross(u, w), past = abut_vec2_cross(w, v);
    for (; i + 2 < set->count && past < 0.0; ++i) {
        before = -past;
        u = v;
        v = abut_vec2_sub(set->points[i + 2], set->points[0]);
        past = abut_vec2_cross(w, v);
    }
    double t = before / (before + past);
    abut_vec2 across = abut_vec2_lerp(u, v, t);
    double s = fabs(across.x) > fabs(across.y) ? w.x / across.x : w.y / across.y;
    *place = (abut_planar_place){{0, i, i + 1}, 3, {1.0 - s, s * (1.0 - t), s * t}};
}

// Signed distances of a point to the left of all lines of a polygon.
typedef struct heights {
    double values[ABUT_PLANAR_LINES];
    double least;
} heights;

static void find_heights(const abut_planar *polygon, abut_vec2 p, heights *h)
{
    double least = HUGE_VAL;
    for (int i = 0, count = polygon->line_count; i < count; ++i) {
        double height = height_over(polygon, i, p);
        least = height < least ? height : least;
        h->values[i] = height;
    }
    h->least = least;
}

// Places a point that is near a line. Returns 1 if it is beyond the line's side by more than the tolerance.
static int place_on_line(const abut_planar *polygon, int line, abut_vec2 p, double tolerance,
                         abut_planar_place *place)
{
    if (line < polygon->count) {
        return place_on_side(polygon, line, p, tolerance, place);
    }
    place_at_corner(polygon->bevels[line - polygon->count], place);
    return 0;
}

// Places a point inside a polygon, given its heights: on the side of the nearest line if that is within the tolerance,
// else in a triangle of the fan. Most points are far inside.
static void place_inside(const abut_planar *polygon, abut_vec2 p, const heights *h, double tolerance,
                         abut_planar_place *place)
{
    if (h->least > tolerance) {
        place_in_fan(polygon, p, place);
        return;
    }
    int line = 0;
    while (h->values[line] != h->least) {
        ++line;
    }
    place_on_line(polygon, line, p, tolerance, place);
}

// Places any point of a set.
static void find_place(const abut_planar *set, abut_vec2 p, double tolerance, abut_planar_place *place)
{
    if (set->count == 1) {
        place_at_corner(0, place);
    } else if (set->count == 2) {
        place_on_side(set, 0, p, tolerance, place);
    } else {
        heights h;
        find_heights(set, p, &h);
        place_inside(set, p, &h, tolerance, place);
    }
}

// ---------------------------------------------------------------------------------------------------------------
// Intersection
//
// The walk around the set adds the part of each side that is inside the polygon. While the set is outside, it adds the
// polygon's corners, from where the set left the polygon to where it returns.

// Where a side of the set crosses a line of the polygon.
typedef struct crossing {
    int side; ///< of the set
    int by;   ///< the polygon's line; -1: no crossing, the set's side begins or ends inside
    double t; ///< fraction of the set's side
} crossing;

typedef struct clip {
    const abut_planar *set, *polygon;
    int is_polygon_a;
    double tolerance;
    abut_planar_point *points;
    int count;
    crossing left;     ///< where the set last left the polygon
    crossing first_in; ///< where the set first entered it, if the walk begins outside
    int is_doubtful;   ///< 1: a corner or crossing is misplaced, so the order of points may be wrong
} clip;

// Adds a point. Returns NULL if it is within the tolerance of the last point, or if there is no room.
static abut_planar_point *add_point(clip *c, abut_vec2 p)
{
    if (c->count == c->set->count + c->polygon->count ||
        (c->count > 0 && abut_vec2_is_near(c->points[c->count - 1].a, p, c->tolerance))) {
        return NULL;
    }
    abut_planar_point *point = &c->points[c->count++];
    point->a = point->b = p;
    return point;
}

static abut_planar_place *place_in_set(const clip *c, abut_planar_point *point)
{
    return c->is_polygon_a ? &point->on_b : &point->on_a;
}

static abut_planar_place *place_in_polygon(const clip *c, abut_planar_point *point)
{
    return c->is_polygon_a ? &point->on_a : &point->on_b;
}

static void add_corner_of_set(clip *c, int i, const heights *h)
{
    abut_planar_point *point = add_point(c, c->set->points[i]);
    if (point != NULL) {
        place_at_corner(i, place_in_set(c, point));
        place_inside(c->polygon, point->a, h, c->tolerance, place_in_polygon(c, point));
    }
}

// Adds a corner of the polygon if it is inside the set too.
static void add_corner_of_polygon(clip *c, int i)
{
    heights h;
    find_heights(c->set, c->polygon->points[i], &h);
    if (h.least < -c->tolerance) {
        c->is_doubtful = 1;
        return;
    }
    abut_planar_point *point = add_point(c, c->polygon->points[i]);
    if (point != NULL) {
        place_at_corner(i, place_in_polygon(c, point));
        place_inside(c->set, point->a, &h, c->tolerance, place_in_set(c, point));
    }
}

static abut_vec2 point_of_crossing(const clip *c, crossing x)
{
    return abut_vec2_lerp(c->set->points[x.side], c->set->points[abut_planar_after(x.side, c->set->count)], x.t);
}

static void add_crossing(clip *c, crossing x)
{
    abut_planar_point *point = add_point(c, point_of_crossing(c, x));
    if (point != NULL) {
        place_along(c->set, x.side, x.t, c->tolerance, place_in_set(c, point));
        c->is_doubtful |= place_on_line(c->polygon, x.by, point->a, c->tolerance, place_in_polygon(c, point));
    }
}

// A side that leaves the polygon before it enters passes outside a corner. If it passes within the tolerance, it
// touches there: it enters and leaves at the same point.
static int touches(const clip *c, const double *from, const double *to, crossing *in, crossing *out)
{
    double t = 0.5 * (in->t + out->t);
    for (int i = 0; i < c->polygon->line_count; ++i) {
        if (from[i] + t * (to[i] - from[i]) < -c->tolerance) {
            return 0;
        }
    }
    in->t = out->t = t;
    return 1;
}

// Finds where a side of the set enters and leaves the polygon, from the heights of its ends. A point no further out
// than the tolerance is inside. Returns 0 if no part of the side is inside.
static int cut_side(const clip *c, const double *from, const double *to, crossing *in, crossing *out)
{
    double lowest = -c->tolerance;
    for (int i = 0; i < c->polygon->line_count; ++i) {
        if (from[i] >= lowest && to[i] >= lowest) {
            continue;
        }
        if (from[i] < lowest && to[i] < lowest) {
            return 0;
        }
        double t = clamp(from[i] / (from[i] - to[i]));
        if (from[i] < lowest) {
            if (t > in->t) {
                in->t = t;
                in->by = i;
            }
        } else if (t < out->t) {
            out->t = t;
            out->by = i;
        }
    }
    return in->t <= out->t || touches(c, from, to, in, out);
}

// Adds the polygon's corners from where the set left it to where it returns.
static void add_corners_between(clip *c, crossing out, crossing in)
{
    if (out.by == in.by) {
        return;
    }
    const abut_planar *polygon = c->polygon;
    int count = polygon->count,
        i = out.by < count ? abut_planar_after(out.by, count) : polygon->bevels[out.by - count];
    int last = in.by < count ? in.by : polygon->bevels[in.by - count];
    add_corner_of_polygon(c, i);
    while (i != last) {
        i = abut_planar_after(i, count);
        add_corner_of_polygon(c, i);
    }
}

// Adds the part of a side that is inside. `from` and `to` are the heights of its ends.
static void add_side(clip *c, int side, const heights *from, const heights *to)
{
    crossing in = {side, -1, 0.0}, out = {side, -1, 1.0};
    int is_cut = from->least < -c->tolerance || to->least < -c->tolerance;
    if (is_cut && !cut_side(c, from->values, to->values, &in, &out)) {
        return;
    }
    if (in.by < 0) {
        add_corner_of_set(c, side, from);
    } else {
        if (c->left.by >= 0) {
            add_corners_between(c, c->left, in);
        } else {
            c->first_in = in;
        }
        add_crossing(c, in);
    }
    if (out.by >= 0) {
        add_crossing(c, out);
        c->left = out;
    }
}

static int is_right_of(abut_vec2 p, abut_vec2 q)
{
    return p.x != q.x ? p.x > q.x : p.y > q.y;
}

// Sorts points counter-clockwise: from the leftmost point along those below the line to the rightmost point, then back
// along those above it. Returns the number of points below or on the line, including these two.
static int sort_around(abut_planar_point *points, int count)
{
    abut_vec2 left = points[0].a, right = points[0].a;
    for (int i = 1; i < count; ++i) {
        left = is_right_of(left, points[i].a) ? points[i].a : left;
        right = is_right_of(points[i].a, right) ? points[i].a : right;
    }
    abut_vec2 way = abut_vec2_sub(right, left);
    int below = 0;
    for (int i = 0; i < count; ++i) {
        abut_planar_point point = points[i];
        int is_above = abut_vec2_cross(way, abut_vec2_sub(point.a, left)) > 0.0, k = i;
        for (; k > (is_above ? below : 0); --k) {
            int is_last_above = k > below;
            if (is_last_above == is_above &&
                (is_above ? !is_right_of(point.a, points[k - 1].a) : !is_right_of(points[k - 1].a, point.a))) {
                break;
            }
            points[k] = points[k - 1];
        }
        points[k] = point;
        below += !is_above;
    }
    return below;
}

// Replaces the points by their convex hull, without points closer together than the tolerance. Used if the walk met a
// polygon corner outside the set or a crossing beyond its side: then it met lines in the wrong order, within rounding
// or the tolerance, and the points may be out of order too.
static int put_in_order(abut_planar_point *points, int count, double tolerance)
{
    int below = sort_around(points, count), kept = 0, first = 0;
    for (int i = 0; i <= count; ++i) {
        abut_vec2 p = i < count ? points[i].a : points[0].a;
        while (kept - first >= 2 && abut_vec2_cross(abut_vec2_sub(points[kept - 1].a, points[kept - 2].a),
                                                    abut_vec2_sub(p, points[kept - 2].a)) <= 0.0) {
            --kept;
        }
        if (i < count) {
            points[kept++] = points[i];
        }
        first = i + 1 == below ? kept - 1 : first;
    }
    count = 0;
    for (int i = 0; i < kept; ++i) {
        if (count == 0 || !abut_vec2_is_near(points[count - 1].a, points[i].a, tolerance)) {
            points[count++] = points[i];
        }
    }
    return count;
}

// Intersects a point, segment or polygon with a polygon.
static int intersect_polygon(clip *c)
{
    const abut_planar *set = c->set;
    heights corners[2];
    int last = set->count > 2 ? set->count : set->count - 1;
    find_heights(c->polygon, set->points[0], &corners[0]);
    for (int i = 0; i < last; ++i) {
        find_heights(c->polygon, set->points[abut_planar_after(i, set->count)], &corners[(i + 1) % 2]);
        add_side(c, i, &corners[i % 2], &corners[(i + 1) % 2]);
    }
    if (set->count <= 2) {
        if (corners[last].least >= -c->tolerance) {
            add_corner_of_set(c, last, &corners[last]);
        }
    } else if (c->left.by >= 0 && c->first_in.by >= 0) {
        add_corners_between(c, c->left, c->first_in);
    } else if (c->count == 0) { // the set's border is outside: the polygon is inside the set, or apart
        for (int i = 0; i < c->polygon->count; ++i) {
            add_corner_of_polygon(c, i);
        }
    }
    if (c->is_doubtful && c->count > 2) {
        c->count = put_in_order(c->points, c->count, c->tolerance);
    }
    int is_closed = c->count > 1 && abut_vec2_is_near(c->points[0].a, c->points[c->count - 1].a, c->tolerance);
    return c->count - is_closed;
}

static int merge(abut_planar_point *points, int count, double tolerance)
{
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        int is_new = 1;
        for (int k = 0; k < kept && is_new; ++k) {
            is_new = !abut_vec2_is_near(points[k].a, points[i].a, tolerance);
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
    abut_vec2 p = a->points[0], u = abut_vec2_sub(a->points[1], p), q = b->points[0],
              v = abut_vec2_sub(b->points[1], q);
    double product = abut_vec2_cross(u, v), limit = tolerance * tolerance;
    // parallel within the tolerance: take the ends that are on the other segment
    if (product * product <= limit * abut_vec2_norm_squared(u) ||
        product * product <= limit * abut_vec2_norm_squared(v)) {
        int count = 0;
        for (int i = 0; i < 4; ++i) {
            abut_vec2 end = i < 2 ? a->points[i] : b->points[i - 2];
            abut_vec2 on_a = nearest_on_side(a, 0, end), on_b = nearest_on_side(b, 0, end);
            if (abut_vec2_is_near(on_a, on_b, tolerance)) {
                points[count++] = point_of(on_a, on_b);
            }
        }
        return merge(points, count, tolerance);
    }
    // At a small angle, rounding moves the crossing along the segments. One quotient for each segment would give two
    // points far apart. The point of B nearest to A's is only rounding away: the move times the sine of the angle.
    abut_vec2 on_a = abut_vec2_lerp(p, a->points[1], clamp(abut_vec2_cross(abut_vec2_sub(q, p), v) / product));
    points[0] = point_of(on_a, nearest_on_side(b, 0, on_a));
    return abut_vec2_is_near(points[0].a, points[0].b, tolerance);
}

int abut_planar_intersect(const abut_planar *a, const abut_planar *b, double tolerance, abut_planar_point *points,
                          int *is_repaired)
{
    int count = 0;
    *is_repaired = 0;
    if (a->count > 2 || b->count > 2) {
        int is_polygon_a = b->count <= 2;
        clip c = {.set = is_polygon_a ? b : a,
                  .polygon = is_polygon_a ? a : b,
                  .is_polygon_a = is_polygon_a,
                  .tolerance = tolerance,
                  .points = points,
                  .left = {.by = -1},
                  .first_in = {.by = -1}};
        count = intersect_polygon(&c);
        if (count > 0) {
            return count;
        }
    } else if (a->count == 2 && b->count == 2) {
        count = intersect_segments(a, b, tolerance, points);
    }
    if (count == 0) {
        points[0] = closest(a, b);
        *is_repaired = !abut_vec2_is_near(points[0].a, points[0].b, tolerance);
        count = 1;
    }
    for (int i = 0; i < count; ++i) {
        find_place(a, points[i].a, tolerance, &points[i].on_a);
        find_place(b, points[i].b, tolerance, &points[i].on_b);
    }
    return count;
}
