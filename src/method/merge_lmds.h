// SPDX-License-Identifier: MIT
// merge_lmds.h: quasi-LMDs of one place and direction become one
#ifndef ABUT_METHOD_MERGE_LMDS_H
#define ABUT_METHOD_MERGE_LMDS_H

#include <abut/complex.h>
#include <abut/contact.h>

typedef struct abut_lmd_merging {
    double sine;  ///< of theta
    double chord; ///< of directions that are the same
    double merge; ///< a length: points this near are the same, whatever theta is
    double step;  ///< distances are compared in these steps, so that rounding does not decide which one stays
} abut_lmd_merging;

/// The indices of those that stay, ascending, from the sink's scratch memory; NULL if memory ran out. Of two with both
/// points within sine times the longer distance (or `merge`), and with the same direction, the shorter one stays; of
/// equally short ones that of the lower simplices.
int *abut_merge_lmds(const abut_lmd_view *view, const abut_lmd_merging *merging, abut_sink *sink, int *count);

#endif
