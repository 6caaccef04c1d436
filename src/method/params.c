// SPDX-License-Identifier: MIT
// params.c: defaults, checks, and the options of methods
#include "method/params.h"

#include "base/error.h"
#include "base/memory.h"
#include "io/number.h"

#include <stdio.h>
#include <string.h>

const char *const abut_reading_choices[] = {"text", "program", NULL};
const char *const abut_precision_choices[] = {"double", "single", NULL};
const char *const abut_no_yes_choices[] = {"no", "yes", NULL};
const char *const abut_normals_choices[] = {"all", "spanning", NULL};
const char *const abut_points_choices[] = {"corners", "spanning", NULL};

void abut_params_init(abut_params *params, size_t size)
{
    const abut_params made = {.struct_size = sizeof made,
                              .tolerance = abut_relative(1e-6),
                              .envelope = abut_absolute(0.0),
                              .merge = abut_relative(1e-6),
                              .angle = 1e-6};
    abut_write_versioned(params, size, &made, sizeof made);
}

double abut_length_resolve(abut_length length, double size)
{
    return length.is_relative ? length.value * size : length.value;
}

/// The option whose name is this very string, or -1. Most names come from the method's table.
static int find_own_option(const abut_method *method, const char *name)
{
    for (int i = 0; i < method->option_count; ++i) {
        if (method->options[i].name == name) {
            return i;
        }
    }
    return -1;
}

static int find_option(const abut_method *method, const char *name, size_t name_length)
{
    for (int i = 0; i < method->option_count; ++i) {
        const char *known = method->options[i].name;
        if (strlen(known) == name_length && strncmp(known, name, name_length) == 0) {
            return i;
        }
    }
    return -1;
}

static int find_named_option(const abut_method *method, const char *name)
{
    int own = find_own_option(method, name);
    return own >= 0 ? own : find_option(method, name, strlen(name));
}

static int choice_count(const abut_option_info *info)
{
    int count = 0;
    while (info->choices[count] != NULL) {
        ++count;
    }
    return count;
}

/// The names of all options, or of all choices of one, as "a, b, c".
static void list_names(const abut_method *method, const abut_option_info *info, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    int count = info != NULL ? choice_count(info) : method->option_count;
    for (int i = 0; i < count && used < size; ++i) {
        const char *name = info != NULL ? info->choices[i] : method->options[i].name;
        int written = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
        used += written > 0 ? (size_t)written : 0;
    }
}

static abut_status unknown_option(const abut_method *method, const char *name, int length, abut_error *error)
{
    char names[160];
    list_names(method, NULL, names, sizeof names);
    if (method->option_count == 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "method %s has no option '%.*s': it has no options",
                         method->name, length, name);
    }
    return abut_fail(error, ABUT_BAD_ARGUMENT, "method %s has no option '%.*s'; its options are: %s", method->name,
                     length, name, names);
}

static abut_status check_option(const abut_method *method, const abut_option *option, abut_error *error)
{
    if (option->name == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "an option for method %s has no name", method->name);
    }
    int index = find_named_option(method, option->name);
    if (index < 0) {
        return unknown_option(method, option->name, (int)strlen(option->name), error);
    }
    const abut_option_info *info = &method->options[index];
    if (info->choices != NULL) {
        int choice = option->value >= 0.0 && option->value < choice_count(info) ? (int)option->value : -1;
        if (choice < 0 || option->value != choice) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "option %s has no choice number %g", info->name,
                             option->value);
        }
    } else if (!(option->value >= info->lower && option->value <= info->upper)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "option %s is %g, but must be between %g and %g", info->name,
                         option->value, info->lower, info->upper);
    }
    return ABUT_OK;
}

static abut_status check_length(abut_length length, const char *name, abut_error *error)
{
    if (!(length.value >= 0.0) || !isfinite(length.value)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "parameter %s is %g, but must be a length of zero or more", name,
                         length.value);
    }
    return ABUT_OK;
}

abut_status abut_params_read(const abut_params *in, const abut_method *method, abut_params *out, abut_error *error)
{
    *out = abut_params_default();
    if (method == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the method is NULL: abut_method_find() knows no method of that name");
    }
    if (in != NULL && !abut_read_versioned(out, sizeof *out, in)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the parameters have a wrong struct_size: start from abut_params_default()");
    }
    abut_status status = check_length(out->tolerance, "tolerance", error);
    if (status == ABUT_OK) {
        status = check_length(out->envelope, "envelope", error);
    }
    if (status == ABUT_OK) {
        status = check_length(out->merge, "merge", error);
    }
    if (status == ABUT_OK && !(out->angle >= 0.0 && out->angle < 1.0)) {
        status = abut_fail(error, ABUT_BAD_ARGUMENT, "parameter angle is %g, but must be between 0 and 1 radian",
                           out->angle);
    }
    if (status == ABUT_OK && (out->option_count < 0 || (out->option_count > 0 && out->options == NULL))) {
        status = abut_fail(error, ABUT_BAD_ARGUMENT, "the parameters have option_count %d, but options is NULL",
                           out->option_count);
    }
    for (int i = 0; status == ABUT_OK && i < out->option_count; ++i) {
        status = check_option(method, &out->options[i], error);
    }
    return status;
}

abut_option *abut_params_copy_options(const abut_params *params, const abut_method *method,
                                      const abut_option *first, const abut_context *context)
{
    int begin = first != NULL;
    abut_option *copy = abut_allocate(context, (size_t)(params->option_count + begin), sizeof *copy);
    if (copy != NULL && first != NULL) {
        copy[0] = *first;
    }
    for (int i = 0; i < params->option_count && copy != NULL; ++i) {
        const abut_option *option = &params->options[i];
        int index = find_named_option(method, option->name);
        ABUT_ASSERT(index >= 0);
        copy[begin + i] = (abut_option){method->options[index].name, option->value};
    }
    return copy;
}

double abut_params_option(const abut_params *params, const abut_method *method, int index)
{
    // as on a command line, the last one wins
    for (int i = params->option_count - 1; i >= 0; --i) {
        const char *name = params->options[i].name, *known = method->options[index].name;
        if (name == known || strcmp(name, known) == 0) {
            return params->options[i].value;
        }
    }
    return method->options[index].value;
}

double abut_query_option(const abut_query *query, const char *name)
{
    int index = find_named_option(query->method, name);
    ABUT_ASSERT(index >= 0);
    return index >= 0 ? abut_params_option(query->params, query->method, index) : 0.0;
}

abut_status abut_option_parse(const abut_method *method, const char *text, abut_option *option, abut_error *error)
{
    ABUT_ASSERT(method != NULL && text != NULL && option != NULL);
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "'%.100s' is not of the form NAME=VALUE", text);
    }
    int index = find_option(method, text, (size_t)(equals - text));
    if (index < 0) {
        return unknown_option(method, text, (int)(equals - text > 100 ? 100 : equals - text), error);
    }
    const abut_option_info *info = &method->options[index];
    option->name = info->name;
    if (info->choices != NULL) {
        for (int i = 0; info->choices[i] != NULL; ++i) {
            if (strcmp(info->choices[i], equals + 1) == 0) {
                option->value = i;
                return ABUT_OK;
            }
        }
        char names[160];
        list_names(method, info, names, sizeof names);
        return abut_fail(error, ABUT_BAD_ARGUMENT, "%s must be one of: %s", info->name, names);
    }
    const char *number = equals + 1;
    if (abut_number_parse(number, number + strlen(number), &option->value) != ABUT_NUMBER_OK) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "%s needs a number, but is '%.100s'", info->name, number);
    }
    return check_option(method, option, error);
}
