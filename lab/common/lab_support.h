// SPDX-License-Identifier: MIT
// lab_support.h: contexts and numbers for the laboratory
#ifndef ABUT_LAB_SUPPORT_H
#define ABUT_LAB_SUPPORT_H

#include <abut/support.h>

enum { ABUT_LAB_NUMBER_ROOM = 32 };

#define ABUT_LAB_PI 3.14159265358979323846

/// The default context without threads. After fork() the child has only the calling thread.
abut_context abut_lab_serial_context(void);

/// A zeroed object of a public struct, with a copy of the context hidden in front of it; NULL if memory ran out.
void *abut_lab_object_create(const abut_context *context, size_t size);
const abut_context *abut_lab_object_context(const void *object);
void abut_lab_object_destroy(void *object); ///< takes NULL

/// strtod() and "%.17g" in the C locale, whatever locale the program has set.
double abut_lab_read_number(const char *text, char **end);
void abut_lab_print_number(double value, char text[ABUT_LAB_NUMBER_ROOM]);
/// Like abut_lab_print_number(), with as few digits (15 to 17) as read back to `value`.
void abut_lab_print_shortest(double value, char text[ABUT_LAB_NUMBER_ROOM]);

#endif
