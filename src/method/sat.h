// SPDX-License-Identifier: MIT
// sat.h: contacts along the axis of least overlap of two tetrahedra, shared by volume-sat and surface-sat
#ifndef ABUT_METHOD_SAT_H
#define ABUT_METHOD_SAT_H

#include "method/tet_pair.h"

/// The features that may give an axis, one bit each.
typedef struct abut_sat_features {
    unsigned faces, edges;
} abut_sat_features;

static inline abut_sat_features abut_sat_all_features(void)
{
    abut_sat_features all = {15u, 63u};
    return all;
}

/// The axis of least overlap among those of the given features of the first and the second tetrahedron, and the
/// overlap. Returns 0 if the features give no axis.
int abut_sat_choose(const abut_tet_pair *pair, const abut_sat_features features[2], abut_tet_normal *normal,
                    double *overlap);

/// Adds the contacts of a pair.
void abut_sat_contacts(const abut_tet_pair *pair, const abut_sat_features features[2], abut_local_output *output);

#endif
