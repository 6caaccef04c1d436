// SPDX-License-Identifier: MIT
/// @file spinning.h
/// The benchmarks of Yi and Drumwright 2016, section V: polyhedra that spin on a box or on a polyhedron without slip.
///
/// A true sphere that spins about the vertical keeps its energy for ever. A polyhedron does so on a vertex below
/// its centre of mass; on a face, whose corners cannot slip, it stops at once. docs/reproduction.md has what was
/// measured.
#ifndef ABUT_LAB_SPINNING_H
#define ABUT_LAB_SPINNING_H

#include <abut-lab/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the body that spins lies at the beginning.
typedef enum abut_spin_start {
    ABUT_SPIN_VERTEX = 0, ///< a vertex down, the centre of mass right above it
    ABUT_SPIN_FACE = 1,   ///< a face down
    ABUT_SPIN_RANDOM = 2  ///< turned by any rotation alike, then put down until it touches
} abut_spin_start;

/// "vertex", "face" or "random"; NULL for another number.
ABUT_API const char *abut_spin_start_text(abut_spin_start start);

/// Start from abut_spin_params_default().
typedef struct abut_spin_params {
    size_t struct_size;
    /// "spinning-box": a cube on a box; "spinning-sphere": a sphere on a box; "rolling-spheres": a sphere of radius
    /// 1 on a fixed one, between four walls without friction, with a play of 0.01
    const char *scene;
    int vertices; ///< of a sphere, in the range of abut_sphere_create(); default 200
    abut_spin_start start;
    uint64_t seed; ///< of the random rotation
    double radius; ///< of the sphere on the box, of the fixed sphere, or half the side of the cube; default 1
    double spin;   ///< about the vertical; default 10
    double dt;     ///< 5e-9 to 5; default 0.001
} abut_spin_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_spin_params_init(const char *scene, abut_spin_params *params, size_t size);
static inline abut_spin_params abut_spin_params_default(const char *scene)
{
    abut_spin_params params;
    abut_spin_params_init(scene, &params, sizeof params);
    return params;
}

/// The three scenes.
ABUT_API const char *const *abut_spin_names(int *count);

/// The setup of 5 s. There is no slip but at the walls, no damping, and gravity is 9.82. The body that spins is the
/// first of the bodies.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT with what makes no sense, or ABUT_NO_MEMORY
ABUT_API abut_status abut_spin_setup(const abut_context *context, const abut_spin_params *params,
                                     abut_setup **setup, abut_error *error);

enum { ABUT_SPHERE_LEAST_VERTICES = 8, ABUT_SPHERE_MOST_VERTICES = 100000 };

/// A convex polyhedron of so many vertices on a sphere about the origin, with vertices at (0, -radius, 0) and,
/// mostly, at (0, radius, 0). The others are on a spiral with the golden ratio in each of k equal sectors about y,
/// k the least of 3, 4, ... that divides what is left: so that the centre of mass is on the y axis, which is a
/// principal one.
ABUT_API abut_status abut_sphere_create(const abut_context *context, int vertices, double radius, abut_mesh **mesh,
                                        abut_error *error);

/// The body at a time.
typedef struct abut_spin_sample {
    double time;
    double kinetic, potential;
    double spin; ///< about the vertical
    int contacts;
} abut_spin_sample;

enum { ABUT_SPIN_SAMPLES = 501 };

typedef struct abut_spin_report {
    int steps;           ///< done
    double kept;         ///< kinetic energy at the end over that at the beginning
    double total_kept;   ///< kinetic energy and what potential energy has changed, over the same
    double least_kept;   ///< the least of `kept` at any time
    double stop_time;    ///< from when on the spin is below 1 % of what it was, or NaN
    double contact_mean; ///< contacts a step
    int contact_most;
    int64_t fallbacks;                           ///< pairs of bodies that the second method answered
    abut_spin_sample samples[ABUT_SPIN_SAMPLES]; ///< evenly in time, the beginning and the end among them
    int sample_count;
    abut_error error; ///< of the step that failed; its status is ABUT_OK where none did
} abut_spin_report;

/// Runs a setup of abut_spin_setup() for its number of steps with all else as in `def`.
/// @return ABUT_OK, also where a step failed, ABUT_BAD_ARGUMENT where the setup has no steps, or why the simulation
/// cannot be made
ABUT_API abut_status abut_spin_run(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                                   abut_spin_report *report, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
