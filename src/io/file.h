// SPDX-License-Identifier: MIT
// file.h: whole files in memory, files that appear all at once, and messages that name them
#ifndef ABUT_IO_FILE_H
#define ABUT_IO_FILE_H

#include <abut/base.h>
#include <stdio.h>

/// A file to be parsed. The data belongs to `context`, or to the caller if `is_borrowed`.
typedef struct abut_file {
    abut_context context;
    const char *name; ///< as the user gave it
    const char *data;
    size_t size;
    int is_borrowed;
    int is_lenient;    ///< numbers that are not finite and indices out of range are handed on, not refused
    abut_error *error; ///< where messages go; may be NULL
} abut_file;

/// Reads a regular file. The name is kept, not copied. On failure there is nothing to release.
abut_status abut_file_load(abut_file *file, const abut_context *context, const char *name, abut_error *error);
void abut_file_release(abut_file *file);

/// Whether `file->name` can be loaded as far as its entry in the folder tells: ABUT_OK, or why not.
abut_status abut_file_probe(const abut_file *file);

/// Whether there is nothing of this name.
int abut_file_is_missing(const char *name);

/// Fills the file's error with "name:line: message", or "name: message" if `line` is 0. A long name loses its
/// beginning. Returns `status`.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
abut_status
abut_file_fail(const abut_file *file, abut_status status, int64_t line, const char *format, ...);

/// Fills the error of a file without lines, with the index of the wrong element.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
abut_status
abut_file_fail_element(const abut_file *file, abut_status status, int64_t element, const char *format, ...);

/// For ABUT_NO_MEMORY and ABUT_LIMIT, which arrays that grow return; `what` is in the plural.
abut_status abut_file_fail_growth(const abut_file *file, abut_status status, int64_t line, const char *what);

/// The longest path that can be written, with its final zero.
enum { ABUT_PATH_SIZE = 4096 };

/// A file that is written under a temporary name beside its own, so that no partial file ever has its name.
typedef struct abut_output {
    FILE *stream;
    char path[ABUT_PATH_SIZE];
    char target[ABUT_PATH_SIZE];         ///< where a link of this name leads, otherwise the same
    char temporary[ABUT_PATH_SIZE + 16]; ///< empty if there is no file yet
    abut_error *error;
} abut_output;

/// Write to `stream` after this. On failure there is nothing to discard.
abut_status abut_output_open(abut_output *output, const char *path, abut_error *error);
/// Ends writing: any write that failed before is found here. On failure the temporary file is gone.
abut_status abut_output_close(abut_output *output);
/// Gives a closed file its name. On failure the temporary file is gone.
abut_status abut_output_publish(abut_output *output);
/// Removes the temporary file, open or closed.
void abut_output_discard(abut_output *output);

#endif
