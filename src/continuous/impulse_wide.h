// SPDX-License-Identifier: MIT
// impulse_wide.h: the impulses of four pairs at a time
#ifndef ABUT_CONTINUOUS_IMPULSE_WIDE_H
#define ABUT_CONTINUOUS_IMPULSE_WIDE_H

#include <abut/penalty.h>

enum { ABUT_IMPULSE_LANES = 4 };

/// Writes the impulses of the pairs from `first` to `first` + 3, for stiffness times dt = `factor`. Returns the bits of
/// those of unusual size, which need abut_interval_impulse(): products may overflow or vanish.
typedef unsigned abut_impulse_wide_code(const abut_impulse_batch *batch, int first, double factor);

abut_impulse_wide_code abut_impulse_wide_plain;
#if defined(ABUT_HAS_AVX2)
abut_impulse_wide_code abut_impulse_wide_avx2; ///< only for processors with AVX2
#endif

/// The impulse of a pair of any size over an interval, by ABUT_PENALTY_INTERVAL; not a number if a coordinate is not or
/// is too large.
abut_vec3 abut_interval_impulse(const abut_moving_pair *pair, double factor, double begin, double end);

#endif
