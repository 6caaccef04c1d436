// SPDX-License-Identifier: MIT
// test_world_growth.c: what a step costs, in pairs, queries, trees and iterations, as the world grows
#include "stage.h"

#include "world/world.h"

enum { LEVELS = 3, STEPS = 30, SIZES = 3 };

static const int stack_counts[SIZES] = {4, 16, 64};

static int query_count;

abut_status __real_abut_find_contacts(const abut_pair *pair, const abut_method *method, const abut_params *params,
                                      abut_workspace *workspace, abut_result *result);
abut_status __wrap_abut_find_contacts(const abut_pair *pair, const abut_method *method, const abut_params *params,
                                      abut_workspace *workspace, abut_result *result);

abut_status __wrap_abut_find_contacts(const abut_pair *pair, const abut_method *method, const abut_params *params,
                                      abut_workspace *workspace, abut_result *result)
{
    ++query_count;
    return __real_abut_find_contacts(pair, method, params, workspace, result);
}

/// Stacks on the ground, 2 apart: each box touches the one below and no other.
static stage make_field(const abut_world_def *def, int stacks)
{
    abut_context context = abut_context_default();
    context.worker_count = 1; // for `query_count`
    stage s = make_stage(&context, def, 0.5, 0.0);
    add_ground(&s);
    for (int i = 0; i < LEVELS * stacks; ++i) {
        int stack = i / LEVELS;
        abut_vec3 center = {2.0 * (stack % 8) - 8.0, i % LEVELS + 0.5, 2.0 * (stack / 8) - 8.0};
        add_box(&s, abut_vec3_make(1, 1, 1), center, abut_vec3_make(0, 0, 0), 0);
    }
    return s;
}

// Each box is one pair, one query and four contacts. The bodies hardly move, so that the first tree of boxes serves all
// steps, and their stacks are islands of their own: more of them take no more iterations. The stacks are not at the same
// place, so rounding may cost one of them a few more. They touch, so that stabilisation has nothing to do.
static void cost_follows_the_boxes(void **state)
{
    (void)state;
    const char *const methods[] = {"regions", "convex"};
    for (int m = 0; m < 2; ++m) {
        int first = 0;
        for (int i = 0; i < SIZES; ++i) {
            abut_world_def def = falling();
            def.method = abut_method_find(methods[m]);
            def.prox = precise(1e-8);
            stage s = make_field(&def, stack_counts[i]);
            int boxes = LEVELS * stack_counts[i], iterations = 0;
            for (int step = 0; step < STEPS; ++step) {
                query_count = 0;
                run(&s, 1);
                abut_world_report report = abut_world_get_report(s.world);
                CHECK_INT(report.pair_count, boxes, "pairs");
                CHECK_INT(report.contact_count, 4 * boxes, "contacts");
                CHECK_INT(query_count, boxes, "queries");
                CHECK_INT(report.stabilisation_iterations, 0, "iterations of stabilisation");
                iterations = report.iterations > iterations ? report.iterations : iterations;
            }
            first = i == 0 ? iterations : first;
            CHECK(iterations <= first + 5, "%s, %d stacks: %d iterations, %d of 4 stacks", methods[m],
                  stack_counts[i], iterations, first);
            CHECK_INT((int)s.world->broad.build_count, 1, "trees of boxes");
            end_stage(&s);
        }
    }
    CHECK_DONE();
}

// All stacks sleep. Then nothing is asked in a step; with a box that slides far away from them, one pair: the box and
// the ground.
static void sleepers_cost_no_queries(void **state)
{
    (void)state;
    for (int i = 0; i < SIZES; ++i) {
        abut_world_def def = falling();
        def.has_sleep = 1;
        stage s = make_field(&def, stack_counts[i]);
        run(&s, STEPS);
        CHECK_INT(abut_world_get_report(s.world).asleep_count, LEVELS * stack_counts[i], "bodies asleep");
        query_count = 0;
        run(&s, 1);
        CHECK_INT(query_count, 0, "queries of a world at rest");
        add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(-15.0, 0.5, 0.0), abut_vec3_make(0, 0, 3), 0);
        run(&s, 1);
        for (int step = 0; step < 5; ++step) {
            query_count = 0;
            run(&s, 1);
            CHECK_INT(query_count, 1, "queries beside a sliding box");
            CHECK_INT(abut_world_get_report(s.world).asleep_count, LEVELS * stack_counts[i], "bodies asleep");
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cost_follows_the_boxes),
        cmocka_unit_test(sleepers_cost_no_queries),
    };
    return cmocka_run_group_tests_name("world_growth", tests, NULL, NULL);
}
