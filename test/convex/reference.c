// SPDX-License-Identifier: MIT
// reference.c: signed distance by the Minkowski difference, in quadruple precision
#include "reference.h"

#include <libqhull_r/qhull_ra.h>
#include <stdlib.h>

static quad3 make(quad x, quad y, quad z)
{
    quad3 v = {x, y, z};
    return v;
}

static quad3 sub(quad3 a, quad3 b)
{
    return make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static quad3 add_scaled(quad3 a, quad s, quad3 b)
{
    return make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static quad dot(quad3 a, quad3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static quad3 cross(quad3 a, quad3 b)
{
    return make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

// Newton's method from the double root, twice.
static quad root(quad x)
{
    if (!(x > 0)) {
        return 0;
    }
    quad y = (quad)sqrt((double)x);
    if (!(y > 0)) {
        return 0;
    }
    y = (y + x / y) / 2;
    return (y + x / y) / 2;
}

static quad3 unit(quad3 v)
{
    quad length = root(dot(v, v));
    return length > 0 ? make(v.x / length, v.y / length, v.z / length) : make(0, 0, 0);
}

static quad3 rotate(abut_quat rotation, abut_vec3 v)
{
    quad w = rotation.w, x = rotation.x, y = rotation.y, z = rotation.z;
    quad norm = w * w + x * x + y * y + z * z;
    quad3 u = make(x, y, z), p = make(v.x, v.y, v.z);
    // p + 2 w (u x p) + 2 u x (u x p), over the squared norm
    quad3 up = cross(u, p), uup = cross(u, up);
    return add_scaled(add_scaled(p, 2 * w / norm, up), 2 / norm, uup);
}

// Relative to A's position, so that qhull's doubles are good far from the origin.
static quad3 *place(const abut_convex *shape, abut_pose pose, abut_vec3 origin, int *count)
{
    *count = abut_convex_get_info(shape).vertex_count;
    quad3 *points = malloc((size_t)*count * sizeof *points);
    for (int i = 0; points != NULL && i < *count; ++i) {
        quad3 p = rotate(pose.rotation, abut_convex_vertex(shape, i, NULL));
        points[i] = make(p.x + ((quad)pose.position.x - origin.x), p.y + ((quad)pose.position.y - origin.y),
                         p.z + ((quad)pose.position.z - origin.z));
    }
    return points;
}

typedef struct bodies {
    quad3 *a, *b;
    int count_a, count_b;
} bodies;

static bodies place_bodies(const abut_convex_pair *pair)
{
    bodies result;
    result.a = place(pair->a, pair->pose_a, pair->pose_a.position, &result.count_a);
    result.b = place(pair->b, pair->pose_b, pair->pose_a.position, &result.count_b);
    return result;
}

static quad overlap_of(const bodies *s, quad3 n)
{
    quad highest = dot(n, s->a[0]), lowest = dot(n, s->b[0]);
    for (int i = 1; i < s->count_a; ++i) {
        quad h = dot(n, s->a[i]);
        highest = h > highest ? h : highest;
    }
    for (int i = 1; i < s->count_b; ++i) {
        quad h = dot(n, s->b[i]);
        lowest = h < lowest ? h : lowest;
    }
    return highest - lowest;
}

double reference_overlap(const abut_convex_pair *pair, abut_vec3 direction)
{
    bodies s = place_bodies(pair);
    double overlap = (double)overlap_of(&s, unit(make(direction.x, direction.y, direction.z)));
    free(s.a);
    free(s.b);
    return overlap;
}

static quad nearest_on_segment(quad3 p, quad3 q)
{
    quad3 u = sub(q, p);
    quad squared = dot(u, u), t = squared > 0 ? -dot(p, u) / squared : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    quad3 v = add_scaled(p, t, u);
    return dot(v, v);
}

// Squared distance of the origin from a triangle: inside if it is left of all three sides, else nearest to one of them.
static quad nearest_in_triangle(quad3 p, quad3 q, quad3 r)
{
    quad3 n = cross(sub(q, p), sub(r, p));
    quad area = dot(n, n);
    if (area > 0 && dot(n, cross(p, q)) >= 0 && dot(n, cross(q, r)) >= 0 && dot(n, cross(r, p)) >= 0) {
        return dot(n, p) * dot(n, p) / area;
    }
    quad best = nearest_on_segment(p, q), other = nearest_on_segment(q, r);
    best = other < best ? other : best;
    other = nearest_on_segment(r, p);
    return other < best ? other : best;
}

static quad3 difference(const bodies *s, int point)
{
    return sub(s->a[point / s->count_b], s->b[point % s->count_b]);
}

typedef struct scan {
    quad least_overlap, least_squared;
} scan;

// One facet of qhull: its normal is the vector area of its vertices, in order.
static void scan_facet(qhT *qh, facetT *facet, const bodies *s, reference *result, scan *found)
{
    setT *vertices = qh_facet3vertex(qh, facet);
    int count = qh_setsize(qh, vertices);
    int first = qh_pointid(qh, SETfirstt_(vertices, vertexT)->point);
    quad3 origin = difference(s, first), sum = make(0, 0, 0);
    for (int i = 1; i + 1 < count; ++i) {
        quad3 p = difference(s, qh_pointid(qh, SETelemt_(vertices, i, vertexT)->point));
        quad3 q = difference(s, qh_pointid(qh, SETelemt_(vertices, i + 1, vertexT)->point));
        quad3 n = cross(sub(p, origin), sub(q, origin));
        sum = make(sum.x + n.x, sum.y + n.y, sum.z + n.z);
        quad squared = nearest_in_triangle(origin, p, q);
        found->least_squared = squared < found->least_squared ? squared : found->least_squared;
    }
    if (sum.x * facet->normal[0] + sum.y * facet->normal[1] + sum.z * facet->normal[2] < 0) {
        sum = make(-sum.x, -sum.y, -sum.z);
    }
    sum = unit(sum);
    if (dot(sum, sum) > 0.5) {
        reference_facet made = {sum, overlap_of(s, sum)};
        result->facets[result->facet_count++] = made;
        found->least_overlap = made.overlap < found->least_overlap ? made.overlap : found->least_overlap;
    }
    qh_settempfree(qh, &vertices);
}

static int scan_facets(const bodies *s, coordT *points, reference *result)
{
    qhT *qh = calloc(1, sizeof *qh);
    FILE *sink = fopen("/dev/null", "w");
    int is_done = 0;
    qh_zero(qh, sink);
    char options[] = "qhull Pp";
    if (qh_new_qhull(qh, 3, s->count_a * s->count_b, points, False, options, NULL, sink) == 0) {
        result->facets = malloc((size_t)qh->num_facets * sizeof *result->facets);
        scan found = {1e30, 1e30};
        facetT *facet;
        FORALLfacets
        {
            scan_facet(qh, facet, s, result, &found);
        }
        // The origin is outside where a facet separates the bodies.
        result->distance =
            found.least_overlap < 0 ? (double)root(found.least_squared) : -(double)found.least_overlap;
        is_done = 1;
    }
    int left, size;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &size);
    (void)fclose(sink);
    free(qh);
    return is_done;
}

int reference_find(const abut_convex_pair *pair, reference *result)
{
    bodies s = place_bodies(pair);
    result->facets = NULL;
    result->facet_count = 0;
    coordT *points = malloc((size_t)(s.count_a * s.count_b) * 3 * sizeof *points);
    for (int i = 0; i < s.count_a * s.count_b; ++i) {
        quad3 p = difference(&s, i);
        points[3 * i] = (double)p.x;
        points[3 * i + 1] = (double)p.y;
        points[3 * i + 2] = (double)p.z;
    }
    int is_done = scan_facets(&s, points, result);
    free(points);
    free(s.a);
    free(s.b);
    return is_done;
}

void reference_release(reference *result)
{
    free(result->facets);
}
