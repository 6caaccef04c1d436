// SPDX-License-Identifier: MIT
// methods.h: the rows of the method table
#ifndef ABUT_METHOD_METHODS_H
#define ABUT_METHOD_METHODS_H

#include <abut/contact.h>

extern const abut_method abut_method_auto;
extern const abut_method abut_method_closest_points;
extern const abut_method abut_method_consistent_vertex;
extern const abut_method abut_method_continuous;
extern const abut_method abut_method_convex;
extern const abut_method abut_method_growth;
extern const abut_method abut_method_implicit_field;
extern const abut_method abut_method_intersection;
extern const abut_method abut_method_opposing;
extern const abut_method abut_method_quasi_lmd;
extern const abut_method abut_method_regions;
extern const abut_method abut_method_surface_sat;
extern const abut_method abut_method_vertex_only;
extern const abut_method abut_method_volume_sat;

/// Whether method convex is asked to take the hull of the vertices, so that their surface does not matter.
int abut_convex_takes_hull(const abut_params *params);

#endif
