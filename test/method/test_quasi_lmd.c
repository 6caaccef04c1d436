// SPDX-License-Identifier: MIT
// test_quasi_lmd.c: contacts of method quasi-lmd that follow on paper; derivatives against differences; refusals
#include "../complex/random_bodies.h"
#include "effort.h"
#include "failing.h"
#include "prim/point_triangle.h"

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct lmd_bodies {
    abut_mesh *meshes[2];
    abut_shape *shapes[2];
    abut_workspace *work;
    abut_params params;
    abut_pair pair;
    abut_result result;
    const abut_method *method;
} lmd_bodies;

/// Takes the meshes. Equal dilation and offset for both.
static lmd_bodies begin(const abut_context *context, abut_mesh *a, abut_mesh *b, double dilation, double offset)
{
    lmd_bodies s = {.meshes = {a, b}, .method = abut_method_find("quasi-lmd"), .params = abut_params_default()};
    for (int i = 0; i < 2; ++i) {
        abut_shape_def def = abut_shape_def_default();
        abut_error error;
        def.mesh = s.meshes[i];
        def.dilation = dilation;
        def.offset = offset;
        assert_int_equal(abut_shape_create(context, &def, &s.shapes[i], &error), ABUT_OK);
        CHECK_STATUS(abut_shape_prepare(s.shapes[i], s.method, NULL, &error), ABUT_OK, "prepare");
    }
    assert_int_equal(abut_workspace_create(context, &s.work), ABUT_OK);
    s.pair = abut_pair_default(s.shapes[0], s.shapes[1]);
    s.pair.a.key = 1;
    s.pair.b.key = 2;
    s.result = abut_result_default();
    return s;
}

static void end(lmd_bodies *s)
{
    abut_workspace_destroy(s->work);
    for (int i = 0; i < 2; ++i) {
        abut_shape_destroy(s->shapes[i]);
        abut_mesh_destroy(s->meshes[i]);
    }
}

static abut_status ask(lmd_bodies *s)
{
    return abut_find_contacts(&s->pair, s->method, &s->params, s->work, &s->result);
}

static void find(lmd_bodies *s)
{
    abut_status status = ask(s);
    CHECK(status == ABUT_OK, "query: %s", s->result.error.text);
}

static abut_mesh *make_cube(double half)
{
    return make_box(NULL, v3(-half, -half, -half), v3(half, half, half));
}

// A cube of side 1 stands on one of side 3, exactly touching. By default both are inset and dilated by 1e-4 of their
// diagonals, e and 3 e. Faces stay where they were: the four gaps are 0 and the normal is straight up. The corners of the
// inset cube are at 0.5 - e. The deviation is at the corners: they moved by sqrt(3) times the inset, of which the ball
// gives 1 back.
static void touching_cubes(void **state)
{
    (void)state;
    lmd_bodies s = begin(NULL, make_cube(1.5), make_cube(0.5), 0.0, 0.0);
    const double e = 1e-4 * sqrt(3.0);
    abut_base_info info;
    CHECK_STATUS(abut_shape_get_base(s.shapes[1], NULL, &info), ABUT_OK, "base");
    CHECK_INT(info.is_default, 1, "default");
    CHECK_NEAR(info.dilation, e, 1e-15, "dilation");
    CHECK_NEAR(info.offset, -e, 1e-15, "offset");
    CHECK_NEAR(info.deviation, (sqrt(3.0) - 1.0) * e, 1e-12, "deviation");
    CHECK_NEAR(info.error, (sqrt(3.0) - 1.0) * e, 1e-12, "error");
    CHECK_INT(info.info.solid_part_count, 1, "solid");
    s.pair.b.pose.position = v3(0.3, 0.2, 2.0);
    s.params.envelope = abut_absolute(0.01);
    find(&s);
    CHECK_INT(s.result.contacts.count, 4, "contacts");
    for (int i = 0; i < s.result.contacts.count; ++i) {
        const abut_contact *c = &s.result.contacts.items[i];
        CHECK_NEAR(c->gap, 0.0, 1e-12, "gap");
        CHECK_NEAR(c->normal.z, 1.0, 1e-12, "normal");
        CHECK_NEAR(c->position_a.z, 1.5, 1e-12, "on A");
        CHECK_NEAR(c->position_b.z, 1.5, 1e-12, "on B");
        CHECK_NEAR(fabs(c->position.x - 0.3), 0.5 - e, 1e-12, "x");
        CHECK_NEAR(fabs(c->position.y - 0.2), 0.5 - e, 1e-12, "y");
        CHECK_INT(c->feature_b.kind, ABUT_FEATURE_VERTEX, "corner of B");
        CHECK_INT(c->feature_a.kind, ABUT_FEATURE_FACE, "top of A");
        CHECK_INT(c->feature_a.index, 10, "its lowest face");
        CHECK_INT(c->normal_side, ABUT_NORMAL_A, "A's normal");
    }
    s.pair.b.pose.position.z = 2.0 - e; // overlapping by e, less than the dilations
    find(&s);
    CHECK_INT(s.result.contacts.count, 4, "overlapping a little");
    CHECK_NEAR(s.result.contacts.items[0].gap, -e, 1e-12, "negative gap");
    s.pair.b.pose.position.z = 2.009;
    find(&s);
    CHECK_INT(s.result.contacts.count, 4, "within the envelope");
    CHECK_NEAR(s.result.contacts.items[0].gap, 0.009, 1e-12, "positive gap");
    s.pair.b.pose.position.z = 2.0 + 0.01 + 4 * (sqrt(3.0) - 1.0) * e + 1e-9; // and both deviations, e and 3 e
    find(&s);
    CHECK_INT(s.result.contacts.count, 0, "beyond the envelope");
    CHECK_STATUS(abut_shape_get_base(s.shapes[1], &s.params, &info), ABUT_OK, "a query's parameters do not matter");
    end(&s);
    CHECK_DONE();
}

// Equal boxes on each other give four places at every tilt below theta, whether they touch or are apart, also where the
// corners of one leave the other's face by less than theta can tell.
static void aligned_boxes_at_all_tilts(void **state)
{
    (void)state;
    lmd_bodies s = begin(NULL, make_cube(0.5), make_cube(0.5), 0.0, 0.0);
    s.params.envelope = abut_absolute(0.2);
    for (int i = -199; i <= 199; ++i) {
        for (int k = 0; k < 4; ++k) {
            double tilt = 0.01 * i * degree, lift = k / 2 ? 0.02 : 0.5 * fabs(sin(tilt));
            abut_quat turn = abut_quat_from_axis(k % 2 ? v3(0, 1, 0) : v3(1, 0, 0), tilt);
            abut_vec3 middle = v3(0, 0, 0.5); // turns about the middle of its lower face
            s.pair.b.pose.rotation = turn;
            s.pair.b.pose.position = abut_add(v3(0, 0, 0.5 + lift), abut_quat_rotate(turn, middle));
            find(&s);
            CHECK(s.result.contacts.count == 4, "%d contacts at %g degrees, %d", s.result.contacts.count, 0.01 * i,
                  k);
            CHECK(s.result.stats.raw_contacts >= 4 &&
                      s.result.stats.raw_contacts == 4 + s.result.stats.filtered_contacts,
                  "raw count");
        }
    }
    end(&s);
    CHECK_DONE();
}

// Sides exchanged: the same contacts with flipped normals.
static void exchanged(void **state)
{
    (void)state;
    lmd_bodies s = begin(NULL, make_cube(1.5), make_cube(0.5), 0.0, 0.0);
    s.params.envelope = abut_absolute(0.5);
    s.pair.b.pose = abut_pose_make(v3(0.3, 0.2, 2.2), abut_quat_from_axis(abut_unit(v3(1, 2, 3)), 0.3));
    find(&s);
    int count = s.result.contacts.count;
    abut_contact first = s.result.contacts.items[0];
    abut_side swapped = s.pair.a;
    s.pair.a = s.pair.b;
    s.pair.b = swapped;
    find(&s);
    CHECK(count > 0 && count == s.result.contacts.count, "number");
    const abut_contact *c = &s.result.contacts.items[0];
    CHECK(memcmp(&c->position_a, &first.position_b, sizeof first.position_b) == 0, "position");
    CHECK(c->normal.x == -first.normal.x && c->normal.z == -first.normal.z, "normal");
    CHECK(c->id == first.id, "id");
    end(&s);
    CHECK_DONE();
}

// Two shells: a sheet of radius r over another, h apart: gaps h - 2 r at the corners of the upper one. A rope over a
// sheet; a point over a point: the gap is the distance less both radii, the normal along the line.
static void shells_ropes_and_points(void **state)
{
    (void)state;
    const double r = 0.05, h = 0.25;
    abut_mesh *large = make_sheet(8);
    lmd_bodies s = begin(NULL, large, make_sheet(2), r, 0.0);
    s.params.envelope = abut_absolute(0.5);
    for (int side = -1; side <= 1; side += 2) {
        s.pair.b.pose.position = v3(2.3, 2.4, side * h);
        find(&s);
        CHECK_INT(s.result.contacts.count, 4, "corners");
        for (int i = 0; i < s.result.contacts.count; ++i) {
            CHECK_NEAR(s.result.contacts.items[i].gap, h - 2 * r, 1e-12, "gap");
            CHECK_NEAR(s.result.contacts.items[i].normal.z, side, 1e-12, "normal");
            CHECK_NEAR(s.result.contacts.items[i].position_a.z, side * r, 1e-12, "on A");
        }
    }
    end(&s);
    const abut_vec3 line[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    const int ends[4] = {0, 1, 1, 2};
    s = begin(NULL, make_sheet(8), make_segments(line, 3, ends, 2), r, 0.0);
    s.params.envelope = abut_absolute(0.5);
    s.pair.b.pose.position = v3(3.1, 4.2, h);
    find(&s);
    CHECK_INT(s.result.contacts.count, 2, "the ends of a rope");
    CHECK_NEAR(s.result.contacts.items[0].gap, h - 2 * r, 1e-12, "gap");
    s.pair.b.pose.position = v3(7.3, 4.2, h); // over the border
    find(&s);
    CHECK_INT(s.result.contacts.count, 2, "one end, and the border");
    CHECK_NEAR(s.result.contacts.items[1].gap, h - 2 * r, 1e-12, "gap");
    end(&s);
    s = begin(NULL, make_segments(line, 1, NULL, 0), make_segments(line, 1, NULL, 0), r, 0.0);
    s.params.envelope = abut_absolute(3.0);
    s.pair.b.pose.position = v3(1, 2, 2);
    find(&s);
    CHECK_INT(s.result.contacts.count, 1, "points");
    CHECK_NEAR(s.result.contacts.items[0].gap, 3.0 - 2 * r, 1e-12, "gap");
    CHECK_NEAR(s.result.contacts.items[0].normal.y, 2.0 / 3.0, 1e-12, "normal");
    end(&s);
    CHECK_DONE();
}

/// A flat sheet, placed; with `is_float`, its coordinates are rounded as in a binary STL file.
static abut_mesh *make_placed_sheet(abut_pose pose, int is_float)
{
    abut_mesh *sheet = make_sheet(8), *placed = make_moved(sheet, pose, 1.0);
    abut_mesh_destroy(sheet);
    abut_mesh_def def = abut_mesh_get_def(placed);
    abut_vec3 rounded[81];
    for (int i = 0; i < 81 && is_float; ++i) {
        abut_vec3 p = def.vertices[i];
        rounded[i] = v3((float)p.x, (float)p.y, (float)p.z);
    }
    if (is_float) {
        abut_mesh *exact = placed;
        def.vertices = rounded;
        def.precision = ABUT_PRECISION_FLOAT;
        assert_int_equal(abut_mesh_create(NULL, &def, &placed, NULL), ABUT_OK);
        abut_mesh_destroy(exact);
    }
    return placed;
}

// A corner that glides over the triangles of a flat face keeps its id, on diagonals and vertices too; also if the face is
// turned and far away, and flat only up to the rounding of its coordinates.
static void gliding_keeps_the_id(void **state)
{
    (void)state;
    test_random random = {19};
    for (int copy = 0; copy < 12; ++copy) {
        abut_pose pose = abut_pose_identity();
        if (copy > 0) {
            pose = abut_pose_make(random_vec3(&random, copy % 2 ? 20.0 : 1e4), random_rotation(&random));
        }
        lmd_bodies s = begin(NULL, make_placed_sheet(pose, copy % 2), make_cube(0.5), 0.05, 0.0);
        s.params.envelope = abut_absolute(0.5);
        abut_quat tip = abut_quat_from_axis(abut_unit(v3(1, 1, 0)), 45 * degree);
        s.pair.b.pose.rotation = abut_quat_multiply(pose.rotation, tip);
        uint64_t id = 0;
        for (int i = 0; i <= 400; ++i) { // along a diagonal, through vertices, then across
            double t = 1.0 + 0.0125 * i;
            s.pair.b.pose.position = abut_pose_apply(pose, v3(t, i < 200 ? t : 4.5, 1.0));
            find(&s);
            CHECK_INT(s.result.contacts.count, 1, "one corner");
            if (s.result.contacts.count == 1) {
                id = i == 0 ? s.result.contacts.items[0].id : id;
                CHECK(s.result.contacts.items[0].id == id, "copy %d: id at step %d", copy, i);
            }
        }
        end(&s);
    }
    CHECK_DONE();
}

/// The contact of this id, or NULL.
static const abut_contact *find_id(const abut_result *result, uint64_t id)
{
    for (int i = 0; i < result->contacts.count; ++i) {
        if (result->contacts.items[i].id == id) {
            return &result->contacts.items[i];
        }
    }
    return NULL;
}

static abut_pose nudged(abut_pose pose, int column, double step)
{
    double unit[6] = {0};
    unit[column] = step;
    pose.position = abut_add(pose.position, v3(unit[0], unit[1], unit[2]));
    abut_vec3 spin = v3(unit[3], unit[4], unit[5]);
    if (column >= 3) {
        pose.rotation = abut_quat_multiply(abut_quat_from_axis(abut_unit(spin), abut_norm(spin)), pose.rotation);
    }
    return pose;
}

/// Compares column `column` of a derivative with the difference of two contacts.
static void compare_column(const abut_derivative *d, int column, const abut_contact *p, const abut_contact *q,
                           double step, double scale)
{
    double tolerance = 1e-5 * scale;
    const abut_vec3 differences[3] = {abut_scale(0.5 / step, abut_sub(q->normal, p->normal)),
                                      abut_scale(0.5 / step, abut_sub(q->position_a, p->position_a)),
                                      abut_scale(0.5 / step, abut_sub(q->position_b, p->position_b))};
    const double(*rows[3])[12] = {d->normal, d->position_a, d->position_b};
    CHECK_NEAR(d->gap[column], 0.5 / step * (q->gap - p->gap), tolerance, "gap");
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(rows[i][0][column], differences[i].x, tolerance, "x");
        CHECK_NEAR(rows[i][1][column], differences[i].y, tolerance, "y");
        CHECK_NEAR(rows[i][2][column], differences[i].z, tolerance, "z");
    }
}

// Derivatives of gap, normal and both positions with respect to the motion of either body, against central differences.
static void derivatives(void **state)
{
    (void)state;
    test_random random = {71};
    int compared = 0, kinds[4][4] = {{0}}, count = sample_count(110, 2000);
    for (int i = 0; i < count; ++i) {
        lmd_bodies s =
            begin(NULL, make_random_body(&random, 1 + i % 3), make_random_body(&random, 1 + i / 3 % 3), 0.03, 0.0);
        s.params.envelope = abut_absolute(0.6);
        s.params.flags = ABUT_PARAMS_DERIVATIVES | ABUT_PARAMS_KEEP_REDUNDANT;
        s.pair.a.pose = abut_pose_make(random_vec3(&random, 3.0), random_rotation(&random));
        s.pair.b.pose = abut_pose_make(abut_add(s.pair.a.pose.position, abut_scale(1.7, random_unit(&random))),
                                       random_rotation(&random));
        if (ask(&s) == ABUT_OK && s.result.contacts.count > 0) {
            CHECK_INT(s.result.derivatives.count, s.result.contacts.count, "as many");
            int chosen = random_below(&random, s.result.contacts.count);
            abut_contact c = s.result.contacts.items[chosen];
            abut_derivative d = s.result.derivatives.items[chosen];
            abut_pair pair = s.pair;
            const double step = 1e-6;
            for (int column = 0; column < 12 && d.is_smooth && c.gap > 0.02; ++column) {
                abut_pose *pose = column < 6 ? &s.pair.a.pose : &s.pair.b.pose;
                abut_contact sides[2];
                int found = 0;
                for (int k = 0; k < 2; ++k) {
                    s.pair = pair;
                    *pose = nudged(*pose, column % 6, k ? step : -step);
                    find(&s);
                    const abut_contact *moved = find_id(&s.result, c.id);
                    if (moved != NULL) {
                        sides[k] = *moved;
                        ++found;
                    }
                }
                if (found == 2) { // else the step led to a neighbour
                    compare_column(&d, column, &sides[0], &sides[1], step, 1.0 + 3.0 / c.gap);
                    ++kinds[c.feature_a.kind - 1][c.feature_b.kind - 1];
                    ++compared;
                }
            }
        }
        end(&s);
    }
    CHECK(compared > count, "only %d compared", compared);
    CHECK(is_slow_test() || (kinds[0][0] > 0 && kinds[0][1] + kinds[1][0] > 0 && kinds[0][2] + kinds[2][0] > 0 &&
                             kinds[1][1] > 0),
          "all kinds of pairs: %d %d %d %d", kinds[0][0], kinds[0][1] + kinds[1][0], kinds[0][2] + kinds[2][0],
          kinds[1][1]);
    CHECK_DONE();
}

// What cannot have an answer is refused, with what to do: base complexes that meet, one body inside the other, a rope
// through a sheet, shells without dilation that touch.
static void overlaps_are_refused(void **state)
{
    (void)state;
    lmd_bodies s = begin(NULL, make_cube(1.5), make_cube(0.5), 0.0, 0.0);
    s.pair.b.pose.position = v3(0, 0, 1.99);
    CHECK_STATUS(ask(&s), ABUT_OVERLAP, "deep");
    CHECK(strstr(s.result.error.text, "dilation") != NULL, "says what to do: %s", s.result.error.text);
    s.pair.b.pose.position = v3(0.1, 0, 0);
    CHECK_STATUS(ask(&s), ABUT_OVERLAP, "inside");
    CHECK(strstr(s.result.error.text, "inside") != NULL, "says so: %s", s.result.error.text);
    const abut_option no_test = {"overlap-test", 0};
    s.params.options = &no_test;
    s.params.option_count = 1;
    CHECK_STATUS(ask(&s), ABUT_OK, "without the test");
    end(&s);
    const abut_vec3 line[2] = {{0, 0, -1}, {0, 0, 1}};
    const int ends[2] = {0, 1};
    s = begin(NULL, make_sheet(2), make_segments(line, 2, ends, 1), 0.01, 0.0);
    s.pair.b.pose.position = v3(0.7, 0.6, 0);
    CHECK_STATUS(ask(&s), ABUT_OVERLAP, "through the sheet");
    end(&s);
    s = begin(NULL, make_sheet(2), make_sheet(2), 0.0, 0.0);
    s.pair.b.pose.position = v3(0.3, 0.2, 0);
    CHECK_STATUS(ask(&s), ABUT_OVERLAP, "touching without dilation");
    s.pair.b = s.pair.a;
    CHECK_STATUS(ask(&s), ABUT_OK, "a sheet does not touch itself");
    CHECK_INT(s.result.contacts.count, 0, "self-contact");
    end(&s);
    CHECK_DONE();
}

/// A cube that other things are added to, as one mesh: an open sheet above it, or points beside it.
static abut_mesh *make_cube_and(const abut_vec3 *more, int more_count, int has_sheet, int is_turned)
{
    abut_mesh *cube = make_cube(0.5);
    abut_mesh_elements e = abut_mesh_get_elements(cube);
    abut_vec3 vertices[8 + 256];
    int triangles[42], points[256];
    for (int i = 0; i < 8 + more_count; ++i) {
        vertices[i] = i < 8 ? e.vertices[i] : more[i - 8];
    }
    for (int i = 0; i < 42; ++i) {
        static const int sheet[2][6] = {{8, 9, 10, 8, 10, 11}, {8, 10, 9, 8, 11, 10}};
        triangles[i] = i < 36 ? e.triangles[i] : sheet[is_turned][i - 36];
    }
    for (int i = 0; i < more_count; ++i) {
        points[i] = 8 + i;
    }
    abut_mesh_def def = abut_mesh_def_default();
    abut_mesh *mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = 8 + more_count;
    def.face_vertices = triangles;
    def.face_count = has_sheet ? 14 : 12;
    def.points = points;
    def.point_count = has_sheet ? 0 : more_count;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    abut_mesh_destroy(cube);
    return mesh;
}

// A body of a solid and an open sheet: what is behind the sheet, on either of its sides, is not inside anything. A body of
// many parts: the last one is looked at too.
static void only_solids_have_an_inside(void **state)
{
    (void)state;
    const abut_vec3 sheet[4] = {{-9, -9, 3}, {9, -9, 3}, {9, 9, 3}, {-9, 9, 3}};
    for (int i = 0; i < 2; ++i) {
        lmd_bodies s = begin(NULL, make_cube_and(sheet, 4, 1, i), make_cube(0.5), 0.0, 0.0);
        s.params.envelope = abut_absolute(2.0);
        s.pair.b.pose.position = v3(0.1, 0.2, 2.0);
        find(&s);
        CHECK_INT(s.result.contacts.count, 8, "four corners below the sheet, four above the cube");
        s.pair.b.pose.position = v3(0.01, 0.02, 0.03);
        s.pair.b.pose.rotation = abut_quat_from_axis(abut_unit(v3(1, 2, 3)), 0.7);
        CHECK_STATUS(ask(&s), ABUT_OVERLAP, "cubes that cross, under the sheet");
        end(&s);
        s = begin(NULL, make_cube_and(sheet, 4, 1, i), make_cube(0.1), 0.0, 0.0);
        CHECK_STATUS(ask(&s), ABUT_OVERLAP, "inside the cube, under the sheet");
        CHECK(strstr(s.result.error.text, "inside") != NULL, "says so: %s", s.result.error.text);
        end(&s);
    }
    abut_vec3 points[200];
    for (int i = 0; i < 200; ++i) {
        points[i] = i < 199 ? v3(3 + i, 0, 0) : v3(0, 0, 5);
    }
    lmd_bodies s = begin(NULL, make_cube_and(points, 200, 0, 0), make_cube(0.5), 0.0, 0.0);
    s.pair.b.pose.position = v3(0.1, 0.1, 5.1);
    CHECK_STATUS(ask(&s), ABUT_OVERLAP, "the last of 201 parts is inside");
    s.pair.b.pose.position = v3(0.1, 0.1, 7.1);
    CHECK_STATUS(ask(&s), ABUT_OK, "no part is inside");
    end(&s);
    CHECK_DONE();
}

/// A prism of `sides` sides over the unit circle, from z = 0 to 1. Bottom and top are fans about a vertex in their middle,
/// and every edge of the top has a vertex in its middle too.
static abut_mesh *make_odd_prism(int sides)
{
    abut_vec3 vertices[3 * 16 + 2];
    int triangles[3 * 6 * 16], count = 0, low = 3 * sides, high = low + 1;
    for (int i = 0; i < sides; ++i) {
        double angle = 2.0 * 180.0 * degree * i / sides, next = 2.0 * 180.0 * degree * (i + 1) / sides;
        vertices[i] = v3(cos(angle), sin(angle), 0);
        vertices[sides + i] = v3(cos(angle), sin(angle), 1);
        vertices[2 * sides + i] = v3(0.5 * (cos(angle) + cos(next)), 0.5 * (sin(angle) + sin(next)), 1);
        int a = i, b = (i + 1) % sides, c = sides + b, d = sides + i, m = 2 * sides + i;
        const int faces[18] = {low, b, a, a, b, m, a, m, d, b, c, m, high, d, m, high, m, c};
        memcpy(triangles + count, faces, sizeof faces);
        count += 18;
    }
    vertices[low] = v3(0, 0, 0);
    vertices[high] = v3(0, 0, 1);
    return make_triangles(NULL, vertices, 3 * sides + 2, triangles, count / 3);
}

/// A position on, near or far from what the triangles of a mesh have: vertices, edges, diagonals, and their planes.
static abut_vec3 awkward_position(const abut_mesh_elements *e, test_random *random, int kind)
{
    const int *t = e->triangles + 3 * random_below(random, e->triangle_count);
    abut_vec3 p = e->vertices[t[0]], q = e->vertices[t[1]], r = e->vertices[t[2]];
    abut_vec3 n = abut_unit(abut_cross(abut_sub(q, p), abut_sub(r, p)));
    abut_vec3 foot = kind % 4 == 0   ? p
                     : kind % 4 == 1 ? abut_lerp(p, q, 0.25 * random_below(random, 5))
                     : kind % 4 == 2 ? abut_scale(1.0 / 3.0, abut_add(p, abut_add(q, r)))
                                     : abut_lerp(p, q, random_in(random, -0.5, 1.5));
    abut_vec3 at = abut_add_scaled(foot, 0.125 * (1 + random_below(random, 8)), n);
    at = kind % 3 == 1 ? abut_add(at, random_vec3(random, 1e-15)) : at;
    return kind % 3 == 2 ? abut_add(at, random_vec3(random, 1e-9)) : at;
}

// A point that moves over a convex solid has exactly one contact at every position, above diagonals, flat vertices and
// rims too: the nearest point of the solid. Solids are not inset here, so that exact alignments stay exact.
static void one_contact_at_every_position(void **state)
{
    (void)state;
    const abut_vec3 origin = {0, 0, 0};
    test_random random = {73};
    int count = sample_count(1500, 170000), wrong = 0;
    for (int solid = 0; solid < 6; ++solid) {
        abut_mesh *mesh = solid == 0 ? make_cube(0.5) : make_odd_prism(solid < 4 ? 2 + solid : 4 * solid - 8);
        abut_mesh_elements e = abut_mesh_get_elements(mesh);
        lmd_bodies s = begin(NULL, mesh, make_segments(&origin, 1, NULL, 0), 0.001, 0.0);
        s.params.envelope = abut_absolute(10.0);
        for (int i = 0; i < count; ++i) {
            abut_vec3 p = awkward_position(&e, &random, i);
            double least = HUGE_VAL;
            abut_vec3 nearest = p;
            for (int k = 0; k < e.triangle_count; ++k) {
                const int *t = e.triangles + 3 * k;
                const abut_vec3 corners[3] = {e.vertices[t[0]], e.vertices[t[1]], e.vertices[t[2]]};
                double weights[3], squared = abut_point_triangle_distance_squared(p, corners, weights);
                nearest = squared < least ? abut_triangle_point(corners, weights) : nearest;
                least = fmin(least, squared);
            }
            s.pair.b.pose.position = p;
            find(&s);
            // distances to points 1e-8 apart may differ by less than their rounding
            const abut_contact *c = s.result.contacts.items;
            int is_right = s.result.contacts.count == 1 && fabs(c->gap - (sqrt(least) - 0.002)) < 1e-12 &&
                           abut_norm(abut_sub(abut_add_scaled(c->position_a, -0.001, c->normal), nearest)) < 2e-8;
            wrong += !is_right;
            CHECK(is_right || wrong > 5, "solid %d: %d contacts at %.17g %.17g %.17g", solid,
                  s.result.contacts.count, p.x, p.y, p.z);
        }
        end(&s);
    }
    CHECK_INT(wrong, 0, "positions without exactly one contact");
    CHECK_DONE();
}

// A plate thinner than twice the inset, of many triangles, has no volume left: it is a shell where it was, and named.
static void thin_parts_are_shells(void **state)
{
    (void)state;
    abut_vec3 vertices[18];
    int triangles[3 * 32], count = 0;
    for (int i = 0; i < 18; ++i) {
        vertices[i] = v3(i % 3, i / 3 % 3, i < 9 ? 0.0 : 1e-4);
    }
    for (int i = 0; i < 4; ++i) {
        int a = i % 2 + 3 * (i / 2);
        const int faces[12] = {a, a + 4, a + 1, a, a + 3, a + 4, a + 9, a + 10, a + 13, a + 9, a + 13, a + 12};
        memcpy(triangles + count, faces, sizeof faces);
        count += 12;
    }
    const int rim[8] = {0, 1, 2, 5, 8, 7, 6, 3};
    for (int i = 0; i < 8; ++i) {
        int a = rim[i], b = rim[(i + 1) % 8];
        const int faces[6] = {a, b, b + 9, a, b + 9, a + 9};
        memcpy(triangles + count, faces, sizeof faces);
        count += 6;
    }
    lmd_bodies s = begin(NULL, make_triangles(NULL, vertices, 18, triangles, count / 3), make_cube(0.5), 0.0, 0.0);
    abut_base_info info;
    CHECK_STATUS(abut_shape_get_base(s.shapes[0], NULL, &info), ABUT_OK, "base");
    CHECK_INT(info.thin_part_count, 1, "thin");
    CHECK_INT(info.thin_vertex, 0, "named");
    CHECK_INT(info.info.shell_part_count, 1, "a shell");
    CHECK_INT(info.info.solid_part_count, 0, "no solid");
    s.pair.b.pose.position = v3(1, 1, 0.6);
    s.params.envelope = abut_absolute(0.2);
    find(&s);
    CHECK_INT(s.result.contacts.count, 4, "contacts all the same");
    end(&s);
    CHECK_DONE();
}

// A cube falls on a plate: the base complexes are 0.5 + 2 e apart (e is the dilation, and the inset), and may come as near
// as 0.2 e. At a speed of 1 that takes 0.5 + 1.8 e. Slower, or upward, or beside the plate, the whole step is safe; turning
// bodies are never too near afterwards.
static void step_share(void **state)
{
    (void)state;
    const double e = 0.01;
    lmd_bodies s = begin(NULL, make_cube(1.5), make_cube(0.5), e, -e);
    double share = -1.0;
    abut_error error;
    s.pair.dt = 1.0;
    s.pair.b.pose.position = v3(0, 0, 2.5);
    s.pair.b.linear_velocity = v3(0, 0, -1);
    CHECK_STATUS(abut_find_step_share(&s.pair, NULL, s.work, &share, &error), ABUT_OK, "falling");
    CHECK_NEAR(share, 0.5 + 1.8 * e, 1e-3 * e, "falling");
    s.pair.b.linear_velocity = v3(0, 0, -0.5);
    CHECK_STATUS(abut_find_step_share(&s.pair, NULL, s.work, &share, &error), ABUT_OK, "slowly");
    CHECK_NEAR(share, 1.0, 0.0, "slowly");
    s.pair.b.linear_velocity = v3(0, 0, 9);
    CHECK_STATUS(abut_find_step_share(&s.pair, NULL, s.work, &share, &error), ABUT_OK, "upward");
    CHECK_NEAR(share, 1.0, 0.0, "upward");
    s.pair.b.pose.position = v3(4, 0, 2.5);
    s.pair.b.linear_velocity = v3(0, 0, -5);
    CHECK_STATUS(abut_find_step_share(&s.pair, NULL, s.work, &share, &error), ABUT_OK, "beside");
    CHECK_NEAR(share, 1.0, 0.0, "beside");
    test_random random = {23};
    int shortened = 0;
    for (int i = 0; i < 100; ++i) {
        s.pair.b.pose = abut_pose_make(abut_scale(3.6, random_unit(&random)), random_rotation(&random));
        s.pair.b.linear_velocity = abut_scale(-1.0, s.pair.b.pose.position);
        s.pair.b.angular_velocity = abut_scale(3.0, random_unit(&random));
        CHECK_STATUS(abut_find_step_share(&s.pair, NULL, s.work, &share, &error), ABUT_OK, "turning");
        shortened += share < 1.0;
        abut_pair moved = s.pair;
        abut_motion motion = {.pose = s.pair.b.pose,
                              .linear_velocity = s.pair.b.linear_velocity,
                              .angular_velocity = s.pair.b.angular_velocity};
        moved.b.pose = abut_motion_pose(&motion, share);
        s.params.envelope = abut_absolute(0.1);
        CHECK_STATUS(abut_find_contacts(&moved, s.method, &s.params, s.work, &s.result), ABUT_OK, "not too near");
        CHECK(share == 1.0 || s.result.contacts.count > 0, "as near as may be: share %g", share);
    }
    CHECK(shortened > 50, "only %d meet", shortened);
    s.pair.b.linear_velocity.x = NAN;
    CHECK_STATUS(abut_find_step_share(&s.pair, NULL, s.work, &share, &error), ABUT_BAD_ARGUMENT, "NaN");
    end(&s);
    CHECK_DONE();
}

// A repeated query makes no heap calls.
static void no_heap_calls(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    context.worker_count = 1;
    lmd_bodies s = begin(&context, make_cube(1.5), make_cube(0.5), 0.0, 0.0);
    s.params.envelope = abut_absolute(0.5);
    s.pair.b.pose.position = v3(0.3, 0.2, 2.1);
    find(&s);
    find(&s);
    find(&s);
    int calls = heap.calls;
    find(&s);
    CHECK_INT(heap.calls, calls, "heap calls");
    end(&s);
    CHECK_INT(heap.live, 0, "leak");
    CHECK_DONE();
}

// A block and, apart from it, a plate of a twentieth of the inset: the plate has no inside that could be inset. It is taken
// as a shell where it is, the first vertex of it is named, and the error is at least the dilation, by which the shell is
// thicker. A plate ten times as thick as the inset stays a solid. A chord is added to the error, and moves nothing.
static void thin_parts_and_chords(void **state)
{
    (void)state;
    const double inset = 1e-3, thicknesses[2] = {0.05 * inset, 10.0 * inset};
    const char *const labels[4] = {"thin", "thick", "thin with a chord", "thick with a chord"};
    for (int i = 0; i < 4; ++i) {
        abut_mesh *cube = make_cube(1.0), *both = NULL;
        abut_mesh_elements e = abut_mesh_get_elements(cube);
        abut_vec3 vertices[16];
        int triangles[72];
        for (int k = 0; k < 8; ++k) {
            vertices[k] = e.vertices[k];
            vertices[8 + k] =
                v3(e.vertices[k].x, e.vertices[k].y, 3.0 + 0.5 * thicknesses[i % 2] * e.vertices[k].z);
        }
        for (int k = 0; k < 72; ++k) {
            triangles[k] = e.triangles[k % 36] + (k < 36 ? 0 : 8);
        }
        both = make_triangles(NULL, vertices, 16, triangles, 24);
        abut_shape_def shape_def = abut_shape_def_default();
        shape_def.owned_mesh = both;
        shape_def.dilation = inset;
        shape_def.offset = -inset;
        shape_def.chord = i / 2 * 0.25;
        abut_shape *shape = NULL;
        abut_base_info info = {.thin_part_count = -1};
        assert_int_equal(abut_shape_create(NULL, &shape_def, &shape, NULL), ABUT_OK);
        CHECK_STATUS(abut_shape_prepare(shape, abut_method_find("quasi-lmd"), NULL, NULL), ABUT_OK, "prepare");
        CHECK_STATUS(abut_shape_get_base(shape, NULL, &info), ABUT_OK, "base");
        CHECK_INT(info.thin_part_count, i % 2 == 0, labels[i]);
        CHECK_INT(info.thin_vertex, i % 2 == 0 ? 8 : -1, labels[i]);
        CHECK_INT(info.info.shell_part_count, i % 2 == 0, labels[i]);
        CHECK_INT(info.info.solid_part_count, 1 + i % 2, labels[i]);
        // the corners of a cube are rounded by (sqrt(3) - 1) insets
        double deviation = i % 2 == 0 ? inset : (sqrt(3.0) - 1.0) * inset;
        CHECK_NEAR(info.deviation, deviation, 1e-9 * inset, labels[i]);
        CHECK_NEAR(info.error, deviation + shape_def.chord, 1e-9 * inset, labels[i]);
        abut_shape_destroy(shape);
        abut_mesh_destroy(cube);
    }
    abut_shape_def bad = abut_shape_def_default();
    abut_shape *shape = NULL;
    abut_mesh *cube = make_cube(1.0);
    bad.mesh = cube;
    bad.chord = -1.0;
    CHECK_STATUS(abut_shape_create(NULL, &bad, &shape, NULL), ABUT_BAD_ARGUMENT, "a negative chord");
    abut_mesh_destroy(cube);
    CHECK_DONE();
}

/// A cube of side 2 with a pyramid in the middle of its top, as wide as it is high, and an open square above, if `height` is
/// above 0. Their highest points are at 1 + width and 1 + height.
static abut_mesh *make_cube_with_details(double width, double height)
{
    const double w = 0.5 * width;
    const abut_vec3 vertices[17] = {
        {-1, -1, -1},         {1, -1, -1},         {1, 1, -1},         {-1, 1, -1},
        {-1, -1, 1},          {1, -1, 1},          {1, 1, 1},          {-1, 1, 1},
        {-w, -w, 1},          {w, -w, 1},          {w, w, 1},          {-w, w, 1},
        {0, 0, 1 + width}, // and the square
        {-1, -1, 1 + height}, {1, -1, 1 + height}, {1, 1, 1 + height}, {-1, 1, 1 + height}};
    int triangles[72] = {0, 2, 1, 0, 3, 2}, count = 2;
    for (int i = 0; i < 4; ++i) {
        int k = (i + 1) % 4;
        const int made[15] = {i,     k,     k + 4, i,     k + 4, i + 4, i + 4, k + 4,
                              k + 8, i + 4, k + 8, i + 8, i + 8, k + 8, 12};
        memcpy(triangles + 3 * count, made, sizeof made);
        count += 5;
    }
    const int square[6] = {13, 14, 15, 13, 15, 16};
    memcpy(triangles + 3 * count, square, sizeof square);
    return make_triangles(NULL, vertices, height > 0.0 ? 17 : 13, triangles, height > 0.0 ? count + 2 : count);
}

// The inset that is taken by default is nobody's wish, and gaps are those of the surfaces as they are: of a detail that is
// smaller than the inset, and of an open part of a mesh that has a closed one, too. Before, they were up to the dilation too
// small. The dilation is 3.5e-4, and of the block 1.7e-4.
static void default_inset_moves_no_surface(void **state)
{
    (void)state;
    const double width = 2e-4, gaps[3] = {1e-5, 1e-4, 1e-3};
    for (int i = 0; i < 6; ++i) {
        double height = i % 2 == 0 ? 0.0 : 0.01, gap = gaps[i / 2];
        lmd_bodies s = begin(NULL, make_cube_with_details(width, height), make_cube(0.5), 0.0, 0.0);
        s.pair.b.pose.position = v3(0.1, 0.05, 1.5 + (i % 2 == 0 ? width : height) + gap);
        s.params.envelope = abut_absolute(5e-3);
        s.params.flags |= ABUT_PARAMS_DERIVATIVES;
        find(&s);
        double least = HUGE_VAL;
        for (int k = 0; k < s.result.contacts.count; ++k) {
            const abut_contact *c = &s.result.contacts.items[k];
            least = fmin(least, c->gap);
            CHECK_NEAR(c->normal.z, 1.0, 1e-6, "normal");
            CHECK_NEAR(c->position_b.z - c->position_a.z, c->gap, 1e-6 * c->gap, "points");
            CHECK_NEAR(s.result.derivatives.items[k].gap[8], 1.0, 1e-6, "the gap grows as B rises");
        }
        CHECK_NEAR(least, gap, 1e-9, i % 2 == 0 ? "the pyramid" : "the open square");
        end(&s);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(touching_cubes),
        cmocka_unit_test(default_inset_moves_no_surface),
        cmocka_unit_test(aligned_boxes_at_all_tilts),
        cmocka_unit_test(exchanged),
        cmocka_unit_test(shells_ropes_and_points),
        cmocka_unit_test(gliding_keeps_the_id),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(overlaps_are_refused),
        cmocka_unit_test(only_solids_have_an_inside),
        cmocka_unit_test(one_contact_at_every_position),
        cmocka_unit_test(thin_parts_are_shells),
        cmocka_unit_test(step_share),
        cmocka_unit_test(thin_parts_and_chords),
        cmocka_unit_test(no_heap_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
