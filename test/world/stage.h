// SPDX-License-Identifier: MIT
// stage.h: worlds of boxes, for tests
#ifndef ABUT_TEST_WORLD_STAGE_H
#define ABUT_TEST_WORLD_STAGE_H

#include "check.h"
#include "shapes.h"

static const double g = 9.81;

enum { STAGE_BODIES = 256 };

/// A world of boxes. Each has its own mesh.
typedef struct stage {
    abut_world *world;
    abut_mesh *meshes[STAGE_BODIES];
    abut_shape *shapes[STAGE_BODIES];
    int count;
} stage;

static inline stage make_stage(const abut_context *context, const abut_world_def *def, double friction,
                               double restitution)
{
    stage made = {0};
    abut_error error;
    assert_int_equal(abut_world_create(context, def, &made.world, &error), ABUT_OK);
    abut_material material = abut_material_default();
    material.density = 2000.0;
    material.friction = friction;
    material.restitution = restitution;
    assert_int_equal(abut_world_add_material(made.world, &material, NULL, &error), ABUT_OK);
    return made;
}

/// Adds a box that is centred in its frame. `def` has everything else.
static inline int add_box_body(stage *s, abut_vec3 size, abut_body_def def)
{
    abut_vec3 half = abut_scale(0.5, size);
    s->meshes[s->count] = make_box(NULL, abut_negate(half), half);
    abut_params params = abut_params_default();
    s->shapes[s->count] = make_shape(NULL, s->meshes[s->count], abut_method_find("regions"), &params);
    def.shape = s->shapes[s->count];
    int index = -1;
    abut_error error;
    abut_status status = abut_world_add_body(s->world, &def, &index, &error);
    CHECK(status == ABUT_OK, "add body: %s", error.text);
    ++s->count;
    return index;
}

/// Adds a box of a given size, centre and velocity.
static inline int add_box(stage *s, abut_vec3 size, abut_vec3 center, abut_vec3 velocity, int is_fixed)
{
    abut_body_def def = abut_body_def_default();
    def.pose.position = center;
    def.linear_velocity = velocity;
    def.is_fixed = is_fixed;
    def.material = 0;
    return add_box_body(s, size, def);
}

static inline int add_ground(stage *s)
{
    return add_box(s, abut_vec3_make(40.0, 2.0, 40.0), abut_vec3_make(0.0, -1.0, 0.0), abut_vec3_make(0, 0, 0), 1);
}

/// Adds a cube of side 1 that stands on the ground and spins about the vertical axis.
static inline int add_spinning_box(stage *s, double spin, int material)
{
    abut_body_def def = abut_body_def_default();
    def.pose.position.y = 0.5;
    def.angular_velocity.y = spin;
    def.material = material;
    return add_box_body(s, abut_vec3_make(1.0, 1.0, 1.0), def);
}

static inline void end_stage(stage *s)
{
    abut_world_destroy(s->world);
    for (int i = 0; i < s->count; ++i) {
        abut_shape_destroy(s->shapes[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

static inline void run(stage *s, int steps)
{
    for (int i = 0; i < steps; ++i) {
        abut_error error;
        abut_status status = abut_world_step(s->world, &error);
        if (status != ABUT_OK) {
            CHECK(0, "step %d: %s", i, error.text);
            return;
        }
    }
}

/// Solver parameters with this relative tolerance; valid until the next call.
static inline const abut_prox_params *precise(double relative_tolerance)
{
    static abut_prox_params params;
    params = abut_prox_params_default();
    params.relative_tolerance = relative_tolerance;
    return &params;
}

static inline abut_world_def falling(void)
{
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, -g, 0.0);
    def.prox = precise(1e-12);
    return def;
}

#endif
