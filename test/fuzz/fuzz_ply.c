// SPDX-License-Identifier: MIT
// fuzz_ply.c: any bytes as a PLY file
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_PLY);
    return 0;
}
