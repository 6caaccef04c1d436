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

// ---------------------------------------------------------------------------------------------------------------
// Primitives by name
//
// box:X,Y,Z            its sizes, about the origin
// sphere:R             radius, about the origin
// capsule:R,L          radius; length between the middles of its ends, along z about the origin
// rounded-box:X,Y,Z,R  sizes, about the origin; radius of its edges
// plate:X,Y,R          sizes of the flat part, in z = 0 about the origin; half its thickness
// plane:S              the top of a square block S wide and S / 10 deep is in z = 0, about the origin
// rope:R,X,Y,Z,...     radius; at least two points

/// Whether a text is the name of a primitive: one of these words, up to a colon or the end. Its numbers may be wrong.
ABUT_API int abut_is_primitive(const char *name);

/// The words with which names begin: box, sphere, ...
ABUT_API const char *const *abut_primitive_words(int *count);

/// The mesh that a ball of the given radius sweeps: `mesh` and `dilation` of abut_shape_def. The radius is 0 for boxes and
/// planes. Destroy the mesh with abut_mesh_destroy().
/// @return ABUT_OK; ABUT_BAD_ARGUMENT for a name that is no primitive; ABUT_BAD_DATA for wrong numbers; ABUT_UNSUPPORTED
///         for sizes out of range; ABUT_LIMIT for a rope of more than 10,000 points; or ABUT_NO_MEMORY
ABUT_API abut_status abut_primitive_core(const abut_context *context, const char *name, abut_mesh **core,
                                         double *radius, abut_error *error);

/// A closed mesh for methods that take no radius: flat facets with their corners on the surface. `deviation`, which may be
/// NULL, becomes the largest distance of the surface from the facets: 0.4 % of the radius; 3 % for ropes, whose segments
/// are closed parts that overlap. With radius 0 it is the core.
/// @return as abut_primitive_core()
ABUT_API abut_status abut_primitive_facets(const abut_context *context, const char *name, abut_mesh **mesh,
                                           double *deviation, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
