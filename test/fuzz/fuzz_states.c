// SPDX-License-Identifier: MIT
// fuzz_states.c: any bytes as a states.csv
#include "fuzz.h"

#include <abut-lab/states.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abut_states *states = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_states_parse(NULL, (const char *)data, size, "states.csv", &states, &error);
    int is_explained = strncmp(error.text, "states.csv:", 11) == 0 && strpbrk(error.text, "\r\n") == NULL;
    if ((status == ABUT_OK) != (states != NULL) || (status != ABUT_OK && !is_explained)) {
        abort();
    }
    for (int i = 0; states != NULL && i < states->count; ++i) {
        const abut_states_row *row = &states->rows[i];
        if (row->detection < 1 || row->contacts < 0 ||
            abut_states_find(states, row->case_name, row->method) != row) {
            abort();
        }
    }
    abut_states_destroy(states);
    return 0;
}
