// SPDX-License-Identifier: MIT
// lab_support.c: errors and memory for the laboratory
#define _POSIX_C_SOURCE 200809L
#include "common/lab_support.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

abut_status abut_lab_fail(abut_error *error, abut_status status, const char *format, ...)
{
    if (error != NULL) {
        error->status = status;
        error->line = 0;
        error->element = -1;
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return status;
}

abut_context abut_lab_context(const abut_context *context)
{
    abut_context made = abut_context_default();
    if (context != NULL) {
        (void)abut_lab_read_versioned(&made, sizeof made, context);
    }
    return made;
}

abut_context abut_lab_serial_context(void)
{
    abut_context context = abut_context_default();
    context.worker_count = 1;
    return context;
}

int abut_lab_read_versioned(void *out, size_t out_size, const void *in)
{
    size_t in_size;
    memcpy(&in_size, in, sizeof in_size);
    if (in_size < sizeof in_size || in_size > out_size) {
        return 0;
    }
    memcpy(out, in, in_size);
    memcpy(out, &out_size, sizeof out_size);
    return 1;
}

void *abut_lab_allocate(const abut_context *context, size_t count, size_t item_size)
{
    if (count > SIZE_MAX / item_size) {
        return NULL;
    }
    size_t size = count > 0 ? count * item_size : item_size;
    void *block = context->resize(context->user, NULL, size);
    return block != NULL ? memset(block, 0, size) : NULL;
}

void abut_lab_free(const abut_context *context, void *block)
{
    if (block != NULL) {
        (void)context->resize(context->user, block, 0);
    }
}

/// The C locale for this thread; `kept` is for leave_c_locale().
static locale_t enter_c_locale(locale_t *kept)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *kept = uselocale(c); // where there is none, the locale stays
    return c;
}

static void leave_c_locale(locale_t c, locale_t kept)
{
    (void)uselocale(kept);
    if (c != (locale_t)0) {
        freelocale(c);
    }
}

double abut_lab_read_number(const char *text, char **end)
{
    locale_t kept, c = enter_c_locale(&kept);
    double value = strtod(text, end);
    leave_c_locale(c, kept);
    return value;
}

void abut_lab_print_number(double value, char text[ABUT_LAB_NUMBER_ROOM])
{
    locale_t kept, c = enter_c_locale(&kept);
    (void)snprintf(text, ABUT_LAB_NUMBER_ROOM, "%.17g", value);
    leave_c_locale(c, kept);
}

void abut_lab_print_shortest(double value, char text[ABUT_LAB_NUMBER_ROOM])
{
    locale_t kept, c = enter_c_locale(&kept);
    int digits = 15; // any decimal number of 15 digits survives the way to double and back
    do {
        (void)snprintf(text, ABUT_LAB_NUMBER_ROOM, "%.*g", digits, value);
    } while (digits++ < 17 && strtod(text, NULL) != value);
    leave_c_locale(c, kept);
}
