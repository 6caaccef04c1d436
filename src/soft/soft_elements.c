// SPDX-License-Identifier: MIT
// soft_elements.c: energies, forces and stiffness of springs, hinges and tetrahedra
//
// Spring:  energy k/2 (l - L)^2. Stiffness k d d^T + k (1 - L/l) (1 - d d^T), the second part only if l > L, so that the
//          matrix is positive semidefinite.
// Hinge:   energy k/2 (theta - Theta)^2 (Grinspun et al. 2003, "Discrete shells"); stiffness k g g^T with the gradient g
//          of theta.
// Tet:     corotational linear element. F = sum x_i b_i^T with the gradients b_i of the shape functions, R the rotation
//          nearest to F, energy V (mu |F - R|^2 + lambda/2 tr(R^T F - 1)^2). Since R makes tr(R^T F) stationary, the gradient
//          with respect to F is P = 2 mu (F - R) + lambda tr(R^T F - 1) R, exactly, and forces are -V P b_i. The angular
//          momentum is kept, since P F^T is symmetric. Stiffness: that of a linear element, turned by R, and that of the turning
//          of R. With the symmetric S = F R^T, a change dF turns R by w = (tr(S) - S)^-1 2 a, a the axis of the
//          skew part of dF R^T; so the skew part of dP R^T has the axis G a, G = 2 mu + 2 (lambda tr(S - 1) - 2 mu)
//          (tr(S) - S)^-1. G is 0 at rest; its negative eigenvalues, as in
//          compression, are left out.
#include "base/context.h"
#include "math/eigen.h"
#include "soft/soft.h"

enum { GRAIN = 256 };

static const double FULL_TURN = 6.283185307179586;

typedef struct evaluation {
    abut_soft *soft;
    const abut_vec3 *positions;
} evaluation;

// m += a u v^T
static void add_outer(abut_mat3 *m, double a, abut_vec3 u, abut_vec3 v)
{
    m->x = abut_add_scaled(m->x, a * v.x, u);
    m->y = abut_add_scaled(m->y, a * v.y, u);
    m->z = abut_add_scaled(m->z, a * v.z, u);
}

// m += a n [d], where [d] v = d x v
static void add_cross(abut_mat3 *m, double a, abut_mat3 n, abut_vec3 d)
{
    m->x = abut_add_scaled(m->x, a, abut_sub(abut_scale(d.z, n.y), abut_scale(d.y, n.z)));
    m->y = abut_add_scaled(m->y, a, abut_sub(abut_scale(d.x, n.z), abut_scale(d.z, n.x)));
    m->z = abut_add_scaled(m->z, a, abut_sub(abut_scale(d.y, n.x), abut_scale(d.x, n.y)));
}

static void add_identity(abut_mat3 *m, double a)
{
    m->x.x += a;
    m->y.y += a;
    m->z.z += a;
}

static void evaluate_spring(abut_soft *s, const abut_vec3 *x, int index)
{
    const abut_soft_spring *spring = &s->springs[index];
    abut_vec3 *forces = &s->slot_forces[2 * index], *axes = &s->slot_axes[2 * index];
    abut_vec3 across = abut_sub(x[spring->corners[1]], x[spring->corners[0]]);
    double length = abut_norm(across), excess = length - spring->length;
    // without a length there is no direction and no force
    abut_vec3 direction = length > 0.0 ? abut_scale(1.0 / length, across) : abut_vec3_make(0, 0, 0);
    forces[0] = abut_scale(spring->stiffness * excess, direction);
    forces[1] = abut_negate(forces[0]);
    axes[0] = direction;
    axes[1] = abut_vec3_make(excess > 0.0 ? spring->stiffness * excess / length : 0.0, 0.0, 0.0);
    s->element_energies[index] = 0.5 * spring->stiffness * excess * excess;
}

double abut_soft_hinge_angle(const abut_vec3 x[4], abut_vec3 gradients[4])
{
    abut_vec3 edge = abut_sub(x[1], x[0]);
    abut_vec3 n = abut_cross(edge, abut_sub(x[2], x[0])), m = abut_cross(abut_sub(x[3], x[0]), edge);
    double edge_squared = abut_norm_squared(edge), length = sqrt(edge_squared);
    double n_squared = abut_norm_squared(n), m_squared = abut_norm_squared(m);
    // a triangle without area has no normal: the hinge is then free
    double least = 1e-24 * edge_squared * edge_squared;
    if (!(n_squared > least && m_squared > least)) {
        memset(gradients, 0, 4 * sizeof gradients[0]);
        return 0.0;
    }
    // The angle by which the second normal is turned about the edge from the first: it grows as corners 2 and 3 rise.
    gradients[2] = abut_scale(length / n_squared, n);
    gradients[3] = abut_scale(length / m_squared, m);
    double share_2 = abut_dot(abut_sub(x[2], x[0]), edge) / edge_squared;
    double share_3 = abut_dot(abut_sub(x[3], x[0]), edge) / edge_squared;
    // moving all corners alike, or turning about the edge, changes nothing
    gradients[1] = abut_negate(abut_add(abut_scale(share_2, gradients[2]), abut_scale(share_3, gradients[3])));
    gradients[0] =
        abut_negate(abut_add(abut_scale(1.0 - share_2, gradients[2]), abut_scale(1.0 - share_3, gradients[3])));
    return atan2(abut_dot(abut_cross(m, n), edge) / length, abut_dot(n, m));
}

static void evaluate_hinge(abut_soft *s, const abut_vec3 *x, int index)
{
    const abut_soft_hinge *hinge = &s->hinges[index];
    int first = 2 * s->spring_count + 4 * index;
    abut_vec3 corners[4];
    for (int i = 0; i < 4; ++i) {
        corners[i] = x[hinge->corners[i]];
    }
    // the shorter way round
    double excess = remainder(abut_soft_hinge_angle(corners, &s->slot_axes[first]) - hinge->angle, FULL_TURN);
    for (int i = 0; i < 4; ++i) {
        s->slot_forces[first + i] = abut_scale(-hinge->stiffness * excess, s->slot_axes[first + i]);
    }
    s->element_energies[s->spring_count + index] = 0.5 * hinge->stiffness * excess * excess;
}

// Whether a symmetric matrix is positive definite, by its leading minors.
static int is_positive(abut_mat3 m)
{
    return m.x.x > 0.0 && m.x.x * m.y.y > m.x.y * m.y.x && abut_mat3_determinant(m) > 0.0;
}

// G of a tetrahedron with deformation F and rotation R, or 0.
static abut_mat3 twist_of(const abut_soft *s, abut_mat3 f, abut_mat3 r, double trace)
{
    abut_mat3 none = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, g = abut_mat3_multiply(f, abut_mat3_transpose(r));
    g = (abut_mat3){abut_negate(g.x), abut_negate(g.y), abut_negate(g.z)};
    add_identity(&g, trace + 3.0);
    if (!is_positive(g)) {
        return none;
    }
    abut_mat3 c = {abut_cross(g.y, g.z), abut_cross(g.z, g.x), abut_cross(g.x, g.y)};
    double factor = 2.0 * (s->lambda * trace - 2.0 * s->mu) / abut_dot(g.x, c.x);
    g = (abut_mat3){abut_scale(factor, c.x), abut_scale(factor, c.y), abut_scale(factor, c.z)};
    add_identity(&g, 2.0 * s->mu);
    if (is_positive(g)) {
        return g;
    }
    // without its negative eigenvalues, unless that leaves next to nothing
    double most = fmax(fmax(g.x.x, g.y.y), g.z.z);
    if (!(most > 1e-6 * s->mu)) {
        return none;
    }
    abut_eigen eigen = abut_eigen_symmetric(g);
    const double values[3] = {eigen.values.x, eigen.values.y, eigen.values.z};
    const abut_vec3 vectors[3] = {eigen.vectors.x, eigen.vectors.y, eigen.vectors.z};
    g = none;
    for (int k = 0; k < 3; ++k) {
        add_outer(&g, fmax(0.0, values[k]), vectors[k], vectors[k]);
    }
    return g;
}

static void evaluate_tet(abut_soft *s, const abut_vec3 *x, int index)
{
    const abut_soft_tet *tet = &s->tets[index];
    int element = s->spring_count + s->hinge_count + index, first = abut_soft_first_slot(s, element);
    abut_mat3 f = {0};
    for (int i = 1; i < 4; ++i) { // gradients add up to 0: the first corner drops out
        abut_vec3 d = abut_sub(x[tet->corners[i]], x[tet->corners[0]]), b = tet->gradients[i];
        f.x = abut_add_scaled(f.x, b.x, d);
        f.y = abut_add_scaled(f.y, b.y, d);
        f.z = abut_add_scaled(f.z, b.z, d);
    }
    abut_mat3 r = abut_nearest_rotation(f);
    double trace = abut_dot(r.x, f.x) + abut_dot(r.y, f.y) + abut_dot(r.z, f.z) - 3.0;
    abut_mat3 e = {abut_sub(f.x, r.x), abut_sub(f.y, r.y), abut_sub(f.z, r.z)};
    double square = abut_norm_squared(e.x) + abut_norm_squared(e.y) + abut_norm_squared(e.z);
    double pressure = s->lambda * trace;
    abut_mat3 p = {abut_add_scaled(abut_scale(pressure, r.x), 2.0 * s->mu, e.x),
                   abut_add_scaled(abut_scale(pressure, r.y), 2.0 * s->mu, e.y),
                   abut_add_scaled(abut_scale(pressure, r.z), 2.0 * s->mu, e.z)};
    for (int i = 0; i < 4; ++i) {
        s->slot_forces[first + i] = abut_scale(-tet->volume, abut_mat3_apply(p, tet->gradients[i]));
        s->slot_axes[first + i] = abut_mat3_apply(r, tet->gradients[i]);
    }
    s->element_energies[element] = tet->volume * (s->mu * square + 0.5 * s->lambda * trace * trace);
    s->tet_twists[index] = twist_of(s, f, r, trace);
    s->tet_is_inverted[index] = abut_mat3_determinant(f) <= 0.0;
}

static void evaluate_range(void *data, int begin, int end, int worker)
{
    const evaluation *e = data;
    abut_soft *s = e->soft;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        if (i < s->spring_count) {
            evaluate_spring(s, e->positions, i);
        } else if (i < s->spring_count + s->hinge_count) {
            evaluate_hinge(s, e->positions, i - s->spring_count);
        } else {
            evaluate_tet(s, e->positions, i - s->spring_count - s->hinge_count);
        }
    }
}

void abut_soft_evaluate(abut_soft *s, const abut_vec3 *positions)
{
    evaluation e = {s, positions};
    abut_soft_spread(s, s->spring_count + s->hinge_count + s->tet_count, GRAIN, evaluate_range, &e);
}

static double energy_of(const void *data, int element)
{
    return ((const double *)data)[element];
}

double abut_soft_elastic_energy(abut_soft *s)
{
    return abut_soft_sum(s, s->spring_count + s->hinge_count + s->tet_count, energy_of, s->element_energies);
}

typedef struct gathering {
    const abut_soft *soft;
    abut_vec3 *forces;
} gathering;

static void gather_range(void *data, int begin, int end, int worker)
{
    const gathering *g = data;
    const abut_soft *s = g->soft;
    (void)worker;
    for (int v = begin; v < end; ++v) {
        abut_vec3 sum = {0, 0, 0};
        for (int i = s->slot_offsets[v]; i < s->slot_offsets[v + 1]; ++i) {
            sum = abut_add(sum, s->slot_forces[s->slots[i]]);
        }
        g->forces[v] = sum;
    }
}

void abut_soft_gather(abut_soft *s, abut_vec3 *forces)
{
    gathering g = {s, forces};
    abut_soft_spread(s, s->vertex_count, GRAIN, gather_range, &g);
}

typedef struct assembly {
    const abut_soft *soft;
    double factor;
    const abut_mat3 *base;
    abut_mat3 *blocks;
} assembly;

// Adds the row of one corner of an element.
static void add_slot(const assembly *task, int slot)
{
    const abut_soft *s = task->soft;
    const int *to = &s->slot_blocks[4 * slot];
    int hinge_begin = 2 * s->spring_count, tet_begin = hinge_begin + 4 * s->hinge_count;
    if (slot < hinge_begin) {
        int spring = slot / 2, corner = slot % 2;
        abut_vec3 d = s->slot_axes[2 * spring];
        double along = s->springs[spring].stiffness, across = s->slot_axes[2 * spring + 1].x;
        for (int j = 0; j < 2; ++j) {
            double factor = j == corner ? task->factor : -task->factor;
            add_outer(&task->blocks[to[j]], factor * (along - across), d, d);
            add_identity(&task->blocks[to[j]], factor * across);
        }
    } else if (slot < tet_begin) {
        int first = slot - (slot - hinge_begin) % 4;
        double factor = task->factor * s->hinges[(slot - hinge_begin) / 4].stiffness;
        for (int j = 0; j < 4; ++j) {
            add_outer(&task->blocks[to[j]], factor, s->slot_axes[slot], s->slot_axes[first + j]);
        }
    } else {
        int first = slot - (slot - tet_begin) % 4;
        int tet = (slot - tet_begin) / 4;
        double volume = task->factor * s->tets[tet].volume;
        abut_vec3 c = s->slot_axes[slot];
        // half of the volume times [c]^T G [d], with the matrices [c], [d] of the cross products
        abut_mat3 g = s->tet_twists[tet];
        abut_mat3 cg = {abut_cross(g.x, c), abut_cross(g.y, c), abut_cross(g.z, c)};
        for (int j = 0; j < 4; ++j) {
            abut_vec3 d = s->slot_axes[first + j];
            add_identity(&task->blocks[to[j]], volume * s->mu * abut_dot(c, d));
            add_outer(&task->blocks[to[j]], volume * s->mu, d, c);
            add_outer(&task->blocks[to[j]], volume * s->lambda, c, d);
            add_cross(&task->blocks[to[j]], 0.5 * volume, cg, d);
        }
    }
}

static void assemble_range(void *data, int begin, int end, int worker)
{
    const assembly *task = data;
    const abut_soft *s = task->soft;
    (void)worker;
    for (int v = begin; v < end; ++v) {
        int first = s->matrix.offsets[v], count = s->matrix.offsets[v + 1] - first;
        if (task->base != NULL) {
            memcpy(&task->blocks[first], &task->base[first], (size_t)count * sizeof *task->blocks);
        } else {
            memset(&task->blocks[first], 0, (size_t)count * sizeof *task->blocks);
        }
        for (int i = s->slot_offsets[v]; i < s->slot_offsets[v + 1]; ++i) {
            add_slot(task, s->slots[i]);
        }
    }
}

void abut_soft_assemble(abut_soft *s, double factor, const abut_mat3 *base, abut_mat3 *blocks)
{
    assembly task = {s, factor, base, blocks};
    abut_soft_spread(s, s->vertex_count, GRAIN, assemble_range, &task);
}
