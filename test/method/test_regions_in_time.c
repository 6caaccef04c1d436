// SPDX-License-Identifier: MIT
// test_regions_in_time.c: how regions begin, persist, shrink, split, merge and end, and which normals they keep
#include "../mesh/tessellate.h"
#include "local_scene.h"

/// A scene with a memory, whose queries are placed anew in the world each time, with sides swapped every second time.
typedef struct timed_scene {
    local_scene s;
    test_random random;
    int count;                 ///< of queries
    int is_moving;             ///< place each query elsewhere in the world, and swap sides
    abut_pose b_to_a;          ///< of the next query
    abut_vec3 linear, angular; ///< of B, in A's frame
} timed_scene;

static void begin(timed_scene *t, abut_mesh *a, abut_mesh *b, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    local_begin(&t->s, NULL, "regions", NULL, a, b);
    t->random.state = seed;
    t->is_moving = seed > 0;
    t->b_to_a = abut_pose_identity();
    t->s.pair.dt = 0.01;
    assert_int_equal(abut_memory_create(NULL, &t->s.pair.memory), ABUT_OK);
}

static void end(timed_scene *t)
{
    abut_memory_destroy(t->s.pair.memory);
    local_end(&t->s);
}

/// Velocities of the two sides, A at rest, whichever is first in the pair.
static void set_velocities(abut_pair *pair, int is_swapped, abut_vec3 linear, abut_vec3 angular)
{
    abut_side *a = is_swapped ? &pair->b : &pair->a, *b = is_swapped ? &pair->a : &pair->b;
    b->linear_velocity = abut_quat_rotate(a->pose.rotation, linear);
    b->angular_velocity = abut_quat_rotate(a->pose.rotation, angular);
}

/// Finds the regions at `b_to_a` with the velocity of the scene, and commits with the velocity after the step.
static void step(timed_scene *t, abut_vec3 after)
{
    abut_pair *pair = &t->s.pair;
    int is_swapped = t->is_moving && t->count++ % 2 == 1;
    abut_pose world = abut_pose_identity();
    if (t->is_moving) {
        world = abut_pose_make(random_vec3(&t->random, 10.0), random_rotation(&t->random));
    }
    pair->a = abut_side_default(t->s.shapes[is_swapped]);
    pair->b = abut_side_default(t->s.shapes[1 - is_swapped]);
    pair->a.key = is_swapped ? 2 : 1;
    pair->b.key = is_swapped ? 1 : 2;
    (is_swapped ? &pair->b : &pair->a)->pose = world;
    (is_swapped ? &pair->a : &pair->b)->pose = abut_pose_multiply(world, t->b_to_a);
    set_velocities(pair, is_swapped, t->linear, t->angular);
    local_find(&t->s);
    set_velocities(pair, is_swapped, after, t->angular);
    abut_memory_commit_motion(pair->memory, pair);
}

/// The event of a kind, or NULL; checks that there are `count` of them.
static const abut_event *event_of(const timed_scene *t, abut_event_kind kind, int count, const char *label)
{
    const abut_event *found = NULL;
    int matches = 0;
    for (int i = 0; i < t->s.result.events.count; ++i) {
        const abut_event *event = &t->s.result.events.items[i];
        if (event->is_region && event->kind == kind) {
            found = event;
            ++matches;
        }
    }
    CHECK(matches == count, "%s: %d events of kind %d, expected %d", label, matches, (int)kind, count);
    return found;
}

static abut_mesh *cube(void)
{
    return make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
}

// Figure 8: a cube slides over another along x, off its edge. At x = 0.9 they share a rectangle with normal y; at x = 1
// only an edge, where x and y are equally correct and the velocity is feasible for both. The region shrinks and keeps y.
// If the cube had bounced, so that the contact was a collision, or without a memory, nothing decides.
static void a_region_that_shrinks_keeps_its_normal(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        for (int is_collision = 0; is_collision < 2; ++is_collision) {
            timed_scene t;
            begin(&t, cube(), cube(), seed);
            const abut_vec3 slide = {10, 0, 0}, bounce = {10, 1, 0};
            t.linear = slide;
            t.b_to_a.position = v3(0.9, 1, 0.2);
            step(&t, is_collision ? bounce : slide);
            CHECK_INT(t.s.result.regions.items[0].life, ABUT_LIFE_NEW, "no step has followed");
            uint64_t before = t.s.result.regions.items[0].id;
            const abut_event *first = event_of(&t, ABUT_EVENT_BEGIN, 1, "the rectangle begins");
            CHECK(first != NULL && first->id == before && first->other_id == before, "its id");
            t.b_to_a.position = v3(1.0, 1, 0.2);
            step(&t, slide);
            const abut_region *edge = &t.s.result.regions.items[0];
            CHECK_INT(t.s.result.regions.count, 1, "one edge");
            CHECK_INT(edge->kind, ABUT_REGION_SEGMENT, "a segment");
            CHECK_INT(edge->rule, is_collision ? ABUT_RULE_NONE : ABUT_RULE_HISTORY, "what decides");
            CHECK_INT(edge->normal_count, is_collision ? 2 : 1, "normals");
            CHECK_INT(edge->life, is_collision ? ABUT_LIFE_COLLISION : ABUT_LIFE_TEMPORARY, "life");
            const abut_event *shrink = event_of(&t, ABUT_EVENT_SHRINK, 1, "the rectangle shrinks");
            CHECK(shrink != NULL && shrink->id == edge->id && shrink->other_id == before, "from the rectangle");
            (void)event_of(&t, ABUT_EVENT_END, 0, "it does not end");
            (void)event_of(&t, ABUT_EVENT_BEGIN, 0, "nothing begins");
            if (!is_collision) {
                int is_swapped = t.is_moving && t.count % 2 == 0;
                abut_pose world = is_swapped ? t.s.pair.b.pose : t.s.pair.a.pose;
                abut_vec3 normal = t.s.result.directions.items[edge->normal_begin];
                normal = abut_scale(is_swapped ? -1.0 : 1.0,
                                    abut_quat_rotate(abut_quat_conjugate(world.rotation), normal));
                CHECK_NEAR(abut_norm(abut_sub(normal, v3(0, 1, 0))), 0.0, 1e-12, "up");
                // and keeps it again, although it now moves along y, for which x would be as good
                t.linear = v3(0, 10, 0);
                step(&t, v3(0, 10, 0));
                CHECK_INT(t.s.result.regions.items[0].rule, ABUT_RULE_HISTORY, "the edge persists");
                (void)event_of(&t, ABUT_EVENT_PERSIST, 1, "persists");
                t.b_to_a.position = v3(1.0, 1.1, 0.2);
                step(&t, v3(0, 10, 0));
                CHECK_INT(t.s.result.regions.count, 0, "apart");
                const abut_event *last = event_of(&t, ABUT_EVENT_END, 1, "the edge ends");
                CHECK(last != NULL && last->id == shrink->id, "its id");
            }
            end(&t);
        }
    }
    CHECK_DONE();
}

// A true impact is not hidden: a box slides on the foot of an L until its wall. The wall's face gives its normal by
// geometry, whatever the past was.
static void history_does_not_hide_an_impact(void **state)
{
    (void)state;
    timed_scene t;
    begin(&t, make_l(NULL, 1.0), make_box(NULL, v3(0, 0, 0), v3(0.5, 0.5, 1)), 0);
    // the L fills [0, 2] x [0, 1] and [0, 1] x [1, 2]; the box slides on its foot along -x to the wall at x = 1
    t.linear = v3(-10, 0, 0);
    t.b_to_a.position = v3(1.1, 1, 0);
    step(&t, t.linear);
    CHECK_INT(t.s.result.regions.count, 1, "on the foot");
    t.b_to_a.position = v3(1.0, 1, 0);
    step(&t, v3(0, 0, 0));
    int is_hit = 0;
    for (int i = 0; i < t.s.result.contacts.count; ++i) {
        is_hit |= t.s.result.contacts.items[i].normal.x > 0.5;
    }
    CHECK(is_hit, "the wall is hit");
    end(&t);
    CHECK_DONE();
}

/// A wedge over x, y with its ridge along z from 0 to 1: at the origin, pointing up or down.
static abut_mesh *make_wedge(double half_width, double height)
{
    const abut_vec3 v[] = {{0, 0, 0}, {-half_width, height, 0}, {half_width, height, 0},
                           {0, 0, 1}, {-half_width, height, 1}, {half_width, height, 1}};
    static const int down[] = {0, 2, 1, 3, 4, 5, 0, 1, 4, 0, 4, 3, 0, 3, 5, 0, 5, 2, 1, 2, 5, 1, 5, 4};
    static const int up[] = {0, 1, 2, 3, 5, 4, 0, 4, 1, 0, 3, 4, 0, 5, 3, 0, 2, 5, 1, 5, 2, 1, 4, 5};
    return make_triangles(NULL, v, 6, height > 0.0 ? up : down, 8);
}

// A wide wedge stands with its ridge on that of a narrow one. Both normals are those of the wide wedge, which is B. Its
// velocity chooses one; then it turns about the ridge by 0.12 a step, and the normal turns with it.
static void normals_turn_with_the_body_that_gave_them(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; ++seed) {
        timed_scene t;
        begin(&t, make_wedge(0.2, -1.0), make_wedge(2.0, 1.0), seed);
        t.linear = v3(3, -1, 0);
        step(&t, v3(0, 0, 0));
        CHECK_INT(t.s.result.regions.items[0].rule, ABUT_RULE_VELOCITY, "the velocity decides");
        t.linear = v3(0, 0, 0);
        for (int i = 1; i <= 2; ++i) {
            t.b_to_a.rotation = abut_quat_from_axis(v3(0, 0, 1), 0.12 * i);
            step(&t, v3(0, 0, 0));
            CHECK_INT(t.s.result.regions.count, 1, "ridge on ridge");
            CHECK_INT(t.s.result.regions.items[0].rule, ABUT_RULE_HISTORY, "history decides");
            CHECK_INT(t.s.result.regions.items[0].normal_count, 1, "one normal");
            int is_swapped = t.is_moving && t.count % 2 == 0;
            abut_pose b = is_swapped ? t.s.pair.a.pose : t.s.pair.b.pose;
            abut_vec3 n = t.s.result.directions.items[t.s.result.regions.items[0].normal_begin];
            n = abut_scale(is_swapped ? -1.0 : 1.0, abut_quat_rotate(abut_quat_conjugate(b.rotation), n));
            // B's slope on the side of -x has the outward normal (-1, -2) / sqrt 5, and n opposes it
            CHECK_NEAR(abut_norm(abut_sub(n, v3(1 / sqrt(5.0), 2 / sqrt(5.0), 0))), 0.0, 1e-9, "turned with B");
        }
        end(&t);
    }
    CHECK_DONE();
}

// A bar on a U slides from its base to its arms: one polygon becomes two, and one again on the way back. The larger of the
// two keeps the id; if they are equal, the same one does in every frame, order and numbering. Then the bar slides off
// one arm, which is an end and no merge.
static void regions_split_and_merge(void **state)
{
    (void)state;
    static const char u[] = "###"
                            "#.#"
                            "#.#"; // x, then z; one layer
    test_random random = {5};
    for (uint64_t seed = 0; seed < 20; ++seed) {
        test_solid solid = solid_from_voxels(u, 3, 1, 3);
        if (seed > 0) {
            solid_shuffle(&solid, &random);
        }
        timed_scene t;
        begin(&t, solid_mesh(&solid, ABUT_PRECISION_DOUBLE), make_box(NULL, v3(-5, 0, 0), v3(5, 1, 0.5)), seed);
        solid_free(&solid);
        double heights[] = {0.7, 1.2, 0.8};
        uint64_t ids[3] = {0, 0, 0};
        for (int i = 0; i < 3; ++i) {
            t.b_to_a.position = v3(0, 1, heights[i]);
            t.linear = v3(0, 0, i == 0 ? 0.0 : 100.0 * (heights[i] - heights[i - 1]));
            step(&t, t.linear);
            CHECK_INT(t.s.result.regions.count, i == 1 ? 2 : 1, "polygons");
            const abut_event *split = event_of(&t, ABUT_EVENT_SPLIT, i == 1, "split");
            const abut_event *merge = event_of(&t, ABUT_EVENT_MERGE, i == 2, "merge");
            const abut_event *persist = event_of(&t, ABUT_EVENT_PERSIST, i > 0, "persist");
            (void)event_of(&t, ABUT_EVENT_END, 0, "end");
            ids[0] = i == 0 ? t.s.result.regions.items[0].id : ids[0];
            CHECK(persist == NULL || persist->id == ids[0], "seed %d: one keeps the id", (int)seed);
            CHECK(split == NULL || (split->other_id == ids[0] && split->id != ids[0]), "the other is new");
            ids[1] = split != NULL ? split->id : ids[1];
            CHECK(merge == NULL || (merge->id == ids[0] && merge->other_id == ids[1]), "it goes into the first");
        }
        end(&t);
    }
    // each arm keeps its id; where the bar leaves one, that ends
    for (uint64_t seed = 0; seed < 20; ++seed) {
        test_solid solid = solid_from_voxels(u, 3, 1, 3);
        solid_shuffle(&solid, &random);
        timed_scene t;
        begin(&t, solid_mesh(&solid, ABUT_PRECISION_DOUBLE), make_box(NULL, v3(0.2, 0, 0), v3(5, 1, 0.5)), seed);
        solid_free(&solid);
        const abut_vec3 places[] = {{0, 1, 1.5}, {0.5, 1, 1.5}, {0.75, 1, 1.5}, {0.85, 1, 1.5}};
        uint64_t arm_ids[2] = {0, 0};
        for (int i = 0; i < 4; ++i) {
            t.b_to_a.position = places[i];
            step(&t, v3(0, 0, 0));
            CHECK_INT(t.s.result.regions.count, i < 3 ? 2 : 1, "arms");
            int is_swapped = t.is_moving && t.count % 2 == 0;
            abut_pose world = is_swapped ? t.s.pair.b.pose : t.s.pair.a.pose;
            for (int k = 0; k < t.s.result.regions.count; ++k) {
                const abut_region *region = &t.s.result.regions.items[k];
                abut_vec3 p = t.s.result.points.items[t.s.result.loops.items[region->loop_begin].point_begin];
                int arm = abut_pose_apply_inverse(world, p).x > 1.5;
                CHECK(i == 0 || region->id == arm_ids[arm], "seed %d, step %d: arm %d keeps its id", (int)seed, i,
                      arm);
                arm_ids[arm] = region->id;
            }
            const abut_event *gone = event_of(&t, ABUT_EVENT_END, i == 3, "end");
            CHECK(gone == NULL || gone->id == arm_ids[0], "the left arm is free");
            (void)event_of(&t, ABUT_EVENT_MERGE, 0, "no merge");
        }
        end(&t);
    }
    CHECK_DONE();
}

// A box rests (temporary), bounces (collision), and falls towards a table that is still further away than it moves (new).
// Without velocities after the step, every region counts as temporary.
static void lives_follow_from_the_motion_after_the_step(void **state)
{
    (void)state;
    const struct {
        double gap, speed;
        abut_region_life life;
    } rows[] = {{0.0, 0.0, ABUT_LIFE_TEMPORARY},
                {0.0, 1.0, ABUT_LIFE_COLLISION},
                {0.01, -1.0, ABUT_LIFE_TEMPORARY},
                {0.01, -0.5, ABUT_LIFE_NEW}};
    for (int i = 0; i < 4; ++i) {
        timed_scene t;
        begin(&t, cube(), cube(), 0);
        t.s.params.envelope = abut_absolute(0.02);
        t.linear = v3(0, -1, 0);
        t.b_to_a.position = v3(0.2, 1.0 + rows[i].gap, 0.2);
        step(&t, v3(0, rows[i].speed, 0));
        step(&t, v3(0, 0, 0));
        CHECK_INT(t.s.result.regions.count, 1, "one region");
        CHECK(t.s.result.regions.items[0].life == rows[i].life, "row %d: life %d", i,
              (int)t.s.result.regions.items[0].life);
        end(&t);
    }
    timed_scene t;
    begin(&t, cube(), cube(), 0);
    t.b_to_a.position = v3(0.2, 1, 0.2);
    step(&t, v3(0, 5, 0));
    abut_memory_clear(t.s.pair.memory);
    for (int i = 0; i < 2; ++i) {
        local_find(&t.s);
        abut_memory_commit(t.s.pair.memory);
    }
    CHECK_INT(t.s.result.regions.items[0].life, ABUT_LIFE_TEMPORARY, "without velocities");
    abut_memory *memory = t.s.pair.memory;
    t.s.pair.memory = NULL;
    local_find(&t.s);
    CHECK_INT(t.s.result.events.count, 0, "no memory, no events");
    CHECK_INT(t.s.result.regions.items[0].life, ABUT_LIFE_NEW, "no memory, no life");
    t.s.pair.memory = memory;
    end(&t);
    CHECK_DONE();
}

/// The id of the contact nearest to a place in A's frame, or 0.
static uint64_t id_near(const timed_scene *t, abut_vec3 place)
{
    int is_swapped = t->is_moving && t->count % 2 == 0;
    abut_pose world = is_swapped ? t->s.pair.b.pose : t->s.pair.a.pose;
    uint64_t id = 0;
    double least = 0.1;
    for (int i = 0; i < t->s.result.contacts.count; ++i) {
        const abut_contact *c = &t->s.result.contacts.items[i];
        double distance = abut_norm(abut_sub(abut_pose_apply_inverse(world, c->position), place));
        if (distance < least) {
            least = distance;
            id = c->id;
        }
    }
    return id;
}

// A cube stands on an equal one and is moved by 1e-4 to and fro, more than the tolerance: corners lie on corners, on edges
// and on faces, and edges cross. The four contacts keep their ids all the time, and after a gap of three steps, for every
// numbering of the triangles and placement in the world.
static void contacts_keep_their_ids_when_features_change(void **state)
{
    (void)state;
    test_random random = {8};
    for (uint64_t seed = 0; seed < 10; ++seed) {
        test_solid solid = solid_from_voxels("#", 1, 1, 1);
        solid_shuffle(&solid, &random);
        timed_scene t;
        begin(&t, solid_mesh(&solid, ABUT_PRECISION_DOUBLE), cube(), seed);
        solid_free(&solid);
        uint64_t ids[4] = {0, 0, 0, 0};
        for (int i = 0; i < 30; ++i) {
            int is_apart = i >= 12 && i < 15;
            t.b_to_a.position = v3(1e-4 * (random_below(&t.random, 3) - 1), is_apart ? 1.5 : 1.0,
                                   1e-4 * (random_below(&t.random, 3) - 1));
            step(&t, v3(0, 0, 0));
            CHECK_INT(t.s.result.contacts.count, is_apart ? 0 : 4, "corners");
            for (int k = 0; k < 4 && !is_apart; ++k) {
                uint64_t id = id_near(&t, v3(k & 1, 1, k >> 1));
                CHECK(id != 0 && (i == 0 || id == ids[k]), "seed %d, step %d: corner %d", (int)seed, i, k);
                ids[k] = id;
            }
            int began = 0, ended = 0;
            for (int k = 0; k < t.s.result.events.count; ++k) {
                const abut_event *event = &t.s.result.events.items[k];
                began += !event->is_region && event->kind == ABUT_EVENT_BEGIN;
                ended += !event->is_region && event->kind == ABUT_EVENT_END;
            }
            CHECK_INT(began, i == 0 || i == 15 ? 4 : 0, "contacts that begin");
            CHECK_INT(ended, i == 12 ? 4 : 0, "contacts that end");
        }
        end(&t);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_that_shrinks_keeps_its_normal),
        cmocka_unit_test(history_does_not_hide_an_impact),
        cmocka_unit_test(normals_turn_with_the_body_that_gave_them),
        cmocka_unit_test(regions_split_and_merge),
        cmocka_unit_test(lives_follow_from_the_motion_after_the_step),
        cmocka_unit_test(contacts_keep_their_ids_when_features_change),
    };
    return cmocka_run_group_tests_name("regions in time", tests, NULL, NULL);
}
