// SPDX-License-Identifier: MIT
// test_broad.c: the pairs of the broad phase, compared with a test of all pairs
#include "check.h"
#include "random.h"
#include "world/broad.h"

#include "base/context.h"

#include <stdlib.h>

static int touch(abut_box a, abut_box b)
{
    return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y && b.lower.y <= a.upper.y &&
           a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

/// Checks that the broad phase finds exactly the pairs of boxes that touch, in order.
static void compare(abut_broad *broad, const abut_box *boxes, const unsigned char *is_passive, int count)
{
    assert_int_equal(abut_broad_find(broad, boxes, is_passive, count), ABUT_OK);
    int found = 0;
    for (int a = 0; a < count; ++a) {
        for (int b = a + 1; b < count; ++b) {
            if (touch(boxes[a], boxes[b]) && !(is_passive[a] && is_passive[b])) {
                CHECK(found < broad->pair_count && broad->pairs[found].a == a && broad->pairs[found].b == b,
                      "%d boxes: pair %d %d is not the next one", count, a, b);
                ++found;
            }
        }
    }
    CHECK_INT(broad->pair_count, found, "pairs");
}

static void random_boxes_match_all_pairs(void **state)
{
    (void)state;
    enum { MOST = 600 };
    static abut_box boxes[MOST];
    static unsigned char is_passive[MOST];
    test_random random = {7};
    abut_context context = abut_context_or_default(NULL);
    abut_broad broad;
    abut_broad_init(&broad, &context);
    for (int round = 0; round < 200; ++round) {
        int count = random_below(&random, round % 10 == 0 ? MOST : 40);
        double reach = random_in(&random, 0.0, 0.4);
        for (int i = 0; i < count; ++i) {
            // Every third round is on a grid of quarters: many boxes just touch, and many centres are equal.
            abut_vec3 lower = random_vec3(&random, 1.0);
            abut_vec3 size = abut_abs(random_vec3(&random, round % 2 ? reach : 0.0));
            if (round % 3 == 0) {
                lower = abut_vec3_make(floor(4.0 * lower.x) / 4.0, floor(4.0 * lower.y) / 4.0,
                                       floor(4.0 * lower.z) / 4.0);
                size = abut_vec3_make(0.25, 0.25, 0.25);
            }
            boxes[i].lower = lower;
            boxes[i].upper = abut_add(lower, size);
            is_passive[i] = (unsigned char)(random_below(&random, 4) == 0);
        }
        if (count > 0) {
            boxes[0].lower = abut_vec3_make(-9.0, -9.0, -9.0); // touches all others
            boxes[0].upper = abut_vec3_make(9.0, 9.0, 9.0);
        }
        compare(&broad, boxes, is_passive, count);
    }
    abut_broad_release(&broad);
    CHECK_DONE();
}

/// 20,000 boxes in a row on the ground: 19,999 pairs of neighbours and 20,000 pairs with the ground.
static void a_long_row_is_found(void **state)
{
    (void)state;
    enum { COUNT = 20001 };
    abut_box *boxes = malloc(COUNT * sizeof *boxes);
    unsigned char *is_passive = calloc(COUNT, 1);
    assert_non_null(boxes);
    assert_non_null(is_passive);
    boxes[0].lower = abut_vec3_make(-1.0, -1.0, -1.0);
    boxes[0].upper = abut_vec3_make(COUNT, 0.0, 1.0);
    for (int i = 1; i < COUNT; ++i) {
        boxes[i].lower = abut_vec3_make(i, 0.0, 0.0);
        boxes[i].upper = abut_vec3_make(i + 1.0, 1.0, 1.0);
    }
    abut_context context = abut_context_or_default(NULL);
    abut_broad broad;
    abut_broad_init(&broad, &context);
    assert_int_equal(abut_broad_find(&broad, boxes, is_passive, COUNT), ABUT_OK);
    CHECK_INT(broad.pair_count, 2 * (COUNT - 1) - 1, "pairs");
    abut_broad_release(&broad);
    free(boxes);
    free(is_passive);
    CHECK_DONE();
}

/// Boxes of a grid that touch sway by up to 1/50 of their side: the pairs are those of all pairs in each step, and one
/// tree is enough. A box that moves by half its side takes another one, and so does one that becomes passive.
static void boxes_that_sway_need_one_tree(void **state)
{
    (void)state;
    enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE };
    static abut_box boxes[COUNT];
    static unsigned char is_passive[COUNT];
    test_random random = {11};
    abut_context context = abut_context_or_default(NULL);
    abut_broad broad;
    abut_broad_init(&broad, &context);
    for (int step = 0; step < 60; ++step) {
        for (int i = 0; i < COUNT; ++i) {
            abut_vec3 lower = abut_vec3_make(i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
            lower = abut_add(lower, random_vec3(&random, step == 0 ? 0.0 : 0.02));
            lower.x += i == 77 && step >= 20 ? 0.5 : 0.0;
            is_passive[i] = i == 33 && step >= 40;
            boxes[i] = (abut_box){lower, abut_add(lower, abut_vec3_make(1.0, 1.0, 1.0))};
        }
        is_passive[0] = is_passive[1] = 1;
        compare(&broad, boxes, is_passive, COUNT);
        if (step == 19 || step == 39 || step == 59) {
            CHECK_INT((int)broad.build_count, 1 + step / 20, "trees");
        }
    }
    abut_broad_release(&broad);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_boxes_match_all_pairs),
        cmocka_unit_test(a_long_row_is_found),
        cmocka_unit_test(boxes_that_sway_need_one_tree),
    };
    return cmocka_run_group_tests_name("broad", tests, NULL, NULL);
}
