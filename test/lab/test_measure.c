// SPDX-License-Identifier: MIT
// test_measure.c: quality, coverage and excess of contacts written down by hand
#include "check.h"

#include <abut-lab/measure.h>

static const abut_state TOUCHING = {.kind = ABUT_STATE_TOUCHING};
static const abut_state DETECTION = {.kind = ABUT_STATE_DETECTION};

static abut_case *create(const char *name)
{
    abut_case *made = NULL;
    assert_int_equal(abut_case_create(NULL, name, NULL, &made, NULL), ABUT_OK);
    return made;
}

static abut_measures measure(const abut_case *c, abut_state state, const abut_sample *samples, int count)
{
    return abut_measure(c, abut_case_place(c, state), ABUT_READING_VELOCITY, samples, count);
}

/// The truth of every case, given back as contacts, is perfect; excess is truths / minimum = 1.
static void truth_scores_one_hundred(void **state)
{
    (void)state;
    int count = 0;
    const char *const *names = abut_case_names(&count);
    for (int i = 0; i < count; ++i) {
        abut_case *c = create(names[i]);
        for (int reading = 0; reading < 2; ++reading) {
            abut_sample samples[4];
            int truths = c->truth_count[reading];
            assert_true(truths <= 4);
            for (int k = 0; k < truths; ++k) {
                samples[k] =
                    (abut_sample){.position = c->truth[reading][k].position, .normal = c->truth[reading][k].normal};
            }
            abut_measures m = abut_measure(c, abut_case_place(c, TOUCHING), (abut_reading)reading, samples, truths);
            CHECK_NEAR(m.quality, 100.0, 0.0, names[i]);
            CHECK_NEAR(m.coverage, 100.0, 0.0, names[i]);
            CHECK_NEAR(m.coverage_normals, 100.0, 0.0, names[i]);
            CHECK_NEAR(m.excess, 1.0, 0.0, names[i]);
            CHECK_INT(m.contacts, truths, names[i]);
        }
        abut_case_destroy(c);
    }
    CHECK_DONE();
}

static void no_contacts_have_no_quality(void **state)
{
    (void)state;
    abut_case *c = create("spikes");
    abut_measures m = measure(c, TOUCHING, NULL, 0);
    CHECK(isnan(m.quality), "%g", m.quality);
    CHECK_NEAR(m.coverage, 0.0, 0.0, "coverage");
    CHECK_NEAR(m.coverage_normals, 0.0, 0.0, "normals");
    CHECK_NEAR(m.excess, 0.0, 0.0, "excess");
    CHECK_INT(m.contacts, 0, "contacts");
    abut_case_destroy(c);
    CHECK_DONE();
}

/// Wedge in crack: ridge ends (-3, 0, -2) and (-3, 0, 2), normals (-a, -a, 0) and (a, -a, 0): four pairs, two normals.
/// Five contacts: both normals at the first end (the first twice), the first normal in the middle of the ridge, and
/// one that points up. Quality 4/5, pairs met 2/4, normals met 2/2, excess 5/4.
static void pairs_and_normals_are_counted_apart(void **state)
{
    (void)state;
    const double a = sqrt(0.5);
    const abut_vec3 end = {-3.0, 0.0, -2.0}, middle = {-3.0, 0.0, 0.0};
    const abut_sample samples[] = {{end, {-a, -a, 0}, {0, 1}},
                                   {end, {-a, -a, 0}, {0, 1}},
                                   {end, {a, -a, 0}, {0, 1}},
                                   {middle, {-a, -a, 0}, {0, 1}},
                                   {end, {0, 1, 0}, {0, 1}}};
    abut_case *c = create("wedge-in-crack");
    abut_measures m = measure(c, TOUCHING, samples, 5);
    CHECK_NEAR(m.quality, 80.0, 1e-12, "quality");
    CHECK_NEAR(m.coverage, 50.0, 1e-12, "coverage");
    CHECK_NEAR(m.coverage_normals, 100.0, 1e-12, "normals");
    CHECK_NEAR(m.excess, 1.25, 1e-12, "excess");
    abut_case_destroy(c);
    CHECK_DONE();
}

/// Spikes: the velocity implies (g, -b, 0) from A to B, the table says (-g, -b, 0); the opposite of either is wrong.
static void readings_and_signs_differ(void **state)
{
    (void)state;
    const double b = 1.0 / sqrt(10.0), g = 3.0 / sqrt(10.0);
    const abut_sample samples[] = {
        {{3, 0, 0}, {g, -b, 0}, {0, 1}}, {{3, 0, 0}, {-g, b, 0}, {0, 1}}, {{3, 0, 0}, {g, b, 0}, {0, 1}}};
    abut_case *c = create("spikes");
    abut_measures m = abut_measure(c, abut_case_place(c, TOUCHING), ABUT_READING_VELOCITY, samples, 3);
    CHECK_NEAR(m.quality, 100.0 / 3.0, 1e-12, "velocity");
    CHECK_NEAR(m.coverage, 100.0, 0.0, "velocity");
    m = abut_measure(c, abut_case_place(c, TOUCHING), ABUT_READING_TABLE, samples, 3);
    CHECK_NEAR(m.quality, 0.0, 0.0, "table");
    CHECK_NEAR(m.coverage, 0.0, 0.0, "table");
    CHECK_NEAR(m.coverage_normals, 0.0, 0.0, "table");
    abut_case_destroy(c);
    CHECK_DONE();
}

/// Sliding spike: truth (3, 0, 0) with (0, 1, 0), size sqrt(17), so that 0.0041231 away counts as met. Normals count
/// up to a difference of 0.001: (s, sqrt(1 - s^2), 0) differs by 2 sin(asin(s) / 2), about s.
static void tolerances_are_a_thousandth(void **state)
{
    (void)state;
    abut_case *c = create("sliding-spike");
    const double reach = 1e-3 * sqrt(17.0);
    for (int i = 0; i < 2; ++i) {
        double factor = i == 0 ? 0.999 : 1.001;
        abut_sample near = {{3.0, factor * reach, 0.0}, {0.0, 1.0, 0.0}, {0, 1}};
        abut_measures m = measure(c, TOUCHING, &near, 1);
        CHECK_NEAR(m.coverage, i == 0 ? 100.0 : 0.0, 0.0, "position");
        CHECK_NEAR(m.coverage_normals, 100.0, 0.0, "position");
        double s = factor * 1e-3;
        abut_sample tilted = {{3.0, 0.0, 0.0}, {s, sqrt(1.0 - s * s), 0.0}, {0, 1}};
        m = measure(c, TOUCHING, &tilted, 1);
        CHECK_NEAR(m.quality, i == 0 ? 100.0 : 0.0, 0.0, "normal");
        CHECK_NEAR(m.coverage, i == 0 ? 100.0 : 0.0, 0.0, "normal");
    }
    abut_case_destroy(c);
    CHECK_DONE();
}

/// Sliding spike at detection: the spike has moved by (-0.015, 0, 0). The point of the ground (3, 0, 0), that of the
/// spike (2.985, 0, 0) and all between are met; 0.015 on the other side is not, nor is the spike's point in the state
/// touching.
static void positions_may_be_of_either_body(void **state)
{
    (void)state;
    abut_case *c = create("sliding-spike");
    const double x[] = {3.0, 2.985, 2.9925, 2.981, 3.004, 3.015, 2.97};
    const double expected[] = {100.0, 100.0, 100.0, 100.0, 100.0, 0.0, 0.0};
    for (int i = 0; i < 7; ++i) {
        abut_sample sample = {{x[i], 0.0, 0.0}, {0.0, 1.0, 0.0}, {0, 1}};
        CHECK_NEAR(measure(c, DETECTION, &sample, 1).coverage, expected[i], 0.0, "detection");
    }
    abut_sample moved = {{2.985, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0, 1}};
    CHECK_NEAR(measure(c, TOUCHING, &moved, 1).coverage, 0.0, 0.0, "touching");
    abut_case_destroy(c);
    CHECK_DONE();
}

/// A contact with NaN matches nothing, but counts as a contact.
static void nan_is_wrong(void **state)
{
    (void)state;
    abut_case *c = create("sliding-spike");
    const abut_sample samples[] = {{{3.0, 0.0, 0.0}, {NAN, 1.0, 0.0}, {0, 1}},
                                   {{NAN, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0, 1}}};
    abut_measures m = measure(c, TOUCHING, samples, 2);
    CHECK_NEAR(m.quality, 50.0, 0.0, "quality");
    CHECK_NEAR(m.coverage, 0.0, 0.0, "coverage");
    CHECK_NEAR(m.coverage_normals, 100.0, 0.0, "normals");
    CHECK_NEAR(m.excess, 2.0, 0.0, "excess");
    abut_case_destroy(c);
    CHECK_DONE();
}

/// Cliff edges: the box, whose centre is (0, 4.8, 0), has turned by a quarter about the vertical, so that its corner
/// over (1.6, 3.2, 1.6) of the frustum is over (1.6, 3.2, -1.6) now. Each corner of the frustum has a segment along an
/// edge of its top: all four are met in the corners and in the middles of the edges, and none in the middle of the
/// top.
static void a_turned_body_takes_its_points_along(void **state)
{
    (void)state;
    abut_case *c = create("cliff-edges");
    abut_case_poses poses = {c->a.pose, c->b.pose};
    abut_quat quarter = abut_quat_from_axis(abut_vec3_make(0.0, 1.0, 0.0), 1.57079632679489662);
    poses.b.rotation = abut_quat_multiply(quarter, poses.b.rotation);
    const abut_vec3 up = {0.0, 1.0, 0.0};
    const abut_sample corners[] = {{{1.6, 3.2, 1.6}, up, {0, 1}},
                                   {{1.6, 3.2, -1.6}, up, {0, 1}},
                                   {{-1.6, 3.2, 1.6}, up, {0, 1}},
                                   {{-1.6, 3.2, -1.6}, up, {0, 1}}};
    const abut_sample middles[] = {{{1.6, 3.2, 0.0}, up, {0, 1}},
                                   {{-1.6, 3.2, 0.0}, up, {0, 1}},
                                   {{0.0, 3.2, 1.6}, up, {0, 1}},
                                   {{0.0, 3.2, -1.6}, up, {0, 1}}};
    const abut_sample center = {{0.0, 3.2, 0.0}, up, {0, 1}};
    CHECK_NEAR(abut_measure(c, poses, ABUT_READING_VELOCITY, corners, 4).coverage, 100.0, 0.0, "corners");
    CHECK_NEAR(abut_measure(c, poses, ABUT_READING_VELOCITY, middles, 4).coverage, 100.0, 0.0, "middles");
    CHECK_NEAR(abut_measure(c, poses, ABUT_READING_VELOCITY, &center, 1).coverage, 0.0, 0.0, "centre");
    poses.b = c->b.pose;
    CHECK_NEAR(abut_measure(c, poses, ABUT_READING_VELOCITY, middles, 4).coverage, 0.0, 0.0, "not turned");
    abut_case_destroy(c);
    CHECK_DONE();
}

/// 2, 4, 4, 4, 5, 5, 7, 9: mean 5, squares 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, deviation sqrt(32 / 8) = 2.
static void counts_are_summarised(void **state)
{
    (void)state;
    const int counts[] = {4, 2, 4, 9, 4, 5, 7, 5};
    abut_count_summary s = abut_summarise_counts(counts, 8);
    CHECK_NEAR(s.mean, 5.0, 0.0, "mean");
    CHECK_NEAR(s.deviation, 2.0, 0.0, "deviation");
    CHECK(s.least == 2 && s.most == 9, "%d to %d", s.least, s.most);
    s = abut_summarise_counts(NULL, 0);
    CHECK(isnan(s.mean) && isnan(s.deviation) && s.least == 0 && s.most == 0, "none");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth_scores_one_hundred),
        cmocka_unit_test(no_contacts_have_no_quality),
        cmocka_unit_test(pairs_and_normals_are_counted_apart),
        cmocka_unit_test(readings_and_signs_differ),
        cmocka_unit_test(tolerances_are_a_thousandth),
        cmocka_unit_test(positions_may_be_of_either_body),
        cmocka_unit_test(nan_is_wrong),
        cmocka_unit_test(counts_are_summarised),
        cmocka_unit_test(a_turned_body_takes_its_points_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
