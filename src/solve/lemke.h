// SPDX-License-Identifier: MIT
// lemke.h: Lemke's method on memory of an arena
#ifndef ABUT_SOLVE_LEMKE_H
#define ABUT_SOLVE_LEMKE_H

#include "base/memory.h"

#include <abut/solve.h>

/// abut_lcp_lemke() for a problem and parameters that were checked: finite numbers, a count within the limit.
/// @return ABUT_OK or ABUT_NO_MEMORY
abut_status abut_lemke(abut_arena *arena, const abut_lcp *lcp, const abut_lcp_params *params,
                       abut_lcp_answer *answer);

#endif
