// SPDX-License-Identifier: MIT
// moving.h: a vertex and a face, or two edges, whose vertices move: relative vectors, volume, bounds of rounding errors
//
// The features touch at a time if the hull of their relative vectors contains the origin. These are, vertex-face: vertex
// minus each corner (a triangle); edge-edge: each end of the first edge minus each end of the second (a parallelogram).
// The volume f = n . (first - second), with n as in abut_impact.side, is a polynomial of degree 3 (6 for curved paths).
// Features that touch have f = 0.
#ifndef ABUT_PRIM_MOVING_H
#define ABUT_PRIM_MOVING_H

#include <abut/continuous.h>

// Bounds of moving.c.
#define ABUT_MOVING_LARGEST 1e100        ///< coordinate; abut_find_impacts() promises it
#define ABUT_MOVING_UNSCALED 1e60        ///< sizes from its inverse on need no scaling: fourth powers are taken
#define ABUT_MOVING_NOISE 0x1p-48        ///< 32 u
#define ABUT_MOVING_VOLUME_NOISE 0x1p-45 ///< 256 u
#define ABUT_MOVING_VOLUME_LEAST 1e-250  ///< more than what underflows

enum { MOVING_PATH = 2, MOVING_VOLUME = 6 }; ///< highest degrees of paths and volumes

typedef struct abut_moving {
    abut_moving_kind kind;
    int degree;       ///< of the paths
    int vector_count; ///< 3 or 4
    double scale;     ///< lengths were multiplied by this power of two: 1 unless they are extreme
    double size;      ///< largest relative coordinate
    double noise;     ///< bounds the rounding error of a unit vector . a relative vector at any time
    abut_vec3 vectors[MOVING_PATH + 1][4]; ///< control points of the relative vectors, by step and vector
    // Set by abut_moving_find_volume():
    double volume[MOVING_VOLUME + 1]; ///< f, in the Bernstein basis
    double volume_noise;              ///< bounds the error of every coefficient, also after a restriction
} abut_moving;

/// The control points of a path at step 0 to its degree.
static inline const abut_vec3 *abut_moving_vertices(const abut_moving_pair *pair, int step)
{
    return step == 0 ? pair->start : step == 1 && pair->is_curved ? pair->middle : pair->end;
}

/// A pair of a batch.
static inline abut_moving_pair abut_moving_batch_pair(const abut_moving_batch *batch, int i)
{
    abut_moving_pair pair = {.kind = batch->kind};
    for (int k = 0; k < 4; ++k) {
        pair.start[k] = abut_vec3_make(batch->start[k][0][i], batch->start[k][1][i], batch->start[k][2][i]);
        pair.end[k] = abut_vec3_make(batch->end[k][0][i], batch->end[k][1][i], batch->end[k][2][i]);
    }
    return pair;
}

/// Sets up everything except the volume. Returns 0 if a coordinate is not finite or too large.
int abut_moving_make(const abut_moving_pair *pair, abut_moving *moving);

/// Whether a coordinate axis separates the features by more than `separation` at all times. Exact if that is 0.
int abut_moving_axis_separates(const abut_moving *moving, double separation);

void abut_moving_find_volume(const abut_moving_pair *pair, abut_moving *moving);

/// Whether exact arithmetic shows that the volume is zero at no time. Straight paths only; 0 for others.
int abut_moving_volume_is_nonzero(const abut_moving_pair *pair);

/// Whether arithmetic with twice the digits shows that there is no touch in this interval.
int abut_moving_is_free(const abut_moving_pair *pair, const abut_moving *moving, double begin, double end);

/// `lower` of the first touch that abut_find_impacts() finds; HUGE_VAL if there is none, NaN for a wrong coordinate.
double abut_first_impact_time(const abut_moving_pair *pair, double separation);

#endif
