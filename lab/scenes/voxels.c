// SPDX-License-Identifier: MIT
// voxels.c: solids of tetrahedra from a field
#include "scenes/voxels.h"

#include "common/lab_support.h"

#include <math.h>
#include <string.h>

/// A grid around the limbs.
typedef struct voxel_grid {
    const abut_limb *limbs;
    int limb_count;
    int low[3], counts[3]; ///< in cells
    int *numbers;          ///< of the corners of all cells: -1 if no cell uses it
    abut_vec3 *vertices;
    int *tets;
    int vertex_count, tet_count;
} voxel_grid;

/// The distance of a point from the surface of the limbs, negative inside.
static double field(const voxel_grid *g, abut_vec3 p)
{
    double least = HUGE_VAL;
    for (int i = 0; i < g->limb_count; ++i) {
        const abut_limb *l = &g->limbs[i];
        abut_vec3 along = abut_sub(l->to, l->from);
        double square = abut_norm_squared(along);
        double t = square > 0.0 ? fmin(fmax(abut_dot(abut_sub(p, l->from), along) / square, 0.0), 1.0) : 0.0;
        double radius = l->from_radius + t * (l->to_radius - l->from_radius);
        least = fmin(least, abut_norm(abut_sub(p, abut_add_scaled(l->from, t, along))) - radius);
    }
    return least;
}

static int corner(const voxel_grid *g, int i, int j, int k)
{
    return i + (g->counts[0] + 1) * (j + (g->counts[1] + 1) * k);
}

static abut_vec3 place(const voxel_grid *g, double i, double j, double k)
{
    return abut_vec3_make(g->low[0] + i, g->low[1] + j, g->low[2] + k);
}

static void find_bounds(voxel_grid *g)
{
    abut_vec3 lower = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, upper = abut_negate(lower);
    for (int i = 0; i < g->limb_count; ++i) {
        const abut_limb *l = &g->limbs[i];
        double r = fmax(l->from_radius, l->to_radius) + 1.0;
        const abut_vec3 by = {r, r, r};
        lower = abut_min(lower, abut_sub(abut_min(l->from, l->to), by));
        upper = abut_max(upper, abut_add(abut_max(l->from, l->to), by));
    }
    const double lows[3] = {lower.x, lower.y, lower.z}, highs[3] = {upper.x, upper.y, upper.z};
    for (int k = 0; k < 3; ++k) {
        g->low[k] = (int)floor(lows[k]);
        g->counts[k] = (int)ceil(highs[k]) - g->low[k];
    }
}

/// Adds a cell: six tetrahedra about a diagonal.
static void add_cell(voxel_grid *g, int i, int j, int k)
{
    static const int corners[24] = {0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7};
    for (int n = 0; n < 24; ++n) {
        int c = corners[n], x = i + (c & 1), y = j + (c >> 1 & 1), z = k + (c >> 2);
        int *number = &g->numbers[corner(g, x, y, z)];
        if (*number < 0) {
            *number = g->vertex_count;
            g->vertices[g->vertex_count++] = place(g, x, y, z);
        }
        g->tets[4 * g->tet_count + n] = *number;
    }
    g->tet_count += 6;
}

/// Moves the vertices of the surface, those of fewer than eight cells, towards the surface of the limbs.
static void smooth(voxel_grid *g, const unsigned char *cells)
{
    for (int i = 0; i < g->vertex_count; ++i) {
        if (cells[i] == 8) {
            continue;
        }
        abut_vec3 p = g->vertices[i];
        const double e = 1e-3;
        abut_vec3 slope = {
            field(g, abut_add(p, abut_vec3_make(e, 0, 0))) - field(g, abut_sub(p, abut_vec3_make(e, 0, 0))),
            field(g, abut_add(p, abut_vec3_make(0, e, 0))) - field(g, abut_sub(p, abut_vec3_make(0, e, 0))),
            field(g, abut_add(p, abut_vec3_make(0, 0, e))) - field(g, abut_sub(p, abut_vec3_make(0, 0, e)))};
        double way = fmin(fmax(-field(g, p), -0.3), 0.3);
        g->vertices[i] = abut_add_scaled(p, way, abut_unit(slope));
    }
}

int abut_add_voxels(abut_setup_builder *b, const char *name, const abut_limb *limbs, int limb_count, double cell)
{
    voxel_grid g = {.limbs = limbs, .limb_count = limb_count};
    find_bounds(&g);
    size_t cells = (size_t)g.counts[0] * (size_t)g.counts[1] * (size_t)g.counts[2];
    size_t corners = (size_t)(g.counts[0] + 1) * (size_t)(g.counts[1] + 1) * (size_t)(g.counts[2] + 1);
    g.numbers = abut_allocate(&b->context, corners, sizeof *g.numbers);
    g.vertices = abut_allocate(&b->context, corners, sizeof *g.vertices);
    g.tets = abut_allocate(&b->context, 24 * cells, sizeof *g.tets);
    unsigned char *uses = abut_allocate_zeroed(&b->context, corners, 1);
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK && (g.numbers == NULL || g.vertices == NULL || g.tets == NULL || uses == NULL)) {
        b->status = abut_fail(b->error, ABUT_NO_MEMORY, "out of memory for mesh %s", name);
    }
    if (b->status == ABUT_OK) {
        memset(g.numbers, 0xff, corners * sizeof *g.numbers);
        for (size_t n = 0; n < cells; ++n) {
            int i = (int)(n % (size_t)g.counts[0]), j = (int)(n / (size_t)g.counts[0] % (size_t)g.counts[1]);
            int k = (int)(n / ((size_t)g.counts[0] * (size_t)g.counts[1]));
            if (field(&g, place(&g, i + 0.5, j + 0.5, k + 0.5)) < 0.0) {
                add_cell(&g, i, j, k);
                for (int c = 0; c < 8; ++c) {
                    ++uses[g.numbers[corner(&g, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))]];
                }
            }
        }
        smooth(&g, uses);
        for (int i = 0; i < g.vertex_count; ++i) {
            g.vertices[i] = abut_scale(cell, g.vertices[i]);
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = g.vertices;
        def.vertex_count = g.vertex_count;
        def.tets = g.tets;
        def.tet_count = g.tet_count;
        b->status = abut_mesh_create(&b->context, &def, &mesh, b->error);
    }
    abut_free(&b->context, g.numbers);
    abut_free(&b->context, g.vertices);
    abut_free(&b->context, g.tets);
    abut_free(&b->context, uses);
    return b->status == ABUT_OK ? abut_setup_add_mesh(b, name, mesh) : -1;
}
