// SPDX-License-Identifier: MIT
// impulse_avx2.c: the impulses of four pairs at a time, on a processor with AVX2
#define ABUT_IMPULSE_CODE abut_impulse_wide_avx2
#include "continuous/impulse_kernel.h"
