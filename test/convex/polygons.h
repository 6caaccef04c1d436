// SPDX-License-Identifier: MIT
// polygons.h: convex polygons in long double, without any tolerance
#ifndef ABUT_TEST_POLYGONS_H
#define ABUT_TEST_POLYGONS_H

#include <math.h>

enum { POLYGON_CORNERS = 160 };

/// Counter-clockwise; one corner is a point, two are a segment.
typedef struct polygon {
    long double x[POLYGON_CORNERS], y[POLYGON_CORNERS];
    int count;
} polygon;

static inline long double turn_of(const polygon *p, int i, int j, long double x, long double y)
{
    return (p->x[j] - p->x[i]) * (y - p->y[i]) - (p->y[j] - p->y[i]) * (x - p->x[i]);
}

/// Signed distance of a point to the left of a side.
static inline long double height_of(const polygon *p, int side, long double x, long double y)
{
    int next = (side + 1) % p->count;
    return turn_of(p, side, next, x, y) / hypotl(p->x[next] - p->x[side], p->y[next] - p->y[side]);
}

static inline long double area_of(const polygon *p)
{
    long double sum = 0.0L;
    for (int i = 1; i + 1 < p->count; ++i) {
        sum += turn_of(p, 0, i, p->x[i + 1], p->y[i + 1]);
    }
    return sum / 2.0L;
}

static inline long double perimeter_of(const polygon *p)
{
    long double sum = 0.0L;
    for (int i = 0; i < p->count; ++i) {
        int next = (i + 1) % p->count;
        sum += hypotl(p->x[next] - p->x[i], p->y[next] - p->y[i]);
    }
    return sum;
}

/// The intersection of p and q: cuts p by each side of q in turn.
static inline polygon cut_polygon(polygon p, const polygon *q)
{
    for (int side = 0; side < q->count && p.count > 0; ++side) {
        polygon next = {.count = 0};
        for (int i = 0; i < p.count; ++i) {
            int k = (i + 1) % p.count;
            long double here = height_of(q, side, p.x[i], p.y[i]), there = height_of(q, side, p.x[k], p.y[k]);
            if (here >= 0.0L) {
                next.x[next.count] = p.x[i];
                next.y[next.count++] = p.y[i];
            }
            if ((here < 0.0L) != (there < 0.0L)) {
                long double t = here / (here - there);
                next.x[next.count] = p.x[i] + t * (p.x[k] - p.x[i]);
                next.y[next.count++] = p.y[i] + t * (p.y[k] - p.y[i]);
            }
        }
        p = next;
    }
    return p;
}

/// The hull of points by gift wrapping: all other points are to the left of the line to the next corner.
static inline polygon hull_of(const polygon *points)
{
    polygon hull = {.count = 0};
    int first = 0;
    for (int i = 1; i < points->count; ++i) {
        int is_lower = points->y[i] < points->y[first] ||
                       (points->y[i] == points->y[first] && points->x[i] < points->x[first]);
        first = is_lower ? i : first;
    }
    for (int at = first; hull.count < points->count;) {
        hull.x[hull.count] = points->x[at];
        hull.y[hull.count++] = points->y[at];
        int next = -1;
        for (int i = 0; i < points->count; ++i) {
            if (points->x[i] == points->x[at] && points->y[i] == points->y[at]) {
                continue;
            }
            long double turn = next < 0 ? -1.0L : turn_of(points, at, next, points->x[i], points->y[i]);
            long double far = hypotl(points->x[i] - points->x[at], points->y[i] - points->y[at]);
            if (turn < 0.0L ||
                (turn == 0.0L && far > hypotl(points->x[next] - points->x[at], points->y[next] - points->y[at]))) {
                next = i;
            }
        }
        if (next < 0 || (points->x[next] == points->x[first] && points->y[next] == points->y[first])) {
            break;
        }
        at = next;
    }
    return hull;
}

/// Distance of a point from a side.
static inline long double distance_to_side(const polygon *p, int side, long double x, long double y)
{
    int next = (side + 1) % p->count;
    long double ux = p->x[next] - p->x[side], uy = p->y[next] - p->y[side], length = ux * ux + uy * uy;
    long double t = length > 0.0L ? ((x - p->x[side]) * ux + (y - p->y[side]) * uy) / length : 0.0L;
    t = fminl(fmaxl(t, 0.0L), 1.0L);
    return hypotl(x - p->x[side] - t * ux, y - p->y[side] - t * uy);
}

/// Distance of a point from the set; 0 inside.
static inline long double distance_to(const polygon *p, long double x, long double y)
{
    long double least = HUGE_VALL;
    int is_inside = p->count > 2;
    for (int i = 0; i < p->count; ++i) {
        least = fminl(least, distance_to_side(p, i, x, y));
        is_inside = is_inside && turn_of(p, i, (i + 1) % p->count, x, y) >= 0.0L;
    }
    return is_inside ? 0.0L : least;
}

/// Distance of two sets. Unless sides cross, one of the closest points is a corner.
static inline long double distance_between(const polygon *p, const polygon *q)
{
    long double least = HUGE_VALL;
    for (int i = 0; i < p->count; ++i) {
        least = fminl(least, distance_to(q, p->x[i], p->y[i]));
    }
    for (int i = 0; i < q->count; ++i) {
        least = fminl(least, distance_to(p, q->x[i], q->y[i]));
    }
    for (int i = 0; i < p->count; ++i) {
        for (int k = 0; k < q->count; ++k) {
            int i2 = (i + 1) % p->count, k2 = (k + 1) % q->count;
            long double here = turn_of(p, i, i2, q->x[k], q->y[k]), there = turn_of(p, i, i2, q->x[k2], q->y[k2]);
            long double from = turn_of(q, k, k2, p->x[i], p->y[i]), to = turn_of(q, k, k2, p->x[i2], p->y[i2]);
            least = here * there < 0.0L && from * to < 0.0L ? 0.0L : least;
        }
    }
    return least;
}

#endif
