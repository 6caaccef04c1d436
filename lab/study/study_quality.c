// SPDX-License-Identifier: MIT
// study_quality.c: studies of normals under perturbation, refinement and other time steps
//
// Source:  Erleben 2018, sections 8.5 to 8.7, and the settings of the author's program. Q compares a normal with the
//          normals of the scene as it was built.
// Differs: random numbers depend on a seed, the body and the axis, so that a run can be repeated; the author's program
//          seeds with the clock. Bodies move along x and z as in that program; the text says x and y.
#include "common/lab_random.h"
#include "common/lab_support.h"
#include "common/params_text.h"
#include "study/study_kinds.h"
#include "study/study_subject.h"

#include <abut-lab/lab.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PAPER_SCALES[] = {0.01, 0.02, 0.03};
static const double PAPER_RATIOS[] = {0.0, ABUT_SCENE_PAPER_RATIO};
static const double PAPER_TIME_STEPS[] = {0.001, 0.01, 0.1};

/// The part of the plan that the runs need, in its own arrays.
typedef struct quality_data {
    char scene[ABUT_STUDY_WORD_ROOM];
    abut_quality_method *methods;
    abut_params *params;  ///< of each method
    abut_option *options; ///< of all methods, one after the other
    int method_count;
    int axes[2];
    int step;
    double friction;
    int iterations;
    double refine_seconds;
} quality_data;

static abut_quality_def default_quality_def(const abut_study_kind *kind)
{
    abut_quality_def def = {.struct_size = sizeof def,
                            .scene = "pillar",
                            .values = PAPER_TIME_STEPS,
                            .value_count = 3,
                            .seed_count = 1,
                            .axes = {0, 2},
                            .step = 3,
                            .friction = 0.5,
                            .iterations = 1000,
                            .refine_seconds = abut_scene_params_default().refine_seconds};
    if (kind == &abut_perturbation_kind) {
        def.values = PAPER_SCALES;
        def.seed_count = 10;
    } else if (kind == &abut_refinement_kind) {
        def.values = PAPER_RATIOS;
        def.value_count = 2;
    } else {
        def.step = 4; // by then, errors of bad contacts have grown
    }
    return def;
}

void abut_quality_def_init(const abut_study_kind *kind, abut_quality_def *def, size_t size)
{
    const abut_quality_def made = default_quality_def(kind);
    abut_write_versioned(def, size, &made, sizeof made);
}

// ---------------------------------------------------------------------------------------------------------------
// A run

double abut_quality_shift(int seed, int body, int axis)
{
    uint64_t bits = abut_lab_mix(abut_lab_mix(abut_lab_mix(0, (uint64_t)seed), (uint64_t)body), (uint64_t)axis);
    return 2.0 * abut_lab_share_of(bits) - 1.0;
}

static void perturb(abut_setup *setup, const quality_data *data, double scale, int seed)
{
    for (int i = 0; i < setup->body_count; ++i) {
        double shift[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < 2; ++k) {
            shift[data->axes[k]] = scale * abut_quality_shift(seed, i, data->axes[k]);
        }
        abut_vec3 *position = &setup->bodies[i].pose.position;
        *position = abut_add(*position, abut_vec3_make(shift[0], shift[1], shift[2]));
    }
}

static abut_status add_measures(const abut_context *context, const abut_study_subject *subject,
                                const abut_detection *detection, abut_study_result *result, abut_error *error)
{
    abut_subject_measures m;
    int count = detection->report.contact_count;
    if (count == 0) {
        return abut_fail(error, ABUT_BAD_DATA, "no contacts at this step: nothing to measure");
    }
    abut_status status = abut_study_subject_measure(context, subject, detection, &m, error);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_study_value values[] = {
        abut_study_number("contacts", count),    abut_study_number("good", m.good),
        abut_study_number("exact", m.exact),     abut_study_number("mean_q", m.mean_q),
        abut_study_number("least_q", m.least_q),
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0] && status == ABUT_OK; ++i) {
        status = abut_study_add_value(result, values[i], error);
    }
    if (status == ABUT_OK) {
        status = abut_study_add_series(context, result, "quality", m.curve, count, error);
    }
    abut_free(context, m.curve);
    return status;
}

/// What is simulated, how, and to which step.
typedef struct trial {
    abut_study_subject subject;
    abut_world_def def;
    int step;
} trial;

/// Simulates, and measures at the last step.
static abut_status simulate(const abut_context *context, const trial *what, abut_study_result *result,
                            abut_error *error)
{
    abut_simulation *simulation = NULL;
    abut_detection detection = {0};
    abut_status status = abut_simulation_create(context, what->subject.setup, &what->def, &simulation, error);
    if (status == ABUT_OK) {
        status = abut_simulation_run_to(simulation, what->step, &detection, error);
        status = status != ABUT_OK ? status : add_measures(context, &what->subject, &detection, result, error);
        abut_detection_release(simulation, &detection);
    }
    abut_simulation_destroy(simulation);
    return status;
}

static const abut_quality_method *find_method(const quality_data *data, const abut_study *study, int run)
{
    const abut_study_value *name =
        abut_study_find_value(abut_study_run_parameters(study, run), study->parameter_count, "method");
    for (int i = 0; i < data->method_count; ++i) {
        if (strcmp(data->methods[i].method->name, name->word) == 0) {
            return &data->methods[i];
        }
    }
    return NULL; // never: the plan was made from these methods
}

static abut_status run_quality(const abut_study *study, int run, const abut_context *context,
                               abut_study_result *result, abut_error *error)
{
    const quality_data *data = study->data;
    const abut_quality_method *method = find_method(data, study, run);
    abut_scene_params params = abut_scene_params_default();
    double ratio = abut_study_run_number(study, run, "ratio");
    params.refine_ratio = isnan(ratio) ? 0.0 : ratio;
    params.refine_seconds = data->refine_seconds;
    trial what = {.step = data->step};
    abut_status status = abut_study_subject_create(context, data->scene, &params, &what.subject, error);
    if (status == ABUT_OK) {
        abut_setup *setup = what.subject.setup;
        double scale = abut_study_run_number(study, run, "scale"), dt = abut_study_run_number(study, run, "dt");
        if (!isnan(scale)) {
            perturb(setup, data, scale, (int)abut_study_run_number(study, run, "seed"));
        }
        abut_setup_set_friction(setup, data->friction);
        setup->dt = isnan(dt) ? setup->dt : dt;
        abut_prox_params prox;
        what.def = abut_setup_paper_def(setup, &prox);
        prox.iteration_limit = data->iterations;
        what.def.method = method->method;
        what.def.params = method->params;
        status = simulate(context, &what, result, error);
    }
    abut_study_subject_release(&what.subject);
    return status;
}

static void release_quality(void *user, const abut_context *context)
{
    quality_data *data = user;
    abut_free(context, data->methods);
    abut_free(context, data->params);
    abut_free(context, data->options);
    abut_free(context, data);
}

const abut_study_kind abut_perturbation_kind = {sizeof(abut_study_kind),
                                                "perturbation",
                                                "Normals after every body is moved a little at random.",
                                                "seed",
                                                run_quality,
                                                release_quality};
const abut_study_kind abut_refinement_kind = {
    sizeof(abut_study_kind), "refinement", "Normals on finer meshes.", "", run_quality, release_quality};
const abut_study_kind abut_timestep_kind = {
    sizeof(abut_study_kind), "timestep", "Normals with shorter and longer time steps.", "", run_quality,
    release_quality};

// ---------------------------------------------------------------------------------------------------------------
// The plan

/// Adds the options of a method to the settings, so that plans with other options differ.
static abut_status set_method(abut_study *study, const abut_quality_method *m, abut_error *error)
{
    char name[ABUT_STUDY_NAME_ROOM], text[ABUT_STUDY_WORD_ROOM];
    int fits = snprintf(name, sizeof name, "with-%s", m->method->name) < (int)sizeof name;
    if (!fits || !abut_lab_print_params(m->method, m->params, text, sizeof text)) {
        return abut_fail(error, ABUT_LIMIT, "method %.64s: its name or its options are too long for a plan",
                         m->method->name);
    }
    return abut_study_set(study, abut_study_word(name, text), error);
}

static abut_status set_plan(abut_study *study, const quality_data *data, const abut_quality_def *def,
                            abut_error *error)
{
    const char letters[] = {"xyz"[def->axes[0]], "xyz"[def->axes[1]], '\0'};
    const abut_study_value settings[] = {
        abut_study_word("version", abut_lab_build()),
        abut_study_word("scene", def->scene),
        abut_study_number("step", def->step),
        abut_study_number("friction", def->friction),
        abut_study_number("iterations", def->iterations),
    };
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0] && status == ABUT_OK; ++i) {
        status = abut_study_set(study, settings[i], error);
    }
    if (status == ABUT_OK && study->kind == &abut_perturbation_kind) {
        status = abut_study_set(study, abut_study_word("axes", letters), error);
    } else if (status == ABUT_OK && study->kind == &abut_refinement_kind) {
        status = abut_study_set(study, abut_study_number("seconds", def->refine_seconds), error);
    }
    for (int i = 0; i < data->method_count && status == ABUT_OK; ++i) {
        status = set_method(study, &data->methods[i], error);
    }
    return status;
}

static abut_status add_runs(abut_study *study, const abut_quality_def *def, abut_error *error)
{
    int is_perturbed = study->kind == &abut_perturbation_kind, is_refined = study->kind == &abut_refinement_kind;
    const char *name = is_perturbed ? "scale" : is_refined ? "ratio" : "dt";
    abut_status status = ABUT_OK;
    for (int v = 0; v < def->value_count; ++v) {
        for (int m = 0; m < def->method_count; ++m) {
            for (int s = 1; s <= def->seed_count && status == ABUT_OK; ++s) {
                const abut_study_value row[] = {
                    is_refined && def->values[v] == 0.0 ? abut_study_word(name, "coarse")
                                                        : abut_study_number(name, def->values[v]),
                    abut_study_word("method", def->methods[m].method->name),
                    abut_study_number("seed", s),
                };
                status = abut_study_add_run(study, row, is_perturbed ? 3 : 2, error);
            }
        }
    }
    return status;
}

/// Copies the methods with their parameters and options.
static abut_status keep_methods(const abut_context *context, quality_data *data, const abut_quality_def *def,
                                abut_error *error)
{
    size_t option_count = 0, method_count = (size_t)def->method_count;
    data->methods = abut_allocate_zeroed(context, method_count, sizeof *data->methods);
    data->params = abut_allocate_zeroed(context, method_count, sizeof *data->params);
    if (data->methods == NULL || data->params == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a study");
    }
    for (size_t i = 0; i < method_count; ++i) {
        const abut_quality_method *from = &def->methods[i];
        abut_params *params = &data->params[i];
        *params = abut_params_default();
        if (from->params != NULL && !abut_read_versioned(params, sizeof *params, from->params)) {
            return abut_fail(error, ABUT_BAD_ARGUMENT,
                             "method %.64s: its parameters were not made by abut_params_default()",
                             from->method->name);
        }
        data->methods[i] = (abut_quality_method){from->method, params};
        option_count += (size_t)params->option_count;
    }
    data->options = abut_allocate_zeroed(context, option_count, sizeof *data->options);
    if (data->options == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a study");
    }
    abut_option *next = data->options;
    for (size_t i = 0; i < method_count; ++i) {
        abut_params *params = &data->params[i];
        if (params->option_count > 0) {
            memcpy(next, params->options, (size_t)params->option_count * sizeof *next);
        }
        params->options = next;
        next += params->option_count;
    }
    data->method_count = def->method_count;
    return ABUT_OK;
}

/// Checks that the scene exists, that its meshes can be refined, and that the shifts are not too large.
static abut_status check_subject(const abut_context *context, const abut_study_kind *kind,
                                 const abut_quality_def *def, abut_error *error)
{
    abut_study_subject subject;
    abut_scene_params params = abut_scene_params_default();
    abut_status status = abut_study_subject_create(context, def->scene, &params, &subject, error);
    double size = status == ABUT_OK ? abut_study_subject_size(&subject) : 0.0;
    for (int i = 0; i < def->value_count && status == ABUT_OK; ++i) {
        if (kind == &abut_refinement_kind && def->values[i] != 0.0 && subject.scene == NULL) {
            status = abut_fail(error, ABUT_BAD_ARGUMENT,
                               "%.64s is a case, whose meshes cannot be refined: choose a scene", def->scene);
        } else if (kind == &abut_perturbation_kind && def->values[i] > size) {
            status = abut_fail(error, ABUT_BAD_ARGUMENT, "a scale of %g is too large: the size of %.64s is %g",
                               def->values[i], def->scene, size);
        }
    }
    abut_study_subject_release(&subject);
    return status;
}

static abut_status check_def(const abut_study_kind *kind, const abut_quality_def *def, abut_error *error)
{
    double least = kind == &abut_refinement_kind ? 1.0 : 0.0;
    for (int i = 0; i < def->value_count; ++i) {
        double value = def->values[i];
        int is_coarse = kind == &abut_refinement_kind && value == 0.0;
        int is_zero_step = kind == &abut_timestep_kind && value == 0.0;
        if (!isfinite(value) || is_zero_step || !(value >= least || is_coarse)) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "study %s: the value %g is out of range", kind->name, value);
        }
    }
    int are_axes = def->axes[0] >= 0 && def->axes[0] < 3 && def->axes[1] >= 0 && def->axes[1] < 3;
    if (def->method_count < 1 || def->value_count < 1 || def->seed_count < 1 || def->step < 1 || !are_axes ||
        def->iterations < 1 || !(def->friction >= 0.0) || !(def->refine_seconds > 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "a study needs methods, values, seeds, two axes, a step of at least 1, and a friction "
                         "that is not negative");
    }
    return ABUT_OK;
}

abut_status abut_quality_study_create(const abut_context *context, const abut_study_kind *kind,
                                      const abut_quality_def *given, abut_study **study, abut_error *error)
{
    *study = NULL;
    abut_study *made = NULL;
    abut_quality_def read = abut_quality_def_default(kind), *def = &read;
    abut_status status = abut_read_versioned(&read, sizeof read, given)
                             ? check_def(kind, def, error)
                             : abut_fail(error, ABUT_BAD_ARGUMENT, "start from abut_quality_def_default()");
    status = status != ABUT_OK ? status : check_subject(context, kind, def, error);
    status = status != ABUT_OK ? status : abut_study_create(context, kind, &made, error);
    if (status != ABUT_OK) {
        return status;
    }
    quality_data *data = abut_allocate_zeroed(abut_lab_object_context(made), 1, sizeof *data);
    made->data = data;
    status = data != NULL ? ABUT_OK : abut_fail(error, ABUT_NO_MEMORY, "no memory for a study");
    if (status == ABUT_OK) {
        (void)snprintf(data->scene, sizeof data->scene, "%s", def->scene);
        memcpy(data->axes, def->axes, sizeof data->axes);
        data->step = def->step;
        data->friction = def->friction;
        data->iterations = def->iterations;
        data->refine_seconds = def->refine_seconds;
        status = keep_methods(abut_lab_object_context(made), data, def, error);
    }
    status = status != ABUT_OK ? status : set_plan(made, data, def, error);
    status = status != ABUT_OK ? status : add_runs(made, def, error);
    if (status != ABUT_OK) {
        abut_study_destroy(made);
        return status;
    }
    *study = made;
    return ABUT_OK;
}
