// SPDX-License-Identifier: MIT
// world_peers.h: simulations of many boxes, beside other libraries
#ifndef ABUT_BENCH_WORLD_PEERS_H
#define ABUT_BENCH_WORLD_PEERS_H

#include "bench.h"

/// Adds the rows of all scenes, methods and peers. Those that take minutes need `is_large`.
int bench_world_peers(bench_report *report, const bench_options *options);

#endif
