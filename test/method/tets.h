// SPDX-License-Identifier: MIT
// tets.h: pairs of tetrahedra whose contacts follow on paper, and what must hold of every method on them
//
// The pairs, with depth d:
//   plate and block   A: a flat plate with its top face in y = 0. B: a tetrahedron with its bottom face on the plate,
//                     inside its outline.
//   plate and spike   B: a spike with its tip at (0, -d, 0). Its edges run along (0.75, 1, -1), (0.75, 1, 1) and
//                     (-0.5, 1, 0), so they go through y = 0 at d times these. Its face towards x has the normal
//                     (0.8, -0.6, 0), the two others have (-1, -0.5, +-1.25) / |...|.
//   two roofs         A: a ridge along z at y = 0, with slopes down to (-2, -1, 0) and (1, -1, 0), so with the normals
//                     (-1, 2, 0) / sqrt(5) and (1, 1, 0) / sqrt(2). B: a ridge along x at y = -d, with slopes up to
//                     (0, 1 - d, -2) and (0, 1 - d, 1), so with the normals (0, -2, -1) / sqrt(5) and
//                     (0, -1, 1) / sqrt(2). At a height y between -d and 0, A is 2 y <= x <= -y and B is
//                     -2 (y + d) <= z <= y + d: the corners of the intersection are (-2 d, -d, 0), (d, -d, 0),
//                     (0, 0, -2 d) and (0, 0, d).
#ifndef ABUT_TEST_METHOD_TETS_H
#define ABUT_TEST_METHOD_TETS_H

#include "local_scene.h"

static inline abut_mesh *make_plate(void)
{
    const abut_vec3 vertices[4] = {{-4, 0, -3}, {4, 0, -3}, {0, 0, 5}, {0, -1, 0}};
    return make_tetrahedron(NULL, vertices);
}

static inline abut_mesh *make_block(double depth)
{
    const abut_vec3 vertices[4] = {{-1, -depth, -1}, {1, -depth, -1}, {0, -depth, 1}, {0, 1 - depth, 0}};
    return make_tetrahedron(NULL, vertices);
}

static inline abut_mesh *make_spike(double depth)
{
    const abut_vec3 vertices[4] = {
        {0, -depth, 0}, {0.75, 1 - depth, -1}, {0.75, 1 - depth, 1}, {-0.5, 1 - depth, 0}};
    return make_tetrahedron(NULL, vertices);
}

static inline abut_mesh *make_lower_roof(void)
{
    const abut_vec3 vertices[4] = {{0, 0, -1}, {0, 0, 1}, {-2, -1, 0}, {1, -1, 0}};
    return make_tetrahedron(NULL, vertices);
}

static inline abut_mesh *make_upper_roof(double depth)
{
    const abut_vec3 vertices[4] = {{-1, -depth, 0}, {1, -depth, 0}, {0, 1 - depth, -2}, {0, 1 - depth, 1}};
    return make_tetrahedron(NULL, vertices);
}

/// Destroys the meshes.
static inline void check_tets(const char *method, const char *option, abut_mesh *a, abut_mesh *b,
                              const local_expected *expected, int count, const char *label)
{
    local_scene s;
    local_begin(&s, NULL, method, option, a, b);
    local_find(&s);
    local_check_sane(&s);
    local_check(&s, expected, count, label);
    CHECK_INT(s.result.stats.degenerate_elements, 0, label);
    local_end(&s);
}

/// The spike is 0.2 deep in the plate: along y the overlap is 0.2, and along every other axis more than 0.5. The
/// points are the tip, at -0.2, and those of its edges in y = 0, all taken to the height of the contact plane.
static inline void check_spike(const char *method, const char *option, double height)
{
    const abut_vec3 up = v3(0, 1, 0);
    const local_expected expected[] = {{v3(0, height, 0), up, -0.2},
                                       {v3(0.15, height, -0.2), up, -0.2},
                                       {v3(0.15, height, 0.2), up, -0.2},
                                       {v3(-0.1, height, 0), up, -0.2}};
    check_tets(method, option, make_plate(), make_spike(0.2), expected, 4, option);
}

/// The ridges of the roofs overlap by d = 0.125 along y, their cross product; along the slopes, the next best, by
/// (1 + 2 d) / sqrt(5) = 0.56. Two points are at -d and two at 0, so that the mean and the middle are -d / 2.
static inline void check_ridges(const char *method, const char *option)
{
    const double d = 0.125;
    const abut_vec3 up = v3(0, 1, 0);
    const local_expected expected[] = {{v3(-2 * d, -d / 2, 0), up, -d},
                                       {v3(d, -d / 2, 0), up, -d},
                                       {v3(0, -d / 2, -2 * d), up, -d},
                                       {v3(0, -d / 2, d), up, -d}};
    check_tets(method, option, make_lower_roof(), make_upper_roof(d), expected, 4, "ridges");
}

/// The block just touches the plate: its three lower corners, whatever the method.
static inline void check_face_on_face(const char *method, const char *option)
{
    const abut_vec3 up = v3(0, 1, 0);
    const local_expected expected[] = {{v3(-1, 0, -1), up, 0}, {v3(1, 0, -1), up, 0}, {v3(0, 0, 1), up, 0}};
    check_tets(method, option, make_plate(), make_block(0.0), expected, 3, "face on face");
}

/// The block 0.01 above the plate: nothing, or within an envelope its three lower corners with that gap, on a plane at
/// `height`.
static inline void check_gap(const char *method, const char *option, double height)
{
    const abut_vec3 up = v3(0, 1, 0);
    const local_expected expected[] = {
        {v3(-1, height, -1), up, 0.01}, {v3(1, height, -1), up, 0.01}, {v3(0, height, 1), up, 0.01}};
    local_scene s;
    local_begin(&s, NULL, method, option, make_plate(), make_block(-0.01));
    const double envelopes[] = {0.0, 0.009, 0.011};
    for (int i = 0; i < 3; ++i) {
        s.params.envelope = abut_absolute(envelopes[i]);
        local_find(&s);
        local_check(&s, expected, i == 2 ? 3 : 0, "envelope");
    }
    local_end(&s);
}

/// A soft body whose vertices are moved as by a pose has the contacts of the rigid body with that pose.
static inline void check_soft(const char *method, const char *option)
{
    static const int cells[3] = {2, 2, 1};
    local_scene s[2];
    abut_pose place = abut_pose_make(v3(0.4, 0.3, 0.8), abut_quat_from_axis(v3(0, 0, 1), 0.3));
    for (int i = 0; i < 2; ++i) {
        local_begin(&s[i], NULL, method, option, make_tet_block(NULL, cells, 0.2, 3, 1.0),
                    make_tet_block(NULL, cells, 0.2, 3, 1.0));
        s[i].params.flags = ABUT_PARAMS_KEEP_REDUNDANT;
        s[i].pair.b.pose = place;
    }
    abut_instance *soft = NULL;
    assert_int_equal(abut_instance_create(NULL, s[1].shapes[1], &soft, NULL), ABUT_OK);
    abut_mesh_elements elements = abut_mesh_get_elements(s[1].meshes[1]);
    abut_vec3 vertices[32];
    assert_in_range(elements.vertex_count, 1, 32);
    for (int i = 0; i < elements.vertex_count; ++i) {
        vertices[i] = abut_pose_apply(place, elements.vertices[i]);
    }
    assert_int_equal(abut_instance_move(soft, vertices, NULL, NULL), ABUT_OK);
    s[1].pair.b.instance = soft;
    local_find(&s[0]);
    local_find(&s[1]);
    CHECK(s[0].result.contacts.count > 10, "something to compare: %d", s[0].result.contacts.count);
    local_check_moved(&s[0], &s[1], abut_pose_identity(), 1.0, 3.0);
    abut_instance_destroy(soft);
    local_end(&s[0]);
    local_end(&s[1]);
}

/// A tetrahedron without volume in the middle of another: counted, no contact.
static inline void check_flat(const char *method, const char *option)
{
    const abut_vec3 flat[4] = {{-1, -0.1, -1}, {1, -0.1, -1}, {0, -0.1, 1}, {0, -0.1, 0}};
    local_scene s;
    local_begin(&s, NULL, method, option, make_plate(), make_tetrahedron(NULL, flat));
    local_find(&s);
    CHECK_INT(s.result.stats.degenerate_elements, 1, "counted");
    CHECK_INT(s.result.contacts.count, 0, "no contact");
    local_end(&s);
}

/// Far from the origin the contacts are the same, up to the rounding of the poses.
static inline void check_far(const char *method, const char *option)
{
    static const int cells[3] = {2, 2, 1};
    local_scene s[2];
    abut_pose far = abut_pose_make(v3(1048576.0, -524288.0, 2097152.0), abut_quat_identity());
    for (int i = 0; i < 2; ++i) {
        local_begin(&s[i], NULL, method, option, make_tet_block(NULL, cells, 0.2, 9, 1.0),
                    make_tet_block(NULL, cells, 0.2, 10, 1.0));
        s[i].pair.b.pose.position = v3(0.375, 0.25, 0.75); // a sum with the far position is exact
        if (i == 1) {
            s[i].pair.a.pose = far;
            s[i].pair.b.pose = abut_pose_multiply(far, s[i].pair.b.pose);
        }
        local_find(&s[i]);
    }
    CHECK(s[0].result.contacts.count > 10, "something to compare: %d", s[0].result.contacts.count);
    // positions out there are rounded to 2.4e-10; contacts in one place may have changed their order
    local_check_moved(&s[0], &s[1], far, 1.0, 3.0);
    local_end(&s[0]);
    local_end(&s[1]);
}

/// Tetrahedra on a grid, which touch in every way, overlap, coincide or are flat; of all sizes, and with a tolerance
/// of nothing or of half a cell: always an answer, with unit normals.
static inline void check_grid(const char *method, const char *option)
{
    static const double sizes[] = {1e-45, 1.0, 1e45}, tolerances[] = {0.0, 1e-6, 0.5};
    test_random random = {31};
    int found = 0;
    for (int round = 0; round < 600; ++round) {
        double size = sizes[round % 3];
        abut_mesh *meshes[2];
        for (int i = 0; i < 2; ++i) {
            abut_vec3 corners[4];
            for (int k = 0; k < 4; ++k) {
                int place = random_below(&random, 64);
                corners[k] = v3(size * (place % 4), size * (place / 4 % 4), size * (place / 16));
            }
            meshes[i] = make_tetrahedron(NULL, corners);
        }
        local_scene s;
        local_begin(&s, NULL, method, option, meshes[0], meshes[1]);
        s.params.tolerance = abut_absolute(size * tolerances[round / 3 % 3]);
        if (round % 2) {
            s.pair.a.pose = abut_pose_make(abut_scale(size, random_vec3(&random, 1.0)), random_rotation(&random));
            s.pair.b.pose = s.pair.a.pose;
        }
        local_find(&s);
        for (int i = 0; i < s.result.contacts.count; ++i) {
            CHECK_NEAR(abut_norm(s.result.contacts.items[i].normal), 1.0, 1e-14, "unit");
        }
        found += s.result.contacts.count;
        local_end(&s);
    }
    CHECK(found > 100, "%d contacts", found);
}

/// The answer does not change a bit if the sides are exchanged.
static inline void check_swapped(const char *method, const char *option)
{
    static const int cells[3] = {2, 2, 1};
    local_scene s;
    local_begin(&s, NULL, method, option, make_tet_block(NULL, cells, 0.2, 3, 1.0),
                make_tet_block(NULL, cells, 0.2, 4, 1.0));
    s.pair.b.pose = abut_pose_make(v3(0.4, 0.3, 0.8), abut_quat_from_axis(v3(0, 0, 1), 0.3));
    local_find(&s);
    CHECK(s.result.contacts.count > 10, "something to compare: %d", s.result.contacts.count);
    local_check_sane(&s);
    local_check_swapped(&s);
    local_end(&s);
}

/// The checks that all methods on pairs of tetrahedra share. `height` is that of the contact plane for a block 0.01
/// above the plate, by text. The program has no tolerance, not even for the points that it computes itself: rounding
/// decides whether they count, so motion changes its answers.
static inline void check_both_readings(const char *method, double height)
{
    static const char *const readings[2] = {"reading=text", "reading=program"};
    for (int i = 0; i < 2; ++i) {
        check_face_on_face(method, readings[i]);
        local_check_threads(method, readings[i]);
        local_check_apart(method, readings[i]);
        check_flat(method, readings[i]);
        local_check_memory(method, readings[i]);
        check_grid(method, readings[i]);
        check_swapped(method, readings[i]);
    }
    check_gap(method, readings[0], height);
    local_check_motion(method, readings[0]);
    check_far(method, readings[0]);
    check_soft(method, readings[0]);
}

#endif
