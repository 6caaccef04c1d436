// SPDX-License-Identifier: MIT
// test_continuous.c: method continuous by hand, against brute force, on rigid, soft and folded bodies
#include "local_scene.h"

#include <abut/continuous.h>

static int has_contact(const local_scene *s, abut_vec3 position, double time)
{
    int count = 0;
    for (int i = 0; i < s->result.contacts.count; ++i) {
        const abut_contact *c = &s->result.contacts.items[i];
        count += abut_norm(abut_sub(c->position, position)) < 1e-9 && fabs(c->time - time) < 1e-9;
    }
    return count;
}

// A cube from z = 0.5 on falls by 1 in the step onto a slab with its top at z = 0: it touches at t = 1/2. Corners meet
// faces and edges meet edges; all normals point up, from the slab to the cube. Wherever the scene is and however it is
// turned, and with the slab as B, the answer moves along.
static void falling_cube(void **state)
{
    (void)state;
    test_random random = {5};
    for (int turn = 0; turn < 8; ++turn) {
        abut_mesh *slab = make_box(NULL, v3(-2, -2, -1), v3(2, 2, 0)),
                  *cube = make_box(NULL, v3(0.1, 0.2, 0.5), v3(1.1, 1.2, 1.5));
        local_scene s;
        int is_swapped = turn % 2;
        local_begin(&s, NULL, "continuous", "times=first", is_swapped ? cube : slab, is_swapped ? slab : cube);
        abut_pose pose =
            turn < 2 ? abut_pose_identity() : abut_pose_make(random_vec3(&random, 1e3), random_rotation(&random));
        s.pair.a.pose = s.pair.b.pose = pose;
        s.pair.dt = 0.25;
        abut_vec3 down = abut_quat_rotate(pose.rotation, v3(0, 0, -4));
        *(is_swapped ? &s.pair.a.linear_velocity : &s.pair.b.linear_velocity) = down;
        s.params.tolerance = abut_absolute(0.0);
        local_find(&s);
        CHECK(s.result.contacts.count >= 4, "%d", s.result.contacts.count);
        abut_vec3 up = abut_quat_rotate(pose.rotation, v3(0, 0, is_swapped ? -1 : 1));
        for (int i = 0; i < s.result.contacts.count; ++i) {
            const abut_contact *c = &s.result.contacts.items[i];
            CHECK_NEAR(c->time, 0.5, 1e-9, "time");
            CHECK_NEAR(c->gap, 0.0, 1e-9, "gap");
            CHECK_NEAR(abut_norm(abut_sub(c->normal, up)), 0.0, 1e-9, "normal");
            CHECK_NEAR(c->normal_speed, -4.0, 1e-9, "speed");
        }
        for (int i = 0; i < 4; ++i) {
            abut_vec3 corner = v3(i & 1 ? 0.1 : 1.1, i & 2 ? 0.2 : 1.2, 0);
            CHECK(has_contact(&s, abut_pose_apply(pose, corner), 0.5) > 0, "corner %d", i);
        }
        // It stops short of the slab.
        *(is_swapped ? &s.pair.a.linear_velocity : &s.pair.b.linear_velocity) = abut_scale(0.49, down);
        local_find(&s);
        CHECK_INT(s.result.contacts.count, 0, "stops short");
        local_end(&s);
    }
    CHECK_DONE();
}

// A sheet of two triangles and a cube that passes through it at any speed, from either side: the side from which it came
// decides the normal.
static void through_a_sheet(void **state)
{
    (void)state;
    const abut_vec3 corners[4] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
    const int triangles[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 4; ++i) {
        double speed = i & 1 ? 1e6 : 4.0, from = i & 2 ? -1.0 : 1.0;
        local_scene s;
        local_begin(&s, NULL, "continuous", NULL, make_triangles(NULL, corners, 4, triangles, 2),
                    make_box(NULL, v3(0.1, 0.2, -0.25), v3(0.4, 0.7, 0.25)));
        s.pair.b.pose.position.z = from;
        s.pair.b.linear_velocity.z = -from * speed;
        s.pair.dt = 1.0;
        local_find(&s);
        CHECK(s.result.contacts.count >= 8, "%d", s.result.contacts.count); // all corners pass
        double first = 1.0;
        for (int k = 0; k < s.result.contacts.count; ++k) {
            first = fmin(first, s.result.contacts.items[k].time);
            const abut_contact *c = &s.result.contacts.items[k];
            CHECK(c->feature_b.kind != ABUT_FEATURE_VERTEX || c->normal.z == from, "normal %g", c->normal.z);
        }
        CHECK_NEAR(first * speed, 0.75, 1e-6, "first touch");
        local_end(&s);
    }
    CHECK_DONE();
}

// ---- against brute force

static int compare_ids(const void *a, const void *b)
{
    const int *x = a, *y = b;
    for (int i = 0; i < 3; ++i) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

/// Names of pairs of features: kind (0 vertex-face, 1 face-vertex, 2 edge-edge) and two indices.
typedef struct pair_names {
    int items[4096][3];
    int count;
} pair_names;

static void add_name(pair_names *names, int kind, int a, int b)
{
    assert_true(names->count < 4096);
    int *item = names->items[names->count++];
    item[0] = kind;
    item[1] = a;
    item[2] = b;
}

/// All vertices of one body against all triangles of the other, and all edges, with the tests of features.
static void try_all(const abut_instance *a, const abut_instance *b, pair_names *names)
{
    const abut_instance *bodies[2] = {a, b};
    abut_mesh_elements elements = abut_mesh_get_elements(abut_shape_mesh(abut_instance_shape(a)));
    abut_mesh_topology topology = abut_mesh_get_topology(abut_shape_mesh(abut_instance_shape(a)));
    int is_self = a == b;
    for (int kind = 0; kind < 3; ++kind) {
        const abut_instance *first = bodies[kind == 1], *second = bodies[kind != 1];
        int rows = kind == 2 ? topology.edge_count : elements.vertex_count;
        int columns = kind == 2 ? topology.edge_count : elements.triangle_count;
        for (int i = 0; i < rows; ++i) {
            for (int k = kind == 2 && is_self ? i + 1 : 0; k < columns; ++k) {
                int v[4] = {i};
                memcpy(v + 1, elements.triangles + (kind == 2 ? 0 : 3 * k), 3 * sizeof *v);
                if (kind == 2) {
                    memcpy(v, topology.edge_vertices + 2 * i, 2 * sizeof *v);
                    memcpy(v + 2, topology.edge_vertices + 2 * k, 2 * sizeof *v);
                }
                int split = kind == 2 ? 2 : 1, shared = 0;
                abut_moving_pair pair = {.kind = kind == 2 ? ABUT_EDGE_EDGE : ABUT_VERTEX_FACE};
                for (int m = 0; m < 4; ++m) {
                    const abut_instance *body = m < split ? first : second;
                    pair.start[m] = abut_instance_start(body)[v[m]];
                    pair.end[m] = abut_instance_end(body)[v[m]];
                    for (int n = split; m < split && n < 4; ++n) {
                        shared |= v[m] == v[n];
                    }
                }
                abut_impacts impacts;
                assert_int_equal(abut_find_impacts(&pair, NULL, &impacts), ABUT_OK);
                if (impacts.count > 0 && !(is_self && (shared || kind == 1))) {
                    add_name(names, kind == 1 ? 1 : kind, kind == 1 ? k : i, kind == 1 ? i : k);
                }
            }
        }
    }
    qsort(names->items, (size_t)names->count, sizeof names->items[0], compare_ids);
}

static void take_names(const abut_result *result, int is_self, pair_names *names)
{
    for (int i = 0; i < result->contacts.count; ++i) {
        const abut_contact *c = &result->contacts.items[i];
        int kind = c->feature_a.kind == ABUT_FEATURE_EDGE ? 2 : c->feature_a.kind == ABUT_FEATURE_FACE;
        int a = c->feature_a.index, b = c->feature_b.index;
        int flip = is_self && (kind == 1 || (kind == 2 && a > b));
        add_name(names, is_self && kind == 1 ? 0 : kind, flip ? b : a, flip ? a : b);
    }
    qsort(names->items, (size_t)names->count, sizeof names->items[0], compare_ids);
}

// A waved sheet of 5 x 5 vertices, whose vertices all move at random, against another one, and against itself: the pairs of
// features are those that brute force finds, each once.
static void soft_sheets(void **state)
{
    (void)state;
    enum { N = 5 };
    abut_vec3 vertices[N * N], start[2][N * N], end[2][N * N];
    int triangles[6 * (N - 1) * (N - 1)], count = 0;
    test_random random = {8};
    for (int i = 0; i < N * N; ++i) {
        vertices[i] = v3(i % N, i / N, 0);
        if (i % N < N - 1 && i / N < N - 1) {
            const int corners[6] = {i, i + 1, i + N + 1, i, i + N + 1, i + N};
            memcpy(triangles + 3 * count, corners, sizeof corners);
            count += 2;
        }
    }
    const abut_method *method = abut_method_find("continuous");
    abut_mesh *mesh = make_triangles(NULL, vertices, N * N, triangles, count);
    abut_shape *shape = make_shape(NULL, mesh, method, NULL);
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    abut_instance *bodies[2];
    int found[2] = {0, 0};
    assert_int_equal(abut_instance_create(NULL, shape, &bodies[0], NULL), ABUT_OK);
    assert_int_equal(abut_instance_create(NULL, shape, &bodies[1], NULL), ABUT_OK);
    for (int round = 0; round < 12; ++round) {
        for (int b = 0; b < 2; ++b) {
            for (int i = 0; i < N * N; ++i) {
                start[b][i] = abut_add(vertices[i], random_vec3(&random, 0.9));
                end[b][i] = abut_add(start[b][i], random_vec3(&random, 1.5));
            }
            assert_int_equal(abut_instance_move(bodies[b], start[b], end[b], NULL), ABUT_OK);
        }
        for (int is_self = 0; is_self < 2; ++is_self) {
            abut_pair pair = abut_pair_default(NULL, NULL);
            pair.a.instance = bodies[0];
            pair.b.instance = bodies[!is_self];
            pair.a.key = 1;
            pair.b.key = is_self ? 1 : 2;
            pair.dt = 1.0;
            abut_params params = abut_params_default();
            params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
            params.tolerance = abut_absolute(0.0);
            abut_result result = abut_result_default();
            CHECK_STATUS(abut_find_contacts(&pair, method, &params, work, &result), ABUT_OK, result.error.text);
            static pair_names expected, actual;
            expected.count = actual.count = 0;
            try_all(bodies[0], bodies[!is_self], &expected);
            take_names(&result, is_self, &actual);
            CHECK_INT(actual.count, expected.count, is_self ? "self" : "two");
            CHECK(actual.count == expected.count &&
                      memcmp(actual.items, expected.items, (size_t)actual.count * sizeof actual.items[0]) == 0,
                  "round %d", round);
            found[is_self] += actual.count;
        }
    }
    CHECK(found[0] > 300 && found[1] > 30, "%d and %d pairs", found[0], found[1]);
    abut_instance_destroy(bodies[0]);
    abut_instance_destroy(bodies[1]);
    abut_workspace_destroy(work);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Bodies at rest within the tolerance have contacts at time 0; at rest beyond it they have none. A rigid body does not
// touch itself.
static void at_rest(void **state)
{
    (void)state;
    local_scene s;
    local_begin(&s, NULL, "continuous", NULL, make_box(NULL, v3(-2, -2, -1), v3(2, 2, 0)),
                make_box(NULL, v3(0.1, 0.2, 1e-4), v3(1.1, 1.2, 1.0)));
    s.params.tolerance = abut_absolute(2e-4);
    local_find(&s);
    CHECK(s.result.contacts.count >= 4, "%d", s.result.contacts.count);
    for (int i = 0; i < s.result.contacts.count; ++i) {
        const abut_contact *c = &s.result.contacts.items[i];
        CHECK_NEAR(c->time, 0.0, 0.0, "time");
        CHECK(c->feature_b.kind != ABUT_FEATURE_VERTEX || fabs(c->gap - 1e-4) < 1e-12, "gap %g", c->gap);
        CHECK(c->feature_b.kind != ABUT_FEATURE_VERTEX || c->normal.z == 1.0, "normal %g", c->normal.z);
    }
    s.params.tolerance = abut_absolute(5e-5);
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 0, "beyond");
    s.pair.b = s.pair.a;
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 0, "itself");
    local_end(&s);
    CHECK_DONE();
}

// A body that moves further than continuous tests can follow is refused, with the vertex.
static void too_fast(void **state)
{
    (void)state;
    local_scene s;
    local_begin(&s, NULL, "continuous", NULL, make_box(NULL, v3(-2, -2, -1), v3(2, 2, 0)),
                make_box(NULL, v3(0, 0, 1), v3(1, 1, 2)));
    s.pair.dt = 1.0;
    s.pair.b.linear_velocity = v3(0, 0, -1e101);
    CHECK_STATUS(abut_find_contacts(&s.pair, s.method, &s.params, s.workspace, &s.result), ABUT_BAD_DATA,
                 "too fast");
    CHECK(strstr(s.result.error.text, "vertex ") != NULL, "%s", s.result.error.text);
    s.pair.b.linear_velocity = v3(0, 0, (double)NAN);
    CHECK_STATUS(abut_find_contacts(&s.pair, s.method, &s.params, s.workspace, &s.result), ABUT_BAD_ARGUMENT,
                 "NaN");
    CHECK(strstr(s.result.error.text, "velocity of B") != NULL, "%s", s.result.error.text);
    local_end(&s);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_cube), cmocka_unit_test(through_a_sheet), cmocka_unit_test(soft_sheets),
        cmocka_unit_test(at_rest),      cmocka_unit_test(too_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
