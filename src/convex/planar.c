// SPDX-License-Identifier: MIT
// planar.c: points, segments and convex polygons in the contact plane, and their intersection
#include "convex/planar.h"

#include <stddef.h>

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
    abut_planar_point point = {.a = a, .b = b};
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
// Places

static void place_at_corner(int i, abut_planar_place *place)
{
    *place = (abut_planar_place){{i, i, i}, 1, {1.0, 0.0, 0.0}};
}

// So far along a side, or at its end where that is near.
static inline void place_along(const abut_planar *set, int i, double t, double tolerance, abut_planar_place *place)
{
    int next = after(i, set->count);
    double rest = 1.0 - t, length = squared(sub(set->points[next], set->points[i])), limit = tolerance * tolerance;
    if (t * t * length <= limit || rest * rest * length <= limit) {
        place_at_corner(t < rest ? i : next, place);
    } else {
        *place = (abut_planar_place){{i, next, i}, 2, {rest, t, 0.0}};
    }
}

static void place_on_side(const abut_planar *set, int i, abut_vec2 p, double tolerance, abut_planar_place *place)
{
    abut_vec2 way = sub(set->points[after(i, set->count)], set->points[i]);
    place_along(set, i, clamp(dot(sub(p, set->points[i]), way) / squared(way)), tolerance, place);
}

// Of the triangles from the first corner, the one that has the point.
static void place_in_fan(const abut_planar *set, abut_vec2 p, abut_planar_place *place)
{
    int i = 1;
    while (i + 2 < set->count && cross(sub(set->points[i + 1], set->points[0]), sub(p, set->points[0])) > 0.0) {
        ++i;
    }
    abut_vec2 u = sub(set->points[i], set->points[0]), v = sub(set->points[i + 1], set->points[0]);
    abut_vec2 w = sub(p, set->points[0]);
    double s = 1.0 / cross(u, v), x = s * cross(w, v), y = s * cross(u, w);
    *place = (abut_planar_place){{0, i, i + 1}, 3, {1.0 - x - y, x, y}};
}

// How far a point is left of all sides of a polygon.
typedef struct heights {
    double values[ABUT_PLANAR_POINTS];
    double least;
} heights;

static void find_heights(const abut_planar *polygon, abut_vec2 p, heights *h)
{
    double least = HUGE_VAL;
    for (int i = 0, count = polygon->count; i < count; ++i) {
        double height = height_over(polygon, i, p);
        least = height < least ? height : least;
        h->values[i] = height;
    }
    h->least = least;
}

// A point inside of a polygon, with its heights: on the side whose line is nearest, where that is within the
// tolerance; most points are far inside.
static void place_inside(const abut_planar *polygon, abut_vec2 p, const heights *h, double tolerance,
                         abut_planar_place *place)
{
    if (h->least > tolerance) {
        place_in_fan(polygon, p, place);
        return;
    }
    int side = 0;
    while (h->values[side] != h->least) {
        ++side;
    }
    place_on_side(polygon, side, p, tolerance, place);
}

// Any point of a set.
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
// Around the set: what of each side is inside of the polygon, and where the set is outside, the corners of the
// polygon from where the set left it to where it came back.

// Where a side of the set crosses one of the polygon.
typedef struct crossing {
    int side; ///< of the set
    int by;   ///< the polygon's side, or -1: there is none, the set's side begins or ends inside
    double t; ///< how far along the set's side
} crossing;

typedef struct clip {
    const abut_planar *set, *polygon;
    int is_polygon_a;
    double tolerance;
    abut_planar_point *points;
    int count;
    crossing left;     ///< where the set left the polygon last
    crossing first_in; ///< where it came into it, if it begins outside
} clip;

// A new point, or NULL for one that is as near to the last as the tolerance.
static abut_planar_point *add_point(clip *c, abut_vec2 p)
{
    if (c->count == 2 * ABUT_PLANAR_POINTS ||
        (c->count > 0 && is_near(c->points[c->count - 1].a, p, c->tolerance))) {
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

// Where the set has it too.
static void add_corner_of_polygon(clip *c, int i)
{
    heights h;
    find_heights(c->set, c->polygon->points[i], &h);
    abut_planar_point *point = h.least >= -c->tolerance ? add_point(c, c->polygon->points[i]) : NULL;
    if (point != NULL) {
        place_at_corner(i, place_in_polygon(c, point));
        place_inside(c->set, point->a, &h, c->tolerance, place_in_set(c, point));
    }
}

static abut_vec2 point_of_crossing(const clip *c, crossing x)
{
    return mix(c->set->points[x.side], c->set->points[after(x.side, c->set->count)], x.t);
}

static void add_crossing(clip *c, crossing x)
{
    abut_planar_point *point = add_point(c, point_of_crossing(c, x));
    if (point != NULL) {
        place_along(c->set, x.side, x.t, c->tolerance, place_in_set(c, point));
        place_on_side(c->polygon, x.by, point->a, c->tolerance, place_in_polygon(c, point));
    }
}

// Where a side of the set comes into the polygon and where it leaves it, from the heights of its ends. A point that
// is no further out than the tolerance is inside. Returns 0 where nothing of it is inside.
static int cut_side(const clip *c, const double *from, const double *to, crossing *in, crossing *out)
{
    double lowest = -c->tolerance;
    for (int i = 0; i < c->polygon->count; ++i) {
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
    return in->t <= out->t;
}

// Along the polygon, from where the set left it to where it comes back.
static void add_corners_between(clip *c, crossing out, crossing in)
{
    for (int i = out.by; i != in.by;) {
        i = after(i, c->polygon->count);
        add_corner_of_polygon(c, i);
    }
}

// What of a side is inside; `from` and `to` are the heights of its ends.
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

// A point, segment or polygon with a polygon.
static int intersect_polygon(clip *c)
{
    const abut_planar *set = c->set;
    heights corners[2];
    int last = set->count > 2 ? set->count : set->count - 1;
    find_heights(c->polygon, set->points[0], &corners[0]);
    for (int i = 0; i < last; ++i) {
        find_heights(c->polygon, set->points[after(i, set->count)], &corners[(i + 1) % 2]);
        add_side(c, i, &corners[i % 2], &corners[(i + 1) % 2]);
    }
    if (set->count <= 2) {
        if (corners[last].least >= -c->tolerance) {
            add_corner_of_set(c, last, &corners[last]);
        }
    } else if (c->left.by >= 0 && c->first_in.by >= 0) {
        add_corners_between(c, c->left, c->first_in);
    } else if (c->count == 0) { // nothing of the border is inside: all of the polygon, or nothing
        for (int i = 0; i < c->polygon->count; ++i) {
            add_corner_of_polygon(c, i);
        }
    }
    int is_closed = c->count > 1 && is_near(c->points[0].a, c->points[c->count - 1].a, c->tolerance);
    return c->count - is_closed;
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
        *is_repaired = !is_near(points[0].a, points[0].b, tolerance);
        count = 1;
    }
    for (int i = 0; i < count; ++i) {
        find_place(a, points[i].a, tolerance, &points[i].on_a);
        find_place(b, points[i].b, tolerance, &points[i].on_b);
    }
    return count;
}
