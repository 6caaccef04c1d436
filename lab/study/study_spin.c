// SPDX-License-Identifier: MIT
// study_spin.c: a study of the energy of bodies that spin without slip
//
// Source:  Yi and Drumwright 2016, section V-B.
// Differs: the paper does not say how its spheres were made or how they were placed; here each start is a separate
//          run.
#include "common/lab_support.h"
#include "scenes/spin_params.h"
#include "study/study_kinds.h"

#include <abut-lab/lab.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int VERTICES[] = {50, 100, 200, 1000, 2000};
static const abut_spin_start STARTS[] = {ABUT_SPIN_VERTEX, ABUT_SPIN_FACE, ABUT_SPIN_RANDOM};
static const double TIME_STEPS[] = {0.001, 0.01}, RADII[] = {1.0}, TOLERANCES[] = {1e-6};
static const char *const METHODS[] = {"convex"};
static const double KEPT = 0.99; ///< a run keeps its energy if this share of it is left

/// What the runs need besides their parameters.
typedef struct spin_data {
    char scene[ABUT_STUDY_WORD_ROOM];
    abut_solver_kind solver;
} spin_data;

void abut_spin_study_def_init(abut_spin_study_def *def, size_t size)
{
    const abut_spin_study_def made = {.struct_size = sizeof made,
                                      .scene = "spinning-sphere",
                                      .vertices = VERTICES,
                                      .vertex_count = 5,
                                      .starts = STARTS,
                                      .start_count = 3,
                                      .dts = TIME_STEPS,
                                      .dt_count = 2,
                                      .radii = RADII,
                                      .radius_count = 1,
                                      .tolerances = TOLERANCES,
                                      .tolerance_count = 1,
                                      .methods = METHODS,
                                      .method_count = 1,
                                      .seed_count = 20};
    abut_write_versioned(def, size, &made, sizeof made);
}

// ---------------------------------------------------------------------------------------------------------------
// A run

static const abut_study_value *word_of(const abut_study *study, int run, const char *name)
{
    return abut_study_find_value(abut_study_run_parameters(study, run), study->parameter_count, name);
}

static abut_spin_start find_start(const char *word)
{
    int start = 0;
    while (strcmp(abut_spin_start_text((abut_spin_start)start), word) != 0) {
        ++start; // ends, because a plan has only these words
    }
    return (abut_spin_start)start;
}

static abut_status add_report(const abut_context *context, const abut_spin_report *report,
                              const abut_paper_spin *paper, abut_study_result *result, abut_error *error)
{
    double energies[ABUT_SPIN_SAMPLES];
    for (int i = 0; i < report->sample_count; ++i) {
        energies[i] = report->samples[i].kinetic / report->samples[0].kinetic;
    }
    const char *outcome = report->kept >= KEPT ? "keeps" : !isnan(report->stop_time) ? "stops" : "loses";
    const abut_study_value values[] = {
        abut_study_word("outcome", outcome),
        abut_study_word("paper", paper != NULL ? paper->outcome : "none"),
        abut_study_number("kept", report->kept),
        abut_study_number("total_kept", report->total_kept),
        abut_study_number("stop_time", report->stop_time),
        abut_study_number("paper_stop_time", paper != NULL ? paper->stop_time : (double)NAN),
        abut_study_number("contacts", report->contact_mean),
        abut_study_number("most_contacts", report->contact_most),
    };
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < sizeof values / sizeof values[0] && status == ABUT_OK; ++i) {
        status = abut_study_add_value(result, values[i], error);
    }
    return status != ABUT_OK
               ? status
               : abut_study_add_series(context, result, "energy", energies, report->sample_count, error);
}

static abut_status run_spin(const abut_study *study, int run, const abut_context *context,
                            abut_study_result *result, abut_error *error)
{
    const spin_data *data = study->data;
    abut_spin_params params = abut_spin_params_default(data->scene);
    params.vertices = (int)abut_study_run_number(study, run, "vertices");
    params.start = find_start(word_of(study, run, "start")->word);
    params.dt = abut_study_run_number(study, run, "dt");
    params.radius = abut_study_run_number(study, run, "radius");
    params.seed = (uint64_t)abut_study_run_number(study, run, "seed");
    abut_setup *setup = NULL;
    abut_spin_report *report = abut_allocate_zeroed(context, 1, sizeof *report);
    abut_status status = report != NULL ? abut_spin_setup(context, &params, &setup, error)
                                        : abut_fail(error, ABUT_NO_MEMORY, "no memory for a run");
    if (status == ABUT_OK) {
        abut_params method_params = abut_params_default();
        method_params.tolerance = abut_relative(abut_study_run_number(study, run, "tolerance"));
        abut_world_def def = abut_setup_world_def(setup);
        def.method = abut_method_find(word_of(study, run, "method")->word);
        def.params = &method_params;
        def.solver = data->solver;
        status = abut_spin_run(context, setup, &def, report, error);
    }
    if (status == ABUT_OK && report->error.status != ABUT_OK) {
        status = abut_fail(error, report->error.status, "%s", report->error.text);
    }
    if (status == ABUT_OK) {
        const abut_paper_spin *paper = abut_paper_find_spin(data->scene, params.vertices, params.dt, params.radius);
        status = add_report(context, report, paper, result, error);
    }
    abut_setup_destroy(setup);
    abut_free(context, report);
    return status;
}

static void release_spin(void *data, const abut_context *context)
{
    abut_free(context, data);
}

const abut_study_kind abut_spin_kind = {
    sizeof(abut_study_kind), "spin", "Energy of bodies that spin without slip.", "seed", run_spin, release_spin};

// ---------------------------------------------------------------------------------------------------------------
// The plan

static abut_status check_def(const abut_spin_study_def *def, abut_error *error)
{
    if (abut_lab_find_name(abut_spin_names, def->scene) < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "%.64s is not a scene of bodies that spin", def->scene);
    }
    for (int i = 0; i < def->method_count; ++i) {
        if (abut_method_find(def->methods[i]) == NULL) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no method %.64s", def->methods[i]);
        }
    }
    for (int i = 0; i < def->tolerance_count; ++i) {
        if (!(def->tolerances[i] > 0.0 && def->tolerances[i] < 1.0)) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "the tolerance %g must be between 0 and 1",
                             def->tolerances[i]);
        }
    }
    for (int i = 0; i < def->vertex_count; ++i) {
        if (def->vertices[i] < ABUT_SPHERE_LEAST_VERTICES || def->vertices[i] > ABUT_SPHERE_MOST_VERTICES) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "a sphere with %d vertices: there must be %d to %d",
                             def->vertices[i], ABUT_SPHERE_LEAST_VERTICES, ABUT_SPHERE_MOST_VERTICES);
        }
    }
    if (def->vertex_count < 1 || def->start_count < 1 || def->dt_count < 1 || def->radius_count < 1 ||
        def->tolerance_count < 1 || def->method_count < 1 || def->seed_count < 1) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a study needs at least one value of each parameter");
    }
    return ABUT_OK;
}

/// Refuses values that would make every run fail.
static abut_status check_runs(const abut_spin_study_def *def, abut_error *error)
{
    abut_spin_params params = abut_spin_params_default(def->scene), read;
    abut_status status = ABUT_OK;
    for (int i = 0; i < def->dt_count && status == ABUT_OK; ++i) {
        params.dt = def->dts[i];
        status = abut_spin_params_read(&params, &read, error);
    }
    params.dt = abut_spin_params_default(def->scene).dt;
    for (int i = 0; i < def->radius_count && status == ABUT_OK; ++i) {
        params.radius = def->radii[i];
        status = abut_spin_params_read(&params, &read, error);
    }
    return status;
}

/// Adds the runs of a method, a number of vertices and a start; several seeds if the start is random.
static abut_status add_seeds(abut_study *study, const abut_spin_study_def *def, abut_study_value row[7],
                             abut_spin_start start, abut_error *error)
{
    abut_status status = ABUT_OK;
    int count = start == ABUT_SPIN_RANDOM ? def->seed_count : 1;
    for (int seed = 1; seed <= count && status == ABUT_OK; ++seed) {
        row[6] = abut_study_number("seed", seed);
        status = abut_study_add_run(study, row, 7, error);
    }
    return status;
}

static abut_status add_runs(abut_study *study, const abut_spin_study_def *def, abut_error *error)
{
    int counts[6] = {def->radius_count, def->dt_count,     def->tolerance_count,
                     def->method_count, def->vertex_count, def->start_count};
    int at[6] = {0, 0, 0, 0, 0, 0}, place = 0;
    abut_status status = ABUT_OK;
    while (place >= 0 && status == ABUT_OK) {
        abut_spin_start start = def->starts[at[5]];
        abut_study_value row[7] = {
            abut_study_number("radius", def->radii[at[0]]),
            abut_study_number("dt", def->dts[at[1]]),
            abut_study_number("tolerance", def->tolerances[at[2]]),
            abut_study_word("method", def->methods[at[3]]),
            abut_study_number("vertices", def->vertices[at[4]]),
            abut_study_word("start", abut_spin_start_text(start)),
        };
        status = add_seeds(study, def, row, start, error);
        // Count up, the last digit first.
        for (place = 5; place >= 0 && ++at[place] == counts[place]; --place) {
            at[place] = 0;
        }
    }
    return status;
}

abut_status abut_spin_study_create(const abut_context *context, const abut_spin_study_def *given,
                                   abut_study **study, abut_error *error)
{
    *study = NULL;
    abut_study *made = NULL;
    abut_spin_study_def read = abut_spin_study_def_default(), *def = &read;
    abut_status status = abut_read_versioned(&read, sizeof read, given)
                             ? check_def(def, error)
                             : abut_fail(error, ABUT_BAD_ARGUMENT, "start from abut_spin_study_def_default()");
    static const int of_cube[] = {8};
    if (status == ABUT_OK && strcmp(def->scene, "spinning-box") == 0) {
        def->vertices = of_cube;
        def->vertex_count = 1;
    }
    status = status != ABUT_OK ? status : check_runs(def, error);
    status = status != ABUT_OK ? status : abut_study_create(context, &abut_spin_kind, &made, error);
    if (status != ABUT_OK) {
        return status;
    }
    spin_data *data = abut_allocate_zeroed(abut_lab_object_context(made), 1, sizeof *data);
    made->data = data;
    status = data != NULL ? ABUT_OK : abut_fail(error, ABUT_NO_MEMORY, "no memory for a study");
    if (status == ABUT_OK) {
        (void)snprintf(data->scene, sizeof data->scene, "%s", def->scene);
        data->solver = def->solver;
        status = abut_study_set(made, abut_study_word("version", abut_lab_build()), error);
    }
    status = status != ABUT_OK ? status : abut_study_set(made, abut_study_word("scene", def->scene), error);
    const char *solver = def->solver == ABUT_SOLVER_MCP ? "mcp" : "prox";
    status = status != ABUT_OK ? status : abut_study_set(made, abut_study_word("response", solver), error);
    status = status != ABUT_OK ? status : add_runs(made, def, error);
    if (status != ABUT_OK) {
        abut_study_destroy(made);
        return status;
    }
    *study = made;
    return ABUT_OK;
}
