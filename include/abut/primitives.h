// SPDX-License-Identifier: MIT
/// @file primitives.h
/// Shapes that are not meshes: points, lines and surfaces swept by a ball, for method `quasi-lmd`. And the mass of shapes.
///
/// A primitive is a shape like any other: a small mesh, which the shape owns, with a dilation. Its radius is exact: a
/// sphere is a point and its radius, not a polyhedron.
#ifndef ABUT_PRIMITIVES_H
#define ABUT_PRIMITIVES_H

#include <abut/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

// Each of these returns ABUT_OK; ABUT_BAD_ARGUMENT for a length that is not above 0 (a radius of 0 is allowed for ropes,
// plates and rounded boxes); ABUT_UNSUPPORTED for sizes out of range; or ABUT_NO_MEMORY.

/// A sphere about the origin: a point.
ABUT_API abut_status abut_shape_sphere(const abut_context *context, double radius, abut_shape **shape,
                                       abut_error *error);
/// A cylinder with round ends along z: a segment of the given length, about the origin. The whole is longer by two radii.
ABUT_API abut_status abut_shape_capsule(const abut_context *context, double length, double radius,
                                        abut_shape **shape, abut_error *error);
/// A box about the origin with rounded edges. `half` are half its lengths, roundings included; each more than the radius.
ABUT_API abut_status abut_shape_rounded_box(const abut_context *context, abut_vec3 half, double radius,
                                            abut_shape **shape, abut_error *error);
/// A rope or cable along a polyline of at least two points.
ABUT_API abut_status abut_shape_rope(const abut_context *context, const abut_vec3 *points, int count, double radius,
                                     abut_shape **shape, abut_error *error);
/// A rectangular plate in the plane z = 0 about the origin: a shell, of thickness two radii and with rounded rims. The
/// flat part has these half lengths.
ABUT_API abut_status abut_shape_plate(const abut_context *context, double half_x, double half_y, double radius,
                                      abut_shape **shape, abut_error *error);

/// Mass properties of a shape of density 1, with its dilation. Exact for closed meshes without dilation and offset, and
/// for spheres, capsules and rounded boxes with axes along those of the mesh. Else it is the sum over the elements
/// (volumes, triangles of twice the dilation's thickness, cylinders, balls), which counts twice where they meet, and
/// `is_approximate`, which may be NULL, becomes 1.
/// @return ABUT_OK; ABUT_UNSUPPORTED for an open mesh without dilation; ABUT_BAD_DATA if the volume is not positive
ABUT_API abut_status abut_shape_mass(const abut_shape *shape, abut_mass *mass, int *is_approximate,
                                     abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
