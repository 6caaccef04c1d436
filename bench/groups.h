// SPDX-License-Identifier: MIT
// groups.h: the run function of every group; each has a row in the table of bench.c
#ifndef ABUT_BENCH_GROUPS_H
#define ABUT_BENCH_GROUPS_H

#include "bench.h"

int bench_ccd(bench_report *report, const bench_options *options);
int bench_check(bench_report *report, const bench_options *options);
int bench_convex(bench_report *report, const bench_options *options);
int bench_index(bench_report *report, const bench_options *options);
int bench_lmd(bench_report *report, const bench_options *options);
int bench_mesh(bench_report *report, const bench_options *options);
int bench_methods(bench_report *report, const bench_options *options);
int bench_predicates(bench_report *report, const bench_options *options);
int bench_read(bench_report *report, const bench_options *options);
int bench_regions(bench_report *report, const bench_options *options);
int bench_overlap(bench_report *report, const bench_options *options);
int bench_solve(bench_report *report, const bench_options *options);
int bench_sweep(bench_report *report, const bench_options *options);
int bench_world(bench_report *report, const bench_options *options);
int bench_spin(bench_report *report, const bench_options *options);

#endif
