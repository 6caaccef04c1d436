// SPDX-License-Identifier: MIT
// file.c: reading whole files, writing files atomically, and error messages that name the file
#define _XOPEN_SOURCE 700 // stat, fileno, realpath

#include "io/file.h"

#include "base/context.h"
#include "base/memory.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// 16 GiB: a text file of that size can have 2^31 vertices ("v 0 0 0" and a line end take 8 bytes), too many for int.
static const int64_t largest_size = (int64_t)1 << 34;

// A message shows at most this many bytes of a name, so that the text after it fits into abut_error.
enum { SHOWN_NAME = 96 };

static abut_status fail(abut_error *error, abut_status status, const char *name, int64_t line, int64_t element,
                        const char *format, va_list arguments)
{
    if (error == NULL) {
        return status;
    }
    size_t length = strlen(name);
    int is_long = length > SHOWN_NAME;
    const char *shown = is_long ? name + (length - SHOWN_NAME + 3) : name;
    char place[32] = "";
    if (line > 0) {
        (void)snprintf(place, sizeof place, ":%lld", (long long)line);
    }
    error->status = status;
    error->line = line;
    error->element = element;
    int used = snprintf(error->text, sizeof error->text, "%s%s%s: ", is_long ? "..." : "", shown, place);
    (void)vsnprintf(error->text + used, sizeof error->text - (size_t)used, format, arguments);
    return status;
}

abut_status abut_file_fail(const abut_file *file, abut_status status, int64_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fail(file->error, status, file->name, line, -1, format, arguments);
    va_end(arguments);
    return status;
}

abut_status abut_file_fail_element(const abut_file *file, abut_status status, int64_t element, const char *format,
                                   ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fail(file->error, status, file->name, 0, element, format, arguments);
    va_end(arguments);
    return status;
}

abut_status abut_file_fail_growth(const abut_file *file, abut_status status, int64_t line, const char *what)
{
    if (status == ABUT_LIMIT) {
        return abut_file_fail(file, status, line, "too many %s: the limit is 2147483647", what);
    }
    return abut_file_fail(file, status, 0, "out of memory");
}

// Only regular files are opened: a pipe or device could block or never end.
static abut_status check_kind(const abut_file *file, const struct stat *info)
{
    if (S_ISDIR(info->st_mode)) {
        return abut_file_fail(file, ABUT_IO, 0, "this is a folder, not a file");
    }
    if (!S_ISREG(info->st_mode)) {
        return abut_file_fail(file, ABUT_IO, 0, "this is not a regular file");
    }
    if (info->st_size > largest_size) {
        return abut_file_fail(file, ABUT_LIMIT, 0, "the file is larger than 16 GiB");
    }
    if (info->st_size == 0) {
        return abut_file_fail(file, ABUT_BAD_DATA, 0, "the file is empty");
    }
    return ABUT_OK;
}

static abut_status load_stream(abut_file *file, FILE *stream)
{
    struct stat info;
    if (fstat(fileno(stream), &info) != 0) {
        return abut_file_fail(file, ABUT_IO, 0, "cannot be read: %s", abut_errno_text(errno));
    }
    abut_status status = check_kind(file, &info);
    if (status != ABUT_OK) {
        return status;
    }
    size_t size = (size_t)info.st_size;
    char *data = abut_allocate(&file->context, size, 1);
    if (data == NULL) {
        return abut_file_fail_growth(file, ABUT_NO_MEMORY, 0, "bytes");
    }
    (void)setvbuf(stream, NULL, _IONBF, 0); // one large read, without a copy
    if (fread(data, 1, size, stream) != size) {
        abut_free(&file->context, data);
        return abut_file_fail(file, ABUT_IO, 0, "cannot be read: %s",
                              ferror(stream) ? abut_errno_text(errno) : "it became shorter while it was read");
    }
    file->data = data;
    file->size = size;
    return ABUT_OK;
}

abut_status abut_file_probe(const abut_file *file)
{
    struct stat info;
    if (stat(file->name, &info) != 0) {
        return abut_file_fail(file, ABUT_IO, 0, "cannot be read: %s", abut_errno_text(errno));
    }
    return check_kind(file, &info);
}

abut_status abut_file_load(abut_file *file, const abut_context *context, const char *name, abut_error *error)
{
    memset(file, 0, sizeof *file);
    file->context = *context;
    file->name = name;
    file->error = error;
    abut_status status = abut_file_probe(file);
    if (status != ABUT_OK) {
        return status;
    }
    FILE *stream = fopen(name, "rb");
    if (stream == NULL) {
        return abut_file_fail(file, ABUT_IO, 0, "cannot be read: %s", abut_errno_text(errno));
    }
    status = load_stream(file, stream);
    (void)fclose(stream);
    return status;
}

void abut_file_release(abut_file *file)
{
    if (!file->is_borrowed) {
        abut_free(&file->context, (void *)file->data);
    }
    file->data = NULL;
}

int abut_file_is_missing(const char *name)
{
    struct stat info;
    return stat(name, &info) != 0 && errno == ENOENT;
}

static abut_status fail_output(abut_output *output, abut_status status, const char *why)
{
    abut_output_discard(output);
    const abut_file file = {.name = output->path, .error = output->error};
    return abut_file_fail(&file, status, 0, "cannot be written: %s", why);
}

/// Makes the target of a symbolic link the file to write. Returns 0 if it has none.
static int follow_link(abut_output *output)
{
    char target[PATH_MAX];
    if (realpath(output->path, target) == NULL || strlen(target) >= sizeof output->target) {
        return 0;
    }
    memcpy(output->target, target, strlen(target) + 1);
    return 1;
}

abut_status abut_output_open(abut_output *output, const char *path, abut_error *error)
{
    memset(output, 0, sizeof *output);
    output->error = error;
    if (strlen(path) >= sizeof output->path) {
        const abut_file file = {.name = path, .error = error};
        return abut_file_fail(&file, ABUT_IO, 0, "cannot be written: the name is too long");
    }
    memcpy(output->path, path, strlen(path) + 1);
    memcpy(output->target, path, strlen(path) + 1);
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return fail_output(output, ABUT_IO, S_ISDIR(info.st_mode) ? "it is a folder" : "it is not a regular file");
    }
    if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && !follow_link(output)) {
        return fail_output(output, ABUT_IO, "it is a symbolic link whose target does not exist");
    }
    for (int attempt = 0; attempt < 100 && output->stream == NULL; ++attempt) {
        (void)snprintf(output->temporary, sizeof output->temporary, "%s.part%d", output->target, attempt);
        output->stream = fopen(output->temporary, "wbx"); // x: fails if the file exists
        if (output->stream == NULL && errno != EEXIST) {
            break;
        }
    }
    if (output->stream == NULL) {
        output->temporary[0] = '\0';
        return fail_output(output, ABUT_IO,
                           errno == EEXIST
                               ? "there are too many unfinished files (.part0 to .part99) beside it; remove them"
                               : abut_errno_text(errno));
    }
    return ABUT_OK;
}

abut_status abut_output_close(abut_output *output)
{
    int failed = fflush(output->stream) != 0 || ferror(output->stream);
    int code = errno;
    failed |= fclose(output->stream) != 0;
    output->stream = NULL;
    return failed ? fail_output(output, ABUT_IO, abut_errno_text(code)) : ABUT_OK;
}

abut_status abut_output_publish(abut_output *output)
{
    if (rename(output->temporary, output->target) != 0) {
        return fail_output(output, ABUT_IO, abut_errno_text(errno));
    }
    output->temporary[0] = '\0';
    return ABUT_OK;
}

void abut_output_discard(abut_output *output)
{
    if (output->stream != NULL) {
        (void)fclose(output->stream);
        output->stream = NULL;
    }
    if (output->temporary[0] != '\0') {
        (void)remove(output->temporary);
        output->temporary[0] = '\0';
    }
}
