// SPDX-License-Identifier: MIT
// test_world_sleep.c: bodies at rest sleep, move as if they did not, and wake when something changes
#include "stage.h"

#include <string.h>

enum { STACK = 3, SETTLED = 200 };

static const abut_vec3 unit = {1.0, 1.0, 1.0}, zero = {0.0, 0.0, 0.0};

static abut_world_def sleepy(int has_sleep)
{
    abut_world_def def = falling();
    def.has_sleep = has_sleep;
    return def;
}

/// A ground, a stack at x = 0 (bodies 1 to 3) and a box at x = 5 (body 4), all at rest.
static stage make_scene(const abut_context *context, const abut_world_def *def)
{
    stage s = make_stage(context, def, 0.5, 0.0);
    add_ground(&s);
    for (int i = 0; i < STACK; ++i) {
        add_box(&s, unit, abut_vec3_make(0.0, i + 0.5, 0.0), zero, 0);
    }
    add_box(&s, unit, abut_vec3_make(5.0, 0.5, 0.0), zero, 0);
    return s;
}

static stage make_sleeping(void)
{
    abut_world_def def = sleepy(1);
    stage s = make_scene(NULL, &def);
    run(&s, SETTLED);
    CHECK_INT(abut_world_get_report(s.world).asleep_count, STACK + 1, "bodies asleep");
    return s;
}

static int asleep_bits(const stage *s)
{
    int bits = 0;
    for (int i = 0; i < abut_world_body_count(s->world); ++i) {
        bits |= abut_world_body_is_asleep(s->world, i) << i;
    }
    return bits;
}

static double largest_difference(const stage *s, const stage *t)
{
    double largest = 0.0;
    for (int i = 0; i < abut_world_body_count(s->world); ++i) {
        abut_pose p = abut_world_get_body(s->world, i).pose, q = abut_world_get_body(t->world, i).pose;
        largest = fmax(largest, abut_norm(abut_sub(p.position, q.position)));
        largest = fmax(largest, fmax(fabs(p.rotation.x - q.rotation.x), fabs(p.rotation.z - q.rotation.z)));
    }
    return largest;
}

// The impulses of the ground carry the weight of the bodies on it for a step: 4 boxes of 2000 kg.
static double ground_impulse(const stage *s)
{
    abut_world_report report = abut_world_get_report(s->world);
    double sum = 0.0;
    for (int i = 0; i < report.contact_count; ++i) {
        sum += report.contacts[i].body_a == 0 ? report.contacts[i].impulse.normal : 0.0;
    }
    return sum;
}

// Asleep, nothing is queried or solved, the contacts stay: 4 for each of 4 boxes, with impulses that carry the weight.
// A world that does not sleep is at the same place after 1,000 steps, to 1e-9.
static void bodies_at_rest_sleep(void **state)
{
    (void)state;
    stage s = make_sleeping();
    abut_world_def def = sleepy(0);
    stage twin = make_scene(NULL, &def);
    run(&s, 1000 - SETTLED);
    run(&twin, 1000);
    abut_world_report report = abut_world_get_report(s.world);
    CHECK_INT(asleep_bits(&s), 0x1e, "the boxes sleep, the ground does not");
    CHECK_INT(asleep_bits(&twin), 0, "nothing sleeps if it is off");
    CHECK_INT((int)report.step, 1000, "steps");
    CHECK_INT(report.iterations + (int)report.stats.candidate_pairs + (int)report.stats.tested_pairs, 0, "work");
    CHECK(abut_world_get_report(twin.world).iterations > 0, "the twin does not work");
    CHECK_INT(report.contact_count, 4 * (STACK + 1), "contacts");
    CHECK_INT(report.regions.count, STACK + 1, "regions");
    CHECK_NEAR(ground_impulse(&s), (STACK + 1) * 2000.0 * g * def.dt, 1e-6, "weight");
    double difference = largest_difference(&s, &twin);
    CHECK(difference <= 1e-9, "sleep moved a body by %g", difference);
    end_stage(&s);
    end_stage(&twin);
    CHECK_DONE();
}

// The solver's default tolerance, 1e-8, lets bodies at rest sway. They sleep all the same, and a world that does not
// sleep is at the same place after 1,000 steps, to 1e-9.
static void bodies_that_sway_sleep(void **state)
{
    (void)state;
    abut_world_def def = sleepy(1), awake = sleepy(0);
    def.prox = awake.prox = NULL;
    stage s = make_scene(NULL, &def), twin = make_scene(NULL, &awake);
    run(&s, 1000);
    run(&twin, 1000);
    double difference = largest_difference(&s, &twin);
    CHECK_INT(asleep_bits(&s), 0x1e, "the boxes sleep");
    CHECK(difference <= 1e-9, "sleep moved a body by %g", difference);
    end_stage(&s);
    end_stage(&twin);
    CHECK_DONE();
}

// A box falls on the stack. Until it touches, the worlds with and without sleep agree to 1e-9; the other box sleeps all
// the time, since nothing touches it. While both move, the contacts of the sleeping box are in the report too. At the
// end the box rests on the stack, at a height of 3.5, and all sleep again.
static void touch_wakes_an_island(void **state)
{
    (void)state;
    abut_world_def def = sleepy(1), awake = sleepy(0);
    stage s = make_scene(NULL, &def), twin = make_scene(NULL, &awake);
    run(&s, SETTLED);
    run(&twin, SETTLED);
    int box = add_box(&s, unit, abut_vec3_make(0.0, 4.5, 0.0), zero, 0), woken = -1;
    (void)add_box(&twin, unit, abut_vec3_make(0.0, 4.5, 0.0), zero, 0);
    for (int i = 0; i < 100; ++i) {
        run(&s, 1);
        run(&twin, 1);
        int bits = asleep_bits(&s);
        CHECK(bits == (woken < 0 ? 0x1e : 0x3e) || bits == 0x10, "step %d: asleep %x", i, (unsigned)bits);
        woken = woken < 0 && bits == 0x10 ? i : woken;
        double difference = largest_difference(&s, &twin);
        CHECK(difference <= 1e-9, "step %d: sleep moved a body by %g", i, difference);
        abut_world_report report = abut_world_get_report(s.world);
        CHECK(report.contact_count >= 4 * (STACK + 1), "step %d: %d contacts", i, report.contact_count);
        for (int k = 1; k < report.contact_count; ++k) {
            const abut_world_contact *c = &report.contacts[k - 1], *d = &report.contacts[k];
            CHECK(c->body_a < d->body_a || (c->body_a == d->body_a && c->body_b <= d->body_b), "order at %d", k);
        }
    }
    CHECK(woken > 20 && woken < 60, "woken in step %d", woken); // a fall of 1 takes 45 steps
    run(&s, SETTLED);
    CHECK_NEAR(abut_world_get_body(s.world, box).center.y, 3.5, 1e-5, "height at rest");
    CHECK_INT(asleep_bits(&s), 0x3e, "all sleep again");
    end_stage(&s);
    end_stage(&twin);
    CHECK_DONE();
}

// Changes by functions: a push and a new pose wake the island of the body; new gravity, a new friction and a fixed body
// that was moved or added wake all.
static void changes_wake_bodies(void **state)
{
    (void)state;
    const int expected[] = {0x10, 0x10, 0, 0, 0, 0};
    for (int change = 0; change < 6; ++change) {
        stage s = make_sleeping();
        abut_error error;
        abut_pose pose = abut_world_get_body(s.world, change == 1 ? 3 : 0).pose;
        switch (change) {
        case 0: abut_world_push(s.world, 2, abut_vec3_make(1, 0, 0), zero, zero); break;
        case 1:
            pose.position.x = 3.0;
            (void)abut_world_set_body(s.world, 3, pose, zero, zero, &error);
            break;
        case 2: abut_world_set_gravity(s.world, abut_vec3_make(0.0, -1.0, 0.0)); break;
        case 3: (void)abut_world_set_pair(s.world, 0, 0, 0.1, 0.0, &error); break;
        case 4:
            pose.position.y = -100.0;
            (void)abut_world_set_body(s.world, 0, pose, zero, zero, &error);
            break;
        default: add_box(&s, unit, abut_vec3_make(-5.0, 0.5, 0.0), zero, 1); break;
        }
        CHECK_INT(asleep_bits(&s), expected[change], "asleep after the change");
        run(&s, 10);
        if (change == 4) { // without the ground they fall: g t^2 / 2 after 0.1 s
            CHECK_NEAR(abut_world_get_body(s.world, 1).center.y, 0.5 - 0.5 * g * 0.01, 1e-5, "a fall");
        }
        end_stage(&s);
    }
    CHECK_DONE();
}

// A fixed wall moves at 1 towards the box at x = 5 from a distance of 0.5. It arrives after 50 steps, wakes the box and
// pushes it along: after 100 steps the box has moved by 0.5. The stack sleeps on.
static void moving_walls_wake_bodies(void **state)
{
    (void)state;
    stage s = make_sleeping();
    add_box(&s, unit, abut_vec3_make(6.5, 0.5, 0.0), abut_vec3_make(-1.0, 0.0, 0.0), 1);
    run(&s, 40);
    CHECK_INT(asleep_bits(&s), 0x1e, "asleep before the wall arrives");
    run(&s, 60);
    CHECK_INT(asleep_bits(&s), 0x0e, "asleep while the wall pushes");
    CHECK_NEAR(abut_world_get_body(s.world, 4).center.x, 4.5, 0.02, "pushed");
    end_stage(&s);
    CHECK_DONE();
}

static abut_status refuse(void *user, abut_world *world, abut_world_contact *contacts, int count)
{
    (void)world;
    (void)contacts;
    (void)count;
    return *(const int *)user ? ABUT_LIMIT : ABUT_OK;
}

// A step that fails changes nothing: the island that it woke sleeps on.
static void failed_steps_wake_nothing(void **state)
{
    (void)state;
    int refuses = 0;
    abut_world_def def = sleepy(1);
    def.callbacks.on_contacts = refuse;
    def.callbacks.user = &refuses;
    stage s = make_scene(NULL, &def);
    run(&s, SETTLED);
    add_box(&s, unit, abut_vec3_make(0.0, 3.51, 0.0), abut_vec3_make(0.0, -1.0, 0.0), 0);
    abut_body_state before = abut_world_get_body(s.world, 2);
    abut_error error;
    refuses = 1;
    CHECK_STATUS(abut_world_step(s.world, &error), ABUT_LIMIT, "the step");
    abut_body_state after = abut_world_get_body(s.world, 2);
    CHECK(memcmp(&before, &after, sizeof before) == 0, "the failed step moved a body");
    CHECK_INT(asleep_bits(&s), 0x1e, "asleep after the failure");
    refuses = 0;
    run(&s, 1);
    CHECK_INT(asleep_bits(&s), 0x10, "asleep after the touch");
    end_stage(&s);
    CHECK_DONE();
}

/// A parallel loop that behaves like three threads, one after the other.
static void three_workers(void *user, int count, int grain, abut_range_task *task, void *data)
{
    (void)user;
    (void)grain;
    for (int i = 0; i < count; ++i) {
        task(data, i, i + 1, i % 3);
    }
}

// The number of threads changes no byte, asleep or awake.
static void threads_change_nothing(void **state)
{
    (void)state;
    abut_world_def def = sleepy(1);
    abut_context context = abut_context_default();
    context.parallel_for = three_workers;
    context.worker_count = 3;
    stage stages[2] = {make_scene(NULL, &def), make_scene(&context, &def)};
    for (int k = 0; k < 2; ++k) {
        run(&stages[k], SETTLED);
        add_box(&stages[k], unit, abut_vec3_make(0.3, 4.5, 0.2), zero, 0);
        run(&stages[k], 80);
    }
    for (int i = 0; i < abut_world_body_count(stages[0].world); ++i) {
        abut_body_state a = abut_world_get_body(stages[0].world, i), b = abut_world_get_body(stages[1].world, i);
        CHECK(memcmp(&a, &b, sizeof a) == 0, "body %d differs", i);
    }
    CHECK_INT(asleep_bits(&stages[0]), asleep_bits(&stages[1]), "asleep");
    end_stage(&stages[0]);
    end_stage(&stages[1]);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_at_rest_sleep),     cmocka_unit_test(bodies_that_sway_sleep),
        cmocka_unit_test(touch_wakes_an_island),    cmocka_unit_test(changes_wake_bodies),
        cmocka_unit_test(moving_walls_wake_bodies), cmocka_unit_test(failed_steps_wake_nothing),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests_name("world_sleep", tests, NULL, NULL);
}
