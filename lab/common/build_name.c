// SPDX-License-Identifier: MIT
// build_name.c: the identity of the build. A change of it compiles only this file again
#include <abut-lab/lab.h>

#include "build_id.h" // written by CMake: ABUT_LAB_BUILD

const char *abut_lab_build(void)
{
    return ABUT_LAB_BUILD;
}
