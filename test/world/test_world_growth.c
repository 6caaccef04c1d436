// SPDX-License-Identifier: MIT
// test_world_growth.c: what a step costs, in pairs, queries, trees and iterations, as the world grows
#include "effort.h"
#include "random.h"
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

static int support_count;

int __real_abut_convex_support(const abut_convex *convex, abut_vec3 direction);
int __wrap_abut_convex_support(const abut_convex *convex, abut_vec3 direction);

int __wrap_abut_convex_support(const abut_convex *convex, abut_vec3 direction)
{
    ++support_count;
    return __real_abut_convex_support(convex, direction);
}

static int sweep_count;

abut_status __real_abut_sweep(const abut_sweep_def *def, abut_sweep_hit *hit, abut_error *error);
abut_status __wrap_abut_sweep(const abut_sweep_def *def, abut_sweep_hit *hit, abut_error *error);

abut_status __wrap_abut_sweep(const abut_sweep_def *def, abut_sweep_hit *hit, abut_error *error)
{
    ++sweep_count;
    return __real_abut_sweep(def, hit, error);
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

/// A box with a roof whose top is a polygon of this many sides.
static abut_mesh *make_block(int sides)
{
    abut_vec3 points[8 + 1024];
    for (int i = 0; i < 8; ++i) {
        points[i] = abut_vec3_make(i & 1 ? 0.25 : -0.25, i & 4 ? 0.15 : 0.0, i & 2 ? 0.25 : -0.25);
    }
    for (int i = 0; i < sides; ++i) {
        double angle = 6.283185307179586 * i / sides;
        points[8 + i] = abut_vec3_make(0.2 * cos(angle), 0.25, 0.2 * sin(angle));
    }
    abut_mesh *mesh = NULL;
    abut_error error;
    abut_status status = abut_hull_create(NULL, points, 8 + sides, &mesh, NULL, &error);
    CHECK(status == ABUT_OK, "%s", error.text);
    return mesh;
}

/// Adds a block in motion.
static int add_block(stage *s, int sides)
{
    abut_body_def def = abut_body_def_default();
    abut_params params = abut_params_default();
    abut_error error;
    int index = -1;
    s->meshes[s->count] = make_block(sides);
    s->shapes[s->count] = make_shape(NULL, s->meshes[s->count], abut_method_find("regions"), &params);
    def.shape = s->shapes[s->count++];
    def.pose.position = abut_vec3_make(-0.3, 0.0, 0.0);
    def.linear_velocity = abut_vec3_make(1, 0, 0);
    def.material = 0;
    CHECK(abut_world_add_body(s->world, &def, &index, &error) == ABUT_OK, "add body: %s", error.text);
    return index;
}

// A block slides from one tile to the next one, which is flush. Its corners run into the side of that tile, unless
// another face keeps the bodies apart: each is asked for its furthest vertex along a few normals, however many vertices
// it has elsewhere.
static void sliding_asks_for_few_vertices(void **state)
{
    (void)state;
    static const int sides[SIZES] = {16, 128, 1024};
    int first = 0;
    for (int i = 0; i < SIZES; ++i) {
        abut_context context = abut_context_default();
        context.worker_count = 1; // for `support_count`
        abut_world_def def = falling();
        def.method = abut_method_find("convex");
        stage s = make_stage(&context, &def, 0.0, 0.0);
        add_box(&s, abut_vec3_make(2, 1, 3), abut_vec3_make(-1, -0.5, 0), abut_vec3_make(0, 0, 0), 1);
        add_box(&s, abut_vec3_make(2, 1, 3), abut_vec3_make(1, -0.5, 0), abut_vec3_make(0, 0, 0), 1);
        int block = add_block(&s, sides[i]);
        support_count = 0;
        run(&s, 10);
        CHECK_NEAR(abut_world_get_body(s.world, block).linear_velocity.x, 1.0, 1e-6, "speed");
        CHECK(support_count > 0, "the seam is looked at");
        first = i == 0 ? support_count : first;
        CHECK(support_count <= first, "%d sides: %d supports, %d with %d", sides[i], support_count, first,
              sides[0]);
        end_stage(&s);
    }
    CHECK_DONE();
}

typedef struct pile_work {
    long long shown, found; // contacts: of all detections of all steps, and at their ends
    int cuts, held;
} pile_work;

static abut_status count_shown(void *user, abut_world *world, abut_world_contact *contacts, int count)
{
    (void)world;
    (void)contacts;
    *(long long *)user += count;
    return ABUT_OK;
}

/// Lets boxes in random poses fall on each other, `side` in each direction. They make one island.
static pile_work make_pile(int side, double restitution, int steps)
{
    pile_work work = {0};
    abut_world_def def = abut_world_def_default();
    def.gravity = abut_vec3_make(0.0, -g, 0.0);
    def.has_sweeps = 1;
    def.callbacks.on_contacts = count_shown;
    def.callbacks.user = &work.shown;
    stage s = make_stage(NULL, &def, 0.5, restitution);
    add_ground(&s);
    test_random random = {7};
    for (int i = 0; i < side * side * side; ++i) {
        abut_body_def body = abut_body_def_default();
        abut_vec3 at = {i % side, 0.7 + (double)(i / (side * side)), (double)(i / side % side)};
        body.pose = abut_pose_make(abut_scale(0.6, at), random_rotation(&random));
        body.material = 0;
        add_box_body(&s, abut_vec3_make(0.4, 0.2, 0.3), body);
    }
    for (int i = 0; i < steps; ++i) {
        run(&s, 1);
        abut_world_report report = abut_world_get_report(s.world);
        work.cuts += report.cut_count + report.impact_count;
        work.held += report.held_count;
        work.found += report.contact_count;
    }
    end_stage(&s);
    return work;
}

// Some boxes of a pile touch on their way in every step, but the step is cut only a few times. Without a bound, a hundred
// cuts a step were for boxes that slide on each other.
static void a_pile_is_cut_a_few_times(void **state)
{
    (void)state;
    enum { FALLING = 80 };
    pile_work work = make_pile(3, 0.0, FALLING);
    print_message("%d cuts and impacts in %d steps\n", work.cuts, FALLING);
    CHECK(work.cuts <= 3 * FALLING, "%d cuts and impacts in %d steps", work.cuts, FALLING);
    CHECK_INT(work.held, 0, "held bodies");
    CHECK_DONE();
}

// Each pair of a pile that bounces meets at a time of its own. A step costs no more than some steps without cuts: an
// island that was done does not get all of its cuts again with each one that joins it.
static void a_pile_may_bounce(void **state)
{
    (void)state;
    int side = is_long_test() && !is_slow_test() ? 6 : 3;
    pile_work work = make_pile(side, 0.5, 80);
    double ratio = (double)work.shown / (double)work.found;
    print_message("%d boxes: %.1f times the contacts of the step, %d held\n", side * side * side, ratio, work.held);
    CHECK(ratio <= (side == 3 ? 12.0 : 60.0), "%d boxes: %g times the contacts", side * side * side, ratio);
    CHECK_DONE();
}

/// The mean over steps of the deepest overlap in a tower that few iterations cannot hold.
static double sink_tower(int forgets)
{
    abut_world_def def = falling();
    def.method = abut_method_find("convex");
    def.has_sweeps = 0; // which limit the moves
    abut_prox_params prox = abut_prox_params_default();
    prox.iteration_limit = 10;
    def.prox = &prox;
    stage s = make_stage(NULL, &def, 0.5, 0.0);
    add_ground(&s);
    for (int i = 0; i < 20; ++i) {
        add_box(&s, abut_vec3_make(1, 1, 1), abut_vec3_make(0.0, i + 0.5, 0.0), abut_vec3_make(0, 0, 0), 0);
    }
    double sum = 0.0;
    for (int step = 0; step < STEPS; ++step) {
        s.world->push_span = forgets ? 0.0 : s.world->push_span;
        run(&s, 1);
        abut_world_report report = abut_world_get_report(s.world);
        double deepest = 0.0;
        for (int i = 0; i < report.contact_count; ++i) {
            deepest = fmax(deepest, -report.contacts[i].contact.gap);
        }
        sum += deepest;
        CHECK(report.stabilisation_iterations <= 2, "%d iterations", report.stabilisation_iterations);
    }
    end_stage(&s);
    return sum / STEPS;
}

// Stabilisation gets a part of the iterations of the solver and ends before it has converged; the next step goes on where
// it was.
static void stabilisation_goes_on_where_it_was(void **state)
{
    (void)state;
    double cold = sink_tower(1), warm = sink_tower(0);
    print_message("mean of the deepest overlap: %.2g, %.2g without a start\n", warm, cold);
    CHECK(warm < 0.9 * cold, "an overlap of %g, %g without a start", warm, cold);
    CHECK_DONE();
}

// Boxes that slide, spin about the vertical or rock in place on the ground stay on their side of its surface: none is swept,
// however many there are. Without planes each would be swept in every step.
static void bodies_in_contact_are_not_swept(void **state)
{
    (void)state;
    enum { SIDE = 6, SLIDING_STEPS = 20 };
    abut_world_def def = falling();
    def.has_sweeps = 1;
    stage s = make_stage(NULL, &def, 0.1, 0.0);
    add_ground(&s);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        abut_body_def body = abut_body_def_default();
        body.material = 0;
        body.pose.position = abut_vec3_make(2.0 * (i % SIDE) - SIDE, 0.5, 2.0 * (i / SIDE) - SIDE);
        body.linear_velocity.x = i % 3 == 0 ? 0.5 : 0.0;
        body.angular_velocity.y = i % 3 == 1 ? 1.0 : 0.0;
        body.angular_velocity.z = i % 3 == 2 ? 0.01 : 0.0;
        add_box_body(&s, abut_vec3_make(1.0, 1.0, 1.0), body);
    }
    sweep_count = 0;
    run(&s, SLIDING_STEPS);
    int pairs = SIDE * SIDE * SLIDING_STEPS;
    print_message("%d sweeps of %d pairs\n", sweep_count, pairs);
    CHECK(sweep_count <= pairs / 10, "%d sweeps of %d pairs", sweep_count, pairs);
    end_stage(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pile_is_cut_a_few_times),
        cmocka_unit_test(bodies_in_contact_are_not_swept),
        cmocka_unit_test(a_pile_may_bounce),
        cmocka_unit_test(cost_follows_the_boxes),
        cmocka_unit_test(sleepers_cost_no_queries),
        cmocka_unit_test(sliding_asks_for_few_vertices),
        cmocka_unit_test(stabilisation_goes_on_where_it_was),
    };
    return cmocka_run_group_tests_name("world_growth", tests, NULL, NULL);
}
