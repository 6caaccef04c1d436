// SPDX-License-Identifier: MIT
// test_repair.c: after a repair, the check finds nothing that was called repairable
#include "../mesh/tessellate.h"
#include "failing.h"
#include "shapes.h"
#include "sick.h"

#include <stdlib.h>

// Repairs a mesh. Checks that sources are in range, that vertices have the coordinates of their sources, and that a
// check with the same tolerance finds nothing that was called repairable.
static abut_remade repair(const abut_mesh_def *def, double tolerance)
{
    abut_check_params params = abut_check_params_default();
    params.tolerance = tolerance;
    abut_remade remade;
    abut_error error = {.text = ""};
    CHECK(abut_repair(NULL, def, &params, &remade, &error) == ABUT_OK, "%s", error.text);
    assert_non_null(remade.mesh);
    abut_mesh_elements elements = abut_mesh_get_elements(remade.mesh);
    for (int i = 0; i < elements.vertex_count; ++i) {
        int source = remade.vertex_sources[i];
        assert_in_range(source, 0, def->vertex_count - 1);
        CHECK(memcmp(&elements.vertices[i], &def->vertices[source], sizeof(abut_vec3)) == 0, "vertex %d moved", i);
    }
    for (int i = 0; i < elements.face_count; ++i) {
        int is_added = i >= elements.face_count - remade.counts.faces_added;
        CHECK(is_added ? remade.face_sources[i] == -1
                       : remade.face_sources[i] >= 0 && remade.face_sources[i] < def->face_count,
              "source of face %d", i);
    }
    abut_mesh_def made = abut_mesh_get_def(remade.mesh);
    abut_check *first = check_def(def, tolerance);
    abut_check *check = check_def(&made, abut_check_get_report(first).tolerance);
    abut_check_report report = abut_check_get_report(check);
    for (int i = 0; i < report.finding_count; ++i) {
        int is_copy = report.findings[i].kind == ABUT_FINDING_DUPLICATE_VERTEX &&
                      report.findings[i].count <= remade.counts.vertices_added;
        CHECK(report.findings[i].effect != ABUT_REPAIR_ALL || report.findings[i].is_note || is_copy, "%s is left",
              report.findings[i].name);
    }
    abut_check_destroy(first);
    abut_check_destroy(check);
    return remade;
}

static abut_remade repair_sick(const sick *s)
{
    abut_mesh_def def = sick_def(s);
    return repair(&def, -1.0);
}

// A cube in which every triangle has its own vertices, some off by 1e-8; with a NaN vertex, a face with index 99,
// one with a vertex twice, a duplicate face, and two reversed faces. Repaired: 8 vertices, 12 triangles, volume 1.
static void test_everything(void **state)
{
    sick *s = sick_start(state), *cube = malloc(sizeof *cube);
    assert_non_null(cube);
    memset(cube, 0, sizeof *cube);
    sick_cube(cube, 0.0, 1.0);
    for (int i = 0; i < 36; ++i) {
        abut_vec3 v = cube->vertices[cube->triangles[i]];
        (void)sick_vertex(s, v.x + (i % 7 == 3 ? 1e-8 : 0.0), v.y, v.z);
        s->triangles[i] = i;
    }
    free(cube);
    s->triangle_count = 12;
    sick_turn(s, 2);
    sick_turn(s, 10);
    int lost = sick_vertex(s, 0.0, (double)NAN, 0.0);
    (void)sick_triangle(s, 0, 1, lost);
    (void)sick_triangle(s, 0, 1, 99);
    (void)sick_triangle(s, 5, 5, 6);
    (void)sick_triangle(s, 1, 2, 0);
    abut_remade remade = repair_sick(s);
    abut_mesh_elements elements = abut_mesh_get_elements(remade.mesh);
    abut_mesh_info info = abut_mesh_get_info(remade.mesh);
    CHECK_INT(elements.vertex_count, 8, "vertices");
    CHECK_INT(elements.face_count, 12, "faces");
    CHECK(info.is_closed && info.is_oriented, "closed and oriented");
    CHECK_NEAR(info.volume, 1.0, 1e-6, "volume");
    CHECK_INT(remade.counts.vertices_welded, 28, "welded");
    CHECK_INT(remade.counts.vertices_dropped, 1, "dropped vertices");
    CHECK_INT(remade.counts.faces_dropped, 4, "dropped faces");
    CHECK_INT(remade.counts.faces_turned, 2, "turned");
    for (int i = 0; i < 12; ++i) {
        CHECK_INT(remade.face_sources[i], i, "faces keep their order");
    }
    abut_remade_release(NULL, &remade);
    CHECK_DONE();
}

// The top of a cube is a fan about its middle, with vertices on two of its sides that the walls do not have: one
// T-junction on the edge 4-5 of a wall triangle and two on the edge 5-7. The repaired cube is closed and has three
// more triangles.
static void test_t_junctions(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    s->triangle_count = 10; // without the top
    int middle = sick_vertex(s, 0.5, 0.5, 1.0), a = sick_vertex(s, 0.5, 0.0, 1.0),
        b = sick_vertex(s, 1.0, 0.25, 1.0);
    int c = sick_vertex(s, 1.0, 0.75, 1.0);
    const int ring[] = {4, a, 5, b, c, 7, 6};
    for (int i = 0; i < 7; ++i) {
        (void)sick_triangle(s, ring[i], ring[(i + 1) % 7], middle);
    }
    abut_check *check = check_sick(s);
    // by triangle: 3 is 1 7 5, 5 is 0 5 4
    EXPECT(check, ABUT_FINDING_T_JUNCTION, 3, 3, c, 7, 5, b, 7, 5, a, 5, 4);
    abut_check_destroy(check);
    abut_remade remade = repair_sick(s);
    abut_mesh_info info = abut_mesh_get_info(remade.mesh);
    CHECK(info.is_closed && info.is_oriented, "closed and oriented");
    CHECK_NEAR(info.volume, 1.0, 1e-15, "volume");
    CHECK_INT(abut_mesh_get_elements(remade.mesh).face_count, 20, "17 faces and 3 more");
    CHECK_INT(remade.counts.junctions_split, 3, "cut");
    CHECK_INT(remade.counts.faces_turned, 0, "orientation is kept");
    const int sources[] = {0, 1, 2, 3, 3, 3, 4, 5, 5, 6};
    for (int i = 0; i < 10; ++i) {
        CHECK_INT(remade.face_sources[i], sources[i], "source");
    }
    abut_remade_release(NULL, &remade);
    CHECK_DONE();
}

// A cube of quadrangles whose top is cut into two: the walls get a fifth corner at each end of the cut.
static void test_polygon_junctions(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    int a = sick_vertex(s, 0.5, 0.0, 1.0), b = sick_vertex(s, 0.5, 1.0, 1.0);
    const int corners[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, a, b, 6, a, 5, 7, b};
    const int offsets[] = {0, 4, 8, 12, 16, 20, 24, 28};
    abut_mesh_def def = sick_def(s);
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = 7;
    abut_remade remade = repair(&def, -1.0);
    abut_mesh_elements elements = abut_mesh_get_elements(remade.mesh);
    abut_mesh_info info = abut_mesh_get_info(remade.mesh);
    CHECK(info.is_closed && info.is_oriented, "closed and oriented");
    CHECK_NEAR(info.volume, 1.0, 1e-15, "volume");
    CHECK_INT(elements.face_count, 7, "faces");
    CHECK_INT(elements.face_offsets[7], 30, "two more corners");
    abut_remade_release(NULL, &remade);
    CHECK_DONE();
}

// A triangle without area between the top and a wall of a cube, on an edge with a vertex in its middle. Dropping it
// leaves a T-junction, and cutting the wall closes the cube.
static void test_flat_triangle(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 1.0);
    s->triangle_count = 10;
    int a = sick_vertex(s, 0.5, 0.0, 1.0);
    (void)sick_triangle(s, 4, a, 6);
    (void)sick_triangle(s, a, 7, 6);
    (void)sick_triangle(s, a, 5, 7);
    (void)sick_triangle(s, 4, 5, a);
    abut_mesh_def def = sick_def(s);
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    CHECK(abut_mesh_get_info(mesh).is_closed, "closed before");
    abut_mesh_destroy(mesh);
    abut_remade remade = repair_sick(s);
    abut_mesh_info info = abut_mesh_get_info(remade.mesh);
    CHECK(info.is_closed && info.is_oriented, "closed and oriented");
    CHECK_NEAR(info.volume, 1.0, 1e-15, "volume");
    CHECK_INT(abut_mesh_get_elements(remade.mesh).face_count, 14, "one is dropped, one is cut");
    abut_remade_release(NULL, &remade);
    CHECK_DONE();
}

// Nested cubes of side 9, 7 and 5, all pointing inward: the outermost and the innermost are reversed, the cavity is
// not. The volume is 729 - 343 + 125.
static void test_nested(void **state)
{
    sick *s = sick_start(state);
    for (int i = 0; i < 3; ++i) {
        sick_cube(s, i, 9.0 - i);
    }
    for (int i = 0; i < 36; ++i) {
        sick_turn(s, i);
    }
    abut_remade remade = repair_sick(s);
    CHECK_INT(remade.counts.faces_turned, 24, "turned");
    CHECK_NEAR(abut_mesh_get_info(remade.mesh).volume, 511.0, 1e-11, "volume");
    abut_remade_release(NULL, &remade);
    CHECK_DONE();
}

// Points, segments and tetrahedra use the welded vertices. A segment whose ends were welded is dropped.
static void test_other_elements(void **state)
{
    sick *s = sick_start(state);
    const double places[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}, {5, 5, 5}};
    for (int i = 0; i < 6; ++i) {
        (void)sick_vertex(s, places[i][0], places[i][1], places[i][2]);
    }
    const int points[2] = {4, 3}, segments[4] = {4, 1, 0, 4}, tets[8] = {4, 1, 2, 3, 0, 1, 2, 4};
    abut_mesh_def def = sick_def(s);
    def.points = points;
    def.point_count = 2;
    def.segments = segments;
    def.segment_count = 2;
    def.tets = tets;
    def.tet_count = 2;
    abut_remade remade;
    abut_error error;
    assert_int_equal(abut_repair(NULL, &def, NULL, &remade, &error), ABUT_OK);
    abut_mesh_elements elements = abut_mesh_get_elements(remade.mesh);
    CHECK_INT(elements.vertex_count, 4, "vertices");
    CHECK_INT(elements.point_count, 2, "points");
    CHECK_INT(elements.points[0], 0, "welded point");
    CHECK_INT(elements.segment_count, 1, "segments");
    CHECK_INT(elements.tet_count, 1, "tetrahedra");
    CHECK_INT(elements.face_count, 4, "boundary faces");
    CHECK_INT(remade.face_sources[0], -1, "boundary faces are new");
    CHECK_INT(remade.counts.elements_dropped, 2, "dropped");
    abut_remade_release(NULL, &remade);
    CHECK_DONE();
}

static void test_no_memory(void **state)
{
    sick *s = sick_start(state);
    sick_cube(s, 0.0, 9.0);
    sick_cube(s, 1.0, 8.0);
    s->triangle_count = 22;
    int a = sick_vertex(s, 4.0, 1.0, 8.0);
    (void)sick_triangle(s, 12, a, 14);
    (void)sick_triangle(s, a, 13, 15);
    (void)sick_triangle(s, a, 15, 14);
    abut_mesh_def def = sick_def(s);
    for (int fail_at = 1;; ++fail_at) {
        failing_heap heap = {.fail_at = fail_at};
        abut_context context = failing_context(&heap);
        abut_remade remade;
        abut_error error = {.text = ""};
        abut_status status = abut_repair(&context, &def, NULL, &remade, &error);
        abut_remade_release(&context, &remade);
        CHECK_INT(heap.live, 0, "blocks left");
        if (status == ABUT_OK) {
            break;
        }
        CHECK_STATUS(status, ABUT_NO_MEMORY, error.text);
    }
    CHECK_DONE();
}

// A cube of side 1 with edges of at most 0.09, of which some faces are taken away: a single triangle, and all triangles
// around a vertex inside a side. Both holes are flat and small (a perimeter of at most 0.6 against a diagonal of 1.73 with
// `hole` 0.6), so that filling them gives the cube again. With `hole` 0 they stay. If a whole side is missing, nothing is
// filled: the border is large, and the small holes may be meant.
static void test_small_holes(void **state)
{
    (void)state;
    abut_mesh *cube = make_box(NULL, abut_vec3_make(0, 0, 0), abut_vec3_make(1, 1, 1));
    abut_remade fine;
    assert_int_equal(abut_split_long_edges(NULL, cube, 0.09, &fine, NULL), ABUT_OK);
    abut_mesh_elements all = abut_mesh_get_elements(fine.mesh);
    int center = -1;
    for (int i = 0; i < all.vertex_count; ++i) {
        abut_vec3 v = all.vertices[i];
        center = v.z == 1.0 && fabs(v.x - 0.5) < 0.1 && fabs(v.y - 0.5) < 0.1 ? i : center;
    }
    assert_true(center >= 0);
    int *kept = malloc(3 * (size_t)all.triangle_count * sizeof *kept);
    for (int round = 0; round < 3; ++round) {
        int count = 0;
        for (int i = 0; i < all.triangle_count; ++i) {
            const int *t = all.triangles + 3 * i;
            int is_center = t[0] == center || t[1] == center || t[2] == center;
            int is_low = all.vertices[t[0]].z == 0.0 && all.vertices[t[1]].z == 0.0 && all.vertices[t[2]].z == 0.0;
            if (!is_center && i != 7 && !(round == 2 && is_low)) {
                memcpy(kept + 3 * count++, t, 3 * sizeof *kept);
            }
        }
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = all.vertices;
        def.vertex_count = all.vertex_count;
        def.face_vertices = kept;
        def.face_count = count;
        abut_check_params params = abut_check_params_default();
        params.hole = round == 1 ? 0.0 : 0.6;
        abut_remade remade;
        assert_int_equal(abut_repair(NULL, &def, &params, &remade, NULL), ABUT_OK);
        abut_mesh_info info = abut_mesh_get_info(remade.mesh);
        CHECK_INT(info.is_closed, round == 0, "closed");
        CHECK_INT(remade.counts.holes_filled, round == 0 ? 2 : 0, "holes");
        if (round == 0) {
            CHECK_NEAR(info.volume, 1.0, 1e-12, "volume");
            CHECK_NEAR(info.area, 6.0, 1e-12, "area");
        }
        abut_check *check = NULL;
        assert_int_equal(abut_check_create(NULL, &def, &params, &check, NULL), ABUT_OK);
        CHECK_INT(abut_check_get_report(check).verdict == ABUT_VERDICT_REPAIRABLE, round == 0, "verdict");
        abut_check_destroy(check);
        abut_remade_release(NULL, &remade);
    }
    free(kept);
    abut_remade_release(NULL, &fine);
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

// ---- seams

enum { CELLS = 3 };

static int is_cell(const char *filled, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < CELLS && y < CELLS && z < CELLS &&
           filled[(z * CELLS + y) * CELLS + x] == '#';
}

static int root_of(const int *roots, int i)
{
    return roots[i] == i ? i : root_of(roots, roots[i]);
}

/// How many vertices a place of the grid has after the split, by its eight cells: the squares between a filled and an empty
/// one are joined around each of the six half edges, two as they are, four by filled cells. Without such a four there is
/// one vertex.
static int fans_at(const char *filled, int x, int y, int z, int *seam_ends)
{
    int is_full[8], roots[24], is_square[24] = {0}, has_seam = 0, count = 0;
    for (int i = 0; i < 8; ++i) {
        is_full[i] = is_cell(filled, x - 1 + (i & 1), y - 1 + (i >> 1 & 1), z - 1 + (i >> 2));
    }
    for (int i = 0; i < 24;
         ++i) { // the square between cell i / 3 and the next one along axis i % 3, by the lower cell
        int cell = i / 3, bit = 1 << i % 3;
        roots[i] = i;
        is_square[i] = !(cell & bit) && is_full[cell] != is_full[cell | bit];
    }
    for (int half = 0; half < 6; ++half) {
        int axis = half / 2, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, side = half % 2 ? 1 << axis : 0;
        const int ring[4] = {side, side | u, side | u | v, side | v}; // cells around the half edge
        int squares[4], square_count = 0;
        for (int i = 0; i < 4; ++i) {
            int low = ring[i] < ring[(i + 1) % 4] ? ring[i] : ring[(i + 1) % 4];
            int bit = ring[i] ^ ring[(i + 1) % 4];
            squares[i] = 3 * low + (bit == 1 ? 0 : bit == 2 ? 1 : 2);
            square_count += is_square[squares[i]];
        }
        has_seam |= square_count == 4;
        *seam_ends += square_count == 4;
        for (int i = 0; i < 4; ++i) { // squares i - 1 and i bound cell i
            int before = squares[(i + 3) % 4];
            if (square_count == 4 && is_full[ring[i]]) {
                roots[root_of(roots, before)] = root_of(roots, squares[i]);
            }
            for (int k = 0; k < i && square_count == 2; ++k) {
                if (is_square[squares[i]] && is_square[squares[k]]) {
                    roots[root_of(roots, squares[k])] = root_of(roots, squares[i]);
                }
            }
        }
    }
    int any = 0;
    for (int i = 0; i < 24; ++i) {
        any |= is_square[i];
        count += is_square[i] && roots[i] == i;
    }
    return has_seam ? count : any;
}

// Random cells: after a repair the surface is closed and oriented, every edge has two faces, unless both of its ends hang
// together otherwise, the volume is the number of cells, and there are as many vertices as the grid says.
static void test_seams(void **state)
{
    (void)state;
    test_random random = {11};
    int seams = 0;
    for (int round = 0; round < 400; ++round) {
        char filled[CELLS * CELLS * CELLS + 1] = "";
        int cells = 0, vertices = 0, seam_ends = 0;
        for (int i = 0; i < CELLS * CELLS * CELLS; ++i) {
            filled[i] = random_below(&random, 100) < 20 + round % 5 * 15 ? '#' : '.';
            cells += filled[i] == '#';
        }
        if (cells == 0) {
            continue;
        }
        for (int i = 0; i < (CELLS + 1) * (CELLS + 1) * (CELLS + 1); ++i) {
            vertices += fans_at(filled, i % (CELLS + 1), i / (CELLS + 1) % (CELLS + 1),
                                i / (CELLS + 1) / (CELLS + 1), &seam_ends);
        }
        test_solid solid = solid_from_voxels(filled, CELLS, CELLS, CELLS);
        if (round % 2 == 1) {
            solid_move(&solid, 1.0, abut_pose_make(random_vec3(&random, 5.0), random_rotation(&random)));
        }
        abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
        abut_mesh_def def = abut_mesh_get_def(mesh);
        abut_remade remade = repair(&def, -1.0);
        abut_mesh_info info = abut_mesh_get_info(remade.mesh);
        CHECK_INT(remade.counts.edges_split, seam_ends / 2, "edges of four faces");
        CHECK_INT(abut_mesh_get_elements(remade.mesh).vertex_count, vertices, "vertices");
        CHECK_INT(abut_mesh_get_elements(remade.mesh).triangle_count, def.face_count, "faces");
        CHECK_INT(remade.counts.faces_turned, 0, "turned");
        CHECK(!info.is_closed || fabs(info.volume - cells) <= 1e-9, "round %d: volume %g of %d", round, info.volume,
              cells);
        CHECK_INT(info.boundary_edge_count, 0, "closed");
        CHECK(info.non_manifold_edge_count > 0 || (info.is_closed && info.is_oriented), "round %d", round);
        seams += remade.counts.edges_split;
        abut_remade_release(NULL, &remade);
        abut_mesh_destroy(mesh);
        solid_free(&solid);
    }
    CHECK(seams > 100, "%d edges", seams);
    CHECK_DONE();
}

// Two cubes with a common edge, one of them inside out: the faces do not tell material from air, but each part has two.
static void test_seam_inside_out(void **state)
{
    (void)state;
    test_solid solid = solid_from_voxels("#..#", 2, 2, 1);
    for (int i = 0; i < solid.triangle_count; ++i) {
        int *t = &solid.triangles[3 * i];
        int is_second = 0;
        for (int k = 0; k < 3; ++k) {
            is_second |= solid.vertices[t[k]].x > 1.5 || solid.vertices[t[k]].y > 1.5;
        }
        if (is_second) {
            int kept = t[1];
            t[1] = t[2];
            t[2] = kept;
        }
    }
    abut_mesh *mesh = solid_mesh(&solid, ABUT_PRECISION_DOUBLE);
    abut_mesh_def def = abut_mesh_get_def(mesh);
    abut_remade remade = repair(&def, -1.0);
    abut_mesh_info info = abut_mesh_get_info(remade.mesh);
    CHECK_INT(remade.counts.edges_split, 1, "edge");
    CHECK_INT(abut_mesh_get_elements(remade.mesh).vertex_count, 16, "two cubes");
    CHECK(info.is_closed && info.is_oriented, "two solids");
    CHECK_NEAR(info.volume, 2.0, 1e-12, "volume");
    abut_remade_release(NULL, &remade);
    abut_mesh_destroy(mesh);
    solid_free(&solid);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seams),
        cmocka_unit_test(test_seam_inside_out),
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_t_junctions),
        cmocka_unit_test(test_polygon_junctions),
        cmocka_unit_test(test_flat_triangle),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_other_elements),
        cmocka_unit_test(test_small_holes),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, sick_setup, sick_teardown);
}
