// SPDX-License-Identifier: MIT
// fuzz_setup.c: any bytes as a scene
#include "fuzz.h"

#include <abut-lab/simulation.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abut_setup *setup = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_setup_parse(NULL, (const char *)data, size, NULL, &setup, &error);
    if ((status == ABUT_OK) != (setup != NULL) || (status != ABUT_OK && error.text[0] == '\0')) {
        abort();
    }
    for (int i = 0; setup != NULL && i < setup->body_count; ++i) {
        const abut_setup_body *body = &setup->bodies[i];
        if (body->mesh < 0 || body->mesh >= setup->mesh_count || body->material < 0 ||
            body->material >= setup->material_count || !abut_is_finite(body->pose.position)) {
            abort();
        }
    }
    abut_setup_destroy(setup);
    return 0;
}
