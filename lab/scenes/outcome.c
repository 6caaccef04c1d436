// SPDX-License-Identifier: MIT
// outcome.c: whether a structure stands, collapses, or stands although it should slide
#include "common/lab_support.h"

#include <abut-lab/simulation.h>

#include <math.h>

static const double TILT = 5.0 * ABUT_LAB_PI / 180.0;
static const double SHARE = 0.1; ///< of a free body's displacement that counts as sliding

const char *abut_outcome_text(abut_outcome outcome)
{
    static const char *const words[] = {"stands", "collapsed", "too stable", "failed"};
    return (unsigned)outcome <= ABUT_OUTCOME_FAILED ? words[outcome] : NULL;
}

/// The extent of a placed mesh along a direction.
static double height_of(const abut_mesh *mesh, abut_pose pose, abut_vec3 up)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (int i = 0; i < e.vertex_count; ++i) {
        double at = abut_dot(up, abut_pose_apply(pose, e.vertices[i]));
        lower = fmin(lower, at);
        upper = fmax(upper, at);
    }
    return upper - lower;
}

/// The displacement of a body's centre of mass.
static abut_vec3 way_of(const abut_simulation *simulation, const abut_setup *setup, int body)
{
    abut_body_state now = abut_world_get_body(simulation->world, body);
    // it is a fixed point of the mesh
    abut_vec3 local = abut_pose_apply_inverse(now.pose, now.center);
    return abut_sub(now.center, abut_pose_apply(setup->bodies[body].pose, local));
}

abut_fall abut_simulation_find_fall(const abut_simulation *simulation, const abut_setup *setup)
{
    abut_fall fall = {-1, 0.0};
    abut_vec3 up = abut_unit(abut_negate(setup->gravity));
    for (int i = 0; i < setup->body_count && abut_norm_squared(up) > 0.0; ++i) {
        const abut_setup_body *body = &setup->bodies[i];
        if (body->is_fixed) {
            continue;
        }
        double height = height_of(setup->meshes[body->mesh].mesh, body->pose, up);
        double heights = -abut_dot(up, way_of(simulation, setup, i)) / height;
        if (heights > 0.5 && heights > fall.heights) {
            fall.body = i;
            fall.heights = heights;
        }
    }
    return fall;
}

/// A run to do.
typedef struct trial {
    const abut_context *context;
    const abut_setup *setup;
    abut_world_def def;
    int steps;
} trial;

/// Results of a run.
typedef struct trial_run {
    int steps; ///< done
    int keeps_counts;
    int *counts; ///< contacts of each step, with room for more
    int capacity;
    abut_fall fall;
    double way;       ///< largest displacement of a free body
    abut_error error; ///< of the step that failed
} trial_run;

/// 0 if memory ran out.
static int add_count(const abut_context *context, trial_run *left, int count)
{
    if (left->keeps_counts) {
        if (!abut_grow(context, &left->counts, &left->capacity, left->steps + 1, sizeof *left->counts)) {
            return 0;
        }
        left->counts[left->steps] = count;
    }
    ++left->steps;
    return 1;
}

/// Does steps until one fails. A step that runs out of memory says nothing about the method: that is the status.
static abut_status run(const trial *how, trial_run *left, abut_error *error)
{
    const abut_setup *setup = how->setup;
    abut_simulation *simulation = NULL;
    abut_status status = abut_simulation_create(how->context, setup, &how->def, &simulation, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_status step = ABUT_OK;
    while (left->steps < how->steps && (step = abut_world_step(simulation->world, &left->error)) == ABUT_OK) {
        abut_world_report report = abut_world_get_report(simulation->world);
        if (!add_count(how->context, left, report.contact_count)) {
            step = abut_fail(&left->error, ABUT_NO_MEMORY, "out of memory for %d steps", left->steps + 1);
            break;
        }
    }
    if (step == ABUT_NO_MEMORY) {
        status = abut_fail(error, step, "%s", left->error.text);
    }
    left->fall = abut_simulation_find_fall(simulation, setup);
    for (int i = 0; i < setup->body_count; ++i) {
        left->way =
            setup->bodies[i].is_fixed ? left->way : fmax(left->way, abut_norm(way_of(simulation, setup, i)));
    }
    abut_simulation_destroy(simulation);
    return status;
}

/// Gravity, tilted towards the bisector of two directions at right angles to it.
static abut_vec3 tilted(abut_vec3 gravity)
{
    abut_vec3 down = abut_unit(gravity), first = abut_unit(abut_any_perpendicular(down));
    abut_vec3 aside = abut_unit(abut_add(first, abut_cross(down, first)));
    return abut_scale(abut_norm(gravity), abut_add_scaled(abut_scale(cos(TILT), down), sin(TILT), aside));
}

/// Runs without friction and with tilted gravity. `is_exact`: also without the contact methods of material pairs.
static abut_status run_tilted(const trial *how, int is_exact, trial_run *left, abut_error *error)
{
    const abut_setup *setup = how->setup;
    trial tilt = *how;
    abut_setup slippery = *setup;
    size_t material_count = (size_t)setup->material_count, pair_count = (size_t)setup->pair_count;
    slippery.materials = abut_allocate_zeroed(how->context, material_count, sizeof *slippery.materials);
    slippery.pairs = abut_allocate_zeroed(how->context, pair_count, sizeof *slippery.pairs);
    abut_status status = ABUT_NO_MEMORY;
    if (slippery.materials != NULL && slippery.pairs != NULL) {
        for (size_t i = 0; i < material_count; ++i) {
            slippery.materials[i] = setup->materials[i];
        }
        for (size_t i = 0; i < pair_count; ++i) {
            slippery.pairs[i] = setup->pairs[i];
            slippery.pairs[i].method = is_exact ? NULL : slippery.pairs[i].method;
        }
        abut_setup_set_friction(&slippery, 0.0);
        tilt.setup = &slippery;
        tilt.def.gravity = tilted(how->def.gravity);
        status = run(&tilt, left, error);
    } else {
        (void)abut_fail(error, ABUT_NO_MEMORY, "out of memory for a setup");
    }
    abut_free(how->context, slippery.materials);
    abut_free(how->context, slippery.pairs);
    return status;
}

static abut_status look_for_sliding(const trial *how, abut_outcome_report *report, abut_error *error)
{
    trial exact = *how;
    exact.def.method = abut_method_find("regions");
    exact.def.params = NULL;
    trial_run on_exact = {0}, on_method = {0};
    abut_status status = run_tilted(&exact, 1, &on_exact, error);
    if (status == ABUT_OK) {
        status = run_tilted(how, 0, &on_method, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    report->exact_slide = on_exact.way;
    report->slide = on_method.way;
    double time = how->steps * how->def.dt;
    double least = SHARE * 0.5 * abut_norm(how->def.gravity) * sin(TILT) * time * time;
    if (on_exact.way >= least && on_method.way < least) {
        int is_cut_short = on_method.steps < how->steps;
        report->outcome = is_cut_short ? ABUT_OUTCOME_FAILED : ABUT_OUTCOME_TOO_STABLE;
        report->error = on_method.error;
    }
    return ABUT_OK;
}

abut_status abut_find_outcome(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                              int steps, abut_outcome_report *report, abut_error *error)
{
    *report = (abut_outcome_report){.slide = NAN, .exact_slide = NAN, .fall = {-1, 0.0}};
    abut_context kept = abut_context_or_default(context);
    trial how = {&kept, setup, abut_world_def_default(), steps};
    if (!abut_read_versioned(&how.def, sizeof how.def, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world was not defined by abut_world_def_default()");
    }
    trial_run left = {.keeps_counts = 1};
    abut_status status = run(&how, &left, error);
    report->counts = left.counts;
    if (status != ABUT_OK) {
        return status;
    }
    report->steps = left.steps;
    report->fall = left.fall;
    report->error = left.error;
    report->outcome = left.fall.body >= 0  ? ABUT_OUTCOME_COLLAPSED
                      : left.steps < steps ? ABUT_OUTCOME_FAILED
                                           : ABUT_OUTCOME_STANDS;
    return report->outcome == ABUT_OUTCOME_STANDS ? look_for_sliding(&how, report, error) : ABUT_OK;
}

void abut_outcome_release(const abut_context *context, abut_outcome_report *report)
{
    abut_context kept = abut_context_or_default(context);
    abut_free(&kept, report->counts);
    report->counts = NULL;
}
