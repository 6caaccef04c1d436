// SPDX-License-Identifier: MIT
// view.c: where a drawing is looked at from
#include "common/lab_support.h"
#include "draw/drawing.h"

// The usual view of machine parts, turned a little so that the near and far corner of a box do not coincide.
static const double ISO_AZIMUTH = 32.0, ISO_ELEVATION = 24.0; ///< degrees
// Low enough to see the normals at full length, high enough to look onto the faces that touch.
static const double CONTACT_ELEVATION = 14.0; ///< degrees

static double radians(double degrees)
{
    return degrees * ABUT_LAB_PI / 180.0;
}

/// The coordinate axis that comes after the one that is nearest to `up`, made perpendicular to it.
static abut_vec3 any_side(abut_vec3 up)
{
    abut_vec3 size = abut_abs(up);
    abut_vec3 axis = size.y >= size.x && size.y >= size.z ? abut_vec3_make(0.0, 0.0, 1.0)
                     : size.z >= size.x                   ? abut_vec3_make(1.0, 0.0, 0.0)
                                                          : abut_vec3_make(0.0, 1.0, 0.0);
    return abut_unit(abut_add_scaled(axis, -abut_dot(axis, up), up));
}

/// Axes for a direction to the viewer. Without an angle between it and `up`, another direction is up.
static abut_mat3 look_from(abut_vec3 viewer, abut_vec3 up)
{
    abut_mat3 axes;
    axes.z = abut_unit(viewer);
    if (abut_norm(abut_cross(up, axes.z)) < 1e-6) {
        up = abut_negate(any_side(up));
    }
    axes.x = abut_unit(abut_cross(up, axes.z));
    axes.y = abut_cross(axes.z, axes.x);
    return axes;
}

/// From `elevation` degrees above the plane perpendicular to `up`, on the side of `front`.
static abut_mat3 look_down(abut_vec3 front, abut_vec3 up, double elevation)
{
    double angle = radians(elevation);
    return look_from(abut_add(abut_scale(cos(angle), front), abut_scale(sin(angle), up)), up);
}

static abut_mat3 iso_axes(abut_vec3 up)
{
    abut_vec3 front = any_side(up), side = abut_cross(up, front);
    double angle = radians(ISO_AZIMUTH);
    return look_down(abut_add(abut_scale(cos(angle), front), abut_scale(sin(angle), side)), up, ISO_ELEVATION);
}

/// The line that the contact normals are nearest to, by the power method on the sum of n n^T; zero without contacts.
static abut_vec3 main_normal(const abut_drawing_def *def)
{
    abut_vec3 line = {0.0, 0.0, 0.0};
    double best = -1.0;
    for (int start = 0; start < 3; ++start) {
        abut_vec3 guess = {start == 0, start == 1, start == 2};
        double value = 0.0;
        for (int round = 0; round < 64; ++round) {
            abut_vec3 sum = {0.0, 0.0, 0.0};
            for (int i = 0; i < def->contact_count; ++i) {
                abut_vec3 n = def->contacts[i].normal;
                sum = abut_add_scaled(sum, abut_dot(n, guess), n);
            }
            value = abut_norm(sum);
            if (!(value > 0.0)) {
                break;
            }
            guess = abut_unit(sum);
        }
        if (value > best * (1.0 + 1e-9)) {
            best = value;
            line = guess;
        }
    }
    return best > 0.0 ? line : abut_vec3_make(0.0, 0.0, 0.0);
}

static abut_mat3 contact_axes(const abut_drawing_def *def, abut_vec3 up)
{
    abut_mat3 iso = iso_axes(up);
    abut_vec3 normal = main_normal(def);
    if (abut_norm(normal) == 0.0) {
        return iso;
    }
    // The normals run up the picture if they are nearer to that than to the horizon.
    if (abut_dot(normal, up) < 0.0) {
        normal = abut_negate(normal);
    }
    abut_vec3 above = abut_dot(normal, up) > 0.7 ? normal : abut_add_scaled(up, -abut_dot(up, normal), normal);
    above = abut_unit(above);
    abut_vec3 front = abut_add_scaled(iso.z, -abut_dot(iso.z, normal), normal);
    front = abut_unit(abut_add_scaled(front, -abut_dot(front, above), above));
    if (abut_norm(front) < 0.5) {
        front = any_side(above);
    }
    return look_down(front, above, CONTACT_ELEVATION);
}

abut_mat3 abut_view_axes(const abut_drawing_def *def)
{
    abut_vec3 up = abut_unit(def->up);
    switch (def->view) {
    case ABUT_VIEW_X: return look_from(abut_vec3_make(1.0, 0.0, 0.0), up);
    case ABUT_VIEW_Y: return look_from(abut_vec3_make(0.0, 1.0, 0.0), up);
    case ABUT_VIEW_Z: return look_from(abut_vec3_make(0.0, 0.0, 1.0), up);
    case ABUT_VIEW_CONTACT: return contact_axes(def, up);
    default: return iso_axes(up);
    }
}
