// SPDX-License-Identifier: MIT
// world_events.c: the time of an event, of worlds that go from event to event
#include "world_events.h"

#include <abut-lab/simulation.h>

enum { STEPS = 80 }; ///< of a scene

/// A run of a scene, and what it counted.
typedef struct run {
    const abut_setup *setup;
    int64_t events, trials;
} run;

/// Makes a simulation and runs all of its steps.
static uint64_t run_scene(void *data)
{
    run *r = data;
    abut_simulation *simulation = NULL;
    abut_context context = bench_context(0);
    abut_world_def def = abut_setup_world_def(r->setup);
    abut_error error;
    r->events = r->trials = 0;
    if (abut_simulation_create(&context, r->setup, &def, &simulation, &error) != ABUT_OK) {
        return 0;
    }
    for (int i = 0; i < r->setup->steps && abut_world_step(simulation->world, &error) == ABUT_OK; ++i) {
        abut_world_report report = abut_world_get_report(simulation->world);
        r->events += report.event_count;
        r->trials += report.trial_count;
    }
    abut_simulation_destroy(simulation);
    return (uint64_t)r->events << 32 | (uint64_t)r->trials;
}

int bench_world_events(bench_report *report, const bench_options *options)
{
    static const char *const scenes[] = {"rings", "tip", "stop"};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        abut_setup *setup = NULL;
        abut_error error;
        if (!bench_wants(options, scenes[i], NULL)) {
            continue;
        }
        if (abut_setup_create(NULL, scenes[i], &setup, &error) != ABUT_OK) {
            return bench_fail("%s", error.text);
        }
        setup->steps = setup->steps < STEPS ? setup->steps : STEPS;
        run r = {.setup = setup};
        (void)run_scene(&r); // counts
        bench_row row = {.scene = scenes[i], .subject = "an event", .threads = 1, .calls = r.events};
        bench_add_value(&row, "events", (double)r.events);
        bench_add_value(&row, "queries", (double)r.trials);
        bench_add_value(&row, "steps", setup->steps);
        int done = r.events > 0 && bench_measure(report, options, &row, run_scene, &r);
        abut_setup_destroy(setup);
        if (!done) {
            return bench_fail("%s: no events", scenes[i]);
        }
    }
    return 1;
}
