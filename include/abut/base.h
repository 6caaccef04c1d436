// SPDX-License-Identifier: MIT
/// @file base.h
/// Status, errors, and the context through which the library gets memory and threads.
///
/// These rules hold in all headers:
/// - Pointers must not be NULL unless stated. Exceptions: `context` and `params` (NULL means defaults), and `error`.
/// - A ..._create() function makes an object that the caller frees with the ..._destroy() function, which also takes
///   NULL. If the creation fails, the object is NULL.
/// - Arrays returned by a ..._get_...() function belong to the object that was asked.
/// - Lengths, masses and times may have any consistent units; angles are in radians.
#ifndef ABUT_BASE_H
#define ABUT_BASE_H

#include <abut/version.h>
#include <stddef.h>
#include <stdint.h>

/// Marks what the shared library exports.
#if defined(__GNUC__)
#define ABUT_API __attribute__((visibility("default")))
#else
#define ABUT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// The outcome of a call. Released values never change.
typedef enum abut_status {
    ABUT_OK = 0,           ///< done
    ABUT_TRUNCATED = 1,    ///< done, but an array of the caller was too small: see its `required`
    ABUT_NO_MEMORY = 2,    ///< an allocation failed; nothing was changed
    ABUT_BAD_ARGUMENT = 3, ///< a bug of the caller: a missing pointer, an unknown option, a negative length
    ABUT_BAD_DATA = 4,     ///< the data is wrong: NaN, an index out of range, a malformed file
    ABUT_IO = 5,           ///< a file could not be opened, read or written
    ABUT_UNSUPPORTED = 6,  ///< valid, but this function or method does not support it
    ABUT_UNPREPARED = 7,   ///< abut_shape_prepare() was not called for this method and these parameters
    ABUT_OVERLAP = 8,      ///< the bodies overlap more than the method can handle
    ABUT_LIMIT = 9,        ///< a size, time or iteration limit was reached
    ABUT_METHOD_FAULT = 10 ///< a contact method returned something invalid
} abut_status;

/// The status in words, for example "bad data". Never NULL.
ABUT_API const char *abut_status_text(abut_status status);

/// The library's version at run time, "major.minor.patch".
ABUT_API const char *abut_version(void);

/// Details of a failure.
typedef struct abut_error {
    abut_status status; ///< what the call returned
    int64_t line;       ///< line of a text file, counted from 1; 0 if there is none
    int64_t element;    ///< index of the wrong vertex, face, ..., counted from 0; -1 if there is none
    char text[256];     ///< one line: what is wrong, where, and what to do
} abut_error;

/// All memory functions in one, like realloc(): allocates if `block` is NULL, frees and returns NULL if `size` is 0.
/// Memory is aligned for any type. The library may call it from several threads at once.
typedef void *abut_resize_function(void *user, void *block, size_t size);

/// Works on the items begin <= i < end. `worker` is below the worker count and no two threads have the same one at a
/// time, so it can index private data.
typedef void abut_range_task(void *data, int begin, int end, int worker);

/// Runs `task` over the items 0 to count - 1 in ranges of at least `grain` items, on any threads. Returns when all are
/// done. Ranges may run at the same time or one after the other. A range that has begun may wait for another one that
/// has begun, so threads that run ranges must not block each other.
typedef void abut_parallel_for_function(void *user, int count, int grain, abut_range_task *task, void *data);

/// Where the library gets memory and threads. Plain data: every object keeps a copy. Start from
/// abut_context_default().
typedef struct abut_context {
    size_t struct_size;
    abut_resize_function *resize;
    abut_parallel_for_function *parallel_for;
    int worker_count; ///< upper limit of `worker`; with the default `parallel_for` also the number of threads
    void *user;       ///< passed to both functions
} abut_context;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_context_init(abut_context *context, size_t size);
/// malloc() and OpenMP, with the number of threads that OpenMP has now (one if the library was built without it). Set
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
