// SPDX-License-Identifier: MIT
// test_overlap.c: overlaps are found however solids are cut into triangles and parts, and touching is no overlap
#include "shapes.h"

enum { VERTEX_LIMIT = 256, TRIANGLE_LIMIT = 512 };

/// A mesh that grows part by part.
typedef struct builder {
    abut_vec3 vertices[VERTEX_LIMIT];
    int triangles[3 * TRIANGLE_LIMIT];
    int vertex_count, triangle_count;
} builder;

static abut_vec3 v3(double x, double y, double z)
{
    return abut_vec3_make(x, y, z);
}

static void add_triangle(builder *b, int i, int j, int k)
{
    int *t = b->triangles + 3 * b->triangle_count++;
    t[0] = i;
    t[1] = j;
    t[2] = k;
}

static void add_quad(builder *b, int i, int j, int k, int m)
{
    add_triangle(b, i, j, k);
    add_triangle(b, i, k, m);
}

/// A prism along x with a square of side 1 about the axis, cut across at `count` places, the ends among them.
static void add_beam(builder *b, const double *places, int count)
{
    int first = b->vertex_count;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 4; ++k) {
            b->vertices[b->vertex_count++] = v3(places[i], k == 1 || k == 2 ? 0.5 : -0.5, k >= 2 ? 0.5 : -0.5);
        }
    }
    for (int i = 0; i + 1 < count; ++i) {
        for (int k = 0; k < 4; ++k) {
            int here = first + 4 * i + k, beside = first + 4 * i + (k + 1) % 4;
            add_quad(b, here, beside, beside + 4, here + 4);
        }
    }
    int last = b->vertex_count - 4;
    add_quad(b, first, first + 3, first + 2, first + 1);
    add_quad(b, last, last + 1, last + 2, last + 3);
}

/// A box; inside out if it bounds a hollow.
static void add_box(builder *b, abut_vec3 lower, abut_vec3 upper, int is_hollow)
{
    static const int quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    int first = b->vertex_count;
    for (int i = 0; i < 8; ++i) {
        b->vertices[b->vertex_count++] =
            v3(i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z);
    }
    for (int i = 0; i < 6; ++i) {
        const int *q = quads[i];
        add_quad(b, first + q[0], first + q[is_hollow ? 3 : 1], first + q[2], first + q[is_hollow ? 1 : 3]);
    }
}

/// The status of a query with method regions, and the number of contacts. `depth` is that of the deepest contact; it
/// overlaps, and is separated by translation, if there is one.
static abut_status ask(const builder *a, const builder *b, abut_pose pose_b, int *contacts, double *depth)
{
    const builder *builders[2] = {a, b};
    const abut_method *method = abut_method_find("regions");
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    for (int i = 0; i < 2; ++i) {
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = builders[i]->vertices;
        def.vertex_count = builders[i]->vertex_count;
        def.face_vertices = builders[i]->triangles;
        def.face_count = builders[i]->triangle_count;
        assert_int_equal(abut_mesh_create(NULL, &def, &meshes[i], NULL), ABUT_OK);
        abut_mesh_info info = abut_mesh_get_info(meshes[i]);
        assert_true(info.is_closed && info.is_oriented && info.volume > 0.0);
        shapes[i] = make_shape(NULL, meshes[i], method, NULL);
    }
    abut_workspace *work = NULL;
    assert_int_equal(abut_workspace_create(NULL, &work), ABUT_OK);
    abut_pair pair = abut_pair_default(shapes[0], shapes[1]);
    pair.b.pose = pose_b;
    abut_result result = abut_result_default();
    abut_status status = abut_find_contacts(&pair, method, NULL, work, &result);
    *contacts = result.contacts.count;
    *depth = 0.0;
    for (int i = 0; i < result.contacts.count; ++i) {
        *depth = fmax(*depth, -result.contacts.items[i].gap);
    }
    CHECK((result.stats.fallbacks > 0) == (*depth > 1e-3), "fallbacks");
    abut_workspace_destroy(work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(shapes[i]);
        abut_mesh_destroy(meshes[i]);
    }
    return status;
}

// Two beams of width 1 cross at right angles, the second one 0.3 higher: they overlap by 0.7, and no corner of
// one is in the other. Where edges are cut in the planes of the other's sides no piece of them runs through a
// side, but the edges do. One higher by 1, the beams touch in a square.
static void beams_overlap_wherever_they_are_cut(void **state)
{
    (void)state;
    static const struct {
        double places[16];
        int count;
    } cuts[] = {{{-2, 2}, 2},
                {{-2, -0.5, 0.5, 2}, 4},
                {{-2, -0.5 - 1e-7, 0.5 + 1e-7, 2}, 4},
                {{-2, -0.5 + 1e-7, 0.5 - 1e-7, 2}, 4},
                {{-2, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 2}, 11}};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; ++i) {
        builder beam = {.vertex_count = 0};
        add_beam(&beam, cuts[i].places, cuts[i].count);
        abut_quat across = abut_quat_from_axis(v3(0, 0, 1), acos(-1.0) / 2);
        int contacts;
        double depth;
        CHECK_STATUS(ask(&beam, &beam, abut_pose_make(v3(0, 0, 0.3), across), &contacts, &depth), ABUT_OK,
                     "crossing");
        CHECK_NEAR(depth, 0.7, 1e-6, "crossing");
        CHECK_INT(contacts, 4, "crossing");
        CHECK_STATUS(ask(&beam, &beam, abut_pose_make(v3(0, 0, 1), across), &contacts, &depth), ABUT_OK, "on top");
        CHECK_INT(contacts, 4, "on top");
    }
    CHECK_DONE();
}

// A part of a body that is inside the other one is an overlap, whatever the other parts do; one in a hollow is not.
static void parts_inside_are_overlaps(void **state)
{
    (void)state;
    builder block = {.vertex_count = 0}, hollow = {.vertex_count = 0}, two = {.vertex_count = 0};
    add_box(&block, v3(-5, -5, -5), v3(5, 5, 5), 0);
    add_box(&hollow, v3(-5, -5, -5), v3(5, 5, 5), 0);
    add_box(&hollow, v3(-4, -4, -4), v3(4, 4, 4), 1);
    add_box(&two, v3(-1, -1, 5), v3(1, 1, 6), 0);  // on the block
    add_box(&two, v3(-1, -1, -1), v3(1, 1, 1), 0); // in its middle
    abut_pose here = abut_pose_identity(), aside = abut_pose_make(v3(0, 0, 10.5), abut_quat_identity());
    abut_pose lower = abut_pose_make(v3(0, 0, -2), abut_quat_identity());
    int contacts;
    double depth;
    CHECK_STATUS(ask(&block, &two, here, &contacts, &depth), ABUT_OK, "one on it, one in it");
    CHECK_NEAR(depth, 6.0, 1e-6, "one on it, one in it: up or sideways");
    CHECK_STATUS(ask(&block, &two, aside, &contacts, &depth), ABUT_OK, "both apart");
    CHECK_INT(contacts, 0, "both apart");
    CHECK_STATUS(ask(&hollow, &two, here, &contacts, &depth), ABUT_OK, "one on it, one in the hollow");
    CHECK_INT(contacts, 4, "one on it, one in the hollow");
    CHECK_STATUS(ask(&hollow, &two, lower, &contacts, &depth), ABUT_OK,
                 "both in the hollow, one under its ceiling");
    CHECK_INT(contacts, 4, "both in the hollow, one under its ceiling");
    builder apart_first = {.vertex_count = 0};
    add_box(&apart_first, v3(20, -1, -1), v3(22, 1, 1), 0);
    add_box(&apart_first, v3(-1, -1, -1), v3(1, 1, 1), 0);
    CHECK_STATUS(ask(&block, &apart_first, here, &contacts, &depth), ABUT_OK, "one apart, one in it");
    CHECK_NEAR(depth, 6.0, 1e-6, "one apart, one in it");
    CHECK_DONE();
}

// The edge of a block, with a strip of triangles along it that is narrower than the tolerance, and across it the
// edge of a blade, which is sunk by less than the tolerance: one contact. The blade's edge goes through the top
// beside the strip.
static void narrow_triangles_do_not_hide_the_border(void **state)
{
    (void)state;
    const double widths[] = {1.0, 1e-6, 1e-7, 1e-8}, depths[] = {0.0, 3e-7, 1e-6};
    for (int i = 0; i < 12; ++i) {
        double width = widths[i % 4], depth = depths[i / 4];
        builder block = {.vertex_count = 12}, blade = {.vertex_count = 6};
        const double outline[6][2] = {{0, -2}, {width, -2}, {4, -2}, {4, 2}, {width, 2}, {0, 2}};
        for (int k = 0; k < 6; ++k) {
            block.vertices[k] = v3(outline[k][0], outline[k][1], 0.0);
            block.vertices[6 + k] = v3(outline[k][0], outline[k][1], -2.0);
            add_quad(&block, 6 + k, 6 + (k + 1) % 6, (k + 1) % 6, k);
        }
        add_quad(&block, 0, 1, 4, 5);
        add_quad(&block, 1, 2, 3, 4);
        add_quad(&block, 11, 10, 7, 6);
        add_quad(&block, 10, 9, 8, 7);
        // the blade's edge runs along (1, 0, 1), and the blade is on the side of (-1, 0, 1)
        abut_vec3 along = abut_unit(v3(1, 0, 1)), up = abut_unit(v3(-1, 0, 1));
        const double profile[3][2] = {{0.0, -depth}, {0.7, 1.0}, {-0.7, 1.0}};
        for (int k = 0; k < 6; ++k) {
            abut_vec3 p = abut_add_scaled(v3(0, profile[k % 3][0], 0), profile[k % 3][1], up);
            blade.vertices[k] = abut_add_scaled(p, k < 3 ? -1.0 : 1.0, along);
        }
        add_triangle(&blade, 0, 2, 1);
        add_triangle(&blade, 3, 4, 5);
        for (int k = 0; k < 3; ++k) {
            add_quad(&blade, k, (k + 1) % 3, (k + 1) % 3 + 3, k + 3);
        }
        int contacts;
        CHECK_STATUS(ask(&block, &blade, abut_pose_identity(), &contacts, &depth), ABUT_OK, "blade");
        CHECK_INT(contacts, 1, "blade");
    }
    CHECK_DONE();
}

/// A prism with `sides` sides about the z axis from z = `flat` to a fan of triangles with its tip in the origin
/// and the corners of its rim at the heights of `rim`, in turn; the fan is the top if it is above `flat`.
static void add_fan(builder *b, int sides, double radius, const double rim[2], double flat)
{
    int first = b->vertex_count, is_top = flat < 0.0;
    for (int i = 0; i < 2 * sides; ++i) {
        double angle = 2.0 * acos(-1.0) * (i % sides) / sides;
        b->vertices[b->vertex_count++] =
            v3(radius * cos(angle), radius * sin(angle), i < sides ? rim[i % 2] : flat);
    }
    b->vertices[b->vertex_count++] = v3(0.0, 0.0, 0.0);
    b->vertices[b->vertex_count++] = v3(0.0, 0.0, flat);
    for (int i = 0; i < sides; ++i) {
        // the other way round if the fan is the lower side
        int here = first + (is_top ? i : (i + 1) % sides), next = first + (is_top ? (i + 1) % sides : i);
        add_triangle(b, here, next, first + 2 * sides);
        add_triangle(b, next + sides, here + sides, first + 2 * sides + 1);
        if (rim[0] != flat) {
            add_quad(b, here + sides, next + sides, next, here);
        }
    }
}

// A cone of n sides in a pit of n sides with the same walls: n triangles, 3 n contacts. A narrower cone stands in
// the tip of the pit: n walls, n contacts in one point. A zigzag crown of n triangles in its mould: 3 n contacts.
static void any_number_of_faces_meets_in_a_vertex(void **state)
{
    (void)state;
    const int counts[] = {6, 24, 26, 60};
    const double rim[2] = {1.0, 1.0}, zigzag[2] = {-0.2, 0.3};
    for (int i = 0; i < 4; ++i) {
        builder pit = {.vertex_count = 0}, cone = {.vertex_count = 0}, spike = {.vertex_count = 0};
        builder crown = {.vertex_count = 0}, mould = {.vertex_count = 0};
        add_fan(&pit, counts[i], 1.0, rim, -1.0);
        add_fan(&cone, counts[i], 1.0, rim, 2.0);
        add_fan(&spike, counts[i], 0.3, rim, 2.0);
        add_fan(&crown, counts[i], 1.0, zigzag, -1.0);
        add_fan(&mould, counts[i], 1.0, zigzag, 1.0);
        int contacts;
        double depth;
        CHECK_STATUS(ask(&pit, &cone, abut_pose_identity(), &contacts, &depth), ABUT_OK, "cone");
        CHECK_INT(contacts, 3 * counts[i], "cone");
        CHECK_STATUS(ask(&pit, &spike, abut_pose_identity(), &contacts, &depth), ABUT_OK, "spike");
        CHECK_INT(contacts, counts[i], "spike");
        CHECK_STATUS(ask(&crown, &mould, abut_pose_identity(), &contacts, &depth), ABUT_OK, "crown");
        CHECK_INT(contacts, 3 * counts[i], "crown");
    }
    CHECK_DONE();
}

// Two unit cubes that have the corner (1, 1, 1) in common and nothing else, and a third beside the first and
// under the second's edge: a square and an edge on an edge, for which geometry leaves two normals: 4 + 2 * 2
// contacts.
static void cubes_joined_at_a_corner(void **state)
{
    (void)state;
    builder joined = {.vertex_count = 0}, cube = {.vertex_count = 0};
    add_box(&joined, v3(0, 0, 0), v3(1, 1, 1), 0);
    add_box(&joined, v3(1, 1, 1), v3(2, 2, 2), 0);
    for (int i = 0; i < 3 * joined.triangle_count; ++i) {
        joined.triangles[i] -= joined.triangles[i] >= 8; // vertex 8 is vertex 7
    }
    for (int i = 8; i < 15; ++i) {
        joined.vertices[i] = joined.vertices[i + 1];
    }
    --joined.vertex_count;
    add_box(&cube, v3(0, 1, 0), v3(1, 2, 1), 0);
    int contacts;
    double depth;
    CHECK_STATUS(ask(&joined, &cube, abut_pose_identity(), &contacts, &depth), ABUT_OK, "joined");
    CHECK_INT(contacts, 8, "joined");
    CHECK_DONE();
}

enum { STAR = 8, LAYERS = 2 };

/// The corners of a star with four points, turned and scaled; returns the first.
static int add_star(builder *b, double turn, double z, double scale)
{
    int first = b->vertex_count;
    for (int i = 0; i < STAR; ++i) {
        double angle = turn + 2.0 * acos(-1.0) * i / STAR, radius = scale * (i % 2 == 0 ? 1.2 : 0.7);
        b->vertices[b->vertex_count++] = v3(radius * cos(angle), radius * sin(angle), z);
    }
    return first;
}

/// The sides of a star that is turned from layer to layer; returns the first corner.
static int add_twisted_star(builder *b, double turn, double scale, int is_hole)
{
    int first = b->vertex_count;
    for (int layer = 0; layer <= LAYERS; ++layer) {
        (void)add_star(b, turn * layer, 0.75 * layer, scale);
    }
    for (int i = 0; i < STAR * LAYERS; ++i) {
        int a = first + i, c = first + i / STAR * STAR + (i + 1) % STAR;
        add_triangle(b, a, is_hole ? c + STAR : c, is_hole ? c : c + STAR);
        add_triangle(b, a, is_hole ? a + STAR : c + STAR, is_hole ? c + STAR : a + STAR);
    }
    return first;
}

// A bolt with the profile of a star, turned a little from layer to layer, in its nut: all of its 32 triangles
// touch. They are at small angles, so that near their corners some directions are between them by less than 1e-4.
// 3 contacts a triangle.
static void twisted_stars_touch(void **state)
{
    (void)state;
    const double turns[] = {0.1, 0.01, 0.003, 0.0015, 0.001};
    for (int k = 0; k < 5; ++k) {
        builder bolt = {.vertex_count = 0}, nut = {.vertex_count = 0};
        int star = add_twisted_star(&bolt, turns[k], 1.0, 0), top = star + LAYERS * STAR;
        int middle = bolt.vertex_count;
        bolt.vertices[bolt.vertex_count++] = v3(0, 0, 0);
        bolt.vertices[bolt.vertex_count++] = v3(0, 0, 0.75 * LAYERS);
        int hole = add_twisted_star(&nut, turns[k], 1.0, 1), outside = add_twisted_star(&nut, turns[k], 2.0, 0);
        for (int i = 0; i < STAR; ++i) {
            int next = (i + 1) % STAR, up = LAYERS * STAR;
            add_triangle(&bolt, star + next, star + i, middle);
            add_triangle(&bolt, top + i, top + next, middle + 1);
            add_quad(&nut, hole + i, hole + next, outside + next, outside + i);
            add_quad(&nut, outside + up + i, outside + up + next, hole + up + next, hole + up + i);
        }
        int contacts;
        double depth;
        CHECK_STATUS(ask(&nut, &bolt, abut_pose_identity(), &contacts, &depth), ABUT_OK, "bolt");
        CHECK_INT(contacts, 3 * 2 * STAR * LAYERS, "bolt");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beams_overlap_wherever_they_are_cut),
        cmocka_unit_test(parts_inside_are_overlaps),
        cmocka_unit_test(narrow_triangles_do_not_hide_the_border),
        cmocka_unit_test(any_number_of_faces_meets_in_a_vertex),
        cmocka_unit_test(cubes_joined_at_a_corner),
        cmocka_unit_test(twisted_stars_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
