// SPDX-License-Identifier: MIT
// fuzz_medit.c: any bytes as a Medit file
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_MEDIT);
    return 0;
}
