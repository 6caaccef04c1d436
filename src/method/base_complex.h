// SPDX-License-Identifier: MIT
// base_complex.h: what method quasi-lmd prepares: the inset surface as a complex, and its dilation
#ifndef ABUT_METHOD_BASE_COMPLEX_H
#define ABUT_METHOD_BASE_COMPLEX_H

#include <abut/complex.h>
#include <abut/quasi_lmd.h>
#include <abut/tree.h>

typedef struct abut_base {
    abut_complex *complex;
    abut_vec3 *vertices; ///< of the mesh, moved by the offset
    abut_tree *tree;     ///< over the moved triangles, for the overlap test
    int *samples;        ///< one vertex of each connected part, up to ABUT_BASE_SAMPLES
    int sample_count;
    abut_base_info info;
    size_t bytes;
} abut_base;

enum { ABUT_BASE_SAMPLES = 64 };

/// `inset` is relative to the size; it is used if the shape has neither dilation nor offset.
abut_status abut_base_create(const abut_context *context, const abut_shape *shape, double inset, abut_base **base,
                             abut_error *error);
void abut_base_destroy(abut_base *base, const abut_context *context);

/// Whether the placed base complexes meet, or one has a part inside a solid of the other; says so in `text`.
int abut_bases_overlap(const abut_base *a, const abut_base *b, const abut_mesh *mesh_a, const abut_mesh *mesh_b,
                       abut_pose b_to_a, const char **text);
/// Whether two triangles of a base that have no common vertex meet. Segments are not looked at.
int abut_base_meets_itself(const abut_base *base, const abut_mesh *mesh, int triangles[2]);

#endif
