// SPDX-License-Identifier: MIT
// soft.c: the state of a soft body, its energies and its critical step
#include "soft/soft.h"
#include "base/error.h"

enum { POWER_ROUNDS = 300 };

abut_soft_state abut_soft_get_state(const abut_soft *soft)
{
    abut_soft_state state = {soft->positions, soft->velocities, soft->masses, soft->is_pinned, soft->vertex_count};
    return state;
}

abut_soft_info abut_soft_get_info(const abut_soft *soft)
{
    abut_soft_info info = {.tet_count = soft->tet_count,
                           .spring_count = soft->spring_count,
                           .hinge_count = soft->hinge_count,
                           .unused_vertex_count = soft->unused_vertex_count};
    for (int i = 0; i < soft->vertex_count; ++i) {
        info.mass += soft->masses[i];
    }
    return info;
}

abut_status abut_soft_set_vertex(abut_soft *soft, int vertex, abut_vec3 position, abut_vec3 velocity)
{
    if (vertex < 0 || vertex >= soft->vertex_count) {
        return ABUT_BAD_ARGUMENT;
    }
    if (!abut_is_finite(position) || !abut_is_finite(velocity)) {
        return ABUT_BAD_DATA;
    }
    soft->positions[vertex] = position;
    soft->velocities[vertex] = velocity;
    soft->last.dt = 0.0;
    return ABUT_OK;
}

void abut_soft_put_back(abut_soft *s, const abut_vec3 *positions, const abut_vec3 *velocities)
{
    memcpy(s->positions, positions, (size_t)s->vertex_count * sizeof *positions);
    memcpy(s->velocities, velocities, (size_t)s->vertex_count * sizeof *velocities);
    s->last.dt = 0.0;
}

abut_status abut_soft_set_pin(abut_soft *soft, int vertex, int is_pinned)
{
    if (vertex < 0 || vertex >= soft->vertex_count || (!is_pinned && !(soft->masses[vertex] > 0.0))) {
        return ABUT_BAD_ARGUMENT;
    }
    soft->is_pinned[vertex] = is_pinned != 0;
    soft->last.dt = 0.0;
    return ABUT_OK;
}

void abut_soft_get_forces(abut_soft *soft, abut_vec3 *forces)
{
    abut_soft_evaluate(soft, soft->positions);
    abut_soft_gather(soft, forces);
}

abut_soft_energy abut_soft_get_energy(abut_soft *soft, abut_vec3 gravity)
{
    abut_soft_energy energy = {0};
    double mass = 0.0;
    abut_soft_evaluate(soft, soft->positions);
    energy.elastic = abut_soft_elastic_energy(soft);
    for (int i = 0; i < soft->vertex_count; ++i) {
        double m = soft->masses[i];
        abut_vec3 x = soft->positions[i], v = soft->velocities[i];
        mass += m;
        energy.kinetic += 0.5 * m * abut_norm_squared(v);
        energy.potential -= m * abut_dot(gravity, x);
        energy.momentum = abut_add_scaled(energy.momentum, m, v);
        energy.angular_momentum = abut_add_scaled(energy.angular_momentum, m, abut_cross(x, v));
        energy.center = abut_add_scaled(energy.center, m, x);
    }
    energy.center = abut_scale(1.0 / mass, energy.center);
    return energy;
}

// The largest eigenvalue of M^-1/2 K M^-1/2, by power iteration. With the residual r of the unit vector there is an
// eigenvalue within |r|; it is added.
static double largest_eigenvalue(abut_soft *s)
{
    abut_vec3 *x = s->vectors[SOFT_TRIAL], *y = s->vectors[SOFT_IMAGE], *z = s->vectors[SOFT_SCALED];
    double value = 0.0, rest = 0.0;
    for (int i = 0; i < s->vertex_count; ++i) { // in no way symmetric, the same each time
        double a = sin(12.9898 * i + 1.0), b = sin(78.233 * i + 2.0), c = sin(37.719 * i + 3.0);
        x[i] = s->is_pinned[i] ? abut_vec3_make(0, 0, 0) : abut_vec3_make(a, b, c);
    }
    for (int round = 0; round < POWER_ROUNDS; ++round) {
        double size = sqrt(abut_soft_dot(s, x, x));
        if (!(size > 0.0)) {
            return 0.0;
        }
        for (int i = 0; i < s->vertex_count; ++i) {
            x[i] = abut_scale(1.0 / size, x[i]);
            y[i] = s->is_pinned[i] ? x[i] : abut_scale(1.0 / sqrt(s->masses[i]), x[i]);
        }
        abut_soft_multiply(s, s->stiffness, y, z);
        for (int i = 0; i < s->vertex_count; ++i) {
            z[i] = s->is_pinned[i] ? z[i] : abut_scale(1.0 / sqrt(s->masses[i]), z[i]);
        }
        value = abut_soft_dot(s, x, z);
        rest = sqrt(fmax(0.0, abut_soft_dot(s, z, z) - value * value));
        if (rest <= 1e-6 * value) {
            break;
        }
        memcpy(x, z, (size_t)s->vertex_count * sizeof *x);
    }
    return value + rest;
}

// Symplectic Euler with damping d = dt (alpha + beta w^2) maps a mode of frequency w with trace 2 - d - dt^2 w^2 and
// determinant 1 - d: stable if dt^2 w^2 + 2 d <= 4.
double abut_soft_critical_step(abut_soft *soft)
{
    ABUT_ASSERT(soft != NULL);
    abut_soft_evaluate(soft, soft->positions);
    abut_soft_assemble(soft, 1.0, NULL, soft->stiffness);
    soft->last.dt = 0.0;
    double square = largest_eigenvalue(soft);
    double damping = soft->material.mass_damping + soft->material.shape_damping * square;
    // the positive root of square dt^2 + 2 damping dt = 4, without cancellation
    return 4.0 / (damping + sqrt(damping * damping + 4.0 * square));
}
