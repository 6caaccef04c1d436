// SPDX-License-Identifier: MIT
// ray_triangle.h: where a ray hits a triangle
#ifndef ABUT_PRIM_RAY_TRIANGLE_H
#define ABUT_PRIM_RAY_TRIANGLE_H

#include <abut/math.h>

/// A ray, prepared for tests against many triangles.
typedef struct abut_ray {
    double origin[3];
    double shear[2]; ///< x and y of the direction, divided by its z
    double inverse;  ///< 1 / z of the direction
    int axes[3];     ///< the coordinate axes used as x, y and z; z is the largest component of the direction
} abut_ray;

/// The ray origin + t direction, t >= 0. Returns 0 if the direction is zero or a coordinate is not finite.
int abut_ray_make(abut_vec3 origin, abut_vec3 direction, abut_ray *ray);

/// Whether the ray hits the triangle, from either side; if so, gives the first t and the weights of the corners
/// there.
/// Triangles that share an edge or a corner leave no gap: a ray through a shared edge or corner hits at least one of
/// them. A triangle that is seen edge-on or has no area is hit at its first point on the ray. Products of two
/// coordinates must not overflow. A triangle with NaN is never hit.
int abut_ray_triangle(const abut_ray *ray, const abut_vec3 triangle[3], double *t, double weights[3]);

#endif
