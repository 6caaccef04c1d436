// SPDX-License-Identifier: MIT
// test_growth.c: growth of pairs of tetrahedra whose contacts follow on paper
//
// The scale itself is tested against bisection in test/prim/test_tets.c.
#include "tets.h"

// The plate's centre is (0, -0.25, -0.25), the spike's (0.25, 0.75 - d, 0). At scale t the plate's top is at -0.25 +
// 0.25 t, the spike's tip at 0.75 - d - 0.75 t, over the inside of the top: they are 1 - d - t apart, straight up. The
// plate's face has more dimensions than the tip. The points are the tip and three in y = 0; text: projected to the
// middle, -d / 2; program: as they are. d = 0.2: apart at 0.729 by 0.071, which is more than delta = 0.02. d =
// 0.1875: apart at 0.81 by 0.0025, which is less: no step at all. (In the first case the program steps too far.)
static void vertex_in_face(void **state)
{
    (void)state;
    const double depths[] = {0.2, 0.1875};
    for (int i = 0; i < 2; ++i) {
        for (int is_program = 0; is_program <= i; ++is_program) {
            double d = depths[i];
            double tip = is_program ? -d : -d / 2, edge = is_program ? 0.0 : -d / 2;
            const abut_vec3 up = v3(0, 1, 0);
            const local_expected expected[] = {{v3(0, tip, 0), up, -d},
                                               {v3(0.75 * d, edge, -d), up, -d},
                                               {v3(0.75 * d, edge, d), up, -d},
                                               {v3(-0.5 * d, edge, 0), up, -d}};
            check_tets("growth", is_program ? "reading=program" : "reading=text", make_plate(), make_spike(d),
                       expected, 4, is_program ? "program" : "text");
        }
    }
    CHECK_DONE();
}

// The shrunk ridges still cross, straight over each other; each ridge holds the direction up, or down, between its
// slopes.
static void edge_across_edge(void **state)
{
    (void)state;
    check_ridges("growth", NULL);
    CHECK_DONE();
}

// Tip on tip, the upper one leaning: shrunk, the tips are apart along the line of the centres, which is what section
// 7.5 calls tilting. The lower centre is (0, -1.5, 0), the upper (0.75, 1.5, 0): the normal is (1, 4, 0) / sqrt(17), a
// corner's.
static void tip_on_tip_leans_to_the_centres(void **state)
{
    (void)state;
    const abut_vec3 lower[4] = {{0, 0, 0}, {1, -2, 0}, {-0.5, -2, 1}, {-0.5, -2, -1}};
    const abut_vec3 upper[4] = {{0, 0, 0}, {2, 2, 0}, {0.5, 2, 1}, {0.5, 2, -1}};
    const local_expected expected[] = {{v3(0, 0, 0), abut_scale(1 / sqrt(17.0), v3(1, 4, 0)), 0}};
    check_tets("growth", NULL, make_tetrahedron(NULL, lower), make_tetrahedron(NULL, upper), expected, 1, "tips");
    local_scene s;
    local_begin(&s, NULL, "growth", NULL, make_tetrahedron(NULL, lower), make_tetrahedron(NULL, upper));
    local_find(&s);
    CHECK_INT(s.result.contacts.items[0].normal_feature.kind, ABUT_FEATURE_VERTEX, "a corner");
    local_end(&s);
    CHECK_DONE();
}

// A face of B against a corner of A: B's feature wins, and its outward normal points from B to A, so the normal is the
// opposite. The plate and the spike with sides exchanged: the spike is A now.
static void normals_of_b_point_from_a_to_b(void **state)
{
    (void)state;
    const abut_vec3 down = v3(0, -1, 0);
    const double d = 0.2;
    const local_expected expected[] = {{v3(0, -d / 2, 0), down, -d},
                                       {v3(0.75 * d, -d / 2, -d), down, -d},
                                       {v3(0.75 * d, -d / 2, d), down, -d},
                                       {v3(-0.5 * d, -d / 2, 0), down, -d}};
    check_tets("growth", NULL, make_spike(d), make_plate(), expected, 4, "exchanged");
    CHECK_DONE();
}

// Face on face, both features have the same dimension. By text a tie goes to B (line 16 asks for more), by program to
// the first body, which is A here.
static void ties_go_to_b_or_to_the_first(void **state)
{
    (void)state;
    const char *const readings[2] = {"reading=text", "reading=program"};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, "growth", readings[i], make_plate(), make_block(0.0));
        local_find(&s);
        CHECK_INT(s.result.contacts.count, 3, "corners");
        for (int k = 0; k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            CHECK_INT(c->normal_side, i == 0 ? ABUT_NORMAL_B : ABUT_NORMAL_A, readings[i]);
            CHECK_INT(c->normal_feature.kind, ABUT_FEATURE_FACE, "a face");
        }
        local_end(&s);
    }
    CHECK_DONE();
}

// The same tetrahedron twice: the centres coincide. The axis of least overlap is used instead, which is counted. The
// program would shrink them for ever; reading=program gives up without a contact.
static void coincident_centres_are_counted(void **state)
{
    (void)state;
    const char *const options[] = {"reading=text", "reading=program"};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, "growth", options[i], make_plate(), make_plate());
        local_find(&s);
        local_check_sane(&s);
        CHECK_INT(s.result.stats.fallbacks, i == 0, "counted");
        CHECK_INT(s.result.contacts.count, i == 0 ? 4 : 0, "all corners");
        local_end(&s);
    }
    CHECK_DONE();
}

// Face on face: shrunk to 0.9, the faces are 0.05 apart, straight up; both faces hold that direction. Over a gap the
// plane is in the middle of the gap.
static void shared_checks(void **state)
{
    (void)state;
    check_both_readings("growth", 0.005);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_in_face),
        cmocka_unit_test(edge_across_edge),
        cmocka_unit_test(tip_on_tip_leans_to_the_centres),
        cmocka_unit_test(normals_of_b_point_from_a_to_b),
        cmocka_unit_test(ties_go_to_b_or_to_the_first),
        cmocka_unit_test(coincident_centres_are_counted),
        cmocka_unit_test(shared_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
