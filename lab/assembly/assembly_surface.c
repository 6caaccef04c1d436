// SPDX-License-Identifier: MIT
// assembly_surface.c: surfaces given by a function, cut into triangles of a given chord and edge length
//
// A grid of equal steps in the parameters. The number of steps follows from the fastest motion of the point along a
// parameter, sampled, and from the radius of curvature: a quad's diagonal is at most the edge length, and both bends
// together at most the chord. Quads are cut along their shorter diagonal.
#include "assembly/assembly_surface.h"

#include "common/lab_support.h"

enum {
    SAMPLES = 24,          ///< along a parameter of a block
    GRID_SAMPLES = 240,    ///< along a parameter of a grid
    STEPS_MOST = 20000,    ///< along a parameter
    LATTICE_MOST = 1 << 28 ///< points of a block's lattice
};

static const double half_pi = 0.5 * ABUT_LAB_PI;

double abut_surface_sine(double angle)
{
    // whole half turns off, then the series for at most a quarter turn
    double turns = floor(angle / ABUT_LAB_PI + 0.5), x = angle - turns * ABUT_LAB_PI;
    double square = x * x, term = x, sum = x;
    for (int i = 1; i <= 11; ++i) {
        term *= -square / (2.0 * i * (2.0 * i + 1.0));
        sum += term;
    }
    return fmod(fabs(turns), 2.0) == 1.0 ? -sum : sum;
}

double abut_surface_cosine(double angle)
{
    return abut_surface_sine(angle + half_pi);
}

void abut_surface_disc(double u, double v, double *x, double *y)
{
    int is_wide = fabs(u) >= fabs(v);
    double radius = is_wide ? u : v;
    double angle = radius == 0.0 ? 0.0 : is_wide ? 0.5 * half_pi * (v / u) : half_pi - 0.5 * half_pi * (u / v);
    *x = radius * abut_surface_cosine(angle);
    *y = radius * abut_surface_sine(angle);
}

/// The largest speed of the point along a parameter, over samples of the parameters from `from` to `to`. Of a block,
/// `is_border`, only its border counts.
static double largest_speed(const abut_surface_part *part, int axis, const double from[3], const double to[3],
                            int is_border)
{
    double largest = 0.0;
    int counts[3];
    for (int k = 0; k < 3; ++k) {
        counts[k] = !(to[k] > from[k]) ? 0 : is_border ? SAMPLES : GRID_SAMPLES;
    }
    for (int i = 0; i < (counts[0] + 1) * (counts[1] + 1) * (counts[2] + 1); ++i) {
        const int at[3] = {i % (counts[0] + 1), i / (counts[0] + 1) % (counts[1] + 1),
                           i / ((counts[0] + 1) * (counts[1] + 1))};
        int is_outer = !is_border;
        double p[3], q[3];
        for (int k = 0; k < 3; ++k) {
            double step = counts[k] > 0 ? (to[k] - from[k]) / counts[k] : 0.0;
            p[k] = q[k] = from[k] + step * at[k];
            q[k] += k == axis ? step : 0.0;
            is_outer |= k != axis && (at[k] == 0 || at[k] == counts[k]);
        }
        if (at[axis] < counts[axis] && is_outer) {
            abut_vec3 way = abut_sub(part->at(part, q[0], q[1], q[2]), part->at(part, p[0], p[1], p[2]));
            largest = fmax(largest, abut_norm(way) / (q[axis] - p[axis]));
        }
    }
    return largest;
}

/// The number of steps along each parameter. Returns 0 after a failure.
static int count_steps(abut_surface_builder *b, const abut_surface_part *part, const double from[3],
                       const double to[3], int is_border, int steps[3])
{
    for (int k = 0; k < 3 && b->status == ABUT_OK; ++k) {
        double length = to[k] > from[k] ? (to[k] - from[k]) * largest_speed(part, k, from, to, is_border) : 0.0;
        double longest = b->edge / sqrt(2.0);
        if (part->bend[k] > 0.0) { // both directions may take half the chord
            longest = fmin(longest, sqrt(8.0 * part->bend[k] * 0.5 * b->chord));
        }
        double unit = fmax(part->multiple[k], 1.0),
               wanted = unit * fmax(ceil(1.001 * length / longest / unit), 1.0);
        if (!(wanted <= STEPS_MOST)) {
            b->status = abut_fail(b->error, ABUT_LIMIT, "%g steps along a surface: take longer edges", wanted);
            return 0;
        }
        steps[k] = (int)wanted;
    }
    return b->status == ABUT_OK;
}

static int add_vertex(abut_surface_builder *b, abut_vec3 position)
{
    if (b->status == ABUT_OK &&
        !abut_grow(&b->context, &b->vertices, &b->vertex_capacity, b->vertex_count + 1, sizeof *b->vertices)) {
        b->status = abut_fail(b->error, ABUT_NO_MEMORY, "no memory for %d vertices", b->vertex_count);
    }
    if (b->status != ABUT_OK) {
        return 0;
    }
    b->vertices[b->vertex_count] = position;
    return b->vertex_count++;
}

/// Adds the triangles of a quad, counter-clockwise.
static void add_quad(abut_surface_builder *b, const int q[4])
{
    if (b->status == ABUT_OK &&
        !abut_grow(&b->context, &b->corners, &b->corner_capacity, b->corner_count + 6, sizeof *b->corners)) {
        b->status = abut_fail(b->error, ABUT_NO_MEMORY, "no memory for %d triangles", b->corner_count / 3);
    }
    if (b->status != ABUT_OK) {
        return;
    }
    const abut_vec3 *v = b->vertices;
    int is_turned = abut_norm_squared(abut_sub(v[q[1]], v[q[3]])) < abut_norm_squared(abut_sub(v[q[0]], v[q[2]]));
    const int first[6] = {q[0], q[1], q[2], q[0], q[2], q[3]}, second[6] = {q[0], q[1], q[3], q[1], q[2], q[3]};
    for (int i = 0; i < 6; ++i) {
        b->corners[b->corner_count++] = is_turned ? second[i] : first[i];
    }
}

/// A grid over u and v. Of a ring, the last row and column are the first ones.
static void add_grid(abut_surface_builder *b, const abut_surface_part *part, int is_ring)
{
    const double from[3] = {0.0, 0.0, 0.0}, to[3] = {1.0, 1.0, 0.0};
    int steps[3];
    if (!count_steps(b, part, from, to, 0, steps)) {
        return;
    }
    int begin = b->vertex_count, columns = steps[1] + !is_ring, rows = steps[0] + !is_ring;
    for (int i = 0; i < rows; ++i) {
        for (int k = 0; k < columns; ++k) {
            (void)add_vertex(b, part->at(part, (double)i / steps[0], (double)k / steps[1], 0.0));
        }
    }
    for (int i = 0; i < steps[0]; ++i) {
        for (int k = 0; k < steps[1]; ++k) {
            int next_i = (i + 1) % rows, next_k = (k + 1) % columns;
            const int quad[4] = {begin + i * columns + k, begin + next_i * columns + k,
                                 begin + next_i * columns + next_k, begin + i * columns + next_k};
            add_quad(b, quad);
        }
    }
}

void abut_surface_sheet(abut_surface_builder *builder, const abut_surface_part *part)
{
    add_grid(builder, part, 0);
}

void abut_surface_ring(abut_surface_builder *builder, const abut_surface_part *part)
{
    add_grid(builder, part, 1);
}

/// The lattice of a block; inner points have no vertex.
typedef struct lattice {
    abut_surface_builder *builder;
    const abut_surface_part *part;
    int steps[3];
    int *vertices; ///< by point, from 1; 0: not made yet
} lattice;

static int lattice_vertex(lattice *l, const int at[3])
{
    size_t row = (size_t)l->steps[0] + 1,
           place = (size_t)at[0] + row * ((size_t)at[1] + ((size_t)l->steps[1] + 1) * (size_t)at[2]);
    if (l->vertices[place] == 0) {
        double p[3];
        for (int k = 0; k < 3; ++k) {
            p[k] = 2.0 * at[k] / l->steps[k] - 1.0;
        }
        l->vertices[place] = add_vertex(l->builder, l->part->at(l->part, p[0], p[1], p[2])) + 1;
    }
    return l->vertices[place] - 1;
}

/// One of the six sides: across parameter `axis`, at its begin or end.
static void add_side(lattice *l, int axis, int is_end)
{
    int first = (axis + 1) % 3, second = (axis + 2) % 3;
    int at[3];
    at[axis] = is_end ? l->steps[axis] : 0;
    for (int i = 0; i < l->steps[first]; ++i) {
        for (int k = 0; k < l->steps[second]; ++k) {
            static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
            int quad[4];
            for (int c = 0; c < 4; ++c) {
                int turned = is_end ? c : 3 - c;
                at[first] = i + around[turned][0];
                at[second] = k + around[turned][1];
                quad[c] = lattice_vertex(l, at);
            }
            add_quad(l->builder, quad);
        }
    }
}

void abut_surface_block(abut_surface_builder *builder, const abut_surface_part *part)
{
    const double from[3] = {-1.0, -1.0, -1.0}, to[3] = {1.0, 1.0, 1.0};
    lattice l = {.builder = builder, .part = part};
    if (!count_steps(builder, part, from, to, 1, l.steps)) {
        return;
    }
    double points = (l.steps[0] + 1.0) * (l.steps[1] + 1.0) * (l.steps[2] + 1.0);
    if (points > LATTICE_MOST) {
        builder->status = abut_fail(builder->error, ABUT_LIMIT, "a block of %g points: take longer edges", points);
        return;
    }
    l.vertices = abut_allocate_zeroed(&builder->context, (size_t)points, sizeof *l.vertices);
    if (l.vertices == NULL) {
        builder->status = abut_fail(builder->error, ABUT_NO_MEMORY, "no memory for a block of %g points", points);
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        add_side(&l, axis, 0);
        add_side(&l, axis, 1);
    }
    abut_free(&builder->context, l.vertices);
}
