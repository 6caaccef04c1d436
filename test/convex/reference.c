// SPDX-License-Identifier: MIT
// reference.c: overlap and distance of convex bodies by brute force over all features, in quadruple precision
#include "reference.h"

#include <stdlib.h>

// Relative to the scale: overlaps closer than this are compared in quadruple precision. Far above the errors of double
// precision.
static const double MARGIN = 1e-9;
// Sines of the angle between edges. Below the first, the cross product in double precision is too inaccurate; below
// the second, that in quadruple precision is too.
static const double SINE_ROUGH = 1e-4, SINE_LOWEST = 1e-28;

static quad3 make(quad x, quad y, quad z)
{
    quad3 v = {x, y, z};
    return v;
}

static quad3 from(abut_vec3 v)
{
    return make(v.x, v.y, v.z);
}

static abut_vec3 rounded(quad3 v)
{
    return abut_vec3_make((double)v.x, (double)v.y, (double)v.z);
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

// Two steps of Newton's method from the double root. Powers of two keep small squares in the range of doubles.
static quad root(quad x)
{
    quad unit = 1;
    for (; x > 0 && x < 1e-200; x *= 0x1p200) {
        unit *= 0x1p-100;
    }
    if (!(x > 0)) {
        return 0;
    }
    quad y = (quad)sqrt((double)x);
    y = (y + x / y) / 2;
    return unit * ((y + x / y) / 2);
}

static quad3 scaled(quad s, quad3 v)
{
    return make(s * v.x, s * v.y, s * v.z);
}

static quad3 unit(quad3 v)
{
    return scaled(1 / root(dot(v, v)), v);
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

static quad3 rotate(abut_quat rotation, abut_vec3 v)
{
    quad w = rotation.w, x = rotation.x, y = rotation.y, z = rotation.z;
    quad norm = w * w + x * x + y * y + z * z;
    quad3 u = make(x, y, z), p = from(v);
    // p + 2 w (u x p) + 2 u x (u x p), over the squared norm
    quad3 up = cross(u, p), uup = cross(u, up);
    return add_scaled(add_scaled(p, 2 * w / norm, up), 2 / norm, uup);
}

static reference_body place(const test_convex *shape, abut_pose pose, abut_vec3 origin)
{
    abut_mesh_elements mesh = abut_mesh_get_elements(shape->mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(shape->mesh);
    reference_body body = {.count = mesh.vertex_count,
                           .triangles = mesh.triangles,
                           .triangle_count = mesh.triangle_count,
                           .edges = topology.edge_vertices,
                           .edge_count = topology.edge_count};
    body.points = malloc((size_t)body.count * sizeof *body.points);
    body.rough = malloc((size_t)body.count * sizeof *body.rough);
    assert_true(body.points != NULL && body.rough != NULL);
    quad3 shift = sub(from(pose.position), from(origin));
    for (int i = 0; i < body.count; ++i) {
        body.points[i] = add_scaled(rotate(pose.rotation, mesh.vertices[i]), 1, shift);
        body.rough[i] = rounded(body.points[i]);
    }
    return body;
}

static quad height_of(const reference_body *body, quad3 direction)
{
    quad highest = dot(direction, body->points[0]);
    for (int i = 1; i < body->count; ++i) {
        quad h = dot(direction, body->points[i]);
        highest = h > highest ? h : highest;
    }
    return highest;
}

static quad overlap_of(const reference *truth, quad3 n)
{
    return height_of(&truth->bodies[0], n) + height_of(&truth->bodies[1], make(-n.x, -n.y, -n.z));
}

// Returns 1 if the overlap along a direction may be at most `limit`, in double precision. Starts with the points that
// were highest last time, which rejects most directions at once.
static int may_be_below(reference *truth, abut_vec3 n, double limit)
{
    reference_body *a = &truth->bodies[0], *b = &truth->bodies[1];
    double height_a = abut_dot(n, a->rough[a->last]), height_b = -abut_dot(n, b->rough[b->last]);
    for (int i = 0; i < a->count && height_a + height_b <= limit; ++i) {
        double h = abut_dot(n, a->rough[i]);
        if (h > height_a) {
            height_a = h;
            a->last = i;
        }
    }
    for (int i = 0; i < b->count && height_a + height_b <= limit; ++i) {
        double h = -abut_dot(n, b->rough[i]);
        if (h > height_b) {
            height_b = h;
            b->last = i;
        }
    }
    return height_a + height_b <= limit;
}

double reference_overlap(reference *truth, abut_vec3 direction)
{
    return (double)overlap_of(truth, unit(from(direction)));
}

// ---------------------------------------------------------------------------------------------------------------
// Facets

static double limit_of(const reference *truth)
{
    return (double)truth->least + truth->slack + MARGIN * truth->scale;
}

// `local` is the overlap of the features themselves. The features form a facet if it equals that of the bodies.
static void measure(reference *truth, quad3 n, quad local)
{
    quad overlap = overlap_of(truth, n);
    truth->least = overlap < truth->least ? overlap : truth->least;
    if (overlap > truth->least + truth->slack || overlap - local > 1e-16 * truth->scale) {
        return;
    }
    if (truth->facet_count == truth->facet_capacity) {
        truth->facet_capacity = 2 * truth->facet_capacity + 16;
        truth->facets = realloc(truth->facets, (size_t)truth->facet_capacity * sizeof *truth->facets);
        assert_non_null(truth->facets);
    }
    truth->facets[truth->facet_count++] = (reference_facet){rounded(n), overlap};
}

static void try_faces(reference *truth, int which)
{
    const reference_body *own = &truth->bodies[which], *other = &truth->bodies[1 - which];
    for (int t = 0; t < own->triangle_count; ++t) {
        const int *corners = &own->triangles[3 * t];
        quad3 p = own->points[corners[0]];
        quad3 n = cross(sub(own->points[corners[1]], p), sub(own->points[corners[2]], p));
        if (!(dot(n, n) > 0)) {
            continue;
        }
        n = scaled(which == 0 ? 1 : -1, unit(n));
        if (may_be_below(truth, rounded(n), limit_of(truth))) {
            quad3 against = scaled(which == 0 ? -1 : 1, n);
            measure(truth, n, height_of(other, against) - dot(p, against));
        }
    }
}

// Tries both directions of the normal of two edges.
static void try_edges(reference *truth, const int *edge_a, const int *edge_b)
{
    const reference_body *a = &truth->bodies[0], *b = &truth->bodies[1];
    abut_vec3 u = abut_sub(a->rough[edge_a[1]], a->rough[edge_a[0]]);
    abut_vec3 v = abut_sub(b->rough[edge_b[1]], b->rough[edge_b[0]]);
    abut_vec3 n = abut_cross(u, v);
    double length = abut_norm(n), lengths = abut_norm(u) * abut_norm(v);
    // the direction of an edge that is short compared to the coordinates is inaccurate too
    double error = 1e-15 * truth->scale * (abut_norm(u) + abut_norm(v));
    quad3 exact;
    int is_rough = length > SINE_ROUGH * lengths && length > error / MARGIN;
    if (!is_rough) {
        quad3 p = sub(a->points[edge_a[1]], a->points[edge_a[0]]),
              q = sub(b->points[edge_b[1]], b->points[edge_b[0]]);
        exact = cross(p, q);
        if (!(dot(exact, exact) > SINE_LOWEST * SINE_LOWEST * dot(p, p) * dot(q, q))) {
            return;
        }
        exact = unit(exact);
        n = rounded(exact);
    } else {
        n = abut_scale(1.0 / length, n);
    }
    abut_vec3 between = abut_sub(a->rough[edge_a[0]], b->rough[edge_b[0]]);
    for (int sign = -1; sign <= 1; sign += 2) {
        abut_vec3 direction = abut_scale(sign, n);
        double limit = limit_of(truth);
        // the overlap of the edges is a lower bound of that of the bodies
        if (abut_dot(direction, between) > limit || !may_be_below(truth, direction, limit)) {
            continue;
        }
        if (is_rough) {
            exact = unit(cross(sub(a->points[edge_a[1]], a->points[edge_a[0]]),
                               sub(b->points[edge_b[1]], b->points[edge_b[0]])));
            is_rough = 0;
        }
        quad3 normal = scaled(sign, exact);
        measure(truth, normal, dot(normal, sub(a->points[edge_a[0]], b->points[edge_b[0]])));
    }
}

reference reference_find(const abut_convex_pair *pair, const test_convex *a, const test_convex *b, double slack)
{
    reference truth = {
        .bodies = {place(a, pair->pose_a, pair->pose_a.position), place(b, pair->pose_b, pair->pose_a.position)},
        .origin = pair->pose_a.position,
        .least = HUGE_VAL,
        .slack = slack};
    for (int which = 0; which < 2; ++which) {
        for (int i = 0; i < truth.bodies[which].count; ++i) {
            truth.scale = fmax(truth.scale, abut_norm(truth.bodies[which].rough[i]));
        }
    }
    for (int which = 0; which < 2; ++which) {
        try_faces(&truth, which);
    }
    for (int i = 0; i < truth.bodies[0].edge_count; ++i) {
        for (int k = 0; k < truth.bodies[1].edge_count; ++k) {
            try_edges(&truth, &truth.bodies[0].edges[2 * i], &truth.bodies[1].edges[2 * k]);
        }
    }
    int kept = 0; // drop those that were close to an earlier, larger least overlap
    for (int i = 0; i < truth.facet_count; ++i) {
        if (truth.facets[i].overlap <= truth.least + slack) {
            truth.facets[kept++] = truth.facets[i];
        }
    }
    truth.facet_count = kept;
    return truth;
}

void reference_release(reference *truth)
{
    for (int which = 0; which < 2; ++which) {
        free(truth->bodies[which].points);
        free(truth->bodies[which].rough);
    }
    free(truth->facets);
}

// ---------------------------------------------------------------------------------------------------------------
// Points

double reference_outside(reference *truth, int body, abut_vec3 point)
{
    const reference_body *own = &truth->bodies[body];
    quad3 p = sub(from(point), from(truth->origin));
    quad furthest = 0;
    for (int t = 0; t < own->triangle_count; ++t) {
        const int *corners = &own->triangles[3 * t];
        quad3 origin = own->points[corners[0]], way = sub(p, origin);
        quad3 n = cross(sub(own->points[corners[1]], origin), sub(own->points[corners[2]], origin));
        if (dot(n, way) > 0) {
            n = unit(n);
            quad distance = dot(n, p) - height_of(own, n);
            furthest = distance > furthest ? distance : furthest;
        }
    }
    return (double)furthest;
}

double reference_along(abut_vec3 normal, abut_vec3 from_point, abut_vec3 to_point, double *across)
{
    quad3 way = sub(from(to_point), from(from_point)), n = from(normal);
    quad along = dot(n, way);
    quad3 rest = add_scaled(way, -along, n);
    *across = (double)root(dot(rest, rest));
    return (double)along;
}

static quad nearest_on_segment(quad3 p, quad3 q)
{
    quad3 u = sub(q, p);
    quad squared = dot(u, u), t = squared > 0 ? -dot(p, u) / squared : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    quad3 v = add_scaled(p, t, u);
    return dot(v, v);
}

// Squared distance of the origin from a triangle: from its plane if the origin is left of all three sides, else from
// the nearest side.
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

// Differences of a vertex of one body and the triangles of the other.
static quad nearest_to_triangles(const reference_body *own, const reference_body *other, quad best)
{
    for (int t = 0; t < own->triangle_count; ++t) {
        const int *corners = &own->triangles[3 * t];
        for (int i = 0; i < other->count; ++i) {
            quad3 p = other->points[i];
            quad squared = nearest_in_triangle(sub(own->points[corners[0]], p), sub(own->points[corners[1]], p),
                                               sub(own->points[corners[2]], p));
            best = squared < best ? squared : best;
        }
    }
    return best;
}

double reference_distance(const reference *truth)
{
    const reference_body *a = &truth->bodies[0], *b = &truth->bodies[1];
    quad best = nearest_to_triangles(b, a, nearest_to_triangles(a, b, HUGE_VAL));
    for (int i = 0; i < a->edge_count; ++i) {
        quad3 p = a->points[a->edges[2 * i]], q = a->points[a->edges[2 * i + 1]];
        for (int k = 0; k < b->edge_count; ++k) {
            quad3 r = b->points[b->edges[2 * k]], s = b->points[b->edges[2 * k + 1]];
            // the Minkowski difference of two segments is a parallelogram
            quad lower = nearest_in_triangle(sub(p, r), sub(q, r), sub(q, s));
            quad upper = nearest_in_triangle(sub(p, r), sub(q, s), sub(p, s));
            lower = upper < lower ? upper : lower;
            best = lower < best ? lower : best;
        }
    }
    return (double)root(best);
}
