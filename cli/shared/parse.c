// SPDX-License-Identifier: MIT
// parse.c: numbers, poses and velocities from text
//
// The command never calls setlocale(), so strtod() reads a decimal point everywhere.
#include "shared/parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Reads a decimal number and returns what follows it, or NULL. strtod() would also accept "nan", "inf" and hexadecimal
// numbers.
static const char *read_number(const char *text, double *value)
{
    size_t length = strspn(text, "+-.0123456789eE");
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && end <= text + length && isfinite(*value) ? end : NULL;
}

int abut_cli_parse_number(const char *text, double *value)
{
    return abut_cli_parse_numbers(text, value, 1) == 1;
}

int abut_cli_parse_numbers(const char *text, double *values, int capacity)
{
    int count = 0;
    for (const char *rest = text + strspn(text, " \t"); *rest != '\0';) {
        double value;
        const char *end = read_number(rest, &value);
        if (end == NULL) {
            return -1;
        }
        if (count < capacity) {
            values[count] = value;
        }
        ++count;
        rest = end + strspn(end, " \t");
        if (*rest == ',') {
            ++rest;
            rest += strspn(rest, " \t");
            if (*rest == '\0') {
                return -1;
            }
        } else if (rest == end && *rest != '\0') {
            return -1;
        }
    }
    return count;
}

/// Says what a text needs and how many numbers it has. Returns 0.
static int refuse(const char *needs, int count, char wrong[ABUT_CLI_WRONG_ROOM])
{
    if (count < 0) {
        (void)snprintf(wrong, ABUT_CLI_WRONG_ROOM, "needs %s, but something in it is not a finite number", needs);
    } else {
        (void)snprintf(wrong, ABUT_CLI_WRONG_ROOM, "needs %s, but has %d", needs, count);
    }
    return 0;
}

int abut_cli_parse_vector(const char *text, abut_vec3 *vector, char wrong[ABUT_CLI_WRONG_ROOM])
{
    double v[3];
    int count = abut_cli_parse_numbers(text, v, 3);
    if (count != 3) {
        return refuse("3 numbers, \"x y z\"", count, wrong);
    }
    *vector = abut_vec3_make(v[0], v[1], v[2]);
    return 1;
}

int abut_cli_parse_pose(const char *text, abut_pose *pose, char wrong[ABUT_CLI_WRONG_ROOM])
{
    double v[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    int count = abut_cli_parse_numbers(text, v, 7);
    if (count != 3 && count != 7) {
        return refuse("7 numbers, \"x y z qw qx qy qz\", or 3 for no rotation", count, wrong);
    }
    if (v[3] == 0.0 && v[4] == 0.0 && v[5] == 0.0 && v[6] == 0.0) {
        (void)snprintf(wrong, ABUT_CLI_WRONG_ROOM, "the quaternion must not be zero; \"1 0 0 0\" is no rotation");
        return 0;
    }
    abut_quat rotation = abut_quat_unit(abut_quat_make(v[3], v[4], v[5], v[6]));
    *pose = abut_pose_make(abut_vec3_make(v[0], v[1], v[2]), rotation);
    return 1;
}

int abut_cli_parse_velocity(const char *text, abut_vec3 *linear, abut_vec3 *angular,
                            char wrong[ABUT_CLI_WRONG_ROOM])
{
    double v[6];
    int count = abut_cli_parse_numbers(text, v, 6);
    if (count != 6) {
        return refuse("6 numbers, \"vx vy vz wx wy wz\" (linear and angular)", count, wrong);
    }
    *linear = abut_vec3_make(v[0], v[1], v[2]);
    *angular = abut_vec3_make(v[3], v[4], v[5]);
    return 1;
}
