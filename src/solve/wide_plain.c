// SPDX-License-Identifier: MIT
// wide_plain.c: visits to four contacts at a time, on any processor
#define ABUT_WIDE_VISIT abut_wide_visit_plain
#include "solve/wide_kernel.h"
