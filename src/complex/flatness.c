// SPDX-License-Identifier: MIT
// flatness.c: whether flat patches are within rounding of a plane, and straight edges within rounding of a line
//
// An edge is flat if its triangles are coplanar up to the rounding of their corners. If that is much, as in files of
// floats far from their origin, the triangles of a surface of large radius are too, every one with the next, and all of
// the surface would be one flat face, inside which nothing is a corner: its nearest point would be lost. A patch as a
// whole tells: rounding moves no vertex far from its plane.
#include "complex/flatness.h"

#include "base/context.h"

#include <string.h>

static const double most_rounding = 4.0; ///< of the noise: how far rounding moves a vertex from plane or line
static const double least_angle = 2e-9;  ///< times the size: deviations below this do not matter

/// What belongs together, and the plane or the line that it should be on.
typedef struct fit {
    abut_vec3 sum;    ///< of the points
    abut_vec3 normal; ///< sum of area vectors, or the way to the farthest point
    int count;
    int is_off;
    double size; ///< the farthest of the points from their mean
    double off;  ///< the farthest of the points from plane or line
} fit;

static abut_vec3 mean_of(const fit *f)
{
    return abut_scale(1.0 / f->count, f->sum);
}

static void judge(fit *fits, int count, double noise)
{
    for (int i = 0; i < count; ++i) {
        fits[i].is_off = fits[i].off > fmax(most_rounding * noise, least_angle * fits[i].size);
    }
}

static abut_vec3 area_of(const abut_complex *c, int triangle)
{
    const int *t = c->triangles + 3 * (size_t)triangle;
    abut_vec3 p = c->vertices[t[0]];
    return abut_cross(abut_sub(c->vertices[t[1]], p), abut_sub(c->vertices[t[2]], p));
}

/// Fits a plane to each patch.
static void fit_planes(const abut_complex *c, int *patch_roots, fit *fits)
{
    for (int i = 0; i < c->info.triangle_count; ++i) {
        int root = abut_complex_find_root(patch_roots, i);
        fit *f = &fits[root];
        abut_vec3 area = area_of(c, i);
        f->normal = abut_add_scaled(f->normal, abut_dot(area, area_of(c, root)) < 0.0 ? -1.0 : 1.0, area);
        const int *t = c->triangles + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k, ++f->count) {
            f->sum = abut_add(f->sum, c->vertices[t[k]]);
        }
    }
    for (int i = 0; i < c->info.triangle_count; ++i) {
        fit *f = &fits[abut_complex_find_root(patch_roots, i)];
        abut_vec3 mean = mean_of(f), normal = abut_unit(f->normal);
        const int *t = c->triangles + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) {
            abut_vec3 way = abut_sub(c->vertices[t[k]], mean);
            f->size = fmax(f->size, abut_norm(way));
            f->off = fmax(f->off, fabs(abut_dot(way, normal)));
        }
    }
    judge(fits, c->info.triangle_count, c->noise);
}

/// Marks vertices and edges of patches that are not on a plane.
static void mark_patches(const abut_complex *c, int *patch_roots, const fit *fits, unsigned char *strict)
{
    for (int i = 0; i < c->info.triangle_count; ++i) {
        const int *t = c->triangles + 3 * (size_t)i;
        for (int k = 0; k < 3 && fits[abut_complex_find_root(patch_roots, i)].is_off; ++k) {
            strict[t[k]] = 1;
        }
    }
    for (int i = 0; i < c->info.edge_count; ++i) {
        for (int k = c->wing_offsets[i]; k < c->wing_offsets[i + 1]; ++k) {
            strict[c->vertex_count + i] |=
                (unsigned char)fits[abut_complex_find_root(patch_roots, c->wings[k])].is_off;
        }
    }
}

/// The least height of the triangles at an edge, seen from it or from one of its ends.
static double lowest_at(const abut_complex *c, int edge)
{
    double lowest = HUGE_VAL;
    for (int k = c->wing_offsets[edge]; k < c->wing_offsets[edge + 1]; ++k) {
        const int *t = c->triangles + 3 * (size_t)c->wings[k];
        double longest = 0.0;
        for (int i = 0; i < 3; ++i) {
            longest = fmax(longest, abut_norm(abut_sub(c->vertices[t[(i + 1) % 3]], c->vertices[t[i]])));
        }
        lowest = fmin(lowest, abut_norm(area_of(c, c->wings[k])) / longest);
    }
    return lowest;
}

/// Marks vertices in a plane (classes 3 and 4) where triangles of that plane meet at an edge that is not flat: short
/// edges near by hide that it is not.
static void mark_vertices(const abut_complex *c, unsigned char *strict)
{
    for (int i = 0; i < c->vertex_count; ++i) {
        double lowest = HUGE_VAL;
        int begin = c->spoke_offsets[i], end = c->spoke_offsets[i + 1];
        for (int k = begin; k < end && (c->classes[i] == 3 || c->classes[i] == 4); ++k) {
            lowest = fmin(lowest, lowest_at(c, c->spokes[k]));
        }
        double limit = 8.0 * abut_complex_tau(c, lowest);
        for (int k = begin; k < end && (c->classes[i] == 3 || c->classes[i] == 4); ++k) {
            int edge = c->spokes[k], coplanar = 0;
            for (int w = c->wing_offsets[edge]; w < c->wing_offsets[edge + 1]; ++w) {
                abut_vec3 normal = abut_unit(area_of(c, c->wings[w]));
                coplanar += abut_norm(abut_cross(normal, c->cones[i].axis)) <= limit;
            }
            strict[i] |= (unsigned char)(coplanar > 1 && c->classes[c->vertex_count + edge] != 5);
        }
    }
}

static abut_vec3 way_from(const abut_complex *c, int vertex, int edge)
{
    const int *ends = c->edges + 2 * (size_t)edge;
    return abut_sub(c->vertices[ends[0] == vertex ? ends[1] : ends[0]], c->vertices[vertex]);
}

int abut_complex_straight_edges(const abut_complex *complex, int vertex, int pair[2])
{
    const abut_complex *c = complex;
    double least = 0.0;
    for (int i = c->spoke_offsets[vertex]; i < c->spoke_offsets[vertex + 1]; ++i) {
        abut_vec3 u = abut_unit(way_from(c, vertex, c->spokes[i]));
        for (int k = i + 1; k < c->spoke_offsets[vertex + 1]; ++k) {
            double cosine = abut_dot(u, abut_unit(way_from(c, vertex, c->spokes[k])));
            if (cosine < least) {
                least = cosine;
                pair[0] = c->spokes[i];
                pair[1] = c->spokes[k];
            }
        }
    }
    return least < 0.0;
}

/// Joins the edges that run straight through vertices of class 1.
static void join_straight(const abut_complex *c, int *roots)
{
    for (int i = 0; i < c->info.edge_count; ++i) {
        roots[i] = i;
    }
    for (int i = 0; i < c->vertex_count; ++i) {
        int pair[2];
        if (c->classes[i] == 1 && abut_complex_straight_edges(c, i, pair)) {
            (void)abut_complex_join_roots(roots, pair[0], pair[1]);
        }
    }
}

/// Fits a line to each chain of edges: through the point farthest from the mean.
static void fit_lines(const abut_complex *c, int *roots, fit *fits)
{
    for (int pass = 0; pass < 3; ++pass) { // the mean, the farthest point, the distances from the line
        for (int i = 0; i < 2 * c->info.edge_count; ++i) {
            fit *f = &fits[abut_complex_find_root(roots, i / 2)];
            abut_vec3 p = c->vertices[c->edges[i]];
            if (pass == 0) {
                f->sum = abut_add(f->sum, p);
                ++f->count;
                continue;
            }
            abut_vec3 way = abut_sub(p, mean_of(f));
            if (pass == 1 && abut_norm(way) > f->size) {
                f->size = abut_norm(way);
                f->normal = way;
            } else if (pass == 2) {
                f->off = fmax(f->off, abut_norm(abut_cross(way, abut_unit(f->normal))));
            }
        }
    }
    judge(fits, c->info.edge_count, c->noise);
}

static void mark_chains(const abut_complex *c, int *roots, const fit *fits, unsigned char *strict)
{
    for (int i = 0; i < 2 * c->info.edge_count; ++i) {
        int vertex = c->edges[i];
        strict[vertex] |=
            (unsigned char)(c->classes[vertex] == 1 && fits[abut_complex_find_root(roots, i / 2)].is_off);
    }
}

int abut_complex_mark_curved(const abut_complex *complex, int *patch_roots, unsigned char *strict)
{
    const abut_complex *c = complex;
    size_t most =
        (size_t)(c->info.triangle_count > c->info.edge_count ? c->info.triangle_count : c->info.edge_count);
    fit *fits = abut_allocate_zeroed(&c->context, most, sizeof *fits);
    int *roots = abut_allocate(&c->context, (size_t)c->info.edge_count, sizeof *roots);
    int is_good = fits != NULL && roots != NULL;
    if (is_good) {
        fit_planes(c, patch_roots, fits);
        mark_patches(c, patch_roots, fits, strict);
        mark_vertices(c, strict);
        memset(fits, 0, most * sizeof *fits);
        join_straight(c, roots);
        fit_lines(c, roots, fits);
        mark_chains(c, roots, fits, strict);
    }
    abut_free(&c->context, roots);
    abut_free(&c->context, fits);
    return is_good;
}
