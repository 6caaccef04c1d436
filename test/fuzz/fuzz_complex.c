// SPDX-License-Identifier: MIT
// fuzz_complex.c: any bytes as a saved complex, with a hash that fits; what can be loaded can be searched
#include "fuzz.h"

#include <abut/complex.h>

#include "complex/complex.h"

enum { HEADER = 256 }; ///< at least as many bytes as a header has

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abut_complex *complex = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_complex_load(NULL, data, size, &complex, &error);
    abut_complex_destroy(complex);
    if (size < HEADER) {
        return 0;
    }
    void *sealed = malloc(size);
    memcpy(sealed, data, size);
    abut_complex_seal(sealed, size);
    status = abut_complex_load(NULL, sealed, size, &complex, &error);
    free(sealed);
    if ((status == ABUT_OK) != (complex != NULL) || (status != ABUT_OK && error.text[0] == '\0')) {
        abort();
    }
    abut_lmd_set *set = NULL;
    if (complex != NULL && abut_lmd_set_create(NULL, &set) == ABUT_OK) {
        abut_lmd_def def = abut_lmd_def_default();
        def.a = def.b = complex;
        def.reach = 1.0;
        def.b_to_a.position.x = 1.1;
        (void)abut_find_lmds(&def, set, &error);
        abut_lmd_set_destroy(set);
    }
    abut_complex_destroy(complex);
    return 0;
}
