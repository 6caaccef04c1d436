// SPDX-License-Identifier: MIT
/// @file soft.h
/// Soft bodies: solids of finite elements, cloth and ropes.
///
/// The vertices of a mesh become particles with mass. Its tetrahedra become corotational linear finite elements. Without
/// tetrahedra, its triangles become cloth: springs along edges and across pairs of triangles, and hinges. Its segments
/// become ropes. The mesh may be open and have several parts.
///
/// A step has three parts, so that contacts can act between them:
///
///     abut_soft_accelerate(soft, &params, &report, &error);   all forces but contacts: new velocities
///     abut_soft_add_impulse(soft, vertex, impulse);           contacts, as often as needed,
///     abut_soft_add_impulses(soft, impulses, &error);         or all at once
///     abut_soft_move(soft, dt);                               new positions
#ifndef ABUT_SOFT_H
#define ABUT_SOFT_H

#include <abut/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A soft body. It is used by one thread at a time; steps use the threads of its context.
typedef struct abut_soft abut_soft;

/// What a body is made of. Start from abut_soft_material_default(): densities are 1, all else is 0.
typedef struct abut_soft_material {
    size_t struct_size;
    double density;      ///< of tetrahedra: mass per volume
    double area_density; ///< of cloth: mass per area
    double line_density; ///< of ropes: mass per length
    double young;        ///< Young's modulus of tetrahedra, above 0 if there are any
    double poisson;      ///< Poisson's ratio of tetrahedra, above -1 and below 0.5
    double stretch;      ///< of cloth: force per length, Young's modulus times thickness; above 0 if there is cloth
    double shear;        ///< of cloth: force per length, of the springs across pairs of triangles
    double bend;         ///< of cloth: moment per length and curvature
    double rope; ///< of ropes: force per strain, Young's modulus times cross-section; above 0 if there are ropes
    double mass_damping;  ///< force per mass and velocity, 1 / time
    double shape_damping; ///< times the stiffness: force per velocity of deformation, in units of time
} abut_soft_material;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_soft_material_init(abut_soft_material *material, size_t size);
static inline abut_soft_material abut_soft_material_default(void)
{
    abut_soft_material material;
    abut_soft_material_init(&material, sizeof material);
    return material;
}

/// Defines a soft body. Start from abut_soft_def_default().
typedef struct abut_soft_def {
    size_t struct_size;
    const abut_mesh *mesh;              ///< the shape without forces; it must outlive the body
    const abut_soft_material *material; ///< NULL: the defaults, with which nothing holds together
    const abut_vec3 *positions;         ///< at the start, one per vertex; NULL: those of the mesh
    const abut_vec3 *velocities;        ///< at the start, one per vertex; NULL: at rest
    const int *pins;                    ///< vertices that no force moves
    int pin_count;
} abut_soft_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_soft_def_init(abut_soft_def *def, size_t size);
static inline abut_soft_def abut_soft_def_default(void)
{
    abut_soft_def def;
    abut_soft_def_init(&def, sizeof def);
    return def;
}

/// Makes a soft body.
/// @return ABUT_BAD_DATA for a material value out of its range, a position or velocity that is not finite, a
///         tetrahedron without volume, an edge without length, or a vertex without mass (`error` names it);
///         ABUT_UNSUPPORTED if the mesh has neither tetrahedra, triangles nor segments; ABUT_LIMIT if it has too many;
///         ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY
ABUT_API abut_status abut_soft_create(const abut_context *context, const abut_soft_def *def, abut_soft **soft,
                                      abut_error *error);
ABUT_API void abut_soft_destroy(abut_soft *soft);

/// The particles of a body. The arrays belong to the body and change with it.
typedef struct abut_soft_state {
    const abut_vec3 *positions;
    const abut_vec3 *velocities;
    const double *masses;           ///< 0 for vertices that no element uses: they do not move
    const unsigned char *is_pinned; ///< 1 for pinned vertices and those without mass
    int vertex_count;
} abut_soft_state;

ABUT_API abut_soft_state abut_soft_get_state(const abut_soft *soft);

/// What a body consists of.
typedef struct abut_soft_info {
    int tet_count;
    int spring_count;
    int hinge_count;         ///< inner edges of cloth that resist bending
    int unused_vertex_count; ///< vertices that no element uses
    double mass;             ///< total
} abut_soft_info;

ABUT_API abut_soft_info abut_soft_get_info(const abut_soft *soft);

/// Places vertex and velocity. A pinned vertex moves with the velocity that it is given here.
/// @return ABUT_BAD_ARGUMENT for an unknown vertex, ABUT_BAD_DATA for a value that is not finite
ABUT_API abut_status abut_soft_set_vertex(abut_soft *soft, int vertex, abut_vec3 position, abut_vec3 velocity);
/// Pins a vertex, or frees it.
/// @return ABUT_BAD_ARGUMENT for an unknown vertex, or to free one without mass
ABUT_API abut_status abut_soft_set_pin(abut_soft *soft, int vertex, int is_pinned);

/// How velocities are found.
typedef enum abut_soft_integrator {
    ABUT_SOFT_IMPLICIT = 0, ///< backward Euler: any time step, with numerical damping
    ABUT_SOFT_EXPLICIT = 1  ///< symplectic Euler: below the critical step only
} abut_soft_integrator;

/// A step. Start from abut_soft_params_default().
typedef struct abut_soft_params {
    size_t struct_size;
    double dt;         ///< above 0; default 0.01
    abut_vec3 gravity; ///< acceleration; default 0
    /// Other forces on the vertices, one each; NULL: none. With those at the start of the step, explicit and implicit.
    const abut_vec3 *forces;
    abut_soft_integrator integrator;
    double accuracy;     ///< implicit: of the sum of all forces, relative to their sizes; default 1e-6
    int newton_limit;    ///< implicit: Newton steps; default 20
    int iteration_limit; ///< implicit: iterations of conjugate gradients in each of them; default 1000
} abut_soft_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_soft_params_init(abut_soft_params *params, size_t size);
static inline abut_soft_params abut_soft_params_default(void)
{
    abut_soft_params params;
    abut_soft_params_init(&params, sizeof params);
    return params;
}

/// How a step went.
typedef struct abut_soft_report {
    int newton_count;    ///< Newton steps; 0 if explicit
    int iteration_count; ///< iterations of conjugate gradients in all of them
    int is_converged;    ///< the accuracy was reached; always 1 if explicit
    double residual;     ///< the accuracy that was reached; 0 if explicit
    int inverted_count;  ///< tetrahedra that are inside out at the start of the step
    int first_inverted;  ///< the lowest of them, or -1
} abut_soft_report;

/// Finds the velocities at the end of a step, without contacts. Positions stay. Inverted tetrahedra push themselves
/// right side out. The same input gives the same bytes at any number of threads; no heap calls.
/// @param report may be NULL
/// @return ABUT_OK, also if the accuracy was not reached; ABUT_BAD_ARGUMENT; ABUT_BAD_DATA if a force is not finite;
///         ABUT_LIMIT if a velocity would not be finite, which means that an explicit step is too long (nothing is
///         changed then)
ABUT_API abut_status abut_soft_accelerate(abut_soft *soft, const abut_soft_params *params, abut_soft_report *report,
                                          abut_error *error);

/// Adds an impulse to a vertex. Pinned ones take it without moving.
/// @return ABUT_BAD_ARGUMENT for an unknown vertex, ABUT_BAD_DATA for an impulse that is not finite
ABUT_API abut_status abut_soft_add_impulse(abut_soft *soft, int vertex, abut_vec3 impulse);

/// Adds impulses on all vertices, as forces of the step that abut_soft_accelerate() made. After an implicit step they go
/// through its matrix: the elements pass them on within the step, so that a light vertex of a stiff body gives way as the
/// body does. Damping brakes what they give too. After an explicit step this is abut_soft_add_impulse() for each vertex.
/// So it is if pins, vertices or anything else was changed since.
/// @param impulses one per vertex
/// @return ABUT_OK; ABUT_BAD_DATA for an impulse that is not finite, ABUT_LIMIT if a velocity would not be finite (nothing
///         is changed then)
ABUT_API abut_status abut_soft_add_impulses(abut_soft *soft, const abut_vec3 *impulses, abut_error *error);

/// Moves each vertex by `dt` times its velocity.
/// @return ABUT_BAD_ARGUMENT if `dt` is negative or not finite; ABUT_LIMIT if a position would not be finite (nothing
///         is changed then)
ABUT_API abut_status abut_soft_move(abut_soft *soft, double dt, abut_error *error);

/// Forces of deformation at the current positions, without damping, one per vertex: the negative gradient of the elastic
/// energy. `forces` has room for all vertices.
ABUT_API void abut_soft_get_forces(abut_soft *soft, abut_vec3 *forces);

/// Energies and momenta. Pinned vertices count as they move.
typedef struct abut_soft_energy {
    double kinetic;
    double elastic;
    double potential; ///< of gravity, 0 at the origin
    abut_vec3 momentum;
    abut_vec3 angular_momentum; ///< about the origin
    abut_vec3 center;           ///< of mass
} abut_soft_energy;

ABUT_API abut_soft_energy abut_soft_get_energy(abut_soft *soft, abut_vec3 gravity);

/// The longest stable step of symplectic Euler at the current positions, damping included. The largest frequency is
/// found by iteration and bounded by its residual.
/// @return infinity if nothing holds the vertices
ABUT_API double abut_soft_critical_step(abut_soft *soft);

#ifdef __cplusplus
}
#endif
#endif
