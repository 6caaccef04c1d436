// SPDX-License-Identifier: MIT
// test_intersection_readings.c: both readings and the options of method intersection, by hand and by brute force
#include "method/local.h"
#include "method/local_scene.h"

// Two tetrahedra, ridge across ridge: A's from (-1, 0, 0) to (1, 0, 0) with the other two vertices at (0, -1, -1) and
// (0, -1, 1); B is its mirror image in y, turned by a quarter about y, and sunk by d: a ridge from (0, -d, -1) to
// (0, -d, 1) below (-1, 1, 0) and (1, 1, 0).
static abut_mesh *make_lower(void)
{
    const abut_vec3 vertices[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, -1}, {0, -1, 1}};
    return make_tetrahedron(NULL, vertices);
}

static abut_mesh *make_upper(double d)
{
    const abut_vec3 vertices[4] = {{0, -d, -1}, {0, -d, 1}, {-1, 1, 0}, {1, 1, 0}};
    return make_tetrahedron(NULL, vertices);
}

// Sunk by d = 1/8. On paper, with signs s and t:
// - The ridges cross at x = z = 0: normal +y, gap -d, midpoint (0, -d/2, 0).
// - A's edge from (s, 0, 0) to (0, -1, t) and B's edge from (0, -d, -t) to (-s, 1, 0) have the closest points
//   (s (1 - e), -e, t e) and (-s e, -e, -t (1 - e)) with e = d / (2 + d) = 1/17. Their cross product is along
//   (t, 0, s). Their midpoint (s, 0, -t) (1 - 2 e) / 2 + (0, -e, 0) is behind both faces, so all four count, far from
//   where the bodies meet: the fault of the paper's section 7.1. The difference of the closest points is -(s, 0, t).
// - No vertex is behind a crossing face within its edge planes. Other pairs of edges have closest points outside, or a
//   midpoint in front.
// Text: the outward normals decide the sign: the roof at z of sign t and B's side at x of sign -s give n = s t
// (t, 0, s) / sqrt 2 = (s, 0, t) / sqrt 2, and the closest points the gap -sqrt 2. Program: along (t, 0, s) both
// tetrahedra reach from -1 / sqrt 2 to 1 / sqrt 2, so neither starts first, and both signs are reported, with gap
// -sqrt 2.
static void sunk_ridges(void **state)
{
    (void)state;
    static const int signs[4][2] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    double d = 0.125, e = 1.0 / 17.0, r = sqrt(0.5);
    local_expected expected[2][9] = {{{v3(0, -0.5 * d, 0), v3(0, 1, 0), -d}},
                                     {{v3(0, -0.5 * d, 0), v3(0, 1, 0), -d}}};
    for (int i = 0; i < 4; ++i) {
        int s = signs[i][0], t = signs[i][1];
        abut_vec3 position = v3(0.5 * s * (1.0 - 2.0 * e), -e, -0.5 * t * (1.0 - 2.0 * e));
        expected[0][1 + i] = (local_expected){position, v3(r * s, 0, r * t), -sqrt(2.0)};
        expected[1][1 + i] = (local_expected){position, v3(r * t, 0, r * s), -sqrt(2.0)};
        expected[1][5 + i] = (local_expected){position, v3(-r * t, 0, -r * s), -sqrt(2.0)};
    }
    static const char *const options[] = {NULL, "reading=program"};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, "intersection", options[i], make_lower(), make_upper(d));
        local_find(&s);
        local_check(&s, expected[i], i == 0 ? 5 : 9, i == 0 ? "text" : "program");
        local_check_sane(&s);
        local_end(&s);
    }
    CHECK_DONE();
}

// Touching, the program ends at the axis of the ridges, along which the tetrahedra just touch: nothing. The text has
// the crossing.
static void touching_ridges(void **state)
{
    (void)state;
    const local_expected expected[] = {{v3(0, 0, 0), v3(0, 1, 0), 0.0}};
    static const char *const options[] = {NULL, "reading=program"};
    for (int i = 0; i < 2; ++i) {
        local_scene s;
        local_begin(&s, NULL, "intersection", options[i], make_lower(), make_upper(0.0));
        local_find(&s);
        local_check(&s, expected, i == 0, i == 0 ? "text" : "program");
        local_end(&s);
    }
    CHECK_DONE();
}

// A block on a slab, as in test_intersection.c: the diagonals of the two faces and the edges of the block that they
// cross are left out, and four corners stay.
static void flat_edges_are_left_out(void **state)
{
    (void)state;
    abut_vec3 up = v3(0, 1, 0);
    const local_expected expected[] = {
        {v3(1, 1, 1.5), up, 0}, {v3(3, 1, 1.5), up, 0}, {v3(1, 1, 2.5), up, 0}, {v3(3, 1, 2.5), up, 0}};
    local_scene s;
    local_begin(&s, NULL, "intersection", "skip-flat-edges=yes", make_box(NULL, v3(0, 0, 0), v3(4, 1, 4)),
                make_box(NULL, v3(1, 1, 1.5), v3(3, 2, 2.5)));
    local_find(&s);
    local_check(&s, expected, 4, "corners");
    local_end(&s);
    CHECK_DONE();
}

// Two triangles on the edge from (0, 0, 0) to (1, 0, 0): in one plane, bent by less and by more than the angle, folded
// back onto each other, of the same winding, and without area. Only the first two are flat.
static void flat_is_one_plane_on_both_sides(void **state)
{
    (void)state;
    static const struct {
        abut_vec3 third, fourth;
        int is_turned, is_flat;
        const char *label;
    } rows[] = {{{0, 1, 0}, {0, -1, 0}, 0, 1, "flat"},           {{0, 1, 0}, {0, -1, 5e-4}, 0, 1, "bent a little"},
                {{0, 1, 0}, {0, -1, 2e-3}, 0, 0, "bent"},        {{0, 1, 0}, {0, 2, 0}, 0, 0, "folded"},
                {{0, 1, 0}, {0, 2, 0}, 1, 0, "folded, one way"}, {{0, 1, 0}, {0, -1, 0}, 1, 0, "one way"},
                {{0, 1, 0}, {2, 0, 0}, 0, 0, "no area"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const abut_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, rows[i].third, rows[i].fourth};
        const int triangles[6] = {0, 1, 2, rows[i].is_turned ? 0 : 1, rows[i].is_turned ? 1 : 0, 3};
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 4;
        def.face_vertices = triangles;
        def.face_count = 2;
        abut_mesh *mesh = NULL;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        abut_placed side = {.mesh = mesh,
                            .elements = abut_mesh_get_elements(mesh),
                            .topology = abut_mesh_get_topology(mesh),
                            .vertices = vertices};
        CHECK_INT(abut_placed_edge_is_flat(&side, abut_mesh_find_edge(mesh, 0, 1), 1e-3), rows[i].is_flat,
                  rows[i].label);
        CHECK_INT(abut_placed_edge_is_flat(&side, abut_mesh_find_edge(mesh, 0, 2), 1e-3), 0, "border");
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

static void program_needs_tetrahedra(void **state)
{
    (void)state;
    local_scene s;
    local_begin(&s, NULL, "intersection", "reading=program", make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)),
                make_upper(0.0));
    abut_status status = abut_find_contacts(&s.pair, s.method, &s.params, s.workspace, &s.result);
    CHECK_STATUS(status, ABUT_UNSUPPORTED, "no tetrahedra");
    CHECK(strstr(s.result.error.text, "tetrahedra") != NULL, "says why: %s", s.result.error.text);
    local_end(&s);
    CHECK_DONE();
}

// ---- brute force

typedef struct corners {
    abut_vec3 at[3];
    abut_vec3 normal;
} corners;

static corners get_corners(const abut_mesh *mesh, abut_pose pose, int triangle)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    corners t;
    for (int k = 0; k < 3; ++k) {
        t.at[k] = abut_pose_apply(pose, elements.vertices[elements.triangles[3 * triangle + k]]);
    }
    t.normal = abut_unit(abut_cross(abut_sub(t.at[1], t.at[0]), abut_sub(t.at[2], t.at[0])));
    return t;
}

/// Weights of the projection of a point to the plane of a triangle, by the normal equations; the return value is its
/// height.
static double project(const corners *t, abut_vec3 p, double weights[3])
{
    abut_vec3 u = abut_sub(t->at[1], t->at[0]), v = abut_sub(t->at[2], t->at[0]), w = abut_sub(p, t->at[0]);
    double uu = abut_dot(u, u), uv = abut_dot(u, v), vv = abut_dot(v, v), uw = abut_dot(u, w), vw = abut_dot(v, w);
    double determinant = uu * vv - uv * uv;
    weights[1] = (uw * vv - vw * uv) / determinant;
    weights[2] = (vw * uu - uw * uv) / determinant;
    weights[0] = 1.0 - weights[1] - weights[2];
    return abut_dot(t->normal, w);
}

static int is_within(const double weights[3])
{
    return weights[0] >= 0.0 && weights[1] >= 0.0 && weights[2] >= 0.0;
}

static int has_edge_through(const corners *edges, const corners *face)
{
    for (int k = 0; k < 3; ++k) {
        double weights[3];
        double from = project(face, edges->at[k], weights), to = project(face, edges->at[(k + 1) % 3], weights);
        if (from * to < 0.0) {
            (void)project(face, abut_lerp(edges->at[k], edges->at[(k + 1) % 3], from / (from - to)), weights);
            if (is_within(weights)) {
                return 1;
            }
        }
    }
    return 0;
}

/// The contact with these features and this normal and gap is there as often as it is expected once more.
static void expect(const local_scene *s, const abut_contact *wanted, int *seen)
{
    for (int i = 0; i < s->result.contacts.count; ++i) {
        const abut_contact *c = &s->result.contacts.items[i];
        if (!seen[i] && local_has_same_features(wanted, c, 0) &&
            abut_norm(abut_sub(wanted->normal, c->normal)) <= 1e-9 && fabs(wanted->gap - c->gap) <= 1e-9) {
            seen[i] = 1;
            return;
        }
    }
    CHECK(0, "a contact of features %d %d and %d %d is missing", (int)wanted->feature_a.kind,
          wanted->feature_a.index, (int)wanted->feature_b.kind, wanted->feature_b.index);
}

static void expect_vertices(const local_scene *s, const corners t[2], const int triangles[2], int face, int *seen)
{
    abut_mesh_elements points = abut_mesh_get_elements(s->meshes[!face]);
    for (int k = 0; k < 3; ++k) {
        double weights[3];
        double height = project(&t[face], t[!face].at[k], weights);
        if (height <= 0.0 && is_within(weights)) {
            abut_feature vertex = abut_feature_vertex(points.triangles[3 * triangles[!face] + k]);
            abut_contact c = {.gap = height, .normal_feature = abut_feature_face(triangles[face])};
            c.feature_a = face == 0 ? c.normal_feature : vertex;
            c.feature_b = face == 0 ? vertex : c.normal_feature;
            c.normal = face == 0 ? t[0].normal : abut_negate(t[1].normal);
            expect(s, &c, seen);
        }
    }
}

/// How far two triangles must be moved apart along a direction.
static double overlap(const corners t[2], abut_vec3 n)
{
    double highest = -HUGE_VAL, lowest = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        highest = fmax(highest, abut_dot(n, t[0].at[k]));
        lowest = fmin(lowest, abut_dot(n, t[1].at[k]));
    }
    return highest - lowest;
}

static void expect_edges(const local_scene *s, const corners t[2], const int triangles[2], int i, int k, int *seen)
{
    abut_vec3 p = t[0].at[i], q = t[1].at[k];
    abut_vec3 u = abut_sub(t[0].at[(i + 1) % 3], p), v = abut_sub(t[1].at[(k + 1) % 3], q), w = abut_sub(q, p);
    // |w + y v - x u| is least
    double uu = abut_dot(u, u), uv = abut_dot(u, v), vv = abut_dot(v, v), uw = abut_dot(u, w), vw = abut_dot(v, w);
    double determinant = uu * vv - uv * uv;
    double x = (uw * vv - vw * uv) / determinant, y = (uw * uv - vw * uu) / determinant;
    if (!(x >= 0.0 && x <= 1.0 && y >= 0.0 && y <= 1.0)) {
        return;
    }
    abut_vec3 a = abut_add_scaled(p, x, u), b = abut_add_scaled(q, y, v), middle = abut_lerp(a, b, 0.5);
    abut_vec3 n = abut_unit(abut_cross(u, v));
    n = overlap(t, n) < overlap(t, abut_negate(n)) ? n : abut_negate(n);
    double weights[3], gap = abut_dot(n, abut_sub(b, a));
    if (gap > 0.0 || project(&t[0], middle, weights) > 0.0 || project(&t[1], middle, weights) > 0.0) {
        return;
    }
    abut_mesh_topology topology[2] = {abut_mesh_get_topology(s->meshes[0]), abut_mesh_get_topology(s->meshes[1])};
    abut_contact c = {.gap = gap, .normal = n};
    c.feature_a = abut_feature_edge(s->meshes[0], topology[0].triangle_edges[3 * triangles[0] + i]);
    c.feature_b = abut_feature_edge(s->meshes[1], topology[1].triangle_edges[3 * triangles[1] + k]);
    expect(s, &c, seen);
}

// Every triangle against every triangle, in states in which nothing is within the tolerance: triangles that cross have
// contacts.
static void brute_force(void **state)
{
    (void)state;
    static const int cells[3] = {2, 1, 2};
    int total = 0;
    test_random random = {23};
    local_scene s;
    local_begin(&s, NULL, "intersection", NULL, make_tet_block(NULL, cells, 0.2, 1, 1.0),
                make_tet_block(NULL, cells, 0.2, 2, 1.0));
    s.params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
    s.params.tolerance = abut_absolute(1e-12);
    for (int round = 0; round < 40; ++round) {
        s.pair.a.pose = abut_pose_make(random_vec3(&random, 1.0), random_rotation(&random));
        s.pair.b.pose = abut_pose_make(random_vec3(&random, 1.5), random_rotation(&random));
        local_find(&s);
        local_check_sane(&s);
        int *seen = calloc((size_t)s.result.contacts.count + 1, sizeof *seen);
        assert_non_null(seen);
        int counts[2] = {abut_mesh_get_elements(s.meshes[0]).triangle_count,
                         abut_mesh_get_elements(s.meshes[1]).triangle_count};
        for (int i = 0; i < counts[0] * counts[1]; ++i) {
            const int triangles[2] = {i / counts[1], i % counts[1]};
            const corners t[2] = {get_corners(s.meshes[0], s.pair.a.pose, triangles[0]),
                                  get_corners(s.meshes[1], s.pair.b.pose, triangles[1])};
            if (!has_edge_through(&t[0], &t[1]) && !has_edge_through(&t[1], &t[0])) {
                continue;
            }
            expect_vertices(&s, t, triangles, 0, seen);
            expect_vertices(&s, t, triangles, 1, seen);
            for (int k = 0; k < 9; ++k) {
                expect_edges(&s, t, triangles, k / 3, k % 3, seen);
            }
        }
        for (int i = 0; i < s.result.contacts.count; ++i) {
            CHECK(seen[i], "contact %d was not expected", i);
        }
        total += s.result.contacts.count;
        free(seen);
    }
    CHECK(total > 500, "there was something: %d", total);
    local_end(&s);
    CHECK_DONE();
}

static void motion_threads_distance_and_memory(void **state)
{
    (void)state;
    static const char *const options[] = {NULL, "reading=program", "skip-flat-edges=yes"};
    for (int i = 0; i < 3; ++i) {
        local_check_invariants("intersection", options[i]);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sunk_ridges),
        cmocka_unit_test(touching_ridges),
        cmocka_unit_test(flat_edges_are_left_out),
        cmocka_unit_test(flat_is_one_plane_on_both_sides),
        cmocka_unit_test(program_needs_tetrahedra),
        cmocka_unit_test(brute_force),
        cmocka_unit_test(motion_threads_distance_and_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
