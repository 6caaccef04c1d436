// SPDX-License-Identifier: MIT
// test_primitives.c: spheres, capsules, rounded boxes, ropes and plates: their mass and their contacts
#include "effort.h"
#include "failing.h"
#include "random.h"
#include "shapes.h"

static const double pi = 3.14159265358979323846;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static abut_mass mass_of(const abut_shape *shape, int is_approximate)
{
    abut_mass mass = {0};
    abut_error error;
    int is_sum = -1;
    abut_status status = abut_shape_mass(shape, &mass, &is_sum, &error);
    CHECK(status == ABUT_OK, "mass: %s", error.text);
    CHECK_INT(is_sum, is_approximate, "approximate");
    return mass;
}

static void check_diagonal(const abut_mass *mass, abut_vec3 inertia, double tolerance, const char *label)
{
    CHECK_NEAR(mass->inertia.x.x, inertia.x, tolerance * inertia.x, label);
    CHECK_NEAR(mass->inertia.y.y, inertia.y, tolerance * inertia.y, label);
    CHECK_NEAR(mass->inertia.z.z, inertia.z, tolerance * inertia.z, label);
    CHECK_NEAR(mass->inertia.y.x, 0.0, tolerance * inertia.x, label);
}

// A ball: 4/3 pi r^3 and 2/5 m r^2. A capsule of length 0 would be a ball, and of radius 0 a line; that of length 2 and
// radius 1 is a cylinder (m = 2 pi; m r^2 / 2 about its axis, m (3 r^2 + 4) / 12 across) and a ball whose halves are moved
// apart: about z 2/5 m, across 2/5 m + m (1 + 2 * 3/8).
static void balls_and_capsules(void **state)
{
    (void)state;
    abut_shape *shape = NULL;
    abut_error error;
    assert_int_equal(abut_shape_sphere(NULL, 2.0, &shape, &error), ABUT_OK);
    abut_mass mass = mass_of(shape, 0);
    double ball = 4.0 / 3.0 * pi * 8.0;
    CHECK_NEAR(mass.mass, ball, 1e-12 * ball, "ball");
    check_diagonal(&mass, v3(1.6 * ball, 1.6 * ball, 1.6 * ball), 1e-12, "ball");
    abut_shape_destroy(shape);

    assert_int_equal(abut_shape_capsule(NULL, 2.0, 1.0, &shape, &error), ABUT_OK);
    mass = mass_of(shape, 0);
    ball = 4.0 / 3.0 * pi;
    double axial = pi + 0.4 * ball, across = 2.0 * pi * 7.0 / 12.0 + ball * (0.4 + 1.75);
    CHECK_NEAR(mass.mass, 2.0 * pi + ball, 1e-12, "capsule");
    check_diagonal(&mass, v3(across, across, axial), 1e-12, "capsule");
    abut_shape_destroy(shape);
    CHECK_DONE();
}

static double distance_to_box(abut_vec3 p, abut_vec3 half)
{
    abut_vec3 d = abut_max(abut_sub(abut_abs(p), half), v3(0, 0, 0));
    return abut_norm(d);
}

// A rounded box against the mean of x^2 over random points inside it, and against a box if the radius is 0.
static void rounded_boxes(void **state)
{
    (void)state;
    const abut_vec3 half = {1.0, 0.7, 0.5};
    const double r = 0.3;
    abut_shape *shape = NULL;
    abut_error error;
    assert_int_equal(abut_shape_rounded_box(NULL, half, r, &shape, &error), ABUT_OK);
    abut_mass mass = mass_of(shape, 0);
    test_random random = {9};
    int inside = 0, count = sample_count(400000, 10000000);
    abut_vec3 second = {0, 0, 0}, core = abut_sub(half, v3(r, r, r));
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = v3(random_in(&random, -1, 1) * half.x, random_in(&random, -1, 1) * half.y,
                         random_in(&random, -1, 1) * half.z);
        if (distance_to_box(p, core) <= r) {
            ++inside;
            second = abut_add(second, v3(p.x * p.x, p.y * p.y, p.z * p.z));
        }
    }
    double volume = 8.0 * half.x * half.y * half.z * inside / count;
    abut_vec3 s = abut_scale(volume / inside, second);
    double tolerance = 5.0 / sqrt(count); // five deviations and more
    CHECK_NEAR(mass.mass, volume, tolerance * volume, "volume");
    check_diagonal(&mass, v3(s.y + s.z, s.z + s.x, s.x + s.y), tolerance, "inertia");
    abut_shape_destroy(shape);
    assert_int_equal(abut_shape_rounded_box(NULL, half, 1e-9, &shape, &error), ABUT_OK);
    mass = mass_of(shape, 0);
    double box = 8.0 * 0.35;
    CHECK_NEAR(mass.mass, box, 1e-7, "a sharp box");
    check_diagonal(&mass, v3(box / 3 * 0.74, box / 3 * 1.25, box / 3 * 1.49), 1e-7, "a sharp box");
    abut_shape_destroy(shape);
    CHECK_DONE();
}

// A rope is the sum of its cylinders, a plate of its triangles: length times pi r^2, area times 2 r.
static void ropes_and_plates(void **state)
{
    (void)state;
    const abut_vec3 points[3] = {{0, 0, 0}, {3, 0, 0}, {3, 4, 0}};
    abut_shape *shape = NULL;
    abut_error error;
    assert_int_equal(abut_shape_rope(NULL, points, 3, 0.01, &shape, &error), ABUT_OK);
    abut_mass mass = mass_of(shape, 1);
    double m = 7.0 * pi * 1e-4;
    CHECK_NEAR(mass.mass, m, 1e-12, "rope");
    CHECK_NEAR(mass.center.x, (3 * 1.5 + 4 * 3) / 7.0, 1e-12, "centre x");
    CHECK_NEAR(mass.center.y, 4 * 2 / 7.0, 1e-12, "centre y");
    CHECK(mass.principal_moments.x > 0.0, "definite");
    abut_shape_destroy(shape);
    assert_int_equal(abut_shape_plate(NULL, 2.0, 1.0, 0.05, &shape, &error), ABUT_OK);
    mass = mass_of(shape, 1);
    CHECK_NEAR(mass.mass, 8.0 * 0.1, 1e-12, "plate");
    CHECK_NEAR(mass.inertia.z.z, 0.8 * (4.0 + 1.0) / 3.0, 0.01, "plate about its normal");
    abut_shape_destroy(shape);
    CHECK_DONE();
}

/// The only contact of two primitives, which are destroyed.
static abut_contact only_contact(abut_shape *a, abut_shape *b, abut_pose pose_b, const char *label)
{
    const abut_method *method = abut_method_find("quasi-lmd");
    abut_workspace *work = NULL;
    abut_params params = abut_params_default();
    params.envelope = abut_absolute(10.0);
    abut_result result = abut_result_default();
    abut_error error;
    CHECK_STATUS(abut_shape_prepare(a, method, &params, &error), ABUT_OK, label);
    CHECK_STATUS(abut_shape_prepare(b, method, &params, &error), ABUT_OK, label);
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    abut_pair pair = abut_pair_default(a, b);
    pair.b.pose = pose_b;
    CHECK_STATUS(abut_find_contacts(&pair, method, &params, work, &result), ABUT_OK, label);
    CHECK_INT(result.contacts.count, 1, label);
    abut_contact contact = result.contacts.count > 0 ? result.contacts.items[0] : (abut_contact){0};
    abut_workspace_destroy(work);
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    return contact;
}

// Two balls 5 apart, of radii 1 and 2: gap 2. A ball beside a capsule; two crossing capsules, overlapping by 0.1; a ball
// over a rounded box.
static void contacts(void **state)
{
    (void)state;
    abut_shape *a = NULL, *b = NULL;
    assert_int_equal(abut_shape_sphere(NULL, 1.0, &a, NULL), ABUT_OK);
    assert_int_equal(abut_shape_sphere(NULL, 2.0, &b, NULL), ABUT_OK);
    abut_contact c = only_contact(a, b, abut_pose_make(v3(3, 4, 0), abut_quat_identity()), "balls");
    CHECK_NEAR(c.gap, 2.0, 1e-12, "balls");
    CHECK_NEAR(c.normal.x, 0.6, 1e-12, "balls");
    CHECK_NEAR(c.position_a.y, 0.8, 1e-12, "balls");
    assert_int_equal(abut_shape_capsule(NULL, 2.0, 0.5, &a, NULL), ABUT_OK);
    assert_int_equal(abut_shape_sphere(NULL, 1.0, &b, NULL), ABUT_OK);
    c = only_contact(a, b, abut_pose_make(v3(2, 0, 0.3), abut_quat_identity()), "ball beside a capsule");
    CHECK_NEAR(c.gap, 0.5, 1e-12, "ball beside a capsule");
    CHECK_NEAR(c.position_a.z, 0.3, 1e-12, "ball beside a capsule");
    assert_int_equal(abut_shape_capsule(NULL, 2.0, 0.5, &a, NULL), ABUT_OK);
    assert_int_equal(abut_shape_capsule(NULL, 2.0, 0.5, &b, NULL), ABUT_OK);
    abut_pose across = abut_pose_make(v3(0.9, 0, 0), abut_quat_from_axis(v3(1, 0, 0), 0.5 * pi));
    c = only_contact(a, b, across, "crossing capsules");
    CHECK_NEAR(c.gap, -0.1, 1e-12, "crossing capsules");
    CHECK_NEAR(c.normal.x, 1.0, 1e-12, "crossing capsules");
    assert_int_equal(abut_shape_rounded_box(NULL, v3(1, 1, 1), 0.25, &a, NULL), ABUT_OK);
    assert_int_equal(abut_shape_sphere(NULL, 0.5, &b, NULL), ABUT_OK);
    c = only_contact(a, b, abut_pose_make(v3(0.2, 0.1, 1.6), abut_quat_identity()), "ball over a box");
    CHECK_NEAR(c.gap, 0.1, 1e-12, "ball over a box");
    CHECK_NEAR(c.position_a.z, 1.0, 1e-12, "ball over a box");
    CHECK_DONE();
}

static void refusals(void **state)
{
    (void)state;
    abut_shape *shape = NULL;
    abut_error error;
    const abut_vec3 point = {0, 0, 0};
    CHECK_STATUS(abut_shape_sphere(NULL, 0.0, &shape, &error), ABUT_BAD_ARGUMENT, "radius 0");
    CHECK_STATUS(abut_shape_sphere(NULL, NAN, &shape, &error), ABUT_BAD_ARGUMENT, "radius NaN");
    CHECK_STATUS(abut_shape_capsule(NULL, -1.0, 1.0, &shape, &error), ABUT_BAD_ARGUMENT, "length");
    CHECK_STATUS(abut_shape_rounded_box(NULL, v3(1, 1, 0.2), 0.3, &shape, &error), ABUT_BAD_ARGUMENT, "too thin");
    CHECK_STATUS(abut_shape_rope(NULL, &point, 1, 0.3, &shape, &error), ABUT_BAD_ARGUMENT, "one point");
    CHECK_STATUS(abut_shape_plate(NULL, 1.0, 0.0, 0.3, &shape, &error), ABUT_BAD_ARGUMENT, "no area");
    CHECK(shape == NULL, "nothing made");
    assert_int_equal(abut_shape_plate(NULL, 1.0, 1.0, 0.0, &shape, &error), ABUT_OK);
    abut_mass mass;
    CHECK_STATUS(abut_shape_mass(shape, &mass, NULL, &error), ABUT_UNSUPPORTED, "no thickness");
    abut_shape_destroy(shape);
    int fail_at = 0;
    for (abut_status status = ABUT_NO_MEMORY; status == ABUT_NO_MEMORY; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at + 1};
        abut_context context = failing_context(&heap);
        status = abut_shape_capsule(&context, 1.0, 1.0, &shape, &error);
        abut_shape_destroy(shape);
        CHECK_INT(heap.live, 0, "leak");
    }
    CHECK(fail_at > 3, "only %d allocations", fail_at);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_and_capsules), cmocka_unit_test(rounded_boxes), cmocka_unit_test(ropes_and_plates),
        cmocka_unit_test(contacts),           cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
