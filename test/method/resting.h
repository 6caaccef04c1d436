// SPDX-License-Identifier: MIT
// resting.h: a block that rests on another: a scene with many contacts for methods that find near surfaces only
#ifndef ABUT_TEST_METHOD_RESTING_H
#define ABUT_TEST_METHOD_RESTING_H

#include "method/local_scene.h"

/// B on top of A, of 5 x 6 x 2 cells on 6 x 6 x 2, B turned by 0.3 about the upright axis z, shifted, and sunk in by
/// 0.001: no vertex is above a vertex or an edge. Everything is scaled, then moved.
static inline void resting_begin(local_scene *s, const abut_context *context, const char *method,
                                 const char *option, abut_pose motion, double scale)
{
    static const int cells_a[3] = {6, 6, 2}, cells_b[3] = {5, 6, 2};
    local_begin(s, context, method, option, make_tet_block(context, cells_a, 0.0, 1, scale),
                make_tet_block(context, cells_b, 0.0, 1, scale));
    abut_pose place =
        abut_pose_make(abut_scale(scale, v3(1.23, 0.37, 1.999)), abut_quat_from_axis(v3(0, 0, 1), 0.3));
    s->pair.a.pose = motion;
    s->pair.a.key = 1;
    s->pair.b.pose = abut_pose_multiply(motion, place);
    s->pair.b.key = 2;
    local_find(s);
}

/// Scales from 1e-3 to 1e3 and rigid motions change contacts by at most 1e-9; swapped sides change nothing.
static inline void resting_check_motion(const char *method, const char *option)
{
    test_random random = {11};
    local_scene first;
    resting_begin(&first, NULL, method, option, abut_pose_identity(), 1.0);
    CHECK(first.result.contacts.count > 20, "something to compare: %d", first.result.contacts.count);
    local_check_sane(&first);
    for (int round = 0; round < 7; ++round) {
        double scale = pow(10.0, round - 3);
        abut_pose motion = abut_pose_make(random_vec3(&random, 5.0 * scale), random_rotation(&random));
        local_scene moved;
        resting_begin(&moved, NULL, method, option, motion, scale);
        local_check_moved(&first, &moved, motion, scale, 6.0);
        local_end(&moved);
    }
    local_check_swapped(&first);
    local_end(&first);
}

static inline void resting_begin_still(local_scene *s, const abut_context *context, const char *method,
                                       const char *option)
{
    resting_begin(s, context, method, option, abut_pose_identity(), 1.0);
}

static inline void resting_check_threads(const char *method, const char *option)
{
    local_check_threads_of(resting_begin_still, method, option, 1);
}

#endif
