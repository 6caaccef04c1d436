// SPDX-License-Identifier: MIT
// test_complex_mend.c: degenerate triangles are collapsed or flipped away; solids are told from shells
#include "complex/complex.h"
#include "complexes.h"
#include "effort.h"
#include "failing.h"

/// The counts of a mesh's complex. Destroys the mesh.
static abut_complex_info info_of(abut_mesh *mesh)
{
    abut_complex *complex = make_complex(NULL, mesh);
    abut_complex_info info = abut_complex_get_info(complex);
    abut_complex_destroy(complex);
    abut_mesh_destroy(mesh);
    return info;
}

/// The box of make_box(), with up to four vertices and triangles more; `triangles` replaces the twelve if it is not NULL.
static abut_mesh *make_odd_box(const abut_vec3 *more, int more_count, const int *triangles, int count)
{
    abut_vec3 vertices[12];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = v3(i & 1 ? 1 : 0, i & 2 ? 1 : 0, i & 4 ? 1 : 0);
    }
    for (int i = 0; i < more_count; ++i) {
        vertices[8 + i] = more[i];
    }
    return make_triangles(NULL, vertices, 8 + more_count, triangles, count);
}

static void check_is_cube(abut_complex_info info, const char *label)
{
    const int classes[7] = {8, 0, 12, 0, 0, 6, 12};
    CHECK_INT(info.solid_part_count, 1, label);
    CHECK_INT(info.shell_part_count, 0, label);
    for (int k = 0; k < 7; ++k) {
        CHECK(info.class_counts[k] == classes[k], "%s: %d simplices of class %d, not %d", label,
              info.class_counts[k], k, classes[k]);
    }
}

// Corner 7 of a cube is double: the top uses the copy, 8, and two triangles without area join the copies with the sides
// x = 1 and y = 1. Collapsed, it is the cube again.
static void edges_of_no_length(void **state)
{
    (void)state;
    const abut_vec3 copy = {1, 1, 1};
    const int triangles[] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7,
                             2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 8, 4, 8, 6, 5, 7, 8, 6, 8, 7};
    abut_mesh *mesh = make_odd_box(&copy, 1, triangles, 14);
    CHECK_INT(abut_mesh_get_info(mesh).is_closed, 1, "closed before");
    abut_complex_info info = info_of(mesh);
    check_is_cube(info, "collapsed");
    CHECK_INT(info.collapsed_count, 1, "one edge");
    CHECK_INT(info.vertex_count, 8, "vertices");
    CHECK_DONE();
}

// Vertex 8 in the middle of the edge from 4 to 5 belongs to the top only; the front has the whole edge. A triangle without
// area, (4, 5, 8), closes the slit. It is flipped with the front triangle above it: the front gets vertex 8 too, and the
// vertex is one of a straight edge. Two slits side by side: both are flipped.
static void flat_triangles(void **state)
{
    (void)state;
    const abut_vec3 middles[2] = {{0.5, 0, 1}, {0.75, 0, 1}};
    const int one[] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7,
                       2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 8, 6, 8, 7, 6, 8, 5, 7, 4, 5, 8};
    const int two[] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3,
                       0, 2, 3, 0, 3, 1, 4, 8, 6, 8, 7, 6, 8, 9, 7, 9, 5, 7, 4, 5, 8, 5, 9, 8};
    for (int i = 0; i < 2; ++i) {
        abut_mesh *mesh = make_odd_box(middles, 1 + i, i ? two : one, i ? 16 : 14);
        CHECK_INT(abut_mesh_get_info(mesh).is_closed, 1, "closed before");
        abut_complex_info info = info_of(mesh);
        CHECK_INT(info.solid_part_count, 1, "closed after");
        CHECK_INT(info.dropped_count, 0, "nothing left out");
        CHECK(info.flipped_count >= 1 + i, "%d flips", info.flipped_count);
        CHECK_INT(info.class_counts[0], 8, "corners");
        CHECK_INT(info.class_counts[1], 1 + i, "vertices of a straight edge");
        CHECK_INT(info.class_counts[7], 0, "nothing reentrant");
        CHECK_INT(info.triangle_count, 14 + 2 * i, "triangles");
    }
    CHECK_DONE();
}

enum { MOST_ODD_VERTICES = 64, MOST_ODD_TRIANGLES = 160 };

/// A closed surface that gets degenerate.
typedef struct odd_surface {
    abut_vec3 vertices[MOST_ODD_VERTICES];
    int triangles[MOST_ODD_TRIANGLES][3];
    int vertex_count, triangle_count;
} odd_surface;

static void add_odd(odd_surface *s, int a, int b, int c)
{
    const int t[3] = {a, b, c};
    memcpy(s->triangles[s->triangle_count++], t, sizeof t);
}

/// Cuts a triangle in two at a point of one of its sides, and closes the slit to its neighbour with a flat triangle.
static void add_slit(odd_surface *s, test_random *random)
{
    int *t = s->triangles[random_below(random, s->triangle_count)], k = random_below(random, 3);
    int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], m = s->vertex_count++;
    s->vertices[m] = abut_lerp(s->vertices[a], s->vertices[b], 0.25 * (1 + random_below(random, 3)));
    t[0] = a;
    t[1] = m;
    t[2] = c;
    add_odd(s, m, b, c);
    add_odd(s, a, b, m);
}

/// Gives a triangle a copy of one of its corners, and closes the slits at both sides of it with triangles of no length.
static void add_copy(odd_surface *s, test_random *random)
{
    int *t = s->triangles[random_below(random, s->triangle_count)], k = random_below(random, 3);
    int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3], m = s->vertex_count++;
    s->vertices[m] = s->vertices[a];
    t[k] = m;
    add_odd(s, a, b, m);
    add_odd(s, c, a, m);
}

// A cube with random slits and copies of corners, also in what earlier ones left behind, is closed. Mended it is a cube:
// closed, of the same volume, with eight corners, and all else flat or on straight edges.
static void closed_stays_closed(void **state)
{
    (void)state;
    test_random random = {17};
    int flips = 0, collapses = 0;
    for (int i = 0; i < sample_count(400, 20000); ++i) {
        odd_surface s = {.vertex_count = 8};
        const int box[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                             2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
        for (int k = 0; k < 8; ++k) {
            s.vertices[k] = v3(k & 1 ? 1 : 0, k & 2 ? 1 : 0, k & 4 ? 1 : 0);
        }
        for (int k = 0; k < 12; ++k) {
            add_odd(&s, box[3 * k], box[3 * k + 1], box[3 * k + 2]);
        }
        for (int k = random_below(&random, i % 2 ? 4 : 25); k >= 0; --k) {
            (random_below(&random, 2) ? add_slit : add_copy)(&s, &random);
        }
        double scale =
            pow(10.0, random_below(&random, 7) - 3); // turned and far away, what is flat is so up to rounding
        abut_pose pose = {random_vec3(&random, i % 3 == 0   ? 0.0
                                               : i % 3 == 1 ? scale
                                                            : 1e4 * scale),
                          i % 3 == 0 ? abut_quat_identity() : random_rotation(&random)};
        abut_mesh *plain = make_triangles(NULL, s.vertices, s.vertex_count, s.triangles[0], s.triangle_count);
        abut_mesh *mesh = make_moved(plain, pose, scale);
        abut_mesh_destroy(plain);
        CHECK_INT(abut_mesh_get_info(mesh).is_closed, 1, "closed before");
        abut_complex *complex = make_complex(NULL, mesh);
        abut_complex_info info = abut_complex_get_info(complex);
        double volume = 0.0;
        for (int k = 0; k < info.triangle_count; ++k) {
            const int *t = complex->triangles + 3 * k;
            volume += abut_dot(s.vertices[t[0]], abut_cross(s.vertices[t[1]], s.vertices[t[2]])) / 6.0;
        }
        CHECK_NEAR(volume, 1.0, 1e-12, "volume");
        CHECK(info.solid_part_count == 1 && info.shell_part_count == 0, "surface %d: %d solid parts, %d shells", i,
              info.solid_part_count, info.shell_part_count);
        CHECK(info.class_counts[0] == 8 && info.class_counts[3] == 0 &&
                  info.class_counts[7] == s.vertex_count - info.vertex_count,
              "surface %d: classes %d %d %d", i, info.class_counts[0], info.class_counts[3], info.class_counts[7]);
        flips += info.flipped_count;
        collapses += info.collapsed_count;
        abut_complex_destroy(complex);
        abut_mesh_destroy(mesh);
    }
    CHECK(flips > 100 && collapses > 100, "only %d flips and %d collapses", flips, collapses);
    CHECK_DONE();
}

// Solids and shells: a box is solid, without one triangle it is a shell; inside out it is a shell, and told so; inside out
// within a larger box it is a cavity; a triangle twice, once from each side, is one shell triangle; a triangle more at
// an edge makes three there: a shell.
static void solids_and_shells(void **state)
{
    (void)state;
    const int box[42] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6,
                         7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 8};
    const abut_vec3 outside = {0.5, -1, -1};
    int inverted[36];
    for (int i = 0; i < 36; ++i) {
        inverted[i] = box[i - i % 3 + 2 - i % 3];
    }
    check_is_cube(info_of(make_odd_box(NULL, 0, box, 12)), "box");
    abut_complex_info info = info_of(make_odd_box(NULL, 0, box, 11));
    CHECK_INT(info.shell_part_count, 1, "open");
    CHECK_INT(info.solid_triangle_count, 0, "open");
    info = info_of(make_odd_box(NULL, 0, inverted, 12));
    CHECK_INT(info.inside_out_count, 1, "inside out");
    CHECK_INT(info.solid_triangle_count, 0, "inside out");
    info = info_of(make_odd_box(&outside, 1, box, 13));
    CHECK_INT(info.shell_part_count, 1, "three at an edge");
    CHECK_INT(info.solid_part_count, 0, "three at an edge");

    abut_vec3 vertices[16];
    int both[72];
    for (int i = 0; i < 16; ++i) {
        abut_vec3 p = v3(i & 1 ? 1 : 0, i & 2 ? 1 : 0, i & 4 ? 1 : 0);
        vertices[i] = i < 8 ? p : abut_add(v3(-1, -1, -1), abut_scale(3, p));
    }
    for (int i = 0; i < 36; ++i) {
        both[i] = inverted[i];
        both[36 + i] = box[i] + 8;
    }
    info = info_of(make_triangles(NULL, vertices, 16, both, 24));
    CHECK_INT(info.solid_part_count, 2, "cavity");
    // the cavity: all its edges and corners are reentrant
    CHECK_INT(info.class_counts[7], 20, "cavity");
    CHECK_INT(info.class_counts[0], 8, "outer corners");

    // moved out of the larger box, to a place between it and one more: inside out, no cavity of anything
    abut_vec3 row[24];
    int three[108];
    for (int i = 0; i < 24; ++i) {
        row[i] =
            i < 8 ? abut_add(vertices[i], v3(4, 0, 0)) : abut_add(vertices[8 + i % 8], v3(i < 16 ? 0 : 9, 0, 0));
    }
    for (int i = 0; i < 108; ++i) {
        three[i] = i < 72 ? both[i] : both[i - 36] + 8;
    }
    info = info_of(make_triangles(NULL, row, 24, three, 36));
    CHECK_INT(info.inside_out_count, 1, "inside out between two");
    CHECK_INT(info.solid_part_count, 2, "inside out between two");
    // a box in the cavity of a larger one, and a cavity in it: four surfaces, two of them turned inward
    abut_vec3 nested[32];
    int four[144];
    for (int i = 0; i < 32; ++i) {
        nested[i] = abut_scale(1 << i / 8, abut_sub(vertices[i % 8], v3(0.5, 0.5, 0.5)));
    }
    for (int i = 0; i < 144; ++i) {
        four[i] = (i / 36 % 2 ? box : inverted)[i % 36] + 8 * (i / 36);
    }
    info = info_of(make_triangles(NULL, nested, 32, four, 48));
    CHECK_INT(info.solid_part_count, 4, "nested cavities");
    CHECK_INT(info.inside_out_count, 0, "nested cavities");

    const int twice[6] = {0, 1, 2, 2, 1, 0};
    info = info_of(make_triangles(NULL, vertices, 3, twice, 2));
    CHECK_INT(info.triangle_count, 1, "one of two sides");
    CHECK_INT(info.shell_part_count, 1, "one of two sides");
    CHECK_INT(info.class_counts[0], 3, "corners of a triangle");
    CHECK_INT(info.class_counts[2], 3, "edges of a triangle");
    CHECK_DONE();
}

/// A cube of side 4 about the origin and, turned inward, one of side 2 about `middle`, whose first vertex is `first`.
static abut_mesh *make_cavity(abut_vec3 middle, int first)
{
    static const int box[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    abut_vec3 vertices[16];
    int triangles[72];
    for (int i = 0; i < 8; ++i) {
        vertices[(i + first) % 8] = abut_add(middle, v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
        vertices[8 + i] = v3(i & 1 ? 2 : -2, i & 2 ? 2 : -2, i & 4 ? 2 : -2);
    }
    for (int i = 0; i < 36; ++i) {
        triangles[i] = (box[i - i % 3 + 2 - i % 3] + first) % 8;
        triangles[36 + i] = box[i] + 8;
    }
    return make_triangles(NULL, vertices, 16, triangles, 24);
}

// A cavity that touches the wall from inside is one, and a cube turned inward that touches it from outside is none,
// whichever of its vertices is the first: on a face, on an edge and at a corner.
static void cavities_that_touch(void **state)
{
    (void)state;
    const abut_vec3 inside[4] = {{0.1, 0.2, 0.3}, {-1, 0.1, 0.2}, {-1, 1, 0.2}, {1, 1, -1}};
    const abut_vec3 outside[3] = {{3, 0.1, 0.2}, {3, -3, 0.2}, {3, 3, -3}};
    for (int first = 0; first < 8; ++first) {
        for (int i = 0; i < 7; ++i) {
            abut_complex_info info = info_of(make_cavity(i < 4 ? inside[i] : outside[i - 4], first));
            CHECK(info.solid_part_count == (i < 4 ? 2 : 1) && info.inside_out_count == (i < 4 ? 0 : 1),
                  "place %d, vertex %d first: %d solid parts", i, first, info.solid_part_count);
        }
    }
    CHECK_DONE();
}

// A box with an edge in 1,000 pieces on one side and in one on the other, with flat triangles in between that all meet at
// one end of it: they wait for each other, and the box stays closed.
static void long_fan(void **state)
{
    (void)state;
    enum { PIECES = 1000 };
    abut_vec3 vertices[8 + PIECES];
    int triangles[3 * (2 * PIECES + 16)], count = 0, chain[PIECES + 1];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    }
    for (int i = 0; i <= PIECES; ++i) {
        chain[i] = i == 0 ? 4 : i == PIECES ? 5 : 7 + i;
        vertices[chain[i]] = v3(-1.0 + 2.0 * i / PIECES, -1, 1);
    }
    const int others[33] = {2, 3, 1, 2, 1, 0, 3, 2, 6, 3, 6, 7, 1, 3, 7, 1, 7,
                            5, 2, 0, 4, 2, 4, 6, 0, 1, 5, 0, 5, 4, 6, 5, 7};
    for (int i = 0; i < 33; ++i) {
        triangles[count++] = others[i];
    }
    for (int i = 0; i < PIECES; ++i) {
        const int top[3] = {6, chain[i], chain[i + 1]}, flat[3] = {4, chain[i + 1], chain[i]};
        for (int k = 0; k < 3; ++k) {
            triangles[count++] = top[k];
        }
        for (int k = 0; k < 3 && i > 0; ++k) {
            triangles[count++] = flat[k];
        }
    }
    abut_mesh *mesh = make_triangles(NULL, vertices, 7 + PIECES, triangles, count / 3);
    CHECK_INT(abut_mesh_get_info(mesh).is_closed, 1, "closed before");
    abut_complex_info info = info_of(mesh);
    CHECK_INT(info.solid_part_count, 1, "solid");
    CHECK_INT(info.dropped_count, 0, "nothing left out");
    CHECK_INT(info.class_counts[0], 8, "corners");
    CHECK_INT(info.class_counts[1], PIECES - 1, "on the edge");
    CHECK_DONE();
}

static void refusals(void **state)
{
    (void)state;
    const abut_vec3 lone[2] = {{0, 0, 0}, {1, 0, 0}};
    abut_mesh_def mesh_def = abut_mesh_def_default();
    mesh_def.vertices = lone;
    mesh_def.vertex_count = 2;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &mesh_def, &mesh, NULL), ABUT_OK);
    abut_complex_def def = abut_complex_def_default();
    abut_complex *complex = NULL;
    abut_error error;
    CHECK_STATUS(abut_complex_create(NULL, &def, &complex, &error), ABUT_BAD_ARGUMENT, "no mesh");
    def.mesh = mesh;
    CHECK_STATUS(abut_complex_create(NULL, &def, &complex, &error), ABUT_UNSUPPORTED, "no elements");
    CHECK(complex == NULL, "no object");
    abut_mesh_destroy(mesh);

    mesh = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    abut_vec3 moved[8] = {{0, 0, 0}};
    moved[3].y = NAN;
    def.mesh = mesh;
    def.vertices = moved;
    CHECK_STATUS(abut_complex_create(NULL, &def, &complex, &error), ABUT_BAD_DATA, "NaN");
    CHECK_INT((int)error.element, 3, "which vertex");
    moved[3].y = 0.0; // all vertices in one place: nothing but a point is left
    CHECK_STATUS(abut_complex_create(NULL, &def, &complex, &error), ABUT_UNSUPPORTED, "collapsed to nothing");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Every allocation fails in turn: a status, no leak.
static void no_memory(void **state)
{
    (void)state;
    abut_mesh *mesh = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    abut_complex_def def = abut_complex_def_default();
    def.mesh = mesh;
    int fail_at = 0;
    for (abut_status status = ABUT_NO_MEMORY; status == ABUT_NO_MEMORY; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at + 1};
        abut_context context = failing_context(&heap);
        abut_complex *complex = NULL;
        abut_error error;
        status = abut_complex_create(&context, &def, &complex, &error);
        CHECK((status == ABUT_OK) == (complex != NULL), "object and status");
        abut_complex_destroy(complex);
        CHECK_INT(heap.live, 0, "leak");
    }
    CHECK(fail_at > 15, "only %d allocations", fail_at);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_of_no_length),
        cmocka_unit_test(flat_triangles),
        cmocka_unit_test(closed_stays_closed),
        cmocka_unit_test(solids_and_shells),
        cmocka_unit_test(cavities_that_touch),
        cmocka_unit_test(long_fan),
        cmocka_unit_test(refusals),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
