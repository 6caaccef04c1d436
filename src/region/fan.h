// SPDX-License-Identifier: MIT
// fan.h: the face sectors around a vertex
#ifndef ABUT_REGION_FAN_H
#define ABUT_REGION_FAN_H

#include <abut/math.h>

#include <stdint.h>

/// One face sector at a vertex, between two edges.
typedef struct abut_sector {
    abut_vec3 from, to; ///< unit, along the edges
    abut_vec3 normal;
    double angle; ///< from `from` to `to`, counter-clockwise about the normal
    int before;   ///< the sector that ends where this one begins
} abut_sector;

typedef struct abut_fan {
    abut_sector *sectors;
    int count;
    abut_vec3 *normals; ///< of the different faces
    int normal_count;
} abut_fan;

/// ABUT_FAN_FACES: with more different faces, a fan is not taken apart. ABUT_FAN_PIECES: of a fan, at most.
enum { ABUT_FAN_FACES = 24, ABUT_FAN_PIECES = 1024 };

static const double abut_plane_angle = 1e-9; ///< sine below which a direction lies in a plane

/// The angle from one direction to another, counter-clockwise about a normal: 0 to 2 pi.
static inline double abut_angle_about(abut_vec3 normal, abut_vec3 from, abut_vec3 v)
{
    double angle = atan2(abut_dot(abut_cross(from, v), normal), abut_dot(from, v));
    return angle < 0.0 ? angle + 2.0 * 3.14159265358979323846 : angle;
}

/// Takes the solid at a fan of at most ABUT_FAN_FACES different faces apart. Each piece is the intersection of the
/// half-spaces of some faces: bit i of `pieces` is face i of `normals`. Returns the number of pieces.
int abut_fan_pieces(const abut_fan *fan, uint32_t pieces[ABUT_FAN_PIECES]);

#endif
