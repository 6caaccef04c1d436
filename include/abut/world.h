// SPDX-License-Identifier: MIT
/// @file world.h
/// Rigid bodies that stand, slide and fall on the contacts of any method.
///
/// A world has materials, bodies and a time. abut_world_step() finds the pairs of bodies whose boxes touch, asks
/// the contact method about each, gives all contacts to a solver (see solve.h) and moves the bodies. The same input
/// gives the same bytes at any number of threads. docs/simulation.md has the equations.
///
/// A world is used by one thread at a time; it uses threads of its own through the context.
#ifndef ABUT_WORLD_H
#define ABUT_WORLD_H

#include <abut/contact.h>
#include <abut/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_world abut_world;

// ---------------------------------------------------------------------------------------------------------------
// The world

/// With which positions contacts are found, and how bodies move on.
typedef enum abut_stepper {
    ABUT_STEPPER_MOREAU = 0,       ///< half a step, contacts there, new velocity, the other half with it
    ABUT_STEPPER_SEMI_IMPLICIT = 1 ///< contacts where the bodies are, new velocity, a whole step with it
} abut_stepper;

typedef enum abut_solver_kind {
    ABUT_SOLVER_PROX = 0, ///< abut_solve_prox(); at the limit of iterations the step goes on with what was found
    ABUT_SOLVER_MCP = 1   ///< abut_solve_mcp(); a step fails where it does not converge
} abut_solver_kind;

/// Where a step is, for those who measure time.
typedef enum abut_phase {
    ABUT_PHASE_MOVE = 0,
    ABUT_PHASE_BROAD = 1,  ///< pairs of bodies
    ABUT_PHASE_NARROW = 2, ///< contacts of pairs
    ABUT_PHASE_SOLVE = 3,
    ABUT_PHASE_END = 4 ///< the step is done
} abut_phase;

/// A contact of two bodies, and what the solver made of it.
typedef struct abut_world_contact {
    int body_a, body_b;   ///< body_a < body_b
    abut_contact contact; ///< its normal points from body_a to body_b; `region` is an index of abut_world_regions
    int is_fallback;      ///< found by the second method
    double friction, restitution;
    abut_solve_impulse impulse; ///< on body_b; zero before the solver ran
} abut_world_contact;

/// Called in a step; NULL: not called.
typedef struct abut_world_callbacks {
    /// After contacts were found and before the solver runs; friction and restitution may be changed, and nothing else
    /// of the contacts or the world. A result other than ABUT_OK ends the step with it, and the world stays as before
    /// the step.
    abut_status (*on_contacts)(void *user, abut_world *world, abut_world_contact *contacts, int count);
    /// At the beginning of each phase.
    void (*on_phase)(void *user, abut_phase phase);
    /// At the end of a step that was done: the bodies are where it left them, and the report is of it.
    void (*on_step)(void *user, const abut_world *world);
    void *user; ///< handed to all of them
} abut_world_callbacks;

/// Gap-based correction: bodies that overlap by more than `slop` are moved apart, by share (overlap - slop) in a
/// step, but at most by `speed_limit` dt. Their velocities stay as they are.
typedef struct abut_stabilisation {
    int is_on;          ///< default 1
    double slop;        ///< length; default 0
    double share;       ///< of the overlap, in a step; default 0.5
    double speed_limit; ///< default infinite
} abut_stabilisation;

/// Start from abut_world_def_default().
typedef struct abut_world_def {
    size_t struct_size;
    abut_vec3 gravity; ///< an acceleration; default 0
    double dt;         ///< length of a step, > 0; default 0.01
    abut_stepper stepper;
    const abut_method *method; ///< of contacts; default `regions`. abut_world_set_method() for some pairs only
    abut_params params;        ///< of the method
    /// Asked where the method answers ABUT_OVERLAP, also with the velocities that it last had an answer for; default
    /// `intersection`, see `has_convex_fallback`. NULL: the step fails then.
    const abut_method *fallback;
    abut_params fallback_params;
    abut_solver_kind solver;
    abut_prox_params prox;
    abut_mcp_params mcp;
    /// Default ABUT_GAP_POSITIVE: contacts are found as far ahead as bodies can come in a step, if the method can tell,
    /// and bodies that are apart may close the gap and no more, so that they land on each other and not in each other.
    abut_gap_rule gap_rule;
    int has_warm_start; ///< begin with the impulses of the last step; default 1
    abut_stabilisation stabilisation;
    /// A length: friction of every contact resists rotation about its normal as at this radius (torsion_radius of
    /// abut_solve_contact). Default 0: it does not. ABUT_SOLVER_PROX only: with another abut_world_create() refuses it.
    double torsion_radius;
    double linear_damping;  ///< a force of minus this times the velocity at the end of the step; default 0
    double angular_damping; ///< a moment of minus this times the angular velocity there; default 0
    /// A body whose speed, with its angular velocity times the diagonal of its mesh's box, is above it has
    /// diverged; default infinite.
    double speed_limit;
    abut_world_callbacks callbacks;
    /// Where both bodies are convex, `convex` is asked instead of `fallback`; default 1. Who sets `fallback` and
    /// wants it for convex bodies too sets this to 0. Without a `fallback` it counts for nothing.
    int has_convex_fallback;
} abut_world_def;

ABUT_API abut_world_def abut_world_def_default(void);

/// @return ABUT_OK, ABUT_BAD_ARGUMENT with the field that makes no sense, or ABUT_NO_MEMORY
ABUT_API abut_status abut_world_create(const abut_context *context, const abut_world_def *def, abut_world **world,
                                       abut_error *error);
ABUT_API void abut_world_destroy(abut_world *world);

// ---------------------------------------------------------------------------------------------------------------
// Materials and bodies

/// Start from abut_material_default().
typedef struct abut_material {
    size_t struct_size;
    double density;     ///< > 0; default 1000
    double friction;    ///< of the material on itself, >= 0; INFINITY: no slip; default 0.5
    double restitution; ///< of the material on itself, 0 to 1; default 0; that of abut_solve_contact
} abut_material;

ABUT_API abut_material abut_material_default(void);

/// Adds a material; its number is the count of those added before. Two materials meet with the geometric mean of their
/// frictions, where 0 on no slip is 0, and the larger restitution, unless abut_world_set_pair() says otherwise.
ABUT_API abut_status abut_world_add_material(abut_world *world, const abut_material *material, int *index,
                                             abut_error *error);
/// Friction and restitution of two materials, in either order.
ABUT_API abut_status abut_world_set_pair(abut_world *world, int material_a, int material_b, double friction,
                                         double restitution, abut_error *error);
/// With what friction and restitution two materials meet.
/// @return ABUT_OK, or ABUT_BAD_ARGUMENT where there is no such material
ABUT_API abut_status abut_world_get_pair(const abut_world *world, int material_a, int material_b, double *friction,
                                         double *restitution, abut_error *error);
/// The method that finds the contacts of bodies of two materials, in either order, instead of the world's; where it
/// answers ABUT_OVERLAP, the world's second method is asked, as elsewhere. Prepares the shapes of the bodies that
/// are there.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT, ABUT_UNSUPPORTED (a shape that the method cannot take) or ABUT_NO_MEMORY,
/// with the body's name in `error`, and then nothing changes
ABUT_API abut_status abut_world_set_method(abut_world *world, int material_a, int material_b,
                                           const abut_method *method, const abut_params *params, abut_error *error);

/// Start from abut_body_def_default().
typedef struct abut_body_def {
    size_t struct_size;
    const char *name;          ///< for messages; copied up to 63 characters; NULL: none
    abut_shape *shape;         ///< prepared by the world for its methods; must outlive the world
    abut_pose pose;            ///< of the mesh
    abut_vec3 linear_velocity; ///< of the centre of mass, or of a fixed body the origin of its mesh; world frame
    abut_vec3 angular_velocity;
    int is_fixed;          ///< moves as its velocities say, whatever touches it
    int material;          ///< default -1: must be set
    const abut_mass *mass; ///< in the mesh's frame, for density 1; NULL: of the mesh, which must be closed. Not
                           ///< used for fixed bodies
} abut_body_def;

ABUT_API abut_body_def abut_body_def_default(void);

/// Adds a body; its number is the count of those added before.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT, ABUT_BAD_DATA (no positive mass, a pose that is not finite), ABUT_UNSUPPORTED (a
/// shape that a method cannot take) or ABUT_NO_MEMORY, with the body's name in `error`, and then nothing is added
ABUT_API abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, int *index,
                                         abut_error *error);

typedef struct abut_body_state {
    abut_pose pose;   ///< of the mesh
    abut_vec3 center; ///< of mass; of a fixed body, which has none, the origin of its mesh
    abut_vec3 linear_velocity, angular_velocity; ///< the former of the centre
    abut_vec3 angular_momentum;                  ///< about the centre of mass; zero for fixed bodies
    double mass;                                 ///< 0 for fixed bodies
} abut_body_state;

ABUT_API int abut_world_body_count(const abut_world *world);
/// The number of a body must be from 0 to the count less one, here, in the three functions below and in
/// abut_world_push(): a debug build asserts it.
ABUT_API abut_body_state abut_world_get_body(const abut_world *world, int body);
ABUT_API const char *abut_world_body_name(const abut_world *world, int body); ///< "" where it has none
ABUT_API const abut_shape *abut_world_body_shape(const abut_world *world, int body);
ABUT_API int abut_world_body_is_fixed(const abut_world *world, int body);
/// Sets pose and velocities; ABUT_BAD_ARGUMENT where there is no such body, ABUT_BAD_DATA where they are not finite.
ABUT_API abut_status abut_world_set_body(abut_world *world, int body, abut_pose pose, abut_vec3 linear_velocity,
                                         abut_vec3 angular_velocity, abut_error *error);
/// A force at a point of the world and a moment, in the next step that is done; they add up. Where their sum is not
/// finite the next step fails with ABUT_BAD_DATA, and the pushes of that body are dropped.
ABUT_API void abut_world_push(abut_world *world, int body, abut_vec3 force, abut_vec3 point, abut_vec3 moment);
ABUT_API void abut_world_set_gravity(abut_world *world, abut_vec3 gravity);

// ---------------------------------------------------------------------------------------------------------------
// Validation

/// What abut_world_validate() can find. Later versions may find more: ignore kinds that you do not know.
typedef enum abut_world_finding_kind {
    ABUT_WORLD_FIXED_OVERLAP = 0 ///< two fixed bodies overlap; a step ignores this
} abut_world_finding_kind;

/// Made by the library; may grow at its end.
typedef struct abut_world_finding {
    abut_world_finding_kind kind;
    int body_a, body_b; ///< body_a < body_b
    const char *text;   ///< one line that names the bodies; valid during the call
} abut_world_finding;

/// Gets a finding. Returns 0 to go on, another number to stop.
typedef int abut_world_finding_function(void *user, const abut_world_finding *finding);

/// Looks for what is suspicious in a world, where its bodies are now, and hands every finding to `function`, by kind,
/// then in ascending order of the bodies. Nothing of it makes a step fail: call it once, after the scene is built, if
/// you want warnings.
///
/// Two fixed bodies overlap if they penetrate by more than 1e-3 of the smaller one; bodies that touch do not. Meshes
/// without triangles are not compared.
///
/// Changes neither the world nor the shapes of its bodies, which other threads may go on using: it prepares shapes of
/// its own, and frees all of its memory before it returns.
/// @return ABUT_OK, whatever was found, or ABUT_NO_MEMORY
ABUT_API abut_status abut_world_validate(const abut_world *world, abut_world_finding_function *function, void *user,
                                         abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Steps

/// A region in which two bodies touch.
typedef struct abut_world_region {
    int body_a, body_b; ///< body_a < body_b
    abut_region region; ///< its ranges refer to the arrays of abut_world_regions
} abut_world_region;

/// The regions of all bodies, where the method tells them.
typedef struct abut_world_regions {
    const abut_world_region *items; ///< by bodies
    int count;
    const abut_region_loop *loops; ///< outlines; their ranges are of `points`
    int loop_count;
    const abut_region_cone *cones; ///< feasible motions; their ranges are of `directions`
    int cone_count;
    const abut_vec3 *points;
    int point_count;
    const abut_vec3 *directions;
    int direction_count;
} abut_world_regions;

/// What the last step or detection found and did. Arrays are valid until the world is used again.
typedef struct abut_world_report {
    int64_t step;                       ///< number of steps done
    double time;                        ///< step times dt
    const abut_world_contact *contacts; ///< by bodies, then in feature order
    int contact_count;
    abut_world_regions regions;
    const abut_pose *poses; ///< of all bodies, where the contacts were found; valid as long
    int pair_count;         ///< pairs of bodies whose boxes touch
    int fallback_count;     ///< of these, answered by the second method
    abut_stats stats;       ///< of all pairs
    abut_solve_outcome outcome;
    int iterations;
    int matched; ///< contacts that began with an impulse of the last step
    double residual;
    double residual_scale;
    const double *history; ///< residual of each iteration
    int history_count;
} abut_world_report;

ABUT_API abut_world_report abut_world_get_report(const abut_world *world);

/// One step. On failure bodies and time are as before it, and `error` names step, body or pair and the reason:
/// ABUT_OVERLAP or what else a method answered; ABUT_LIMIT where a body diverged (its position, velocity or energy
/// is not finite, it is faster than the limit, or it turns by thousands of radians in the step) or the solver found
/// no impulses; ABUT_BAD_DATA where a push is not finite; ABUT_NO_MEMORY. The next steps are as if it had not been
/// tried. Two fixed bodies have no contacts with each other, and may overlap.
ABUT_API abut_status abut_world_step(abut_world *world, abut_error *error);

/// Finds the contacts where the bodies are, without moving them: fills the report, with impulses zero.
ABUT_API abut_status abut_world_detect(abut_world *world, abut_error *error);

typedef struct abut_world_energy {
    double kinetic;
    double potential; ///< of gravity; zero at the origin
} abut_world_energy;

/// Of all free bodies.
ABUT_API abut_world_energy abut_world_get_energy(const abut_world *world);

/// Momentum, and angular momentum about the origin, of all free bodies.
typedef struct abut_world_momentum {
    abut_vec3 linear, angular;
} abut_world_momentum;

ABUT_API abut_world_momentum abut_world_get_momentum(const abut_world *world);

#ifdef __cplusplus
}
#endif
#endif
