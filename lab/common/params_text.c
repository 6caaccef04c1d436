// SPDX-License-Identifier: MIT
// params_text.c: the parameters of a method as text; different parameters give different texts
#include "common/params_text.h"

#include "common/lab_support.h"

#include <stdio.h>
#include <string.h>

/// Adds " name=number" to a text; 0 if it does not fit.
static int add_number(char *text, size_t room, const char *name, double value, const char *unit)
{
    char number[ABUT_LAB_NUMBER_ROOM];
    abut_lab_print_number(value, number);
    size_t used = strlen(text);
    int length = snprintf(text + used, room - used, "%s%s=%s%s", used > 0 ? " " : "", name, number, unit);
    return length >= 0 && (size_t)length < room - used;
}

static int add_length(char *text, size_t room, const char *name, abut_length value, abut_length usual)
{
    return (value.value == usual.value && value.is_relative == usual.is_relative) ||
           add_number(text, room, name, value.value, value.is_relative ? "r" : "");
}

/// The word of an option's value; NULL if the option has no words, or the value is none of them.
static const char *choice_of(const abut_method *method, const abut_option *option)
{
    for (int i = 0; i < method->option_count; ++i) {
        const abut_option_info *info = &method->options[i];
        for (int k = 0; strcmp(info->name, option->name) == 0 && info->choices != NULL && info->choices[k] != NULL;
             ++k) {
            if (option->value == k) {
                return info->choices[k];
            }
        }
    }
    return NULL;
}

static int add_option(char *text, size_t room, const abut_method *method, const abut_option *option)
{
    const char *choice = choice_of(method, option);
    if (choice == NULL) {
        return add_number(text, room, option->name, option->value, "");
    }
    size_t used = strlen(text);
    int length = snprintf(text + used, room - used, "%s%s=%s", used > 0 ? " " : "", option->name, choice);
    return length >= 0 && (size_t)length < room - used;
}

static int add_flags(char *text, size_t room, uint32_t flags, uint32_t usual)
{
    if (flags == (usual | ABUT_PARAMS_KEEP_REDUNDANT) && flags != usual) {
        size_t used = strlen(text);
        int length = snprintf(text + used, room - used, "%sraw", used > 0 ? " " : "");
        return length >= 0 && (size_t)length < room - used;
    }
    return flags == usual || add_number(text, room, "flags", flags, "");
}

int abut_lab_print_params(const abut_method *method, const abut_params *params, char *text, size_t room)
{
    const abut_params usual = abut_params_default();
    text[0] = '\0';
    int fits = add_length(text, room, "tolerance", params->tolerance, usual.tolerance) &&
               add_length(text, room, "envelope", params->envelope, usual.envelope) &&
               add_length(text, room, "merge", params->merge, usual.merge);
    fits = fits && (params->angle == usual.angle || add_number(text, room, "angle", params->angle, ""));
    fits = fits && add_flags(text, room, params->flags, usual.flags);
    for (int i = 0; i < params->option_count && fits; ++i) {
        fits = add_option(text, room, method, &params->options[i]);
    }
    if (text[0] == '\0') {
        (void)snprintf(text, room, "defaults");
    }
    return fits;
}
