// SPDX-License-Identifier: MIT
// fuzz_obj.c: any bytes as an OBJ file
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_OBJ);
    return 0;
}
