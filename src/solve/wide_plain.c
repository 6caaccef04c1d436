// SPDX-License-Identifier: MIT
// wide_plain.c: visits to four contacts at a time, and loops over numbers, on any processor
#define ABUT_WIDE_CODE abut_wide_plain
#include "solve/wide_kernel.h"
