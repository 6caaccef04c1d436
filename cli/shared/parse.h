// SPDX-License-Identifier: MIT
// parse.h: numbers, poses and velocities from text
#ifndef ABUT_CLI_PARSE_H
#define ABUT_CLI_PARSE_H

#include <abut/math.h>

/// Reads a finite decimal number. Returns 0 if the text is anything else.
int abut_cli_parse_number(const char *text, double *value);

/// Reads `count` finite numbers, separated by blanks or commas. Returns 0 if the text is anything else.
int abut_cli_parse_numbers(const char *text, double *values, int count);

/// Reads "x y z qw qx qy qz" or "x y z". Normalises the quaternion. Returns NULL, or what is wrong.
const char *abut_cli_parse_pose(const char *text, abut_pose *pose);

/// Reads "vx vy vz wx wy wz". Returns NULL, or what is wrong.
const char *abut_cli_parse_velocity(const char *text, abut_vec3 *linear, abut_vec3 *angular);

#endif
