// SPDX-License-Identifier: MIT
// test_convex_distance.c: the signed distance of random pairs beside brute force in quadruple precision
//
// Each pair must have the distance of the reference within 1e-13 of its size and coordinates, apart and
// overlapping, with a certificate, witness points and directions that hold by themselves, and the same seen from
// the other body. ABUT_TEST_LONG=1 takes 100,000 pairs, ABUT_TEST_PAIR=<number> one of them.
#include "effort.h"
#include "reference.h"
#include "samples.h"

#include <stdlib.h>

// Of sizes and coordinates.
static const double error_limit = 1e-13;
// Overlaps nearer to each other than the first part of the coordinates tie, and such that differ by the second do
// not.
static const double tie_lowest = 0x1p-49, tie_highest = 0x1p-45;
// Of the smaller body: how far out of a body witness points of overlapping bodies may be.
static const double witness_limit = 8e-9;

typedef struct look {
    const sample *sample;
    reference *truth;
    const abut_convex_result *r;
    int number;
    double limit;
} look;

// But for rounding.
static int touches(const look *l)
{
    return fabs((double)l->truth->least) <= 1e-14 * l->sample->span;
}

static int is_finite_result(const abut_convex_result *r)
{
    return isfinite(r->distance) && abut_is_finite(r->normal) && abut_is_finite(r->point_a) &&
           abut_is_finite(r->point_b) && isfinite(r->plane_offset) && isfinite(r->certificate.lower) &&
           isfinite(r->certificate.upper);
}

// How far the distance is from the truth. Where it is proven by planes and points, these tell: check_certificate()
// and check_points() look at them.
static double error_of(const look *l)
{
    double least = (double)l->truth->least;
    if (l->r->certificate.proof == ABUT_PROOF_PLANE) {
        return least > 0.0 ? fabs(l->r->distance + least) : 0.0;
    }
    return fabs(l->r->distance - (least < 0.0 ? reference_distance(l->truth) : -least));
}

// Lower bound: the planes through the highest points of both in the direction of the normal, over all vertices.
// Upper bound: points of both bodies, or all facets.
static void check_certificate(const look *l)
{
    const abut_convex_certificate *c = &l->r->certificate;
    double overlap = reference_overlap(l->truth, l->r->normal);
    CHECK(fabs(overlap + c->lower) <= l->limit, "pair %d: planes %g apart, certificate says %g", l->number,
          -overlap, c->lower);
    CHECK(c->upper - c->lower <= l->limit, "pair %d: proof %d leaves %g open", l->number, (int)c->proof,
          c->upper - c->lower);
    CHECK(fabs(l->r->distance - c->upper) <= l->limit, "pair %d: distance %g, upper bound %g", l->number,
          l->r->distance, c->upper);
    if (c->proof == ABUT_PROOF_PLANE) {
        double across, along = reference_along(l->r->normal, l->r->point_a, l->r->point_b, &across);
        CHECK(fabs(hypot(along, across) - c->upper) <= l->limit, "pair %d: points %g apart, upper bound %g",
              l->number, hypot(along, across), c->upper);
        return;
    }
    CHECK((double)l->truth->least >= -c->upper - l->limit, "pair %d: a facet is at %g, upper bound %g", l->number,
          (double)l->truth->least, c->upper);
    for (int i = 0; i < l->truth->facet_count && c->proof == ABUT_PROOF_CAP; ++i) {
        const reference_facet *f = &l->truth->facets[i];
        CHECK(abut_dot(c->cap_axis, f->normal) >= c->cap_cosine - 1e-9 || (double)f->overlap > -c->upper,
              "pair %d: a facet outside of the cap is at %g", l->number, (double)f->overlap);
    }
}

// In both bodies, the distance apart along the normal, and with the plane halfway between them. Where bodies touch but
// for rounding, any plane between them is an answer, and where its features do not meet the points are beside the
// bodies: returns 1.
static int check_points(const look *l)
{
    const abut_convex_result *r = l->r;
    int is_apart = r->certificate.proof == ABUT_PROOF_PLANE;
    double allowed = l->limit + (is_apart ? 0.0 : witness_limit * l->sample->small);
    double out_a = reference_outside(l->truth, 0, r->point_a), out_b = reference_outside(l->truth, 1, r->point_b);
    int is_beside = out_a > allowed || out_b > allowed;
    CHECK(!is_beside || touches(l), "pair %d: the points are %g and %g outside", l->number, out_a, out_b);
    double across, along = reference_along(r->normal, r->point_a, r->point_b, &across);
    CHECK(fabs(along - r->distance) <= l->limit, "pair %d: points %g apart, distance %g", l->number, along,
          r->distance);
    // of bodies apart, the certificate says how far the points are from each other
    CHECK(is_apart || across <= allowed, "pair %d: points %g aside", l->number, across);
    CHECK(fabs(abut_norm(r->normal) - 1.0) <= 4e-15, "pair %d: normal of length %.17g", l->number,
          abut_norm(r->normal));
    abut_vec3 middle = abut_lerp(r->point_a, r->point_b, 0.5);
    CHECK(fabs(abut_dot(r->normal, middle) - r->plane_offset) <= 1e-15 * l->sample->size,
          "pair %d: plane at %.17g, middle at %.17g", l->number, r->plane_offset, abut_dot(r->normal, middle));
    return is_beside;
}

static int is_among(abut_vec3 direction, const abut_vec3 *directions, int count)
{
    for (int i = 0; i < count; ++i) {
        if (abut_norm(abut_sub(direction, directions[i])) <= 1e-5) {
            return 1;
        }
    }
    return 0;
}

// All directions tie for the least overlap. If the bodies overlap, all facets that tie are among them. The search
// proves that by a ball in the Minkowski difference and the origin in it, so it does not hold for bodies that are
// apart by less than rounding, which may be answered by facets too.
static void check_directions(const look *l)
{
    const abut_convex_result *r = l->r;
    double span = l->sample->span, least = (double)l->truth->least;
    CHECK(r->direction_count >= 1 && r->direction_count <= ABUT_CONVEX_DIRECTIONS &&
              abut_norm(abut_sub(r->directions[0], r->normal)) == 0.0,
          "pair %d: %d directions", l->number, r->direction_count);
    if (r->certificate.proof == ABUT_PROOF_PLANE) {
        CHECK_INT(r->direction_count + r->has_more_directions, 1, "directions of bodies apart");
        return;
    }
    for (int i = 0; i < l->truth->facet_count; ++i) {
        const reference_facet *f = &l->truth->facets[i];
        CHECK(least < 0.0 || (double)(f->overlap - l->truth->least) > tie_lowest * span || r->has_more_directions ||
                  is_among(f->normal, r->directions, r->direction_count),
              "pair %d: none of %d directions is %.9g %.9g %.9g, overlap %g above %g", l->number,
              r->direction_count, f->normal.x, f->normal.y, f->normal.z, (double)(f->overlap - l->truth->least),
              least);
    }
    for (int i = 0; i < r->direction_count; ++i) {
        double more = reference_overlap(l->truth, r->directions[i]) - least;
        CHECK(more <= tie_highest * span, "pair %d: direction %d overlaps by %g more", l->number, i, more);
    }
}

// From B to A the distance is the same, and its normal is as good the other way.
// Apart: the distance is the upper bound of the certificate, and the true distance is at most `limit` below it, which
// is tested here and in check_certificate(). So both distances are between the true one and `limit` above it.
// Overlapping: both are the least overlap of the same facets. Each overlap is a sum of nine products of a unit vector
// and coordinates; rounding changes it, with the normal and the turn between the frames, by less than 32 ulps of the
// coordinates: 4e-15 for each, together less than a quarter of `limit`, which is 1e-13.
static void check_swapped(const look *l)
{
    abut_convex_pair pair = l->sample->pair;
    abut_convex_pair swapped = pair;
    swapped.a = pair.b;
    swapped.b = pair.a;
    swapped.pose_a = pair.pose_b;
    swapped.pose_b = pair.pose_a;
    abut_convex_result r;
    CHECK_STATUS(abut_convex_distance(&swapped, NULL, NULL, &r), ABUT_OK, "swapped");
    int is_apart = l->r->certificate.proof == ABUT_PROOF_PLANE && r.certificate.proof == ABUT_PROOF_PLANE;
    CHECK(r.certificate.upper - r.certificate.lower <= l->limit, "pair %d: from B to A, the proof leaves %g open",
          l->number, r.certificate.upper - r.certificate.lower);
    CHECK(fabs(r.distance - l->r->distance) <= (is_apart ? 1.0 : 0.25) * l->limit,
          "pair %d: %.17g from A to B, %.17g from B to A", l->number, l->r->distance, r.distance);
    double overlap = reference_overlap(l->truth, abut_negate(r.normal));
    CHECK(fabs(overlap + r.distance) <= l->limit, "pair %d: from B to A %.17g, along its normal %.17g", l->number,
          r.distance, -overlap);
    // a unique normal is well determined where rounding is small beside the distance
    int is_unique = l->r->direction_count == 1 && r.direction_count == 1 && l->truth->facet_count <= 1;
    if (is_unique && fabs(r.distance) > 1e-6 * l->sample->size) {
        CHECK(abut_norm(abut_add(r.normal, l->r->normal)) <= 1e-6, "pair %d: normals differ by %g", l->number,
              abut_norm(abut_add(r.normal, l->r->normal)));
    }
}

typedef struct tally {
    int tested, full, fallbacks, beside;
    double worst;
} tally;

static void check_sample(int number, tally *tallies)
{
    sample s = make_sample((uint64_t)number);
    abut_convex_result r;
    memset(&r, 0xff, sizeof r);
    CHECK_STATUS(abut_convex_distance(&s.pair, NULL, NULL, &r), ABUT_OK, "distance");
    reference truth = reference_find(&s.pair, &s.a, &s.b, tie_highest * s.span);
    if (CHECK(is_finite_result(&r), "pair %d", number)) {
        look l = {&s, &truth, &r, number, error_limit * s.size};
        int failures = check_failures;
        double error = error_of(&l) / s.size;
        CHECK(error <= error_limit, "pair %d: distance %.17g, least overlap %.17g, proof %d", number, r.distance,
              (double)truth.least, (int)r.certificate.proof);
        check_certificate(&l);
        int is_beside = check_points(&l);
        check_directions(&l);
        check_swapped(&l);
        if (check_failures > failures && failures < CHECK_PRINTED) {
            print_error("pair %d is a %s and a %s, %s\n", number, solid_name(s.solid_a), solid_name(s.solid_b),
                        arrangement_name(s.arranged));
        }
        tally *t = &tallies[s.arranged];
        ++t->tested;
        t->full += r.certificate.proof == ABUT_PROOF_FULL;
        t->fallbacks += r.fallback_count > 0;
        t->beside += is_beside;
        t->worst = fmax(t->worst, error);
    }
    reference_release(&truth);
    release_sample(&s);
}

static void test_against_reference(void **state)
{
    (void)state;
    const char *wants_pair = getenv("ABUT_TEST_PAIR");
    int first = wants_pair != NULL ? atoi(wants_pair) : 0;
    int count = wants_pair != NULL ? 1 : sample_count(3000, 100000);
    tally tallies[ARRANGEMENTS] = {{0}};
    for (int i = first; i < first + count; ++i) {
        check_sample(i, tallies);
    }
    // Faces parallel but for rounding that a walk over facets took for neighbours of each other, and edges as
    // parallel whose closest points had no good direction. 60906: apart, with a wide bracket. 45449: from B to A the
    // sweep crosses the wrong one of two arcs that nearly coincide, and the nearest facet, 3e-6 of its overlap
    // nearer, is found only by the look around that ends the sweep.
    static const int hard[] = {29874, 31195, 9755, 17557, 20543, 28765, 30060, 33321, 60906, 45449};
    for (size_t i = 0; wants_pair == NULL && i < sizeof hard / sizeof hard[0]; ++i) {
        check_sample(hard[i], tallies);
    }
    int beside = 0;
    for (int k = 0; k < ARRANGEMENTS; ++k) {
        const tally *t = &tallies[k];
        beside += t->beside;
        print_message("%-12s %6d pairs, %6d by all facets, %6d with fallbacks, largest error %.2g\n",
                      arrangement_name((arrangement)k), t->tested, t->full, t->fallbacks, t->worst);
    }
    CHECK(beside <= count / 20000, "%d pairs of witness points are beside bodies that touch", beside);
    CHECK_DONE();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_reference),
    };
    return cmocka_run_group_tests_name("convex distance", tests, NULL, NULL);
}
