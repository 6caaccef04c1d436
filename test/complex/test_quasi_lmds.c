// SPDX-License-Identifier: MIT
// test_quasi_lmds.c: quasi-LMDs against the definition, all pairs, and answers on paper
#include "effort.h"
#include "failing.h"
#include "random_bodies.h"
#include "star_oracle.h"

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct lmd_scene {
    abut_mesh *mesh_a, *mesh_b;
    abut_complex *a, *b;
    abut_lmd_set *set;
    abut_lmd_def def;
    abut_lmd_view view;
} lmd_scene;

/// Takes the meshes.
static lmd_scene begin_scene(abut_mesh *mesh_a, abut_mesh *mesh_b)
{
    lmd_scene s = {.mesh_a = mesh_a, .mesh_b = mesh_b};
    s.a = make_complex(NULL, mesh_a);
    s.b = make_complex(NULL, mesh_b);
    assert_int_equal(abut_lmd_set_create(NULL, &s.set), ABUT_OK);
    s.def = abut_lmd_def_default();
    s.def.a = s.a;
    s.def.b = s.b;
    return s;
}

static void end_scene(lmd_scene *s)
{
    abut_lmd_set_destroy(s->set);
    abut_complex_destroy(s->a);
    abut_complex_destroy(s->b);
    abut_mesh_destroy(s->mesh_a);
    abut_mesh_destroy(s->mesh_b);
}

static void find(lmd_scene *s)
{
    abut_error error;
    CHECK_STATUS(abut_find_lmds(&s->def, s->set, &error), ABUT_OK, "search");
    s->view = abut_lmd_set_get(s->set);
}

static abut_vec3 normal_of(const abut_lmd *lmd)
{
    return abut_unit(abut_sub(lmd->point_b, lmd->point_a));
}

/// How many different places with different normals there are.
static int count_places(const abut_lmd_view *view)
{
    int count = 0;
    for (int i = 0; i < view->count; ++i) {
        int is_new = 1;
        for (int k = 0; k < i && is_new; ++k) {
            const abut_lmd *p = &view->items[i], *q = &view->items[k];
            is_new = abut_norm(abut_sub(p->point_a, q->point_a)) > 1e-9 ||
                     abut_norm(abut_sub(p->point_b, q->point_b)) > 1e-9 ||
                     abut_norm(abut_sub(normal_of(p), normal_of(q))) > 1e-6;
        }
        count += is_new;
    }
    return count;
}

// A cube on the middle of a plate, 0.01 above it: four quasi-LMDs at its corners, gap 0.01. Turned about an axis in the
// plane by any angle below theta they stay four (Figure 5); a little above theta only the lower ones are left: one or
// two.
static void cube_on_a_plate(void **state)
{
    (void)state;
    lmd_scene s = begin_scene(make_box(NULL, v3(-5, -5, -1), v3(5, 5, 0)),
                              make_box(NULL, v3(-0.5, -0.5, 0), v3(0.5, 0.5, 1)));
    s.def.reach = 0.5;
    s.def.b_to_a.position = v3(0.1, 0.2, 0.01);
    find(&s);
    CHECK_INT(count_places(&s.view), 4, "flat");
    for (int i = 0; i < s.view.count; ++i) {
        CHECK_NEAR(s.view.items[i].distance, 0.01, 1e-12, "gap");
        CHECK_NEAR(normal_of(&s.view.items[i]).z, 1.0, 1e-12, "normal");
    }
    test_random random = {11};
    for (int i = 0; i < 2000; ++i) {
        double direction = random_in(&random, 0, 6.3),
               tilt = (i % 2 ? 2.001 : 1.999 * random_in(&random, 0, 1)) * degree;
        s.def.b_to_a.rotation = abut_quat_from_axis(v3(cos(direction), sin(direction), 0), tilt);
        s.def.b_to_a.position.z = 0.05;
        find(&s);
        int places = count_places(&s.view);
        // above theta: a vertex is lost if one of its edges in the lower face rises by more than theta
        CHECK(i % 2 ? places >= 1 && places <= 4 : places == 4, "%d places at %.4f degrees about %g", places,
              tilt / degree, direction);
    }
    s.def.b_to_a.rotation = abut_quat_from_axis(v3(1, 0, 0), 2.001 * degree);
    find(&s);
    CHECK_INT(count_places(&s.view), 2, "two corners above theta");
    s.def.b_to_a.rotation = abut_quat_from_axis(abut_unit(v3(1, 1, 0)), 4.0 * degree);
    find(&s);
    CHECK_INT(count_places(&s.view), 1, "one corner");
    end_scene(&s);
    CHECK_DONE();
}

// Equal boxes, one exactly on the other: corner on corner, at four places. Each is found by many pairs: the corner with
// the other's corner, edges and face.
static void aligned_boxes(void **state)
{
    (void)state;
    lmd_scene s = begin_scene(make_box(NULL, v3(-0.5, -0.5, -1), v3(0.5, 0.5, 0)),
                              make_box(NULL, v3(-0.5, -0.5, 0), v3(0.5, 0.5, 1)));
    s.def.reach = 0.1;
    s.def.b_to_a.position.z = 0.03;
    find(&s);
    CHECK_INT(count_places(&s.view), 4, "places");
    CHECK(s.view.count > 4, "owners");
    for (int i = 0; i < s.view.count; ++i) {
        const abut_lmd *lmd = &s.view.items[i];
        CHECK_NEAR(lmd->distance, 0.03, 1e-15, "gap");
        CHECK_NEAR(fabs(lmd->point_a.x) + fabs(lmd->point_a.y), 1.0, 1e-12, "corner");
    }
    end_scene(&s);
    CHECK_DONE();
}

// A point outside a convex solid has one nearest point, and that is its only local minimum. The box has diagonals, a
// vertex inside a face and one inside an edge; positions lie on a lattice that meets all of them exactly, near it, or
// anywhere. On paper: rounding may turn the direction and the edges of a simplex by 8 roundings over the shortest edge
// each, which is 0.5, so simplices whose points are nearer than 32 roundings times the distance own a position together.
static void one_owner_for_every_position(void **state)
{
    (void)state;
    const abut_vec3 vertices[10] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},   {0, 0, 1},
                                    {1, 0, 1}, {1, 1, 1}, {0, 1, 1}, {0, 0.5, 1}, {0.5, 0.5, 1}};
    const int triangles[] = {0, 2, 1, 0, 3, 2, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6,
                             3, 0, 8, 0, 4, 8, 3, 8, 7, 9, 4, 5, 9, 5, 6, 9, 6, 7, 9, 7, 8, 9, 8, 4};
    const abut_vec3 origin = {0, 0, 0};
    test_random random = {5};
    for (int turned = 0; turned < 4; ++turned) {
        abut_pose pose = abut_pose_identity();
        if (turned > 0) {
            pose = abut_pose_make(random_vec3(&random, turned == 3 ? 1e4 : 1.0), random_rotation(&random));
        }
        double size = abut_norm(pose.position) + 2.0; // of the coordinates
        abut_mesh *box = make_triangles(NULL, vertices, 10, triangles, 16);
        abut_mesh *placed = make_moved(box, pose, 1.0);
        abut_mesh_destroy(box);
        lmd_scene s = begin_scene(placed, make_segments(&origin, 1, NULL, 0));
        s.def.reach = 10.0;
        int count = sample_count(4000, 250000), wrong = 0;
        for (int i = 0; i < count; ++i) {
            abut_vec3 p = v3(0.125 * (random_below(&random, 17) - 4), 0.125 * (random_below(&random, 17) - 4),
                             0.125 * (random_below(&random, 17) - 4));
            p = i % 4 == 1 ? abut_add(p, random_vec3(&random, 1e-15)) : p;
            p = i % 4 == 2 ? abut_add(p, random_vec3(&random, 1e-9)) : p;
            p = i % 4 == 3 ? random_vec3(&random, 2.0) : p;
            abut_vec3 q = v3(fmin(fmax(p.x, 0), 1), fmin(fmax(p.y, 0), 1), fmin(fmax(p.z, 0), 1));
            double distance = abut_norm(abut_sub(p, q));
            if (distance < 1e-6) {
                continue; // inside or on it
            }
            s.def.b_to_a.position = abut_pose_apply(pose, p);
            find(&s);
            double slack = 1e-12 + 0x1p-50 * size * (8.0 + 32.0 * distance);
            int is_right = s.view.count >= 1 && s.view.count < 12;
            for (int k = 0; k < s.view.count; ++k) {
                is_right = is_right && fabs(s.view.items[k].distance - distance) < slack &&
                           abut_norm(abut_sub(s.view.items[k].point_a, abut_pose_apply(pose, q))) < slack;
            }
            wrong += !is_right;
            CHECK(is_right || wrong > 5, "%d minima at %.17g %.17g %.17g, turned %d", s.view.count, p.x, p.y, p.z,
                  turned);
        }
        CHECK_INT(wrong, 0, "positions without exactly one place");
        end_scene(&s);
    }
    CHECK_DONE();
}

static int compare_lmds(const void *left, const void *right)
{
    const abut_lmd *a = left, *b = right;
    return a->simplex_a != b->simplex_a ? a->simplex_a - b->simplex_a : a->simplex_b - b->simplex_b;
}

static abut_lmd *sorted_copy(const abut_lmd_view *view)
{
    abut_lmd *copy = malloc((size_t)(view->count + 1) * sizeof *copy);
    for (int i = 0; i < view->count; ++i) { // not memcpy(): without items there is no pointer
        copy[i] = view->items[i];
    }
    qsort(copy, (size_t)view->count, sizeof *copy, compare_lmds);
    return copy;
}

static abut_pose random_apart(test_random *random, int i)
{
    abut_pose pose = abut_pose_identity();
    double away = random_in(random, 0.8, 1.6);
    pose.position = abut_scale(away, random_unit(random));
    if (i % 3 == 0) { // parallel faces, some of them aligned
        pose.position =
            v3(1.1 + 0.5 * random_below(random, 2), random_below(random, 3) / 3.0, random_below(random, 3) / 3.0);
    } else if (i % 3 == 1) {
        pose.rotation = abut_quat_from_axis(random_unit(random), random_in(random, 0, 0.05));
    } else {
        pose.rotation = random_rotation(random);
    }
    return pose;
}

// The hierarchy finds what all pairs of simplices give, bit by bit, and so does the plain one.
static void hierarchy_loses_nothing(void **state)
{
    (void)state;
    test_random random = {21};
    int found = 0, count = sample_count(160, 6000);
    for (int i = 0; i < count; ++i) {
        lmd_scene s = begin_scene(make_random_body(&random, i % 4), make_random_body(&random, i / 4 % 4));
        s.def.reach = random_in(&random, 0.05, 1.0);
        s.def.theta = (i % 5) * degree;
        s.def.b_to_a = random_apart(&random, i);
        find(&s);
        abut_lmd *tree = sorted_copy(&s.view);
        int tree_count = s.view.count;
        abut_lmd_stats stats = s.view.stats;
        s.def.is_exhaustive = 1;
        find(&s);
        abut_lmd *all = sorted_copy(&s.view);
        CHECK_INT(tree_count, s.view.count, "number");
        CHECK(tree_count != s.view.count || memcmp(tree, all, (size_t)tree_count * sizeof *tree) == 0, "pair %d",
              i);
        CHECK(stats.leaf_pairs <= s.view.stats.leaf_pairs, "fewer pairs");
        found += tree_count;
        free(tree);
        free(all);
        if (i % 8 == 0) {
            abut_complex_def def = abut_complex_def_default();
            def.mesh = s.mesh_a;
            def.is_plain = 1;
            abut_complex *plain = NULL;
            assert_int_equal(abut_complex_create(NULL, &def, &plain, NULL), ABUT_OK);
            s.def.is_exhaustive = 0;
            s.def.a = plain;
            find(&s);
            CHECK_INT(s.view.count, tree_count, "plain");
            abut_complex_destroy(plain);
        }
        end_scene(&s);
    }
    CHECK(found > 3 * count, "only %d found", found);
    CHECK_DONE();
}

// By definition: with theta 0, every pair of points is a local minimum of the distance over the filled solids. Every local
// minimum has one of the same distance and direction in the set. The least is the distance. With theta the set only
// grows.
static void minima_by_definition(void **state)
{
    (void)state;
    test_random random = {31};
    int checked = 0, count = sample_count(12, 1500);
    for (int i = 0; i < count; ++i) {
        lmd_scene s = begin_scene(make_random_body(&random, i % 4), make_random_body(&random, i / 4 % 4));
        s.def.theta = 0.0;
        s.def.b_to_a = random_apart(&random, i);
        oracle_body a = oracle_make(s.mesh_a, abut_pose_identity()), b = oracle_make(s.mesh_b, s.def.b_to_a);
        double distance = oracle_distance(&a, &b);
        if (distance < 1e-3 || oracle_meet(&a, &b)) {
            oracle_free(&a);
            oracle_free(&b);
            end_scene(&s);
            continue;
        }
        s.def.reach = distance + 0.2;
        find(&s);
        double least = HUGE_VAL;
        for (int k = 0; k < s.view.count; ++k) {
            const abut_lmd *lmd = &s.view.items[k];
            least = fmin(least, lmd->distance);
            CHECK(k % 4 != 0 || oracle_is_minimum(&a, &b, lmd->point_a, lmd->point_b, 1e-9),
                  "pair %d: not a minimum: simplices %d and %d", i, lmd->simplex_a, lmd->simplex_b);
        }
        CHECK_NEAR(least, distance, 1e-12, "least distance");
        for (int k = 0; k < a.count; k += 1 + random_below(&random, 4)) {
            for (int l = 0; l < b.count; l += 1 + random_below(&random, 4)) {
                oracle_pair pair = oracle_nearest(&a, k, &b, l);
                double length = sqrt(pair.squared);
                if (length > s.def.reach - 1e-6 || !oracle_is_minimum(&a, &b, pair.a, pair.b, 1e-13)) {
                    continue;
                }
                int is_known = 0;
                abut_vec3 normal = abut_unit(abut_sub(pair.b, pair.a));
                for (int m = 0; m < s.view.count && !is_known; ++m) {
                    is_known = fabs(s.view.items[m].distance - length) < 1e-9 &&
                               abut_norm(abut_sub(normal_of(&s.view.items[m]), normal)) < 1e-6;
                }
                CHECK(is_known, "pair %d: minimum %.12g of elements %d and %d is not in the set", i, length, k, l);
                ++checked;
            }
        }
        int strict = s.view.count;
        s.def.theta = 2.0 * degree;
        find(&s);
        CHECK(s.view.count >= strict, "theta adds");
        oracle_free(&a);
        oracle_free(&b);
        end_scene(&s);
    }
    CHECK(checked > count / 2, "only %d minima", checked);
    CHECK_DONE();
}

/// A point of a simplex; of a tetrahedron, in one of its faces.
static abut_vec3 random_point_of(const oracle_body *body, int simplex, test_random *random)
{
    abut_vec3 corners[4], p = {0, 0, 0};
    int count = oracle_corners(body, simplex, corners);
    double weights[4], sum = 0.0;
    int left_out = count == 4 ? random_below(random, 4) : -1;
    for (int i = 0; i < count; ++i) {
        sum += weights[i] = i == left_out ? 0.0 : random_in(random, 0.01, 1.0);
    }
    for (int i = 0; i < count; ++i) {
        p = abut_add_scaled(p, weights[i] / sum, corners[i]);
    }
    return p;
}

enum { MOST_AT = 256 };

/// The simplices that a point is on.
static int star_of(const oracle_body *body, abut_vec3 p, int star[MOST_AT])
{
    int count = 0;
    for (int i = 0; i < body->count && count < MOST_AT; ++i) {
        if (oracle_is_on(body, i, p)) {
            star[count++] = i;
        }
    }
    return count;
}

/// Follows the distance downhill from two points: to the nearest points of the simplices at them, again and again. Returns
/// 0 if that does not end.
static int descend(const oracle_body *a, const oracle_body *b, abut_vec3 *x, abut_vec3 *y)
{
    for (int round = 0; round < 500; ++round) {
        int at_x[MOST_AT], at_y[MOST_AT];
        int count_x = star_of(a, *x, at_x), count_y = star_of(b, *y, at_y);
        oracle_pair best = {.squared = HUGE_VAL};
        for (int i = 0; i < count_x * count_y; ++i) {
            oracle_pair pair = oracle_nearest(a, at_x[i / count_y], b, at_y[i % count_y]);
            oracle_keep(&best, pair.squared, pair.a, pair.b);
        }
        if (sqrt(best.squared) > abut_norm(abut_sub(*x, *y)) - 1e-14) {
            return 1;
        }
        *x = best.a;
        *y = best.b;
    }
    return 0;
}

/// Whether the distance from points of `body` near x to points of `other` near y is always above that of x and y.
static int grows_around(const oracle_body *body, abut_vec3 x, const oracle_body *other, abut_vec3 y,
                        test_random *random)
{
    int at_x[MOST_AT], at_y[MOST_AT];
    int count_x = star_of(body, x, at_x), count_y = star_of(other, y, at_y);
    for (int i = 0; i < 20 * count_x; ++i) {
        int simplex = at_x[i / 20];
        abut_vec3 p = abut_lerp(x, random_point_of(body, simplex, random), 0.01), corners[4];
        oracle_pair best = {.squared = HUGE_VAL};
        for (int k = 0; k < count_y; ++k) {
            oracle_point(p, corners, oracle_corners(other, at_y[k], corners), 0, &best);
        }
        if (body->sizes[simplex] > 1 && sqrt(best.squared) < abut_norm(abut_sub(x, y)) + 1e-9) {
            return 0;
        }
    }
    return 1;
}

// From random starts downhill: where that ends is a local minimum. If it is strict, both its points are in the set; if
// not, one of the same distance and direction is.
static void minima_by_descent(void **state)
{
    (void)state;
    test_random random = {37};
    int strict = 0, others = 0, count = sample_count(24, 2000);
    for (int i = 0; i < count; ++i) {
        lmd_scene s = begin_scene(make_random_body(&random, i % 4), make_random_body(&random, i / 4 % 4));
        s.def.theta = i % 3 == 0 ? 0.0 : 2.0 * degree;
        s.def.b_to_a = random_apart(&random, i);
        oracle_body a = oracle_make(s.mesh_a, abut_pose_identity()), b = oracle_make(s.mesh_b, s.def.b_to_a);
        int is_apart = oracle_distance(&a, &b) > 1e-3 && !oracle_meet(&a, &b);
        s.def.reach = 5.0;
        if (is_apart) {
            find(&s);
        }
        for (int start = 0; is_apart && start < 12; ++start) {
            abut_vec3 x = random_point_of(&a, random_below(&random, a.count), &random);
            abut_vec3 y = random_point_of(&b, random_below(&random, b.count), &random);
            if (!descend(&a, &b, &x, &y)) {
                continue;
            }
            double length = abut_norm(abut_sub(x, y));
            abut_vec3 normal = abut_unit(abut_sub(y, x));
            int is_known = 0, is_there = 0,
                must_be_there = grows_around(&a, x, &b, y, &random) && grows_around(&b, y, &a, x, &random);
            for (int k = 0; k < s.view.count; ++k) {
                const abut_lmd *lmd = &s.view.items[k];
                is_known |=
                    fabs(lmd->distance - length) < 1e-9 && abut_norm(abut_sub(normal_of(lmd), normal)) < 1e-6;
                is_there |=
                    abut_norm(abut_sub(lmd->point_a, x)) < 1e-6 && abut_norm(abut_sub(lmd->point_b, y)) < 1e-6;
            }
            CHECK(is_known, "pair %d: no quasi-LMD of length %.12g", i, length);
            CHECK(is_there || !must_be_there, "pair %d: a strict minimum of length %.12g is not in the set", i,
                  length);
            strict += must_be_there;
            others += !must_be_there;
        }
        oracle_free(&a);
        oracle_free(&b);
        end_scene(&s);
    }
    CHECK(strict > count && others > 0, "only %d strict minima, %d others", strict, others);
    CHECK_DONE();
}

// A point around sharp tetrahedra, whose corners have polar cones wider than a half-space about the mean of their rays: the
// nearest point of the faces is always found.
static void sharp_corners(void **state)
{
    (void)state;
    const abut_vec3 origin = {0, 0, 0};
    const int triangles[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    test_random random = {47};
    int lost = 0, asked = 0, count = sample_count(400, 8000);
    for (int i = 0; i < count; ++i) {
        double width = pow(0.4, i % 4);
        abut_vec3 v[4] = {{0, 0, 0}};
        for (int k = 1; k < 4; ++k) {
            v[k] = abut_add(v3(0, 0, -1), v3(random_in(&random, -width, width), random_in(&random, -width, width),
                                             i % 4 == 0 ? random_in(&random, -1, 1) : 0.0));
        }
        double volume = oracle_volume(v[0], v[1], v[2], v[3]);
        if (fabs(volume) < 1e-4) {
            continue;
        }
        if (volume < 0.0) {
            abut_vec3 swapped = v[1];
            v[1] = v[2];
            v[2] = swapped;
        }
        lmd_scene s = begin_scene(make_triangles(NULL, v, 4, triangles, 4), make_segments(&origin, 1, NULL, 0));
        oracle_body a = oracle_make(s.mesh_a, abut_pose_identity());
        for (int k = 0; k < 40; ++k) {
            abut_vec3 p = abut_add(v[k % 4], random_vec3(&random, k % 2 ? 0.3 : 1.0));
            oracle_pair best = {.squared = HUGE_VAL};
            int is_inside = 1;
            for (int f = 0; f < 4; ++f) {
                abut_vec3 c[4];
                (void)oracle_corners(&a, f, c);
                is_inside &= oracle_volume(c[0], c[1], c[2], p) < 0.0;
                oracle_point(p, c, 3, 1, &best);
            }
            if (is_inside || best.squared < 1e-12) {
                continue;
            }
            s.def.b_to_a.position = p;
            s.def.reach = sqrt(best.squared) + 1e-6;
            find(&s);
            int is_found = 0;
            for (int m = 0; m < s.view.count; ++m) {
                is_found |= fabs(s.view.items[m].distance - sqrt(best.squared)) < 1e-9;
            }
            lost += !is_found;
            ++asked;
        }
        oracle_free(&a);
        end_scene(&s);
    }
    CHECK_INT(lost, 0, "positions without their nearest point");
    CHECK(asked > 10 * count, "only %d positions", asked);
    CHECK_DONE();
}

// Two edges that cross at a tiny angle, just beyond the end of one of them: what is found is at right angles to both.
static void nearly_parallel_edges(void **state)
{
    (void)state;
    const abut_vec3 ends[2] = {{-1, 0, 0}, {1, 0, 0}};
    const int segment[2] = {0, 1};
    test_random random = {53};
    lmd_scene s = begin_scene(make_segments(ends, 2, segment, 1), make_segments(ends, 2, segment, 1));
    s.def.reach = 0.2;
    for (int i = 0; i < sample_count(4000, 200000); ++i) {
        double angle = pow(10.0, random_in(&random, -11.0, -3.0)), along = random_in(&random, -2.5, 2.5);
        abut_vec3 across = {0, 0, 0.1};
        // the crossing is beyond the end by about what rounding over the angle is
        double beyond = 1.0 + random_in(&random, -3.0, 3.0) * 1e-14 / angle;
        s.def.b_to_a.rotation = abut_quat_from_axis(v3(0, 0, 1), angle);
        s.def.b_to_a.position = abut_add(across, v3(along, (along - beyond) * tan(angle), 0));
        find(&s);
        for (int k = 0; k < s.view.count; ++k) {
            const abut_lmd *lmd = &s.view.items[k];
            abut_vec3 d = abut_sub(lmd->point_b, lmd->point_a);
            int is_of_edges = abut_complex_get_simplex(s.a, lmd->simplex_a).corner_count +
                                  abut_complex_get_simplex(s.b, lmd->simplex_b).corner_count ==
                              4;
            CHECK(!is_of_edges || fabs(d.x) < 1e-3 * lmd->distance, "angle %g: %g along edges at distance %g",
                  angle, d.x, lmd->distance);
        }
    }
    end_scene(&s);
    CHECK_DONE();
}

// Cubes of 1e20 and 1e-20: their quasi-LMDs are as those of unit cubes.
static void any_size(void **state)
{
    (void)state;
    for (int exponent = -50; exponent <= 50; exponent += 10) {
        double scale = pow(10.0, exponent);
        abut_vec3 high = {scale, scale, scale}, low = {0, 0, 0};
        lmd_scene s = begin_scene(make_box(NULL, low, high), make_box(NULL, low, high));
        s.def.reach = 0.2 * scale;
        s.def.b_to_a.position = v3(0.3 * scale, 0.2 * scale, 1.1 * scale);
        find(&s);
        CHECK(s.view.count > 0 && fabs(s.view.items[0].distance / scale - 0.1) < 1e-9, "1e%d: %d found", exponent,
              s.view.count);
        end_scene(&s);
    }
    CHECK_DONE();
}

// A reach longer than bodies can be apart finds all, with no more effort than one that is long enough.
static void any_reach(void **state)
{
    (void)state;
    test_random random = {57};
    lmd_scene s = begin_scene(make_cells(&random, 0.2), make_cells(&random, 0.2));
    int64_t pairs = 0;
    int count = 0;
    s.def.b_to_a.position = v3(1.5, 0, 0);
    for (int exponent = 1; exponent <= 300; exponent += 13) {
        s.def.reach = pow(10.0, exponent);
        find(&s);
        pairs = exponent == 1 ? s.view.stats.leaf_pairs : pairs;
        count = exponent == 1 ? s.view.count : count;
        CHECK_INT(s.view.count, count, "number");
        CHECK(s.view.stats.leaf_pairs <= pairs, "1e%d: %lld pairs, not %lld", exponent,
              (long long)s.view.stats.leaf_pairs, (long long)pairs);
    }
    CHECK(count > 0, "none");
    end_scene(&s);
    CHECK_DONE();
}

/// A unit cube. Bit k of `diagonals` says along which diagonal face k is cut.
static abut_mesh *make_cut_cube(int diagonals)
{
    static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    abut_vec3 vertices[8];
    int triangles[36];
    for (int i = 0; i < 8; ++i) {
        vertices[i] = v3(i & 1 ? 1 : 0, i & 2 ? 1 : 0, i & 4 ? 1 : 0);
    }
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) {
            static const int corners[6] = {0, 1, 2, 0, 2, 3};
            triangles[6 * i + k] = faces[i][(corners[k] + (diagonals >> i & 1)) % 4];
        }
    }
    return make_triangles(NULL, vertices, 8, triangles, 12);
}

// How flat faces are cut into triangles does not matter: cubes with other diagonals have quasi-LMDs at the same places,
// also at the borders of the widened cones, where an axis that leans to one side would show.
static void diagonals_do_not_matter(void **state)
{
    (void)state;
    test_random random = {43};
    int found = 0, count = sample_count(300, 20000);
    for (int i = 0; i < count; ++i) {
        const abut_vec3 point = {0, 0, 0}, ends[2] = {{-2, 0, 0}, {2, 0, 0}};
        const int segment[2] = {0, 1};
        lmd_scene s = begin_scene(make_cut_cube(0), i % 3 == 0   ? make_segments(ends, 2, segment, 1)
                                                    : i % 3 == 1 ? make_cut_cube(0)
                                                                 : make_segments(&point, 1, NULL, 0));
        s.def.theta = random_in(&random, 1.0, 20.0) * degree;
        s.def.reach = 1.0;
        s.def.b_to_a = abut_pose_make(
            abut_add(v3(0.5, 0.5, 0.5), abut_scale(random_in(&random, 1.0, 1.9), random_unit(&random))),
            random_rotation(&random));
        find(&s);
        abut_lmd *first = sorted_copy(&s.view);
        int first_count = s.view.count, first_places = count_places(&s.view);
        abut_mesh *mesh = make_cut_cube(1 + random_below(&random, 63));
        abut_complex *other = make_complex(NULL, mesh);
        s.def.a = other;
        find(&s);
        CHECK_INT(count_places(&s.view), first_places, "places");
        for (int k = 0; k < s.view.count; ++k) {
            int is_there = 0;
            for (int m = 0; m < first_count && !is_there; ++m) {
                is_there = abut_norm(abut_sub(first[m].point_a, s.view.items[k].point_a)) < 1e-9 &&
                           abut_norm(abut_sub(first[m].point_b, s.view.items[k].point_b)) < 1e-9;
            }
            CHECK(is_there, "pair %d, item %d", i, k);
        }
        found += first_count;
        free(first);
        abut_complex_destroy(other);
        abut_mesh_destroy(mesh);
        end_scene(&s);
    }
    CHECK(found > count / 2, "only %d found", found);
    CHECK_DONE();
}

// A solid filled with tetrahedra and its closed surface alone give the same quasi-LMDs.
static void surface_alone(void **state)
{
    (void)state;
    test_random random = {41};
    int compared = 0, count = sample_count(60, 3000);
    for (int i = 0; i < count; ++i) {
        abut_mesh *cells = make_random_body(&random, i % 2);
        for (abut_mesh_info info = abut_mesh_get_info(cells); !info.is_closed || !info.is_oriented;
             info = abut_mesh_get_info(cells)) { // cells meet at an edge
            abut_mesh_destroy(cells);
            cells = make_random_body(&random, i % 2);
        }
        lmd_scene s = begin_scene(cells, make_random_body(&random, i / 2 % 4));
        s.def.reach = 0.8;
        s.def.b_to_a = random_apart(&random, i);
        abut_mesh *surface = make_surface(s.mesh_a);
        abut_complex *hollow = make_complex(NULL, surface);
        find(&s);
        abut_lmd *filled = sorted_copy(&s.view);
        int filled_count = s.view.count;
        s.def.a = hollow;
        find(&s);
        CHECK_INT(s.view.count, filled_count, "number");
        for (int k = 0; k < s.view.count; ++k) {
            int is_there = 0;
            for (int m = 0; m < filled_count && !is_there; ++m) {
                is_there = abut_norm(abut_sub(filled[m].point_a, s.view.items[k].point_a)) < 1e-12 &&
                           abut_norm(abut_sub(filled[m].point_b, s.view.items[k].point_b)) < 1e-12;
            }
            CHECK(is_there, "pair %d, item %d", i, k);
        }
        compared += s.view.count;
        free(filled);
        abut_complex_destroy(hollow);
        abut_mesh_destroy(surface);
        end_scene(&s);
    }
    CHECK(compared > count, "only %d compared", compared);
    CHECK_DONE();
}

// One and four threads build the same hierarchies and find the same, byte by byte.
static void threads_do_not_matter(void **state)
{
    (void)state;
    abut_lmd *first = NULL;
    int first_count = 0;
    for (int threads = 1; threads <= 4; threads += 3) {
        abut_context context = abut_context_default();
        context.worker_count = threads;
        test_random random = {51};
        abut_mesh *mesh = make_cells(&random, 0.2);
        abut_complex *a = make_complex(&context, mesh);
        abut_lmd_set *set = NULL;
        assert_int_equal(abut_lmd_set_create(&context, &set), ABUT_OK);
        abut_lmd_def def = abut_lmd_def_default();
        def.a = def.b = a;
        def.reach = 3.0;
        def.b_to_a.position = v3(1.2, 0.1, 0.2);
        CHECK_STATUS(abut_find_lmds(&def, set, NULL), ABUT_OK, "search");
        abut_lmd_view view = abut_lmd_set_get(set);
        if (threads == 1) {
            first_count = view.count;
            first = malloc((size_t)view.count * sizeof *first);
            memcpy(first, view.items, (size_t)view.count * sizeof *first);
            CHECK(first_count > 20, "only %d", first_count);
        } else {
            CHECK_INT(view.count, first_count, "number");
            CHECK(view.count != first_count || memcmp(first, view.items, (size_t)view.count * sizeof *first) == 0,
                  "bytes");
        }
        abut_lmd_set_destroy(set);
        abut_complex_destroy(a);
        abut_mesh_destroy(mesh);
    }
    free(first);
    CHECK_DONE();
}

// A repeated search makes no heap calls; at most 160 bytes a simplex; wrong arguments are refused.
static void memory_and_arguments(void **state)
{
    (void)state;
    failing_heap heap = {0};
    abut_context context = failing_context(&heap);
    context.worker_count = 1;
    test_random random = {61};
    abut_mesh *cells = make_cells(&random, 0.2), *mesh = make_surface(cells);
    abut_mesh_destroy(cells);
    abut_complex *a = make_complex(&context, mesh);
    abut_complex_info info = abut_complex_get_info(a);
    int simplices = info.vertex_count + info.edge_count + info.triangle_count;
    CHECK(info.bytes < 160 * (int64_t)simplices, "%lld bytes for %d simplices", (long long)info.bytes, simplices);
    abut_lmd_set *set = NULL;
    assert_int_equal(abut_lmd_set_create(&context, &set), ABUT_OK);
    abut_lmd_def def = abut_lmd_def_default();
    abut_error error;
    CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_BAD_ARGUMENT, "no complexes");
    def.a = def.b = a;
    def.b_to_a.position = v3(1.2, 0.1, 0.2);
    def.reach = 0.5;
    CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_OK, "search");
    int calls = heap.calls;
    CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_OK, "again");
    CHECK_INT(heap.calls, calls, "heap calls");
    def.reach = NAN;
    CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_BAD_ARGUMENT, "reach");
    CHECK_INT(abut_lmd_set_get(set).count, 0, "empty after a failure");
    def.reach = 1.0;
    def.theta = -0.1;
    CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_BAD_ARGUMENT, "theta");
    def.theta = 0.1;
    def.b_to_a.position.x = INFINITY;
    CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_BAD_ARGUMENT, "pose");
    // touching bodies have no direction there
    def.b_to_a.position = v3(0, 0, 0);
    def.reach = 0.01;
    CHECK_STATUS(abut_find_lmds(&def, set, &error), ABUT_OK, "touching");
    CHECK(abut_lmd_set_get(set).stats.touching_pairs > 0, "touching pairs");
    abut_lmd_set_destroy(set);
    abut_complex_destroy(a);
    abut_mesh_destroy(mesh);
    CHECK_INT(heap.live, 0, "leak");
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_on_a_plate),
        cmocka_unit_test(aligned_boxes),
        cmocka_unit_test(one_owner_for_every_position),
        cmocka_unit_test(hierarchy_loses_nothing),
        cmocka_unit_test(minima_by_definition),
        cmocka_unit_test(minima_by_descent),
        cmocka_unit_test(sharp_corners),
        cmocka_unit_test(nearly_parallel_edges),
        cmocka_unit_test(any_size),
        cmocka_unit_test(any_reach),
        cmocka_unit_test(diagonals_do_not_matter),
        cmocka_unit_test(surface_alone),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(memory_and_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
