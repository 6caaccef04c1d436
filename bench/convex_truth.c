// SPDX-License-Identifier: MIT
// convex_truth.c: the signed distance of overlapping convex polyhedra by all separating axes, in long double
//
// The overlap in any direction is at least the depth, and equals it in a direction normal to a face of A or B, or
// to an edge of each. All vertices are projected on every such direction, except those that provably are not the
// minimum: both bodies contain a ball of radius r around their origins, so that the overlap in a direction n is at
// least 2 r - n . c with c the position of B. If that exceeds the least overlap so far, n is skipped. An edge only
// has directions between the normals of its two faces.
#include "convex_truth.h"

#include <math.h>
#include <stdlib.h>

static const double tolerance = 1e-12; // of answers on bodies of size 1

typedef long double real;

typedef struct vector {
    real x, y, z;
} vector;

typedef struct edge {
    int ends[2];
    int faces[2];
    int wings[2]; ///< the third vertices of the faces
} edge;

typedef struct list {
    int *edges; ///< whose directions may matter
    int count;
} list;

// Everything is in the frame of the mesh, which is A's. For B, directions are rotated.
struct convex_truth {
    vector *points;
    int point_count;
    vector *normals; ///< unit, outward
    real *offsets;
    int face_count;
    edge *edges;
    int edge_count;
    real radius;    ///< of a ball around the origin inside the body
    vector axes[3]; ///< of B, in A's frame
    vector center;  ///< of B
    list live_a, live_b;
};

static vector sub(vector a, vector b)
{
    vector v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}

static vector add_scaled(vector a, real s, vector b)
{
    vector v = {a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
    return v;
}

static real dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector cross(vector a, vector b)
{
    vector v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

static vector scale(real s, vector a)
{
    vector v = {s * a.x, s * a.y, s * a.z};
    return v;
}

static vector widen(abut_vec3 a)
{
    vector v = {a.x, a.y, a.z};
    return v;
}

// p + 2 w (u x p) + 2 u x (u x p), over the squared norm
static vector rotate(abut_quat rotation, vector p)
{
    real w = rotation.w;
    vector u = {rotation.x, rotation.y, rotation.z}, up = cross(u, p);
    real norm = w * w + dot(u, u);
    return add_scaled(add_scaled(p, 2 * w / norm, up), 2 / norm, cross(u, up));
}

// Rotates a direction from A's frame to B's, and back.
static vector to_b(const convex_truth *t, vector n)
{
    vector v = {dot(n, t->axes[0]), dot(n, t->axes[1]), dot(n, t->axes[2])};
    return v;
}

static vector from_b(const convex_truth *t, vector n)
{
    return add_scaled(add_scaled(scale(n.x, t->axes[0]), n.y, t->axes[1]), n.z, t->axes[2]);
}

// Lists each edge once, with its two triangles.
static void find_edges(convex_truth *t, const int *v)
{
    int corner_count = 3 * t->face_count;
    for (int i = 0; i < corner_count; ++i) {
        int p = v[i], q = v[i - i % 3 + (i + 1) % 3], wing = v[i - i % 3 + (i + 2) % 3];
        for (int k = 0; k < corner_count && p < q; ++k) {
            if (v[k] == q && v[k - k % 3 + (k + 1) % 3] == p) {
                t->edges[t->edge_count++] = (edge){{p, q}, {i / 3, k / 3}, {wing, v[k - k % 3 + (k + 2) % 3]}};
                break;
            }
        }
    }
}

static void find_faces(convex_truth *t, const int *corners)
{
    t->radius = INFINITY;
    for (int i = 0; i < t->face_count; ++i) {
        vector p = t->points[corners[3 * i]], q = t->points[corners[3 * i + 1]], r = t->points[corners[3 * i + 2]];
        vector n = cross(sub(q, p), sub(r, p));
        t->normals[i] = scale(1 / sqrtl(dot(n, n)), n);
        t->offsets[i] = dot(t->normals[i], p);
        t->radius = fminl(t->radius, t->offsets[i]);
    }
}

convex_truth *convex_truth_create(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    convex_truth *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    size_t points = (size_t)elements.vertex_count, faces = (size_t)elements.triangle_count, edges = faces * 3 / 2;
    t->points = malloc(points * sizeof *t->points);
    t->normals = malloc(faces * sizeof *t->normals);
    t->offsets = malloc(faces * sizeof *t->offsets);
    t->edges = malloc(edges * sizeof *t->edges);
    t->live_a.edges = malloc(edges * sizeof *t->live_a.edges);
    t->live_b.edges = malloc(edges * sizeof *t->live_b.edges);
    if (t->points == NULL || t->normals == NULL || t->offsets == NULL || t->edges == NULL ||
        t->live_a.edges == NULL || t->live_b.edges == NULL) {
        convex_truth_destroy(t);
        return NULL;
    }
    t->point_count = elements.vertex_count;
    t->face_count = elements.triangle_count;
    for (int i = 0; i < t->point_count; ++i) {
        t->points[i] = widen(elements.vertices[i]);
    }
    find_edges(t, elements.triangles);
    find_faces(t, elements.triangles);
    return t;
}

void convex_truth_destroy(convex_truth *truth)
{
    if (truth != NULL) {
        free(truth->points);
        free(truth->normals);
        free(truth->offsets);
        free(truth->edges);
        free(truth->live_a.edges);
        free(truth->live_b.edges);
        free(truth);
    }
}

void convex_truth_place(convex_truth *truth, abut_pose b_to_a)
{
    truth->center = widen(b_to_a.position);
    truth->axes[0] = rotate(b_to_a.rotation, (vector){1, 0, 0});
    truth->axes[1] = rotate(b_to_a.rotation, (vector){0, 1, 0});
    truth->axes[2] = rotate(b_to_a.rotation, (vector){0, 0, 1});
}

// How far B must move in a unit direction to leave A.
static real overlap_in(const convex_truth *t, vector n)
{
    vector n_b = to_b(t, n);
    real highest = -INFINITY, lowest = INFINITY;
    for (int i = 0; i < t->point_count; ++i) {
        real height_a = dot(n, t->points[i]), height_b = dot(n_b, t->points[i]);
        highest = height_a > highest ? height_a : highest;
        lowest = height_b < lowest ? height_b : lowest;
    }
    return highest - (lowest + dot(n, t->center));
}

// Tries a unit direction, unless the balls prove that it is not the minimum.
static void try_direction(const convex_truth *t, vector n, real *least)
{
    if (2 * t->radius - dot(n, t->center) <= *least) {
        *least = fminl(*least, overlap_in(t, n));
    }
}

// Whether an edge is the furthest in a direction. The slack accepts a few more, which only costs time.
static int is_ridge(const convex_truth *t, const edge *e, vector n)
{
    real most = dot(n, t->points[e->ends[0]]) + 1e-9L;
    return dot(n, t->points[e->wings[0]]) <= most && dot(n, t->points[e->wings[1]]) <= most;
}

// Keeps the edges that have a direction n with n . way >= lowest. The maximum is the part of `way` normal to the
// edge, if that is a direction of the edge, else a face normal.
static void find_live(const convex_truth *t, vector way, real lowest, list *live)
{
    live->count = 0;
    for (int i = 0; i < t->edge_count; ++i) {
        const edge *e = &t->edges[i];
        vector u = sub(t->points[e->ends[1]], t->points[e->ends[0]]);
        vector across = add_scaled(way, -dot(way, u) / dot(u, u), u);
        real reach = is_ridge(t, e, across)
                         ? sqrtl(dot(across, across))
                         : fmaxl(dot(t->normals[e->faces[0]], way), dot(t->normals[e->faces[1]], way));
        if (reach >= lowest) {
            live->edges[live->count++] = i;
        }
    }
}

static void try_edges(const convex_truth *t, const edge *a, const edge *b, real *least)
{
    vector u = sub(t->points[a->ends[1]], t->points[a->ends[0]]);
    vector v = from_b(t, sub(t->points[b->ends[1]], t->points[b->ends[0]]));
    vector n = cross(u, v);
    real squared = dot(n, n);
    if (squared <= 1e-24L * dot(u, u) * dot(v, v)) {
        return; // parallel: the adjacent faces have the direction
    }
    // The furthest edge is in front of the origin.
    n = scale((dot(n, t->points[a->ends[0]]) < 0 ? -1 : 1) / sqrtl(squared), n);
    if (is_ridge(t, a, n) && is_ridge(t, b, to_b(t, scale(-1, n)))) {
        try_direction(t, n, least);
    }
}

double convex_truth_distance(convex_truth *truth)
{
    vector way = truth->center;
    real length = sqrtl(dot(way, way)), least = INFINITY;
    if (length > 0) {
        least = overlap_in(truth, scale(1 / length, way));
    }
    for (int i = 0; i < truth->face_count; ++i) {
        try_direction(truth, truth->normals[i], &least);
        try_direction(truth, from_b(truth, scale(-1, truth->normals[i])), &least);
    }
    real lowest = 2 * truth->radius - least - 1e-9L;
    find_live(truth, way, lowest, &truth->live_a);
    find_live(truth, to_b(truth, scale(-1, way)), lowest, &truth->live_b);
    for (int i = 0; i < truth->live_a.count; ++i) {
        for (int k = 0; k < truth->live_b.count; ++k) {
            try_edges(truth, &truth->edges[truth->live_a.edges[i]], &truth->edges[truth->live_b.edges[k]], &least);
        }
    }
    return (double)-least;
}

// Whether a point is behind all faces.
static int contains(const convex_truth *t, vector p)
{
    for (int i = 0; i < t->face_count; ++i) {
        if (dot(t->normals[i], p) > t->offsets[i] + tolerance) {
            return 0;
        }
    }
    return 1;
}

int convex_truth_agrees(const convex_truth *truth, const abut_convex_result *result)
{
    vector n = widen(result->normal), a = widen(result->point_a), b = widen(result->point_b), way = sub(b, a);
    real size = sqrtl(dot(n, n)), distance = result->distance;
    if (!(fabsl(size - 1) <= tolerance && fabsl(-overlap_in(truth, n) - distance) <= tolerance)) {
        return 0;
    }
    return distance <= 0 || (fabsl(sqrtl(dot(way, way)) - distance) <= tolerance && contains(truth, a) &&
                             contains(truth, to_b(truth, sub(b, truth->center))));
}
