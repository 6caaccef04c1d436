// SPDX-License-Identifier: MIT
/// @file solve.h
/// From contacts to impulses: unilateral contact with Coulomb friction, by proximal Gauss-Seidel or by Lemke.
///
/// The solvers know no shapes and no time: a problem is two arrays, of bodies with their velocities at the end of
/// the step as they would be without contacts, and of contacts between them. The answer is an impulse for each
/// contact, and the velocities with these impulses. Both solvers take the same problem:
/// - abut_solve_prox(): thousands of contacts, round friction cone, as accurate as there are iterations;
/// - abut_solve_mcp(): tens of contacts, friction pyramid, a direct method that ends with an answer or says that it
///   found none.
///
/// All is in the world frame and in any consistent units. The same input gives the same bytes. docs/solvers.md has
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

/// The index of what never moves: the world.
enum { ABUT_SOLVE_WORLD = -1 };

/// Of a body's centre of mass, in the world frame.
typedef struct abut_solve_velocity {
    abut_vec3 linear, angular;
} abut_solve_velocity;

/// A body: what an impulse does to it. With inverse mass and inverse inertia zero it moves as it is told (a platform).
typedef struct abut_solve_body {
    double inverse_mass;          ///< finite and not negative; a mass of zero is not possible
    abut_mat3 inverse_inertia;    ///< about the centre of mass, world frame; symmetric and positive semidefinite
    abut_solve_velocity velocity; ///< at the end of the step without contacts: u + dt M^-1 h
} abut_solve_body;

/// A contact of two bodies at one point. Start from abut_solve_contact_default().
///
/// With u the velocity of B's point relative to A's after the step, and its part u_n along the normal, the condition is
///
///     u_n - s >= 0,  normal impulse >= 0,  one of them zero,
///     s = restitution max(0, -speed_before) + correction - g,
///
/// where g is what abut_gap_rule makes of the gap. Friction opposes the slip and is at most `friction` times the
/// normal impulse.
typedef struct abut_solve_contact {
    int body_a, body_b;     ///< index of a body or ABUT_SOLVE_WORLD; different
    abut_vec3 normal;       ///< unit, from A to B
    abut_vec3 arm_a, arm_b; ///< from the centre of mass of A, of B, to the point of contact; not used for the world
    double friction;        ///< coefficient mu of Coulomb, >= 0; INFINITY: no slip, unless the bodies part
    /// A length r >= 0: friction resists rotation about the normal too, by a moment m with |f|^2 + (m / r)^2 at most
    /// (mu normal impulse)^2. 0: it does not. abut_solve_prox() only.
    double torsion_radius;
    /// Coefficient e of Newton, 0 to 1; together with friction it can add energy (docs/solvers.md).
    double restitution;
    double speed_before; ///< u_n at the beginning of the step, for restitution; negative while the bodies close in
    double correction;   ///< a speed at which the bodies shall part at least, to make good an overlap; any sign
    double gap;          ///< signed distance at the contact; read where the problem's gap rule asks for it
    /// The first direction of friction: at right angles to the normal, unit, or zero for any. The round cone does
    /// not depend on it; the pyramid has an edge there.
    abut_vec3 tangent;
    uint64_t id; ///< names the contact among those of the two bodies over time, for abut_solve_match()
} abut_solve_contact;

/// Between the two bodies at a point, with arms zero; no friction, no torsion, no restitution, no gap.
ABUT_API abut_solve_contact abut_solve_contact_default(int body_a, int body_b, abut_vec3 normal);

/// What the gap allows: the bodies may close in at a speed of g.
typedef enum abut_gap_rule {
    ABUT_GAP_NONE = 0,     ///< g = 0: at a contact they may not close in
    ABUT_GAP_POSITIVE = 1, ///< g = max(0, gap) / dt: bodies apart may meet at the end of the step
    ABUT_GAP_SIGNED = 2    ///< g = gap / dt, as printed in Yi and Drumwright 2016: an overlap is undone in one step
} abut_gap_rule;

/// Start from abut_solve_problem_default().
typedef struct abut_solve_problem {
    size_t struct_size;
    const abut_solve_body *bodies;
    int body_count;
    const abut_solve_contact *contacts;
    int contact_count;
    abut_gap_rule gap_rule; ///< default ABUT_GAP_NONE
    double dt;              ///< length of the step, > 0; read where the gap rule asks for it
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

/// What a contact does to B; A gets the opposite. The impulse normal n + tangent acts at the point of contact, and the
/// moment torsion n beside it.
typedef struct abut_solve_impulse {
    double normal;     ///< >= 0
    abut_vec3 tangent; ///< friction, at right angles to the normal
    double torsion;
} abut_solve_impulse;

/// How a solver ended. After ITERATIONS and DIVERGED the answer of abut_solve_prox() is the last one that was kept,
/// which is finite. That of abut_solve_mcp() is zero impulses, and after RAY too.
typedef enum abut_solve_outcome {
    ABUT_SOLVE_CONVERGED = 0,  ///< solved to the tolerance
    ABUT_SOLVE_ITERATIONS = 1, ///< the limit of iterations was reached
    ABUT_SOLVE_DIVERGED = 2,   ///< numbers left the range of double
    ABUT_SOLVE_RAY = 3,        ///< Lemke's method ended on a ray: it found no solution, and there may be none
    /// An answer that misses the conditions by more than the tolerance: by Lemke's method, or where a contact of
    /// infinite friction can neither be held nor part.
    ABUT_SOLVE_INACCURATE = 4
} abut_solve_outcome;

/// "converged", "iterations", "diverged", "ray" or "inaccurate"; NULL for another number.
ABUT_API const char *abut_solve_outcome_text(abut_solve_outcome outcome);

/// The arrays are the caller's; any of them may be NULL, and is then left out.
typedef struct abut_solve_result {
    abut_solve_velocity *velocities; ///< of each body, with the impulses
    abut_solve_impulse *impulses;    ///< of each contact
    double *history;                 ///< residual of each iteration of abut_solve_prox(), up to the capacity
    int history_capacity;
    abut_solve_outcome outcome;
    int iterations;    ///< of abut_solve_prox(), rejected ones among them, or pivots
    int history_count; ///< values written to `history`
    int rejections;    ///< sweeps of abut_solve_prox() that were taken back
    /// The largest speed by which a contact missed its condition: in the last sweep that was kept, just before that
    /// sweep put it right; or, for abut_solve_mcp(), in the answer.
    double residual;
    double scale; ///< the largest relative speed at a contact that has to be changed, without any impulse
} abut_solve_result;

// ---------------------------------------------------------------------------------------------------------------
// Solvers

/// Scratch memory of the solvers, kept between calls. One per thread. After two calls of a size, calls of that size or
/// smaller make no heap call.
typedef struct abut_solver abut_solver;

/// @return ABUT_OK or ABUT_NO_MEMORY
ABUT_API abut_status abut_solver_create(const abut_context *context, abut_solver **solver);
ABUT_API void abut_solver_destroy(abut_solver *solver);

/// How far a contact goes towards its condition at a visit: the factor r of the proximal map prox(impulse - r speed).
/// All have the same solutions.
typedef enum abut_factor_rule {
    ABUT_FACTOR_GLOBAL = 0, ///< one r for all contacts: safe for the lightest body, slow for the heavy ones
    ABUT_FACTOR_LOCAL = 1,  ///< for each contact one r for its normal and one for its friction
    ABUT_FACTOR_BLOCKED = 2 ///< a matrix: the friction of a contact is solved exactly for its normal impulse
} abut_factor_rule;

/// What an iteration is.
typedef enum abut_sweep_rule {
    ABUT_SWEEP_FORWARD = 0, ///< all contacts in order, as Gauss and Seidel, and as the papers
    /// All contacts in order and back again, then further in a conjugate direction: twice the work, and far fewer
    /// iterations to come near the answer. Treats what is symmetric alike.
    ABUT_SWEEP_CONJUGATE = 1
} abut_sweep_rule;

/// Start from abut_prox_params_default().
typedef struct abut_prox_params {
    size_t struct_size;
    abut_sweep_rule sweep;     ///< default ABUT_SWEEP_CONJUGATE
    abut_factor_rule factor;   ///< default ABUT_FACTOR_LOCAL
    int iteration_limit;       ///< default 1000
    double absolute_tolerance; ///< a residual, in speed, that is small enough; default 0
    /// The same, relative to the result's `scale`; default 1e-8; both 0: go on until nothing changes.
    double relative_tolerance;
    /// A sweep whose residual is more than `growth` times the least one so far is taken back, impulses and
    /// velocities, and the factors are multiplied by `reduction` from then on. Defaults 10 and 0.9. `reduction` 1:
    /// every sweep is kept.
    double growth, reduction;
    /// Impulses to begin with, of each contact, or NULL: zero. May be the result's.
    const abut_solve_impulse *start;
} abut_prox_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_prox_params_init(abut_prox_params *params, size_t size);
static inline abut_prox_params abut_prox_params_default(void)
{
    abut_prox_params params;
    abut_prox_params_init(&params, sizeof params);
    return params;
}

/// Projected Gauss-Seidel on the proximal formulation: contacts in the order of the array, each in turn put right
/// while the others stay. Linear in contacts and iterations. `params` NULL: the defaults.
/// @return ABUT_OK with any outcome; ABUT_BAD_DATA, ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY, with the body or contact in
/// `error`, and then nothing is written
ABUT_API abut_status abut_solve_prox(abut_solver *solver, const abut_solve_problem *problem,
                                     const abut_prox_params *params, abut_solve_result *result, abut_error *error);

/// Start from abut_mcp_params_default().
typedef struct abut_mcp_params {
    size_t struct_size;
    /// Edges of the friction pyramid: evenly spread from the contact's first tangent; even; default 4. With 2, friction
    /// acts along the first tangent alone: a problem in the plane.
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

/// The mixed complementarity problem of Stewart and Trinkle, reduced to a linear one of 2 + `directions` unknowns
/// for each contact (one less where friction is infinite, 1 without friction), by abut_lcp_lemke(). Time grows with
/// the cube of the unknowns. `params` NULL: the defaults.
/// @return as abut_solve_prox(); ABUT_UNSUPPORTED where a contact has a torsion radius, ABUT_LIMIT for more than
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

/// Impulses to begin with, from those of the last step: a contact that has the bodies and the id of an earlier one
/// gets its impulse, with the friction turned into the new tangent plane; others get zero. Of several that are
/// alike, the first gets the first. Numbers of bodies must mean the same in both.
/// `start` has room for one impulse per contact of the problem. `matched` counts the impulses that were found; it may be
/// NULL.
ABUT_API abut_status abut_solve_match(abut_solver *solver, const abut_solve_past *past,
                                      const abut_solve_problem *problem, abut_solve_impulse *start, int *matched);

// ---------------------------------------------------------------------------------------------------------------
// Linear complementarity problems

/// The most unknowns that abut_lcp_lemke() takes.
enum { ABUT_LCP_VARIABLES = 4096 };

/// Find z with w = M z + q, z >= 0, w >= 0 and z . w = 0.
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
    double *z;                  ///< the caller's, `count` numbers; zero for the outcomes ITERATIONS and RAY
    abut_solve_outcome outcome; ///< CONVERGED, ITERATIONS, RAY or INACCURATE
    int iterations;             ///< pivots
    double residual;            ///< the largest |min(z_i, w_i)|, relative to the largest |q_i| or |M_ij z_j|
} abut_lcp_answer;

/// Lemke's complementary pivoting on a dense tableau, with the lexicographic rule, which cannot cycle, and a last
/// solution of the basis from the given numbers. Finds a solution for copositive-plus M where there is one, and for
/// other M often. `params` NULL: the defaults.
/// @return ABUT_OK with any outcome; ABUT_BAD_DATA with the number that is not finite (element row times count plus
/// column for M, count squared plus row for q), ABUT_BAD_ARGUMENT, ABUT_LIMIT or ABUT_NO_MEMORY, and then nothing
/// is written
ABUT_API abut_status abut_lcp_lemke(abut_solver *solver, const abut_lcp *lcp, const abut_lcp_params *params,
                                    abut_lcp_answer *answer, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
