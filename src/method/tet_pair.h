// SPDX-License-Identifier: MIT
// tet_pair.h: what the methods on pairs of tetrahedra share
#ifndef ABUT_METHOD_TET_PAIR_H
#define ABUT_METHOD_TET_PAIR_H

#include "method/local.h"
#include "prim/tet_tet.h"

/// A tetrahedron with a face on the surface.
typedef struct abut_tet_element {
    const abut_placed *side;
    int index;
    abut_tet tet;           ///< in A's frame
    unsigned surface_faces; ///< bit k: face k is on the surface of the mesh
} abut_tet_element;

/// Two tetrahedra that touch or overlap, by the separating axis test. The first is of the first body, see
/// abut_local_first_is_b().
typedef struct abut_tet_pair {
    const abut_query *query;
    abut_tet_element first, second;
    int is_swapped; ///< the first is B's
    double reach;   ///< distance that counts as touching: max(tolerance, envelope)
    abut_tet_axis axes[ABUT_TET_AXIS_LIMIT];
    int axis_count;
} abut_tet_pair;

/// A normal, and the feature that it comes from.
typedef struct abut_tet_normal {
    abut_vec3 direction;   ///< unit, from the first to the second
    abut_normal_side side; ///< ABUT_NORMAL_A is the first
    abut_feature feature;
    abut_rule rule;
    uint32_t flags;
} abut_tet_normal;

/// Where the contacts of a pair lie along the normal.
typedef struct abut_tet_plane {
    double height; ///< of the contact plane, above corner 0 of the first
    double depth;  ///< of every contact
} abut_tet_plane;

/// Loads a pair and counts it. Returns 0 if one of the two is flat, or if they are further apart than `reach`.
int abut_tet_pair_begin(const abut_local *local, int element_a, int element_b, abut_local_output *output,
                        abut_tet_pair *pair);

/// All corners of the intersection of the two; returns how many.
int abut_tet_pair_points(const abut_tet_pair *pair, abut_meeting_point points[ABUT_TET_POINT_LIMIT]);

/// The plane in the middle of the extreme points along a direction; the depth is their extent. If the two are apart
/// along that direction, the plane is in the middle of the gap.
abut_tet_plane abut_tet_pair_middle(const abut_tet_pair *pair, abut_vec3 direction,
                                    const abut_meeting_point *points, int count);

/// Adds a contact for each point.
void abut_tet_pair_contacts(const abut_tet_pair *pair, const abut_tet_normal *normal, const abut_tet_plane *plane,
                            const abut_meeting_point *points, int count, abut_local_output *output);

/// The index in the mesh of an edge of a tetrahedron, if it is on the surface; else -1.
int abut_tet_surface_edge(const abut_tet_element *element, int edge);

/// The feature of a face or edge of a tetrahedron if it is on the surface, else the tetrahedron.
abut_feature abut_tet_face_feature(const abut_tet_element *element, int face);
abut_feature abut_tet_edge_feature(const abut_tet_element *element, int edge);

/// Runs a function over all pairs of tetrahedra with a face on the surface.
abut_status abut_tet_pairs_run(const abut_query *query, const void *options, abut_local_function *function,
                               abut_sink *sink);

#endif
