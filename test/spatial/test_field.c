// SPDX-License-Identifier: MIT
// test_field.c: distance grids against closed forms and exact inside tests
#include "method/local_scene.h"
#include "spatial/field.h"

#include <abut/predicates.h>
#include <stdlib.h>

static abut_status try_field(const abut_mesh *mesh, int resolution, abut_field *field, abut_error *error)
{
    abut_context context = abut_context_default();
    abut_tree *tree = NULL;
    assert_int_equal(abut_tree_create(NULL, mesh, ABUT_ELEMENT_TRIANGLE, &tree, NULL), ABUT_OK);
    abut_status status = abut_field_create(&context, mesh, tree, resolution, field, error);
    abut_tree_destroy(tree);
    return status;
}

static abut_field make_field(const abut_mesh *mesh, int resolution)
{
    abut_field field;
    abut_error error;
    abut_status status = try_field(mesh, resolution, &field, &error);
    CHECK_STATUS(status, ABUT_OK, error.text);
    assert_int_equal(status, ABUT_OK);
    return field;
}

static void release(abut_field *field)
{
    abut_context context = abut_context_default();
    abut_field_release(field, &context);
}

static double node_value(const abut_field *f, int i, int j, int k)
{
    return f->values[((size_t)k * (size_t)f->counts[1] + (size_t)j) * (size_t)f->counts[0] + (size_t)i];
}

static abut_vec3 random_in_box(test_random *random, const abut_box *box)
{
    double x = random_in(random, box->lower.x, box->upper.x);
    double y = random_in(random, box->lower.y, box->upper.y);
    double z = random_in(random, box->lower.z, box->upper.z);
    return v3(x, y, z);
}

/// Closed form for a box about the origin.
static double box_distance(abut_vec3 half, abut_vec3 p)
{
    abut_vec3 q = abut_sub(abut_abs(p), half);
    double outside = abut_norm(abut_max(q, v3(0, 0, 0)));
    return outside + fmin(abut_max_component(q), 0.0);
}

// At nodes, the field of a box has the value of the closed form. Lines of nodes run along its faces and through its
// edges and corners, since the grid is aligned with its bounds. Between nodes the error is at most half the diagonal
// of a cell.
static void boxes(void **state)
{
    (void)state;
    const abut_vec3 half = {1.0, 0.6, 0.25};
    test_random random = {3};
    abut_mesh *mesh = make_box(NULL, abut_negate(half), half);
    abut_field f = make_field(mesh, 20);
    CHECK_INT(f.counts[0], 20 + 5, "x");
    CHECK_INT(f.counts[1], 12 + 5, "y");
    CHECK_INT(f.counts[2], 8 + 5, "z has the least number of cells");
    CHECK_INT(abut_field_bytes(&f), 25 * 17 * 13 * 8, "bytes");
    for (int k = 0; k < f.counts[2]; ++k) {
        for (int j = 0; j < f.counts[1]; ++j) {
            for (int i = 0; i < f.counts[0]; ++i) {
                CHECK_NEAR(node_value(&f, i, j, k), box_distance(half, abut_field_node(&f, i, j, k)), 1e-14,
                           "node");
            }
        }
    }
    for (int round = 0; round < 2000; ++round) {
        abut_vec3 p = random_in_box(&random, &f.box), gradient;
        CHECK_NEAR(abut_field_value(&f, p, &gradient), box_distance(half, p), abut_field_error(&f),
                   "between nodes");
    }
    release(&f);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Over a face, at least a cell away from its edges, the distance is linear: value and gradient are exact.
static void faces_are_exact(void **state)
{
    (void)state;
    test_random random = {4};
    abut_mesh *mesh = make_box(NULL, v3(-1, -1, -1), v3(1, 1, 1));
    abut_field f = make_field(mesh, 16);
    for (int round = 0; round < 500; ++round) {
        double x = random_in(&random, -0.8, 0.8), y = random_in(&random, -0.8, 0.8),
               z = random_in(&random, 0.9, 1.2);
        abut_vec3 gradient;
        CHECK_NEAR(abut_field_value(&f, v3(x, y, z), &gradient), z - 1.0, 1e-14, "value");
        CHECK_NEAR(abut_norm(abut_sub(gradient, v3(0, 0, 1))), 0.0, 1e-13, "gradient");
    }
    release(&f);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

/// A sphere of radius 1: rings of vertices and two poles.
static abut_mesh *make_sphere(int rings, int slices)
{
    int vertex_count = (rings - 1) * slices + 2, count = 0;
    abut_vec3 *vertices = malloc((size_t)vertex_count * sizeof *vertices);
    int *triangles = malloc((size_t)rings * (size_t)slices * 6 * sizeof *triangles);
    assert_true(vertices != NULL && triangles != NULL);
    vertices[0] = v3(0, 0, 1);
    vertices[vertex_count - 1] = v3(0, 0, -1);
    for (int r = 1; r < rings; ++r) {
        for (int s = 0; s < slices; ++s) {
            double polar = 3.14159265358979 * r / rings, turn = 2 * 3.14159265358979 * s / slices;
            vertices[1 + (r - 1) * slices + s] = v3(sin(polar) * cos(turn), sin(polar) * sin(turn), cos(polar));
        }
    }
    for (int r = 0; r < rings; ++r) {
        for (int s = 0; s < slices; ++s) {
            int above = 1 + (r - 1) * slices + s, above_next = 1 + (r - 1) * slices + (s + 1) % slices;
            int below = above + slices, below_next = above_next + slices;
            if (r == 0) {
                above = above_next = 0;
            }
            if (r == rings - 1) {
                below = below_next = vertex_count - 1;
            }
            const int corners[2][3] = {{above, below, below_next}, {above, below_next, above_next}};
            for (int t = r == rings - 1 ? 1 : 0; t < (r == 0 ? 1 : 2); ++t) {
                memcpy(&triangles[3 * count++], corners[t], sizeof corners[t]);
            }
        }
    }
    abut_mesh *mesh = make_triangles(NULL, vertices, vertex_count, triangles, count);
    free(vertices);
    free(triangles);
    return mesh;
}

// The distance of a unit sphere is |p| - 1. The mesh is within 1 - cos(pi / 48)^2 < 0.0043 of the sphere. Halving the
// cells reduces the largest error in a shell around the surface, by four if the distance is smooth. The test requires
// a factor of two.
static void spheres_converge(void **state)
{
    (void)state;
    abut_mesh *mesh = make_sphere(48, 96);
    double before = HUGE_VAL;
    for (int resolution = 8; resolution <= 32; resolution *= 2) {
        test_random random = {5};
        abut_field f = make_field(mesh, resolution);
        double worst = 0.0;
        for (int round = 0; round < 4000; ++round) {
            abut_vec3 gradient, p = abut_scale(random_in(&random, 0.9, 1.1), random_unit(&random));
            double off = fabs(abut_field_value(&f, p, &gradient) - (abut_norm(p) - 1.0));
            CHECK(off <= abut_field_error(&f) + 0.0043, "off by %g", off);
            worst = fmax(worst, off);
        }
        CHECK(worst - 0.0043 <= 0.5 * before, "resolution %d: %g after %g", resolution, worst, before);
        before = worst;
        release(&f);
    }
    CHECK(before < 0.008, "at last %g", before);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

/// Exact test: 1 inside or on the border of a tetrahedron, 0 outside of all.
static int is_in_tets(const abut_mesh_elements *mesh, abut_vec3 p)
{
    static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; // outward
    for (int i = 0; i < mesh->tet_count; ++i) {
        int is_inside = 1;
        for (int k = 0; k < 4; ++k) {
            int sign;
            const int *t = &mesh->tets[4 * i];
            assert_int_equal(abut_orient3d(mesh->vertices[t[faces[k][0]]], mesh->vertices[t[faces[k][1]]],
                                           mesh->vertices[t[faces[k][2]]], p, &sign),
                             ABUT_OK);
            is_inside &= sign <= 0;
        }
        if (is_inside) {
            return 1;
        }
    }
    return 0;
}

// Solids of tetrahedra with dents, and simple ones with edges along lines of nodes. Every node off the surface must
// have the sign that exact tests against all tetrahedra give. A wrong decision of a tie would show.
static void signs_are_exact(void **state)
{
    (void)state;
    static const int cells[3] = {3, 2, 2};
    int inside = 0, outside = 0;
    for (int round = 0; round < 8; ++round) {
        abut_mesh *mesh = make_tet_block(NULL, cells, round == 0 ? 0.0 : 0.3, (uint64_t)round, 1.0);
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        abut_field f = make_field(mesh, round == 0 ? 12 : 16 + round);
        for (int k = 0; k < f.counts[2]; ++k) {
            for (int j = 0; j < f.counts[1]; ++j) {
                for (int i = 0; i < f.counts[0]; ++i) {
                    double value = node_value(&f, i, j, k);
                    int expected = is_in_tets(&elements, abut_field_node(&f, i, j, k));
                    inside += value < 0.0;
                    outside += value > 0.0;
                    CHECK(value == 0.0 || (value < 0.0) == expected, "round %d, node %d %d %d: %g", round, i, j, k,
                          value);
                }
            }
        }
        release(&f);
        abut_mesh_destroy(mesh);
    }
    CHECK(inside > 1000 && outside > 1000, "%d and %d nodes", inside, outside);
    CHECK_DONE();
}

// A tetrahedron with a T-junction: one edge has a vertex in its middle on one side only, and a triangle without area
// closes the gap. Signs must be those of the plain tetrahedron, and no value may be NaN.
static void triangles_without_area(void **state)
{
    (void)state;
    static const abut_vec3 vertices[5] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}};
    static const int triangles[] = {0, 2, 4, 4, 2, 1, 0, 1, 3, 0, 4, 1, 1, 2, 3, 0, 3, 2};
    static const int tet[4] = {0, 1, 2, 3};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 5;
    def.face_vertices = triangles;
    def.face_count = 6;
    def.tets = tet;
    def.tet_count = 1;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_mesh_info info = abut_mesh_get_info(mesh);
    assert_true(info.is_closed && info.is_oriented && info.volume > 0.0);
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    abut_field f = make_field(mesh, 24);
    for (int k = 0; k < f.counts[2]; ++k) {
        for (int j = 0; j < f.counts[1]; ++j) {
            for (int i = 0; i < f.counts[0]; ++i) {
                double value = node_value(&f, i, j, k);
                CHECK(value == 0.0 || (value < 0.0) == is_in_tets(&elements, abut_field_node(&f, i, j, k)),
                      "node %d %d %d: %g", i, j, k, value);
                CHECK(isfinite(value), "%g", value);
            }
        }
    }
    release(&f);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Meshes that are tiny, huge, far from the origin, or long and thin give the same grid. A mesh so far away that nodes
// would coincide is refused.
static void sizes_and_places(void **state)
{
    (void)state;
    static const struct {
        double size, thickness, away;
    } rows[] = {{1e-50, 1.0, 0.0}, {1e50, 1.0, 0.0}, {1.0, 1.0, 1e9}, {1.0, 1e-6, 0.0}, {1.0, 1e-10, 0.0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        double size = rows[i].size;
        abut_vec3 half = v3(size, size, rows[i].thickness * size), away = v3(rows[i].away, rows[i].away, 0);
        abut_mesh *mesh = make_box(NULL, abut_sub(away, half), abut_add(away, half));
        abut_field f = make_field(mesh, 10);
        abut_vec3 gradient, p = v3(0.3 * size, 0.3 * size, 1.05 * half.z);
        CHECK_NEAR(abut_field_value(&f, abut_add(away, p), &gradient) / half.z, 0.05, 1e-5, "value");
        CHECK_NEAR(abut_norm(abut_sub(gradient, v3(0, 0, 1))), 0.0, 1e-5, "gradient");
        release(&f);
        abut_mesh_destroy(mesh);
    }
    abut_mesh *mesh = make_box(NULL, v3(1e15, 0, 0), v3(1e15 + 2, 2, 2));
    abut_field f;
    abut_error error;
    CHECK_STATUS(try_field(mesh, 10, &f, &error), ABUT_UNSUPPORTED, "too far");
    CHECK(strstr(error.text, "origin") != NULL, "%s", error.text);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(faces_are_exact),
        cmocka_unit_test(spheres_converge),
        cmocka_unit_test(signs_are_exact),
        cmocka_unit_test(triangles_without_area),
        cmocka_unit_test(sizes_and_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
