// SPDX-License-Identifier: MIT
// disc.c: friction of one contact for a given normal impulse, exactly
//
// On the sphere f(t) = -(A + t)^-1 c for the t > 0 with |f(t)| = radius. The function 1 / |f(t)| of t is concave
// and nearly a straight line, so that Newton's method on it goes up to the root from t = 0 without passing it (Moré
// and Sorensen 1983).
#include "solve/disc.h"

#include "math/eigen.h"

enum { NEWTON_LIMIT = 30 };
static const double newton_tolerance = 1e-14; // of |f| relative to the radius
static const double least_value = 1e-12;      // of an eigenvalue relative to the largest: below it is rounding

abut_disc_block abut_disc_block_make(abut_mat3 matrix)
{
    abut_eigen eigen = abut_eigen_symmetric(matrix);
    double least = least_value * eigen.values.z;
    abut_disc_block block = {abut_max(eigen.values, abut_vec3_make(least, least, least)), eigen.vectors};
    return block;
}

// -c / (values + t), and 0 if c is 0
static abut_vec3 at_shift(abut_vec3 values, abut_vec3 c, double t)
{
    return abut_vec3_make(c.x == 0.0 ? 0.0 : -c.x / (values.x + t), c.y == 0.0 ? 0.0 : -c.y / (values.y + t),
                          c.z == 0.0 ? 0.0 : -c.z / (values.z + t));
}

abut_vec3 abut_disc_solve(const abut_disc_block *block, abut_vec3 c, double radius)
{
    abut_vec3 values = block->values;
    abut_vec3 turned = abut_mat3_apply_transposed(block->vectors, c);
    abut_vec3 f = at_shift(values, turned, 0.0);
    if (!(abut_norm_squared(f) < HUGE_VAL)) {
        return abut_scale(-radius, abut_unit(c)); // friction that changes next to nothing is all against the slip
    }
    double t = 0.0;
    for (int i = 0; i < NEWTON_LIMIT && radius > 0.0; ++i) {
        double size = abut_norm(f);
        if (size <= radius * (1.0 + newton_tolerance)) {
            break;
        }
        abut_vec3 g = at_shift(values, f, t); // minus the derivative of f
        t -= size * size / abut_dot(f, g) * (size - radius) / radius;
        f = at_shift(values, turned, t);
    }
    return abut_disc_project(abut_mat3_apply(block->vectors, f), radius);
}
