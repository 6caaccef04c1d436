// SPDX-License-Identifier: MIT
// fuzz_gltf.c: any bytes as a glTF file, text or binary
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(data, size, ABUT_FORMAT_GLTF);
    return 0;
}
