// SPDX-License-Identifier: MIT
// surface.c: copies the valid elements of a definition, and reports the others
#include "check/surface.h"

#include "base/error.h"
#include "base/memory.h"
#include "check/middle.h"
#include "mesh/polygon.h"

#include <float.h>
#include <string.h>

enum { SAMPLES = 1000 }; // faces that the default tolerance is computed from: enough for a median

abut_status abut_surface_fail(abut_error *error, abut_status status)
{
    return abut_fail(error, status, status == ABUT_LIMIT ? "the mesh has too many elements" : "out of memory");
}

static abut_status add_offset(abut_parts *parts)
{
    return abut_ints_add(&parts->context, &parts->face_offsets, parts->face_vertices.count);
}

abut_status abut_surface_add_face(abut_parts *parts, abut_ints *sources, const int *corners, int count, int source)
{
    abut_status status = ABUT_OK;
    if (count != 3 && parts->face_offsets.count == 0) {
        for (int i = 0; i <= sources->count && status == ABUT_OK; ++i) {
            status = abut_ints_add(&parts->context, &parts->face_offsets, 3 * i);
        }
    }
    for (int k = 0; k < count && status == ABUT_OK; ++k) {
        status = abut_ints_add(&parts->context, &parts->face_vertices, corners[k]);
    }
    if (status == ABUT_OK && parts->face_offsets.count > 0) {
        status = add_offset(parts);
    }
    return status == ABUT_OK ? abut_ints_add(&parts->context, sources, source) : status;
}

// Allocates the vertices and reports those that are not finite.
static abut_status look_at_vertices(abut_surface *surface, const abut_mesh_def *def, abut_check *check)
{
    abut_parts *parts = &surface->parts;
    size_t count = (size_t)def->vertex_count;
    parts->vertices = abut_allocate(&parts->context, count, sizeof *parts->vertices);
    surface->is_lost = abut_allocate(&parts->context, count, 1);
    if (parts->vertices == NULL || surface->is_lost == NULL) {
        return ABUT_NO_MEMORY;
    }
    parts->vertex_count = parts->vertex_capacity = def->vertex_count;
    for (int i = 0; i < def->vertex_count; ++i) {
        surface->is_lost[i] = !abut_is_finite(def->vertices[i]);
        if (surface->is_lost[i] && check != NULL) {
            abut_findings_add_one(check, ABUT_FINDING_NOT_FINITE, i);
        }
    }
    return ABUT_OK;
}

enum { IS_USED = 2 }; // second bit of `is_lost` while copying

// Whether all vertex indices are in range. Marks the vertices that are as used.
static int are_in_range(abut_surface *surface, const int *vertices, int count)
{
    int holds = 1;
    for (int k = 0; k < count; ++k) {
        if (vertices[k] < 0 || vertices[k] >= surface->parts.vertex_count) {
            holds = 0;
        } else {
            surface->is_lost[vertices[k]] |= IS_USED;
        }
    }
    return holds;
}

static int are_finite(const abut_surface *surface, const int *vertices, int count)
{
    for (int k = 0; k < count; ++k) {
        if (surface->is_lost[vertices[k]] & 1) {
            return 0;
        }
    }
    return 1;
}

static int has_repeats(const int *vertices, int count)
{
    for (int k = 1; k < count; ++k) {
        for (int m = 0; m < k; ++m) {
            if (vertices[m] == vertices[k]) {
                return 1;
            }
        }
    }
    return 0;
}

// Copies points, segments or tetrahedra, of `size` vertices each.
static abut_status copy_elements(abut_surface *surface, const int *items, int count, int size, abut_ints *array,
                                 abut_check *check, abut_finding_kind kind)
{
    for (int i = 0; i < count; ++i) {
        const int *item = items + (size_t)i * (size_t)size;
        if (!are_in_range(surface, item, size) || !are_finite(surface, item, size) || has_repeats(item, size)) {
            ++surface->counts.elements_dropped;
            if (check != NULL) {
                abut_findings_add_one(check, kind, i);
            }
            continue;
        }
        for (int k = 0; k < size; ++k) {
            abut_status status = abut_ints_add(&surface->parts.context, array, item[k]);
            if (status != ABUT_OK) {
                return status;
            }
        }
    }
    return ABUT_OK;
}

static abut_status copy_faces(abut_surface *surface, const abut_mesh_def *def, abut_check *check)
{
    for (int i = 0; i < def->face_count; ++i) {
        int begin = def->face_offsets != NULL ? def->face_offsets[i] : 3 * i;
        int count = (def->face_offsets != NULL ? def->face_offsets[i + 1] : 3 * i + 3) - begin;
        const int *corners = def->face_vertices + begin;
        int is_in_range = are_in_range(surface, corners, count);
        int is_large = count > ABUT_POLYGON_LIMIT;
        int is_short = count < 3;
        if (is_in_range && !is_large && !is_short && are_finite(surface, corners, count)) {
            abut_status status = abut_surface_add_face(&surface->parts, &surface->face_sources, corners, count, i);
            if (status != ABUT_OK) {
                return status;
            }
            continue;
        }
        ++surface->counts.faces_dropped;
        // a face with a vertex that is not finite is not reported, because the vertex is
        if (check != NULL && (!is_in_range || is_large || is_short)) {
            abut_findings_add_one(check,
                                  !is_in_range ? ABUT_FINDING_INDEX
                                  : is_large   ? ABUT_FINDING_LARGE_FACE
                                               : ABUT_FINDING_DEGENERATE_FACE,
                                  i);
        }
    }
    return ABUT_OK;
}

static abut_status check_offsets(const abut_mesh_def *def, abut_error *error)
{
    const int *offsets = def->face_offsets;
    if (offsets == NULL || def->face_count == 0) {
        return ABUT_OK;
    }
    if (offsets[0] != 0) {
        return abut_fail(error, ABUT_BAD_DATA, "the first face offset is %d; it must be 0", offsets[0]);
    }
    for (int i = 0; i < def->face_count; ++i) {
        if (offsets[i + 1] < offsets[i]) {
            return abut_fail_element(error, ABUT_BAD_DATA, i,
                                     "face %d ends before it begins: face offsets must ascend", i);
        }
    }
    return ABUT_OK;
}

// The median length of the first sides of some faces, or 0 if there are none.
static double find_middle_side(const abut_surface *surface)
{
    double squares[SAMPLES];
    int64_t face_count = abut_surface_face_count(surface);
    int count = face_count < SAMPLES ? (int)face_count : SAMPLES;
    for (int i = 0; i < count; ++i) {
        const int *corners =
            surface->parts.face_vertices.items + abut_surface_face_begin(surface, (int)(i * face_count / count));
        squares[i] =
            abut_norm_squared(abut_sub(surface->parts.vertices[corners[0]], surface->parts.vertices[corners[1]]));
    }
    return count > 0 ? sqrt(abut_middle(squares, count)) : 0.0;
}

// The default is 1e-6 of the diagonal, but at most 1e-3 of the median side: a single vertex far out makes the
// diagonal large, but not the sides of most faces. The tolerance is 0 if it is near the resolution of doubles, where
// the cells of the grid could not be numbered.
static double find_tolerance(const abut_surface *surface, double tolerance)
{
    double diagonal = abut_box_diagonal(surface->bounds), side = find_middle_side(surface);
    double absolute = 1e-6 * diagonal;
    absolute = side > 0.0 ? fmin(absolute, 1e-3 * side) : absolute;
    absolute = tolerance >= 0.0 ? ldexp(tolerance, -surface->exponent) : absolute;
    return absolute > 16.0 * DBL_EPSILON * diagonal ? absolute : 0.0;
}

// Reports unused vertices. From here on they count as lost.
static void drop_unused(abut_surface *surface, abut_check *check)
{
    for (int i = 0; i < surface->parts.vertex_count; ++i) {
        if (surface->is_lost[i] == 0 && check != NULL) {
            abut_findings_add_one(check, ABUT_FINDING_UNUSED_VERTEX, i);
        }
        surface->is_lost[i] = surface->is_lost[i] != IS_USED;
    }
}

// Copies the vertices. Extreme coordinates are scaled by a power of two, so that squares and products neither
// overflow nor underflow. Lost vertices get the position of another vertex, so that they do not affect the bounds.
static void place_vertices(abut_surface *surface, const abut_mesh_def *def)
{
    abut_parts *parts = &surface->parts;
    double largest = 0.0;
    for (int i = 0; i < def->vertex_count; ++i) {
        largest = surface->is_lost[i] ? largest : fmax(largest, abut_max_component(abut_abs(def->vertices[i])));
    }
    if (largest > 1e30 || (largest > 0.0 && largest < 1e-30)) {
        (void)frexp(largest, &surface->exponent);
    }
    abut_vec3 somewhere = {0.0, 0.0, 0.0};
    int e = -surface->exponent;
    surface->bounds = abut_box_empty();
    for (int i = 0; i < def->vertex_count; ++i) {
        if (!surface->is_lost[i]) {
            abut_vec3 v = def->vertices[i];
            somewhere = e != 0 ? abut_vec3_make(ldexp(v.x, e), ldexp(v.y, e), ldexp(v.z, e)) : v;
            parts->vertices[i] = somewhere;
            surface->bounds = abut_box_add(surface->bounds, somewhere);
        }
    }
    for (int i = 0; i < def->vertex_count; ++i) {
        parts->vertices[i] = surface->is_lost[i] ? somewhere : parts->vertices[i];
    }
}

abut_status abut_surface_init(abut_surface *surface, const abut_context *context, const abut_mesh_def *def,
                              double tolerance, abut_check *check, abut_error *error)
{
    memset(surface, 0, sizeof *surface);
    abut_parts *parts = &surface->parts;
    abut_parts_init(parts, context);
    parts->precision = def->precision;
    abut_status status = check_offsets(def, error);
    if (status != ABUT_OK) {
        return status;
    }
    status = look_at_vertices(surface, def, check);
    if (status == ABUT_OK) {
        status = copy_faces(surface, def, check);
    }
    if (status == ABUT_OK) {
        status = copy_elements(surface, def->points, def->point_count, 1, &parts->points, check,
                               ABUT_FINDING_BROKEN_POINT);
    }
    if (status == ABUT_OK) {
        status = copy_elements(surface, def->segments, def->segment_count, 2, &parts->segments, check,
                               ABUT_FINDING_BROKEN_SEGMENT);
    }
    if (status == ABUT_OK) {
        status = copy_elements(surface, def->tets, def->tet_count, 4, &parts->tets, check, ABUT_FINDING_BROKEN_TET);
    }
    if (status != ABUT_OK) {
        return abut_surface_fail(error, status);
    }
    drop_unused(surface, check);
    place_vertices(surface, def);
    surface->tolerance = find_tolerance(surface, tolerance);
    return ABUT_OK;
}

void abut_surface_release(abut_surface *surface)
{
    const abut_context *context = &surface->parts.context;
    abut_free(context, surface->face_sources.items);
    abut_free(context, surface->is_lost);
    abut_free(context, surface->places);
    abut_parts_release(&surface->parts);
}

abut_status abut_surface_build(const abut_surface *surface, abut_mesh **mesh, abut_error *error)
{
    return abut_parts_build(&surface->parts, mesh, error);
}
