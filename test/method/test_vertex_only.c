// SPDX-License-Identifier: MIT
// test_vertex_only.c: method vertex-only by hand, by brute force, and under motion
#include "tet_vertex.h"

// A tip at (0.3, 0.1, 0.2) in the cube's corner. Distances: 0.3, 0.1, 0.2 to the three walls and 0.4 / sqrt 3 = 0.2309
// to the slanted face. Nearest is y = 0: normal -y, gap -0.1, foot (0.3, 0, 0.2), midpoint (0.3, 0.05, 0.2). The
// program takes the farthest, x = 0, with normal -x and gap -0.3, and has its contacts at the vertex.
static void nearest_and_farthest(void **state)
{
    (void)state;
    abut_vec3 tip = v3(0.3, 0.1, 0.2);
    const local_expected text[] = {{v3(0.3, 0.05, 0.2), v3(0, -1, 0), -0.1}};
    const local_expected program[] = {{tip, v3(-1, 0, 0), -0.3}};
    check_vertices("vertex-only", NULL, make_corner(), make_needle(tip), text, 1, "text");
    check_vertices("vertex-only", "reading=program", make_corner(), make_needle(tip), program, 1, "program");
    CHECK_DONE();
}

// A tip at (0.1, 0.4, 0.1) is equally near to x = 0 and z = 0: both are reported, as one of several right ones. For
// the program the farthest of 0.1, 0.4, 0.1 and 0.4 / sqrt 3 is y = 0. At (0.25, 0.25, 0.1) the distances are 0.25,
// 0.25, 0.1 and 0.4 / sqrt 3 = 0.2309: the program reports both x = 0 and y = 0.
static void equally_near_faces_all_report(void **state)
{
    (void)state;
    const local_expected both[] = {{v3(0.05, 0.4, 0.1), v3(-1, 0, 0), -0.1},
                                   {v3(0.1, 0.4, 0.05), v3(0, 0, -1), -0.1}};
    local_scene s;
    local_begin(&s, NULL, "vertex-only", NULL, make_corner(), make_needle(v3(0.1, 0.4, 0.1)));
    local_find(&s);
    local_check(&s, both, 2, "two");
    CHECK_INT(s.result.stats.arbitrary_normals, 2, "counted");
    for (int i = 0; i < s.result.contacts.count; ++i) {
        CHECK_INT(s.result.contacts.items[i].rule, ABUT_RULE_NONE, "rule");
    }
    local_end(&s);
    const local_expected far[] = {{v3(0.1, 0.4, 0.1), v3(0, -1, 0), -0.4}};
    check_vertices("vertex-only", "reading=program", make_corner(), make_needle(v3(0.1, 0.4, 0.1)), far, 1,
                   "farthest");
    const local_expected ties[] = {{v3(0.25, 0.25, 0.1), v3(-1, 0, 0), -0.25},
                                   {v3(0.25, 0.25, 0.1), v3(0, -1, 0), -0.25}};
    check_vertices("vertex-only", "reading=program", make_corner(), make_needle(v3(0.25, 0.25, 0.1)), ties, 2,
                   "ties");
    CHECK_DONE();
}

// Two tetrahedra on the face x = 0, corners (-1, 0, 0) and (1, 0, 0) beside (0, 0, 0), (0, 1, 0), (0, 0, 1). A tip at
// (0.2, 0.3, 0.25) is in the second. Its distance to the shared face, 0.2, does not count; to y = 0 it is 0.3, to z =
// 0 0.25, to x + y + z = 1 it is 0.25 / sqrt 3 = 0.1443, which wins: normal (1, 1, 1) / sqrt 3, foot = tip + 0.25 / 3
// in every coordinate.
static void inner_faces_do_not_count(void **state)
{
    (void)state;
    double r = 1.0 / sqrt(3.0);
    const local_expected expected[] = {
        {v3(0.2 + 0.125 / 3, 0.3 + 0.125 / 3, 0.25 + 0.125 / 3), v3(r, r, r), -0.25 * r}};
    check_vertices("vertex-only", NULL, make_two_corners(), make_needle(v3(0.2, 0.3, 0.25)), expected, 1,
                   "inner face");
    CHECK_DONE();
}

// A tip on the slanted face, at (0.2, 0.5, 0.3), and within half a tolerance of it, touches; at two tolerances it does
// not. Near the sharp corner (1, 0, 0) a tip that is within the tolerance of all four planes may be far away: the
// planes x + y + z = 1 and y = 0 make an angle with cosine 1 / sqrt 3, and the tip at (1 + d, -0.9 t, -0.9 t) is
// within t of the slanted plane for d up to (sqrt 3 + 1.8) t; its distance to the corner is above 3 t.
static void touching_is_within_the_tolerance(void **state)
{
    (void)state;
    double t = 1e-6, r = 1.0 / sqrt(3.0);
    static const double gaps[3] = {0.0, 0.5, 2.0};
    for (int i = 0; i < 3; ++i) {
        double g = gaps[i] * t;
        abut_vec3 touching = v3(0.2, 0.5, 0.3);
        local_scene s;
        local_begin(&s, NULL, "vertex-only", NULL, make_corner(),
                    make_needle(abut_add_scaled(touching, g * r, v3(1, 1, 1))));
        s.params.tolerance = abut_absolute(t);
        const local_expected expected[] = {{abut_add_scaled(touching, 0.5 * g * r, v3(1, 1, 1)), v3(r, r, r), g}};
        local_find(&s);
        local_check(&s, expected, i < 2, "touching");
        s.params.envelope = abut_absolute(3.0 * t);
        local_find(&s);
        local_check(&s, expected, 1, "in the envelope");
        local_end(&s);
    }
    local_scene s;
    local_begin(&s, NULL, "vertex-only", NULL, make_corner(), make_needle(v3(1.0 + 3.4 * t, -0.9 * t, -0.9 * t)));
    s.params.tolerance = abut_absolute(t);
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 0, "beyond a sharp corner");
    local_end(&s);
    CHECK_DONE();
}

static void flat_tetrahedra_are_counted(void **state)
{
    (void)state;
    check_flat_host("vertex-only");
    CHECK_DONE();
}

// ---- brute force

/// Six times the volume of a tetrahedron.
static double volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    return abut_dot(abut_cross(abut_sub(b, a), abut_sub(c, a)), abut_sub(d, a));
}

/// Checks the contact of one vertex in one tetrahedron. Distances come from volumes here, from planes in the method.
static void expect_vertex(const local_scene *s, int host, abut_vec3 p, int vertex, int tet, int takes_farthest,
                          int *expected)
{
    abut_mesh_elements elements = abut_mesh_get_elements(s->meshes[host]);
    abut_mesh_topology topology = abut_mesh_get_topology(s->meshes[host]);
    const abut_pose pose = host == 0 ? s->pair.a.pose : s->pair.b.pose;
    abut_vec3 c[4];
    for (int k = 0; k < 4; ++k) {
        c[k] = abut_pose_apply(pose, elements.vertices[elements.tets[4 * tet + k]]);
    }
    double best = HUGE_VAL;
    int best_face = -1;
    for (int k = 0; k < 4; ++k) {
        abut_vec3 q[4] = {c[0], c[1], c[2], c[3]};
        q[k] = p;
        double part = volume(q[0], q[1], q[2], q[3]) / volume(c[0], c[1], c[2], c[3]);
        if (part < 0.0) {
            return;
        }
        abut_vec3 x = c[(k + 1) % 4], y = c[(k + 2) % 4], z = c[(k + 3) % 4];
        double height =
            part * fabs(volume(c[0], c[1], c[2], c[3])) / abut_norm(abut_cross(abut_sub(y, x), abut_sub(z, x)));
        double score = takes_farthest ? -height : height;
        if (topology.tet_triangles[4 * tet + k] >= 0 && score < best) {
            best = score;
            best_face = topology.tet_triangles[4 * tet + k];
        }
    }
    if (best_face < 0) {
        return;
    }
    ++*expected;
    int matches = 0;
    for (int i = 0; i < s->result.contacts.count; ++i) {
        const abut_contact *contact = &s->result.contacts.items[i];
        const abut_feature *face = host == 0 ? &contact->feature_a : &contact->feature_b;
        const abut_feature *point = host == 0 ? &contact->feature_b : &contact->feature_a;
        matches += face->kind == ABUT_FEATURE_FACE && face->index == elements.triangle_faces[best_face] &&
                   point->kind == ABUT_FEATURE_VERTEX && point->index == vertex &&
                   fabs(contact->gap + fabs(best)) <= 1e-12;
    }
    CHECK(matches == 1, "vertex %d in tetrahedron %d: %d contacts", vertex, tet, matches);
}

/// Whether a vertex counts. With reading=program inner vertices count if one of their tetrahedra has a surface
/// triangle.
static int counts(const abut_mesh *mesh, int vertex, int takes_inner)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(mesh);
    for (int i = 0; i < 3 * elements.triangle_count; ++i) {
        if (elements.triangles[i] == vertex) {
            return 1;
        }
    }
    for (int i = 0; takes_inner && i < 4 * elements.tet_count; ++i) {
        const int *faces = &topology.tet_triangles[4 * (i / 4)];
        if (elements.tets[i] == vertex && (faces[0] >= 0 || faces[1] >= 0 || faces[2] >= 0 || faces[3] >= 0)) {
            return 1;
        }
    }
    return 0;
}

// Random poses of two blocks with inner vertices: every vertex against every tetrahedron.
static void check_brute_force(const char *option)
{
    static const int cells[3] = {3, 2, 2};
    int is_program = option != NULL, total = 0;
    test_random random = {21};
    local_scene s;
    local_begin(&s, NULL, "vertex-only", option, make_tet_block(NULL, cells, 0.2, 1, 1.0),
                make_tet_block(NULL, cells, 0.2, 2, 1.0));
    s.params.flags = is_program ? 0 : ABUT_PARAMS_KEEP_REDUNDANT; // it finds a vertex with each of its tetrahedra
    for (int round = 0; round < 40; ++round) {
        int expected = 0;
        s.pair.a.pose = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        s.pair.b.pose = abut_pose_make(random_vec3(&random, 2.0), random_rotation(&random));
        local_find(&s);
        local_check_sane(&s);
        for (int host = 0; host < 2; ++host) {
            const abut_pose guest_pose = host == 0 ? s.pair.b.pose : s.pair.a.pose;
            abut_mesh_elements guest = abut_mesh_get_elements(s.meshes[!host]);
            int tet_count = abut_mesh_get_elements(s.meshes[host]).tet_count;
            for (int vertex = 0; vertex < guest.vertex_count; ++vertex) {
                abut_vec3 p = abut_pose_apply(guest_pose, guest.vertices[vertex]);
                for (int tet = 0; tet < tet_count && counts(s.meshes[!host], vertex, is_program); ++tet) {
                    expect_vertex(&s, host, p, vertex, tet, is_program, &expected);
                }
            }
        }
        CHECK_INT(s.result.contacts.count, expected, "nothing else");
        total += expected;
    }
    CHECK(total > 100, "there was something: %d", total);
    local_end(&s);
}

static void brute_force(void **state)
{
    (void)state;
    check_brute_force(NULL);
    check_brute_force("reading=program");
    CHECK_DONE();
}

static void motion_threads_distance_and_memory(void **state)
{
    (void)state;
    local_check_invariants("vertex-only", NULL);
    local_check_invariants("vertex-only", "reading=program");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_and_farthest),
        cmocka_unit_test(equally_near_faces_all_report),
        cmocka_unit_test(inner_faces_do_not_count),
        cmocka_unit_test(touching_is_within_the_tolerance),
        cmocka_unit_test(flat_tetrahedra_are_counted),
        cmocka_unit_test(brute_force),
        cmocka_unit_test(motion_threads_distance_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
