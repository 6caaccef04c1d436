// SPDX-License-Identifier: MIT
// parse.h: numbers, poses and velocities from text
#ifndef ABUT_CLI_PARSE_H
#define ABUT_CLI_PARSE_H

#include <abut/math.h>

/// Reads a finite decimal number. Returns 0 if the text is anything else.
int abut_cli_parse_number(const char *text, double *value);

/// Reads finite numbers, separated by blanks or commas, and keeps the first `capacity`. Returns how many the text has,
/// or -1 if something in it is not a number.
int abut_cli_parse_numbers(const char *text, double *values, int capacity);

enum { ABUT_CLI_WRONG_ROOM = 128 };

/// These return 0 and say what is wrong, if the text is anything else than
/// "x y z"
int abut_cli_parse_vector(const char *text, abut_vec3 *vector, char wrong[ABUT_CLI_WRONG_ROOM]);
/// "x y z qw qx qy qz" or "x y z"; the quaternion is normalised
int abut_cli_parse_pose(const char *text, abut_pose *pose, char wrong[ABUT_CLI_WRONG_ROOM]);
/// "vx vy vz wx wy wz"
int abut_cli_parse_velocity(const char *text, abut_vec3 *linear, abut_vec3 *angular,
                            char wrong[ABUT_CLI_WRONG_ROOM]);

#endif
