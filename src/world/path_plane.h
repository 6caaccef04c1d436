// SPDX-License-Identifier: MIT
// path_plane.h: planes that keep two bodies apart while they move
#ifndef ABUT_WORLD_PATH_PLANE_H
#define ABUT_WORLD_PATH_PLANE_H

#include <abut/contact.h>
#include <abut/mesh.h>
#include <abut/sweep.h>

/// The normal of a contact, as it moves with the bodies.
typedef struct abut_path_plane {
    abut_normal_side
        side;           ///< the body that it turns with; ABUT_NORMAL_BOTH: it is at right angles to an edge of each
    abut_vec3 normal;   ///< from A to B, in the frame of that body
    abut_vec3 edges[2]; ///< directions of the edges of A and of B, unit vectors, in their frames
    abut_vec3 point;    ///< of the edge of A, in its frame
} abut_path_plane;

/// A body that moves, and its vertices.
typedef struct abut_path_side {
    abut_motion motion;
    const abut_vec3 *vertices;
    int count;
    double reach; ///< bound of the distance of its points from the center
} abut_path_side;

/// Makes the planes of a contact that was found at two poses, and returns their number.
enum { ABUT_PATH_PLANES = 4 };
int abut_path_planes_of(const abut_contact *contact, const abut_mesh_elements meshes[2], const abut_pose poses[2],
                        abut_path_plane planes[ABUT_PATH_PLANES]);

/// Whether two bodies stay on their sides of a plane for a time: all vertices of B, along the normal, at least `level`
/// beyond those of A. If the gap at the beginning is negative, but not below `deepest`, it may be that much smaller,
/// too: bodies that overlap do not get further into each other than by -level. 1 is certain; 0 says nothing.
int abut_path_plane_holds(const abut_path_plane *plane, const abut_path_side *a, const abut_path_side *b,
                          double duration, double level, double deepest);

#endif
