// SPDX-License-Identifier: MIT
// test_check_random.c: sound meshes with known damage, and searches against brute force
#include "check/crossings.h"
#include "effort.h"
#include "prim/triangle_triangle.h"
#include "random.h"
#include "sick.h"

#include <stdlib.h>

enum { AROUND = 24, ACROSS = 16, ROUNDS = 25 };

static const double tau = 6.283185307179586;

// A torus of 768 triangles with a random position and size.
static void make_torus(sick *s, test_random *random)
{
    memset(s, 0, sizeof *s);
    double scale = pow(10.0, random_in(random, -3.0, 3.0));
    abut_pose pose = abut_pose_make(random_vec3(random, 10.0 * scale), random_rotation(random));
    for (int i = 0; i < AROUND * ACROSS; ++i) {
        double u = tau * (i / ACROSS) / AROUND, v = tau * (i % ACROSS) / ACROSS, r = 1.0 + 0.4 * cos(v);
        abut_vec3 p =
            abut_pose_apply(pose, abut_scale(scale, abut_vec3_make(r * cos(u), r * sin(u), 0.4 * sin(v))));
        (void)sick_vertex(s, p.x, p.y, p.z);
    }
    for (int i = 0; i < AROUND * ACROSS; ++i) {
        int a = i / ACROSS, b = i % ACROSS, next_a = (a + 1) % AROUND * ACROSS, next_b = (b + 1) % ACROSS;
        (void)sick_triangle(s, i, next_a + b, next_a + next_b);
        (void)sick_triangle(s, i, next_a + next_b, a * ACROSS + next_b);
    }
}

// `count` different numbers below `limit`, ascending.
static void pick(test_random *random, int limit, int count, int *chosen)
{
    int used = 0;
    for (int i = 0; i < limit && used < count; ++i) {
        if (random_below(random, limit - i) < count - used) {
            chosen[used++] = i;
        }
    }
}

static void expect_chosen(const abut_check *check, abut_finding_kind kind, const int *chosen, int count)
{
    expect_finding(check, kind, count, chosen, count < 10 ? count : 10, __LINE__);
}

// k reversed faces are k flipped faces, and nothing else is found.
static void damage_orientation(sick *s, test_random *random)
{
    int k = 1 + random_below(random, 40), chosen[40];
    pick(random, s->triangle_count, k, chosen);
    for (int i = 0; i < k; ++i) {
        sick_turn(s, chosen[i]);
    }
    abut_check *check = check_sick(s);
    expect_chosen(check, ABUT_FINDING_FLIPPED_FACE, chosen, k);
    EXPECT_ONLY(check, BIT(ABUT_FINDING_FLIPPED_FACE));
    abut_check_destroy(check);
}

// k triangles get their own copy of a corner: k duplicate vertices. Half of them are moved slightly: near
// duplicates.
static void damage_vertices(sick *s, test_random *random)
{
    int k = 2 + random_below(random, 30), chosen[32], equal = 0, near = 0;
    pick(random, s->triangle_count, k, chosen);
    double size = abut_norm(abut_sub(s->vertices[0], s->vertices[1]));
    for (int i = 0; i < k; ++i) {
        int *corner = s->triangles + 3 * chosen[i] + random_below(random, 3);
        abut_vec3 v = s->vertices[*corner];
        int is_moved = random_below(random, 2);
        v = is_moved ? abut_add(v, abut_scale(1e-7 * size, random_unit(random))) : v;
        near += is_moved;
        equal += !is_moved;
        *corner = sick_vertex(s, v.x, v.y, v.z);
    }
    abut_check *check = check_sick(s);
    CHECK_INT(count_of(check, ABUT_FINDING_DUPLICATE_VERTEX), equal, "duplicates");
    CHECK_INT(count_of(check, ABUT_FINDING_NEAR_VERTEX), near, "near duplicates");
    CHECK_INT(count_of(check, ABUT_FINDING_SELF_INTERSECTION), 0, "cracks are no intersections");
    CHECK_INT(abut_check_get_report(check).verdict, ABUT_VERDICT_REPAIRABLE, "welding mends all");
    abut_check_destroy(check);
}

// Adds k duplicate faces, k with an index out of range, k with a vertex twice, and k unused vertices, all at the
// end.
static void damage_faces(sick *s, test_random *random)
{
    int k = 1 + random_below(random, 30), copies[30], broken[30], flat[30], unused[30], before = s->triangle_count;
    for (int i = 0; i < k; ++i) {
        int t[3];
        memcpy(t, s->triangles + 3 * (i * before / k), sizeof t);
        copies[i] = sick_triangle(s, t[1], t[2], t[0]);
        broken[i] = sick_triangle(s, 0, 1, random_below(random, 2) ? -1 - i : 100000 + i);
        flat[i] = sick_triangle(s, t[0], t[1], t[0]);
        unused[i] = sick_vertex(s, s->vertices[i].x + (1.0 + i) * 1e3, 0.0, 0.0);
    }
    abut_check *check = check_sick(s);
    CHECK_INT(count_of(check, ABUT_FINDING_DUPLICATE_FACE), k, "duplicate faces");
    CHECK_INT(find_kind(check, ABUT_FINDING_DUPLICATE_FACE)->elements[0], copies[0], "the copy is named");
    expect_chosen(check, ABUT_FINDING_INDEX, broken, k);
    expect_chosen(check, ABUT_FINDING_DEGENERATE_FACE, flat, k);
    expect_chosen(check, ABUT_FINDING_UNUSED_VERTEX, unused, k);
    CHECK_INT(abut_check_get_report(check).verdict, ABUT_VERDICT_REPAIRABLE, "all can be dropped");
    abut_check_destroy(check);
}

// Removes k faces. Open edges by brute force: sides whose reverse does not exist.
static void damage_holes(sick *s, test_random *random)
{
    int k = 1 + random_below(random, 30), chosen[30], open = 0;
    pick(random, s->triangle_count, k, chosen);
    for (int i = k - 1; i >= 0; --i) {
        --s->triangle_count;
        memmove(s->triangles + 3 * chosen[i], s->triangles + 3 * s->triangle_count, 3 * sizeof(int));
    }
    for (int i = 0; i < 3 * s->triangle_count; ++i) {
        int from = s->triangles[i], to = s->triangles[i % 3 == 2 ? i - 2 : i + 1], is_open = 1;
        for (int m = 0; m < 3 * s->triangle_count && is_open; ++m) {
            is_open = s->triangles[m] != to || s->triangles[m % 3 == 2 ? m - 2 : m + 1] != from;
        }
        open += is_open;
    }
    abut_check *check = check_sick(s);
    CHECK_INT(count_of(check, ABUT_FINDING_OPEN_EDGE), open, "open edges");
    CHECK_INT(count_of(check, ABUT_FINDING_T_JUNCTION), 0, "no T-junction");
    abut_check_destroy(check);
}

// Cuts k triangles far from each other at the middle of a side, but not their neighbours.
static void damage_junctions(sick *s, test_random *random)
{
    int k = 1 + random_below(random, 12), rows[12];
    pick(random, AROUND / 2, k, rows);
    for (int i = 0; i < k; ++i) {
        int row = 2 * rows[i] * ACROSS + random_below(random, ACROSS);
        int *t = s->triangles + 3 * (2 * row), corner = random_below(random, 3);
        int a = t[corner], b = t[(corner + 1) % 3], c = t[(corner + 2) % 3];
        abut_vec3 middle = abut_lerp(s->vertices[a], s->vertices[b], random_in(random, 0.2, 0.8));
        int m = sick_vertex(s, middle.x, middle.y, middle.z);
        t[0] = a;
        t[1] = m;
        t[2] = c;
        (void)sick_triangle(s, m, b, c);
    }
    abut_check *check = check_sick(s);
    CHECK_INT(count_of(check, ABUT_FINDING_T_JUNCTION), k, "T-junctions");
    CHECK_INT(count_of(check, ABUT_FINDING_OPEN_EDGE), 3 * k, "one side of the neighbour, two of the pieces");
    CHECK_INT(count_of(check, ABUT_FINDING_SELF_INTERSECTION), 0, "junctions are no intersections");
    abut_check_destroy(check);
}

static void test_damage(void **state)
{
    (void)state;
    typedef void damage(sick * s, test_random * random);
    static damage *const kinds[] = {damage_orientation, damage_vertices, damage_faces, damage_holes,
                                    damage_junctions};
    sick *s = malloc(sizeof *s);
    assert_non_null(s);
    test_random random = {2024};
    for (int round = 0; round < ROUNDS; ++round) {
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
            make_torus(s, &random);
            kinds[i](s, &random);
        }
    }
    free(s);
    CHECK_DONE();
}

// A repaired torus is closed, oriented, and has its original volume.
static void test_repair_of_damage(void **state)
{
    (void)state;
    sick *s = malloc(sizeof *s);
    assert_non_null(s);
    test_random random = {11};
    for (int round = 0; round < ROUNDS; ++round) {
        make_torus(s, &random);
        abut_mesh_def def = sick_def(s);
        abut_mesh *mesh = NULL;
        assert_int_equal(abut_mesh_create(NULL, &def, &mesh, NULL), ABUT_OK);
        double volume = abut_mesh_get_info(mesh).volume;
        abut_mesh_destroy(mesh);
        damage_junctions(s, &random);
        damage_vertices(s, &random);
        int chosen[20];
        pick(&random, s->triangle_count, 20, chosen);
        for (int i = 0; i < 20; ++i) {
            sick_turn(s, chosen[i]);
        }
        def = sick_def(s);
        abut_remade remade;
        abut_error error = {.text = ""};
        CHECK(abut_repair(NULL, &def, NULL, &remade, &error) == ABUT_OK, "%s", error.text);
        abut_mesh_info info = abut_mesh_get_info(remade.mesh);
        CHECK(info.is_closed && info.is_oriented, "round %d: %d open edges", round, info.boundary_edge_count);
        CHECK_NEAR(info.volume, volume, 1e-5 * volume, "volume");
        CHECK_INT(abut_mesh_get_topology(remade.mesh).part_count, 1, "one part");
        abut_remade_release(NULL, &remade);
    }
    free(s);
    CHECK_DONE();
}

// Oracle for triangles that share vertices: trims a tiny strip off b along the shared vertex or edge, and tests the
// rest. Coordinates are small integers and the strip is 2^-20, so everything is exact, and other common points are
// farther away than the strip.
static int cross_by_trimming(const abut_vec3 *v, const int a[3], const int b[3])
{
    const double strip = 0x1p-20;
    int shared = 0, is_shared[3];
    for (int k = 0; k < 3; ++k) {
        is_shared[k] = b[k] == a[0] || b[k] == a[1] || b[k] == a[2];
        shared += is_shared[k];
    }
    const abut_vec3 ta[3] = {v[a[0]], v[a[1]], v[a[2]]};
    abut_vec3 tb[3] = {v[b[0]], v[b[1]], v[b[2]]};
    if (shared == 0) {
        return abut_triangles_intersect(ta, tb);
    }
    int k = 0; // the only shared corner, or the only one that is not shared
    while (is_shared[k] != (shared == 1)) {
        ++k;
    }
    abut_vec3 o = tb[k], p = tb[(k + 1) % 3], q = tb[(k + 2) % 3];
    if (shared == 1) {
        abut_vec3 near_p = abut_add_scaled(o, strip, abut_sub(p, o)),
                  near_q = abut_add_scaled(o, strip, abut_sub(q, o));
        const abut_vec3 first[3] = {near_p, p, q}, second[3] = {near_p, q, near_q};
        return abut_triangles_intersect(ta, first) || abut_triangles_intersect(ta, second);
    }
    const abut_vec3 rest[3] = {o, abut_add_scaled(p, strip, abut_sub(o, p)),
                               abut_add_scaled(q, strip, abut_sub(o, q))};
    return abut_triangles_intersect(ta, rest);
}

static int is_flat(const abut_vec3 *v, const int t[3])
{
    return abut_norm_squared(abut_cross(abut_sub(v[t[1]], v[t[0]]), abut_sub(v[t[2]], v[t[0]]))) == 0.0;
}

static void test_crossing_of_two(void **state)
{
    (void)state;
    test_random random = {5};
    int tried[3] = {0}, found[3] = {0};
    for (int i = 0; i < 60000; ++i) {
        // few different positions, so that coplanar and touching triangles are frequent
        abut_vec3 v[6];
        int reach = 2 + i % 4;
        for (int k = 0; k < 6; ++k) {
            v[k] = abut_vec3_make(random_below(&random, reach), random_below(&random, reach),
                                  i % 3 == 0 ? 0.0 : random_below(&random, reach));
        }
        int shared = i % 3;
        const int a[3] = {0, 1, 2};
        int b[3] = {shared > 0 ? 1 : 3, shared > 1 ? 0 : 4, 5};
        int is_valid = !is_flat(v, a) && !is_flat(v, b);
        for (int k = 0; k < 3 && is_valid; ++k) {
            for (int m = 0; m < 3; ++m) { // after welding, no two vertices have the same position
                is_valid &= a[k] == b[m] || abut_norm_squared(abut_sub(v[a[k]], v[b[m]])) > 0.0;
            }
        }
        if (is_valid) {
            int expected = cross_by_trimming(v, a, b);
            ++tried[shared];
            found[shared] += expected;
            CHECK_INT(abut_triangles_cross(v, a, b), expected, "crossing");
            CHECK_INT(abut_triangles_cross(v, b, a), expected, "crossing, swapped");
        }
    }
    for (int i = 0; i < 3; ++i) {
        CHECK(tried[i] > 3000 && found[i] > 50 && found[i] < tried[i] - 50, "%d shared: %d of %d", i, found[i],
              tried[i]);
    }
    CHECK_DONE();
}

// Random triangles that share some vertices: the check finds the same pairs as a test of all pairs.
static void test_crossings_by_brute_force(void **state)
{
    (void)state;
    sick *s = malloc(sizeof *s);
    assert_non_null(s);
    test_random random = {17};
    for (int round = 0; round < 10; ++round) {
        memset(s, 0, sizeof *s);
        for (int i = 0; i < 150; ++i) {
            abut_vec3 v = random_vec3(&random, 1.0);
            (void)sick_vertex(s, v.x, v.y, v.z);
        }
        for (int i = 0; i < 150; ++i) {
            int b = (i + 1 + random_below(&random, 10)) % 150; // each triangle starts at another i: no duplicates
            (void)sick_triangle(s, i, b, (i + 20 + random_below(&random, 10)) % 150);
        }
        int count = 0;
        for (int a = 0; a < s->triangle_count; ++a) {
            for (int b = a + 1; b < s->triangle_count; ++b) {
                const int *ta = s->triangles + 3 * a, *tb = s->triangles + 3 * b;
                int shared = 0;
                for (int k = 0; k < 9; ++k) {
                    shared += ta[k / 3] == tb[k % 3];
                }
                count += shared < 3 && abut_triangles_cross(s->vertices, ta, tb);
            }
        }
        abut_check *check = check_sick(s);
        CHECK_INT(count_of(check, ABUT_FINDING_SELF_INTERSECTION), count, "pairs");
        CHECK(count > 100, "%d pairs", count);
        abut_check_destroy(check);
    }
    free(s);
    CHECK_DONE();
}

// Crowded vertices: each is welded to the lowest kept vertex within the tolerance, like in a plain double loop.
static void test_near_vertices_by_brute_force(void **state)
{
    (void)state;
    enum { COUNT = 600 };
    abut_vec3 *v = malloc(COUNT * sizeof *v);
    int kept[COUNT], points[COUNT];
    assert_non_null(v);
    test_random random = {3};
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < COUNT; ++i) {
            v[i] = random_vec3(&random, 1.0);
            points[i] = i;
        }
        double tolerance = 0.02 * (round + 1);
        abut_mesh_def def = abut_mesh_def_default();
        def.vertices = v;
        def.vertex_count = COUNT;
        def.points = points;
        def.point_count = COUNT;
        abut_check_params params = abut_check_params_default();
        params.tolerance = tolerance;
        params.element_limit = COUNT;
        abut_check *check = NULL;
        assert_int_equal(abut_check_create(NULL, &def, &params, &check, NULL), ABUT_OK);
        const abut_finding *finding = find_kind(check, ABUT_FINDING_NEAR_VERTEX);
        assert_non_null(finding);
        int found = 0, kept_count = 0;
        for (int i = 0; i < COUNT; ++i) {
            int to = -1;
            for (int k = 0; k < kept_count && to < 0; ++k) {
                to = abut_norm_squared(abut_sub(v[kept[k]], v[i])) <= tolerance * tolerance ? kept[k] : -1;
            }
            if (to < 0) {
                kept[kept_count++] = i;
                continue;
            }
            CHECK(found < finding->element_count && finding->elements[2 * found] == i &&
                      finding->elements[2 * found + 1] == to,
                  "vertex %d goes to %d", i, to);
            ++found;
        }
        CHECK_INT(finding->count, found, "near vertices");
        abut_check_destroy(check);
    }
    free(v);
    CHECK_DONE();
}

// Nested boxes, some side by side: the parent is the smallest box around.
static void test_nesting_by_brute_force(void **state)
{
    (void)state;
    enum { BOXES = 60 };
    abut_box boxes[BOXES];
    sick *s = malloc(sizeof *s);
    assert_non_null(s);
    test_random random = {23};
    for (int round = 0; round < 10; ++round) {
        memset(s, 0, sizeof *s);
        boxes[0] = (abut_box){{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
        sick_box(s, boxes[0].lower, boxes[0].upper);
        // each box is put into a free octant of another box; 8 p + k is octant k of box p
        int used[8 * BOXES] = {0}, parents[BOXES] = {-1};
        for (int i = 1; i < BOXES; ++i) {
            int place = random_below(&random, 8 * i);
            while (used[place]) {
                place = (place + 1) % (8 * i);
            }
            used[place] = 1;
            parents[i] = place / 8;
            abut_box outer = boxes[place / 8];
            abut_vec3 half = abut_scale(0.5, abut_sub(outer.upper, outer.lower)), corner = outer.lower;
            corner.x += place & 1 ? half.x : 0.0;
            corner.y += place & 2 ? half.y : 0.0;
            corner.z += place & 4 ? half.z : 0.0;
            boxes[i].lower = abut_add_scaled(corner, random_in(&random, 0.05, 0.2), half);
            boxes[i].upper = abut_add_scaled(corner, random_in(&random, 0.8, 0.95), half);
            sick_box(s, boxes[i].lower, boxes[i].upper);
        }
        abut_mesh_def def = sick_def(s);
        abut_check_params params = abut_check_params_default();
        params.tolerance = 0.0;
        params.element_limit = BOXES;
        abut_check *check = NULL;
        assert_int_equal(abut_check_create(NULL, &def, &params, &check, NULL), ABUT_OK);
        const abut_finding *finding = find_kind(check, ABUT_FINDING_NESTED_PART);
        CHECK_INT(finding != NULL ? finding->count : 0, BOXES - 1, "nested");
        for (int i = 1; i < BOXES && finding != NULL && i <= finding->element_count; ++i) {
            CHECK(finding->elements[2 * (i - 1)] == 12 * i && finding->elements[2 * (i - 1) + 1] == 12 * parents[i],
                  "box %d is in %d", i, parents[i]);
        }
        abut_check_destroy(check);
    }
    free(s);
    CHECK_DONE();
}

// Random garbage: vertices on a small grid, some not finite; faces with random vertices, some out of range. Check
// and repair succeed, and after the repair, everything that the check calls repairable is gone.
static void check_rubbish(test_random *random, int round)
{
    enum { VERTICES = 24, FACES = 30 };
    abut_vec3 vertices[VERTICES];
    int corners[5 * FACES], offsets[FACES + 1] = {0}, segments[8], points[3];
    static const double odd[] = {HUGE_VAL, 1e308, -1e-308, 1e-9, 0.5};
    int is_polygons = round % 2, grid = 2 + round % 3;
    for (int i = 0; i < VERTICES; ++i) {
        double places[3];
        for (int k = 0; k < 3; ++k) {
            places[k] = random_below(random, round % 5 == 0 && k == 2 ? 1 : grid);
            places[k] = round % 7 == 0 && random_below(random, 30) == 0 ? odd[random_below(random, 5)] : places[k];
        }
        vertices[i] = abut_vec3_make(places[0], places[1], places[2]);
    }
    for (int i = 0; i < FACES; ++i) {
        int count = is_polygons ? 2 + random_below(random, 4) : 3;
        offsets[i + 1] = offsets[i] + count;
        for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
            corners[k] = random_below(random, round % 4 == 0 ? VERTICES + 1 : VERTICES);
        }
    }
    for (int i = 0; i < 8; ++i) {
        segments[i] = random_below(random, VERTICES + 1);
        points[i % 3] = random_below(random, VERTICES + 1);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = VERTICES;
    def.face_offsets = offsets;
    def.face_vertices = corners;
    def.face_count = 1 + random_below(random, FACES);
    def.segments = segments;
    def.segment_count = round % 3;
    def.points = points;
    def.point_count = round % 4;
    abut_check *check = check_def(&def, -1.0);
    double tolerance = abut_check_get_report(check).tolerance;
    abut_check_destroy(check);
    abut_check_params params = abut_check_params_default();
    params.tolerance = tolerance;
    abut_remade remade;
    abut_error error = {.text = ""};
    if (!CHECK(abut_repair(NULL, &def, &params, &remade, &error) == ABUT_OK, "%s", error.text)) {
        return;
    }
    abut_mesh_def made = abut_mesh_get_def(remade.mesh);
    check = check_def(&made, tolerance);
    abut_check_report report = abut_check_get_report(check);
    for (int i = 0; i < report.finding_count; ++i) {
        const abut_finding *finding = &report.findings[i];
        int is_copy =
            finding->kind == ABUT_FINDING_DUPLICATE_VERTEX && finding->count <= remade.counts.vertices_added;
        CHECK(finding->effect != ABUT_REPAIR_ALL || finding->is_note || is_copy, "round %d: %lld of %s are left",
              round, (long long)finding->count, finding->name);
    }
    abut_check_destroy(check);
    abut_remade_release(NULL, &remade);
}

static void test_rubbish(void **state)
{
    (void)state;
    test_random random = {99};
    int rounds = sample_count(2000, 60000);
    for (int round = 0; round < rounds; ++round) {
        check_rubbish(&random, round);
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_repair_of_damage),
        cmocka_unit_test(test_crossing_of_two),
        cmocka_unit_test(test_crossings_by_brute_force),
        cmocka_unit_test(test_near_vertices_by_brute_force),
        cmocka_unit_test(test_nesting_by_brute_force),
        cmocka_unit_test(test_rubbish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
