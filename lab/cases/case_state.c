// SPDX-License-Identifier: MIT
// case_state.c: states of a case as values and as text, and where the bodies are in them
#include "common/lab_support.h"

#include <abut-lab/case.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char SUNK[] = "sunk:";
static const char STEP[] = "step:";

/// Reads a length without a sign. strtod() would also take blanks, signs, "inf" and "nan".
static int read_depth(const char *text, double *depth)
{
    char *end = NULL;
    *depth = abut_lab_read_number(text, &end);
    return strchr(".0123456789", text[0]) != NULL && end != text && *end == '\0' && isfinite(*depth);
}

/// Reads a number of at least 1 that consists of digits only.
static int read_step(const char *text, int *step)
{
    size_t length = strspn(text, "0123456789");
    long long value = length > 0 && length < 11 && text[length] == '\0' ? strtoll(text, NULL, 10) : 0;
    *step = value <= INT_MAX ? (int)value : 0;
    return *step > 0;
}

abut_status abut_state_parse(const char *text, abut_state *state, abut_error *error)
{
    if (text == NULL || state == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_state_parse: text or state is NULL");
    }
    abut_state result = {.kind = ABUT_STATE_TOUCHING};
    if (strcmp(text, "detection") == 0) {
        result.kind = ABUT_STATE_DETECTION;
    } else if (strncmp(text, SUNK, sizeof SUNK - 1) == 0) {
        result.kind = ABUT_STATE_SUNK;
        if (!read_depth(text + sizeof SUNK - 1, &result.depth)) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "state '%.64s': the depth is not a length, as in sunk:0.001",
                             text);
        }
    } else if (strncmp(text, STEP, sizeof STEP - 1) == 0) {
        result.kind = ABUT_STATE_STEP;
        if (!read_step(text + sizeof STEP - 1, &result.step)) {
            return abut_fail(error, ABUT_BAD_ARGUMENT,
                             "state '%.64s': the step is not a whole number from 1, as in step:3", text);
        }
    } else if (strcmp(text, "touching") != 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "state '%.64s' is not one of touching, detection, sunk:L, step:K", text);
    }
    *state = result;
    return ABUT_OK;
}

void abut_state_print(abut_state state, char text[ABUT_STATE_TEXT_ROOM])
{
    char number[ABUT_LAB_NUMBER_ROOM];
    switch (state.kind) {
    case ABUT_STATE_TOUCHING: (void)snprintf(text, ABUT_STATE_TEXT_ROOM, "touching"); break;
    case ABUT_STATE_DETECTION: (void)snprintf(text, ABUT_STATE_TEXT_ROOM, "detection"); break;
    case ABUT_STATE_SUNK:
        abut_lab_print_shortest(state.depth, number);
        (void)snprintf(text, ABUT_STATE_TEXT_ROOM, "%s%s", SUNK, number);
        break;
    case ABUT_STATE_STEP: (void)snprintf(text, ABUT_STATE_TEXT_ROOM, "%s%d", STEP, state.step); break;
    }
}

int abut_state_equals(abut_state a, abut_state b)
{
    return a.kind == b.kind && (a.kind != ABUT_STATE_SUNK || a.depth == b.depth) &&
           (a.kind != ABUT_STATE_STEP || a.step == b.step);
}

abut_vec3 abut_case_displacement(const abut_case *item, abut_state state)
{
    const abut_case_body *moving = item->a.is_fixed ? &item->b : &item->a;
    switch (state.kind) {
    case ABUT_STATE_DETECTION: return abut_scale(0.5 * item->dt, moving->linear_velocity);
    case ABUT_STATE_SUNK: return abut_scale(state.depth, item->sink);
    case ABUT_STATE_TOUCHING:
    case ABUT_STATE_STEP: break;
    }
    return abut_vec3_make(0.0, 0.0, 0.0);
}

abut_case_poses abut_case_place(const abut_case *item, abut_state state)
{
    abut_case_poses poses = {item->a.pose, item->b.pose};
    abut_pose *moving = item->a.is_fixed ? &poses.b : &poses.a;
    moving->position = abut_add(moving->position, abut_case_displacement(item, state));
    return poses;
}

void abut_case_pair_init(const abut_case *item, abut_state state, const abut_shape *a, const abut_shape *b,
                         abut_pair *out, size_t size)
{
    abut_pair pair = abut_pair_default(a, b);
    abut_case_poses poses = abut_case_place(item, state);
    pair.a.pose = poses.a;
    pair.a.linear_velocity = item->a.linear_velocity;
    pair.b.pose = poses.b;
    pair.b.linear_velocity = item->b.linear_velocity;
    // The order in which the paper's program makes the bodies, as in scenes.
    pair.a.key = 1;
    pair.b.key = 2;
    pair.dt = item->dt;
    abut_write_versioned(out, size, &pair, sizeof pair);
}
