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

static abut_mesh *core_of(const char *name, double radius)
{
    abut_mesh *core = NULL;
    double got = -1.0;
    abut_error error = {.text = ""};
    abut_status status = abut_primitive_core(NULL, name, &core, &got, &error);
    CHECK(status == ABUT_OK, "%s: %s", name, error.text);
    CHECK_NEAR(got, radius, 0.0, name);
    return core;
}

static void check_core(const char *name, double radius, abut_box bounds, int points, int segments, int faces)
{
    abut_mesh *core = core_of(name, radius);
    abut_mesh_elements e = abut_mesh_get_elements(core);
    CHECK_INT(e.point_count, points, name);
    CHECK_INT(e.segment_count, segments, name);
    CHECK_INT(e.face_count, faces, name);
    CHECK_NEAR(abut_norm(abut_sub(e.bounds.lower, bounds.lower)), 0.0, 1e-15, name);
    CHECK_NEAR(abut_norm(abut_sub(e.bounds.upper, bounds.upper)), 0.0, 1e-15, name);
    CHECK(faces < 12 || abut_mesh_get_info(core).volume > 0.0, "%s is not outward", name);
    abut_mesh_destroy(core);
}

// Cores by name: what is left of each when it is eroded by its radius.
static void names(void **state)
{
    (void)state;
    check_core("box:1,2,3", 0.0, (abut_box){v3(-0.5, -1, -1.5), v3(0.5, 1, 1.5)}, 0, 0, 12);
    check_core("sphere:0.5", 0.5, (abut_box){v3(0, 0, 0), v3(0, 0, 0)}, 1, 0, 0);
    check_core("capsule:0.25,3", 0.25, (abut_box){v3(0, 0, -1.5), v3(0, 0, 1.5)}, 0, 1, 0);
    check_core("rounded-box:2,4,6,0.5", 0.5, (abut_box){v3(-0.5, -1.5, -2.5), v3(0.5, 1.5, 2.5)}, 0, 0, 12);
    check_core("plate:4,2,1e-1", 0.1, (abut_box){v3(-2, -1, 0), v3(2, 1, 0)}, 0, 0, 2);
    check_core("plate:4,2,0", 0.0, (abut_box){v3(-2, -1, 0), v3(2, 1, 0)}, 0, 0, 2);
    check_core("plane:10", 0.0, (abut_box){v3(-5, -5, -1), v3(5, 5, 0)}, 0, 0, 12);
    check_core("rope:0.1,0,0,0,1,0,0,1,-2,0", 0.1, (abut_box){v3(0, -2, 0), v3(1, 0, 0)}, 0, 2, 0);
    CHECK(abut_is_primitive("plane") && abut_is_primitive("box:") && !abut_is_primitive("boxes:1,2,3") &&
              !abut_is_primitive("part.stl") && !abut_is_primitive("./box:1,2,3") && !abut_is_primitive(""),
          "what is a name");
    CHECK_DONE();
}

// Facets are closed and have their corners on the surface; the volume is that of the primitive less at most the surface
// times the deviation, here below 7 %. The deviation of a ball is its radius less the distance of its nearest facet.
static void facets(void **state)
{
    (void)state;
    static const char *const all[] = {"sphere:2",
                                      "capsule:1,3",
                                      "rounded-box:3,2,4,0.5",
                                      "plate:4,2,0.1",
                                      "rope:0.25,0,0,0,1,0,0",
                                      "box:1,2,3",
                                      "sphere:2e-3",
                                      "sphere:2e3"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        abut_mesh *mesh = NULL, *core = NULL;
        abut_shape *shape = NULL;
        double deviation = -1.0, radius;
        abut_error error = {.text = ""};
        abut_status status = abut_primitive_facets(NULL, all[i], &mesh, &deviation, &error);
        CHECK(status == ABUT_OK, "%s: %s", all[i], error.text);
        assert_int_equal(abut_primitive_core(NULL, all[i], &core, &radius, NULL), ABUT_OK);
        abut_mesh_info info = abut_mesh_get_info(mesh);
        CHECK(info.is_closed && info.is_oriented, "%s is open", all[i]);
        CHECK(deviation <= 0.03 * radius && (deviation > 0.0) == (radius > 0.0), "%s: %g", all[i], deviation);
        abut_shape_def def = abut_shape_def_default();
        def.mesh = core;
        def.dilation = radius;
        assert_int_equal(abut_shape_create(NULL, &def, &shape, NULL), ABUT_OK);
        abut_mass mass;
        if (abut_shape_mass(shape, &mass, NULL, NULL) == ABUT_OK && strncmp(all[i], "plate", 5) != 0) {
            CHECK(info.volume <= mass.mass * (1.0 + 1e-12) && info.volume >= 0.93 * mass.mass, "%s: %g of %g",
                  all[i], info.volume, mass.mass);
        }
        abut_shape_destroy(shape);
        abut_mesh_destroy(core);
        abut_mesh_destroy(mesh);
    }
    // farthest facet of a ball, by hand: the plane through three corners is the nearest to the middle
    abut_mesh *ball = NULL;
    double deviation, nearest = 2.0;
    assert_int_equal(abut_primitive_facets(NULL, "sphere:2", &ball, &deviation, NULL), ABUT_OK);
    abut_mesh_elements e = abut_mesh_get_elements(ball);
    for (int i = 0; i < e.triangle_count; ++i) {
        const int *t = e.triangles + 3 * (size_t)i;
        abut_vec3 a = e.vertices[t[0]], b = e.vertices[t[1]], c = e.vertices[t[2]];
        CHECK_NEAR(abut_norm(a), 2.0, 1e-14, "corner on the ball");
        abut_vec3 n = abut_cross(abut_sub(b, a), abut_sub(c, a));
        nearest = fmin(nearest, abut_dot(a, n) / abut_norm(n));
    }
    CHECK_NEAR(deviation, 2.0 - nearest, 1e-12, "deviation");
    CHECK(deviation < 0.004 * 2.0, "0.4 %%: %g", deviation);
    abut_mesh_destroy(ball);
    CHECK_DONE();
}

static void wrong_names(void **state)
{
    (void)state;
    static const struct {
        const char *name, *part;
        abut_status status;
    } rows[] = {
        {"cube:1", "is no primitive", ABUT_BAD_ARGUMENT},
        {"box", "numbers are missing: it must be box:X,Y,Z", ABUT_BAD_DATA},
        {"box:", "numbers are missing", ABUT_BAD_DATA},
        {"box:1,2", "2 numbers, but must be box:X,Y,Z", ABUT_BAD_DATA},
        {"box:1,2,3,4", "4 numbers", ABUT_BAD_DATA},
        {"box:1,,3", "number 2 is not", ABUT_BAD_DATA},
        {"box:1,2,3,", "number 4 is not", ABUT_BAD_DATA},
        {"box:1,2,0", "number 3 is 0; it must be above 0", ABUT_BAD_DATA},
        {"sphere:-1", "number 1 is -1", ABUT_BAD_DATA},
        {"sphere:nan", "number 1 is not", ABUT_BAD_DATA},
        {"sphere:1e999", "number 1 is not", ABUT_BAD_DATA},
        {"sphere:0x10", "number 1 is not", ABUT_BAD_DATA},
        {"rounded-box:2,2,0.5,0.25", "size 0.5 must be above two radii", ABUT_BAD_DATA},
        {"plate:1,1,-0.1", "must not be negative", ABUT_BAD_DATA},
        {"rope:0.1,0,0,0", "4 numbers", ABUT_BAD_DATA},
        {"rope:0.1,0,0,0,1,0", "6 numbers", ABUT_BAD_DATA},
        {"plane", "numbers are missing: it must be plane:S", ABUT_BAD_DATA},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_mesh *mesh = NULL;
        double radius;
        abut_error error = {.text = ""};
        CHECK_STATUS(abut_primitive_core(NULL, rows[i].name, &mesh, &radius, &error), rows[i].status, rows[i].name);
        CHECK(mesh == NULL && strstr(error.text, rows[i].part) != NULL, "%s: %s", rows[i].name, error.text);
        CHECK_STATUS(abut_primitive_facets(NULL, rows[i].name, &mesh, NULL, &error), rows[i].status, rows[i].name);
        CHECK(mesh == NULL, "%s made", rows[i].name);
    }
    int fail_at = 0;
    for (abut_status status = ABUT_NO_MEMORY; status == ABUT_NO_MEMORY; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at + 1};
        abut_context context = failing_context(&heap);
        abut_mesh *mesh = NULL;
        status = abut_primitive_facets(&context, "rope:1,0,0,0,1,0,0,1,1,0", &mesh, NULL, NULL);
        abut_mesh_destroy(mesh);
        CHECK_INT(heap.live, 0, "leak");
    }
    CHECK(fail_at > 5, "only %d allocations", fail_at);
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
        cmocka_unit_test(balls_and_capsules),
        cmocka_unit_test(rounded_boxes),
        cmocka_unit_test(ropes_and_plates),
        cmocka_unit_test(contacts),
        cmocka_unit_test(refusals),
        cmocka_unit_test(names),
        cmocka_unit_test(facets),
        cmocka_unit_test(wrong_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
