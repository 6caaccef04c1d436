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

typedef union object_head {
    abut_context context;
    max_align_t alignment;
} object_head;

void *abut_lab_object_create(const abut_context *context, size_t size)
{
    object_head *head = abut_allocate_zeroed(context, 1, sizeof *head + size);
    if (head == NULL) {
        return NULL;
    }
    head->context = *context;
    return head + 1;
}

const abut_context *abut_lab_object_context(const void *object)
{
    return &((const object_head *)object - 1)->context;
}

void abut_lab_object_destroy(void *object)
{
    if (object != NULL) {
        object_head *head = (object_head *)object - 1;
        abut_context context = head->context;
        abut_free(&context, head);
    }
}

/// Sets the C locale for this thread. `kept` is for leave_c_locale().
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

void abut_lab_print_shortest(double value, char text[ABUT_LAB_NUMBER_ROOM])
{
    locale_t kept, c = enter_c_locale(&kept);
    int digits = 15; // any decimal number of 15 digits survives the conversion to double and back
    do {
        (void)snprintf(text, ABUT_LAB_NUMBER_ROOM, "%.*g", digits, value);
    } while (digits++ < 17 && strtod(text, NULL) != value);
    leave_c_locale(c, kept);
}
