// SPDX-License-Identifier: MIT
// fuzz.h: what every fuzz target declares and checks
#ifndef ABUT_TEST_FUZZ_H
#define ABUT_TEST_FUZZ_H

#include <abut/io.h>
#include <stdlib.h>
#include <string.h>

/// Runs one input. libFuzzer or driver.c calls it.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// Aborts unless the answer is a mesh, or an error with a message of one line.
static inline void check_answer(abut_status status, const abut_mesh *mesh, const abut_error *error)
{
    size_t length = strlen(error->text);
    int holds = status == ABUT_OK
                    ? mesh != NULL
                    : mesh == NULL && error->status == status && length > 0 && strpbrk(error->text, "\r\n") == NULL;
    if (!holds) {
        abort();
    }
}

/// Parses the input as a file of this format.
static inline void fuzz_format(const uint8_t *data, size_t size, abut_format format)
{
    const abut_buffer file = {data, size, "fuzz"};
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    abut_status status = abut_mesh_parse(NULL, &file, format, &mesh, &error);
    check_answer(status, mesh, &error);
    abut_mesh_destroy(mesh);
}

/// The next line of the input without its end, to be freed; NULL at the end of the input.
static inline char *next_line(const uint8_t **rest, size_t *left)
{
    if (*left == 0) {
        return NULL;
    }
    const uint8_t *end = memchr(*rest, '\n', *left);
    size_t length = end != NULL ? (size_t)(end - *rest) : *left;
    char *line = malloc(length + 1);
    if (line == NULL) {
        return NULL;
    }
    memcpy(line, *rest, length);
    line[length] = '\0';
    length += end != NULL;
    *rest += length;
    *left -= length;
    return line;
}

#endif
