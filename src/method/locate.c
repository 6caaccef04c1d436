// SPDX-License-Identifier: MIT
// locate.c: where points are in a solid, in one call
#include "base/error.h"
#include "base/memory.h"
#include "mesh/brep.h"
#include "method/brep_feature.h"

#include <abut/locate.h>

void abut_locate_def_init(abut_locate_def *def, size_t size)
{
    const abut_locate_def made = {.struct_size = sizeof made};
    abut_write_versioned(def, size, &made, sizeof made);
}

abut_feature abut_location_feature(const abut_brep *brep, abut_location location)
{
    return abut_brep_feature(abut_mesh_get_topology(brep->mesh).edge_vertices,
                             abut_mesh_get_elements(brep->mesh).triangle_faces, &brep->elements, location);
}

static abut_status locate_points(const abut_context *context, const abut_locate_def *def, const abut_brep *brep,
                                 abut_located *located, abut_error *error)
{
    abut_brep_index *index = NULL;
    abut_brep_index_params params = abut_brep_index_params_default();
    params.tolerance = def->tolerance;
    abut_status status = abut_brep_index_create(context, brep, &params, &index, error);
    for (int i = 0; i < def->point_count && status == ABUT_OK; ++i) {
        abut_location location = abut_brep_index_locate(index, def->points[i]);
        located[i] = (abut_located){location.place, abut_location_feature(brep, location)};
    }
    abut_brep_index_destroy(index);
    return status;
}

abut_status abut_locate(const abut_context *context, const abut_locate_def *def, abut_located *located,
                        abut_error *error)
{
    ABUT_ASSERT(def != NULL);
    abut_locate_def read = abut_locate_def_default();
    if (!abut_read_versioned(&read, sizeof read, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the definition was not made by abut_locate_def_default()");
    }
    if (read.mesh == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the mesh is NULL");
    }
    if (read.point_count < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "point_count is %d", read.point_count);
    }
    if (read.point_count > 0 && (read.points == NULL || located == NULL)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "`points` or `located` is NULL");
    }
    abut_brep *brep = NULL;
    abut_status status = abut_brep_create(context, read.mesh, NULL, &brep, error);
    if (status == ABUT_OK) {
        status = locate_points(context, &read, brep, located, error);
    }
    abut_brep_destroy(brep);
    return status;
}
