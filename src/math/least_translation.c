// SPDX-License-Identifier: MIT
// least_translation.c: the shortest vector of an intersection of half-spaces
//
// The answer t is determined by at most three of the half-spaces, the basis: t is the shortest vector of their planes,
// and a nonnegative combination of their normals. From the empty basis on, the half-space that t violates most enters,
// and the basis of these at most four half-spaces is found by trying all subsets with the new one. Each exchange makes
// t longer, so no basis comes twice. If four half-spaces have no basis, they have no common point (Helly).
#include "abut/translation.h"

enum { BASIS = 3 };

/// Of the largest distance: smaller violations are rounding.
static const double slack = 1e-12;
/// Of the square or cube of unit normals: smaller determinants are those of parallel planes.
static const double parallel = 1e-14;

typedef struct basis {
    abut_half_space sides[BASIS];
    int count;
    abut_vec3 point;
} basis;

/// The shortest vector of the planes of one to three sides, and its weights on their normals. Returns 0 if the planes
/// are parallel.
static int project(const abut_half_space *s, int count, abut_vec3 *point, double weights[BASIS])
{
    abut_vec3 u = s[0].normal, v = s[count > 1 ? 1 : 0].normal, w = s[count > 2 ? 2 : 0].normal;
    if (count == 1) {
        weights[0] = s[0].distance;
        *point = abut_scale(weights[0], u);
        return 1;
    }
    if (count == 2) {
        // from the foot point on the first plane along it to the second one: exact for small angles as well
        double cosine = abut_dot(u, v), determinant = abut_norm_squared(abut_cross(u, v)); // the sine, squared
        if (determinant < parallel) {
            return 0;
        }
        weights[0] = (s[0].distance - cosine * s[1].distance) / determinant;
        weights[1] = (s[1].distance - cosine * s[0].distance) / determinant;
        abut_vec3 along = abut_cross(abut_cross(u, v), u); // as long as the sine
        *point = abut_add(abut_scale(s[0].distance, u), abut_scale(weights[1], along));
        return 1;
    }
    abut_vec3 vw = abut_cross(v, w), wu = abut_cross(w, u), uv = abut_cross(u, v);
    double determinant = abut_dot(u, vw);
    if (fabs(determinant) < parallel) {
        return 0;
    }
    abut_vec3 sum = abut_add(abut_scale(s[0].distance, vw),
                             abut_add(abut_scale(s[1].distance, wu), abut_scale(s[2].distance, uv)));
    *point = abut_scale(1.0 / determinant, sum);
    // the columns of the inverse of the normals are the cross products over the determinant
    weights[0] = abut_dot(*point, vw) / determinant;
    weights[1] = abut_dot(*point, wu) / determinant;
    weights[2] = abut_dot(*point, uv) / determinant;
    return 1;
}

static double excess_of(const abut_half_space *side, abut_vec3 point)
{
    return abut_dot(side->normal, point) - side->distance;
}

/// Whether a subset of the sides, by the bits of `subset`, is the basis of all of them.
static int try_subset(const abut_half_space *sides, int count, unsigned subset, double rounding, basis *found)
{
    double weights[BASIS];
    found->count = 0;
    for (int i = 0; i < count; ++i) {
        if ((subset >> i & 1u) != 0) {
            if (found->count == BASIS) {
                return 0;
            }
            found->sides[found->count++] = sides[i];
        }
    }
    if (!project(found->sides, found->count, &found->point, weights)) {
        return 0;
    }
    for (int i = 0; i < found->count; ++i) {
        if (weights[i] < 0.0) {
            return 0;
        }
    }
    double allowed = rounding + slack * abut_norm(found->point);
    for (int i = 0; i < count; ++i) {
        if ((subset >> i & 1u) == 0 && excess_of(&sides[i], found->point) < -allowed) {
            return 0;
        }
    }
    return 1;
}

/// Takes a violated side into the basis. Returns 0 if no point is on all sides.
static int exchange(basis *b, const abut_half_space *entering, double rounding)
{
    abut_half_space sides[BASIS + 1];
    int count = b->count + 1;
    sides[0] = *entering;
    for (int i = 0; i < b->count; ++i) {
        sides[i + 1] = b->sides[i];
    }
    basis best = {.count = 0}, found;
    for (unsigned subset = 1; subset < 1u << count; subset += 2) { // those with the new side
        if (try_subset(sides, count, subset, rounding, &found) &&
            (best.count == 0 || abut_norm_squared(found.point) < abut_norm_squared(best.point))) {
            best = found;
        }
    }
    *b = best;
    return best.count > 0;
}

int abut_least_translation(const abut_half_space *sides, int count, abut_vec3 *t)
{
    basis b = {.count = 0};
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        largest = fmax(largest, fabs(sides[i].distance));
    }
    double rounding = slack * largest;
    *t = abut_vec3_make(0.0, 0.0, 0.0);
    // each exchange makes the vector longer, except by rounding, which the limit ends
    for (int exchanges = 0; exchanges <= 8 * (count + 8); ++exchanges) {
        int worst = -1;
        double least = -(rounding + slack * abut_norm(b.point));
        for (int i = 0; i < count; ++i) {
            double excess = excess_of(&sides[i], b.point);
            if (excess < least) {
                least = excess;
                worst = i;
            }
        }
        if (worst < 0) {
            *t = b.point;
            return 1;
        }
        if (!exchange(&b, &sides[worst], rounding)) {
            return 0;
        }
    }
    return 0;
}
