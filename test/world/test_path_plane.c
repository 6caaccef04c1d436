// SPDX-License-Identifier: MIT
// test_path_plane.c: planes that keep two bodies apart while they move
#include "check.h"
#include "effort.h"
#include "random.h"
#include "shapes.h"
#include "world/path_plane.h"

enum { CORNERS = 8 };

/// A box about its frame's origin.
typedef struct box {
    abut_mesh *mesh;
    abut_mesh_elements elements;
    abut_vec3 half;
} box;

static box make(abut_vec3 half)
{
    box made = {.mesh = make_box(NULL, abut_negate(half), half), .half = half};
    made.elements = abut_mesh_get_elements(made.mesh);
    return made;
}

static abut_path_side side_of(const box *b, abut_motion motion)
{
    return (abut_path_side){motion, b->elements.vertices, b->elements.vertex_count, abut_norm(b->half)};
}

/// The gap of two boxes along the normal of a plane at a time: negative if they are beyond each other.
static double gap_along(const abut_path_plane *plane, const abut_path_side *a, const abut_path_side *b, double time)
{
    abut_pose pose_a = abut_motion_pose(&a->motion, time), pose_b = abut_motion_pose(&b->motion, time);
    abut_vec3 normal;
    if (plane->side == ABUT_NORMAL_BOTH) {
        normal = abut_unit(abut_cross(abut_quat_rotate(pose_a.rotation, plane->edges[0]),
                                      abut_quat_rotate(pose_b.rotation, plane->edges[1])));
    } else {
        normal = abut_quat_rotate((plane->side == ABUT_NORMAL_A ? pose_a : pose_b).rotation, plane->normal);
    }
    double below = -HUGE_VAL, above = HUGE_VAL;
    for (int i = 0; i < CORNERS; ++i) {
        below = fmax(below, abut_dot(normal, abut_pose_apply(pose_a, a->vertices[i])));
        above = fmin(above, abut_dot(normal, abut_pose_apply(pose_b, b->vertices[i])));
    }
    return above - below;
}

/// The least gap on the way, at many times.
static double least_gap(const abut_path_plane *plane, const abut_path_side *a, const abut_path_side *b,
                        double duration)
{
    enum { SAMPLES = 64 };
    double least = HUGE_VAL;
    for (int i = 0; i <= SAMPLES; ++i) {
        least = fmin(least, gap_along(plane, a, b, duration * i / SAMPLES));
    }
    return least;
}

static abut_contact contact_of(abut_vec3 normal, abut_normal_side side)
{
    abut_contact c = {.normal = normal, .normal_side = side};
    return c;
}

// A box that slides on another one, both of which turn together about the normal or about an axis in the plane, stays on it:
// the plane of the face turns with them. If it also gets closer by twice the level, the plane says nothing.
static void a_face_turns_with_its_body(void **state)
{
    (void)state;
    box a = make(abut_vec3_make(2, 1, 2)), b = make(abut_vec3_make(0.5, 0.5, 0.5));
    const abut_vec3 up = {0, 1, 0};
    for (int i = 0; i < 4; ++i) {
        abut_vec3 spin = i % 2 == 0 ? abut_vec3_make(0, 2, 0) : abut_vec3_make(1, 0, 0.5);
        abut_motion of_a = {abut_pose_identity(), {0, 0, 0}, {0, 0, 0}, spin};
        abut_motion of_b = {
            abut_pose_make(abut_vec3_make(0.3, 1.5, 0), abut_quat_identity()), {0, 0, 0}, {0, 0, 0}, spin};
        of_b.linear_velocity = abut_cross(spin, of_b.pose.position);
        double sinking = i < 2 ? 0.0 : 2e-6;
        double duration = 0.01;
        of_b.linear_velocity.y -= sinking / duration;
        // the center of B moves along a straight line, A's plane turns: the gap changes by r (w t)^2 / 2 at most
        double level = i % 2 == 0 ? -1e-6 : -1e-3;
        abut_path_plane planes[ABUT_PATH_PLANES];
        const abut_mesh_elements meshes[2] = {a.elements, b.elements};
        const abut_pose poses[2] = {of_a.pose, of_b.pose};
        abut_contact c = contact_of(up, ABUT_NORMAL_A);
        assert_int_equal(abut_path_planes_of(&c, meshes, poses, planes), 1);
        abut_path_side side_a = side_of(&a, of_a), side_b = side_of(&b, of_b);
        int holds = abut_path_plane_holds(&planes[0], &side_a, &side_b, duration, level, -1e-9);
        CHECK(holds == (i != 2), "spin %d, sinking %g: %d", i % 2, sinking, holds);
    }
    abut_mesh_destroy(a.mesh);
    abut_mesh_destroy(b.mesh);
    CHECK_DONE();
}

/// A pair of boxes that nearly touch, with a gap or overlap of `most` at most, with a contact, and their motions.
static abut_contact place_boxes(test_random *random, const box *a, const box *b, abut_motion *of_a,
                                abut_motion *of_b, double most)
{
    abut_quat turn_a = random_rotation(random), turn_b = random_rotation(random);
    abut_contact c = {0};
    int kind = random_below(random, 3);
    abut_vec3 normal;
    if (kind < 2) { // a face of A or of B
        int axis = random_below(random, 3);
        abut_vec3 own = {axis == 0, axis == 1, axis == 2};
        normal = abut_quat_rotate(kind == 0 ? turn_a : turn_b, own);
        c.normal_side = kind == 0 ? ABUT_NORMAL_A : ABUT_NORMAL_B;
    } else { // edges 0-1 of each
        const abut_vec3 *va = a->elements.vertices, *vb = b->elements.vertices;
        c.feature_a = (abut_feature){ABUT_FEATURE_EDGE, 0, {0, 1}, 0};
        c.feature_b = (abut_feature){ABUT_FEATURE_EDGE, 0, {0, 1}, 0};
        normal = abut_unit(abut_cross(abut_quat_rotate(turn_a, abut_sub(va[1], va[0])),
                                      abut_quat_rotate(turn_b, abut_sub(vb[1], vb[0]))));
        double outward = abut_dot(normal, abut_quat_rotate(turn_a, va[0]));
        normal = outward < 0.0 ? abut_negate(normal) : normal;
        c.normal_side = ABUT_NORMAL_BOTH;
    }
    c.normal = normal;
    double reach = 0.0, lowest = 0.0;
    for (int i = 0; i < CORNERS; ++i) {
        reach = fmax(reach, abut_dot(normal, abut_quat_rotate(turn_a, a->elements.vertices[i])));
        lowest = fmin(lowest, abut_dot(normal, abut_quat_rotate(turn_b, b->elements.vertices[i])));
    }
    abut_vec3 aside = random_vec3(random, 0.2);
    aside = abut_add_scaled(aside, -abut_dot(aside, normal), normal);
    double gap = random_in(random, -most, most);
    of_a->pose = abut_pose_make(abut_vec3_make(0, 0, 0), turn_a);
    of_b->pose = abut_pose_make(abut_add_scaled(aside, reach + gap - lowest, normal), turn_b);
    double speed = pow(10.0, random_in(random, -6.0, 0.0));
    of_a->center = of_b->center = abut_vec3_make(0, 0, 0);
    of_a->linear_velocity = random_vec3(random, speed);
    of_b->linear_velocity = random_vec3(random, speed);
    of_a->angular_velocity = random_vec3(random, speed);
    of_b->angular_velocity = random_vec3(random, speed);
    return c;
}

// If a plane holds, boxes sampled on their way never get further beyond it than allowed: by the level, and by what they are
// at the beginning, which is no more than the deepest overlap. It holds for a good part of those that stay: at least a
// quarter.
static void planes_are_right(void **state)
{
    (void)state;
    test_random random = {1512};
    int count = sample_count(4000, 400000), held[2] = {0, 0}, stays[2] = {0, 0};
    for (int i = 0; i < count; ++i) {
        box a = make(abut_vec3_make(random_in(&random, 0.2, 1.0), random_in(&random, 0.2, 1.0), 0.5));
        box b = make(abut_vec3_make(random_in(&random, 0.2, 1.0), 0.5, random_in(&random, 0.2, 1.0)));
        abut_motion of_a, of_b;
        double most = pow(10.0, random_in(&random, -6.0, -3.0));
        abut_contact c = place_boxes(&random, &a, &b, &of_a, &of_b, most);
        const double duration = 0.1, level = -pow(10.0, random_in(&random, -7.0, -3.0)), deepest = -0.5 * most;
        const abut_mesh_elements meshes[2] = {a.elements, b.elements};
        const abut_pose poses[2] = {of_a.pose, of_b.pose};
        abut_path_plane planes[ABUT_PATH_PLANES];
        int planes_count = abut_path_planes_of(&c, meshes, poses, planes);
        abut_path_side side_a = side_of(&a, of_a), side_b = side_of(&b, of_b);
        for (int k = 0; k < planes_count; ++k) {
            int holds = abut_path_plane_holds(&planes[k], &side_a, &side_b, duration, level, deepest);
            int is_edges = planes[k].side == ABUT_NORMAL_BOTH;
            double begin = gap_along(&planes[k], &side_a, &side_b, 0.0);
            double least = least_gap(&planes[k], &side_a, &side_b, duration);
            CHECK(!holds || least >= fmin(begin, 0.0) + level - 1e-12,
                  "pair %d, side %d: the plane holds, but the gap falls from %g to %g; level %g", i,
                  (int)planes[k].side, begin, least, level);
            CHECK(!holds || begin >= deepest + (is_edges ? 0.25 * level : 0.0) - 1e-12,
                  "pair %d, side %d: the plane holds at a gap of %g, deepest %g", i, (int)planes[k].side, begin,
                  deepest);
            held[is_edges] += holds;
            stays[is_edges] += begin >= deepest && least >= fmin(begin, 0.0) + level;
        }
        abut_mesh_destroy(a.mesh);
        abut_mesh_destroy(b.mesh);
    }
    for (int k = 0; k < 2; ++k) {
        CHECK(4 * held[k] >= stays[k], "only %d planes hold of %d that pairs stay beyond", held[k], stays[k]);
        print_message("%s: %d planes hold of %d that pairs stay beyond\n", k ? "edges" : "faces", held[k],
                      stays[k]);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_face_turns_with_its_body),
        cmocka_unit_test(planes_are_right),
    };
    return cmocka_run_group_tests_name("path_plane", tests, NULL, NULL);
}
