// SPDX-License-Identifier: MIT
// brep_planes.c: planes of triangles, and which triangles lie in a plane
#include "mesh/brep_planes.h"

static void get_corners(const abut_brep_work *work, int triangle, abut_vec3 corners[3])
{
    for (int k = 0; k < 3; ++k) {
        corners[k] = work->mesh.vertices[work->mesh.triangles[3 * (size_t)triangle + (size_t)k]];
    }
}

// A vector along the normal whose length is twice the area.
static abut_vec3 area_vector(const abut_vec3 corners[3])
{
    return abut_cross(abut_sub(corners[1], corners[0]), abut_sub(corners[2], corners[0]));
}

static abut_vec3 longest_side(const abut_vec3 corners[3])
{
    abut_vec3 longest = abut_sub(corners[1], corners[0]);
    for (int k = 1; k < 3; ++k) {
        abut_vec3 side = abut_sub(corners[(k + 1) % 3], corners[k]);
        if (abut_norm_squared(side) > abut_norm_squared(longest)) {
            longest = side;
        }
    }
    return longest;
}

static double altitude_of(const abut_vec3 corners[3])
{
    double length = abut_norm(longest_side(corners));
    double altitude = length > 0.0 ? abut_norm(area_vector(corners)) / length : 0.0;
    return altitude >= 0.0 ? altitude : 0.0; // NaN if the product overflows
}

double abut_brep_altitude(const abut_brep_work *work, int triangle)
{
    abut_vec3 corners[3];
    get_corners(work, triangle, corners);
    return altitude_of(corners);
}

abut_brep_plane abut_brep_fit_plane(const abut_brep_work *work, const int *triangles, int count)
{
    abut_vec3 corners[3], sum = {0.0, 0.0, 0.0};
    get_corners(work, triangles[0], corners);
    abut_brep_plane fitted = {{0.0, 0.0, 1.0}, corners[0], 0.0};
    for (int i = 0; i < count; ++i) {
        get_corners(work, triangles[i], corners);
        sum = abut_add(sum, area_vector(corners));
    }
    abut_vec3 normal = abut_unit(sum);
    if (abut_norm_squared(normal) == 0.0) {
        get_corners(work, triangles[0], corners);
        abut_vec3 along = abut_unit(longest_side(corners));
        if (abut_norm_squared(along) > 0.0) {
            fitted.normal = abut_any_perpendicular(along);
        }
        return fitted;
    }
    fitted.normal = normal;
    fitted.area = 0.5 * abut_dot(sum, normal);
    double height = 0.0; // of the centroid, weighted by area, above the first corner
    for (int i = 0; i < count; ++i) {
        get_corners(work, triangles[i], corners);
        double weight = 0.5 * abut_dot(area_vector(corners), normal) / fitted.area;
        for (int k = 0; k < 3; ++k) {
            height += weight * abut_dot(normal, abut_sub(corners[k], fitted.origin)) / 3.0;
        }
    }
    fitted.origin = abut_add_scaled(fitted.origin, height, normal);
    return fitted;
}

double abut_brep_fit_distance(const abut_brep_work *work, const abut_brep_plane *plane, int triangle)
{
    abut_vec3 corners[3];
    get_corners(work, triangle, corners);
    double largest = 0.0;
    for (int k = 0; k < 3; ++k) {
        double distance = fabs(abut_dot(plane->normal, abut_sub(corners[k], plane->origin)));
        if (!(distance <= work->tolerance)) {
            return -1.0;
        }
        largest = fmax(largest, distance);
    }
    int is_turned_away = !(abut_dot(area_vector(corners), plane->normal) > 0.0) &&
                         altitude_of(corners) > abut_brep_blur * work->tolerance;
    return is_turned_away ? -1.0 : largest;
}
