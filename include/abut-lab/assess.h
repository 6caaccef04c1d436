// SPDX-License-Identifier: MIT
/// @file assess.h
/// Scores a contact method on a case or scene whose correct contacts are known: one method, one subject, one state,
/// one row of measures.
///
/// Pointers must not be NULL unless stated. examples/score.c scores its own method on the fundamental cases.
/// docs/cases.md explains the measures.
#ifndef ABUT_LAB_ASSESS_H
#define ABUT_LAB_ASSESS_H

#include <abut-lab/paper.h>
#include <abut-lab/simulation.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a method is assessed on: a case of two bodies or a scene of many, with a shape for each mesh.
typedef struct abut_subject abut_subject;

/// A case or scene by name, with default sizes and meshes.
/// @return ABUT_OK, ABUT_BAD_ARGUMENT (there is no case or scene of that name) or ABUT_NO_MEMORY
ABUT_API abut_status abut_subject_create(const abut_context *context, const char *name, abut_subject **subject,
                                         abut_error *error);
/// A case of abut_case_create() or a scene of abut_scene_create(). It must outlive the subject.
ABUT_API abut_status abut_subject_create_case(const abut_context *context, const abut_case *item,
                                              abut_subject **subject, abut_error *error);
ABUT_API abut_status abut_subject_create_scene(const abut_context *context, const abut_scene *scene,
                                               abut_subject **subject, abut_error *error);
ABUT_API void abut_subject_destroy(abut_subject *subject);

/// The case, or NULL if the subject is a scene.
ABUT_API const abut_case *abut_subject_case(const abut_subject *subject);
/// The scene, or NULL if the subject is a case.
ABUT_API const abut_scene *abut_subject_scene(const abut_subject *subject);

/// How a method runs in an assessment. Start from abut_assess_params_default().
typedef struct abut_assess_params {
    size_t struct_size;
    const abut_params *params; ///< of the method; NULL: its defaults
    /// 1: each query runs in a child process, so that a crash of the method is a failed row. Use it for plug-ins. Such
    /// a method cannot simulate: states step:K are ABUT_UNSUPPORTED.
    int is_isolated;
    double seconds; ///< time limit of an isolated query; default 60
    /// 1: simulate with abut_setup_paper_def(). 0, the default: with abut_setup_world_def().
    int has_paper_settings;
    int has_long_normals; ///< 1: score normals as abut_paper_sample() does with that flag
} abut_assess_params;

/// Writes the defaults of the first `size` bytes, the size of the struct that the caller was built with.
ABUT_API void abut_assess_params_init(abut_assess_params *params, size_t size);
static inline abut_assess_params abut_assess_params_default(void)
{
    abut_assess_params params;
    abut_assess_params_init(&params, sizeof params);
    return params;
}

enum { ABUT_ASSESS_MAX_PLATEAUS = 8 };

/// What is measured of scenes only.
typedef struct abut_scene_score {
    abut_scene_measures measures;
    abut_scene_curves curves;
    abut_scene_plateau plateaus[ABUT_ASSESS_MAX_PLATEAUS];
    int plateau_count;
    int other_areas;     ///< areas of the curve that are on none of these plateaus
    int feature_minimum; ///< as in abut_scene
} abut_scene_score;

/// One method on one subject in one state. Release with abut_assess_row_release().
typedef struct abut_assess_row {
    abut_status status;        ///< ABUT_OK: there are measures
    abut_error error;          ///< why there are none
    int minimum;               ///< least number of contacts that is enough; 0: the correct contacts are not known
    int has_two_readings;      ///< the two readings of Table 4 expect different contacts
    abut_measures measures[2]; ///< by abut_reading; equal for scenes
    /// As the paper's numbers seem to be measured: abut_paper_measure() for cases. For scenes, `coverage_normals` is
    /// `coverage_paper`, and `quality` of Wall and Arch is `visible_quality`.
    abut_measures paper;
    double raw_contacts, filtered_contacts; ///< before the filter, and removed by it; NaN if not known
    abut_scene_score *scene;                ///< NULL for cases and failed rows
} abut_assess_row;

/// Finds the contacts of a method and scores them. Shapes are prepared as needed; one thread at a time may use a
/// subject here. A scene has the states touching and step:K. For step:K the simulation starts anew.
/// If `params` is NULL, the defaults apply.
/// @return row->status: ABUT_OK, or why the method has no contacts here
ABUT_API abut_status abut_assess(abut_subject *subject, const abut_method *method, const abut_assess_params *params,
                                 abut_state state, abut_assess_row *row);

/// Scores contacts that were found elsewhere. ABUT_UNSUPPORTED if the subject is a scene or the state is step:K.
ABUT_API abut_status abut_assess_contacts(const abut_subject *subject, abut_state state, const abut_sample *samples,
                                          int count, abut_assess_row *row);

ABUT_API void abut_assess_row_release(abut_assess_row *row);

/// Simulates the subject on the contacts of a method: abut_find_outcome() with the settings of `params`. Several
/// threads may do so with one subject. Release with abut_outcome_release() and the subject's context, also after a
/// failure.
ABUT_API abut_status abut_assess_outcome(const abut_subject *subject, const abut_method *method,
                                         const abut_assess_params *params, int steps, abut_outcome_report *report,
                                         abut_error *error);

#ifdef __cplusplus
}
#endif
#endif
