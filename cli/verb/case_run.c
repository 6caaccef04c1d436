// SPDX-License-Identifier: MIT
// case_run.c: a method on a case of two bodies
#include "verb/case_run.h"

#include "verb/motion_run.h"

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

void abut_cli_case_measure(const abut_cli_case *loaded, abut_case_poses poses, const abut_sample *samples,
                           int count, abut_cli_row *row)
{
    const abut_case *item = loaded->item;
    row->measures[ABUT_READING_VELOCITY] = abut_measure(item, poses, ABUT_READING_VELOCITY, samples, count);
    row->measures[ABUT_READING_TABLE] = abut_measure(item, poses, ABUT_READING_TABLE, samples, count);
}

/// With the bodies put into a state.
static abut_status find_at_rest(const abut_cli_query *query, const abut_cli_case *loaded, abut_state state,
                                abut_workspace *workspace, abut_cli_found *found)
{
    abut_result result = abut_result_default();
    abut_pair pair = abut_case_pair(loaded->item, state, loaded->a, loaded->b);
    abut_status status = abut_cli_query_run(query, &pair, loaded->a, loaded->b, workspace, &result);
    found->count = status == ABUT_OK ? result.contacts.count : 0;
    found->samples = abut_cli_resize(NULL, (size_t)found->count, sizeof *found->samples);
    for (int i = 0; i < found->count; ++i) {
        found->samples[i] = abut_paper_sample(&pair, &result.contacts.items[i], query->has_long_normals);
    }
    if (!query->method->is_plugin) {
        found->raw = (double)result.stats.raw_contacts;
        found->filtered = (double)result.stats.filtered_contacts;
    }
    found->poses = (abut_case_poses){pair.a.pose, pair.b.pose};
    found->error = result.error;
    return status;
}

/// At a detection of a simulation.
static abut_status find_in_motion(const abut_cli_query *query, const abut_cli_case *loaded, int step,
                                  abut_cli_found *found)
{
    abut_setup *setup = NULL;
    abut_cli_motion motion = {0};
    abut_status status = abut_setup_create_case(NULL, loaded->item, &setup, &found->error);
    if (status == ABUT_OK) {
        status = abut_cli_motion_run(query, setup, step, &motion, &found->error);
    }
    if (status == ABUT_OK) {
        const abut_world_report *report = &motion.detection.report;
        found->count = report->contact_count;
        found->samples = abut_cli_resize(NULL, (size_t)found->count, sizeof *found->samples);
        for (int i = 0; i < found->count; ++i) {
            const abut_scene_sample *from = &motion.detection.samples[i];
            found->samples[i] = (abut_sample){from->position, from->normal};
        }
        found->poses = (abut_case_poses){report->poses[0], report->poses[1]};
        found->raw = (double)report->stats.raw_contacts;
        found->filtered = (double)report->stats.filtered_contacts;
        found->fallbacks = report->fallback_count;
    }
    abut_cli_motion_release(&motion);
    abut_setup_destroy(setup);
    return status;
}

abut_status abut_cli_case_find(const abut_cli_query *query, const abut_cli_case *loaded, const char *state,
                               abut_workspace *workspace, abut_cli_found *found)
{
    const double none = (double)NAN;
    *found = (abut_cli_found){.raw = none, .filtered = none, .fallbacks = none};
    int step = abut_cli_step_of(state);
    if (step > 0) {
        return find_in_motion(query, loaded, step, found);
    }
    abut_state parsed;
    (void)abut_state_parse(state, &parsed, NULL); // checked before
    return find_at_rest(query, loaded, parsed, workspace, found);
}

void abut_cli_case_run(const abut_cli_query *query, const abut_cli_case *loaded, abut_workspace *workspace,
                       abut_cli_row *row)
{
    abut_cli_found found;
    row->status = abut_cli_case_find(query, loaded, row->state, workspace, &found);
    if (row->status == ABUT_OK) {
        abut_cli_case_measure(loaded, found.poses, found.samples, found.count, row);
        row->raw_contacts = found.raw;
        row->filtered_contacts = found.filtered;
        row->fallbacks = found.fallbacks;
    } else {
        row->message = abut_cli_copy(abut_cli_message(row->status, &found.error));
    }
    free(found.samples);
}
