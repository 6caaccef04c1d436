// SPDX-License-Identifier: MIT
// test_mass.c: volume, centre, inertia and principal axes against closed forms
#include "check.h"
#include "random.h"
#include "shapes.h"

#include <abut/mesh.h>

// Mass, centre and inertia about the centre, by closed form.
typedef struct solid {
    double mass;
    abut_vec3 center;
    double inertia[3][3];
} solid;

// A box of density one: I_xx = m (h^2 + d^2) / 12.
static solid box_solid(abut_vec3 lower, abut_vec3 upper)
{
    abut_vec3 e = abut_sub(upper, lower);
    double m = e.x * e.y * e.z;
    solid s = {m,
               abut_scale(0.5, abut_add(lower, upper)),
               {{m * (e.y * e.y + e.z * e.z) / 12.0, 0.0, 0.0},
                {0.0, m * (e.x * e.x + e.z * e.z) / 12.0, 0.0},
                {0.0, 0.0, m * (e.x * e.x + e.y * e.y) / 12.0}}};
    return s;
}

// I += m (|d|^2 1 - d d^T), the parallel axis theorem
static void add_point_mass(solid *s, double m, abut_vec3 d)
{
    double v[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            s->inertia[i][k] += m * ((i == k ? abut_norm_squared(d) : 0.0) - v[i] * v[k]);
        }
    }
}

// a + sign b: the union of two bodies, or with sign -1, a with b cut out
static solid combine(solid a, double sign, solid b)
{
    solid s = {a.mass + sign * b.mass, {0.0, 0.0, 0.0}, {{0.0}}};
    s.center =
        abut_scale(1.0 / s.mass, abut_add(abut_scale(a.mass, a.center), abut_scale(sign * b.mass, b.center)));
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            s.inertia[i][k] = a.inertia[i][k] + sign * b.inertia[i][k];
        }
    }
    add_point_mass(&s, a.mass, abut_sub(a.center, s.center));
    add_point_mass(&s, sign * b.mass, abut_sub(b.center, s.center));
    return s;
}

// The solid scaled, then moved: mass s^3, inertia s^5 R I R^T.
static solid moved_solid(solid s, double scale, abut_pose pose)
{
    solid r = {s.mass * pow(scale, 3), abut_pose_apply(pose, abut_scale(scale, s.center)), {{0.0}}};
    abut_mat3 m = abut_quat_matrix(pose.rotation);
    double rotation[3][3] = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            for (int p = 0; p < 9; ++p) {
                r.inertia[i][k] +=
                    pow(scale, 5) * rotation[i][p / 3] * s.inertia[p / 3][p % 3] * rotation[k][p % 3];
            }
        }
    }
    return r;
}

static abut_mesh *make_mesh(const abut_vec3 *vertices, int vertex_count, const int *offsets, const int *faces,
                            int face_count)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.face_offsets = offsets;
    def.face_vertices = faces;
    def.face_count = face_count;
    abut_mesh *mesh = NULL;
    abut_error error;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, &error), ABUT_OK);
    return mesh;
}

// The mesh scaled, then moved.
static abut_mesh *moved_mesh(const abut_mesh *mesh, double scale, abut_pose pose)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    abut_vec3 vertices[64];
    assert_true(e.vertex_count <= 64);
    for (int i = 0; i < e.vertex_count; ++i) {
        vertices[i] = abut_pose_apply(pose, abut_scale(scale, e.vertices[i]));
    }
    return make_mesh(vertices, e.vertex_count, e.face_offsets, e.face_vertices, e.face_count);
}

// A polygon in the xy-plane, counter-clockwise, between z = 0 and z = height, with polygons as faces.
static abut_mesh *make_prism(const abut_vec2 *polygon, int count, double height)
{
    abut_vec3 vertices[32];
    int offsets[19] = {0}, faces[96], used = 0, face_count = 0;
    assert_true(count <= 16);
    for (int i = 0; i < count; ++i) {
        vertices[i] = abut_vec3_make(polygon[i].x, polygon[i].y, 0.0);
        vertices[count + i] = abut_vec3_make(polygon[i].x, polygon[i].y, height);
    }
    for (int i = 0; i < count; ++i) {
        faces[used++] = count - 1 - i;
    }
    offsets[++face_count] = used;
    for (int i = 0; i < count; ++i) {
        faces[used++] = count + i;
    }
    offsets[++face_count] = used;
    for (int i = 0; i < count; ++i) {
        int next = (i + 1) % count;
        const int side[4] = {i, next, count + next, count + i};
        memcpy(faces + used, side, sizeof side);
        used += 4;
        offsets[++face_count] = used;
    }
    return make_mesh(vertices, 2 * count, offsets, faces, face_count);
}

// The box from 0 to (4, 4, 3) with a pit from (1, 1, 1) to (3, 2, 3): vertices 0..7 are of the box, 8..15 of the
// pit.
static abut_mesh *make_pit(void)
{
    abut_vec3 vertices[16];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? 4 : 0, i & 2 ? 4 : 0, i & 4 ? 3 : 0);
        vertices[8 + i] = abut_vec3_make(i & 1 ? 3 : 1, i & 2 ? 2 : 1, i & 4 ? 3 : 1);
    }
    static const int faces[56] = {0,  2, 3, 1,  0,  1,  5,  4,  1,  3,  7,  5,  3,  2, 6, 7,  2,  0, 4,
                                  6,  4, 5, 13, 12, 5,  7,  15, 13, 7,  6,  14, 15, 6, 4, 12, 14, 8, 12,
                                  13, 9, 9, 13, 15, 11, 11, 15, 14, 10, 10, 14, 12, 8, 8, 9,  11, 10};
    static const int offsets[15] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56};
    return make_mesh(vertices, 16, offsets, faces, 14);
}

// Checks the mass within the error that rounding the vertices causes. A vertex at distance D is rounded by up to
// sqrt(3) 2^-53 D, and moving it adds a few rounding errors of the size. Moving every vertex by e changes the volume
// by up to e times the area.
static void check_mass(const abut_mesh *mesh, solid expected, const char *label)
{
    abut_mass mass;
    abut_error error = {0};
    CHECK_STATUS(abut_mesh_mass(mesh, &mass, &error), ABUT_OK, label);
    abut_box box = abut_mesh_get_elements(mesh).bounds;
    double size = abut_box_diagonal(box);
    double far = abut_norm(abut_max(abut_abs(box.lower), abut_abs(box.upper)));
    double shift = 0x1p-52 * far + 0x1p-49 * size;
    double relative = shift * abut_mesh_get_info(mesh).area / expected.mass;
    CHECK_NEAR(mass.mass, expected.mass, relative * expected.mass, label);
    CHECK(abut_norm(abut_sub(mass.center, expected.center)) <= shift + relative * size, "%s: centre", label);
    double unit = expected.mass * size * size;
    abut_mat3 m = mass.inertia;
    double inertia[3][3] = {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
    abut_mat3 axes = abut_quat_matrix(mass.principal_axes);
    abut_mat3 turned =
        abut_mat3_make(abut_scale(mass.principal_moments.x, axes.x), abut_scale(mass.principal_moments.y, axes.y),
                       abut_scale(mass.principal_moments.z, axes.z));
    abut_mat3 p = abut_mat3_multiply(turned, abut_mat3_transpose(axes));
    double again[3][3] = {{p.x.x, p.y.x, p.z.x}, {p.x.y, p.y.y, p.z.y}, {p.x.z, p.y.z, p.z.z}};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(inertia[i][k], expected.inertia[i][k], 4.0 * relative * unit, label);
            CHECK_NEAR(again[i][k], inertia[i][k], 0x1p-48 * unit, label);
        }
    }
    abut_vec3 v = mass.principal_moments;
    CHECK(v.x <= v.y && v.y <= v.z, "%s: ascending moments", label);
}

// Checks the mass of the mesh under random rotations, at scales from 1e-3 to 1e3, up to 1e4 sizes away.
static void check_everywhere(abut_mesh *mesh, solid expected, const char *label)
{
    test_random random = {77};
    check_mass(mesh, expected, label);
    double size = abut_box_diagonal(abut_mesh_get_elements(mesh).bounds);
    for (int i = 0; i < 60; ++i) {
        static const double scales[3] = {1e-3, 1.0, 1e3};
        double scale = scales[i % 3];
        double offset = i % 2 ? 1e4 * scale * size : 0.0;
        abut_pose pose = abut_pose_make(abut_scale(offset, random_unit(&random)), random_rotation(&random));
        abut_mesh *moved = moved_mesh(mesh, scale, pose);
        check_mass(moved, moved_solid(expected, scale, pose), label);
        abut_mesh_destroy(moved);
    }
    abut_mesh_destroy(mesh);
}

// A box of 1 x 2 x 3 has mass 6 and moments 6/12 (4 + 9), 6/12 (1 + 9), 6/12 (1 + 4). In ascending order: 2.5 about
// z, 5 about y, 6.5 about x.
static void box_has_closed_form(void **state)
{
    (void)state;
    abut_vec3 lower = {0.5, -1.0, 7.0}, upper = {1.5, 1.0, 10.0};
    abut_mesh *mesh = make_box(NULL, lower, upper);
    abut_mass mass;
    CHECK_STATUS(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK, "box");
    CHECK_NEAR(mass.mass, 6.0, 1e-15, "mass");
    CHECK_NEAR(mass.principal_moments.x, 2.5, 1e-14, "least moment");
    CHECK_NEAR(mass.principal_moments.y, 5.0, 1e-14, "middle moment");
    CHECK_NEAR(mass.principal_moments.z, 6.5, 1e-14, "greatest moment");
    abut_mat3 axes = abut_quat_matrix(mass.principal_axes);
    CHECK_NEAR(fabs(axes.x.z), 1.0, 1e-15, "least moment about z");
    CHECK_NEAR(fabs(axes.z.x), 1.0, 1e-15, "greatest moment about x");
    check_everywhere(mesh, box_solid(lower, upper), "box");
    CHECK_DONE();
}

// Any axes are principal axes of a cube. Rounding must not choose them at random.
static void cube_keeps_its_axes(void **state)
{
    (void)state;
    abut_mesh *mesh = make_box(NULL, abut_vec3_make(0.1, 0.2, 0.3), abut_vec3_make(1.1, 1.2, 1.3));
    abut_mass mass;
    CHECK_STATUS(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK, "cube");
    abut_mat3 axes = abut_quat_matrix(mass.principal_axes);
    CHECK_NEAR(abut_max_component(abut_abs(axes.x)), 1.0, 1e-15, "x is a coordinate axis");
    CHECK_NEAR(abut_max_component(abut_abs(axes.y)), 1.0, 1e-15, "y is a coordinate axis");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// A regular tetrahedron with edge a has volume a^3 / (6 sqrt 2) and moment m a^2 / 20 about every axis through its
// centre. Alternate corners of a cube of side 1 have a = sqrt 2: volume 1/3, moment 1/30.
static void regular_tetrahedron_has_closed_form(void **state)
{
    (void)state;
    const abut_vec3 corners[4] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}};
    solid s = {1.0 / 3.0, {0.5, 0.5, 0.5}, {{1.0 / 30.0, 0, 0}, {0, 1.0 / 30.0, 0}, {0, 0, 1.0 / 30.0}}};
    static const int faces[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    abut_mesh *mesh = make_mesh(corners, 4, NULL, faces, 4);
    check_everywhere(mesh, s, "tetrahedron");
    CHECK_DONE();
}

// A prism of height h over the right triangle (0,0), (a,0), (0,b): m = a b h / 2, centre (a/3, b/3, h/2). About the
// centre, the triangle has int x^2 = m a^2 / 18 and int x y = -m a b / 36; the height has m h^2 / 12.
static void right_prism_has_closed_form(void **state)
{
    (void)state;
    const double a = 3.0, b = 1.5, h = 0.75, m = a * b * h / 2.0;
    const abut_vec2 triangle[3] = {{0, 0}, {a, 0}, {0, b}};
    double xx = m * a * a / 18.0, yy = m * b * b / 18.0, zz = m * h * h / 12.0, xy = -m * a * b / 36.0;
    solid s = {m, {a / 3, b / 3, h / 2}, {{yy + zz, -xy, 0}, {-xy, xx + zz, 0}, {0, 0, xx + yy}}};
    check_everywhere(make_prism(triangle, 3, h), s, "prism");
    CHECK_DONE();
}

// An L of height 1 is two boxes: (0,0)-(3,1) and (0,1)-(1,4).
static void l_solid_is_two_boxes(void **state)
{
    (void)state;
    const abut_vec2 l[6] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 4}, {0, 4}};
    solid a = box_solid(abut_vec3_make(0, 0, 0), abut_vec3_make(3, 1, 1));
    solid b = box_solid(abut_vec3_make(0, 1, 0), abut_vec3_make(1, 4, 1));
    check_everywhere(make_prism(l, 6, 1.0), combine(a, 1.0, b), "L");
    CHECK_DONE();
}

// A box with a pit is a box minus a box.
static void pit_is_a_box_less(void **state)
{
    (void)state;
    solid a = box_solid(abut_vec3_make(0, 0, 0), abut_vec3_make(4, 4, 3));
    solid b = box_solid(abut_vec3_make(1, 1, 1), abut_vec3_make(3, 2, 3));
    check_everywhere(make_pit(), combine(a, -1.0, b), "pit");
    CHECK_DONE();
}

// A rod 1 x 1e-6 x 1e-6: the least moment, m 2e-12 / 12, keeps its digits beside the others, m / 12.
static void thin_rod_keeps_small_moment(void **state)
{
    (void)state;
    abut_mesh *mesh = make_box(NULL, abut_vec3_make(-0.5, -5e-7, -5e-7), abut_vec3_make(0.5, 5e-7, 5e-7));
    abut_mass mass;
    CHECK_STATUS(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK, "rod");
    CHECK_NEAR(mass.principal_moments.x / (1e-12 * 2e-12 / 12.0), 1.0, 1e-12, "least moment");
    CHECK_NEAR(mass.principal_moments.z / (1e-12 / 12.0), 1.0, 1e-11, "greatest moment");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Latitudes and longitudes on the unit sphere: 2n bands around, n from pole to pole.
static abut_mesh *make_sphere(int n)
{
    int around = 2 * n;
    int vertex_count = 2 + (n - 1) * around, face_count = 2 * around * (n - 1);
    abut_vec3 *vertices = test_calloc((size_t)vertex_count, sizeof *vertices);
    int *faces = test_calloc((size_t)face_count * 3, sizeof *faces);
    const double pi = acos(-1.0);
    int used = 0;
    vertices[0] = abut_vec3_make(0, 0, 1);
    vertices[1] = abut_vec3_make(0, 0, -1);
    for (int i = 1; i < n; ++i) {
        for (int k = 0; k < around; ++k) {
            double theta = pi * i / n, phi = 2.0 * pi * k / around;
            vertices[2 + (i - 1) * around + k] =
                abut_vec3_make(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
        }
    }
    for (int k = 0; k < around; ++k) {
        int next = (k + 1) % around, last = 2 + (n - 2) * around;
        const int caps[6] = {0, 2 + k, 2 + next, 1, last + next, last + k};
        memcpy(faces + used, caps, sizeof caps);
        used += 6;
        for (int i = 1; i < n - 1; ++i) {
            int a = 2 + (i - 1) * around, b = a + around;
            const int quad[6] = {a + k, b + k, b + next, a + k, b + next, a + next};
            memcpy(faces + used, quad, sizeof quad);
            used += 6;
        }
    }
    abut_mesh *mesh = make_mesh(vertices, vertex_count, NULL, faces, face_count);
    test_free(vertices);
    test_free(faces);
    return mesh;
}

// The unit sphere has mass 4 pi / 3 and moment 2/5 m. The error of an inscribed polyhedron is quadratic in the step:
// twice as fine, a quarter of the error.
static void sphere_converges(void **state)
{
    (void)state;
    const double exact_mass = 4.0 / 3.0 * acos(-1.0), exact_moment = 0.4 * exact_mass;
    double mass_errors[4], moment_errors[4];
    for (int i = 0; i < 4; ++i) {
        abut_mesh *mesh = make_sphere(8 << i);
        abut_mass mass;
        CHECK_STATUS(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK, "sphere");
        CHECK(abut_norm(mass.center) < 1e-15, "centre");
        mass_errors[i] = exact_mass - mass.mass;
        moment_errors[i] = exact_moment - mass.principal_moments.z;
        abut_mesh_destroy(mesh);
    }
    for (int i = 1; i < 4; ++i) {
        CHECK_NEAR(mass_errors[i - 1] / mass_errors[i], 4.0, 0.1, "order of the mass");
        CHECK_NEAR(moment_errors[i - 1] / moment_errors[i], 4.0, 0.15, "order of the moment");
    }
    CHECK(mass_errors[3] > 0.0 && mass_errors[3] < 0.01, "inscribed");
    CHECK_DONE();
}

// A vertex that no face uses, however far away, changes nothing.
static void unused_vertices_do_not_matter(void **state)
{
    (void)state;
    const abut_vec3 vertices[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1e12, 1e12, 1e12}};
    static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    abut_mesh *with = make_mesh(vertices, 5, NULL, faces, 4), *without = make_mesh(vertices, 4, NULL, faces, 4);
    abut_mass a, b;
    CHECK_STATUS(abut_mesh_mass(with, &a, NULL), ABUT_OK, "with");
    CHECK_STATUS(abut_mesh_mass(without, &b, NULL), ABUT_OK, "without");
    CHECK(a.mass == b.mass && a.inertia.x.x == b.inertia.x.x && a.center.x == b.center.x, "equal bits");
    abut_mesh_destroy(with);
    abut_mesh_destroy(without);
    CHECK_DONE();
}

static void check_refused(abut_mesh *mesh, abut_status expected, int element, const char *words)
{
    abut_mass mass;
    abut_error error = {0};
    CHECK_STATUS(abut_mesh_mass(mesh, &mass, &error), expected, words);
    CHECK(strstr(error.text, words) != NULL, "'%s' says '%s'", error.text, words);
    CHECK_INT(error.element, element, words);
    CHECK_INT(error.status, expected, words);
    CHECK_STATUS(abut_mesh_mass(mesh, &mass, NULL), expected, "without error");
    abut_mesh_destroy(mesh);
}

// Surfaces that do not bound a solid are rejected, and the message names the first wrong edge. The edges of the
// tetrahedron are sorted by their vertices: 01, 02, 03, 12, 13, 23.
static void other_surfaces_are_refused(void **state)
{
    (void)state;
    const abut_vec3 v[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    static const int good[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    check_refused(make_mesh(v, 4, NULL, good, 3), ABUT_UNSUPPORTED, 3, "open: edge 3 between vertices 1 and 2");
    static const int turned[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 3, 2};
    check_refused(make_mesh(v, 4, NULL, turned, 4), ABUT_UNSUPPORTED, 3, "triangles 0 and 3 face opposite sides");
    static const int winged[15] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 0, 1, 4};
    check_refused(make_mesh(v, 5, NULL, winged, 5), ABUT_UNSUPPORTED, 0, "has 3 triangles");
    check_refused(make_mesh(v, 4, NULL, NULL, 0), ABUT_UNSUPPORTED, -1, "no faces");
    static const int inside_out[12] = {0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2};
    check_refused(make_mesh(v, 4, NULL, inside_out, 4), ABUT_BAD_DATA, -1, "point inward");
    static const int flat[6] = {1, 2, 3, 1, 3, 2};
    check_refused(make_mesh(v, 4, NULL, flat, 2), ABUT_BAD_DATA, -1, "no volume");
    CHECK_STATUS(abut_mesh_mass(NULL, NULL, NULL), ABUT_BAD_ARGUMENT, "NULL");
    CHECK_DONE();
}

// A tetrahedron whose corners are rounded points of a tilted plane is rejected, or has the tiny volume that rounding
// gave it. With a corner 1e-9 above the plane it is a solid.
static void nearly_flat_solids_are_right(void **state)
{
    (void)state;
    test_random random = {9};
    static const int faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    for (int i = 0; i < 500; ++i) {
        abut_quat q = random_rotation(&random);
        abut_vec3 offset = random_vec3(&random, 100.0);
        abut_vec3 v[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {random_in(&random, 0, 1), random_in(&random, 0, 1), 0}};
        abut_vec3 w[4];
        for (int k = 0; k < 4; ++k) {
            w[k] = abut_add(abut_quat_rotate(q, v[k]), offset);
        }
        abut_mesh *mesh = make_mesh(w, 4, NULL, faces, 4);
        abut_mass mass;
        // Each corner is rounded by up to sqrt(3) 2^-53 128 = 2.5e-14 and the area is below 2, so the error is below
        // 5e-14.
        abut_status status = abut_mesh_mass(mesh, &mass, NULL);
        CHECK(status == ABUT_BAD_DATA || (status == ABUT_OK && mass.mass > 0.0 && mass.mass < 5e-14), "flat");
        abut_mesh_destroy(mesh);
        w[3] = abut_add(w[3], abut_quat_rotate(q, abut_vec3_make(0, 0, 1e-9)));
        mesh = make_mesh(w, 4, NULL, faces, 4);
        CHECK_STATUS(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK, "thin");
        CHECK_NEAR(mass.mass, 1e-9 / 6.0, 5e-14, "thin");
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// The fifth power of 1e60 and more is beyond the range of double. Such sizes are rejected and do not give infinity.
static void sizes_beyond_range_are_refused(void **state)
{
    (void)state;
    const double sizes[4] = {1e-200, 1e-60, 1e60, 1e300};
    for (int i = 0; i < 4; ++i) {
        double s = sizes[i];
        check_refused(make_box(NULL, abut_vec3_make(-s, -s, -s), abut_vec3_make(s, s, s)), ABUT_UNSUPPORTED, -1,
                      "size");
    }
    for (int i = -49; i <= 49; i += 7) {
        double s = pow(10.0, i);
        abut_mesh *mesh = make_box(NULL, abut_vec3_make(-s, -s, -s), abut_vec3_make(s, s, s));
        abut_mass mass;
        CHECK_STATUS(abut_mesh_mass(mesh, &mass, NULL), ABUT_OK, "in range");
        CHECK_NEAR(mass.mass / s / s / s, 8.0, 1e-14, "mass");
        CHECK_NEAR(mass.inertia.x.x / s / s / s / s / s, 16.0 / 3.0, 1e-14, "inertia");
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_has_closed_form),
        cmocka_unit_test(cube_keeps_its_axes),
        cmocka_unit_test(regular_tetrahedron_has_closed_form),
        cmocka_unit_test(right_prism_has_closed_form),
        cmocka_unit_test(l_solid_is_two_boxes),
        cmocka_unit_test(pit_is_a_box_less),
        cmocka_unit_test(thin_rod_keeps_small_moment),
        cmocka_unit_test(sphere_converges),
        cmocka_unit_test(unused_vertices_do_not_matter),
        cmocka_unit_test(other_surfaces_are_refused),
        cmocka_unit_test(nearly_flat_solids_are_right),
        cmocka_unit_test(sizes_beyond_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
