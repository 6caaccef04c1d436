// SPDX-License-Identifier: MIT
/// @file locate.h
/// Points in a solid: inside, outside, or on which vertex, edge or face of its mesh.
///
/// abut_locate() answers for any number of points in one call. A program that asks again, or about segments and
/// polygons, keeps a B-rep and its index (<abut/brep_index.h>), and names the locations with abut_location_feature().
#ifndef ABUT_LOCATE_H
#define ABUT_LOCATE_H

#include <abut/brep_index.h>
#include <abut/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A solid and points. Start from abut_locate_def_default().
typedef struct abut_locate_def {
    size_t struct_size;
    const abut_mesh *mesh;   ///< closed and oriented
    const abut_vec3 *points; ///< in the frame of the mesh
    int point_count;
    double tolerance; ///< what counts as on the surface, as in abut_brep_index_params; default 0: the least
} abut_locate_def;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_locate_def_init(abut_locate_def *def, size_t size);
static inline abut_locate_def abut_locate_def_default(void)
{
    abut_locate_def def;
    abut_locate_def_init(&def, sizeof def);
    return def;
}

/// Where a point is. Method `regions` names features in the same way: coplanar faces are one, named by the lowest, and
/// so are collinear edges. A vertex inside a face or a straight edge is not a feature of its own.
typedef struct abut_located {
    abut_place place;
    abut_feature feature; ///< ABUT_FEATURE_NONE inside and outside
} abut_located;

/// Locates points in a solid. Writes one answer for each point, in order; a point that is not finite is outside.
/// Builds a B-rep and a Brep-index, in time n log n for n triangles, and frees them.
/// @return ABUT_OK; ABUT_UNSUPPORTED if the mesh is not closed and oriented; ABUT_BAD_DATA if it has no positive
///         volume; ABUT_BAD_ARGUMENT, ABUT_LIMIT and ABUT_NO_MEMORY as abut_brep_index_create(). After a failure
///         nothing is written to `located`.
ABUT_API abut_status abut_locate(const abut_context *context, const abut_locate_def *def, abut_located *located,
                                 abut_error *error);

/// The mesh feature of a location in the B-rep; ABUT_FEATURE_NONE inside and outside.
ABUT_API abut_feature abut_location_feature(const abut_brep *brep, abut_location location);

#ifdef __cplusplus
}
#endif
#endif
