// SPDX-License-Identifier: MIT
// placement.h: where the bodies of a command are, and how they move
#ifndef ABUT_CLI_PLACEMENT_H
#define ABUT_CLI_PLACEMENT_H

#include "shared/options.h"

#include <abut/math.h>

typedef struct abut_cli_placement {
    abut_pose pose;
    abut_vec3 linear_velocity, angular_velocity;
} abut_cli_placement;

/// Reads --pose-a, --velocity-a and those of the other letters, for `count` files. The default is the identity, at
/// rest.
abut_cli_exit abut_cli_placements_of(const abut_cli_arguments *arguments, abut_cli_placement *placements,
                                     int count);

#endif
