// SPDX-License-Identifier: MIT
// neighbourhood.h: normals at a place of a placed mesh, and which directions from it lead outside
#ifndef ABUT_METHOD_NEIGHBOURHOOD_H
#define ABUT_METHOD_NEIGHBOURHOOD_H

#include "method/local.h"

/// The normal of a triangle: unit, outward; zero if it has no area.
abut_vec3 abut_placed_normal(const abut_placed *side, int triangle);
/// The mean of the normals of the triangles at an edge, or at a vertex, weighted by angle; zero if they cancel.
abut_vec3 abut_placed_edge_normal(const abut_placed *side, int edge);
abut_vec3 abut_placed_vertex_normal(const abut_placed *side, int vertex);

/// How many weights of a point of a triangle are zero: 0 inside, 1 on its edge k, 2 at its corner k.
int abut_feature_at(const double weights[3], int *k);

/// The normal of the triangle, edge or vertex that the point with these weights is on. If the point is the nearest one
/// to some other point, the sign of the normal along the way there tells whether that point is outside.
abut_vec3 abut_placed_place_normal(const abut_placed *side, int triangle, const double weights[3]);

/// Whether a direction is the normal of one of the triangles at a point, up to the sine of an angle; always 1 inside a
/// triangle.
int abut_placed_is_normal(const abut_placed *side, int triangle, const double weights[3], abut_vec3 direction,
                          double slack);

/// Whether points in a direction from an edge (at right angles to it) or from a vertex are outside and nearest to it,
/// not to one of its triangles or edges, up to the sine of an angle.
int abut_placed_is_over_edge(const abut_placed *side, int edge, abut_vec3 direction, double slack);
int abut_placed_is_over_vertex(const abut_placed *side, int vertex, abut_vec3 direction, double slack);

#endif
