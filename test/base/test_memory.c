// SPDX-License-Identifier: MIT
// test_memory.c: arena, growing arrays, errors, structs of older versions, parallel loops
#define _POSIX_C_SOURCE 200809L // fork
#include "base/context.h"
#include "base/memory.h"
#include "check.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(_OPENMP)
#include <omp.h>
#endif

// A context that counts its heap calls.
static void *counting_resize(void *user, void *block, size_t size)
{
    ++*(int *)user;
    return abut_context_default().resize(NULL, block, size);
}

// After the first round the arena has one block, so a second round of the same work makes no heap call.
static void arena_settles_to_one_block(void **state)
{
    (void)state;
    int calls = 0;
    abut_context context = abut_context_default();
    context.resize = counting_resize;
    context.user = &calls;
    abut_arena arena;
    abut_arena_init(&arena, &context);
    for (int round = 0; round < 4; ++round) {
        if (round == 2) {
            calls = 0;
        }
        for (int i = 1; i < 200; ++i) {
            char *piece = abut_arena_take(&arena, (size_t)i * 7);
            assert_non_null(piece);
            memset(piece, i, (size_t)i * 7);
            CHECK((uintptr_t)piece % 16 == 0, "aligned");
        }
        abut_arena_reset(&arena);
    }
    CHECK_INT(calls, 0, "steady state");
    abut_arena_release(&arena);
    CHECK_DONE();
}

// Sizes that overflow are rejected and do not wrap around.
static void huge_sizes_are_refused(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    CHECK(abut_allocate(&context, SIZE_MAX / 4, 8) == NULL, "overflow");
    abut_arena arena;
    abut_arena_init(&arena, &context);
    CHECK(abut_arena_take(&arena, SIZE_MAX - 3) == NULL, "overflow");
    abut_arena_release(&arena);
    CHECK_DONE();
}

static void grow_keeps_items(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    void *items = NULL;
    int capacity = 0;
    for (int i = 0; i < 1000; ++i) {
        assert_true(abut_grow(&context, &items, &capacity, i + 1, sizeof(int)));
        ((int *)items)[i] = i;
    }
    for (int i = 0; i < 1000; ++i) {
        CHECK_INT(((int *)items)[i], i, "kept");
    }
    abut_free(&context, items);
    CHECK_DONE();
}

static void status_texts_differ(void **state)
{
    (void)state;
    for (int i = ABUT_OK; i <= ABUT_METHOD_FAULT; ++i) {
        for (int k = ABUT_OK; k < i; ++k) {
            CHECK(strcmp(abut_status_text((abut_status)i), abut_status_text((abut_status)k)) != 0, "%d %d", i, k);
        }
    }
    CHECK(strcmp(abut_version(), ABUT_VERSION) == 0, "version");
    CHECK_DONE();
}

// A struct of the current version, and one of an older version that ends before `added`.
typedef struct settings {
    size_t struct_size;
    int first, added;
} settings;

// An older, shorter struct sets the fields that it has; the others keep their defaults. A size of 0 and a size
// larger than the current struct are rejected.
static void older_structs_are_read(void **state)
{
    (void)state;
    const settings defaults = {sizeof(settings), 1, 2};
    settings given = {offsetof(settings, added), 10, 20}, read = defaults;
    CHECK_INT(abut_read_versioned(&read, sizeof read, &given), 1, "older");
    CHECK(read.first == 10 && read.added == 2 && read.struct_size == sizeof read, "%d %d", read.first, read.added);
    given.struct_size = 0;
    CHECK_INT(abut_read_versioned(&read, sizeof read, &given), 0, "not made by a default function");
    given.struct_size = sizeof given + 1;
    CHECK_INT(abut_read_versioned(&read, sizeof read, &given), 0, "newer");
    CHECK_DONE();
}

// A struct without room for its struct_size is a programming error, which debug builds assert: the process that writes
// the defaults to it aborts. With room for struct_size alone, nothing behind it is written.
static void structs_have_room_for_their_size(void **state)
{
    (void)state;
    const settings defaults = {sizeof(settings), 1, 2};
    settings made = {0, 7, 8};
    abut_write_versioned(&made, sizeof made.struct_size, &defaults, sizeof defaults);
    CHECK(made.struct_size == sizeof made.struct_size && made.first == 7 && made.added == 8, "%d %d", made.first,
          made.added);
#if !defined(NDEBUG)
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(STDERR_FILENO); // the message of the assertion
        (void)signal(SIGABRT, SIG_DFL);
        abut_write_versioned(&made, sizeof made.struct_size - 1, &defaults, sizeof defaults);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %d", status);
#endif
    CHECK_DONE();
}

static void errors_are_filled(void **state)
{
    (void)state;
    abut_error error;
    CHECK_STATUS(abut_fail(&error, ABUT_LIMIT, "%d of %s", 3, "four"), ABUT_LIMIT, "status");
    CHECK(error.status == ABUT_LIMIT && error.line == 0 && error.element == -1, "no line, no element");
    CHECK(strcmp(error.text, "3 of four") == 0, "%s", error.text);
    CHECK_STATUS(abut_fail_element(&error, ABUT_BAD_DATA, 7, "face"), ABUT_BAD_DATA, "status");
    CHECK(error.status == ABUT_BAD_DATA && error.element == 7, "element");
    CHECK_STATUS(abut_fail(NULL, ABUT_LIMIT, "nowhere"), ABUT_LIMIT, "no error to fill");
    CHECK_DONE();
}

static void mark(void *data, int begin, int end, int worker)
{
    (void)worker;
    for (int i = begin; i < end; ++i) {
        ++((int *)data)[i];
    }
}

// Every item is visited exactly once for every grain.
static void parallel_for_visits_all(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    for (int grain = 0; grain < 70; grain += 23) {
        int seen[100] = {0};
        abut_parallel_for(&context, 100, grain, mark, seen);
        for (int i = 0; i < 100; ++i) {
            CHECK_INT(seen[i], 1, "visits");
        }
    }
    CHECK_DONE();
}

static void note_worker(void *data, int begin, int end, int worker)
{
    (void)begin, (void)end;
    atomic_int *highest = data;
    int seen = atomic_load(highest);
    while (worker > seen && !atomic_compare_exchange_weak(highest, &seen, worker)) {
    }
}

// Worker numbers are below the worker count of the context, even if OpenMP has more threads when the loop runs. The
// library allocates one slot per worker when an object is created, maybe on another thread.
static void workers_are_below_their_count(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
#if defined(_OPENMP)
    omp_set_num_threads(8);
#endif
    for (context.worker_count = 1; context.worker_count < 6; ++context.worker_count) {
        for (int repeat = 0; repeat < 20; ++repeat) {
            atomic_int highest = 0;
            abut_parallel_for(&context, 1000, 1, note_worker, &highest);
            CHECK(atomic_load(&highest) < context.worker_count, "worker %d of %d", atomic_load(&highest),
                  context.worker_count);
        }
    }
    CHECK_DONE();
}

// Each range is run exactly once, also by more workers than there are blocks of ranges, and whoever has done his own
// block takes ranges of others.
static void workers_share_all_ranges(void **state)
{
    (void)state;
    enum { COUNT = 1013 };
    abut_context context = abut_context_default();
    static const int workers[] = {2, 3, 7, 31, 32, 33, 70}, grains[] = {1, 7, 500, COUNT - 1, COUNT};
    for (size_t w = 0; w < sizeof workers / sizeof workers[0]; ++w) {
        context.worker_count = workers[w];
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; ++g) {
            int seen[COUNT] = {0}, wrong = 0;
            abut_parallel_for(&context, COUNT, grains[g], mark, seen);
            for (int i = 0; i < COUNT; ++i) {
                wrong += seen[i] != 1;
            }
            CHECK(wrong == 0, "%d items not visited once, %d workers, grain %d", wrong, workers[w], grains[g]);
        }
    }
    CHECK_DONE();
}

#if defined(_OPENMP)
enum { MEMBERS = 4 };

typedef struct arrival {
    atomic_int count;
    atomic_int first[MEMBERS]; ///< what each worker began with, or -1
} arrival;

static void note_first(void *data, int begin, int end, int worker)
{
    arrival *a = data;
    (void)end;
    if (atomic_load(&a->first[worker]) < 0) {
        atomic_store(&a->first[worker], begin);
        (void)atomic_fetch_add(&a->count, 1);
        while (atomic_load(&a->count) < MEMBERS) { // until nobody can take the block of another
            (void)sched_yield();
        }
    }
}

// A worker begins with the same part of the elements in every loop, whatever their number: 400 or 1,200 bodies, worker 2
// of 4 begins in the middle. What the last loop wrote for these elements is still in its cache.
static void workers_keep_their_part(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    omp_set_dynamic(0);
    context.worker_count = MEMBERS;
    for (int count = 400; count <= 1200; count += 400) {
        arrival a = {.count = 0};
        for (int i = 0; i < MEMBERS; ++i) {
            atomic_init(&a.first[i], -1);
        }
        abut_parallel_for(&context, count, 10, note_first, &a);
        for (int i = 0; i < MEMBERS; ++i) {
            CHECK(atomic_load(&a.first[i]) == i * count / MEMBERS, "worker %d begins at %d of %d", i,
                  atomic_load(&a.first[i]), count);
        }
    }
    CHECK_DONE();
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_settles_to_one_block),
        cmocka_unit_test(huge_sizes_are_refused),
        cmocka_unit_test(grow_keeps_items),
        cmocka_unit_test(status_texts_differ),
        cmocka_unit_test(older_structs_are_read),
        cmocka_unit_test(structs_have_room_for_their_size),
        cmocka_unit_test(errors_are_filled),
        cmocka_unit_test(parallel_for_visits_all),
        cmocka_unit_test(workers_are_below_their_count),
        cmocka_unit_test(workers_share_all_ranges),
#if defined(_OPENMP)
        cmocka_unit_test(workers_keep_their_part),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
