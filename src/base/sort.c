// SPDX-License-Identifier: MIT
// sort.c: a stable sort of indices that makes no heap calls (the C library's qsort may)
#include "base/sort.h"

#include <string.h>

enum { RUN = 8 }; // short runs are sorted faster by insertion than by merging

static void merge(const int *from, int *to, int begin, int middle, int end, abut_index_compare *compare,
                  const void *user)
{
    int left = begin, right = middle;
    for (int i = begin; i < end; ++i) {
        int takes_left = left < middle && (right >= end || compare(user, from[left], from[right]) <= 0);
        to[i] = takes_left ? from[left++] : from[right++];
    }
}

/// Insertion sort of each run of RUN indices. Takes one comparison per index if they are in order already.
static void sort_runs(int *indices, int count, abut_index_compare *compare, const void *user)
{
    for (int i = 1; i < count; ++i) {
        int moved = indices[i], k = i;
        for (; k % RUN != 0 && compare(user, indices[k - 1], moved) > 0; --k) {
            indices[k] = indices[k - 1];
        }
        indices[k] = moved;
    }
}

void abut_sort_indices(int *indices, int *scratch, int count, abut_index_compare *compare, const void *user)
{
    int *from = indices, *to = scratch;
    sort_runs(indices, count, compare, user);
    for (long long width = RUN; width < count; width *= 2) {
        for (long long begin = 0; begin < count; begin += 2 * width) {
            int middle = (int)(begin + width < count ? begin + width : count);
            int end = (int)(begin + 2 * width < count ? begin + 2 * width : count);
            merge(from, to, (int)begin, middle, end, compare, user);
        }
        int *swapped = from;
        from = to;
        to = swapped;
    }
    if (from != indices && count > 0) {
        memcpy(indices, from, (size_t)count * sizeof *indices);
    }
}
