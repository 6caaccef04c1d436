// SPDX-License-Identifier: MIT
// impulse_plain.c: the impulses of four pairs at a time, on any processor
#define ABUT_IMPULSE_CODE abut_impulse_wide_plain
#include "continuous/impulse_kernel.h"
