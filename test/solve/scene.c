// SPDX-License-Identifier: MIT
// scene.c: small problems for the solvers, and a check of answers that shares no code with the solvers
#include "scene.h"

scene scene_make(void)
{
    scene s;
    memset(&s, 0, sizeof s);
    s.dt = 0.01;
    return s;
}

int scene_add_box(scene *s, abut_vec3 center, abut_vec3 size, double inverse_mass)
{
    // I_xx = m (y^2 + z^2) / 12
    double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
    abut_solve_body *body = &s->bodies[s->body_count];
    body->inverse_mass = inverse_mass;
    body->inverse_inertia.x.x = 12.0 * inverse_mass / (yy + zz);
    body->inverse_inertia.y.y = 12.0 * inverse_mass / (xx + zz);
    body->inverse_inertia.z.z = 12.0 * inverse_mass / (xx + yy);
    s->centers[s->body_count] = center;
    return s->body_count++;
}

int scene_add_contact(scene *s, int a, int b, abut_vec3 normal, abut_vec3 point)
{
    abut_solve_contact contact = abut_solve_contact_default(a, b, normal);
    if (a != ABUT_SOLVE_WORLD) {
        contact.arm_a = abut_sub(point, s->centers[a]);
    }
    if (b != ABUT_SOLVE_WORLD) {
        contact.arm_b = abut_sub(point, s->centers[b]);
    }
    contact.id = (uint64_t)s->contact_count;
    s->contacts[s->contact_count] = contact;
    return s->contact_count++;
}

int scene_add_base(scene *s, int below, int above, abut_vec3 center, double size_x, double size_y)
{
    int first = s->contact_count;
    for (int i = 0; i < 4; ++i) {
        abut_vec3 corner = {(i % 2 - 0.5) * size_x, (i / 2 - 0.5) * size_y, 0.0};
        (void)scene_add_contact(s, below, above, abut_vec3_make(0.0, 0.0, 1.0), abut_add(center, corner));
    }
    return first;
}

void scene_push(scene *s, abut_vec3 velocity)
{
    for (int i = 0; i < s->body_count; ++i) {
        if (s->bodies[i].inverse_mass > 0.0) {
            s->bodies[i].velocity.linear = abut_add(s->bodies[i].velocity.linear, velocity);
        }
    }
}

void scene_set_friction(scene *s, double friction)
{
    for (int i = 0; i < s->contact_count; ++i) {
        s->contacts[i].friction = friction;
    }
}

abut_solve_problem scene_problem(const scene *s)
{
    abut_solve_problem problem = abut_solve_problem_default();
    problem.bodies = s->bodies;
    problem.body_count = s->body_count;
    problem.contacts = s->contacts;
    problem.contact_count = s->contact_count;
    problem.gap_rule = s->gap_rule;
    problem.dt = s->dt;
    return problem;
}

abut_solve_result scene_prox(scene *s, abut_solver *solver, const abut_prox_params *params)
{
    abut_solve_problem problem = scene_problem(s);
    abut_solve_result result = {.velocities = s->velocities, .impulses = s->impulses};
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_solve_prox(solver, &problem, params, &result, &error);
    CHECK(status == ABUT_OK, "%s", error.text);
    return result;
}

abut_solve_result scene_mcp(scene *s, abut_solver *solver, const abut_mcp_params *params)
{
    abut_solve_problem problem = scene_problem(s);
    abut_solve_result result = {.velocities = s->velocities, .impulses = s->impulses};
    abut_error error = {.status = ABUT_OK};
    abut_status status = abut_solve_mcp(solver, &problem, params, &result, &error);
    CHECK(status == ABUT_OK, "%s", error.text);
    return result;
}

// The velocities that the impulses of the answer give: u + M^-1 J^T impulse.
static void find_velocities(const scene *s, abut_solve_velocity *velocities)
{
    for (int i = 0; i < s->body_count; ++i) {
        velocities[i] = s->bodies[i].velocity;
    }
    for (int i = 0; i < s->contact_count; ++i) {
        const abut_solve_contact *c = &s->contacts[i];
        const abut_solve_impulse *p = &s->impulses[i];
        for (int side = 0; side < 2; ++side) {
            int index = side == 0 ? c->body_a : c->body_b;
            if (index == ABUT_SOLVE_WORLD) {
                continue;
            }
            double sign = side == 0 ? -1.0 : 1.0;
            abut_vec3 arm = side == 0 ? c->arm_a : c->arm_b;
            abut_vec3 impulse = abut_scale(sign, abut_add(abut_scale(p->normal, c->normal), p->tangent));
            abut_vec3 moment = abut_add_scaled(abut_cross(arm, impulse), sign * p->torsion, c->normal);
            const abut_solve_body *body = &s->bodies[index];
            abut_solve_velocity *v = &velocities[index];
            v->linear = abut_add_scaled(v->linear, body->inverse_mass, impulse);
            v->angular = abut_add(v->angular, abut_mat3_apply(body->inverse_inertia, moment));
        }
    }
}

static abut_vec3 point_velocity(const abut_solve_velocity *velocities, int body, abut_vec3 arm)
{
    if (body == ABUT_SOLVE_WORLD) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    return abut_add(velocities[body].linear, abut_cross(velocities[body].angular, arm));
}

static double spin_about(const abut_solve_velocity *velocities, int body, abut_vec3 normal)
{
    return body == ABUT_SOLVE_WORLD ? 0.0 : abut_dot(velocities[body].angular, normal);
}

// n.(1/m + (I^-1 (r x n)) x r) of one side
static double side_response(const scene *s, int body, abut_vec3 arm, abut_vec3 normal)
{
    if (body == ABUT_SOLVE_WORLD) {
        return 0.0;
    }
    abut_vec3 turn = abut_mat3_apply(s->bodies[body].inverse_inertia, abut_cross(arm, normal));
    return s->bodies[body].inverse_mass + abut_dot(abut_cross(turn, arm), normal);
}

static double target_speed(const scene *s, const abut_solve_contact *c)
{
    double allowed =
        s->gap_rule == ABUT_GAP_NONE || (s->gap_rule == ABUT_GAP_POSITIVE && c->gap < 0.0) ? 0.0 : c->gap;
    return c->restitution * fmax(0.0, -c->speed_before) + c->correction - allowed / s->dt;
}

static void add_contact_errors(const scene *s, int i, const abut_solve_velocity *velocities, scene_errors *errors)
{
    const abut_solve_contact *c = &s->contacts[i];
    const abut_solve_impulse *p = &s->impulses[i];
    double response =
        side_response(s, c->body_a, c->arm_a, c->normal) + side_response(s, c->body_b, c->arm_b, c->normal);
    abut_vec3 u =
        abut_sub(point_velocity(velocities, c->body_b, c->arm_b), point_velocity(velocities, c->body_a, c->arm_a));
    double u_n = abut_dot(u, c->normal);
    abut_vec3 slip = abut_add_scaled(u, -u_n, c->normal);
    double spin = spin_about(velocities, c->body_b, c->normal) - spin_about(velocities, c->body_a, c->normal);
    double r = c->torsion_radius, limit = c->friction * p->normal;
    double twist = r > 0.0 ? p->torsion / r : p->torsion; // without a radius there is none
    double friction = sqrt(abut_norm_squared(p->tangent) + twist * twist);
    double speed = sqrt(abut_norm_squared(slip) + r * spin * r * spin);
    double power = abut_dot(p->tangent, slip) + p->torsion * spin;
    errors->normal = fmax(errors->normal, fabs(fmin(u_n - target_speed(s, c), response * p->normal)));
    errors->cone = fmax(errors->cone, response * (friction - limit));
    errors->cone = fmax(errors->cone, response * fabs(abut_dot(p->tangent, c->normal)));
    if (limit > 0.0) {
        errors->dissipation = fmax(errors->dissipation, (limit * speed + power) / limit);
    }
    errors->smallest_normal = fmin(errors->smallest_normal, p->normal);
}

scene_errors scene_find_errors(const scene *s)
{
    scene_errors errors = {.smallest_normal = HUGE_VAL};
    abut_solve_velocity velocities[SCENE_BODIES];
    find_velocities(s, velocities);
    for (int i = 0; i < s->body_count; ++i) {
        abut_vec3 linear = abut_sub(velocities[i].linear, s->velocities[i].linear);
        abut_vec3 angular = abut_sub(velocities[i].angular, s->velocities[i].angular);
        errors.velocity = fmax(errors.velocity, fmax(abut_norm(linear), abut_norm(angular)));
    }
    for (int i = 0; i < s->contact_count; ++i) {
        add_contact_errors(s, i, velocities, &errors);
    }
    return errors;
}

int scene_is_solved(const scene *s, double tolerance)
{
    scene_errors e = scene_find_errors(s);
    return CHECK(e.velocity <= tolerance && e.normal <= tolerance && e.cone <= tolerance &&
                     e.dissipation <= tolerance && e.smallest_normal >= 0.0,
                 "velocity %g, normal %g, cone %g, dissipation %g, smallest %g", e.velocity, e.normal, e.cone,
                 e.dissipation, e.smallest_normal);
}

double scene_difference(const scene *a, const scene *b)
{
    double largest = 0.0;
    for (int i = 0; i < a->body_count; ++i) {
        abut_vec3 linear = abut_sub(a->velocities[i].linear, b->velocities[i].linear);
        abut_vec3 angular = abut_sub(a->velocities[i].angular, b->velocities[i].angular);
        largest = fmax(largest, fmax(abut_norm(linear), abut_norm(angular)));
    }
    return largest;
}

static abut_vec3 flat(abut_vec3 v, int is_planar)
{
    return is_planar ? abut_vec3_make(v.x, 0.0, v.z) : v;
}

scene scene_random(test_random *random, double friction, int is_planar)
{
    scene s = scene_make();
    int bodies = 2 + random_below(random, 2);
    for (int i = 0; i < bodies; ++i) {
        abut_vec3 size = abut_add(abut_vec3_make(1.0, 1.0, 1.0), random_vec3(random, 0.5));
        double inverse_mass = random_in(random, 0.5, 2.0);
        abut_vec3 center = flat(abut_add(abut_vec3_make(0.0, 0.0, 1.5 * i), random_vec3(random, 0.3)), is_planar);
        int body = scene_add_box(&s, center, size, inverse_mass);
        s.bodies[body].velocity.linear = flat(random_vec3(random, 1.0), is_planar);
        s.bodies[body].velocity.linear.z -= 1.0;
        abut_vec3 turn = random_vec3(random, 1.0);
        s.bodies[body].velocity.angular = is_planar ? abut_vec3_make(0.0, turn.y, 0.0) : turn;
        // below is the body before, or the world
        int contacts = 1 + random_below(random, 3);
        for (int k = 0; k < contacts; ++k) {
            abut_vec3 tilt = flat(random_vec3(random, 0.3), is_planar);
            abut_vec3 normal = abut_unit(abut_add(abut_vec3_make(0.0, 0.0, 1.0), tilt));
            abut_vec3 offset = flat(random_vec3(random, 0.5), is_planar);
            offset.z = -0.7 + 0.1 * offset.z;
            int c = scene_add_contact(&s, body - 1, body, normal, abut_add(center, offset));
            s.contacts[c].friction = random_in(random, 0.0, friction);
            if (is_planar) {
                s.contacts[c].tangent = abut_vec3_make(normal.z, 0.0, -normal.x);
            }
        }
    }
    return s;
}
