// SPDX-License-Identifier: MIT
// cycle.h: cyclic lists of numbers
#ifndef ABUT_BASE_CYCLE_H
#define ABUT_BASE_CYCLE_H

static inline void abut_reverse(int *items, int count)
{
    for (int i = 0, k = count - 1; i < k; ++i, --k) {
        int swapped = items[i];
        items[i] = items[k];
        items[k] = swapped;
    }
}

/// Rotates the list so that it begins with its lowest item (the first one, if several are equal).
static inline void abut_begin_with_lowest(int *items, int count)
{
    int lowest = 0;
    for (int i = 1; i < count; ++i) {
        lowest = items[i] < items[lowest] ? i : lowest;
    }
    // rotation by three reversals
    abut_reverse(items, lowest);
    abut_reverse(items + lowest, count - lowest);
    abut_reverse(items, count);
}

#endif
