// SPDX-License-Identifier: MIT
// test_intersection.c: the intersection method on configurations whose contacts follow on paper
#include "random.h"
#include "shapes.h"

typedef struct expected_contact {
    abut_vec3 position;
    abut_vec3 normal; ///< from A to B
    double gap;
} expected_contact;

typedef struct fixture {
    const abut_method *method;
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *work;
    abut_result result;
} fixture;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static fixture begin(abut_mesh *a, abut_mesh *b)
{
    fixture f = {.method = abut_method_find("intersection"), .meshes = {a, b}, .result = abut_result_default()};
    for (int i = 0; i < 2; ++i) {
        f.shapes[i] = make_shape(NULL, f.meshes[i], f.method, NULL);
    }
    assert_int_equal(abut_workspace_create(NULL, &f.work), ABUT_OK);
    return f;
}

static void end(fixture *f)
{
    abut_workspace_destroy(f->work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(f->shapes[i]);
        abut_mesh_destroy(f->meshes[i]);
    }
}

static void find(fixture *f, const abut_pair *pair, const abut_params *params)
{
    CHECK_STATUS(abut_find_contacts(pair, f->method, params, f->work, &f->result), ABUT_OK, f->result.error.text);
}

/// Every expected contact is there once, and nothing else is.
static void check_contacts(const fixture *f, const expected_contact *expected, int count, abut_pose motion,
                           double scale, const char *label)
{
    CHECK_INT(f->result.contacts.count, count, label);
    double size = scale * 10.0 + abut_norm(motion.position);
    for (int i = 0; i < count; ++i) {
        abut_vec3 position = abut_pose_apply(motion, abut_scale(scale, expected[i].position));
        abut_vec3 normal = abut_quat_rotate(motion.rotation, expected[i].normal);
        int matches = 0;
        for (int k = 0; k < f->result.contacts.count; ++k) {
            const abut_contact *c = &f->result.contacts.items[k];
            matches += abut_norm(abut_sub(c->position, position)) <= 1e-11 * size &&
                       abut_norm(abut_sub(c->normal, normal)) <= 1e-9 &&
                       fabs(c->gap - scale * expected[i].gap) <= 1e-11 * size;
        }
        CHECK(matches == 1, "%s: contact %d is there %d times", label, i, matches);
    }
}

/// The same contacts in the given place, and under random rotations, scales and shifts.
static void check_everywhere(abut_mesh *a, abut_mesh *b, const expected_contact *expected, int count,
                             const char *label)
{
    test_random random = {5};
    abut_mesh_elements sides[2] = {abut_mesh_get_elements(a), abut_mesh_get_elements(b)};
    for (int round = 0; round < 12; ++round) {
        abut_pose motion = abut_pose_identity();
        double scale = 1.0;
        if (round > 0) {
            scale = pow(10.0, random_in(&random, -3.0, 3.0));
            motion = abut_pose_make(random_vec3(&random, 100.0 * scale), random_rotation(&random));
        }
        abut_mesh *scaled[2];
        for (int i = 0; i < 2; ++i) {
            abut_vec3 vertices[16];
            assert_in_range(sides[i].vertex_count, 1, 16);
            for (int k = 0; k < sides[i].vertex_count; ++k) {
                vertices[k] = abut_scale(scale, sides[i].vertices[k]);
            }
            abut_mesh_def def = abut_mesh_def_default();
            def.vertices = vertices;
            def.vertex_count = sides[i].vertex_count;
            def.face_vertices = sides[i].triangles;
            def.face_count = sides[i].triangle_count;
            assert_int_equal(abut_mesh_create(NULL, &def, &scaled[i], NULL), ABUT_OK);
        }
        fixture f = begin(scaled[0], scaled[1]);
        abut_pair pair = abut_pair_default(f.shapes[0], f.shapes[1]);
        pair.a.pose = pair.b.pose = motion;
        find(&f, &pair, NULL);
        check_contacts(&f, expected, count, motion, scale, label);
        end(&f);
    }
    abut_mesh_destroy(a);
    abut_mesh_destroy(b);
}

static abut_mesh *make_spike(abut_vec3 apex)
{
    const abut_vec3 vertices[4] = {apex, abut_add(apex, v3(0.25, 1, 0.15)), abut_add(apex, v3(-0.2, 1, 0.2)),
                                   abut_add(apex, v3(-0.1, 1, -0.25))};
    return make_tetrahedron(NULL, vertices);
}

// A spike with its tip on the inside of a box's top face, and 0.01 below it: one contact at the tip, with the face's
// normal. Seen from the tip the spike's edges lean by at least 0.1 towards or away from every edge of the top face, so the closest
// points of two edges are above the face or below the tip, and no pair of edges counts.
static void tip_on_a_face(void **state)
{
    (void)state;
    for (int sunk = 0; sunk < 2; ++sunk) {
        double depth = sunk * 0.01;
        const expected_contact expected[] = {{v3(0.7, 1 - 0.5 * depth, 0.2), v3(0, 1, 0), -depth}};
        check_everywhere(make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), make_spike(v3(0.7, 1 - depth, 0.2)), expected, 1,
                         sunk ? "sunk tip" : "touching tip");
    }
    CHECK_DONE();
}

/// A roof: a ridge from -1 to 1 along z at height 0, slopes down to y = -1 at x = -1 and x = 1, closed below.
static abut_mesh *make_roof(abut_quat turn)
{
    abut_vec3 vertices[6] = {{0, 0, -1}, {0, 0, 1}, {1, -1, -1}, {1, -1, 1}, {-1, -1, -1}, {-1, -1, 1}};
    for (int i = 0; i < 6; ++i) {
        vertices[i] = abut_quat_rotate(turn, vertices[i]);
    }
    static const int triangles[] = {0, 1, 3, 0, 3, 2, 0, 4, 5, 0, 5, 1, 2, 3, 5, 2, 5, 4, 1, 5, 3, 0, 2, 4};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.face_vertices = triangles;
    def.face_count = 8;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// Two roofs ridge on ridge, crossed at right angles: one contact, the cross product of the ridges.
// The upper roof is the lower one turned upside down about x (y -> -y, z -> -z) after a quarter turn about y.
static void ridge_across_ridge(void **state)
{
    (void)state;
    abut_quat over = abut_quat_multiply(abut_quat_make(0, 1, 0, 0), abut_quat_make(sqrt(0.5), 0, sqrt(0.5), 0));
    const expected_contact expected[] = {{v3(0, 0, 0), v3(0, 1, 0), 0.0}};
    check_everywhere(make_roof(abut_quat_identity()), make_roof(over), expected, 1, "ridges");
    CHECK_DONE();
}

// A block of 2 x 1 x 1 on the inside of a slab's top face. The slab's top is cut along x = z, the block's bottom from
// (1, 1.5) to (3, 2.5) in (x, z). On paper: four corners; the cut crosses the block's bottom edges z = 1.5 and z = 2.5 at
// x = 1.5 and x = 2.5; the two cuts cross at (2, 2). All normals are up: flat edges are redundant here, not wrong.
static void block_on_a_slab(void **state)
{
    (void)state;
    abut_vec3 up = v3(0, 1, 0);
    const expected_contact expected[] = {
        {v3(1, 1, 1.5), up, 0}, {v3(3, 1, 1.5), up, 0},   {v3(1, 1, 2.5), up, 0},   {v3(3, 1, 2.5), up, 0},
        {v3(2, 1, 2), up, 0},   {v3(1.5, 1, 1.5), up, 0}, {v3(2.5, 1, 2.5), up, 0},
    };
    check_everywhere(make_box(NULL, v3(0, 0, 0), v3(4, 1, 4)), make_box(NULL, v3(1, 1, 1.5), v3(3, 2, 2.5)),
                     expected, 7, "block");
    CHECK_DONE();
}

// Apart by more than the tolerance: nothing; within the envelope: the tip, with its gap.
static void envelope_reports_gaps(void **state)
{
    (void)state;
    fixture f = begin(make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), make_spike(v3(0.7, 1.01, 0.2)));
    abut_pair pair = abut_pair_default(f.shapes[0], f.shapes[1]);
    find(&f, &pair, NULL);
    CHECK_INT(f.result.contacts.count, 0, "apart");
    abut_params params = abut_params_default();
    params.envelope = abut_absolute(0.02);
    find(&f, &pair, &params);
    const expected_contact expected[] = {{v3(0.7, 1.005, 0.2), v3(0, 1, 0), 0.01}};
    check_contacts(&f, expected, 1, abut_pose_identity(), 1.0, "in the envelope");
    params.envelope = abut_absolute(0.009);
    find(&f, &pair, &params);
    CHECK_INT(f.result.contacts.count, 0, "beyond the envelope");
    end(&f);
    CHECK_DONE();
}

// A roof upside down with its ridge flat on a box, longer than the box: the bodies touch and nothing more, so no contact may be
// deep. (The ends of the ridge are far behind the box's side faces, within their edge planes.)
static void touching_bodies_have_no_deep_contacts(void **state)
{
    (void)state;
    fixture f = begin(make_box(NULL, v3(-0.5, -1, -0.5), v3(0.5, 0, 0.5)), make_roof(abut_quat_make(0, 1, 0, 0)));
    abut_pair pair = abut_pair_default(f.shapes[0], f.shapes[1]);
    find(&f, &pair, NULL);
    CHECK(f.result.contacts.count >= 2, "the ends of what they share");
    for (int i = 0; i < f.result.contacts.count; ++i) {
        CHECK_NEAR(f.result.contacts.items[i].gap, 0.0, 1e-6, "gap");
    }
    end(&f);
    CHECK_DONE();
}

// On random overlapping pairs: unit normals, anchors that give the positions, gaps that agree with them.
static void contacts_are_consistent(void **state)
{
    (void)state;
    test_random random = {9};
    fixture f = begin(make_box(NULL, v3(-1, -1, -1), v3(1, 0.5, 1)), make_spike(v3(0, 0, 0)));
    int found = 0;
    for (int round = 0; round < 500; ++round) {
        abut_pair pair = abut_pair_default(f.shapes[0], f.shapes[1]);
        pair.a.pose = abut_pose_make(random_vec3(&random, 0.5), random_rotation(&random));
        pair.b.pose = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        find(&f, &pair, NULL);
        found += f.result.contacts.count;
        for (int i = 0; i < f.result.contacts.count; ++i) {
            const abut_contact *c = &f.result.contacts.items[i];
            CHECK_NEAR(abut_norm(c->normal), 1.0, 1e-14, "unit");
            CHECK_NEAR(abut_dot(c->normal, abut_sub(c->position_b, c->position_a)), c->gap, 1e-14, "gap");
            for (int side = 0; side < 2; ++side) {
                const abut_anchor *anchor = side ? &c->anchor_b : &c->anchor_a;
                abut_vec3 sum = v3(0, 0, 0);
                for (int k = 0; k < 4; ++k) {
                    if (anchor->vertices[k] >= 0) {
                        sum = abut_add_scaled(sum, anchor->weights[k],
                                              abut_mesh_get_elements(f.meshes[side]).vertices[anchor->vertices[k]]);
                    }
                }
                abut_vec3 placed = abut_pose_apply(side ? pair.b.pose : pair.a.pose, sum);
                CHECK_NEAR(abut_norm(abut_sub(placed, side ? c->position_b : c->position_a)), 0.0, 1e-12, "anchor");
            }
        }
    }
    CHECK(found > 500, "there was something to check: %d", found);
    end(&f);
    CHECK_DONE();
}

// Needles, with a tolerance far above their width: weights stay between 0 and 1, and the query answers.
static void needles_have_sane_weights(void **state)
{
    (void)state;
    const double widths[] = {1e-3, 1e-9, 1e-16, 1e-300};
    for (int i = 0; i < 4; ++i) {
        const abut_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0.3, 0, widths[i]}};
        static const int corners[] = {0, 2, 1};
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 3;
        def.face_vertices = corners;
        def.face_count = 1;
        abut_mesh *needle = NULL;
        assert_int_equal(abut_mesh_create(NULL, &def, &needle, NULL), ABUT_OK);
        fixture f = begin(needle, make_spike(v3(0.7, 0.0, 0.002)));
        abut_pair pair = abut_pair_default(f.shapes[0], f.shapes[1]);
        abut_params params = abut_params_default();
        params.tolerance = abut_absolute(1e-2);
        find(&f, &pair, &params);
        for (int k = 0; k < f.result.contacts.count; ++k) {
            for (int m = 0; m < 4; ++m) {
                CHECK(fabs(f.result.contacts.items[k].anchor_a.weights[m] - 0.5) <= 0.5 + 1e-12, "weight %g",
                      f.result.contacts.items[k].anchor_a.weights[m]);
            }
        }
        end(&f);
    }
    CHECK_DONE();
}

// Triangles without area have no normal: they are counted, and give neither a contact nor a NaN.
static void degenerate_triangles_are_counted(void **state)
{
    (void)state;
    const abut_vec3 vertices[] = {{0, 1, 0}, {0.5, 1, 0.5}, {1, 1, 1}};
    static const int corners[] = {0, 1, 2};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.face_vertices = corners;
    def.face_count = 1;
    abut_mesh *needle = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &needle, NULL), ABUT_OK);
    fixture f = begin(make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), needle);
    abut_pair pair = abut_pair_default(f.shapes[0], f.shapes[1]);
    find(&f, &pair, NULL);
    CHECK(f.result.stats.degenerate_elements > 0, "counted");
    for (int i = 0; i < f.result.contacts.count; ++i) {
        CHECK(abut_is_finite(f.result.contacts.items[i].normal), "no NaN");
    }
    end(&f);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tip_on_a_face),
        cmocka_unit_test(ridge_across_ridge),
        cmocka_unit_test(block_on_a_slab),
        cmocka_unit_test(envelope_reports_gaps),
        cmocka_unit_test(contacts_are_consistent),
        cmocka_unit_test(touching_bodies_have_no_deep_contacts),
        cmocka_unit_test(needles_have_sane_weights),
        cmocka_unit_test(degenerate_triangles_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
