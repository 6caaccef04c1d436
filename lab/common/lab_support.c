// SPDX-License-Identifier: MIT
// lab_support.c: contexts and numbers for the laboratory
#define _POSIX_C_SOURCE 200809L
#include "common/lab_support.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

abut_context abut_lab_serial_context(void)
{
    abut_context context = abut_context_default();
    context.worker_count = 1;
    return context;
}

/// The C locale for this thread; `kept` is for leave_c_locale().
static locale_t enter_c_locale(locale_t *kept)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *kept = uselocale(c); // if that failed, the locale stays as it is
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
