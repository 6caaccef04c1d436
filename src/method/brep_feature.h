// SPDX-License-Identifier: MIT
// brep_feature.h: the mesh features behind the parts of a B-rep
#ifndef ABUT_METHOD_BREP_FEATURE_H
#define ABUT_METHOD_BREP_FEATURE_H

#include <abut/brep_index.h>
#include <abut/contact.h>

/// The mesh feature of a location in the B-rep of the mesh; ABUT_FEATURE_NONE inside and outside.
abut_feature abut_brep_feature(const abut_mesh *mesh, const abut_brep_elements *brep, abut_location location);

#endif
