// SPDX-License-Identifier: MIT
// test_contact_features.c: the features that a contact names are where its points are
#include "local_scene.h"
#include "prim/point_segment.h"
#include "prim/point_tet.h"
#include "prim/point_triangle.h"

static const struct {
    const char *method, *option;
} queries[] = {
    {"closest-points", NULL},    {"closest-points", "reading=program"},
    {"consistent-vertex", NULL}, {"growth", NULL},
    {"intersection", NULL},      {"opposing", NULL},
    {"surface-sat", NULL},       {"vertex-only", NULL},
    {"volume-sat", NULL},
};

/// How far a point of the mesh's frame is from a feature; 0 if there is no feature, HUGE_VAL if it is not of this mesh.
static double distance_to_feature(const abut_mesh *mesh, abut_feature feature, abut_vec3 p)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_vec3 corners[4];
    double weights[4];
    switch (feature.kind) {
    case ABUT_FEATURE_NONE: return 0.0;
    case ABUT_FEATURE_VERTEX:
        return feature.index < e.vertex_count ? abut_norm(abut_sub(p, e.vertices[feature.index])) : HUGE_VAL;
    case ABUT_FEATURE_EDGE:
        corners[0] = e.vertices[feature.vertices[0]];
        corners[1] = e.vertices[feature.vertices[1]];
        return sqrt(abut_point_segment_distance_squared(p, corners[0], corners[1], weights));
    case ABUT_FEATURE_FACE:
        for (int k = 0; k < 3; ++k) {
            corners[k] = e.vertices[e.face_vertices[e.face_offsets[feature.index] + k]];
        }
        return sqrt(abut_point_triangle_distance_squared(p, corners, weights));
    case ABUT_FEATURE_TET:
        for (int k = 0; k < 4; ++k) {
            corners[k] = e.vertices[e.tets[4 * feature.index + k]];
        }
        return sqrt(abut_point_tet_distance_squared(p, corners, weights));
    default: return HUGE_VAL;
    }
}

// A block of 1 x 1 x 1 on one of 3 x 1 x 3, 0.001 deep and turned by 0.3 about y. The methods move points of a feature by
// what they erode or by half the overlap: far less than 0.05. The smallest element has sides of 1, so that a wrong
// feature would nearly always be further away. A point is on every feature that it is said to be on, and closest-points,
// whose contacts are pairs of features, names both.
static void points_are_on_their_features(void **state)
{
    (void)state;
    int named = 0;
    for (size_t i = 0; i < sizeof queries / sizeof *queries; ++i) {
        const int large[3] = {3, 1, 3}, small[3] = {1, 1, 1};
        local_scene s;
        local_begin(&s, NULL, queries[i].method, queries[i].option, make_tet_block(NULL, large, 0.0, 1, 1.0),
                    make_tet_block(NULL, small, 0.0, 1, 1.0));
        s.pair.b.pose.position = v3(0.8, 0.999, 1.3);
        s.pair.b.pose.rotation = abut_quat_from_axis(v3(0, 1, 0), 0.3);
        local_find(&s);
        CHECK(s.result.contacts.count > 0, "%s finds contacts", queries[i].method);
        for (int k = 0; k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            double far_a = distance_to_feature(s.meshes[0], c->feature_a, c->position_a);
            double far_b = distance_to_feature(s.meshes[1], c->feature_b,
                                               abut_pose_apply_inverse(s.pair.b.pose, c->position_b));
            CHECK(far_a < 0.05 && far_b < 0.05, "%s %s, contact %d: feature of kind %d is %g away, of kind %d %g",
                  queries[i].method, queries[i].option != NULL ? queries[i].option : "", k, c->feature_a.kind,
                  far_a, c->feature_b.kind, far_b);
            int has_both = c->feature_a.kind != ABUT_FEATURE_NONE && c->feature_b.kind != ABUT_FEATURE_NONE;
            CHECK(has_both || strcmp(queries[i].method, "closest-points") != 0, "contact %d has no feature", k);
            named += has_both;
        }
        local_end(&s);
    }
    CHECK(named > 20, "%d contacts name both features", named);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_on_their_features),
    };
    return cmocka_run_group_tests_name("features of contacts", tests, NULL, NULL);
}
