// SPDX-License-Identifier: MIT
// assembly_surface.h: surfaces given by a function, cut into triangles of a given chord and edge length
#ifndef ABUT_LAB_ASSEMBLY_SURFACE_H
#define ABUT_LAB_ASSEMBLY_SURFACE_H

#include <abut/math.h>
#include <abut/support.h>

/// Triangles of one or several parts. After a failure, which `status` has, nothing is added.
typedef struct abut_surface_builder {
    abut_context context;
    double chord, edge;
    abut_vec3 *vertices;
    int vertex_count, vertex_capacity;
    int *corners; ///< three vertices for each triangle
    int corner_count, corner_capacity;
    abut_status status;
    abut_error *error;
} abut_surface_builder;

enum { ABUT_SURFACE_NUMBERS = 12 };

typedef struct abut_surface_part abut_surface_part;

/// A part of a shape: a point for each triple of parameters, and how it bends.
struct abut_surface_part {
    abut_vec3 (*at)(const abut_surface_part *part, double u, double v, double w);
    double bend[3];                       ///< least radius of curvature along each parameter; 0: straight
    int multiple[3];                      ///< the number of steps is a multiple of this, and not 0
    double numbers[ABUT_SURFACE_NUMBERS]; ///< of the function
};

/// An open sheet: at(u, v, 0) for u and v from 0 to 1. The normal is along du x dv.
void abut_surface_sheet(abut_surface_builder *builder, const abut_surface_part *part);
/// A solid: the image of the border of a cube, u, v and w from -1 to 1. The function keeps its orientation.
void abut_surface_block(abut_surface_builder *builder, const abut_surface_part *part);
/// A closed ring: at(u, v, 0) with period 1 in u and in v. The normal is along du x dv.
void abut_surface_ring(abut_surface_builder *builder, const abut_surface_part *part);

/// Sine and cosine by additions, multiplications and divisions alone, within 1e-15 for angles up to 100.
double abut_surface_sine(double angle);
double abut_surface_cosine(double angle);

/// The point of the unit disc for a point of the square from -1 to 1, with equal steps along the rim (Shirley's map).
void abut_surface_disc(double u, double v, double *x, double *y);

#endif
