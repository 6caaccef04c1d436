// SPDX-License-Identifier: MIT
// test_split.c: splitting long edges keeps the shape, its orientation and its connectivity
#include "failing.h"
#include "mesh/brep_check.h"
#include "mesh/tessellate.h"
#include "sick.h"

static abut_remade split(const abut_mesh *mesh, double length)
{
    abut_remade remade;
    abut_error error = {.text = ""};
    CHECK(abut_split_long_edges(NULL, mesh, length, &remade, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(remade.mesh);
    return remade;
}

// Checks that no edge is too long, that the sources of vertices and faces are right, and that area and volume are
// the same.
static void check_split(const abut_mesh *mesh, const abut_remade *remade, double length)
{
    abut_mesh_elements old = abut_mesh_get_elements(mesh), elements = abut_mesh_get_elements(remade->mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(remade->mesh);
    abut_mesh_info before = abut_mesh_get_info(mesh), after = abut_mesh_get_info(remade->mesh);
    for (int i = 0; i < topology.edge_count; ++i) {
        const int *ends = topology.edge_vertices + 2 * (size_t)i;
        double edge = abut_norm(abut_sub(elements.vertices[ends[0]], elements.vertices[ends[1]]));
        CHECK(edge <= length, "edge %d is %g long", i, edge);
    }
    for (int i = 0; i < elements.vertex_count; ++i) {
        CHECK_INT(remade->vertex_sources[i], i < old.vertex_count ? i : -1, "source of a vertex");
    }
    CHECK(memcmp(elements.vertices, old.vertices, (size_t)old.vertex_count * sizeof(abut_vec3)) == 0,
          "old vertices");
    for (int i = 0; i < elements.face_count; ++i) {
        CHECK(remade->face_sources[i] >= 0 && remade->face_sources[i] < old.face_count, "source of face %d", i);
    }
    CHECK_INT(after.is_closed, before.is_closed, "closed");
    CHECK_INT(after.is_oriented, before.is_oriented, "oriented");
    CHECK_NEAR(after.volume, before.volume, 1e-12 * fabs(before.volume), "volume");
    CHECK_NEAR(after.area, before.area, 1e-12 * before.area, "area");
}

// An L of three unit cubes with a random position and size: the split mesh has the same B-rep as the original.
static void test_brep_is_kept(void **state)
{
    (void)state;
    test_random random = {7};
    for (int round = 0; round < 6; ++round) {
        double scale = pow(10.0, round - 3);
        test_solid solid = solid_from_voxels("###.", 2, 2, 1);
        solid_tessellate(&solid, &random, 4, 10);
        solid_move(&solid, scale, abut_pose_make(random_vec3(&random, 3.0 * scale), random_rotation(&random)));
        abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
        double length = scale * (0.15 + 0.2 * round);
        abut_remade remade = split(mesh, length);
        check_split(mesh, &remade, length);
        abut_brep *before = NULL, *after = NULL;
        assert_int_equal(abut_brep_create(NULL, mesh, NULL, &before, NULL), ABUT_OK);
        assert_int_equal(abut_brep_create(NULL, remade.mesh, NULL, &after, NULL), ABUT_OK);
        const brep_tolerance tolerance = {1e-9 * scale, 1e-6, 1e-9};
        CHECK_INT(brep_check_same(mesh, before, remade.mesh, after, tolerance, "split"), 0, "B-rep");
        abut_brep_destroy(before);
        abut_brep_destroy(after);
        abut_remade_release(NULL, &remade);
        abut_mesh_destroy(mesh);
        solid_free(&solid);
    }
    CHECK_DONE();
}

// An open fan of long thin triangles: all edges become short enough, and no T-junction appears.
static void test_thin_triangles(void **state)
{
    (void)state;
    test_solid solid = solid_disc(7);
    for (int i = 0; i < solid.vertex_count; ++i) {
        solid.vertices[i].x *= 40.0;
    }
    abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    abut_remade remade = split(mesh, 0.7);
    check_split(mesh, &remade, 0.7);
    abut_mesh_elements elements = abut_mesh_get_elements(remade.mesh);
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = elements.vertices;
    def.vertex_count = elements.vertex_count;
    def.face_vertices = elements.triangles;
    def.face_count = elements.triangle_count;
    abut_check *check = check_def(&def, -1.0);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_OPEN_EDGE) | BIT(ABUT_FINDING_SLIVER) | BIT(ABUT_FINDING_UNEVEN_SIZE));
    abut_check_destroy(check);
    abut_remade_release(NULL, &remade);
    abut_mesh_destroy(mesh);
    solid_free(&solid);
    CHECK_DONE();
}

// A square polygon of side 2 with a segment on one of its sides, and another segment of length 2 elsewhere: with a
// limit of 0.75, both segments are halved twice.
static void test_segments(void **state)
{
    (void)state;
    const abut_vec3 vertices[] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {9, 0, 0}, {9, 2, 0}};
    const int offsets[] = {0, 4}, corners[] = {0, 1, 2, 3}, segments[] = {0, 1, 4, 5}, points[] = {5};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = 1;
    def.segments = segments;
    def.segment_count = 2;
    def.points = points;
    def.point_count = 1;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_remade remade = split(mesh, 0.75);
    check_split(mesh, &remade, 0.75);
    abut_mesh_elements elements = abut_mesh_get_elements(remade.mesh);
    CHECK_INT(elements.segment_count, 8, "four pieces each");
    CHECK_INT(elements.point_count, 1, "points");
    CHECK_INT(elements.points[0], 5, "point");
    abut_remade_release(NULL, &remade);
    // if nothing is too long, the triangles stay the same
    remade = split(mesh, 10.0);
    CHECK_INT(abut_mesh_get_elements(remade.mesh).face_count, 2, "cut into triangles only");
    abut_remade_release(NULL, &remade);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void test_refusals(void **state)
{
    (void)state;
    const abut_vec3 vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int tet[4] = {0, 1, 2, 3}, triangle[3] = {0, 1, 2};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.face_vertices = triangle;
    def.face_count = 1;
    abut_mesh *mesh = NULL, *solid = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    def.tets = tet;
    def.tet_count = 1;
    assert_int_equal(abut_mesh_create(NULL, &def, &solid, NULL), ABUT_OK);
    // a line of length 1 in pieces of at most 1e-9: 2^30 segments, without triangles
    abut_mesh_def wire = abut_mesh_def_default();
    wire.vertices = vertices;
    wire.vertex_count = 2;
    wire.segments = tet;
    wire.segment_count = 1;
    abut_mesh *line = NULL;
    assert_int_equal(abut_mesh_create(NULL, &wire, &line, NULL), ABUT_OK);
    abut_remade remade;
    abut_error error;
    CHECK_STATUS(abut_split_long_edges(NULL, solid, 0.5, &remade, &error), ABUT_UNSUPPORTED, "tetrahedra");
    CHECK(strstr(error.text, "tetrahedra") != NULL, "%s", error.text);
    CHECK_STATUS(abut_split_long_edges(NULL, mesh, 1e-6, &remade, &error), ABUT_LIMIT, "too many");
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    heap.fail_at = 1; // the limit is noticed before anything is allocated
    CHECK_STATUS(abut_split_long_edges(&context, line, 1e-9, &remade, &error), ABUT_LIMIT, "too many segments");
    CHECK_STATUS(abut_split_long_edges(NULL, mesh, 0.0, &remade, &error), ABUT_BAD_ARGUMENT, "zero");
    CHECK_STATUS(abut_split_long_edges(NULL, mesh, (double)NAN, &remade, &error), ABUT_BAD_ARGUMENT, "NaN");
    CHECK_STATUS(abut_split_long_edges(NULL, NULL, 1.0, &remade, &error), ABUT_BAD_ARGUMENT, "no mesh");
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(solid);
    abut_mesh_destroy(line);
    CHECK_DONE();
}

// If neighbouring doubles are 2 apart, an edge of length 2 has no midpoint: it stays, and the splitting ends.
static void test_ends_at_the_spacing_of_doubles(void **state)
{
    (void)state;
    const double far = 0x1p53 * 1.5;
    const abut_vec3 vertices[3] = {{far, 0, 0}, {far + 8.0, 0, 0}, {far, 8.0, 0}};
    const int triangle[3] = {0, 1, 2};
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 3;
    def.face_vertices = triangle;
    def.face_count = 1;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_remade remade = split(mesh, 1.0);
    CHECK(abut_mesh_get_elements(remade.mesh).face_count > 8, "it was split");
    abut_remade_release(NULL, &remade);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void test_no_memory(void **state)
{
    (void)state;
    test_solid solid = solid_prism(5);
    abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    for (int fail_at = 1;; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at};
        abut_context context = failing_context(&heap);
        abut_remade remade;
        abut_error error = {.text = ""};
        abut_status status = abut_split_long_edges(&context, mesh, 0.6, &remade, &error);
        abut_remade_release(&context, &remade);
        CHECK_INT(heap.live, 0, "blocks left");
        if (status == ABUT_OK) {
            break;
        }
        CHECK_STATUS(status, ABUT_NO_MEMORY, error.text);
    }
    abut_mesh_destroy(mesh);
    solid_free(&solid);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_brep_is_kept),
        cmocka_unit_test(test_thin_triangles),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_ends_at_the_spacing_of_doubles),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
