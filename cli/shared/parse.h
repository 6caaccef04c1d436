// SPDX-License-Identifier: MIT
// parse.h: numbers, poses and velocities from text
#ifndef ABUT_CLI_PARSE_H
#define ABUT_CLI_PARSE_H

#include <abut/math.h>

/// A finite decimal number and nothing else. Returns 0 where the text is something else.
int abut_cli_parse_number(const char *text, double *value);

/// `count` finite numbers with blanks or commas between them, and nothing else.
int abut_cli_parse_numbers(const char *text, double *values, int count);

/// "x y z qw qx qy qz"; the quaternion is normalised. Returns NULL, or what is wrong.
const char *abut_cli_parse_pose(const char *text, abut_pose *pose);

/// "vx vy vz wx wy wz". Returns NULL, or what is wrong.
const char *abut_cli_parse_velocity(const char *text, abut_vec3 *linear, abut_vec3 *angular);

#endif
