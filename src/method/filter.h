// SPDX-License-Identifier: MIT
// filter.h: removing redundant contacts
#ifndef ABUT_METHOD_FILTER_H
#define ABUT_METHOD_FILTER_H

#include "method/workspace.h"

/// Removes from `order`, a list of `count` drafts, every draft that has a predecessor with the same position and the
/// same normal, within the query's `merge` and `angle`. The others keep their order. Returns 0 if memory ran out.
int abut_filter_redundant(abut_sink *sink, int *order, int *count);

#endif
