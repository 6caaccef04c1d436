// SPDX-License-Identifier: MIT
// round_bodies.h: finely cut bodies with many parallel triangles, and their trees
#ifndef ABUT_TEST_ROUND_BODIES_H
#define ABUT_TEST_ROUND_BODIES_H

#include "shapes.h"

#include <stdlib.h>

/// A closed surface over a grid of n x 2 n quads around the z axis: a torus (radii 1 and 0.4), a ball of radius 1 with
/// flat caps, or a box with square rings. All have many triangles that are parallel to each other or level.
typedef enum body { BODY_TORUS, BODY_BALL, BODY_DRUM, BODIES } body;

static inline abut_vec3 body_point(body which, double u, double v)
{
    const double tau = 6.283185307179586;
    if (which == BODY_TORUS) {
        double radius = 1.0 + 0.4 * cos(tau * v);
        return abut_vec3_make(radius * cos(tau * u), radius * sin(tau * u), 0.4 * sin(tau * v));
    }
    // v from 0 to 1 goes from the middle of the bottom around the outside to the middle of the top
    double angle = 0.5 * tau * v, radius = sin(angle), z = -cos(angle);
    if (which == BODY_DRUM) {
        radius = v < 0.25 ? 4.0 * v : v > 0.75 ? 4.0 - 4.0 * v : 1.0;
        z = v < 0.25 ? -0.5 : v > 0.75 ? 0.5 : 2.0 * v - 1.0;
    }
    return abut_vec3_make(radius * cos(tau * u), radius * sin(tau * u), z);
}

static inline abut_mesh *make_body(body which, int n, double scale)
{
    int columns = 2 * n, rows = which == BODY_TORUS ? n : n + 1, count = 0;
    abut_vec3 *vertices = malloc((size_t)columns * (size_t)rows * sizeof *vertices);
    int *triangles = malloc((size_t)columns * (size_t)n * 6 * sizeof *triangles);
    assert_true(vertices != NULL && triangles != NULL);
    for (int i = 0; i < columns * rows; ++i) {
        vertices[i] =
            abut_scale(scale, body_point(which, (double)(i % columns) / columns, (double)(i / columns) / n));
    }
    for (int i = 0; i < columns * n; ++i) {
        int x = i % columns, y = i / columns, next_x = (x + 1) % columns, next_y = (y + 1) % rows;
        const int quad[6] = {y * columns + x, y * columns + next_x,      next_y * columns + next_x,
                             y * columns + x, next_y * columns + next_x, next_y * columns + x};
        for (int k = 0; k < 6; ++k) {
            triangles[count++] = quad[k];
        }
    }
    abut_mesh *mesh = make_triangles(NULL, vertices, columns * rows, triangles, count / 3);
    free(vertices);
    free(triangles);
    return mesh;
}

/// A tree over the triangles of a mesh.
static inline abut_tree *make_tree(const abut_mesh *mesh)
{
    abut_tree *tree = NULL;
    assert_int_equal(abut_tree_create(NULL, mesh, ABUT_ELEMENT_TRIANGLE, &tree, NULL), ABUT_OK);
    return tree;
}

#endif
