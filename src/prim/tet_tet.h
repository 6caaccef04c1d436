// SPDX-License-Identifier: MIT
// tet_tet.h: two tetrahedra: separating axes, the points where they meet, their nearest points
//
// Corners are numbered 0 to 3, face k is opposite corner k, and edge k joins the corners abut_tet_edges[k].
#ifndef ABUT_PRIM_TET_TET_H
#define ABUT_PRIM_TET_TET_H

#include <abut/math.h>

enum {
    ABUT_TET_AXIS_LIMIT = 44, ///< 8 faces, 36 pairs of edges
    ABUT_TET_POINT_LIMIT = 32 ///< 8 corners, 2 points on each of 12 edges
};

/// The corners of each face, counter-clockwise from outside if the tetrahedron is positive; edge m of it goes
/// from its corner m to the next.
extern const int abut_tet_faces[4][3];
/// The two corners of each edge. Edge k lies between the faces abut_tet_edges[5 - k].
extern const int abut_tet_edges[6][2];

typedef struct abut_tet {
    abut_vec3 corners[4];
    abut_vec3 normals[4]; ///< of the faces: unit, outward
} abut_tet;

/// Makes a tetrahedron of corners in either orientation; 0 if it is flat: a height is below 1e-12 of the longest
/// edge.
int abut_tet_make(const abut_vec3 corners[4], abut_tet *tet);

abut_vec3 abut_tet_center(const abut_tet *tet);

/// How far a point is in front of face k; negative behind it.
static inline double abut_tet_height(const abut_tet *tet, int face, abut_vec3 p)
{
    return abut_dot(tet->normals[face], abut_sub(p, tet->corners[(face + 1) % 4]));
}

/// A direction that may separate A and B. Indices of features that it does not come from are -1.
typedef struct abut_tet_axis {
    abut_vec3 direction; ///< unit: A's outward normal, B's inward one, or the cross product of two edges
    double forward;      ///< how far B must move along the direction until the two just touch; negative: apart
    double backward;     ///< how far B must move against the direction until the two just touch
    double starts_later; ///< how far B's extent along the direction starts after A's
    int face_a, face_b;  ///< of a face
    int edge_a, edge_b;  ///< of two edges
} abut_tet_axis;

/// Lists the axes: faces of A and B by turns, then edges of A with edges of B, those left out whose angle has a
/// sine of at most `parallel`. Returns their number; 0 if one of them tells that A and B are apart by more than
/// `reach`.
int abut_tet_axes(const abut_tet *a, const abut_tet *b, double parallel, double reach,
                  abut_tet_axis axes[ABUT_TET_AXIS_LIMIT]);

/// Which points count as meeting.
typedef struct abut_tet_meeting {
    double reach;     ///< what is no further apart than this meets
    double tolerance; ///< points no further apart than this are one
    double parallel;  ///< edges whose angle has at most this sine do not pass each other
} abut_tet_meeting;

/// Whether a point is within reach of a face.
int abut_tet_is_on_face(const abut_tet *tet, int face, abut_vec3 p, double reach);

/// A point where two tetrahedra meet, and the features that it comes from; -1 for those that do not apply.
typedef struct abut_meeting_point {
    abut_vec3 position;
    int side;       ///< 0: a corner or an edge of A; 1: of B
    int corner;     ///< in the other tetrahedron
    int edge;       ///< that meets a face or an edge of the other one
    int other_face; ///< it goes through this one
    int other_edge; ///< it passes this one
} abut_meeting_point;

/// The corners of the common part of A and B: corners of one in the other, and where edges of one enter and leave
/// the other. There is one if and only if the distance of A and B is at most `reach`.
int abut_tet_points(const abut_tet *a, const abut_tet *b, const abut_tet_meeting *meeting,
                    abut_meeting_point points[ABUT_TET_POINT_LIMIT]);

/// The squared distance of the surfaces of two tetrahedra that do not cross, with a pair of nearest points.
double abut_tet_tet_distance_squared(const abut_tet *a, const abut_tet *b, abut_vec3 *point_a, abut_vec3 *point_b);

#endif
