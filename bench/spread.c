// SPDX-License-Identifier: MIT
// spread.c: the distribution of the times of single calls
//
// A call may take only 150 ns. The cycle counter is read once between two calls, after a fence, so that the call
// before has finished. The time of a call is its least over the rounds. The clock gives the length of a cycle.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "bench.h"

#include <stdlib.h>
#include <time.h>

enum { TIMER_READINGS = 10000 };

static uint64_t clock_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t read_ticks(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_lfence();
    return __builtin_ia32_rdtsc();
#else
    return clock_ns();
#endif
}

static int compare_ticks(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void call_nothing(void *data, int i)
{
    (void)data, (void)i;
}

static void run_round(int count, bench_call *call, void *data, uint64_t *least)
{
    uint64_t before = read_ticks();
    for (int i = 0; i < count; ++i) {
        call(data, i);
        uint64_t after = read_ticks(), ticks = after - before;
        least[i] = ticks < least[i] ? ticks : least[i];
        before = after;
    }
}

int bench_measure_calls(const bench_options *options, int count, bench_call *call, void *data, bench_spread *spread)
{
    uint64_t *least = malloc((size_t)count * sizeof *least);
    if (least == NULL) {
        return bench_fail("out of memory");
    }
    for (int i = 0; i < count; ++i) {
        least[i] = UINT64_MAX;
    }
    uint64_t begin_ns = clock_ns(), begin_ticks = read_ticks(), ns, ticks;
    int rounds = 0;
    do {
        run_round(count, call, data, least);
        ns = clock_ns() - begin_ns;
        ticks = read_ticks() - begin_ticks;
    } while (++rounds < options->repeats && (double)ns < 1e9 * options->seconds);
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        sum += (double)least[i];
    }
    qsort(least, (size_t)count, sizeof *least, compare_ticks);
    double ns_per_tick = (double)ns / (double)ticks;
    spread->mean_ns = sum / count * ns_per_tick;
    spread->median_ns = (double)least[count / 2] * ns_per_tick;
    spread->p99_ns = (double)least[(int)(0.99 * count)] * ns_per_tick;
    spread->max_ns = (double)least[count - 1] * ns_per_tick;
    spread->min_ns = (double)least[0] * ns_per_tick;
    free(least);
    return 1;
}

bench_spread bench_timer(void)
{
    bench_options options = bench_options_default();
    bench_spread spread = {.mean_ns = 0.0};
    (void)bench_measure_calls(&options, TIMER_READINGS, call_nothing, NULL, &spread);
    return spread;
}
