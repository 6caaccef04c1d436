// SPDX-License-Identifier: MIT
// test_lmd_continuity.c: condition (2) of Merlhiot 2007: contacts that carry stay defined near where they are
#include "../complex/random_bodies.h"
#include "effort.h"

static const double dilation = 0.01, pi = 3.14159265358979323846;

typedef struct near_scene {
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *work;
    abut_pair pair;
    abut_params params;
    abut_result result;
} near_scene;

/// Takes the meshes. They are dilated by 0.01, and solids are inset by as much.
static near_scene begin(abut_mesh *a, abut_mesh *b)
{
    near_scene s = {.meshes = {a, b}, .params = abut_params_default(), .result = abut_result_default()};
    for (int i = 0; i < 2; ++i) {
        abut_shape_def def = abut_shape_def_default();
        def.mesh = s.meshes[i];
        def.dilation = dilation;
        def.offset = -dilation;
        assert_int_equal(abut_shape_create(NULL, &def, &s.shapes[i], NULL), ABUT_OK);
        CHECK_STATUS(abut_shape_prepare(s.shapes[i], abut_method_find("quasi-lmd"), NULL, NULL), ABUT_OK,
                     "prepare");
    }
    assert_int_equal(abut_workspace_create(NULL, &s.work), ABUT_OK);
    s.pair = abut_pair_default(s.shapes[0], s.shapes[1]);
    s.params.envelope = abut_absolute(0.1);
    s.params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
    return s;
}

static void end(near_scene *s)
{
    abut_workspace_destroy(s->work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(s->shapes[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

static abut_status ask(near_scene *s)
{
    return abut_find_contacts(&s->pair, abut_method_find("quasi-lmd"), &s->params, s->work, &s->result);
}

/// Whether one of the contacts is within these limits of `c`.
static int has_near(const abut_result *result, const abut_contact *c, double move, double turn)
{
    for (int i = 0; i < result->contacts.count; ++i) {
        const abut_contact *d = &result->contacts.items[i];
        if (abut_norm(abut_sub(c->position_a, d->position_a)) <= move &&
            abut_norm(abut_sub(c->position_b, d->position_b)) <= move &&
            abut_norm(abut_sub(c->normal, d->normal)) <= turn && fabs(c->gap - d->gap) <= move) {
            return 1;
        }
    }
    return 0;
}

/// Moves B by random motions of size h, from 1e-4 down. Bodies are at most 4 large, so no point moves by more than 5 h; a
/// normal is the direction of two points 0.02 apart, so it turns by at most 500 h. Edges that cross at 45 degrees move
/// their crossing by up to three times as much.
static void check_near(near_scene *s, test_random *random, const char *label)
{
    CHECK_STATUS(ask(s), ABUT_OK, label);
    int count = s->result.contacts.count, active = 0;
    abut_contact *before = malloc((size_t)(count + 1) * sizeof *before);
    memcpy(before, s->result.contacts.items, (size_t)count * sizeof *before);
    abut_pose pose = s->pair.b.pose;
    for (int i = 0; i < sample_count(200, 5000); ++i) {
        double h = 1e-4 * pow(10.0, -(i % 4));
        s->pair.b.pose.position = abut_add(pose.position, abut_scale(h, random_unit(random)));
        s->pair.b.pose.rotation = abut_quat_multiply(abut_quat_from_axis(random_unit(random), h), pose.rotation);
        CHECK_STATUS(ask(s), ABUT_OK, label);
        for (int k = 0; k < count; ++k) {
            if (before[k].gap < 1e-9) {
                ++active;
                CHECK(has_near(&s->result, &before[k], 15.0 * h, 750.0 * h), "%s: contact %d is gone after %g",
                      label, k, h);
            }
        }
    }
    CHECK(active > 0, "%s: nothing touches", label);
    s->pair.b.pose = pose;
    free(before);
}

// A cube on a plate, equal cubes exactly on each other, cubes that overlap at a corner, an L beside an L.
static void contacts_stay_defined(void **state)
{
    (void)state;
    test_random random = {13};
    const abut_vec3 low = {-0.5, -0.5, -0.5}, high = {0.5, 0.5, 0.5};
    near_scene s = begin(make_box(NULL, v3(-2, -2, -1), v3(2, 2, 0)), make_box(NULL, low, high));
    s.pair.b.pose.position = v3(0.1, 0.2, 0.5);
    check_near(&s, &random, "cube on a plate");
    end(&s);
    s = begin(make_box(NULL, low, high), make_box(NULL, low, high));
    s.pair.b.pose.position = v3(0, 0, 1);
    check_near(&s, &random, "equal cubes");
    s.pair.b.pose.position = v3(0.3, 0.4, 1);
    check_near(&s, &random, "cubes at a corner");
    end(&s);
    s = begin(make_l(NULL, 1.0), make_l(NULL, 1.0));
    s.pair.b.pose.position = v3(0, 0, 1);
    check_near(&s, &random, "L on L");
    s.pair.b.pose = abut_pose_make(v3(0.2, 0.3, 1), abut_quat_identity());
    check_near(&s, &random, "L on L, moved");
    end(&s);
    // shells and lines, whose radius is 0.01: a sheet on a cube, over its border; a line across the border of a sheet, with
    // a bend and an end above it; crossed lines; points on a cube's face and at its corner
    s = begin(make_box(NULL, low, high), make_sheet(2));
    s.pair.b.pose.position = v3(-0.3, -0.2, 0.5 + dilation);
    check_near(&s, &random, "sheet on a cube");
    end(&s);
    const abut_vec3 bent[3] = {{-1, 0.3, 0}, {0.7, 0.3, 0}, {0.7, 1.4, 0}}, crossing[2] = {{0, -1, 0}, {0, 1, 0}};
    const int ends[4] = {0, 1, 1, 2};
    s = begin(make_sheet(2), make_segments(bent, 3, ends, 2));
    s.pair.b.pose.position = v3(0, 0, 2.0 * dilation);
    check_near(&s, &random, "line across a border");
    end(&s);
    s = begin(make_segments(bent, 3, ends, 2), make_segments(crossing, 2, ends, 1));
    s.pair.b.pose.position = v3(0.1, 0.2, 2.0 * dilation);
    check_near(&s, &random, "crossed lines");
    end(&s);
    const abut_vec3 points[2] = {{0.1, 0.2, 0}, {0.5, 0.5, 0}};
    s = begin(make_box(NULL, low, high), make_segments(points, 2, NULL, 0));
    s.pair.b.pose.position = v3(0, 0, 0.5 + dilation);
    check_near(&s, &random, "points");
    end(&s);
    // an edge that lies on the face of an L, along the border of its notch and through the reentrant corner, or crossing it;
    // the inset moves the corner by the dilation
    for (int i = 0; i < 4; ++i) {
        s = begin(make_l(NULL, 1.0), make_box(NULL, v3(-1.5, -1.5, 0), v3(1.5, dilation, 1)));
        s.pair.b.pose =
            abut_pose_make(v3(1 - dilation, 1 - dilation, 1), abut_quat_from_axis(v3(0, 0, 1), 0.5 * pi * i));
        check_near(&s, &random, "edge along a notch");
        s.pair.b.pose.rotation = abut_quat_from_axis(v3(0, 0, 1), 0.5 * pi * i + 0.25 * pi);
        check_near(&s, &random, "edge across a notch");
        end(&s);
    }
    CHECK_DONE();
}

static double least_gap(const abut_result *result)
{
    double least = HUGE_VAL;
    for (int i = 0; i < result->contacts.count; ++i) {
        least = fmin(least, result->contacts.items[i].gap);
    }
    return least;
}

// The smallest gap changes by no more than the bodies move, whatever contacts come and go.
static void smallest_gap_is_continuous(void **state)
{
    (void)state;
    test_random random = {17};
    int compared = 0;
    for (int i = 0; i < sample_count(20, 400); ++i) {
        near_scene s = begin(make_random_body(&random, i % 2), make_random_body(&random, 1 - i % 2));
        s.params.flags = 0;
        s.params.envelope = abut_absolute(1.0);
        abut_vec3 step = abut_scale(2e-3, random_unit(&random)), axis = random_unit(&random);
        double before = HUGE_VAL;
        s.pair.b.pose = abut_pose_make(abut_scale(1.6, random_unit(&random)), random_rotation(&random));
        for (int k = 0; k < 60; ++k) {
            double after = ask(&s) == ABUT_OK ? least_gap(&s.result) : HUGE_VAL;
            if (after < 0.9 && before < 0.9) {
                // a vertex is at most sqrt(3) and its move from the origin of its body
                CHECK(fabs(after - before) <= 2e-3 + 2e-3 * 2.0, "step %d: from %g to %g", k, before, after);
                ++compared;
            }
            before = after;
            s.pair.b.pose.position = abut_add(s.pair.b.pose.position, step);
            s.pair.b.pose.rotation = abut_quat_multiply(abut_quat_from_axis(axis, 2e-3), s.pair.b.pose.rotation);
        }
        end(&s);
    }
    CHECK(compared > 100, "only %d compared", compared);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_stay_defined),
        cmocka_unit_test(smallest_gap_is_continuous),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
