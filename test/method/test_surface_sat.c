// SPDX-License-Identifier: MIT
// test_surface_sat.c: the axis of least overlap, from features of the surface only
#include "tets.h"

// Single tetrahedra have all features on the surface, and no flat edge: the answers are those of volume-sat.
static void vertex_in_face(void **state)
{
    (void)state;
    check_spike("surface-sat", "reading=text", -0.05);
    check_spike("surface-sat", "reading=program", -0.1);
    check_spike("surface-sat", "skip-flat-edges=yes", -0.05);
    CHECK_DONE();
}

static void edge_across_edge(void **state)
{
    (void)state;
    check_ridges("surface-sat", "reading=text");
    check_ridges("surface-sat", "skip-flat-edges=yes");
    CHECK_DONE();
}

/// The plate of two tetrahedra: cut along the plane x = 0, through M = (0, 0, -3), the middle of its back edge.
static abut_mesh *make_cut_plate(void)
{
    static const abut_vec3 vertices[5] = {{-4, 0, -3}, {4, 0, -3}, {0, 0, 5}, {0, -1, 0}, {0, 0, -3}};
    static const int tets[8] = {0, 4, 2, 3, 4, 1, 2, 3};
    return make_tet_mesh(NULL, vertices, 5, tets, 2);
}

/// How many contacts have a normal along an axis, either way, with this gap.
static int count_along(const local_scene *s, abut_vec3 axis, double gap)
{
    int count = 0;
    for (int i = 0; i < s->result.contacts.count; ++i) {
        const abut_contact *c = &s->result.contacts.items[i];
        count += fabs(fabs(abut_dot(c->normal, axis)) - 1.0) <= 1e-12 && fabs(c->gap - gap) <= 1e-12;
    }
    return count;
}

// B is sunk by 0.1 into the cut plate, with a corner 0.05 beyond the cut. In the left half the least overlap is 0.05
// along x, that of the inner face x = 0: volume-sat takes it. On the surface that axis could only be the cross product
// of an edge in the plane x = 0 with one of B's, and B has none in such a plane. The right half has 0.1 along y in
// both.
static void inner_faces_give_no_axis(void **state)
{
    (void)state;
    const abut_vec3 vertices[4] = {{-0.05, -0.1, 0}, {1, -0.1, -1}, {1.3, -0.1, 1.1}, {0.5, 1, 0}};
    const char *const methods[] = {"volume-sat", "surface-sat"};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, methods[i], NULL, make_cut_plate(), make_tetrahedron(NULL, vertices));
        local_find(&s);
        int sideways = count_along(&s, v3(1, 0, 0), -0.05), up = count_along(&s, v3(0, 1, 0), -0.1);
        CHECK((sideways > 0) == (i == 0), "%s: %d sideways", methods[i], sideways);
        CHECK(up > 0, "%s: %d up", methods[i], up);
        local_end(&s);
    }
    CHECK_DONE();
}

// Two cubes side by side, cut at x = 1, each of six tetrahedra; B is sunk by 0.1 into their top y = 1, with an upright
// edge at x = 0.95. The tetrahedron with the corners (0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1) meets B; its edge from
// (1, 1, 0) to (1, 1, 1) is flat, and its cross product with the upright one is along x, with an overlap of 0.05.
// Without flat edges the least is 0.1, along y: of the other axes, the best is that of the upright edge (0, 0, 0) to
// (0, 1, 0) and B's edge (0.1, 0, 0.6), about 0.13.
static void flat_edges_give_no_axis_if_asked(void **state)
{
    (void)state;
    static const int cells[3] = {2, 1, 1};
    const abut_vec3 vertices[4] = {{0.95, 0.9, 0.5}, {1.6, 0.9, 0.2}, {1.7, 0.9, 0.8}, {0.95, 1.8, 0.5}};
    const char *const options[] = {"skip-flat-edges=no", "skip-flat-edges=yes"};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, "surface-sat", options[i], make_tet_block(NULL, cells, 0.0, 1, 1.0),
                    make_tetrahedron(NULL, vertices));
        local_find(&s);
        int sideways = count_along(&s, v3(1, 0, 0), -0.05), up = count_along(&s, v3(0, 1, 0), -0.1);
        CHECK((sideways > 0) == (i == 0), "%s: %d sideways", options[i], sideways);
        CHECK(up > 0, "%s: %d up", options[i], up);
        local_end(&s);
    }
    CHECK_DONE();
}

// Over a gap the plane is at the mean of the points, which are the block's corners.
static void shared_checks(void **state)
{
    (void)state;
    check_both_readings("surface-sat", 0.01);
    check_face_on_face("surface-sat", "skip-flat-edges=yes");
    local_check_motion("surface-sat", "skip-flat-edges=yes");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertex_in_face),
        cmocka_unit_test(edge_across_edge),
        cmocka_unit_test(inner_faces_give_no_axis),
        cmocka_unit_test(flat_edges_give_no_axis_if_asked),
        cmocka_unit_test(shared_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
