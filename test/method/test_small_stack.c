// SPDX-License-Identifier: MIT
// test_small_stack.c: queries of all methods and steps of a world on a thread with a stack of 128 KB
//
// Engines run queries on fibers and worker threads with small stacks. A query that takes more overwrites the guard
// page and crashes. All loops run on the thread itself: the threads of OpenMP have stacks of their own. The answers
// are those of the first thread, whose stack is large.
#include "effort.h"
#include "shapes.h"
#include "world/stage.h"

#include <pthread.h>

// Frames are several times as large with a sanitizer, which puts unused memory around each variable.
static size_t stack_size(void)
{
    return (is_sanitized() ? 8 : 1) * (size_t)128 * 1024;
}

static void serial_for(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    task(data, 0, count, 0);
}

static abut_context serial_context(void)
{
    abut_context context = abut_context_default();
    context.parallel_for = serial_for;
    context.worker_count = 1;
    return context;
}

static void run_on_small_stack(void *(*run_all)(void *), void *data)
{
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, stack_size()), 0);
    assert_int_equal(pthread_create(&thread, &attributes, run_all, data), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
}

// ---- queries

enum { SIDES = 60 };

// A prism of radius 1 and height 1, about z, as tetrahedra: three for each side, from a column of two vertices at the
// axis to those at the ends of the side. Columns in rising order cut neighbours along the same diagonals.
static abut_mesh *make_prism(const abut_context *context)
{
    static abut_vec3 vertices[2 * SIDES + 2];
    static int tets[4 * 3 * SIDES];
    for (int i = 0; i <= SIDES; ++i) {
        double angle = 2.0 * 3.141592653589793 * i / SIDES, radius = i < SIDES ? 1.0 : 0.0;
        vertices[2 * i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), 0.0);
        vertices[2 * i + 1] = abut_vec3_make(vertices[2 * i].x, vertices[2 * i].y, 1.0);
    }
    for (int i = 0; i < SIDES; ++i) {
        int next = (i + 1) % SIDES, p = 2 * (i < next ? i : next), q = 2 * (i < next ? next : i), r = 2 * SIDES;
        const int columns[12] = {p, q, r, r + 1, p, q, q + 1, r + 1, p, p + 1, q + 1, r + 1};
        memcpy(tets + 12 * i, columns, sizeof columns);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 2 * SIDES + 2;
    def.tets = tets;
    def.tet_count = 3 * SIDES;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(context, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// A pair and what a thread finds.
typedef struct query_run {
    const abut_method *method;
    const abut_context *context;
    const abut_shape *shape;
    abut_status status;
    abut_workspace *work;
    abut_result result;
} query_run;

// The second body is on top of the first one, 0.0005 deep, moved aside and turned. It moves out, for continuous methods.
static void *run_query(void *data)
{
    query_run *run = data;
    run->result = abut_result_default();
    run->status = abut_workspace_create(run->context, &run->work);
    if (run->status != ABUT_OK) {
        return NULL;
    }
    abut_pair pair = abut_pair_default(run->shape, run->shape);
    pair.b.pose =
        abut_pose_make(abut_vec3_make(0.3, 0.1, 0.9995), abut_quat_from_axis(abut_vec3_make(0, 0, 1), 0.2));
    pair.b.linear_velocity = abut_vec3_make(0.0, 0.0, 0.01);
    pair.dt = 1.0;
    run->status = abut_find_contacts(&pair, run->method, NULL, run->work, &run->result);
    return NULL;
}

static void check_method(const abut_method *method, const abut_mesh *mesh, const char *label)
{
    abut_context context = serial_context();
    abut_shape *shape = make_shape(&context, mesh, method, NULL);
    query_run small = {.method = method, .context = &context, .shape = shape}, large = small;
    run_query(&large);
    run_on_small_stack(run_query, &small);
    CHECK(large.status == ABUT_OK && small.status == ABUT_OK, "%s, %s: status %d and %d", method->name, label,
          (int)large.status, (int)small.status);
    int count = large.result.contacts.count;
    CHECK(count > 0 && small.result.contacts.count == count, "%s, %s: %d contacts and %d", method->name, label,
          count, small.result.contacts.count);
    for (int i = 0; i < count && small.result.contacts.count == count; ++i) {
        const abut_contact *p = &large.result.contacts.items[i], *q = &small.result.contacts.items[i];
        CHECK(memcmp(&p->position_a, &q->position_a, sizeof p->position_a) == 0 &&
                  memcmp(&p->position_b, &q->position_b, sizeof p->position_b) == 0 &&
                  memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 && p->id == q->id,
              "%s, %s: contact %d", method->name, label, i);
    }
    abut_workspace_destroy(large.work);
    abut_workspace_destroy(small.work);
    abut_shape_destroy(shape);
}

// Boxes, and prisms whose caps have 60 vertices, more than a query holds on the stack.
static void queries(void **state)
{
    (void)state;
    abut_context context = serial_context();
    abut_mesh *box = make_solid_box(&context, abut_vec3_make(-1, -1, 0), abut_vec3_make(1, 1, 1));
    abut_mesh *prism = make_prism(&context);
    int count;
    const abut_method *const *methods = abut_methods(&count);
    for (int i = 0; i < count; ++i) {
        check_method(methods[i], box, "boxes");
        check_method(methods[i], prism, "prisms");
    }
    abut_mesh_destroy(prism);
    abut_mesh_destroy(box);
    CHECK_DONE();
}

// ---- a world

enum { STEPS = 10, BOXES = 4 };

static stage make_pile(void)
{
    abut_context context = serial_context();
    abut_world_def def = falling();
    stage s = make_stage(&context, &def, 0.5, 0.0);
    add_ground(&s);
    for (int i = 0; i < BOXES; ++i) {
        (void)add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0.2 * i, 0.5 + i, 0.1 * i),
                      abut_vec3_make(0, 0, 0), 0);
    }
    return s;
}

typedef struct world_run {
    abut_world *world;
    int failures;
} world_run;

static void *run_world(void *data)
{
    world_run *run = data;
    for (int i = 0; i < STEPS; ++i) {
        run->failures += abut_world_step(run->world, NULL) != ABUT_OK;
    }
    return NULL;
}

// A pile of boxes on the ground, which touch from the first step on.
static void world_steps(void **state)
{
    (void)state;
    stage large = make_pile(), small = make_pile();
    world_run runs[2] = {{large.world, 0}, {small.world, 0}};
    run_world(&runs[0]);
    run_on_small_stack(run_world, &runs[1]);
    CHECK(runs[0].failures == 0 && runs[1].failures == 0, "%d and %d steps failed", runs[0].failures,
          runs[1].failures);
    CHECK(abut_world_get_report(small.world).contact_count > 0, "nothing touches");
    for (int i = 0; i < abut_world_body_count(small.world); ++i) {
        abut_body_state p = abut_world_get_body(large.world, i), q = abut_world_get_body(small.world, i);
        CHECK(memcmp(&p.pose, &q.pose, sizeof p.pose) == 0, "body %d is elsewhere", i);
    }
    end_stage(&large);
    end_stage(&small);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),
        cmocka_unit_test(world_steps),
    };
    return cmocka_run_group_tests_name("small stack", tests, NULL, NULL);
}
