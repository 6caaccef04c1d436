// SPDX-License-Identifier: MIT
// case_shapes.h: the bodies of the fundamental cases in unit form
#ifndef ABUT_LAB_CASE_SHAPES_H
#define ABUT_LAB_CASE_SHAPES_H

#include <abut/math.h>

/// A body in unit form: its vertices times a scale per axis are a body of that size.
typedef struct abut_case_shape {
    const char *name;
    const abut_vec3 *vertices; ///< of the surface, then points inside that only tetrahedra use
    const int *triangles;      ///< outward, closed
    const int *tets;           ///< positive; their boundary is the triangles
    int vertex_count, surface_vertex_count, triangle_count, tet_count;
} abut_case_shape;

/// NULL if there is no shape of that name.
const abut_case_shape *abut_case_shape_find(const char *name);

#endif
