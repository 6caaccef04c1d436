// SPDX-License-Identifier: MIT
/// @file measure.h
/// How good contacts are: Erleben's quality, coverage and excess (2018, section 5), and ours with positions.
#ifndef ABUT_LAB_MEASURE_H
#define ABUT_LAB_MEASURE_H

#include <abut-lab/case.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is measured of a contact, wherever it comes from.
typedef struct abut_sample {
    abut_vec3 position;
    abut_vec3 normal; ///< from A to B
} abut_sample;

/// All but the number of contacts are NaN where no truth is known.
typedef struct abut_measures {
    double quality;          ///< % of the contacts whose normal is an expected one; NaN without contacts
    double coverage;         ///< % of the expected (position, normal) pairs that are met
    double coverage_normals; ///< % of the expected normals that are met anywhere
    double excess;           ///< contacts / minimum
    int contacts;
} abut_measures;

/// The contacts of the bodies at `poses`. Normals match within 1e-3 (length of the difference). A position matches
/// within 1e-3 of the case's size of the segment from the expected point of one body to that of the other, which
/// differ once a body has moved.
ABUT_API abut_measures abut_measure(const abut_case *fundamental, abut_case_poses poses, abut_reading reading,
                                    const abut_sample *samples, int count);

/// Of the numbers of contacts at the steps of a simulation, as in Erleben's Table 6.
typedef struct abut_count_summary {
    double mean, deviation; ///< the standard deviation of all counts, not of a sample; NaN without any
    int least, most;        ///< 0 without any
} abut_count_summary;

ABUT_API abut_count_summary abut_summarise_counts(const int *counts, int count);

#ifdef __cplusplus
}
#endif
#endif
