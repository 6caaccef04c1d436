// SPDX-License-Identifier: MIT
// simulate_output.c: prints a simulation
#include "verb/simulate_output.h"

#include "shared/contact_layout.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_STEPS = 10 }; ///< in a table

/// Statistics of the contact counts.
static abut_count_summary summarise(const abut_cli_simulated *simulated)
{
    int *counts = abut_cli_resize(NULL, (size_t)simulated->step_count, sizeof *counts);
    for (int i = 0; i < simulated->step_count; ++i) {
        counts[i] = simulated->steps[i].contact_count;
    }
    abut_count_summary summary = abut_summarise_counts(counts, simulated->step_count);
    free(counts);
    return summary;
}

static const abut_cli_member step_members[] = {
    {"step", "step", ABUT_CLI_AT(abut_cli_step, step)},
    {"time", "time", ABUT_CLI_AT(abut_cli_step, time)},
    {"contacts", "contacts", ABUT_CLI_AT(abut_cli_step, contact_count)},
    {"pairs", "pairs", ABUT_CLI_AT(abut_cli_step, pair_count)},
    {"outcome", "solver", ABUT_CLI_TEXT_OF(abut_cli_step, outcome, abut_cli_solve_words)},
    {"iterations", "iterations", ABUT_CLI_AT(abut_cli_step, iterations)},
    {"residual", "residual", ABUT_CLI_AT(abut_cli_step, residual)},
    {"kinetic_energy", "kinetic", ABUT_CLI_AT(abut_cli_step, energy.kinetic)},
    {"potential_energy", "potential", ABUT_CLI_AT(abut_cli_step, energy.potential)},
    {"moved", "moved", ABUT_CLI_AT(abut_cli_step, moved)},
    {"churn", "churn", ABUT_CLI_AT(abut_cli_step, churn)},
    {"events", NULL, ABUT_CLI_AT(abut_cli_step, event_count)},
    {"stepped_time", NULL, ABUT_CLI_AT(abut_cli_step, stepped_time)},
    {"cuts", NULL, ABUT_CLI_AT(abut_cli_step, cut_count)},
    {"impacts", NULL, ABUT_CLI_AT(abut_cli_step, impact_count)},
    {"held", NULL, ABUT_CLI_AT(abut_cli_step, held_count)},
    {"lost_time", NULL, ABUT_CLI_AT(abut_cli_step, lost_time)},
    {"force", NULL, ABUT_CLI_AT(abut_cli_step, force)},
    {"force_x", NULL, ABUT_CLI_AT(abut_cli_step, force_vector.x)},
    {"force_y", NULL, ABUT_CLI_AT(abut_cli_step, force_vector.y)},
    {"force_z", NULL, ABUT_CLI_AT(abut_cli_step, force_vector.z)},
    {"deepest", NULL, ABUT_CLI_AT(abut_cli_step, deepest)},
    {"contact_step", NULL, ABUT_CLI_AT(abut_cli_step, contact_step)},
    {"tracked", NULL, ABUT_CLI_AT(abut_cli_step, tracked_count)},
    {"elastic_energy", NULL, ABUT_CLI_AT(abut_cli_step, energy.elastic)},
    {"inverted", NULL, ABUT_CLI_AT(abut_cli_step, inverted_count)},
};
static const abut_cli_layout step_layout = ABUT_CLI_LAYOUT(step_members);

static abut_cli_rows step_rows(const void *row)
{
    const abut_cli_simulated *simulated = row;
    return (abut_cli_rows){&step_layout, simulated->steps, simulated->step_count, sizeof *simulated->steps};
}

static const abut_cli_member event_members[] = {
    {"kind", NULL, ABUT_CLI_WORD_AT(abut_world_event, kind, abut_cli_event_words)},
    {"time", NULL, ABUT_CLI_AT(abut_world_event, time)},
    {"body_a", NULL, ABUT_CLI_AT(abut_world_event, body_a)},
    {"body_b", NULL, ABUT_CLI_AT(abut_world_event, body_b)},
    {"contacts", NULL, ABUT_CLI_AT(abut_world_event, contact_count)},
    {"speed", NULL, ABUT_CLI_AT(abut_world_event, speed)},
};
static const abut_cli_layout event_layout = ABUT_CLI_LAYOUT(event_members);

static abut_cli_rows event_rows(const void *row)
{
    const abut_cli_simulated *simulated = row;
    return (abut_cli_rows){&event_layout, simulated->events, simulated->event_count, sizeof *simulated->events};
}

static int has_events(const void *row)
{
    return ((const abut_cli_simulated *)row)->def->stepper == ABUT_STEPPER_EVENTS;
}

/// A body at the end of the run.
typedef struct body_row {
    const char *name;
    abut_body_state state;
} body_row;

static const abut_cli_member body_members[] = {
    {"name", NULL, ABUT_CLI_AT(body_row, name)},
    {"pose", NULL, ABUT_CLI_AT(body_row, state.pose)},
    {"linear_velocity", NULL, ABUT_CLI_AT(body_row, state.linear_velocity)},
    {"angular_velocity", NULL, ABUT_CLI_AT(body_row, state.angular_velocity)},
};
static const abut_cli_layout body_layout = ABUT_CLI_LAYOUT(body_members);

static json_t *json_bodies(const void *row)
{
    const abut_cli_simulated *simulated = row;
    json_t *bodies = json_array();
    for (int i = 0; i < simulated->setup->body_count; ++i) {
        body_row body = {simulated->setup->bodies[i].name, abut_world_get_body(simulated->world, i)};
        json_array_append_new(bodies, abut_cli_json_of(&body_layout, &body));
    }
    return bodies;
}

static json_t *json_counts(const void *row)
{
    abut_count_summary counts = summarise(row);
    return abut_cli_json_of(&abut_cli_count_layout, &counts);
}

static const char *scene_text(const void *row)
{
    return ((const abut_cli_simulated *)row)->setup->name;
}

static const char *method_text(const void *row)
{
    return ((const abut_cli_simulated *)row)->def->method->name;
}

static double step_length(const void *row)
{
    return ((const abut_cli_simulated *)row)->def->dt;
}

static const abut_cli_member document_members[] = {
    {"scene", NULL, ABUT_CLI_TEXT_BY(scene_text)},
    {"method", NULL, ABUT_CLI_TEXT_BY(method_text)},
    {"dt", NULL, ABUT_CLI_REAL_BY(step_length)},
    {"end", NULL, ABUT_CLI_AT(abut_cli_simulated, end)},
    {"contacts", NULL, ABUT_CLI_JSON_BY(json_counts)},
    {"steps", NULL, ABUT_CLI_ROWS_BY(step_rows)},
    {"events", NULL, ABUT_CLI_ROWS_BY(event_rows), .applies = has_events},
    {"bodies", NULL, ABUT_CLI_JSON_BY(json_bodies)},
};
static const abut_cli_layout document_layout = ABUT_CLI_LAYOUT(document_members);

/// Picks the steps for the table: about ten, evenly spaced, and the last. Returns their number.
static int pick_steps(const abut_cli_simulated *simulated, abut_cli_step shown[SHOWN_STEPS + 1])
{
    int stride = simulated->step_count / SHOWN_STEPS + (simulated->step_count % SHOWN_STEPS != 0), count = 0;
    for (int i = 0; i < simulated->step_count; ++i) {
        if (i + 1 == simulated->step_count || (i + 1) % stride == 0) {
            shown[count++] = simulated->steps[i];
        }
    }
    return count;
}

/// Tells how many events there were, and in how many steps too many.
static void print_events(const abut_cli_simulated *simulated, FILE *stream)
{
    int counts[ABUT_WORLD_END + 1] = {0}, late = 0;
    for (int i = 0; i < simulated->event_count; ++i) {
        ++counts[simulated->events[i].kind];
    }
    for (int i = 0; i < simulated->step_count; ++i) {
        late += simulated->steps[i].stepped_time > 0.0;
    }
    (void)fprintf(stream, "Events: %d collision%s; contacts at rest: %d began, %d ended, %d released\n",
                  counts[ABUT_WORLD_COLLISION], abut_cli_plural(counts[ABUT_WORLD_COLLISION]),
                  counts[ABUT_WORLD_BEGIN], counts[ABUT_WORLD_END], counts[ABUT_WORLD_RELEASE]);
    if (late > 0) {
        (void)fprintf(
            stream,
            "In %d of %d step%s there were too many events, or bodies overlapped: the rest of the step was "
            "time-stepped\n",
            late, simulated->step_count, abut_cli_plural(simulated->step_count));
    }
}

/// Tells how often bodies met within a step, and in how many steps they were held.
static void print_impacts(const abut_cli_simulated *simulated, FILE *stream)
{
    int impacts = 0, held = 0;
    double lost = 0.0;
    for (int i = 0; i < simulated->step_count; ++i) {
        impacts += simulated->steps[i].impact_count;
        held += simulated->steps[i].held_count > 0;
        lost += simulated->steps[i].lost_time;
    }
    if (impacts > 0) {
        (void)fprintf(stream, "Impacts within steps: %d\n", impacts);
    }
    if (held > 0) {
        (void)fprintf(stream, "In %d of %d step%s there were too many impacts: bodies were held, for %.3g in all\n",
                      held, simulated->step_count, abut_cli_plural(simulated->step_count), lost);
    }
}

/// Tells the longest step with which the elastic forces of explicit soft bodies are stable, as they are now.
static void print_explicit(const abut_cli_simulated *simulated, FILE *stream)
{
    const abut_setup *setup = simulated->setup;
    double least = HUGE_VAL;
    int body = -1;
    for (int i = 0; i < setup->body_count; ++i) {
        int soft = setup->bodies[i].soft - 1;
        if (soft >= 0 && setup->softs[soft].integrator == ABUT_SOFT_EXPLICIT) {
            double step = abut_soft_critical_step(abut_world_body_soft(simulated->world, i));
            body = step < least ? i : body;
            least = fmin(least, step);
        }
    }
    if (body >= 0) {
        double dt = simulated->def->dt;
        (void)fprintf(stream, "Explicit soft bodies: dt is %g, the least critical step %.3g, of %s%s\n", dt, least,
                      setup->bodies[body].name,
                      dt < least ? "" : ": motion grows without end; shorten --dt or take implicit steps");
    }
}

/// Tells the longest step with which all penalty forces are stable, and what went wrong with soft bodies.
static void print_forces(const abut_cli_simulated *simulated, FILE *stream)
{
    double longest = HUGE_VAL;
    int unsettled = 0, inverted = 0;
    for (int i = 0; i < simulated->step_count; ++i) {
        longest = fmin(longest, simulated->steps[i].contact_step);
        unsettled += simulated->steps[i].unsettled_count > 0;
        inverted += simulated->steps[i].inverted_count > 0;
    }
    if (longest < HUGE_VAL) {
        double dt = simulated->def->dt;
        (void)fprintf(stream, "Penalty forces: dt is %g, the least sqrt(2 m / k) of all contacts %.3g%s\n", dt,
                      longest,
                      dt < longest ? "" : ": forces may grow without end; shorten --dt or lower --stiffness");
    }
    if (unsettled > 0) {
        (void)fprintf(stream, "In %d step%s a soft body did not reach its accuracy\n", unsettled,
                      abut_cli_plural(unsettled));
    }
    if (inverted > 0) {
        (void)fprintf(stream, "In %d step%s tetrahedra were inside out\n", inverted, abut_cli_plural(inverted));
    }
}

static void write_steps(const void *data, const abut_cli_table *table, FILE *out)
{
    const abut_cli_simulated *simulated = data;
    const abut_world_def *def = simulated->def;
    (void)fprintf(out, "%s, method %s, %d step%s of %g: %s\n\n", simulated->setup->name, def->method->name,
                  simulated->step_count, abut_cli_plural(simulated->step_count), def->dt, simulated->end);
    abut_cli_table_print(table, 0, abut_cli_row_count(table), out);
    if (simulated->step_count > 0) {
        abut_count_summary counts = summarise(simulated);
        (void)fprintf(out, "\nContacts per step: mean %.2f, least %d, most %d, standard deviation %.2f\n",
                      counts.mean, counts.least, counts.most, counts.deviation);
        print_impacts(simulated, out);
        print_forces(simulated, out);
        print_explicit(simulated, out);
        if (has_events(simulated)) {
            print_events(simulated, out);
        }
    }
}

abut_cli_exit abut_cli_simulated_print(const abut_cli_simulated *simulated, abut_cli_format format)
{
    abut_cli_step shown[SHOWN_STEPS + 1];
    abut_cli_report report = {&document_layout, simulated, step_rows(simulated), write_steps};
    if (format == ABUT_CLI_TABLE) {
        report.rows.items = shown;
        report.rows.count = pick_steps(simulated, shown);
    }
    return abut_cli_report_print(&report, format);
}
