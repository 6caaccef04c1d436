// SPDX-License-Identifier: MIT
// ray_triangle.c: where a ray hits a triangle
//
// Space is sheared so that the ray becomes the z axis. The image of a vertex in the plane z = 0 depends only on the
// vertex and the ray, not on the triangle. Rounding moves it a little, but in all triangles alike, so they still fit
// together. Whether a triangle's image contains the origin is then decided exactly.
//
// Source:  Woop, Benthin, Wald 2013, Watertight Ray/Triangle Intersection.
// Differs: uses double, with exact signs if the rounded value is 0; edge-on triangles are hit, not skipped.
#include "prim/ray_triangle.h"
#include <abut/predicates.h>

int abut_ray_make(abut_vec3 origin, abut_vec3 direction, abut_ray *ray)
{
    const double d[3] = {direction.x, direction.y, direction.z};
    int z = fabs(d[0]) >= fabs(d[1]) ? 0 : 1;
    z = fabs(d[z]) >= fabs(d[2]) ? z : 2;
    if (!abut_is_finite(origin) || !abut_is_finite(direction) || d[z] == 0.0) {
        return 0;
    }
    int x = (z + 1) % 3, y = (z + 2) % 3;
    *ray = (abut_ray){{origin.x, origin.y, origin.z}, {d[x] / d[z], d[y] / d[z]}, 1.0 / d[z], {x, y, z}};
    return 1;
}

// The sign of a x b. Rounding is monotonic, so the rounded value has the right sign unless it is 0. If it is 0, the
// predicate decides (0 if the input is out of its range).
static int exact_sign(abut_vec2 a, abut_vec2 b, double rounded)
{
    int sign = (rounded > 0.0) - (rounded < 0.0);
    if (sign == 0) {
        (void)abut_orient2d(abut_vec2_make(0.0, 0.0), a, b, &sign);
    }
    return sign;
}

// A point of the triangle on the ray's line.
typedef struct meeting {
    double t;
    double weights[3];
} meeting;

static void include_meeting(meeting *first, meeting *last, meeting next)
{
    if (next.t < first->t) {
        *first = next;
    }
    if (next.t > last->t) {
        *last = next;
    }
}

// The triangle is seen edge-on, as a line through the origin. The ray hits it between the first and the last of its
// corners on the ray and its edges that cross the ray.
static int ray_edge_on(const abut_vec2 places[3], const double t[3], meeting *result)
{
    meeting first = {HUGE_VAL, {0.0, 0.0, 0.0}}, last = {-HUGE_VAL, {0.0, 0.0, 0.0}};
    double width_x = fmax(fmax(fabs(places[0].x), fabs(places[1].x)), fabs(places[2].x));
    double width_y = fmax(fmax(fabs(places[0].y), fabs(places[1].y)), fabs(places[2].y));
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3;
        double u = width_x >= width_y ? places[i].x : places[i].y;
        double v = width_x >= width_y ? places[k].x : places[k].y;
        meeting next = {t[i], {0.0, 0.0, 0.0}};
        if (u == 0.0) {
            next.weights[i] = 1.0;
            include_meeting(&first, &last, next);
        } else if ((u < 0.0 && v > 0.0) || (u > 0.0 && v < 0.0)) {
            double along = u / (u - v);
            next.t = (1.0 - along) * t[i] + along * t[k];
            next.weights[i] = 1.0 - along;
            next.weights[k] = along;
            include_meeting(&first, &last, next);
        }
    }
    if (!(last.t >= 0.0)) {
        return 0;
    }
    *result = first;
    if (first.t < 0.0) { // the ray starts inside the triangle
        double along = first.t / (first.t - last.t);
        result->t = 0.0;
        for (int i = 0; i < 3; ++i) {
            result->weights[i] = (1.0 - along) * first.weights[i] + along * last.weights[i];
        }
    }
    return 1;
}

int abut_ray_triangle(const abut_ray *ray, const abut_vec3 triangle[3], double *t, double weights[3])
{
    abut_vec2 places[3];
    double heights[3];
    for (int i = 0; i < 3; ++i) {
        const double p[3] = {triangle[i].x - ray->origin[0], triangle[i].y - ray->origin[1],
                             triangle[i].z - ray->origin[2]};
        double z = p[ray->axes[2]];
        places[i] = abut_vec2_make(p[ray->axes[0]] - ray->shear[0] * z, p[ray->axes[1]] - ray->shear[1] * z);
        heights[i] = z * ray->inverse;
    }
    double areas[3], sum = 0.0;
    int signs[3], positive = 0, negative = 0;
    for (int i = 0; i < 3; ++i) {
        abut_vec2 a = places[(i + 1) % 3], b = places[(i + 2) % 3];
        areas[i] = a.x * b.y - a.y * b.x;
        signs[i] = exact_sign(a, b, areas[i]);
        positive += signs[i] > 0;
        negative += signs[i] < 0;
        sum += areas[i];
    }
    meeting result = {0.0, {0.0, 0.0, 0.0}};
    if ((positive > 0 && negative > 0) || isnan(sum)) {
        return 0;
    }
    if (positive + negative == 0) {
        if (!ray_edge_on(places, heights, &result)) {
            return 0;
        }
    } else {
        for (int i = 0; i < 3; ++i) {
            // If all areas are rounded to 0, the triangle's image is so small that equal weights will do.
            result.weights[i] = sum != 0.0 ? areas[i] / sum : fabs((double)signs[i]) / (positive + negative);
            result.t += result.weights[i] * heights[i];
        }
    }
    *t = result.t;
    for (int i = 0; i < 3; ++i) {
        weights[i] = result.weights[i];
    }
    return result.t >= 0.0;
}
