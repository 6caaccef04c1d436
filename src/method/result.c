// SPDX-License-Identifier: MIT
// result.c: the answer to a query: defaults, and copies into arrays of the caller
#include "base/error.h"

#include <abut/contact.h>

#include <string.h>

static void clear(abut_result *result)
{
    memset(result, 0, sizeof *result);
    result->struct_size = sizeof *result;
    result->error.element = -1;
}

abut_result abut_result_default(void)
{
    abut_result result;
    clear(&result);
    return result;
}

void abut_result_clear(abut_result *result)
{
    ABUT_ASSERT(result != NULL && result->struct_size == sizeof *result);
    clear(result);
}

abut_buffers abut_buffers_default(void)
{
    abut_buffers buffers = {0};
    buffers.struct_size = sizeof buffers;
    return buffers;
}

/// An array of the result beside the caller's array for it.
typedef struct transfer {
    const void *from;
    int found;
    void *to;
    int capacity;
    int *count, *required;
    size_t item_size;
} transfer;

#define TRANSFER(name)                                                                                             \
    {                                                                                                              \
        result->name.items, result->name.count, buffers->name.items, buffers->name.capacity, &buffers->name.count, \
            &buffers->name.required, sizeof *buffers->name.items                                                   \
    }

static void copy_first(const transfer *t, int count)
{
    if (count > 0) {
        memcpy(t->to, t->from, (size_t)count * t->item_size);
    }
    *t->count = count;
}

/// Copies as many items as fit. Returns 0 if the array is wanted and too small.
static int copy_fitting(const transfer *t)
{
    copy_first(t, t->found < t->capacity ? t->found : t->capacity);
    return t->to == NULL || *t->count == t->found;
}

/// Copies all regions with what they refer to, or nothing. Returns 0 if one of the arrays is wanted and one has no room.
static int copy_regions(const transfer *regions, int count)
{
    int fits = 1, is_wanted = 0;
    for (int i = 0; i < count; ++i) {
        fits = fits && regions[i].found <= regions[i].capacity;
        is_wanted = is_wanted || regions[i].to != NULL;
    }
    for (int i = 0; fits && i < count; ++i) {
        copy_first(&regions[i], regions[i].found);
    }
    return fits || !is_wanted;
}

abut_status abut_result_copy(const abut_result *result, abut_buffers *buffers)
{
    ABUT_ASSERT(result != NULL && buffers != NULL);
    if (result->struct_size != sizeof *result || buffers->struct_size != sizeof *buffers) {
        return ABUT_BAD_ARGUMENT;
    }
    enum { REGIONS = 3, KINDS = 8 }; // the arrays of regions come last
    const transfer transfers[KINDS] = {TRANSFER(contacts), TRANSFER(derivatives), TRANSFER(events),
                                       TRANSFER(regions),  TRANSFER(loops),       TRANSFER(cones),
                                       TRANSFER(points),   TRANSFER(directions)};
    for (int i = 0; i < KINDS; ++i) {
        if (transfers[i].capacity < 0 || (transfers[i].capacity > 0 && transfers[i].to == NULL)) {
            return ABUT_BAD_ARGUMENT;
        }
    }
    int is_whole = 1;
    for (int i = 0; i < KINDS; ++i) {
        *transfers[i].count = 0;
        *transfers[i].required = transfers[i].found;
        is_whole = (i >= REGIONS || copy_fitting(&transfers[i])) && is_whole;
    }
    is_whole = copy_regions(&transfers[REGIONS], KINDS - REGIONS) && is_whole;
    for (int i = 0; i < buffers->contacts.count; ++i) {
        int32_t *region = &buffers->contacts.items[i].region;
        *region = *region < buffers->regions.count ? *region : -1;
    }
    return is_whole ? ABUT_OK : ABUT_TRUNCATED;
}
