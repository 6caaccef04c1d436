// SPDX-License-Identifier: MIT
// impact_avx2.c: the filter of four moving pairs at a time, on a processor with AVX2
#define ABUT_IMPACT_CODE abut_impact_wide_avx2
#include "prim/impact_kernel.h"
