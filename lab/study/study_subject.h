// SPDX-License-Identifier: MIT
// study_subject.h: the scene or case that a study of normals simulates and measures
#ifndef ABUT_LAB_STUDY_SUBJECT_H
#define ABUT_LAB_STUDY_SUBJECT_H

#include <abut-lab/simulation.h>

typedef struct abut_study_subject {
    abut_scene *scene; ///< NULL for a case
    abut_case *item;   ///< NULL for a scene
    abut_setup *setup;
} abut_study_subject;

/// `params` is for scenes; a case ignores it. ABUT_BAD_ARGUMENT if the right normals are not known. Release also after
/// a failure.
abut_status abut_study_subject_create(const abut_context *context, const char *name,
                                      const abut_scene_params *params, abut_study_subject *subject,
                                      abut_error *error);
void abut_study_subject_release(abut_study_subject *subject);

/// The diagonal of the box around all bodies.
double abut_study_subject_size(const abut_study_subject *subject);

/// Measures of the normals of a detection. In a case, Q of a contact is the best over the expected normals.
typedef struct abut_subject_measures {
    double good, exact, mean_q, least_q;
    double *curve; ///< Q of each contact, ascending; allocated through the context
} abut_subject_measures;

/// The detection must have contacts.
abut_status abut_study_subject_measure(const abut_context *context, const abut_study_subject *subject,
                                       const abut_detection *detection, abut_subject_measures *measures,
                                       abut_error *error);

#endif
