// SPDX-License-Identifier: MIT
// system.c: checks a problem and brings it into the form that both solvers work on
#include "solve/system.h"

#include "base/context.h"
#include "base/error.h"

// How far a unit vector may be from unit length, two vectors from a right angle, and an inertia from symmetric and
// semidefinite: what single precision leaves over.
static const double rounding = 1e-6;

static int is_finite_matrix(abut_mat3 m)
{
    return abut_is_finite(m.x) && abut_is_finite(m.y) && abut_is_finite(m.z);
}

static int is_semidefinite(abut_mat3 m)
{
    double size = fmax(fmax(m.x.x, m.y.y), m.z.z);
    if (!(m.x.x >= 0.0 && m.y.y >= 0.0 && m.z.z >= 0.0)) {
        return 0;
    }
    double off = fmax(fmax(fabs(m.y.x - m.x.y), fabs(m.z.x - m.x.z)), fabs(m.z.y - m.y.z));
    if (off > rounding * size) {
        return 0;
    }
    if (size == 0.0) {
        return abut_max_component(abut_abs(m.x)) == 0.0 && abut_max_component(abut_abs(m.y)) == 0.0 &&
               abut_max_component(abut_abs(m.z)) == 0.0;
    }
    // all principal minors, of the matrix made size 1 so that no product leaves the range of double
    double xx = m.x.x / size, yy = m.y.y / size, zz = m.z.z / size;
    double xy = m.y.x / size, xz = m.z.x / size, yz = m.z.y / size;
    double determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    return xx * yy - xy * xy >= -rounding && xx * zz - xz * xz >= -rounding && yy * zz - yz * yz >= -rounding &&
           determinant >= -rounding;
}

static abut_status check_body(const abut_solve_body *body, int i, abut_error *error)
{
    const char *wrong = NULL;
    if (!isfinite(body->inverse_mass) || body->inverse_mass < 0.0) {
        wrong = "the inverse mass is not a finite number of at least 0";
    } else if (!is_finite_matrix(body->inverse_inertia)) {
        wrong = "the inverse inertia is not finite";
    } else if (!is_semidefinite(body->inverse_inertia)) {
        wrong = "the inverse inertia is not symmetric and positive semidefinite";
    } else if (!abut_is_finite(body->velocity.linear) || !abut_is_finite(body->velocity.angular)) {
        wrong = "the velocity is not finite";
    }
    return wrong == NULL ? ABUT_OK : abut_fail_element(error, ABUT_BAD_DATA, i, "body %d: %s", i, wrong);
}

static int is_at_least_zero(double value)
{
    return isfinite(value) && value >= 0.0;
}

static int is_unit(abut_vec3 v)
{
    return fabs(abut_norm_squared(v) - 1.0) <= rounding; // not so for NaN
}

static int is_tangent(abut_vec3 tangent, abut_vec3 normal)
{
    int is_zero = tangent.x == 0.0 && tangent.y == 0.0 && tangent.z == 0.0;
    return is_zero || (is_unit(tangent) && fabs(abut_dot(tangent, normal)) <= rounding);
}

static const char *contact_fault(const abut_solve_contact *c, const abut_solve_problem *problem)
{
    int last = problem->body_count - 1;
    if (c->body_a < ABUT_SOLVE_WORLD || c->body_a > last || c->body_b < ABUT_SOLVE_WORLD || c->body_b > last) {
        return "there is no such body";
    }
    if (c->body_a == c->body_b) {
        return "a body does not touch itself";
    }
    if (!is_unit(c->normal)) {
        return "the normal is not a unit vector";
    }
    if ((c->body_a != ABUT_SOLVE_WORLD && !abut_is_finite(c->arm_a)) ||
        (c->body_b != ABUT_SOLVE_WORLD && !abut_is_finite(c->arm_b))) {
        return "an arm is not finite";
    }
    if (!(c->friction >= 0.0)) {
        return "the friction is not a number of at least 0";
    }
    if (!is_at_least_zero(c->torsion_radius)) {
        return "the torsion radius is not a finite number of at least 0";
    }
    if (!(c->restitution >= 0.0 && c->restitution <= 1.0)) {
        return "the restitution is not between 0 and 1";
    }
    if (!isfinite(c->speed_before) || !isfinite(c->correction)) {
        return "the speed before or the correction is not finite";
    }
    if (!abut_is_finite(c->drift)) {
        return "the drift is not finite";
    }
    if (problem->gap_rule != ABUT_GAP_NONE && !isfinite(c->gap)) {
        return "the gap is not finite";
    }
    return is_tangent(c->tangent, c->normal) ? NULL
                                             : "the tangent is neither zero nor a unit vector across the normal";
}

static int is_contact_faulty(const void *data, int contact)
{
    const abut_solve_problem *problem = data;
    return contact_fault(&problem->contacts[contact], problem) != NULL;
}

static abut_status check_problem(const abut_context *context, const abut_solve_problem *problem, abut_error *error)
{
    if (problem->body_count < 0 || problem->contact_count < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a count of the problem is negative");
    }
    if ((problem->body_count > 0 && problem->bodies == NULL) ||
        (problem->contact_count > 0 && problem->contacts == NULL)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "an array of the problem is missing");
    }
    if (problem->gap_rule < ABUT_GAP_NONE || problem->gap_rule > ABUT_GAP_SIGNED) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no gap rule %d", (int)problem->gap_rule);
    }
    if (problem->gap_rule != ABUT_GAP_NONE && !(isfinite(problem->dt) && problem->dt > 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the gap rule needs a dt above 0");
    }
    abut_status status = ABUT_OK;
    for (int i = 0; i < problem->body_count && status == ABUT_OK; ++i) {
        status = check_body(&problem->bodies[i], i, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    int first = abut_first_element(context, problem->contact_count, is_contact_faulty, problem);
    if (first < problem->contact_count) {
        const abut_solve_contact *c = &problem->contacts[first];
        return abut_fail_element(error, ABUT_BAD_DATA, first, "contact %d of bodies %d and %d: %s", first,
                                 c->body_a, c->body_b, contact_fault(c, problem));
    }
    return ABUT_OK;
}

static double target_speed(const abut_solve_contact *contact, const abut_solve_problem *problem)
{
    double approach = 0.0;
    if (problem->gap_rule == ABUT_GAP_SIGNED || (problem->gap_rule == ABUT_GAP_POSITIVE && contact->gap > 0.0)) {
        approach = contact->gap / problem->dt;
    }
    double closing = contact->speed_before < 0.0 ? -contact->speed_before : 0.0;
    return contact->restitution * closing + contact->correction - approach;
}

abut_mover abut_problem_mover(const abut_solve_body *body)
{
    abut_mat3 m = body->inverse_inertia;
    m.y.x = m.x.y = 0.5 * (m.y.x + m.x.y);
    m.z.x = m.x.z = 0.5 * (m.z.x + m.x.z);
    m.z.y = m.y.z = 0.5 * (m.z.y + m.y.z);
    abut_mover mover = {body->velocity, body->inverse_mass, m};
    return mover;
}

static int are_equal(abut_vec3 a, abut_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void set_frame(const abut_solve_contact *contact, abut_row *row)
{
    row->normal = abut_unit(contact->normal);
    abut_vec3 across = abut_add_scaled(contact->tangent, -abut_dot(contact->tangent, row->normal), row->normal);
    row->first = abut_norm_squared(across) > 0.0 ? abut_unit(across) : abut_any_perpendicular(row->normal);
    row->second = abut_cross(row->normal, row->first);
}

void abut_problem_rows(const abut_solve_problem *problem, const int *contacts, int begin, int end, abut_row *rows)
{
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    const abut_solve_contact *last = NULL;
    for (int i = begin; i < end; ++i) {
        const abut_solve_contact *contact = &problem->contacts[contacts != NULL ? contacts[i] : i];
        abut_row *row = &rows[i];
        if (last != NULL && are_equal(contact->normal, last->normal) &&
            are_equal(contact->tangent, last->tangent)) {
            row->normal = rows[i - 1].normal; // contacts of a pair often have one normal
            row->first = rows[i - 1].first;
            row->second = rows[i - 1].second;
        } else {
            set_frame(contact, row);
        }
        row->arm_a = contact->body_a == ABUT_SOLVE_WORLD ? zero : contact->arm_a;
        row->arm_b = contact->body_b == ABUT_SOLVE_WORLD ? zero : contact->arm_b;
        row->target = target_speed(contact, problem);
        row->friction = contact->friction;
        row->torsion_radius = contact->torsion_radius;
        row->drift = abut_add_scaled(contact->drift, -abut_dot(contact->drift, row->normal), row->normal);
        row->is_smooth = contact->friction == 0.0;
        last = contact;
    }
}

abut_status abut_problem_read(const abut_context *context, const abut_solve_problem *in, abut_solve_problem *out,
                              abut_error *error)
{
    *out = abut_solve_problem_default();
    if (in == NULL || !abut_read_versioned(out, sizeof *out, in)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the problem is missing or was not made by abut_solve_problem_default()");
    }
    return check_problem(context, out, error);
}

abut_status abut_system_build(abut_arena *arena, const abut_solve_problem *problem, abut_system *system,
                              abut_error *error)
{
    abut_solve_problem p;
    abut_status status = abut_problem_read(&arena->context, problem, &p, error);
    if (status != ABUT_OK) {
        return status;
    }
    system->body_count = p.body_count;
    system->contact_count = p.contact_count;
    system->movers = abut_arena_take(arena, ((size_t)p.body_count + 1) * sizeof *system->movers);
    system->rows = abut_arena_take(arena, (size_t)p.contact_count * sizeof *system->rows);
    if (system->movers == NULL || system->rows == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for %d contacts", p.contact_count);
    }
    for (int i = 0; i < p.body_count; ++i) {
        system->movers[i] = abut_problem_mover(&p.bodies[i]);
    }
    const abut_mover world = {.inverse_mass = 0.0};
    system->movers[p.body_count] = world;
    abut_problem_rows(&p, NULL, 0, p.contact_count, system->rows);
    for (int i = 0; i < p.contact_count; ++i) {
        const abut_solve_contact *contact = &p.contacts[i];
        system->rows[i].a = contact->body_a == ABUT_SOLVE_WORLD ? p.body_count : contact->body_a;
        system->rows[i].b = contact->body_b == ABUT_SOLVE_WORLD ? p.body_count : contact->body_b;
    }
    return ABUT_OK;
}

double abut_row_normal_response(const abut_row *row, const abut_mover *movers)
{
    const abut_vec3 none = {0.0, 0.0, 0.0};
    double spin;
    return abut_dot(row->normal, abut_row_response(row, movers, row->normal, none, &spin));
}

void abut_system_velocities(const abut_system *system, abut_solve_velocity *velocities)
{
    for (int i = 0; i < system->body_count; ++i) {
        velocities[i] = system->movers[i].velocity;
    }
}

double abut_system_scale(const abut_system *system)
{
    double scale = 0.0;
    for (int i = 0; i < system->contact_count; ++i) {
        const abut_row *row = &system->rows[i];
        scale = fmax(scale, row->target - abut_dot(row->normal, abut_row_velocity(row, system->movers)));
    }
    return scale;
}
