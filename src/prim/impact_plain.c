// SPDX-License-Identifier: MIT
// impact_plain.c: the filter of four moving pairs at a time, on any processor
#define ABUT_IMPACT_CODE abut_impact_wide_plain
#include "prim/impact_kernel.h"
