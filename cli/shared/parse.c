// SPDX-License-Identifier: MIT
// parse.c: numbers, poses and velocities from text
//
// The command never calls setlocale(), so strtod() reads a decimal point everywhere.
#include "shared/parse.h"

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
    return abut_cli_parse_numbers(text, value, 1);
}

int abut_cli_parse_numbers(const char *text, double *values, int count)
{
    const char *rest = text + strspn(text, " \t");
    for (int i = 0; i < count; ++i) {
        const char *end = read_number(rest, &values[i]);
        if (end == NULL) {
            return 0;
        }
        rest = end + strspn(end, " \t");
        if (i + 1 < count && *rest == ',') {
            ++rest;
            rest += strspn(rest, " \t");
        } else if (i + 1 < count && rest == end) {
            return 0;
        }
    }
    return *rest == '\0';
}

const char *abut_cli_parse_pose(const char *text, abut_pose *pose)
{
    double v[7];
    int has_rotation = !abut_cli_parse_numbers(text, v, 3);
    if (has_rotation && !abut_cli_parse_numbers(text, v, 7)) {
        return "must be seven finite numbers \"x y z qw qx qy qz\", or three for no rotation";
    }
    if (!has_rotation) {
        *pose = abut_pose_make(abut_vec3_make(v[0], v[1], v[2]), abut_quat_make(1.0, 0.0, 0.0, 0.0));
        return NULL;
    }
    if (v[3] == 0.0 && v[4] == 0.0 && v[5] == 0.0 && v[6] == 0.0) {
        return "the quaternion must not be zero; \"1 0 0 0\" is no rotation";
    }
    abut_quat rotation = abut_quat_unit(abut_quat_make(v[3], v[4], v[5], v[6]));
    *pose = abut_pose_make(abut_vec3_make(v[0], v[1], v[2]), rotation);
    return NULL;
}

const char *abut_cli_parse_velocity(const char *text, abut_vec3 *linear, abut_vec3 *angular)
{
    double v[6];
    if (!abut_cli_parse_numbers(text, v, 6)) {
        return "must be six finite numbers \"vx vy vz wx wy wz\"";
    }
    *linear = abut_vec3_make(v[0], v[1], v[2]);
    *angular = abut_vec3_make(v[3], v[4], v[5]);
    return NULL;
}
