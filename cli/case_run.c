// SPDX-License-Identifier: MIT
// case_run.c: a method on a case of two bodies
#include "case_run.h"

#include <stdlib.h>

abut_cli_exit abut_cli_case_load(const char *name, const abut_case_params *params, abut_cli_case *loaded)
{
    abut_error error = {0};
    abut_shape_def def = abut_shape_def_default();
    abut_status status = abut_case_create(NULL, name, params, &loaded->item, &error);
    if (status == ABUT_OK) {
        def.mesh = loaded->item->a.mesh;
        status = abut_shape_create(NULL, &def, &loaded->a, &error);
    }
    if (status == ABUT_OK) {
        def.mesh = loaded->item->b.mesh;
        status = abut_shape_create(NULL, &def, &loaded->b, &error);
    }
    return status == ABUT_OK
               ? ABUT_CLI_DONE
               : abut_cli_fail(abut_cli_exit_of(status), "case %s: %s", name, abut_cli_message(status, &error));
}

void abut_cli_case_release(abut_cli_case *loaded)
{
    abut_shape_destroy(loaded->a);
    abut_shape_destroy(loaded->b);
    abut_case_destroy(loaded->item);
    *loaded = (abut_cli_case){0};
}

static int readings_differ(const abut_case *item)
{
    int count = item->truth_count[ABUT_READING_VELOCITY];
    int differ = count != item->truth_count[ABUT_READING_TABLE];
    for (int i = 0; i < count && !differ; ++i) {
        abut_vec3 a = item->truth[ABUT_READING_VELOCITY][i].normal, b = item->truth[ABUT_READING_TABLE][i].normal;
        differ = a.x != b.x || a.y != b.y || a.z != b.z;
    }
    return differ;
}

void abut_cli_case_name(const abut_cli_case *loaded, abut_cli_row *row)
{
    row->minimum = loaded->item->minimum;
    row->has_two_readings = readings_differ(loaded->item);
}

void abut_cli_case_measure(const abut_cli_case *loaded, abut_state state, const abut_sample *samples, int count,
                           abut_cli_row *row)
{
    const abut_case *item = loaded->item;
    row->measures[ABUT_READING_VELOCITY] = abut_measure(item, state, ABUT_READING_VELOCITY, samples, count);
    row->measures[ABUT_READING_TABLE] = abut_measure(item, state, ABUT_READING_TABLE, samples, count);
}

abut_status abut_cli_case_find(const abut_cli_query *query, const abut_cli_case *loaded, abut_state state,
                               abut_workspace *workspace, abut_result *result, abut_sample **samples)
{
    abut_pair pair = abut_case_pair(loaded->item, state, loaded->a, loaded->b);
    abut_status status = abut_cli_query_run(query, &pair, loaded->a, loaded->b, workspace, result);
    int count = status == ABUT_OK ? result->contacts.count : 0;
    *samples = abut_cli_resize(NULL, (size_t)count, sizeof **samples);
    for (int i = 0; i < count; ++i) {
        (*samples)[i] = abut_paper_sample(&pair, &result->contacts.items[i], query->has_long_normals);
    }
    return status;
}

void abut_cli_case_run(const abut_cli_query *query, const abut_cli_case *loaded, abut_workspace *workspace,
                       abut_cli_row *row)
{
    abut_state state;
    abut_sample *samples = NULL;
    abut_result result = abut_result_default();
    (void)abut_state_parse(row->state, &state, NULL); // checked before
    row->status = abut_cli_case_find(query, loaded, state, workspace, &result, &samples);
    if (row->status == ABUT_OK) {
        abut_cli_case_measure(loaded, state, samples, result.contacts.count, row);
        if (!query->method->is_plugin) {
            row->raw_contacts = (double)result.stats.raw_contacts;
            row->filtered_contacts = (double)result.stats.filtered_contacts;
        }
    } else {
        row->message = abut_cli_copy(abut_cli_message(row->status, &result.error));
    }
    free(samples);
    abut_result_release(NULL, &result);
}
