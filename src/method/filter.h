// SPDX-License-Identifier: MIT
// filter.h: removing redundant contacts
#ifndef ABUT_METHOD_FILTER_H
#define ABUT_METHOD_FILTER_H

#include "method/workspace.h"

/// Removes every draft that has a predecessor with the same position within `merge` and the same normal within
/// `angle`; the others keep their order. Returns 0 where memory ran out.
int abut_filter_redundant(abut_sink *sink, double merge, double angle);

#endif
