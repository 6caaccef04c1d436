// SPDX-License-Identifier: MIT
/// @file overlap.h
/// Bodies that overlap, and how well contacts separate them: the measure `resolution`.
///
/// The least translation t of B that the contacts ask for, n . t >= -gap for all of them, is done, and what is left of
/// the overlap is measured, as a volume and without any contact method. Contacts of any origin can be measured.
/// docs/cases.md explains the placements.
#ifndef ABUT_LAB_OVERLAP_H
#define ABUT_LAB_OVERLAP_H

#include <abut-lab/assess.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The volume that two closed, oriented meshes have in common. Any shapes, nested ones too. It is exact up to rounding:
/// about 1e-15 of the cube of the larger size.
/// @return ABUT_OK; ABUT_UNSUPPORTED if a mesh is not closed and oriented; ABUT_NO_MEMORY
ABUT_API abut_status abut_overlap_volume(const abut_context *context, const abut_mesh *a, abut_pose pose_a,
                                         const abut_mesh *b, abut_pose pose_b, double *volume, abut_error *error);

/// Two bodies that overlap.
typedef struct abut_overlap_placement {
    int a, b; ///< indices of shapes; they may be equal
    abut_pose pose_a, pose_b;
    double size;       ///< the smaller bounding diagonal
    double depth;      ///< how far B was moved into A from where they touch, relative to `size`
    abut_vec3 freeing; ///< of B: leads back to where they touch; of length depth * size
    double volume;     ///< of the overlap
} abut_overlap_placement;

/// The number of placements that the command measures.
enum { ABUT_OVERLAP_STANDARD = 200 };

/// Solids and placements of pairs of them.
typedef struct abut_overlap_set {
    const char *const *names; ///< of the shapes
    abut_mesh **meshes;
    abut_shape **shapes;
    int shape_count;
    abut_overlap_placement *placements; ///< their depths are 0.001, 0.01 and 0.1 in turn
    int placement_count;
} abut_overlap_set;

/// Makes the generated shapes (prisms, gears, rings, links, threads, thin ones and ones with holes) and the first
/// `count` placements of a fixed sequence: the same on every machine up to rounding.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT for a negative count, or ABUT_NO_MEMORY
ABUT_API abut_status abut_overlap_set_create(const abut_context *context, int count, abut_overlap_set **set,
                                             abut_error *error);
ABUT_API void abut_overlap_set_destroy(abut_overlap_set *set);

/// What the contacts of a placement achieve.
typedef struct abut_resolution {
    /// 0: there are no contacts, or no translation opens all of them, or only one that is longer than both bodies
    /// together, as for two normals that are opposed up to rounding.
    int has_translation;
    abut_vec3 translation; ///< of B, the least one
    double length;         ///< of the translation
    double ratio;          ///< length / (depth * size): at most 1 if the contacts are as good as the known answer
    double left;           ///< overlap after the translation, relative to the one before; 1 without a translation
    int is_resolved;       ///< at most ABUT_OVERLAP_LEFT is left
} abut_resolution;

#define ABUT_OVERLAP_LEFT 1e-3

/// Measures contacts of any origin, each given by its normal from A to B and -gap.
ABUT_API abut_status abut_overlap_resolve(const abut_overlap_set *set, int placement, const abut_half_space *sides,
                                          int count, abut_resolution *resolution, abut_error *error);

/// One method on one placement.
typedef struct abut_overlap_row {
    abut_status status; ///< ABUT_OK: the method answered, maybe without contacts
    abut_error error;   ///< why it did not
    int contacts;
    abut_resolution resolution; ///< unresolved if the method did not answer
} abut_overlap_row;

/// Finds the contacts of a method, without velocities and without a memory, and measures them. Of `params` only the
/// parameters of the method and of isolation are used; NULL: the defaults. Shapes are prepared as needed.
/// @return row->status, or ABUT_NO_MEMORY
ABUT_API abut_status abut_assess_overlap(abut_overlap_set *set, int placement, const abut_method *method,
                                         const abut_assess_params *params, abut_overlap_row *row);

/// A method on all placements of one depth.
typedef struct abut_overlap_summary {
    double depth;
    int placements, answered, resolved;
    double contacts;     ///< mean of the answered ones; NaN if there are none
    double median_ratio; ///< of the resolved ones; NaN if there are none
    double high_ratio;   ///< the 90th percentile
    double least_left;   ///< of those that are answered and not resolved; NaN if there are none
} abut_overlap_summary;

/// Sums up the rows of all placements with this depth. `rows` has one row for each placement of the set.
ABUT_API abut_status abut_overlap_sum_up(const abut_overlap_set *set, const abut_overlap_row *rows, double depth,
                                         abut_overlap_summary *summary, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
