// SPDX-License-Identifier: MIT
// error.c: texts of statuses and system errors, version, and filling abut_error
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

const char *abut_errno_text(int number)
{
    switch (number) {
    case ENOENT: return "no such file or folder";
    case EACCES:
    case EPERM: return "permission denied";
    case ENOTDIR: return "a part of its path is not a folder";
    case EISDIR: return "it is a folder";
    case ENAMETOOLONG: return "its name is too long";
    case EMFILE:
    case ENFILE: return "too many open files";
    case ENOSPC: return "no space left on the device";
    case EFBIG: return "the file would exceed the size limit";
    case EROFS: return "the file system is read-only";
    case EIO: return "input or output error";
    default: return strerror(number);
    }
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
