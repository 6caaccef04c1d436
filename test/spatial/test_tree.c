// SPDX-License-Identifier: MIT
// test_tree.c: the box hierarchy against looking at every element
//
// Oracles: the primitives of src/prim, which have tests of their own, called for all elements or all pairs of them.
#include "check.h"
#include "prim/point_segment.h"
#include "prim/point_tet.h"
#include "prim/point_triangle.h"
#include "prim/ray_triangle.h"
#include "prim/triangle_triangle.h"
#include "random.h"
#include <abut/tree.h>
#include <stdlib.h>

enum { VERTICES = 400, ELEMENTS = 400 };

// What a mesh is made of.
typedef struct soup {
    abut_vec3 vertices[VERTICES];
    int vertex_count;
    int corners[4 * ELEMENTS];
    int element_count;
    abut_element_kind kind;
} soup;

typedef enum soup_style {
    STYLE_RANDOM,  // small triangles anywhere
    STYLE_SLIVERS, // needles as long as the whole, 1e-6 wide
    STYLE_GRID,    // whole coordinates: many ties, flat elements and elements that touch
    STYLE_UNEQUAL, // sizes from 1e-6 to 1
    STYLE_SAME,    // all elements are the same
    STYLE_COUNT
} soup_style;

static soup make_soup(test_random *random, abut_element_kind kind, soup_style style, int element_count)
{
    soup s = {.kind = kind, .element_count = element_count};
    int corner_count = (int)kind + 1;
    s.vertex_count = VERTICES;
    for (int i = 0; i < element_count; ++i) {
        abut_vec3 center = random_vec3(random, 1.0), axis = random_unit(random);
        double size = style == STYLE_UNEQUAL ? pow(10.0, random_in(random, -6.0, 0.0)) : 0.1;
        for (int k = 0; k < corner_count; ++k) {
            int corner = i * corner_count + k;
            int vertex = style == STYLE_SAME ? k : corner % VERTICES;
            s.corners[corner] = vertex;
            if (style == STYLE_SLIVERS) {
                s.vertices[vertex] =
                    abut_add(abut_scale(random_in(random, -1.0, 1.0), axis), random_vec3(random, 1e-6));
            } else if (style == STYLE_GRID) {
                s.vertices[vertex] = abut_vec3_make(random_below(random, 7) - 3, random_below(random, 7) - 3,
                                                    random_below(random, 7) - 3);
            } else {
                s.vertices[vertex] = abut_add(center, random_vec3(random, size));
            }
        }
    }
    return s;
}

// Corners are shared where the elements need more than there are vertices.
static abut_mesh *make_mesh(const soup *s)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = s->vertices;
    def.vertex_count = s->vertex_count;
    switch (s->kind) {
    case ABUT_ELEMENT_POINT:
        def.points = s->corners;
        def.point_count = s->element_count;
        break;
    case ABUT_ELEMENT_SEGMENT:
        def.segments = s->corners;
        def.segment_count = s->element_count;
        break;
    case ABUT_ELEMENT_TRIANGLE:
        def.face_vertices = s->corners;
        def.face_count = s->element_count;
        break;
    case ABUT_ELEMENT_TET:
        def.tets = s->corners;
        def.tet_count = s->element_count;
        break;
    }
    abut_mesh *mesh = NULL;
    abut_error error;
    abut_status status = abut_mesh_create(NULL, &def, &mesh, &error);
    if (!CHECK(status == ABUT_OK, "%s", error.text)) {
        abort();
    }
    return mesh;
}

static abut_tree *make_tree(const abut_mesh *mesh, abut_element_kind kind)
{
    abut_tree *tree = NULL;
    abut_error error;
    abut_status status = abut_tree_create(NULL, mesh, kind, &tree, &error);
    if (!CHECK(status == ABUT_OK, "%s", error.text)) {
        abort();
    }
    return tree;
}

static void move_soup(soup *s, double scale, abut_vec3 offset)
{
    for (int i = 0; i < s->vertex_count; ++i) {
        s->vertices[i] = abut_add(abut_scale(scale, s->vertices[i]), offset);
    }
}

static void triangle_of(const soup *s, const abut_vec3 *vertices, int element, abut_vec3 t[3])
{
    for (int k = 0; k < 3; ++k) {
        t[k] = vertices[s->corners[3 * element + k]];
    }
}

static const double scales[] = {1e-3, 1.0, 1e3};

// ---- pairs

typedef struct pair_table {
    unsigned char seen[ELEMENTS][ELEMENTS];
    int count;
    uint64_t order; // a hash of the pairs in their order
} pair_table;

static int note_pair(void *user, int a, int b)
{
    pair_table *table = user;
    CHECK(a >= 0 && a < ELEMENTS && b >= 0 && b < ELEMENTS && table->seen[a][b] == 0, "pair %d %d twice", a, b);
    table->seen[a][b] = 1;
    table->count += 1;
    table->order = (table->order ^ (uint64_t)(a * ELEMENTS + b)) * 0x9e3779b97f4a7c15u;
    return 0;
}

static void check_pairs(const soup *a, const soup *b, abut_pose b_to_a, double margin, const pair_table *table)
{
    abut_vec3 placed[VERTICES];
    for (int i = 0; i < b->vertex_count; ++i) {
        placed[i] = abut_pose_apply(b_to_a, b->vertices[i]);
    }
    for (int i = 0; i < a->element_count; ++i) {
        abut_vec3 ta[3], tb[3], x, y;
        triangle_of(a, a->vertices, i, ta);
        for (int k = 0; k < b->element_count; ++k) {
            triangle_of(b, placed, k, tb);
            double squared = table->seen[i][k] ? 0.0 : abut_triangle_triangle_distance_squared(ta, tb, &x, &y);
            CHECK(table->seen[i][k] || squared > margin * margin, "pair %d %d is %g apart, margin %g", i, k,
                  sqrt(squared), margin);
        }
    }
}

// Bodies of size 2 at poses where they overlap, meshes up to 1e4 sizes from their origins.
static void pairs_miss_nothing(void **state)
{
    (void)state;
    test_random random = {31};
    static pair_table table, again;
    for (int i = 0; i < 60; ++i) {
        double scale = scales[i % 3];
        double far = (i / 3) % 2 == 0 ? 0.0 : 1e4 * scale;
        soup a = make_soup(&random, ABUT_ELEMENT_TRIANGLE, (soup_style)(i % STYLE_COUNT), 60 + i % 7);
        soup b = make_soup(&random, ABUT_ELEMENT_TRIANGLE, (soup_style)(i / 2 % STYLE_COUNT), 70);
        abut_vec3 offset_a = random_vec3(&random, far), offset_b = random_vec3(&random, far);
        move_soup(&a, scale, offset_a);
        move_soup(&b, scale, offset_b);
        abut_quat rotation = i % 4 == 0 ? abut_quat_identity() : random_rotation(&random);
        abut_vec3 shift = abut_sub(offset_a, abut_quat_rotate(rotation, offset_b));
        abut_pose pose = {abut_add(shift, random_vec3(&random, scale)), rotation};
        double margin = i % 5 == 0 ? 0.0 : scale * pow(10.0, random_in(&random, -6.0, -1.0));
        abut_mesh *mesh_a = make_mesh(&a), *mesh_b = make_mesh(&b);
        abut_tree *tree_a = make_tree(mesh_a, a.kind), *tree_b = make_tree(mesh_b, b.kind);
        memset(&table, 0, sizeof table);
        memset(&again, 0, sizeof again);
        CHECK_INT(abut_tree_pairs(tree_a, tree_b, pose, margin, note_pair, &table), 0, "pairs");
        (void)abut_tree_pairs(tree_a, tree_b, pose, margin, note_pair, &again);
        CHECK(table.order == again.order, "the same order again");
        check_pairs(&a, &b, pose, margin, &table);
        abut_tree_destroy(tree_a);
        abut_tree_destroy(tree_b);
        abut_mesh_destroy(mesh_a);
        abut_mesh_destroy(mesh_b);
    }
    CHECK_DONE();
}

// A row of unit cells' triangles against itself: triangle i meets those within one of i. Boxes say the same, so the pairs are
// few even 1e4 lengths from the origin, where float alone has steps of 0.06.
static void pairs_are_few_far_from_the_origin(void **state)
{
    (void)state;
    static pair_table table;
    soup s = {.kind = ABUT_ELEMENT_TRIANGLE, .element_count = 100, .vertex_count = 300};
    for (int i = 0; i < 100; ++i) {
        double x = 1e6 + 2e-3 * i;
        s.vertices[3 * i] = abut_vec3_make(x, -1e6, 1e6);
        s.vertices[3 * i + 1] = abut_vec3_make(x + 1e-3, -1e6, 1e6);
        s.vertices[3 * i + 2] = abut_vec3_make(x, -1e6 + 1e-3, 1e6);
        for (int k = 0; k < 3; ++k) {
            s.corners[3 * i + k] = 3 * i + k;
        }
    }
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    memset(&table, 0, sizeof table);
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 0.0, note_pair, &table);
    CHECK_INT(table.count, 100, "each with itself");
    memset(&table, 0, sizeof table);
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 1.5e-3, note_pair, &table);
    CHECK_INT(table.count, 298, "and with its neighbours");
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

static int stop_at_third(void *user, int a, int b)
{
    (void)a;
    (void)b;
    return ++*(int *)user == 3 ? 42 : 0;
}

static int count_pair(void *user, int a, int b)
{
    (void)a;
    (void)b;
    ++*(int *)user;
    return 0;
}

// A search ends where the caller says so. Poses and margins that are no numbers find nothing; infinite margins all.
static void pairs_take_hostile_input(void **state)
{
    (void)state;
    test_random random = {32};
    soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_SAME, 20);
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    int count = 0;
    CHECK_INT(abut_tree_pairs(tree, tree, abut_pose_identity(), 0.0, stop_at_third, &count), 42, "stopped");
    CHECK_INT(count, 3, "calls");
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 21; ++i) {
        abut_pose pose = abut_pose_identity();
        double *parts[] = {&pose.position.x, &pose.position.y, &pose.position.z, &pose.rotation.w,
                           &pose.rotation.x, &pose.rotation.y, &pose.rotation.z};
        *parts[i / 3] = bad[i % 3];
        count = 0;
        CHECK_INT(abut_tree_pairs(tree, tree, pose, 1.0, count_pair, &count), 0, "result");
        CHECK_INT(count, 0, "calls with a bad pose");
    }
    count = 0;
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), NAN, count_pair, &count);
    CHECK_INT(count, 0, "margin NaN");
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), -HUGE_VAL, count_pair, &count);
    CHECK_INT(count, 0, "margin -infinite");
    abut_pose apart = {{1e300, -1e300, 1.0}, {1.0, 0.0, 0.0, 0.0}};
    (void)abut_tree_pairs(tree, tree, apart, 1.0, count_pair, &count);
    CHECK_INT(count, 0, "far apart");
    (void)abut_tree_pairs(tree, tree, apart, HUGE_VAL, count_pair, &count);
    CHECK_INT(count, 400, "margin infinite");
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// ---- nearest

static double element_distance(const soup *s, int element, abut_vec3 p)
{
    double t, weights[4], squared = 0.0;
    abut_vec3 c[4];
    int corner_count = (int)s->kind + 1;
    for (int k = 0; k < corner_count; ++k) {
        c[k] = s->vertices[s->corners[corner_count * element + k]];
    }
    switch (s->kind) {
    case ABUT_ELEMENT_POINT: squared = abut_norm_squared(abut_sub(p, c[0])); break;
    case ABUT_ELEMENT_SEGMENT: squared = abut_point_segment_distance_squared(p, c[0], c[1], &t); break;
    case ABUT_ELEMENT_TRIANGLE: squared = abut_point_triangle_distance_squared(p, c, weights); break;
    case ABUT_ELEMENT_TET: squared = abut_point_tet_distance_squared(p, c, weights); break;
    }
    return sqrt(squared);
}

static abut_tree_hit brute_nearest(const soup *s, abut_vec3 p, double limit)
{
    abut_tree_hit best = {-1, HUGE_VAL, {0.0, 0.0, 0.0}};
    for (int i = 0; i < s->element_count; ++i) {
        double distance = element_distance(s, i, p);
        if (distance <= limit && distance < best.distance) {
            best.element = i;
            best.distance = distance;
        }
    }
    return best;
}

static void nearest_equals_brute_force(void **state)
{
    (void)state;
    test_random random = {33};
    for (int i = 0; i < 240; ++i) {
        abut_element_kind kind = (abut_element_kind)(i % 4);
        soup_style style = (soup_style)(i / 4 % STYLE_COUNT);
        double scale = scales[i % 3];
        soup s = make_soup(&random, kind, style, 1 + i % 100);
        abut_vec3 offset = random_vec3(&random, i % 2 == 0 ? 0.0 : 1e4 * scale);
        if (style == STYLE_GRID) { // boxes are exact, and only the query is rounded
            scale = 1.0;
            offset = abut_vec3_make(5.0, -11.0, 3.0);
        }
        move_soup(&s, scale, offset);
        abut_mesh *mesh = make_mesh(&s);
        // The mesh may turn tetrahedra around, and lists them as it wants: compare with what it says.
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        if (kind == ABUT_ELEMENT_TET) {
            memcpy(s.corners, elements.tets, 4 * (size_t)s.element_count * sizeof *s.corners);
        } else if (kind == ABUT_ELEMENT_TRIANGLE) {
            s.element_count = elements.triangle_count;
            memcpy(s.corners, elements.triangles, 3 * (size_t)s.element_count * sizeof *s.corners);
        }
        abut_tree *tree = make_tree(mesh, kind);
        for (int k = 0; k < 100; ++k) {
            // Half steps of the grid give ties; points anywhere give corners that several elements share, seen by rounding.
            abut_vec3 p =
                abut_add(abut_scale(scale, random_vec3(&random, style == STYLE_GRID ? 5.0 : 2.0)), offset);
            if (style == STYLE_GRID && k % 2 == 0) {
                p = abut_vec3_make(random_below(&random, 15) / 2.0 - 3.5, random_below(&random, 15) / 2.0 - 3.5,
                                   1.0);
            }
            double limit = k % 3 == 0 ? HUGE_VAL : scale * random_in(&random, 0.0, 1.0);
            abut_tree_hit hit = abut_tree_nearest(tree, p, limit), brute = brute_nearest(&s, p, limit);
            CHECK(hit.element == brute.element && hit.distance == brute.distance,
                  "mesh %d, kind %d, style %d: %d at %.17g, expected %d at %.17g", i, (int)kind, (int)style,
                  hit.element, hit.distance, brute.element, brute.distance);
            if (hit.element >= 0) {
                double far = abut_norm(offset) + 5.0 * scale;
                CHECK(fabs(abut_norm(abut_sub(hit.point, p)) - hit.distance) <= 1e-14 * far, "point");
            }
        }
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Segments from one point to whole coordinates above it: all boxes are exact, and for a point below, all segments are equally
// near. Whatever the rounding of the distances to boxes, the lowest index is found.
static void ties_survive_rounding(void **state)
{
    (void)state;
    test_random random = {40};
    soup s = {.kind = ABUT_ELEMENT_SEGMENT, .element_count = 20, .vertex_count = 21};
    s.vertices[20] = abut_vec3_make(1.0, 1.0, 1.0);
    for (int i = 0; i < 20; ++i) {
        s.vertices[i] = abut_vec3_make(2 + random_below(&random, 9), 2 + random_below(&random, 9),
                                       2 + random_below(&random, 9));
        s.corners[2 * i] = 20;
        s.corners[2 * i + 1] = i;
    }
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    for (int i = 0; i < 1000; ++i) {
        abut_vec3 p = abut_sub(s.vertices[20], abut_abs(random_vec3(&random, 10.0)));
        CHECK_INT(abut_tree_nearest(tree, p, HUGE_VAL).element, 0, "nearest");
    }
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// ---- rays

static abut_tree_hit brute_ray(const soup *s, abut_vec3 origin, abut_vec3 direction, double limit)
{
    abut_tree_hit best = {-1, HUGE_VAL, {0.0, 0.0, 0.0}};
    abut_ray ray;
    int made = abut_ray_make(origin, direction, &ray);
    for (int i = 0; i < s->element_count && made; ++i) {
        abut_vec3 c[3];
        double t, weights[3];
        triangle_of(s, s->vertices, i, c);
        if (abut_ray_triangle(&ray, c, &t, weights) && t <= limit && t < best.distance) {
            best.element = i;
            best.distance = t;
        }
    }
    return best;
}

static void rays_equal_brute_force(void **state)
{
    (void)state;
    test_random random = {34};
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        soup_style style = (soup_style)(i % STYLE_COUNT);
        double scale = style == STYLE_GRID ? 1.0 : scales[i % 3];
        soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, style, 1 + i % 130);
        abut_vec3 offset = random_vec3(&random, i % 2 == 0 || style == STYLE_GRID ? 0.0 : 1e4 * scale);
        move_soup(&s, scale, offset);
        abut_mesh *mesh = make_mesh(&s);
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        s.element_count = elements.triangle_count;
        memcpy(s.corners, elements.triangles, 3 * (size_t)s.element_count * sizeof *s.corners);
        abut_tree *tree = make_tree(mesh, s.kind);
        for (int k = 0; k < 200; ++k) {
            abut_vec3 origin = abut_add(abut_scale(scale, random_vec3(&random, 2.0)), offset);
            abut_vec3 target = s.vertices[random_below(&random, 3 * (1 + i % 130)) % VERTICES];
            abut_vec3 direction = abut_sub(target, origin); // at a vertex: the hardest place
            if (style == STYLE_GRID) {
                origin = abut_vec3_make(random_below(&random, 9) - 4, random_below(&random, 9) - 4, -4.0);
                direction = abut_vec3_make(random_below(&random, 3) - 1, random_below(&random, 3) - 1, 1.0);
            } else if (k % 2 == 0) {
                direction = abut_scale(pow(10.0, random_in(&random, -3.0, 3.0)), random_unit(&random));
            }
            double limit = k % 3 == 0 ? HUGE_VAL : random_in(&random, 0.0, 2.0);
            abut_tree_hit hit = abut_tree_ray(tree, origin, direction, limit);
            abut_tree_hit brute = brute_ray(&s, origin, direction, limit);
            hits += hit.element >= 0;
            CHECK(hit.element == brute.element && hit.distance == brute.distance,
                  "mesh %d, ray %d, style %d: %d at %.17g, expected %d at %.17g", i, k, (int)style, hit.element,
                  hit.distance, brute.element, brute.distance);
        }
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    CHECK(hits > 5000, "%d hits", hits);
    CHECK_DONE();
}

// ---- shapes of trees

// Trees of no, one, two, ... elements have one node less than twice the elements, and the least depth.
static void small_trees(void **state)
{
    (void)state;
    test_random random = {35};
    for (int count = 0; count < 70; ++count) {
        soup s = make_soup(&random, ABUT_ELEMENT_POINT, count % 2 == 0 ? STYLE_RANDOM : STYLE_SAME, count);
        abut_mesh *mesh = make_mesh(&s);
        abut_tree *tree = make_tree(mesh, s.kind);
        abut_tree_info info = abut_tree_get_info(tree);
        int depth = count > 0 ? 1 : 0;
        while (count > 0 && 1 << (depth - 1) < count) {
            ++depth;
        }
        CHECK_INT(info.element_count, count, "elements");
        CHECK_INT(info.node_count, count > 0 ? 2 * count - 1 : 0, "nodes");
        CHECK_INT(info.depth, depth, "depth");
        CHECK_INT(abut_tree_nearest(tree, random_vec3(&random, 1.0), HUGE_VAL).element >= 0, count > 0, "nearest");
        CHECK_INT(abut_tree_ray(tree, s.vertices[0], s.vertices[1], HUGE_VAL).element, -1,
                  "rays see triangles only");
        int pairs = 0;
        (void)abut_tree_pairs(tree, tree, abut_pose_identity(), HUGE_VAL, count_pair, &pairs);
        CHECK_INT(pairs, count * count, "pairs");
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    abut_tree_destroy(NULL);
    CHECK_DONE();
}

// Two triangles a unit apart in z, scaled by 2^s: nearest, ray and pairs work alike from 1e-300 to 1e300.
static void any_magnitude(void **state)
{
    (void)state;
    static const int exponents[] = {-997, -500, 0, 500, 1020};
    for (int i = 0; i < 5; ++i) {
        double unit = ldexp(1.0, exponents[i]);
        soup s = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
                  .vertex_count = 6,
                  .corners = {0, 1, 2, 3, 4, 5},
                  .element_count = 2,
                  .kind = ABUT_ELEMENT_TRIANGLE};
        move_soup(&s, unit, abut_vec3_make(0.0, 0.0, 0.0));
        abut_mesh *mesh = make_mesh(&s);
        abut_tree *tree = make_tree(mesh, s.kind);
        abut_vec3 p = abut_scale(unit, abut_vec3_make(0.25, 0.25, 0.75));
        abut_tree_hit hit = abut_tree_nearest(tree, p, HUGE_VAL);
        CHECK_INT(hit.element, 1, "nearest");
        CHECK_NEAR(hit.distance / unit, 0.25, 1e-15, "nearest");
        hit = abut_tree_nearest(tree, p, 0.2 * unit);
        CHECK_INT(hit.element, -1, "nearest within a limit");
        hit = abut_tree_ray(tree, p, abut_vec3_make(0.0, 0.0, -1e-3), HUGE_VAL);
        CHECK_INT(hit.element, 0, "ray");
        CHECK(exponents[i] == 1020 || fabs(hit.distance / unit - 750.0) < 1e-10, "ray %g", hit.distance / unit);
        int pairs = 0;
        (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 0.5 * unit, count_pair, &pairs);
        CHECK_INT(pairs, 2, "pairs");
        (void)abut_tree_pairs(tree, tree, abut_pose_identity(), unit, count_pair, &pairs);
        CHECK_INT(pairs, 6, "pairs within a unit");
        // As seen from far away: a query that is much larger or smaller than the mesh.
        hit = abut_tree_nearest(tree, abut_vec3_make(1e300, 0.0, 0.0), HUGE_VAL);
        CHECK(hit.element == 0 || hit.element == 1, "nearest from afar");
        CHECK_NEAR(hit.distance, 1e300, exponents[i] == 1020 ? 1e308 : 1e285, "nearest from afar");
        (void)abut_tree_ray(tree, abut_vec3_make(1e300, 1.0, -1e300), abut_vec3_make(1e-300, 1e300, 1.0), HUGE_VAL);
        abut_tree_destroy(tree);
        abut_mesh_destroy(mesh);
    }
    CHECK_DONE();
}

// Trees of sizes 1e-300 and 1e300, one in the other: the small one meets the large triangle that it is on.
static void unequal_trees(void **state)
{
    (void)state;
    soup small = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .vertex_count = 3, .corners = {0, 1, 2}};
    small.element_count = 1;
    small.kind = ABUT_ELEMENT_TRIANGLE;
    soup large = small;
    move_soup(&small, 1e-300, abut_vec3_make(0.0, 0.0, 0.0));
    move_soup(&large, 1e300, abut_vec3_make(0.0, 0.0, 0.0));
    abut_mesh *mesh_a = make_mesh(&small), *mesh_b = make_mesh(&large);
    abut_tree *a = make_tree(mesh_a, small.kind), *b = make_tree(mesh_b, large.kind);
    int pairs = 0;
    (void)abut_tree_pairs(a, b, abut_pose_identity(), 0.0, count_pair, &pairs);
    (void)abut_tree_pairs(b, a, abut_pose_identity(), 0.0, count_pair, &pairs);
    CHECK_INT(pairs, 2, "both ways");
    abut_tree_destroy(a);
    abut_tree_destroy(b);
    abut_mesh_destroy(mesh_a);
    abut_mesh_destroy(mesh_b);
    CHECK_DONE();
}

// ---- refit

static void refit_equals_rebuild(void **state)
{
    (void)state;
    test_random random = {36};
    static pair_table fitted, rebuilt;
    for (int i = 0; i < 20; ++i) {
        soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, i % 2 == 0 ? STYLE_RANDOM : STYLE_UNEQUAL, 100);
        soup moved = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_RANDOM, 100);
        move_soup(&moved, 10.0, abut_vec3_make(50.0, 0.0, -1e4));
        memcpy(moved.corners, s.corners, sizeof s.corners);
        abut_mesh *mesh = make_mesh(&s), *moved_mesh = make_mesh(&moved);
        abut_tree *tree = make_tree(mesh, s.kind), *moved_tree = make_tree(moved_mesh, s.kind);
        abut_tree_refit(tree, moved.vertices, NULL);
        for (int k = 0; k < 50; ++k) {
            abut_vec3 p = abut_add(random_vec3(&random, 20.0), abut_vec3_make(50.0, 0.0, -1e4));
            abut_vec3 d = random_unit(&random);
            abut_tree_hit x = abut_tree_nearest(tree, p, HUGE_VAL), y = abut_tree_nearest(moved_tree, p, HUGE_VAL);
            CHECK(x.element == y.element && x.distance == y.distance, "nearest %d %d", x.element, y.element);
            x = abut_tree_ray(tree, p, d, HUGE_VAL);
            y = abut_tree_ray(moved_tree, p, d, HUGE_VAL);
            CHECK(x.element == y.element && x.distance == y.distance, "ray %d %d", x.element, y.element);
        }
        abut_pose pose = {random_vec3(&random, 1.0), random_rotation(&random)};
        memset(&fitted, 0, sizeof fitted);
        memset(&rebuilt, 0, sizeof rebuilt);
        (void)abut_tree_pairs(tree, tree, pose, 0.1, note_pair, &fitted);
        (void)abut_tree_pairs(moved_tree, moved_tree, pose, 0.1, note_pair, &rebuilt);
        CHECK(memcmp(fitted.seen, rebuilt.seen, sizeof fitted.seen) == 0, "pairs %d %d", fitted.count,
              rebuilt.count);
        // Back to the mesh's own vertices.
        abut_tree_refit(tree, NULL, NULL);
        abut_vec3 p = random_vec3(&random, 1.0);
        CHECK(abut_tree_nearest(tree, p, HUGE_VAL).distance == brute_nearest(&s, p, HUGE_VAL).distance, "back");
        abut_tree_destroy(tree);
        abut_tree_destroy(moved_tree);
        abut_mesh_destroy(mesh);
        abut_mesh_destroy(moved_mesh);
    }
    CHECK_DONE();
}

// A triangle that flies from z = 0 to z = 10 meets one at z = 5 on its way; nearest and ray see it at its start. Vertices
// that are no numbers take their elements out of all answers.
static void refit_over_a_step_and_with_nan(void **state)
{
    (void)state;
    soup s = {.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {9, 9, 0}, {9, 8, 0}, {8, 9, 0}},
              .vertex_count = 6,
              .corners = {0, 1, 2, 3, 4, 5},
              .element_count = 2,
              .kind = ABUT_ELEMENT_TRIANGLE};
    soup still = s;
    move_soup(&still, 1.0, abut_vec3_make(0.0, 0.0, 5.0));
    soup end = s;
    move_soup(&end, 1.0, abut_vec3_make(0.0, 0.0, 10.0));
    abut_mesh *mesh = make_mesh(&s), *still_mesh = make_mesh(&still);
    abut_tree *tree = make_tree(mesh, s.kind), *still_tree = make_tree(still_mesh, s.kind);
    int pairs = 0;
    (void)abut_tree_pairs(tree, still_tree, abut_pose_identity(), 0.0, count_pair, &pairs);
    CHECK_INT(pairs, 0, "at the start");
    abut_tree_refit(tree, s.vertices, end.vertices);
    (void)abut_tree_pairs(tree, still_tree, abut_pose_identity(), 0.0, count_pair, &pairs);
    CHECK_INT(pairs, 2, "on the way");
    CHECK_NEAR(abut_tree_nearest(tree, abut_vec3_make(0.0, 0.0, 7.0), HUGE_VAL).distance, 7.0, 0.0, "nearest");
    end.vertices[1].y = NAN;
    abut_tree_refit(tree, end.vertices, NULL);
    CHECK_INT(abut_tree_nearest(tree, abut_vec3_make(0.0, 0.0, 10.0), HUGE_VAL).element, 1, "NaN is not nearest");
    CHECK_INT(abut_tree_ray(tree, abut_vec3_make(0.0, 0.0, 7.0), abut_vec3_make(0.0, 0.0, 1.0), HUGE_VAL).element,
              -1, "NaN is not hit");
    pairs = 0;
    (void)abut_tree_pairs(tree, tree, abut_pose_identity(), HUGE_VAL, count_pair, &pairs);
    CHECK_INT(pairs, 1, "NaN has no pairs");
    end.vertices[4].x = HUGE_VAL;
    abut_tree_refit(tree, end.vertices, NULL);
    CHECK_INT(abut_tree_nearest(tree, abut_vec3_make(0.0, 0.0, 10.0), HUGE_VAL).element, -1, "nothing is left");
    abut_tree_destroy(tree);
    abut_tree_destroy(still_tree);
    abut_mesh_destroy(mesh);
    abut_mesh_destroy(still_mesh);
    CHECK_DONE();
}

// ---- bad input

static void queries_take_hostile_input(void **state)
{
    (void)state;
    test_random random = {37};
    soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_RANDOM, 50);
    abut_mesh *mesh = make_mesh(&s);
    abut_tree *tree = make_tree(mesh, s.kind);
    abut_vec3 zero = {0.0, 0.0, 0.0}, up = {0.0, 0.0, 1.0};
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 9; ++i) {
        abut_vec3 v = zero;
        *(i / 3 == 0 ? &v.x : i / 3 == 1 ? &v.y : &v.z) = bad[i % 3];
        CHECK_INT(abut_tree_nearest(tree, v, HUGE_VAL).element, -1, "nearest");
        CHECK_INT(abut_tree_ray(tree, v, up, HUGE_VAL).element, -1, "origin");
        CHECK_INT(abut_tree_ray(tree, zero, v, HUGE_VAL).element, -1, "direction");
    }
    CHECK_INT(abut_tree_ray(tree, zero, zero, HUGE_VAL).element, -1, "no direction");
    CHECK_INT(abut_tree_nearest(tree, zero, NAN).element, -1, "limit NaN");
    CHECK_INT(abut_tree_nearest(tree, zero, -1.0).element, -1, "limit negative");
    CHECK_INT(abut_tree_ray(tree, zero, up, NAN).element, -1, "limit NaN");
    abut_tree_destroy(tree);
    abut_tree *none = NULL;
    abut_error error;
    CHECK_STATUS(abut_tree_create(NULL, mesh, (abut_element_kind)7, &none, &error), ABUT_BAD_ARGUMENT, "kind");
    CHECK_STATUS(abut_tree_create(NULL, NULL, ABUT_ELEMENT_POINT, &none, &error), ABUT_BAD_ARGUMENT, "mesh");
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

// Memory that fails at the given call, and counts what is held.
typedef struct failing_memory {
    int calls, fails_at, held;
} failing_memory;

static void *failing_resize(void *user, void *block, size_t size)
{
    failing_memory *memory = user;
    if (size > 0 && ++memory->calls == memory->fails_at) {
        return NULL;
    }
    memory->held += (block == NULL && size > 0) - (block != NULL && size == 0);
    return abut_context_default().resize(NULL, block, size);
}

// Every allocation that fails gives ABUT_NO_MEMORY and leaks nothing; queries and refits allocate nothing.
static void allocation_failures(void **state)
{
    (void)state;
    test_random random = {38};
    soup s = make_soup(&random, ABUT_ELEMENT_TRIANGLE, STYLE_RANDOM, 50);
    abut_mesh *mesh = make_mesh(&s);
    for (int i = 1; i < 20; ++i) {
        failing_memory memory = {0, i, 0};
        abut_context context = abut_context_default();
        context.resize = failing_resize;
        context.user = &memory;
        abut_tree *tree = NULL;
        abut_error error;
        abut_status status = abut_tree_create(&context, mesh, s.kind, &tree, &error);
        if (status == ABUT_OK) {
            CHECK(i > 1, "there are allocations");
            int calls = memory.calls, pairs = 0;
            abut_tree_refit(tree, s.vertices, NULL);
            (void)abut_tree_pairs(tree, tree, abut_pose_identity(), 0.1, count_pair, &pairs);
            (void)abut_tree_nearest(tree, s.vertices[0], 1.0);
            (void)abut_tree_ray(tree, s.vertices[0], s.vertices[1], 1.0);
            CHECK_INT(memory.calls, calls, "queries allocate nothing");
            abut_tree_destroy(tree);
        } else {
            CHECK_STATUS(status, ABUT_NO_MEMORY, "failing");
            CHECK(tree == NULL, "no tree");
        }
        CHECK_INT(memory.held, 0, "no leak");
    }
    abut_mesh_destroy(mesh);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_miss_nothing),
        cmocka_unit_test(pairs_are_few_far_from_the_origin),
        cmocka_unit_test(pairs_take_hostile_input),
        cmocka_unit_test(nearest_equals_brute_force),
        cmocka_unit_test(ties_survive_rounding),
        cmocka_unit_test(rays_equal_brute_force),
        cmocka_unit_test(small_trees),
        cmocka_unit_test(any_magnitude),
        cmocka_unit_test(unequal_trees),
        cmocka_unit_test(refit_equals_rebuild),
        cmocka_unit_test(refit_over_a_step_and_with_nan),
        cmocka_unit_test(queries_take_hostile_input),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
