// SPDX-License-Identifier: MIT
// test_world_cast.c: the first body that a ray or a moving shape meets, beside closed forms and beside all bodies
#include "effort.h"
#include "failing.h"
#include "random.h"
#include "stage.h"

static abut_ray_hit cast_ray(stage *s, const abut_ray *ray, const abut_cast_filter *filter)
{
    abut_ray_hit hit;
    abut_error error;
    abut_status status = abut_world_cast_ray(s->world, ray, filter, &hit, &error);
    CHECK(status == ABUT_OK, "ray: %s", status == ABUT_OK ? "" : error.text);
    return hit;
}

static abut_shape_cast_hit cast_shape(stage *s, const abut_shape_cast *cast, const abut_cast_filter *filter)
{
    abut_shape_cast_hit hit;
    abut_error error;
    abut_status status = abut_world_cast_shape(s->world, cast, filter, &hit, &error);
    CHECK(status == ABUT_OK, "shape: %s", status == ABUT_OK ? "" : error.text);
    return hit;
}

/// Three cubes of side 1 on the x axis, at 2, 4 and 6; the middle one is fixed.
static stage three_cubes(void)
{
    abut_world_def def = abut_world_def_default();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    for (int i = 0; i < 3; ++i) {
        add_box(&s, abut_vec3_make(1.0, 1.0, 1.0), abut_vec3_make(2.0 * (i + 1), 0.0, 0.0),
                abut_vec3_make(0.0, 0.0, 0.0), i == 1);
    }
    return s;
}

static int is_not_the_first(void *user, const abut_world *world, int body)
{
    (void)world;
    ++*(int *)user;
    return body != 0;
}

// From x = 0 along (2, 0, 0) the faces of the cubes are at t = 0.75, 1.75 and 2.75. From the middle of the first cube its
// face is met from inside at t = 0.25.
static void rays_meet_the_first_body_they_see(void **state)
{
    (void)state;
    stage s = three_cubes();
    abut_ray ray = {.direction = {2.0, 0.0, 0.0}, .limit = HUGE_VAL};
    ray.origin = abut_vec3_make(0.0, 0.125, 0.25);
    abut_ray_hit hit = cast_ray(&s, &ray, NULL);
    CHECK_INT(hit.body, 0, "body");
    CHECK_NEAR(hit.t, 0.75, 1e-15, "t");
    CHECK_NEAR(hit.point.x, 1.5, 1e-15, "x");
    CHECK_NEAR(hit.point.z, 0.25, 1e-15, "z");
    CHECK_NEAR(hit.normal.x, -1.0, 1e-15, "normal");
    CHECK_INT(hit.is_from_inside, 0, "from inside");
    int asked = 0;
    const struct {
        const char *label;
        int ignored, sees_fixed, sees_free;
        int (*sees)(void *, const abut_world *, int);
        int body;
    } filters[] = {{"ignored", 0, 1, 1, NULL, 1},
                   {"free only", 0, 0, 1, NULL, 2},
                   {"fixed only", -1, 1, 0, NULL, 1},
                   {"function", -1, 1, 1, is_not_the_first, 1},
                   {"nothing", -1, 0, 0, NULL, -1}};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; ++i) {
        abut_cast_filter filter = abut_cast_filter_default();
        filter.ignored_body = filters[i].ignored;
        filter.sees_fixed = filters[i].sees_fixed;
        filter.sees_free = filters[i].sees_free;
        filter.sees = filters[i].sees;
        filter.user = &asked;
        hit = cast_ray(&s, &ray, &filter);
        CHECK_INT(hit.body, filters[i].body, filters[i].label);
        CHECK(hit.body < 0 || fabs(hit.t - (0.75 + hit.body)) < 1e-15, "%s: t %g", filters[i].label, hit.t);
    }
    CHECK(asked > 0, "the function was not asked");
    ray.limit = 0.7;
    CHECK_INT(cast_ray(&s, &ray, NULL).body, -1, "short ray");
    ray.limit = 0.75;
    CHECK_INT(cast_ray(&s, &ray, NULL).body, 0, "ray that ends on the face");
    ray.origin.x = 2.0;
    hit = cast_ray(&s, &ray, NULL);
    CHECK_NEAR(hit.t, 0.25, 1e-15, "from inside");
    CHECK_INT(hit.is_from_inside, 1, "from inside");
    end_stage(&s);
    CHECK_DONE();
}

// A cube of side 0.5 that starts at x = 0 and moves at 1 touches the first cube at 1.25. One that lies on the first cube
// and slides along it meets the second one, which is higher by 0.5, at 4 - 0.5 - 2.25 = 1.25. Bodies that moved are met
// where they are.
static void shapes_meet_the_first_body_they_see(void **state)
{
    (void)state;
    stage s = three_cubes();
    abut_error error;
    abut_mesh *mesh = make_box(NULL, abut_vec3_make(-0.25, -0.25, -0.25), abut_vec3_make(0.25, 0.25, 0.25));
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_shape *shape = NULL;
    assert_int_equal(abut_shape_create(NULL, &def, &shape, &error), ABUT_OK);
    abut_shape_cast cast = {.shape = shape, .motion.pose = abut_pose_identity(), .duration = 10.0};
    cast.motion.linear_velocity.x = 1.0;
    abut_shape_cast_hit hit;
    CHECK_INT(abut_world_cast_shape(s.world, &cast, NULL, &hit, &error), ABUT_UNPREPARED, "no tree");
    assert_int_equal(abut_shape_prepare_tree(shape, ABUT_ELEMENT_TRIANGLE, &error), ABUT_OK);
    hit = cast_shape(&s, &cast, NULL);
    CHECK_INT(hit.body, 0, "body");
    CHECK_NEAR(hit.hit.time, 1.25, 2e-13, "time");
    CHECK_NEAR(hit.hit.normal.x, 1.0, 1e-14, "normal");
    abut_cast_filter filter = abut_cast_filter_default();
    filter.sees_free = 0;
    hit = cast_shape(&s, &cast, &filter);
    CHECK_INT(hit.body, 1, "fixed body");
    CHECK_NEAR(hit.hit.time, 3.25, 2e-13, "time of the fixed body");
    cast.duration = 1.0;
    CHECK_INT(cast_shape(&s, &cast, NULL).body, -1, "short cast");
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_pose up = abut_pose_make(abut_vec3_make(4.0, 0.5, 0.0), abut_quat_identity());
    assert_int_equal(abut_world_set_body(s.world, 1, up, zero, zero, &error), ABUT_OK);
    cast.duration = 10.0;
    cast.motion.pose.position = abut_vec3_make(2.0, 0.75, 0.0);
    hit = cast_shape(&s, &cast, NULL);
    CHECK_INT(hit.body, 1, "after sliding");
    CHECK_NEAR(hit.hit.time, 1.25, 2e-13, "time after sliding");
    // turning by pi / 4 about z in place, at x = 1.5 - 0.3: its corner, at a distance of 0.3536, meets the face x = 1.5
    // when 0.3536 cos(pi / 4 - a) = 0.3
    cast.motion.pose.position = abut_vec3_make(1.2, 0.0, 0.0);
    cast.motion.linear_velocity = zero;
    cast.motion.angular_velocity.z = 1.0;
    cast.duration = 0.7;
    hit = cast_shape(&s, &cast, NULL);
    CHECK_INT(hit.body, 0, "turning");
    CHECK_NEAR(hit.hit.time, atan(1.0) - acos(0.3 / (0.25 * sqrt(2.0))), 2e-9, "time of turning");
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    end_stage(&s);
    CHECK_DONE();
}

/// Two hundred boxes of random sizes, poses and kinds.
static stage random_boxes(test_random *random)
{
    abut_world_def def = abut_world_def_default();
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    for (int i = 0; i < 200; ++i) {
        abut_body_def body = abut_body_def_default();
        body.pose = abut_pose_make(random_vec3(random, 10.0), random_rotation(random));
        body.is_fixed = i % 2;
        body.material = 0;
        abut_vec3 size = abut_add(abut_vec3_make(0.6, 0.6, 0.6), random_vec3(random, 0.5));
        add_box_body(&s, size, body);
    }
    return s;
}

// The oracle asks every body by itself.
static void random_casts_equal_the_first_of_all_bodies(void **state)
{
    (void)state;
    test_random random = {91};
    stage s = random_boxes(&random);
    abut_error error;
    int hits = 0, shape_hits = 0, count = sample_count(500, 20000);
    for (int i = 0; i < count; ++i) {
        abut_ray ray = {random_vec3(&random, 12.0), random_vec3(&random, 1.0), 15.0};
        abut_shape_cast cast = {.shape = s.shapes[i % 200], .duration = 2.0};
        cast.motion.pose = abut_pose_make(ray.origin, random_rotation(&random));
        cast.motion.linear_velocity = abut_scale(8.0, ray.direction);
        cast.motion.angular_velocity = random_vec3(&random, i % 3 == 0 ? 0.0 : 2.0);
        abut_ray_hit hit = cast_ray(&s, &ray, NULL);
        abut_shape_cast_hit shape_hit = cast_shape(&s, &cast, NULL);
        double first = HUGE_VAL, first_time = HUGE_VAL;
        int body = -1;
        for (int k = 0; k < s.count; ++k) {
            abut_pose pose = abut_world_get_body(s.world, k).pose;
            const abut_tree *tree = abut_shape_tree(s.shapes[k], ABUT_ELEMENT_TRIANGLE);
            abut_tree_hit one =
                abut_tree_ray(tree, abut_pose_apply_inverse(pose, ray.origin),
                              abut_quat_rotate(abut_quat_conjugate(pose.rotation), ray.direction), ray.limit);
            if (one.element >= 0 && one.distance < first) {
                first = one.distance;
                body = k;
            }
            abut_sweep_def def = abut_sweep_def_default(abut_shape_tree(cast.shape, ABUT_ELEMENT_TRIANGLE), tree);
            def.motion_a = cast.motion;
            def.motion_b.pose = pose;
            def.duration = cast.duration;
            abut_sweep_hit touch;
            assert_int_equal(abut_sweep(&def, &touch, &error), ABUT_OK);
            first_time = touch.is_hit ? fmin(first_time, touch.time) : first_time;
        }
        CHECK(hit.body == body && (body < 0 || hit.t == first), "ray %d: body %d at %g instead of %d at %g", i,
              hit.body, hit.t, body, first);
        CHECK((shape_hit.body < 0) == (first_time == HUGE_VAL) &&
                  (shape_hit.body < 0 || fabs(shape_hit.hit.time - first_time) <= 1e-8),
              "shape %d: body %d at %g instead of %g", i, shape_hit.body, shape_hit.hit.time, first_time);
        hits += body >= 0;
        shape_hits += shape_hit.body >= 0;
    }
    CHECK(hits > count / 20 && hits < count, "%d of %d rays hit", hits, count);
    CHECK(shape_hits > count / 20 && shape_hits < count, "%d of %d shapes hit", shape_hits, count);
    end_stage(&s);
    CHECK_DONE();
}

// Wrong numbers are refused, a world without bodies is empty, and casts between steps do not call the heap.
static void casts_check_their_arguments(void **state)
{
    (void)state;
    abut_world_def def = abut_world_def_default();
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    stage s = make_stage(&context, &def, 0.5, 0.0);
    abut_error error;
    abut_ray_hit hit;
    abut_ray ray = {.direction = {1.0, 0.0, 0.0}, .limit = 1.0};
    CHECK_INT(cast_ray(&s, &ray, NULL).body, -1, "empty world");
    abut_ray wrong[] = {{.limit = 1.0}, ray, ray, ray};
    wrong[1].limit = -1.0;
    wrong[2].origin.y = NAN;
    wrong[3].limit = NAN;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        CHECK_INT(abut_world_cast_ray(s.world, &wrong[i], NULL, &hit, &error), ABUT_BAD_ARGUMENT, "wrong ray");
    }
    abut_cast_filter filter = abut_cast_filter_default();
    filter.struct_size = 0;
    CHECK_INT(abut_world_cast_ray(s.world, &ray, &filter, &hit, &error), ABUT_BAD_ARGUMENT, "wrong filter");
    add_box(&s, abut_vec3_make(1.0, 1.0, 1.0), abut_vec3_make(0.0, 0.0, 0.0), abut_vec3_make(0.0, 0.0, 0.0), 0);
    abut_shape_cast cast = {.shape = s.shapes[0], .motion.pose = abut_pose_identity(), .duration = -1.0};
    abut_shape_cast_hit shape_hit;
    CHECK_INT(abut_world_cast_shape(s.world, &cast, NULL, &shape_hit, &error), ABUT_BAD_ARGUMENT, "duration");
    cast.duration = 1.0;
    cast.motion.linear_velocity.x = HUGE_VAL;
    CHECK_INT(abut_world_cast_shape(s.world, &cast, NULL, &shape_hit, &error), ABUT_BAD_ARGUMENT, "velocity");
    heap.fail_at = heap.calls + 1;
    CHECK_INT(abut_world_cast_ray(s.world, &ray, NULL, &hit, &error), ABUT_NO_MEMORY, "heap fails");
    CHECK_INT(cast_ray(&s, &ray, NULL).body, 0, "the next cast");
    int calls = heap.calls;
    cast.motion.linear_velocity.x = 3.0;
    cast.motion.pose.position.x = -3.0;
    CHECK_INT(cast_ray(&s, &ray, NULL).body, 0, "a cast without heap calls");
    CHECK_INT(cast_shape(&s, &cast, NULL).body, 0, "a cast without heap calls");
    CHECK_INT(heap.calls, calls, "heap calls");
    end_stage(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_the_first_body_they_see),
        cmocka_unit_test(shapes_meet_the_first_body_they_see),
        cmocka_unit_test(random_casts_equal_the_first_of_all_bodies),
        cmocka_unit_test(casts_check_their_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
