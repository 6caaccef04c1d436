// SPDX-License-Identifier: MIT
// voxels.h: solids of tetrahedra from a field
#ifndef ABUT_LAB_VOXELS_H
#define ABUT_LAB_VOXELS_H

#include "scenes/setup.h"

/// A ball or a round bar of which one end may be thinner. Lengths are in cells.
typedef struct abut_limb {
    abut_vec3 from, to;
    double from_radius, to_radius;
} abut_limb;

/// Adds the mesh of all cells of a grid whose centres are within one of the limbs. Each is cut into six tetrahedra, and
/// the vertices of the surface move towards that of the limbs. `cell` is the side of a cell. Returns the mesh, or -1.
int abut_add_voxels(abut_setup_builder *builder, const char *name, const abut_limb *limbs, int limb_count,
                    double cell);

#endif
