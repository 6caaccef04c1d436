// SPDX-License-Identifier: MIT
// test_study_runs.c: results of single runs of the studies of normals
#include "check.h"

#include <abut-lab/lab.h>

/// Runs a study of one value with `regions` at a step. Returns its only result, which belongs to the study.
static abut_study *run_one(const char *kind, const char *scene, double value, int step)
{
    const abut_quality_method methods[] = {{abut_method_find("regions"), NULL}};
    abut_quality_def def = abut_quality_def_default(abut_study_find_kind(kind));
    def.methods = methods;
    def.method_count = def.value_count = def.seed_count = 1;
    def.values = &value;
    def.scene = scene;
    def.step = step;
    abut_study *study = NULL;
    abut_study_pool *pool = NULL;
    abut_error error = {0};
    assert_int_equal(abut_quality_study_create(NULL, abut_study_find_kind(kind), &def, &study, &error), ABUT_OK);
    assert_int_equal(abut_study_pool_create(study, 1, 60.0, &pool, &error), ABUT_OK);
    abut_study_execution how = abut_study_execution_default();
    how.crew = abut_study_pool_crew(pool);
    CHECK_STATUS(abut_study_execute(study, &how, &error), ABUT_OK, "execute");
    abut_study_pool_destroy(pool);
    return study;
}

/// A box on a cliff with the same base has four contacts with upward normals. Two spikes that meet tip on tip at 6 m/s
/// first touch with a known normal. A case has coarse meshes only.
static void cases_are_studied(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *scene;
        double value;
        int contacts;
    } rows[] = {{"timestep", "cliff-edges", 0.01, 4},
                {"refinement", "cliff-edges", 0.0, 4},
                {"perturbation", "spikes", 0.0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        abut_study *study = run_one(rows[i].kind, rows[i].scene, rows[i].value, 1);
        const abut_study_result *r = &study->results[0];
        assert_int_equal(r->outcome, ABUT_STUDY_DONE);
        CHECK_INT(abut_study_find_value(r->values, r->value_count, "contacts")->number, rows[i].contacts,
                  "contacts");
        CHECK_NEAR(abut_study_find_value(r->values, r->value_count, "exact")->number, 100.0, 0.0, "exact");
        CHECK_NEAR(abut_study_find_value(r->values, r->value_count, "good")->number, 100.0, 0.0, "good");
        CHECK_NEAR(abut_study_find_value(r->values, r->value_count, "least_q")->number, 1.0, 1e-9, "least");
        CHECK_INT(r->series[0].count, rows[i].contacts, "curve");
        abut_study_destroy(study);
    }
    CHECK_DONE();
}

/// Bodies of the Pillar that are moved by up to its size, 4.6, do not touch: the run fails, because there is nothing
/// to measure.
static void a_run_without_contacts_fails(void **state)
{
    (void)state;
    abut_study *study = run_one("perturbation", "pillar", 4.0, 1);
    CHECK_INT(study->results[0].outcome, ABUT_STUDY_FAILED, "outcome");
    CHECK(strstr(study->results[0].reason, "no contacts") != NULL, "%s", study->results[0].reason);
    // The plan names the build.
    const abut_study_value *version = abut_study_find_value(study->settings, study->setting_count, "version");
    CHECK(strncmp(version->word, ABUT_VERSION "+", strlen(ABUT_VERSION) + 1) == 0, "%s", version->word);
    CHECK_INT((int)strlen(version->word), (int)strlen(ABUT_VERSION) + 13, version->word);
    abut_study_destroy(study);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_are_studied),
        cmocka_unit_test(a_run_without_contacts_fails),
    };
    return cmocka_run_group_tests_name("study_runs", tests, NULL, NULL);
}
