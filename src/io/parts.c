// SPDX-License-Identifier: MIT
// parts.c: growing arrays that a reader fills before it builds a mesh
#include "io/parts.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

void abut_parts_init(abut_parts *parts, const abut_context *context)
{
    memset(parts, 0, sizeof *parts);
    parts->context = *context;
}

void abut_parts_release(abut_parts *parts)
{
    abut_free(&parts->context, parts->vertices);
    abut_free(&parts->context, parts->points.items);
    abut_free(&parts->context, parts->segments.items);
    abut_free(&parts->context, parts->face_offsets.items);
    abut_free(&parts->context, parts->face_vertices.items);
    abut_free(&parts->context, parts->tets.items);
}

abut_status abut_ints_grow(const abut_context *context, abut_ints *array)
{
    if (array->count == INT_MAX) {
        return ABUT_LIMIT;
    }
    int grown = abut_grow(context, &array->items, &array->capacity, array->count + 1, sizeof *array->items);
    return grown ? ABUT_OK : ABUT_NO_MEMORY;
}

abut_status abut_parts_grow_vertices(abut_parts *parts)
{
    if (parts->vertex_count == INT_MAX) {
        return ABUT_LIMIT;
    }
    int grown = abut_grow(&parts->context, &parts->vertices, &parts->vertex_capacity, parts->vertex_count + 1,
                          sizeof *parts->vertices);
    return grown ? ABUT_OK : ABUT_NO_MEMORY;
}

abut_status abut_parts_end_face(abut_parts *parts)
{
    abut_status status = ABUT_OK;
    if (parts->face_offsets.count == 0) {
        status = abut_ints_add(&parts->context, &parts->face_offsets, 0);
    }
    return status == ABUT_OK ? abut_ints_add(&parts->context, &parts->face_offsets, parts->face_vertices.count)
                             : status;
}

abut_mesh_def abut_parts_def(const abut_parts *parts)
{
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = parts->vertices;
    def.vertex_count = parts->vertex_count;
    def.points = parts->points.items;
    def.point_count = parts->points.count;
    def.segments = parts->segments.items;
    def.segment_count = parts->segments.count / 2;
    def.face_offsets = parts->face_offsets.count > 0 ? parts->face_offsets.items : NULL;
    def.face_vertices = parts->face_vertices.items;
    def.face_count = parts->face_offsets.count > 0 ? parts->face_offsets.count - 1 : parts->face_vertices.count / 3;
    def.tets = parts->tets.items;
    def.tet_count = parts->tets.count / 4;
    def.precision = parts->precision;
    return def;
}

abut_status abut_parts_build(const abut_parts *parts, abut_mesh **mesh, abut_error *error)
{
    abut_mesh_def def = abut_parts_def(parts);
    return abut_mesh_create(&parts->context, &def, mesh, error);
}
