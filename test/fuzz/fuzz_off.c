// SPDX-License-Identifier: MIT
// fuzz_off.c: any bytes as an OFF file
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_OFF);
    return 0;
}
