// SPDX-License-Identifier: MIT
// test_distance.c: the signed distance of random pairs beside a reference in quadruple precision
//
// Every pair must agree with the Minkowski difference (reference.h) within 1e-13 of its size and coordinates, apart and
// overlapping, and its certificate must hold: the overlap in the direction of the normal, over all vertices, is what it
// says, and no facet of the difference is nearer. ABUT_TEST_LONG=1 runs 100,000 pairs.
#include "pairs.h"
#include "reference.h"

#include <stdlib.h>

static const double error_limit = 1e-13;

typedef enum kind {
    BOXES,
    SUMS,
    SMALL_HULLS,
    LARGE_HULLS,
    NEAR_PARALLEL,
    SLIVERS,
    TOUCHING,
    IDENTICAL,
    INSIDE,
    KINDS
} kind;

static const char *const names[KINDS] = {"boxes",       "sums of segments", "small hulls",
                                         "large hulls", "near parallel",    "slivers",
                                         "touching",    "identical",        "inside"};
/// Of 100 pairs.
static const int shares[KINDS] = {25, 10, 20, 1, 14, 12, 10, 3, 5};

static test_convex random_box(test_random *random, double lower, double upper)
{
    double x = random_in(random, lower, upper), y = random_in(random, lower, upper);
    return make_convex_box(x, y, random_in(random, lower, upper));
}

static test_convex random_hull(test_random *random, int lower, int upper, double stretch)
{
    abut_vec3 size = {random_in(random, 0.3, 1.0), random_in(random, 0.3, 1.0),
                      stretch * random_in(random, 0.3, 1.0)};
    return make_convex_ball(random, lower + random_below(random, upper - lower + 1), size);
}

// All points that three or four segments add up to: parallelepipeds, prisms of six sides and the like; some are flat.
static test_convex random_sum(test_random *random)
{
    int count = 3 + random_below(random, 2);
    abut_vec3 segments[4], points[16];
    for (int k = 0; k < count; ++k) {
        segments[k] =
            abut_scale(random_below(random, 8) == 0 ? 1e-3 : random_in(random, 0.1, 0.6), random_unit(random));
    }
    if (count == 4 && random_below(random, 2)) {
        segments[2] = abut_sub(segments[1], segments[0]); // a prism
    }
    for (int i = 0; i < 1 << count; ++i) {
        points[i] = abut_vec3_make(0.0, 0.0, 0.0);
        for (int k = 0; k < count; ++k) {
            points[i] = abut_add_scaled(points[i], i & 1 << k ? 1.0 : -1.0, segments[k]);
        }
    }
    return make_convex(points, 1 << count);
}

static test_convex scaled(test_convex shape, double scale)
{
    abut_vec3 points[TEST_POINTS];
    int count = abut_convex_get_info(shape.convex).vertex_count;
    for (int i = 0; i < count; ++i) {
        points[i] = abut_scale(scale, abut_convex_vertex(shape.convex, i, NULL));
    }
    release_convex(&shape);
    return make_convex(points, count);
}

typedef struct sample {
    test_convex a, b;
    abut_convex_pair pair;
} sample;

static void make_shapes(test_random *random, kind which, sample *s)
{
    switch (which) {
    case SUMS:
        s->a = random_sum(random);
        s->b = random_below(random, 4) ? random_sum(random) : random_box(random, 0.2, 1.0);
        break;
    case SMALL_HULLS:
        s->a = random_hull(random, 4, 20, 1.0);
        s->b = random_hull(random, 4, 20, 1.0);
        break;
    case LARGE_HULLS:
        s->a = random_hull(random, 20, random_below(random, 8) == 0 ? 200 : 60, 1.0);
        s->b = random_hull(random, 20, 60, 1.0);
        break;
    case SLIVERS:
        s->a = random_hull(random, 4, 12, 0.001);
        s->b = random_below(random, 2) ? random_hull(random, 4, 12, 0.001) : random_box(random, 0.2, 1.0);
        break;
    case TOUCHING:
    case NEAR_PARALLEL:
        s->a = random_below(random, 3) ? random_box(random, 0.2, 1.0) : random_hull(random, 6, 16, 1.0);
        s->b = random_below(random, 3) ? random_box(random, 0.2, 1.0) : random_hull(random, 6, 16, 1.0);
        break;
    case INSIDE:
        s->a = random_hull(random, 8, 30, 1.0);
        s->b = scaled(random_hull(random, 6, 20, 1.0), random_in(random, 0.02, 0.3));
        break;
    default: s->a = random_box(random, 0.2, 1.0); s->b = random_box(random, 0.2, 1.0);
    }
}

static void pose_shapes(test_random *random, kind which, sample *s)
{
    abut_pose *b = &s->pair.pose_b;
    b->rotation = random_rotation(random);
    b->position = random_vec3(random, which == INSIDE ? 0.1 : 1.2);
    if (which == NEAR_PARALLEL) {
        // a quarter turn or none, and 1e-12 more: faces and edges that are parallel but for rounding
        double quarter = 1.5707963267948966 * random_below(random, 4);
        abut_vec3 axis = {random_below(random, 3) == 0, 0.0, 0.0};
        axis.y = axis.x == 0.0 && random_below(random, 2);
        axis.z = axis.x == 0.0 && axis.y == 0.0;
        abut_quat tilt = abut_quat_from_axis(random_unit(random), random_below(random, 2) ? 1e-12 : 0.0);
        b->rotation = abut_quat_unit(abut_quat_multiply(tilt, abut_quat_from_axis(axis, quarter)));
    }
    if (which == IDENTICAL) {
        release_convex(&s->b);
        s->b = scaled(s->a, 1.0);
        int count = abut_convex_get_info(s->b.convex).vertex_count;
        abut_vec3 points[TEST_POINTS];
        for (int i = 0; i < count; ++i) {
            points[i] = abut_convex_vertex(s->b.convex, i, NULL);
        }
        s->a = make_convex(points, count);
        *b = abut_pose_identity();
    }
}

/// Moves B along the normal so that the distance becomes what is wanted.
static void bring_to(abut_convex_pair *pair, double distance)
{
    abut_convex_result result;
    if (abut_convex_distance(pair, NULL, NULL, &result) == ABUT_OK) {
        pair->pose_b.position = abut_add_scaled(pair->pose_b.position, distance - result.distance, result.normal);
    }
}

static sample make_sample(test_random *random, kind which)
{
    sample s;
    make_shapes(random, which, &s);
    s.pair = abut_convex_pair_default(s.a.convex, s.b.convex);
    pose_shapes(random, which, &s);
    double scale = random_below(random, 3) == 0 ? pow(10.0, random_in(random, -3.0, 3.0)) : 1.0;
    if (scale != 1.0) {
        s.a = scaled(s.a, scale);
        s.b = scaled(s.b, scale);
        s.pair.pose_b.position = abut_scale(scale, s.pair.pose_b.position);
    }
    s.pair.a = s.a.convex;
    s.pair.b = s.b.convex;
    if (which == TOUCHING || (which == NEAR_PARALLEL && random_below(random, 2))) {
        bring_to(&s.pair, scale * random_in(random, -1e-12, 1e-12));
    } else if (random_below(random, 3) == 0 && which != IDENTICAL) {
        bring_to(&s.pair, -scale * pow(10.0, random_in(random, -6.0, -1.0)));
    }
    // the whole pair somewhere else, in one of four cases 1e4 sizes away
    abut_pose world = {random_vec3(random, random_below(random, 4) == 0 ? 1e4 * scale : scale),
                       random_rotation(random)};
    s.pair.pose_a = world;
    s.pair.pose_b = abut_pose_multiply(world, s.pair.pose_b);
    s.pair.pose_b.rotation = abut_quat_unit(s.pair.pose_b.rotation);
    return s;
}

static double magnitude(const sample *s)
{
    abut_mesh_elements a = abut_mesh_get_elements(s->a.mesh), b = abut_mesh_get_elements(s->b.mesh);
    return fmax(abut_box_diagonal(a.bounds), abut_box_diagonal(b.bounds)) +
           fmax(abut_norm(s->pair.pose_a.position), abut_norm(s->pair.pose_b.position));
}

/// Independent of how the answer was found: what the certificate claims, over all vertices and facets.
static void check_certificate(const sample *s, const reference *truth, const abut_convex_result *r, double size,
                              int i)
{
    const abut_convex_certificate *c = &r->certificate;
    double overlap = reference_overlap(&s->pair, r->normal);
    CHECK(fabs(overlap + c->lower) <= error_limit * size, "pair %d: planes %g apart, certificate says %g", i,
          -overlap, c->lower);
    CHECK(c->upper - c->lower <= error_limit * size, "pair %d: proof %d leaves %g open", i, (int)c->proof,
          c->upper - c->lower);
    if (c->proof == ABUT_PROOF_PLANE) {
        double apart = abut_norm(abut_sub(r->point_b, r->point_a));
        CHECK(fabs(apart - c->upper) <= error_limit * size, "pair %d: points %g apart", i, apart);
        return;
    }
    for (int k = 0; k < truth->facet_count; ++k) {
        const reference_facet *f = &truth->facets[k];
        CHECK((double)f->overlap >= -c->upper - error_limit * size, "pair %d: facet %d is at %g", i, k,
              (double)f->overlap);
        double cosine =
            (double)(c->cap_axis.x * f->normal.x + c->cap_axis.y * f->normal.y + c->cap_axis.z * f->normal.z);
        CHECK(c->proof != ABUT_PROOF_CAP || cosine >= c->cap_cosine - 1e-9 || (double)f->overlap > -c->upper,
              "pair %d: a facet outside of the cap is at %g", i, (double)f->overlap);
    }
}

static void check_points(const abut_convex_result *r, double size, int i)
{
    double gap = abut_dot(r->normal, abut_sub(r->point_b, r->point_a));
    CHECK(fabs(gap - r->distance) <= 1e-12 * size, "pair %d: witness points %g apart, distance %g", i, gap,
          r->distance);
    CHECK(fabs(abut_norm(r->normal) - 1.0) <= 1e-14, "pair %d: normal of length %.17g", i, abut_norm(r->normal));
    CHECK(r->direction_count >= 1, "pair %d", i);
}

static void test_against_reference(void **state)
{
    (void)state;
    const char *wants_long = getenv("ABUT_TEST_LONG");
    int count = wants_long != NULL && wants_long[0] == '1' ? 100000 : 3000;
    test_random random = {20160508};
    double worst[KINDS] = {0.0};
    int tested[KINDS] = {0}, full[KINDS] = {0}, fallbacks = 0;
    for (int i = 0; i < count; ++i) {
        int drawn = random_below(&random, 100);
        kind which = BOXES;
        for (int share = shares[0]; drawn >= share; share += shares[which]) {
            ++which;
        }
        sample s = make_sample(&random, which);
        reference truth;
        abut_convex_result r;
        if (CHECK(reference_find(&s.pair, &truth), "pair %d (%s): no reference", i, names[which])) {
            CHECK_STATUS(abut_convex_distance(&s.pair, NULL, NULL, &r), ABUT_OK, names[which]);
            double size = magnitude(&s), error = fabs(r.distance - truth.distance) / size;
            CHECK(error <= error_limit, "pair %d (%s): distance %.17g, reference %.17g, proof %d", i, names[which],
                  r.distance, truth.distance, (int)r.certificate.proof);
            check_certificate(&s, &truth, &r, size, i);
            check_points(&r, size, i);
            worst[which] = fmax(worst[which], error);
            ++tested[which];
            full[which] += r.certificate.proof == ABUT_PROOF_FULL;
            fallbacks += r.fallback_count;
        }
        reference_release(&truth);
        release_convex(&s.a);
        release_convex(&s.b);
    }
    for (int k = 0; k < KINDS; ++k) {
        print_message("%-16s %6d pairs, %6d by all facets, largest error %.2g\n", names[k], tested[k], full[k],
                      worst[k]);
    }
    print_message("%d fallbacks\n", fallbacks);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_reference),
    };
    return cmocka_run_group_tests_name("convex distance", tests, NULL, NULL);
}
