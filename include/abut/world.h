// SPDX-License-Identifier: MIT
/// @file world.h
/// Rigid bodies that stand, slide and fall on the contacts of any method, and soft bodies.
///
/// A world has materials, bodies and a time. abut_world_step() finds the pairs of bodies whose boxes touch, asks
/// the contact method about each, gives all contacts to a solver (see solve.h) and moves the bodies. The same input
/// gives the same bytes at any number of threads. docs/simulation.md has the equations.
///
/// A world is used by one thread at a time; it uses threads of its own through the context.
#ifndef ABUT_WORLD_H
#define ABUT_WORLD_H

#include <abut/contact.h>
#include <abut/response.h>
#include <abut/soft.h>
#include <abut/solve.h>
#include <abut/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct abut_world abut_world;

// ---------------------------------------------------------------------------------------------------------------
// The world

/// Where in a step contacts are found, and how bodies move.
typedef enum abut_stepper {
    ABUT_STEPPER_MOREAU = 0,        ///< half a step, contacts, new velocities, the other half
    ABUT_STEPPER_SEMI_IMPLICIT = 1, ///< contacts, new velocities, a whole step
    /// From event to event: collisions, contacts that begin, change or end are located in time, and the motion
    /// between them is integrated to about 1e-12. For few bodies and without friction or damping: a step of a world
    /// that has any fails with ABUT_UNSUPPORTED. `solver`, `gap_rule`, `stabilisation` and `has_warm_start` are used
    /// only for what is left of a step after `event_limit` events, which is swept if `gap_rule` is ABUT_GAP_POSITIVE.
    ABUT_STEPPER_EVENTS = 2
} abut_stepper;

typedef enum abut_solver_kind {
    ABUT_SOLVER_PROX = 0, ///< abut_solve_prox(); at the iteration limit the step uses the last answer
    ABUT_SOLVER_MCP = 1   ///< abut_solve_mcp(); the step fails if it does not converge
} abut_solver_kind;

/// What an impact does in which several contacts take part, see abut_world_def.
typedef enum abut_impact_rule {
    ABUT_IMPACT_SIMULTANEOUS = 0, ///< Newton's law holds for all contacts at once
    ABUT_IMPACT_SEQUENTIAL = 1    ///< pair by pair, the fastest approach first, until no pair approaches
} abut_impact_rule;

/// The phases of a step, for timing.
typedef enum abut_phase {
    ABUT_PHASE_MOVE = 0,
    ABUT_PHASE_BROAD = 1,  ///< finds pairs of bodies
    ABUT_PHASE_NARROW = 2, ///< finds the contacts of the pairs
    ABUT_PHASE_SOLVE = 3,
    ABUT_PHASE_END = 4,       ///< the step is done; not told if it failed, nor by abut_world_detect()
    ABUT_PHASE_STABILISE = 5, ///< after ABUT_PHASE_SOLVE, if stabilisation is on: moves overlapping bodies apart
    ABUT_PHASE_SWEEP = 6      ///< looks for bodies in the way of others, see has_sweeps
} abut_phase;

/// A contact of two bodies and its impulse.
typedef struct abut_world_contact {
    int body_a, body_b;   ///< body_a < body_b; equal if a soft body touches itself
    abut_contact contact; ///< its normal points from body_a to body_b; `region` is an index of abut_world_regions
    double friction, restitution;
    abut_solve_impulse impulse; ///< on body_b; zero before the solver ran
} abut_world_contact;

/// Functions that a step calls; NULL: none.
typedef struct abut_world_callbacks {
    /// Called between finding contacts and solving, several times if the step is cut (has_sweeps of abut_world_def).
    /// May change the friction and restitution of the contacts, but nothing else of them or of the world. A status
    /// other than ABUT_OK ends the step with this status; the world is then as before the step. A friction or
    /// restitution that is not valid ends it with ABUT_BAD_DATA.
    abut_status (*on_contacts)(void *user, abut_world *world, abut_world_contact *contacts, int count);
    /// Called at the beginning of each phase.
    void (*on_phase)(void *user, abut_phase phase);
    /// Called at the end of each successful step, with the bodies and the report as the step leaves them.
    void (*on_step)(void *user, const abut_world *world);
    void *user; ///< passed to all of them
} abut_world_callbacks;

/// Position correction: each step moves bodies that overlap by more than `slop` apart by share (overlap - slop), at
/// most by `speed_limit` dt. If steps are swept, no body is moved by more than 5e-4 of its size in a step, apart from
/// what its turning needs, so that none jumps, and none into another body. Velocities do not change. An overlap of up to
/// 1e-6 of the smaller body counts as touching and is left alone, and corrections have that accuracy.
typedef struct abut_stabilisation {
    int is_on;          ///< default 1
    double slop;        ///< length; default 0
    double share;       ///< of the overlap, in a step; default 0.5
    double speed_limit; ///< default infinite
} abut_stabilisation;

/// Start from abut_world_def_default(). The pointers to parameters are NULL by default, which means the default
/// parameters, or for `response` none. abut_world_create() copies what they point to, the options of the methods
/// included.
typedef struct abut_world_def {
    size_t struct_size;
    abut_vec3 gravity; ///< an acceleration; default 0
    double dt;         ///< length of a step, > 0; default 0.01
    abut_stepper stepper;
    /// Finds the contacts; default `auto`, which answers at any overlap. A step fails if the method answers
    /// ABUT_OVERLAP. See also abut_world_set_method().
    const abut_method *method;
    const abut_params *params; ///< of the method
    abut_solver_kind solver;
    const abut_prox_params *prox; ///< its `start` must be NULL: see has_warm_start
    const abut_mcp_params *mcp;
    /// Default ABUT_GAP_POSITIVE, speculative contacts: the query looks one step ahead, if the method can, and the
    /// solver lets a pair close its gap but not penetrate.
    abut_gap_rule gap_rule;
    int has_warm_start; ///< the solver starts from the impulses of the last step; default 1
    abut_stabilisation stabilisation;
    /// A length: friction also resists rotation about the contact normal, as if it acted at this radius; see
    /// torsion_radius of abut_solve_contact. Default 0: it does not. Only for ABUT_SOLVER_PROX.
    double torsion_radius;
    double linear_damping;  ///< a force of -linear_damping times the velocity at the end of the step; default 0
    double angular_damping; ///< a moment of -angular_damping times the angular velocity there; default 0
    /// A step fails if the speed of a body, plus its angular speed times the diagonal of its box, exceeds this;
    /// default infinite.
    double speed_limit;
    abut_world_callbacks callbacks;
    /// Bodies at rest sleep, with all free bodies that they touch: they are neither moved nor queried until something
    /// touches one of them, a function changes a body or the world, or a fixed body that moves comes near. Default 0.
    /// See abut_world_body_is_asleep().
    int has_sleep;
    /// With ABUT_STEPPER_EVENTS: the most events of a step, at least 1; default 200. The rest of the step is then
    /// done as by ABUT_STEPPER_MOREAU; see `stepped_time` of the report.
    int event_limit;
    /// With ABUT_STEPPER_EVENTS: events are located to this part of dt, 1e-12 to 1e-3; default 1e-9. Bodies that
    /// approach each other more slowly than gravity and spin accelerate them in this time do not collide but rest.
    double time_tolerance;
    /// 1: no body passes through another one within a step. A step in which bodies touch is cut at the time of
    /// contact, where restitution acts; see docs/simulation.md, Impacts. Default 1; bodies at rest cost little more. 0: a
    /// step costs one detection and one solve, but fast bodies may pass thin ones, and what approaches in a step does not
    /// bounce. Only with ABUT_GAP_POSITIVE: with other rules a step is never cut.
    int has_sweeps;
    abut_impact_rule impact_rule; ///< default ABUT_IMPACT_SIMULTANEOUS
    /// How often the step of an island of up to 8 bodies is cut or an impact solved at most, >= 0; default 32. After
    /// that, fast bodies that would meet are held for the rest of the step: see lost_time of the report. Those that cannot
    /// pass each other get 8 cut_limit / n cuts of an island of n bodies, and then are left to the solver.
    int cut_limit;
    /// NULL, the default: the solver keeps bodies apart. Else penalty forces with these parameters do, see
    /// docs/simulation.md. The method is `continuous` then, and what concerns other methods, steppers, solvers,
    /// stabilisation, restitution, sleep and sweeps is not used. `tolerance` and `stiffness` are those of all pairs
    /// of bodies.
    const abut_response_params *response;
    /// With `response` or soft bodies: every contact of a penalty force has a friction force of this times the sliding speed, beside that of Coulomb.
    /// Default 0.
    double viscosity;
    /// Penalty forces of soft bodies, on others and on themselves, if `response` is NULL. NULL, the default: every pair
    /// of features is as stiff as `dt` and the masses allow, see docs/simulation.md.
    const abut_response_params *soft_response;
} abut_world_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_world_def_init(abut_world_def *def, size_t size);
static inline abut_world_def abut_world_def_default(void)
{
    abut_world_def def;
    abut_world_def_init(&def, sizeof def);
    return def;
}

/// @return ABUT_OK, ABUT_BAD_ARGUMENT with the name of the invalid field, or ABUT_NO_MEMORY
ABUT_API abut_status abut_world_create(const abut_context *context, const abut_world_def *def, abut_world **world,
                                       abut_error *error);
ABUT_API void abut_world_destroy(abut_world *world);

/// The definition that the world uses. None of its pointers to parameters is NULL. All belongs to the world.
ABUT_API const abut_world_def *abut_world_get_def(const abut_world *world);

// ---------------------------------------------------------------------------------------------------------------
// Materials and bodies

/// Start from abut_material_default().
typedef struct abut_material {
    size_t struct_size;
    double density;     ///< > 0; default 1000
    double friction;    ///< of the material on itself, >= 0; INFINITY: no slip; default 0.5
    double restitution; ///< of the material on itself, 0 to 1; default 0; that of abut_solve_contact
} abut_material;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_material_init(abut_material *material, size_t size);
static inline abut_material abut_material_default(void)
{
    abut_material material;
    abut_material_init(&material, sizeof material);
    return material;
}

/// Adds a material. Materials are numbered from 0. Two materials have the geometric mean of their frictions (0 with no
/// slip gives 0) and the larger restitution, unless abut_world_set_pair() sets others.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT, ABUT_LIMIT (more than 4096 materials) or ABUT_NO_MEMORY
ABUT_API abut_status abut_world_add_material(abut_world *world, const abut_material *material, int *index,
                                             abut_error *error);
/// Sets friction and restitution between two materials, in either order.
ABUT_API abut_status abut_world_set_pair(abut_world *world, int material_a, int material_b, double friction,
                                         double restitution, abut_error *error);
/// Friction and restitution between two materials.
/// @return ABUT_OK, or ABUT_BAD_ARGUMENT if there is no such material
ABUT_API abut_status abut_world_get_pair(const abut_world *world, int material_a, int material_b, double *friction,
                                         double *restitution, abut_error *error);
/// Sets the method for pairs of bodies of two materials, in either order, instead of that of the world. Copies
/// `params` and its options. Prepares the shapes of the bodies added so far, as abut_world_add_body() does; the others
/// are prepared when they are added.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT, ABUT_UNSUPPORTED (the method cannot take a shape) or ABUT_NO_MEMORY, with the
/// body's name in `error`; on failure nothing changes
ABUT_API abut_status abut_world_set_method(abut_world *world, int material_a, int material_b,
                                           const abut_method *method, const abut_params *params, abut_error *error);

/// Start from abut_body_def_default().
typedef struct abut_body_def {
    size_t struct_size;
    const char *name;          ///< for messages; copied up to 63 characters; NULL: none
    abut_shape *shape;         ///< the world prepares it for its methods; must outlive the world
    abut_pose pose;            ///< of the mesh
    abut_vec3 linear_velocity; ///< of the centre of mass; of a fixed body: of the origin of its mesh; world frame
    abut_vec3 angular_velocity;
    int is_fixed; ///< moves with its velocities, and nothing stops it
    int material; ///< default -1: must be set
    const abut_mass
        *mass; ///< in the mesh's frame, for density 1; NULL: that of abut_shape_mass(). Not used for fixed bodies
} abut_body_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_body_def_init(abut_body_def *def, size_t size);
static inline abut_body_def abut_body_def_default(void)
{
    abut_body_def def;
    abut_body_def_init(&def, sizeof def);
    return def;
}

/// Adds a body. Bodies are numbered from 0. Prepares its shape for the methods of the world, for which no other thread
/// may use the shape. If the shape is prepared already, this only reads it.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT, ABUT_BAD_DATA (no positive mass, a pose that is not finite), ABUT_UNSUPPORTED
/// (a method cannot take the shape) or ABUT_NO_MEMORY, with the body's name in `error`; on failure nothing is added
ABUT_API abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, int *index,
                                         abut_error *error);

typedef struct abut_body_state {
    abut_pose pose;                              ///< of the mesh
    abut_vec3 center;                            ///< of mass; of a fixed body: the origin of its mesh
    abut_vec3 linear_velocity, angular_velocity; ///< linear: of the centre
    abut_vec3 angular_momentum;                  ///< about the centre of mass; zero for fixed bodies
    double mass;                                 ///< 0 for fixed bodies
} abut_body_state;

/// Defines a soft body. Start from abut_soft_body_def_default().
typedef struct abut_soft_body_def {
    size_t struct_size;
    const char *name;  ///< as of a rigid body, and so are the next five
    abut_shape *shape; ///< its mesh without forces: tetrahedra with faces around them, or cloth
    abut_pose pose;
    abut_vec3 linear_velocity;
    abut_vec3 angular_velocity;
    int material; ///< friction on others; its density is not used; default -1: must be set
    const abut_soft_material *soft_material; ///< what it is made of, with its density
    const int *pins;                         ///< vertices that no force moves
    int pin_count;
    const abut_soft_params *params; ///< integrator, accuracy and limits; the world has the rest. NULL: the defaults
    int has_self_contact;           ///< it touches itself; default 1
} abut_soft_body_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_soft_body_def_init(abut_soft_body_def *def, size_t size);
static inline abut_soft_body_def abut_soft_body_def_default(void)
{
    abut_soft_body_def def;
    abut_soft_body_def_init(&def, sizeof def);
    return def;
}

/// Adds a soft body, which is numbered with the rigid ones. Penalty forces keep it from others and from itself (see
/// `response` and `soft_response` of the world), whatever the method of the world is. Prepares the shapes of all bodies
/// for these. A world with soft bodies has no sleep, and no step with ABUT_STEPPER_EVENTS. Casts and
/// abut_world_validate() do not see soft bodies.
/// @return as abut_world_add_body(), or a status of abut_soft_create(), with the body's name in `error`
ABUT_API abut_status abut_world_add_soft_body(abut_world *world, const abut_soft_body_def *def, int *index,
                                              abut_error *error);
/// The particles of a soft body, for its state, energy and critical step, to pin vertices, and to give them velocities
/// and impulses between steps; NULL if the body is rigid. It belongs to the world. Do not step it.
ABUT_API abut_soft *abut_world_body_soft(const abut_world *world, int body);
/// Applies a force to a vertex of a soft body during the next successful step. Pushes add up.
/// @return ABUT_OK, or ABUT_BAD_ARGUMENT if there is no such soft body or vertex
ABUT_API abut_status abut_world_push_vertex(abut_world *world, int body, int vertex, abut_vec3 force);

ABUT_API int abut_world_body_count(const abut_world *world);
/// The state of a body. The pose of a soft one is the identity, since its vertices are in the world frame, and its
/// angular velocity zero. Here, in the next four functions and in abut_world_push(), a number of a body that does not
/// exist is a programming error; debug builds assert it.
ABUT_API abut_body_state abut_world_get_body(const abut_world *world, int body);
ABUT_API const char *abut_world_body_name(const abut_world *world, int body); ///< "" if it has none
ABUT_API const abut_shape *abut_world_body_shape(const abut_world *world, int body);
ABUT_API int abut_world_body_is_fixed(const abut_world *world, int body);
/// Whether a body sleeps, see has_sleep of abut_world_def: for 10 steps, neither it nor a body that it touches, nor one
/// that these touch, moved by more than 1e-10 of its size in a step. Its velocities are zero.
ABUT_API int abut_world_body_is_asleep(const abut_world *world, int body);
/// Sets pose and velocities of a body. A soft one gets its shape without forces.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT if there is no such body, or ABUT_BAD_DATA if a number is not finite
ABUT_API abut_status abut_world_set_body(abut_world *world, int body, abut_pose pose, abut_vec3 linear_velocity,
                                         abut_vec3 angular_velocity, abut_error *error);
/// Applies a force at a point in the world frame, and a moment, to a rigid body during the next successful step. Pushes add up. If
/// their sum is not finite, the next step fails with ABUT_BAD_DATA and drops the pushes of that body.
ABUT_API void abut_world_push(abut_world *world, int body, abut_vec3 force, abut_vec3 point, abut_vec3 moment);
ABUT_API void abut_world_set_gravity(abut_world *world, abut_vec3 gravity);

// ---------------------------------------------------------------------------------------------------------------
// Validation

/// What abut_world_validate() can find. Later versions may find more: ignore kinds that you do not know.
typedef enum abut_world_finding_kind {
    ABUT_WORLD_FIXED_OVERLAP = 0, ///< two fixed bodies overlap; a step ignores this
    ABUT_WORLD_OVERLAP = 1,       ///< two bodies overlap, not both fixed: the first step pushes them apart
    /// Two bodies, not both fixed, touch where several sets of normals are equally correct, such as tip on tip, and
    /// their velocities do not decide: the first step takes all of them (rule ABUT_RULE_NONE).
    ABUT_WORLD_AMBIGUOUS_CONTACT = 2
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
/// Two bodies overlap if their meshes penetrate by more than 1e-3 of the smaller one; bodies that touch do not.
/// Dilation and offset do not count. Meshes that are not closed have no inside and are not compared. Contacts are
/// ambiguous by method `regions`, with the velocities that the bodies have, whatever the method of the world is.
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

/// The regions of all pairs, if the method finds regions.
typedef struct abut_world_regions {
    const abut_world_region *items; ///< in ascending order of the bodies
    int count;
    const abut_region_loop *loops; ///< outlines; their ranges refer to `points`
    int loop_count;
    const abut_region_cone *cones; ///< feasible motions; their ranges refer to `directions`
    int cone_count;
    const abut_vec3 *points;
    int point_count;
    const abut_vec3 *directions;
    int direction_count;
} abut_world_regions;

/// What ended a piece of a step with ABUT_STEPPER_EVENTS.
typedef enum abut_world_event_kind {
    ABUT_WORLD_COLLISION = 0, ///< bodies met and got new velocities
    ABUT_WORLD_BEGIN = 1,     ///< bodies met without a speed of approach: contacts began that rest
    ABUT_WORLD_RELEASE = 2,   ///< the force of a contact ended; the bodies separate there
    ABUT_WORLD_END = 3        ///< a contact that rests left its face or edge; the bodies may touch elsewhere
} abut_world_event_kind;

/// An event of a step with ABUT_STEPPER_EVENTS. Made by the library; may grow at its end.
typedef struct abut_world_event {
    abut_world_event_kind kind;
    double time;        ///< since the world was made, as that of the report
    int body_a, body_b; ///< body_a < body_b; if several pairs have an event at once, one of them
    int contact_count;  ///< of a collision: contacts of all pairs that approached each other
    double speed;       ///< of a collision: the largest speed of approach, > 0; else 0
} abut_world_event;

/// What happened to a contact or region of two bodies since the last step.
typedef struct abut_world_change {
    int body_a, body_b; ///< body_a < body_b
    abut_event event;
} abut_world_change;

/// The results of the last step or detection. Arrays are valid until the world is used again.
typedef struct abut_world_report {
    int64_t step;                       ///< number of steps done
    double time;                        ///< step times dt
    const abut_world_contact *contacts; ///< in ascending order of the bodies, then as in abut_result
    int contact_count;
    abut_world_regions regions;
    const abut_pose *poses; ///< of all bodies, at which the contacts were found
    int pair_count;         ///< pairs of bodies whose boxes touch
    abut_stats stats;       ///< of all pairs
    abut_solve_outcome outcome;
    int iterations;
    int matched; ///< contacts that started from an impulse of the last step
    double residual;
    double residual_scale;
    const double *history; ///< residual of each iteration, of the first 10,000 at most
    int history_count;
    int stabilisation_iterations; ///< 0 if no bodies overlap
    int asleep_count;             ///< bodies that sleep; their contacts are those with which they fell asleep
    /// What happened to contacts and regions since the last step, in ascending order of the bodies. Regions that are
    /// not listed persist.
    const abut_world_change *changes;
    int change_count;
    int churn; ///< contacts that began or ended, by their ids; 0 at rest
    // With ABUT_STEPPER_EVENTS; else zero. Contacts are those at the end of the step, and their impulses are the forces
    // there times dt.
    const abut_world_event *events; ///< in order of time
    int event_count;
    int trial_count;     ///< times at which contacts were found, to locate the events
    double stepped_time; ///< the part of the step, a time, that came after the last of too many events; else 0
    int impact_count;    ///< impacts of the step, see has_sweeps; contacts are those after the last one
    int cut_count;       ///< tries of the step that were cut
    double lost_time;    ///< for which bodies were held at most: after too many cuts, or by method quasi-lmd (docs)
    int held_count;      ///< bodies that were held
    // With `response` or soft bodies; else zero. Their contacts are penetration intervals with their impulses.
    int tracked_count; ///< pairs of features that penetrate or touch at the end of the paths that were predicted
    int without_side_count;   ///< pairs without a force: they touch at the start and have no history
    abut_vec3 angular_defect; ///< of all pairs of bodies, see abut_response
    /// The longest stable step of a penalty force: the least sqrt(2 m / k) of all pairs of features in contact, with the
    /// mass m that the pair moves along its normal. Infinite without contacts.
    double contact_step;
    int unsettled_count; ///< soft bodies whose implicit step did not reach its accuracy
    int inverted_count;  ///< tetrahedra that were inside out at the start of the step, of all soft bodies
    int inverted_body;   ///< the first body that has any, or -1
    int inverted_tet;    ///< its first one, or -1
} abut_world_report;

ABUT_API abut_world_report abut_world_get_report(const abut_world *world);

/// Does one step. Two fixed bodies have no contacts with each other, and may overlap.
/// @return ABUT_OK; ABUT_OVERLAP or another status of a method; ABUT_LIMIT if a body diverged (its position, velocity
/// or energy is not finite, it is faster than the limit, or it turns by thousands of radians in the step) or the
/// solver found no impulses; ABUT_BAD_DATA if a push is not finite; ABUT_NO_MEMORY. `error` then has the step, the
/// body or pair, and the reason, and bodies and time are as before: the next steps are as if this one had not been
/// tried.
ABUT_API abut_status abut_world_step(abut_world *world, abut_error *error);

/// Finds the contacts at the present poses and fills the report, with zero impulses. Moves nothing.
ABUT_API abut_status abut_world_detect(abut_world *world, abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Casts

/// Which bodies a cast sees. Start from abut_cast_filter_default().
typedef struct abut_cast_filter {
    size_t struct_size;
    int ignored_body;          ///< for example the body that casts; default -1: none
    int sees_fixed, sees_free; ///< default 1
    /// Called for bodies near the cast, in any order. 0: the cast passes through the body. NULL: it sees all.
    int (*sees)(void *user, const abut_world *world, int body);
    void *user; ///< passed to `sees`
} abut_cast_filter;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_cast_filter_init(abut_cast_filter *filter, size_t size);
static inline abut_cast_filter abut_cast_filter_default(void)
{
    abut_cast_filter filter;
    abut_cast_filter_init(&filter, sizeof filter);
    return filter;
}

/// The points origin + t direction, 0 <= t <= limit, in the world frame.
typedef struct abut_ray {
    abut_vec3 origin, direction; ///< the direction need not have length 1
    double limit;
} abut_ray;

typedef struct abut_ray_hit {
    int body;           ///< -1: nothing was hit, and what follows means nothing
    double t;           ///< parameter along the direction
    int triangle;       ///< of the body's mesh
    abut_vec3 point;    ///< on the triangle, world frame
    abut_vec3 normal;   ///< of the triangle, outward, length 1
    int is_from_inside; ///< the ray meets the back of the triangle
} abut_ray_hit;

/// Finds the first body that a ray hits, where the bodies are now: of hits with equal t, the body with the lowest
/// number. Triangles count from both sides, so a ray that starts inside a body hits its surface from inside. Rays that
/// pass exactly through an edge or vertex hit. Dilation and offset of shapes do not count. `filter` NULL: sees all.
/// Makes no heap calls unless bodies moved since the last cast or were added.
/// @return ABUT_OK, also if nothing is hit; ABUT_BAD_ARGUMENT (a number is not finite, the direction is zero, the limit
///         is negative; a limit may be infinite) or ABUT_NO_MEMORY
ABUT_API abut_status abut_world_cast_ray(abut_world *world, const abut_ray *ray, const abut_cast_filter *filter,
                                         abut_ray_hit *hit, abut_error *error);

/// A shape that moves through a world.
typedef struct abut_shape_cast {
    const abut_shape *shape; ///< must have a tree over triangles: see abut_shape_prepare_tree()
    abut_motion motion;      ///< a translation, or one that turns as well: see abut_motion
    double duration;
} abut_shape_cast;

typedef struct abut_shape_cast_hit {
    int body;           ///< -1: nothing was hit
    abut_sweep_hit hit; ///< A is the shape that was cast, B the body
} abut_shape_cast_hit;

/// Finds the first body that a moving shape touches, where the bodies are now. They stand still, also if they have
/// velocities. It is never late, and bodies that it touches at the start are slid along: see abut_sweep(). Of bodies
/// that are touched at the same time, up to the rounding of times, it is one. The world, filter, dilation and heap
/// are as for abut_world_cast_ray().
/// @return ABUT_OK, also if nothing is hit; ABUT_BAD_ARGUMENT; ABUT_UNPREPARED: the shape has no tree over triangles;
///         ABUT_BAD_DATA, ABUT_LIMIT: see abut_sweep(); or ABUT_NO_MEMORY
ABUT_API abut_status abut_world_cast_shape(abut_world *world, const abut_shape_cast *cast,
                                           const abut_cast_filter *filter, abut_shape_cast_hit *hit,
                                           abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Energy and momentum

typedef struct abut_world_energy {
    double kinetic;
    double potential; ///< of gravity; zero at the origin
    double elastic;   ///< of soft bodies
} abut_world_energy;

/// The energy of all free bodies.
ABUT_API abut_world_energy abut_world_get_energy(const abut_world *world);

/// Momentum of all free bodies, and their angular momentum about the origin.
typedef struct abut_world_momentum {
    abut_vec3 linear, angular;
} abut_world_momentum;

ABUT_API abut_world_momentum abut_world_get_momentum(const abut_world *world);

#ifdef __cplusplus
}
#endif
#endif
