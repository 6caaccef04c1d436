// SPDX-License-Identifier: MIT
// look_faces.c: faces of bad shape, and faces much larger or smaller than the median
#include "base/memory.h"
#include "check/look.h"
#include "check/middle.h"
#include "mesh/polygon.h"

// Computes the squared length of the longest side of each face.
static void measure_faces(const abut_mesh_elements *elements, double *squares)
{
    for (int i = 0; i < elements->face_count; ++i) {
        int begin = elements->face_offsets[i], end = elements->face_offsets[i + 1];
        abut_vec3 from = elements->vertices[elements->face_vertices[end - 1]];
        squares[i] = 0.0;
        for (int k = begin; k < end; ++k) {
            abut_vec3 to = elements->vertices[elements->face_vertices[k]];
            squares[i] = fmax(squares[i], abut_norm_squared(abut_sub(to, from)));
            from = to;
        }
    }
}

static void add_slivers(abut_check *check, const abut_mesh_elements *elements, const int *sources,
                        const double *squares, double sliver)
{
    for (int i = 0; i < elements->triangle_count; ++i) {
        int face = elements->triangle_faces[i];
        if (elements->face_offsets[face + 1] - elements->face_offsets[face] != 3) {
            continue;
        }
        const int *corners = elements->triangles + 3 * (size_t)i;
        abut_vec3 a = elements->vertices[corners[0]], b = elements->vertices[corners[1]];
        abut_vec3 cross = abut_cross(abut_sub(b, a), abut_sub(elements->vertices[corners[2]], a));
        // height = |cross| / longest side; compare height / longest side with `sliver`
        if (abut_norm_squared(cross) < sliver * sliver * squares[face] * squares[face]) {
            abut_findings_add_one(check, ABUT_FINDING_SLIVER, sources[face]);
        }
    }
}

static void add_uneven(abut_check *check, const abut_mesh_elements *elements, const int *sources,
                       const double *squares, double *scratch, double uneven)
{
    for (int i = 0; i < elements->face_count; ++i) {
        scratch[i] = squares[i];
    }
    double middle = abut_middle(scratch, elements->face_count), ratio = uneven * uneven;
    for (int i = 0; i < elements->face_count; ++i) {
        if (squares[i] > ratio * middle || squares[i] * ratio < middle) {
            abut_findings_add_one(check, ABUT_FINDING_UNEVEN_SIZE, sources[i]);
        }
    }
}

// Cuts the polygons again, as the mesh did, to find which are irregular.
static abut_status add_irregular(abut_check *check, const abut_mesh_elements *elements, const int *sources)
{
    int most = 3;
    for (int i = 0; i < elements->face_count; ++i) {
        int count = elements->face_offsets[i + 1] - elements->face_offsets[i];
        most = count > most ? count : most;
    }
    int *triangles = abut_allocate(&check->context, (size_t)most, 3 * sizeof(int));
    if (triangles == NULL) {
        return ABUT_NO_MEMORY;
    }
    abut_polygon_cutter cutter;
    abut_polygon_cutter_init(&cutter, &check->context);
    abut_status status = ABUT_OK;
    for (int i = 0; i < elements->face_count && status == ABUT_OK; ++i) {
        int begin = elements->face_offsets[i], count = elements->face_offsets[i + 1] - begin, is_regular = 1;
        if (count > 3) {
            status = abut_polygon_cut(&cutter, elements->vertices, elements->face_vertices + begin, count,
                                      triangles, &is_regular);
        }
        if (status == ABUT_OK && !is_regular) {
            abut_findings_add_one(check, ABUT_FINDING_IRREGULAR_FACE, sources[i]);
        }
    }
    abut_polygon_cutter_release(&cutter);
    abut_free(&check->context, triangles);
    return status;
}

abut_status abut_look_at_faces(abut_check *check, const abut_mesh *mesh, const int *sources,
                               const abut_check_params *params, abut_error *error)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    if (elements.face_count == 0) {
        return ABUT_OK;
    }
    size_t count = (size_t)elements.face_count;
    double *squares = abut_allocate(&check->context, 2 * count, sizeof *squares);
    abut_status status = ABUT_NO_MEMORY;
    if (squares != NULL) {
        measure_faces(&elements, squares);
        add_slivers(check, &elements, sources, squares, params->sliver);
        add_uneven(check, &elements, sources, squares, squares + count, params->uneven);
        status = add_irregular(check, &elements, sources);
    }
    abut_free(&check->context, squares);
    return status == ABUT_OK ? ABUT_OK : abut_surface_fail(error, status);
}
