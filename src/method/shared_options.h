// SPDX-License-Identifier: MIT
// shared_options.h: options that a method has in common with `auto`, which passes them on
#ifndef ABUT_METHOD_SHARED_OPTIONS_H
#define ABUT_METHOD_SHARED_OPTIONS_H

#include "method/params.h"

#define ABUT_OPTION_THETA                                                                                          \
    {                                                                                                              \
        .name = "theta", .help = "contacts stay while bodies turn by less than this, in degrees", .value = 2.0,    \
        .lower = 0.0, .upper = 45.0, .is_of_query = 1                                                              \
    }

#define ABUT_OPTION_NORMALS                                                                                        \
    {                                                                                                              \
        .name = "normals",                                                                                         \
        .help = "all: every normal that bounds the motion; spanning: at most three per region, which is not "      \
                "enough in a pit of four walls",                                                                   \
        .choices = abut_normals_choices, .is_of_query = 1                                                          \
    }

#define ABUT_OPTION_POINTS                                                                                         \
    {                                                                                                              \
        .name = "points",                                                                                          \
        .help = "corners: all corners of a region; spanning: n + 1 points of an n-dimensional region, at most "    \
                "six constraints per pair",                                                                        \
        .choices = abut_points_choices, .is_of_query = 1                                                           \
    }

#endif
