// SPDX-License-Identifier: MIT
// setup.c: setups of cases and scenes, and the world of a setup
#include "scenes/setup.h"

#include "common/lab_support.h"
#include "scenes/buildings.h"
#include "scenes/concave_scenes.h"
#include "scenes/motion_scenes.h"
#include "scenes/penalty_scenes.h"

#include <abut-lab/case.h>
#include <abut-lab/scene.h>
#include <abut-lab/spinning.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

abut_setup_builder abut_setup_begin(const abut_context *context, const char *name, abut_error *error)
{
    abut_setup_builder builder = {.context = abut_context_or_default(context), .error = error};
    builder.setup = abut_lab_object_create(&builder.context, sizeof *builder.setup);
    if (builder.setup == NULL) {
        builder.status = abut_fail(error, ABUT_NO_MEMORY, "out of memory for a setup");
        return builder;
    }
    (void)snprintf(builder.setup->name, sizeof builder.setup->name, "%s", name);
    builder.setup->gravity = abut_vec3_make(0.0, -9.82, 0.0);
    builder.setup->dt = 0.01;
    builder.setup->steps = 500;
    builder.setup->stabilisation = abut_world_def_default().stabilisation;
    // the papers have neither stabilisation nor speculative contacts, nor sweeps
    builder.setup->stabilisation.is_on = 0;
    builder.setup->gap_rule = ABUT_GAP_NONE;
    return builder;
}

abut_status abut_setup_end(abut_setup_builder *builder, abut_setup **setup)
{
    if (builder->status != ABUT_OK) {
        abut_setup_destroy(builder->setup);
        builder->setup = NULL;
    }
    *setup = builder->setup;
    return builder->status;
}

void abut_setup_destroy(abut_setup *setup)
{
    if (setup == NULL) {
        return;
    }
    const abut_context *context = abut_lab_object_context(setup);
    for (int i = 0; i < setup->mesh_count; ++i) {
        abut_mesh_destroy(setup->meshes[i].mesh);
        abut_mesh_destroy(setup->meshes[i].core);
    }
    abut_free(context, setup->meshes);
    abut_free(context, setup->materials);
    abut_free(context, setup->pairs);
    abut_free(context, setup->bodies);
    abut_free(context, setup->response);
    abut_free(context, setup->soft_response);
    for (int i = 0; i < setup->soft_count; ++i) {
        abut_free(context, setup->softs[i].pins);
        abut_free(context, setup->softs[i].material);
    }
    abut_free(context, setup->softs);
    abut_lab_object_destroy(setup);
}

void abut_setup_set_friction(abut_setup *setup, double friction)
{
    for (int i = 0; i < setup->material_count; ++i) {
        setup->materials[i].friction = friction;
    }
    for (int i = 0; i < setup->pair_count; ++i) {
        setup->pairs[i].friction = friction;
    }
}

/// Makes room for one more item in an array, given by the address of its pointer; 0 if memory ran out.
static int make_room(abut_setup_builder *builder, void *array, int count, int *capacity, size_t item_size)
{
    if (builder->status == ABUT_OK &&
        (count == INT_MAX || !abut_grow(&builder->context, array, capacity, count + 1, item_size))) {
        builder->status = abut_fail(builder->error, ABUT_NO_MEMORY, "out of memory for a setup");
    }
    return builder->status == ABUT_OK;
}

int abut_setup_add_mesh(abut_setup_builder *builder, const char *name, abut_mesh *mesh)
{
    abut_setup *s = builder->setup;
    if (!make_room(builder, s == NULL ? NULL : &s->meshes, s == NULL ? 0 : s->mesh_count, &builder->mesh_capacity,
                   sizeof *s->meshes)) {
        abut_mesh_destroy(mesh);
        return -1;
    }
    abut_setup_mesh *added = &s->meshes[s->mesh_count];
    *added = (abut_setup_mesh){.mesh = mesh};
    (void)snprintf(added->name, sizeof added->name, "%s", name);
    return s->mesh_count++;
}

int abut_setup_add_material(abut_setup_builder *builder, const char *name, const abut_material *law)
{
    abut_setup *s = builder->setup;
    if (builder->status != ABUT_OK ||
        !make_room(builder, &s->materials, s->material_count, &builder->material_capacity, sizeof *s->materials)) {
        return -1;
    }
    abut_setup_material *added = &s->materials[s->material_count];
    (void)snprintf(added->name, sizeof added->name, "%s", name);
    added->density = law->density;
    added->friction = law->friction;
    added->restitution = law->restitution;
    return s->material_count++;
}

int abut_setup_add_pair(abut_setup_builder *builder, const abut_setup_pair *pair)
{
    abut_setup *s = builder->setup;
    if (builder->status != ABUT_OK ||
        !make_room(builder, &s->pairs, s->pair_count, &builder->pair_capacity, sizeof *s->pairs)) {
        return -1;
    }
    s->pairs[s->pair_count] = *pair;
    return s->pair_count++;
}

int abut_setup_add_body(abut_setup_builder *builder, const abut_setup_body *body)
{
    abut_setup *s = builder->setup;
    if (builder->status != ABUT_OK ||
        !make_room(builder, &s->bodies, s->body_count, &builder->body_capacity, sizeof *s->bodies)) {
        return -1;
    }
    s->bodies[s->body_count] = *body;
    return s->body_count++;
}

int abut_setup_add_soft(abut_setup_builder *builder, const abut_setup_soft *soft)
{
    abut_setup *s = builder->setup;
    if (builder->status != ABUT_OK ||
        !make_room(builder, &s->softs, s->soft_count, &builder->soft_capacity, sizeof *s->softs)) {
        abut_free(&builder->context, soft->pins);
        abut_free(&builder->context, soft->material);
        return -1;
    }
    s->softs[s->soft_count] = *soft;
    return s->soft_count++;
}

abut_status abut_setup_copy_mesh(const abut_context *context, const abut_mesh *mesh, double scale, abut_mesh **copy,
                                 abut_error *error)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_vec3 *vertices = abut_allocate_zeroed(context, (size_t)e.vertex_count + 1, sizeof *vertices);
    if (vertices == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d vertices", e.vertex_count);
    }
    for (int i = 0; i < e.vertex_count; ++i) {
        vertices[i] = abut_scale(scale, e.vertices[i]);
    }
    abut_mesh_def def = abut_mesh_get_def(mesh);
    def.vertices = vertices;
    abut_status status = abut_mesh_create(context, &def, copy, error);
    abut_free(context, vertices);
    return status;
}

int abut_setup_find_mesh(const abut_setup *setup, const char *name)
{
    for (int i = 0; i < setup->mesh_count; ++i) {
        if (strcmp(setup->meshes[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

int abut_setup_find_material(const abut_setup *setup, const char *name)
{
    for (int i = 0; i < setup->material_count; ++i) {
        if (strcmp(setup->materials[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------------------------
// Cases and scenes

/// Density 2000 of stones from the paper (section 6); iron and damping from the author's program.
static void use_paper(abut_setup_builder *builder)
{
    abut_material stone = abut_material_default();
    stone.density = 2000.0;
    stone.friction = 0.5;
    (void)abut_setup_add_material(builder, "stone", &stone);
    abut_material iron = stone;
    iron.density = 7900.0;
    (void)abut_setup_add_material(builder, "iron", &iron);
    if (builder->status == ABUT_OK) {
        builder->setup->linear_damping = builder->setup->angular_damping = 0.01;
    }
}

static abut_mesh *copy_mesh(abut_setup_builder *builder, const abut_mesh *mesh)
{
    abut_mesh *copy = NULL;
    if (builder->status == ABUT_OK) {
        builder->status = abut_setup_copy_mesh(&builder->context, mesh, 1.0, &copy, builder->error);
    }
    return copy;
}

static void add_case_body(abut_setup_builder *builder, const char *name, const abut_case_body *from)
{
    abut_setup_body body = {.mesh = abut_setup_add_mesh(builder, from->shape, copy_mesh(builder, from->mesh)),
                            .pose = from->pose,
                            .linear_velocity = from->linear_velocity,
                            .is_fixed = from->is_fixed};
    (void)snprintf(body.name, sizeof body.name, "%s", name);
    (void)abut_setup_add_body(builder, &body);
}

abut_status abut_setup_create_case(const abut_context *context, const abut_case *item, abut_setup **setup,
                                   abut_error *error)
{
    abut_setup_builder builder = abut_setup_begin(context, item->name, error);
    use_paper(&builder);
    add_case_body(&builder, "a", &item->a);
    add_case_body(&builder, "b", &item->b);
    if (builder.status == ABUT_OK) {
        builder.setup->dt = item->dt;
    }
    return abut_setup_end(&builder, setup);
}

static abut_status setup_of_case(const abut_context *context, const char *name, abut_setup **setup,
                                 abut_error *error)
{
    abut_case *made = NULL;
    abut_status status = abut_case_create(context, name, NULL, &made, error);
    if (status == ABUT_OK) {
        status = abut_setup_create_case(context, made, setup, error);
    }
    abut_case_destroy(made);
    return status;
}

abut_status abut_setup_create_scene(const abut_context *context, const abut_scene *scene, abut_setup **setup,
                                    abut_error *error)
{
    abut_setup_builder builder = abut_setup_begin(context, scene->name, error);
    use_paper(&builder);
    for (int i = 0; i < scene->mesh_count; ++i) {
        char called[ABUT_SETUP_NAME_ROOM];
        (void)snprintf(called, sizeof called, "mesh-%d", i);
        (void)abut_setup_add_mesh(&builder, called, copy_mesh(&builder, scene->meshes[i]));
    }
    for (int i = 0; i < scene->body_count; ++i) {
        const abut_scene_body *from = &scene->bodies[i];
        abut_setup_body body = {.mesh = from->mesh, .pose = from->pose, .is_fixed = from->is_fixed};
        (void)snprintf(body.name, sizeof body.name, "%s", from->name);
        (void)abut_setup_add_body(&builder, &body);
    }
    return abut_setup_end(&builder, setup);
}

static abut_status setup_of_scene(const abut_context *context, const char *name, abut_setup **setup,
                                  abut_error *error)
{
    abut_scene *made = NULL;
    abut_status status = abut_scene_create(context, name, NULL, &made, error);
    if (status == ABUT_OK) {
        status = abut_setup_create_scene(context, made, setup, error);
    }
    abut_scene_destroy(made);
    return status;
}

const char *abut_setup_name(int index)
{
    const char *const *(*const sources[])(int *) = {
        abut_case_names,   abut_mixed_case_names,    abut_scene_names,         abut_building_names,
        abut_motion_names, abut_concave_scene_names, abut_penalty_scene_names, abut_spin_names};
    for (size_t i = 0; i < sizeof sources / sizeof sources[0] && index >= 0; ++i) {
        int count;
        const char *const *names = sources[i](&count);
        if (index < count) {
            return names[index];
        }
        index -= count;
    }
    return NULL;
}

abut_status abut_setup_create(const abut_context *context, const char *name, abut_setup **setup, abut_error *error)
{
    *setup = NULL;
    if (abut_lab_find_name(abut_case_names, name) >= 0 || abut_lab_find_name(abut_mixed_case_names, name) >= 0) {
        return setup_of_case(context, name, setup, error);
    }
    if (abut_lab_find_name(abut_scene_names, name) >= 0) {
        return setup_of_scene(context, name, setup, error);
    }
    if (abut_lab_find_name(abut_building_names, name) >= 0) {
        abut_setup_builder builder = abut_setup_begin(context, name, error);
        use_paper(&builder);
        abut_building_add(&builder, name);
        return abut_setup_end(&builder, setup);
    }
    if (abut_lab_find_name(abut_motion_names, name) >= 0) {
        abut_setup_builder builder = abut_setup_begin(context, name, error);
        abut_motion_add(&builder, name);
        return abut_setup_end(&builder, setup);
    }
    if (abut_lab_find_name(abut_concave_scene_names, name) >= 0) {
        abut_setup_builder builder = abut_setup_begin(context, name, error);
        abut_concave_scene_add(&builder, name);
        return abut_setup_end(&builder, setup);
    }
    if (abut_lab_find_name(abut_penalty_scene_names, name) >= 0) {
        abut_setup_builder builder = abut_setup_begin(context, name, error);
        abut_penalty_scene_add(&builder, name);
        return abut_setup_end(&builder, setup);
    }
    if (abut_lab_find_name(abut_spin_names, name) >= 0) {
        abut_spin_params params = abut_spin_params_default(name);
        return abut_spin_setup(context, &params, setup, error);
    }
    return abut_fail(error, ABUT_BAD_ARGUMENT,
                     "there is no case, scene, building, motion or spinning body named %.64s", name);
}

// ---------------------------------------------------------------------------------------------------------------
// The world

static abut_world_def world_def(const abut_setup *setup)
{
    abut_world_def def = abut_world_def_default();
    def.gravity = setup->gravity;
    def.dt = setup->dt;
    def.linear_damping = setup->linear_damping;
    def.angular_damping = setup->angular_damping;
    def.gap_rule = setup->gap_rule;
    def.stabilisation = setup->stabilisation;
    def.has_sleep = setup->has_sleep;
    def.stepper = setup->stepper;
    def.has_sweeps = setup->has_sweeps;
    def.impact_rule = setup->impact_rule;
    def.response = setup->response;
    def.viscosity = setup->viscosity;
    def.soft_response = setup->soft_response;
    return def;
}

void abut_setup_world_def_init(const abut_setup *setup, abut_world_def *def, size_t size)
{
    const abut_world_def made = world_def(setup);
    abut_write_versioned(def, size, &made, sizeof made);
}

void abut_setup_paper_def_init(const abut_setup *setup, abut_world_def *def, size_t size)
{
    abut_world_def made = world_def(setup);
    made.stepper = ABUT_STEPPER_MOREAU;
    made.solver = ABUT_SOLVER_PROX;
    made.has_warm_start = 0;
    abut_write_versioned(def, size, &made, sizeof made);
}

void abut_paper_prox_params_init(abut_prox_params *params, size_t size)
{
    abut_prox_params made = abut_prox_params_default();
    made.sweep = ABUT_SWEEP_FORWARD;
    made.factor = ABUT_FACTOR_LOCAL;
    made.iteration_limit = 1000;
    made.absolute_tolerance = made.relative_tolerance = 0.0;
    abut_write_versioned(params, size, &made, sizeof made);
}

/// Puts the line and path in the JSON text before the message.
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static abut_status
fail_at(abut_status status, abut_error *error, int line, const char *path, ...)
{
    if (error != NULL && line > 0) {
        char place[ABUT_SETUP_NAME_ROOM + 16];
        const abut_error reason = *error;
        va_list arguments;
        va_start(arguments, path);
        (void)vsnprintf(place, sizeof place, path, arguments);
        va_end(arguments);
        (void)snprintf(error->text, sizeof error->text, "line %d: %s: %.150s", line, place, reason.text);
        error->line = line;
    }
    return status;
}

static abut_status add_pair(abut_world *world, const abut_setup_pair *pair, abut_error *error)
{
    double friction = 0.0, restitution = 0.0;
    abut_status status = abut_world_get_pair(world, pair->a, pair->b, &friction, &restitution, error);
    if (status == ABUT_OK) {
        friction = isnan(pair->friction) ? friction : pair->friction;
        restitution = isnan(pair->restitution) ? restitution : pair->restitution;
        status = abut_world_set_pair(world, pair->a, pair->b, friction, restitution, error);
    }
    if (status == ABUT_OK && pair->method != NULL) {
        const abut_params params = abut_params_default();
        status = abut_world_set_method(world, pair->a, pair->b, pair->method, &params, error);
    }
    return status;
}

static abut_status add_soft_body(abut_simulation *simulation, const abut_setup *setup, int index, abut_error *error)
{
    const abut_setup_body *from = &setup->bodies[index];
    const abut_setup_soft *soft = &setup->softs[from->soft - 1];
    abut_soft_params params = abut_soft_params_default();
    params.integrator = soft->integrator;
    params.accuracy = soft->accuracy > 0.0 ? soft->accuracy : params.accuracy;
    params.newton_limit = soft->newton_limit > 0 ? soft->newton_limit : params.newton_limit;
    params.iteration_limit = soft->iteration_limit > 0 ? soft->iteration_limit : params.iteration_limit;
    abut_soft_body_def def = abut_soft_body_def_default();
    def.name = from->name;
    def.shape = simulation->shapes[from->mesh];
    def.pose = from->pose;
    def.linear_velocity = from->linear_velocity;
    def.angular_velocity = from->angular_velocity;
    def.material = from->material;
    def.soft_material = soft->material;
    def.pins = soft->pins;
    def.pin_count = soft->pin_count;
    def.params = &params;
    def.has_self_contact = soft->has_self_contact;
    return abut_world_add_soft_body(simulation->world, &def, NULL, error);
}

static abut_status add_body(abut_simulation *simulation, const abut_setup *setup, int index, abut_error *error)
{
    const abut_setup_body *from = &setup->bodies[index];
    if (from->soft > 0) {
        return add_soft_body(simulation, setup, index, error);
    }
    abut_body_def def = abut_body_def_default();
    def.name = from->name;
    def.shape = simulation->shapes[from->mesh];
    def.pose = from->pose;
    def.linear_velocity = from->linear_velocity;
    def.angular_velocity = from->angular_velocity;
    def.is_fixed = from->is_fixed;
    def.material = from->material;
    abut_mass mass;
    if (from->mass > 0.0 && !from->is_fixed) {
        abut_status status = abut_shape_mass(def.shape, &mass, NULL, error);
        if (status != ABUT_OK) {
            return status;
        }
        // the world multiplies by the density
        double factor = from->mass / (setup->materials[from->material].density * mass.mass);
        mass.inertia.x = abut_scale(factor, mass.inertia.x);
        mass.inertia.y = abut_scale(factor, mass.inertia.y);
        mass.inertia.z = abut_scale(factor, mass.inertia.z);
        mass.mass *= factor;
        def.mass = &mass;
    }
    return abut_world_add_body(simulation->world, &def, NULL, error);
}

/// Whether a world with this definition uses the cores of primitives instead of their facets.
static int takes_cores(const abut_world_def *def)
{
    return def->response == NULL && def->method != NULL && strcmp(def->method->name, "quasi-lmd") == 0;
}

static abut_status used_def(const abut_world_def *given, abut_world_def *used, abut_error *error)
{
    *used = abut_world_def_default();
    return abut_read_versioned(used, sizeof *used, given)
               ? ABUT_OK
               : abut_fail(error, ABUT_BAD_ARGUMENT, "the world's definition was not made by a ..._def() function");
}

static abut_status fill_world(abut_simulation *simulation, const abut_setup *setup, int has_cores,
                              abut_error *error)
{
    abut_status status = ABUT_OK;
    for (int i = 0; status == ABUT_OK && i < setup->mesh_count; ++i) {
        const abut_setup_mesh *from = &setup->meshes[i];
        abut_shape_def def = abut_shape_def_default();
        int is_core = has_cores && from->core != NULL;
        def.mesh = is_core ? from->core : from->mesh;
        def.dilation = is_core ? from->radius : 0.0;
        status = abut_shape_create(abut_lab_object_context(simulation), &def, &simulation->shapes[i], error);
        simulation->shape_count = i + 1;
        if (status != ABUT_OK) {
            return fail_at(status, error, from->line, "meshes.%s", from->name);
        }
    }
    for (int i = 0; status == ABUT_OK && i < setup->material_count; ++i) {
        const abut_setup_material *from = &setup->materials[i];
        abut_material material = abut_material_default();
        material.density = from->density;
        material.friction = from->friction;
        material.restitution = from->restitution;
        status = abut_world_add_material(simulation->world, &material, NULL, error);
    }
    for (int i = 0; status == ABUT_OK && i < setup->pair_count; ++i) {
        status = add_pair(simulation->world, &setup->pairs[i], error);
    }
    for (int i = 0; status == ABUT_OK && i < setup->body_count; ++i) {
        status = add_body(simulation, setup, i, error);
        if (status != ABUT_OK) {
            return fail_at(status, error, setup->bodies[i].line, "bodies[%d]", i);
        }
    }
    return status;
}

abut_status abut_simulation_create(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                                   abut_simulation **simulation, abut_error *error)
{
    *simulation = NULL;
    abut_context kept = abut_context_or_default(context);
    abut_simulation *made = abut_lab_object_create(&kept, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for a simulation");
    }
    made->shapes = abut_allocate_zeroed(&kept, (size_t)setup->mesh_count + 1, sizeof(abut_shape *));
    abut_world_def used;
    abut_status status = made->shapes == NULL ? abut_fail(error, ABUT_NO_MEMORY, "out of memory for a simulation")
                                              : used_def(def, &used, error);
    status = status != ABUT_OK ? status : abut_world_create(&kept, &used, &made->world, error);
    if (status == ABUT_OK) {
        status = fill_world(made, setup, takes_cores(&used), error);
    }
    if (status != ABUT_OK) {
        abut_simulation_destroy(made);
        made = NULL;
    }
    *simulation = made;
    return status;
}

void abut_simulation_destroy(abut_simulation *simulation)
{
    if (simulation == NULL) {
        return;
    }
    abut_world_destroy(simulation->world);
    for (int i = 0; i < simulation->shape_count; ++i) {
        abut_shape_destroy(simulation->shapes[i]);
    }
    abut_free(abut_lab_object_context(simulation), simulation->shapes);
    abut_lab_object_destroy(simulation);
}
