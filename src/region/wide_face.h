// SPDX-License-Identifier: MIT
// wide_face.h: finds the triangles of a face at a point of its plane
#ifndef ABUT_REGION_WIDE_FACE_H
#define ABUT_REGION_WIDE_FACE_H

#include <abut/brep.h>

/// A node of the hierarchy of a face: a rectangle in its plane, oriented along the triangles that it holds.
typedef struct abut_wide_node {
    float center[2], axis[2], half[2]; ///< in units of the face; `axis` is the unit direction of half[0]
    int next;  ///< the second child (the first one follows the node), or ~(first in `order`)
    int count; ///< triangles of a leaf; 0: an inner node
} abut_wide_node;

/// A face with many triangles, in the mesh's frame.
typedef struct abut_wide_face {
    int face;                       ///< of the B-rep
    abut_vec3 origin, u, v, normal; ///< of its plane
    double scale;                   ///< from lengths to units of the face, which is between -2 and 2
    abut_wide_node *nodes;
    int node_count, node_capacity;
    int *order; ///< triangles of the mesh, leaf by leaf
} abut_wide_face;

/// Builds the hierarchy over the triangles of a face. Returns 0 if memory ran out. abut_wide_face_free() is needed in
/// both cases.
int abut_wide_face_build(const abut_context *context, const abut_mesh_elements *mesh,
                         const abut_brep_elements *brep, int face, abut_wide_face *wide);
void abut_wide_face_free(const abut_context *context, abut_wide_face *wide);

/// A triangle of the face's plane around the whole face, grown by the rounding of the hierarchy.
void abut_wide_face_cover(const abut_wide_face *wide, abut_vec3 corners[3]);

enum { ABUT_WIDE_DEPTH = 80 }; ///< bound of the depth: 40 free levels, then halves of up to 2^31 triangles

/// A search for the triangles near a point. They need not be within reach of its height over the plane.
typedef struct abut_wide_search {
    const abut_wide_face *wide;
    const abut_mesh_elements *mesh;
    abut_vec3 point;
    double x, y, scaled_reach, reach;
    int stack[ABUT_WIDE_DEPTH];
    int stack_count;
    int at, end; ///< the rest of the current leaf
    int visits;  ///< rectangles looked at so far
} abut_wide_search;

abut_wide_search abut_wide_search_begin(const abut_wide_face *wide, const abut_mesh_elements *mesh, abut_vec3 point,
                                        double reach);

/// The next triangle with the point at most `reach` beyond each of its sides, or -1. The order is fixed.
int abut_wide_search_next(abut_wide_search *search);

#endif
