// SPDX-License-Identifier: MIT
// impact_wide.h: four pairs of moving features at a time: which of them surely do not touch
#ifndef ABUT_PRIM_IMPACT_WIDE_H
#define ABUT_PRIM_IMPACT_WIDE_H

#include <abut/continuous.h>

enum { ABUT_IMPACT_LANES = 4 };

/// Looks at the pairs from `first` to `first` + 3. Bit i of the result is set if pair `first` + i needs abut_find_impacts():
/// neither a coordinate axis, nor the sign of the volume, nor one direction shows that it does not touch, or its numbers are
/// extreme. The tests and their roundings are those that abut_find_impacts() begins with, so leaving out the others changes
/// no answer.
typedef unsigned abut_impact_wide_code(const abut_moving_batch *batch, int first);

abut_impact_wide_code abut_impact_wide_plain;
#if defined(ABUT_HAS_AVX2)
abut_impact_wide_code abut_impact_wide_avx2; ///< only for processors with AVX2
#endif

#endif
