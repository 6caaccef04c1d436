// SPDX-License-Identifier: MIT
// stats.h: adding up what queries did
#ifndef ABUT_METHOD_STATS_H
#define ABUT_METHOD_STATS_H

#include <abut/contact.h>

/// Not `data_bytes`: queries share shapes, so that the sum would count the memory of a shape once for every pair it
/// is in.
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
