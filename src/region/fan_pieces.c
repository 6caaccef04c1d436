// SPDX-License-Identifier: MIT
// fan_pieces.c: the solid at a vertex with convex and reflex edges as a union of convex cones
//
// The planes of the faces cut the directions into cells, each inside or outside the solid. Each inner cell is an
// intersection of half-spaces of faces. Faces are left out of the intersection one by one as long as it stays within
// the solid. So the pieces are bounded by planes of faces only, and are as large as possible.
#include "region/fan.h"

static const double pi = 3.14159265358979323846;
static const double cell_step = 1e-4; ///< longest step from a corner of a cell into it, for a unit corner

typedef struct cell {
    uint32_t faces; ///< bit i: the cell is in the half-space of face i
    int is_inside;
} cell;

/// Whether a direction points into the solid: by the angle-weighted normal at the nearest point of the fan (Baerentzen
/// and Aanaes 2005).
static int points_inside(const abut_fan *f, abut_vec3 w)
{
    double best = HUGE_VAL, side = 0.0;
    abut_vec3 apex_normal = {0.0, 0.0, 0.0};
    for (int i = 0; i < f->count; ++i) {
        const abut_sector *s = &f->sectors[i];
        const abut_sector *before = &f->sectors[s->before];
        double height = abut_dot(s->normal, w);
        abut_vec3 foot = abut_add_scaled(w, -height, s->normal);
        if (abut_angle_about(s->normal, s->from, foot) <= s->angle && fabs(height) < best) {
            best = fabs(height);
            side = height;
        }
        double along = abut_dot(s->from, w);
        double distance = abut_norm(abut_add_scaled(w, -along, s->from));
        if (along > 0.0 && distance < best) {
            best = distance;
            side = abut_dot(w, abut_add(s->normal, before->normal));
        }
        apex_normal = abut_add_scaled(apex_normal, s->angle, s->normal);
    }
    return (abut_norm(w) < best ? abut_dot(w, apex_normal) : side) < 0.0;
}

static int add_cell(const abut_fan *f, abut_vec3 w, cell *cells, int count)
{
    cell c = {0, 0};
    for (int i = 0; i < f->normal_count; ++i) {
        c.faces |= (uint32_t)(abut_dot(f->normals[i], w) < 0.0) << i;
    }
    for (int i = 0; i < count; ++i) {
        if (cells[i].faces == c.faces) {
            return count;
        }
    }
    if (count < ABUT_FAN_PIECES) {
        c.is_inside = points_inside(f, w);
        cells[count++] = c;
    }
    return count;
}

/// A step from a corner along a direction at right angles that stays in the cell: at most half the way to the first
/// plane that does not go through the corner.
static double step_into_cell(const abut_fan *f, abut_vec3 corner, abut_vec3 direction)
{
    double step = cell_step;
    for (int i = 0; i < f->normal_count; ++i) {
        double height = abut_dot(f->normals[i], corner), slope = abut_dot(f->normals[i], direction);
        if (fabs(height) > abut_plane_angle && height * slope < 0.0) {
            step = fmin(step, 0.5 * fabs(height / slope));
        }
    }
    return step;
}

/// Adds the cells that meet at a corner: those between two neighbouring planes through it.
static int add_cells_at(const abut_fan *f, abut_vec3 corner, cell *cells, int count)
{
    abut_vec3 u = abut_any_perpendicular(corner), w = abut_cross(corner, u);
    double angles[2 * ABUT_FAN_FACES];
    int angle_count = 0;
    for (int i = 0; i < f->normal_count; ++i) {
        if (fabs(abut_dot(f->normals[i], corner)) <= abut_plane_angle) {
            abut_vec3 line = abut_cross(f->normals[i], corner);
            double angle = atan2(abut_dot(line, w), abut_dot(line, u));
            angles[angle_count++] = angle;
            angles[angle_count++] = angle > 0.0 ? angle - pi : angle + pi;
        }
    }
    for (int i = 1; i < angle_count; ++i) {
        for (int k = i; k > 0 && angles[k] < angles[k - 1]; --k) {
            double swapped = angles[k];
            angles[k] = angles[k - 1];
            angles[k - 1] = swapped;
        }
    }
    for (int i = 0; i < angle_count; ++i) {
        double next = i + 1 < angle_count ? angles[i + 1] : angles[0] + 2.0 * pi;
        if (next - angles[i] <= abut_plane_angle) {
            continue; // two faces in one plane, with opposite normals: what is between them is rounding
        }
        double middle = 0.5 * (angles[i] + next);
        abut_vec3 step = abut_add(abut_scale(cos(middle), u), abut_scale(sin(middle), w));
        count = add_cell(f, abut_add_scaled(corner, step_into_cell(f, corner, step), step), cells, count);
    }
    return count;
}

static int find_cells(const abut_fan *f, cell *cells)
{
    int count = 0;
    for (int i = 0; i < f->normal_count; ++i) {
        for (int k = 0; k < i; ++k) {
            abut_vec3 line = abut_cross(f->normals[i], f->normals[k]), corner = abut_unit(line);
            if (abut_norm(line) > abut_plane_angle) { // otherwise one plane, and the direction is rounding
                count = add_cells_at(f, corner, cells, count);
                count = add_cells_at(f, abut_negate(corner), cells, count);
            }
        }
    }
    return count;
}

/// Whether the intersection of the half-spaces of these faces is within the solid.
static int is_within_solid(uint32_t faces, const cell *cells, int count)
{
    for (int i = 0; i < count; ++i) {
        if ((cells[i].faces & faces) == faces && !cells[i].is_inside) {
            return 0;
        }
    }
    return 1;
}

/// The sets of faces whose half-spaces intersect in pieces of the solid; returns how many.
static int find_pieces(const abut_fan *f, const cell *cells, int count, uint32_t *pieces)
{
    int found = 0;
    for (int i = 0; i < count; ++i) {
        if (!cells[i].is_inside) {
            continue;
        }
        uint32_t faces = cells[i].faces;
        for (int k = 0; k < f->normal_count; ++k) {
            uint32_t fewer = faces & ~((uint32_t)1 << k);
            if (fewer != faces && is_within_solid(fewer, cells, count)) {
                faces = fewer;
            }
        }
        int is_new = 1;
        for (int k = 0; k < found; ++k) {
            is_new &= (pieces[k] & faces) != pieces[k];
        }
        if (is_new) {
            pieces[found++] = faces;
        }
    }
    return found;
}

int abut_fan_pieces(const abut_fan *fan, uint32_t pieces[ABUT_FAN_PIECES])
{
    cell cells[ABUT_FAN_PIECES];
    return find_pieces(fan, cells, find_cells(fan, cells), pieces);
}
