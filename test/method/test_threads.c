// SPDX-License-Identifier: MIT
// test_threads.c: threads that query the same shapes at once get what one thread gets, and so do loops on threads
#include "random.h"
#include "shapes.h"
#include "threaded.h"

#include <stdlib.h>

enum { POSE_COUNT = 12, THREAD_COUNT = 4, ROUND_COUNT = 3 };

/// What all threads share and none writes to, once `expected` is filled.
typedef struct fixture {
    const abut_method *method;
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_pose poses[POSE_COUNT];
    abut_result expected[POSE_COUNT];
} fixture;

typedef struct worker {
    const fixture *shared;
    int first; ///< the pose to begin with: no two threads do the same at the same time
    int failures;
} worker;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static abut_status query(const fixture *f, int pose, abut_workspace *work, abut_result *result)
{
    abut_pair pair = abut_pair_default(f->shapes[0], f->shapes[1]);
    pair.b.pose = f->poses[pose];
    return abut_find_contacts(&pair, f->method, NULL, work, result);
}

// The bytes of two items without those between their fields, which have no value.
static int is_same_contact(const abut_contact *p, const abut_contact *q)
{
    return memcmp(p, q, offsetof(abut_contact, flags)) == 0 && p->flags == q->flags && p->id == q->id;
}

static int is_same_region(const abut_region *p, const abut_region *q)
{
    return memcmp(p, q, offsetof(abut_region, cone_count)) == 0 && p->cone_count == q->cone_count &&
           memcmp(&p->measure, &q->measure, sizeof p->measure) == 0 && p->rule == q->rule && p->id == q->id;
}

static int is_same_array(const void *p, int p_count, const void *q, int q_count, size_t size)
{
    return p_count == q_count && (p_count == 0 || memcmp(p, q, (size_t)p_count * size) == 0);
}

static int is_same_result(const abut_result *p, const abut_result *q)
{
    int is_same = p->contacts.count == q->contacts.count && p->regions.count == q->regions.count;
    for (int i = 0; is_same && i < p->contacts.count; ++i) {
        is_same = is_same_contact(&p->contacts.items[i], &q->contacts.items[i]);
    }
    for (int i = 0; is_same && i < p->regions.count; ++i) {
        is_same = is_same_region(&p->regions.items[i], &q->regions.items[i]);
    }
    return is_same && memcmp(&p->stats, &q->stats, sizeof p->stats) == 0 &&
           is_same_array(p->loops.items, p->loops.count, q->loops.items, q->loops.count,
                         sizeof(abut_region_loop)) &&
           is_same_array(p->cones.items, p->cones.count, q->cones.items, q->cones.count,
                         sizeof(abut_region_cone)) &&
           is_same_array(p->points.items, p->points.count, q->points.items, q->points.count, sizeof(abut_vec3)) &&
           is_same_array(p->directions.items, p->directions.count, q->directions.items, q->directions.count,
                         sizeof(abut_vec3));
}

// cmocka's assertions work in the first thread only, so failures are counted here.
static void *run_worker(void *data)
{
    worker *self = data;
    const fixture *f = self->shared;
    abut_workspace *work;
    if (abut_workspace_create(NULL, &work) != ABUT_OK) {
        self->failures = 1;
        return NULL;
    }
    abut_result result = abut_result_default();
    for (int i = 0; i < ROUND_COUNT * POSE_COUNT; ++i) {
        int pose = (self->first + i) % POSE_COUNT;
        self->failures += query(f, pose, work, &result) != ABUT_OK || !is_same_result(&result, &f->expected[pose]);
    }
    abut_workspace_destroy(work);
    return NULL;
}

// Every thread goes through all poses, beginning at its own, and finds what the first thread found alone. The boxes
// always touch in a plane, at other places and turned otherwise.
static void check_threads(const char *method, int thread_count)
{
    fixture f = {.method = abut_method_find(method)};
    f.meshes[0] = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    f.meshes[1] = make_box(NULL, v3(-0.5, -0.5, 0), v3(0.5, 0.5, 0.25));
    for (int i = 0; i < 2; ++i) {
        f.shapes[i] = make_shape(NULL, f.meshes[i], f.method, NULL);
    }
    abut_workspace *works[POSE_COUNT];
    int contact_count = 0;
    for (int i = 0; i < POSE_COUNT; ++i) {
        f.poses[i] = abut_pose_make(v3(0.1 * i, 0.5, 1.0), abut_quat_from_axis(v3(0, 0, 1), 0.2 * i));
        f.expected[i] = abut_result_default();
        assert_int_equal(abut_workspace_create(NULL, &works[i]), ABUT_OK);
        CHECK_STATUS(query(&f, i, works[i], &f.expected[i]), ABUT_OK, method);
        contact_count += f.expected[i].contacts.count;
    }
    CHECK(contact_count > POSE_COUNT, "%s has something to compare: %d contacts", method, contact_count);
    pthread_t threads[THREAD_COUNT];
    worker workers[THREAD_COUNT];
    for (int i = 0; i < thread_count; ++i) {
        workers[i] = (worker){&f, i * POSE_COUNT / thread_count, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    }
    for (int i = 0; i < thread_count; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        CHECK_INT(workers[i].failures, 0, method);
    }
    for (int i = 0; i < POSE_COUNT; ++i) {
        abut_workspace_destroy(works[i]);
    }
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(f.shapes[i]);
        abut_mesh_destroy(f.meshes[i]);
    }
    CHECK_DONE();
}

// ---- loops of the library on threads of the caller

enum { LOOP_THREADS = 3, SOUP_COUNT = 6000 };

// Shapes of a large soup of triangles, whose trees are built by one thread and by three, give the same contacts.
static void trees_do_not_depend_on_the_threads_that_build_them(void **state)
{
    (void)state;
    static abut_vec3 vertices[3 * SOUP_COUNT];
    static int corners[3 * SOUP_COUNT];
    test_random random = {21};
    for (int i = 0; i < 3 * SOUP_COUNT; ++i) {
        abut_vec3 at = i % 3 == 0 ? random_vec3(&random, 1.0) : vertices[i - i % 3];
        vertices[i] = i % 3 == 0 ? at : abut_add(at, random_vec3(&random, 0.05));
        corners[i] = i;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3 * SOUP_COUNT;
    def.face_vertices = corners;
    def.face_count = SOUP_COUNT;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_result results[2];
    abut_workspace *works[2];
    for (int i = 0; i < 2; ++i) {
        test_loops loops = {.thread_count = i == 0 ? 1 : LOOP_THREADS};
        abut_context context = test_loop_context(i == 0 ? test_serial_for : test_threaded_for, &loops);
        fixture f = {.method = abut_method_find("intersection")};
        f.shapes[0] = f.shapes[1] = make_shape(&context, mesh, f.method, NULL);
        f.poses[0] = abut_pose_make(v3(0.01, 0.02, 0.03), abut_quat_from_axis(v3(0, 0, 1), 0.3));
        assert_int_equal(abut_workspace_create(NULL, &works[i]), ABUT_OK);
        results[i] = abut_result_default();
        CHECK_STATUS(query(&f, 0, works[i], &results[i]), ABUT_OK, "query");
        CHECK(loops.count > 0, "the loops are the caller's");
        abut_shape_destroy(f.shapes[0]);
    }
    CHECK(results[0].contacts.count > 100, "%d contacts to compare", results[0].contacts.count);
    CHECK(is_same_result(&results[0], &results[1]), "one thread and three");
    abut_workspace_destroy(works[0]);
    abut_workspace_destroy(works[1]);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void intersection(void **state)
{
    (void)state;
    check_threads("intersection", 2);
    check_threads("intersection", THREAD_COUNT);
}

static void regions(void **state)
{
    (void)state;
    check_threads("regions", 2);
    check_threads("regions", THREAD_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intersection),
        cmocka_unit_test(regions),
        cmocka_unit_test(trees_do_not_depend_on_the_threads_that_build_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
