// SPDX-License-Identifier: MIT
// error.c: status texts, version, and filling abut_error
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

const char *abut_status_text(abut_status status)
{
    switch (status) {
    case ABUT_OK: return "ok";
    case ABUT_TRUNCATED: return "truncated";
    case ABUT_NO_MEMORY: return "out of memory";
    case ABUT_BAD_ARGUMENT: return "bad argument";
    case ABUT_BAD_DATA: return "bad data";
    case ABUT_IO: return "file error";
    case ABUT_UNSUPPORTED: return "unsupported";
    case ABUT_UNPREPARED: return "shape not prepared";
    case ABUT_OVERLAP: return "too much overlap";
    case ABUT_LIMIT: return "limit reached";
    case ABUT_METHOD_FAULT: return "faulty contact method";
    }
    return "unknown status";
}

const char *abut_version(void)
{
    return ABUT_VERSION;
}

static void fill(abut_error *error, abut_status status, int64_t element, const char *format, va_list arguments)
{
    if (error != NULL) {
        error->status = status;
        error->line = 0;
        error->element = element;
        (void)vsnprintf(error->text, sizeof error->text, format, arguments);
    }
}

abut_status abut_fail(abut_error *error, abut_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, -1, format, arguments);
    va_end(arguments);
    return status;
}

abut_status abut_fail_element(abut_error *error, abut_status status, int64_t element, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, element, format, arguments);
    va_end(arguments);
    return status;
}
