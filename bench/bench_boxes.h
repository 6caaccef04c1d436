// SPDX-License-Identifier: MIT
// bench_boxes.h: time of method regions for each pair of boxes in motion
#ifndef ABUT_BENCH_BOXES_H
#define ABUT_BENCH_BOXES_H

#include "bench.h"

/// Adds the rows of stacks and of a pile. Part of the group regions.
int bench_boxes(bench_report *report, const bench_options *options);

#endif
