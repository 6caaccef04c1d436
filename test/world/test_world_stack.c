// SPDX-License-Identifier: MIT
// test_world_stack.c: stacks stand although the solver stops early
//
// With 50 sweeps in a step the impulses of a stack of ten are not exact, and its boxes tilt by more than the tolerance
// of a query. It stands if all four corners of each box stay in contact and the solver starts from the last impulses.
#include "stage.h"

enum { BOXES = 10, STEPS = 200, SWEEPS = 50 };

typedef struct outcome {
    double drift, penetration; ///< the largest motion of a centre, and the largest overlap of all steps
    int least_contacts, least_matched;
} outcome;

static outcome stand(const char *method, double manifold)
{
    abut_prox_params prox = abut_prox_params_default();
    prox.iteration_limit = SWEEPS / 2; // a conjugate iteration is two sweeps
    const abut_option option = {"manifold", manifold};
    abut_params params = abut_params_default();
    params.options = &option;
    params.option_count = manifold > 0.0;
    abut_world_def def = falling();
    def.method = abut_method_find(method);
    def.params = &params;
    def.prox = &prox;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    for (int i = 0; i < BOXES; ++i) {
        add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0, i + 0.5, 0), abut_vec3_make(0, 0, 0), 0);
    }
    outcome o = {.least_contacts = 1000, .least_matched = 1000};
    for (int step = 0; step < STEPS; ++step) {
        run(&s, 1);
        abut_world_report report = abut_world_get_report(s.world);
        for (int i = 0; i < report.contact_count; ++i) {
            o.penetration = fmax(o.penetration, -report.contacts[i].contact.gap);
        }
        o.least_contacts = report.contact_count < o.least_contacts ? report.contact_count : o.least_contacts;
        o.least_matched = step > 0 && report.matched < o.least_matched ? report.matched : o.least_matched;
    }
    for (int i = 0; i < BOXES; ++i) {
        abut_vec3 from = {0.0, i + 0.5, 0.0};
        o.drift = fmax(o.drift, abut_norm(abut_sub(abut_world_get_body(s.world, i + 1).center, from)));
    }
    end_stage(&s);
    return o;
}

// On paper nothing moves: four corners on each box below, 40 contacts, each with an impulse from the step before. The
// bound is what 50 sweeps of Bullet leave of the same stacks (`abut bench world`): a drift of 0.0042 and a penetration
// of 1.8e-4.
static void stacks_stand_at_50_sweeps(void **state)
{
    (void)state;
    const struct {
        const char *method;
        double manifold;
    } rows[] = {{"regions", 0.0}, {"convex", 0.0}, {"convex", 1.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        outcome o = stand(rows[i].method, rows[i].manifold);
        CHECK(o.drift < 0.0042, "%s, manifold %g: drift %g", rows[i].method, rows[i].manifold, o.drift);
        CHECK(o.penetration < 1.8e-4, "%s, manifold %g: penetration %g", rows[i].method, rows[i].manifold,
              o.penetration);
        CHECK(o.least_contacts >= 4 * BOXES, "%s: only %d contacts", rows[i].method, o.least_contacts);
        CHECK(o.least_matched >= 4 * BOXES, "%s: only %d contacts start from an impulse", rows[i].method,
              o.least_matched);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_stand_at_50_sweeps),
    };
    return cmocka_run_group_tests_name("world_stack", tests, NULL, NULL);
}
