// SPDX-License-Identifier: MIT
// test_planar.c: points, segments and polygons in the contact plane against hulls and cuts in long double
#include "check.h"
#include "effort.h"
#include "polygons.h"
#include "random.h"

#include "convex/planar.h"

static const double PI = 3.141592653589793;

// Points in any order, and the set made of them.
typedef struct heap {
    polygon points;
    abut_planar set;
    abut_vec2 corners[POLYGON_CORNERS], normals[POLYGON_CORNERS + ABUT_PLANAR_BEVELS];
    double offsets[POLYGON_CORNERS + ABUT_PLANAR_BEVELS];
} heap;

static void put(heap *h, double x, double y)
{
    h->points.x[h->points.count] = x;
    h->points.y[h->points.count++] = y;
}

static void close_heap(heap *h, double tolerance)
{
    h->set.count = h->points.count;
    h->set.points = h->corners;
    h->set.normals = h->normals;
    h->set.offsets = h->offsets;
    for (int i = 0; i < h->set.count; ++i) {
        h->set.points[i] = abut_vec2_make((double)h->points.x[i], (double)h->points.y[i]);
        h->set.ids[i] = i;
    }
    abut_planar_close(&h->set, tolerance);
}

static polygon polygon_of(const abut_planar *set)
{
    polygon p = {.count = set->count};
    for (int i = 0; i < set->count; ++i) {
        p.x[i] = set->points[i].x;
        p.y[i] = set->points[i].y;
    }
    return p;
}

static double left_of_lines(const abut_planar *set, double x, double y)
{
    double least = HUGE_VAL;
    for (int i = 0; i < set->line_count; ++i) {
        least = fmin(least, set->normals[i].x * x + set->normals[i].y * y - set->offsets[i]);
    }
    return least;
}

// ---- one set

static void check_lines(const abut_planar *set, double tolerance, test_random *random)
{
    polygon p = polygon_of(set);
    for (int i = 0; i < set->line_count; ++i) {
        int from = i < set->count ? i : set->bevels[i - set->count];
        int to = i < set->count ? (i + 1) % set->count : from;
        abut_vec2 n = set->normals[i];
        CHECK_NEAR(n.x * n.x + n.y * n.y, 1.0, 1e-14, "normal of a line");
        CHECK_NEAR(n.x * set->points[from].x + n.y * set->points[from].y, set->offsets[i], 1e-14,
                   "begin of a side");
        CHECK_NEAR(n.x * set->points[to].x + n.y * set->points[to].y, set->offsets[i], 1e-14, "end of a side");
    }
    for (int i = 0; i < set->count; ++i) {
        int next = (i + 1) % set->count, last = (i + 2) % set->count;
        CHECK(height_of(&p, i, p.x[last], p.y[last]) > -1e-15L, "no left turn at corner %d of %d", next,
              set->count);
        CHECK(left_of_lines(set, set->points[i].x, set->points[i].y) > -1e-14, "corner %d is outside", i);
        // near the corner, in any direction
        double angle = random_in(random, -PI, PI), far = tolerance * random_in(random, 0.0, 50.0);
        double x = set->points[i].x + far * cos(angle), y = set->points[i].y + far * sin(angle);
        if (left_of_lines(set, x, y) >= -tolerance) {
            CHECK(distance_to(&p, x, y) <= 4.0L * tolerance, "beyond corner %d by %Lg tolerances", i,
                  distance_to(&p, x, y) / tolerance);
        }
    }
}

static void check_set(const heap *h, double tolerance, test_random *random)
{
    const abut_planar *set = &h->set;
    polygon p = polygon_of(set);
    CHECK(set->count >= 1 && set->count <= h->points.count, "%d of %d points", set->count, h->points.count);
    for (int i = 0; i < set->count; ++i) {
        int id = set->ids[i];
        CHECK(h->points.x[id] == p.x[i] && h->points.y[id] == p.y[i], "corner %d is not point %d", i, id);
    }
    for (int i = 0; i < h->points.count; ++i) {
        long double far = distance_to(&p, h->points.x[i], h->points.y[i]);
        CHECK(far <= tolerance * (1.0L + 1e-9L) + 1e-15L, "point %d is %Lg tolerances off", i, far / tolerance);
    }
    if (set->count > 2) {
        check_lines(set, tolerance, random);
    }
}

// ---- two sets

static polygon lift(const polygon *p, const abut_planar_place *place)
{
    polygon point = {.count = 1, .x = {0.0L}, .y = {0.0L}};
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        CHECK(place->weights[i] >= (i < place->count ? -1e-12 : 0.0), "weight %g", place->weights[i]);
        CHECK(i < place->count || place->weights[i] == 0.0, "weight %g without a corner", place->weights[i]);
        point.x[0] += place->weights[i] * p->x[place->corners[i]];
        point.y[0] += place->weights[i] * p->y[place->corners[i]];
        sum += place->weights[i];
    }
    CHECK_NEAR(sum, 1.0, 1e-12, "sum of weights");
    return point;
}

static void check_place(const polygon *p, abut_vec2 point, const abut_planar_place *place, double slack)
{
    CHECK(distance_to(p, point.x, point.y) <= slack, "%Lg outside", distance_to(p, point.x, point.y));
    polygon at = lift(p, place);
    CHECK(hypotl(at.x[0] - point.x, at.y[0] - point.y) <= slack, "place is %Lg off",
          hypotl(at.x[0] - point.x, at.y[0] - point.y));
}

// The points must go once around their hull, and its area must be that of the intersection.
static void check_round(const polygon *found, const heap *a, const heap *b, double slack)
{
    polygon hull = hull_of(found), on_a = hull_of(&a->points), on_b = hull_of(&b->points), both = {.count = 0};
    long double area = area_of(found), around = perimeter_of(&hull);
    CHECK(perimeter_of(found) <= around + found->count * slack, "%Lg around, %Lg the hull", perimeter_of(found),
          around);
    CHECK(fabsl(area - area_of(&hull)) <= slack * (around + slack), "area %Lg, %Lg the hull", area, area_of(&hull));
    if (on_a.count > 2 && on_b.count > 2) {
        both = cut_polygon(on_a, &on_b);
    }
    around = fminl(perimeter_of(&on_a), perimeter_of(&on_b));
    CHECK(fabsl(area - area_of(&both)) <= slack * (around + slack), "area %Lg of %Lg", area, area_of(&both));
}

// Returns 1 if the sets are disjoint.
static int check_intersection(const heap *a, const heap *b, double tolerance)
{
    static abut_planar_point points[2 * ABUT_PLANAR_POINTS];
    int is_repaired = -1, count = abut_planar_intersect(&a->set, &b->set, tolerance, points, &is_repaired);
    polygon p = polygon_of(&a->set), q = polygon_of(&b->set), found = {.count = count};
    assert_true(count >= 1 && count <= POLYGON_CORNERS);
    const double slack = 4.0 * tolerance, rounding = 1e-14;
    long double apart = distance_between(&p, &q);
    for (int i = 0; i < count; ++i) {
        found.x[i] = points[i].a.x;
        found.y[i] = points[i].a.y;
        check_place(&p, points[i].a, &points[i].on_a, slack);
        check_place(&q, points[i].b, &points[i].on_b, slack);
    }
    // the closest points of both
    abut_vec2 way = {points[0].b.x - points[0].a.x, points[0].b.y - points[0].a.y};
    CHECK(is_repaired == 0 || is_repaired == 1, "repaired %d", is_repaired);
    CHECK(is_repaired || apart <= slack, "%Lg apart and not told", apart);
    if (is_repaired) {
        CHECK_INT(count, 1, "closest points");
        CHECK(apart > tolerance * (1.0 - 1e-9) - rounding, "%Lg apart: no need for a repair", apart);
        CHECK_NEAR(hypot(way.x, way.y), (double)apart, rounding, "closest");
        CHECK(distance_to(&p, points[0].a.x, points[0].a.y) < rounding, "not on A");
        CHECK(distance_to(&q, points[0].b.x, points[0].b.y) < rounding, "not on B");
    }
    check_round(&found, a, b, slack);
    return is_repaired;
}

// ---- random sets of size 1

static void put_near(heap *h, test_random *random, double x, double y, double radius)
{
    double angle = random_in(random, -PI, PI), far = radius * random_in(random, 0.0, 1.0);
    put(h, x + far * cos(angle), y + far * sin(angle));
}

static void put_polygon(heap *h, test_random *random, double tolerance)
{
    int count = 1 + random_below(random, random_below(random, 4) ? 8 : 60);
    int twins = 1 + (count < 9 ? random_below(random, 3) : 0);
    double flat = random_below(random, 3) ? 1.0 : pow(10.0, random_in(random, -8.0, 0.0));
    double wide = random_below(random, 2) ? 0.0 : tolerance * random_in(random, 0.0, 3.0);
    int is_even = random_below(random, 2);
    for (int i = 0; i < count; ++i) {
        double angle = is_even ? 2.0 * PI * i / count : random_in(random, -PI, PI);
        for (int k = 0; k < twins; ++k) {
            put_near(h, random, 0.5 * cos(angle), 0.5 * flat * sin(angle), wide);
        }
    }
}

static void put_thin(heap *h, test_random *random, double tolerance)
{
    int count = 2 + random_below(random, 12);
    double wide = tolerance * random_in(random, 0.0, 6.0), needle = random_below(random, 2);
    for (int i = 0; i < count; ++i) {
        double x = random_below(random, 3) ? random_in(random, -0.5, 0.5) : 0.5 - random_below(random, 2);
        put(h, x, wide * (needle > 0.0 ? 0.5 - x : 1.0) * random_in(random, -0.5, 0.5));
    }
}

static void put_heap(heap *h, test_random *random, double tolerance)
{
    int kind = random_below(random, 8);
    h->points.count = 0;
    if (kind == 0) {
        put_thin(h, random, tolerance);
    } else if (kind == 1) { // a needle that is not thin
        put(h, 0.5, 0.0);
        put(h, -0.5, pow(10.0, random_in(random, -6.0, 0.0)));
        put(h, -0.5, 0.0);
    } else if (kind == 2) {
        double x = random_in(random, 0.1, 0.5), y = random_in(random, 0.1, 0.5);
        for (int i = 0; i < 4; ++i) {
            put_near(h, random, i & 1 ? x : -x, i & 2 ? y : -y, random_below(random, 2) * tolerance);
        }
    } else {
        put_polygon(h, random, tolerance);
    }
}

// Turns a set and moves it so that one of its points is within some tolerances of a given position.
static void move_heap(heap *h, test_random *random, double angle, double x, double y, double tolerance)
{
    int at = random_below(random, h->points.count);
    double beside = random_below(random, 2) ? 0.0 : tolerance * random_in(random, -6.0, 6.0);
    double cosine = cos(angle), sine = sin(angle), from_x = (double)h->points.x[at],
           from_y = (double)h->points.y[at];
    for (int i = 0; i < h->points.count; ++i) {
        double u = (double)h->points.x[i] - from_x, v = (double)h->points.y[i] - from_y;
        h->points.x[i] = (double)(x + beside + cosine * u - sine * v);
        h->points.y[i] = (double)(y + sine * u + cosine * v);
    }
}

// Two sets of size 1: polygons, regular or not, flat ones, needles, segments and points, with duplicate points within
// the tolerance. A point of one set is within some tolerances of a corner, a side or any point of the other, with
// parallel sides or not. Tolerances from 1e-12 to 0.1.
static void make_pair(test_random *random, double tolerance, heap *a, heap *b)
{
    put_heap(a, random, tolerance);
    put_heap(b, random, tolerance);
    double turn = random_below(random, 2) ? random_in(random, -PI, PI) : PI / 4.0 * random_below(random, 8);
    move_heap(a, random, turn, 0.0, 0.0, tolerance);
    int from = random_below(random, a->points.count), to = random_below(random, a->points.count);
    double t = random_below(random, 3) ? random_below(random, 2) : random_in(random, -1.0, 2.0);
    double x = (double)(a->points.x[from] + t * (a->points.x[to] - a->points.x[from]));
    double y = (double)(a->points.y[from] + t * (a->points.y[to] - a->points.y[from]));
    double other = random_below(random, 3) ? PI / 4.0 * random_below(random, 8) : random_in(random, -PI, PI);
    other += random_below(random, 3) ? 0.0 : tolerance * random_in(random, -3.0, 3.0);
    move_heap(b, random, turn + other, x, y, tolerance);
    close_heap(a, tolerance);
    close_heap(b, tolerance);
}

static int check_pair(test_random *random, int *numbers)
{
    static heap a, b;
    test_random before = *random;
    int failures = check_failures;
    double tolerance = pow(10.0, random_in(random, -12.0, -1.0));
    make_pair(random, tolerance, &a, &b);
    check_set(&a, tolerance, random);
    check_set(&b, tolerance, random);
    int is_repaired = check_intersection(&a, &b, tolerance);
    CHECK(check_failures == failures, "seed %llu, tolerance %g, %d and %d corners",
          (unsigned long long)before.state, tolerance, a.set.count, b.set.count);
    ++numbers[a.set.count < 3 ? a.set.count : 3];
    return is_repaired;
}

static void sets_meet_in_their_intersection(void **state)
{
    (void)state;
    test_random random = {21};
    int count = sample_count(20000, 3000000), numbers[4] = {0, 0, 0, 0}, repairs = 0;
    for (int i = 0; i < count; ++i) {
        repairs += check_pair(&random, numbers);
    }
    for (int i = 1; i <= 3; ++i) {
        CHECK(numbers[i] > count / 100, "%d of %d sets have %d corners", numbers[i], count, i);
    }
    CHECK(repairs > count / 100 && repairs < count / 2, "%d of %d are apart", repairs, count);
    CHECK_DONE();
}

// Rare pairs of the same kind, about one in 100,000: a crossing far beyond the end of its side; a needle cut at
// its tip, which is no wider than rounding; a needle cut by two lines at once, whose order depends on rounding; two
// crossings side by side at a place where a needle has no width; a walk that ends beyond the crossing; and segments that
// cross at an angle not much larger than the tolerance.
static void rare_pairs(void **state)
{
    (void)state;
    const uint64_t seeds[] = {9108705923359098245u, 14948676424215071921u, 17286402641493671541u,
                              4997699102775635175u, 9314783338684654740u,  13925963345409312293u,
                              7490296138630504903u};
    int numbers[4] = {0, 0, 0, 0};
    for (int i = 0; i < 7; ++i) {
        test_random random = {seeds[i]};
        check_pair(&random, numbers);
    }
    CHECK_DONE();
}

// ---- answers on paper

static void put_all(heap *h, const abut_vec2 *points, int count, double tolerance)
{
    h->points.count = 0;
    for (int i = 0; i < count; ++i) {
        put(h, points[i].x, points[i].y);
    }
    close_heap(h, tolerance);
}

// A square of side 2 with a corner cut by 6e-7, less than the tolerance of 1e-6: a square. A plate of 20 x 5e-7 with
// corners along it: a segment of length 20, even if the plate's leftmost point is in the middle. Points all within the
// tolerance of one: a point.
static void what_is_near_is_no_corner(void **state)
{
    (void)state;
    static heap h;
    const abut_vec2 square[5] = {{0, 0}, {2, 0}, {2, 2}, {1.9999994, 2}, {0, 2}};
    put_all(&h, square, 5, 1e-6);
    polygon p = polygon_of(&h.set);
    CHECK_INT(h.set.count, 4, "square");
    CHECK_NEAR((double)area_of(&p), 4.0, 2e-6, "area");
    const abut_vec2 plate[6] = {{-10, 0}, {-3, 2e-7}, {10, 0}, {10, 5e-7}, {7, 6e-7}, {-10, 5e-7}};
    put_all(&h, plate, 6, 1e-6);
    CHECK_INT(h.set.count, 2, "plate");
    CHECK_NEAR(fabs(h.set.points[1].x - h.set.points[0].x), 20.0, 0.0, "length");
    const abut_vec2 upright[5] = {{0, 0}, {2e-7, -10}, {6e-7, -10}, {6e-7, 10}, {2e-7, 10}};
    put_all(&h, upright, 5, 1e-6);
    CHECK_INT(h.set.count, 2, "upright plate");
    CHECK_NEAR(fabs(h.set.points[1].y - h.set.points[0].y), 20.0, 0.0, "length");
    const abut_vec2 grain[4] = {{0, 0}, {9e-7, 0}, {0, 4e-7}, {-5e-8, -1e-7}};
    put_all(&h, grain, 4, 1e-6);
    CHECK_INT(h.set.count, 1, "grain");
    CHECK_DONE();
}

// A regular polygon of 150 sides and radius 1. A chord over k sides is 1 - cos(k pi / 150) away from the middle
// corner. For a tolerance of 0.01 the largest k is 6, with 0.00789: 25 sides remain. A hundredth of that tolerance is
// 0.0001; even k = 2 exceeds it (k = 1 skips no corner), so all sides remain.
static void round_sets_stay_round(void **state)
{
    (void)state;
    static heap h;
    for (int is_coarse = 0; is_coarse < 2; ++is_coarse) {
        h.points.count = 0;
        for (int i = 0; i < 150; ++i) {
            put(&h, cos(2.0 * PI * i / 150), sin(2.0 * PI * i / 150));
        }
        close_heap(&h, is_coarse ? 0.01 : 0.0001);
        int expected = is_coarse ? 25 : 150;
        polygon p = polygon_of(&h.set);
        CHECK_INT(h.set.count, expected, "corners");
        CHECK_NEAR((double)area_of(&p), 0.5 * expected * sin(2.0 * PI / expected), 1e-12, "area");
    }
    CHECK_DONE();
}

// A needle of length 1 with its tip at (1, 0), 6e-6 wide at x = 0. At x = 1.2 the lines of its sides have crossed and
// are 6e-7 off the axis, less than the tolerance of 1e-6. A set that begins there is still 0.2 away.
static void needles_end_at_their_tip(void **state)
{
    (void)state;
    static heap needle, other;
    const abut_vec2 corners[3] = {{0, -3e-6}, {1, 0}, {0, 3e-6}};
    const abut_vec2 others[4] = {{1.2, 0}, {3, 0}, {3, 1}, {2, 1}};
    put_all(&needle, corners, 3, 1e-6);
    CHECK_INT(needle.set.count, 3, "needle");
    abut_planar_point points[16];
    for (int count = 1; count <= 4; ++count) {
        put_all(&other, others, count, 1e-6);
        for (int is_second = 0; is_second < 2; ++is_second) {
            int is_repaired;
            const abut_planar *a = is_second ? &other.set : &needle.set, *b = is_second ? &needle.set : &other.set;
            CHECK_INT(abut_planar_intersect(a, b, 1e-6, points, &is_repaired), 1, "closest points");
            CHECK_INT(is_repaired, 1, "repaired");
            CHECK_NEAR(is_second ? points[0].b.x : points[0].a.x, 1.0, 0.0, "tip");
            CHECK_NEAR(is_second ? points[0].a.x : points[0].b.x, 1.2, 0.0, "where the other begins");
        }
    }
    CHECK_DONE();
}

// Squares of side 2 with a gap of 3 along x, moved by 1 in y: their closest points are on x = 1 and x = 4 at the same
// y. Moved by 4 in y: the corners (1, 1) and (4, 3). Squares that overlap by half a tolerance, or with a gap of half a
// tolerance: a segment of length 1.
static void sets_apart_have_closest_points(void **state)
{
    (void)state;
    static heap a, b;
    const abut_vec2 square[4] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const abut_vec2 moves[4] = {{5, 1}, {5, 4}, {2 - 5e-7, 1}, {2 + 5e-7, 1}};
    put_all(&a, square, 4, 1e-6);
    for (int i = 0; i < 4; ++i) {
        abut_vec2 moved[4];
        for (int k = 0; k < 4; ++k) {
            moved[k] = abut_vec2_make(square[k].x + moves[i].x, square[k].y + moves[i].y);
        }
        put_all(&b, moved, 4, 1e-6);
        abut_planar_point points[16];
        int is_repaired, count = abut_planar_intersect(&a.set, &b.set, 1e-6, points, &is_repaired);
        CHECK_INT(is_repaired, i < 2, "repaired");
        CHECK_INT(count, i < 2 ? 1 : 2, "points");
        if (i < 2) {
            CHECK(points[0].a.x == 1.0 && points[0].b.x == 4.0, "x %g and %g", points[0].a.x, points[0].b.x);
            CHECK_NEAR(points[0].b.y - points[0].a.y, i == 0 ? 0.0 : 2.0, 0.0, "y");
        } else {
            CHECK_NEAR(fabs(points[1].a.y - points[0].a.y), 1.0, 1e-6, "length");
        }
    }
    CHECK_DONE();
}

// Segments on one line: [1, 3] and [0, 2] share [1, 2], whose ends are the first point of one segment and the second
// of the other. [0, 1] and [2, 3] are disjoint, with closest points 1 and 2. The order of ends and segments does not
// matter.
static void segments_on_a_line_share_a_segment(void **state)
{
    (void)state;
    static heap a, b;
    const double ends[2][4] = {{1, 3, 0, 2}, {0, 1, 2, 3}};
    for (int i = 0; i < 16; ++i) {
        const double *x = ends[i / 8];
        abut_vec2 first[2] = {{x[i & 1], 5}, {x[!(i & 1)], 5}};
        abut_vec2 second[2] = {{x[2 + (i >> 1 & 1)], 5}, {x[2 + !(i >> 1 & 1)], 5}};
        put_all(&a, i & 4 ? second : first, 2, 1e-6);
        put_all(&b, i & 4 ? first : second, 2, 1e-6);
        abut_planar_point points[16];
        int is_repaired, count = abut_planar_intersect(&a.set, &b.set, 1e-6, points, &is_repaired);
        CHECK_INT(count, i < 8 ? 2 : 1, "points");
        CHECK_INT(is_repaired, i >= 8, "repaired");
        double low = i < 8 ? fmin(points[0].a.x, points[1].a.x) : fmin(points[0].a.x, points[0].b.x);
        double high = i < 8 ? fmax(points[0].a.x, points[1].a.x) : fmax(points[0].a.x, points[0].b.x);
        CHECK_NEAR(low, 1.0, 1e-15, "lower end");
        CHECK_NEAR(high, 2.0, 1e-15, "upper end");
    }
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_near_is_no_corner),          cmocka_unit_test(round_sets_stay_round),
        cmocka_unit_test(needles_end_at_their_tip),           cmocka_unit_test(sets_apart_have_closest_points),
        cmocka_unit_test(sets_meet_in_their_intersection),    cmocka_unit_test(rare_pairs),
        cmocka_unit_test(segments_on_a_line_share_a_segment),
    };
    return cmocka_run_group_tests_name("planar sets", tests, NULL, NULL);
}
