// SPDX-License-Identifier: MIT
// threaded.h: parallel loops of a caller, on threads of its own
#ifndef ABUT_TEST_THREADED_H
#define ABUT_TEST_THREADED_H

#include "check.h"

#include <abut/base.h>
#include <pthread.h>

enum { TEST_MOST_THREADS = 8 };

/// The caller's data: `user` of a context.
typedef struct test_loops {
    int thread_count;
    int count; ///< of loops so far
} test_loops;

typedef struct test_range {
    abut_range_task *task;
    void *data;
    int begin, end, worker;
} test_range;

static inline void *test_run_range(void *data)
{
    const test_range *r = data;
    r->task(r->data, r->begin, r->end, r->worker);
    return NULL;
}

/// An equal share of the items on each thread.
static inline void test_threaded_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    test_loops *loops = user;
    pthread_t threads[TEST_MOST_THREADS];
    test_range ranges[TEST_MOST_THREADS];
    int started = 0;
    (void)grain;
    ++loops->count;
    for (int i = 0; i < loops->thread_count; ++i) {
        int begin = (int)((int64_t)count * i / loops->thread_count);
        int end = (int)((int64_t)count * (i + 1) / loops->thread_count);
        if (begin < end) {
            ranges[started] = (test_range){task, data, begin, end, i};
            assert_int_equal(pthread_create(&threads[started], NULL, test_run_range, &ranges[started]), 0);
            ++started;
        }
    }
    for (int i = 0; i < started; ++i) {
        (void)pthread_join(threads[i], NULL);
    }
}

/// All items in one range.
static inline void test_serial_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)grain;
    ++((test_loops *)user)->count;
    task(data, 0, count, 0);
}

/// One item after the other, the last one first, as if by different threads that run one at a time.
static inline void test_single_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    test_loops *loops = user;
    (void)grain;
    ++loops->count;
    for (int i = count - 1; i >= 0; --i) {
        task(data, i, i + 1, i % loops->thread_count);
    }
}

static inline abut_context test_loop_context(abut_parallel_for_function *loop, test_loops *loops)
{
    abut_context context = abut_context_default();
    context.parallel_for = loop;
    context.worker_count = loops->thread_count;
    context.user = loops;
    return context;
}

#endif
