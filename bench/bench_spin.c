// SPDX-License-Identifier: MIT
// bench_spin.c: time of a step of the benchmarks of Yi and Drumwright 2016, and its shares, beside their Table II
//
// Scenes: a cube on its face, spheres of 50 to 2000 vertices on a box, and spheres on a fixed sphere, in random
// orientations, spinning without slip; steps of 0.001. The method is `convex`, on one thread. A round is the first
// steps of a simulation; the time of each part is the least over the rounds. The counterpart of the paper's V-Clip
// is the signed distance: V-Clip if the bodies are apart, a walk over facets if they overlap. It is measured
// separately, at the poses after the steps and with its memory. Contact determination is the rest of the narrow
// phase, mostly the manifold.
#include "groups.h"

#include <abut-lab/paper.h>
#include <abut-lab/recording.h>
#include <abut-lab/spinning.h>
#include <abut/convex.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, ROUNDS = 100, PARTS = 4 };
enum { MOVE, NARROW, SOLVE, DISTANCE };

typedef struct profile {
    const abut_setup *setup;
    abut_pose poses[STEPS]; ///< of the spinning body, after each step
    double times[PARTS];    ///< of a round, in seconds
    int64_t contacts;
    int overlaps; ///< steps after which the bodies overlap
    uint64_t hash;
    abut_convex *shapes[2];
} profile;

static uint64_t hash_number(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bench_hash(hash, bits);
}

/// The least times of all rounds.
static void keep_times(profile *p, const double times[PARTS], int is_first)
{
    for (int i = 0; i < DISTANCE; ++i) {
        p->times[i] = is_first ? times[i] : fmin(p->times[i], times[i]);
    }
}

static int run_round(profile *p, const abut_context *context, double *time, int is_first)
{
    abut_error error;
    abut_step_clock clock = abut_step_clock_default();
    abut_world_def def = abut_setup_world_def(p->setup);
    def.method = abut_method_find("convex");
    def.callbacks = abut_step_clock_callbacks(&clock);
    abut_simulation *simulation;
    if (abut_simulation_create(context, p->setup, &def, &simulation, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    double times[PARTS] = {0.0};
    uint64_t hash = 0;
    int done = 1;
    p->contacts = 0;
    for (int i = 0; i < STEPS && done; ++i) {
        done = abut_world_step(simulation->world, &error) == ABUT_OK || bench_fail("%s", error.text);
        times[MOVE] += clock.timing.move + clock.timing.broad;
        times[NARROW] += clock.timing.narrow;
        times[SOLVE] += clock.timing.solve;
        abut_body_state state = abut_world_get_body(simulation->world, 0);
        p->poses[i] = state.pose;
        p->contacts += abut_world_get_report(simulation->world).contact_count;
        hash = hash_number(hash_number(hash, state.center.y), state.angular_velocity.y);
    }
    abut_simulation_destroy(simulation);
    keep_times(p, times, is_first);
    *time = times[MOVE] + times[NARROW] + times[SOLVE];
    if (done && !is_first && hash != p->hash) {
        return bench_fail("two rounds gave different results");
    }
    p->hash = hash;
    return done;
}

/// The signed distances at all poses, one after the other.
static uint64_t run_distances(void *data)
{
    profile *p = data;
    abut_convex_memory memory = {{0}, {0.0, 0.0, 0.0}};
    uint64_t hash = 0;
    p->overlaps = 0;
    abut_convex_pair pair = abut_convex_pair_default(p->shapes[0], p->shapes[1]);
    pair.pose_b = p->setup->bodies[1].pose;
    for (int i = 0; i < STEPS; ++i) {
        abut_convex_result result;
        pair.pose_a = p->poses[i];
        if (abut_convex_distance(&pair, &memory, &memory, &result) == ABUT_OK) {
            hash = hash_number(hash, result.distance);
            p->overlaps += result.distance < 0.0;
        }
    }
    return hash;
}

static void distance_call(void *data, int i)
{
    (void)i;
    (void)run_distances(data);
}

static int measure_distances(profile *p, const bench_options *options)
{
    abut_error error = {0};
    int done = 1;
    for (int i = 0; i < 2 && done; ++i) {
        const abut_mesh *mesh = p->setup->meshes[p->setup->bodies[i].mesh].mesh;
        done =
            abut_convex_create(NULL, mesh, NULL, &p->shapes[i], &error) == ABUT_OK || bench_fail("%s", error.text);
    }
    bench_spread spread;
    done = done && bench_measure_calls(options, 1, distance_call, p, &spread);
    p->times[DISTANCE] = done ? 1e-9 * spread.mean_ns : 0.0;
    abut_convex_destroy(p->shapes[0]);
    abut_convex_destroy(p->shapes[1]);
    return done;
}

static const abut_paper_profile *find_paper(const char *scene, int vertices)
{
    int count;
    const abut_paper_profile *profiles = abut_paper_profiles(&count);
    for (int i = 0; i < count; ++i) {
        if (strcmp(profiles[i].scene, scene) == 0 && profiles[i].vertices_b == vertices) {
            return &profiles[i];
        }
    }
    return NULL;
}

static int add_profile(bench_report *report, profile *p, const char *scene, const char *subject, int vertices,
                       double *times, int count)
{
    double all = p->times[MOVE] + p->times[NARROW] + p->times[SOLVE],
           distance = fmin(p->times[DISTANCE], p->times[NARROW]);
    bench_row row = {.scene = scene, .subject = subject, .threads = 1, .calls = STEPS, .hash = p->hash};
    bench_add_value(&row, "contact_percent", 100.0 * (p->times[NARROW] - distance) / all);
    bench_add_value(&row, "distance_percent", 100.0 * distance / all);
    bench_add_value(&row, "solve_percent", 100.0 * p->times[SOLVE] / all);
    bench_add_value(&row, "contacts", (double)p->contacts / STEPS);
    bench_add_value(&row, "overlap_percent", 100.0 * p->overlaps / STEPS);
    const abut_paper_profile *paper = find_paper(scene, vertices);
    if (paper != NULL) {
        bench_add_value(&row, "paper_ns", 1e6 * paper->step_ms);
        bench_add_value(&row, "paper_contact_percent", paper->contact_percent);
        bench_add_value(&row, "paper_vclip_percent", paper->vclip_percent);
    }
    return bench_add(report, &row, times, count);
}

static int measure(bench_report *report, const bench_options *options, const char *scene, const char *subject,
                   int vertices)
{
    abut_error error;
    abut_setup *setup;
    abut_spin_params params = abut_spin_params_default(scene);
    int is_box = strcmp(scene, "spinning-box") == 0;
    params.vertices = is_box ? params.vertices : vertices;
    params.start = is_box ? ABUT_SPIN_FACE : ABUT_SPIN_RANDOM;
    if (abut_spin_setup(NULL, &params, &setup, &error) != ABUT_OK) {
        return bench_fail("%s", error.text);
    }
    profile p = {.setup = setup};
    abut_context context = bench_context(0);
    double seconds = 0.0, times[ROUNDS];
    int rounds = 0, done;
    do {
        done = run_round(&p, &context, &times[rounds], rounds == 0);
        seconds += times[rounds++];
    } while (done && rounds < ROUNDS && rounds < options->repeats && seconds < options->seconds);
    done =
        done && measure_distances(&p, options) && add_profile(report, &p, scene, subject, vertices, times, rounds);
    abut_setup_destroy(setup);
    return done;
}

int bench_spin(bench_report *report, const bench_options *options)
{
    static const struct {
        const char *scene, *subject;
        int vertices;
    } rows[] = {{"spinning-box", "8 and 8 vertices", 8},
                {"spinning-sphere", "8 and 50 vertices", 50},
                {"spinning-sphere", "8 and 200 vertices", 200},
                {"spinning-sphere", "8 and 2000 vertices", 2000},
                {"rolling-spheres", "50 and 50 vertices", 50},
                {"rolling-spheres", "100 and 100 vertices", 100},
                {"rolling-spheres", "200 and 200 vertices", 200},
                {"rolling-spheres", "1000 and 1000 vertices", 1000},
                {"rolling-spheres", "2000 and 2000 vertices", 2000}};
    int done = 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && done; ++i) {
        done = measure(report, options, rows[i].scene, rows[i].subject, rows[i].vertices);
    }
    bench_note(report, "paper_ns and the paper's shares: Yi and Drumwright 2016, Table II and section V-C, on a "
                       "2.7 GHz processor of 2016; the "
                       "shares of its sphere on a box add up to 102.");
    return done;
}
