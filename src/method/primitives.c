// SPDX-License-Identifier: MIT
// primitives.c: spheres, capsules, rounded boxes, ropes and plates as dilated meshes
#include <abut/primitives.h>

#include "base/error.h"

/// Makes the mesh and a shape that owns it.
static abut_status make_shape(const abut_context *context, const abut_mesh_def *mesh_def, double radius,
                              abut_shape **shape, abut_error *error)
{
    abut_mesh *mesh = NULL;
    *shape = NULL;
    abut_status status = abut_mesh_create(context, mesh_def, &mesh, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape_def def = abut_shape_def_default();
    def.owned_mesh = mesh;
    def.dilation = radius;
    status = abut_shape_create(context, &def, shape, error);
    if (status != ABUT_OK) {
        abut_mesh_destroy(mesh);
    }
    return status;
}

static abut_status check_length(double length, const char *name, abut_shape **shape, abut_error *error)
{
    *shape = NULL;
    return length > 0.0 && isfinite(length)
               ? ABUT_OK
               : abut_fail(error, ABUT_BAD_ARGUMENT, "the %s is %g; it must be above 0", name, length);
}

static abut_status check_radius(double radius, abut_shape **shape, abut_error *error)
{
    *shape = NULL;
    return radius >= 0.0 && isfinite(radius)
               ? ABUT_OK
               : abut_fail(error, ABUT_BAD_ARGUMENT, "the radius is %g; it must not be negative", radius);
}

abut_status abut_shape_sphere(const abut_context *context, double radius, abut_shape **shape, abut_error *error)
{
    const abut_vec3 origin = {0.0, 0.0, 0.0};
    const int point = 0;
    abut_status status = check_length(radius, "radius", shape, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = &origin;
    def.vertex_count = 1;
    def.points = &point;
    def.point_count = 1;
    return make_shape(context, &def, radius, shape, error);
}

abut_status abut_shape_capsule(const abut_context *context, double length, double radius, abut_shape **shape,
                               abut_error *error)
{
    const abut_vec3 points[2] = {{0.0, 0.0, -0.5 * length}, {0.0, 0.0, 0.5 * length}};
    abut_status status = check_length(radius, "radius", shape, error);
    status = status != ABUT_OK ? status : check_length(length, "length", shape, error);
    return status != ABUT_OK ? status : abut_shape_rope(context, points, 2, radius, shape, error);
}

abut_status abut_shape_rounded_box(const abut_context *context, abut_vec3 half, double radius, abut_shape **shape,
                                   abut_error *error)
{
    static const int triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                      2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    abut_vec3 vertices[8], core = {half.x - radius, half.y - radius, half.z - radius};
    abut_status status = check_radius(radius, shape, error);
    if (status == ABUT_OK && !(core.x > 0.0 && core.y > 0.0 && core.z > 0.0)) {
        status =
            abut_fail(error, ABUT_BAD_ARGUMENT, "half a rounded box is %g %g %g; all must be above the radius, %g",
                      half.x, half.y, half.z, radius);
    }
    if (status != ABUT_OK) {
        return status;
    }
    for (int i = 0; i < 8; ++i) {
        vertices[i] = abut_vec3_make(i & 1 ? core.x : -core.x, i & 2 ? core.y : -core.y, i & 4 ? core.z : -core.z);
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.face_vertices = triangles;
    def.face_count = 12;
    return make_shape(context, &def, radius, shape, error);
}

abut_status abut_shape_rope(const abut_context *context, const abut_vec3 *points, int count, double radius,
                            abut_shape **shape, abut_error *error)
{
    abut_status status = check_radius(radius, shape, error);
    if (status != ABUT_OK) {
        return status;
    }
    if (count < 2) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "a rope has %d points; it needs at least two", count);
    }
    abut_context used = abut_context_or_default(context);
    int *ends = abut_allocate(&used, (size_t)count, 2 * sizeof *ends);
    if (ends == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a rope of %d points", count);
    }
    for (int i = 0; i + 1 < count; ++i) {
        ends[2 * i] = i;
        ends[2 * i + 1] = i + 1;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = points;
    def.vertex_count = count;
    def.segments = ends;
    def.segment_count = count - 1;
    status = make_shape(context, &def, radius, shape, error);
    abut_free(&used, ends);
    return status;
}

abut_status abut_shape_plate(const abut_context *context, double half_x, double half_y, double radius,
                             abut_shape **shape, abut_error *error)
{
    static const int triangles[6] = {0, 1, 2, 0, 2, 3};
    const abut_vec3 vertices[4] = {
        {-half_x, -half_y, 0.0}, {half_x, -half_y, 0.0}, {half_x, half_y, 0.0}, {-half_x, half_y, 0.0}};
    abut_status status = check_radius(radius, shape, error);
    status = status != ABUT_OK ? status : check_length(half_x, "half length in x", shape, error);
    status = status != ABUT_OK ? status : check_length(half_y, "half length in y", shape, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_def def = abut_mesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.face_vertices = triangles;
    def.face_count = 2;
    return make_shape(context, &def, radius, shape, error);
}
