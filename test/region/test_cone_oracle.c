// SPDX-License-Identifier: MIT
// test_cone_oracle.c: cones and feasible motions against slow and simple searches, and how their cost grows
#include "region/motions.h"

#include "check.h"
#include "random.h"

#include "base/context.h"

enum { MOST = 1100 };
static const double PI = 3.14159265358979323846;

static abut_arena start_arena(void)
{
    abut_arena arena;
    abut_context context = abut_context_default();
    abut_arena_init(&arena, &context);
    return arena;
}

// ---- the oracle: all pairs of constraints, each against all constraints

typedef struct ray_set {
    abut_vec3 items[MOST];
    int count;
} ray_set;

static int meets(abut_directions constraints, abut_vec3 v, double angle)
{
    for (int i = 0; i < constraints.count; ++i) {
        if (abut_dot(constraints.items[i], v) < -angle) {
            return 0;
        }
    }
    return 1;
}

static void add_ray(ray_set *set, abut_directions constraints, abut_vec3 ray, double angle)
{
    int is_new = meets(constraints, ray, angle);
    for (int i = 0; i < set->count; ++i) {
        is_new &= !abut_cone_is_same_ray(set->items[i], ray, angle);
    }
    if (is_new) {
        set->items[set->count++] = ray;
    }
}

/// The rays of a cone without a line.
static void slow_rays(abut_directions constraints, double angle, ray_set *set)
{
    set->count = 0;
    for (int i = 0; i < constraints.count; ++i) {
        for (int k = i + 1; k < constraints.count; ++k) {
            abut_vec3 cross = abut_cross(constraints.items[i], constraints.items[k]);
            double length = abut_norm(cross);
            if (length > angle) {
                abut_vec3 ray = abut_scale(1.0 / length, cross);
                add_ray(set, constraints, ray, angle);
                add_ray(set, constraints, abut_negate(ray), angle);
            }
        }
    }
}

// ---- families of cones

/// The edges of a cone of `count` sides about z or -z, regular or not.
static void add_tip(test_random *random, int is_regular, double radius, double up, int count, abut_vec3 *to)
{
    double turn = random_in(random, 0.0, PI);
    for (int i = 0; i < count; ++i) {
        double step = is_regular ? i : i + random_in(random, -0.3, 0.3);
        double angle = turn + 2.0 * PI * step / count;
        to[i] = abut_unit(abut_vec3_make(radius * cos(angle), radius * sin(angle), up));
    }
}

/// Constraints: two tips, a tip and a wedge, or any directions about z; each moved by up to `noise`.
static int make_constraints(test_random *random, int family, double noise, abut_vec3 *to)
{
    int count = 3 + random_below(random, 60), used = 0;
    if (family == 0) {
        int other = 3 + random_below(random, 60);
        add_tip(random, 1, random_in(random, 0.2, 2.0), 1.0, count, to);
        add_tip(random, 1, random_in(random, 0.2, 2.0), 1.0, other, to + count);
        used = count + other;
    } else if (family == 1) {
        double slope = random_in(random, -1.0, 1.0);
        const abut_vec3 wedge[4] = {{1, 0, 0}, {-1, 0, 0}, abut_unit(abut_vec3_make(0, 1, slope)), {0, -0.6, 0.8}};
        add_tip(random, 0, random_in(random, 0.2, 2.0), 1.0, count, to);
        used = count;
        for (int i = 0; i < 4; ++i) {
            to[used++] = wedge[i];
        }
    } else {
        double tilt = random_in(random, -0.2, 1.0);
        for (; used < count; ++used) {
            abut_vec3 v = random_unit(random);
            v.z = fabs(v.z) + tilt;
            to[used] = abut_unit(v);
        }
    }
    abut_quat turn = random_rotation(random);
    for (int i = 0; i < used; ++i) {
        to[i] = abut_unit(abut_add(abut_quat_rotate(turn, to[i]), random_vec3(random, noise)));
    }
    return used;
}

/// Whether a cone contains a line: then its rays are not all crossings of two planes.
static int has_line(abut_directions constraints, double angle)
{
    for (int i = 1; i < constraints.count; ++i) {
        abut_vec3 line = abut_unit(abut_cross(constraints.items[0], constraints.items[i]));
        if (meets(constraints, line, angle) && meets(constraints, abut_negate(line), angle)) {
            return 1;
        }
    }
    return 0;
}

// The rays are those of the slow search, in the same order and to the last bit, however near to each other the
// constraints are: what the fast search leaves out fails the slow one too.
static void rays_are_those_of_all_pairs(void **state)
{
    (void)state;
    test_random random = {14};
    abut_arena arena = start_arena();
    const double angle = 1e-6, noises[] = {0.0, 0.3 * angle, 2.0 * angle, 20.0 * angle};
    static ray_set slow;
    int with_rays = 0;
    for (int round = 0; round < 1200; ++round) {
        abut_vec3 c[MOST];
        abut_directions constraints = {c, make_constraints(&random, round % 3, noises[round / 3 % 4], c)}, rays;
        if (has_line(constraints, angle)) {
            continue;
        }
        slow_rays(constraints, angle, &slow);
        assert_true(abut_cone_rays(&arena, constraints, angle, &rays));
        CHECK_INT(rays.count, slow.count, "rays");
        for (int i = 0; i < rays.count && i < slow.count; ++i) {
            CHECK(abut_norm(abut_sub(rays.items[i], slow.items[i])) <= 1e-15, "round %d: ray %d", round, i);
        }
        with_rays += rays.count > 2;
        abut_arena_reset(&arena);
    }
    CHECK(with_rays > 300, "%d cones with rays", with_rays);
    abut_arena_release(&arena);
    CHECK_DONE();
}

/// Looks for rays of a tip of `count` sides against the edges `others`; returns how many tests that took.
static int64_t tests_of_tip(int count, const abut_vec3 *others, int other_count)
{
    static abut_vec3 c[MOST];
    test_random random = {5};
    abut_arena arena = start_arena();
    abut_direction_list rays = {.arena = &arena};
    add_tip(&random, 1, 0.5, 1.0, count, c);
    for (int i = 0; i < other_count; ++i) {
        c[count + i] = others[i];
    }
    abut_directions constraints = {c, count + other_count};
    assert_true(abut_cone_find_rays(&rays, constraints, 1e-6));
    assert_true(rays.list.count > 0);
    abut_arena_release(&arena);
    return rays.tested;
}

// A tip on a tip of as many sides has as many rays, and each of them must be tested against all constraints: four
// times the tests for twice the sides, and no more. A tip on an edge has two rays, which lie in planes of the wedge:
// twice the tests. The slow search takes eight times as many for both.
static void cost_follows_the_rays(void **state)
{
    (void)state;
    static abut_vec3 tip[MOST];
    const abut_vec3 wedge[4] = {{1, 0, 0}, {-1, 0, 0}, {0, 0.6, 0.8}, {0, -0.6, 0.8}};
    test_random random = {6};
    for (int count = 64; count <= 256; count *= 2) {
        add_tip(&random, 1, 0.4, 1.0, count, tip);
        double more = (double)tests_of_tip(2 * count, tip, count) / (double)tests_of_tip(count, tip, count / 2);
        CHECK(more < 5.0, "tip on tip of %d sides: %g times the tests", count, more);
        more = (double)tests_of_tip(2 * count, wedge, 4) / (double)tests_of_tip(count, wedge, 4);
        CHECK(more < 2.5, "tip of %d sides on an edge: %g times the tests", count, more);
        CHECK(tests_of_tip(count, wedge, 4) < 40 * count, "tip of %d sides on an edge", count);
    }
    CHECK_DONE();
}

// ---- unions

/// Whether n is a sum of at most three of the directions with factors >= -tolerance: by Farkas' lemma, exactly then
/// every v with c . v >= 0 for all directions c has n . v >= 0.
static int is_sum_of(abut_directions directions, abut_vec3 n, double tolerance)
{
    const abut_vec3 *c = directions.items;
    for (int i = 0; i < directions.count; ++i) {
        if (abut_norm(abut_sub(c[i], n)) <= tolerance) {
            return 1;
        }
        for (int k = 0; k < i; ++k) {
            abut_vec3 m = abut_cross(c[i], c[k]);
            double squared = abut_norm_squared(m);
            if (squared > 1e-12 && fabs(abut_dot(m, n)) <= tolerance * sqrt(squared) &&
                abut_dot(abut_cross(c[i], n), m) >= -tolerance * squared &&
                abut_dot(abut_cross(n, c[k]), m) >= -tolerance * squared) {
                return 1;
            }
            for (int j = 0; j < k; ++j) {
                double volume = abut_dot(m, c[j]);
                if (fabs(volume) > 1e-6 && abut_dot(n, abut_cross(c[k], c[j])) / volume >= -tolerance &&
                    abut_dot(abut_cross(c[i], n), c[j]) / volume >= -tolerance &&
                    abut_dot(m, n) / volume >= -tolerance) {
                    return 1;
                }
            }
        }
    }
    return 0;
}

/// The margin by which a motion meets the clauses: of each clause the best normal, of these the worst.
static double margin_of(const abut_feasible *feasible, abut_vec3 v)
{
    double margin = 1.0;
    for (int i = 0; i < feasible->clause_count; ++i) {
        double best = -1.0;
        for (int k = 0; k < feasible->clauses[i].count; ++k) {
            best = fmax(best, abut_dot(feasible->clauses[i].items[k], v));
        }
        margin = fmin(margin, best);
    }
    return margin;
}

/// Checks that a union of cones has exactly the motions of the clauses, that no cone is within another, and that no
/// normal of a cone follows from its others.
static void check_union(const abut_feasible *feasible, test_random *random, int round)
{
    for (int i = 0; i < 300; ++i) {
        abut_vec3 v = random_unit(random);
        double margin = margin_of(feasible, v);
        int is_in = 0;
        for (int k = 0; k < feasible->cone_count; ++k) {
            is_in |= meets(feasible->cones[k], v, 0.0);
        }
        CHECK(fabs(margin) < 1e-6 || is_in == (margin > 0.0), "round %d: motion %d, margin %g", round, i, margin);
    }
    for (int i = 0; i < feasible->cone_count; ++i) {
        abut_directions cone = feasible->cones[i];
        for (int k = 0; k < feasible->cone_count; ++k) {
            int is_within = k != i;
            for (int m = 0; is_within && m < feasible->cones[k].count; ++m) {
                is_within = is_sum_of(cone, feasible->cones[k].items[m], 0.0);
            }
            CHECK(!is_within, "round %d: cone %d is within cone %d", round, i, k);
        }
        for (int k = 0; k < cone.count; ++k) {
            abut_vec3 others[64];
            int count = 0;
            for (int m = 0; m < cone.count && m < 64; ++m) {
                others[count] = cone.items[m];
                count += m != k;
            }
            abut_directions rest = {others, count};
            CHECK(!is_sum_of(rest, cone.items[k], -1e-5), "round %d: normal %d of cone %d", round, k, i);
        }
    }
}

// Random clauses: some of one normal, some of the edges of a random cone of normals.
static void unions_have_the_motions_of_the_clauses(void **state)
{
    (void)state;
    test_random random = {77};
    abut_arena arena = start_arena();
    int most = 0, with_many = 0;
    for (int round = 0; round < 400; ++round) {
        abut_directions clauses[6];
        abut_vec3 normals[6][8];
        int clause_count = 1 + random_below(&random, 6);
        abut_quat turn = random_rotation(&random);
        for (int i = 0; i < clause_count; ++i) {
            int count = random_below(&random, 3) == 0 ? 1 : 2 + random_below(&random, 5);
            add_tip(&random, 0, random_in(&random, 0.1, 1.5), 1.0, count, normals[i]);
            abut_quat lean = abut_quat_from_axis(random_unit(&random), random_in(&random, 0.0, 0.5));
            for (int k = 0; k < count; ++k) {
                normals[i][k] = abut_quat_rotate(abut_quat_multiply(turn, lean), normals[i][k]);
            }
            clauses[i] = (abut_directions){normals[i], count};
        }
        abut_feasible feasible = {.clauses = clauses, .clause_count = clause_count};
        assert_true(abut_feasible_cones(&arena, 1e-9, &feasible));
        CHECK_INT(feasible.is_capped, 0, "capped");
        check_union(&feasible, &random, round);
        most = feasible.cone_count > most ? feasible.cone_count : most;
        with_many += feasible.cone_count > 2;
        abut_arena_reset(&arena);
    }
    CHECK(most > 20 && with_many > 100, "at most %d cones, %d unions of more than two", most, with_many);
    abut_arena_release(&arena);
    CHECK_DONE();
}

// A pit of many walls is one cone with all of their normals: without one of them, the tip could move into that wall.
static void every_wall_of_a_pit_counts(void **state)
{
    (void)state;
    enum { WALLS = 300 };
    static abut_vec3 normals[WALLS];
    static abut_directions clauses[WALLS];
    test_random random = {9};
    abut_arena arena = start_arena();
    for (int count = 3; count <= WALLS; count *= 10) {
        add_tip(&random, 0, 1.0, 1.0, count, normals);
        for (int i = 0; i < count; ++i) {
            clauses[i] = (abut_directions){&normals[i], 1};
        }
        abut_feasible feasible = {.clauses = clauses, .clause_count = count};
        assert_true(abut_feasible_cones(&arena, 1e-6, &feasible));
        CHECK_INT(feasible.cone_count, 1, "one cone");
        CHECK_INT(feasible.cones[0].count, count, "walls");
    }
    abut_arena_release(&arena);
    CHECK_DONE();
}

// A half-space has one normal. The search for the normals of its rays and those of another piece finds the same one,
// or none if the other piece is partly in it.
static void half_spaces_have_one_normal(void **state)
{
    (void)state;
    test_random random = {21};
    abut_arena arena = start_arena();
    int separate = 0;
    for (int round = 0; round < 2000; ++round) {
        abut_vec3 normal = random_unit(&random), inward = abut_negate(normal), edges[12];
        abut_directions constraints = {&inward, 1};
        abut_piece half = {.is_half_space = 1, .normal = normal}, tip = {.rays = {edges, 3 + round % 10}};
        assert_true(abut_cone_rays(&arena, constraints, 1e-9, &half.rays));
        for (int i = 0; i < tip.rays.count; ++i) {
            edges[i] = random_unit(&random);
            double height = abut_dot(edges[i], normal);
            if (height < 0.0 && random_below(&random, 20) > 0) {
                edges[i] = abut_add_scaled(edges[i], -2.0 * height, normal);
            }
        }
        abut_piece plain = half;
        plain.is_half_space = 0;
        abut_local_solid solid_half = {&half, 1, 0}, solid_plain = {&plain, 1, 0}, solid_tip = {&tip, 1, 0};
        abut_feasible quick, slow;
        for (int is_first = 0; is_first < 2; ++is_first) {
            assert_true(abut_feasible_motions(&arena, is_first ? solid_half : solid_tip,
                                              is_first ? solid_tip : solid_half, 1e-9, &quick) &&
                        abut_feasible_motions(&arena, is_first ? solid_plain : solid_tip,
                                              is_first ? solid_tip : solid_plain, 1e-9, &slow));
            CHECK_INT(quick.overlaps, slow.overlaps, "overlaps");
            CHECK_INT(quick.clause_count, slow.clause_count, "clauses");
            if (quick.clause_count == 1 && slow.clause_count == 1) {
                CHECK(quick.clauses[0].count == 1 && slow.clauses[0].count == 1, "one normal");
                CHECK(abut_norm(abut_sub(quick.clauses[0].items[0], slow.clauses[0].items[0])) < 1e-12, "%d",
                      round);
            }
            separate += quick.clause_count;
        }
        abut_arena_reset(&arena);
    }
    CHECK(separate > 1000 && separate < 3500, "%d separate pairs", separate);
    abut_arena_release(&arena);
    CHECK_DONE();
}

// A wedge below the normal n: n leans by `lean` from its left face. The rays are those of local_solid.c.
static void make_wedge(test_random *random, abut_vec3 n, double lean, double opening, abut_vec3 rays[4])
{
    abut_vec3 line = abut_any_perpendicular(n);
    line = abut_quat_rotate(abut_quat_from_axis(n, random_in(random, 0.0, PI)), line);
    abut_vec3 across = abut_cross(line, n); // the faces go down to both sides
    double left = -lean, right = PI - opening - lean;
    rays[0] = abut_add(abut_scale(cos(left), across), abut_scale(sin(left), n));
    rays[1] = abut_add(abut_scale(-cos(right), across), abut_scale(-sin(right), n));
    rays[ABUT_WEDGE_LINE] = line;
    rays[ABUT_WEDGE_LINE + 1] = abut_negate(line);
}

// The normal of two edges that cross is that of the search among all rays of both wedges, to the last bit; also where
// the edges are nearly parallel, or a face nearly at right angles to the normal, or beyond it.
static void wedges_have_the_normals_of_their_rays(void **state)
{
    (void)state;
    static const double angles[] = {1e-9, 1e-6, 1e-3, 0.01, 0.05, 0.12};
    test_random random = {2711};
    abut_arena arena = start_arena();
    int separate = 0, several = 0;
    for (int round = 0; round < 20000; ++round) {
        double angle = angles[round % 6], scale = round % 5 == 0 ? 8.0 * angle : 1.0;
        abut_vec3 n = random_unit(&random), rays[2][4];
        abut_piece wedges[2], plain[2];
        for (int i = 0; i < 2; ++i) {
            make_wedge(&random, i == 0 ? n : abut_negate(n), scale * random_in(&random, -0.2, 1.0),
                       random_in(&random, 0.1, 2.0), rays[i]);
            wedges[i] = (abut_piece){.rays = {rays[i], 4}, .is_wedge = 1};
            plain[i] = (abut_piece){.rays = {rays[i], 4}};
        }
        abut_feasible quick, slow;
        assert_true(abut_feasible_motions(&arena, (abut_local_solid){&wedges[0], 1, 0},
                                          (abut_local_solid){&wedges[1], 1, 0}, angle, &quick) &&
                    abut_feasible_motions(&arena, (abut_local_solid){&plain[0], 1, 0},
                                          (abut_local_solid){&plain[1], 1, 0}, angle, &slow));
        CHECK_INT(quick.overlaps, slow.overlaps, "overlaps");
        CHECK_INT(quick.clause_count, slow.clause_count, "clauses");
        if (quick.clause_count == 1 && slow.clause_count == 1) {
            CHECK_INT(quick.clauses[0].count, slow.clauses[0].count, "normals");
            for (int i = 0; i < quick.clauses[0].count && i < slow.clauses[0].count; ++i) {
                abut_vec3 p = quick.clauses[0].items[i], q = slow.clauses[0].items[i];
                CHECK(p.x == q.x && p.y == q.y && p.z == q.z, "normal %d of round %d", i, round);
            }
            several += slow.clauses[0].count > 1;
        }
        separate += quick.clause_count;
        abut_arena_reset(&arena);
    }
    CHECK(separate > 5000 && separate < 19000 && several > 100, "%d separate, %d in several ways", separate,
          several);
    abut_arena_release(&arena);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_are_those_of_all_pairs),
        cmocka_unit_test(cost_follows_the_rays),
        cmocka_unit_test(unions_have_the_motions_of_the_clauses),
        cmocka_unit_test(every_wall_of_a_pit_counts),
        cmocka_unit_test(half_spaces_have_one_normal),
        cmocka_unit_test(wedges_have_the_normals_of_their_rays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
