// SPDX-License-Identifier: MIT
// pairs.h: convex shapes and pairs to test with
#ifndef ABUT_TEST_PAIRS_H
#define ABUT_TEST_PAIRS_H

#include "check.h"
#include "random.h"

#include <abut/convex.h>

/// A shape with its mesh.
typedef struct test_convex {
    abut_mesh *mesh;
    abut_convex *convex;
} test_convex;

static inline void release_convex(test_convex *shape)
{
    abut_convex_destroy(shape->convex);
    abut_mesh_destroy(shape->mesh);
}

/// The hull of points. Fails the test if there is none.
static inline test_convex make_convex(const abut_vec3 *points, int count)
{
    test_convex shape = {NULL, NULL};
    abut_error error = {0};
    abut_status status = abut_hull_create(NULL, points, count, &shape.mesh, NULL, &error);
    if (status == ABUT_OK) {
        status = abut_convex_create(NULL, shape.mesh, NULL, &shape.convex, &error);
    }
    CHECK(status == ABUT_OK, "%s", error.text);
    assert_int_equal(status, ABUT_OK);
    return shape;
}

/// A box about the origin.
static inline test_convex make_convex_box(double x, double y, double z)
{
    abut_vec3 points[8];
    for (int i = 0; i < 8; ++i) {
        points[i] = abut_vec3_make(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z);
    }
    return make_convex(points, 8);
}

enum { TEST_POINTS = 1024 };

/// Random points on the unit sphere, stretched.
static inline test_convex make_convex_ball(test_random *random, int count, abut_vec3 stretch)
{
    abut_vec3 points[TEST_POINTS];
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = random_unit(random);
        points[i] = abut_vec3_make(stretch.x * p.x, stretch.y * p.y, stretch.z * p.z);
    }
    return make_convex(points, count);
}

#endif
