// SPDX-License-Identifier: MIT
// test_creation.c: creation of large convex shapes: the search for the highest point, the check, and how work grows
#include "pairs.h"
#include "shapes.h"

#include "convex/convex.h"

#include <float.h>
#include <stdlib.h>

enum { POINTS = 3000 };

// Sets of points that are hard for a tree: 0 in a ball, 1 on a sphere, 2 on a plane, 3 on a line, 4 many times the
// same four, 5 on a circle far from the origin, 6 closer and closer to a corner.
enum { SETS = 7 };

static abut_vec3 set_point(test_random *random, int set, int i)
{
    abut_vec3 p = {random_in(random, -1.0, 1.0), random_in(random, -1.0, 1.0), random_in(random, -1.0, 1.0)};
    switch (set) {
    case 0: return p;
    case 1: return random_unit(random);
    case 2: return abut_vec3_make(p.x, p.y, 0.3 * p.x - 0.2 * p.y);
    case 3: return abut_scale(p.x, abut_vec3_make(1.0, 0.3, -0.2));
    case 4: return abut_vec3_make(i & 1, i >> 1 & 1, 1.0);
    case 5: return abut_vec3_make(1e4 + cos(0.01 * i), 1e4 + sin(0.01 * i), -3e4);
    default: return abut_scale(pow(2.0, -0.02 * i), p);
    }
}

// Brute force: the largest dot product of all points that do not have the mark.
static double highest_of(const abut_vec3 *points, int count, abut_vec3 direction, const int *marks, int skipped)
{
    double highest = -HUGE_VAL;
    for (int i = 0; i < count; ++i) {
        highest = marks[i] != skipped ? fmax(highest, abut_dot(points[i], direction)) : highest;
    }
    return highest;
}

// The tree finds the very largest dot product, for any set of points, any direction and any points left out. If none
// is higher than the first guess, it returns that.
static void highest_is_that_of_brute_force(void **state)
{
    (void)state;
    test_random random = {9};
    abut_vec3 *points = malloc(POINTS * sizeof *points);
    int *marks = malloc(POINTS * sizeof *marks);
    assert_true(points != NULL && marks != NULL);
    for (int round = 0; round < 20 * SETS; ++round) {
        int set = round % SETS, count = 1 + (int)random_below(&random, round % 2 == 0 ? 40 : POINTS);
        double reach = 0.0;
        for (int i = 0; i < count; ++i) {
            points[i] = set_point(&random, set, i);
            marks[i] = (int)random_below(&random, 3);
            reach = fmax(reach, abut_norm(points[i]));
        }
        marks[0] = 0;
        abut_point_tree tree;
        abut_context context = abut_context_default();
        CHECK_STATUS(abut_point_tree_create(&context, points, count, reach, &tree), ABUT_OK, "a tree");
        for (int i = 0; i < 30; ++i) {
            abut_vec3 direction = i < 6 ? abut_vec3_make(i == 0, i == 1 ? -1.0 : 0.0, i > 1) : random_unit(&random);
            direction = abut_unit(direction);
            int skipped = 1 + i % 3; // no point has mark 3
            int found = abut_point_tree_highest(&tree, direction, 0, marks, skipped);
            double height = highest_of(points, count, direction, marks, skipped);
            CHECK(marks[found] != skipped && abut_dot(points[found], direction) == height,
                  "set %d of %d: %.17g instead of %.17g", set, count, abut_dot(points[found], direction), height);
            CHECK_INT(abut_point_tree_highest(&tree, direction, found, marks, skipped), found, "a right guess");
        }
        abut_point_tree_destroy(&context, &tree);
    }
    free(points);
    free(marks);
    CHECK_DONE();
}

// A ball of `count` points of which some are moved inward by up to `depth`.
static abut_mesh *make_dented_ball(test_random *random, int count, double depth)
{
    test_convex ball = make_convex_ball(random, count, abut_vec3_make(1.0, 0.8, 0.6));
    abut_mesh_elements e = abut_mesh_get_elements(ball.mesh);
    abut_vec3 *vertices = malloc((size_t)e.vertex_count * sizeof *vertices);
    assert_non_null(vertices);
    for (int i = 0; i < e.vertex_count; ++i) {
        double scale = random_below(random, 200) == 0 ? 1.0 - random_in(random, 0.0, depth) : 1.0;
        vertices[i] = abut_scale(scale, e.vertices[i]);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = e.vertex_count;
    def.face_vertices = e.triangles;
    def.face_count = e.triangle_count;
    abut_mesh *mesh = NULL;
    assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    free(vertices);
    release_convex(&ball);
    return mesh;
}

// Brute force over all triangles and vertices: the largest distance of a vertex in front of a triangle, and the first
// vertex that is more than `tolerance` in front of the first such triangle, or -1.
static double find_dents(const abut_mesh *mesh, double tolerance, int *first)
{
    abut_mesh_elements e = abut_mesh_get_elements(mesh);
    double deviation = 0.0;
    *first = -1;
    for (int t = 0; t < e.triangle_count; ++t) {
        abut_vec3 a = e.vertices[e.triangles[3 * t]], b = e.vertices[e.triangles[3 * t + 1]];
        abut_vec3 n = abut_unit(abut_cross(abut_sub(b, a), abut_sub(e.vertices[e.triangles[3 * t + 2]], a)));
        for (int i = 0; i < e.vertex_count; ++i) {
            double distance = abut_dot(n, abut_sub(e.vertices[i], a));
            deviation = fmax(deviation, distance);
            *first = *first < 0 && distance > tolerance ? i : *first;
        }
    }
    return deviation;
}

// The deviation is that of brute force, up to rounding. The error names the first vertex in front of the first face
// with such a vertex: faces are single triangles here, in the order of the mesh.
static void dents_are_those_of_brute_force(void **state)
{
    (void)state;
    test_random random = {10};
    for (int i = 0; i < 12; ++i) {
        abut_mesh *mesh = make_dented_ball(&random, 200 + 60 * i, 0.2);
        double tolerance = 0.01 * (i % 3),
               absolute = tolerance * abut_box_diagonal(abut_mesh_get_elements(mesh).bounds);
        int first;
        double deviation = find_dents(mesh, absolute, &first);
        abut_convex_params params = abut_convex_params_default();
        params.tolerance = i % 3 == 0 ? 1.0 : tolerance;
        abut_convex *convex = NULL;
        abut_error error = {0};
        abut_status status = abut_convex_create(NULL, mesh, &params, &convex, &error);
        CHECK_STATUS(status, i % 3 == 0 || first < 0 ? ABUT_OK : ABUT_UNSUPPORTED, "dents");
        if (status == ABUT_OK) {
            CHECK_NEAR(abut_convex_get_info(convex).deviation, deviation, 1e-14, "deviation");
        } else {
            CHECK_INT(error.element, first, "the vertex that is named");
        }
        abut_convex_destroy(convex);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// ---------------------------------------------------------------------------------------------------------------
// Growth

typedef enum family { FAMILY_SPHERE, FAMILY_PRISM, FAMILY_CONE, FAMILY_DOUBLE_CONE, FAMILIES } family;

static const char *const family_names[FAMILIES] = {"sphere", "prism", "cone", "double cone"};

// Points whose hull is a solid with `count` vertices, as arrays of vertices and triangles. A prism has two faces with
// half of the vertices each, a cone a tip with count - 1 edges.
typedef struct raw_solid {
    abut_vec3 *vertices;
    int *triangles;
    int vertex_count, triangle_count;
} raw_solid;

static void add_triangle(raw_solid *s, int a, int b, int c)
{
    int *t = s->triangles + 3 * (size_t)s->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_fan(raw_solid *s, int first, int count, int is_reversed)
{
    for (int i = 1; i + 1 < count; ++i) {
        add_triangle(s, first, first + i + is_reversed, first + i + !is_reversed);
    }
}

static void fill_solid(raw_solid *s, family which, int count)
{
    int rim = which == FAMILY_PRISM ? count / 2 : which == FAMILY_CONE ? count - 1 : count - 2;
    s->vertex_count = count;
    for (int i = 0; i < rim; ++i) {
        double angle = 6.283185307179586 * i / rim;
        int next = (i + 1) % rim;
        s->vertices[i] = abut_vec3_make(cos(angle), sin(angle), 0.0);
        if (which == FAMILY_PRISM) {
            s->vertices[rim + i] = abut_vec3_make(cos(angle), sin(angle), 1.0);
            add_triangle(s, i, next, rim + next);
            add_triangle(s, i, rim + next, rim + i);
        } else {
            add_triangle(s, i, next, rim);
        }
        if (which == FAMILY_DOUBLE_CONE) {
            add_triangle(s, next, i, rim + 1);
        }
    }
    if (which == FAMILY_PRISM) {
        add_fan(s, rim, rim, 0);
    } else {
        s->vertices[rim] = abut_vec3_make(0.0, 0.0, 1.0);
    }
    if (which == FAMILY_DOUBLE_CONE) {
        s->vertices[rim + 1] = abut_vec3_make(0.0, 0.0, -1.0);
    } else {
        add_fan(s, 0, rim, 1);
    }
}

static abut_mesh *make_family(family which, int count)
{
    raw_solid s = {malloc((size_t)count * sizeof *s.vertices), malloc((size_t)count * 6 * sizeof *s.triangles), 0,
                   0};
    assert_true(s.vertices != NULL && s.triangles != NULL);
    abut_mesh *mesh = NULL;
    if (which == FAMILY_SPHERE) {
        for (int i = 0; i < count; ++i) { // a spiral of the golden angle
            double z = (2 * i + 1) / (double)count - 1.0, radius = sqrt(1.0 - z * z),
                   angle = 2.3999632297286533 * i;
            s.vertices[i] = abut_vec3_make(radius * cos(angle), radius * sin(angle), z);
        }
        assert_int_equal(abut_hull_create(NULL, s.vertices, count, &mesh, NULL, NULL), ABUT_OK);
    } else {
        fill_solid(&s, which, count);
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = s.vertices;
        def.vertex_count = s.vertex_count;
        def.face_vertices = s.triangles;
        def.face_count = s.triangle_count;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
    }
    free(s.vertices);
    free(s.triangles);
    return mesh;
}

// The number of visits of boxes, points and triangles. Checks tops and drops by brute force for some faces.
static int64_t count_work(family which, int count)
{
    abut_mesh *mesh = make_family(which, count);
    abut_convex *shape = NULL;
    abut_error error = {0};
    abut_status status = abut_convex_create(NULL, mesh, NULL, &shape, &error);
    int64_t work = 0;
    if (CHECK(status == ABUT_OK, "%s of %d: %s", family_names[which], count, error.text)) {
        work = shape->work;
        CHECK_INT(shape->point_count, count, "vertices");
        for (int f = 0; f < shape->face_count; f += 1 + shape->face_count / 50) {
            double highest = -HUGE_VAL, other = -HUGE_VAL;
            for (int i = 0; i < shape->point_count; ++i) {
                const int *corners = &shape->face_points[shape->face_begin[f]];
                double height = abut_dot(shape->normals[f], shape->points[i]);
                highest = fmax(highest, height);
                if (abut_convex_find_point(corners, shape->face_begin[f + 1] - shape->face_begin[f], i) < 0) {
                    other = fmax(other, height);
                }
            }
            CHECK_NEAR(abut_dot(shape->normals[f], shape->points[shape->tops[f]]), highest, 0.0, "top");
            CHECK_NEAR(shape->drops[f], highest - other, 0.0, "drop");
        }
    }
    abut_convex_destroy(shape);
    abut_mesh_destroy(mesh);
    return work;
}

// 16 times the vertices take at most 16 log(16000) / log(1000) = 22.4 times the work, if it grows as n log n, whatever
// the sizes of faces and the degrees of vertices; 28 leaves room for boxes that fit less well. A quadratic part would
// give 256.
static void work_grows_as_n_log_n(void **state)
{
    (void)state;
    for (family f = FAMILY_SPHERE; f < FAMILIES; ++f) {
        int64_t few = count_work(f, 1000), many = count_work(f, 16000);
        CHECK(few > 0 && many < 28 * few, "%s: %lld visits, then %lld", family_names[f], (long long)few,
              (long long)many);
        CHECK(many < 16000 * 2000LL, "%s: %lld visits of 16000 vertices", family_names[f], (long long)many);
    }
    CHECK_DONE();
}

// Returns 1 if the mesh triangle that names a face has the corners of that face.
static int is_named_by_itself(const abut_convex *shape, const abut_mesh *mesh, int face)
{
    const abut_feature *feature = &shape->face_features[face];
    const int *corners = abut_mesh_get_elements(mesh).triangles + 3 * (size_t)feature->index;
    int found = feature->kind == ABUT_FEATURE_FACE && !feature->is_merged;
    for (int i = shape->face_begin[face]; found && i < shape->face_begin[face + 1]; ++i) {
        found = abut_convex_find_point(corners, 3, shape->point_sources[shape->face_points[i]]) >= 0;
    }
    return found;
}

// Every face of the hull of a double cone is a triangle of the mesh and gets its name. Both tips are at half of all
// triangles, which must not make the search for names quadratic: four times the vertices take at most
// 4 log(4000) / log(1000) = 4.8 times the work. 6 leaves room; a quadratic part would give 16.
static void names_grow_as_n_log_n(void **state)
{
    (void)state;
    int64_t work[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        abut_mesh *mesh = make_family(FAMILY_DOUBLE_CONE, i == 0 ? 1000 : 4000);
        abut_convex_params params = abut_convex_params_default();
        params.takes_hull = 1;
        abut_convex *shape = NULL;
        assert_int_equal(abut_convex_create(NULL, mesh, &params, &shape, NULL), ABUT_OK);
        work[i] = shape->work;
        for (int f = 0; f < shape->face_count; ++f) {
            CHECK(is_named_by_itself(shape, mesh, f), "face %d", f);
        }
        abut_convex_destroy(shape);
        abut_mesh_destroy(mesh);
    }
    CHECK(work[0] > 0 && work[1] < 6 * work[0], "%lld visits, then %lld", (long long)work[0], (long long)work[1]);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(highest_is_that_of_brute_force),
        cmocka_unit_test(dents_are_those_of_brute_force),
        cmocka_unit_test(work_grows_as_n_log_n),
        cmocka_unit_test(names_grow_as_n_log_n),
    };
    return cmocka_run_group_tests_name("convex creation", tests, NULL, NULL);
}
