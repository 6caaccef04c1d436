// SPDX-License-Identifier: MIT
// fuzz_primitive.c: any text as the name of a primitive
#include "fuzz.h"

#include <abut/abut.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *name = malloc(size + 1);
    if (name == NULL) {
        return 0;
    }
    memcpy(name, data, size);
    name[size] = '\0';
    abut_mesh *core = NULL, *facets = NULL;
    double radius = 0.0;
    abut_error error = {.text = ""};
    abut_status status = abut_primitive_core(NULL, name, &core, &radius, &error);
    if ((status == ABUT_OK) != (core != NULL) || (status == ABUT_BAD_ARGUMENT) == abut_is_primitive(name) ||
        (status != ABUT_OK && (error.text[0] == '\0' || strpbrk(error.text, "\r\n") != NULL)) ||
        (status == ABUT_OK && !(radius >= 0.0 && isfinite(radius)))) {
        abort();
    }
    if (status == ABUT_OK && size < 100) { // long ropes take long
        status = abut_primitive_facets(NULL, name, &facets, NULL, &error);
        if ((status == ABUT_OK) != (facets != NULL)) {
            abort();
        }
    }
    abut_mesh_destroy(core);
    abut_mesh_destroy(facets);
    free(name);
    return 0;
}
