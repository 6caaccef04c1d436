// SPDX-License-Identifier: MIT
// event.h: the parts of the stepper that goes from event to event
//
// A row is one contact point as a function of the poses of two bodies: its gap, and the first two derivatives of it. A
// geometric query finds the contacts at one instant; their rows follow the motion between queries, to rounding. So the
// time of an impact does not depend on the tolerance of the query, and constraints know how their normals turn.
#ifndef ABUT_WORLD_EVENT_H
#define ABUT_WORLD_EVENT_H

#include "world/world.h"

/// What the gap of a row is.
typedef enum abut_event_row_kind {
    ABUT_ROW_POINT_OF_A = 0, ///< a point of A over a plane of B
    ABUT_ROW_POINT_OF_B = 1, ///< a point of B over a plane of A
    ABUT_ROW_EDGES = 2       ///< the distance of two lines, one of each
} abut_event_row_kind;

/// A contact point that follows the bodies. Points and directions are in the axes of their body, from its centre.
typedef struct abut_event_row {
    abut_event_row_kind kind;
    int body_a, body_b;
    abut_vec3 point_a, point_b;         ///< on the contact point, on the plane, or on the two lines
    abut_vec3 direction_a, direction_b; ///< the normal of a plane, from A to B, or the directions of the lines
    double sign;                        ///< of lines: makes their cross product point from A to B
    double restitution;
    double size;      ///< of the smaller body
    double tolerance; ///< what counts as touching, a length
    double force;     ///< at the end of the last piece of the step
    int is_held;      ///< the bodies rest on each other here: the gap stays 0
    int is_grouped;   ///< abut_event_mark_inner() has seen it
    int is_inner;     ///< between other rows of the same plane, which say all that it says
} abut_event_row;

/// A row at the present state of the bodies.
typedef struct abut_event_frame {
    abut_vec3 normal, point; ///< from A to B; where the bodies touch
    abut_vec3 arm_a, arm_b;  ///< from the centres to the point
    double gap;
    double speed; ///< its derivative
    double bias;  ///< its second derivative if the bodies had no acceleration
} abut_event_frame;

/// Memory of the stepper, kept between steps.
typedef struct abut_event_stepper {
    abut_event_row *rows, *trial_rows; ///< at the beginning of a piece of the step, and at the time that is tried
    int row_count, row_capacity, trial_count, trial_capacity;
    abut_body_motion *start; ///< of all bodies, at the beginning of the piece
    double *stages;          ///< of the integrator
    int start_capacity, stage_capacity;
    abut_solve_body *bodies; ///< of all: inverse masses, and accelerations or velocities without contacts
    abut_solve_velocity *answer;
    int body_capacity, answer_capacity;
    abut_event_frame *frames; ///< of the rows that are solved for
    double *forces;           ///< of these rows
    int frame_capacity, force_capacity;
    // islands of these rows, each with numbers of its own
    int *parents, *locals, *heads, *links, *globals;
    int parent_capacity, local_capacity, head_capacity, link_capacity, global_capacity;
    abut_solve_body *island_bodies;
    abut_solve_velocity *island_answer;
    abut_solve_contact *island_contacts;
    abut_solve_impulse *island_impulses;
    int island_body_capacity, island_answer_capacity, island_contact_capacity, island_impulse_capacity;
    double *vectors; ///< of conjugate gradients
    int vector_capacity;
    abut_broad broad; ///< of swept boxes
    abut_box *boxes;
    unsigned char *is_passive;
    int box_capacity, passive_capacity;
    abut_world_event *events;
    int event_count, event_capacity;
    int trials;
    int idle_pieces;    ///< pieces since the last event
    double time;        ///< in the step
    double trial_time;  ///< since the beginning of the piece
    int is_moved;       ///< bodies overlapped where the rows were found, and were moved back
    int is_trial_moved; ///< the same for the rows of the trial
} abut_event_stepper;

static inline int abut_body_is_free(const abut_body *body)
{
    return !body->is_fixed && !abut_body_is_asleep(body);
}

/// The row of a contact, at the present poses.
abut_event_row abut_event_row_of(const abut_world *world, const abut_world_contact *contact);
abut_event_frame abut_event_row_frame(const abut_world *world, const abut_event_row *row);

/// Marks the rows that are between others: without friction, only the corners of the hull of a plane matter. `room` is
/// for as many numbers as there are rows.
void abut_event_mark_inner(const abut_world *world, abut_event_row *rows, int count, int *room);

/// Accelerations of all bodies with forces at the rows that are held: gap'' >= 0, force >= 0, one of them zero. Fills
/// `answer`, `frames` and `forces` (of all rows; zero if not held).
abut_status abut_event_find_forces(abut_world *world, abut_error *error);
/// gap'' of a row of `rows`, after abut_event_find_forces().
double abut_event_acceleration(const abut_event_stepper *s, int row);
/// Newton's impact at the rows that are held: each leaves at least at its restitution times its speed of approach. An
/// island that has no such velocities collides without restitution. Changes the velocities of bodies.
abut_status abut_event_collide(abut_world *world, abut_error *error);

/// An upper bound of the acceleration of all points of a body without contacts; and the sum of those of two.
double abut_event_acceleration_bound(const abut_world *world, const abut_body *body);
double abut_event_accelerations(const abut_world *world, const abut_event_row *row);
/// Of the accelerations of two bodies: what counts as zero.
static const double abut_event_least_acceleration = 1e-11;
/// The gap below which a row counts as touching, up to rounding.
double abut_event_slack(const abut_world *world, const abut_event_row *row);
/// The speed up to which bodies rest: what they gain within the time tolerance, or what lifts them by no more than the
/// least gap.
double abut_event_rest_speed(const abut_world *world, const abut_event_row *row);
/// Whether the two points have met, up to the time tolerance.
int abut_event_has_met(const abut_world *world, const abut_event_row *row, const abut_event_frame *frame);

/// Finds the contacts at the present poses, and fills `trial_rows`. Memories are not committed.
abut_status abut_event_find_rows(abut_world *world, abut_error *error);
/// The rows that were tried become those of the next piece.
abut_status abut_event_take_rows(abut_world *world, abut_error *error);

/// A piece of the step that is being tried.
typedef struct abut_event_piece {
    double time;
    int is_done; ///< it has no event before its end
    enum { ABUT_PIECE_NO_EVENT, ABUT_PIECE_TOUCH, ABUT_PIECE_RELEASED, ABUT_PIECE_ENDED } end;
    int body_a, body_b; ///< of the event at its end
} abut_event_piece;

/// Tries a piece, and shortens it if it has an event before its end.
abut_status abut_event_try_piece(abut_world *world, abut_event_piece *p, abut_error *error);
/// Whether the bodies at the end of a piece touch there: a row may have been that of a face that they miss.
int abut_event_is_met(const abut_world *world, const abut_event_piece *p);
/// Shortens a time so that no two bodies can pass through each other in it.
abut_status abut_event_limit(abut_world *world, double *time, abut_error *error);

/// Moves all bodies from `start` on for a time, with the forces of the rows that are held, and corrects the drift of
/// these rows.
abut_status abut_event_integrate(abut_world *world, double time, abut_error *error);
/// Removes the gaps and speeds of the rows that are held.
abut_status abut_event_correct(abut_world *world, abut_error *error);

#endif
