// SPDX-License-Identifier: MIT
// soft.h: the elements of a soft body, their forces and their stiffness matrix
//
// Elements are numbered: springs, then hinges, then tetrahedra. Each corner of an element is a slot. An evaluation fills
// the slots, one element per thread; vertices then gather their slots in ascending order. So no two threads write to one
// place, and sums do not depend on the number of threads.
#ifndef ABUT_SOFT_SOFT_H
#define ABUT_SOFT_SOFT_H

#include "base/context.h"

#include <abut/soft.h>
#include <abut/support.h>

#include <string.h>

/// A spring between two vertices, of energy stiffness / 2 (length - rest length)^2.
typedef struct abut_soft_spring {
    int corners[2];
    double length; ///< at rest
    double stiffness;
} abut_soft_spring;

/// Two triangles with a common edge, of energy stiffness / 2 (angle - rest angle)^2. Corners: the edge, then the third
/// corner of the triangle that runs along it, then that of the other one.
typedef struct abut_soft_hinge {
    int corners[4];
    double angle; ///< at rest
    double stiffness;
} abut_soft_hinge;

/// A linear tetrahedron.
typedef struct abut_soft_tet {
    int corners[4];
    abut_vec3 gradients[4]; ///< of the shape functions at rest
    double volume;          ///< at rest
} abut_soft_tet;

/// The stiffness matrix: rows of 3x3 blocks.
typedef struct abut_soft_matrix {
    int row_count;
    int *offsets;  ///< of the rows: row_count + 1
    int *columns;  ///< ascending in each row
    int *diagonal; ///< the block of each row on the diagonal
} abut_soft_matrix;

/// Vectors of one entry per vertex.
enum {
    SOFT_RIGHT,    ///< momentum that the step starts with, and that of the given forces
    SOFT_GRADIENT, ///< of the function that the step minimises
    SOFT_STEP,     ///< of Newton's method
    SOFT_RESIDUAL, ///< of conjugate gradients, and the three that follow
    SOFT_DIRECTION,
    SOFT_IMAGE,
    SOFT_SCALED,
    SOFT_TRIAL, ///< velocities that are tried
    SOFT_PLACE, ///< positions that they lead to
    SOFT_FORCE, ///< elastic forces there
    SOFT_VECTOR_COUNT
};

struct abut_soft {
    abut_context context;
    const abut_mesh *mesh;
    abut_soft_material material;
    double mu, lambda; ///< of Lame
    int vertex_count;
    abut_vec3 *positions, *velocities;
    double *masses;
    unsigned char *is_pinned;
    int unused_vertex_count;
    abut_soft_spring *springs;
    abut_soft_hinge *hinges;
    abut_soft_tet *tets;
    int spring_count, hinge_count, tet_count;
    int slot_count;
    int *slot_offsets; ///< of the slots of each vertex: vertex_count + 1
    int *slots;        ///< of the vertices, ascending for each
    int *slot_blocks;  ///< four per slot: the block of the matrix for each corner of the slot's element
    abut_vec3 *slot_forces;
    abut_vec3
        *slot_axes; ///< springs: direction and (x of the second) cross stiffness; else gradients, as evaluated
    double *element_energies;
    unsigned char *tet_is_inverted;
    abut_mat3 *tet_twists; ///< resistance of a stressed tetrahedron to turning against its corners, or 0
    abut_soft_matrix matrix;
    abut_mat3 *base;      ///< blocks of the matrix that stays over a step: masses and damping
    abut_mat3 *stiffness; ///< blocks of the matrix of a Newton step
    /// The last step, if it was implicit and `base` is still its matrix; else its dt is 0. For impulses of contacts.
    abut_soft_params last;
    int has_stiffness;   ///< and `stiffness` is that of its last Newton step
    abut_mat3 *inverses; ///< of the diagonal blocks: the preconditioner
    double *sums;        ///< of ranges of vertices or elements
    abut_vec3 *vectors[SOFT_VECTOR_COUNT];
};

/// Whether steps of a body use the calling thread alone: handing over the work would take longer than doing it.
static inline int abut_soft_is_small(const abut_soft *s)
{
    enum { FEW_VERTICES = 2048 };
    return s->vertex_count < FEW_VERTICES;
}

/// Runs a task over a range on the threads of the context, unless the body is small.
static inline void abut_soft_spread(const abut_soft *s, int count, int grain, abut_range_task *task, void *data)
{
    if (abut_soft_is_small(s)) {
        task(data, 0, count, 0);
    } else {
        abut_parallel_for(&s->context, count, grain, task, data);
    }
}

/// The slot of the first corner of an element.
static inline int abut_soft_first_slot(const abut_soft *s, int element)
{
    return element < s->spring_count ? 2 * element : 4 * element - 2 * s->spring_count;
}

/// The angle between two triangles with the edge x[0] x[1] and the third corners x[2], x[3], and its gradient: 0 if flat,
/// growing if x[2] and x[3] rise on the side of the normal.
double abut_soft_hinge_angle(const abut_vec3 x[4], abut_vec3 gradients[4]);

/// Fills slots, energies and signs of all elements for these positions.
void abut_soft_evaluate(abut_soft *s, const abut_vec3 *positions);
/// The elastic energy of the last evaluation.
double abut_soft_elastic_energy(abut_soft *s);
/// The elastic forces of the last evaluation, one per vertex.
void abut_soft_gather(abut_soft *s, abut_vec3 *forces);

/// blocks = base + factor * stiffness matrix of the last evaluation; `base` NULL: 0. The matrix is positive semidefinite:
/// parts that are not, as compression across springs has, are left out.
void abut_soft_assemble(abut_soft *s, double factor, const abut_mat3 *base, abut_mat3 *blocks);
/// image = blocks * vector, 0 in the rows of pinned vertices. Their entries of `vector` must be 0 to have no effect.
void abut_soft_multiply(const abut_soft *s, const abut_mat3 *blocks, const abut_vec3 *vector, abut_vec3 *image);
double abut_soft_dot(abut_soft *s, const abut_vec3 *a, const abut_vec3 *b);
/// Solves blocks * x = b with pinned entries 0, by conjugate gradients from x = 0, until the residual is below `accuracy`
/// times the size of b.
/// @return the iterations
int abut_soft_solve(abut_soft *s, const abut_mat3 *blocks, const abut_vec3 *b, double accuracy, int limit,
                    abut_vec3 *x);

/// Sets positions and velocities of all vertices, which are finite.
void abut_soft_put_back(abut_soft *s, const abut_vec3 *positions, const abut_vec3 *velocities);

/// Sums of `function` over ranges of 256 items, then over the ranges in order.
typedef double abut_soft_term(const void *data, int item);
double abut_soft_sum(abut_soft *s, int count, abut_soft_term *term, const void *data);

/// The rotation nearest to a matrix (largest trace of R^T F), also if its determinant is not positive.
abut_mat3 abut_nearest_rotation(abut_mat3 f);

#endif
