// SPDX-License-Identifier: MIT
// measure_within.h: abut_measure() with another tolerance of normals
#ifndef ABUT_LAB_MEASURE_WITHIN_H
#define ABUT_LAB_MEASURE_WITHIN_H

#include <abut-lab/measure.h>

/// Normals match if the difference is at most `tolerance` long.
abut_measures abut_measure_within(const abut_case *item, abut_case_poses poses, abut_reading reading,
                                  const abut_sample *samples, int count, double tolerance);

#endif
