// SPDX-License-Identifier: MIT
/// @file base.h
/// Status, errors, and the context through which the library gets memory and threads.
///
/// What holds in all headers:
/// - A pointer may be NULL only where it says so, but for `context` and `params`, which then are the defaults, and
///   `error`.
/// - What a ..._create() function makes belongs to the caller until its ..._destroy() function, which takes NULL
///   too. Where it fails, it gives NULL.
/// - Arrays that a ..._get_...() function gives belong to the object that was asked.
/// - Lengths, masses and times are in any units that agree with each other; angles are in radians.
#ifndef ABUT_BASE_H
#define ABUT_BASE_H

#include <abut/version.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// What a call has to say. Released values never change.
typedef enum abut_status {
    ABUT_OK = 0,
    ABUT_TRUNCATED = 1,    ///< done, but an array of the caller was too small: see its `required`
    ABUT_NO_MEMORY = 2,    ///< an allocation failed; nothing was changed
    ABUT_BAD_ARGUMENT = 3, ///< the call makes no sense: a missing pointer, an unknown option, a negative length
    ABUT_BAD_DATA = 4,     ///< the data is wrong: NaN, an index out of range, a malformed file
    ABUT_IO = 5,           ///< a file could not be opened, read or written
    ABUT_UNSUPPORTED = 6,  ///< right in itself, but not something this function or method takes
    ABUT_UNPREPARED = 7,   ///< abut_shape_prepare() was not called for this method and these parameters
    ABUT_OVERLAP = 8,      ///< the method cannot answer for bodies that overlap this much
    ABUT_LIMIT = 9,        ///< a size, time or iteration limit was reached
    ABUT_METHOD_FAULT = 10 ///< a contact method returned something invalid
} abut_status;

/// The status in words, for example "bad data". Never NULL.
ABUT_API const char *abut_status_text(abut_status status);

/// The library's version at run time, "major.minor.patch".
ABUT_API const char *abut_version(void);

/// Details of a failure.
typedef struct abut_error {
    abut_status status;
    int64_t line;    ///< line of a text file, from 1; 0 where there is none
    int64_t element; ///< index of the vertex, face, ... that is wrong, from 0; -1 where there is none
    char text[256];  ///< one line that names the element and says what is wrong
} abut_error;

/// Memory in one function, like realloc: `block` NULL allocates, `size` 0 frees and returns NULL.
/// Returned memory is aligned for any type. May be called from several threads at once.
typedef void *abut_resize_function(void *user, void *block, size_t size);

/// Work on the items begin <= i < end. `worker` is below the worker count and names a thread-private slot.
typedef void abut_range_task(void *data, int begin, int end, int worker);

/// Runs `task` over 0..count-1 in ranges of at least `grain` items, on any threads, and returns when all are done.
typedef void abut_parallel_for_function(void *user, int count, int grain, abut_range_task *task, void *data);

/// Where the library gets memory and threads. Plain data, copied by everything that keeps it.
typedef struct abut_context {
    size_t struct_size;
    abut_resize_function *resize;
    abut_parallel_for_function *parallel_for;
    int worker_count; ///< every `worker` is below it; for the default `parallel_for` also the number of threads
    void *user;       ///< handed to both functions
} abut_context;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_context_init(abut_context *context, size_t size);
/// malloc and OpenMP, with the threads that it has now (one where the library was built without it); set
/// `worker_count` for fewer or more.
static inline abut_context abut_context_default(void)
{
    abut_context context;
    abut_context_init(&context, sizeof context);
    return context;
}

#ifdef __cplusplus
}
#endif
#endif
