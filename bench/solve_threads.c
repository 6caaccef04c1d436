// SPDX-License-Identifier: MIT
// solve_threads.c: what more threads gain, beside what a trivial loop gains in the same run
//
// The loop computes on registers alone, in pieces of equal work: what it gains is what the machine can give at the
// moment. Runs on one thread and on all threads alternate, so that both see the same load of the machine; the least
// times count.
#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "solve_threads.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    ITERATIONS = 25, ///< 50 sweeps
    PIECES = 64,     ///< of the loop, with ROUNDS each
    ROUNDS = 1 << 14,
    MOST_REPEATS = 200
};

typedef struct solving {
    abut_solver *solver;
    abut_solve_problem problem;
    abut_solve_velocity *velocities;
    abut_context context;
} solving;

static uint64_t solve(void *data)
{
    const solving *s = data;
    abut_prox_params params = abut_prox_params_default();
    params.iteration_limit = ITERATIONS;
    params.relative_tolerance = 0.0;
    abut_solve_result result = {.velocities = s->velocities};
    if (abut_solve_prox(s->solver, &s->problem, &params, &result, NULL) != ABUT_OK) {
        return 0;
    }
    uint64_t hash = 0;
    for (int i = 0; i < s->problem.body_count; ++i) {
        uint64_t bits[sizeof *s->velocities / sizeof(uint64_t)];
        memcpy(bits, &s->velocities[i], sizeof bits);
        for (size_t k = 0; k < sizeof bits / sizeof bits[0]; ++k) {
            hash = bench_hash(hash, bits[k]);
        }
    }
    return hash;
}

static void loop_pieces(void *data, int begin, int end, int worker)
{
    uint64_t *results = data;
    (void)worker;
    for (int i = begin; i < end; ++i) {
        uint64_t hash = (uint64_t)i;
        for (int k = 0; k < ROUNDS; ++k) {
            hash = bench_hash(hash, (uint64_t)k);
        }
        results[i] = hash;
    }
}

static uint64_t loop(void *data)
{
    const solving *s = data;
    uint64_t results[PIECES], hash = 0;
    if (s->context.worker_count > 1) {
        s->context.parallel_for(s->context.user, PIECES, 1, loop_pieces, results);
    } else {
        loop_pieces(results, 0, PIECES, 0);
    }
    for (int i = 0; i < PIECES; ++i) {
        hash = bench_hash(hash, results[i]);
    }
    return hash;
}

static double seconds_of(bench_body *body, solving *work, uint64_t *hash)
{
    struct timespec begin, end;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    *hash = body(work);
    (void)clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}

// Two rows: one thread, and all threads with the gain. The bytes must be the same.
static int measure(bench_report *report, const bench_options *options, const char *scene, const char *subject,
                   bench_body *body, solving works[2])
{
    double times[2][MOST_REPEATS], all = 0.0;
    uint64_t hashes[2] = {body(&works[0]), body(&works[1])}; // warms up
    int count = 0, limit = options->repeats < MOST_REPEATS ? options->repeats : MOST_REPEATS;
    do {
        for (int i = 0; i < 2; ++i) {
            times[i][count] = seconds_of(body, &works[i], &hashes[i]);
            all += times[i][count];
        }
        if (hashes[0] != hashes[1]) {
            return bench_fail("%s, %s: threads change the result", scene, subject);
        }
    } while (++count < limit && all < 2.0 * options->seconds);
    double least = 0.0;
    for (int i = 0; i < 2; ++i) {
        bench_row row = {.scene = scene,
                         .subject = subject,
                         .threads = works[i].context.worker_count,
                         .calls = 1,
                         .hash = hashes[i]};
        (void)bench_median(times[i], count); // sorts
        if (i == 0) {
            least = times[i][0];
        } else {
            bench_add_value(&row, "gain", least / times[i][0]);
        }
        if (!bench_add(report, &row, times[i], count)) {
            return 0;
        }
    }
    return 1;
}

int solve_threads(bench_report *report, const bench_options *options, const solve_scene *scene)
{
    solving works[2] = {{.problem = solve_scene_problem(scene), .context = bench_context(0)},
                        {.problem = solve_scene_problem(scene), .context = bench_context(1)}};
    int done = works[1].context.worker_count > 1;
    if (!done) {
        return 1;
    }
    for (int i = 0; i < 2; ++i) {
        works[i].velocities = calloc((size_t)scene->body_count, sizeof *works[i].velocities);
        done = abut_solver_create(&works[i].context, &works[i].solver) == ABUT_OK && works[i].velocities != NULL &&
               done;
    }
    done = done ? measure(report, options, scene->name, "50 sweeps", solve, works) &&
                      measure(report, options, scene->name, "trivial loop", loop, works)
                : bench_fail("out of memory");
    for (int i = 0; i < 2; ++i) {
        abut_solver_destroy(works[i].solver);
        free(works[i].velocities);
    }
    return done;
}
