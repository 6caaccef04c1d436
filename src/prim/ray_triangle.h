// SPDX-License-Identifier: MIT
// ray_triangle.h: where a ray meets a triangle
#ifndef ABUT_PRIM_RAY_TRIANGLE_H
#define ABUT_PRIM_RAY_TRIANGLE_H

#include <abut/math.h>

/// A ray made ready for many triangles.
typedef struct abut_ray {
    double origin[3];
    double shear[2]; ///< the direction in the axes x and y, over that in z
    double inverse;  ///< 1 / the direction in z
    int axes[3];     ///< the coordinate axes that serve as x, y and z; the direction is largest in z
} abut_ray;

/// The ray origin + t direction, t >= 0. Returns 0 if the direction is zero, or something is not finite.
int abut_ray_make(abut_vec3 origin, abut_vec3 direction, abut_ray *ray);

/// Whether the ray meets the triangle, from either side; if so, the first t and the weights of the corners there.
/// Triangles that share an edge or a corner leave no gap there: a ray that goes through one of these is
/// reported by at least one of them. Triangles seen edge-on, or without area, are met where the ray first touches them.
/// Products of two coordinates must not overflow; NaN is never met.
int abut_ray_triangle(const abut_ray *ray, const abut_vec3 triangle[3], double *t, double weights[3]);

#endif
