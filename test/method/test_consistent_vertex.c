// SPDX-License-Identifier: MIT
// test_consistent_vertex.c: method consistent-vertex by hand, by brute force, and under motion
#include "tet_vertex.h"

// A needle from above with its tip at (0.3, 0.1, 0.2), nearest to the wall y = 0. Its edges leave by the slanted face:
// normal (1, 1, 1) / sqrt 3, depth 0.4 / sqrt 3, foot = tip + 0.4 / 3 in every coordinate. By program, each
// edge gives this contact, at the tip.
static void edges_decide_and_not_nearness(void **state)
{
    (void)state;
    double r = 1.0 / sqrt(3.0), h = 0.2 / 3.0;
    const local_expected expected[] = {{v3(0.3 + h, 0.1 + h, 0.2 + h), v3(r, r, r), -0.4 * r}};
    check_vertices("consistent-vertex", NULL, make_corner(), make_needle(v3(0.3, 0.1, 0.2)), expected, 1, "text");
    const local_expected program[] = {{v3(0.3, 0.1, 0.2), v3(r, r, r), -0.4 * r}};
    check_vertices("consistent-vertex", "reading=program", make_corner(), make_needle(v3(0.3, 0.1, 0.2)), program,
                   1, "program");
    local_scene s;
    local_begin(&s, NULL, "consistent-vertex", "reading=program", make_corner(), make_needle(v3(0.3, 0.1, 0.2)));
    local_find(&s);
    CHECK_INT(s.result.stats.raw_contacts, 3, "one an edge");
    local_end(&s);
    CHECK_DONE();
}

// From (0.1, 0.2, 0.2) edges go straight to -x, +y and +z. The first crosses x = 0 after 0.1, the others the slanted
// face after 0.5. The nearest crossing is that of x = 0: normal -x, gap -0.1. The program reports both faces; the
// slanted one with gap -0.5 / sqrt 3, both at the vertex.
static void nearest_crossing_wins(void **state)
{
    (void)state;
    double r = 1.0 / sqrt(3.0);
    const abut_vec3 tip = v3(0.1, 0.2, 0.2);
    for (int i = 0; i < 2; ++i) {
        const local_expected expected[] = {{i ? tip : v3(0.05, 0.2, 0.2), v3(-1, 0, 0), -0.1},
                                           {tip, v3(r, r, r), -0.5 * r}};
        check_vertices("consistent-vertex", i ? "reading=program" : NULL, make_corner(),
                       make_spike(tip, v3(-1, 0, 0), v3(0, 2, 0), v3(0, 0, 2)), expected, 1 + i,
                       i ? "program" : "text");
    }
    CHECK_DONE();
}

// From (0.2, 0.1, 0.2) edges go to -x and -z with the same slope: both walls are crossed at the same distance, and
// both give a contact. The third edge goes up and leaves by the slanted face, further away.
static void equally_near_crossings_all_report(void **state)
{
    (void)state;
    const local_expected expected[] = {{v3(0.1, 0.1, 0.2), v3(-1, 0, 0), -0.2},
                                       {v3(0.2, 0.1, 0.1), v3(0, 0, -1), -0.2}};
    local_scene s;
    local_begin(&s, NULL, "consistent-vertex", NULL, make_corner(),
                make_spike(v3(0.2, 0.1, 0.2), v3(-1, 0.2, 0), v3(0, 0.2, -1), v3(0.3, 2, 0.3)));
    local_find(&s);
    local_check(&s, expected, 2, "two");
    CHECK_INT(s.result.stats.arbitrary_normals, 2, "counted");
    local_end(&s);
    CHECK_DONE();
}

// A tip that touches the wall y = 0 from below: one contact with gap 0; for the program an end on the plane crosses
// nothing. Two tolerances away there is nothing, and in an envelope of three there is the gap.
static void touching_is_within_the_tolerance(void **state)
{
    (void)state;
    const abut_vec3 u = {0.1, -2, 0}, v = {-0.1, -2, 0.1}, w = {0, -2, -0.1};
    const local_expected touching[] = {{v3(0.25, 0, 0.25), v3(0, -1, 0), 0.0}};
    check_vertices("consistent-vertex", NULL, make_corner(), make_spike(v3(0.25, 0, 0.25), u, v, w), touching, 1,
                   "text");
    check_vertices("consistent-vertex", "reading=program", make_corner(), make_spike(v3(0.25, 0, 0.25), u, v, w),
                   NULL, 0, "program");
    const local_expected apart[] = {{v3(0.25, -1e-6, 0.25), v3(0, -1, 0), 2e-6}};
    local_scene s;
    local_begin(&s, NULL, "consistent-vertex", NULL, make_corner(), make_spike(v3(0.25, -2e-6, 0.25), u, v, w));
    s.params.tolerance = abut_absolute(1e-6);
    local_find(&s);
    local_check(&s, NULL, 0, "apart");
    s.params.envelope = abut_absolute(3e-6);
    local_find(&s);
    local_check(&s, apart, 1, "in the envelope");
    local_end(&s);
    CHECK_DONE();
}

// The tip is at (0.25, 0.1, 0.25). One edge goes down and ends 0.5e-6 in front of the wall y = 0, half the tolerance:
// that is on the wall, and no crossing. The others leave by the slanted face, so the tip has its normal (1, 1, 1) /
// sqrt 3 and the depth 0.4 / sqrt 3. (The end of the first edge touches the wall and has contacts of its own.)
static void edges_that_end_on_a_face_do_not_cross_it(void **state)
{
    (void)state;
    double r = 1.0 / sqrt(3.0);
    local_scene s;
    local_begin(&s, NULL, "consistent-vertex", NULL, make_corner(),
                make_spike(v3(0.25, 0.1, 0.25), v3(0, -0.1 - 0.5e-6, 0), v3(0.1, 2, 0), v3(-0.1, 2, 0.1)));
    s.params.tolerance = abut_absolute(1e-6);
    local_find(&s);
    int found = 0;
    for (int i = 0; i < s.result.contacts.count; ++i) {
        const abut_contact *c = &s.result.contacts.items[i];
        if (c->feature_b.kind == ABUT_FEATURE_VERTEX && c->feature_b.index == 0) {
            ++found;
            CHECK_NEAR(abut_norm(abut_sub(c->normal, v3(r, r, r))), 0.0, 1e-12, "slanted");
            CHECK_NEAR(c->gap, -0.4 * r, 1e-12, "depth");
        }
    }
    CHECK_INT(found, 1, "one contact of the tip");
    local_end(&s);
    CHECK_DONE();
}

// Two tetrahedra on the face x = 0. A tip at (0.05, 0.3, 0.25) in the second, with edges that go to -x, through the
// shared face and the first: they cross no surface face of the tetrahedron that the tip is in. The method misses
// it.
static void edges_through_inner_faces_are_not_seen(void **state)
{
    (void)state;
    check_vertices("consistent-vertex", NULL, make_two_corners(),
                   make_spike(v3(0.05, 0.3, 0.25), v3(-3, 0.1, 0), v3(-3, -0.1, 0.1), v3(-3, 0, -0.1)), NULL, 0,
                   "deep");
    CHECK_DONE();
}

static void flat_tetrahedra_are_counted(void **state)
{
    (void)state;
    check_flat_host("consistent-vertex");
    CHECK_DONE();
}

// ---- brute force

/// Six times the volume of a tetrahedron.
static double volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d)
{
    return abut_dot(abut_cross(abut_sub(b, a), abut_sub(c, a)), abut_sub(d, a));
}

/// A side with its vertices in the world.
typedef struct world {
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    abut_vec3 vertices[64];
} world;

static world get_world(const abut_mesh *mesh, abut_pose pose)
{
    world w = {.elements = abut_mesh_get_elements(mesh), .topology = abut_mesh_get_topology(mesh)};
    assert_in_range(w.elements.vertex_count, 1, 64);
    for (int i = 0; i < w.elements.vertex_count; ++i) {
        w.vertices[i] = abut_pose_apply(pose, w.elements.vertices[i]);
    }
    return w;
}

static int is_surface_tet(const world *w, int tet)
{
    const int *faces = &w->topology.tet_triangles[4 * tet];
    return faces[0] >= 0 || faces[1] >= 0 || faces[2] >= 0 || faces[3] >= 0;
}

static int is_in_tet(const world *host, int tet, abut_vec3 p)
{
    abut_vec3 c[4];
    for (int k = 0; k < 4; ++k) {
        c[k] = host->vertices[host->elements.tets[4 * tet + k]];
    }
    for (int k = 0; k < 4; ++k) {
        abut_vec3 q[4] = {c[0], c[1], c[2], c[3]};
        q[k] = p;
        if (volume(q[0], q[1], q[2], q[3]) / volume(c[0], c[1], c[2], c[3]) < 0.0) {
            return 0;
        }
    }
    return 1;
}

/// The part of the way from p to q at which the plane of a triangle is crossed, and with `in_triangle` the triangle
/// itself; 2 if it is not.
static double crossing(const world *host, int triangle, abut_vec3 p, abut_vec3 q, int in_triangle)
{
    const int *corners = &host->elements.triangles[3 * triangle];
    abut_vec3 x = host->vertices[corners[0]], y = host->vertices[corners[1]], z = host->vertices[corners[2]];
    double before = volume(x, y, z, p), after = volume(x, y, z, q);
    if (!(before < 0.0 && after > 0.0)) {
        return 2.0;
    }
    double around[3] = {volume(p, q, x, y), volume(p, q, y, z), volume(p, q, z, x)};
    int is_through = (around[0] > 0.0) == (around[1] > 0.0) && (around[1] > 0.0) == (around[2] > 0.0);
    return in_triangle && !is_through ? 2.0 : before / (before - after);
}

/// The contacts that should be there: by host, vertex and surface triangle, in how many copies.
typedef struct tally {
    int count[2][64][160];
    int total;
} tally;

static void expect_text(const world *host, const world *guest, int side, tally *expected)
{
    for (int vertex = 0; vertex < guest->elements.vertex_count; ++vertex) {
        abut_vec3 p = guest->vertices[vertex];
        for (int tet = 0; tet < host->elements.tet_count; ++tet) {
            double best = HUGE_VAL;
            int best_triangle = -1;
            for (int i = 0; i < 3 * guest->elements.triangle_count && is_in_tet(host, tet, p); ++i) {
                // every edge is in two triangles, once in each direction
                int from = guest->elements.triangles[i], to = guest->elements.triangles[i % 3 == 2 ? i - 2 : i + 1];
                for (int k = 0; k < 4 && from == vertex; ++k) {
                    int triangle = host->topology.tet_triangles[4 * tet + k];
                    double t = triangle < 0 ? 2.0 : crossing(host, triangle, p, guest->vertices[to], 1);
                    double way = t * abut_norm(abut_sub(guest->vertices[to], p));
                    if (t <= 1.0 && way < best) {
                        best = way;
                        best_triangle = triangle;
                    }
                }
            }
            if (best_triangle >= 0) {
                ++expected->count[side][vertex][best_triangle];
                ++expected->total;
            }
        }
    }
}

static void expect_program(const world *host, const world *guest, int side, tally *expected)
{
    for (int i = 0; i < 16 * guest->elements.tet_count; ++i) {
        int guest_tet = i / 16;
        int vertex = guest->elements.tets[4 * guest_tet + i / 4 % 4],
            to = guest->elements.tets[4 * guest_tet + i % 4];
        for (int tet = 0; tet < host->elements.tet_count && vertex != to && is_surface_tet(guest, guest_tet);
             ++tet) {
            double best = 2.0;
            int best_triangle = -1;
            for (int k = 0; k < 4 && is_in_tet(host, tet, guest->vertices[vertex]); ++k) {
                int triangle = host->topology.tet_triangles[4 * tet + k];
                double t =
                    triangle < 0 ? 2.0 : crossing(host, triangle, guest->vertices[vertex], guest->vertices[to], 0);
                if (t < best) {
                    best = t;
                    best_triangle = triangle;
                }
            }
            if (best_triangle >= 0) {
                ++expected->count[side][vertex][best_triangle];
                ++expected->total;
            }
        }
    }
}

// Random poses of two blocks with inner vertices.
static void check_brute_force(const char *option)
{
    static const int cells[3] = {3, 2, 2};
    static tally expected;
    int total = 0;
    test_random random = {22};
    local_scene s;
    local_begin(&s, NULL, "consistent-vertex", option, make_tet_block(NULL, cells, 0.2, 1, 1.0),
                make_tet_block(NULL, cells, 0.2, 2, 1.0));
    s.params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
    for (int round = 0; round < 40; ++round) {
        s.pair.a.pose = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        s.pair.b.pose = abut_pose_make(random_vec3(&random, 2.0), random_rotation(&random));
        local_find(&s);
        local_check_sane(&s);
        world sides[2] = {get_world(s.meshes[0], s.pair.a.pose), get_world(s.meshes[1], s.pair.b.pose)};
        memset(&expected, 0, sizeof expected);
        for (int host = 0; host < 2; ++host) {
            (option != NULL ? expect_program : expect_text)(&sides[host], &sides[!host], host, &expected);
        }
        CHECK_INT(s.result.contacts.count, expected.total, "as many");
        total += expected.total;
        for (int i = 0; i < s.result.contacts.count; ++i) {
            const abut_contact *c = &s.result.contacts.items[i];
            int host = c->normal_side == ABUT_NORMAL_B;
            const abut_feature *point = host ? &c->feature_a : &c->feature_b;
            // all faces are triangles, so faces and triangles have the same numbers
            CHECK(point->kind == ABUT_FEATURE_VERTEX &&
                      expected.count[host][point->index][c->normal_feature.index]-- > 0,
                  "vertex %d with face %d was not expected", point->index, c->normal_feature.index);
        }
    }
    CHECK(total > 50, "there was something: %d", total);
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
    local_check_invariants("consistent-vertex", NULL);
    local_check_invariants("consistent-vertex", "reading=program");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_decide_and_not_nearness),
        cmocka_unit_test(nearest_crossing_wins),
        cmocka_unit_test(equally_near_crossings_all_report),
        cmocka_unit_test(touching_is_within_the_tolerance),
        cmocka_unit_test(edges_that_end_on_a_face_do_not_cross_it),
        cmocka_unit_test(edges_through_inner_faces_are_not_seen),
        cmocka_unit_test(flat_tetrahedra_are_counted),
        cmocka_unit_test(brute_force),
        cmocka_unit_test(motion_threads_distance_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
