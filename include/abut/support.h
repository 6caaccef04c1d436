// SPDX-License-Identifier: MIT
/// @file support.h
/// Helpers of the library itself, for code that is written in its style: plug-ins with contact methods and programs
/// that offer functions with a context, settings structs and errors.
#ifndef ABUT_SUPPORT_H
#define ABUT_SUPPORT_H

#include <abut/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Lets GCC and Clang compare the arguments of a function with its format string, as for printf().
#if defined(__GNUC__)
#define ABUT_PRINTF(format_index, first_argument) __attribute__((format(printf, format_index, first_argument)))
#else
#define ABUT_PRINTF(format_index, first_argument)
#endif

/// Fills `error`, which may be NULL, with one line of text.
/// @return `status`, for `return abut_fail(...)`
ABUT_API abut_status abut_fail(abut_error *error, abut_status status, const char *format, ...) ABUT_PRINTF(3, 4);

/// Fills `error`, which may be NULL, with one line of text and the index of the element that is wrong.
/// @return `status`
ABUT_API abut_status abut_fail_element(abut_error *error, abut_status status, int64_t element, const char *format,
                                       ...) ABUT_PRINTF(4, 5);

/// The reason of a system error, a value of errno, in the words that all messages about files use.
ABUT_API const char *abut_errno_text(int number);

/// Copies the caller's context, which may be of an older version, to the first `size` bytes of `out`. Fields that the
/// caller does not have or left empty get their defaults; so do all of them if `context` is NULL.
ABUT_API void abut_context_read(abut_context *out, size_t size, const abut_context *context);

/// A copy of the caller's context by abut_context_read(), to keep in an object.
static inline abut_context abut_context_or_default(const abut_context *context)
{
    abut_context copy;
    abut_context_read(&copy, sizeof copy, context);
    return copy;
}

/// Reads a settings struct of the caller, which may be of an older version. `out` holds the defaults; fields that the
/// caller does not have keep them. Both structs begin with `size_t struct_size`, which becomes `out_size`.
/// @return 0 if the caller's size is invalid: 0 (not made by the ..._default() function) or larger than `out_size`
ABUT_API int abut_read_versioned(void *out, size_t out_size, const void *in);

/// Writes the defaults `in` to a settings struct of the caller, which may be of another version: as many bytes as both
/// have, and zero for the rest. Its `struct_size` becomes `out_size`, the size that the caller knows: at least
/// sizeof(size_t).
ABUT_API void abut_write_versioned(void *out, size_t out_size, const void *in, size_t in_size);

/// Allocates `count` items of `item_size` bytes, uninitialised. For zero items the result has room for one, so that
/// NULL always means failure.
/// @return NULL if memory ran out or the size overflows
ABUT_API void *abut_allocate(const abut_context *context, size_t count, size_t item_size);

/// Like abut_allocate(), with all bytes zero.
ABUT_API void *abut_allocate_zeroed(const abut_context *context, size_t count, size_t item_size);

/// Makes room for at least `needed` items in an array, which grows by half or more, so that adding items one by one
/// is cheap. `array` is the address of the pointer to the first item; that pointer is NULL, with a capacity of 0, for
/// an array without memory. New items are uninitialised.
/// @return 0 if memory ran out or the size overflows; array and capacity are then unchanged
ABUT_API int abut_grow(const abut_context *context, void *array, int *capacity, int needed, size_t item_size);

/// Frees a block that one of the functions above returned with the same context. `block` may be NULL.
ABUT_API void abut_free(const abut_context *context, void *block);

#ifdef __cplusplus
}
#endif
#endif
