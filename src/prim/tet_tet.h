// SPDX-License-Identifier: MIT
// tet_tet.h: two tetrahedra: separating axes, intersection points, nearest points
//
// Corners are numbered 0 to 3, face k is opposite corner k, and edge k joins the corners abut_tet_edges[k].
#ifndef ABUT_PRIM_TET_TET_H
#define ABUT_PRIM_TET_TET_H

#include <abut/math.h>

enum {
    ABUT_TET_AXIS_LIMIT = 44, ///< 8 faces, 36 pairs of edges
    ABUT_TET_POINT_LIMIT = 32 ///< 8 corners, 2 points on each of 12 edges
};

/// The corners of each face, counter-clockwise from outside if the tetrahedron has a positive volume. Edge m of a
/// face goes from its corner m to the next.
extern const int abut_tet_faces[4][3];
/// The two corners of each edge. Edge k is shared by the faces abut_tet_edges[5 - k].
extern const int abut_tet_edges[6][2];

typedef struct abut_tet {
    abut_vec3 corners[4];
    abut_vec3 normals[4]; ///< unit outward normals of the faces
} abut_tet;

/// Makes a tetrahedron from corners in either orientation. Returns 0 if it is flat: if a height is at most 1e-12 of
/// the longest edge, where rounding makes the normals inaccurate.
int abut_tet_make(const abut_vec3 corners[4], abut_tet *tet);

abut_vec3 abut_tet_center(const abut_tet *tet);

/// The signed distance of a point from the plane of a face, negative inside.
static inline double abut_tet_height(const abut_tet *tet, int face, abut_vec3 p)
{
    return abut_dot(tet->normals[face], abut_sub(p, tet->corners[(face + 1) % 4]));
}

/// A direction that may separate A and B, and the features that define it. Unused feature indices are -1.
typedef struct abut_tet_axis {
    abut_vec3 direction; ///< unit: A's outward normal, B's inward one, or the cross product of two edges
    double forward;      ///< B must move this far along the direction until A and B just touch; negative: apart
    double backward;     ///< B must move this far against the direction until A and B just touch
    int face_a, face_b;  ///< the face, if the direction is a face normal
    int edge_a, edge_b;  ///< the edges, if the direction is a cross product
} abut_tet_axis;

/// Lists the axes: alternately a face of A and a face of B, then the edges of A with the edges of B. Pairs of edges
/// whose angle has a sine of at most `parallel` are left out. Returns the number of axes, or 0 if one of them
/// separates A and B by more than `reach`.
int abut_tet_axes(const abut_tet *a, const abut_tet *b, double parallel, double reach,
                  abut_tet_axis axes[ABUT_TET_AXIS_LIMIT]);

/// Tolerances of abut_tet_points().
typedef struct abut_tet_meeting {
    double reach;     ///< features at most this far apart count as touching
    double tolerance; ///< points at most this far apart are merged
    double parallel;  ///< edges count as parallel if the sine of their angle is at most this
} abut_tet_meeting;

/// Whether a point is at most `reach` from a face.
int abut_tet_is_on_face(const abut_tet *tet, int face, abut_vec3 p, double reach);

/// A corner of the common part of two tetrahedra, and the features that define it. Unused indices are -1.
typedef struct abut_meeting_point {
    abut_vec3 position;
    int side;       ///< 0 if `corner` or `edge` belongs to A, 1 if to B
    int corner;     ///< this corner is in the other tetrahedron
    int edge;       ///< this edge meets `other_face` or `other_edge`
    int other_face; ///< the face of the other tetrahedron that the edge crosses
    int other_edge; ///< the edge of the other tetrahedron that the edge touches
} abut_meeting_point;

/// The corners of the common part of A and B: corners of one inside the other, and points where edges of one enter
/// or leave the other. There is at least one if and only if the distance between A and B is at most `reach`.
int abut_tet_points(const abut_tet *a, const abut_tet *b, const abut_tet_meeting *meeting,
                    abut_meeting_point points[ABUT_TET_POINT_LIMIT]);

/// The squared distance between the surfaces of two tetrahedra, which must not cross, and a pair of nearest points.
double abut_tet_tet_distance_squared(const abut_tet *a, const abut_tet *b, abut_vec3 *point_a, abut_vec3 *point_b);

#endif
