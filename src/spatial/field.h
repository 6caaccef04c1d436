// SPDX-License-Identifier: MIT
// field.h: the signed distance of a closed mesh, on a grid
//
// Nodes have the exact distance of the nearest triangle and a sign that is decided exactly. Between nodes the field is
// trilinear: it is off by at most half the diagonal of a cell, as distances change by no more than the way between
// two points.
#ifndef ABUT_SPATIAL_FIELD_H
#define ABUT_SPATIAL_FIELD_H

#include <abut/tree.h>

enum {
    ABUT_FIELD_LEAST_CELLS = 8, ///< along every side of the bounds
    ABUT_FIELD_MOST_CELLS = 512,
    ABUT_FIELD_MARGIN = 2 ///< cells beyond the bounds, on all sides
};

typedef struct abut_field {
    abut_box bounds;   ///< of the mesh
    abut_box box;      ///< of the grid
    double spacing[3]; ///< of the nodes
    double step;       ///< the longest side of the bounds over its number of cells
    int counts[3];     ///< nodes
    double *values;    ///< x fastest; negative inside
} abut_field;

/// `tree` is over the triangles of the mesh, which is closed and has outward normals. `resolution` is the number of
/// cells along the longest side; other sides have cells of about that size, but at least ABUT_FIELD_LEAST_CELLS.
/// Uses the parallel loops of the context. ABUT_UNSUPPORTED where the mesh is so far from its origin that nodes
/// would coincide.
abut_status abut_field_create(const abut_context *context, const abut_mesh *mesh, const abut_tree *tree,
                              int resolution, abut_field *field, abut_error *error);
void abut_field_release(abut_field *field, const abut_context *context);

size_t abut_field_bytes(const abut_field *field);

/// How far a value between nodes may be off.
double abut_field_error(const abut_field *field);

/// The distance that the grid covers around the bounds, on the side where it is least.
double abut_field_margin(const abut_field *field);

int abut_field_covers(const abut_field *field, abut_vec3 point);

/// The value at a point of the grid's box, and the gradient of the trilinear function in its cell. At the border of
/// cells it is the mean of theirs, so that mirrored grids have mirrored gradients.
double abut_field_value(const abut_field *field, abut_vec3 point, abut_vec3 *gradient);

abut_vec3 abut_field_node(const abut_field *field, int i, int j, int k);

#endif
