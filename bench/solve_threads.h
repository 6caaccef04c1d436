// SPDX-License-Identifier: MIT
// solve_threads.h: what more threads gain, beside what a trivial loop gains in the same run
#ifndef ABUT_BENCH_SOLVE_THREADS_H
#define ABUT_BENCH_SOLVE_THREADS_H

#include "bench.h"
#include "solve_scenes.h"

/// Adds rows of 50 sweeps over the scene, and of a loop without memory, on one thread and on all, with the gain. None if
/// the default context has one thread. Returns 0 on failure, after a line on stderr.
int solve_threads(bench_report *report, const bench_options *options, const solve_scene *scene);

#endif
