// SPDX-License-Identifier: MIT
// classify.c: polar cones and classes of the simplices of a complex, and its flat patches
//
// Source:  Merlhiot 2007, Tables 1 and 2.
// Differs: vertices are 0-simplices (the paper's section 4.1 says 1-simplices). Directions have rounding errors of the
//          coordinates' noise over the height of the triangle. Cones are flat up to eight times that, at most 1e-3.
#include "complex/flatness.h"

#include "base/context.h"

static const double least_tau = 1e-9; ///< radians

typedef struct scratch {
    abut_vec3 *directions;
    abut_vec3 *room;
} scratch;

typedef struct classifier {
    abut_complex *complex;
    scratch *scratches;    ///< by worker
    unsigned char *strict; ///< by simplex: neighbours that are coplanar up to rounding are not; NULL: none
} classifier;

static int is_strict(const classifier *k, int simplex)
{
    return k->strict != NULL && k->strict[simplex];
}

static abut_vec3 area_vector(const abut_complex *c, int triangle)
{
    const int *t = c->triangles + 3 * (size_t)triangle;
    abut_vec3 p = c->vertices[t[0]];
    return abut_cross(abut_sub(c->vertices[t[1]], p), abut_sub(c->vertices[t[2]], p));
}

/// The least height of a triangle.
static double height_of(const abut_complex *c, int triangle)
{
    const int *t = c->triangles + 3 * (size_t)triangle;
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        longest = fmax(longest, abut_norm(abut_sub(c->vertices[t[(k + 1) % 3]], c->vertices[t[k]])));
    }
    return abut_norm(area_vector(c, triangle)) / longest;
}

static double angle_at(const abut_complex *c, int triangle, int vertex)
{
    const int *t = c->triangles + 3 * (size_t)triangle;
    int k = t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2;
    abut_vec3 p = c->vertices[vertex];
    abut_vec3 u = abut_sub(c->vertices[t[(k + 1) % 3]], p), v = abut_sub(c->vertices[t[(k + 2) % 3]], p);
    return atan2(abut_norm(abut_cross(u, v)), abut_dot(u, v));
}

static void look_at_triangle(const classifier *k, int triangle)
{
    abut_complex *c = k->complex;
    int simplex = c->vertex_count + c->info.edge_count + triangle;
    abut_polar_cone cone = {abut_unit(area_vector(c, triangle)), abut_complex_tau(c, height_of(c, triangle)),
                            !c->is_solid[triangle], 1};
    c->cones[simplex] = cone;
    c->classes[simplex] = 6;
}

static void look_at_edge(const classifier *k, int edge, const scratch *s)
{
    abut_complex *c = k->complex;
    const int *ends = c->edges + 2 * (size_t)edge;
    abut_vec3 p = c->vertices[ends[0]], outward = {0.0, 0.0, 0.0};
    abut_vec3 along = abut_unit(abut_sub(c->vertices[ends[1]], p));
    int begin = c->wing_offsets[edge], count = c->wing_offsets[edge + 1] - begin;
    double tau = least_tau;
    for (int i = 0; i < count; ++i) {
        int triangle = c->wings[begin + i];
        abut_vec3 way = abut_sub(c->vertices[abut_complex_apex(c, triangle, edge)], p);
        s->directions[i] = abut_unit(abut_add_scaled(way, -abut_dot(way, along), along));
        tau = fmax(tau, abut_complex_tau(c, height_of(c, triangle)));
        if (c->is_solid[triangle]) {
            outward = abut_add(outward, abut_unit(area_vector(c, triangle)));
        }
    }
    int simplex = c->vertex_count + edge;
    tau = is_strict(k, simplex) ? least_tau : tau;
    c->cones[simplex] = abut_polar_of_edge(along, s->directions, count, tau, outward, (double *)s->room);
    int dimension = c->cones[simplex].dimension;
    c->classes[simplex] = dimension == 2 ? 2 : dimension == 1 ? 5 : ABUT_NO_CLASS;
}

/// Whether the surface at a vertex is a plane with this normal: no border, no segment, no other normal.
static int is_flat_at(const abut_complex *c, int vertex, abut_vec3 normal, double tau)
{
    for (int i = c->spoke_offsets[vertex]; i < c->spoke_offsets[vertex + 1]; ++i) {
        int edge = c->spokes[i];
        if (c->wing_offsets[edge + 1] - c->wing_offsets[edge] < 2) {
            return 0;
        }
        for (int k = c->wing_offsets[edge]; k < c->wing_offsets[edge + 1]; ++k) {
            abut_vec3 n = abut_unit(area_vector(c, c->wings[k]));
            if (abut_norm(abut_cross(n, normal)) > 8.0 * tau) {
                return 0;
            }
        }
    }
    return 1;
}

static void look_at_vertex(const classifier *k, int vertex, const scratch *s)
{
    abut_complex *c = k->complex;
    if (c->classes[vertex] == ABUT_NO_CLASS) { // not used; or no cone even with room for rounding
        return;
    }
    abut_vec3 p = c->vertices[vertex], outward = {0.0, 0.0, 0.0};
    int begin = c->spoke_offsets[vertex], count = c->spoke_offsets[vertex + 1] - begin;
    double tau = least_tau;
    for (int i = 0; i < count; ++i) {
        int edge = c->spokes[begin + i];
        const int *ends = c->edges + 2 * (size_t)edge;
        abut_vec3 way = abut_sub(c->vertices[ends[0] == vertex ? ends[1] : ends[0]], p);
        s->directions[i] = abut_unit(way);
        tau = fmax(tau, abut_complex_tau(c, abut_norm(way)));
        for (int w = c->wing_offsets[edge]; w < c->wing_offsets[edge + 1]; ++w) {
            int triangle = c->wings[w]; // of which every one comes twice
            tau = fmax(tau, abut_complex_tau(c, height_of(c, triangle)));
            if (c->is_solid[triangle]) {
                outward =
                    abut_add_scaled(outward, angle_at(c, triangle, vertex), abut_unit(area_vector(c, triangle)));
            }
        }
    }
    tau = is_strict(k, vertex) ? least_tau : tau;
    abut_polar_cone cone = abut_polar_of_vertex(s->directions, count, tau, outward, s->room);
    static const unsigned char classes[4] = {ABUT_NO_CLASS, 3, 1, 0};
    c->cones[vertex] = cone;
    c->classes[vertex] = classes[cone.dimension];
    if (cone.dimension == 1 && is_flat_at(c, vertex, cone.axis, tau)) {
        c->classes[vertex] = 4;
    }
}

static void look_at_simplices(void *data, int begin, int end, int worker)
{
    const classifier *k = data;
    int edges = k->complex->vertex_count, triangles = edges + k->complex->info.edge_count;
    for (int i = begin; i < end; ++i) {
        if (k->strict != NULL && !k->strict[i]) {
            continue;
        }
        if (i < edges) {
            look_at_vertex(k, i, &k->scratches[worker]);
        } else if (i < triangles) {
            look_at_edge(k, i - edges, &k->scratches[worker]);
        } else {
            look_at_triangle(k, i - triangles);
        }
    }
}

/// Marks the vertices that are in use with class 0, and the others with 7. Returns the most directions at one simplex.
static int mark_used(abut_complex *c, const int *points, int point_count)
{
    int most = 1;
    for (int i = 0; i < c->vertex_count; ++i) {
        int count = c->spoke_offsets[i + 1] - c->spoke_offsets[i];
        c->classes[i] = count > 0 ? 0 : ABUT_NO_CLASS;
        most = count > most ? count : most;
    }
    for (int i = 0; i < c->info.edge_count; ++i) {
        int count = c->wing_offsets[i + 1] - c->wing_offsets[i];
        most = count > most ? count : most;
    }
    for (int i = 0; i < point_count; ++i) {
        c->classes[points[i]] = 0;
    }
    for (int i = 0; i < c->vertex_count; ++i) {
        c->info.vertex_count += c->classes[i] == 0;
    }
    return most;
}

/// Joins the triangles at flat edges and names each patch by its lowest face.
static void find_patches(abut_complex *c, int *roots)
{
    for (int i = 0; i < c->info.triangle_count; ++i) {
        roots[i] = i;
    }
    for (int i = 0; i < c->info.edge_count; ++i) {
        for (int k = c->wing_offsets[i] + 1; c->classes[c->vertex_count + i] == 5 && k < c->wing_offsets[i + 1];
             ++k) {
            (void)abut_complex_join_roots(roots, c->wings[k - 1], c->wings[k]);
        }
    }
    for (int i = 0; i < c->info.triangle_count; ++i) {
        c->patches[i] = c->triangle_faces[i];
    }
    for (int pass = 0; pass < 2; ++pass) { // the lowest at the root, then from the root to all
        for (int i = 0; i < c->info.triangle_count; ++i) {
            int root = abut_complex_find_root(roots, i);
            int *low = &c->patches[root];
            if (pass == 0 && c->triangle_faces[i] >= 0 && (*low < 0 || c->triangle_faces[i] < *low)) {
                *low = c->triangle_faces[i];
            } else if (pass == 1) {
                c->patches[i] = *low;
            }
        }
    }
}

/// Classifies all simplices, and again those of surfaces and edges that are not as flat and straight as they seem.
static int classify(classifier *k, int *roots)
{
    abut_complex *c = k->complex;
    int count = abut_complex_simplex_count(c);
    abut_parallel_for(&c->context, count, 1024, look_at_simplices, k);
    find_patches(c, roots);
    double lowest = HUGE_VAL;
    for (int i = 0; i < c->info.triangle_count; ++i) {
        lowest = fmin(lowest, height_of(c, i));
    }
    for (int i = 0; i < c->info.edge_count; ++i) {
        const int *ends = c->edges + 2 * (size_t)i;
        lowest = fmin(lowest, abut_norm(abut_sub(c->vertices[ends[1]], c->vertices[ends[0]])));
    }
    if (abut_complex_tau(c, lowest) <= least_tau) {
        return 1; // nothing seems flat that is not
    }
    k->strict = abut_allocate_zeroed(&c->context, (size_t)count, 1);
    int is_good = k->strict != NULL && abut_complex_mark_curved(c, roots, k->strict);
    if (is_good) {
        abut_parallel_for(&c->context, count, 1024, look_at_simplices, k);
        find_patches(c, roots);
    }
    abut_free(&c->context, k->strict);
    return is_good;
}

abut_status abut_complex_classify(abut_complex *complex, const int *points, int point_count, abut_error *error)
{
    abut_complex *c = complex;
    const abut_context *context = &c->context;
    size_t count = (size_t)abut_complex_simplex_count(c);
    int workers = context->worker_count > 0 ? context->worker_count : 1;
    c->classes = abut_allocate_zeroed(context, count, 1);
    c->cones = abut_allocate_zeroed(context, count, sizeof *c->cones);
    c->patches = abut_allocate(context, (size_t)c->info.triangle_count, sizeof *c->patches);
    int *roots = abut_allocate(context, (size_t)c->info.triangle_count, sizeof *roots);
    classifier k = {c, abut_allocate_zeroed(context, (size_t)workers, sizeof(scratch)), NULL};
    int is_good =
        c->classes != NULL && c->cones != NULL && c->patches != NULL && roots != NULL && k.scratches != NULL;
    size_t most = is_good ? (size_t)mark_used(c, points, point_count) : 0;
    for (int i = 0; is_good && i < workers; ++i) {
        k.scratches[i].directions = abut_allocate(context, most, sizeof(abut_vec3));
        k.scratches[i].room = abut_allocate(context, 2 * most + 8, sizeof(abut_vec3));
        is_good = k.scratches[i].directions != NULL && k.scratches[i].room != NULL;
    }
    is_good = is_good && classify(&k, roots);
    if (is_good) {
        for (size_t i = 0; i < count; ++i) {
            ++c->info.class_counts[c->classes[i]];
        }
    }
    for (int i = 0; k.scratches != NULL && i < workers; ++i) {
        abut_free(context, k.scratches[i].directions);
        abut_free(context, k.scratches[i].room);
    }
    abut_free(context, k.scratches);
    abut_free(context, roots);
    return is_good ? ABUT_OK : abut_fail(error, ABUT_NO_MEMORY, "no memory to classify %zu simplices", count);
}
