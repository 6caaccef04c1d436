// SPDX-License-Identifier: MIT
// wide_avx2.c: visits to four contacts at a time, and loops over numbers, on a processor with AVX2
#define ABUT_WIDE_CODE abut_wide_avx2
#include "solve/wide_kernel.h"
