// SPDX-License-Identifier: MIT
// sort.h: a stable sort of indices that makes no heap calls (qsort of the C library may)
#ifndef ABUT_BASE_SORT_H
#define ABUT_BASE_SORT_H

/// Negative if item a comes before item b, positive if after, 0 if they may keep their order.
typedef int abut_index_compare(const void *user, int a, int b);

/// Sorts `indices` by merging; `scratch` has room for `count` more.
void abut_sort_indices(int *indices, int *scratch, int count, abut_index_compare *compare, const void *user);

#endif
