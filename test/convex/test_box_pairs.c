// SPDX-License-Identifier: MIT
// test_box_pairs.c: the searches for two boxes against the general ones
//
// Each pair is asked twice: as it is, and with shapes that hide that they are boxes. Both answers must be the same up to
// rounding: distance, normal, proof, features, and the points of the manifold with their features and anchors. Witness
// points of parallel faces are not unique, and neither are corners of a manifold whose sides cross at a tiny angle or
// are a tolerance apart: those must be on both boxes.
//
// For some pairs the distances are compared with an oracle in extended precision: all separating axes if the boxes
// overlap, else the nearest of all corners and edges. The distance changes by no more than the corners do, however thin
// the boxes and however small the angles, so rounding alone bounds its error.
#include "effort.h"
#include "pairs.h"

#include "convex/convex.h"

#include <float.h>

// A box by its axes, half sizes and center; the shape made of its corners, and one that does not know what it is.
typedef struct twin_box {
    abut_vec3 axes[3], center;
    double sizes[3];
    test_convex shape, hidden;
} twin_box;

// Of lengths, relative to sizes and positions.
static const double ROUNDING = 64.0 * DBL_EPSILON;

static double pick(test_random *random, const double *values, int count)
{
    return values[random_below(random, count)];
}

// A box of any proportions, on a grid, thin, or long; along the axes of its own frame or turned, about its origin or
// away from it.
static twin_box make_twins(test_random *random, double scale)
{
    static const double thin[] = {1e-5, 1e-3, 0.1, 1.0};
    int family = random_below(random, 4), is_turned = random_below(random, 2);
    twin_box box = {.center = random_vec3(random, is_turned ? scale : 0.0)};
    abut_mat3 turn = abut_quat_matrix(is_turned ? random_rotation(random) : abut_quat_identity());
    box.axes[0] = turn.x, box.axes[1] = turn.y, box.axes[2] = turn.z;
    for (int i = 0; i < 3; ++i) {
        box.sizes[i] = scale * (family == 0   ? random_in(random, 0.2, 1.0)
                                : family == 1 ? 0.25 * (1 + random_below(random, 4))
                                : family == 2 ? pick(random, thin, 4)
                                              : 0.5);
    }
    abut_vec3 corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = box.center;
        for (int k = 0; k < 3; ++k) {
            corners[i] = abut_add_scaled(corners[i], i >> k & 1 ? box.sizes[k] : -box.sizes[k], box.axes[k]);
        }
    }
    box.shape = make_convex(corners, 8);
    box.hidden = make_convex(corners, 8);
    box.hidden.convex->zonotope.is_box = 0;
    return box;
}

static void release_twins(twin_box *box)
{
    release_convex(&box->shape);
    release_convex(&box->hidden);
}

// How far a point is outside a box.
static double outside(const twin_box *box, abut_pose pose, abut_vec3 point)
{
    double most = -HUGE_VAL;
    abut_vec3 p = abut_sub(point, abut_pose_apply(pose, box->center));
    for (int i = 0; i < 3; ++i) {
        most = fmax(most, fabs(abut_dot(p, abut_quat_rotate(pose.rotation, box->axes[i]))) - box->sizes[i]);
    }
    return most;
}

// ---- arrangements

// A turn that brings the axes of the second box to those of the first, in any of a few orders.
static abut_quat align(const twin_box *a, const twin_box *b, abut_quat rotation_a, test_random *random)
{
    abut_mat3 frame_a = {a->axes[0], a->axes[1], a->axes[2]}, frame_b = {b->axes[0], b->axes[1], b->axes[2]};
    abut_mat3 turn = abut_mat3_multiply(frame_a, abut_mat3_transpose(frame_b));
    double w = 0.5 * sqrt(fmax(0.0, 1.0 + turn.x.x + turn.y.y + turn.z.z));
    abut_quat q = abut_quat_identity();
    if (w > 0.1) {
        q = abut_quat_make(w, (turn.y.z - turn.z.y) / (4.0 * w), (turn.z.x - turn.x.z) / (4.0 * w),
                           (turn.x.y - turn.y.x) / (4.0 * w));
    }
    abut_quat quarter = abut_quat_from_axis(frame_a.z, 1.5707963267948966 * random_below(random, 4));
    return abut_quat_unit(abut_quat_multiply(rotation_a, abut_quat_multiply(quarter, q)));
}

// Puts B beside A along axis `up` of A: aside by steps of a grid or anywhere, with a gap.
static void put_beside(const twin_box *a, const twin_box *b, test_random *random, double gap,
                       abut_convex_pair *pair)
{
    int k = random_below(random, 3), is_grid = random_below(random, 2);
    abut_vec3 place = abut_pose_apply(pair->pose_a, a->center);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 axis = abut_quat_rotate(pair->pose_a.rotation, a->axes[i]);
        double reach = 0.0;
        for (int m = 0; m < 3; ++m) {
            reach += b->sizes[m] * fabs(abut_dot(axis, abut_quat_rotate(pair->pose_b.rotation, b->axes[m])));
        }
        double sum = a->sizes[i] + reach,
               aside = is_grid ? 0.5 * (random_below(random, 5) - 2) * sum : random_in(random, -1.05, 1.05) * sum;
        place = abut_add_scaled(place, i == k ? sum + gap : aside, axis);
    }
    pair->pose_b.position = abut_sub(place, abut_quat_rotate(pair->pose_b.rotation, b->center));
}

static void arrange(const twin_box *a, const twin_box *b, test_random *random, double scale, abut_convex_pair *pair)
{
    static const double gaps[] = {0.0,  0.0,   1e-16, -1e-16, 1e-13, -1e-13, 1e-10, -1e-10,
                                  1e-9, -1e-9, 1e-6,  -1e-6,  1e-3,  -1e-3,  0.1,   -0.1};
    static const double tilts[] = {0.0, 0.0, 0.0, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-4, 0.1};
    static const double places[] = {1.0, 1.0, 1e3};
    double gap = scale * pick(random, gaps, 16), far = scale * pick(random, places, 3);
    pair->pose_a = abut_pose_make(random_vec3(random, far), random_rotation(random));
    pair->pose_b.rotation = random_rotation(random);
    int family = random_below(random, 4);
    if (family > 0) { // all axes along those of A, or only one of them; then tilted by a little
        pair->pose_b.rotation = align(a, b, pair->pose_a.rotation, random);
        abut_vec3 axis = abut_quat_rotate(pair->pose_a.rotation, a->axes[random_below(random, 3)]);
        double angle = family == 1 ? 0.0 : random_in(random, -3.0, 3.0);
        abut_quat turn = abut_quat_multiply(abut_quat_from_axis(random_unit(random), pick(random, tilts, 10)),
                                            abut_quat_from_axis(axis, angle));
        pair->pose_b.rotation = abut_quat_unit(abut_quat_multiply(turn, pair->pose_b.rotation));
    }
    put_beside(a, b, random, gap, pair);
    if (family == 0) { // moved along the normal, by edges or corners
        abut_convex_result r;
        CHECK_STATUS(abut_convex_distance(pair, NULL, NULL, &r), ABUT_OK, "to place");
        pair->pose_b.position = abut_add_scaled(pair->pose_b.position, gap - r.distance, r.normal);
    }
}

typedef struct comparison {
    const twin_box *a, *b;
    const abut_convex_pair *pair;
    double rounding;      ///< of lengths
    double tolerance;     ///< of features
    int64_t count, loose; ///< manifolds, and those whose points are only known to be on the boxes
} comparison;

// ---- the distance in extended precision

typedef long double real;

typedef struct real3 {
    real x[3];
} real3;

typedef struct real_box {
    real3 center, axes[3], corners[8];
    real sizes[3];
} real_box;

static real3 widened(abut_vec3 v)
{
    return (real3){{v.x, v.y, v.z}};
}

static real dot(real3 a, real3 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static real3 added(real3 a, real s, real3 b)
{
    return (real3){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static real3 crossed(real3 a, real3 b)
{
    return (real3){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static real3 turned(abut_quat q, real3 v)
{
    real w = q.w, x = q.x, y = q.y, z = q.z, squared = w * w + x * x + y * y + z * z;
    real3 u = {{x, y, z}}, once = added(crossed(u, v), w, v);
    return added(v, 2.0L / squared, crossed(u, once));
}

static real_box place_box(const twin_box *box, abut_pose pose)
{
    real_box made;
    made.center = added(turned(pose.rotation, widened(box->center)), 1.0L, widened(pose.position));
    for (int k = 0; k < 3; ++k) {
        made.axes[k] = turned(pose.rotation, widened(box->axes[k]));
        made.sizes[k] = box->sizes[k];
    }
    for (int i = 0; i < 8; ++i) {
        made.corners[i] = made.center;
        for (int k = 0; k < 3; ++k) {
            made.corners[i] = added(made.corners[i], i >> k & 1 ? made.sizes[k] : -made.sizes[k], made.axes[k]);
        }
    }
    return made;
}

// How far an axis of any length separates the boxes; negative: they overlap along it.
static real separation(const real_box *a, const real_box *b, real3 axis)
{
    real reach = 0.0L, length = sqrtl(dot(axis, axis));
    for (int k = 0; k < 3; ++k) {
        reach += a->sizes[k] * fabsl(dot(axis, a->axes[k])) + b->sizes[k] * fabsl(dot(axis, b->axes[k]));
    }
    return length > 1e-14L ? (fabsl(dot(axis, added(b->center, -1.0L, a->center))) - reach) / length : -HUGE_VALL;
}

// An axis at right angles to two edges. If these are nearly parallel, rounding turns it: about them, which matters little,
// and towards them, which is undone.
static real3 across(real3 u, real3 v)
{
    real3 n = crossed(u, v);
    for (int i = 0; i < 2; ++i) {
        real length = sqrtl(dot(n, n));
        n = length > 0.0L ? added((real3){{0.0L, 0.0L, 0.0L}}, 1.0L / length, n) : n;
        n = added(n, -dot(n, u) / dot(u, u), u);
    }
    return n;
}

static real point_distance(const real_box *box, real3 p)
{
    real squared = 0.0L;
    for (int k = 0; k < 3; ++k) {
        real beyond = fabsl(dot(added(p, -1.0L, box->center), box->axes[k])) - box->sizes[k];
        squared += beyond > 0.0L ? beyond * beyond : 0.0L;
    }
    return sqrtl(squared);
}

// Of a place along an edge, from 0 to 1.
static real clamped(real place)
{
    return place > 0.0L ? fminl(place, 1.0L) : 0.0L;
}

// The distance of two points of edges. They are the nearest: if the edges are nearly parallel, rounding moves them along
// the edges, which hardly changes their distance.
static real edge_distance(const real_box *a, int corner_a, int i, const real_box *b, int corner_b, int j)
{
    real3 u = added(a->corners[corner_a | 1 << i], -1.0L, a->corners[corner_a]);
    real3 v = added(b->corners[corner_b | 1 << j], -1.0L, b->corners[corner_b]);
    real3 way = added(b->corners[corner_b], -1.0L, a->corners[corner_a]), n = crossed(u, v);
    real squared = dot(n, n), s = squared > 0.0L ? clamped(dot(crossed(way, v), n) / squared) : 0.0L;
    real t = clamped(dot(added(added((real3){{0.0L, 0.0L, 0.0L}}, s, u), -1.0L, way), v) / dot(v, v));
    s = clamped(dot(added(way, t, v), u) / dot(u, u));
    real3 between = added(added(way, t, v), -s, u);
    return sqrtl(dot(between, between));
}

static real true_distance(const comparison *c)
{
    real_box a = place_box(c->a, c->pair->pose_a), b = place_box(c->b, c->pair->pose_b);
    real most = -HUGE_VALL, least = HUGE_VALL;
    for (int i = 0; i < 3; ++i) {
        most = fmaxl(most, fmaxl(separation(&a, &b, a.axes[i]), separation(&a, &b, b.axes[i])));
        for (int j = 0; j < 3; ++j) {
            most = fmaxl(most, separation(&a, &b, across(a.axes[i], b.axes[j])));
        }
    }
    for (int p = 0; p < 8 && most > 0.0L; ++p) {
        least = fminl(least, fminl(point_distance(&b, a.corners[p]), point_distance(&a, b.corners[p])));
        for (int q = 0; q < 8 * 9; ++q) {
            int corner = q / 9, i = q % 9 / 3, j = q % 3;
            if ((p >> i & 1) == 0 && (corner >> j & 1) == 0) {
                least = fminl(least, edge_distance(&a, p, i, &b, corner, j));
            }
        }
    }
    return most > 0.0L ? least : most;
}

// ---- comparison

static int is_same_part(abut_convex_part p, abut_convex_part q)
{
    return p.kind == q.kind && p.index == q.index;
}

static int is_same_feature(abut_feature p, abut_feature q)
{
    return p.kind == q.kind && p.index == q.index && p.vertices[0] == q.vertices[0] &&
           p.vertices[1] == q.vertices[1] && p.is_merged == q.is_merged;
}

static double witness_error(const abut_convex_result *r)
{
    return fabs(abut_dot(r->normal, abut_sub(r->point_b, r->point_a)) - r->distance);
}

static void check_distance(const comparison *c, const abut_convex_result *r, const abut_convex_result *expected)
{
    CHECK_NEAR(r->distance, expected->distance, c->rounding, "distance");
    CHECK_NEAR(r->certificate.lower, expected->certificate.lower, c->rounding, "lower bound");
    CHECK_NEAR(r->certificate.upper, expected->certificate.upper, c->rounding, "upper bound");
    CHECK(witness_error(r) <= witness_error(expected) + c->rounding, "witness points are off by %g",
          witness_error(r));
    double most = fmax(outside(c->a, c->pair->pose_a, r->point_a), outside(c->b, c->pair->pose_b, r->point_b));
    double before =
        fmax(outside(c->a, c->pair->pose_a, expected->point_a), outside(c->b, c->pair->pose_b, expected->point_b));
    CHECK(most <= fmax(c->tolerance, before) + c->rounding, "witness points are %g outside, not %g", most, before);
    if (fabs(r->distance) <= c->rounding) {
        return; // rounding decides whether the boxes are apart
    }
    CHECK_INT(r->rule, expected->rule, "rule");
    CHECK_INT(r->direction_count, expected->direction_count, "directions");
    CHECK_INT(r->certificate.proof, expected->certificate.proof, "proof");
    // if the boxes are apart, the general path may find the normal as a difference of two points near each other
    double turn = abut_norm(abut_sub(r->normal, expected->normal));
    double limit = 1e-10 + (r->distance > 0.0 ? c->rounding / r->distance : 0.0);
    CHECK(turn <= limit, "the normal differs by %g, distance %g", turn, r->distance);
    CHECK_NEAR(r->plane_offset, expected->plane_offset, c->rounding + limit * c->rounding / ROUNDING, "plane");
    double rise = turn * fmax(c->a->shape.convex->length, c->b->shape.convex->length);
    int is_same = is_same_part(r->part_a, expected->part_a) && is_same_part(r->part_b, expected->part_b) &&
                  is_same_feature(r->feature_a, expected->feature_a) &&
                  is_same_feature(r->feature_b, expected->feature_b);
    CHECK(is_same || rise > 1e-3 * c->tolerance, "features %d %d and %d %d, expected %d %d and %d %d",
          r->part_a.kind, r->part_a.index, r->part_b.kind, r->part_b.index, expected->part_a.kind,
          expected->part_a.index, expected->part_b.kind, expected->part_b.index);
}

static int is_same_anchor(const abut_anchor *p, const abut_anchor *q)
{
    for (int i = 0; i < 4; ++i) {
        if (p->vertices[i] != q->vertices[i] || fabs(p->weights[i] - q->weights[i]) > 1e-6) {
            return 0;
        }
    }
    return 1;
}

static int is_same_point(const comparison *c, const abut_convex_point *p, const abut_convex_point *q)
{
    return abut_norm(abut_sub(p->position_a, q->position_a)) <= c->rounding &&
           abut_norm(abut_sub(p->position_b, q->position_b)) <= c->rounding &&
           is_same_feature(p->feature_a, q->feature_a) && is_same_feature(p->feature_b, q->feature_b) &&
           is_same_anchor(&p->anchor_a, &q->anchor_a) && is_same_anchor(&p->anchor_b, &q->anchor_b);
}

static void check_manifold(comparison *c, const abut_convex_manifold *m, const abut_convex_manifold *expected)
{
    double length = m->count * c->rounding; // each corner is off by rounding, and with it the sides at it
    int is_same = m->count == expected->count;
    for (int i = 0; i < m->count && is_same; ++i) {
        is_same = is_same_point(c, &m->points[i], &expected->points[i]);
    }
    ++c->count;
    for (int i = 0; i < m->count; ++i) {
        const abut_convex_point *p = &m->points[i], *next = &m->points[(i + 1) % m->count];
        double most =
            fmax(outside(c->a, c->pair->pose_a, p->position_a), outside(c->b, c->pair->pose_b, p->position_b));
        CHECK(most <= 4.0 * c->tolerance + c->rounding, "a point is %g outside", most);
        length += abut_norm(abut_sub(next->position_a, p->position_a));
    }
    CHECK_INT(m->repair_count, expected->repair_count, "repairs");
    if (m->dimension == 2 && expected->dimension == 2) {
        CHECK_NEAR(m->measure, expected->measure, is_same ? c->rounding * length : 4.0 * c->tolerance * length,
                   "area");
    }
    if (!is_same) {
        ++c->loose;
    } else {
        CHECK_INT(m->dimension, expected->dimension, "dimension");
    }
}

enum { POINTS = 16 };

static void compare(comparison *c, double depth_of_overlap, int has_oracle)
{
    abut_convex_pair hidden = *c->pair;
    hidden.a = c->a->hidden.convex;
    hidden.b = c->b->hidden.convex;
    abut_convex_result r, expected;
    abut_convex_point points[POINTS], expected_points[POINTS];
    abut_convex_memory after = {{0}, {0.0, 0.0, 0.0}};
    CHECK_STATUS(abut_convex_distance(&hidden, NULL, NULL, &expected), ABUT_OK, "general");
    double depth = depth_of_overlap * fmax(0.0, -expected.distance);
    abut_convex_manifold m = {.depth = depth, .points = points, .capacity = POINTS},
                         other = {.depth = depth, .points = expected_points, .capacity = POINTS};
    CHECK_STATUS(abut_convex_contact(c->pair, NULL, &after, &r, &m), ABUT_OK, "boxes");
    check_distance(c, &r, &expected);
    CHECK_STATUS(abut_convex_find_manifold(&hidden, &expected, &other), ABUT_OK, "general");
    check_manifold(c, &m, &other);
    abut_convex_result again;
    CHECK_STATUS(abut_convex_distance(c->pair, &after, NULL, &again), ABUT_OK, "with memory");
    CHECK_NEAR(again.distance, r.distance, c->rounding, "with memory");
    if (has_oracle) {
        double truth = (double)true_distance(c);
        CHECK_NEAR(r.distance, truth, c->rounding, "boxes, in extended precision");
        CHECK_NEAR(expected.distance, truth, c->rounding, "general, in extended precision");
        CHECK_NEAR(again.distance, truth, c->rounding, "with memory, in extended precision");
    }
}

static void boxes_have_the_general_answer(void **state)
{
    (void)state;
    static const double scales[] = {1.0, 1e-3, 1e3};
    enum { POSES = 128 };
    test_random random = {20261118};
    comparison c = {.count = 0};
    for (int i = 0; i < sample_count(2000, 80000); ++i) {
        double scale = scales[i % 3];
        twin_box a = make_twins(&random, scale), b = make_twins(&random, scale);
        abut_convex_pair pair = abut_convex_pair_default(a.shape.convex, b.shape.convex);
        c.a = &a, c.b = &b, c.pair = &pair;
        double length = fmin(a.shape.convex->length, b.shape.convex->length);
        for (int k = 0; k < POSES; ++k) {
            arrange(&a, &b, &random, scale, &pair);
            c.tolerance = 1e-9 * length;
            c.rounding = ROUNDING * (a.shape.convex->reach + b.shape.convex->reach +
                                     abut_norm(pair.pose_a.position) + abut_norm(pair.pose_b.position));
            compare(&c, k % 4 == 0, k % 8 == 3);
        }
        release_twins(&a);
        release_twins(&b);
    }
    print_message("%lld manifolds, %lld with other points\n", (long long)c.count, (long long)c.loose);
    CHECK((double)c.loose <= 1e-3 * (double)c.count, "%lld of %lld have other points", (long long)c.loose,
          (long long)c.count);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_have_the_general_answer),
    };
    return cmocka_run_group_tests_name("pairs of boxes", tests, NULL, NULL);
}
