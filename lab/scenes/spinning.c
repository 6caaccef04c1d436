// SPDX-License-Identifier: MIT
// spinning.c: the benchmarks of Yi and Drumwright 2016: setups of bodies that spin without slip, and their energy over
// time
#include <abut-lab/spinning.h>

#include "common/lab_random.h"
#include "common/lab_support.h"
#include "scenes/masonry.h"
#include "scenes/spin_params.h"

#include <abut/convex.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double GOLDEN = 0.61803398874989484820;
static const double SECONDS = 5.0, STOPPED = 0.01, PLAY = 0.01;

enum { STEPS_MOST = 1000000000, GRIP = 0, SLICK = 1, WALLS = 4, TOUCH_ROUNDS = 100 };

const char *abut_spin_start_text(abut_spin_start start)
{
    static const char *const words[] = {"vertex", "face", "random"};
    return (unsigned)start <= ABUT_SPIN_RANDOM ? words[start] : NULL;
}

const char *const *abut_spin_names(int *count)
{
    static const char *const names[] = {"spinning-box", "spinning-sphere", "rolling-spheres"};
    *count = (int)(sizeof names / sizeof names[0]);
    return names;
}

static abut_spin_params default_spin_params(const char *scene)
{
    return (abut_spin_params){.struct_size = sizeof(abut_spin_params),
                              .scene = scene,
                              .vertices = 200,
                              .radius = 1.0,
                              .spin = 10.0,
                              .dt = 0.001};
}

void abut_spin_params_init(const char *scene, abut_spin_params *params, size_t size)
{
    const abut_spin_params made = default_spin_params(scene);
    abut_write_versioned(params, size, &made, sizeof made);
}

// ---------------------------------------------------------------------------------------------------------------
// Shapes

abut_status abut_sphere_create(const abut_context *context, int vertices, double radius, abut_mesh **mesh,
                               abut_error *error)
{
    *mesh = NULL;
    if (vertices < ABUT_SPHERE_LEAST_VERTICES || vertices > ABUT_SPHERE_MOST_VERTICES) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a sphere cannot have %d vertices: use %d to %d", vertices,
                         ABUT_SPHERE_LEAST_VERTICES, ABUT_SPHERE_MOST_VERTICES);
    }
    abut_context kept = abut_context_or_default(context);
    abut_vec3 *points = abut_allocate_zeroed(&kept, (size_t)vertices, sizeof *points);
    if (points == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for %d vertices", vertices);
    }
    int sectors = 3;
    while ((vertices - 1) % sectors != 0 && (vertices - 2) % sectors != 0) {
        ++sectors;
    }
    int poles = (vertices - 2) % sectors == 0 ? 2 : 1, rings = (vertices - poles) / sectors, count = 0;
    points[count++] = abut_vec3_make(0.0, -radius, 0.0);
    for (int i = 0; i < rings; ++i) {
        // strips of equal area; a pole has as much as a vertex of a ring
        double y = -1.0 + 2.0 * (1.0 + sectors * (i + 0.5)) / vertices, r = sqrt(1.0 - y * y);
        for (int k = 0; k < sectors; ++k) {
            double angle = 2.0 * ABUT_LAB_PI * (k + fmod(i * GOLDEN, 1.0)) / sectors;
            points[count++] = abut_vec3_make(radius * r * cos(angle), radius * y, radius * r * sin(angle));
        }
    }
    if (poles == 2) {
        points[count++] = abut_vec3_make(0.0, radius, 0.0);
    }
    abut_status status = abut_hull_create(&kept, points, count, mesh, NULL, error);
    abut_free(&kept, points);
    return status;
}

static abut_mesh *make_sphere(abut_setup_builder *b, int vertices, double radius)
{
    abut_mesh *mesh = NULL;
    if (b->status == ABUT_OK) {
        b->status = abut_sphere_create(&b->context, vertices, radius, &mesh, b->error);
    }
    return mesh;
}

static abut_vec3 center_of(abut_setup_builder *b, const abut_mesh *mesh)
{
    abut_mass mass = {.center = {0.0, 0.0, 0.0}};
    if (b->status == ABUT_OK) {
        b->status = abut_mesh_mass(mesh, &mass, b->error);
    }
    return mass.center;
}

// ---------------------------------------------------------------------------------------------------------------
// How bodies lie

/// The rotation by the least angle that takes one unit vector to another.
static abut_quat rotation_between(abut_vec3 from, abut_vec3 to)
{
    abut_vec3 axis = abut_cross(from, to);
    double sine = abut_norm(axis), cosine = abut_dot(from, to);
    if (sine == 0.0) {
        return abut_quat_from_axis(abut_any_perpendicular(from), cosine > 0.0 ? 0.0 : ABUT_LAB_PI);
    }
    return abut_quat_unit(abut_quat_from_axis(abut_scale(1.0 / sine, axis), atan2(sine, cosine)));
}

static abut_quat random_rotation(uint64_t *state)
{
    double shares[3];
    for (int i = 0; i < 3; ++i) {
        shares[i] = abut_lab_next_share(state);
    }
    return abut_lab_rotation(shares);
}

/// The outward normal of the face nearest to the centre of mass. The body can rest on that face.
static abut_vec3 resting_normal(const abut_mesh *mesh, abut_vec3 center)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_vec3 best = {0.0, 0.0, 0.0};
    double nearest = HUGE_VAL;
    for (int i = 0; i < e.face_count; ++i) {
        const int *t = &e.face_vertices[e.face_offsets[i]];
        abut_vec3 a = e.vertices[t[0]];
        abut_vec3 normal = abut_unit(abut_cross(abut_sub(e.vertices[t[1]], a), abut_sub(e.vertices[t[2]], a)));
        double height = abut_dot(normal, abut_sub(a, center));
        if (height < nearest) {
            nearest = height;
            best = normal;
        }
    }
    return best;
}

/// The rotation of a body at the start. For ABUT_SPIN_VERTEX it stands on vertex 0.
static abut_quat rotation_of(abut_spin_start start, const abut_mesh *mesh, abut_vec3 center, uint64_t *random)
{
    const abut_vec3 down = {0.0, -1.0, 0.0};
    if (start == ABUT_SPIN_RANDOM) {
        return random_rotation(random);
    }
    abut_vec3 lowest = abut_unit(abut_sub(abut_mesh_get_elements(mesh).vertices[0], center));
    return rotation_between(start == ABUT_SPIN_FACE ? resting_normal(mesh, center) : lowest, down);
}

/// The pose in which the body's lowest point is at the height 0 and its centre of mass on the y axis.
static abut_pose put_down(const abut_mesh *mesh, abut_vec3 center, abut_quat rotation)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double lowest = HUGE_VAL;
    for (int i = 0; i < e.vertex_count; ++i) {
        lowest = fmin(lowest, abut_quat_rotate(rotation, e.vertices[i]).y);
    }
    abut_vec3 turned = abut_quat_rotate(rotation, center);
    return abut_pose_make(abut_vec3_make(-turned.x, -lowest, -turned.z), rotation);
}

/// Lowers the upper body until it touches the lower one. The distance is a convex function of the height, so Newton's
/// method approaches the root from above.
static void lower_until_touching(abut_setup_builder *b, const abut_mesh *lower, abut_pose lower_pose,
                                 const abut_mesh *upper, abut_pose *upper_pose)
{
    abut_convex *shapes[2] = {NULL, NULL};
    const abut_mesh *const meshes[2] = {lower, upper};
    for (int i = 0; i < 2 && b->status == ABUT_OK; ++i) {
        b->status = abut_convex_create(&b->context, meshes[i], NULL, &shapes[i], b->error);
    }
    for (int round = 0; round < TOUCH_ROUNDS && b->status == ABUT_OK; ++round) {
        abut_convex_pair pair = abut_convex_pair_default(shapes[0], shapes[1]);
        pair.pose_a = lower_pose;
        pair.pose_b = *upper_pose;
        abut_convex_result result;
        b->status = abut_convex_distance(&pair, NULL, NULL, &result);
        double step = result.distance / result.normal.y, height = upper_pose->position.y;
        if (b->status != ABUT_OK || !(step > 0.0) || height - step == height) {
            break;
        }
        upper_pose->position.y = height - step;
    }
    abut_convex_destroy(shapes[0]);
    abut_convex_destroy(shapes[1]);
}

// ---------------------------------------------------------------------------------------------------------------
// Setups

static void add_body(abut_setup_builder *b, const char *name, int mesh, abut_pose pose, int material,
                     const double *spin)
{
    abut_setup_body body = {.mesh = mesh, .material = material, .pose = pose, .is_fixed = spin == NULL};
    (void)snprintf(body.name, sizeof body.name, "%s", name);
    body.angular_velocity.y = spin != NULL ? *spin : 0.0;
    (void)abut_setup_add_body(b, &body);
}

/// A cube or sphere on a box whose top is at the height 0.
static void add_on_box(abut_setup_builder *b, const abut_spin_params *params, int is_box)
{
    double r = params->radius;
    uint64_t random = params->seed;
    abut_mesh *mesh = is_box ? abut_masonry_make_box(b, abut_vec3_make(2.0 * r, 2.0 * r, 2.0 * r))
                             : make_sphere(b, params->vertices, r);
    abut_vec3 center = center_of(b, mesh);
    int index = abut_setup_add_mesh(b, is_box ? "cube" : "sphere", mesh);
    if (b->status == ABUT_OK) {
        abut_pose pose = put_down(mesh, center, rotation_of(params->start, mesh, center, &random));
        add_body(b, is_box ? "cube" : "sphere", index, pose, GRIP, &params->spin);
    }
    int ground = abut_masonry_box(b, "ground", abut_vec3_make(8.0 * r, 2.0 * r, 8.0 * r));
    abut_pose below = abut_pose_make(abut_vec3_make(0.0, -r, 0.0), abut_quat_identity());
    add_body(b, "ground", ground, below, GRIP, NULL);
}

/// Four walls around the upper sphere of radius 1, which do not meet at the corners. The sphere has some clearance:
/// vertices that pass a wall within the tolerance would lose speed.
static void add_walls(abut_setup_builder *b)
{
    int mesh = abut_masonry_box(b, "wall", abut_vec3_make(0.2, 1.5, 1.9));
    for (int i = 0; i < WALLS; ++i) {
        abut_quat turn = abut_quat_from_axis(abut_vec3_make(0.0, 1.0, 0.0), 0.5 * ABUT_LAB_PI * i);
        abut_vec3 at = abut_quat_rotate(turn, abut_vec3_make(1.0 + PLAY + 0.1, 0.0, 0.0));
        char name[ABUT_SETUP_NAME_ROOM];
        (void)snprintf(name, sizeof name, "wall-%d", i);
        add_body(b, name, mesh, abut_pose_make(abut_vec3_make(at.x, 1.25, at.z), turn), SLICK, NULL);
    }
}

/// A sphere of radius 1 on one whose highest point is at height 0. A vertex of the upper one stands on a face.
static void add_on_sphere(abut_setup_builder *b, const abut_spin_params *params)
{
    const abut_vec3 side = {1.0, 0.0, 0.0};
    uint64_t random = params->seed;
    abut_mesh *upper = make_sphere(b, params->vertices, 1.0),
              *lower = make_sphere(b, params->vertices, params->radius);
    abut_vec3 upper_center = center_of(b, upper), lower_center = center_of(b, lower);
    int upper_index = abut_setup_add_mesh(b, "upper", upper), lower_index = abut_setup_add_mesh(b, "lower", lower);
    if (b->status != ABUT_OK) {
        return;
    }
    int is_random = params->start == ABUT_SPIN_RANDOM;
    abut_pose upper_pose = put_down(upper, upper_center, rotation_of(params->start, upper, upper_center, &random));
    abut_quat turn = rotation_of(is_random ? ABUT_SPIN_RANDOM : ABUT_SPIN_FACE, lower, lower_center, &random);
    // put down on its future top, then turned upside down
    abut_pose lower_pose =
        abut_pose_multiply(abut_pose_make(abut_vec3_make(0.0, 0.0, 0.0), abut_quat_from_axis(side, ABUT_LAB_PI)),
                           put_down(lower, lower_center, turn));
    if (is_random) {
        lower_until_touching(b, lower, lower_pose, upper, &upper_pose);
    }
    add_body(b, "upper", upper_index, upper_pose, GRIP, &params->spin);
    add_body(b, "lower", lower_index, lower_pose, GRIP, NULL);
    add_walls(b);
}

abut_status abut_spin_params_read(const abut_spin_params *from, abut_spin_params *params, abut_error *error)
{
    *params = abut_spin_params_default(NULL);
    if (!abut_read_versioned(params, sizeof *params, from) || params->scene == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "abut_spin_params: start from abut_spin_params_default()");
    }
    if ((unsigned)params->start > ABUT_SPIN_RANDOM) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "start %d is not an abut_spin_start", (int)params->start);
    }
    if (!(params->radius >= 1e-6 && params->radius <= 1e6)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "radius %g: must be from 1e-6 to 1e6", params->radius);
    }
    if (!isfinite(params->spin)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "spin %g: must be finite", params->spin);
    }
    if (!(params->dt >= SECONDS / STEPS_MOST && params->dt <= SECONDS)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "dt %g: must be from %g to %g, for steps of %g s in all",
                         params->dt, SECONDS / STEPS_MOST, SECONDS, SECONDS);
    }
    return ABUT_OK;
}

abut_status abut_spin_setup(const abut_context *context, const abut_spin_params *given, abut_setup **setup,
                            abut_error *error)
{
    *setup = NULL;
    abut_spin_params read;
    const abut_spin_params *params = &read;
    abut_status status = abut_spin_params_read(given, &read, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_setup_builder b = abut_setup_begin(context, params->scene, error);
    abut_material material = abut_material_default();
    material.friction = INFINITY;
    (void)abut_setup_add_material(&b, "grip", &material);
    material.friction = 0.0;
    (void)abut_setup_add_material(&b, "slick", &material);
    if (b.status == ABUT_OK) {
        b.setup->dt = params->dt;
        b.setup->steps = (int)(SECONDS / params->dt + 0.5);
    }
    if (strcmp(params->scene, "rolling-spheres") == 0) {
        add_on_sphere(&b, params);
    } else if (strcmp(params->scene, "spinning-box") == 0 || strcmp(params->scene, "spinning-sphere") == 0) {
        add_on_box(&b, params, strcmp(params->scene, "spinning-box") == 0);
    } else if (b.status == ABUT_OK) {
        b.status = abut_fail(error, ABUT_BAD_ARGUMENT,
                             "there is no scene %.40s of spinning bodies; see abut_spin_names()", params->scene);
    }
    return abut_setup_end(&b, setup);
}

// ---------------------------------------------------------------------------------------------------------------
// Energy

static abut_spin_sample sample_of(abut_world *world, int contacts)
{
    abut_world_energy energy = abut_world_get_energy(world);
    abut_spin_sample sample = {.time = abut_world_get_report(world).time,
                               .kinetic = energy.kinetic,
                               .potential = energy.potential,
                               .spin = abut_world_get_body(world, 0).angular_velocity.y,
                               .contacts = contacts};
    return sample;
}

static void add_sample(abut_spin_report *report, const abut_spin_sample *sample)
{
    const abut_spin_sample *first = &report->samples[0];
    double kept = sample->kinetic / first->kinetic;
    report->kept = kept;
    report->total_kept = kept + (sample->potential - first->potential) / first->kinetic;
    report->least_kept = fmin(report->least_kept, kept);
    if (fabs(sample->spin) >= STOPPED * fabs(first->spin)) {
        report->stop_time = NAN;
    } else if (isnan(report->stop_time)) {
        report->stop_time = sample->time;
    }
}

static void run_steps(abut_world *world, int steps, abut_spin_report *report)
{
    int64_t contacts = 0;
    report->samples[0] = sample_of(world, 0);
    report->sample_count = 1;
    report->least_kept = 1.0;
    report->stop_time = NAN;
    add_sample(report, &report->samples[0]);
    while (report->steps < steps && abut_world_step(world, &report->error) == ABUT_OK) {
        abut_world_report step = abut_world_get_report(world);
        int count = step.contact_count;
        contacts += count;
        report->contact_most = count > report->contact_most ? count : report->contact_most;
        abut_spin_sample sample = sample_of(world, count);
        add_sample(report, &sample);
        ++report->steps;
        // the k-th sample is the first at or after its time
        if ((int64_t)report->steps * (ABUT_SPIN_SAMPLES - 1) >= (int64_t)report->sample_count * steps) {
            report->samples[report->sample_count++] = sample;
        }
    }
    report->contact_mean = report->steps > 0 ? (double)contacts / report->steps : 0.0;
    report->error.status = report->steps == steps ? ABUT_OK : report->error.status;
}

abut_status abut_spin_run(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                          abut_spin_report *report, abut_error *error)
{
    memset(report, 0, sizeof *report);
    if (setup->steps < 1) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the setup %s has no steps to run", setup->name);
    }
    abut_simulation *simulation = NULL;
    abut_status status = abut_simulation_create(context, setup, def, &simulation, error);
    if (status == ABUT_OK) {
        run_steps(simulation->world, setup->steps, report);
    }
    abut_simulation_destroy(simulation);
    return status;
}
