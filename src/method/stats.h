// SPDX-License-Identifier: MIT
// stats.h: sums of the counters of queries
#ifndef ABUT_METHOD_STATS_H
#define ABUT_METHOD_STATS_H

#include <abut/contact.h>

/// Adds up all counters except `data_bytes`: pairs share shapes, so a sum would count a shape once for each of its
/// pairs.
static inline void abut_stats_add(abut_stats *sum, const abut_stats *more)
{
    sum->candidate_pairs += more->candidate_pairs;
    sum->tested_pairs += more->tested_pairs;
    sum->raw_contacts += more->raw_contacts;
    sum->filtered_contacts += more->filtered_contacts;
    sum->degenerate_elements += more->degenerate_elements;
    sum->arbitrary_normals += more->arbitrary_normals;
    sum->fallbacks += more->fallbacks;
    sum->caps += more->caps;
    sum->repairs += more->repairs;
}

#endif
