// SPDX-License-Identifier: MIT
// bench.h: groups of benchmarks, and what they report
//
// A group is one file with one `run` function and one row in the table of bench.c. It creates its data, calls
// bench_measure() for the times, and adds a row for each. The command prints the rows. Every time is reported with
// a hash of the result.
#ifndef ABUT_BENCH_H
#define ABUT_BENCH_H

#include <abut/base.h>
#include <stdint.h>
#include <stdio.h>

typedef struct bench_options {
    double seconds;   ///< time to spend on each row; there is at least one repeat
    int repeats;      ///< most repeats of each row
    int is_large;     ///< also measure the largest data, which takes minutes
    const char *only; ///< which scenes to measure, see bench_wants(); NULL: all
} bench_options;

bench_options bench_options_default(void);

/// Whether `options->only` is a part of "SCENE, SUBJECT" that begins in SCENE; if `subject` is NULL, whether it may be
/// for some subject. Only such rows are reported; a group asks before what takes long, so that long runs can be cut into
/// pieces.
int bench_wants(const bench_options *options, const char *scene, const char *subject);

enum { BENCH_VALUES = 16 };

/// A number that belongs to a row, for example the share of calls that took the slow path.
typedef struct bench_value {
    const char *name; ///< static text, lower case with underscores; NULL ends the list
    double value;
} bench_value;

/// One measurement. Times are for one call; texts are static.
typedef struct bench_row {
    const char *group;   ///< set by the report
    const char *scene;   ///< the data
    const char *subject; ///< what was called
    int threads;
    int repeats;
    double min_ns;
    double median_ns;
    int64_t calls;      ///< calls in each repeat
    uint64_t hash;      ///< of the results; the same in every repeat
    double baseline_ns; ///< for another library: min_ns of abut, which adds the value `times_abut`; else 0
    bench_value values[BENCH_VALUES];
} bench_row;

enum { BENCH_NOTE_SIZE = 200 };

/// Rows and notes of all groups that ran. A group adds to it through the functions below.
typedef struct bench_report {
    const char *group; ///< the one that is running
    bench_row *rows;
    int count, capacity;
    char (*notes)[BENCH_NOTE_SIZE];
    int note_count;
} bench_report;

/// Runs the work once and returns a hash of its results.
typedef uint64_t bench_body(void *data);

/// Repeats `body` until the time or the repeats of the options are used up. Fills times, repeats and hash of `row`,
/// and adds it. `row->calls` is the number of calls in one run of `body`; 0 threads means 1. Returns 0 if memory
/// ran out, or if the hash differs between repeats, which is a bug of what is measured.
int bench_measure(bench_report *report, const bench_options *options, bench_row *row, bench_body *body, void *data);

/// Fills times and repeats of a row from times that the group measured itself, in seconds per run, and adds it.
/// Sorts the times. Returns 0 if memory ran out.
int bench_add(bench_report *report, bench_row *row, double *times, int count);

/// The median of at least one time. Sorts them.
double bench_median(double *times, int count);

/// The default context, or one with a single thread.
abut_context bench_context(int has_threads);

/// Makes call i of a series.
typedef void bench_call(void *data, int i);

/// The distribution of the times of single calls in a series. The time of a call is its least over several rounds
/// of the series, so that interrupts on a busy machine do not count. It includes one reading of the timer, which is
/// not subtracted; see bench_timer().
typedef struct bench_spread {
    double mean_ns, median_ns, p99_ns, max_ns, min_ns; ///< over the calls
} bench_spread;

/// Runs rounds of a series until the time or the repeats of the options are used up. Returns 0 if memory ran out.
int bench_measure_calls(const bench_options *options, int count, bench_call *call, void *data,
                        bench_spread *spread);

/// The overhead in the times of single calls: the distribution for a call that does nothing.
bench_spread bench_timer(void);

/// Adds a line to the end of the report, cut at BENCH_NOTE_SIZE bytes.
void bench_note(bench_report *report, const char *format, ...);

/// Prints a line on stderr that begins with "abut: bench: ". Returns 0, for `return`.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
int
bench_fail(const char *format, ...);

/// Adds a value to a row, which has room for BENCH_VALUES.
void bench_add_value(bench_row *row, const char *name, double value);

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

/// Runs the chosen groups. Returns 0 on failure, after a line on stderr. Release the report in both cases.
int bench_run(const bench_options *options, const bench_group *const *chosen, int group_count,
              bench_report *report);
void bench_report_release(bench_report *report);

/// The build that was measured, and the machine.
typedef struct bench_build {
    const char *commit, *compiler, *flags;
    char cpu[128]; ///< the processor's name, or "unknown"
} bench_build;

bench_build bench_get_build(void);

#endif
