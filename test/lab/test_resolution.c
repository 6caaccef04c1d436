// SPDX-License-Identifier: MIT
// test_resolution.c: the volume of overlaps, the placements, and the measure `resolution`
#include "check.h"
#include "random.h"

#include <abut-lab/overlap.h>

static abut_mesh *make_box(abut_vec3 half)
{
    static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    abut_vec3 vertices[8];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.face_vertices = triangles;
    def.face_count = 12;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

static double volume_of(const abut_mesh *a, abut_pose pose_a, const abut_mesh *b, abut_pose pose_b)
{
    double volume = -1.0;
    assert_int_equal(abut_overlap_volume(NULL, a, pose_a, b, pose_b, &volume, NULL), ABUT_OK);
    return volume;
}

/// Boxes with parallel axes overlap in the product of the overlaps along the axes, whatever frame both are turned into,
/// and in either order. Faces, edges and corners coincide in many of them. Any solid overlaps itself in its volume.
static void boxes_overlap_in_boxes(void **state)
{
    (void)state;
    test_random random = {19};
    abut_mesh *a = make_box(abut_vec3_make(1, 1, 1)), *b = make_box(abut_vec3_make(0.5, 1, 2));
    for (int i = 0; i < 500; ++i) {
        double at[3], half[3] = {0.5, 1.0, 2.0}, expected = 1.0;
        for (int k = 0; k < 3; ++k) {
            at[k] = i % 2 == 0 ? 0.5 * (random_below(&random, 13) - 6) : random_in(&random, -2.5, 2.5);
            expected *= fmax(fmin(1.0, at[k] + half[k]) - fmax(-1.0, at[k] - half[k]), 0.0);
        }
        abut_pose frame = abut_pose_identity();
        if (i % 4 >= 2) {
            frame.position = random_vec3(&random, 1.0);
            frame.rotation = abut_quat_from_axis(abut_unit(random_vec3(&random, 1.0)), random_in(&random, 0, 6));
        }
        abut_pose pose =
            abut_pose_multiply(frame, abut_pose_make(abut_vec3_make(at[0], at[1], at[2]), abut_quat_identity()));
        CHECK_NEAR(volume_of(a, frame, b, pose), expected, 1e-13, "boxes");
        CHECK_NEAR(volume_of(b, pose, a, frame), expected, 1e-13, "swapped");
    }
    abut_pose frame = abut_pose_make(abut_vec3_make(3, -2, 1), abut_quat_identity());
    CHECK_NEAR(volume_of(b, frame, b, frame), 8.0, 1e-13, "itself");
    abut_mesh_destroy(a);
    abut_mesh_destroy(b);
    CHECK_DONE();
}

/// Two cubes of side 2 about the same center, one turned by 45 degrees about z: an octagonal prism. The octagon is the
/// square of area 4 without four corners, each a triangle with two equal legs of 2 - sqrt 2: 4 - 2 (2 - sqrt 2)^2.
static void turned_cubes_overlap_in_an_octagon(void **state)
{
    (void)state;
    abut_mesh *a = make_box(abut_vec3_make(1, 1, 1));
    abut_quat turn = abut_quat_from_axis(abut_vec3_make(0, 0, 1), acos(-1.0) / 4.0);
    double leg = 2.0 - sqrt(2.0), expected = 2.0 * (4.0 - 2.0 * leg * leg);
    abut_pose turned = abut_pose_make(abut_vec3_make(0, 0, 0), turn);
    CHECK_NEAR(volume_of(a, abut_pose_identity(), a, turned), expected, 1e-13, "octagon");
    abut_mesh_destroy(a);
    CHECK_DONE();
}

/// All shapes are solids. Each placement overlaps, and the known translation frees it: as a contact, it is resolved with
/// ratio 1. Half of that translation does not free it; no contacts and opposed contacts do not resolve it.
static void placements_are_as_stated(void **state)
{
    (void)state;
    abut_overlap_set *set = NULL;
    abut_error error = {0};
    assert_int_equal(abut_overlap_set_create(NULL, 60, &set, &error), ABUT_OK);
    CHECK_INT(set->shape_count, 20, "shapes");
    for (int i = 0; i < set->shape_count; ++i) {
        abut_mesh_info info = abut_mesh_get_info(set->meshes[i]);
        CHECK(info.is_closed && info.is_oriented && info.non_manifold_vertex_count == 0, "%s", set->names[i]);
        CHECK(info.volume > 0.005 && info.volume < 1.0, "%s: volume %g", set->names[i], info.volume);
        abut_pose pose = abut_pose_identity();
        CHECK_NEAR(volume_of(set->meshes[i], pose, set->meshes[i], pose), info.volume, 1e-12, set->names[i]);
    }
    for (int i = 0; i < set->placement_count; ++i) {
        const abut_overlap_placement *p = &set->placements[i];
        abut_half_space sides[2] = {{abut_unit(p->freeing), p->depth * p->size}};
        sides[1] = (abut_half_space){abut_negate(sides[0].normal), sides[0].distance};
        CHECK_NEAR(abut_norm(p->freeing), p->depth * p->size, 1e-15, "freeing");
        CHECK(p->volume > 0.0, "%d", i);
        abut_resolution r;
        CHECK_STATUS(abut_overlap_resolve(set, i, sides, 1, &r, &error), ABUT_OK, "known");
        CHECK(r.is_resolved && r.left < 1e-3, "%d: %s in %s, left %g", i, set->names[p->b], set->names[p->a],
              r.left);
        CHECK_NEAR(r.ratio, 1.0, 1e-12, "known");
        (void)abut_overlap_resolve(set, i, sides, 2, &r, &error);
        CHECK(!r.is_resolved && !r.has_translation && r.left == 1.0, "opposed");
        (void)abut_overlap_resolve(set, i, sides, 0, &r, &error);
        CHECK(!r.is_resolved, "none");
        sides[0].distance *= 0.5;
        (void)abut_overlap_resolve(set, i, sides, 1, &r, &error);
        CHECK(!r.is_resolved && r.left < 1.0 && r.has_translation, "%d: half, left %g", i, r.left);
    }
    abut_overlap_set_destroy(set);
    CHECK_DONE();
}

/// Two bricks: method convex has the exact least translation, so it resolves what is convex; what it refuses is counted
/// as not answered.
static void methods_are_summed_up(void **state)
{
    (void)state;
    abut_overlap_set *set = NULL;
    abut_error error = {0};
    assert_int_equal(abut_overlap_set_create(NULL, 30, &set, &error), ABUT_OK);
    abut_overlap_row rows[30];
    int answered = 0, resolved = 0;
    for (int i = 0; i < set->placement_count; ++i) {
        (void)abut_assess_overlap(set, i, abut_method_find("convex"), NULL, &rows[i]);
        answered += rows[i].status == ABUT_OK;
        resolved += rows[i].resolution.is_resolved;
        CHECK(rows[i].status == ABUT_OK || rows[i].error.text[0] != '\0', "%d: a reason", i);
        CHECK(rows[i].resolution.is_resolved == (rows[i].status == ABUT_OK), "%d: %s", i, rows[i].error.text);
    }
    int sum_answered = 0, sum_resolved = 0, sum = 0;
    for (int k = 0; k < 3; ++k) {
        abut_overlap_summary summary;
        double depth = set->placements[k].depth;
        CHECK_STATUS(abut_overlap_sum_up(set, rows, depth, &summary, &error), ABUT_OK, "sum");
        sum += summary.placements;
        sum_answered += summary.answered;
        sum_resolved += summary.resolved;
        CHECK(summary.resolved == 0 || summary.median_ratio <= 1.0 + 1e-6, "%g", summary.median_ratio);
    }
    CHECK_INT(sum, 30, "placements");
    CHECK_INT(sum_answered, answered, "answered");
    CHECK_INT(sum_resolved, resolved, "resolved");
    abut_overlap_set_destroy(set);
    CHECK_DONE();
}

/// Bodies that are a little apart have contacts within an envelope of 0.2 % of the size, whatever their details are. No
/// contact is further away than the envelope, and mostly the nearest one is as far away as the bodies are.
static void gaps_within_an_envelope_are_answered(void **state)
{
    (void)state;
    enum { PLACEMENTS = 60 };
    abut_overlap_set *set = NULL;
    abut_error error = {0};
    assert_int_equal(abut_overlap_set_create(NULL, PLACEMENTS, &set, &error), ABUT_OK);
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    const abut_method *method = abut_method_find("regions");
    abut_params params = abut_params_default();
    params.envelope = abut_relative(2e-3);
    int nearest = 0;
    for (int i = 0; i < PLACEMENTS; ++i) {
        const abut_overlap_placement *p = &set->placements[i];
        abut_shape *a = set->shapes[p->a], *b = set->shapes[p->b];
        CHECK_STATUS(abut_shape_prepare(a, method, &params, &error), ABUT_OK, "A");
        CHECK_STATUS(abut_shape_prepare(b, method, &params, &error), ABUT_OK, "B");
        abut_pair pair = abut_pair_default(a, b);
        pair.a.pose = p->pose_a;
        pair.b.pose = p->pose_b;
        pair.b.pose.position =
            abut_add_scaled(abut_add(p->pose_b.position, p->freeing), 1e-3 * p->size, abut_unit(p->freeing));
        abut_result result = abut_result_default();
        CHECK_STATUS(abut_find_contacts(&pair, method, &params, work, &result), ABUT_OK, result.error.text);
        abut_tree_gap gap =
            abut_tree_distance(abut_shape_tree(a, ABUT_ELEMENT_TRIANGLE), abut_shape_tree(b, ABUT_ELEMENT_TRIANGLE),
                               abut_pose_relative(pair.a.pose, pair.b.pose), HUGE_VAL);
        double least = HUGE_VAL, most = 0.0;
        for (int k = 0; k < result.contacts.count; ++k) {
            const abut_contact *c = &result.contacts.items[k];
            double distance = abut_norm(abut_sub(c->position_b, c->position_a));
            least = fmin(least, distance);
            most = fmax(most, distance);
        }
        CHECK(least >= gap.distance - 1e-9 && most <= 2.1e-3 * p->size,
              "%d: %s and %s: least %g, most %g, distance %g, %d contacts", i, set->names[p->a], set->names[p->b],
              least, most, gap.distance, result.contacts.count);
        nearest += least <= gap.distance + 1e-5 * p->size;
    }
    CHECK(nearest >= 57, "%d of %d have the nearest points", nearest, (int)PLACEMENTS);
    abut_workspace_destroy(work);
    abut_overlap_set_destroy(set);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_overlap_in_boxes),
        cmocka_unit_test(turned_cubes_overlap_in_an_octagon),
        cmocka_unit_test(placements_are_as_stated),
        cmocka_unit_test(methods_are_summed_up),
        cmocka_unit_test(gaps_within_an_envelope_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
