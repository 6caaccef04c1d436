// SPDX-License-Identifier: MIT
// fuzz_contact_log.c: any bytes as the lines of a contact log
#include "fuzz.h"
#include "verb/contact_log.h"

static int sample_count(const abut_cli_log *log)
{
    int count = 0;
    for (int i = 0; i < log->count; ++i) {
        for (int j = 0; j < log->entries[i].count; ++j) {
            const abut_sample *sample = &log->entries[i].samples[j];
            if (!abut_is_finite(sample->position) || !(fabs(abut_norm(sample->normal) - 1.0) <= 1e-3)) {
                abort();
            }
        }
        count += log->entries[i].count;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    abut_cli_log log = {.default_state = {.text = (char[]){"touching"}}};
    const char *rest = (const char *)data;
    for (size_t left = size; left > 0;) {
        const char *end = memchr(rest, '\n', left);
        size_t length = end != NULL ? (size_t)(end - rest) : left;
        abut_error error = {.text = ""};
        int entries = log.count, samples = sample_count(&log);
        abut_status status = abut_cli_log_read_line(&log, rest, length, &error);
        // an invalid line must add nothing and give a message
        if (status != ABUT_OK && (error.text[0] == '\0' || log.count != entries || sample_count(&log) != samples)) {
            abort();
        }
        length += end != NULL;
        rest += length;
        left -= length;
    }
    (void)sample_count(&log);
    abut_cli_log_release(&log);
    return 0;
}
