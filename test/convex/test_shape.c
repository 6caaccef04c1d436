// SPDX-License-Identifier: MIT
// test_shape.c: creation of convex shapes, refusal of other meshes, supports
#include "failing.h"
#include "pairs.h"
#include "shapes.h"

// A box of 2 x 2 x 2 has 8 vertices, 12 edges, 6 faces and an inner ball of radius 1, however its faces are cut.
static void box_has_merged_faces(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    abut_convex_info info = abut_convex_get_info(box.convex);
    CHECK_INT(info.vertex_count, 8, "vertices");
    CHECK_INT(info.edge_count, 12, "edges");
    CHECK_INT(info.face_count, 6, "faces");
    CHECK_NEAR(info.inner_radius, 1.0, 1e-14, "ball");
    CHECK_NEAR(info.deviation, 0.0, 0.0, "deviation");
    release_convex(&box);
    CHECK_DONE();
}

static abut_convex_result ask_at(const test_convex *shape, abut_vec3 position)
{
    abut_convex_pair pair = abut_convex_pair_default(shape->convex, shape->convex);
    pair.pose_b.position = position;
    abut_convex_result r = {.distance = 0.0};
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &r), ABUT_OK, "pair");
    return r;
}

// Zonotopes with up to four generators test all facets at once. The number of axes is twice the sum of: pairs of
// opposite faces of A, those of B, and generators of A times those of B. A box has 3 pairs and 3 generators, a
// hexagonal prism 4 and 4, a rhombic dodecahedron 6 and 4. A triangular prism is no zonotope.
static void sums_of_segments_are_known(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 2.0, 0.5);
    abut_convex_result r = ask_at(&box, abut_vec3_make(0.0, 0.0, 0.9));
    CHECK_INT(r.axis_count, 2 * (3 + 3 + 3 * 3), "axes of boxes");
    CHECK_INT(r.certificate.proof, ABUT_PROOF_FULL, "proof");
    CHECK_INT(r.fallback_count, 0, "fallbacks");
    CHECK_NEAR(r.distance, -0.1, 1e-15, "boxes");
    release_convex(&box);

    abut_vec3 points[16];
    for (int i = 0; i < 12; ++i) {
        double angle = 1.0471975511965976 * (i % 6);
        points[i] = abut_vec3_make(cos(angle), sin(angle), i < 6 ? -0.5 : 0.5);
    }
    test_convex prism = make_convex(points, 12);
    r = ask_at(&prism, abut_vec3_make(0.25, 0.0, 0.75));
    CHECK_INT(r.axis_count, 2 * (4 + 4 + 4 * 4), "axes of prisms");
    CHECK_NEAR(r.distance, -0.25, 1e-15, "prisms");
    release_convex(&prism);

    // corners (1, 1, 1) and (2, 0, 0) with all signs and permutations; the faces are sqrt(2) from the center
    for (int i = 0; i < 14; ++i) {
        double two = i % 2 == 0 ? 2.0 : -2.0;
        points[i] = i < 8 ? abut_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)
                          : abut_vec3_make(i / 2 == 4 ? two : 0.0, i / 2 == 5 ? two : 0.0, i / 2 == 6 ? two : 0.0);
    }
    test_convex dodecahedron = make_convex(points, 14);
    r = ask_at(&dodecahedron, abut_vec3_make(0.0, 0.0, 0.0));
    CHECK_INT(r.axis_count, 2 * (6 + 6 + 4 * 4), "axes of dodecahedra");
    CHECK_INT(r.direction_count, 12, "directions");
    CHECK_NEAR(r.distance, -2.0 * sqrt(2.0), 1e-14, "dodecahedra");
    release_convex(&dodecahedron);

    for (int i = 0; i < 6; ++i) {
        double angle = 2.0943951023931953 * (i % 3);
        points[i] = abut_vec3_make(cos(angle), sin(angle), i < 3 ? -0.5 : 0.5);
    }
    test_convex wedge = make_convex(points, 6);
    r = ask_at(&wedge, abut_vec3_make(0.0, 0.0, 0.75));
    CHECK(r.certificate.proof != ABUT_PROOF_FULL || r.fallback_count > 0, "a prism of three sides is no sum");
    CHECK_NEAR(r.distance, -0.25, 1e-15, "wedges");
    release_convex(&wedge);
    CHECK_DONE();
}

// The support must be that of brute force over all vertices, up to a few ulps of the coordinates.
static void check_support(const test_convex *shape, abut_vec3 direction, double size, const char *label)
{
    double highest = -HUGE_VAL;
    int count = abut_convex_get_info(shape->convex).vertex_count;
    for (int k = 0; k < count; ++k) {
        highest = fmax(highest, abut_dot(direction, abut_convex_vertex(shape->convex, k, NULL)));
    }
    int found = abut_convex_support(shape->convex, direction);
    CHECK_NEAR(abut_dot(direction, abut_convex_vertex(shape->convex, found, NULL)), highest, 2e-15 * size, label);
}

// Shapes with different numbers of vertices, and so with cube maps of different sizes.
static void support_is_the_highest(void **state)
{
    (void)state;
    test_random random = {1};
    const int sizes[] = {4, 5, 8, 30, 200, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
        test_convex ball = make_convex_ball(&random, sizes[s], abut_vec3_make(1.0, 0.7, 0.01));
        for (int i = 0; i < 500; ++i) {
            check_support(&ball, random_unit(&random), 1.0, "ball");
        }
        release_convex(&ball);
    }
    CHECK_DONE();
}

// A cube of side 2 with one corner cut off by 1e-3 to 1e-13, in random rotations. In directions close to a face
// normal, the short edges rise by less than the rounding of heights. A climb must not end there.
static void support_goes_on_over_short_edges(void **state)
{
    (void)state;
    test_random random = {51};
    for (int i = 0; i < 44; ++i) {
        double cut = pow(10.0, -3.0 - i / 4);
        abut_quat turn = random_rotation(&random);
        abut_vec3 points[10];
        for (int k = 0; k < 7; ++k) {
            points[k] = abut_vec3_make(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0);
        }
        points[7] = abut_vec3_make(1.0 - cut, 1.0, 1.0);
        points[8] = abut_vec3_make(1.0, 1.0 - 0.8 * cut, 1.0);
        points[9] = abut_vec3_make(1.0, 1.0, 1.0 - 0.6 * cut);
        for (int k = 0; k < 10; ++k) {
            points[k] = abut_quat_rotate(turn, points[k]);
        }
        test_convex cube = make_convex(points, 10);
        for (int k = 0; k < 4000; ++k) {
            double tilt[2];
            for (int j = 0; j < 2; ++j) {
                tilt[j] = (random_below(&random, 2) ? 1.0 : -1.0) * pow(10.0, random_in(&random, -15.0, -1.0));
            }
            abut_vec3 d = abut_unit(abut_vec3_make(tilt[0], 1.0, tilt[1]));
            check_support(&cube, abut_quat_rotate(turn, d), 2.0, "short edges");
        }
        release_convex(&cube);
    }
    CHECK_DONE();
}

// An L is refused with an error that names a vertex. Its hull is accepted and has 10 vertices: two of the L are
// inside.
static void nonconvex_is_refused(void **state)
{
    (void)state;
    abut_mesh *mesh = make_l(NULL, 1.0);
    abut_convex *convex;
    abut_error error;
    CHECK_STATUS(abut_convex_create(NULL, mesh, NULL, &convex, &error), ABUT_UNSUPPORTED, "an L");
    CHECK(convex == NULL && error.element >= 0 && strstr(error.text, "not convex: vertex") != NULL, "%s",
          error.text);
    abut_convex_params params = abut_convex_params_default();
    params.takes_hull = 1;
    CHECK_STATUS(abut_convex_create(NULL, mesh, &params, &convex, &error), ABUT_OK, "its hull");
    CHECK_INT(abut_convex_get_info(convex).vertex_count, 10, "vertices");
    abut_convex_destroy(convex);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A dent of 1e-11 is within the default tolerance and is reported as deviation. A dent of 1e-3 is accepted with a
// tolerance of 1e-2.
static void small_dents_are_reported(void **state)
{
    (void)state;
    const double dents[2] = {1e-11, 1e-3}, tolerances[2] = {0.0, 1e-2};
    for (int i = 0; i < 2; ++i) {
        abut_mesh *mesh = make_l(NULL, 1.5 - dents[i]);
        abut_convex_params params = abut_convex_params_default();
        params.tolerance = tolerances[i];
        abut_convex *convex;
        CHECK_STATUS(abut_convex_create(NULL, mesh, &params, &convex, NULL), ABUT_OK, "a dent");
        double deviation = abut_convex_get_info(convex).deviation;
        CHECK(deviation > dents[i] && deviation < 4.0 * dents[i], "deviation %g of a dent of %g", deviation,
              dents[i]);
        abut_convex_destroy(convex);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// A unit cube with an extra vertex near the middle of an edge of its top: `out` outside its side and `up` above its
// top. The top has a needle triangle from the edge to that vertex.
static abut_mesh *make_needle(abut_quat turn, double out, double up)
{
    abut_vec3 vertices[9];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1, i >> 1 & 1, i >> 2 & 1);
    }
    vertices[8] = abut_vec3_make(0.5, 1.0 + out, 1.0 + up);
    for (int i = 0; i < 9; ++i) {
        vertices[i] = abut_quat_rotate(turn, vertices[i]);
    }
    static const int triangles[42] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 0, 2, 3,
                                      0, 3, 1, 4, 5, 7, 4, 7, 6, 6, 7, 8, 8, 3, 2, 8, 7, 3, 8, 2, 6};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 9;
    def.face_vertices = triangles;
    def.face_count = 14;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// The vertex is off by rounding only, but the needle's normal may be anything. Half of the normals are turned so that
// the other side of the top is in front. The shape must still act as a cube: moved by 0.9 up or 0.8 to the right, it
// overlaps itself by 0.1 and 0.2.
static void needles_are_no_dents(void **state)
{
    (void)state;
    test_random random = {4};
    for (int i = 0; i < 400; ++i) {
        abut_quat turn = random_rotation(&random);
        double out = pow(10.0, random_in(&random, -15.0, -9.0)), up = random_in(&random, -4e-15, 4e-15);
        test_convex cube = {.mesh = make_needle(turn, out, up)};
        abut_error error = {0};
        abut_status status = abut_convex_create(NULL, cube.mesh, NULL, &cube.convex, &error);
        if (CHECK(status == ABUT_OK, "needle %d of %g: %s", i, out, error.text)) {
            abut_convex_info info = abut_convex_get_info(cube.convex);
            CHECK(info.deviation <= 1e-13, "needle %d of %g: deviation %g", i, out, info.deviation);
            CHECK(info.inner_radius > 0.4 && info.inner_radius < 0.5 + 1e-9, "needle %d: inner radius %g", i,
                  info.inner_radius);
            abut_convex_result r = ask_at(&cube, abut_quat_rotate(turn, abut_vec3_make(0.0, 0.0, 0.9)));
            CHECK_NEAR(r.distance, -0.1, 1e-14, "up");
            r = ask_at(&cube, abut_quat_rotate(turn, abut_vec3_make(0.8, 0.0, 0.0)));
            CHECK_NEAR(r.distance, -0.2, 1e-14, "right");
        }
        release_convex(&cube);
    }
    CHECK_DONE();
}

// The extra vertex is above the top by more than rounding. The needle leans inward by at least a tenth, which puts the
// far side of the top 0.09 in front: the mesh is refused.
static void needles_do_not_hide_dents(void **state)
{
    (void)state;
    test_random random = {5};
    for (int i = 0; i < 400; ++i) {
        double out = pow(10.0, random_in(&random, -11.0, -3.0));
        abut_mesh *mesh = make_needle(random_rotation(&random), out, out * random_in(&random, 0.1, 1.0));
        abut_convex *convex;
        abut_error error = {0};
        CHECK_STATUS(abut_convex_create(NULL, mesh, NULL, &convex, &error), ABUT_UNSUPPORTED, "a dent");
        CHECK(convex == NULL && error.element >= 0 && strstr(error.text, "not convex: vertex") != NULL, "%g: %s",
              out, error.text);
        abut_convex_destroy(convex);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    test_convex box = make_convex_box(1.0, 1.0, 1.0);
    abut_convex_params params = abut_convex_params_default();
    abut_convex *convex;
    params.tolerance = NAN;
    CHECK_STATUS(abut_convex_create(NULL, box.mesh, &params, &convex, NULL), ABUT_BAD_ARGUMENT, "tolerance");
    params.struct_size = 0;
    CHECK_STATUS(abut_convex_create(NULL, box.mesh, &params, &convex, NULL), ABUT_BAD_ARGUMENT, "size");
    abut_convex_result result;
    abut_convex_pair pair = abut_convex_pair_default(box.convex, box.convex);
    pair.pose_b.position.x = NAN;
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_BAD_ARGUMENT, "pose");
    pair = abut_convex_pair_default(box.convex, box.convex);
    pair.pose_a.position.y = -1e160;
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_BAD_ARGUMENT, "far away");
    pair.pose_b = pair.pose_a;
    pair.pose_a = abut_pose_identity();
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_BAD_ARGUMENT, "far away");
    abut_convex_manifold manifold = {.capacity = 0};
    CHECK_STATUS(abut_convex_find_manifold(&pair, &result, &manifold), ABUT_BAD_ARGUMENT, "far away");
    pair.pose_b = (abut_pose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_BAD_ARGUMENT, "rotation");
    pair = abut_convex_pair_default(box.convex, NULL);
    CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_BAD_ARGUMENT, "no shape");
    release_convex(&box);
    CHECK_DONE();
}

// Boxes of side s, the bottom of one 1.5 s or 0.75 s above that of the other: s / 2 apart, or s / 4 deep, also at both
// ends of the allowed range of sizes. Beyond it, no shape is created, with or without hull.
static void sizes_have_limits(void **state)
{
    (void)state;
    const double sizes[4] = {1e-60, 1e60, 0.9e-60, 1.1e60};
    for (int i = 0; i < 4; ++i) {
        double s = sizes[i];
        abut_mesh *mesh = make_box(NULL, abut_vec3_make(0.0, 0.0, 0.0), abut_vec3_make(s, s, s));
        for (int takes_hull = 0; takes_hull < 2; ++takes_hull) {
            abut_convex_params params = abut_convex_params_default();
            params.takes_hull = takes_hull;
            abut_convex *convex;
            abut_error error = {0};
            abut_status status = abut_convex_create(NULL, mesh, &params, &convex, &error);
            CHECK_STATUS(status, i < 2 ? ABUT_OK : ABUT_UNSUPPORTED, "size");
            CHECK(i < 2 || strstr(error.text, "scale it") != NULL, "in words: %s", error.text);
            if (status == ABUT_OK) {
                abut_convex_result result;
                abut_convex_pair pair = abut_convex_pair_default(convex, convex);
                pair.pose_a.position.z = -0.5 * s;
                pair.pose_b.position.z = s;
                CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_OK, "distance");
                CHECK(fabs(result.distance - 0.5 * s) <= 1e-15 * s, "distance %g of size %g", result.distance, s);
                pair.pose_b.position.z = 0.25 * s;
                CHECK_STATUS(abut_convex_distance(&pair, NULL, NULL, &result), ABUT_OK, "overlap");
                CHECK(fabs(result.distance + 0.25 * s) <= 1e-15 * s, "overlap %g of size %g", result.distance, s);
            }
            abut_convex_destroy(convex);
        }
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Each allocation fails in turn: the call must return ABUT_NO_MEMORY, give no shape and leak nothing.
static void allocation_failures_leave_nothing(void **state)
{
    (void)state;
    abut_mesh *mesh = make_l(NULL, 1.5 - 1e-11); // checked first, then replaced by its hull
    int is_done = 0;
    for (int limit = 1; !is_done && limit < 1000; ++limit) {
        failing_heap heap = {.fail_at = limit};
        abut_context context = failing_context(&heap);
        abut_convex *convex;
        abut_status status = abut_convex_create(&context, mesh, NULL, &convex, NULL);
        is_done = status == ABUT_OK;
        CHECK(is_done || status == ABUT_NO_MEMORY, "allocation %d: %s", limit, abut_status_text(status));
        abut_convex_destroy(convex);
        CHECK_INT(heap.live, 0, "blocks left");
    }
    CHECK(is_done, "no limit is enough");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_has_merged_faces),
        cmocka_unit_test(sums_of_segments_are_known),
        cmocka_unit_test(support_is_the_highest),
        cmocka_unit_test(support_goes_on_over_short_edges),
        cmocka_unit_test(nonconvex_is_refused),
        cmocka_unit_test(needles_are_no_dents),
        cmocka_unit_test(needles_do_not_hide_dents),
        cmocka_unit_test(small_dents_are_reported),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(sizes_have_limits),
        cmocka_unit_test(allocation_failures_leave_nothing),
    };
    return cmocka_run_group_tests_name("convex shape", tests, NULL, NULL);
}
