// SPDX-License-Identifier: MIT
// query_options.c: parameters of a query from options
#include "shared/query_options.h"

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
static const char *const SHORT_FORMS[] = {"normals", "points", "theta"};

/// Adds a method option, NAME=VALUE, that was given as `name` with the value `given`.
static abut_cli_exit add_given(const char *text, const char *name, const char *given, abut_cli_query *query)
{
    const abut_method *row = query->method->row;
    abut_error error = {0};
    query->options =
        abut_cli_resize(query->options, (size_t)query->params.option_count + 1, sizeof *query->options);
    query->params.options = query->options;
    abut_status status = abut_option_parse(row, text, &query->options[query->params.option_count], &error);
    if (status != ABUT_OK) {
        return abut_cli_fail(abut_cli_exit_of(status), "option --%s '%s': %s", name, given,
                             abut_cli_message(status, &error));
    }
    ++query->params.option_count;
    return ABUT_CLI_DONE;
}

abut_cli_exit abut_cli_query_add(const char *text, abut_cli_query *query)
{
    return add_given(text, "option", text, query);
}

static abut_cli_exit options_of(const abut_cli_arguments *arguments, int skips_unknown, abut_cli_query *query)
{
    const abut_method *row = query->method->row;
    abut_cli_exit code = ABUT_CLI_DONE;
    int position = 0;
    const char *text;
    while (code == ABUT_CLI_DONE && (text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        code = skips_unknown && !abut_cli_has_option(row, text) ? code : abut_cli_query_add(text, query);
    }
    for (size_t i = 0; code == ABUT_CLI_DONE && i < sizeof SHORT_FORMS / sizeof SHORT_FORMS[0]; ++i) {
        const char *value = abut_cli_value_of(arguments, SHORT_FORMS[i]);
        if (value != NULL && !(skips_unknown && !abut_cli_has_option(row, SHORT_FORMS[i]))) {
            char *whole = abut_cli_print("%s=%s", SHORT_FORMS[i], value);
            code = add_given(whole, SHORT_FORMS[i], value, query);
            free(whole);
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

abut_cli_exit abut_cli_query_add_paper(const abut_cli_arguments *arguments, abut_paper_reading reading,
                                       int is_eroded, abut_cli_query *query)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    const char *rest = abut_paper_options(query->method->row->name, reading, is_eroded);
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

/// Whether one of the methods has the option NAME; the text is NAME or NAME=VALUE.
static int is_known(const abut_cli_methods *methods, const char *text)
{
    for (int i = 0; i < methods->count; ++i) {
        if (abut_cli_has_option(methods->items[i].row, text)) {
            return 1;
        }
    }
    return 0;
}

abut_cli_exit abut_cli_query_check_options(const abut_cli_arguments *arguments, const abut_cli_methods *methods)
{
    int position = 0;
    const char *text;
    while ((text = abut_cli_next_value(arguments, "option", &position)) != NULL) {
        if (!is_known(methods, text)) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --option '%s': none of the methods has this option; see abut methods",
                                 text);
        }
    }
    for (size_t i = 0; i < sizeof SHORT_FORMS / sizeof SHORT_FORMS[0]; ++i) {
        text = abut_cli_value_of(arguments, SHORT_FORMS[i]);
        if (text != NULL && !is_known(methods, SHORT_FORMS[i])) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --%s '%s': none of the methods has this option; see abut methods",
                                 SHORT_FORMS[i], text);
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

abut_cli_exit abut_cli_query_exit(abut_status status)
{
    return status == ABUT_IO ? ABUT_CLI_UNFINISHED : abut_cli_exit_of(status);
}
