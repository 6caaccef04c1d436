// SPDX-License-Identifier: MIT
// triangles.c: the triangles of the faces of a mesh
#include "base/error.h"
#include "base/memory.h"
#include "mesh/mesh.h"
#include "mesh/polygon.h"

#include <string.h>

// Whether a face has a vertex twice. `last_face` is, for each vertex, the last face that had it.
static int is_degenerate(const abut_mesh_elements *elements, int face, int *last_face)
{
    int repeated = 0;
    for (int k = elements->face_offsets[face]; k < elements->face_offsets[face + 1]; ++k) {
        int vertex = elements->face_vertices[k];
        repeated |= last_face[vertex] == face;
        last_face[vertex] = face;
    }
    return repeated;
}

static abut_status cut_faces(abut_mesh *mesh, abut_polygon_cutter *cutter, int *triangles, int *triangle_faces,
                             int *last_face, abut_error *error)
{
    abut_mesh_elements *elements = &mesh->elements;
    int made = 0;
    for (int i = 0; i < elements->face_count; ++i) {
        if (is_degenerate(elements, i, last_face)) {
            ++mesh->info.degenerate_face_count;
            continue;
        }
        const int *polygon = elements->face_vertices + elements->face_offsets[i];
        int count = elements->face_offsets[i + 1] - elements->face_offsets[i];
        int is_regular;
        abut_status status =
            abut_polygon_cut(cutter, elements->vertices, polygon, count, triangles + 3 * (size_t)made, &is_regular);
        if (status == ABUT_LIMIT) {
            return abut_fail_element(error, status, i, "face %d has %d vertices; the limit is %d: triangulate it",
                                     i, count, (int)ABUT_POLYGON_LIMIT);
        }
        if (status != ABUT_OK) {
            return abut_fail(error, status, "out of memory for the triangles of a mesh");
        }
        mesh->info.irregular_polygon_count += !is_regular;
        for (int k = 0; k < count - 2; ++k) {
            triangle_faces[made++] = i;
        }
    }
    elements->triangle_count = made;
    return ABUT_OK;
}

static int are_all_triangles(const abut_mesh_elements *elements)
{
    for (int i = 0; i < elements->face_count; ++i) {
        const int *corners = elements->face_vertices + 3 * (size_t)i;
        if (elements->face_offsets[i + 1] != 3 * (i + 1) || corners[0] == corners[1] || corners[1] == corners[2] ||
            corners[2] == corners[0]) {
            return 0;
        }
    }
    return 1;
}

// All faces are triangles, so the triangles share the array of the faces.
static abut_status take_faces(abut_mesh *mesh, abut_error *error)
{
    abut_mesh_elements *elements = &mesh->elements;
    int *triangle_faces = abut_mesh_own(mesh, (size_t)elements->face_count, sizeof(int));
    if (triangle_faces == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for the triangles of a mesh");
    }
    for (int i = 0; i < elements->face_count; ++i) {
        triangle_faces[i] = i;
    }
    elements->triangle_count = elements->face_count;
    elements->triangle_faces = triangle_faces;
    elements->triangles = elements->face_vertices;
    return ABUT_OK;
}

abut_status abut_mesh_make_triangles(abut_mesh *mesh, abut_error *error)
{
    abut_mesh_elements *elements = &mesh->elements;
    if (are_all_triangles(elements)) {
        return take_faces(mesh, error);
    }
    size_t room = (size_t)(elements->face_offsets[elements->face_count] - 2 * elements->face_count);
    int *triangle_faces = abut_mesh_own(mesh, room, sizeof(int));
    int *triangles = abut_mesh_own(mesh, room, 3 * sizeof(int));
    size_t last_face_size = (size_t)elements->vertex_count * sizeof(int);
    int *last_face = abut_allocate(&mesh->context, (size_t)elements->vertex_count, sizeof(int));
    if (triangle_faces == NULL || triangles == NULL || last_face == NULL) {
        abut_free(&mesh->context, last_face);
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for the triangles of a mesh");
    }
    memset(last_face, 0xff, last_face_size); // -1
    abut_polygon_cutter cutter;
    abut_polygon_cutter_init(&cutter, &mesh->context);
    abut_status status = cut_faces(mesh, &cutter, triangles, triangle_faces, last_face, error);
    abut_polygon_cutter_release(&cutter);
    abut_free(&mesh->context, last_face);
    if (status != ABUT_OK) {
        return status;
    }
    elements->triangle_faces = triangle_faces;
    elements->triangles = triangles;
    return ABUT_OK;
}
