// SPDX-License-Identifier: MIT
// soft_step.c: explicit and implicit steps of a soft body
//
// Explicit: symplectic Euler, v += dt f(x, v) / m.
//
// Implicit: backward Euler, (1 + alpha dt) M v + beta dt K0 v = M v0 + dt g + dt f(x + dt v), with the damping matrix K0 at
// the start of the step. Its solution minimises
//
//     phi(v) = v.B v / 2 - v.(M v0 + dt g) + E(x + dt v),   B = (1 + alpha dt) M + beta dt K0,
//
// by Newton's method with the positive semidefinite stiffness, conjugate gradients and a line search: phi falls in every
// step, so inverted elements and long time steps end in a valid state too.
#include "base/error.h"
#include "soft/soft.h"

enum { HALVINGS = 40 };

static const double ROUNDING = 1e-12; // of phi, relative to its terms: positions of far or fine meshes lose digits

void abut_soft_params_init(abut_soft_params *params, size_t size)
{
    abut_soft_params defaults = {
        .struct_size = sizeof defaults, .dt = 0.01, .accuracy = 1e-6, .newton_limit = 20, .iteration_limit = 1000};
    abut_write_versioned(params, size, &defaults, sizeof defaults);
}

static abut_status check_params(const abut_soft *s, const abut_soft_params *given, abut_soft_params *params,
                                abut_error *error)
{
    abut_soft_params_init(params, sizeof *params);
    if (given != NULL && !abut_read_versioned(params, sizeof *params, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "abut_soft_params has a wrong struct_size: start from abut_soft_params_default()");
    }
    if (!(params->dt > 0.0) || !isfinite(params->dt)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the time step must be above 0 and finite");
    }
    if (params->integrator != ABUT_SOFT_IMPLICIT && params->integrator != ABUT_SOFT_EXPLICIT) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "unknown integrator %d", (int)params->integrator);
    }
    if (!(params->accuracy > 0.0) || params->newton_limit < 1 || params->iteration_limit < 1) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "accuracy and limits must be above 0");
    }
    if (!abut_is_finite(params->gravity)) {
        return abut_fail(error, ABUT_BAD_DATA, "gravity is not finite");
    }
    for (int i = 0; params->forces != NULL && i < s->vertex_count; ++i) {
        if (!abut_is_finite(params->forces[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "the force on vertex %d is not finite", i);
        }
    }
    return ABUT_OK;
}

// dt times gravity and the given force on a vertex.
static abut_vec3 given_impulse(const abut_soft *s, const abut_soft_params *params, int i)
{
    abut_vec3 force = abut_scale(s->masses[i], params->gravity);
    return abut_scale(params->dt, params->forces != NULL ? abut_add(force, params->forces[i]) : force);
}

static abut_status keep_velocities(abut_soft *s, const abut_vec3 *velocities, abut_error *error)
{
    for (int i = 0; i < s->vertex_count; ++i) {
        if (!abut_is_finite(velocities[i])) {
            return abut_fail_element(error, ABUT_LIMIT, i,
                                     "the velocity of vertex %d overflows: take a shorter step", i);
        }
    }
    memcpy(s->velocities, velocities, (size_t)s->vertex_count * sizeof *velocities);
    return ABUT_OK;
}

// The state at the start must be evaluated.
static abut_status accelerate_explicitly(abut_soft *s, const abut_soft_params *params, abut_error *error)
{
    abut_vec3 *v = s->vectors[SOFT_TRIAL], *force = s->vectors[SOFT_FORCE], *damping = s->vectors[SOFT_IMAGE];
    abut_soft_gather(s, force);
    if (s->material.shape_damping > 0.0) {
        abut_soft_assemble(s, s->material.shape_damping, NULL, s->stiffness);
        abut_soft_multiply(s, s->stiffness, s->velocities, damping);
    }
    for (int i = 0; i < s->vertex_count; ++i) {
        v[i] = s->velocities[i];
        if (!s->is_pinned[i]) {
            abut_vec3 impulse = abut_add_scaled(given_impulse(s, params, i), params->dt, force[i]);
            impulse = abut_add_scaled(impulse, -params->dt * s->material.mass_damping * s->masses[i], v[i]);
            if (s->material.shape_damping > 0.0) {
                impulse = abut_add_scaled(impulse, -params->dt, damping[i]);
            }
            v[i] = abut_add_scaled(v[i], 1.0 / s->masses[i], impulse);
        }
    }
    return keep_velocities(s, v, error);
}

/// A value of phi, and the size of its terms, which decides how well it is known.
typedef struct phi_value {
    double value, size;
} phi_value;

// Evaluates the elements at the positions of a trial, and phi.
static phi_value evaluate_trial(abut_soft *s, double dt, const abut_vec3 *v)
{
    abut_vec3 *place = s->vectors[SOFT_PLACE], *image = s->vectors[SOFT_IMAGE];
    for (int i = 0; i < s->vertex_count; ++i) {
        place[i] = abut_add_scaled(s->positions[i], dt, v[i]);
    }
    abut_soft_evaluate(s, place);
    abut_soft_multiply(s, s->base, v, image);
    double inertia = 0.5 * abut_soft_dot(s, v, image), work = abut_soft_dot(s, v, s->vectors[SOFT_RIGHT]);
    double elastic = abut_soft_elastic_energy(s);
    phi_value phi = {inertia - work + elastic, inertia + fabs(work) + elastic};
    return phi;
}

// The negative gradient of phi at the last trial; returns its size relative to that of the forces in balance.
static double find_gradient(abut_soft *s, double dt, const abut_vec3 *v)
{
    abut_vec3 *gradient = s->vectors[SOFT_GRADIENT], *force = s->vectors[SOFT_FORCE];
    const abut_vec3 *right = s->vectors[SOFT_RIGHT];
    abut_soft_multiply(s, s->base, v, gradient);
    abut_soft_gather(s, force);
    double size = 0.0;
    for (int i = 0; i < s->vertex_count; ++i) {
        if (s->is_pinned[i]) {
            gradient[i] = abut_vec3_make(0, 0, 0);
            continue;
        }
        size +=
            abut_norm_squared(right[i]) + dt * dt * abut_norm_squared(force[i]) + abut_norm_squared(gradient[i]);
        gradient[i] = abut_sub(abut_add_scaled(right[i], dt, force[i]), gradient[i]);
    }
    double rest = sqrt(abut_soft_dot(s, gradient, gradient));
    return rest > 0.0 ? rest / sqrt(size) : 0.0;
}

// The matrix of masses and of the damping at the start of the step, which is evaluated. What the velocities of pinned
// vertices add goes to the right side.
static void find_base(abut_soft *s, double dt)
{
    abut_vec3 *right = s->vectors[SOFT_RIGHT];
    if (s->material.shape_damping > 0.0) {
        abut_soft_assemble(s, dt * s->material.shape_damping, NULL, s->base);
    } else {
        memset(s->base, 0, (size_t)s->matrix.offsets[s->vertex_count] * sizeof *s->base);
    }
    for (int i = 0; i < s->vertex_count; ++i) {
        double mass = (1.0 + dt * s->material.mass_damping) * s->masses[i];
        abut_mat3 *d = &s->base[s->matrix.diagonal[i]];
        d->x.x += mass;
        d->y.y += mass;
        d->z.z += mass;
        for (int k = s->matrix.offsets[i]; k < s->matrix.offsets[i + 1]; ++k) {
            int column = s->matrix.columns[k];
            if (s->is_pinned[column] && column != i) {
                right[i] = abut_sub(right[i], abut_mat3_apply(s->base[k], s->velocities[column]));
                s->base[k] = (abut_mat3){{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
            }
        }
    }
}

// Moves `v` along `step` until phi falls by a part of what the slope promises. Near the minimum that is less than the
// rounding of phi, which must not stop it.
static int search_line(abut_soft *s, double dt, double slope, phi_value *phi, abut_vec3 *v)
{
    const abut_vec3 *step = s->vectors[SOFT_STEP];
    double share = 1.0, moved = 0.0;
    for (int i = 0; i < HALVINGS; ++i, share *= 0.5) {
        for (int k = 0; k < s->vertex_count; ++k) {
            v[k] = abut_add_scaled(v[k], share - moved, step[k]);
        }
        moved = share;
        phi_value next = evaluate_trial(s, dt, v);
        if (next.value <= phi->value - 1e-4 * share * slope + ROUNDING * phi->size) {
            *phi = next;
            return 1;
        }
    }
    for (int k = 0; k < s->vertex_count; ++k) {
        v[k] = abut_add_scaled(v[k], -moved, step[k]);
    }
    return 0;
}

// Adds the velocity that gives the body the momentum which the matrix solver left over. Elastic forces sum to zero, so what
// is left is that of gravity, pushes and contacts: a solver that stops early would take weight from the body. Pinned vertices
// take up any momentum.
static void keep_momentum(abut_soft *s, double dt, abut_vec3 *step)
{
    abut_vec3 rest = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (int i = 0; i < s->vertex_count; ++i) {
        if (s->is_pinned[i] && s->masses[i] > 0.0) { // those that no element uses count as pinned
            return;
        }
        rest = abut_add(rest, s->vectors[SOFT_RESIDUAL][i]);
        mass += (1.0 + dt * s->material.mass_damping) * s->masses[i];
    }
    abut_vec3 shift = abut_scale(1.0 / mass, rest);
    for (int i = 0; i < s->vertex_count; ++i) {
        step[i] = abut_add(step[i], shift);
    }
}

static abut_status accelerate_implicitly(abut_soft *s, const abut_soft_params *params, abut_soft_report *report,
                                         abut_error *error)
{
    abut_vec3 *v = s->vectors[SOFT_TRIAL], *right = s->vectors[SOFT_RIGHT];
    s->has_stiffness = 0;
    for (int i = 0; i < s->vertex_count; ++i) {
        right[i] = abut_add_scaled(given_impulse(s, params, i), s->masses[i], s->velocities[i]);
        v[i] = s->velocities[i];
    }
    find_base(s, params->dt);
    phi_value phi = evaluate_trial(s, params->dt, v);
    for (double last = INFINITY;;) {
        report->residual = find_gradient(s, params->dt, v);
        report->is_converged = report->residual <= params->accuracy;
        // `last`: a step that rounding allowed must at least bring the forces nearer to balance
        if (report->is_converged || report->newton_count == params->newton_limit || !(report->residual < last)) {
            break;
        }
        abut_soft_assemble(s, params->dt * params->dt, s->base, s->stiffness);
        // far from the solution a rough step is as good as an exact one
        double share = fmax(fmin(0.1, report->residual), 0.1 * params->accuracy / report->residual);
        report->iteration_count += abut_soft_solve(s, s->stiffness, s->vectors[SOFT_GRADIENT], fmin(share, 0.1),
                                                   params->iteration_limit, s->vectors[SOFT_STEP]);
        s->has_stiffness = 1;
        keep_momentum(s, params->dt, s->vectors[SOFT_STEP]);
        ++report->newton_count;
        double slope = abut_soft_dot(s, s->vectors[SOFT_GRADIENT], s->vectors[SOFT_STEP]);
        last = slope <= ROUNDING * phi.size ? report->residual : INFINITY;
        if (!search_line(s, params->dt, slope, &phi, v)) {
            break;
        }
    }
    return keep_velocities(s, v, error);
}

abut_status abut_soft_accelerate(abut_soft *soft, const abut_soft_params *given, abut_soft_report *report,
                                 abut_error *error)
{
    ABUT_ASSERT(soft != NULL);
    abut_soft_params params;
    abut_soft_report found = {.first_inverted = -1};
    if (report != NULL) {
        *report = found;
    }
    abut_status status = check_params(soft, given, &params, error);
    if (status != ABUT_OK) {
        return status;
    }
    soft->last.dt = 0.0;
    abut_soft_evaluate(soft, soft->positions);
    for (int i = soft->tet_count - 1; i >= 0; --i) {
        found.inverted_count += soft->tet_is_inverted[i];
        found.first_inverted = soft->tet_is_inverted[i] ? i : found.first_inverted;
    }
    if (params.integrator == ABUT_SOFT_EXPLICIT) {
        found.is_converged = 1;
        status = accelerate_explicitly(soft, &params, error);
    } else {
        status = accelerate_implicitly(soft, &params, &found, error);
        soft->last = params;
        soft->last.dt = status == ABUT_OK ? params.dt : 0.0;
    }
    if (report != NULL) {
        *report = found;
    }
    return status;
}

abut_status abut_soft_add_impulse(abut_soft *soft, int vertex, abut_vec3 impulse)
{
    if (vertex < 0 || vertex >= soft->vertex_count) {
        return ABUT_BAD_ARGUMENT;
    }
    if (!abut_is_finite(impulse)) {
        return ABUT_BAD_DATA;
    }
    if (!soft->is_pinned[vertex]) {
        soft->velocities[vertex] = abut_add_scaled(soft->velocities[vertex], 1.0 / soft->masses[vertex], impulse);
    }
    return ABUT_OK;
}

abut_status abut_soft_add_impulses(abut_soft *soft, const abut_vec3 *impulses, abut_error *error)
{
    ABUT_ASSERT(soft != NULL && impulses != NULL);
    abut_vec3 *v = soft->vectors[SOFT_TRIAL], *change = soft->vectors[SOFT_STEP];
    int has_impulse = 0;
    for (int i = 0; i < soft->vertex_count; ++i) {
        if (!abut_is_finite(impulses[i])) {
            return abut_fail_element(error, ABUT_BAD_DATA, i, "the impulse on vertex %d is not finite", i);
        }
        has_impulse |= abut_norm_squared(impulses[i]) > 0.0;
    }
    if (!has_impulse) {
        return ABUT_OK;
    }
    if (soft->last.dt > 0.0) {
        double dt = soft->last.dt;
        if (!soft->has_stiffness) { // the step was converged before its first Newton step
            abut_soft_assemble(soft, dt * dt, soft->base, soft->stiffness);
            soft->has_stiffness = 1;
        }
        (void)abut_soft_solve(soft, soft->stiffness, impulses, fmin(0.1, soft->last.accuracy),
                              soft->last.iteration_limit, change);
        keep_momentum(soft, dt, change);
    }
    for (int i = 0; i < soft->vertex_count; ++i) {
        double inverse = soft->is_pinned[i] ? 0.0 : 1.0 / soft->masses[i];
        v[i] = abut_add(soft->velocities[i], soft->last.dt > 0.0 ? change[i] : abut_scale(inverse, impulses[i]));
    }
    return keep_velocities(soft, v, error);
}

abut_status abut_soft_move(abut_soft *soft, double dt, abut_error *error)
{
    if (!(dt >= 0.0) || !isfinite(dt)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the time step must be at least 0 and finite");
    }
    abut_vec3 *place = soft->vectors[SOFT_PLACE];
    for (int i = 0; i < soft->vertex_count; ++i) {
        place[i] = abut_add_scaled(soft->positions[i], dt, soft->velocities[i]);
        if (!abut_is_finite(place[i])) {
            return abut_fail_element(error, ABUT_LIMIT, i, "the position of vertex %d overflows", i);
        }
    }
    memcpy(soft->positions, place, (size_t)soft->vertex_count * sizeof *place);
    return ABUT_OK;
}
