// SPDX-License-Identifier: MIT
// node_test_avx2.c: the test of a node's children, on a processor with AVX2
#define ABUT_NODE_TEST_CODE abut_lmd_node_test_avx2
#include "complex/node_test_kernel.h"
