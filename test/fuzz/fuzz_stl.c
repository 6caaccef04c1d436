// SPDX-License-Identifier: MIT
// fuzz_stl.c: any bytes as an STL file
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_STL);
    return 0;
}
