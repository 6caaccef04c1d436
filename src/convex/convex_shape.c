// SPDX-License-Identifier: MIT
// convex_shape.c: creates a convex shape from a convex mesh, which it checks, or from a mesh's hull
//
// Faces are merged only if the coordinates cannot tell them apart, so the shape is the mesh itself and no
// approximation. A mesh that is convex only within the tolerance is replaced by its convex hull, since climbing along
// edges needs true convexity. The shape's deviation says how far a vertex was in front of a face.
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "convex/convex.h"
#include "mesh/size.h"

#include <float.h>

void abut_convex_params_init(abut_convex_params *params, size_t size)
{
    const abut_convex_params made = {.struct_size = sizeof made};
    abut_write_versioned(params, size, &made, sizeof made);
}

// Refuses meshes that are not the closed, outward oriented surface of a solid.
static abut_status check_surface(const abut_mesh *mesh, abut_error *error)
{
    abut_mesh_info info = abut_mesh_get_info(mesh);
    if (!info.is_closed || !info.is_oriented) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "not convex: the surface has %d open, %d non-manifold and %d misoriented edges",
                         info.boundary_edge_count, info.non_manifold_edge_count, info.misoriented_edge_count);
    }
    if (!(info.volume > 0.0)) {
        return abut_fail(error, ABUT_UNSUPPORTED,
                         "not convex: the mesh is flat or inside out (volume %g); its faces must point outward",
                         info.volume);
    }
    return ABUT_OK;
}

// Fails if a vertex is further than `tolerance` in front of a face, and names the first one of the first such face.
static abut_status check_convex(const abut_convex *shape, double tolerance, abut_error *error)
{
    if (!(shape->deviation > tolerance)) {
        return ABUT_OK;
    }
    int f = 0, i = 0;
    while (!(-shape->drops[f] > tolerance)) {
        ++f;
    }
    abut_vec3 n = shape->normals[f];
    double offset = -HUGE_VAL, distance = 0.0;
    for (int k = shape->face_begin[f]; k < shape->face_begin[f + 1]; ++k) {
        offset = fmax(offset, abut_dot(n, shape->points[shape->face_points[k]]));
    }
    while (!((distance = abut_dot(n, shape->points[i]) - offset) > tolerance)) {
        ++i;
    }
    int vertex = shape->point_sources[i];
    return abut_fail_element(error, ABUT_UNSUPPORTED, vertex, "not convex: vertex %d is %g in front of face %d",
                             vertex, distance, shape->face_features[f].index);
}

static abut_status build_hull(abut_convex *shape, const abut_mesh *mesh, abut_error *error)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    int *sources = abut_allocate(&shape->context, (size_t)elements.vertex_count, sizeof *sources);
    if (sources == NULL) {
        return ABUT_NO_MEMORY;
    }
    abut_mesh *hull = NULL;
    abut_status status =
        abut_hull_create(&shape->context, elements.vertices, elements.vertex_count, &hull, sources, error);
    if (status == ABUT_OK) {
        status = abut_convex_build(shape, hull, mesh, sources, error);
        shape->deviation = 0.0; // the mesh's deviation is wanted, not the hull's rounding
    }
    abut_mesh_destroy(hull);
    abut_free(&shape->context, sources);
    return status;
}

static abut_status build_checked(abut_convex *shape, const abut_mesh *mesh, double relative, abut_error *error)
{
    abut_status status = check_surface(mesh, error);
    if (status == ABUT_OK) {
        status = abut_convex_build(shape, mesh, mesh, NULL, error);
    }
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    double usual = elements.precision == ABUT_PRECISION_FLOAT ? 1e-6 : 1e-9;
    double tolerance = (relative > 0.0 ? relative : usual) * abut_box_diagonal(elements.bounds);
    if (status == ABUT_OK) {
        status = check_convex(shape, tolerance, error);
    }
    // up to 16 DBL_EPSILON of the coordinates, the distance is rounding error and the mesh counts as convex
    if (status == ABUT_OK && shape->deviation > 16.0 * DBL_EPSILON * shape->reach) {
        double deviation = shape->deviation;
        abut_convex_clear(shape);
        status = build_hull(shape, mesh, error);
        shape->deviation = deviation;
    }
    return status;
}

// Finds a ball inside the shape: about the mean of all vertices, with the distance to the nearest face plane as
// radius, less 16 DBL_EPSILON of the coordinates for its rounding error.
static void find_ball(abut_convex *shape)
{
    abut_box box = abut_box_empty();
    abut_vec3 sum = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < shape->point_count; ++i) {
        box = abut_box_add(box, shape->points[i]);
        sum = abut_add(sum, abut_sub(shape->points[i], shape->points[0]));
    }
    shape->length = abut_box_diagonal(box);
    shape->center = abut_add_scaled(shape->points[0], 1.0 / shape->point_count, sum);
    double radius = HUGE_VAL;
    for (int f = 0; f < shape->face_count; ++f) {
        for (int i = shape->face_begin[f]; i < shape->face_begin[f + 1]; ++i) {
            abut_vec3 from_center = abut_sub(shape->points[shape->face_points[i]], shape->center);
            radius = fmin(radius, abut_dot(shape->normals[f], from_center));
        }
    }
    shape->inner_radius = fmax(0.0, radius - 16.0 * DBL_EPSILON * shape->reach);
}

// Decides whether climbs need a closer look at neighbours of nearly equal height. Rounding of heights tilts an edge or
// a thin face the more, the shorter it is. At 1/32 of the shape's length (1/1024 squared), the tilt amounts to 32
// DBL_EPSILON over the whole shape, which is what abut_convex_rounding() accepts as a tie. So a shape without anything
// shorter needs no closer look. For others the rounding error of a height is taken as 8 DBL_EPSILON of the
// coordinates.
static void find_unsure(abut_convex *shape)
{
    double least = HUGE_VAL;
    for (int i = 0; i < shape->edge_count; ++i) {
        least = fmin(least, shape->edges[i].squared);
    }
    for (int f = 0; f < shape->face_count; ++f) {
        least = fmin(least, shape->corners[f] * fabs(shape->corners[f]));
    }
    int is_fine = least * 1024.0 >= shape->length * shape->length;
    shape->unsure = is_fine ? -1.0 : 0x1p-49 * shape->reach;
}

static abut_status build(abut_convex *shape, const abut_mesh *mesh, const abut_convex_params *params,
                         abut_error *error)
{
    abut_status status = abut_mesh_check_size(mesh, error);
    if (status == ABUT_OK) {
        status = params->takes_hull ? build_hull(shape, mesh, error)
                                    : build_checked(shape, mesh, params->tolerance, error);
    }
    if (status == ABUT_OK) {
        find_ball(shape);
        find_unsure(shape);
        abut_convex_find_zonotope(shape);
    }
    if (status == ABUT_NO_MEMORY) {
        return abut_fail(error, status, "no memory for a convex shape");
    }
    return status;
}

abut_status abut_convex_create(const abut_context *context, const abut_mesh *mesh, const abut_convex_params *params,
                               abut_convex **convex, abut_error *error)
{
    ABUT_ASSERT(mesh != NULL && convex != NULL);
    *convex = NULL;
    abut_convex_params read = abut_convex_params_default();
    if (params != NULL && !abut_read_versioned(&read, sizeof read, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "the parameters were not made by abut_convex_params_default()");
    }
    if (!(read.tolerance >= 0.0) || !isfinite(read.tolerance)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "the tolerance of a convex shape is %g; it must be finite and not negative",
                         read.tolerance);
    }
    abut_context kept = abut_context_or_default(context);
    abut_convex *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a convex shape");
    }
    made->context = kept;
    abut_status status = build(made, mesh, &read, error);
    if (status != ABUT_OK) {
        abut_convex_destroy(made);
        return status;
    }
    *convex = made;
    return ABUT_OK;
}

void abut_convex_clear(abut_convex *shape)
{
    abut_context context = shape->context;
    void *blocks[] = {shape->points,  shape->link_begin,      shape->links,         shape->edges,
                      shape->normals, shape->face_begin,      shape->face_points,   shape->face_edges,
                      shape->sides,   shape->inverse_lengths, shape->corners,       shape->drops,
                      shape->tops,    shape->starts,          shape->point_sources, shape->edge_features,
                      shape->middles, shape->inverse_insets,  shape->face_features};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        abut_free(&context, blocks[i]);
    }
    *shape = (abut_convex){.context = context};
}

void abut_convex_destroy(abut_convex *convex)
{
    if (convex != NULL) {
        abut_context context = convex->context;
        abut_convex_clear(convex);
        abut_free(&context, convex);
    }
}

abut_convex_info abut_convex_get_info(const abut_convex *convex)
{
    abut_convex_info info = {convex->point_count, convex->edge_count, convex->face_count,
                             convex->deviation,   convex->center,     convex->inner_radius};
    return info;
}

abut_vec3 abut_convex_vertex(const abut_convex *convex, int vertex, int *source)
{
    ABUT_ASSERT(vertex >= 0 && vertex < convex->point_count);
    if (source != NULL) {
        *source = convex->point_sources[vertex];
    }
    return convex->points[vertex];
}
