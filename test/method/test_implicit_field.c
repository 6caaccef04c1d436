// SPDX-License-Identifier: MIT
// test_implicit_field.c: implicit-field on configurations whose contacts follow on paper
//
// Where the distance is linear, that is, over the inside of a face and a cell or more from its edges, the field is exact, and so
// are the contacts.
#include "resting.h"

static const abut_vec3 up = {0.0, 1.0, 0.0};

// The slab's top is y = 1, the block's bottom y = 1 - depth.
static void begin_block(local_scene *s, const char *option, double depth)
{
    local_begin(s, NULL, "implicit-field", option, make_box(NULL, v3(0, 0, 0), v3(4, 1, 4)),
                make_box(NULL, v3(1, 1 - depth, 1.5), v3(3, 2 - depth, 2.5)));
    local_find(s);
}

// A block of 2 x 1 x 1 on the inside of a slab's top, touching and 0.01 deep, vertices only: the block's four bottom corners, up, with
// the depth. No vertex of the slab is near the block. Apart, nothing.
static void block_on_a_slab(void **state)
{
    (void)state;
    static const double depths[3] = {0.0, 0.01, -0.01};
    for (int i = 0; i < 3; ++i) {
        double m = 1 - 0.5 * depths[i], gap = -depths[i];
        const local_expected expected[] = {
            {v3(1, m, 1.5), up, gap}, {v3(3, m, 1.5), up, gap}, {v3(1, m, 2.5), up, gap}, {v3(3, m, 2.5), up, gap}};
        local_scene s;
        begin_block(&s, "edge-samples=no", depths[i]);
        local_check(&s, expected, depths[i] < 0.0 ? 0 : 4, "block");
        local_check_sane(&s);
        CHECK_INT(s.result.stats.data_bytes > 0, 1, "memory is told");
        local_end(&s);
    }
    CHECK_DONE();
}

// The same, 0.01 deep, with edges. The slab's cells are 4 / 32 = 0.125 long: the block's bottom edges of 2 and 1 have 15 and 7 points,
// twice each, its bottom diagonal of 2.236 has 17; all other edges go up, and their first point is at least 0.05 above. With
// the corners 4 + 30 + 14 + 17 = 65. The block's cells are 2 / 32 = 0.0625: the slab's top diagonal x = z of length 5.657 is cut into
// 91 parts, of which 1.5 < 4 j / 91 < 2.5 are below the block, j = 35 .. 56: 22 points. All 87 normals of the block's points are up.
static void edges_have_points(void **state)
{
    (void)state;
    local_scene s;
    begin_block(&s, NULL, 0.01);
    int of_block = 0, of_slab = 0;
    for (int i = 0; i < s.result.contacts.count; ++i) {
        const abut_contact *c = &s.result.contacts.items[i];
        of_block += c->normal_side == ABUT_NORMAL_A;
        of_slab += c->normal_side == ABUT_NORMAL_B;
        if (c->normal_side == ABUT_NORMAL_A) {
            CHECK_NEAR(abut_norm(abut_sub(c->normal, up)), 0.0, 1e-12, "normal");
            CHECK_NEAR(c->gap, -0.01, 1e-13, "gap");
        }
    }
    CHECK_INT(of_block, 65, "points of the block");
    CHECK_INT(of_slab, 22, "points of the slab");
    local_check_sane(&s);
    local_end(&s);
    CHECK_DONE();
}

// A spike's tip 0.01 deep in a box's top, of resolution 16, so that the next edge is more than a cell away: one contact.
static void tip_in_a_face(void **state)
{
    (void)state;
    const abut_vec3 vertices[4] = {{0.7, 0.99, 0.2}, {0.95, 2, 0.35}, {0.5, 2, 0.4}, {0.6, 2, -0.05}};
    const local_expected expected[] = {{v3(0.7, 0.995, 0.2), up, -0.01}};
    local_scene s;
    local_begin(&s, NULL, "implicit-field", "resolution=16", make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)),
                make_tetrahedron(NULL, vertices));
    local_find(&s);
    local_check(&s, expected, 1, "tip");
    local_end(&s);
    CHECK_DONE();
}

// 0.05 apart and an envelope of 0.06: the corners, with their gap. The slab's grid covers 2 x 0.125 above its top; an envelope
// of 0.3 is more than it can see, and this is counted once for each of the two grids.
static void envelopes_reach_as_far_as_the_grid(void **state)
{
    (void)state;
    local_scene s;
    begin_block(&s, "edge-samples=no", -0.05);
    s.params.envelope = abut_absolute(0.06);
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 4, "corners");
    for (int i = 0; i < s.result.contacts.count; ++i) {
        CHECK_NEAR(s.result.contacts.items[i].gap, 0.05, 1e-13, "gap");
    }
    CHECK_INT(s.result.stats.caps, 0, "within");
    s.params.envelope = abut_absolute(0.3);
    local_find(&s);
    CHECK_INT(s.result.stats.caps, 2, "beyond");
    local_end(&s);
    CHECK_DONE();
}

// A vertex in the very middle of a cube of 9 cells: the gradient vanishes there. The nearest face decides, which is counted,
// and the normal is one of the axes.
static void no_gradient_in_the_middle(void **state)
{
    (void)state;
    const abut_vec3 vertices[4] = {{0, 0, 0}, {0.3, 5, 0.2}, {-0.3, 5, 0.25}, {0.1, 5, -0.35}};
    local_scene s;
    local_begin(&s, NULL, "implicit-field", "resolution=9", make_box(NULL, v3(-1, -1, -1), v3(1, 1, 1)),
                make_tetrahedron(NULL, vertices));
    local_find(&s);
    CHECK(s.result.stats.fallbacks >= 1, "counted");
    int found = 0;
    for (int i = 0; i < s.result.contacts.count; ++i) {
        const abut_contact *c = &s.result.contacts.items[i];
        if (c->feature_b.kind == ABUT_FEATURE_VERTEX && abut_norm(c->position_b) < 1e-12) {
            ++found;
            CHECK_NEAR(abut_max_component(abut_abs(c->normal)), 1.0, 1e-12, "an axis");
            CHECK(c->gap < -0.7, "depth %g", c->gap);
        }
    }
    CHECK_INT(found, 1, "the vertex in the middle");
    local_check_sane(&s);
    local_end(&s);
    CHECK_DONE();
}

static abut_vec3 mirror(abut_vec3 v, abut_vec3 signs)
{
    return v3(v.x * signs.x, v.y * signs.y, v.z * signs.z);
}

/// The mesh with every coordinate times that of `signs`, which are 1 or -1, and outward normals again.
static abut_mesh *make_mirrored(abut_mesh *mesh, abut_vec3 signs)
{
    enum { VERTICES = 8, TRIANGLES = 12 };
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_vec3 vertices[VERTICES];
    int corners[3 * TRIANGLES], is_turned = signs.x * signs.y * signs.z < 0.0;
    assert_true(elements.vertex_count == VERTICES && elements.triangle_count == TRIANGLES);
    for (int i = 0; i < VERTICES; ++i) {
        vertices[i] = mirror(elements.vertices[i], signs);
    }
    for (int i = 0; i < 3 * TRIANGLES; ++i) {
        int k = i % 3;
        corners[i] = elements.triangles[i - k + (is_turned ? 2 - k : k)];
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = VERTICES;
    def.face_vertices = corners;
    def.face_count = TRIANGLES;
    abut_mesh *mirrored = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mirrored, NULL), ABUT_OK);
    abut_mesh_destroy(mesh);
    return mirrored;
}

/// A cube of 0.25 on top of the unit cube, in a corner; both mirrored.
static void begin_flush(local_scene *s, abut_vec3 signs)
{
    local_begin(s, NULL, "implicit-field", NULL,
                make_mirrored(make_box(NULL, v3(-0.5, -0.5, -0.5), v3(0.5, 0.5, 0.5)), signs),
                make_mirrored(make_box(NULL, v3(0.25, 0.25, 0.5), v3(0.5, 0.5, 0.75)), signs));
    local_find(s);
}

// A cube of 0.25 flush in a corner of the unit cube's top. The unit cube's cells are 1 / 32 long: the small one's bottom edges have 7
// points each, its diagonal of 0.354 has 11, and with the corners these are 4 + 28 + 11 = 43 samples. Nearly all of them are at borders of
// cells. Each is a contact, and mirrored in any of the axes contacts are the mirrored ones.
static void mirrored_scenes_have_mirrored_contacts(void **state)
{
    (void)state;
    local_scene first;
    begin_flush(&first, v3(1, 1, 1));
    int of_small = 0;
    for (int i = 0; i < first.result.contacts.count; ++i) {
        of_small += first.result.contacts.items[i].normal_side == ABUT_NORMAL_A;
    }
    CHECK_INT(of_small, 43, "samples of the small cube");
    for (int mask = 1; mask < 8; ++mask) {
        abut_vec3 signs = v3(mask & 1 ? -1 : 1, mask & 2 ? -1 : 1, mask & 4 ? -1 : 1);
        local_scene s;
        begin_flush(&s, signs);
        CHECK_INT(s.result.contacts.count, first.result.contacts.count, "as many");
        for (int i = 0; i < s.result.contacts.count; ++i) {
            const abut_contact *c = &s.result.contacts.items[i];
            int found = 0;
            for (int k = 0; k < first.result.contacts.count; ++k) {
                const abut_contact *d = &first.result.contacts.items[k];
                found += c->normal_side == d->normal_side &&
                         abut_norm(abut_sub(c->position, mirror(d->position, signs))) < 1e-12 &&
                         abut_norm(abut_sub(c->normal, mirror(d->normal, signs))) < 1e-12;
            }
            CHECK(found >= 1, "mirrored by %d: contact %d has no counterpart", mask, i);
        }
        local_end(&s);
    }
    local_end(&first);
    CHECK_DONE();
}

// A cube on another of its size: each of their bottom and top corners, and of the 31 points on each of the 4 edges and 45 on the
// diagonal (1.414 x 32 = 45.3, so 46 parts), of both cubes: 2 x (4 + 124 + 45) = 346 samples. All have a contact, though gradients of the
// cells inside are zero at rims. No triangle is without a normal, and no other way was taken.
static void all_samples_on_rims_have_contacts(void **state)
{
    (void)state;
    local_scene s;
    local_begin(&s, NULL, "implicit-field", NULL, make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)),
                make_box(NULL, v3(0, 0, 1), v3(1, 1, 2)));
    s.params.flags |= ABUT_PARAMS_KEEP_REDUNDANT;
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 346, "samples");
    CHECK_INT(s.result.stats.degenerate_elements, 0, "every triangle has a normal");
    CHECK_INT(s.result.stats.fallbacks, 0, "no other way was taken");
    local_end(&s);
    CHECK_DONE();
}

static void open_meshes_are_refused(void **state)
{
    (void)state;
    static const abut_vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const int corners[3] = {0, 1, 2};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.face_vertices = corners;
    def.face_count = 1;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_shape_def shape_def = abut_shape_def_default();
    shape_def.mesh = mesh;
    abut_shape *shape = NULL;
    abut_error error;
    assert_int_equal(abut_shape_create(NULL, &shape_def, &shape, &error), ABUT_OK);
    CHECK_STATUS(abut_shape_prepare(shape, abut_method_find("implicit-field"), NULL, &error), ABUT_UNSUPPORTED,
                 "open");
    CHECK(strstr(error.text, "closed") != NULL, "%s", error.text);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void memory_runs_out(void **state)
{
    (void)state;
    local_check_memory("implicit-field", "resolution=8");
    CHECK_DONE();
}

// Solids with dents that are apart by more than the tolerance and half the diagonal of a cell have no contacts. The cells of both are at
// most 2.4 / 16 = 0.15 long on every side, so that half a diagonal is at most 0.13.
static void apart(void **state)
{
    (void)state;
    local_check_apart_by("implicit-field", "resolution=16", abut_relative(1e-6), 0.1301, 0.25);
    CHECK_DONE();
}

static void motion_and_scale(void **state)
{
    (void)state;
    resting_check_motion("implicit-field", "resolution=16");
    CHECK_DONE();
}

static void threads_and_heap(void **state)
{
    (void)state;
    resting_check_threads("implicit-field", "resolution=16");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_a_slab),
        cmocka_unit_test(edges_have_points),
        cmocka_unit_test(tip_in_a_face),
        cmocka_unit_test(envelopes_reach_as_far_as_the_grid),
        cmocka_unit_test(no_gradient_in_the_middle),
        cmocka_unit_test(mirrored_scenes_have_mirrored_contacts),
        cmocka_unit_test(all_samples_on_rims_have_contacts),
        cmocka_unit_test(open_meshes_are_refused),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(apart),
        cmocka_unit_test(motion_and_scale),
        cmocka_unit_test(threads_and_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
