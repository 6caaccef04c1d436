// SPDX-License-Identifier: MIT
// result.c: the caller's result: defaults, room, release
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <abut/contact.h>

abut_result abut_result_default(void)
{
    abut_result result = {0};
    result.struct_size = sizeof result;
    result.error.element = -1;
    return result;
}

void abut_result_clear(abut_result *result)
{
    ABUT_ASSERT(result != NULL);
    abut_result empty = abut_result_default();
    int *counts[] = {&result->contacts.count,       &result->contacts.required,   &result->derivatives.count,
                     &result->derivatives.required, &result->regions.count,       &result->regions.required,
                     &result->loops.count,          &result->loops.required,      &result->cones.count,
                     &result->cones.required,       &result->points.count,        &result->points.required,
                     &result->directions.count,     &result->directions.required, &result->events.count,
                     &result->events.required};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        *counts[i] = 0;
    }
    result->stats = empty.stats;
    result->error = empty.error;
}

/// Makes room for what an array required.
#define RESERVE(context, array)                                                                                    \
    abut_grow((context), &(array).items, &(array).capacity, (array).required, sizeof *(array).items)

abut_status abut_result_reserve(const abut_context *context, abut_result *result)
{
    ABUT_ASSERT(result != NULL);
    abut_context used = abut_context_or_default(context);
    int fits = RESERVE(&used, result->contacts) && RESERVE(&used, result->derivatives) &&
               RESERVE(&used, result->regions) && RESERVE(&used, result->loops) && RESERVE(&used, result->cones) &&
               RESERVE(&used, result->points) && RESERVE(&used, result->directions) &&
               RESERVE(&used, result->events);
    return fits ? ABUT_OK : abut_fail(&result->error, ABUT_NO_MEMORY, "no memory for the result");
}

void abut_result_release(const abut_context *context, abut_result *result)
{
    if (result == NULL) {
        return;
    }
    abut_context used = abut_context_or_default(context);
    void *blocks[] = {result->contacts.items,   result->derivatives.items, result->regions.items,
                      result->loops.items,      result->cones.items,       result->points.items,
                      result->directions.items, result->events.items};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&used, blocks[i]);
    }
    *result = abut_result_default();
}
