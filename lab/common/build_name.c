// SPDX-License-Identifier: MIT
// build_name.c: the identity of the build, in a file of its own that is all that a change of it compiles anew
#include "common/build_name.h"

#include "build_id.h" // written by CMake: ABUT_LAB_BUILD

const char *abut_lab_build(void)
{
    return ABUT_LAB_BUILD;
}
