// SPDX-License-Identifier: MIT
// size.c: whether contacts of a mesh can be computed without overflow and underflow
#include "mesh/size.h"

#include "base/error.h"

abut_status abut_mesh_check_size(const abut_mesh *mesh, abut_error *error)
{
    abut_box bounds = abut_mesh_get_elements(mesh).bounds;
    double largest = abut_max_component(abut_max(abut_abs(bounds.lower), abut_abs(bounds.upper)));
    double extent = abut_max_component(abut_sub(bounds.upper, bounds.lower)); // the diagonal's square may underflow
    int is_too_small = extent > 0.0 && extent < ABUT_LEAST_SIZE;
    int is_too_far = extent >= 0.0 && largest > ABUT_LARGEST_COORDINATE; // an empty box has infinite bounds
    if (is_too_small || is_too_far) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "the mesh has size %g and coordinates up to %g; queries need a size of at least %g and "
                         "coordinates up to %g: scale it",
                         extent, largest, ABUT_LEAST_SIZE, ABUT_LARGEST_COORDINATE);
    }
    return ABUT_OK;
}
