// SPDX-License-Identifier: MIT
// test_parts.c: islands, lanes and Newton steps: the same answer by every way of finding it
#include "bricks.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

// Pushes, friction and shares of contacts at random: a brick gets some speed, a contact is dropped, loses its friction
// or is repeated somewhere else in the array.
static void disturb(bricks *b, test_random *random)
{
    for (int i = 0; i < b->body_count; ++i) {
        b->bodies[i].velocity.linear = abut_add(b->bodies[i].velocity.linear,
                                                random_vec3(random, b->bodies[i].inverse_mass > 0.0 ? 0.1 : 0.0));
    }
    int count = 0;
    for (int i = 0; i < b->contact_count; ++i) {
        int choice = random_below(random, 10);
        b->contacts[i].friction = choice == 0 ? 0.0 : b->contacts[i].friction;
        int other = random_below(random, count + 1);
        b->contacts[count] = b->contacts[i];
        if (choice == 1 && count > 0) {
            abut_solve_contact swapped = b->contacts[other];
            b->contacts[other] = b->contacts[count];
            b->contacts[count] = swapped;
        }
        count += choice != 2;
    }
    b->contact_count = count;
}

// Forward sweeps over walls with pushed bricks, contacts without friction (in every fifth round all of them), and runs of
// one to eight contacts of a pair.
// Visits that share no moving body commute, so one lane, four lanes, and four lanes with AVX2 give the same bits. Every
// third round starts from impulses, one of them at a contact that cannot move: a hinged body, pressed on its hinge.
static void engines_agree(void **state)
{
    (void)state;
    test_random random = {31};
    abut_solve_impulse *start = calloc(BRICKS_CONTACTS, sizeof *start);
    assert_non_null(start);
    for (int round = 0; round < 20; ++round) {
        bricks *found[3];
        for (int engine = 0; engine < 3; ++engine) {
            found[engine] = bricks_make();
        }
        int is_long = round % 4 == 3; // then batches are visited in twos
        bricks_add_wall(found[0], 2 + random_below(&random, is_long ? 2 : 6),
                        (is_long ? 30 : 2) + random_below(&random, 6), 0.0);
        bricks_add_stack(found[0], bricks_add(found[0], 50.0, -0.5, 0.0), 5, 50.0);
        disturb(found[0], &random);
        int hinged = bricks_add(found[0], 90.0, 0.5, 0.0), stuck = found[0]->contact_count++;
        found[0]->bodies[hinged].inverse_inertia = abut_mat3_identity();
        found[0]->contacts[stuck] =
            abut_solve_contact_default(ABUT_SOLVE_WORLD, hinged, abut_vec3_make(0.0, 1.0, 0.0));
        found[0]->contacts[stuck].arm_b = abut_vec3_make(0.0, -0.5, 0.0);
        for (int i = 0; i < found[0]->contact_count; ++i) {
            start[i].normal = random_in(&random, 0.0, 1.0);
            start[i].tangent = abut_cross(found[0]->contacts[i].normal, random_vec3(&random, 0.5));
        }
        for (int i = 0; round % 5 == 4 && i < found[0]->contact_count; ++i) {
            found[0]->contacts[i].friction = 0.0;
        }
        memcpy(found[1], found[0], sizeof *found[0]);
        memcpy(found[2], found[0], sizeof *found[0]);
        abut_prox_params params = abut_prox_params_default();
        params.sweep = ABUT_SWEEP_FORWARD;
        params.factor = round % 2 == 0 ? ABUT_FACTOR_LOCAL : ABUT_FACTOR_GLOBAL;
        params.iteration_limit = 30;
        params.start = round % 3 == 0 ? start : NULL;
        for (int engine = 0; engine < 3; ++engine) {
            (void)bricks_solve(found[engine], NULL, &params, (abut_prox_engine)engine);
        }
        CHECK(bricks_are_same(found[0], found[ABUT_ENGINE_PLAIN]), "round %d: plain", round);
        CHECK(bricks_are_same(found[0], found[ABUT_ENGINE_NARROW]), "round %d: narrow", round);
        CHECK(found[0]->impulses[stuck].normal == 0.0, "round %d: the impulse on the hinge", round);
        for (int engine = 0; engine < 3; ++engine) {
            free(found[engine]);
        }
    }
    free(start);
    CHECK_DONE();
}

// Two walls on one fixed body: what one of them does is, to the last bit, what it does alone, since bodies that nothing
// moves join nothing. The walls have enough contacts not to be put into one part.
static void fixed_bodies_join_nothing(void **state)
{
    (void)state;
    bricks *alone = bricks_make(), *both = bricks_make();
    abut_prox_params params = abut_prox_params_default();
    params.iteration_limit = 20;
    int ground = bricks_add(alone, 0.0, -0.5, 0.0);
    bricks_add_wall(alone, 8, 9, 0.0);
    *both = *alone;
    bricks_add_wall(both, 9, 9, 100.0);
    for (int i = 0; i < both->contact_count; ++i) {
        both->contacts[i].body_a = both->contacts[i].body_a < 0 ? ground : both->contacts[i].body_a;
        alone->contacts[i] = i < alone->contact_count ? both->contacts[i] : alone->contacts[i];
    }
    (void)bricks_solve(alone, NULL, &params, ABUT_ENGINE_FASTEST);
    (void)bricks_solve(both, NULL, &params, ABUT_ENGINE_FASTEST);
    both->body_count = alone->body_count;
    both->contact_count = alone->contact_count;
    CHECK(bricks_are_same(alone, both), "the second wall changes the first");
    free(alone);
    free(both);
    CHECK_DONE();
}

static abut_solve_problem problem_of(const bricks *b)
{
    abut_solve_problem problem = abut_solve_problem_default();
    problem.bodies = b->bodies;
    problem.body_count = b->body_count;
    problem.contacts = b->contacts;
    problem.contact_count = b->contact_count;
    return problem;
}

// Two walls with friction, whose bricks have random velocities, are solved; then again from rest, without friction and
// with other targets. That is, to the last bit, the answer of a new problem with these numbers. If the second wall is left
// out, the first one has the answer that it has alone, and the second one rests. By all engines, with torsion too, by
// both kinds of sweeps, with Newton steps, and from normal impulses to start with.
static void problems_are_solved_again(void **state)
{
    (void)state;
    test_random random = {5};
    bricks *walls = bricks_make(), *fresh = bricks_make();
    bricks_add_wall(walls, 8, 9, 0.0);
    int first_bodies = walls->body_count, first_contacts = walls->contact_count, newton_steps = 0;
    bricks_add_wall(walls, 9, 9, 100.0);
    double *targets = malloc((size_t)walls->contact_count * sizeof *targets);
    abut_solve_impulse *start = calloc((size_t)walls->contact_count, sizeof *start);
    for (int round = 0; round < 24; ++round) {
        abut_prox_params params = abut_prox_params_default();
        abut_prox_engine engine = (abut_prox_engine)(round % 3);
        params.sweep = round % 4 == 3 ? ABUT_SWEEP_FORWARD : ABUT_SWEEP_CONJUGATE;
        params.factor = round % 5 == 4 ? ABUT_FACTOR_GLOBAL : ABUT_FACTOR_LOCAL;
        params.iteration_limit = round == 0 ? 1000 : 80; // then there is time for a Newton step
        params.relative_tolerance = 1e-12;
        memcpy(fresh, walls, sizeof *walls);
        for (int i = 0; i < walls->body_count; ++i) {
            walls->bodies[i].velocity.linear = random_vec3(&random, 1.0);
            fresh->bodies[i].velocity = (abut_solve_velocity){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        }
        for (int i = 0; i < walls->contact_count; ++i) {
            walls->contacts[i].torsion_radius = fresh->contacts[i].torsion_radius = round % 6 == 5 ? 0.1 : 0.0;
            fresh->contacts[i].friction = 0.0;
            fresh->contacts[i].correction = targets[i] = random_in(&random, -0.1, 0.1);
            start[i].normal = random_in(&random, 0.0, 1.0);
        }
        abut_solver *solver = NULL;
        assert_int_equal(abut_solver_create(NULL, &solver), ABUT_OK);
        abut_solve_problem problem = problem_of(walls);
        abut_solve_result result = {.velocities = walls->velocities, .impulses = walls->impulses};
        assert_int_equal(abut_prox_run(solver, &problem, &params, engine, &result, NULL), ABUT_OK);
        for (int i = 0; i < walls->body_count; ++i) {
            walls->bodies[i].velocity = fresh->bodies[i].velocity;
        }
        params.start = round < 12 ? NULL : start;
        abut_solve_result wanted = bricks_solve(fresh, NULL, &params, engine);
        assert_int_equal(abut_prox_repeat(solver, targets, &params, &result, NULL), ABUT_OK);
        CHECK(bricks_are_same(walls, fresh), "round %d: both", round);
        CHECK(result.iterations == wanted.iterations, "round %d: iterations", round);
        newton_steps += result.newton_steps;
        for (int i = first_contacts; i < walls->contact_count; ++i) {
            targets[i] = ABUT_PROX_OPEN;
            start[i].normal = 0.0;
        }
        assert_int_equal(abut_prox_repeat(solver, targets, &params, &result, NULL), ABUT_OK);
        for (int i = first_bodies; i < walls->body_count; ++i) {
            abut_solve_velocity v = walls->velocities[i];
            CHECK(abut_norm(v.linear) + abut_norm(v.angular) == 0.0, "round %d: brick %d moves", round, i);
        }
        int body_count = walls->body_count, contact_count = walls->contact_count;
        walls->body_count = first_bodies;
        walls->contact_count = first_contacts;
        CHECK(bricks_are_same(walls, fresh), "round %d: one", round);
        walls->body_count = body_count;
        walls->contact_count = contact_count;
        abut_solver_destroy(solver);
    }
    CHECK(newton_steps > 0, "there was no Newton step");
    free(start);
    free(targets);
    free(fresh);
    free(walls);
    CHECK_DONE();
}

// Nothing moves in walls and stacks after a step of gravity, and the ground carries all bricks. Conjugate iterations do
// not find this to 1e-8 within 1,000 iterations for a wall of 10 x 10 or stacks of 30; with Newton steps 200 are enough
// for the wall, and 100 for the stacks.
static void newton_steps_save_iterations(void **state)
{
    (void)state;
    for (int scene = 0; scene < 2; ++scene) {
        bricks *b = bricks_make();
        if (scene == 0) {
            bricks_add_wall(b, 10, 10, 0.0);
        } else {
            bricks_add_stack(b, ABUT_SOLVE_WORLD, 30, 0.0);
        }
        abut_prox_params params = abut_prox_params_default();
        params.has_newton = 0;
        abut_solve_result result = bricks_solve(b, NULL, &params, ABUT_ENGINE_FASTEST);
        CHECK_INT(result.outcome, ABUT_SOLVE_ITERATIONS, "conjugate alone");
        CHECK_INT(result.newton_steps, 0, "steps without any");
        params.has_newton = 1;
        result = bricks_solve(b, NULL, &params, ABUT_ENGINE_FASTEST);
        CHECK_INT(result.outcome, ABUT_SOLVE_CONVERGED, "with Newton steps");
        CHECK(result.newton_steps > 0 && result.newton_steps <= 30, "scene %d: %d steps", scene,
              result.newton_steps);
        CHECK(result.iterations <= (scene == 0 ? 200 : 100), "scene %d: %d iterations", scene, result.iterations);
        double carried = 0.0, fastest = 0.0;
        for (int i = 0; i < b->contact_count; ++i) {
            carried += b->contacts[i].body_a < 0 ? b->impulses[i].normal : 0.0;
        }
        for (int i = 0; i < b->body_count; ++i) {
            fastest = fmax(fastest, abut_norm(b->velocities[i].linear));
        }
        CHECK_NEAR(carried, 0.1 * b->body_count, 1e-6, "the ground carries all");
        CHECK_NEAR(fastest, 0.0, 1e-6, "nothing moves");
        free(b);
    }
    CHECK_DONE();
}

// Newton steps are of little use to contacts that slide. Bricks of a wall that get speeds of up to 1 in all directions,
// ten times the speed of their fall, slide on each other. A step costs at least 7 iterations and is judged 3 iterations
// later; those that are undone may cost a sixteenth of all iterations, and 1,000 / 16 / 10 is 6. The first try is not
// counted, and takes at most 4 steps.
static void sliding_takes_few_newton_steps(void **state)
{
    (void)state;
    test_random random = {77};
    for (int round = 0; round < 10; ++round) {
        bricks *b = bricks_make();
        bricks_add_wall(b, 10, 10, 0.0);
        for (int i = 0; i < b->body_count; ++i) {
            b->bodies[i].velocity.linear = abut_add(b->bodies[i].velocity.linear, random_vec3(&random, 1.0));
        }
        abut_prox_params params = abut_prox_params_default();
        abut_solve_result result = bricks_solve(b, NULL, &params, ABUT_ENGINE_FASTEST);
        CHECK(result.newton_steps <= 6 + 4, "round %d: %d steps", round, result.newton_steps);
        free(b);
    }
    CHECK_DONE();
}

// Towers on the ground, with four contacts a joint; each joint waits for the one below. Lanes take a joint each, so no
// order needs fewer batches than a tower has joints, or than a fourth of all joints. Both sets of towers reach that:
// five towers of eight need 5 x 8 / 4 = 10 batches; one of eight and six of four need 8, since the high tower takes
// one lane and the others, 6 x 4 = 8 x 3, the rest. Joint by joint from the ground up it would be 16 and 12. Eight towers
// of eight need 16, two for each height, and these are visited together.
static void lanes_are_filled(void **state)
{
    (void)state;
    enum { SETS = 3, TOWERS = 8, ROOM = 66, JOINT = 4 };
    static const int heights[SETS][TOWERS] = {{8, 8, 8, 8, 8}, {8, 4, 4, 4, 4, 4, 4}, {8, 8, 8, 8, 8, 8, 8, 8}};
    static const int batches[SETS] = {10, 8, 16}, twins[SETS] = {0, 0, 8};
    for (int set = 0; set < SETS; ++set) {
        abut_wide_pair pairs[JOINT * ROOM];
        unsigned char moves[ROOM];
        int contact_count = 0, movers = 1; // the ground is the first
        memset(moves, 1, sizeof moves);
        moves[0] = 0;
        for (int tower = 0; tower < TOWERS; ++tower) {
            for (int k = 0; k < heights[set][tower]; ++k, ++movers) {
                for (int i = 0; i < JOINT; ++i) {
                    pairs[contact_count++] = (abut_wide_pair){k == 0 ? 0 : movers - 1, movers, 0};
                }
            }
        }
        moves[movers++] = 0;
        abut_context context = abut_context_default();
        abut_arena arena;
        abut_arena_init(&arena, &context);
        abut_wide wide;
        assert_int_equal(abut_wide_plan(&arena, pairs, contact_count, moves, movers, 1, &wide), ABUT_OK);
        CHECK_INT(wide.batch_count, batches[set], "batches");
        CHECK_INT(wide.slot_count, JOINT * batches[set], "slots");
        int twin_count = 0;
        for (int i = 0; i < wide.batch_count; ++i) {
            CHECK(!wide.batches[i].has_twin || i % 2 == 0, "batch %d", i);
            twin_count += wide.batches[i].has_twin;
        }
        CHECK_INT(twin_count, twins[set], "twins");
        for (int i = 0; i + 1 < contact_count; ++i) {
            CHECK(pairs[i + 1].a == 0 || wide.places[i].slot < wide.places[i + 1].slot, "contact %d is too late",
                  i);
        }
        abut_arena_release(&arena);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(engines_agree),
        cmocka_unit_test(fixed_bodies_join_nothing),
        cmocka_unit_test(lanes_are_filled),
        cmocka_unit_test(newton_steps_save_iterations),
        cmocka_unit_test(problems_are_solved_again),
        cmocka_unit_test(sliding_takes_few_newton_steps),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
