// SPDX-License-Identifier: MIT
// brep_feature.h: the mesh features behind the parts of a B-rep
#ifndef ABUT_METHOD_BREP_FEATURE_H
#define ABUT_METHOD_BREP_FEATURE_H

#include <abut/brep_index.h>
#include <abut/contact.h>

/// The mesh feature of a location in a B-rep; ABUT_FEATURE_NONE inside and outside. `edge_vertices` and `triangle_faces`
/// are those of its mesh.
abut_feature abut_brep_feature(const int *edge_vertices, const int *triangle_faces, const abut_brep_elements *brep,
                               abut_location location);

#endif
