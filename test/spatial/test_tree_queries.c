// SPDX-License-Identifier: MIT
// test_tree_queries.c: nearest elements and rays against brute force, including ties
#include "prim/ray_triangle.h"
#include "spatial/soup.h"

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
        if (style == STYLE_GRID) { // boxes are exact; only the query rounds
            scale = 1.0;
            offset = abut_vec3_make(5.0, -11.0, 3.0);
        }
        move_soup(&s, scale, offset);
        abut_mesh *mesh = make_mesh(&s);
        // the mesh may reorient and reorder elements: brute force uses the mesh's own list
        abut_mesh_elements elements = abut_mesh_get_elements(mesh);
        if (kind == ABUT_ELEMENT_TET) {
            memcpy(s.corners, elements.tets, 4 * (size_t)s.element_count * sizeof *s.corners);
        } else if (kind == ABUT_ELEMENT_TRIANGLE) {
            s.element_count = elements.triangle_count;
            memcpy(s.corners, elements.triangles, 3 * (size_t)s.element_count * sizeof *s.corners);
        }
        abut_tree *tree = make_tree(mesh, kind);
        for (int k = 0; k < 100; ++k) {
            // half steps of the grid give ties; other points give ties up to rounding at corners that elements share
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

// Segments from one point to integer coordinates above it. All boxes are exact, and all segments are equally far from
// a point below. The lowest index must be found, however distances to boxes are rounded.
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
            abut_vec3 direction = abut_sub(target, origin); // towards a vertex: the hardest case
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_equals_brute_force),
        cmocka_unit_test(ties_survive_rounding),
        cmocka_unit_test(rays_equal_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
