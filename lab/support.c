// SPDX-License-Identifier: MIT
// support.c: errors and memory for the laboratory
#include "support.h"

#include <stdarg.h>
#include <stdio.h>
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
    return context != NULL ? *context : abut_context_default();
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
