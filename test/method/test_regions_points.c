// SPDX-License-Identifier: MIT
// test_regions_points.c: method regions where everything happens at one point: tips of many faces, pits, and rest
#include "check.h"
#include "failing.h"
#include "random.h"
#include "shapes.h"

#include <string.h>

enum { MOST = 200 };
static const double PI = 3.14159265358979323846;

/// A surface of triangles from a tip at the origin to a regular rim, and from there to `middle`. With the middle beyond
/// the rim or in its plane it is a tip, with the middle on the other side of the origin a pit.
typedef struct tip_shape {
    int count;
    double radius, height, turn; ///< of the rim
    double middle;               ///< height of the middle
} tip_shape;

static abut_vec3 rim_corner(tip_shape tip, int i)
{
    double angle = tip.turn + 2.0 * PI * i / tip.count;
    return abut_vec3_make(tip.radius * cos(angle), tip.radius * sin(angle), tip.height);
}

static abut_mesh *make_tip(const abut_context *context, tip_shape tip)
{
    abut_vec3 vertices[MOST + 2];
    int triangles[6 * MOST];
    int is_up = tip.middle > 0.0; // faces seen from below
    vertices[0] = abut_vec3_make(0.0, 0.0, 0.0);
    vertices[1] = abut_vec3_make(0.0, 0.0, tip.middle);
    for (int i = 0; i < tip.count; ++i) {
        vertices[2 + i] = rim_corner(tip, i);
        int here = 2 + i, next = 2 + (i + 1) % tip.count;
        const int pair[6] = {0, is_up ? next : here, is_up ? here : next,
                             1, is_up ? here : next, is_up ? next : here};
        memcpy(triangles + 6 * i, pair, sizeof pair);
    }
    return make_triangles(context, vertices, tip.count + 2, triangles, 2 * tip.count);
}

/// Two tips in one point, and a query.
typedef struct point_test {
    const abut_method *method;
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *workspace;
    abut_pair pair;
    abut_result result;
} point_test;

static point_test start(const abut_context *context, abut_mesh *a, abut_mesh *b)
{
    point_test t = {.method = abut_method_find("regions"), .meshes = {a, b}, .result = abut_result_default()};
    assert_int_equal(abut_workspace_create(context, &t.workspace), ABUT_OK);
    abut_params params = abut_params_default();
    t.shapes[0] = make_shape(context, a, t.method, &params);
    t.shapes[1] = make_shape(context, b, t.method, &params);
    t.pair = abut_pair_default(t.shapes[0], t.shapes[1]);
    t.pair.a.key = 1;
    t.pair.b.key = 2;
    t.pair.dt = 0.01;
    return t;
}

static void ask(point_test *t)
{
    abut_status status = abut_find_contacts(&t->pair, t->method, NULL, t->workspace, &t->result);
    CHECK(status == ABUT_OK, "%s", t->result.error.text);
    assert_int_equal(status, ABUT_OK);
}

static void end(point_test *t)
{
    abut_memory_destroy(t->pair.memory);
    abut_workspace_destroy(t->workspace);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(t->shapes[i]);
        abut_mesh_destroy(t->meshes[i]);
    }
}

/// Whether the upper tip, moved by v, is in the lower one. It is if v is a sum of edges of the lower tip and of
/// opposites of edges of the upper one: if v points down and, scaled to height -1, is inside the convex hull of these,
/// scaled the same way. A point is outside a hull if a line through two corners separates it from all others.
static int penetrates(tip_shape lower, tip_shape upper, abut_vec3 v)
{
    abut_vec3 corners[2 * MOST];
    int count = lower.count + upper.count;
    if (v.z >= 0.0) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        abut_vec3 c = i < lower.count ? rim_corner(lower, i) : abut_negate(rim_corner(upper, i - lower.count));
        corners[i] = abut_scale(-1.0 / c.z, c);
    }
    abut_vec3 p = abut_scale(-1.0 / v.z, v);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < count; ++k) {
            double ex = corners[k].x - corners[i].x, ey = corners[k].y - corners[i].y, most = -1.0;
            for (int m = 0; m < count; ++m) {
                most = fmax(most, ex * (corners[m].y - corners[i].y) - ey * (corners[m].x - corners[i].x));
            }
            if (i != k && most < 1e-12 && ex * (p.y - corners[i].y) - ey * (p.x - corners[i].x) > -1e-9) {
                return 0;
            }
        }
    }
    return 1;
}

static const int tip_counts[] = {3, 4, 5, 8, 13, 24};
enum { TIP_COUNTS = sizeof tip_counts / sizeof tip_counts[0] };

// The motions of a tip on a tip are those outside a convex cone: a union of half-spaces, one for each side of the cone.
// Whatever part of them is reported, what it allows is one half-space or less, so no reported set lets the tips into
// each other, and eight normals are always enough. Something is always allowed: upwards, against all normals.
static void tips_have_eight_contacts_at_most(void **state)
{
    (void)state;
    test_random random = {80};
    for (int i = 0; i < TIP_COUNTS * TIP_COUNTS; ++i) {
        tip_shape lower = {tip_counts[i / TIP_COUNTS], 0.5, -1.0, 0.0, -1.0};
        tip_shape upper = {tip_counts[i % TIP_COUNTS], 0.4 + 0.1 * (i % 3), 1.0, 0.37, 1.0};
        point_test t = start(NULL, make_tip(NULL, lower), make_tip(NULL, upper));
        for (int round = 0; round < 3; ++round) {
            t.pair.b.linear_velocity = round == 0 ? abut_vec3_make(0.0, 0.0, 0.0) : random_vec3(&random, 3.0);
            ask(&t);
            int count = t.result.contacts.count;
            CHECK(count >= 1 && count <= 8, "%d on %d faces: %d contacts", upper.count, lower.count, count);
            CHECK_INT(t.result.regions.items[0].normal_count, count, "normals");
            CHECK(t.result.regions.items[0].cone_count >= 3, "%d half-spaces",
                  t.result.regions.items[0].cone_count);
            for (int k = 0; k < 100; ++k) {
                abut_vec3 v = random_unit(&random);
                v.z -= 0.5;
                int is_allowed = 1;
                for (int m = 0; m < count; ++m) {
                    is_allowed &= abut_dot(t.result.contacts.items[m].normal, v) >= 0.0;
                }
                CHECK(!is_allowed || !penetrates(lower, upper, v), "%d on %d faces: (%g, %g, %g)", upper.count,
                      lower.count, v.x, v.y, v.z);
            }
            for (int m = 0; m < count; ++m) {
                CHECK(t.result.contacts.items[m].normal.z > 0.0, "up");
            }
        }
        end(&t);
    }
    CHECK_DONE();
}

// The chosen normals are those of the same features wherever the two tips are: nothing depends on the axes. They are
// spread: no two of the eight are nearer than a sixteenth of the circle around the tip.
static void the_same_normals_in_every_frame(void **state)
{
    (void)state;
    test_random random = {81};
    tip_shape lower = {24, 0.5, -1.0, 0.0, -1.0}, upper = {24, 0.5, 1.0, 0.1, 1.0};
    point_test t = start(NULL, make_tip(NULL, lower), make_tip(NULL, upper));
    uint64_t ids[8] = {0};
    abut_vec3 normals[8];
    for (int round = 0; round < 20; ++round) {
        abut_pose pose = abut_pose_make(random_vec3(&random, 100.0), random_rotation(&random));
        pose = round == 0 ? abut_pose_identity() : pose;
        t.pair.a.pose = t.pair.b.pose = pose;
        ask(&t);
        assert_int_equal(t.result.contacts.count, 8);
        for (int i = 0; i < 8; ++i) {
            const abut_contact *c = &t.result.contacts.items[i];
            abut_vec3 n = abut_quat_rotate(abut_quat_conjugate(pose.rotation), c->normal);
            CHECK(round == 0 || (c->id == ids[i] && abut_norm(abut_sub(n, normals[i])) < 1e-9), "round %d", round);
            ids[i] = c->id;
            normals[i] = n;
            for (int k = 0; k < i; ++k) {
                double apart = fabs(atan2(n.y, n.x) - atan2(normals[k].y, normals[k].x));
                CHECK(fmin(apart, 2.0 * PI - apart) > PI / 8.0, "normals %d and %d: %g", k, i, apart);
            }
        }
    }
    end(&t);
    CHECK_DONE();
}

// A spike in a pit of many walls: without the normal of one wall, a motion along its neighbours and into it would be
// allowed. So the contacts are as many as the walls, and their normals are those of the walls.
static void pits_need_all_walls(void **state)
{
    (void)state;
    const int counts[] = {3, 4, 12, 100};
    for (int i = 0; i < 4; ++i) {
        tip_shape pit = {counts[i], 1.0, 1.0, 0.0, -1.0}, spike = {5, 0.3, 2.0, 0.1, 2.0};
        point_test t = start(NULL, make_tip(NULL, pit), make_tip(NULL, spike));
        ask(&t);
        CHECK_INT(t.result.contacts.count, pit.count, "contacts");
        CHECK_INT((int)t.result.stats.arbitrary_normals, 0, "nothing is arbitrary");
        for (int k = 0; k < pit.count; ++k) {
            abut_vec3 wall = abut_unit(abut_cross(rim_corner(pit, k), rim_corner(pit, k + 1)));
            int found = 0;
            for (int m = 0; m < t.result.contacts.count; ++m) {
                found += abut_norm(abut_sub(t.result.contacts.items[m].normal, wall)) < 1e-9;
            }
            CHECK_INT(found, 1, "wall");
        }
        end(&t);
    }
    CHECK_DONE();
}

/// Asks, with the memory of the pair, and returns whether the bodies were analysed.
static int is_analysed(point_test *t)
{
    ask(t);
    abut_memory_commit(t->pair.memory);
    return t->result.stats.tested_pairs > 0;
}

// At rest the answer stays although several sets of normals are possible: the second query is answered from the
// memory, to the last bit, and says as often that normals are arbitrary. A tip that has slid keeps the normal that its
// velocity chose, first by a look at the history, then without a look.
static void rest_needs_no_decision(void **state)
{
    (void)state;
    tip_shape lower = {24, 0.5, -1.0, 0.0, -1.0}, upper = {16, 0.5, 1.0, 0.1, 1.0};
    point_test t = start(NULL, make_tip(NULL, lower), make_tip(NULL, upper));
    assert_int_equal(abut_memory_create(NULL, &t.pair.memory), ABUT_OK);
    CHECK(is_analysed(&t), "the first time");
    CHECK_INT((int)t.result.stats.arbitrary_normals, 1, "arbitrary");
    abut_contact first[8];
    assert_int_equal(t.result.contacts.count, 8);
    memcpy(first, t.result.contacts.items, sizeof first);
    CHECK(!is_analysed(&t), "at rest");
    CHECK_INT((int)t.result.stats.arbitrary_normals, 1, "arbitrary");
    CHECK_INT(t.result.contacts.items[0].rule, ABUT_RULE_NONE, "nothing decided");
    assert_int_equal(t.result.contacts.count, 8);
    for (int i = 0; i < 8; ++i) {
        const abut_contact *c = &t.result.contacts.items[i];
        CHECK(c->id == first[i].id && memcmp(&c->normal, &first[i].normal, sizeof c->normal) == 0, "contact %d", i);
    }
    // aside and into the other tip; then at rest, where it was
    t.pair.b.linear_velocity = abut_vec3_make(0.02, 0.013, -0.05);
    CHECK(is_analysed(&t), "sliding");
    CHECK_INT(t.result.contacts.items[0].rule, ABUT_RULE_VELOCITY, "the velocity decides");
    assert_int_equal(t.result.contacts.count, 1);
    abut_vec3 chosen = t.result.contacts.items[0].normal;
    t.pair.b.linear_velocity = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(is_analysed(&t), i == 0, "at rest again");
        CHECK_INT(t.result.contacts.items[0].rule, ABUT_RULE_HISTORY, "the history decides");
        CHECK(t.result.contacts.count == 1 &&
                  memcmp(&t.result.contacts.items[0].normal, &chosen, sizeof chosen) == 0,
              "the same normal");
    }
    end(&t);
    CHECK_DONE();
}

// What a query finds out about vertices is in its workspace: after a few queries there are no more heap calls, and the
// shapes stay as they are.
static void queries_make_no_heap_calls(void **state)
{
    (void)state;
    failing_heap heap = {.fail_at = 0};
    abut_context context = failing_context(&heap);
    for (int i = 0; i < 3; ++i) {
        // tip on tip, spike in pit, and rims that go up and down: convex and reflex edges in one vertex
        tip_shape lower = {24, 0.5, i == 1 ? 1.0 : -1.0, 0.0, -1.0}, upper = {i == 1 ? 5 : 24, 0.3, 1.5, 0.1, 1.5};
        abut_vec3 vertices[MOST + 2];
        abut_mesh *a = make_tip(&context, lower);
        if (i == 2) {
            abut_mesh_elements elements = abut_mesh_get_elements(a);
            memcpy(vertices, elements.vertices, (size_t)elements.vertex_count * sizeof *vertices);
            for (int k = 2; k < elements.vertex_count; ++k) {
                vertices[k].z = k % 2 == 0 ? -0.1 : -0.3;
            }
            abut_mesh *wavy = make_triangles(&context, vertices, elements.vertex_count, elements.triangles,
                                             elements.triangle_count);
            abut_mesh_destroy(a);
            a = wavy;
        }
        point_test t = start(&context, a, make_tip(&context, upper));
        for (int k = 0; k < 3; ++k) {
            ask(&t);
        }
        int calls = heap.calls;
        ask(&t);
        CHECK_INT(heap.calls, calls, "heap calls");
        CHECK(t.result.contacts.count > 0, "contacts");
        end(&t);
    }
    CHECK_INT(heap.live, 0, "blocks");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tips_have_eight_contacts_at_most),
        cmocka_unit_test(the_same_normals_in_every_frame),
        cmocka_unit_test(pits_need_all_walls),
        cmocka_unit_test(rest_needs_no_decision),
        cmocka_unit_test(queries_make_no_heap_calls),
    };
    return cmocka_run_group_tests_name("regions at points", tests, NULL, NULL);
}
