// SPDX-License-Identifier: MIT
// test_assess.c: rows of abut_assess(): methods of the caller, states, scenes, simulations, failures
#include "check.h"
#include "failing.h"

#include <abut-lab/lab.h>

#include <signal.h>
#include <string.h>

static const abut_state TOUCHING = {.kind = ABUT_STATE_TOUCHING};

static abut_subject *open_subject(const char *name)
{
    abut_subject *subject = NULL;
    abut_error error;
    CHECK_STATUS(abut_subject_create(NULL, name, &subject, &error), ABUT_OK, name);
    assert_non_null(subject);
    return subject;
}

/// Adds one contact of vertices 0 of A and B. Its normal is vertical; the poses say which body is above.
static abut_status query_vertical(const abut_query *query, abut_sink *sink)
{
    abut_vec3 a = abut_pose_apply(query->pair->a.pose, abut_side_vertices(&query->pair->a)[0]);
    abut_vec3 b = abut_pose_apply(query->pair->b.pose, abut_side_vertices(&query->pair->b)[0]);
    int is_b_above = query->pair->b.pose.position.y > query->pair->a.pose.position.y;
    abut_contact contact = {.position_a = a,
                            .position_b = b,
                            .normal = {0.0, is_b_above ? 1.0 : -1.0, 0.0},
                            .feature_a = abut_feature_vertex(0),
                            .feature_b = abut_feature_vertex(0),
                            .normal_feature = abut_feature_vertex(0),
                            .normal_side = ABUT_NORMAL_A,
                            .anchor_a = {{0, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}},
                            .anchor_b = {{0, -1, -1, -1}, {1.0, 0.0, 0.0, 0.0}},
                            .region = -1};
    (void)abut_sink_contact(sink, &contact); // if memory runs out, the library ends the query
    return ABUT_OK;
}

static abut_status query_crash(const abut_query *query, abut_sink *sink)
{
    (void)query;
    (void)sink;
    (void)raise(SIGKILL);
    return ABUT_OK;
}

#define METHOD(word, function)                                                                                     \
    {                                                                                                              \
        .abi = ABUT_METHOD_ABI, .struct_size = sizeof(abut_method), .name = word, .summary = "of this test",       \
        .source = "ours", .query = function                                                                        \
    }
static const abut_method VERTICAL = METHOD("vertical", query_vertical);
static const abut_method CRASH = METHOD("crash", query_crash);

/// One contact with the normal (0, 1, 0), from A to B, at vertices that are not where the bodies touch. The case
/// expects (0, 1, 0) at the two ends of a ridge: every contact has an expected normal, the one expected normal is
/// met, no position is met, and the minimum is 2. In the wedges it expects (g, b, 0): nothing is met.
static void a_method_of_the_caller_is_scored(void **state)
{
    (void)state;
    abut_assess_row row;
    abut_subject *subject = open_subject("sliding-wedge");
    CHECK(abut_subject_case(subject) != NULL && abut_subject_scene(subject) == NULL, "a case");
    CHECK_STATUS(abut_assess(subject, &VERTICAL, NULL, TOUCHING, &row), ABUT_OK, "sliding-wedge");
    const abut_measures *m = &row.measures[ABUT_READING_VELOCITY];
    CHECK_INT(m->contacts, 1, "contacts");
    CHECK_NEAR(m->quality, 100.0, 0.0, "quality");
    CHECK_NEAR(m->coverage, 0.0, 0.0, "coverage");
    CHECK_NEAR(m->coverage_normals, 100.0, 0.0, "coverage of normals");
    CHECK_NEAR(m->excess, 0.5, 0.0, "excess");
    CHECK_INT(row.minimum, 2, "minimum");
    CHECK_INT(row.has_two_readings, 0, "one reading");
    CHECK_NEAR(row.raw_contacts, 1.0, 0.0, "raw");
    CHECK(row.scene == NULL, "no scene");
    abut_assess_row_release(&row);
    abut_subject_destroy(subject);
    subject = open_subject("wedges");
    CHECK_STATUS(abut_assess(subject, &VERTICAL, NULL, TOUCHING, &row), ABUT_OK, "wedges");
    CHECK_NEAR(row.measures[ABUT_READING_VELOCITY].quality, 0.0, 0.0, "quality");
    CHECK_INT(row.has_two_readings, 1, "two readings");
    abut_assess_row_release(&row);
    abut_subject_destroy(subject);
    CHECK_DONE();
}

/// Two contacts, one of which is one of the four that are expected: quality 50 %, coverage 25 %.
static void contacts_from_elsewhere_are_scored(void **state)
{
    (void)state;
    static const abut_state states[] = {
        {.kind = ABUT_STATE_TOUCHING}, {.kind = ABUT_STATE_DETECTION}, {.kind = ABUT_STATE_SUNK, .depth = 1e-3}};
    abut_subject *subject = open_subject("cliff-edges");
    const abut_case *item = abut_subject_case(subject);
    abut_assess_row row;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; ++i) {
        const abut_truth *expected = &item->truth[ABUT_READING_VELOCITY][0];
        const abut_sample samples[2] = {{expected->position, expected->normal, {0, 1}},
                                        {{99.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0, 1}}};
        CHECK_STATUS(abut_assess_contacts(subject, states[i], samples, 2, &row), ABUT_OK, "samples");
        CHECK_NEAR(row.measures[0].quality, 50.0, 0.0, "quality");
        CHECK_NEAR(row.measures[0].coverage, 25.0, 0.0, "coverage");
        CHECK_NEAR(row.paper.quality, 50.0, 0.0, "as the paper");
        CHECK(isnan(row.raw_contacts), "not known");
        CHECK_INT(row.minimum, 4, "minimum");
    }
    const abut_state step = {.kind = ABUT_STATE_STEP, .step = 1};
    CHECK_STATUS(abut_assess_contacts(subject, step, NULL, 0, &row), ABUT_UNSUPPORTED, "a step");
    abut_subject_destroy(subject);
    subject = open_subject("arch");
    CHECK_STATUS(abut_assess_contacts(subject, TOUCHING, NULL, 0, &row), ABUT_UNSUPPORTED, "a scene");
    abut_subject_destroy(subject);
    CHECK_DONE();
}

/// Parameters of `regions` with which it refuses bodies that overlap by more than a thousandth.
static abut_params refusing(void)
{
    static const abut_option refuse = {"overlap", 1.0};
    abut_params params = abut_params_default();
    params.options = &refuse;
    params.option_count = 1;
    return params;
}

/// The 14 joints of the arch are squares of area 1 with four corners each.
static void scenes_are_scored(void **state)
{
    (void)state;
    abut_assess_row row;
    abut_subject *subject = open_subject("arch");
    CHECK(abut_subject_case(subject) == NULL && abut_subject_scene(subject) != NULL, "a scene");
    CHECK_STATUS(abut_assess(subject, abut_method_find("regions"), NULL, TOUCHING, &row), ABUT_OK, "arch");
    CHECK_INT(row.measures[0].contacts, 56, "contacts");
    CHECK_NEAR(row.measures[0].coverage, 100.0, 0.0, "coverage");
    assert_non_null(row.scene);
    CHECK_INT(row.scene->plateau_count, 1, "plateaus");
    CHECK_INT(row.scene->plateaus[0].found, 14, "joints");
    CHECK_INT(row.scene->other_areas, 0, "other");
    CHECK_INT(row.scene->curves.alignment_count, 56, "curve");
    CHECK_NEAR(row.paper.coverage_normals, row.scene->measures.coverage_paper, 0.0, "100 P");
    CHECK_NEAR(row.paper.quality, row.scene->measures.visible_quality, 0.0, "quality of the plots");
    abut_assess_row_release(&row);
    CHECK_STATUS(abut_assess(subject, &VERTICAL, NULL, (abut_state){.kind = ABUT_STATE_DETECTION}, &row),
                 ABUT_UNSUPPORTED, "a scene has no velocities");
    CHECK(strstr(row.error.text, "rest") != NULL && row.scene == NULL && row.minimum == 56, "%s", row.error.text);
    abut_subject_destroy(subject);
    // The message names the first pair that fails: bodies 0, the ground, and 1.
    subject = open_subject("arch-overlap");
    abut_params refuse = refusing();
    abut_assess_params assess = abut_assess_params_default();
    assess.params = &refuse;
    CHECK_STATUS(abut_assess(subject, abut_method_find("regions"), &assess, TOUCHING, &row), ABUT_OVERLAP,
                 "overlap");
    CHECK(strncmp(row.error.text, "ground and ", 11) == 0, "%s", row.error.text);
    abut_subject_destroy(subject);
    CHECK_DONE();
}

/// A box at rest stays: every step has the four contacts of the state touching. In `spikes`, the overlap at the third
/// detection is too large for `regions` if it may not separate them, and the row fails.
static void steps_are_simulated(void **state)
{
    (void)state;
    abut_assess_row row;
    const abut_method *regions = abut_method_find("regions");
    abut_assess_params params = abut_assess_params_default();
    abut_subject *subject = open_subject("cliff-edges");
    const abut_state third = {.kind = ABUT_STATE_STEP, .step = 3};
    CHECK_STATUS(abut_assess(subject, regions, NULL, third, &row), ABUT_OK, "cliff-edges");
    CHECK_NEAR(row.measures[0].quality, 100.0, 0.0, "quality");
    CHECK_NEAR(row.measures[0].excess, 1.0, 0.0, "excess");
    params.is_isolated = 1;
    CHECK_STATUS(abut_assess(subject, regions, &params, third, &row), ABUT_UNSUPPORTED, "isolated");
    abut_subject_destroy(subject);
    subject = open_subject("spikes");
    abut_params refuse = refusing();
    params = abut_assess_params_default();
    params.params = &refuse;
    CHECK_STATUS(abut_assess(subject, regions, NULL, third, &row), ABUT_OK, "separates");
    CHECK_STATUS(abut_assess(subject, regions, &params, third, &row), ABUT_OVERLAP, "refuses");
    CHECK(strstr(row.error.text, "method regions") != NULL, "%s", row.error.text);
    abut_outcome_report report;
    abut_error error;
    CHECK_STATUS(abut_assess_outcome(subject, regions, &params, 9, &report, &error), ABUT_OK, "outcome");
    CHECK_INT(report.outcome, ABUT_OUTCOME_FAILED, "fails in step 3");
    CHECK_INT(report.steps, 2, "steps");
    abut_outcome_release(NULL, &report);
    params.is_isolated = 1;
    CHECK_STATUS(abut_assess_outcome(subject, regions, &params, 9, &report, &error), ABUT_UNSUPPORTED, "isolated");
    abut_subject_destroy(subject);
    CHECK_DONE();
}

/// A child process finds the same contacts. A method that kills its process gives a failed row.
static void isolated_methods_cannot_end_the_caller(void **state)
{
    (void)state;
    abut_assess_row row;
    abut_assess_params params = abut_assess_params_default();
    params.is_isolated = 1;
    abut_subject *subject = open_subject("sliding-wedge");
    CHECK_STATUS(abut_assess(subject, &VERTICAL, &params, TOUCHING, &row), ABUT_OK, "vertical");
    CHECK_INT(row.measures[0].contacts, 1, "contacts");
    CHECK(isnan(row.raw_contacts), "not known");
    CHECK_STATUS(abut_assess(subject, &CRASH, &params, TOUCHING, &row), ABUT_METHOD_FAULT, "crash");
    CHECK(strstr(row.error.text, "signal") != NULL, "%s", row.error.text);
    abut_subject_destroy(subject);
    CHECK_DONE();
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    abut_subject *subject = NULL;
    abut_assess_row row;
    abut_error error;
    CHECK_STATUS(abut_subject_create(NULL, "spiks", &subject, &error), ABUT_BAD_ARGUMENT, "name");
    CHECK(strstr(error.text, "spiks") != NULL && subject == NULL, "%s", error.text);
    CHECK_STATUS(abut_subject_create(NULL, NULL, &subject, &error), ABUT_BAD_ARGUMENT, "no name");
    CHECK_STATUS(abut_subject_create_case(NULL, NULL, &subject, &error), ABUT_BAD_ARGUMENT, "no case");
    CHECK_STATUS(abut_subject_create_scene(NULL, NULL, &subject, &error), ABUT_BAD_ARGUMENT, "no scene");
    subject = open_subject("spikes");
    abut_assess_params params = abut_assess_params_default();
    CHECK_STATUS(abut_assess(subject, NULL, NULL, TOUCHING, &row), ABUT_BAD_ARGUMENT, "no method");
    params.struct_size = 1;
    CHECK_STATUS(abut_assess(subject, &VERTICAL, &params, TOUCHING, &row), ABUT_BAD_ARGUMENT, "struct size");
    abut_params query = abut_params_default();
    params = abut_assess_params_default();
    params.params = &query;
    query.struct_size = 0;
    CHECK_STATUS(abut_assess(subject, &VERTICAL, &params, TOUCHING, &row), ABUT_BAD_ARGUMENT, "params");
    abut_subject_destroy(subject);
    CHECK_DONE();
}

static int run_on(failing_heap *heap, const char *name)
{
    abut_context context = failing_context(heap);
    context.worker_count = 1;
    abut_subject *subject = NULL;
    abut_assess_row row = {0};
    abut_error error;
    abut_status status = abut_subject_create(&context, name, &subject, &error);
    if (status == ABUT_OK) {
        status = abut_assess(subject, abut_method_find("intersection"), NULL, TOUCHING, &row);
        abut_assess_row_release(&row);
    }
    abut_subject_destroy(subject);
    CHECK(status == ABUT_OK || status == ABUT_NO_MEMORY, "%s, call %d: %s", name, heap->fail_at,
          abut_status_text(status));
    CHECK_INT(heap->live, 0, name);
    return status == ABUT_OK;
}

/// Each allocation fails in turn: the status is ABUT_NO_MEMORY, and nothing leaks.
static void memory_may_run_out(void **state)
{
    (void)state;
    static const char *const names[] = {"sliding-spike", "pillar"};
    for (int i = 0; i < 2; ++i) {
        failing_heap whole = {0};
        CHECK(run_on(&whole, names[i]), "enough memory");
        int failures = 0;
        // every call of the case, some of the many of the scene
        for (int at = 1; at <= whole.calls; at += i == 0 ? 1 : 1 + whole.calls / 97) {
            failing_heap heap = {.fail_at = at};
            failures += !run_on(&heap, names[i]);
        }
        CHECK(failures > 20, "%s: %d failures", names[i], failures);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_method_of_the_caller_is_scored),
        cmocka_unit_test(contacts_from_elsewhere_are_scored),
        cmocka_unit_test(scenes_are_scored),
        cmocka_unit_test(steps_are_simulated),
        cmocka_unit_test(isolated_methods_cannot_end_the_caller),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
