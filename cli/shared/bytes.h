// SPDX-License-Identifier: MIT
// bytes.h: numbers as bytes in little-endian order
#ifndef ABUT_CLI_BYTES_H
#define ABUT_CLI_BYTES_H

#include "shared/command.h"

#include <abut/math.h>
#include <string.h>

/// Bytes that grow. Release `data` with free().
typedef struct abut_cli_bytes {
    unsigned char *data;
    size_t size, capacity;
} abut_cli_bytes;

/// Room for `size` more bytes.
static inline unsigned char *abut_cli_bytes_room(abut_cli_bytes *bytes, size_t size)
{
    if (bytes->capacity - bytes->size < size) {
        bytes->capacity = 2 * bytes->capacity > bytes->size + size ? 2 * bytes->capacity : bytes->size + size;
        bytes->data = abut_cli_resize(bytes->data, bytes->capacity, 1);
    }
    unsigned char *room = bytes->data + bytes->size;
    bytes->size += size;
    return room;
}

static inline void abut_cli_put_bits(abut_cli_bytes *bytes, uint64_t bits, int size)
{
    unsigned char *room = abut_cli_bytes_room(bytes, (size_t)size);
    for (int i = 0; i < size; ++i) {
        room[i] = (unsigned char)(bits >> (8 * i));
    }
}

static inline void abut_cli_put_int(abut_cli_bytes *bytes, int64_t value)
{
    abut_cli_put_bits(bytes, (uint32_t)value, 4);
}

static inline void abut_cli_put_real(abut_cli_bytes *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    abut_cli_put_bits(bytes, bits, 8);
}

static inline void abut_cli_put_float(abut_cli_bytes *bytes, double value)
{
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    abut_cli_put_bits(bytes, bits, 4);
}

static inline void abut_cli_put_vec3(abut_cli_bytes *bytes, abut_vec3 v)
{
    abut_cli_put_real(bytes, v.x);
    abut_cli_put_real(bytes, v.y);
    abut_cli_put_real(bytes, v.z);
}

#endif
