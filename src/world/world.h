// SPDX-License-Identifier: MIT
// world.h: the parts of a world
#ifndef ABUT_WORLD_WORLD_H
#define ABUT_WORLD_WORLD_H

#include "world/broad.h"
#include "world/path.h"
#include "world/region_list.h"

#include <abut/convex.h>
#include <abut/world.h>

enum { ABUT_BODY_NAME_ROOM = 64, ABUT_BODY_CALL_ROOM = ABUT_BODY_NAME_ROOM + 24 };

typedef struct abut_body {
    abut_body_motion motion;
    char name[ABUT_BODY_NAME_ROOM];
    abut_shape *shape;
    double size;  ///< the diagonal of the mesh's box
    double girth; ///< see abut_body_girth()
    double reach; ///< no point of the shape is further from the centre
    int is_fixed;
    int material;
    double mass; ///< 0: fixed
    abut_vec3 local_center;
    abut_mat3 local_inertia, local_inverse; ///< in the mesh's axes; zero: fixed
    abut_mat3 local_damped_inverse;         ///< inverse of the inertia plus dt times the damping
    abut_vec3 force, moment;                ///< of the next step
    int number; ///< in the world of the caller, from 0; a part of it (island_cut.h) has other indices
    abut_vec3 contact_force, contact_moment; ///< of soft bodies, in this step
    struct abut_soft_body *soft; ///< of a soft body, which `is_fixed` for all that concerns rigid ones; or NULL
    int piece_count;             ///< of the last abut_body_advance(), see abut_body_piece_count()
    int is_obstacle; ///< in a part of a world: a free body that does not take part, but moves as it did in the whole step
} abut_body;

typedef struct abut_contact_law {
    double friction, restitution;
    int choice; ///< of the method
} abut_contact_law;

typedef struct abut_method_choice {
    const abut_method *method;
    abut_params params;
    abut_option *options; ///< those of `params`, if they must be freed; or NULL
    int added;            ///< how many of them the world added, before those of the caller
} abut_method_choice;

/// What a world remembers of a pair of bodies.
typedef struct abut_pair_state {
    abut_body_pair bodies;
    abut_memory *memory;
    int is_new;    ///< it was not a pair in the last successful step
    int is_asleep; ///< not queried: its contacts are those of the last step
    /// In the lists of the last step.
    int contact_begin, contact_count;
    abut_region_counts region_begin, region_count;
} abut_pair_state;

/// The answer for a pair: a range of a worker's contacts and regions.
typedef struct abut_pair_answer {
    int worker, begin, count;
    abut_region_counts region_begin, region_count;
    int is_ahead; ///< found at the poses that the bodies are moving to; without regions
    const abut_convex
        *convex[2];    ///< if one plane is between two convex bodies: see abut_world_free_slide(); or NULL
    double tolerance;  ///< of `convex`: what counts as touching
    double slide_time; ///< of `convex`: for which they must be apart
    int change_begin, change_count; ///< in the worker's changes
} abut_pair_answer;

/// What a thread needs for queries, and what it found.
typedef struct abut_detector {
    abut_workspace *workspace;
    abut_result result;
    abut_world_contact *contacts; ///< their regions count from the first of the worker
    int count, capacity;
    abut_region_list regions;
    abut_world_change *changes;
    int change_count, change_capacity;
    abut_stats stats;
    int failed_pair; ///< the lowest pair whose query failed, or -1
    abut_error error;
} abut_detector;

struct abut_world {
    abut_context context;
    abut_world_def def; ///< its pointers are to the next three
    abut_params params;
    abut_prox_params prox;
    abut_mcp_params mcp;
    int64_t step;
    double span;    ///< length of the step, or of the part of it, at hand; 0: an impact
    double horizon; ///< for how long bodies move before contacts are found again

    abut_material *materials;
    abut_contact_law *laws; ///< of two materials, a square table
    int material_count, material_capacity, law_capacity;
    abut_method_choice *choices; ///< the first is the world's
    int choice_count, choice_capacity;
    double absolute_margin, relative_margin; ///< the largest tolerance or envelope of all choices

    abut_body *bodies;
    abut_body_motion *kept; ///< before the step
    abut_box *boxes;
    abut_pose *poses; ///< at the last detection
    unsigned char *is_passive;
    int body_count, body_capacity, kept_capacity, box_capacity, pose_capacity, passive_capacity;
    int soft_count; ///< soft bodies among them

    abut_broad broad;
    int64_t motion_count;  ///< how often bodies may have moved or were added
    int64_t cast_count;    ///< `motion_count` when the tree of the casts was built; -1: there is none
    abut_broad cast_broad; ///< all bodies where they are
    abut_box *cast_boxes;
    int cast_box_capacity;
    abut_paths paths;
    int *impact_contacts; ///< of a sequence of impacts
    int impact_capacity;
    abut_pair_state *pairs, *known_pairs; ///< of this step, and of the last good one; ascending by bodies
    int pair_count, known_pair_count, pair_capacity, known_pair_capacity;
    abut_memory **spare; ///< memories without a pair
    int spare_count, spare_capacity;
    abut_pair_answer *answers;
    int answer_capacity;
    abut_detector *detectors; ///< one a worker
    int detector_count;

    abut_world_contact *contacts, *known_contacts; ///< of this step, and of the last good one
    int contact_count, contact_capacity, known_contact_capacity;
    abut_region_list regions, known_regions;
    abut_world_change *changes;
    int change_count, change_capacity;
    int *awake_contacts; ///< those that are solved
    int awake_contact_count, awake_capacity;
    int *parents;             ///< of each body: one nearer to the root of its island
    unsigned char *is_marked; ///< of each body: it is the root of an island whose bodies overlap
    double *
        rises; ///< of each awake contact, if steps are swept: the speed at which it may close, since it moves on arcs
    double *corrections; ///< of each awake contact: the speed at which stabilisation parts it
    int parent_capacity, marked_capacity, correction_capacity, rise_capacity;
    int asleep_count; ///< bodies
    abut_solver *solver;
    abut_solve_body *solve_bodies;
    abut_solve_contact *solve_contacts, *last_contacts;
    abut_solve_impulse *impulses, *last_impulses;
    abut_solve_impulse *pushes, *last_pushes; ///< of stabilisation, of the same contacts; without friction
    abut_solve_velocity *velocities;
    double *history;
    int solve_body_capacity, solve_contact_capacity, last_contact_capacity, impulse_capacity, last_impulse_capacity,
        push_capacity, last_push_capacity, velocity_capacity, history_capacity;
    int last_contact_count;
    struct abut_event_stepper *events; ///< of ABUT_STEPPER_EVENTS, made by the first step; or NULL
    abut_response_params response;     ///< if `def.response` is set, or of soft bodies
    abut_world_contact *all_contacts; ///< those of rigid and of soft bodies, if only the latter have penalty forces
    int all_capacity;
    struct abut_penalty_stepper *penalty; ///< if there are penalty forces, made by the first step; or NULL
    struct abut_island_cut *cut;          ///< made by the first step that is cut; or NULL
    abut_world *whole;                    ///< the world that this one is a part of, or NULL
    double last_span;                     ///< of `last_impulses`
    int has_pushes;                       ///< `pushes` are those of the contacts that were solved
    double push_span;                     ///< of `last_pushes`; 0: they mean nothing
    abut_world_report report;
};

/// Makes a matrix symmetric.
static inline abut_mat3 abut_mat3_symmetric(abut_mat3 m)
{
    m.y.x = m.x.y = 0.5 * (m.y.x + m.x.y);
    m.z.x = m.x.z = 0.5 * (m.z.x + m.x.z);
    m.z.y = m.y.z = 0.5 * (m.z.y + m.y.z);
    return m;
}

/// Turns an inertia from the body's axes into those of the world.
abut_mat3 abut_body_turn(const abut_body *body, abut_mat3 local);
abut_pose abut_body_pose(const abut_body *body);
/// The box of a body at a pose, with its dilation and offset, widened by the margin on all sides.
abut_box abut_body_box(const abut_body *body, abut_pose pose, double margin);
double abut_body_kinetic_energy(const abut_body *body); ///< 0: fixed
/// Moves a body for a time without forces; keeps momentum and energy. Returns 0 if it spins too fast to be integrated.
int abut_body_advance(abut_body *body, double time);
/// How many pieces of equal time abut_body_advance() takes, in each of which the spin is constant; 0: it fails.
int abut_body_piece_count(const abut_body *body, double time);
/// Rotates a body for one of these pieces and returns its constant spin in the world frame.
abut_vec3 abut_body_turn_piece(abut_body *body, double time);
/// Finds the angular velocity of a free body from its angular momentum and its rotation.
void abut_body_update_spin(abut_body *body);
/// How much further than on straight lines, at their velocities now, B's point of a contact moves from A's in a time, at
/// most `horizon`: they move on arcs. Zero if the bodies turn so far that they do not keep these points.
abut_vec3 abut_world_bend(const abut_world *world, const abut_solve_contact *c, double time);
/// Moves a free body with the given velocity; its momentum does not change.
void abut_body_displace(abut_body *body, abut_solve_velocity velocity, double time);

static inline void abut_world_tell(const abut_world *world, abut_phase phase)
{
    if (world->def.callbacks.on_phase != NULL) {
        world->def.callbacks.on_phase(world->def.callbacks.user, phase);
    }
}

/// Runs a task over the first `count` bodies, pairs or contacts; if they are many, on the context's threads.
void abut_world_spread(const abut_world *world, int count, abut_range_task *task, void *data);

/// How far bodies look ahead, in steps, at their speed now: twice as far as they move, since gravity and contacts may
/// speed them up.
enum { ABUT_STEPS_AHEAD = 2 };

/// If steps are swept, bodies do not look further ahead than this part of the smaller one: what is beyond is met on
/// the way.
#define ABUT_LOOK_SHARE 0.1

/// How far bodies may move before their contacts are found again, if the world has speculative contacts; else 0.
double abut_world_look_ahead(const abut_world *world, abut_vec3 velocity, double spin_speed);
/// How far a body at rest may fall before its contacts are found again, if the world has speculative contacts and the
/// method is global, or steps are swept; else 0. A global method gives what is on one plane within its tolerance. After a
/// step, faces that rest on each other are tilted by more than that, and only the gaps up to this distance show all of
/// their corners. Other methods find each corner by itself, and answer from their memory if nothing moves. They look so
/// far in swept steps, if the bodies move at all: one that rocks is slow at its turning point.
double abut_world_fall_ahead(const abut_world *world, const abut_method *method);
/// A bound of the speed of all points of two bodies relative to each other.
double abut_world_pair_speed(const abut_body *a, const abut_body *b);
/// How thick a body is: the shortest side of the box of its mesh or, if that is less, a thickness by volume and area, which
/// is right for balls and plates, 0.87 of a cube's side, and half of a thin rod's. At least a thousandth of its size, which
/// is also taken for meshes that are not closed and oriented: they may be sheets.
double abut_body_girth(const abut_body *body);
/// An upper bound of the speed of all points relative to the centre.
double abut_body_spin_speed(const abut_body *body);
/// Two bodies as a pair, without a memory.
abut_pair abut_world_pair_of(const abut_world *world, abut_body_pair bodies);
/// The same at the poses of the last detection, with the velocities that the bodies have now.
abut_pair abut_world_solved_pair(const abut_world *world, abut_body_pair bodies);
/// The pair of a query.
abut_pair abut_world_pair(const abut_world *world, const abut_pair_state *state);
/// Finds the contacts of a pair; they are in the detector's result, whose statistics are added to those of the
/// detector.
abut_status abut_world_query(const abut_world *world, abut_detector *d, const abut_pair *pair,
                             const abut_pair_state *state, abut_pair_answer *answer);
/// Where a side is after a time, with its velocities.
abut_pose abut_world_pose_after(const abut_side *side, double time);
/// Exchanges the normal of a contact between two convex bodies, which was found by looking ahead, if the motion of the
/// bodies runs into it but another normal there keeps them apart for this time. The answer must have `convex`.
void abut_world_free_slide(const abut_pair *pair, const abut_pair_answer *answer, abut_contact *contact);
/// Brings a contact of that result to the present poses and velocities.
void abut_world_settle(const abut_pair *pair, const abut_pair_answer *answer, abut_contact *contact);

/// Finds the contacts at the present poses and fills the report. Memories are not committed.
abut_status abut_world_find_contacts(abut_world *world, abut_error *error);
/// Adds the events of the last query to the list of the worker, except that regions persist. Returns 0 if memory ran
/// out.
int abut_world_keep_changes(const abut_context *context, abut_detector *d, abut_body_pair bodies,
                            abut_pair_answer *answer);
/// Fills the changes of the report, and ends what pairs had that are no pairs any more. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_world_collect_changes(abut_world *world);
/// Empties a memory for another pair; `spare` must have room for it.
void abut_world_make_spare(abut_world *world, abut_memory *memory);
/// The contacts of a pair of bodies in the last detection, or NULL.
const abut_pair_state *abut_world_find_pair(const abut_world *world, abut_body_pair bodies);
/// Forgets the pairs of a failed step, of a part of a step or of a detection.
void abut_world_drop_pairs(abut_world *world);
static inline int abut_world_is_pair_before(abut_body_pair a, abut_body_pair b)
{
    return a.a < b.a || (a.a == b.a && a.b < b.b);
}

/// After a successful step: commits the memories of its pairs.
void abut_world_commit_pairs(abut_world *world);
abut_status abut_world_create_detectors(abut_world *world);
void abut_world_destroy_detectors(abut_world *world);

/// Fills `impulses` with those of the last step, for the contacts of this one; others get zero. Counts them in the
/// report. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_world_warm_start(abut_world *world);

/// Islands: free bodies joined by contacts. `parents` must begin with each body its own parent.
void abut_world_join(const abut_world *world, int a, int b); ///< unless one is fixed
int abut_world_root(const abut_world *world, int body);      ///< the lowest body of the island
/// One of two bodies in contact that is not fixed.
static inline int abut_world_free_body(const abut_world *world, int a, int b)
{
    return world->bodies[a].is_fixed ? b : a;
}

/// The velocities of a body at the end of the step without contacts: gravity, pushes and damping.
abut_solve_body abut_world_free_motion(const abut_world *world, const abut_body *body);
/// Moves all bodies for a time. Fails if one spins too fast to be integrated.
abut_status abut_world_advance(abut_world *world, double time, abut_error *error);
/// Fails since a body spins too fast.
abut_status abut_world_name_spinning(const abut_world *world, int body, abut_error *error);

/// Whether penalty forces act between some or all bodies.
static inline int abut_world_has_penalty(const abut_world *world)
{
    return world->def.response != NULL || world->soft_count > 0;
}

/// A step of a world in which penalty forces keep all bodies apart, without its end (penalty_step.c).
abut_status abut_world_step_penalty(abut_world *world, abut_error *error);
/// Before a step of another kind: gives soft bodies their velocities, and rigid bodies the forces of soft ones.
abut_status abut_world_begin_soft(abut_world *world, abut_error *error);
/// After that step: moves the soft bodies. Their contacts are added to the report.
abut_status abut_world_end_soft(abut_world *world, abut_error *error);
/// After a successful step: keeps what is tracked.
void abut_world_commit_penalty(abut_world *world);
/// Forgets what is tracked of a body that is put elsewhere; `moved` NULL: in any case.
void abut_world_forget_penalty(abut_world *world, int body, const abut_body *moved);
/// Reads the parameters of penalty forces from the definition. They are found by one method only.
abut_status abut_world_read_response(abut_world *world, abut_error *error);
void abut_penalty_stepper_destroy(const abut_context *context, struct abut_penalty_stepper *stepper);

/// A step of ABUT_STEPPER_EVENTS, see event.h.
abut_status abut_world_step_events(abut_world *world, abut_error *error);
void abut_event_stepper_destroy(const abut_context *context, struct abut_event_stepper *stepper);
/// A step of one of the time-stepping modes, without its end: contacts, velocities and positions.
abut_status abut_world_step_time(abut_world *world, abut_stepper stepper, abut_error *error);
/// Whether the steps of a world are cut at the time of contact.
static inline int abut_world_is_swept(const abut_world *world)
{
    return world->def.has_sweeps && world->def.gap_rule == ABUT_GAP_POSITIVE &&
           world->def.stepper != ABUT_STEPPER_EVENTS;
}

/// For how long bodies move before contacts are found again.
static inline double abut_world_horizon(const abut_world *world)
{
    return abut_world_is_swept(world) ? world->horizon : world->def.dt;
}

/// Bodies of an island for which `cut_limit` is meant: a larger one gets less cuts, so that they cost the same.
enum { ABUT_SMALL_ISLAND = 8 };
/// Of the smaller body: an overlap that bodies may have while they slide, or roll, on each other. Twice what
/// stabilisation leaves.
static const double abut_sliding_depth = 2e-6;
/// Whether two bodies move so little in a step that they cannot pass each other, even if their contacts are found at its
/// beginning only. `speed` bounds that of their points relative to each other.
static inline int abut_world_is_harmless(const abut_world *world, const abut_body *a, const abut_body *b,
                                         double speed)
{
    const double share = 0.5; // what is no further in is pushed back to where it came from
    return speed * world->def.dt <= share * fmin(a->girth, b->girth);
}
/// The approach below which contacts do not bounce, and bodies that touch are left to the solver.
double abut_world_least_approach(const abut_world *world, double size);

/// Takes bodies back along their way of the last `time`, if the base complexes of method quasi-lmd would meet on it. Worlds
/// whose steps are swept do not need it.
abut_status abut_world_limit(abut_world *world, double time, abut_error *error);
/// One step, or a part of it, of length `span`, without its end: contacts, velocities, positions.
abut_status abut_world_try_span(abut_world *world, double span, abut_error *error);
/// Finds the contacts at the present poses and gives the bodies the velocities after the impact. `hits` are those of
/// the paths up to `time`: if `is_stuck`, they are contacts too.
abut_status abut_world_collide(abut_world *world, double time, int is_stuck, abut_error *error);
/// A step that is cut at times of contact.
abut_status abut_world_run_swept(abut_world *world, abut_error *error);
/// Does the step of a part of a world again, cut at times of contact, up to `time` at first. Ends early, with the number of
/// an obstacle, if that must take part, or with ABUT_CUT_TOO_FAR if a body leaves the box.
abut_status abut_world_run_part(abut_world *part, double time, const abut_box *box, int *obstacle,
                                abut_error *error);
enum { ABUT_CUT_DONE = -1, ABUT_CUT_TOO_FAR = -2 };
/// Finds the contacts at the present poses, wakes bodies that are touched, asks the caller, and fills `awake_contacts`.
abut_status abut_world_find_awake_contacts(abut_world *world, abut_error *error);
/// Puts the bodies back to where they were.
void abut_world_put_back(abut_world *world, const abut_body_motion *motions);
/// The speed at which the bodies of a contact separate there, now.
double abut_world_normal_speed(const abut_world *world, const abut_world_contact *c);
/// Velocities from contacts, for `span`.
abut_status abut_world_solve(abut_world *world, abut_error *error);

/// Makes the moves of stabilisation (`velocities`, for `span`) so short that they end where bodies touch: fills
/// `paths.shares` at the roots of islands with the share of its way that each of them may move. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_world_sweep_pushes(abut_world *world);
/// Moves overlapping bodies apart, after the step was solved.
abut_status abut_world_stabilise(abut_world *world, abut_error *error);
/// Fails for a reason, with the number of the step.
abut_status abut_world_name_step(const abut_world *world, const abut_error *reason, abut_error *error);

/// Whether two bodies are no pair although their boxes touch: both are fixed, or one sleeps and the other one sleeps or
/// does not move.
int abut_world_is_idle_pair(const abut_world *world, abut_body_pair bodies);
/// Whether nothing can move in the next step.
int abut_world_is_at_rest(const abut_world *world);
void abut_world_wake_all(abut_world *world);
void abut_world_wake_body(abut_world *world, int body); ///< with its island
void abut_world_wake_touched(abut_world *world);        ///< after detection: islands that others touch
void abut_world_put_to_sleep(abut_world *world);        ///< after a step: islands at rest
/// Fills `awake_contacts`, and makes room for `parents`. ABUT_OK or ABUT_NO_MEMORY.
abut_status abut_world_list_awake(abut_world *world);
static inline int abut_body_moves(const abut_body *body)
{
    const abut_body_motion *m = &body->motion;
    return abut_norm_squared(m->linear_velocity) + abut_norm_squared(m->angular_velocity) > 0.0;
}

static inline int abut_body_is_asleep(const abut_body *body)
{
    return body->motion.island > 0;
}

/// Room for the next body, with its name and number; NULL if memory ran out.
abut_body *abut_world_next_body(abut_world *world, const char *name);
/// Sets pose and velocities of a body with its mass. ABUT_OK, or ABUT_BAD_DATA.
abut_status abut_body_place(abut_body *body, abut_pose pose, abut_vec3 linear, abut_vec3 angular, const char *name,
                            abut_error *error);
/// The state of a soft body.
abut_body_state abut_soft_body_state(const abut_body *body);
/// Gives a soft body its shape without forces, at a pose.
void abut_soft_body_place(abut_body *body, abut_pose pose, abut_vec3 linear, abut_vec3 angular);
/// Prepares a shape for penalty forces.
abut_status abut_world_prepare_continuous(abut_shape *shape, abut_error *error);
static inline int abut_is_unit(abut_quat q)
{
    return fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0) <= 1e-6;
}

abut_contact_law abut_world_law(const abut_world *world, int material_a, int material_b);
/// Writes what to call a body in a message, "body 7 (name)" or "body 7" without a name, and returns `text`.
const char *abut_world_call(const abut_world *world, int body, char text[ABUT_BODY_CALL_ROOM]);

#endif
