// SPDX-License-Identifier: MIT
// byte_helper.h: making binary files for tests, value by value, in either byte order
#ifndef ABUT_TEST_IO_BYTE_HELPER_H
#define ABUT_TEST_IO_BYTE_HELPER_H

#include "io_helper.h"

enum { BYTES_SIZE = 1 << 14 };

typedef struct bytes {
    unsigned char data[BYTES_SIZE];
    size_t size;
    int is_big;
} bytes;

static inline void put_text(bytes *to, const char *text)
{
    size_t length = strlen(text);
    assert_true(to->size + length <= BYTES_SIZE);
    memcpy(to->data + to->size, text, length);
    to->size += length;
}

static inline void put_whole(bytes *to, int64_t value, int size)
{
    assert_true(to->size + 8 <= BYTES_SIZE);
    for (int i = 0; i < size; ++i) {
        int place = to->is_big ? size - 1 - i : i;
        to->data[to->size++] = (unsigned char)((uint64_t)value >> (8 * place));
    }
}

static inline void put_double(bytes *to, double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(to, bits, 8);
}

static inline void put_float(bytes *to, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(to, bits, 4);
}

/// Parses a file that must be valid.
static inline abut_mesh *parse_made(const bytes *made, const char *name)
{
    abut_mesh *mesh = NULL;
    abut_error error = {.text = ""};
    CHECK(parse_bytes(made->data, made->size, name, &mesh, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(mesh);
    return mesh;
}

/// Checks that a file is rejected with this status and these words, see check_error().
static inline void check_made_refused(const bytes *made, const char *name, abut_status expected, const char *words)
{
    check_bytes_refused(made->data, made->size, name, expected, 0, words);
}

#endif
