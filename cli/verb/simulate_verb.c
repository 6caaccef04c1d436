// SPDX-License-Identifier: MIT
// simulate_verb.c: abut simulate CASE|SCENE.json
#include "shared/output.h"
#include "shared/parse.h"
#include "shared/progress.h"
#include "shared/query_options.h"
#include "verb/record.h"
#include "verb/setup_source.h"
#include "verb/simulate_output.h"
#include "verb/verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_FINDINGS = 5, ///< of abut_world_validate()
    FIRST_ROWS = 64     ///< doubled as needed: 64 x 2^24 > 1e9, the limit of --steps
};

typedef struct simulate_request {
    abut_cli_format format;
    const char *name; ///< of the scene
    int is_file;      ///< `name` is a file, not a case or scene
    int is_repaired;  ///< --repair
    abut_setup *setup;
    abut_world_def def;
    abut_prox_params prox;       ///< `def` points to it
    abut_response_params forces; ///< and to this, with penalty forces
    abut_cli_record record;
    abut_cli_methods methods;
    abut_cli_query query;
    abut_simulation *simulation;
    int steps;
    abut_cli_step *rows;
    int row_count, row_capacity;
    abut_world_event *events; ///< of all steps
    int event_count;
    size_t event_capacity;
    abut_status status; ///< of the last step
    abut_error error;
    int is_interrupted;
    unsigned char *is_watched; ///< by body: --watch names it; NULL: there is no such option
} simulate_request;

// ---------------------------------------------------------------------------------------------------------------
// Options

/// Creates the setup of a spinning body, and reads the options that only these have.
static abut_cli_exit load_spinning(const abut_cli_arguments *arguments, simulate_request *request)
{
    static const char *const starts[] = {"vertex", "face", "random", NULL};
    abut_spin_params params = abut_spin_params_default(request->name);
    if (strcmp(request->name, "spinning-box") == 0 && abut_cli_value_of(arguments, "vertices") != NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --vertices works for spheres only, not for spinning-box");
    }
    int start = (int)params.start, seed = (int)params.seed;
    abut_cli_exit code = abut_cli_count_of(arguments, "vertices", 0, &params.vertices);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "start", starts, &start);
    code = code != ABUT_CLI_DONE ? code : abut_cli_count_of(arguments, "seed", 0, &seed);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "radius", &params.radius);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "dt", &params.dt);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    params.start = (abut_spin_start)start;
    params.seed = (uint64_t)seed;
    abut_error error = {0};
    abut_status status = abut_spin_setup(NULL, &params, &request->setup, &error);
    return status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_status(status, &error);
}

/// Refuses the options of spinning bodies.
static abut_cli_exit refuse_spinning(const abut_cli_arguments *arguments, const char *name)
{
    static const char *const names[] = {"vertices", "start", "seed", "radius"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (abut_cli_value_of(arguments, names[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "option --%s works for %sspinning-sphere and rolling-spheres only, not for %s",
                                 names[i], i > 0 ? "spinning-box, " : "", name);
        }
    }
    return ABUT_CLI_DONE;
}

static abut_cli_exit ask_for_name(void)
{
    char *names = abut_cli_setup_names();
    abut_cli_exit code = abut_cli_fail(
        ABUT_CLI_BAD_INPUT,
        "too few arguments: abut simulate needs a scene: a file that ends in .json, or one of %s", names);
    free(names);
    return code;
}

/// Whether a scene file that is refused can be simulated if its mesh files are repaired.
static int repair_helps(const simulate_request *request)
{
    abut_setup *setup = NULL;
    abut_simulation *simulation = NULL;
    if (request->is_repaired || !request->is_file ||
        abut_setup_read_repaired(NULL, request->name, &setup, NULL) != ABUT_OK) {
        return 0;
    }
    int helps = abut_simulation_create(NULL, setup, &request->def, &simulation, NULL) == ABUT_OK;
    abut_simulation_destroy(simulation);
    abut_setup_destroy(setup);
    return helps;
}

static abut_cli_exit load_setup(const abut_cli_arguments *arguments, simulate_request *request)
{
    if (abut_cli_is_one_of(abut_spin_names, request->name)) {
        return load_spinning(arguments, request);
    }
    if (refuse_spinning(arguments, request->name) != ABUT_CLI_DONE) {
        return ABUT_CLI_BAD_INPUT;
    }
    request->is_repaired = abut_cli_value_of(arguments, "repair") != NULL;
    abut_cli_exit code =
        abut_cli_setup_load(request->name, request->is_repaired, &request->setup, &request->is_file);
    if (code == ABUT_CLI_DONE && request->is_repaired && !request->is_file) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --repair is for scene files: '%s' has no mesh files",
                             request->name);
    }
    return code;
}

static abut_cli_exit vector_of(const abut_cli_arguments *arguments, const char *name, abut_vec3 *vector)
{
    const char *text = abut_cli_value_of(arguments, name);
    char wrong[ABUT_CLI_WRONG_ROOM];
    return text == NULL || abut_cli_parse_vector(text, vector, wrong)
               ? ABUT_CLI_DONE
               : abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --%s '%s': %s", name, text, wrong);
}

static abut_cli_exit read_method(const abut_cli_arguments *arguments, simulate_request *request)
{
    abut_cli_exit code = abut_cli_method_select(arguments, &request->methods);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    code = abut_cli_methods_check_motion(&request->methods);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    code = abut_cli_query_of(arguments, &request->methods.items[0], 0, &request->query);
    request->def.method =
        request->def.response != NULL ? abut_method_find("continuous") : request->methods.items[0].row;
    request->def.params = request->def.response != NULL ? NULL : &request->query.params;
    return code;
}

/// Reads the options of penalty forces. `kind` is that of the forces, or -1: the solver keeps bodies apart.
static abut_cli_exit read_forces(const abut_cli_arguments *arguments, int kind, simulate_request *request)
{
    static const char *const names[] = {"stiffness", "reach", "pairs", "sliding", "viscosity"};
    static const char *const unused[] = {"method", "tolerance", "envelope", "merge", "angle"};
    static const char *const weights[] = {"area", "paper", "mass", NULL};
    static const char *const switches[] = {"off", "on", NULL};
    if (kind < 0) {
        request->def.response = NULL;
        for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
            if (abut_cli_value_of(arguments, names[i]) != NULL) {
                return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                     "option --%s needs --response cpf, discrete or discrete-ccd", names[i]);
            }
        }
        return ABUT_CLI_DONE;
    }
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; ++i) {
        if (abut_cli_value_of(arguments, unused[i]) != NULL) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                                 "penalty forces (--response) find contacts themselves: drop --%s", unused[i]);
        }
    }
    const abut_response_params *given = request->setup->response;
    abut_response_params *forces = &request->forces;
    *forces = given != NULL ? *given : abut_response_params_default();
    if (given == NULL && abut_cli_value_of(arguments, "stiffness") == NULL) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT,
                             "scene '%s' has no stiffness for penalty forces: add --stiffness K", request->name);
    }
    int pairs = (int)forces->weights;
    abut_cli_exit code = abut_cli_number_of(arguments, "stiffness", 0.0, &forces->stiffness);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "reach", 0.0, &forces->tolerance);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "viscosity", 0.0, &request->def.viscosity);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "pairs", weights, &pairs);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "sliding", switches, &forces->has_sliding);
    forces->kind = (abut_response_kind)kind;
    forces->weights = (abut_pair_weights)pairs;
    request->def.response = forces;
    return code;
}

static abut_cli_exit read_world(const abut_cli_arguments *arguments, simulate_request *request)
{
    static const char *const steppers[] = {"moreau", "semi-implicit", "events", NULL};
    static const char *const solvers[] = {"prox", "mcp", "cpf", "discrete", "discrete-ccd", NULL};
    enum { SOLVERS = 2 };
    static const char *const sweeps[] = {"forward", "conjugate", NULL};
    static const char *const impact_rules[] = {"simultaneous", "sequential", NULL};
    static const char *const switches[] = {"off", "on", NULL};
    abut_world_def *def = &request->def;
    int stepper = (int)def->stepper, solver = (int)def->solver, sweep = (int)request->prox.sweep,
        impacts = (int)def->impact_rule;
    solver = def->response != NULL ? SOLVERS + (int)def->response->kind : solver;
    double friction = -1.0;
    const char *friction_text = abut_cli_value_of(arguments, "friction");
    int is_no_slip = friction_text != NULL && strcmp(friction_text, "infinite") == 0;
    request->steps = request->setup->steps;
    abut_cli_exit code = abut_cli_count_of(arguments, "steps", 0, &request->steps);
    code = code != ABUT_CLI_DONE ? code
                                 : abut_cli_range_of(arguments, "dt", 1e-12, 1e12, &def->dt); // as in scene files
    code = code != ABUT_CLI_DONE ? code : vector_of(arguments, "gravity", &def->gravity);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "stepper", steppers, &stepper);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "response", solvers, &solver);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "sweep", sweeps, &sweep);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "warm-start", switches, &def->has_warm_start);
    code = code != ABUT_CLI_DONE ? code
                                 : abut_cli_word_of(arguments, "stabilise", switches, &def->stabilisation.is_on);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "sleep", switches, &def->has_sleep);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "sweeps", switches, &def->has_sweeps);
    code = code != ABUT_CLI_DONE ? code : abut_cli_word_of(arguments, "impacts", impact_rules, &impacts);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "slop", 0.0, &def->stabilisation.slop);
    code =
        code != ABUT_CLI_DONE ? code : abut_cli_range_of(arguments, "share", 0.0, 1.0, &def->stabilisation.share);
    code = code != ABUT_CLI_DONE ? code : abut_cli_number_of(arguments, "torsion", 0.0, &def->torsion_radius);
    code = code != ABUT_CLI_DONE ? code
                                 : abut_cli_count_of(arguments, "iterations", 0, &request->prox.iteration_limit);
    code = code != ABUT_CLI_DONE
               ? code
               : abut_cli_number_of(arguments, "residual", 0.0, &request->prox.relative_tolerance);
    code = code != ABUT_CLI_DONE ? code : abut_cli_positive_of(arguments, "speed-limit", &def->speed_limit);
    if (code == ABUT_CLI_DONE && !is_no_slip) {
        code = abut_cli_number_of(arguments, "friction", 0.0, &friction);
    }
    code = code != ABUT_CLI_DONE ? code : read_forces(arguments, solver < SOLVERS ? -1 : solver - SOLVERS, request);
    if (code != ABUT_CLI_DONE) {
        return code;
    }
    if (!def->stabilisation.is_on &&
        (abut_cli_value_of(arguments, "slop") != NULL || abut_cli_value_of(arguments, "share") != NULL)) {
        return abut_cli_fail(ABUT_CLI_BAD_INPUT, "options --slop and --share need --stabilise on");
    }
    if (abut_cli_value_of(arguments, "sweeps") != NULL && def->has_sweeps) {
        def->gap_rule = ABUT_GAP_POSITIVE; // sweeps need contacts of bodies that are about to touch
    }
    def->stepper = (abut_stepper)stepper;
    def->solver = solver < SOLVERS ? (abut_solver_kind)solver : def->solver;
    def->impact_rule = (abut_impact_rule)impacts;
    request->prox.sweep = (abut_sweep_rule)sweep;
    friction = is_no_slip ? HUGE_VAL : friction;
    if (friction >= 0.0) {
        abut_setup_set_friction(request->setup, friction);
    }
    return ABUT_CLI_DONE;
}

// ---------------------------------------------------------------------------------------------------------------
// Steps

/// Keeps the events of the last step.
static void add_events(simulate_request *request, const abut_world_report *report)
{
    size_t count = (size_t)request->event_count + (size_t)report->event_count;
    if (count > request->event_capacity) {
        request->event_capacity = 2 * count;
        request->events = abut_cli_resize(request->events, request->event_capacity, sizeof *request->events);
    }
    for (int i = 0; i < report->event_count; ++i) {
        request->events[request->event_count++] = report->events[i];
    }
}

/// Sets the force on the watched bodies from others and its length, or the sum of the normal forces between all bodies, and
/// the deepest overlap of a contact.
static void sum_forces(const simulate_request *request, const abut_world_report *report, abut_cli_step *row)
{
    abut_vec3 sum = {0.0, 0.0, 0.0};
    double normal = 0.0, dt = request->def.dt;
    for (int i = 0; i < report->contact_count; ++i) {
        const abut_world_contact *c = &report->contacts[i];
        abut_vec3 impulse = abut_add_scaled(c->impulse.tangent, c->impulse.normal, c->contact.normal);
        if (request->is_watched != NULL) { // from A to B
            sum = abut_add_scaled(sum, request->is_watched[c->body_b] - request->is_watched[c->body_a], impulse);
        }
        normal += c->body_a != c->body_b ? c->impulse.normal : 0.0;
        row->deepest = fmax(row->deepest, -c->contact.gap);
    }
    row->force_vector = abut_scale(1.0 / dt, sum);
    row->force = request->is_watched != NULL ? abut_norm(row->force_vector) : normal / dt;
}

/// Whether a name is `text`, or begins with it if that ends with `*`.
static int is_named(const char *name, const char *text, size_t length)
{
    if (length > 0 && text[length - 1] == '*') {
        return strncmp(name, text, length - 1) == 0;
    }
    return length > 0 && strlen(name) == length && strncmp(name, text, length) == 0; // bodies may have no name
}

/// Finds the bodies that --watch names.
static abut_cli_exit read_watched(const abut_cli_arguments *arguments, simulate_request *request)
{
    const char *names = abut_cli_value_of(arguments, "watch");
    int count = request->setup->body_count;
    if (names == NULL) {
        return ABUT_CLI_DONE;
    }
    request->is_watched = abut_cli_resize(NULL, (size_t)count + 1, 1);
    memset(request->is_watched, 0, (size_t)count + 1);
    for (const char *name = names;; name += strcspn(name, ",") + 1) {
        size_t length = strcspn(name, ",");
        int found = 0;
        for (int i = 0; i < count; ++i) {
            int is_it = is_named(request->setup->bodies[i].name, name, length);
            request->is_watched[i] |= (unsigned char)is_it;
            found += is_it;
        }
        if (found == 0) {
            return abut_cli_fail(ABUT_CLI_BAD_INPUT, "option --watch: scene '%s' has no body '%.*s'", request->name,
                                 (int)length, name);
        }
        if (name[length] == '\0') {
            return ABUT_CLI_DONE;
        }
    }
}

/// How far a body is from its start: a rigid one, or the vertex of a soft one that is farthest.
static double find_moved(const abut_setup *setup, const abut_world *world, int body)
{
    const abut_setup_body *start = &setup->bodies[body];
    const abut_soft *soft = abut_world_body_soft(world, body);
    if (soft == NULL) {
        return abut_norm(abut_sub(abut_world_get_body(world, body).pose.position, start->pose.position));
    }
    const abut_vec3 *vertices = abut_mesh_get_elements(setup->meshes[start->mesh].mesh).vertices;
    abut_soft_state now = abut_soft_get_state(soft);
    double farthest = 0.0;
    for (int i = 0; i < now.vertex_count; ++i) {
        farthest = fmax(farthest, abut_norm(abut_sub(now.positions[i], abut_pose_apply(start->pose, vertices[i]))));
    }
    return farthest;
}

static void add_row(simulate_request *request)
{
    abut_world *world = request->simulation->world;
    if (request->row_count == request->row_capacity) {
        request->row_capacity = request->row_capacity > 0 ? 2 * request->row_capacity : FIRST_ROWS;
        request->rows = abut_cli_resize(request->rows, (size_t)request->row_capacity, sizeof *request->rows);
    }
    abut_cli_step *row = &request->rows[request->row_count++];
    abut_world_report report = abut_world_get_report(world);
    *row = (abut_cli_step){.step = report.step,
                           .time = report.time,
                           .contact_count = report.contact_count,
                           .pair_count = report.pair_count,
                           .outcome = report.outcome,
                           .iterations = report.iterations,
                           .residual = report.residual,
                           .energy = abut_world_get_energy(world),
                           .churn = report.churn,
                           .event_count = report.event_count,
                           .stepped_time = report.stepped_time,
                           .cut_count = report.cut_count,
                           .impact_count = report.impact_count,
                           .held_count = report.held_count,
                           .lost_time = report.lost_time,
                           .contact_step = report.contact_step > 0.0 ? report.contact_step : HUGE_VAL,
                           .tracked_count = report.tracked_count,
                           .unsettled_count = report.unsettled_count,
                           .inverted_count = report.inverted_count};
    sum_forces(request, &report, row);
    add_events(request, &report);
    for (int i = 0; i < request->setup->body_count; ++i) {
        row->moved = fmax(row->moved, find_moved(request->setup, world, i));
    }
}

/// Runs until all steps are done, a step fails, the user interrupts, or the recording cannot be written.
static abut_cli_exit run_steps(simulate_request *request, abut_cli_progress *progress)
{
    abut_cli_exit code = ABUT_CLI_DONE;
    while (request->row_count < request->steps && request->status == ABUT_OK && code == ABUT_CLI_DONE &&
           !abut_cli_progress_is_interrupted(progress)) {
        request->status = abut_world_step(request->simulation->world, &request->error);
        if (request->status == ABUT_OK) {
            add_row(request);
            code = abut_cli_record_add(&request->record);
            abut_cli_progress_show(progress, request->row_count);
        }
    }
    request->is_interrupted = abut_cli_progress_is_interrupted(progress);
    if (code == ABUT_CLI_DONE) {
        abut_recording_end end = request->is_interrupted      ? ABUT_RECORDING_INTERRUPTED
                                 : request->status != ABUT_OK ? ABUT_RECORDING_FAILED
                                                              : ABUT_RECORDING_DONE;
        code = abut_cli_record_finish(&request->record, end,
                                      end == ABUT_RECORDING_FAILED ? request->error.text : NULL);
    }
    return code;
}

typedef struct scene_notes {
    const simulate_request *request;
    int count;
} scene_notes;

/// Prints a finding, with the line of the later one of its two bodies if the scene is a file.
static int print_finding(void *user, const abut_world_finding *finding)
{
    scene_notes *notes = user;
    const simulate_request *request = notes->request;
    int line = request->setup->bodies[finding->body_b].line;
    ++notes->count;
    if (notes->count <= SHOWN_FINDINGS && line > 0) {
        abut_cli_note("%s:%d: %s", request->name, line, finding->text);
    } else if (notes->count <= SHOWN_FINDINGS) {
        abut_cli_note("%s: %s", request->name, finding->text);
    }
    return 0;
}

/// Notes on what is suspicious in the scene; the run goes on.
static abut_cli_exit print_findings(const simulate_request *request)
{
    scene_notes notes = {request, 0};
    abut_error error = {0};
    abut_status status = abut_world_validate(request->simulation->world, print_finding, &notes, &error);
    if (notes.count > SHOWN_FINDINGS) {
        abut_cli_note("%s: %d more like these", request->name, notes.count - SHOWN_FINDINGS);
    }
    return status == ABUT_OK ? ABUT_CLI_DONE : abut_cli_fail_status(status, &error);
}

static abut_cli_exit run_simulation(simulate_request *request)
{
    abut_status status =
        abut_simulation_create(NULL, request->setup, &request->def, &request->simulation, &request->error);
    if (status != ABUT_OK) {
        return abut_cli_fail_advised(request->name, status, &request->error,
                                     repair_helps(request) ? "; with --repair it can be simulated" : "");
    }
    abut_cli_exit code = print_findings(request);
    // Hold signals before the file is created: an interrupt must not leave half a recording.
    abut_cli_progress progress;
    abut_cli_progress_begin(&progress, "steps", request->steps);
    abut_cli_progress_hold(&progress);
    code = code != ABUT_CLI_DONE
               ? code
               : abut_cli_record_begin(&request->record, request->setup, request->simulation, !request->is_file);
    code = code != ABUT_CLI_DONE ? code : run_steps(request, &progress);
    abut_cli_progress_end(&progress);
    return code;
}

// ---------------------------------------------------------------------------------------------------------------
// The verb

static abut_cli_exit print_request(const simulate_request *request)
{
    abut_cli_simulated simulated = {
        .setup = request->setup,
        .def = &request->def,
        .world = request->simulation->world,
        .steps = request->rows,
        .step_count = request->row_count,
        .events = request->events,
        .event_count = request->event_count,
        .end = request->is_interrupted      ? "interrupted"
               : request->status != ABUT_OK ? "failed"
                                            : "done",
    };
    return abut_cli_simulated_print(&simulated, request->format);
}

static abut_cli_exit end_code(const simulate_request *request)
{
    if (request->is_interrupted) {
        return abut_cli_fail(ABUT_CLI_UNFINISHED, "interrupted after %d of %d step%s", request->row_count,
                             request->steps, abut_cli_plural(request->steps));
    }
    abut_cli_exit code = request->status == ABUT_BAD_DATA ? ABUT_CLI_BAD_INPUT : ABUT_CLI_UNFINISHED;
    return request->status == ABUT_OK
               ? ABUT_CLI_DONE
               : abut_cli_fail(code, "stopped after %d of %d step%s: %s", request->row_count, request->steps,
                               abut_cli_plural(request->steps), request->error.text);
}

static abut_cli_exit run(const abut_cli_arguments *arguments)
{
    if (arguments->operand_count == 0) {
        return ask_for_name();
    }
    simulate_request request = {.name = arguments->operands[0]};
    abut_cli_exit code = abut_cli_format_of(arguments, &request.format);
    code = code != ABUT_CLI_DONE ? code : load_setup(arguments, &request);
    if (code == ABUT_CLI_DONE) {
        request.def = abut_setup_world_def(request.setup);
        request.prox = abut_prox_params_default();
        request.def.prox = &request.prox;
        code = read_world(arguments, &request);
        code = code != ABUT_CLI_DONE ? code : read_watched(arguments, &request);
    }
    code = code != ABUT_CLI_DONE ? code : read_method(arguments, &request);
    code =
        code != ABUT_CLI_DONE ? code : abut_cli_record_of(arguments, request.name, &request.def, &request.record);
    code = code != ABUT_CLI_DONE ? code : run_simulation(&request);
    // An empty table is not worth printing. JSON always is: it says how the run ended.
    if (code == ABUT_CLI_DONE &&
        (request.row_count > 0 || request.status == ABUT_OK || request.format == ABUT_CLI_JSON)) {
        code = print_request(&request);
    }
    code = code != ABUT_CLI_DONE ? code : end_code(&request);
    free(request.is_watched);
    abut_cli_record_release(&request.record);
    abut_simulation_destroy(request.simulation);
    abut_setup_destroy(request.setup);
    abut_cli_query_release(&request.query);
    abut_cli_methods_release(&request.methods);
    free(request.rows);
    free(request.events);
    return code;
}

static const abut_cli_option options[] = {
    {"method", "NAME", "contact method (default: " ABUT_CLI_DEFAULT_METHOD ")", 0, 0},
    {"repair", NULL, "repair the mesh files of a scene file first; notes on stderr say what was done", 0, 0},
    {"steps", "N", "number of steps (default: the scene's, 500 for a case)", 0, 0},
    {"dt", "S", "length of a step (default: the scene's, 0.01 for a case)", 0, 0},
    {"gravity", "\"X Y Z\"", "acceleration (default: the scene's, 0 -9.82 0 for a case)", 0, 0},
    {"friction", "MU|infinite",
     "friction coefficient of all materials; infinite: no slip (default: the scene's, 0.5 for a case)", 0, 0},
    {"stepper", "moreau|semi-implicit|events",
     "find contacts half a step ahead (default: the scene's, or this), at the start of the step, or go from event "
     "to "
     "event, without friction",
     0, 0},
    {"response", "prox|mcp|cpf|discrete|discrete-ccd",
     "solver: proximal Gauss-Seidel (default, unless the scene says otherwise), or Lemke with a friction pyramid; "
     "or "
     "penalty forces: along the paths, at the end of a step, or that of tracked pairs",
     0, 0},
    {"stiffness", "K",
     "penalty forces: force per depth and area, per depth with --pairs paper, or per depth and mass with --pairs "
     "mass (default: the scene's)",
     0, 0},
    {"pairs", "area|paper|mass",
     "penalty forces: pairs of features share the stiffness by area, each has it, or each has it times the mass "
     "that "
     "it moves (default: the scene's, else area)",
     0, 0},
    {"reach", "L", "penalty forces: features nearer than this repel each other (default: the scene's, else 0)", 0,
     0},
    {"sliding", "on|off", "penalty forces: let tracked pairs go on to neighbouring features (default on)", 0, 0},
    {"viscosity", "C",
     "penalty forces: friction force per sliding speed and contact (default: the scene's, else 0)", 0, 0},
    {"watch", "BODY,...",
     "the force in JSON and CSV is that on these bodies, `*` at the end for any; default: sum of all normal forces",
     0, 0},
    {"sweep", "forward|conjugate",
     "prox: forward sweeps, or forward and backward sweeps with conjugate directions (default)", 0, 0},
    {"iterations", "N", "prox: iteration limit per step (default 1000)", 0, 0},
    {"residual", "R", "prox: stop iterating at this relative residual (default 1e-8)", 0, 0},
    {"speed-limit", "V", "stop the run if a body's speed plus its spin times its size exceeds this (default: none)",
     0, 0},
    {"warm-start", "on|off", "start from the impulses of the last step (default on)", 0, 0},
    {"stabilise", "on|off", "push overlapping bodies apart (default: on for scene files and the funnel, else off)",
     0, 0},
    {"slop", "L", "with --stabilise on: allowed overlap (default 0)", 0, 0},
    {"share", "S", "with --stabilise on: share of the overlap that each step removes (default 0.5)", 0, 0},
    {"sleep", "on|off",
     "let bodies at rest sleep until something touches them (default: on for scene files and the "
     "funnel, else off)",
     0, 0},
    {"sweeps", "on|off",
     "let no body pass another within a step, and bounce at the time of contact (default: on for scene files, "
     "bullets, bounce and cradle, else off)",
     0, 0},
    {"impacts", "simultaneous|sequential",
     "with --sweeps on: bodies that touch collide all at once (default), or pair by pair, the fastest first", 0, 0},
    {"torsion", "R", "prox: radius at which friction resists spinning about the normal (default 0: it does not)", 0,
     0},
    {"vertices", "N", "vertices of a spinning sphere (default 200)", 0, 0},
    {"start", "vertex|face|random", "which part of a spinning body is down at the start (default: vertex)", 0, 0},
    {"seed", "N", "random seed for --start random (default 0)", 0, 0},
    {"radius", "R", "radius of a body spinning on a box, or of the fixed sphere below it (default 1)", 0, 0},
    {"out", "RUN.h5", "record all steps to this HDF5 file, for abut export", 0, 0},
    {"timings", "on|off",
     "record how long each phase of a step took (default on); off: equal runs give equal files", 0, 0},
    ABUT_CLI_QUERY_OPTIONS,
    ABUT_CLI_FORMAT_OPTION,
};

const abut_cli_verb abut_cli_simulate_verb = {
    .name = "simulate",
    .summary = "Simulate rigid and soft bodies, with contacts found by a method.",
    .usage = "CASE|SCENE.json [options]",
    .details =
        "Runs a case or scene (see abut cases), a building (tower, dome, pantheon, colosseum, temple; shoot: an "
        "iron\n"
        "ball hits the colosseum; funnel: jacks fall through a funnel), bodies without friction from event to "
        "event\n"
        "(rings, tip, drift, stop) or by steps (two-fingers, seam, cliff-slide, groove; bullets, bounce, cradle: "
        "bodies\n"
        "that meet), bodies that penalty forces keep apart (chain, ball-and-stick, pin-rings; soft ones: octopus,\n"
        "tori-on-cloth, dragons), a body that spins without slip\n"
        "(spinning-box, spinning-sphere; rolling-spheres: a sphere on a fixed one), or a scene file\n"
        "(docs/scene-format.md). The table shows about ten steps; JSON and CSV have all. solver: whether it\n"
        "converged or reached the iteration limit; moved: the largest distance of a rigid body, or of a\n"
        "vertex of a soft one, from its start;\n"
        "churn: contacts that began or ended. Ctrl-C ends the run and prints the steps done so far. If a step\n"
        "fails, the steps before it are printed, the error line names the step, the bodies and the reason, and\n"
        "the exit code is 3. A recording (--out) has all\n"
        "completed steps in every case. Notes on stderr name bodies that overlap at the start, or that touch\n"
        "there in an ambiguous way.\n",
    .example = "  abut simulate pillar --method regions --steps 500\n"
               "  abut simulate wall --dt 0.005 --format csv\n"
               "  abut simulate arch --out arch.h5\n"
               "  abut simulate spinning-sphere --method convex --vertices 100 --start random --seed 3\n",
    .options = options,
    .option_count = (int)(sizeof options / sizeof options[0]),
    .operand_minimum = 0, // without one, an error lists all names
    .operand_maximum = 1,
    .run = run,
};
