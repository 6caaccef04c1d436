// SPDX-License-Identifier: MIT
/// @file spinning.h
/// The benchmarks of Yi and Drumwright 2016, section V: polyhedra that spin without slip on a box or a polyhedron.
///
/// A true sphere that spins about the vertical keeps its energy for ever. So does a polyhedron on a vertex below its
/// centre of mass. On a face it stops at once, because the corners cannot slip. docs/reproduction.md has the results.
#ifndef ABUT_LAB_SPINNING_H
#define ABUT_LAB_SPINNING_H

#include <abut-lab/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How the spinning body lies at the beginning.
typedef enum abut_spin_start {
    ABUT_SPIN_VERTEX = 0, ///< on a vertex, with the centre of mass right above it
    ABUT_SPIN_FACE = 1,   ///< on a face
    ABUT_SPIN_RANDOM = 2  ///< rotated by a uniformly random rotation, then lowered until it touches
} abut_spin_start;

/// "vertex", "face" or "random"; NULL for other numbers.
ABUT_API const char *abut_spin_start_text(abut_spin_start start);

/// Start from abut_spin_params_default().
typedef struct abut_spin_params {
    size_t struct_size;
    /// "spinning-box": a cube on a box; "spinning-sphere": a sphere on a box; "rolling-spheres": a sphere of radius 1
    /// on a fixed one, between four frictionless walls with a clearance of 0.01
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

/// Makes the setup, of 5 s: no slip except at the walls, no damping, gravity 9.82. The spinning body is body 0.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT (`error` names the parameter), or ABUT_NO_MEMORY
ABUT_API abut_status abut_spin_setup(const abut_context *context, const abut_spin_params *params,
                                     abut_setup **setup, abut_error *error);

enum { ABUT_SPHERE_LEAST_VERTICES = 8, ABUT_SPHERE_MOST_VERTICES = 100000 };

/// Makes a convex polyhedron with this many vertices on a sphere about the origin. One vertex is at (0, -radius, 0)
/// and, for most counts, one at (0, radius, 0). The others are on golden-ratio spirals in k equal sectors about y,
/// where k is the least of 3, 4, ... that divides their number. So the centre of mass is on the y axis, which is a
/// principal axis.
ABUT_API abut_status abut_sphere_create(const abut_context *context, int vertices, double radius, abut_mesh **mesh,
                                        abut_error *error);

/// The spinning body at a time.
typedef struct abut_spin_sample {
    double time;
    double kinetic, potential;
    double spin; ///< about the vertical
    int contacts;
} abut_spin_sample;

enum { ABUT_SPIN_SAMPLES = 501 };

typedef struct abut_spin_report {
    int steps;   ///< done
    double kept; ///< kinetic energy at the end / at the beginning
    double
        total_kept; ///< (kinetic energy at the end + change of potential energy) / kinetic energy at the beginning
    double least_kept;   ///< the least value of `kept` over time
    double stop_time;    ///< from then on the spin is below 1 % of its first value; NaN: never
    double contact_mean; ///< contacts per step
    int contact_most;
    abut_spin_sample samples[ABUT_SPIN_SAMPLES]; ///< evenly spaced in time, from the beginning to the end
    int sample_count;
    abut_error error; ///< of the step that failed; status ABUT_OK: none did
} abut_spin_report;

/// Runs a setup of abut_spin_setup() with `def`.
/// @return ABUT_OK, also if a step failed; ABUT_BAD_ARGUMENT if the setup has no steps; or why the simulation cannot
/// be made
ABUT_API abut_status abut_spin_run(const abut_context *context, const abut_setup *setup, const abut_world_def *def,
                                   abut_spin_report *report, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
