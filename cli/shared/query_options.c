// SPDX-License-Identifier: MIT
// query_options.c: parameters of a query from options
#include "shared/query_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The library accepts angles up to one radian.
static const double DEGREES_HIGHEST = 57.0;

static abut_cli_exit length_of(const abut_cli_arguments *arguments, const char *name, abut_length *length)
{
    double value = 0.0;
    abut_cli_exit code = abut_cli_number_of(arguments, name, 0.0, &value);
    if (code == ABUT_CLI_DONE && abut_cli_value_of(arguments, name) != NULL) {
        *length = abut_absolute(value);
    }
    return code;
}

int abut_cli_has_option(const abut_method *method, const char *text)
{
    size_t length = strcspn(text, "=");
    for (int i = 0; i < method->option_count; ++i) {
        if (strlen(method->options[i].name) == length && memcmp(method->options[i].name, text, length) == 0) {
            return 1;
        }
    }
    return 0;
}

/// Method options with a short form: --normals spanning means --option normals=spanning.
static const char *const SHORT_FORMS[] = {"normals", "points"};

abut_cli_exit abut_cli_query_add(const char *text, abut_cli_query *query)
{
    const abut_method *row = query->method->row;
    abut_error error = {0};
    query->options =
        abut_cli_resize(query->options, (size_t)query->params.option_count + 1, sizeof *query->options);
    query->params.options = query->options;
    abut_status status = abut_option_parse(row, text, &query->options[query->params.option_count], &error);
    if (status != ABUT_OK) {
        return abut_cli_fail(abut_cli_exit_of(status), "option --option '%s': %s", text,
                             abut_cli_message(status, &error));
    }
    ++query->params.option_count;
    return ABUT_CLI_DONE;
}

static abut_cli_exit add_option(const char *text, int skips_unknown, abut_cli_query *query)
{
    return skips_unknown && !abut_cli_has_option(query->method->row, text) ? ABUT_CLI_DONE
                                                                           : abut_cli_query_add(text, query);
}

static abut_cli_exit options_of(const abut_cli_arguments *arguments, int skips_unknown, abut_cli_query *query)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    int position = 0;
    const char *text;
    while (code == ABUT_CLI_DONE && (text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        code = add_option(text, skips_unknown, query);
    }
    for (size_t i = 0; code == ABUT_CLI_DONE && i < sizeof SHORT_FORMS / sizeof SHORT_FORMS[0]; ++i) {
        const char *value = abut_cli_value_of(arguments, SHORT_FORMS[i]);
        if (value != NULL) {
            char whole[64];
            (void)snprintf(whole, sizeof whole, "%s=%s", SHORT_FORMS[i], value);
            code = add_option(whole, skips_unknown, query);
        }
    }
    return code;
}

abut_cli_exit abut_cli_query_of(const abut_cli_arguments *arguments, const abut_cli_method *method,
                                int skips_unknown, abut_cli_query *query)
{
    *query = (abut_cli_query){.method = method, .params = abut_params_default(), .seconds = 60.0};
    abut_params *params = &query->params;
    double degrees = -1.0;
    abut_cli_exit code = length_of(arguments, "tolerance", &params->tolerance);
    code = code != ABUT_CLI_DONE ? code : length_of(arguments, "envelope", &params->envelope);
    code = code != ABUT_CLI_DONE ? code : length_of(arguments, "merge", &params->merge);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "angle", 0.0, &degrees);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "seconds", &query->seconds);
    if (code == ABUT_CLI_DONE && degrees > DEGREES_HIGHEST) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --angle '%s': must be at most %g degrees",
                             abut_cli_value_of(arguments, "angle"), DEGREES_HIGHEST);
    }
    if (degrees >= 0.0) {
        params->angle = degrees * (3.14159265358979323846 / 180.0);
    }
    if (abut_cli_value_of(arguments, "raw") != NULL) {
        params->flags |= ABUT_PARAMS_KEEP_REDUNDANT;
    }
    return code != ABUT_CLI_DONE ? code : options_of(arguments, skips_unknown, query);
}

// Whether --option was given with the NAME of NAME=VALUE.
static int is_given(const abut_cli_arguments *arguments, const char *option)
{
    size_t length = strcspn(option, "=") + 1;
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        if (strncmp(text, option, length) == 0) {
            return 1;
        }
    }
    return 0;
}

abut_cli_exit abut_cli_query_add_paper(const abut_cli_arguments *arguments, int as_program, abut_cli_query *query)
{
    const char *reading = as_program ? "reading=program" : "reading=text";
    abut_cli_exit code = ABUT_CLI_DONE;
    if (abut_cli_has_option(query->method->row, reading) && !is_given(arguments, reading)) {
        code = abut_cli_query_add(reading, query);
    }
    const char *rest = abut_paper_options(query->method->row->name, as_program);
    while (*rest != '\0' && code == ABUT_CLI_DONE) {
        size_t length = strcspn(rest, " ");
        char *text = abut_cli_print("%.*s", (int)length, rest);
        if (!is_given(arguments, text)) {
            code = abut_cli_query_add(text, query);
        }
        free(text);
        rest += length + strspn(rest + length, " ");
    }
    return code;
}

void abut_cli_query_release(abut_cli_query *query)
{
    free(query->options);
    *query = (abut_cli_query){0};
}

abut_cli_exit abut_cli_query_check_options(const abut_cli_arguments *arguments, const abut_cli_methods *methods)
{
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        int is_known = 0;
        for (int i = 0; i < methods->count && !is_known; ++i) {
            is_known = abut_cli_has_option(methods->items[i].row, text);
        }
        if (!is_known) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --option '%s': none of the methods has this option; see abut methods",
                                 text);
        }
    }
    return ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_methods_check_motion(const abut_cli_methods *methods)
{
    for (int i = 0; i < methods->count; ++i) {
        if (methods->items[i].is_plugin) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "method %s: it is of a plug-in, runs in a child process and cannot simulate",
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

abut_status abut_cli_query_run(const abut_cli_query *query, const abut_pair *pair, abut_shape *a, abut_shape *b,
                               abut_workspace *workspace, abut_result *result)
{
    const abut_method *row = query->method->row;
    if (query->method->is_plugin) {
        return abut_find_contacts_isolated(pair, row, &query->params, query->seconds, workspace, result);
    }
    abut_status status = abut_shape_prepare(a, row, &query->params, &result->error);
    if (status == ABUT_OK) {
        status = abut_shape_prepare(b, row, &query->params, &result->error);
    }
    return status == ABUT_OK ? abut_find_contacts(pair, row, &query->params, workspace, result) : status;
}

abut_cli_exit abut_cli_query_exit(abut_status status)
{
    return status == ABUT_IO ? ABUT_CLI_UNFINISHED : abut_cli_exit_of(status);
}
