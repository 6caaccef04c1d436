// SPDX-License-Identifier: MIT
// bench_world.c: time of a step of simulations, by its parts, and how it grows with the bodies
//
// Scenes: Wall and colosseum as `abut simulate` runs them, and fields of 100 to 10,000 boxes on one ground, in
// separate stacks of four; each box is rotated against the one below, so that they meet in octagons, and slides on
// it at 1 or sqrt 2. The method is `regions`. A simulation is repeated until the time is used up; the time of a
// step is its least over these rounds. There are rows for the first steps, in which impulses build up, and for the
// next ones; times and counts are medians over these steps. A conjugate iteration is two sweeps. The hash covers
// all poses after the first steps, and must be the same for any number of threads.
#include "groups.h"
#include "torus.h"
#include "world_events.h"
#include "world_peers.h"

#include <abut-lab/recording.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_STEPS = 5,
    STEPS = 20, ///< at most; if time is short, at least one after the first ones
    STACK = 4,  ///< boxes in a stack of a field
    PARTS = 5   ///< move, broad, narrow, solve, and all of them
};

enum { PAIRS, CONTACTS, ITERATIONS, COUNTS };

/// Times of a step, in seconds, and its counts.
typedef struct step {
    double times[PARTS];
    double counts[COUNTS];
} step;

/// Rounds of a simulation.
typedef struct rounds {
    step steps[STEPS];
    int step_count;
    int count;
    int body_count;
    uint64_t hash;
} rounds;

/// Medians of the parts of the later steps, in nanoseconds.
typedef struct medians {
    double of[PARTS];
} medians;

static uint64_t hash_bodies(const abut_world *world)
{
    uint64_t hash = 0;
    for (int i = 0; i < abut_world_body_count(world); ++i) {
        abut_pose pose = abut_world_get_body(world, i).pose;
        const double numbers[7] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.w,
                                   pose.rotation.x, pose.rotation.y, pose.rotation.z};
        for (int k = 0; k < 7; ++k) {
            uint64_t bits;
            memcpy(&bits, &numbers[k], sizeof bits);
            hash = bench_hash(hash, bits);
        }
    }
    return hash;
}

static void keep_step(rounds *r, int index, const abut_world *world, const abut_recording_timing *t)
{
    step *kept = &r->steps[index];
    const double times[PARTS] = {t->move, t->broad, t->narrow, t->solve, t->move + t->broad + t->narrow + t->solve};
    for (int i = 0; i < PARTS; ++i) {
        kept->times[i] = r->count == 0 ? times[i] : fmin(kept->times[i], times[i]);
    }
    abut_world_report report = abut_world_get_report(world);
    kept->counts[PAIRS] = report.pair_count;
    kept->counts[CONTACTS] = report.contact_count;
    kept->counts[ITERATIONS] = report.iterations;
}

/// Runs one round and subtracts its time from `seconds`, the time that is left.
static int run_round(rounds *r, const abut_setup *setup, const abut_context *context, double *seconds)
{
    abut_error error;
    abut_step_clock clock = abut_step_clock_default();
    abut_simulation *simulation;
    abut_world_def def = abut_setup_world_def(setup);
    def.callbacks = abut_step_clock_callbacks(&clock);
    if (abut_simulation_create(context, setup, &def, &simulation, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    int done = 1, limit = r->count == 0 ? STEPS : r->step_count;
    for (int i = 0; i < limit && done; ++i) {
        done = abut_world_step(simulation->world, &error) == ABUT_OK || bench_fail("%s", error.text);
        keep_step(r, i, simulation->world, &clock.timing);
        *seconds -= r->steps[i].times[PARTS - 1];
        if (r->count == 0) {
            r->step_count = i + 1;
            limit = i >= FIRST_STEPS && *seconds <= 0.0 ? i + 1 : limit;
        }
        if (i + 1 == FIRST_STEPS && done) {
            uint64_t hash = hash_bodies(simulation->world);
            done = r->count == 0 || hash == r->hash || bench_fail("two rounds gave different results");
            r->hash = hash;
        }
    }
    r->body_count = abut_world_body_count(simulation->world);
    abut_simulation_destroy(simulation);
    ++r->count;
    return done;
}

/// The median of a number over the steps from `begin` on; the number is given by its address in the first step.
static double take(const rounds *r, int begin, int end, const double *of_first, double values[STEPS])
{
    ptrdiff_t offset = (const char *)of_first - (const char *)&r->steps[0];
    for (int i = begin; i < end; ++i) {
        memcpy(&values[i - begin], (const char *)&r->steps[i] + offset, sizeof *values);
    }
    return bench_median(values, end - begin);
}

/// A row for the steps from `begin` on.
static int add_row(bench_report *report, const rounds *r, bench_row row, int begin, int end, medians *found)
{
    static const char *const times[PARTS - 1] = {"move_ns", "broad_ns", "narrow_ns", "solve_ns"};
    static const char *const counts[COUNTS] = {"pairs", "contacts", "iterations"};
    double values[STEPS];
    for (int i = 0; i < PARTS - 1; ++i) {
        found->of[i] = 1e9 * take(r, begin, end, &r->steps[0].times[i], values);
        bench_add_value(&row, times[i], found->of[i]);
    }
    bench_add_value(&row, "bodies", r->body_count);
    for (int i = 0; i < COUNTS; ++i) {
        bench_add_value(&row, counts[i], take(r, begin, end, &r->steps[0].counts[i], values));
    }
    found->of[PARTS - 1] = 1e9 * take(r, begin, end, &r->steps[0].times[PARTS - 1], values);
    bench_add_value(&row, "body_ns", found->of[PARTS - 1] / r->body_count);
    return bench_add(report, &row, values, end - begin);
}

static int run_setup(bench_report *report, const bench_options *options, const abut_setup *setup, const char *scene,
                     const abut_context *context, medians *found, uint64_t *hash)
{
    rounds r = {.count = 0};
    double seconds = options->seconds;
    do {
        if (!run_round(&r, setup, context, &seconds)) {
            return 0;
        }
    } while (r.count < options->repeats && seconds > 0.0);
    *hash = r.hash;
    medians first;
    bench_row row = {.scene = scene, .threads = context->worker_count, .calls = 1, .hash = r.hash};
    row.subject = "first 5 steps";
    int done = add_row(report, &r, row, 0, FIRST_STEPS, &first);
    row.subject = "next steps";
    return done && add_row(report, &r, row, FIRST_STEPS, r.step_count, found);
}

// Measures with one thread and with all threads, if there are more; `found` gets the medians of both.
static int measure(bench_report *report, const bench_options *options, const abut_setup *setup, const char *scene,
                   medians found[2])
{
    uint64_t hashes[2];
    for (int has_threads = 0; has_threads < 2; ++has_threads) {
        abut_context context = bench_context(has_threads);
        if (has_threads && context.worker_count < 2) {
            break;
        }
        if (!run_setup(report, options, setup, scene, &context, &found[has_threads], &hashes[has_threads])) {
            return 0;
        }
        if (hashes[has_threads] != hashes[0]) {
            return bench_fail("the number of threads changed the result");
        }
    }
    return 1;
}

static int measure_named(bench_report *report, const bench_options *options, const char *name)
{
    abut_setup *setup;
    abut_error error;
    medians found[2];
    if (!bench_wants(options, name, NULL)) {
        return 1;
    }
    if (abut_setup_create(NULL, name, &setup, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    int done = measure(report, options, setup, name, found);
    abut_setup_destroy(setup);
    return done;
}

static void place_boxes(abut_setup_body *bodies, int stacks, int side)
{
    bodies[0] = (abut_setup_body){.name = "ground", .is_fixed = 1, .pose = abut_pose_identity()};
    bodies[0].pose.position.y = -0.5;
    for (int i = 0; i < STACK * stacks; ++i) {
        int stack = i / STACK, level = i % STACK;
        abut_vec3 position = abut_vec3_make(2.0 * (stack % side) - side, level + 0.5, 2.0 * (stack / side) - side);
        abut_quat turn = abut_quat_from_axis(abut_vec3_make(0.0, 1.0, 0.0), 0.3 * level);
        bodies[i + 1] = (abut_setup_body){.mesh = 1, .pose = abut_pose_make(position, turn)};
        bodies[i + 1].linear_velocity = abut_vec3_make(level % 2, 0.0, 1 - level % 2);
    }
}

static int measure_field(bench_report *report, const bench_options *options, const char *name, int stacks,
                         medians found[2])
{
    int side = (int)ceil(sqrt(stacks)), count = STACK * stacks + 1;
    abut_setup_mesh meshes[2] = {{.mesh = NULL}};
    // Stacks slide without tipping: 0.2 times half their height is less than half their width.
    abut_setup_material stone = {.density = 1000.0, .friction = 0.2};
    abut_setup_body *bodies = malloc((size_t)count * sizeof *bodies);
    abut_setup setup = {.meshes = meshes,
                        .mesh_count = 2,
                        .materials = &stone,
                        .material_count = 1,
                        .bodies = bodies,
                        .body_count = count,
                        .gravity = {0.0, -9.82, 0.0},
                        .dt = 0.01};
    int done = (bodies != NULL || bench_fail("out of memory")) &&
               bench_make_box(abut_vec3_make(2.0 * side + 2.0, 1.0, 2.0 * side + 2.0), &meshes[0].mesh) &&
               bench_make_box(abut_vec3_make(1.0, 1.0, 1.0), &meshes[1].mesh);
    if (done) {
        place_boxes(bodies, stacks, side);
        done = measure(report, options, &setup, name, found);
    }
    abut_mesh_destroy(meshes[0].mesh);
    abut_mesh_destroy(meshes[1].mesh);
    free(bodies);
    return done;
}

static void note_growth(bench_report *report, const medians *first, const medians *last, double factor, int threads)
{
    double e[PARTS];
    for (int i = 0; i < PARTS; ++i) {
        e[i] = log(last->of[i] / first->of[i]) / log(factor);
    }
    bench_note(report,
               "fields, %d thread%s: exponents of growth with the bodies: step %.2f, move %.2f, broad %.2f, narrow "
               "%.2f, solve %.2f",
               threads, threads > 1 ? "s" : "", e[4], e[0], e[1], e[2], e[3]);
}

int bench_world(bench_report *report, const bench_options *options)
{
    static const struct {
        const char *name;
        int stacks;
    } fields[] = {{"field of 100", 25},
                  {"field of 316", 79},
                  {"field of 1,000", 250},
                  {"field of 3,164", 791},
                  {"field of 10,000", 2500}};
    enum { FIELDS = sizeof fields / sizeof fields[0], SMALL_FIELDS = 3 };
    medians found[FIELDS][2];
    int count = options->is_large ? FIELDS : SMALL_FIELDS;
    int done = measure_named(report, options, "wall") && measure_named(report, options, "colosseum");
    int measured = 0;
    for (int i = 0; i < count && done; ++i) {
        if (bench_wants(options, fields[i].name, NULL)) {
            done = measure_field(report, options, fields[i].name, fields[i].stacks, found[i]);
            ++measured;
        }
    }
    int threads = bench_context(1).worker_count;
    for (int k = 0; done && measured == count && k < (threads > 1 ? 2 : 1); ++k) {
        note_growth(report, &found[0][k], &found[count - 1][k], (double)fields[count - 1].stacks / fields[0].stacks,
                    k == 0 ? 1 : threads);
    }
    return done && bench_world_events(report, options) && bench_world_peers(report, options);
}
