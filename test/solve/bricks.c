// SPDX-License-Identifier: MIT
// bricks.c: walls and stacks of bricks, for the solver of parts
#include "bricks.h"

#include <stdlib.h>

bricks *bricks_make(void)
{
    bricks *b = calloc(1, sizeof *b);
    assert_non_null(b);
    return b;
}

int bricks_add(bricks *b, double x, double y, double inverse_mass)
{
    int i = b->body_count++;
    b->centers[i] = abut_vec3_make(x, y, 0.0);
    b->bodies[i].inverse_mass = inverse_mass;
    b->bodies[i].inverse_inertia.x.x = 6.0 * inverse_mass;
    b->bodies[i].inverse_inertia.y.y = 2.4 * inverse_mass;
    b->bodies[i].inverse_inertia.z.z = 2.4 * inverse_mass;
    b->bodies[i].velocity.linear.y = inverse_mass > 0.0 ? -0.1 : 0.0;
    return i;
}

// Four contacts around a point of a horizontal or vertical face.
static void bricks_touch(bricks *b, int below, int above, double x, double y, double half_x, double half_y)
{
    for (int i = 0; i < 4; ++i) {
        double s = i % 2 == 0 ? -1.0 : 1.0;
        abut_vec3 point = {x + s * half_x, y + s * half_y, i < 2 ? -0.5 : 0.5};
        abut_vec3 normal = half_y > 0.0 ? abut_vec3_make(1.0, 0.0, 0.0) : abut_vec3_make(0.0, 1.0, 0.0);
        abut_solve_contact contact = abut_solve_contact_default(below, above, normal);
        contact.arm_a = below >= 0 ? abut_sub(point, b->centers[below]) : contact.arm_a;
        contact.arm_b = abut_sub(point, b->centers[above]);
        contact.friction = 0.5;
        b->contacts[b->contact_count++] = contact;
    }
}

void bricks_add_wall(bricks *b, int rows, int columns, double left)
{
    int first = b->body_count;
    for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < columns; ++i) {
            double x = left + 2.0 * i + row % 2, y = row + 0.5;
            int brick = bricks_add(b, x, y, 1.0);
            for (int k = 0; k < 2 && row > 0; ++k) {
                int below = row % 2 == 0 ? i - 1 + k : i + k;
                if (below >= 0 && below < columns) {
                    bricks_touch(b, first + (row - 1) * columns + below, brick, x + k - 0.5, y - 0.5, 0.5, 0.0);
                }
            }
            if (row == 0) {
                bricks_touch(b, ABUT_SOLVE_WORLD, brick, x, 0.0, 1.0, 0.0);
            }
            if (i > 0) {
                bricks_touch(b, brick - 1, brick, x - 1.0, y, 0.0, 0.5);
            }
        }
    }
}

void bricks_add_stack(bricks *b, int ground, int height, double left)
{
    for (int i = 0, below = ground; i < height; ++i) {
        int brick = bricks_add(b, left, i + 0.5, 1.0);
        bricks_touch(b, below, brick, left, i, 1.0, 0.0);
        below = brick;
    }
}

abut_solve_result bricks_solve(bricks *b, const abut_context *context, const abut_prox_params *params,
                               abut_prox_engine engine)
{
    abut_solver *solver = NULL;
    assert_int_equal(abut_solver_create(context, &solver), ABUT_OK);
    abut_solve_problem problem = abut_solve_problem_default();
    problem.bodies = b->bodies;
    problem.body_count = b->body_count;
    problem.contacts = b->contacts;
    problem.contact_count = b->contact_count;
    abut_solve_result result = {.velocities = b->velocities, .impulses = b->impulses};
    assert_int_equal(abut_prox_run(solver, &problem, params, engine, &result, NULL), ABUT_OK);
    abut_solver_destroy(solver);
    return result;
}

int bricks_are_same(const bricks *a, const bricks *b)
{
    for (int i = 0; i < a->body_count; ++i) {
        abut_solve_velocity u = a->velocities[i], v = b->velocities[i];
        if (u.linear.x != v.linear.x || u.linear.y != v.linear.y || u.linear.z != v.linear.z ||
            u.angular.x != v.angular.x || u.angular.y != v.angular.y || u.angular.z != v.angular.z) {
            return 0;
        }
    }
    for (int i = 0; i < a->contact_count; ++i) {
        abut_solve_impulse f = a->impulses[i], g = b->impulses[i];
        if (f.normal != g.normal || f.tangent.x != g.tangent.x || f.tangent.y != g.tangent.y ||
            f.tangent.z != g.tangent.z) {
            return 0;
        }
    }
    return 1;
}
