// SPDX-License-Identifier: MIT
// test_world_threads.c: steps of a world give the same bits on any number of threads, however the caller runs its loops
#include "effort.h"
#include "shapes.h"
#include "threaded.h"

#include <abut/world.h>
#include <stdlib.h>
#include <string.h>

// A wall of bricks of 2 x 1 x 1: enough bodies and contacts that all loops of a step are spread over the threads, and
// that threads share its island. Every seventh brick is pushed, and the wall is a little too low, so that there are
// overlaps to move apart.
enum { COURSES = 16, BRICKS = 65, BODIES = COURSES * BRICKS + 1, STEPS = 3 };

typedef struct answer {
    abut_body_state bodies[BODIES];
    int contact_count, stabilisation_iterations;
    double residual, impulses; ///< the sum of all normal impulses, in order
} answer;

static abut_mesh *meshes[2];
static abut_shape *shapes[2];

static void add_body(abut_world *world, int shape, abut_vec3 center, int is_fixed, double push)
{
    abut_error error;
    abut_body_def def = abut_body_def_default();
    def.shape = shapes[shape];
    def.pose.position = center;
    def.linear_velocity.z = push;
    def.is_fixed = is_fixed;
    def.material = 0;
    abut_status status = abut_world_add_body(world, &def, NULL, &error);
    CHECK(status == ABUT_OK, "add body: %s", error.text);
}

static void run(const abut_context *context, answer *found)
{
    abut_error error;
    abut_world *world = NULL;
    abut_prox_params prox = abut_prox_params_default();
    prox.iteration_limit = is_sanitized() ? 3 : 10;
    abut_world_def def = abut_world_def_default();
    def.method = abut_method_find("convex");
    def.prox = &prox;
    assert_int_equal(abut_world_create(context, &def, &world, &error), ABUT_OK);
    abut_material material = abut_material_default();
    material.friction = 0.5;
    assert_int_equal(abut_world_add_material(world, &material, NULL, &error), ABUT_OK);
    add_body(world, 1, abut_vec3_make(0.0, -1.0, 0.0), 1, 0.0);
    for (int i = 0; i < COURSES * BRICKS; ++i) {
        int course = i / BRICKS;
        add_body(world, 0, abut_vec3_make(2.0 * (i % BRICKS) - BRICKS + course % 2, 0.999 * course + 0.499, 0.0), 0,
                 i % 7 == 0 ? 0.3 : 0.0);
    }
    for (int i = 0; i < STEPS; ++i) {
        abut_status status = abut_world_step(world, &error);
        CHECK(status == ABUT_OK, "step: %s", error.text);
    }
    memset(found, 0, sizeof *found);
    for (int i = 0; i < BODIES; ++i) {
        found->bodies[i] = abut_world_get_body(world, i);
    }
    abut_world_report report = abut_world_get_report(world);
    found->contact_count = report.contact_count;
    found->stabilisation_iterations = report.stabilisation_iterations;
    found->residual = report.residual;
    for (int i = 0; i < report.contact_count; ++i) {
        found->impulses += report.contacts[i].impulse.normal;
    }
    abut_world_destroy(world);
}

static int is_same_body(const abut_body_state *a, const abut_body_state *b)
{
    return memcmp(&a->pose, &b->pose, sizeof a->pose) == 0 &&
           memcmp(&a->linear_velocity, &b->linear_velocity, sizeof a->linear_velocity) == 0 &&
           memcmp(&a->angular_velocity, &b->angular_velocity, sizeof a->angular_velocity) == 0;
}

// One, two, three and five threads of OpenMP and of the caller, and a loop of the caller that runs one range at a time.
static void threads_agree(void **state)
{
    (void)state;
    static const struct {
        abut_parallel_for_function *loop; ///< NULL: OpenMP
        int threads;
    } ways[] = {
        {NULL, 1},           {NULL, 2}, {NULL, 3}, {NULL, 5}, {test_threaded_for, 2}, {test_threaded_for, 5},
        {test_single_for, 3}};
    meshes[0] = make_box(NULL, abut_vec3_make(-1.0, -0.5, -0.5), abut_vec3_make(1.0, 0.5, 0.5));
    meshes[1] = make_box(NULL, abut_vec3_make(-80.0, -1.0, -5.0), abut_vec3_make(80.0, 1.0, 5.0));
    for (int i = 0; i < 2; ++i) {
        shapes[i] = make_shape(NULL, meshes[i], abut_method_find("convex"), NULL);
    }
    answer *first = calloc(2, sizeof *first), *other = first + 1;
    assert_non_null(first);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; ++i) {
        test_loops loops = {.thread_count = ways[i].threads};
        abut_context context =
            ways[i].loop != NULL ? test_loop_context(ways[i].loop, &loops) : abut_context_default();
        context.worker_count = ways[i].threads;
        answer *found = i == 0 ? first : other;
        run(&context, found);
        CHECK(found->contact_count > 4 * BODIES && found->stabilisation_iterations > 0, "%d contacts",
              found->contact_count);
        int differences = 0;
        for (int k = 0; k < BODIES; ++k) {
            differences += !is_same_body(&first->bodies[k], &found->bodies[k]);
        }
        CHECK(differences == 0, "way %d: %d bodies differ", (int)i, differences);
        CHECK(first->contact_count == found->contact_count && first->residual == found->residual &&
                  first->impulses == found->impulses,
              "way %d: contacts differ", (int)i);
    }
    free(first);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(shapes[i]);
        abut_mesh_destroy(meshes[i]);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_agree)};
    return cmocka_run_group_tests_name("world_threads", tests, NULL, NULL);
}
