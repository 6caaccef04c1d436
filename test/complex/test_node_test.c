// SPDX-License-Identifier: MIT
// test_node_test.c: the test of a node's children loses nothing, is the same on every machine, and tests few of them
#include "complexes.h"
#include "effort.h"

#include "complex/node_test.h"

/// Random bounds of one child: some flat, some with a cone of one direction, some two-sided.
static void fill_child(test_random *random, abut_lmd_node *node, int k)
{
    double radius = random_in(random, 0.0, 1.0) * random_in(random, 0.0, 1.0), pi = 3.14159265358979323846;
    double half = random_below(random, 4) == 0 ? 2e-6 : random_in(random, 0.0, random_below(random, 2) ? 0.2 : pi);
    half = random_below(random, 16) == 0 ? pi : half;
    double low = radius * random_in(random, -1.0, 1.0), high = radius * random_in(random, -1.0, 1.0);
    if (random_below(random, 3) == 0) { // a flat piece
        low = high = 0.01 * low;
    }
    abut_vec3 center = random_vec3(random, 1.5), axis = random_unit(random);
    const double c[3] = {center.x, center.y, center.z}, a[3] = {axis.x, axis.y, axis.z};
    for (int i = 0; i < 3; ++i) {
        node->center[i][k] = (float)c[i];
        node->axis[i][k] = (float)a[i];
    }
    node->radius[k] = (float)radius;
    node->cosine[k] = (float)cos(half);
    node->sine[k] = half < pi ? (float)sin(half) : 0.0f;
    node->low[k] = (float)(fmin(low, high) - 2e-6 * radius);
    node->high[k] = (float)(fmax(low, high) + 2e-6 * radius);
    node->is_two_sided[k] = (unsigned char)(random_below(random, 4) == 0);
    node->classes[k] = 1;
}

static abut_lmd_probe probe_of(const abut_lmd_node *node, int k, double theta, double reach)
{
    abut_lmd_bounds b = abut_lmd_get_bounds(node, k);
    abut_lmd_probe probe = {.center = {(float)b.center.x, (float)b.center.y, (float)b.center.z},
                            .radius = (float)b.radius,
                            .axis = {(float)b.axis.x, (float)b.axis.y, (float)b.axis.z},
                            .cosine = (float)(b.cosine * cos(theta) - b.sine * sin(theta)),
                            .sine = (float)(b.sine * cos(theta) + b.cosine * sin(theta)),
                            .low = (float)b.low,
                            .high = (float)b.high,
                            .reach = (float)reach,
                            .slack = 1e-6f,
                            .theta_cosine = (float)cos(theta),
                            .theta_sine = (float)sin(theta),
                            .is_two_sided = b.is_two_sided,
                            .classes = 1};
    return probe;
}

/// A random point of a child: in its ball and slab. Returns 0 if none was found.
static int sample_point(test_random *random, const abut_lmd_bounds *b, abut_vec3 *p)
{
    abut_vec3 along = abut_scale(random_in(random, b->low, b->high), b->axis);
    abut_vec3 across = abut_cross(b->axis, random_unit(random));
    across = abut_scale(random_in(random, 0.0, 1.5) * b->radius, across);
    *p = abut_add(b->center, abut_add(along, across));
    return abut_norm(abut_sub(*p, b->center)) <= b->radius;
}

/// Whether a direction is in the cone of a child, widened by theta.
static int is_in_cone(const abut_lmd_bounds *b, abut_vec3 unit, double theta)
{
    double product = abut_dot(b->axis, unit);
    product = b->is_two_sided ? fabs(product) : product;
    return acos(fmax(-1.0, fmin(1.0, product))) <= atan2(b->sine, b->cosine) + theta;
}

// Points are drawn from both bodies. If the way between them is short enough and in both cones, the child is kept. For
// directions that are rare in random pairs, the second body is put where one is.
static void keeps_what_can_meet(void **state)
{
    (void)state;
    test_random random = {11};
    int met = 0, kept = 0, tested = 0;
    for (int i = 0; i < sample_count(20000, 2000000); ++i) {
        abut_lmd_node node = {.child = {0}}, other = {.child = {0}};
        double theta = random_below(&random, 3) == 0 ? 0.0 : 0.035;
        double reach = random_in(&random, 0.0, 1.0) * random_in(&random, 0.0, 1.0);
        fill_child(&random, &other, 0);
        for (int k = 0; k < ABUT_LMD_CHILDREN; ++k) {
            fill_child(&random, &node, k);
        }
        // one of them faces the probe
        abut_lmd_bounds first = abut_lmd_get_bounds(&node, 0), second = abut_lmd_get_bounds(&other, 0);
        abut_vec3 p, q;
        if (sample_point(&random, &first, &p) && sample_point(&random, &second, &q)) {
            abut_vec3 d = abut_add_scaled(first.axis, 0.05 * random_below(&random, 2), random_unit(&random));
            abut_vec3 move = abut_sub(abut_add_scaled(p, reach * random_in(&random, 0, 1), abut_unit(d)), q);
            other.center[0][0] += (float)move.x;
            other.center[1][0] += (float)move.y;
            other.center[2][0] += (float)move.z;
            if (random_below(&random, 4) > 0) {
                other.axis[0][0] = (float)-abut_unit(d).x;
                other.axis[1][0] = (float)-abut_unit(d).y;
                other.axis[2][0] = (float)-abut_unit(d).z;
            }
        }
        abut_lmd_probe probe = probe_of(&other, 0, theta, reach);
        second = abut_lmd_get_bounds(&other, 0);
        unsigned mask = abut_lmd_node_test_plain(&node, &probe);
#if defined(ABUT_HAS_AVX2)
        CHECK(!__builtin_cpu_supports("avx2") || abut_lmd_node_test_avx2(&node, &probe) == mask, "node %d", i);
#endif
        for (int k = 0; k < ABUT_LMD_CHILDREN; ++k) {
            abut_lmd_bounds own = abut_lmd_get_bounds(&node, k);
            int can_meet = 0;
            for (int n = 0; n < 12 && !can_meet; ++n) {
                if (sample_point(&random, &own, &p) && sample_point(&random, &second, &q)) {
                    abut_vec3 d = abut_sub(q, p);
                    can_meet = abut_norm(d) <= reach && abut_norm(d) > 0.0 &&
                               is_in_cone(&own, abut_unit(d), theta) &&
                               is_in_cone(&second, abut_negate(abut_unit(d)), theta);
                }
            }
            CHECK(!can_meet || (mask >> k & 1u), "node %d loses child %d", i, k);
            met += can_meet;
            kept += (int)(mask >> k & 1u);
            ++tested;
        }
        // no class in common: no child
        probe.classes = 2;
        CHECK(abut_lmd_node_test_plain(&node, &probe) == 0, "classes of node %d", i);
    }
    CHECK(met > tested / 200, "the samples say something: %d of %d", met, tested);
    CHECK(kept < tested / 4, "the test leaves something out: %d of %d kept", kept, tested);
    CHECK_DONE();
}

/// A sheet of n by n squares over the unit square, `sag` lower at the middle of each side than in the middle.
static abut_mesh *make_dome(int n, double sag)
{
    int side = n + 1, count = 0;
    abut_vec3 *vertices = malloc((size_t)(side * side) * sizeof *vertices);
    int *triangles = malloc((size_t)(6 * n * n) * sizeof *triangles);
    for (int i = 0; i < side * side; ++i) {
        int row = i / side;
        double x = (double)(i % side) / n - 0.5, y = (double)row / n - 0.5;
        vertices[i] = v3(x, y, -sag * 4.0 * (x * x + y * y));
    }
    for (int i = 0; i < n * n; ++i) {
        int a = i % n + side * (i / n);
        const int square[6] = {a, a + 1, a + side + 1, a, a + side + 1, a + side};
        for (int k = 0; k < 6; ++k) {
            triangles[count++] = square[k];
        }
    }
    abut_mesh *mesh = make_triangles(NULL, vertices, side * side, triangles, count / 3);
    free(vertices);
    free(triangles);
    return mesh;
}

static int64_t tests_of(abut_mesh *mesh_a, abut_mesh *mesh_b, double away, double reach, int *lmds)
{
    abut_complex *a = make_complex(NULL, mesh_a), *b = make_complex(NULL, mesh_b);
    abut_lmd_set *set = NULL;
    assert_int_equal(abut_lmd_set_create(NULL, &set), ABUT_OK);
    abut_lmd_def def = abut_lmd_def_default();
    def.a = a;
    def.b = b;
    def.b_to_a.position = v3(1e-3, 2e-3, away);
    def.b_to_a.rotation = abut_quat_from_axis(v3(1, 0, 0), 3.14159265358979323846);
    def.reach = reach;
    CHECK_STATUS(abut_find_lmds(&def, set, NULL), ABUT_OK, "search");
    abut_lmd_view view = abut_lmd_set_get(set);
    int64_t count = view.stats.node_pairs;
    *lmds = view.count;
    abut_lmd_set_destroy(set);
    abut_complex_destroy(a);
    abut_complex_destroy(b);
    abut_mesh_destroy(mesh_a);
    abut_mesh_destroy(mesh_b);
    return count;
}

// Two domes whose tops are near have one place of contact, and two plates that are nowhere within the reach have none.
// With 16 times as many triangles the search goes a few levels deeper, and along rims of four times as many edges, whose
// cones are wide. Plates within reach have contacts along the rims.
static void growth_by_counts(void **state)
{
    (void)state;
    int lmds;
    int64_t coarse = tests_of(make_dome(16, 0.5), make_dome(16, 0.5), 0.01, 0.02, &lmds);
    CHECK(lmds > 0, "%d minima", lmds);
    int64_t fine = tests_of(make_dome(64, 0.5), make_dome(64, 0.5), 0.01, 0.02, &lmds);
    CHECK(lmds > 0, "%d minima", lmds);
    CHECK(fine <= 3 * coarse, "domes: %lld tests, then %lld", (long long)coarse, (long long)fine);
    coarse = tests_of(make_dome(16, 0.0), make_dome(16, 0.0), 0.1, 0.05, &lmds);
    fine = tests_of(make_dome(64, 0.0), make_dome(64, 0.0), 0.1, 0.05, &lmds);
    CHECK_INT(lmds, 0, "plates");
    CHECK(fine <= 2 * coarse, "plates: %lld tests, then %lld", (long long)coarse, (long long)fine);
    coarse = tests_of(make_dome(16, 0.0), make_dome(2, 0.0), 0.1, 0.2, &lmds);
    CHECK(lmds > 0, "%d minima", lmds);
    fine = tests_of(make_dome(64, 0.0), make_dome(2, 0.0), 0.1, 0.2, &lmds);
    CHECK(fine <= 4 * coarse, "plates within reach: %lld tests, then %lld", (long long)coarse, (long long)fine);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_what_can_meet),
        cmocka_unit_test(growth_by_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
