// SPDX-License-Identifier: MIT
// file.h: reading whole files, writing files atomically, and error messages that name the file
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
    int is_lenient;    ///< accept numbers that are not finite and indices out of range; a check reports them later
    abut_error *error; ///< where messages go; may be NULL
} abut_file;

/// Reads a regular file. The name is kept, not copied. On failure there is nothing to release.
abut_status abut_file_load(abut_file *file, const abut_context *context, const char *name, abut_error *error);
void abut_file_release(abut_file *file);

/// Checks without opening it whether `file->name` exists, is a regular file, and has a supported size.
abut_status abut_file_probe(const abut_file *file);

/// Whether no file or folder has this name.
int abut_file_is_missing(const char *name);

/// Fills the file's error with "name:line: message", or with "name: message" if `line` is 0. The beginning of a long
/// name is cut off. Returns `status`.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
abut_status
abut_file_fail(const abut_file *file, abut_status status, int64_t line, const char *format, ...);

/// Fills the file's error with "name: message" and the index of the wrong element. For files without lines.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
abut_status
abut_file_fail_element(const abut_file *file, abut_status status, int64_t element, const char *format, ...);

/// Reports that an array could not grow (ABUT_NO_MEMORY or ABUT_LIMIT). `what` names its items in the plural.
abut_status abut_file_fail_growth(const abut_file *file, abut_status status, int64_t line, const char *what);

/// Size of the longest path that can be written, including the final zero.
enum { ABUT_PATH_SIZE = 4096 };

/// A file that is written under a temporary name in the same folder and renamed when complete, so no partial file
/// ever has the final name.
typedef struct abut_output {
    FILE *stream;
    char path[ABUT_PATH_SIZE];
    char target[ABUT_PATH_SIZE];         ///< the target, if `path` is a symbolic link; otherwise `path`
    char temporary[ABUT_PATH_SIZE + 16]; ///< empty if there is no file yet
    abut_error *error;
} abut_output;

/// Opens the temporary file; write to `stream` then. On failure there is nothing to discard.
abut_status abut_output_open(abut_output *output, const char *path, abut_error *error);
/// Closes the temporary file and reports failed writes. On failure the temporary file is removed.
abut_status abut_output_close(abut_output *output);
/// Renames a closed file to its final name. On failure the temporary file is removed.
abut_status abut_output_publish(abut_output *output);
/// Removes the temporary file, open or closed.
void abut_output_discard(abut_output *output);

#endif
