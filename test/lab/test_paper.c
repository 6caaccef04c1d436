// SPDX-License-Identifier: MIT
// test_paper.c: the paper's numbers, and how ours are compared with them
#include "check.h"
#include "memory_fault.h"

#include <abut-lab/lab.h>
#include <stdio.h>
#include <string.h>

static const char *const METHODS[] = {"closest-points", "intersection", "vertex-only", "consistent-vertex",
                                      "volume-sat",     "surface-sat",  "growth",      "opposing"};
static const char *const CASES[] = {"spike-in-crack", "spike-in-hole", "wedge-in-crack",  "sliding-spike",
                                    "sliding-wedge",  "spikes",        "spike-and-wedge", "wedges",
                                    "cliff-edges",    "internal-edges"};

/// Excess times minimum, as whole numbers. Where quality is a fraction it confirms them: 4/18, 5/9, 9/19, 25/34,
/// 15/23, 17/27, 14/15.
static void table_8_has_whole_contacts(void **state)
{
    (void)state;
    static const int contacts[8][10] = {
        {2, 4, 4, 1, 2, 10, 3, 7, 8, 12},    {1, 5, 6, 3, 1, 20, 6, 7, 9, 12},   {1, 0, 2, 1, 1, 2, 1, 2, 5, 6},
        {1, 0, 2, 1, 1, 4, 2, 4, 6, 4},      {4, 7, 9, 5, 2, 14, 9, 17, 13, 23}, {4, 7, 9, 5, 2, 14, 9, 18, 10, 18},
        {4, 9, 6, 5, 2, 15, 11, 21, 24, 27}, {6, 9, 7, 5, 2, 18, 9, 19, 34, 15},
    };
    for (int m = 0; m < 8; ++m) {
        for (int c = 0; c < 10; ++c) {
            const abut_paper_row *row = abut_paper_find(METHODS[m], CASES[c]);
            assert_non_null(row);
            CHECK(row->contacts == contacts[m][c], "%s, %s: %g contacts", METHODS[m], CASES[c], row->contacts);
            // The number of right contacts is whole too.
            double right = row->quality / 100.0 * row->contacts;
            CHECK(fabs(right - rint(right)) < 0.02, "%s, %s: %g right ones", METHODS[m], CASES[c], right);
            CHECK((row->quality == 0.0) == (row->coverage == 0.0), "%s, %s", METHODS[m], CASES[c]);
        }
        const abut_paper_row *pillar = abut_paper_find(METHODS[m], "pillar");
        assert_non_null(pillar);
        double right = pillar->quality / 100.0 * pillar->contacts;
        CHECK(isnan(pillar->coverage) && fabs(right - rint(right)) < 0.001 * pillar->contacts, "%s", METHODS[m]);
    }
    int count;
    (void)abut_paper_rows(&count);
    CHECK_INT(count, 8 * 11 + 4, "Table 8, Table 7, Wall and Arch");
    CHECK(abut_paper_find("regions", "spikes") == NULL && abut_paper_find("growth", "wall") == NULL, "no numbers");
    CHECK_DONE();
}

/// Counts of 500 steps between least and most have their mean there, and a deviation of at most half the range. The
/// sums over the methods, by hand: 5389.81, 1833, 6698, 598.54.
static void table_6_is_there(void **state)
{
    (void)state;
    double mean = 0.0, deviation = 0.0;
    int least = 0, most = 0;
    for (int m = 0; m < 8; ++m) {
        const abut_paper_counts *c = abut_paper_find_counts(METHODS[m], "pillar");
        assert_non_null(c);
        CHECK(c->least < c->mean && c->mean < c->most && c->deviation < 0.5 * (c->most - c->least), "%s",
              METHODS[m]);
        mean += c->mean;
        deviation += c->deviation;
        least += c->least;
        most += c->most;
    }
    CHECK_NEAR(mean, 5389.81, 1e-9, "means");
    CHECK_NEAR(deviation, 598.54, 1e-9, "deviations");
    CHECK_INT(least, 1833, "least");
    CHECK_INT(most, 6698, "most");
    CHECK(abut_paper_find_counts("regions", "pillar") == NULL && abut_paper_find_counts("growth", "wall") == NULL,
          "no numbers");
    CHECK_DONE();
}

/// Section 7 covers: the Pillar on all 8 methods; the sliding cases on all; points in cracks on five methods, and the
/// hole on two more; two points on five methods, and one of them on two more: 8 + 16 + 17 + 17.
static void behaviours_are_there(void **state)
{
    (void)state;
    static const char *const words[] = {"stands", "collapsed", "too stable", "good", "fails"};
    int counts[5] = {0};
    for (int m = 0; m < 8; ++m) {
        CHECK(abut_paper_find_behaviour(METHODS[m], "cliff-edges") == NULL, "%s: cliff edges", METHODS[m]);
        for (int c = 0; c < 11; ++c) {
            const abut_paper_behaviour *b = abut_paper_find_behaviour(METHODS[m], c < 10 ? CASES[c] : "pillar");
            for (int w = 0; w < 5; ++w) {
                counts[w] += b != NULL && strcmp(b->word, words[w]) == 0;
            }
        }
    }
    CHECK_INT(counts[0], 4, "stands");
    CHECK_INT(counts[1], 2, "collapsed");
    CHECK_INT(counts[2], 2 + 3 + 3, "too stable: Pillar, hole, two points");
    CHECK_INT(counts[3], 16 + (9 - 1) + (9 - 1), "good: sliding, cracks, two points");
    CHECK_INT(counts[4], 2 * (3 + 3), "fails");
    CHECK_DONE();
}

/// The second detection, for one case the first; the sizes of the program's scenes.
static void states_are_fixed(void **state)
{
    (void)state;
    int count;
    const char *const *names = abut_case_names(&count);
    for (int i = 0; i < count; ++i) {
        abut_state read = abut_paper_state(names[i]);
        CHECK_INT(read.kind, ABUT_STATE_STEP, names[i]);
        CHECK_INT(read.step, strcmp(names[i], "sliding-wedge") == 0 ? 1 : 2, names[i]);
        CHECK(abut_paper_scene_size(names[i]) == (strcmp(names[i], "cliff-edges") == 0 ? 8.0 : 20.0), "%s",
              names[i]);
    }
    CHECK_INT(abut_paper_state("pillar").step, 2, "scenes too");
    CHECK_INT(abut_paper_state("saddles").kind, ABUT_STATE_TOUCHING, "not in the paper");
    CHECK_INT((int)strlen(abut_paper_options("regions", ABUT_PAPER_TEXT, 0)), 0, "not in the paper");
    // Every option of the paper is one that the method has.
    for (int m = 0; m < 8; ++m) {
        for (int k = 0; k < 6; ++k) {
            char text[128];
            abut_option option;
            (void)snprintf(text, sizeof text, "%s",
                           abut_paper_options(METHODS[m], (abut_paper_reading)(k / 2), k % 2));
            for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
                CHECK_STATUS(abut_option_parse(abut_method_find(METHODS[m]), word, &option, NULL), ABUT_OK, word);
            }
        }
    }
    CHECK_DONE();
}

/// The spikes' un-daggered normal is (g, b, 0), from B to A: the truth from A to B is its negative. Either sign is
/// right, the mirrored one is not, and a normal of another length is not.
static void sign_does_not_count(void **state)
{
    (void)state;
    const double b = 1.0 / sqrt(10.0), g = 3.0 / sqrt(10.0);
    const abut_state touching = {.kind = ABUT_STATE_TOUCHING};
    abut_case *item = NULL;
    abut_measures m;
    assert_int_equal(abut_case_create(NULL, "spikes", NULL, &item, NULL), ABUT_OK);
    const abut_sample samples[] = {{{0, 0, 0}, {g, b, 0}, {0, 1}},
                                   {{0, 0, 0}, {-g, -b, 0}, {0, 1}},
                                   {{0, 0, 0}, {-g, b, 0}, {0, 1}},
                                   {{0, 0, 0}, {2.0 * g, 2.0 * b, 0}, {0, 1}}};
    CHECK_STATUS(abut_paper_measure(NULL, item, abut_case_place(item, touching), samples, 4, &m, NULL), ABUT_OK,
                 "spikes");
    CHECK_NEAR(m.quality, 50.0, 0.0, "two of four");
    CHECK_NEAR(m.coverage_normals, 100.0, 0.0, "the one normal is there");
    CHECK_INT(m.contacts, 4, "contacts");
    CHECK_STATUS(abut_paper_measure(NULL, item, abut_case_place(item, touching), NULL, 0, &m, NULL), ABUT_OK,
                 "none");
    CHECK(m.quality == 0.0 && m.coverage_normals == 0.0 && m.contacts == 0, "no contacts: 0, as in the paper");
    CHECK_STATUS(abut_paper_measure(NULL, item, abut_case_place(item, touching), NULL, 1, &m, NULL),
                 ABUT_BAD_ARGUMENT, "NULL");
    memory_fault fault = {0, 0};
    abut_context context = memory_fault_context(&fault);
    CHECK_STATUS(abut_paper_measure(&context, item, abut_case_place(item, touching), samples, 4, &m, NULL),
                 ABUT_NO_MEMORY, "memory");
    abut_case_destroy(item);
    CHECK_DONE();
}

/// A face of the box on the slab (side 2) has two triangles of area 2: its normal is 4 long in the program.
static void normals_of_faces_are_long(void **state)
{
    (void)state;
    abut_case *item = NULL;
    abut_shape *a = NULL, *b = NULL;
    abut_shape_def def = abut_shape_def_default();
    assert_int_equal(abut_case_create(NULL, "internal-edges", NULL, &item, NULL), ABUT_OK);
    def.mesh = item->a.mesh;
    assert_int_equal(abut_shape_create(NULL, &def, &a, NULL), ABUT_OK);
    def.mesh = item->b.mesh;
    assert_int_equal(abut_shape_create(NULL, &def, &b, NULL), ABUT_OK);
    abut_pair pair = abut_case_pair(item, (abut_state){.kind = ABUT_STATE_TOUCHING}, a, b);
    abut_contact contact = {.normal = {0, 1, 0},
                            .normal_side = ABUT_NORMAL_B,
                            .normal_feature = {.kind = ABUT_FEATURE_FACE, .index = 3}};
    CHECK(abut_paper_has_long_normals("intersection", ABUT_PAPER_PROGRAM) &&
              abut_paper_has_long_normals("intersection", ABUT_PAPER_PROGRAM_DOUBLE) &&
              !abut_paper_has_long_normals("intersection", ABUT_PAPER_TEXT) &&
              !abut_paper_has_long_normals("volume-sat", ABUT_PAPER_PROGRAM),
          "one method of the program");
    CHECK_NEAR(abut_paper_sample(&pair, &contact, 1).normal.y, 4.0, 1e-15, "program");
    CHECK_NEAR(abut_paper_sample(&pair, &contact, 0).normal.y, 1.0, 0.0, "text");
    contact.normal_side = ABUT_NORMAL_BOTH;
    contact.normal_feature.kind = ABUT_FEATURE_NONE;
    CHECK_NEAR(abut_paper_sample(&pair, &contact, 1).normal.y, 1.0, 0.0, "two edges");
    abut_shape_destroy(a);
    abut_shape_destroy(b);
    abut_case_destroy(item);
    CHECK_DONE();
}

static void agreement_by_hand(void **state)
{
    (void)state;
    static const struct {
        double ours, paper;
        abut_agreement percent, count;
    } rows[] = {{33.0 + 1.0 / 3.0, 33.3, ABUT_AGREEMENT_EQUAL, ABUT_AGREEMENT_NEAR},
                {100.0, 100.0, ABUT_AGREEMENT_EQUAL, ABUT_AGREEMENT_EQUAL},
                {40.0, 50.0, ABUT_AGREEMENT_NEAR, ABUT_AGREEMENT_DIFFERENT},
                {39.9, 50.0, ABUT_AGREEMENT_DIFFERENT, ABUT_AGREEMENT_DIFFERENT},
                {45.0, 50.0, ABUT_AGREEMENT_NEAR, ABUT_AGREEMENT_NEAR},
                {0.0, 0.0, ABUT_AGREEMENT_EQUAL, ABUT_AGREEMENT_EQUAL},
                {1.0, 0.0, ABUT_AGREEMENT_NEAR, ABUT_AGREEMENT_DIFFERENT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        CHECK_INT(abut_paper_compare_percent(rows[i].ours, rows[i].paper), rows[i].percent, "percent");
        CHECK_INT(abut_paper_compare_count(rows[i].ours, rows[i].paper), rows[i].count, "count");
    }
    const double none = (double)NAN;
    CHECK_INT(abut_paper_compare_percent(none, 1.0), ABUT_AGREEMENT_NONE, "no number of ours");
    CHECK_INT(abut_paper_compare_count(1.0, none), ABUT_AGREEMENT_NONE, "no number of the paper's");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_8_has_whole_contacts), cmocka_unit_test(table_6_is_there),
        cmocka_unit_test(behaviours_are_there),       cmocka_unit_test(states_are_fixed),
        cmocka_unit_test(sign_does_not_count),        cmocka_unit_test(normals_of_faces_are_long),
        cmocka_unit_test(agreement_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
