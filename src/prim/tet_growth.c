// SPDX-License-Identifier: MIT
// tet_growth.c: the largest scale, about their centres, at which two overlapping tetrahedra are still apart
#include "prim/tet_growth.h"

static const double damping = 0.9;      // part of a step that is taken, and the factor of each shrinking
static const double least_scale = 1e-3; // if A and B overlap even here, their centres count as coincident

enum {
    RAY_STEPS = 32,     ///< steps as printed in the paper
    LONG_RAY_STEPS = 64 ///< all steps: the others go almost to the separating plane
};

/// The two tetrahedra and what all scales have in common.
typedef struct growing {
    const abut_tet *a, *b;
    abut_vec3 between; ///< from A's centre to B's
    double target;
} growing;

abut_tet abut_tet_scaled(const abut_tet *tet, double scale)
{
    abut_vec3 center = abut_tet_center(tet);
    abut_tet scaled = *tet; // the normals stay
    for (int i = 0; i < 4; ++i) {
        scaled.corners[i] = abut_add_scaled(center, scale, abut_sub(tet->corners[i], center));
    }
    return scaled;
}

static double diameter(const abut_tet *tet)
{
    double longest = 0.0;
    for (int i = 0; i < 6; ++i) {
        abut_vec3 p = tet->corners[abut_tet_edges[i][0]], q = tet->corners[abut_tet_edges[i][1]];
        longest = fmax(longest, abut_norm(abut_sub(p, q)));
    }
    return longest;
}

double abut_tet_growth_target(const abut_tet *a, const abut_tet *b)
{
    return 0.01 * fmin(diameter(a), diameter(b));
}

static void separate(const growing *g, double scale, abut_tet_growth *growth)
{
    abut_tet a = abut_tet_scaled(g->a, scale), b = abut_tet_scaled(g->b, scale);
    abut_vec3 point_a, point_b;
    (void)abut_tet_tet_distance_squared(&a, &b, &point_a, &point_b);
    growth->separation = abut_sub(point_b, point_a);
    growth->scale = scale;
}

/// Lines 1 to 4 of Algorithm 2: shrinks by powers of the damping factor until A and B are apart. Along an axis the
/// overlap is a linear function of the scale; at scale 0 it is minus the distance of the centres.
static double shrink(const growing *g, const abut_tet_growth_params *params)
{
    double limit = 0.0; // A and B are apart at smaller scales
    for (int i = 0; i < params->axis_count; ++i) {
        const abut_tet_axis *axis = &params->axes[i];
        double apart = abut_dot(axis->direction, g->between);
        limit = fmax(limit, (apart - params->tolerance) / (axis->forward + apart));
        limit = fmax(limit, (-apart - params->tolerance) / (axis->backward - apart));
    }
    double scale = 1.0;
    while (scale >= limit && scale >= least_scale) {
        scale *= damping;
    }
    return scale;
}

/// Lines 7 to 13 of Algorithm 2. Let s be the separation, u its direction and w the vector between the centres. A
/// and B stay apart while the step of tau is below |s| / (scale u . w). The printed step is shorter: at most this
/// bound times the squared cosine of the angle between u and w.
static void cast_ray(const growing *g, abut_tet_growth *growth)
{
    double tau = 1.0 - 1.0 / growth->scale;
    double squared = abut_norm_squared(growth->separation);
    while (squared > g->target * g->target && tau < 0.0) {
        if (growth->steps == LONG_RAY_STEPS) {
            growth->is_capped = 1;
            return;
        }
        double along = abut_dot(growth->separation, g->between);
        growth->is_slow = growth->steps >= RAY_STEPS;
        double step = growth->is_slow ? squared / (growth->scale * along) : along / abut_norm_squared(g->between);
        tau = fmin(tau + damping * step, 0.0);
        ++growth->steps;
        separate(g, 1.0 / (1.0 - tau), growth);
        squared = abut_norm_squared(growth->separation);
    }
}

int abut_tet_grow(const abut_tet *a, const abut_tet *b, const abut_tet_growth_params *params,
                  abut_tet_growth *growth)
{
    growing g = {.a = a,
                 .b = b,
                 .between = abut_sub(abut_tet_center(b), abut_tet_center(a)),
                 .target = abut_tet_growth_target(a, b)};
    abut_tet_growth none = {.scale = 1.0};
    *growth = none;
    double scale = shrink(&g, params);
    if (scale < least_scale) {
        return 0;
    }
    separate(&g, scale, growth);
    if (!(abut_norm_squared(growth->separation) > 0.0)) {
        return 0;
    }
    cast_ray(&g, growth);
    return abut_norm_squared(growth->separation) > 0.0;
}
