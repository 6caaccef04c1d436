// SPDX-License-Identifier: MIT
/// @file measure.h
/// How good contacts are: quality, coverage and excess of Erleben 2018, section 5, and a coverage that checks
/// positions too.
#ifndef ABUT_LAB_MEASURE_H
#define ABUT_LAB_MEASURE_H

#include <abut-lab/case.h>
#include <abut-lab/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/// All except `contacts` are NaN if the correct contacts are not known.
typedef struct abut_measures {
    double quality;          ///< % of the contacts that have an expected normal; NaN without contacts
    double coverage;         ///< % of the expected (position, normal) pairs that are met
    double coverage_normals; ///< % of the expected normals that some contact has, at any position
    double excess;           ///< contacts / minimum
    int contacts;
} abut_measures;

/// Scores contacts of the bodies at `poses`. Normals match if the difference is at most 1e-3 long. Each body carries
/// the expected point with it: once a body has moved, these are two points, and a position matches if it is within
/// 1e-3 of the case's size of the segment between them.
ABUT_API abut_measures abut_measure(const abut_case *item, abut_case_poses poses, abut_reading reading,
                                    const abut_sample *samples, int count);

/// What abut_measure() counts, one by one: `is_right[k]` is 1 if contact k has an expected normal, and `is_met[i]` is 1 if
/// some contact meets the expected contact i. Both are written; either may be NULL.
ABUT_API void abut_measure_each(const abut_case *item, abut_case_poses poses, abut_reading reading,
                                const abut_sample *samples, int count, int *is_right, int *is_met);

/// Statistics of the contact counts of a simulation's steps, as in Erleben's Table 6.
typedef struct abut_count_summary {
    double mean, deviation; ///< population standard deviation; NaN without steps
    int least, most;        ///< 0 without steps
} abut_count_summary;

ABUT_API abut_count_summary abut_summarise_counts(const int *counts, int count);

#ifdef __cplusplus
}
#endif
#endif
