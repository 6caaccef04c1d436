// SPDX-License-Identifier: MIT
// stack.c: simulates three boxes on the ground for one second. docs/simulation.md shows the part between the two
// marks.
#include <abut/abut.h>
#include <stdio.h>
#include <stdlib.h>

enum { BOXES = 4, STEPS = 100 };

static void check(abut_status status, const abut_error *error)
{
    if (status != ABUT_OK) {
        (void)fprintf(stderr, "stack: %s\n", error->text);
        exit(2);
    }
}

/// Adds a box of the first material. Its centre is at `height`; the top of the ground is at 0. The shape owns its mesh and
/// must outlive the world.
static void add_box(abut_world *world, abut_shape **shape, abut_vec3 size, double height, int is_fixed)
{
    abut_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = abut_vec3_make(i & 1 ? 0.5 * size.x : -0.5 * size.x, i & 2 ? 0.5 * size.y : -0.5 * size.y,
                                    i & 4 ? 0.5 * size.z : -0.5 * size.z);
    }
    abut_error error;
    abut_shape_def def = abut_shape_def_default();
    check(abut_hull_create(NULL, corners, 8, &def.owned_mesh, NULL, &error), &error);
    check(abut_shape_create(NULL, &def, shape, &error), &error);
    abut_body_def body = abut_body_def_default();
    body.shape = *shape;
    body.material = 0;
    body.is_fixed = is_fixed;
    body.pose.position = abut_vec3_make(0.0, height, 0.0);
    check(abut_world_add_body(world, &body, NULL, &error), &error);
}

/// A record of the motion.
typedef struct record {
    double heights[STEPS]; ///< of the highest box after each step
    int count;
} record;

static void add_to_record(void *user, const abut_world *world)
{
    record *motion = user;
    motion->heights[motion->count++] = abut_world_get_body(world, BOXES - 1).center.y;
}

int main(void)
{
    abut_shape *shapes[BOXES];
    record motion = {.count = 0};
    abut_error error;
    // [in the page]
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, -9.81, 0.0);
    def.callbacks.on_step = add_to_record;
    def.callbacks.user = &motion;
    abut_world *world = NULL;
    check(abut_world_create(NULL, &def, &world, &error), &error);
    abut_material stone = abut_material_default();
    check(abut_world_add_material(world, &stone, NULL, &error), &error);
    add_box(world, &shapes[0], abut_vec3_make(10.0, 1.0, 10.0), -0.5, 1);
    for (int i = 1; i < BOXES; ++i) {
        add_box(world, &shapes[i], abut_vec3_make(1.0, 1.0, 1.0), i - 0.5, 0);
    }
    for (int step = 0; step < STEPS; ++step) {
        check(abut_world_step(world, &error), &error);
    }
    // [in the page]
    for (int i = 1; i < BOXES; ++i) {
        printf("box %d is at %.6f\n", i, abut_world_get_body(world, i).center.y);
    }
    printf("the highest was at %.6f after step 1, and %.6f after step %d\n", motion.heights[0],
           motion.heights[STEPS - 1], motion.count);
    abut_world_destroy(world);
    for (int i = 0; i < BOXES; ++i) {
        abut_shape_destroy(shapes[i]);
    }
    return 0;
}
