// SPDX-License-Identifier: MIT
// base_complex.h: what method quasi-lmd prepares: the inset surface as a complex, and its dilation
#ifndef ABUT_METHOD_BASE_COMPLEX_H
#define ABUT_METHOD_BASE_COMPLEX_H

#include <abut/complex.h>
#include <abut/contact.h>
#include <abut/quasi_lmd.h>
#include <abut/tree.h>

typedef struct abut_base {
    abut_complex *complex;
    abut_vec3 *vertices; ///< of the mesh, moved by the offset
    double *lags;    ///< by vertex: by how much less than the inset a plane at it moved, at most; NULL: none did
    abut_tree *tree; ///< over the triangles of the complex, for the overlap test
    int *samples;    ///< one vertex of each connected part
    int sample_count;
    abut_base_info info;
    size_t bytes;
} abut_base;

/// `inset` is relative to the size; it is used if the shape has neither dilation nor offset.
abut_status abut_base_create(const abut_context *context, const abut_shape *shape, double inset, abut_base **base,
                             abut_error *error);
/// How far the surface of the body is outside of the complex at a point, along a direction, a unit vector in the frame of
/// the mesh: the dilation, less where the complex could not move in by as much. The base has lags.
double abut_base_reach(const abut_base *base, const abut_mesh *mesh, const abut_anchor *point, abut_vec3 direction);
void abut_base_destroy(abut_base *base, const abut_context *context);

/// Whether the placed base complexes meet, or one has a part inside a solid of the other; says so in `text`.
int abut_bases_overlap(const abut_base *a, const abut_base *b, const abut_mesh *mesh_a, const abut_mesh *mesh_b,
                       abut_pose b_to_a, const char **text);
/// Whether two triangles of a base that have no common vertex meet, and the faces that they come from. Segments are not
/// looked at.
int abut_base_meets_itself(const abut_base *base, int faces[2]);

#endif
