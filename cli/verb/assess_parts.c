// SPDX-License-Identifier: MIT
// assess_parts.c: what the modes of `abut assess` share: their options, subjects, states and methods
#include "verb/assess_parts.h"

#include "verb/scene_files.h"

#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------------------
// Subjects

static abut_cli_exit load_case(const char *name, const abut_case_params *params, abut_cli_subject *subject)
{
    abut_error error = {0};
    abut_status status = abut_case_create(NULL, name, params, &subject->own_case, &error);
    if (status == ABUT_OK) {
        subject->name = subject->own_case->name;
        status = abut_subject_create_case(NULL, subject->own_case, &subject->item, &error);
    }
    return status == ABUT_OK
               ? ABUT_CLI_DONE
               : abut_cli_fail(abut_cli_exit_of(status), "case %s: %s", name, abut_cli_message(status, &error));
}

static abut_cli_exit load_scene(const char *name, const abut_scene_params *params, abut_cli_subject *subject)
{
    abut_error error = {0};
    abut_status status = abut_scene_create(NULL, name, params, &subject->scene, &error);
    if (status == ABUT_OK) {
        subject->name = subject->scene->name;
        status = abut_subject_create_scene(NULL, subject->scene, &subject->item, &error);
    }
    return status == ABUT_OK
               ? ABUT_CLI_DONE
               : abut_cli_fail(abut_cli_exit_of(status), "scene %s: %s", name, abut_cli_message(status, &error));
}

static abut_cli_exit load_all(const abut_cli_arguments *arguments, const abut_cli_list *cases,
                              const abut_cli_list *scenes, abut_cli_subjects *subjects)
{
    abut_case_params case_params = abut_case_params_default();
    abut_scene_params scene_params;
    abut_cli_exit code = abut_cli_positive_of(arguments, "scene-size", &case_params.scene_size);
    code = code != ABUT_CLI_DONE ? code : abut_cli_scene_params_of(arguments, &scene_params);
    subjects->items = abut_cli_resize(NULL, (size_t)cases->count + (size_t)scenes->count, sizeof *subjects->items);
    for (int i = 0; i < cases->count + scenes->count && code == ABUT_CLI_DONE; ++i) {
        abut_cli_subject *subject = &subjects->items[subjects->count++];
        *subject = (abut_cli_subject){0};
        if (i < cases->count && subjects->is_compared && abut_cli_value_of(arguments, "scene-size") == NULL) {
            case_params.scene_size = abut_paper_scene_size(cases->items[i]);
        }
        code = i < cases->count ? load_case(cases->items[i], &case_params, subject)
                                : load_scene(scenes->items[i - cases->count], &scene_params, subject);
    }
    subjects->case_count = cases->count;
    return code;
}

abut_cli_exit abut_cli_subjects_load(const abut_cli_arguments *arguments, abut_cli_subjects *subjects)
{
    abut_cli_list names = {0}, cases = {0}, scenes = {0};
    abut_cli_exit code = abut_cli_list_of(arguments, "case", &names);
    if (code == ABUT_CLI_DONE && names.count == 0) {
        abut_cli_list_add(&names, "fundamental");
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_cases_select(&names, &cases, &scenes);
    // The paper's Table 7 goes with its Table 8.
    if (code == ABUT_CLI_DONE && subjects->is_compared && abut_cli_list_has(&names, "fundamental") &&
        !abut_cli_list_has(&scenes, "pillar")) {
        abut_cli_list_add(&scenes, "pillar");
    }
    code = code != ABUT_CLI_DONE ? code : abut_cli_cases_check_options(arguments, &cases, &scenes);
    code = code != ABUT_CLI_DONE ? code : load_all(arguments, &cases, &scenes, subjects);
    abut_cli_list_release(&names);
    abut_cli_list_release(&cases);
    abut_cli_list_release(&scenes);
    return code;
}

void abut_cli_subjects_release(abut_cli_subjects *subjects)
{
    for (int i = 0; i < subjects->count; ++i) {
        abut_subject_destroy(subjects->items[i].item);
        abut_case_destroy(subjects->items[i].own_case);
        abut_scene_destroy(subjects->items[i].scene);
    }
    free(subjects->items);
    *subjects = (abut_cli_subjects){0};
}

// ---------------------------------------------------------------------------------------------------------------
// States

abut_cli_state abut_cli_states_add(abut_cli_states *states, abut_state value, const char *text)
{
    char printed[ABUT_STATE_TEXT_ROOM];
    for (int i = 0; i < states->count; ++i) {
        if (abut_state_equals(states->items[i].value, value)) {
            return states->items[i];
        }
    }
    abut_state_print(value, printed);
    states->items = abut_cli_resize(states->items, (size_t)states->count + 1, sizeof *states->items);
    states->items[states->count++] = (abut_cli_state){value, abut_cli_copy(text != NULL ? text : printed)};
    return states->items[states->count - 1];
}

static abut_cli_exit add_state(const char *text, abut_cli_states *states)
{
    abut_state value;
    abut_error error = {0};
    abut_status status = abut_state_parse(text, &value, &error);
    if (status != ABUT_OK) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --state: %s", abut_cli_message(status, &error));
    }
    if (value.kind == ABUT_STATE_STEP) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --state '%s': use --step %d", text, value.step);
    }
    (void)abut_cli_states_add(states, value, text);
    return ABUT_CLI_DONE;
}

static abut_cli_exit add_step(const char *text, abut_cli_states *states)
{
    abut_state value;
    char *whole = abut_cli_print("step:%s", text);
    abut_status status = abut_state_parse(whole, &value, NULL);
    free(whole);
    if (status != ABUT_OK) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --step '%s': must be a whole number from 1 to 2147483647",
                             text);
    }
    (void)abut_cli_states_add(states, value, NULL);
    return ABUT_CLI_DONE;
}

/// Adds the values of one option.
static abut_cli_exit read_list(const abut_cli_arguments *arguments, const char *name,
                               abut_cli_exit (*add)(const char *text, abut_cli_states *states),
                               abut_cli_states *states)
{
    abut_cli_list texts = {0};
    abut_cli_exit code = abut_cli_list_of(arguments, name, &texts);
    for (int i = 0; i < texts.count && code == ABUT_CLI_DONE; ++i) {
        code = add(texts.items[i], states);
    }
    abut_cli_list_release(&texts);
    return code;
}

abut_cli_exit abut_cli_states_read(const abut_cli_arguments *arguments, abut_cli_states *states)
{
    abut_cli_exit code = read_list(arguments, "state", add_state, states);
    return code != ABUT_CLI_DONE ? code : read_list(arguments, "step", add_step, states);
}

void abut_cli_states_release(abut_cli_states *states)
{
    for (int i = 0; i < states->count; ++i) {
        free(states->items[i].text);
    }
    free(states->items);
    *states = (abut_cli_states){0};
}

// ---------------------------------------------------------------------------------------------------------------
// Methods

static int is_simulated(const abut_cli_arguments *arguments)
{
    return abut_cli_value_of(arguments, "step") != NULL || abut_cli_value_of(arguments, "steps") != NULL;
}

abut_cli_exit abut_cli_assessed_methods(const abut_cli_arguments *arguments, abut_cli_methods *methods)
{
    abut_cli_exit code = abut_cli_methods_select(arguments, "all", methods);
    if (code == ABUT_CLI_DONE && is_simulated(arguments)) {
        code = abut_cli_methods_check_motion(methods);
    }
    return code != ABUT_CLI_DONE ? code : abut_cli_query_check_options(arguments, methods);
}

/// The option --settings; if it is not given, the settings stay as they are.
static abut_cli_exit read_motion(const abut_cli_arguments *arguments, abut_cli_query *query)
{
    static const char *const settings[] = {"abut", "paper", NULL};
    if (!is_simulated(arguments) && abut_cli_value_of(arguments, "settings") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "option --settings is for simulations: give --step or --steps too");
    }
    return abut_cli_word_of(arguments, "settings", settings, &query->has_paper_settings);
}

abut_cli_exit abut_cli_assessed_query(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                      abut_cli_query *query)
{
    abut_cli_exit code = abut_cli_query_of(arguments, method, 1, query);
    return code != ABUT_CLI_DONE ? code : read_motion(arguments, query);
}

const char *const abut_cli_reading_names[ABUT_CLI_READINGS] = {"text", "program", "program-double"};

abut_cli_exit abut_cli_paper_query(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                   const abut_cli_paper_choice *choice, abut_cli_query *query)
{
    abut_cli_exit code = abut_cli_query_of(arguments, method, 1, query);
    if (code == ABUT_CLI_DONE && choice->variant[0] != '\0') {
        code = abut_cli_query_add(choice->variant, query);
    }
    if (code == ABUT_CLI_DONE) {
        code = abut_cli_query_add_paper(arguments, choice->reading, choice->is_eroded, query);
    }
    query->has_paper_settings = 1;
    query->has_long_normals = abut_paper_has_long_normals(method->row->name, choice->reading);
    return code != ABUT_CLI_DONE ? code : read_motion(arguments, query);
}

abut_cli_exit abut_cli_comparison_check(const abut_cli_arguments *arguments)
{
    const char *with = abut_cli_value_of(arguments, "compare");
    if (with != NULL && strcmp(with, "paper") != 0) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --compare '%s': must be paper%s", with,
                             abut_cli_value_of(arguments, "steps") != NULL ? "" : " or peers");
    }
    int position = 0;
    const char *text;
    while (with != NULL && (text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        static const char *const own[] = {"reading=", "precision=", "skip-flat-edges=", "nearest="};
        for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
            if (strncmp(text, own[i], strlen(own[i])) == 0) {
                return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                     "option --option '%s': --compare sets it itself: leave it out", text);
            }
        }
    }
    return ABUT_CLI_DONE;
}

const char *abut_cli_status_member(const void *status)
{
    return abut_status_text(*(const abut_status *)status);
}

void abut_cli_row_exit(const char *method, const char *case_name, const char *state, abut_status status,
                       const abut_error *error, abut_cli_exit *code)
{
    if (abut_cli_query_exit(status) == ABUT_CLI_UNFINISHED) {
        *code =
            abut_cli_fail(ABUT_CLI_UNFINISHED, "%s/%s%s%s: not finished: %s", method, case_name,
                          state != NULL ? ", " : "", state != NULL ? state : "", abut_cli_message(status, error));
    }
}

abut_assess_params abut_cli_assess_params(const abut_cli_query *query)
{
    abut_assess_params params = abut_assess_params_default();
    params.params = &query->params;
    params.is_isolated = query->method->is_plugin;
    params.seconds = query->seconds;
    params.has_paper_settings = query->has_paper_settings;
    params.has_long_normals = query->has_long_normals;
    return params;
}
