// SPDX-License-Identifier: MIT
// lmd_overlap.h: a way out for bodies whose base complexes meet
#ifndef ABUT_METHOD_LMD_OVERLAP_H
#define ABUT_METHOD_LMD_OVERLAP_H

#include "method/base_complex.h"
#include "method/workspace.h"

/// A translation of B after which the base complexes are apart, and only just.
typedef struct abut_lmd_way {
    abut_vec3 translation; ///< in A's frame
    abut_rule rule; ///< what told the side: history, velocity, orientation; or the length alone (translation)
} abut_lmd_way;

/// Finds a way out of an overlap.
/// @return ABUT_OK; ABUT_OVERLAP if there is none within the sizes of the bodies, with a message; ABUT_NO_MEMORY
abut_status abut_lmd_separate(const abut_query *query, const abut_base *const bases[2], abut_sink *sink,
                              abut_lmd_way *way);

/// The LMDs of two bases with B moved by a translation in A's frame, up to a distance. They are in sink->lmds.
abut_status abut_lmd_search(const abut_query *query, const abut_base *const bases[2], abut_vec3 translation,
                            double reach, abut_sink *sink);

#endif
