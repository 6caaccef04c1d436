// SPDX-License-Identifier: MIT
// test_volume_sat.c: the axis of least overlap on pairs of tetrahedra whose contacts follow on paper
#include "tets.h"

// Text: a plane at the mean of the points, -0.05. Program: a plane in the middle of the extremes, -0.1.
static void vertex_in_face(void **state)
{
    (void)state;
    check_spike("volume-sat", "reading=text", -0.05);
    check_spike("volume-sat", "reading=program", -0.1);
    CHECK_DONE();
}

static void edge_across_edge(void **state)
{
    (void)state;
    check_ridges("volume-sat", "reading=text");
    check_ridges("volume-sat", "reading=program");
    CHECK_DONE();
}

// What gave the normal: a face of A for the spike, both edges for the ridges.
static void normals_name_their_source(void **state)
{
    (void)state;
    local_scene s;
    local_begin(&s, NULL, "volume-sat", NULL, make_plate(), make_spike(0.2));
    local_find(&s);
    for (int i = 0; i < s.result.contacts.count; ++i) {
        const abut_contact *c = &s.result.contacts.items[i];
        CHECK_INT(c->normal_side, ABUT_NORMAL_A, "the plate");
        CHECK_INT(c->normal_feature.kind, ABUT_FEATURE_FACE, "its face");
        CHECK_INT(c->rule, ABUT_RULE_GEOMETRY, "one choice");
    }
    local_end(&s);
    local_begin(&s, NULL, "volume-sat", NULL, make_lower_roof(), make_upper_roof(0.12));
    local_find(&s);
    for (int i = 0; i < s.result.contacts.count; ++i) {
        CHECK_INT(s.result.contacts.items[i].normal_side, ABUT_NORMAL_BOTH, "two edges");
    }
    local_end(&s);
    CHECK_DONE();
}

// Two flat tetrahedra, each with an edge at y = 0 and an edge at y = -h, B turned by 45 degrees about y. Along y, the
// cross product of their level edges, both reach from -h to 0, so the overlap is h both ways. The faces lean by h / 2.
// Along their normals the other tetrahedron reaches further, by up to 0.7 h on either side, so the overlap is more.
// Nothing decides the sign: rule and flag say so.
static void equal_overlaps_have_an_arbitrary_sign(void **state)
{
    (void)state;
    const double h = 0.1;
    const abut_vec3 a[4] = {{-2, 0, 0}, {2, 0, 0}, {0, -h, -2}, {0, -h, 2}};
    const abut_vec3 b[4] = {{-1.4, 0, -1.4}, {1.4, 0, 1.4}, {-1.4, -h, 1.4}, {1.4, -h, -1.4}};
    local_scene s;
    local_begin(&s, NULL, "volume-sat", NULL, make_tetrahedron(NULL, a), make_tetrahedron(NULL, b));
    local_find(&s);
    CHECK(s.result.contacts.count > 2, "%d contacts", s.result.contacts.count);
    for (int k = 0; k < s.result.contacts.count; ++k) {
        const abut_contact *c = &s.result.contacts.items[k];
        CHECK_NEAR(fabs(c->normal.y), 1.0, 1e-12, "upright");
        CHECK_NEAR(c->gap, -h, 1e-12, "the overlap");
        CHECK_INT(c->rule, ABUT_RULE_NONE, "nothing decides");
        CHECK_INT((int)c->flags, ABUT_CONTACT_ARBITRARY_SIGN, "flag");
    }
    local_end(&s);
    CHECK_DONE();
}

// Two tetrahedra that touch in a corner, tip on tip: all directions between the two are equally right, which is
// counted.
static void tip_on_tip_is_ambiguous(void **state)
{
    (void)state;
    const abut_vec3 lower[4] = {{0, 0, 0}, {1, -2, 0}, {-0.5, -2, 1}, {-0.5, -2, -1}};
    abut_vec3 upper[4];
    for (int i = 0; i < 4; ++i) {
        upper[i] = abut_negate(lower[i]);
    }
    local_scene s;
    local_begin(&s, NULL, "volume-sat", NULL, make_tetrahedron(NULL, lower), make_tetrahedron(NULL, upper));
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 1, "the tip");
    CHECK_INT(s.result.contacts.items[0].rule, ABUT_RULE_NONE, "nothing decides");
    CHECK_INT(s.result.stats.arbitrary_normals, 1, "counted");
    local_end(&s);
    CHECK_DONE();
}

// Over a gap the plane is at the mean of the points, which are the block's corners.
static void shared_checks(void **state)
{
    (void)state;
    check_both_readings("volume-sat", 0.01);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_in_face),
        cmocka_unit_test(edge_across_edge),
        cmocka_unit_test(normals_name_their_source),
        cmocka_unit_test(tip_on_tip_is_ambiguous),
        cmocka_unit_test(equal_overlaps_have_an_arbitrary_sign),
        cmocka_unit_test(shared_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
