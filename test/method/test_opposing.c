// SPDX-License-Identifier: MIT
// test_opposing.c: the most opposing surface faces on pairs of tetrahedra whose contacts follow on paper
#include "tets.h"

// The plate's top face opposes the spike's face (0.8, -0.6, 0) most: the product is -0.6. (The plate's lower faces and
// the spike's base oppose more, but that would be a sandwich: both opposite corners are behind.) Text: the normal is
// (0, 1, 0) - (0.8, -0.6, 0), made unit: (-1, 2, 0) / sqrt(5). Times sqrt(5) the heights along it of the tip, of
// (0.15, 0, -0.2) and (0.15, 0, 0.2), and of (-0.1, 0, 0) are -0.4, -0.15 and 0.1; the middle is -0.15, the extent
// 0.5. To the middle the tip is lifted by 0.25 / 5 (-1, 2, 0) = (-0.05, 0.1, 0), and the last one by as much the other
// way: both come to (-0.05, -0.1, 0), and are one.
static void vertex_in_face(void **state)
{
    (void)state;
    const abut_vec3 normal = v3(-1 / sqrt(5.0), 2 / sqrt(5.0), 0);
    const double gap = -0.5 / sqrt(5.0);
    const local_expected expected[] = {
        {v3(0.15, 0, -0.2), normal, gap}, {v3(0.15, 0, 0.2), normal, gap}, {v3(-0.05, -0.1, 0), normal, gap}};
    check_tets("opposing", NULL, make_plate(), make_spike(0.2), expected, 3, "spike");
    check_tets("opposing", "cosine-limit=-0.59", make_plate(), make_spike(0.2), expected, 3, "limit above");
    check_tets("opposing", "cosine-limit=-0.61", make_plate(), make_spike(0.2), expected, 0, "limit below");
    CHECK_DONE();
}

// Program: the face normal of the first body, that with the lower key, and all points, the tip among them. With the
// plate first the normal is up, the depth 0.2, the plane at -0.1. With the spike first it is the spike's
// (0.8, -0.6, 0), seen from A: (-0.8, 0.6, 0). The heights along it are -0.12 of the tip and of (0.15, 0, +-0.2), for
// which -0.8 * 0.15 = -0.12 too, as they are on the face, and 0.08 of (-0.1, 0, 0): the extent is 0.2, the middle
// -0.02. To it the first three are lifted by 0.1 (-0.8, 0.6, 0), the last by as much the other way.
static void program_takes_the_first_body(void **state)
{
    (void)state;
    const abut_vec3 up = v3(0, 1, 0), side = v3(-0.8, 0.6, 0);
    const local_expected plate_first[] = {{v3(0, -0.1, 0), up, -0.2},
                                          {v3(0.15, -0.1, -0.2), up, -0.2},
                                          {v3(0.15, -0.1, 0.2), up, -0.2},
                                          {v3(-0.1, -0.1, 0), up, -0.2}};
    const local_expected spike_first[] = {{v3(-0.08, -0.14, 0), side, -0.2},
                                          {v3(0.07, 0.06, -0.2), side, -0.2},
                                          {v3(0.07, 0.06, 0.2), side, -0.2},
                                          {v3(-0.02, -0.06, 0), side, -0.2}};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, "opposing", "reading=program", make_plate(), make_spike(0.2));
        s.pair.a.key = i == 0 ? 1 : 2;
        s.pair.b.key = i == 0 ? 2 : 1;
        local_find(&s);
        local_check_sane(&s);
        local_check(&s, i == 0 ? plate_first : spike_first, 4, i == 0 ? "plate first" : "spike first");
        local_check_swapped(&s);
        local_end(&s);
    }
    CHECK_DONE();
}

// Two roofs, d = 0.12. The slopes (-1, 2, 0) / sqrt(5) and (0, -2, -1) / sqrt(5) oppose most: -4/5. The normal is
// (-1, 4, 1) / sqrt(18). Times sqrt(18) the heights of (-2 d, -d, 0), (d, -d, 0), (0, 0, -2 d), (0, 0, d) are -2 d, -5
// d, -2 d, d: the extent is 6 d, the middle -2 d. The second is lifted by 3 d / 18 (-1, 4, 1), the fourth by as much
// the other way.
static void edge_across_edge(void **state)
{
    (void)state;
    const double d = 0.12, gap = -6 * d / sqrt(18.0);
    const abut_vec3 normal = abut_scale(1 / sqrt(18.0), v3(-1, 4, 1));
    const local_expected expected[] = {{v3(-2 * d, -d, 0), normal, gap},
                                       {v3(5 * d / 6, -d / 3, d / 6), normal, gap},
                                       {v3(0, 0, -2 * d), normal, gap},
                                       {v3(d / 6, -2 * d / 3, 5 * d / 6), normal, gap}};
    check_tets("opposing", NULL, make_lower_roof(), make_upper_roof(d), expected, 4, "ridges");
    CHECK_DONE();
}

// A block sunk so deep that its apex is below the plate's top: the top of the plate and the bottom of the block still
// oppose, but the apex is behind the plate's top face: a sandwich. The lower faces of the plate and the upper ones of
// the block do not oppose more than -0.2.
static void sandwiches_do_not_count(void **state)
{
    (void)state;
    const abut_vec3 thick[4] = {{-8, 0, -6}, {8, 0, -6}, {0, 0, 10}, {0, -9, 0}};
    local_scene s;
    local_begin(&s, NULL, "opposing", "cosine-limit=-0.95", make_tetrahedron(NULL, thick), make_block(0.9));
    local_find(&s);
    CHECK_INT(s.result.stats.tested_pairs, 1, "tested");
    int in_front = s.result.contacts.count;
    local_end(&s);
    local_begin(&s, NULL, "opposing", "cosine-limit=-0.95", make_tetrahedron(NULL, thick), make_block(1.1));
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 0, "sunk whole");
    CHECK(in_front > 0, "%d contacts with the apex in front", in_front);
    local_end(&s);
    CHECK_DONE();
}

// A is cut along x = 0. B is a block of four tetrahedra around an inner point c = (0.4, 0.1, -0.5), sunk by 0.3. The
// inner edge from its corner (-1, -0.3, -1) to c goes through A's inner face x = 0 at 5/7 of the way: at z = -9/14 and
// y = -0.1/7, below A's top. That is a corner of the common part of two tetrahedra, but on neither surface. The normal
// of B's lowest tetrahedron and A's top is up in both readings.
static void points_inside_both_are_not_of_the_surface(void **state)
{
    (void)state;
    const abut_vec3 cut[5] = {{-8, 0, -6}, {8, 0, -6}, {0, 0, 10}, {0, -9, 0}, {0, 0, -6}};
    const abut_vec3 block[5] = {{-1, -0.3, -1}, {1, -0.3, -1}, {0, -0.3, 1}, {0, 1, 0}, {0.4, 0.1, -0.5}};
    static const int cut_tets[8] = {0, 4, 2, 3, 4, 1, 2, 3};
    static const int block_tets[16] = {4, 1, 2, 3, 0, 4, 2, 3, 0, 1, 4, 3, 0, 1, 2, 4};
    const char *const options[] = {"reading=text", "reading=program"};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, "opposing", options[i], make_tet_mesh(NULL, cut, 5, cut_tets, 2),
                    make_tet_mesh(NULL, block, 5, block_tets, 4));
        local_find(&s);
        int inner = 0, up = 0;
        for (int k = 0; k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            up += c->normal.y > 1 - 1e-12;
            inner +=
                c->normal.y > 1 - 1e-12 && fabs(c->position.x) <= 1e-12 && fabs(c->position.z + 9.0 / 14) <= 1e-12;
        }
        CHECK((inner > 0) == (i == 1), "%s: %d inner points", options[i], inner);
        CHECK(up > 3, "%s: %d contacts", options[i], up);
        local_end(&s);
    }
    CHECK_DONE();
}

// Over a gap the plane is in the middle of the gap.
static void shared_checks(void **state)
{
    (void)state;
    check_both_readings("opposing", 0.005);
    check_face_on_face("opposing", "cosine-limit=-0.99");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_in_face),
        cmocka_unit_test(program_takes_the_first_body),
        cmocka_unit_test(edge_across_edge),
        cmocka_unit_test(sandwiches_do_not_count),
        cmocka_unit_test(points_inside_both_are_not_of_the_surface),
        cmocka_unit_test(shared_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
