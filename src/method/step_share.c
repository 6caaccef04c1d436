// SPDX-License-Identifier: MIT
// step_share.c: how far two bodies can move before their base complexes meet
//
// Conservative advancement: while the bodies move for a time, no point of one gets nearer to the other by more than the
// bound on their relative speed times that time. So they can move for the distance over that bound, and from there
// again, until the complexes are as near as the margin or the step ends.
//
// Source: Merlhiot 2007, footnote 2, which asks for a control of displacements and leaves the way open.
#include "base/error.h"
#include "method/base_complex.h"
#include "method/methods.h"
#include "method/params.h"
#include "method/shape.h"
#include "method/workspace.h"

#include "complex/complex.h"

#include <abut/sweep.h>

enum { MOST_STEPS = 256 }; ///< of the advancement; a share that is then too small is still safe

static const double kept = 0.1; ///< of the dilations: the distance that is left between the complexes

static abut_motion motion_of(const abut_side *side)
{
    abut_motion motion = {
        .pose = side->pose, .linear_velocity = side->linear_velocity, .angular_velocity = side->angular_velocity};
    return motion;
}

/// How far the complex reaches from the origin of its pose.
static double reach_of(const abut_base *base)
{
    return abut_norm(base->complex->origin) + base->complex->radius;
}

/// The least distance of the complexes up to `reach`; `reach` if there is none. ABUT_LMD sets are never empty at the
/// least distance.
static abut_status distance_at(const abut_motion motions[2], double time, const abut_lmd_def *def,
                               abut_lmd_set *set, double *distance, abut_error *error)
{
    abut_lmd_def moved = *def;
    moved.b_to_a = abut_pose_relative(abut_motion_pose(&motions[0], time), abut_motion_pose(&motions[1], time));
    abut_status status = abut_find_lmds(&moved, set, error);
    abut_lmd_view view = abut_lmd_set_get(set);
    *distance = view.stats.touching_pairs > 0 ? 0.0 : def->reach;
    for (int i = 0; i < view.count; ++i) {
        *distance = fmin(*distance, view.items[i].distance);
    }
    return status;
}

abut_status abut_find_step_share(const abut_pair *pair, const abut_params *params, abut_workspace *workspace,
                                 double *share, abut_error *error)
{
    ABUT_ASSERT(pair != NULL && workspace != NULL && share != NULL);
    *share = 0.0;
    abut_params read;
    abut_status status = abut_params_read(params, &abut_method_quasi_lmd, &read, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (pair->a.instance != NULL || pair->b.instance != NULL || pair->a.shape == NULL || pair->b.shape == NULL) {
        return abut_fail(error, ABUT_UNSUPPORTED, "a step share is for pairs of rigid shapes");
    }
    const abut_base *a = abut_shape_find_data(pair->a.shape, &abut_method_quasi_lmd, &read);
    const abut_base *b = abut_shape_find_data(pair->b.shape, &abut_method_quasi_lmd, &read);
    if (a == NULL || b == NULL) {
        return abut_fail(error, ABUT_UNPREPARED, "the shapes are not prepared for method quasi-lmd");
    }
    abut_motion motions[2] = {motion_of(&pair->a), motion_of(&pair->b)};
    double speed = abut_norm(abut_sub(pair->b.linear_velocity, pair->a.linear_velocity)) +
                   abut_norm(pair->a.angular_velocity) * reach_of(a) +
                   abut_norm(pair->b.angular_velocity) * reach_of(b);
    double margin = kept * (a->info.dilation + b->info.dilation), time = 0.0;
    if (!(speed * pair->dt >= 0.0) || !isfinite(speed * pair->dt)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "velocities and dt must be finite, and dt not negative");
    }
    abut_lmd_set **set = &workspace->sink.lmds;
    if (*set == NULL && abut_lmd_set_create(&workspace->sink.context, set) != ABUT_OK) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a step share");
    }
    abut_lmd_def def = abut_lmd_def_default();
    def.a = a->complex;
    def.b = b->complex;
    def.theta = 0.0;
    for (int i = 0; i < MOST_STEPS && time < pair->dt; ++i) {
        double distance;
        def.reach = speed * (pair->dt - time) + margin;
        status = distance_at(motions, time, &def, *set, &distance, error);
        if (status != ABUT_OK) {
            return status;
        }
        margin = i == 0 ? fmin(margin, 0.5 * distance) : margin; // bodies that are nearer already
        double safe = distance - margin;
        if (!(safe > 1e-3 * margin)) {
            break;
        }
        time = safe >= speed * (pair->dt - time) ? pair->dt : time + safe / speed;
    }
    *share = pair->dt > 0.0 ? fmin(time / pair->dt, 1.0) : 1.0;
    return ABUT_OK;
}
