// SPDX-License-Identifier: MIT
// study_subject.h: what a study of normals simulates and measures: a scene, or a case whose truth is known
#ifndef ABUT_LAB_STUDY_SUBJECT_H
#define ABUT_LAB_STUDY_SUBJECT_H

#include <abut-lab/simulation.h>

typedef struct abut_study_subject {
    abut_scene *scene;      ///< or NULL
    abut_case *fundamental; ///< the other one
    abut_setup *setup;
} abut_study_subject;

/// `params` are those of a scene, and not used for a case. ABUT_BAD_ARGUMENT where no normals are known. Release
/// also after a failure.
abut_status abut_study_subject_create(const abut_context *context, const char *name,
                                      const abut_scene_params *params, abut_study_subject *subject,
                                      abut_error *error);
void abut_study_subject_release(abut_study_subject *subject);

/// The diagonal of the box around all bodies.
double abut_study_subject_size(const abut_study_subject *subject);

/// Of the normals of a detection; Q of a contact of a case is the best with any of the expected normals.
typedef struct abut_subject_measures {
    double good, exact, mean_q, least_q;
    double *curve; ///< Q of each contact, ascending; of the context
} abut_subject_measures;

/// The detection must have contacts.
abut_status abut_study_subject_measure(const abut_context *context, const abut_study_subject *subject,
                                       const abut_detection *detection, abut_subject_measures *measures,
                                       abut_error *error);

#endif
