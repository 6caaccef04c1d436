// SPDX-License-Identifier: MIT
// sort.h: a stable sort of indices that makes no heap calls (the C library's qsort may)
#ifndef ABUT_BASE_SORT_H
#define ABUT_BASE_SORT_H

/// Negative if item a comes before item b, positive if after, 0 if they are equal and keep their order.
typedef int abut_index_compare(const void *user, int a, int b);

/// Merge sort. `scratch` has room for `count` indices.
void abut_sort_indices(int *indices, int *scratch, int count, abut_index_compare *compare, const void *user);

#endif
