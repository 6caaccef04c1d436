// SPDX-License-Identifier: MIT
// case_meshes.c: meshes of the bodies of the fundamental cases at their true size
#include "cases/case_meshes.h"

#include "cases/case_shapes.h"
#include "common/lab_support.h"

abut_status abut_case_mesh_create(const abut_context *context, const char *shape, abut_vec3 scale, abut_mesh **mesh,
                                  abut_error *error)
{
    const abut_case_shape *unit = abut_case_shape_find(shape);
    if (unit == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "there is no case shape '%s'", shape);
    }
    abut_vec3 *vertices = abut_allocate_zeroed(context, (size_t)unit->vertex_count, sizeof *vertices);
    if (vertices == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for the vertices of '%s'", shape);
    }
    for (int i = 0; i < unit->vertex_count; ++i) {
        abut_vec3 v = unit->vertices[i];
        vertices[i] = abut_vec3_make(scale.x * v.x, scale.y * v.y, scale.z * v.z);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = unit->vertex_count;
    def.face_vertices = unit->triangles;
    def.face_count = unit->triangle_count;
    def.tets = unit->tets;
    def.tet_count = unit->tet_count;
    abut_status status = abut_mesh_create(context, &def, mesh, error);
    abut_free(context, vertices);
    return status;
}
