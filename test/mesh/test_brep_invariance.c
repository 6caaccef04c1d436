// SPDX-License-Identifier: MIT
// test_brep_invariance.c: any tessellation of a solid gives the same B-rep
//
// Each solid is cut into other triangles at random, renumbered, rotated, scaled and moved. Its B-rep is compared
// with that of the original solid, moved in the same way. The corners of the solid keep their coordinates bit for
// bit, so vertices must be equal. Added vertices are off their planes and edges by rounding.
#include "check.h"
#include "effort.h"
#include "mesh/brep_check.h"
#include "mesh/tessellate.h"

static const abut_vec3 pyramid_vertices[] = {{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}, {4, 4, 6},
                                             {2, 2, 0}, {6, 2, 0}, {6, 6, 0}, {2, 6, 0}, {4, 4, 2}};
// a square pyramid with a pit, an inverted pyramid, in its base
static const int pyramid_polygons[] = {3, 0, 1, 4, 3, 1, 2, 4, 3, 2, 3, 4, 3, 3, 0, 4, 4, 0,
                                       5, 6, 1, 4, 1, 6, 7, 2, 4, 2, 7, 8, 3, 4, 3, 8, 5, 0,
                                       3, 6, 5, 9, 3, 7, 6, 9, 3, 8, 7, 9, 3, 5, 8, 9, 0};

static const abut_vec3 roof_vertices[] = {{0, 0, 0},       {4096, 0, 0},       {4096, 4096, 0},    {0, 4096, 0},
                                          {0, 2048, 1024}, {4096, 2048, 1024}, {4096, 4096, 1020}, {0, 4096, 1020},
                                          {0, 0, 1020},    {4096, 0, 1020}};
// a block with a very flat roof: the ridge has a dihedral angle of pi - 2 atan(4 / 2048)
static const int roof_polygons[] = {4, 0, 3, 2, 1, 4, 4, 8, 9, 5, 4, 4, 5, 6, 7, 5, 0, 8, 4,
                                    7, 3, 5, 1, 2, 6, 5, 9, 4, 0, 1, 9, 8, 4, 2, 3, 7, 6, 0};

static const abut_vec3 sheet_vertices[] = {{0, 0, 0}, {6, 0, 0}, {6, 2, 0}, {2, 2, 0}, {2, 6, 0},
                                           {0, 6, 0}, {1, 1, 0}, {3, 1, 0}, {1, 3, 0}};
// an L-shaped sheet with a triangular hole: all edges are boundary edges
static const int sheet_polygons[] = {4, 0, 1, 7, 6, 3, 1, 2, 7, 4, 7, 2, 3, 8,
                                     3, 3, 4, 8, 4, 4, 5, 0, 8, 3, 0, 6, 8, 0};

enum { FLAT_ROOF = 6, DISC = 9, SOLID_COUNT = 10 };

static test_solid make_solid(int which, const char **name)
{
    switch (which) {
    case 0: *name = "cube"; return solid_from_voxels("#", 1, 1, 1);
    case 1:
        *name = "L";
        return solid_from_voxels("###"
                                 "#..",
                                 3, 2, 1);
    case 2:
        *name = "through hole";
        return solid_from_voxels("####"
                                 "#..#"
                                 "####"
                                 "####"
                                 "#..#"
                                 "####",
                                 4, 3, 2);
    case 3:
        *name = "pits";
        return solid_from_voxels("#####"
                                 "#####"
                                 "#####"
                                 "#####"
                                 "#.#.#"
                                 "#####",
                                 5, 3, 2);
    case 4:
        *name = "two parts";
        return solid_from_voxels("##.#"
                                 "##.#",
                                 4, 2, 1);
    case 5: *name = "pyramid with a pit"; return solid_from_polygons(pyramid_vertices, 10, pyramid_polygons);
    case FLAT_ROOF: *name = "flat roof"; return solid_from_polygons(roof_vertices, 10, roof_polygons);
    case 7: *name = "sheet"; return solid_from_polygons(sheet_vertices, 9, sheet_polygons);
    case 8: *name = "prism"; return solid_prism(100);
    default:
        *name = "disc"; // its boundary turns only slightly at each corner
        return solid_disc(300);
    }
}

static double size_of(const test_solid *solid)
{
    abut_box box = abut_box_empty();
    for (int i = 0; i < solid->vertex_count; ++i) {
        box = abut_box_add(box, solid->vertices[i]);
    }
    return abut_box_diagonal(box);
}

static abut_brep *make_brep(const abut_mesh *mesh)
{
    abut_brep *brep = NULL;
    assert_int_equal(abut_brep_create(NULL, mesh, NULL, &brep, NULL), ABUT_OK);
    return brep;
}

typedef struct trial {
    int vertex_count; // vertices to add
    double scale;
    double offset; // distance from the origin, in sizes of the solid
    abut_precision precision;
} trial;

static void try_one(const test_solid *solid, const char *name, trial wanted, test_random *random)
{
    double size = wanted.scale * size_of(solid);
    abut_pose pose = abut_pose_make(abut_scale(wanted.offset * size, random_unit(random)), random_rotation(random));
    test_solid a = solid_copy(solid), b = solid_copy(solid);
    solid_tessellate(&b, random, wanted.vertex_count, 4 * wanted.vertex_count);
    solid_shuffle(&b, random);
    solid_move(&a, wanted.scale, pose);
    solid_move(&b, wanted.scale, pose);
    // rounding of coordinates, and its effect on planes of faces that are not much smaller than the solid
    double rounding = (1.0 + wanted.offset) * 0x1p-52;
    if (wanted.precision == ABUT_PRECISION_FLOAT) {
        solid_round(&a);
        solid_round(&b);
        rounding = (1.0 + wanted.offset) * 0x1p-23;
    }
    brep_tolerance tolerance = {8.0 * rounding * size, 64.0 * rounding, 64.0 * rounding};
    abut_mesh *mesh_a = solid_mesh(&a, wanted.precision), *mesh_b = solid_mesh(&b, wanted.precision);
    abut_brep *brep_a = make_brep(mesh_a), *brep_b = make_brep(mesh_b);
    char label[128];
    (void)snprintf(label, sizeof label, "%s, %d more vertices, scale %g, %g sizes away", name, wanted.vertex_count,
                   wanted.scale, wanted.offset);
    CHECK_INT(brep_check_valid(mesh_a, brep_a, label), 0, label);
    CHECK_INT(brep_check_valid(mesh_b, brep_b, label), 0, label);
    CHECK_INT(brep_check_same(mesh_a, brep_a, mesh_b, brep_b, tolerance, label), 0, label);
    abut_brep_destroy(brep_b);
    abut_brep_destroy(brep_a);
    abut_mesh_destroy(mesh_b);
    abut_mesh_destroy(mesh_a);
    solid_free(&b);
    solid_free(&a);
}

static void double_precision(void **state)
{
    (void)state;
    test_random random = {21};
    static const double offsets[3] = {0.0, 1.0, 1e4};
    for (int which = 0; which < SOLID_COUNT; ++which) {
        const char *name;
        test_solid solid = make_solid(which, &name);
        for (int round = 0; round < sample_count(60, 3000); ++round) {
            trial wanted = {random_below(&random, 120), pow(10.0, random_in(&random, -3.0, 3.0)),
                            offsets[round % 3], ABUT_PRECISION_DOUBLE};
            try_one(&solid, name, wanted, &random);
        }
        solid_free(&solid);
    }
    CHECK_DONE();
}

// At 100 sizes from the origin, floats have a resolution of 1e-5 sizes. That hides the edges of the flat roof and
// the corners of the disc, which turn by only 0.004 and 0.02 radians, so these two stay closer to the origin.
static void float_precision(void **state)
{
    (void)state;
    test_random random = {22};
    static const double offsets[3] = {0.0, 1.0, 100.0};
    for (int which = 0; which < SOLID_COUNT; ++which) {
        const char *name;
        test_solid solid = make_solid(which, &name);
        for (int round = 0; round < sample_count(40, 2000); ++round) {
            int offset_count = which == FLAT_ROOF || which == DISC ? 2 : 3;
            trial wanted = {random_below(&random, 120), pow(10.0, random_in(&random, -3.0, 3.0)),
                            offsets[round % offset_count], ABUT_PRECISION_FLOAT};
            try_one(&solid, name, wanted, &random);
        }
        solid_free(&solid);
    }
    CHECK_DONE();
}

// Random unit cubes. Some touch only in edges or corners, which gives non-manifold edges and vertices.
static void random_voxels(void **state)
{
    (void)state;
    test_random random = {23};
    for (int round = 0; round < sample_count(150, 7500); ++round) {
        char filled[28] = {0};
        for (int i = 0; i < 27; ++i) {
            filled[i] = i == 13 || random_below(&random, 100) < 55 ? '#' : '.';
        }
        test_solid solid = solid_from_voxels(filled, 3, 3, 3);
        trial wanted = {random_below(&random, 150), pow(10.0, random_in(&random, -3.0, 3.0)), round % 2 ? 1e4 : 1.0,
                        ABUT_PRECISION_DOUBLE};
        try_one(&solid, filled, wanted, &random);
        solid_free(&solid);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(double_precision),
        cmocka_unit_test(float_precision),
        cmocka_unit_test(random_voxels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
