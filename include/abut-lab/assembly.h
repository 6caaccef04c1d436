// SPDX-License-Identifier: MIT
/// @file assembly.h
/// The front of a made-up car and a wiper linkage that is mounted in it: 26 shapes for benchmarks, like the scene in
/// section 7.2 of Merlhiot 2007. docs/benchmarks.md describes it.
#ifndef ABUT_LAB_ASSEMBLY_H
#define ABUT_LAB_ASSEMBLY_H

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How fine the surfaces are cut into triangles. Lengths in millimetres. Start from abut_assembly_params_default().
typedef struct abut_assembly_params {
    size_t struct_size;
    double chord;   ///< largest distance of a triangle from its surface; default 1
    double edge;    ///< longest edge; default 5
    int seed;       ///< 1, 2, ...: how the linkage sways, and the shape of beads and cables; default 1
    int pose_count; ///< along the path; default 1200
} abut_assembly_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_assembly_params_init(abut_assembly_params *params, size_t size);
static inline abut_assembly_params abut_assembly_params_default(void)
{
    abut_assembly_params params;
    abut_assembly_params_init(&params, sizeof params);
    return params;
}

/// The parts of the path, in order.
typedef enum abut_assembly_phase {
    ABUT_ASSEMBLY_OUTSIDE = 0, ///< from outside to the gap
    ABUT_ASSEMBLY_GAP = 1,     ///< through the gap between two curved panels
    ABUT_ASSEMBLY_PEG = 2,     ///< two pegs into two holes, up to contact
    ABUT_ASSEMBLY_PHASES = 3
} abut_assembly_phase;

enum { ABUT_ASSEMBLY_SHAPES = 26 };

/// Lengths of the exact surfaces, in millimetres. They do not depend on the tessellation.
#define ABUT_ASSEMBLY_CLEARANCE 6.0  ///< by how much the gap is wider than the linkage is thick
#define ABUT_ASSEMBLY_DILATION 0.5   ///< of every shape
#define ABUT_ASSEMBLY_PEG_RADIUS 8.0 ///< of the pegs
#define ABUT_ASSEMBLY_HOLE_RADIUS 9.5

/// The shapes, all in the frame of the car but the first one, the linkage, which moves.
typedef struct abut_assembly {
    const char *const *names;
    abut_mesh **meshes; ///< ABUT_ASSEMBLY_SHAPES
    int64_t triangle_count;
    abut_pose *poses; ///< of the linkage
    double *sways;    ///< for each pose: how far it is moved outward from the middle of the gap
    int pose_count;
    int phase_begins[ABUT_ASSEMBLY_PHASES + 1]; ///< the first pose of each phase, and pose_count
    uint64_t hash;                              ///< of all meshes and poses
} abut_assembly;

/// Makes the shapes and the path. Only additions, multiplications, divisions and square roots are used, so that all
/// machines make the same bits.
/// @return ABUT_OK; ABUT_BAD_ARGUMENT for lengths that are not above 0, a seed below 1, or fewer than 10 poses;
///         ABUT_LIMIT if an edge length asks for too many triangles; ABUT_NO_MEMORY
ABUT_API abut_status abut_assembly_create(const abut_context *context, const abut_assembly_params *params,
                                          abut_assembly **assembly, abut_error *error);
ABUT_API void abut_assembly_destroy(abut_assembly *assembly);

#ifdef __cplusplus
}
#endif
#endif
