// SPDX-License-Identifier: MIT
// fuzz_study.c: any bytes as the lines of a part of a study
#include "fuzz.h"

#include <abut-lab/study.h>

/// Aborts if the message of a failure is empty or longer than one line.
static void check_text(abut_status status, const abut_error *error)
{
    if (status != ABUT_OK && (error->text[0] == '\0' || strpbrk(error->text, "\r\n") != NULL)) {
        abort();
    }
}

/// Checks that a study that was read can be written and read again.
static void check_round(const abut_study *study)
{
    char *plan = NULL, *again = NULL;
    abut_study *copy = NULL;
    if (abut_study_print_plan(study, &plan, NULL) != ABUT_OK ||
        abut_study_parse_plan(NULL, plan, strlen(plan), &copy, NULL) != ABUT_OK ||
        abut_study_print_plan(copy, &again, NULL) != ABUT_OK || strcmp(plan, again) != 0) {
        abort();
    }
    for (int i = 0; i < study->run_count; ++i) {
        char *text = NULL;
        int run = i;
        if (study->results[i].outcome != ABUT_STUDY_OPEN &&
            (abut_study_print_result(study, i, &text, NULL) != ABUT_OK ||
             abut_study_parse_result(copy, text, strlen(text), &run, NULL) != ABUT_OK)) {
            abort();
        }
        abut_study_text_release(study, text);
    }
    abut_study_text_release(study, plan);
    abut_study_text_release(copy, again);
    abut_study_destroy(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *end = text + size;
    abut_study *study = NULL;
    for (int line = 0; text < end && (line == 0 || study != NULL); ++line) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t length = (size_t)((stop != NULL ? stop : end) - text);
        abut_error error = {.text = ""};
        int run = -1;
        abut_status status = line == 0 ? abut_study_parse_plan(NULL, text, length, &study, &error)
                                       : abut_study_parse_result(study, text, length, &run, &error);
        check_text(status, &error);
        if (line == 0 && (status == ABUT_OK) != (study != NULL)) {
            abort();
        }
        text += length + (stop != NULL);
    }
    if (study != NULL) {
        check_round(study);
    }
    abut_study_destroy(study);
    return 0;
}
