// SPDX-License-Identifier: MIT
/// @file quasi_lmd.h
/// What method `quasi-lmd` made of a shape, and how far bodies may move: see docs/methods/quasi-lmd.md.
#ifndef ABUT_QUASI_LMD_H
#define ABUT_QUASI_LMD_H

#include <abut/complex.h>
#include <abut/contact.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The base complex of a shape, and how far the dilated complex is from the surface as loaded.
typedef struct abut_base_info {
    double offset;   ///< how far the surfaces of solids were moved outward; negative: inward
    double dilation; ///< radius of the ball that the complex is swept by
    int is_default;  ///< the method chose both, since the shape has neither
    /// The largest distance between the surface of the shape as defined (moved by its offset and swept by its dilation; as
    /// loaded if it has neither) and what the method uses: at sharp corners of solids.
    double deviation;
    double chord; ///< of the shape: how far the mesh may be from the surface that it was made of
    /// How far the surface in contact can be from that surface: offset + dilation, in size, the deviation, and the chord.
    double error;
    int thin_part_count;    ///< closed parts that are too thin for the offset: they are shells
    int thin_vertex;        ///< a vertex of the first of them, or -1
    abut_complex_info info; ///< of the complex
} abut_base_info;

/// What abut_shape_prepare() built for method `quasi-lmd` with these parameters.
/// @return ABUT_OK, ABUT_UNPREPARED, or ABUT_BAD_ARGUMENT for parameters that are not valid
ABUT_API abut_status abut_shape_get_base(const abut_shape *shape, const abut_params *params, abut_base_info *info);

/// The share of the time step, 0 to 1, for which both bodies can move with their velocities (`dt` of the pair; `end_pose`
/// is ignored) while their base complexes stay apart, by at least a tenth of their dilations together, or by half of their
/// distance if that is less. It never is too large, and falls short by at most a thousandth of that distance, unless the
/// bodies glide along each other for long. A stepper that moves them no farther never gets ABUT_OVERLAP (the paper's footnote 2).
/// @return ABUT_OK; ABUT_UNPREPARED; ABUT_UNSUPPORTED for soft bodies; ABUT_BAD_ARGUMENT or ABUT_NO_MEMORY
ABUT_API abut_status abut_find_step_share(const abut_pair *pair, const abut_params *params,
                                          abut_workspace *workspace, double *share, abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
