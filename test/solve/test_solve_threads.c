// SPDX-License-Identifier: MIT
// test_solve_threads.c: the solver gives the same bits on any number of threads, however the caller runs its loops
#include "bricks.h"
#include "effort.h"
#include "random.h"
#include "solve/part.h"
#include "threaded.h"

#include <stdlib.h>
#include <string.h>

// A wall that threads share, and stacks that are spread over them. With disturbed bricks most contacts slide.
static bricks *make_scene(int is_disturbed)
{
    test_random random = {5};
    bricks *b = bricks_make();
    bricks_add_wall(b, 24, 48, 0.0);
    for (int k = 0; k < 20; ++k) {
        bricks_add_stack(b, ABUT_SOLVE_WORLD, 10, 200.0 + 5.0 * k);
    }
    for (int i = 0; is_disturbed && i < b->body_count; ++i) {
        b->bodies[i].velocity.linear = abut_add(b->bodies[i].velocity.linear, random_vec3(&random, 1.0));
    }
    return b;
}

static abut_prox_params params_of(int round)
{
    abut_prox_params params = abut_prox_params_default();
    params.iteration_limit = is_sanitized() ? 4 : is_long_test() ? 60 : 12;
    params.sweep = round == 2 ? ABUT_SWEEP_FORWARD : ABUT_SWEEP_CONJUGATE;
    return params;
}

// One, two, three and five threads, of OpenMP and of the caller; and loops of the caller that run everything on one
// thread, in one range or in many, although they were asked for five: nobody waits for a thread that does not run.
static void threads_agree(void **state)
{
    (void)state;
    static const struct {
        abut_parallel_for_function *loop; ///< NULL: OpenMP
        int threads;
    } ways[] = {{NULL, 1},
                {NULL, 2},
                {NULL, 3},
                {NULL, 5},
                {test_threaded_for, 2},
                {test_threaded_for, 3},
                {test_threaded_for, 5},
                {test_serial_for, 5},
                {test_single_for, 5}};
    for (int round = 0; round < 3; ++round) {
        bricks *first = make_scene(round == 1);
        abut_prox_params params = params_of(round);
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
            test_loops loops = {.thread_count = ways[i].threads};
            abut_context context =
                ways[i].loop != NULL ? test_loop_context(ways[i].loop, &loops) : abut_context_default();
            context.worker_count = ways[i].threads;
            bricks *b = i == 0 ? first : make_scene(round == 1);
            (void)bricks_solve(b, &context, &params, ABUT_ENGINE_FASTEST);
            CHECK(bricks_are_same(first, b), "round %d, way %d: %d threads", round, (int)i, ways[i].threads);
            CHECK(ways[i].loop == NULL || loops.count > 0, "the loops are the caller's");
            if (b != first) {
                free(b);
            }
        }
        free(first);
    }
    CHECK_DONE();
}

/// A plan of a wall for some threads.
typedef struct planned {
    abut_arena arena;
    abut_wide wide;
    abut_wide_pair pairs[BRICKS_CONTACTS];
} planned;

static void plan(const bricks *b, int segments, planned *p)
{
    unsigned char moves[BRICKS_BODIES + 1];
    abut_context context = abut_context_default();
    for (int i = 0; i < b->contact_count; ++i) {
        p->pairs[i].a = b->contacts[i].body_a == ABUT_SOLVE_WORLD ? b->body_count : b->contacts[i].body_a;
        p->pairs[i].b = b->contacts[i].body_b;
    }
    memset(moves, 1, sizeof moves);
    moves[b->body_count] = 0;
    abut_arena_init(&p->arena, &context);
    assert_int_equal(
        abut_wide_plan(&p->arena, p->pairs, b->contact_count, moves, b->body_count + 1, segments, &p->wide),
        ABUT_OK);
}

// The batches of a wall in one segment and in two. Two segments have about the same work, and there are a quarter more
// batches at most than the runs need. Only bricks along the cut are visited by both: a cut through all 48 columns has 48
// bricks, each with two above it and one beside it, and each of these is waited for at most once forward and once back.
static void segments_are_even(void **state)
{
    (void)state;
    bricks *b = bricks_make();
    bricks_add_wall(b, 24, 48, 0.0);
    planned *p = calloc(1, sizeof *p);
    assert_non_null(p);
    for (int segments = 1; segments <= 2; ++segments) {
        plan(b, segments, p);
        const abut_wide *w = &p->wide;
        CHECK_INT(w->segment_count, segments, "segments");
        int least = (w->run_count + ABUT_LANES - 1) / ABUT_LANES;
        CHECK(w->batch_count >= least && w->batch_count <= least + least / 4, "%d batches of %d runs",
              w->batch_count, w->run_count);
        int middle = abut_wide_range_begin(w, segments - 1, 0);
        CHECK(segments == 1 || abs(w->batch_count - 2 * middle) <= w->batch_count / 5, "%d and %d batches", middle,
              w->batch_count - middle);
        int waits = segments == 1 ? 0 : w->wait_ends[2 * w->level_count * segments - 1];
        CHECK(waits <= 2 * 3 * 48, "%d waits", waits);
        abut_arena_release(&p->arena);
    }
    free(p);
    free(b);
    CHECK_DONE();
}

// In whatever order threads reach their levels, a mover is visited in the order of the problem: if two batches share one,
// the later of them waits for a stage of the other's segment that comes after it, now or before.
static void segments_wait_for_each_other(void **state)
{
    (void)state;
    bricks *b = bricks_make();
    bricks_add_wall(b, 24, 48, 0.0);
    planned *p = calloc(1, sizeof *p);
    int *stage_of = calloc(BRICKS_BODIES, sizeof *stage_of),
        *segment_of = calloc(BRICKS_BODIES, sizeof *segment_of);
    assert_true(p != NULL && stage_of != NULL && segment_of != NULL);
    plan(b, 2, p);
    const abut_wide *w = &p->wide;
    int reached[2] = {0, 0}, crossings = 0; // what each segment knows of the other
    for (int stage = 0; stage < 2 * w->level_count; ++stage) {
        int is_back = stage >= w->level_count, level = is_back ? 2 * w->level_count - 1 - stage : stage;
        for (int segment = 0; segment < 2; ++segment) {
            int at = 2 * stage + segment;
            for (int i = at > 0 ? w->wait_ends[at - 1] : 0; i < w->wait_ends[at]; ++i) {
                CHECK_INT(w->waits[i].segment, 1 - segment, "the other segment");
                CHECK(w->waits[i].stages <= stage, "stage %d waits for %d", stage, w->waits[i].stages);
                reached[segment] = w->waits[i].stages;
            }
            for (int i = abut_wide_range_begin(w, segment, level); i < abut_wide_range_begin(w, segment, level + 1);
                 ++i) {
                for (int k = 0; k < 2 * ABUT_LANES; ++k) {
                    int mover = k % 2 == 0 ? w->batches[i].a[k / 2] : w->batches[i].b[k / 2];
                    if (mover == b->body_count) {
                        continue;
                    }
                    if (stage_of[mover] > 0 && segment_of[mover] != segment) {
                        ++crossings;
                        CHECK(reached[segment] >= stage_of[mover], "stage %d: mover %d", stage, mover);
                    }
                    stage_of[mover] = stage + 1;
                    segment_of[mover] = segment;
                }
            }
        }
    }
    CHECK(crossings > 20, "%d movers change segments", crossings);
    abut_arena_release(&p->arena);
    free(stage_of);
    free(segment_of);
    free(p);
    free(b);
    CHECK_DONE();
}

// Contacts between bodies at random: whatever the cut, each half has to wait for the other at every turn, which takes
// longer than working alone. So there is one segment. A wall of as many contacts has two (above).
static void tangles_are_not_cut(void **state)
{
    (void)state;
    enum { MOVERS = 1001, CONTACTS = 4000 };
    test_random random = {11};
    abut_wide_pair *pairs = malloc(CONTACTS * sizeof *pairs);
    unsigned char moves[MOVERS];
    assert_non_null(pairs);
    memset(moves, 1, sizeof moves);
    moves[MOVERS - 1] = 0;
    for (int i = 0; i < CONTACTS; ++i) {
        int a = random_below(&random, MOVERS - 2);
        pairs[i] = (abut_wide_pair){a, a + 1 + random_below(&random, MOVERS - 2 - a), i};
    }
    abut_context context = abut_context_default();
    abut_arena arena;
    abut_arena_init(&arena, &context);
    abut_wide wide;
    assert_int_equal(abut_wide_plan(&arena, pairs, CONTACTS, moves, MOVERS, 2, &wide), ABUT_OK);
    CHECK(wide.run_count / wide.level_count >= 4, "%d runs in %d levels: too little to do at a time",
          wide.run_count, wide.level_count);
    CHECK_INT(wide.segment_count, 1, "segments");
    abut_arena_release(&arena);
    free(pairs);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(segments_are_even),
        cmocka_unit_test(segments_wait_for_each_other),
        cmocka_unit_test(tangles_are_not_cut),
    };
    return cmocka_run_group_tests_name("solve_threads", tests, NULL, NULL);
}
