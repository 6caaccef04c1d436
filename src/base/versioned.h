// SPDX-License-Identifier: MIT
// versioned.h: reading the caller's structs, which may be of an older version of the library
#ifndef ABUT_BASE_VERSIONED_H
#define ABUT_BASE_VERSIONED_H

#include <abut/base.h>
#include <string.h>

/// Copies the caller's struct over `out`, which holds the defaults; fields that the caller's version does not have keep
/// them. Both begin with `size_t struct_size`, which becomes `out_size`. Returns 0 if the caller's size makes no sense:
/// zero (not made by the ..._default() function) or larger than this library knows.
static inline int abut_read_versioned(void *out, size_t out_size, const void *in)
{
    size_t in_size;
    memcpy(&in_size, in, sizeof in_size);
    if (in_size < sizeof in_size || in_size > out_size) {
        return 0;
    }
    memcpy(out, in, in_size);
    memcpy(out, &out_size, sizeof out_size);
    return 1;
}

/// Writes the defaults `in` to the caller's struct, which may be of another version: as many bytes as both have, and zero
/// for the rest. Its `struct_size` becomes `out_size`, what the caller knows.
static inline void abut_write_versioned(void *out, size_t out_size, const void *in, size_t in_size)
{
    memset(out, 0, out_size);
    memcpy(out, in, out_size < in_size ? out_size : in_size);
    memcpy(out, &out_size, sizeof out_size);
}

#endif
