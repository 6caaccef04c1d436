// SPDX-License-Identifier: MIT
// bench.h: groups of benchmarks, what they report, and how it is printed
//
// A group is one file with one `run` function and one row in the table of bench.c. It makes its data, lets
// bench_measure() take the times, and adds a row for each; printing is done here, once, for all groups.
// A time is never reported without a hash of the result beside it.
#ifndef ABUT_BENCH_H
#define ABUT_BENCH_H

#include <stdint.h>
#include <stdio.h>

typedef enum bench_format { BENCH_TABLE, BENCH_JSON, BENCH_CSV } bench_format;

typedef struct bench_options {
    bench_format format;
    double seconds; ///< time to spend on each row, at least one repeat
    int repeats;    ///< repeats of each row at most
    int is_large;   ///< measure the largest data too, which takes minutes
} bench_options;

bench_options bench_options_default(void);

enum { BENCH_VALUES = 6 };

/// A number that belongs to a row, for example the share of calls that took the slow path.
typedef struct bench_value {
    const char *name; ///< static text, lower case with underscores; NULL ends the list
    double value;
} bench_value;

/// One measurement. Times are for one call; texts are static.
typedef struct bench_row {
    const char *scene;   ///< on what data
    const char *subject; ///< what was called
    int threads;
    int repeats;
    double min_ns;
    double median_ns;
    int64_t calls;      ///< calls in each repeat
    uint64_t hash;      ///< of the results; the same in every repeat
    double baseline_ns; ///< min_ns of abut where the row is of another library: adds the value `times_abut`; else 0
    bench_value values[BENCH_VALUES];
} bench_row;

/// Rows of all groups that ran. Opaque to a group, which only adds to it.
typedef struct bench_report bench_report;

/// Runs the work once and returns a hash of its results.
typedef uint64_t bench_body(void *data);

/// Calls `body` until the options' time or repeats are used up, fills times, repeats and hash of `row`, and adds it.
/// `row->calls` says how many calls one run of `body` makes; threads 0 counts as 1. Returns 0 where memory ran out or
/// the hash changed between repeats, which is an error of the thing measured.
int bench_measure(bench_report *report, const bench_options *options, bench_row *row, bench_body *body, void *data);

/// Adds x to a hash; start from 0.
uint64_t bench_hash(uint64_t hash, uint64_t x);

/// A named set of measurements.
typedef struct bench_group {
    const char *name;
    const char *summary;
    /// Adds its rows to the report. Returns 0 on failure, after a line on stderr.
    int (*run)(bench_report *report, const bench_options *options);
} bench_group;

/// All groups, in the order in which they run.
const bench_group *bench_groups(int *count);

/// The group of that name, or NULL.
const bench_group *bench_find(const char *name);

/// Runs groups and prints one report to `out`. Returns 0 on failure, after a line on stderr and with nothing printed.
int bench_run(FILE *out, const bench_options *options, const bench_group *const *groups, int group_count);

#endif
