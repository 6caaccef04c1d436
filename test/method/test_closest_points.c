// SPDX-License-Identifier: MIT
// test_closest_points.c: contacts of method closest-points that can be derived on paper, and erosion of meshes
#include "method/erosion.h"
#include "resting.h"
#include "roof.h"

static const abut_vec3 up = {0.0, 1.0, 0.0};

/// Options as texts, ended by NULL.
static void find_with(local_scene *s, const char *const *options, abut_mesh *a, abut_mesh *b)
{
    abut_option parsed[8];
    int count = 0;
    memset(s, 0, sizeof *s);
    s->context = abut_context_default();
    s->method = abut_method_find("closest-points");
    for (; options[count] != NULL; ++count) {
        abut_error error;
        assert_int_equal(abut_option_parse(s->method, options[count], &parsed[count], &error), ABUT_OK);
    }
    s->params = abut_params_default();
    s->params.options = parsed;
    s->params.option_count = count;
    s->meshes[0] = a;
    s->meshes[1] = b;
    for (int i = 0; i < 2; ++i) {
        s->shapes[i] = make_shape(NULL, s->meshes[i], s->method, &s->params);
    }
    assert_int_equal(abut_workspace_create(NULL, &s->workspace), ABUT_OK);
    s->result = abut_result_default();
    s->pair = abut_pair_default(s->shapes[0], s->shapes[1]);
    local_find(s);
    s->params = abut_params_default();
}

static const char *const nearest[] = {"nearest=yes", NULL};

// A block of 2 x 1 x 1 on the inside of a slab's top face y = 1, touching, 0.001 apart and 0.001 deep. Eroded by
// epsilon, all feet of the block's corners are inside the slab's face, straight above it. The slab's top is cut
// along x = z, the block's bottom from (1, 1.5) to (3, 2.5) in (x, z): on the original meshes the cut crosses the
// block's bottom edges at x = 1.5 and x = 2.5, and the cuts cross at (2, 2). Apart, nothing is within 2 epsilon.
static void block_on_a_slab(void **state)
{
    (void)state;
    static const double depths[3] = {0.0, -0.001, 0.001};
    for (int i = 0; i < 3; ++i) {
        double y = 1.0 - depths[i], m = 1.0 - 0.5 * depths[i], gap = -depths[i];
        const local_expected expected[] = {
            {v3(1, m, 1.5), up, gap},   {v3(3, m, 1.5), up, gap}, {v3(1, m, 2.5), up, gap},
            {v3(3, m, 2.5), up, gap},   {v3(2, m, 2), up, gap},   {v3(1.5, m, 1.5), up, gap},
            {v3(2.5, m, 2.5), up, gap},
        };
        local_scene s;
        find_with(&s, nearest, make_box(NULL, v3(0, 0, 0), v3(4, 1, 4)),
                  make_box(NULL, v3(1, y, 1.5), v3(3, y + 1, 2.5)));
        local_check(&s, expected, i == 1 ? 0 : 7, i == 0 ? "touching" : i == 1 ? "apart" : "sunk");
        local_check_sane(&s);
        local_end(&s);
    }
    CHECK_DONE();
}

static abut_mesh *make_spike(abut_vec3 apex)
{
    const abut_vec3 vertices[4] = {apex, abut_add(apex, v3(0.25, 1, 0.15)), abut_add(apex, v3(-0.2, 1, 0.2)),
                                   abut_add(apex, v3(-0.1, 1, -0.25))};
    return make_tetrahedron(NULL, vertices);
}

// A spike with its tip on the inside of a box's top, touching and 0.001 deep. The tip recedes by more than epsilon,
// yet it is the nearest point of its surface, and the original tip touches or is inside: one contact at the tip. No
// edge of the spike is level, so that none is over a flat edge of the box.
static void tip_on_a_face(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        double depth = 0.001 * i;
        const local_expected expected[] = {{v3(0.7, 1 - 0.5 * depth, 0.2), up, -depth}};
        local_scene s;
        find_with(&s, nearest, make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), make_spike(v3(0.7, 1 - depth, 0.2)));
        local_check(&s, expected, 1, i == 0 ? "touching" : "sunk");
        local_end(&s);
    }
    CHECK_DONE();
}

// Two roofs ridge on ridge, crossed at right angles (a quarter turn about y, then upside down about x), touching and
// 0.002 deep: one contact of the ridges. Their ends are free, and no other edges come near.
static void ridge_across_ridge(void **state)
{
    (void)state;
    abut_quat over = abut_quat_multiply(abut_quat_make(0, 1, 0, 0), abut_quat_make(sqrt(0.5), 0, sqrt(0.5), 0));
    for (int i = 0; i < 2; ++i) {
        double depth = 0.002 * i;
        const local_expected expected[] = {{v3(0, -0.5 * depth, 0), up, -depth}};
        local_scene s;
        find_with(&s, nearest, make_roof(abut_quat_identity(), 0.0), make_roof(over, -depth));
        local_check(&s, expected, 1, i == 0 ? "touching" : "sunk");
        local_end(&s);
    }
    CHECK_DONE();
}

// Two cubes that touch at a corner. By symmetry the eroded corners are apart along the diagonal: one contact, whose
// normal is the diagonal. Shifted by 0.1 along x away from each other: nothing.
static void corner_on_a_corner(void **state)
{
    (void)state;
    double d = sqrt(1.0 / 3.0);
    const local_expected expected[] = {{v3(0, 0, 0), v3(d, d, d), 0.0}};
    local_scene s;
    find_with(&s, nearest, make_box(NULL, v3(-1, -1, -1), v3(0, 0, 0)), make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)));
    local_check(&s, expected, 1, "corners");
    s.pair.b.pose.position = v3(0.1, 0.0, 0.0);
    local_find(&s);
    CHECK_INT(s.result.contacts.count, 0, "apart");
    local_end(&s);
    CHECK_DONE();
}

// Two unit cubes face to face, epsilon 0.01. Moved along vertex normals, their corners recede by 0.01 / sqrt(3) along
// the normal, so that 2 epsilon reach over a gap of 0.02 - 0.02 / sqrt(3) = 0.00845; scaled by 0.99, each recedes by
// 0.005, and they reach over 0.01; mitred, over nothing. The gap is that of the original cubes. Corner on corner, each
// is found.
static void readings_of_erosion_reach_over_gaps(void **state)
{
    (void)state;
    static const char *const choices[3] = {"erosion=mitred", "erosion=vertex-normal", "erosion=scale"};
    static const double reaches[3] = {0.0, 0.00845, 0.01};
    for (int i = 0; i < 3; ++i) {
        const char *const options[] = {"epsilon=0.01", choices[i], "nearest=yes", NULL};
        for (int beyond = 0; beyond < 2; ++beyond) {
            double gap = reaches[i] + (beyond ? 1e-4 : -1e-4);
            local_scene s;
            find_with(&s, options, make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)),
                      make_box(NULL, v3(0, 1 + gap, 0), v3(1, 2 + gap, 1)));
            CHECK(beyond ? s.result.contacts.count == 0 : s.result.contacts.count >= 4, "%s at %g: %d contacts",
                  choices[i], gap, s.result.contacts.count);
            for (int k = 0; k < s.result.contacts.count; ++k) {
                CHECK_NEAR(s.result.contacts.items[k].gap, gap, 1e-12, choices[i]);
                CHECK_NEAR(s.result.contacts.items[k].normal.y, 1.0, 1e-12, choices[i]);
            }
            local_end(&s);
        }
    }
    CHECK_DONE();
}

// The same block and slab, but 0.1 deep, with epsilon 0.01: more than 2 epsilon. Without the extension nothing is
// near. With it, the block's four upright edges run through the slab's top, (E, F), and its four corners are 0.1 below
// it, (V, F), all with the normal of the top.
static void deep_bodies_need_the_extension(void **state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        const char *const options[] = {"epsilon=0.01", i == 0 ? "penetration=no" : "penetration=yes", "nearest=yes",
                                       NULL};
        local_scene s;
        find_with(&s, options, make_box(NULL, v3(0, 0, 0), v3(4, 1, 4)),
                  make_box(NULL, v3(1, 0.9, 1.5), v3(3, 1.9, 2.5)));
        int corners = 0, edges = 0;
        for (int k = 0; k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            int is_corner = c->feature_b.kind == ABUT_FEATURE_VERTEX;
            if (c->normal_side == ABUT_NORMAL_A && fabs(c->normal.y - 1.0) < 1e-12) {
                corners += is_corner && fabs(c->gap + 0.1) < 1e-12;
                edges += !is_corner;
            }
        }
        CHECK_INT(corners, i == 0 ? 0 : 4, "corners below the face");
        CHECK(i == 0 ? s.result.contacts.count == 0 : edges >= 4, "%d edges through the face", edges);
        local_end(&s);
    }
    CHECK_DONE();
}

/// A block of cells of one size, from the origin on.
static abut_mesh *make_plate(const int cells[3], abut_vec3 size)
{
    abut_mesh *block = make_tet_block(NULL, cells, 0.0, 1, 1.0);
    abut_mesh_elements elements = abut_mesh_get_elements(block);
    abut_vec3 *vertices = malloc((size_t)elements.vertex_count * sizeof *vertices);
    assert_non_null(vertices);
    for (int i = 0; i < elements.vertex_count; ++i) {
        abut_vec3 v = elements.vertices[i];
        vertices[i] = v3(v.x / cells[0] * size.x, v.y / cells[1] * size.y, v.z / cells[2] * size.z);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = elements.vertex_count;
    def.tets = elements.tets;
    def.tet_count = elements.tet_count;
    abut_mesh *plate = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &plate, NULL), ABUT_OK);
    free(vertices);
    abut_mesh_destroy(block);
    return plate;
}

/// A plate or block over another, `gap` above it. Apart there is nothing. Touching, all `upper_cells` + 1 squared bottom
/// vertices of the upper one are contacts. A plate's rim recedes by less than its inside, so that eroded faces between
/// them are turned by at most sqrt(2) x 0.0014 / 0.125 = 0.016, and normals are within 1 - cos 0.016 = 1.3e-4 of
/// upright. The gaps are of the original plates.
static void check_plates(abut_vec3 lower, abut_vec3 upper, int upper_cells, double gap, double scale)
{
    static const int lower_cells[3] = {5, 5, 1};
    const int cells[3] = {upper_cells, upper_cells, 1};
    local_scene s;
    local_begin(&s, NULL, "closest-points", "nearest=yes", make_plate(lower_cells, abut_scale(scale, lower)),
                make_plate(cells, abut_scale(scale, upper)));
    s.pair.b.pose.position = abut_scale(scale, v3(1.53, 1.47, lower.z + gap));
    local_find(&s);
    int vertices = 0;
    for (int k = 0; k < s.result.contacts.count; ++k) {
        const abut_contact *c = &s.result.contacts.items[k];
        vertices += c->feature_b.kind == ABUT_FEATURE_VERTEX;
        CHECK_NEAR(c->gap, 0.0, 1e-12 * scale, "touching");
        CHECK(c->normal.z >= 1.0 - 1.3e-4, "normal.z is %.17g", c->normal.z);
    }
    CHECK_INT(vertices, gap > 0.0 ? 0 : (upper_cells + 1) * (upper_cells + 1), "vertices");
    CHECK(gap <= 0.0 || s.result.contacts.count == 0, "%g above: %d contacts", gap, s.result.contacts.count);
    local_end(&s);
}

// Plates thinner than 2 epsilon, whose eroded sides pass through each other: one of 1 x 1 x 0.001 (epsilon 0.0014)
// over a block of 4 x 4 x 1, and a cube of 0.5 (epsilon 0.00087) over a plate of 4 x 4 x 0.004 (epsilon 0.0057). The
// far side of a plate is never in contact.
static void far_sides_of_thin_plates_are_not_in_contact(void **state)
{
    (void)state;
    static const double gaps[4] = {0.0, 2e-4, 5e-4, 2e-3}, scales[3] = {1e-3, 1.0, 1e3};
    for (int i = 0; i < 12; ++i) {
        check_plates(v3(4, 4, 1), v3(1, 1, 0.001), 8, gaps[i % 4], scales[i / 4]);
        check_plates(v3(4, 4, 0.004), v3(0.5, 0.5, 0.5), 2, gaps[i % 4], scales[i / 4]);
    }
    CHECK_DONE();
}

// The text: a block of 2 x 1 x 1 on a slab, epsilon 0.01, so that all pairs of features of the touching faces are 0.02
// apart, straight above each other: contacts on the plane between the eroded faces, with gap 0, at the feet of the
// block's corners (moved in by 0.01) and where cuts cross edges and each other. Sunk by 0.004, features beside each
// other come within 0.02 too: at a distance of 0.016, up to sqrt(0.02^2 - 0.016^2) = 0.012 to the side. No two features
// of this block and slab are so near beside each other, so that there are as many contacts.
static void text_takes_every_pair_within_the_threshold(void **state)
{
    (void)state;
    const char *const options[] = {"epsilon=0.01", NULL};
    int counts[2];
    for (int i = 0; i < 2; ++i) {
        double depth = 0.004 * i;
        local_scene s;
        find_with(&s, options, make_box(NULL, v3(0, 0, 0), v3(4, 1, 4)),
                  make_box(NULL, v3(1, 1 - depth, 1.5), v3(3, 2 - depth, 2.5)));
        counts[i] = s.result.contacts.count;
        int corners = 0;
        for (int k = 0; k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            CHECK_NEAR(c->gap, -depth, 1e-12, "distance less 2 epsilon");
            CHECK_NEAR(c->normal.y, 1.0, 1e-12, "up");
            CHECK_NEAR(c->position.y, 1.0 - 0.5 * depth, 1e-12, "the average of the closest points");
            corners +=
                fabs(fabs(c->position.x - 2.0) - 0.99) < 1e-12 && fabs(fabs(c->position.z - 2.0) - 0.49) < 1e-12;
        }
        CHECK_INT(corners, 4, "corners of the eroded block");
        local_end(&s);
    }
    CHECK_INT(counts[0], 7, "four corners, two cuts over edges, two cuts that cross");
    CHECK_INT(counts[1], counts[0], "sunk");
    CHECK_DONE();
}

// The text has no filter: a cube's corner on a cube's corner, sunk along the diagonal by 0.004 per axis with epsilon
// 0.01: the eroded corners are 0.016 apart per axis, further than 0.02 along the diagonal: no contact. Without erosion of
// the mesh (it counts as eroded already) and 0.01 apart per axis, the corners are 0.0173 apart: one contact along the
// diagonal, with gap 0.01 sqrt(3) - 0.02.
static void text_sees_the_threshold_only(void **state)
{
    (void)state;
    const char *const eroding[] = {"epsilon=0.01", NULL}, *const eroded[] = {"epsilon=0.01", "erosion=none", NULL};
    const double d = sqrt(1.0 / 3.0);
    local_scene s;
    find_with(&s, eroding, make_box(NULL, v3(-1, -1, -1), v3(0, 0, 0)),
              make_box(NULL, v3(-0.004, -0.004, -0.004), v3(1, 1, 1)));
    CHECK_INT(s.result.contacts.count, 0, "corners recede by more than epsilon");
    local_end(&s);
    const local_expected expected[] = {{v3(0.005, 0.005, 0.005), v3(d, d, d), 0.01 * sqrt(3.0) - 0.02}};
    find_with(&s, eroded, make_box(NULL, v3(-1, -1, -1), v3(0, 0, 0)),
              make_box(NULL, v3(0.01, 0.01, 0.01), v3(1, 1, 1)));
    local_check(&s, expected, 1, "corners");
    local_end(&s);
    CHECK_DONE();
}

// Reading program, erosion scale, epsilon 0.01. Ground: three vertices at y = 0 and one at y = -4, mean -1, so that
// the top recedes to y = -0.01. Spike: tip at (0, 0, 0), three vertices at y = 1, mean (-0.0125, 0.75, 0.025): the tip
// moves to 0.01 of the mean, (-0.000125, 0.0075, 0.00025). Height 0.0175, so gap 0.0175 - 0.02 = -0.0025, position
// halfway between.
static void program_vertex_over_face(void **state)
{
    (void)state;
    const char *const options[] = {"epsilon=0.01", "erosion=scale", "reading=program", NULL};
    const abut_vec3 ground[4] = {{-5, 0, -5}, {0, 0, 7}, {5, 0, -5}, {0, -4, 0}};
    local_scene s;
    find_with(&s, options, make_tetrahedron(NULL, ground), make_spike(v3(0, 0, 0)));
    const local_expected expected[] = {{v3(-0.000125, -0.00125, 0.00025), up, -0.0025}};
    local_check(&s, expected, 1, "program");
    local_end(&s);
    CHECK_DONE();
}

// Two tetrahedra edge on edge: A's along x at y = 0, its other two vertices at y = -1, mean -0.5: the edge recedes to
// -0.005. B is A turned: its edge along z, 0.01 between the eroded edges. The right normal is y. The program takes the
// cross product of A's edge (1, 0, 0) and the way from its start (-+0.99, -0.005, 0) to B's end (0, 0.005, -+0.99):
// (0, 1, -+dy / dz) with dy = 0.01, dz = 0.99.
static void program_edge_normals_are_off(void **state)
{
    (void)state;
    const char *const options[] = {"epsilon=0.01", "erosion=scale", "reading=program", NULL};
    const abut_vec3 lower[4] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 1}, {0, -1, -1}};
    const abut_vec3 upper[4] = {{0, 0, -1}, {0, 0, 1}, {1, 1, 0}, {-1, 1, 0}};
    local_scene s;
    find_with(&s, options, make_tetrahedron(NULL, lower), make_tetrahedron(NULL, upper));
    CHECK_INT(s.result.contacts.count, 1, "edges");
    if (s.result.contacts.count == 1) {
        const abut_contact *c = &s.result.contacts.items[0];
        CHECK_NEAR(c->gap, 0.01 - 0.02, 1e-12, "gap");
        CHECK_NEAR(abut_norm(c->position), 0.0, 1e-12, "position");
        // whichever body comes first in the canonical order has the edge whose direction is in the product
        double off = fmax(fabs(c->normal.x), fabs(c->normal.z)), rest = fmin(fabs(c->normal.x), fabs(c->normal.z));
        CHECK_NEAR(off / c->normal.y, 0.01 / 0.99, 1e-12, "slip (a)");
        CHECK_NEAR(rest, 0.0, 1e-12, "slip (a)");
    }
    local_end(&s);
    CHECK_DONE();
}

/// The answer of prepare for a unit cube of triangles.
static abut_status prepare_cube(const char *text, abut_error *error)
{
    const abut_method *method = abut_method_find("closest-points");
    abut_option option;
    assert_int_equal(abut_option_parse(method, text, &option, error), ABUT_OK);
    abut_params params = abut_params_default();
    params.options = &option;
    params.option_count = 1;
    abut_mesh *mesh = make_box(NULL, v3(0, 0, 0), v3(1, 1, 1));
    abut_shape_def def = abut_shape_def_default();
    def.mesh = mesh;
    abut_shape *shape = NULL;
    assert_int_equal(abut_shape_create(NULL, &def, &shape, error), ABUT_OK);
    abut_status status = abut_shape_prepare(shape, method, &params, error);
    abut_shape_destroy(shape);
    abut_mesh_destroy(mesh);
    return status;
}

// The program's reading needs tetrahedra, and an epsilon above the diagonal sqrt(3) leaves nothing of the cube; 1.7
// does neither, but the corners cannot move that far.
static void refusals(void **state)
{
    (void)state;
    abut_error error;
    CHECK_STATUS(prepare_cube("reading=program", &error), ABUT_UNSUPPORTED, "no tetrahedra");
    CHECK(strstr(error.text, "tetrahedra") != NULL, "%s", error.text);
    CHECK_STATUS(prepare_cube("epsilon=1.8", &error), ABUT_UNSUPPORTED, "too large");
    CHECK(strstr(error.text, "epsilon") != NULL, "%s", error.text);
    CHECK_STATUS(prepare_cube("epsilon=1.7", &error), ABUT_OK, "large");
    CHECK_DONE();
}

// ---- erosion

static abut_erosion *erode(const abut_mesh *mesh, abut_erosion_kind kind, double epsilon)
{
    abut_context context = abut_context_default();
    abut_erosion *erosion = NULL;
    assert_int_equal(abut_erosion_create(&context, mesh, kind, epsilon, ABUT_ELEMENT_TRIANGLE, &erosion, NULL),
                     ABUT_OK);
    return erosion;
}

// Every corner of a box recedes by epsilon along each of three axes, whichever of its faces have two triangles there;
// against its vertex normal (1, 1, 1) / sqrt(3), by epsilon / sqrt(3) along each.
static void boxes_become_smaller_boxes(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    abut_mesh *mesh = make_box(NULL, v3(-1, -2, -3), v3(1, 2, 3));
    for (int kind = 0; kind < 2; ++kind) {
        double step = kind == 0 ? 0.1 : 0.1 / sqrt(3.0);
        abut_erosion *e = erode(mesh, (abut_erosion_kind)kind, 0.1);
        for (int i = 0; i < 8; ++i) {
            abut_vec3 v = abut_abs(e->vertices[i]);
            CHECK_NEAR(abut_norm(abut_sub(v, v3(1 - step, 2 - step, 3 - step))), 0.0, 1e-14, "corner");
            CHECK_NEAR(e->recessions[i], 0.1, 1e-15, "recession");
        }
        CHECK_INT(e->cap_count, 0, "nothing was cut short");
        abut_erosion_destroy(e, &context);
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// As the program does: a box moves against its vertex normals. A block of cells has vertices in the middle of its
// faces and edges, so it is not taken for a convex hull: its vertices move to 0.99 of their distance from their mean,
// (1, 0.5, 0.5).
static void hulls_and_others_as_in_the_program(void **state)
{
    (void)state;
    static const int cells[3] = {2, 1, 1};
    abut_context context = abut_context_default();
    abut_mesh *meshes[2] = {make_box(NULL, v3(0, 0, 0), v3(1, 1, 1)), make_tet_block(NULL, cells, 0.0, 1, 1.0)};
    for (int i = 0; i < 2; ++i) {
        abut_mesh_elements elements = abut_mesh_get_elements(meshes[i]);
        abut_erosion *e = erode(meshes[i], ABUT_EROSION_PROGRAM, 0.1);
        for (int k = 0; k < elements.vertex_count; ++k) {
            abut_vec3 way = abut_sub(e->vertices[k], elements.vertices[k]);
            abut_vec3 scaled = abut_scale(0.01, abut_sub(v3(1, 0.5, 0.5), elements.vertices[k]));
            CHECK_NEAR(i == 0 ? abut_norm(way) - 0.1 : abut_norm(abut_sub(way, scaled)), 0.0, 1e-14, "way");
        }
        abut_erosion_destroy(e, &context);
        abut_mesh_destroy(meshes[i]);
    }
    CHECK_DONE();
}

// A box of thickness 0.1, by 0.08: its sides would turn inside out. Their corners move half as far, 0.04, which leaves
// 0.02, and all eight are counted.
static void thin_boxes_are_cut_short(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    abut_mesh *mesh = make_box(NULL, v3(-1, -0.05, -1), v3(1, 0.05, 1));
    abut_erosion *e = erode(mesh, ABUT_EROSION_MITRED, 0.08);
    CHECK_INT(e->cap_count, 8, "corners");
    for (int i = 0; i < 8; ++i) {
        CHECK_NEAR(fabs(e->vertices[i].y), 0.01, 1e-14, "thickness");
        CHECK_NEAR(e->recessions[i], 0.04, 1e-14, "recession");
    }
    abut_erosion_destroy(e, &context);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// The tip of a needle of half angle about 1 degree would recede by 57 epsilons: it does by 8 along the axis, and is
// counted.
static void needles_are_cut_short(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    const abut_vec3 vertices[4] = {
        {0, 0, 0}, {0.02, 1, 0}, {-0.01, 1, 0.017320508075688773}, {-0.01, 1, -0.017320508075688773}};
    abut_mesh *mesh = make_tetrahedron(NULL, vertices);
    abut_erosion *e = erode(mesh, ABUT_EROSION_MITRED, 1e-4);
    CHECK_NEAR(abut_norm(abut_sub(e->vertices[0], v3(0, 8e-4, 0))), 0.0, 1e-12, "tip");
    CHECK(e->cap_count >= 1 && e->recessions[0] < 1e-4, "%d are counted", e->cap_count);
    abut_erosion_destroy(e, &context);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static void memory_runs_out(void **state)
{
    (void)state;
    local_check_memory("closest-points", NULL);
    local_check_memory("closest-points", "nearest=yes");
    CHECK_DONE();
}

/// Triangles at random, some of them needles, points or doubles of others; neighbours share vertices.
static abut_mesh *make_soup(test_random *random)
{
    enum { VERTICES = 30, TRIANGLES = 60 };
    abut_vec3 vertices[VERTICES];
    int corners[3 * TRIANGLES];
    for (int i = 0; i < VERTICES; ++i) {
        vertices[i] = random_vec3(random, 1.0);
        if (i > 0 && random_below(random, 4) == 0) {
            double away = random_below(random, 2) == 0 ? 0.0 : pow(10.0, random_in(random, -12.0, -2.0));
            vertices[i] = abut_add(vertices[i - 1], random_vec3(random, away));
        }
    }
    for (int i = 0; i < 3 * TRIANGLES; ++i) {
        corners[i] = i >= 3 && random_below(random, 3) == 0 ? corners[i - 3] : random_below(random, VERTICES);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = VERTICES;
    def.face_vertices = corners;
    def.face_count = TRIANGLES;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    return mesh;
}

// Whatever the triangles are, the query answers, and its contacts are sound: unit normals, no NaN.
static void soups_give_sound_contacts(void **state)
{
    (void)state;
    test_random random = {17};
    int found = 0;
    for (int round = 0; round < 60; ++round) {
        static const char *const choices[4] = {"erosion=mitred", "erosion=vertex-normal", "erosion=scale",
                                               "erosion=program"};
        const char *const options[] = {choices[round % 4], round % 3 == 0 ? "nearest=no" : "nearest=yes",
                                       round % 3 == 1 ? "penetration=yes" : "penetration=no",
                                       round % 8 < 4 ? "epsilon=0.1" : "epsilon=0", NULL};
        local_scene s;
        abut_mesh *a = make_soup(&random), *b = make_soup(&random);
        find_with(&s, options, a, b);
        local_check_sane(&s);
        found += s.result.contacts.count;
        local_end(&s);
    }
    CHECK(found > 1000, "%d contacts", found);
    CHECK_DONE();
}

// ---- what must hold of every local method

static void motion_and_scale(void **state)
{
    (void)state;
    resting_check_motion("closest-points", NULL);
    resting_check_motion("closest-points", "nearest=yes");
    CHECK_DONE();
}

static void threads_and_heap(void **state)
{
    (void)state;
    resting_check_threads("closest-points", NULL);
    resting_check_threads("closest-points", "nearest=yes");
    resting_check_threads("closest-points", "reading=program");
    CHECK_DONE();
}

static void apart(void **state)
{
    (void)state;
    local_check_apart("closest-points", NULL);
    local_check_apart("closest-points", "nearest=yes");
    CHECK_DONE();
}

// Solids with dents, epsilon 0.05, whose distance is from 1 to 2 tolerances: so near that a contact would be seen at
// once if a corner or edge were credited with more than it recedes.
static void hardly_apart(void **state)
{
    (void)state;
    test_random random = {99};
    int tested = 0;
    for (uint64_t seed = 0; seed < 8; ++seed) {
        const int cells[3] = {1 + (int)(seed % 2), 1, 1 + (int)(seed / 2 % 2)};
        local_scene s;
        local_begin(&s, NULL, "closest-points", "epsilon=0.05", make_tet_block(NULL, cells, 0.2, seed, 1.0),
                    make_tet_block(NULL, cells, 0.2, seed + 100, 1.0));
        s.params.tolerance = abut_absolute(1e-4);
        abut_tree *trees[2];
        for (int i = 0; i < 2; ++i) {
            assert_int_equal(abut_tree_create(NULL, s.meshes[i], ABUT_ELEMENT_TRIANGLE, &trees[i], NULL), ABUT_OK);
        }
        for (int round = 0; round < 100; ++round) {
            double wanted = random_in(&random, 1.01e-4, 2e-4);
            abut_pose pose = abut_pose_make(abut_scale(6.0, random_unit(&random)), random_rotation(&random));
            for (int k = 0; k < 4; ++k) {
                abut_tree_gap gap = abut_tree_distance(trees[0], trees[1], pose, HUGE_VAL);
                pose.position =
                    abut_add_scaled(pose.position, 1.0 - wanted / gap.distance, abut_sub(gap.point_a, gap.point_b));
            }
            if (abut_tree_distance(trees[0], trees[1], pose, HUGE_VAL).distance > 1e-4) {
                ++tested;
                s.pair.b.pose = pose;
                local_find(&s);
                CHECK_INT(s.result.contacts.count, 0, "hardly apart");
            }
        }
        for (int i = 0; i < 2; ++i) {
            abut_tree_destroy(trees[i]);
        }
        local_end(&s);
    }
    CHECK(tested > 600, "%d were apart", tested);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_a_slab),
        cmocka_unit_test(tip_on_a_face),
        cmocka_unit_test(ridge_across_ridge),
        cmocka_unit_test(corner_on_a_corner),
        cmocka_unit_test(readings_of_erosion_reach_over_gaps),
        cmocka_unit_test(deep_bodies_need_the_extension),
        cmocka_unit_test(far_sides_of_thin_plates_are_not_in_contact),
        cmocka_unit_test(text_takes_every_pair_within_the_threshold),
        cmocka_unit_test(text_sees_the_threshold_only),
        cmocka_unit_test(program_vertex_over_face),
        cmocka_unit_test(program_edge_normals_are_off),
        cmocka_unit_test(refusals),
        cmocka_unit_test(boxes_become_smaller_boxes),
        cmocka_unit_test(hulls_and_others_as_in_the_program),
        cmocka_unit_test(thin_boxes_are_cut_short),
        cmocka_unit_test(needles_are_cut_short),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(soups_give_sound_contacts),
        cmocka_unit_test(motion_and_scale),
        cmocka_unit_test(threads_and_heap),
        cmocka_unit_test(apart),
        cmocka_unit_test(hardly_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
