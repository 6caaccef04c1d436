// SPDX-License-Identifier: MIT
// star_oracle.h: local minima of the distance of two complexes by definition
//
// The nearest points of two closed simplices are a local minimum of the distance if no simplex at the first point is
// nearer to a simplex at the second one. Neither cones nor classes are used, and solids are filled with tetrahedra.
#ifndef ABUT_TEST_STAR_ORACLE_H
#define ABUT_TEST_STAR_ORACLE_H

#include "complexes.h"
#include "prim/point_segment.h"
#include "prim/point_triangle.h"
#include "prim/segment_segment.h"

/// The elements of a mesh, as simplices of up to four vertices.
typedef struct oracle_body {
    abut_vec3 *vertices; ///< placed
    int (*simplices)[4];
    int *sizes;
    int count;
} oracle_body;

static inline void oracle_add(oracle_body *body, const int *vertices, int size)
{
    for (int k = 0; k < size; ++k) {
        body->simplices[body->count][k] = vertices[k];
    }
    body->sizes[body->count++] = size;
}

static inline oracle_body oracle_make(const abut_mesh *mesh, abut_pose pose)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    size_t most = (size_t)(e.point_count + e.segment_count + e.triangle_count + e.tet_count);
    oracle_body body = {malloc((size_t)e.vertex_count * sizeof(abut_vec3)), malloc(most * sizeof(int[4])),
                        malloc(most * sizeof(int)), 0};
    for (int i = 0; i < e.vertex_count; ++i) {
        body.vertices[i] = abut_pose_apply(pose, e.vertices[i]);
    }
    for (int i = 0; i < e.tet_count; ++i) {
        oracle_add(&body, e.tets + 4 * i, 4);
    }
    for (int i = 0; i < e.triangle_count && e.tet_count == 0; ++i) {
        oracle_add(&body, e.triangles + 3 * i, 3);
    }
    for (int i = 0; i < e.segment_count; ++i) {
        oracle_add(&body, e.segments + 2 * i, 2);
    }
    for (int i = 0; i < e.point_count; ++i) {
        oracle_add(&body, e.points + i, 1);
    }
    return body;
}

static inline void oracle_free(oracle_body *body)
{
    free(body->vertices);
    free(body->simplices);
    free(body->sizes);
}

typedef struct oracle_pair {
    double squared;
    abut_vec3 a, b;
} oracle_pair;

static inline void oracle_keep(oracle_pair *best, double squared, abut_vec3 a, abut_vec3 b)
{
    if (squared < best->squared) {
        *best = (oracle_pair){squared, a, b};
    }
}

/// A point and all faces, edges and vertices of a simplex.
static inline void oracle_point(abut_vec3 p, const abut_vec3 *q, int size, int is_turned, oracle_pair *best)
{
    for (int i = 0; i < size; ++i) {
        for (int j = i; j < size; ++j) {
            for (int k = j; k < size; ++k) {
                abut_vec3 near_q = q[i];
                if (i < j && j < k) {
                    double w[3];
                    const abut_vec3 t[3] = {q[i], q[j], q[k]};
                    abut_point_triangle_distance_squared(p, t, w);
                    near_q = abut_triangle_point(t, w);
                } else if (i < k) {
                    double t;
                    abut_point_segment_distance_squared(p, q[i], q[k], &t);
                    near_q = abut_lerp(q[i], q[k], t);
                }
                double squared = abut_norm_squared(abut_sub(p, near_q));
                oracle_keep(best, squared, is_turned ? near_q : p, is_turned ? p : near_q);
            }
        }
    }
}

static inline int oracle_corners(const oracle_body *body, int simplex, abut_vec3 corners[4])
{
    for (int v = 0; v < body->sizes[simplex]; ++v) {
        corners[v] = body->vertices[body->simplices[simplex][v]];
    }
    return body->sizes[simplex];
}

/// The nearest points of two simplices that do not meet.
static inline oracle_pair oracle_nearest(const oracle_body *a, int i, const oracle_body *b, int k)
{
    abut_vec3 p[4], q[4];
    int m = oracle_corners(a, i, p), n = oracle_corners(b, k, q);
    oracle_pair best = {.squared = HUGE_VAL};
    for (int v = 0; v < m; ++v) {
        oracle_point(p[v], q, n, 0, &best);
    }
    for (int v = 0; v < n; ++v) {
        oracle_point(q[v], p, m, 1, &best);
    }
    for (int v = 0; v < m * m * n * n; ++v) {
        int p0 = v % m, p1 = v / m % m, q0 = v / (m * m) % n, q1 = v / (m * m * n);
        if (p0 < p1 && q0 < q1) {
            double s, t;
            abut_segment_segment_distance_squared(p[p0], p[p1], q[q0], q[q1], &s, &t);
            abut_vec3 x = abut_lerp(p[p0], p[p1], s), y = abut_lerp(q[q0], q[q1], t);
            oracle_keep(&best, abut_norm_squared(abut_sub(x, y)), x, y);
        }
    }
    return best;
}

static inline double oracle_volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    return abut_dot(abut_sub(b, a), abut_cross(abut_sub(c, a), abut_sub(d, a)));
}

/// Whether an edge of a simplex passes through a triangle of another one, or a vertex lies in a tetrahedron.
static inline int oracle_enters(const abut_vec3 *p, int m, const abut_vec3 *q, int n)
{
    for (int v = 0; v < m * m && n >= 3; ++v) {
        abut_vec3 s = p[v % m], t = p[v / m];
        for (int skipped = 0; skipped < (n == 4 ? 4 : 1); ++skipped) {
            abut_vec3 c[3];
            for (int k = 0, count = 0; k < n; ++k) {
                if (n == 3 || k != skipped) {
                    c[count++] = q[k];
                }
            }
            double x = oracle_volume(s, t, c[0], c[1]), y = oracle_volume(s, t, c[1], c[2]);
            double z = oracle_volume(s, t, c[2], c[0]);
            if (oracle_volume(s, c[0], c[1], c[2]) * oracle_volume(t, c[0], c[1], c[2]) <= 0.0 &&
                ((x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0)) && v % m < v / m) {
                return 1;
            }
        }
    }
    for (int v = 0; v < m && n == 4; ++v) {
        double whole = oracle_volume(q[0], q[1], q[2], q[3]);
        if (oracle_volume(p[v], q[1], q[2], q[3]) / whole >= 0.0 &&
            oracle_volume(q[0], p[v], q[2], q[3]) / whole >= 0.0 &&
            oracle_volume(q[0], q[1], p[v], q[3]) / whole >= 0.0 &&
            oracle_volume(q[0], q[1], q[2], p[v]) / whole >= 0.0) {
            return 1;
        }
    }
    return 0;
}

/// Whether two bodies meet.
static inline int oracle_meet(const oracle_body *a, const oracle_body *b)
{
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            abut_vec3 p[4], q[4];
            int m = oracle_corners(a, i, p), n = oracle_corners(b, k, q);
            if (oracle_enters(p, m, q, n) || oracle_enters(q, n, p, m)) {
                return 1;
            }
        }
    }
    return 0;
}

/// The least distance of two bodies that do not meet.
static inline double oracle_distance(const oracle_body *a, const oracle_body *b)
{
    double least = HUGE_VAL;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            least = fmin(least, oracle_nearest(a, i, b, k).squared);
        }
    }
    return sqrt(least);
}

/// Whether a point is on a simplex.
static inline int oracle_is_on(const oracle_body *body, int simplex, abut_vec3 p)
{
    abut_vec3 q[4];
    oracle_pair best = {.squared = HUGE_VAL};
    for (int v = 0; v < body->sizes[simplex]; ++v) {
        q[v] = body->vertices[body->simplices[simplex][v]];
    }
    oracle_point(p, q, body->sizes[simplex], 0, &best);
    return best.squared < 1e-20;
}

/// Whether points x of a and y of b, `squared` apart, are a local minimum.
static inline int oracle_is_minimum(const oracle_body *a, const oracle_body *b, abut_vec3 x, abut_vec3 y,
                                    double slack)
{
    double limit = abut_norm(abut_sub(x, y)) - slack;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; oracle_is_on(a, i, x) && k < b->count; ++k) {
            if (oracle_is_on(b, k, y) && sqrt(oracle_nearest(a, i, b, k).squared) < limit) {
                return 0;
            }
        }
    }
    return 1;
}

#endif
