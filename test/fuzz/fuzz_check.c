// SPDX-License-Identifier: MIT
// fuzz_check.c: any bytes as a mesh file, for the doctor and its repairs
//
// Every file that can be parsed must be checked and repaired, whatever is wrong with it.
#include "fuzz.h"

#include <abut/check.h>

static void fuzz_soup(const uint8_t *data, size_t size, abut_format format)
{
    const abut_buffer file = {data, size, "fuzz"};
    abut_soup *soup = NULL;
    abut_error error = {.text = ""};
    if (abut_soup_parse(NULL, &file, format, &soup, &error) != ABUT_OK) {
        return;
    }
    abut_mesh_def def = abut_soup_get_def(soup);
    abut_check *check = NULL;
    abut_remade remade = {0};
    abut_status checked = abut_check_create(NULL, &def, NULL, &check, &error);
    abut_status repaired = abut_repair(NULL, &def, NULL, &remade, &error);
    // a mesh may have too many elements, but no mesh is rejected because of its faults
    int holds = (checked == ABUT_OK || checked == ABUT_LIMIT) && repaired == checked &&
                (repaired == ABUT_OK) == (remade.mesh != NULL);
    if (!holds) {
        abort();
    }
    abut_remade_release(NULL, &remade);
    abut_check_destroy(check);
    abut_soup_destroy(soup);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const abut_format formats[] = {ABUT_FORMAT_OBJ, ABUT_FORMAT_STL,   ABUT_FORMAT_PLY, ABUT_FORMAT_OFF,
                                          ABUT_FORMAT_MSH, ABUT_FORMAT_MEDIT, ABUT_FORMAT_GLTF};
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        fuzz_soup(data, size, formats[i]);
    }
    return 0;
}
