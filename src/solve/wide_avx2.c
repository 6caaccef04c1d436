// SPDX-License-Identifier: MIT
// wide_avx2.c: visits to four contacts at a time, on a processor with AVX2
#define ABUT_WIDE_VISIT abut_wide_visit_avx2
#include "solve/wide_kernel.h"
