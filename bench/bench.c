// SPDX-License-Identifier: MIT
// bench.c: the table of groups, and measuring
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "bench.h"
#include "bench_build.h" // written by CMake: BENCH_COMMIT, BENCH_COMPILER, BENCH_FLAGS
#include "groups.h"

#include <abut/base.h>
#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const bench_group groups[] = {
    {"predicates", "exact orientation tests, and how many needed the slow path", bench_predicates},
    {"ccd", "continuous tests of moving features, single and in batches, and penalty impulses", bench_ccd},
    {"read", "reading, welding and adjacency of mesh files", bench_read},
    {"mesh", "building and searching box hierarchies of growing meshes", bench_mesh},
    {"sweep", "the first touch of moving meshes, beside a distance query and FCL's continuous collision",
     bench_sweep},
    {"check", "the mesh doctor on growing meshes, sound and sick", bench_check},
    {"index", "building Brep-indexes of growing solids, and where points and segments are", bench_index},
    {"convex", "signed distance and manifold of convex polyhedra, cold and with memory, beside other libraries",
     bench_convex},
    {"lmd", "quasi-LMDs of a linkage that is mounted in a car of 25 shapes, beside Merlhiot 2007 and FCL",
     bench_lmd},
    {"methods", "every contact method on Pillar, Wall, and blocks that grow or touch in more", bench_methods},
    {"regions", "queries of solids that touch, by the size of the meshes and of the contact", bench_regions},
    {"overlap", "pairs of solids by how deep they are in each other", bench_overlap},
    {"spin", "steps of spheres that spin without slip, and their shares, beside Yi and Drumwright 2016",
     bench_spin},
    {"solve",
     "impulses of walls, stacks and piles: time of a sweep, residual over time beside Bullet, threads; Lemke",
     bench_solve},
    {"world",
     "steps of Wall, colosseum and growing fields of boxes, by their parts, and of many boxes beside Bullet",
     bench_world},
};
enum { GROUP_COUNT = sizeof groups / sizeof groups[0] };

enum { REPEATS_HIGHEST = 100000 };

const bench_group *bench_groups(int *count)
{
    *count = GROUP_COUNT;
    return groups;
}

const bench_group *bench_find(const char *name)
{
    for (int i = 0; i < GROUP_COUNT; ++i) {
        if (strcmp(groups[i].name, name) == 0) {
            return &groups[i];
        }
    }
    return NULL;
}

bench_options bench_options_default(void)
{
    return (bench_options){.seconds = 0.5, .repeats = 50};
}

int bench_wants(const bench_options *options, const char *scene, const char *subject)
{
    char name[128];
    (void)snprintf(name, sizeof name, "%s, %s", scene, subject != NULL ? subject : "");
    size_t scene_length = strlen(scene), only_length = options->only != NULL ? strlen(options->only) : 0;
    for (size_t i = 0; i < scene_length; ++i) {
        size_t left = strlen(name + i);
        size_t compared = subject == NULL && only_length > left ? left : only_length; // some subject may go on so
        if (strncmp(name + i, options->only != NULL ? options->only : "", compared) == 0) {
            return 1;
        }
    }
    return only_length == 0;
}

uint64_t bench_hash(uint64_t hash, uint64_t x)
{
    // Multiply by an odd constant and fold the high bits down: every bit of x reaches every bit of the hash.
    hash = (hash ^ x) * 0x9e3779b97f4a7c15u;
    return hash ^ (hash >> 32);
}

static double now_in_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int bench_fail(const char *format, ...)
{
    va_list arguments;
    (void)fputs("abut: bench: ", stderr);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputs("\n", stderr);
    return 0;
}

static int add_row(bench_report *report, const bench_row *row)
{
    if (report->count == report->capacity) {
        int capacity = report->capacity + 64;
        bench_row *rows = realloc(report->rows, (size_t)capacity * sizeof *rows);
        if (rows == NULL) {
            return bench_fail("out of memory");
        }
        report->rows = rows;
        report->capacity = capacity;
    }
    bench_row *added = &report->rows[report->count++];
    *added = *row;
    added->group = report->group;
    return 1;
}

void bench_add_value(bench_row *row, const char *name, double value)
{
    int i = 0;
    while (i < BENCH_VALUES && row->values[i].name != NULL) {
        ++i;
    }
    assert(i < BENCH_VALUES);
    row->values[i].name = name;
    row->values[i].value = value;
}

// Adds how many times longer than the baseline the row takes.
static void add_ratio(bench_row *row)
{
    if (row->baseline_ns > 0.0) {
        bench_add_value(row, "times_abut", row->min_ns / row->baseline_ns);
    }
}

void bench_note(bench_report *report, const char *format, ...)
{
    char(*notes)[BENCH_NOTE_SIZE] = realloc(report->notes, (size_t)(report->note_count + 1) * sizeof *notes);
    if (notes == NULL) {
        (void)bench_fail("out of memory");
        return;
    }
    report->notes = notes;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(notes[report->note_count++], BENCH_NOTE_SIZE, format, arguments);
    va_end(arguments);
}

double bench_median(double *times, int count)
{
    qsort(times, (size_t)count, sizeof *times, compare_times);
    return 0.5 * (times[(count - 1) / 2] + times[count / 2]);
}

int bench_add(bench_report *report, bench_row *row, double *times, int count)
{
    double per_call = 1e9 / (double)row->calls;
    row->median_ns = bench_median(times, count) * per_call;
    row->min_ns = times[0] * per_call;
    row->repeats = count;
    add_ratio(row);
    return add_row(report, row);
}

int bench_measure(bench_report *report, const bench_options *options, bench_row *row, bench_body *body, void *data)
{
    int limit =
        options->repeats < 1 ? 1 : (options->repeats < REPEATS_HIGHEST ? options->repeats : REPEATS_HIGHEST);
    double *times = malloc((size_t)limit * sizeof *times);
    if (times == NULL) {
        return bench_fail("out of memory");
    }
    row->hash = body(data); // warms the caches; not timed
    row->threads = row->threads > 0 ? row->threads : 1;
    double begin = now_in_seconds();
    int count = 0;
    do {
        double start = now_in_seconds();
        uint64_t hash = body(data);
        times[count++] = now_in_seconds() - start;
        if (hash != row->hash) {
            (void)bench_fail("%s, %s: two repeats gave different results", row->scene, row->subject);
            free(times);
            return 0;
        }
    } while (count < limit && now_in_seconds() - begin < options->seconds);
    int done = bench_add(report, row, times, count);
    free(times);
    return done;
}

abut_context bench_context(int has_threads)
{
    abut_context context = abut_context_default();
    if (!has_threads) {
        context.worker_count = 1;
    }
    return context;
}

/// Drops the rows that are not wanted: groups leave out what would take long, and may measure others.
static void drop_rows(const bench_options *options, bench_report *report)
{
    int count = 0;
    for (int i = 0; i < report->count; ++i) {
        if (bench_wants(options, report->rows[i].scene, report->rows[i].subject)) {
            report->rows[count++] = report->rows[i];
        }
    }
    report->count = count;
}

int bench_run(const bench_options *options, const bench_group *const *chosen, int group_count, bench_report *report)
{
    int done = 1;
    *report = (bench_report){0};
    for (int i = 0; i < group_count && done; ++i) {
        report->group = chosen[i]->name;
        done = chosen[i]->run(report, options);
    }
    drop_rows(options, report);
    return done;
}

void bench_report_release(bench_report *report)
{
    free(report->rows);
    free(report->notes);
    *report = (bench_report){0};
}

// The processor's name, from /proc/cpuinfo.
static void read_cpu(char *name, size_t size)
{
    (void)snprintf(name, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) {
        return;
    }
    char line[256];
    while (fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            (void)snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    (void)fclose(file);
}

bench_build bench_get_build(void)
{
    bench_build build = {.commit = BENCH_COMMIT, .compiler = BENCH_COMPILER, .flags = BENCH_FLAGS};
    read_cpu(build.cpu, sizeof build.cpu);
    return build;
}
