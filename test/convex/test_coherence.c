// SPDX-License-Identifier: MIT
// test_coherence.c: the memory of one query makes the next one cheaper
#include "shapes.h"

#include <abut/convex.h>

// Two tetrahedra edge on edge. A's upper edge is along x at y = 0, B's lower one along z at y = -depth. B is moved by
// `shift` along x. The edges cross, so the overlap is `depth` along y as long as it is small.
static abut_convex_result find(const abut_convex *a, const abut_convex *b, double shift, double depth,
                               const abut_convex_memory *before, abut_convex_memory *after)
{
    abut_convex_pair pair = abut_convex_pair_default(a, b);
    pair.pose_b.position = abut_vec3_make(shift, -depth, 0.0);
    abut_convex_result result;
    assert_int_equal(abut_convex_distance(&pair, before, after, &result), ABUT_OK);
    CHECK_NEAR(result.distance, -depth, 1e-14, "depth");
    CHECK_NEAR(result.normal.y, 1.0, 1e-14, "normal");
    CHECK_INT(result.feature_a.kind, ABUT_FEATURE_EDGE, "edge of A");
    CHECK_INT(result.feature_b.kind, ABUT_FEATURE_EDGE, "edge of B");
    return result;
}

// B slides in steps of 0.001. With the memory of the step before, one facet, that of the two edges, proves the answer:
// every step tests fewer facets than without memory, and the proof is ABUT_PROOF_FACET.
static void crossed_edges_are_remembered(void **state)
{
    (void)state;
    const abut_vec3 lower[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, -1, -1}};
    const abut_vec3 upper[4] = {{0, 0, -1}, {0, 0, 1}, {1, 1, 0}, {-1, 1, 0}};
    abut_mesh *meshes[2] = {make_tetrahedron(NULL, lower), make_tetrahedron(NULL, upper)};
    abut_convex *shapes[2];
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(abut_convex_create(NULL, meshes[i], NULL, &shapes[i], NULL), ABUT_OK);
    }
    abut_convex_memory memory = {{0}, {0.0, 0.0, 0.0}};
    (void)find(shapes[0], shapes[1], 0.0, 0.01, NULL, &memory);
    for (int step = 1; step < 20; ++step) {
        abut_convex_result cold = find(shapes[0], shapes[1], 0.001 * step, 0.01, NULL, NULL);
        abut_convex_result warm = find(shapes[0], shapes[1], 0.001 * step, 0.01, &memory, &memory);
        CHECK_INT(warm.axis_count, 1, "facets with memory");
        CHECK_INT(warm.certificate.proof, ABUT_PROOF_FACET, "proof");
        CHECK(warm.axis_count < cold.axis_count, "step %d: %d facets without memory", step, cold.axis_count);
    }
    for (int i = 0; i < 2; ++i) {
        abut_convex_destroy(shapes[i]);
        abut_mesh_destroy(meshes[i]);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crossed_edges_are_remembered),
    };
    return cmocka_run_group_tests_name("coherence", tests, NULL, NULL);
}
