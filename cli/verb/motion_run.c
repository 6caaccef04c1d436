// SPDX-License-Identifier: MIT
// motion_run.c: cases and scenes that move on the contacts of a method
#include "verb/motion_run.h"

#include "shared/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PREFIX[] = "step:";

/// A whole number from 1 to 1e9, or 0.
static int count_in(const char *text)
{
    double value;
    return abut_cli_parse_number(text, &value) && value >= 1.0 && value <= 1e9 && value == floor(value) ? (int)value
                                                                                                        : 0;
}

int abut_cli_step_of(const char *state)
{
    size_t length = sizeof PREFIX - 1;
    return strncmp(state, PREFIX, length) == 0 ? count_in(state + length) : 0;
}

abut_cli_exit abut_cli_steps_read(const abut_cli_arguments *arguments, abut_cli_list *states)
{
    abut_cli_list texts = {0};
    abut_cli_exit code = abut_cli_list_of(arguments, "step", &texts);
    for (int i = 0; i < texts.count && code == ABUT_CLI_DONE; ++i) {
        int step = count_in(texts.items[i]);
        char *state = abut_cli_print("%s%d", PREFIX, step);
        if (step == 0) {
            code = abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --step '%s': must be a whole number from 1 to 1000000000", texts.items[i]);
        } else if (!abut_cli_list_has(states, state)) {
            abut_cli_list_add(states, state);
        }
        free(state);
    }
    abut_cli_list_release(&texts);
    return code;
}

abut_cli_exit abut_cli_methods_check_motion(const abut_cli_methods *methods)
{
    for (int i = 0; i < methods->count; ++i) {
        if (methods->items[i].is_plugin) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "method %s: a plug-in's method runs in a child process: it cannot simulate",
                                 methods->items[i].row->name);
        }
    }
    return ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_fallback_of(const abut_cli_arguments *arguments, abut_cli_fallback *fallback)
{
    const char *name = abut_cli_value_of(arguments, "fallback");
    if (name == NULL) {
        return ABUT_CLI_DONE;
    }
    fallback->is_given = 1;
    fallback->method = strcmp(name, "none") == 0 ? NULL : abut_method_find(name);
    return fallback->method != NULL || strcmp(name, "none") == 0
               ? ABUT_CLI_DONE
               : abut_cli_fail(ABUT_CLI_BAD_INPUT,
                               "option --fallback: unknown method '%s': abut methods lists those that exist", name);
}

void abut_cli_fallback_apply(const abut_cli_fallback *fallback, abut_world_def *def)
{
    if (fallback->is_given) {
        def->fallback = fallback->method;
        def->has_convex_fallback = 0;
    }
}

abut_cli_exit abut_cli_motion_options(const abut_cli_arguments *arguments, abut_cli_query *query)
{
    static const char *const settings[] = {"abut", "paper", NULL};
    static const char *const names[] = {"settings", "fallback"};
    int is_moving = abut_cli_value_of(arguments, "step") != NULL || abut_cli_value_of(arguments, "steps") != NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (!is_moving && abut_cli_value_of(arguments, names[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s is about simulations: give --step or --steps",
                                 names[i]);
        }
    }
    abut_cli_exit code = abut_cli_word_of(arguments, "settings", settings, &query->has_paper_settings);
    return code != ABUT_CLI_DONE ? code : abut_cli_fallback_of(arguments, &query->fallback);
}

abut_world_def abut_cli_world_def(const abut_cli_query *query, const abut_setup *setup, abut_prox_params *prox)
{
    abut_world_def def =
        query->has_paper_settings ? abut_setup_paper_def(setup, prox) : abut_setup_world_def(setup);
    def.method = query->method->row;
    def.params = &query->params;
    abut_cli_fallback_apply(&query->fallback, &def);
    return def;
}

/// Gives the samples the normals that the query scores.
static void score_normals(const abut_cli_query *query, abut_cli_motion *motion)
{
    const abut_world *world = motion->simulation->world;
    const abut_world_report *report = &motion->detection.report;
    for (int i = 0; i < report->contact_count; ++i) {
        const abut_world_contact *contact = &report->contacts[i];
        abut_pair pair = abut_pair_default(abut_world_body_shape(world, contact->body_a),
                                           abut_world_body_shape(world, contact->body_b));
        motion->detection.samples[i].normal =
            abut_paper_sample(&pair, &contact->contact, query->has_long_normals).normal;
    }
}

abut_status abut_cli_motion_run(const abut_cli_query *query, const abut_setup *setup, int step,
                                abut_cli_motion *motion, abut_error *error)
{
    *motion = (abut_cli_motion){0};
    abut_prox_params prox;
    abut_world_def def = abut_cli_world_def(query, setup, &prox);
    abut_status status = abut_simulation_create(NULL, setup, &def, &motion->simulation, error);
    if (status == ABUT_OK) {
        status = abut_simulation_detect(motion->simulation, step, &motion->detection, error);
    }
    if (status == ABUT_OK) {
        score_normals(query, motion);
    }
    return status;
}

void abut_cli_motion_release(abut_cli_motion *motion)
{
    if (motion->simulation != NULL) {
        abut_detection_release(motion->simulation, &motion->detection);
    }
    abut_simulation_destroy(motion->simulation);
    *motion = (abut_cli_motion){0};
}
