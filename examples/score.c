// SPDX-License-Identifier: MIT
// score.c: scores a contact method of your own, here that of plugin/vertex_proximity.c, on the ten fundamental cases
#include <abut-lab/assess.h>

#include <stdio.h>

/// Defined in plugin/vertex_proximity.c.
const abut_method *abut_plugin_method(void);

static int score(const abut_method *method, const char *case_name, abut_state state)
{
    abut_subject *subject = NULL;
    abut_assess_row row;
    abut_status status = abut_subject_create(NULL, case_name, &subject, &row.error);
    if (status == ABUT_OK) {
        status = abut_assess(subject, method, NULL, state, &row);
    }
    if (status == ABUT_OK) {
        const abut_measures *m = &row.measures[ABUT_READING_VELOCITY];
        char quality[16] = "none"; // without contacts
        if (m->contacts > 0) {
            snprintf(quality, sizeof quality, "%.0f", m->quality);
        }
        printf("%s: quality %s, coverage %.0f, contacts %d\n", case_name, quality, m->coverage, m->contacts);
        abut_assess_row_release(&row);
    } else {
        printf("%s: %s\n", case_name, row.error.text);
    }
    abut_subject_destroy(subject);
    return status == ABUT_OK;
}

int main(void)
{
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    int count, is_done = 1;
    const char *const *names = abut_case_names(&count);
    for (int i = 0; i < count; ++i) {
        is_done &= score(abut_plugin_method(), names[i], touching);
    }
    return is_done ? 0 : 1;
}
