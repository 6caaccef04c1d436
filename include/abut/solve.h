// SPDX-License-Identifier: MIT
/// @file solve.h
/// From contacts to impulses: unilateral contact with Coulomb friction, by proximal Gauss-Seidel or by Lemke.
///
/// The solvers know neither shapes nor time. A problem has two arrays: bodies, with the velocities that they would
/// have at the end of the step without contacts, and contacts between them. The answer is an impulse for each contact
/// and the velocities with these impulses. Both solvers take the same problem:
/// - abut_solve_prox(): thousands of contacts, round friction cone; more iterations make it more accurate;
/// - abut_solve_mcp(): tens of contacts, friction pyramid; a direct method that finds an answer or reports that it
/// found
///   none.
///
/// Everything is in the world frame and in consistent units. The same input gives the same bytes. docs/solvers.md has
/// the equations.
#ifndef ABUT_SOLVE_H
#define ABUT_SOLVE_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------------------------------------------------------
// The problem

/// The body index of the world, which never moves.
enum { ABUT_SOLVE_WORLD = -1 };

/// The velocity of a body's centre of mass, and its angular velocity.
typedef struct abut_solve_velocity {
    abut_vec3 linear, angular;
} abut_solve_velocity;

/// A body. If inverse mass and inverse inertia are zero, impulses do not change its velocity (a platform).
typedef struct abut_solve_body {
    double inverse_mass;          ///< finite, >= 0
    abut_mat3 inverse_inertia;    ///< about the centre of mass, world frame; symmetric and positive semidefinite
    abut_solve_velocity velocity; ///< at the end of the step without contacts: u + dt M^-1 h
} abut_solve_body;

/// A contact of two bodies at one point. Start from abut_solve_contact_default().
///
/// With u the velocity of B's point relative to A's after the step, and its part u_n along the normal, the condition
/// is
///
///     u_n - s >= 0,  normal impulse >= 0,  one of them zero,
///     s = restitution max(0, -speed_before) + correction - g,
///
/// where g follows from the gap, see abut_gap_rule. Friction opposes the slip and is at most `friction` times the
/// normal impulse.
typedef struct abut_solve_contact {
    int body_a, body_b;     ///< index of a body or ABUT_SOLVE_WORLD; different
    abut_vec3 normal;       ///< unit, from A to B
    abut_vec3 arm_a, arm_b; ///< from the centre of mass of A, of B, to the point of contact; not used for the world
    double friction;        ///< Coulomb's coefficient mu, >= 0; INFINITY: no slip, unless the bodies separate
    /// A length r >= 0: friction also resists rotation about the normal, with a moment m such that |f|^2 + (m / r)^2
    /// is at most (mu normal impulse)^2. 0: it does not. Only for abut_solve_prox().
    double torsion_radius;
    /// Newton's coefficient e, 0 to 1. Together with friction it can add energy (docs/solvers.md).
    double restitution;
    double speed_before; ///< u_n at the beginning of the step, for restitution; negative while the bodies approach
    double correction;   ///< the least speed at which the bodies separate, to correct an overlap; any sign
    double gap;          ///< signed distance at the contact; not read with ABUT_GAP_NONE
    /// The first direction of friction, a unit vector at right angles to the normal, or zero for any. The friction
    /// pyramid has an edge there; the round cone does not depend on it.
    abut_vec3 tangent;
    /// A slip that friction does not oppose: it opposes the slip less this, of which only the part across the normal counts.
    /// Zero: friction opposes all slip.
    abut_vec3 drift;
    uint64_t id; ///< identifies the contact of the two bodies over time, for abut_solve_match()
} abut_solve_contact;

/// A contact with zero arms and without friction, torsion, restitution and gap.
ABUT_API abut_solve_contact abut_solve_contact_default(int body_a, int body_b, abut_vec3 normal);

/// How the gap is used: the bodies may approach at a speed of g.
typedef enum abut_gap_rule {
    ABUT_GAP_NONE = 0,     ///< g = 0: bodies in contact may not approach
    ABUT_GAP_POSITIVE = 1, ///< g = max(0, gap) / dt: bodies that are apart may touch at the end of the step
    ABUT_GAP_SIGNED = 2    ///< g = gap / dt, as in Yi and Drumwright 2016: one step removes an overlap
} abut_gap_rule;

/// Start from abut_solve_problem_default().
typedef struct abut_solve_problem {
    size_t struct_size;
    const abut_solve_body *bodies;
    int body_count;
    const abut_solve_contact *contacts;
    int contact_count;
    abut_gap_rule gap_rule; ///< default ABUT_GAP_NONE
    double dt;              ///< length of the step, > 0; not read with ABUT_GAP_NONE
} abut_solve_problem;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_solve_problem_init(abut_solve_problem *problem, size_t size);
static inline abut_solve_problem abut_solve_problem_default(void)
{
    abut_solve_problem problem;
    abut_solve_problem_init(&problem, sizeof problem);
    return problem;
}

// ---------------------------------------------------------------------------------------------------------------
// The answer

/// The impulse of a contact on B; A gets the opposite. The impulse (normal n + tangent) acts at the point of contact,
/// together with the angular impulse (torsion n).
typedef struct abut_solve_impulse {
    double normal;     ///< >= 0
    abut_vec3 tangent; ///< friction, at right angles to the normal
    double torsion;
} abut_solve_impulse;

/// How a solver ended. After ITERATIONS and DIVERGED, abut_solve_prox() gives the last iterate that it accepted, which
/// is finite; abut_solve_mcp() gives zero impulses, also after RAY.
typedef enum abut_solve_outcome {
    ABUT_SOLVE_CONVERGED = 0,  ///< solved to the tolerance
    ABUT_SOLVE_ITERATIONS = 1, ///< the iteration limit was reached
    ABUT_SOLVE_DIVERGED = 2,   ///< numbers overflowed
    ABUT_SOLVE_RAY = 3,        ///< Lemke's method ended on a ray: it found no solution; there may be none
    /// The answer misses the conditions by more than the tolerance: of Lemke's method, or because a contact with
    /// infinite friction can neither stick nor separate.
    ABUT_SOLVE_INACCURATE = 4
} abut_solve_outcome;

/// "converged", "iterations", "diverged", "ray" or "inaccurate"; NULL for other numbers.
ABUT_API const char *abut_solve_outcome_text(abut_solve_outcome outcome);

/// The caller owns the arrays. Those that are NULL are not written.
typedef struct abut_solve_result {
    abut_solve_velocity *velocities; ///< of each body, with the impulses
    abut_solve_impulse *impulses;    ///< of each contact
    /// The residual of each iteration of abut_solve_prox(), up to the capacity: the largest of all islands. Those that
    /// are done count with their last one.
    double *history;
    int history_capacity;
    abut_solve_outcome outcome;
    /// Of abut_solve_prox(): of the island that took the most, including rejected ones, without Newton steps. Of
    /// abut_solve_mcp(): pivots.
    int iterations;
    int newton_steps;  ///< of abut_solve_prox(), of all islands, including steps that were undone
    int history_count; ///< values written to `history`
    int rejections;    ///< rejected sweeps of abut_solve_prox()
    /// The largest speed by which a contact misses its condition. abut_solve_prox() measures it in the last accepted
    /// sweep, for each contact just before the sweep corrects it; abut_solve_mcp() in the answer.
    double residual;
    double scale; ///< the largest speed by which a contact misses its condition if all impulses are zero
} abut_solve_result;

// ---------------------------------------------------------------------------------------------------------------
// Solvers

/// Scratch memory of the solvers, kept between calls. One per thread. After two calls, calls of the same size or
/// smaller make no heap calls.
typedef struct abut_solver abut_solver;

/// @return ABUT_OK or ABUT_NO_MEMORY
ABUT_API abut_status abut_solver_create(const abut_context *context, abut_solver **solver);
ABUT_API void abut_solver_destroy(abut_solver *solver);

/// The factor r of the proximal map prox(impulse - r speed): how far a visit moves a contact towards its condition.
/// All rules have the same solutions.
typedef enum abut_factor_rule {
    ABUT_FACTOR_GLOBAL = 0, ///< one r for all contacts: safe for the lightest body, slow for heavy ones
    ABUT_FACTOR_LOCAL = 1,  ///< each contact has one r for its normal and one for its friction
    ABUT_FACTOR_BLOCKED = 2 ///< a matrix: the friction of a contact is solved exactly for its normal impulse
} abut_factor_rule;

/// What one iteration does.
typedef enum abut_sweep_rule {
    ABUT_SWEEP_FORWARD = 0, ///< visits all contacts in order: Gauss-Seidel, as in the papers
    /// Visits all contacts in order and back, then takes a step in a conjugate direction: twice the work, far fewer
    /// iterations. Symmetric problems get symmetric answers.
    ABUT_SWEEP_CONJUGATE = 1
} abut_sweep_rule;

/// Start from abut_prox_params_default().
typedef struct abut_prox_params {
    size_t struct_size;
    abut_sweep_rule sweep;     ///< default ABUT_SWEEP_CONJUGATE
    abut_factor_rule factor;   ///< default ABUT_FACTOR_LOCAL
    int iteration_limit;       ///< default 1000
    double absolute_tolerance; ///< stop at this residual, a speed; default 0
    /// Stop at this residual relative to the `scale` of the island; default 1e-8. If both are 0: until nothing changes.
    double relative_tolerance;
    /// A sweep is rejected if its residual exceeds `growth` times the least one so far: impulses and velocities go
    /// back, and all factors are multiplied by `reduction`. Defaults 10 and 0.9. With a `reduction` of 1 no sweep is
    /// rejected.
    double growth, reduction;
    /// Impulses to start from, one per contact; NULL: zero. May be the array of the result.
    const abut_solve_impulse *start;
    /// 1, the default: an island whose conjugate iterations converge slowly takes Newton steps between them, which
    /// solve for all of its bodies at once, as long as they reduce the residual faster (docs/solvers.md). Not with
    /// ABUT_SWEEP_FORWARD, ABUT_FACTOR_BLOCKED, torsion or infinite friction.
    int has_newton;
} abut_prox_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_prox_params_init(abut_prox_params *params, size_t size);
static inline abut_prox_params abut_prox_params_default(void)
{
    abut_prox_params params;
    abut_prox_params_init(&params, sizeof params);
    return params;
}

/// Projected Gauss-Seidel on the proximal formulation: visits the contacts in the order of the array and corrects each
/// while the others stay. Islands of contacts that moving bodies join are solved on their own, on the threads of the
/// solver's context; the number of threads does not change the result. Time is linear in contacts and iterations.
/// `params` NULL: the defaults.
/// @return ABUT_OK with any outcome; ABUT_BAD_DATA, ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY, with the body or contact in
/// `error`; on failure nothing is written
ABUT_API abut_status abut_solve_prox(abut_solver *solver, const abut_solve_problem *problem,
                                     const abut_prox_params *params, abut_solve_result *result, abut_error *error);

/// Start from abut_mcp_params_default().
typedef struct abut_mcp_params {
    size_t struct_size;
    /// Edges of the friction pyramid, evenly spread from the contact's first tangent; an even number; default 4. With
    /// 2, friction acts along the first tangent only: a problem in the plane.
    int directions;
    int iteration_limit; ///< pivots; 0, the default: 50 times the number of unknowns
    double tolerance;    ///< of the answer, relative to the sizes of the problem; default 1e-9
} abut_mcp_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_mcp_params_init(abut_mcp_params *params, size_t size);
static inline abut_mcp_params abut_mcp_params_default(void)
{
    abut_mcp_params params;
    abut_mcp_params_init(&params, sizeof params);
    return params;
}

/// Solves the mixed complementarity problem of Stewart and Trinkle with abut_lcp_lemke(), as a linear one with 2 +
/// `directions` unknowns per contact (one less with infinite friction, 1 without friction). Time grows with the cube
/// of the unknowns. `params` NULL: the defaults.
/// @return as abut_solve_prox(); ABUT_UNSUPPORTED if a contact has a torsion radius, ABUT_LIMIT for more than
/// ABUT_LCP_VARIABLES unknowns
ABUT_API abut_status abut_solve_mcp(abut_solver *solver, const abut_solve_problem *problem,
                                    const abut_mcp_params *params, abut_solve_result *result, abut_error *error);

// ---------------------------------------------------------------------------------------------------------------
// Warm start

/// Contacts of a step and their impulses.
typedef struct abut_solve_past {
    const abut_solve_contact *contacts;
    const abut_solve_impulse *impulses;
    int count;
} abut_solve_past;

/// Finds impulses to start from among those of the last step. A contact with the bodies and the id of an earlier one
/// gets its impulse, with the friction rotated into the new tangent plane; others get zero. If several have the same
/// bodies and id, they are matched in order. Body indices must mean the same in both steps. `start` has room for one
/// impulse per contact of the problem. `matched` gets the number of matched contacts; it may be NULL.
ABUT_API abut_status abut_solve_match(abut_solver *solver, const abut_solve_past *past,
                                      const abut_solve_problem *problem, abut_solve_impulse *start, int *matched);

// ---------------------------------------------------------------------------------------------------------------
// Linear complementarity problems

/// The largest number of unknowns that abut_lcp_lemke() takes.
enum { ABUT_LCP_VARIABLES = 4096 };

/// The problem to find z with w = M z + q, z >= 0, w >= 0 and z . w = 0.
typedef struct abut_lcp {
    int count;
    const double *matrix; ///< M by rows, count x count
    const double *vector; ///< q
} abut_lcp;

/// Start from abut_lcp_params_default().
typedef struct abut_lcp_params {
    size_t struct_size;
    int iteration_limit; ///< pivots; 0, the default: 50 times the number of unknowns
    double tolerance;    ///< of the answer, see `residual`; default 1e-9
} abut_lcp_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_lcp_params_init(abut_lcp_params *params, size_t size);
static inline abut_lcp_params abut_lcp_params_default(void)
{
    abut_lcp_params params;
    abut_lcp_params_init(&params, sizeof params);
    return params;
}

typedef struct abut_lcp_answer {
    double *z;                  ///< memory of the caller for `count` numbers; zero after ITERATIONS and RAY
    abut_solve_outcome outcome; ///< CONVERGED, ITERATIONS, RAY or INACCURATE
    int iterations;             ///< pivots
    double residual;            ///< the largest |min(z_i, w_i)|, relative to the largest |q_i| or |M_ij z_j|
} abut_lcp_answer;

/// Lemke's complementary pivoting on a dense tableau. The lexicographic rule prevents cycles; at the end the basis is
/// solved again from the given numbers. If M is copositive-plus, it finds a solution if there is one; for other M it
/// often does. `params` NULL: the defaults.
/// @return ABUT_OK with any outcome; ABUT_BAD_DATA if a number is not finite, with its index in error->element (row
/// times count plus column for M, count squared plus row for q); ABUT_BAD_ARGUMENT, ABUT_LIMIT or ABUT_NO_MEMORY. On
/// failure nothing is written
ABUT_API abut_status abut_lcp_lemke(abut_solver *solver, const abut_lcp *lcp, const abut_lcp_params *params,
                                    abut_lcp_answer *answer, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
