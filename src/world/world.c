// SPDX-License-Identifier: MIT
// world.c: a world, its materials and its bodies
#include "world/world.h"

#include "world/island_cut.h"
#include "world/soft_body.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "method/params.h"
#include "solve/solver.h"

#include <abut/primitives.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

void abut_world_def_init(abut_world_def *def, size_t size)
{
    const abut_world_def made = {.struct_size = sizeof made,
                                 .dt = 0.01,
                                 .method = abut_method_find("auto"),
                                 .has_warm_start = 1,
                                 .gap_rule = ABUT_GAP_POSITIVE,
                                 .stabilisation = {.is_on = 1, .share = 0.5, .speed_limit = HUGE_VAL},
                                 .speed_limit = HUGE_VAL,
                                 .event_limit = 200,
                                 .time_tolerance = 1e-9,
                                 .has_sweeps = 1,
                                 .cut_limit = 32};
    abut_write_versioned(def, size, &made, sizeof made);
}

static abut_status check_def(const abut_world_def *def, abut_error *error)
{
    if (!abut_is_finite(def->gravity)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world's gravity is not finite");
    }
    if (!(def->dt > 0.0) || !isfinite(def->dt)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world's dt is %g; it must be above 0", def->dt);
    }
    if (def->method == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world has no contact method: set `method`");
    }
    if ((unsigned)def->stepper > ABUT_STEPPER_EVENTS || (unsigned)def->solver > ABUT_SOLVER_MCP ||
        (unsigned)def->gap_rule > ABUT_GAP_SIGNED || (unsigned)def->impact_rule > ABUT_IMPACT_SEQUENTIAL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the world's stepper, solver, gap_rule or impact_rule is not one of those that exist");
    }
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"linear_damping", def->linear_damping},         {"angular_damping", def->angular_damping},
        {"torsion_radius", def->torsion_radius},         {"viscosity", def->viscosity},
        {"stabilisation.slop", def->stabilisation.slop}, {"stabilisation.share", def->stabilisation.share}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        if (!(numbers[i].value >= 0.0) || !isfinite(numbers[i].value)) {
            return abut_fail(error, ABUT_BAD_ARGUMENT, "the world's %s is %g; it must be finite and not negative",
                             numbers[i].name, numbers[i].value);
        }
    }
    if (!(def->speed_limit > 0.0) || !(def->stabilisation.speed_limit >= 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the world's speed_limit or stabilisation.speed_limit is not a positive number");
    }
    if (def->cut_limit < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world's cut_limit is %d; it must be 0 or more",
                         def->cut_limit);
    }
    if (def->prox->start != NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the world's prox.start must be NULL: set has_warm_start instead");
    }
    if (def->event_limit < 1 || !(def->time_tolerance >= 1e-12 && def->time_tolerance <= 1e-3)) {
        return abut_fail(
            error, ABUT_BAD_ARGUMENT,
            "the world's event_limit is %d and its time_tolerance %g; they must be at least 1, and 1e-12 "
            "to 1e-3",
            def->event_limit, def->time_tolerance);
    }
    if (def->torsion_radius > 0.0 && def->solver == ABUT_SOLVER_MCP) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the world's torsion_radius is %g; the solver MCP takes only 0",
                         def->torsion_radius);
    }
    return ABUT_OK;
}

static void widen_margin(abut_world *world, abut_length length)
{
    double *margin = length.is_relative ? &world->relative_margin : &world->absolute_margin;
    *margin = fmax(*margin, length.value);
}

static void release_choice(const abut_world *world, const abut_method_choice *choice)
{
    abut_free(&world->context, choice->options);
}

/// Copies the options of the method that the parameters name. A world looks ahead along the motion itself, so `auto` need
/// not find the gaps of solids that are apart, unless the caller says otherwise. Returns 0 if memory ran out.
static int copy_options(const abut_world *world, abut_method_choice *made)
{
    abut_option touching;
    int is_auto = abut_option_parse(made->method, "gaps=touching", &touching, NULL) == ABUT_OK;
    int count = made->params.option_count;
    if (count + is_auto > 0) {
        made->options =
            abut_params_copy_options(&made->params, made->method, is_auto ? &touching : NULL, &world->context);
        if (made->options == NULL) {
            return 0;
        }
    }
    made->params.options = made->options;
    made->params.option_count = count + is_auto;
    made->added = is_auto;
    return 1;
}

/// Checks the caller's parameters for a method and copies them with their options. `what` names them in a message.
static abut_status make_choice(const abut_world *world, const abut_method *method, const abut_params *params,
                               const char *what, abut_method_choice *made, abut_error *error)
{
    abut_error reason;
    *made = (abut_method_choice){.method = method};
    abut_status status = abut_params_read(params, method, &made->params, &reason);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: %s", what, reason.text);
    }
    if (!copy_options(world, made)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for the options of a method");
    }
    return ABUT_OK;
}

/// Takes a choice over and returns its index, or frees it and returns -1 if memory ran out. All are kept: a world has
/// few.
static int add_choice(abut_world *world, const abut_method_choice *choice)
{
    if (!abut_grow(&world->context, &world->choices, &world->choice_capacity, world->choice_count + 1,
                   sizeof *world->choices)) {
        release_choice(world, choice);
        return -1;
    }
    widen_margin(world, choice->params.tolerance);
    widen_margin(world, choice->params.envelope);
    world->choices[world->choice_count] = *choice;
    return world->choice_count++;
}

/// Reads the definition and the solvers' parameters into the world.
static abut_status read_def(abut_world *world, const abut_world_def *def, abut_error *error)
{
    abut_world_def *read = &world->def;
    *read = abut_world_def_default();
    if (def == NULL || !abut_read_versioned(read, sizeof *read, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the world's definition is missing or was not made by abut_world_def_default()");
    }
    abut_error reason;
    abut_status status = abut_prox_params_read(read->prox, &world->prox, &reason);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "the world's prox: %s", reason.text);
    }
    status = abut_mcp_params_read(read->mcp, &world->mcp, &reason);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "the world's mcp: %s", reason.text);
    }
    read->prox = &world->prox;
    read->mcp = &world->mcp;
    status = abut_world_read_response(world, error);
    return status == ABUT_OK ? check_def(read, error) : status;
}

/// Reads the parameters of the methods into the world.
static abut_status choose_methods(abut_world *world, abut_error *error)
{
    abut_world_def *def = &world->def;
    abut_method_choice first;
    abut_status status = make_choice(world, def->method, def->params, "the world's params", &first, error);
    if (status == ABUT_OK && add_choice(world, &first) < 0) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory for a method");
    }
    if (status != ABUT_OK) {
        return status;
    }
    world->params = first.params; // as the caller gave them
    world->params.option_count -= first.added;
    world->params.options = world->params.option_count > 0 ? first.params.options + first.added : NULL;
    def->params = &world->params;
    return ABUT_OK;
}

abut_status abut_world_create(const abut_context *context, const abut_world_def *def, abut_world **world,
                              abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    *world = NULL;
    abut_context kept = abut_context_or_default(context);
    abut_world *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a world");
    }
    made->context = kept;
    abut_broad_init(&made->broad, &kept);
    abut_broad_init(&made->cast_broad, &kept);
    abut_broad_init(&made->paths.broad, &kept);
    made->cast_count = -1;
    abut_status status = read_def(made, def, error);
    if (status == ABUT_OK) {
        status = choose_methods(made, error);
    }
    if (status == ABUT_OK &&
        (abut_solver_create(&kept, &made->solver) != ABUT_OK || abut_world_create_detectors(made) != ABUT_OK)) {
        status = abut_fail(error, ABUT_NO_MEMORY, "no memory for a world");
    }
    if (status != ABUT_OK) {
        abut_world_destroy(made);
        return status;
    }
    *world = made;
    return ABUT_OK;
}

void abut_world_destroy(abut_world *world)
{
    if (world == NULL) {
        return;
    }
    abut_context context = world->context;
    for (int i = 0; i < world->body_count; ++i) {
        abut_soft_body_destroy(&context, world->bodies[i].soft);
    }
    abut_world_destroy_detectors(world);
    abut_event_stepper_destroy(&context, world->events);
    abut_penalty_stepper_destroy(&context, world->penalty);
    abut_island_cut_destroy(world);
    abut_region_list_release(&context, &world->regions);
    abut_region_list_release(&context, &world->known_regions);
    abut_broad_release(&world->broad);
    abut_broad_release(&world->cast_broad);
    abut_world_release_paths(world);
    abut_solver_destroy(world->solver);
    for (int i = 0; i < world->choice_count; ++i) {
        release_choice(world, &world->choices[i]);
    }
    void *const blocks[] = {world->materials,      world->laws,
                            world->choices,        world->bodies,
                            world->kept,           world->boxes,
                            world->poses,          world->is_passive,
                            world->pairs,          world->known_pairs,
                            world->spare,          world->answers,
                            world->contacts,       world->solve_bodies,
                            world->impulses,       world->solve_contacts,
                            world->last_contacts,  world->last_impulses,
                            world->pushes,         world->last_pushes,
                            world->velocities,     world->history,
                            world->known_contacts, world->awake_contacts,
                            world->parents,        world->is_marked,
                            world->corrections,    world->rises,
                            world->cast_boxes,     world->impact_contacts,
                            world->all_contacts,   world};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&context, blocks[i]);
    }
}

const abut_world_def *abut_world_get_def(const abut_world *world)
{
    return &world->def;
}

// ---------------------------------------------------------------------------------------------------------------
// Materials

void abut_material_init(abut_material *material, size_t size)
{
    const abut_material made = {.struct_size = sizeof made, .density = 1000.0, .friction = 0.5};
    abut_write_versioned(material, size, &made, sizeof made);
}

static abut_status check_law(double friction, double restitution, abut_error *error)
{
    if (!(friction >= 0.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the friction is %g; it must be 0 or more", friction);
    }
    if (!(restitution >= 0.0 && restitution <= 1.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the restitution is %g; it must be from 0 to 1", restitution);
    }
    return ABUT_OK;
}

/// The geometric mean; 0 if one of them is 0, also with infinity.
static double mean_friction(double a, double b)
{
    return a == 0.0 || b == 0.0 ? 0.0 : sqrt(a) * sqrt(b);
}

abut_status abut_world_add_material(abut_world *world, const abut_material *material, int *index, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    abut_material read = abut_material_default();
    if (material == NULL || !abut_read_versioned(&read, sizeof read, material)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the material is missing or was not made by abut_material_default()");
    }
    if (!(read.density > 0.0) || !isfinite(read.density)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the density is %g; it must be above 0", read.density);
    }
    abut_status status = check_law(read.friction, read.restitution, error);
    if (status != ABUT_OK) {
        return status;
    }
    enum { MATERIAL_LIMIT = 4096 }; // the table is a square
    int count = world->material_count;
    if (count == MATERIAL_LIMIT) {
        return abut_fail(error, ABUT_LIMIT, "a world has at most %d materials", MATERIAL_LIMIT);
    }
    int table = (count + 1) * (count + 1);
    if (!abut_grow(&world->context, &world->materials, &world->material_capacity, count + 1, sizeof read) ||
        !abut_grow(&world->context, &world->laws, &world->law_capacity, table, sizeof *world->laws)) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a material");
    }
    // each row gets one more entry; the last row moves first, since rows move up
    for (int i = count - 1; i > 0; --i) {
        memmove(&world->laws[i * (count + 1)], &world->laws[i * count], (size_t)count * sizeof *world->laws);
    }
    world->materials[count] = read;
    for (int i = 0; i <= count; ++i) {
        const abut_material *other = &world->materials[i];
        abut_contact_law law = {.friction =
                                    i == count ? read.friction : mean_friction(other->friction, read.friction),
                                .restitution = fmax(other->restitution, read.restitution)};
        world->laws[i * (count + 1) + count] = law;
        world->laws[count * (count + 1) + i] = law;
    }
    ++world->material_count;
    if (index != NULL) {
        *index = count;
    }
    return ABUT_OK;
}

static int is_material(const abut_world *world, int material)
{
    return material >= 0 && material < world->material_count;
}

static abut_status check_materials(const abut_world *world, int material_a, int material_b, abut_error *error)
{
    return is_material(world, material_a) && is_material(world, material_b)
               ? ABUT_OK
               : abut_fail(error, ABUT_BAD_ARGUMENT,
                           "there is no material %d; call abut_world_add_material() first",
                           is_material(world, material_a) ? material_b : material_a);
}

static void set_law(abut_world *world, int material_a, int material_b, abut_contact_law law)
{
    world->laws[material_a * world->material_count + material_b] = law;
    world->laws[material_b * world->material_count + material_a] = law;
}

abut_status abut_world_set_pair(abut_world *world, int material_a, int material_b, double friction,
                                double restitution, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    abut_status status = check_materials(world, material_a, material_b, error);
    if (status == ABUT_OK) {
        status = check_law(friction, restitution, error);
    }
    if (status == ABUT_OK) {
        abut_contact_law law = abut_world_law(world, material_a, material_b);
        law.friction = friction;
        law.restitution = restitution;
        set_law(world, material_a, material_b, law);
        abut_world_wake_all(world);
    }
    return status;
}

abut_status abut_world_get_pair(const abut_world *world, int material_a, int material_b, double *friction,
                                double *restitution, abut_error *error)
{
    ABUT_ASSERT(world != NULL && friction != NULL && restitution != NULL);
    abut_status status = check_materials(world, material_a, material_b, error);
    if (status == ABUT_OK) {
        abut_contact_law law = abut_world_law(world, material_a, material_b);
        *friction = law.friction;
        *restitution = law.restitution;
    }
    return status;
}

abut_contact_law abut_world_law(const abut_world *world, int material_a, int material_b)
{
    return world->laws[material_a * world->material_count + material_b];
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

void abut_body_def_init(abut_body_def *def, size_t size)
{
    const abut_body_def made = {.struct_size = sizeof made, .pose = abut_pose_identity(), .material = -1};
    abut_write_versioned(def, size, &made, sizeof made);
}

const char *abut_world_call(const abut_world *world, int body, char text[ABUT_BODY_CALL_ROOM])
{
    const char *name = world->bodies[body].name;
    body = world->bodies[body].number;
    if (name[0] != '\0') {
        (void)snprintf(text, ABUT_BODY_CALL_ROOM, "body %d (%s)", body, name);
    } else {
        (void)snprintf(text, ABUT_BODY_CALL_ROOM, "body %d", body);
    }
    return text;
}

abut_mat3 abut_body_turn(const abut_body *body, abut_mat3 local)
{
    abut_mat3 rotation = abut_quat_matrix(body->motion.rotation);
    return abut_mat3_multiply(abut_mat3_multiply(rotation, local), abut_mat3_transpose(rotation));
}

abut_pose abut_body_pose(const abut_body *body)
{
    abut_quat rotation = body->motion.rotation;
    return abut_pose_make(abut_sub(body->motion.center, abut_quat_rotate(rotation, body->local_center)), rotation);
}

abut_status abut_body_place(abut_body *body, abut_pose pose, abut_vec3 linear, abut_vec3 angular, const char *name,
                            abut_error *error)
{
    if (!abut_is_finite(pose.position) || !abut_is_unit(pose.rotation)) {
        return abut_fail(error, ABUT_BAD_DATA,
                         "%s: its pose is not finite, or its rotation is not a unit quaternion", name);
    }
    if (!abut_is_finite(linear) || !abut_is_finite(angular)) {
        return abut_fail(error, ABUT_BAD_DATA, "%s: a velocity is not finite", name);
    }
    pose.rotation = abut_quat_unit(pose.rotation);
    body->motion.rotation = pose.rotation;
    body->motion.center = abut_pose_apply(pose, body->local_center);
    body->motion.linear_velocity = linear;
    body->motion.angular_velocity = angular;
    body->motion.angular_momentum = abut_mat3_apply(abut_body_turn(body, body->local_inertia), angular);
    return ABUT_OK;
}

static abut_mat3 scaled(double factor, abut_mat3 m)
{
    return abut_mat3_make(abut_scale(factor, m.x), abut_scale(factor, m.y), abut_scale(factor, m.z));
}

static int is_finite_matrix(abut_mat3 m)
{
    return abut_is_finite(m.x) && abut_is_finite(m.y) && abut_is_finite(m.z);
}

/// The inverse of a symmetric matrix, scaled to size 1 so that no product overflows.
static abut_mat3 inverse(abut_mat3 m)
{
    double size = fmax(fmax(m.x.x, m.y.y), m.z.z);
    abut_mat3 n = scaled(1.0 / size, m);
    double determinant = abut_mat3_determinant(n);
    return scaled(1.0 / size / determinant, abut_mat3_transpose(abut_mat3_make(
                                                abut_cross(n.y, n.z), abut_cross(n.z, n.x), abut_cross(n.x, n.y))));
}

/// Whether a matrix is symmetric up to the rounding of single precision, and positive definite: all leading minors are
/// positive.
static int is_definite(abut_mat3 m)
{
    double size = fmax(fmax(m.x.x, m.y.y), m.z.z);
    double off = fmax(fmax(fabs(m.y.x - m.x.y), fabs(m.z.x - m.x.z)), fabs(m.z.y - m.y.z));
    if (!(size > 0.0) || !isfinite(size) || !(off <= 1e-6 * size)) {
        return 0;
    }
    abut_mat3 n = scaled(1.0 / size, m);
    return n.x.x > 0.0 && n.x.x * n.y.y - n.y.x * n.y.x > 0.0 && abut_mat3_determinant(n) > 0.0;
}

static abut_status set_mass(const abut_world *world, abut_body *body, const abut_mass *given, const char *name,
                            abut_error *error)
{
    double density = world->materials[body->material].density;
    abut_mass mass;
    if (given != NULL) {
        mass = *given;
    } else {
        abut_error reason;
        abut_status status = abut_shape_mass(body->shape, &mass, NULL, &reason);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s has no mass: %s", name, reason.text);
        }
    }
    body->mass = density * mass.mass;
    if (!(body->mass > 0.0) || !isfinite(body->mass) || !abut_is_finite(mass.center)) {
        return abut_fail(error, ABUT_BAD_DATA, "%s: its mass is %g; it must be above 0", name, body->mass);
    }
    body->local_center = mass.center;
    body->local_inertia = abut_mat3_symmetric(scaled(density, mass.inertia));
    body->local_inverse = inverse(body->local_inertia);
    double damping = world->def.dt * world->def.angular_damping;
    abut_mat3 damped = body->local_inertia;
    damped.x.x += damping;
    damped.y.y += damping;
    damped.z.z += damping;
    body->local_damped_inverse = inverse(damped);
    if (!is_definite(mass.inertia) || !is_finite_matrix(body->local_inverse) ||
        !is_finite_matrix(body->local_damped_inverse)) {
        return abut_fail(error, ABUT_BAD_DATA, "%s: its inertia is not symmetric and positive definite", name);
    }
    return ABUT_OK;
}

/// An upper bound of the distance of all points of a body's shape from its centre, which may be outside of the mesh.
static double reach_of(const abut_body *body)
{
    abut_box box = abut_mesh_get_elements(abut_shape_mesh(body->shape)).bounds;
    abut_vec3 lower = abut_abs(abut_sub(box.lower, body->local_center));
    abut_vec3 upper = abut_abs(abut_sub(box.upper, body->local_center));
    abut_vec3 corner = {fmax(lower.x, upper.x), fmax(lower.y, upper.y), fmax(lower.z, upper.z)};
    return abut_norm(corner) + abut_shape_dilation(body->shape) + fmax(0.0, abut_shape_offset(body->shape));
}

/// Prepares a shape for one method.
static abut_status prepare_choice(abut_shape *shape, const abut_method_choice *choice, const char *name,
                                  abut_error *error)
{
    abut_error reason;
    abut_status status = abut_shape_prepare(shape, choice->method, &choice->params, &reason);
    return status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "%s: %s", name, reason.text);
}

/// Prepares the shape of a body for every method that it may need.
static abut_status prepare(const abut_world *world, abut_body *body, const char *name, abut_error *error)
{
    abut_shape *shape = body->shape;
    abut_error reason;
    abut_status status = abut_shape_prepare_tree(shape, ABUT_ELEMENT_TRIANGLE, &reason);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: %s", name, reason.text);
    }
    status = prepare_choice(shape, &world->choices[0], name, error);
    if (status == ABUT_OK && world->soft_count > 0) {
        status = abut_world_prepare_continuous(shape, &reason);
        status = status == ABUT_OK ? ABUT_OK : abut_fail(error, status, "%s: %s", name, reason.text);
    }
    for (int i = 0; i < world->material_count && status == ABUT_OK; ++i) {
        int choice = abut_world_law(world, body->material, i).choice;
        status = choice > 0 ? prepare_choice(shape, &world->choices[choice], name, error) : ABUT_OK;
    }
    return status;
}

abut_status abut_world_set_method(abut_world *world, int material_a, int material_b, const abut_method *method,
                                  const abut_params *params, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    char what[80];
    (void)snprintf(what, sizeof what, "the method for materials %d and %d", material_a, material_b);
    if (method == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "%s is NULL", what);
    }
    abut_status status = check_materials(world, material_a, material_b, error);
    abut_method_choice choice = {.options = NULL};
    if (status == ABUT_OK) {
        status = make_choice(world, method, params, what, &choice, error);
    }
    for (int i = 0; i < world->body_count && status == ABUT_OK; ++i) {
        const abut_body *body = &world->bodies[i];
        char called[ABUT_BODY_CALL_ROOM];
        if (body->material == material_a || body->material == material_b) {
            status = prepare_choice(body->shape, &choice, abut_world_call(world, i, called), error);
        }
    }
    if (status != ABUT_OK) {
        release_choice(world, &choice);
        return status;
    }
    abut_contact_law law = abut_world_law(world, material_a, material_b);
    law.choice = add_choice(world, &choice);
    if (law.choice < 0) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a method");
    }
    set_law(world, material_a, material_b, law);
    abut_world_wake_all(world);
    return ABUT_OK;
}

abut_body *abut_world_next_body(abut_world *world, const char *name)
{
    if (world->body_count == INT_MAX || !abut_grow(&world->context, &world->bodies, &world->body_capacity,
                                                   world->body_count + 1, sizeof *world->bodies)) {
        return NULL;
    }
    abut_body *body = &world->bodies[world->body_count];
    memset(body, 0, sizeof *body);
    body->number = world->body_count;
    (void)snprintf(body->name, sizeof body->name, "%s", name != NULL ? name : "");
    return body;
}

abut_status abut_world_add_body(abut_world *world, const abut_body_def *def, int *index, abut_error *error)
{
    ABUT_ASSERT(world != NULL);
    abut_body_def read = abut_body_def_default();
    if (def == NULL || !abut_read_versioned(&read, sizeof read, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the body's definition is missing or was not made by abut_body_def_default()");
    }
    abut_body *body = abut_world_next_body(world, read.name);
    if (body == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a body");
    }
    char called[ABUT_BODY_CALL_ROOM];
    const char *name = abut_world_call(world, world->body_count, called);
    if (read.shape == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "%s has no shape", name);
    }
    if (!is_material(world, read.material)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "%s: material is %d, but there is no such material; call abut_world_add_material() first",
                         name, read.material);
    }
    body->shape = read.shape;
    body->size = abut_box_diagonal(abut_mesh_get_elements(abut_shape_mesh(read.shape)).bounds) +
                 2.0 * fmax(abut_shape_dilation(read.shape) + abut_shape_offset(read.shape), 0.0);
    body->girth = abut_body_girth(body);
    body->material = read.material;
    body->is_fixed = read.is_fixed != 0;
    abut_status status = prepare(world, body, name, error);
    if (status == ABUT_OK && !body->is_fixed) {
        status = set_mass(world, body, read.mass, name, error);
    }
    if (status == ABUT_OK) {
        body->reach = reach_of(body);
        status = abut_body_place(body, read.pose, read.linear_velocity, read.angular_velocity, name, error);
    }
    if (status == ABUT_OK) {
        if (index != NULL) {
            *index = world->body_count;
        }
        ++world->body_count;
        ++world->motion_count;
        if (body->is_fixed) { // it may touch bodies that sleep
            abut_world_wake_all(world);
        }
    }
    return status;
}
