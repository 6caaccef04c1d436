// SPDX-License-Identifier: MIT
// soft_matrix.c: sums, products and conjugate gradients, the same at any number of threads
#include "base/context.h"
#include "soft/soft.h"

enum { SOFT_RANGE = 256, GRAIN = 256 };

typedef struct summing {
    double *sums;
    int count;
    abut_soft_term *term;
    const void *data;
} summing;

static void sum_ranges(void *data, int begin, int end, int worker)
{
    const summing *task = data;
    (void)worker;
    for (int range = begin; range < end; ++range) {
        int last = task->count - range * SOFT_RANGE < SOFT_RANGE ? task->count : (range + 1) * SOFT_RANGE;
        double sum = 0.0;
        for (int i = range * SOFT_RANGE; i < last; ++i) {
            sum += task->term(task->data, i);
        }
        task->sums[range] = sum;
    }
}

double abut_soft_sum(abut_soft *s, int count, abut_soft_term *term, const void *data)
{
    summing task = {s->sums, count, term, data};
    int ranges = count / SOFT_RANGE + (count % SOFT_RANGE != 0);
    abut_soft_spread(s, ranges, 16, sum_ranges, &task);
    double sum = 0.0;
    for (int i = 0; i < ranges; ++i) {
        sum += s->sums[i];
    }
    return sum;
}

typedef struct two_vectors {
    const abut_vec3 *a, *b;
} two_vectors;

static double product_of(const void *data, int i)
{
    const two_vectors *v = data;
    return abut_dot(v->a[i], v->b[i]);
}

double abut_soft_dot(abut_soft *s, const abut_vec3 *a, const abut_vec3 *b)
{
    two_vectors v = {a, b};
    return abut_soft_sum(s, s->vertex_count, product_of, &v);
}

typedef struct product {
    const abut_soft *soft;
    const abut_mat3 *blocks;
    const abut_vec3 *vector;
    abut_vec3 *image;
} product;

static void multiply_range(void *data, int begin, int end, int worker)
{
    const product *p = data;
    const abut_soft_matrix *m = &p->soft->matrix;
    (void)worker;
    for (int row = begin; row < end; ++row) {
        abut_vec3 sum = {0, 0, 0};
        if (!p->soft->is_pinned[row]) {
            for (int i = m->offsets[row]; i < m->offsets[row + 1]; ++i) {
                sum = abut_add(sum, abut_mat3_apply(p->blocks[i], p->vector[m->columns[i]]));
            }
        }
        p->image[row] = sum;
    }
}

void abut_soft_multiply(const abut_soft *s, const abut_mat3 *blocks, const abut_vec3 *vector, abut_vec3 *image)
{
    product p = {s, blocks, vector, image};
    abut_soft_spread(s, s->vertex_count, GRAIN, multiply_range, &p);
}

// Inverses of the diagonal blocks, which are positive definite. A block without stiffness and mass is that of a pinned
// vertex, and not used.
static void invert_range(void *data, int begin, int end, int worker)
{
    const product *p = data;
    (void)worker;
    for (int row = begin; row < end; ++row) {
        abut_mat3 d = p->blocks[p->soft->matrix.diagonal[row]];
        abut_mat3 c = {abut_cross(d.y, d.z), abut_cross(d.z, d.x), abut_cross(d.x, d.y)};
        double determinant = abut_dot(d.x, c.x);
        if (!(determinant > 0.0)) { // by rounding only: any positive matrix serves
            c = abut_mat3_identity();
            determinant = fmax(fmax(d.x.x, d.y.y), d.z.z);
            determinant = determinant > 0.0 ? determinant : 1.0;
        }
        double inverse = 1.0 / determinant;
        p->soft->inverses[row] = abut_mat3_transpose(
            abut_mat3_make(abut_scale(inverse, c.x), abut_scale(inverse, c.y), abut_scale(inverse, c.z)));
    }
}

static void precondition_range(void *data, int begin, int end, int worker)
{
    const product *p = data;
    (void)worker;
    for (int row = begin; row < end; ++row) {
        p->image[row] = abut_mat3_apply(p->soft->inverses[row], p->vector[row]);
    }
}

typedef struct combination {
    abut_vec3 *x;
    double factor_x; ///< x becomes factor_x * x + factor * y
    double factor;
    const abut_vec3 *y;
} combination;

static void combine_range(void *data, int begin, int end, int worker)
{
    const combination *c = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        c->x[i] = abut_add_scaled(abut_scale(c->factor_x, c->x[i]), c->factor, c->y[i]);
    }
}

static void combine(const abut_soft *s, double factor_x, abut_vec3 *x, double factor, const abut_vec3 *y)
{
    combination c = {x, factor_x, factor, y};
    abut_soft_spread(s, s->vertex_count, 4 * GRAIN, combine_range, &c);
}

int abut_soft_solve(abut_soft *s, const abut_mat3 *blocks, const abut_vec3 *b, double accuracy, int limit,
                    abut_vec3 *x)
{
    abut_vec3 *r = s->vectors[SOFT_RESIDUAL], *p = s->vectors[SOFT_DIRECTION], *q = s->vectors[SOFT_IMAGE],
              *z = s->vectors[SOFT_SCALED];
    product inverse = {s, blocks, r, z};
    size_t bytes = (size_t)s->vertex_count * sizeof *x;
    abut_soft_spread(s, s->vertex_count, GRAIN, invert_range, &inverse);
    memset(x, 0, bytes);
    for (int i = 0; i < s->vertex_count; ++i) {
        r[i] = s->is_pinned[i] ? abut_vec3_make(0, 0, 0) : b[i];
    }
    abut_soft_spread(s, s->vertex_count, GRAIN, precondition_range, &inverse);
    memcpy(p, z, bytes);
    double rz = abut_soft_dot(s, r, z), enough = accuracy * accuracy * abut_soft_dot(s, r, r);
    int count = 0;
    while (count < limit && abut_soft_dot(s, r, r) > enough) {
        abut_soft_multiply(s, blocks, p, q);
        double curvature = abut_soft_dot(s, p, q);
        if (!(curvature > 0.0)) { // rounding, or values that are not finite
            break;
        }
        double step = rz / curvature, last = rz;
        combine(s, 1.0, x, step, p);
        combine(s, 1.0, r, -step, q);
        abut_soft_spread(s, s->vertex_count, GRAIN, precondition_range, &inverse);
        rz = abut_soft_dot(s, r, z);
        combine(s, rz / last, p, 1.0, z);
        ++count;
    }
    return count;
}
