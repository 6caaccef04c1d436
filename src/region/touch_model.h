// SPDX-License-Identifier: MIT
// touch_model.h: the elements that a search for touching entities looks at, if a B-rep has faces of many triangles
//
// How finely faces are cut must not matter, so triangles of wide faces are no elements. An element is a triangle of
// another face, or a border: an edge of the B-rep that no such triangle stands for. Each corner and edge of the B-rep
// belongs to one element. Wide faces have a hierarchy of their own (wide_face.h).
#ifndef ABUT_REGION_TOUCH_MODEL_H
#define ABUT_REGION_TOUCH_MODEL_H

#include "region/wide_face.h"

#include <abut/tree.h>

typedef struct abut_touch_model {
    abut_context context;
    /// From the frame of both trees to that of the mesh. The trees are along the largest wide face and its longest
    /// edge: boxes of long triangles and edges are narrow there, however the mesh is turned.
    abut_pose frame;
    abut_vec3 *points; ///< the vertices of the mesh in the trees' frame
    int *corners;      ///< of each element three vertices of the mesh; of a border its ends and a corner beside it
    int *sources;      ///< by element: a triangle of the mesh, or ~(edge of the B-rep)
    /// By element: bits 0-2 are set for its corners, bits 3-5 for its edges that belong to it. The edge of a border is
    /// that of bit 3.
    unsigned char *owned;
    int element_count;
    abut_tree *tree;       ///< over the elements
    abut_wide_face *faces; ///< by their faces of the B-rep, ascending
    int face_count;
    abut_vec3 *cover_corners; ///< three for each wide face: a triangle around it, in the mesh's frame
    abut_vec3 *cover_points;  ///< these corners in the trees' frame
    int *cover_indices;       ///< 0, 1, 2, ...
    abut_tree *covers;        ///< over these triangles
} abut_touch_model;

/// Makes `*model`, or leaves it NULL if the triangles themselves are good elements. The mesh must outlive the model.
/// Returns ABUT_NO_MEMORY if memory ran out.
abut_status abut_touch_model_create(const abut_context *context, const abut_mesh_elements *mesh,
                                    const abut_mesh_topology *topology, const abut_brep_elements *brep,
                                    abut_touch_model **model);
void abut_touch_model_destroy(abut_touch_model *model);

/// The number of the wide face of a face of the B-rep, or -1.
int abut_touch_model_find(const abut_touch_model *model, int face);

#endif
