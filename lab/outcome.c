// SPDX-License-Identifier: MIT
// outcome.c: whether a structure stands, collapses, or stands where it should slide
#include "support.h"

#include <abut-lab/simulation.h>

#include <math.h>

static const double TILT = 5.0 * 3.14159265358979323846 / 180.0;
static const double SHARE = 0.1; ///< of a way, that counts as sliding

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

abut_fall abut_simulation_find_fall(const abut_simulation *simulation, const abut_setup *setup)
{
    abut_fall fall = {-1, 0.0};
    abut_vec3 up = abut_unit(abut_negate(setup->gravity));
    for (int i = 0; i < setup->body_count && abut_norm_squared(up) > 0.0; ++i) {
        const abut_setup_body *body = &setup->bodies[i];
        if (body->is_fixed) {
            continue;
        }
        abut_body_state now = abut_world_get_body(simulation->world, i);
        // the centre of mass is a fixed point of the mesh
        abut_vec3 before = abut_pose_apply(body->pose, abut_pose_apply_inverse(now.pose, now.center));
        double height = height_of(setup->meshes[body->mesh].mesh, body->pose, up);
        double heights = abut_dot(up, abut_sub(before, now.center)) / height;
        if (heights > 0.5 && heights > fall.heights) {
            fall.body = i;
            fall.heights = heights;
        }
    }
    return fall;
}

/// The largest way of a free body.
static double way_of(const abut_simulation *simulation, const abut_setup *setup)
{
    double way = 0.0;
    for (int i = 0; i < setup->body_count; ++i) {
        abut_vec3 now = abut_world_get_body(simulation->world, i).pose.position;
        way = setup->bodies[i].is_fixed ? way : fmax(way, abut_norm(abut_sub(now, setup->bodies[i].pose.position)));
    }
    return way;
}

/// Does the steps; `done` counts those that did not fail. The way of what was done is in `way`.
static abut_status run(const abut_context *context, const abut_setup *setup, const abut_world_def *def, int steps,
                       int *done, abut_fall *fall, double *way, abut_error *step_error, abut_error *error)
{
    abut_simulation *simulation = NULL;
    abut_status status = abut_simulation_create(context, setup, def, &simulation, error);
    if (status != ABUT_OK) {
        return status;
    }
    *done = 0;
    while (*done < steps && abut_world_step(simulation->world, step_error) == ABUT_OK) {
        ++*done;
    }
    *fall = abut_simulation_find_fall(simulation, setup);
    *way = way_of(simulation, setup);
    abut_simulation_destroy(simulation);
    return ABUT_OK;
}

/// A friction of zero everywhere, and gravity turned by the tilt about an axis at right angles to it.
static abut_status run_tilted(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                              int steps, double *way, abut_error *error)
{
    abut_setup slippery = *setup;
    abut_context kept = abut_lab_context(context);
    size_t material_count = (size_t)setup->material_count, pair_count = (size_t)setup->pair_count;
    slippery.materials = abut_lab_allocate(&kept, material_count + 1, sizeof *slippery.materials);
    slippery.pairs = abut_lab_allocate(&kept, pair_count + 1, sizeof *slippery.pairs);
    abut_status status = ABUT_NO_MEMORY;
    if (slippery.materials != NULL && slippery.pairs != NULL) {
        for (size_t i = 0; i < material_count; ++i) {
            slippery.materials[i] = setup->materials[i];
            slippery.materials[i].law.friction = 0.0;
        }
        for (size_t i = 0; i < pair_count; ++i) {
            slippery.pairs[i] = setup->pairs[i];
            slippery.pairs[i].friction = 0.0;
        }
        abut_world_def tilted = *def;
        abut_vec3 aside = abut_any_perpendicular(def->gravity);
        tilted.gravity = abut_add_scaled(abut_scale(cos(TILT), def->gravity), abut_norm(def->gravity) * sin(TILT),
                                         abut_unit(aside));
        int done;
        abut_fall fall;
        abut_error step_error;
        status = run(&kept, &slippery, &tilted, steps, &done, &fall, way, &step_error, error);
    } else {
        (void)abut_lab_fail(error, ABUT_NO_MEMORY, "no memory for a setup");
    }
    abut_lab_free(&kept, slippery.materials);
    abut_lab_free(&kept, slippery.pairs);
    return status;
}

static abut_status look_for_sliding(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                                    int steps, abut_outcome_report *report, abut_error *error)
{
    abut_world_def exact = *def;
    exact.method = abut_method_find("regions");
    exact.params = abut_params_default();
    abut_status status = run_tilted(context, setup, &exact, steps, &report->exact_slide, error);
    if (status == ABUT_OK) {
        status = run_tilted(context, setup, def, steps, &report->slide, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    double time = steps * def->dt, free_way = 0.5 * abut_norm(def->gravity) * sin(TILT) * time * time;
    int slides_on_exact = report->exact_slide >= SHARE * free_way;
    if (slides_on_exact && report->slide < SHARE * report->exact_slide) {
        report->outcome = ABUT_OUTCOME_TOO_STABLE;
    }
    return ABUT_OK;
}

abut_status abut_find_outcome(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                              int steps, abut_outcome_report *report, abut_error *error)
{
    abut_outcome_report made = {.slide = NAN, .exact_slide = NAN, .fall = {-1, 0.0}};
    double way;
    abut_status status = run(context, setup, def, steps, &made.steps, &made.fall, &way, &made.error, error);
    if (status == ABUT_OK) {
        made.outcome = made.fall.body >= 0  ? ABUT_OUTCOME_COLLAPSED
                       : made.steps < steps ? ABUT_OUTCOME_FAILED
                                            : ABUT_OUTCOME_STANDS;
        if (made.outcome == ABUT_OUTCOME_STANDS) {
            status = look_for_sliding(context, setup, def, steps, &made, error);
        }
    }
    *report = made;
    return status;
}
