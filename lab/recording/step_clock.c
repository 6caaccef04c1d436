// SPDX-License-Identifier: MIT
// step_clock.c: how long the phases of a step take
#define _POSIX_C_SOURCE 200809L
#include <abut-lab/recording.h>

#include <time.h>

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double *slot(abut_recording_timing *timing, abut_phase phase)
{
    switch (phase) {
    case ABUT_PHASE_MOVE: return &timing->move;
    case ABUT_PHASE_BROAD: return &timing->broad;
    case ABUT_PHASE_NARROW:
    case ABUT_PHASE_SWEEP: return &timing->narrow;
    case ABUT_PHASE_SOLVE:
    case ABUT_PHASE_STABILISE: return &timing->solve;
    case ABUT_PHASE_END: break;
    }
    return NULL;
}

static void on_phase(void *user, abut_phase phase)
{
    abut_step_clock *clock = user;
    double time = now();
    double *seconds = slot(&clock->timing, clock->phase);
    if (seconds == NULL) { // a new step begins
        clock->timing = (abut_recording_timing){0};
    } else {
        *seconds += time - clock->begin;
    }
    clock->phase = phase;
    clock->begin = time;
}

abut_step_clock abut_step_clock_default(void)
{
    return (abut_step_clock){.phase = ABUT_PHASE_END};
}

abut_world_callbacks abut_step_clock_callbacks(abut_step_clock *clock)
{
    return (abut_world_callbacks){.on_phase = on_phase, .user = clock};
}
