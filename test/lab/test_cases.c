// SPDX-License-Identifier: MIT
// test_cases.c: the fundamental cases: solid bodies that touch exactly at the expected points, with derived normals
#include "check.h"
#include "memory_fault.h"

#include <abut-lab/lab.h>

#include <stdlib.h>

/// Scene sizes to test: the default, those of the paper and its program, and numbers that no binary fraction can hold.
static const double SIZES[] = {0.0, 25.0, 20.0, 8.0, 1.0, 7.3, 0.1, 1234.567};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0], CASE_COUNT = 10 };

static abut_case *create(const char *name, double scene_size)
{
    abut_case_params params = abut_case_params_default();
    params.scene_size = scene_size;
    abut_case *made = NULL;
    abut_error error;
    abut_status status = abut_case_create(NULL, name, &params, &made, &error);
    CHECK(status == ABUT_OK, "%s at %g: %s", name, scene_size, status == ABUT_OK ? "" : error.text);
    assert_non_null(made);
    return made;
}

static const char *name_of(int index)
{
    int count = 0;
    return abut_case_names(&count)[index];
}

/// Runs a check on every case at every size.
static void for_each_case(void (*check)(const abut_case *))
{
    for (int i = 0; i < CASE_COUNT; ++i) {
        for (int k = 0; k < SIZE_COUNT; ++k) {
            abut_case *c = create(name_of(i), SIZES[k]);
            check(c);
            abut_case_destroy(c);
        }
    }
}

static abut_vec3 world(const abut_case_body *body, int vertex)
{
    return abut_pose_apply(body->pose, abut_mesh_get_elements(body->mesh).vertices[vertex]);
}

static int same(abut_vec3 a, abut_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static void names_are_those_of_the_paper(void **state)
{
    (void)state;
    static const char *const expected[] = {"spikes",         "spike-and-wedge", "wedges",        "spike-in-hole",
                                           "spike-in-crack", "wedge-in-crack",  "sliding-spike", "sliding-wedge",
                                           "internal-edges", "cliff-edges"};
    int count = 0;
    const char *const *names = abut_case_names(&count);
    assert_int_equal(count, CASE_COUNT);
    for (int i = 0; i < count; ++i) {
        CHECK(strcmp(names[i], expected[i]) == 0, "%s", names[i]);
    }
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Bodies

/// Volume by the closed form of each shape, from the scene size alone.
static double volume_on_paper(const char *shape, const abut_case *c)
{
    double s = c->scene_size, b = s / 25.0, h = 3.0 * s / 25.0;
    if (strcmp(shape, "spike") == 0) {
        return 4.0 * b * b * h / 3.0; // base area times height / 3
    }
    if (strcmp(shape, "wedge") == 0) {
        return b * h * 4.0 * b; // triangle times length
    }
    if (strcmp(shape, "crack") == 0) {
        return 2.0 * 1.0 * 4.0 - 0.5 * 1.0 * 0.5 * 4.0; // block without groove
    }
    if (strcmp(shape, "hole") == 0) {
        return 2.0 * 1.0 * 2.0 - 1.0 * 1.0 * 0.5 / 3.0; // block without pyramid
    }
    if (strcmp(shape, "ground") == 0) {
        return s * s / 10.0 * s;
    }
    if (strcmp(shape, "slab") == 0) {
        return s / 5.0 * s / 10.0 * s / 5.0;
    }
    if (strcmp(shape, "frustum") == 0) {
        double k = s / 5.0; // height 2k, areas (3k)^2 and (2k)^2
        return 2.0 * k / 3.0 * (9.0 + 4.0 + 6.0) * k * k;
    }
    double side = strcmp(c->name, "cliff-edges") == 0 ? 2.0 * s / 5.0 : s / 10.0;
    return side * side * side;
}

static void check_surface(const abut_case *c, const abut_case_body *body)
{
    abut_mesh_info info = abut_mesh_get_info(body->mesh);
    double volume = volume_on_paper(body->shape, c);
    CHECK(info.is_closed && info.is_oriented && info.non_manifold_vertex_count == 0, "%s", body->shape);
    CHECK_INT(info.degenerate_face_count, 0, body->shape);
    CHECK_NEAR(info.volume, volume, 1e-14 * volume, body->shape);
}

/// The tetrahedra are positive, share whole faces, have the triangles as boundary and fill the volume.
static void check_tets(const abut_case *c, const abut_case_body *body)
{
    abut_mesh_elements e = abut_mesh_get_elements(body->mesh);
    abut_mesh_topology t = abut_mesh_get_topology(body->mesh);
    double sum = 0.0, volume = volume_on_paper(body->shape, c);
    for (int i = 0; i < e.tet_count; ++i) {
        abut_vec3 a = e.vertices[e.tets[4 * i]], b = e.vertices[e.tets[4 * i + 1]];
        abut_vec3 d = e.vertices[e.tets[4 * i + 2]], f = e.vertices[e.tets[4 * i + 3]];
        double six = fabs(abut_dot(abut_sub(f, a), abut_cross(abut_sub(b, a), abut_sub(d, a))));
        CHECK(six > 0.0, "%s: tetrahedron %d is flat", body->shape, i);
        sum += six / 6.0;
    }
    CHECK_NEAR(sum, volume, 1e-13 * volume, body->shape);
    int outer = 0;
    for (int i = 0; i < 4 * e.tet_count; ++i) {
        CHECK(t.tet_neighbours[i] != ABUT_NON_MANIFOLD, "%s: face %d of tetrahedron %d", body->shape, i % 4, i / 4);
        CHECK((t.tet_neighbours[i] == ABUT_BOUNDARY) == (t.tet_triangles[i] >= 0), "%s: face %d of tetrahedron %d",
              body->shape, i % 4, i / 4);
        outer += t.tet_triangles[i] >= 0;
    }
    CHECK_INT(outer, e.triangle_count, body->shape);
    for (int i = 0; i < e.triangle_count; ++i) {
        CHECK(t.triangle_tets[i] >= 0, "%s: triangle %d", body->shape, i);
    }
}

static void check_bodies(const abut_case *c)
{
    check_surface(c, &c->a);
    check_surface(c, &c->b);
    check_tets(c, &c->a);
    check_tets(c, &c->b);
}

static void bodies_are_solid(void **state)
{
    (void)state;
    for_each_case(check_bodies);
    CHECK_DONE();
}

/// Vertices by number, as the paper's program has them.
static void numbering_is_that_of_the_program(void **state)
{
    (void)state;
    abut_case *c = create("spike-and-wedge", 25.0);
    const abut_vec3 spike[] = {{0, 3, 0}, {1, 0, 1}, {-1, 0, 1}, {1, 0, -1}, {-1, 0, -1}};
    const abut_vec3 wedge[] = {{0, 3, -2}, {0, 3, 2}, {1, 0, 2}, {-1, 0, 2}, {1, 0, -2}, {-1, 0, -2}};
    abut_mesh_elements a = abut_mesh_get_elements(c->a.mesh), b = abut_mesh_get_elements(c->b.mesh);
    CHECK_INT(a.tet_count, 2, "a spike is two tetrahedra");
    for (int i = 0; i < 5; ++i) {
        CHECK(same(a.vertices[i], spike[i]), "spike %d", i);
    }
    for (int i = 0; i < 6; ++i) {
        CHECK(same(b.vertices[i], wedge[i]), "wedge %d", i);
    }
    abut_case_destroy(c);
    c = create("wedge-in-crack", 25.0);
    b = abut_mesh_get_elements(c->b.mesh);
    const abut_vec3 groove[] = {{-0.5, 0.5, 2},  {0, 0, 2},  {0.5, 0.5, 2},
                                {-0.5, 0.5, -2}, {0, 0, -2}, {0.5, 0.5, -2}};
    const int numbers[] = {7, 8, 9, 12, 13, 14}; // of the file, from 1
    for (int i = 0; i < 6; ++i) {
        CHECK(same(b.vertices[numbers[i] - 1], groove[i]), "crack %d", numbers[i]);
    }
    CHECK_INT(b.face_count, 36, "crack");
    abut_case_destroy(c);
    c = create("spike-in-hole", 25.0);
    b = abut_mesh_get_elements(c->b.mesh);
    CHECK(same(b.vertices[15], abut_vec3_make(0, 0, 0)), "the pit's lowest point is number 16");
    CHECK(same(b.vertices[25], abut_vec3_make(1, 0.5, -1)), "number 26");
    CHECK_INT(b.face_count, 88, "hole");
    CHECK_INT(b.vertex_count, 46, "hole");
    abut_case_destroy(c);
    c = create("internal-edges", 20.0);
    a = abut_mesh_get_elements(c->a.mesh);
    CHECK(same(a.vertices[12], abut_vec3_make(-1, 1, 1)) && same(a.vertices[13], abut_vec3_make(1, 1, 1)), "slab");
    CHECK(same(a.vertices[5], abut_vec3_make(0, 1, -2)) && same(a.vertices[7], abut_vec3_make(-2, 1, 0)), "slab");
    CHECK(abut_mesh_find_edge(c->a.mesh, 5, 7) >= 0 && abut_mesh_find_edge(c->a.mesh, 3, 5) >= 0, "internal edges");
    abut_case_destroy(c);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Touching

static int orientation_2d(abut_vec2 a, abut_vec2 b, abut_vec2 c)
{
    int sign = 0;
    assert_int_equal(abut_orient2d(a, b, c, &sign), ABUT_OK);
    return sign;
}

/// Whether p is exactly in the closed triangle, seen along the axis in which the normal is longest.
static int is_on_triangle(const abut_vec3 corners[3], abut_vec3 p)
{
    int sign = 1;
    assert_int_equal(abut_orient3d(corners[0], corners[1], corners[2], p, &sign), ABUT_OK);
    if (sign != 0) {
        return 0;
    }
    abut_vec3 n = abut_abs(abut_cross(abut_sub(corners[1], corners[0]), abut_sub(corners[2], corners[0])));
    abut_vec2 q[4];
    for (int i = 0; i < 4; ++i) {
        abut_vec3 v = i < 3 ? corners[i] : p;
        q[i] = n.x >= n.y && n.x >= n.z ? abut_vec2_make(v.y, v.z)
               : n.y >= n.z             ? abut_vec2_make(v.z, v.x)
                                        : abut_vec2_make(v.x, v.y);
    }
    int whole = orientation_2d(q[0], q[1], q[2]);
    return orientation_2d(q[0], q[1], q[3]) != -whole && orientation_2d(q[1], q[2], q[3]) != -whole &&
           orientation_2d(q[2], q[0], q[3]) != -whole;
}

static void triangle_corners(const abut_case_body *body, int triangle, abut_vec3 corners[3])
{
    abut_mesh_elements e = abut_mesh_get_elements(body->mesh);
    for (int k = 0; k < 3; ++k) {
        corners[k] = world(body, e.triangles[3 * triangle + k]);
    }
}

/// Whether p is exactly on the body's surface; with `normal`, on a face with this outward normal.
static int touches(const abut_case_body *body, abut_vec3 p, const abut_vec3 *normal)
{
    int count = abut_mesh_get_elements(body->mesh).triangle_count;
    for (int i = 0; i < count; ++i) {
        abut_vec3 v[3];
        triangle_corners(body, i, v);
        abut_vec3 outward = abut_unit(abut_cross(abut_sub(v[1], v[0]), abut_sub(v[2], v[0])));
        if (is_on_triangle(v, p) && (normal == NULL || abut_norm(abut_sub(outward, *normal)) < 1e-14)) {
            return 1;
        }
    }
    return 0;
}

static int is_vertex(const abut_case_body *body, abut_vec3 p)
{
    int count = abut_mesh_get_elements(body->mesh).vertex_count;
    for (int i = 0; i < count; ++i) {
        if (same(world(body, i), p)) {
            return 1;
        }
    }
    return 0;
}

/// Every truth is a vertex of one body, exactly on a face of the other, and its normal is that of a face of the fixed
/// body there. Nothing of the moving body is lower.
static void check_touching(const abut_case *c)
{
    const abut_case_body *moving = c->a.is_fixed ? &c->b : &c->a, *fixed = c->a.is_fixed ? &c->a : &c->b;
    CHECK(c->a.is_fixed + c->b.is_fixed == 1, "%s: one body moves", c->name);
    for (int reading = 0; reading < 2; ++reading) {
        for (int i = 0; i < c->truth_count[reading]; ++i) {
            abut_truth truth = c->truth[reading][i];
            // from the fixed body to the moving one
            abut_vec3 outward = fixed == &c->a ? truth.normal : abut_negate(truth.normal);
            CHECK_NEAR(abut_norm(truth.normal), 1.0, 2e-16, c->name);
            CHECK(is_vertex(moving, truth.position) || is_vertex(fixed, truth.position), "%s %g: truth %d", c->name,
                  c->scene_size, i);
            CHECK(touches(moving, truth.position, NULL), "%s %g: truth %d", c->name, c->scene_size, i);
            CHECK(touches(fixed, truth.position, &outward), "%s %g: truth %d", c->name, c->scene_size, i);
        }
    }
    int count = abut_mesh_get_elements(moving->mesh).vertex_count;
    for (int i = 0; i < count; ++i) {
        CHECK(world(moving, i).y >= c->truth[0][0].position.y, "%s %g: vertex %d", c->name, c->scene_size, i);
    }
}

static void bodies_touch_exactly_where_the_truth_says(void **state)
{
    (void)state;
    for_each_case(check_touching);
    CHECK_DONE();
}

/// If vertices touch vertices, both bodies have the expected points as vertices, equal to the last bit.
static void contact_points_coincide_to_the_last_bit(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int count; ///< truths that are vertices of both
    } rows[] = {{"spikes", 1}, {"spike-in-hole", 4}, {"cliff-edges", 4}, {"internal-edges", 2}, {"wedges", 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        for (int k = 0; k < SIZE_COUNT; ++k) {
            abut_case *c = create(rows[i].name, SIZES[k]);
            int both = 0;
            for (int n = 0; n < c->truth_count[0]; ++n) {
                both += is_vertex(&c->a, c->truth[0][n].position) && is_vertex(&c->b, c->truth[0][n].position);
            }
            CHECK(both == rows[i].count, "%s at %g: %d", c->name, c->scene_size, both);
            abut_case_destroy(c);
        }
    }
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Truth and motion on paper

typedef struct paper_row {
    const char *name;
    double scene_size; ///< the default
    int minimum, positions, normals;
    abut_vec3 first_position;
    abut_vec3 normal[4]; ///< from A to B, by velocity; in the order of the truth
    double table_x;      ///< x of the first normal in the reading of the table
    abut_vec3 moved;     ///< displacement at the first detection
    int a_moves;
} paper_row;

/// At the default sizes: H = 3, B = 1. g = 3 / sqrt(10), b = 1 / sqrt(10), a = sqrt(1/2). Normals of cases in which
/// the top body is A point down.
static void truth_is_that_of_table_4(void **state)
{
    (void)state;
    const double a = sqrt(0.5), b = 1.0 / sqrt(10.0), g = 3.0 / sqrt(10.0);
    const paper_row rows[CASE_COUNT] = {
        {"spikes", 25, 1, 1, 1, {3, 0, 0}, {{g, -b, 0}}, -g, {-0.0075, -0.03, 0}, 1},
        {"spike-and-wedge", 25, 1, 1, 1, {0, 0, 0}, {{g, -b, 0}}, -g, {-0.0075, -0.03, 0}, 1},
        {"wedges", 25, 2, 2, 1, {-3, 0, -2}, {{-g, -b, 0}}, g, {0.0075, -0.03, 0}, 1},
        {"spike-in-hole",
         25,
         4,
         1,
         4,
         {0, 0, 0},
         {{0, -a, -a}, {0, -a, a}, {-a, -a, 0}, {a, -a, 0}},
         0,
         {0.005, 0, 0},
         1},
        {"spike-in-crack", 25, 2, 1, 2, {3, 0, 0}, {{-a, -a, 0}, {a, -a, 0}}, -a, {0.005, 0, 0}, 1},
        {"wedge-in-crack", 25, 4, 2, 2, {-3, 0, -2}, {{-a, -a, 0}, {a, -a, 0}}, -a, {0.005, 0, 0}, 1},
        {"sliding-spike", 25, 1, 1, 1, {3, 0, 0}, {{0, 1, 0}}, 0, {-0.015, 0, 0}, 0},
        {"sliding-wedge", 25, 2, 2, 1, {-3, 0, -2}, {{0, 1, 0}}, 0, {0.015, 0, 0}, 0},
        {"internal-edges", 20, 4, 4, 1, {-1, 1, 1}, {{0, 1, 0}}, 0, {0, 0, 0}, 0},
        {"cliff-edges", 8, 4, 4, 1, {-1.6, 3.2, 1.6}, {{0, 1, 0}}, 0, {0, 0, 0}, 0},
    };
    for (int i = 0; i < CASE_COUNT; ++i) {
        const paper_row *row = &rows[i];
        abut_case *c = create(row->name, 0.0);
        CHECK_NEAR(c->scene_size, row->scene_size, 0.0, row->name);
        CHECK_INT(c->minimum, row->minimum, row->name);
        CHECK_INT(c->a.is_fixed, !row->a_moves, row->name);
        CHECK_INT(c->b.is_fixed, row->a_moves, row->name);
        CHECK_NEAR(c->dt, 0.01, 0.0, row->name);
        CHECK_INT(c->truth_count[0], row->positions * row->normals, row->name);
        CHECK_INT(c->truth_count[1], row->positions * row->normals, row->name);
        const abut_truth *truth = c->truth[ABUT_READING_VELOCITY];
        CHECK(abut_norm(abut_sub(truth[0].position, row->first_position)) < 1e-14, "%s", row->name);
        for (int k = 0; k < c->truth_count[0]; ++k) {
            CHECK(abut_norm(abut_sub(truth[k].normal, row->normal[k % row->normals])) < 1e-15, "%s %d", row->name,
                  k);
            CHECK(same(truth[k].position, c->truth[1][k].position), "%s %d", row->name, k);
        }
        CHECK_NEAR(c->truth[ABUT_READING_TABLE][0].normal.x, row->table_x, 1e-15, row->name);
        abut_state detection = {.kind = ABUT_STATE_DETECTION};
        abut_vec3 moved = abut_case_displacement(c, detection);
        CHECK(abut_norm(abut_sub(moved, row->moved)) < 1e-15, "%s", row->name);
        abut_case_destroy(c);
    }
    CHECK_DONE();
}

/// At S = 20 the ridge is 3.2 long and the crack 4; at S = 50 the ridge is 8 long and ends outside the crack.
static void ridge_in_crack_ends_where_the_shorter_body_ends(void **state)
{
    (void)state;
    const double sizes[] = {20.0, 25.0, 50.0}, ends[] = {1.6, 2.0, 2.0};
    for (int i = 0; i < 3; ++i) {
        abut_case *c = create("wedge-in-crack", sizes[i]);
        CHECK_NEAR(c->truth[0][0].position.z, -ends[i], 0.0, "first end");
        CHECK_NEAR(c->truth[0][3].position.z, ends[i], 0.0, "last end");
        abut_case_destroy(c);
    }
    CHECK_DONE();
}

/// The spikes approach each other and sink the way they move, along (-1, -4, 0) / sqrt(17). Cases whose bodies do not
/// approach each other sink straight down. The smaller diagonal of the spikes is that of a box of 2 x 3 x 2, sqrt(17);
/// so is that of a spike on the ground.
static void states_move_the_moving_body(void **state)
{
    (void)state;
    abut_state sunk;
    assert_int_equal(abut_state_parse("sunk:0.5", &sunk, NULL), ABUT_OK);
    abut_case *c = create("spikes", 25.0);
    abut_vec3 moved = abut_case_displacement(c, sunk);
    CHECK_NEAR(moved.x, -0.5 / sqrt(17.0), 1e-15, "spikes");
    CHECK_NEAR(moved.y, -2.0 / sqrt(17.0), 1e-15, "spikes");
    CHECK_NEAR(c->size, sqrt(17.0), 1e-15, "size");
    abut_pair pair = abut_case_pair(c, sunk, NULL, NULL);
    CHECK_NEAR(pair.a.pose.position.y, 3.0 + moved.y, 0.0, "A moves");
    CHECK_NEAR(pair.b.pose.position.y, -3.0, 0.0, "B stays");
    CHECK_NEAR(pair.a.linear_velocity.y, -6.0, 0.0, "velocity");
    CHECK_NEAR(pair.dt, 0.01, 0.0, "dt");
    abut_case_destroy(c);
    c = create("sliding-spike", 25.0);
    moved = abut_case_displacement(c, sunk);
    CHECK(same(moved, abut_vec3_make(0.0, -0.5, 0.0)), "down");
    pair = abut_case_pair(c, sunk, NULL, NULL);
    CHECK_NEAR(pair.a.pose.position.y, -1.25, 0.0, "the ground stays");
    CHECK_NEAR(pair.b.pose.position.y, 2.5, 0.0, "the spike moves");
    CHECK_NEAR(c->size, sqrt(17.0), 1e-15, "size");
    abut_case_destroy(c);
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Wrong use

static void states_are_parsed_strictly(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",         "Touching",   "touching ", "sunk",    "sunk:",   "sunk:-1",     "sunk:nan",
        "sunk:inf", "sunk:1e999", "sunk: 1",   "sunk:1m", "sunk:+1", "detection:1", "step",
        "step:",    "step:0",     "step:-1",   "step:+1", "step: 1", "step:1.5",    "step:2147483648"};
    abut_state parsed = {.kind = ABUT_STATE_SUNK, .depth = 42.0};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        abut_error error;
        CHECK(abut_state_parse(wrong[i], &parsed, &error) == ABUT_BAD_ARGUMENT, "'%s'", wrong[i]);
        CHECK(error.text[0] != '\0', "'%s'", wrong[i]);
    }
    CHECK(parsed.kind == ABUT_STATE_SUNK && parsed.depth == 42.0, "unchanged");
    CHECK_STATUS(abut_state_parse("touching", &parsed, NULL), ABUT_OK, "touching");
    CHECK_INT(parsed.kind, ABUT_STATE_TOUCHING, "touching");
    CHECK_STATUS(abut_state_parse("detection", &parsed, NULL), ABUT_OK, "detection");
    CHECK_INT(parsed.kind, ABUT_STATE_DETECTION, "detection");
    CHECK_STATUS(abut_state_parse("sunk:1e-3", &parsed, NULL), ABUT_OK, "sunk");
    CHECK(parsed.kind == ABUT_STATE_SUNK && parsed.depth == 1e-3, "sunk");
    CHECK_STATUS(abut_state_parse("step:2147483647", &parsed, NULL), ABUT_OK, "step");
    CHECK(parsed.kind == ABUT_STATE_STEP && parsed.step == 2147483647, "step");
    CHECK_DONE();
}

/// A printed state reads back as it was. 0.1 + 0.2 is not 0.3: it needs 17 digits.
static void states_are_printed_as_they_are_read(void **state)
{
    (void)state;
    static const struct {
        abut_state value;
        const char *text;
    } rows[] = {{{.kind = ABUT_STATE_TOUCHING, .depth = 7.0, .step = 7}, "touching"},
                {{.kind = ABUT_STATE_DETECTION}, "detection"},
                {{.kind = ABUT_STATE_SUNK, .depth = 0.000982}, "sunk:0.000982"},
                {{.kind = ABUT_STATE_SUNK, .depth = 0.1 + 0.2}, "sunk:0.30000000000000004"},
                {{.kind = ABUT_STATE_SUNK, .depth = 1.7976931348623157e308}, "sunk:1.7976931348623157e+308"},
                {{.kind = ABUT_STATE_STEP, .step = 2147483647}, "step:2147483647"}};
    enum { ROWS = sizeof rows / sizeof rows[0] };
    for (int i = 0; i < ROWS; ++i) {
        char text[ABUT_STATE_TEXT_ROOM];
        abut_state read;
        abut_state_print(rows[i].value, text);
        CHECK(strcmp(text, rows[i].text) == 0, "%s is not %s", text, rows[i].text);
        CHECK_STATUS(abut_state_parse(text, &read, NULL), ABUT_OK, text);
        for (int k = 0; k < ROWS; ++k) {
            CHECK_INT(abut_state_equals(read, rows[k].value), i == k, text);
        }
    }
    CHECK_DONE();
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    abut_case *made = (abut_case *)&made;
    abut_error error;
    CHECK_STATUS(abut_case_create(NULL, "no-such-case", NULL, &made, &error), ABUT_BAD_ARGUMENT, "name");
    CHECK(strstr(error.text, "no-such-case") != NULL && made == NULL, "%s", error.text);
    CHECK_STATUS(abut_case_create(NULL, NULL, NULL, &made, &error), ABUT_BAD_ARGUMENT, "name");
    CHECK_STATUS(abut_case_create(NULL, "spikes", NULL, NULL, &error), ABUT_BAD_ARGUMENT, "out");
    const double sizes[] = {-1.0, NAN, INFINITY, 1e-300, 1e300};
    for (int i = 0; i < 5; ++i) {
        abut_case_params params = abut_case_params_default();
        params.scene_size = sizes[i];
        CHECK_STATUS(abut_case_create(NULL, "spikes", &params, &made, &error), ABUT_BAD_ARGUMENT, "size");
    }
    abut_case_params params = {0};
    CHECK_STATUS(abut_case_create(NULL, "spikes", &params, &made, &error), ABUT_BAD_ARGUMENT, "struct_size");
    abut_case_destroy(NULL);
    CHECK_DONE();
}

/// Each allocation fails in turn: nothing leaks, and once none fails the case is made.
static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    int failures = 0;
    for (;; ++failures) {
        memory_fault fault = {.allowed = failures};
        abut_context context = memory_fault_context(&fault);
        abut_case *made = NULL;
        abut_status status = abut_case_create(&context, "spikes", NULL, &made, NULL);
        abut_case_destroy(made);
        CHECK_INT(fault.live, 0, "leak");
        if (status == ABUT_OK) {
            break;
        }
        CHECK_STATUS(status, ABUT_NO_MEMORY, "status");
        assert_true(failures < 1000);
    }
    CHECK(failures > 3, "%d", failures);
    CHECK_DONE();
}

static int older_calls;

static void *older_resize(void *user, void *block, size_t size)
{
    CHECK(user == NULL, "there is no such field");
    ++older_calls;
    return abut_context_default().resize(NULL, block, size);
}

/// A context of an older version, which ends after `resize`, in a block of that size. Its allocator is used, and
/// nothing behind it is read.
static void contexts_may_be_of_an_older_version(void **state)
{
    (void)state;
    abut_context context = abut_context_default();
    context.struct_size = offsetof(abut_context, parallel_for);
    context.resize = older_resize;
    abut_context *older = malloc(context.struct_size);
    assert_non_null(older);
    memcpy(older, &context, context.struct_size);
    abut_case *made = NULL;
    CHECK_STATUS(abut_case_create(older, "spikes", NULL, &made, NULL), ABUT_OK, "case");
    free(older);
    abut_case_destroy(made);
    CHECK(older_calls > 0, "memory of the context");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_those_of_the_paper),
        cmocka_unit_test(bodies_are_solid),
        cmocka_unit_test(numbering_is_that_of_the_program),
        cmocka_unit_test(bodies_touch_exactly_where_the_truth_says),
        cmocka_unit_test(contact_points_coincide_to_the_last_bit),
        cmocka_unit_test(truth_is_that_of_table_4),
        cmocka_unit_test(ridge_in_crack_ends_where_the_shorter_body_ends),
        cmocka_unit_test(states_move_the_moving_body),
        cmocka_unit_test(states_are_parsed_strictly),
        cmocka_unit_test(states_are_printed_as_they_are_read),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(contexts_may_be_of_an_older_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
