// SPDX-License-Identifier: MIT
// node_test_plain.c: the test of a node's children, on every machine
#define ABUT_NODE_TEST_CODE abut_lmd_node_test_plain
#include "complex/node_test_kernel.h"
