// SPDX-License-Identifier: MIT
// field.h: the signed distance of a closed mesh, on a grid
//
// Nodes hold the distance to the nearest triangle, up to rounding, and an exact sign. Between nodes the field is
// trilinear. Its error is at most half the diagonal of a cell: a distance changes by at most the length of a step, and
// the corners, weighted as in the interpolation, are at most that far away in the mean.
#ifndef ABUT_SPATIAL_FIELD_H
#define ABUT_SPATIAL_FIELD_H

#include <abut/tree.h>

enum {
    ABUT_FIELD_LEAST_CELLS = 8,  ///< along every side of the bounds, so that thin sides have inner nodes
    ABUT_FIELD_MOST_CELLS = 512, ///< along the longest side; a cube of them takes 1.1 GB
    ABUT_FIELD_MARGIN = 2        ///< cells beyond the bounds on all sides, for points close to the surface
};

typedef struct abut_field {
    abut_box bounds;   ///< of the mesh
    abut_box box;      ///< of the grid
    double spacing[3]; ///< of the nodes along each axis
    double step;       ///< the longest side of the bounds divided by `resolution`
    int counts[3];     ///< nodes along each axis
    double *values;    ///< x varies fastest; negative inside
} abut_field;

/// Builds the field of a closed mesh with outward normals. `tree` holds its triangles. `resolution` is the number of
/// cells along the longest side. The other sides have cells of about that size, but at least ABUT_FIELD_LEAST_CELLS.
/// Uses the parallel loop of the context. Returns ABUT_UNSUPPORTED if the mesh is so far from its origin that nodes
/// would coincide.
abut_status abut_field_create(const abut_context *context, const abut_mesh *mesh, const abut_tree *tree,
                              int resolution, abut_field *field, abut_error *error);
void abut_field_release(abut_field *field, const abut_context *context);

size_t abut_field_bytes(const abut_field *field);

/// Largest error of a value between nodes.
double abut_field_error(const abut_field *field);

/// The least distance that the grid extends beyond the bounds.
double abut_field_margin(const abut_field *field);

int abut_field_covers(const abut_field *field, abut_vec3 point);

/// The value at a point in the grid's box, and the gradient of the trilinear function in its cell. On the border
/// between cells the gradient is the mean of theirs, so mirrored grids give mirrored gradients.
double abut_field_value(const abut_field *field, abut_vec3 point, abut_vec3 *gradient);

abut_vec3 abut_field_node(const abut_field *field, int i, int j, int k);

#endif
