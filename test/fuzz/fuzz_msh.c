// SPDX-License-Identifier: MIT
// fuzz_msh.c: any bytes as a Gmsh file
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_MSH);
    return 0;
}
