// SPDX-License-Identifier: MIT
// subject.h: the members of an abut_subject
#ifndef ABUT_LAB_SUBJECT_H
#define ABUT_LAB_SUBJECT_H

#include <abut-lab/assess.h>

struct abut_subject {
    abut_context context;
    const abut_case *item;   ///< or NULL: a scene
    const abut_scene *scene; ///< or NULL: a case
    abut_case *own_case;     ///< made by abut_subject_create(), or NULL
    abut_scene *own_scene;   ///< made by abut_subject_create(), or NULL
    abut_shape **shapes;     ///< of A and B of a case, or of each mesh of a scene
    int shape_count;
    abut_scene_pair *pairs; ///< of bodies that may touch; of a case, A and B
    int pair_count;
    abut_workspace *workspace;
};

/// The setup to simulate the subject.
abut_status abut_subject_setup(const abut_subject *subject, abut_setup **setup, abut_error *error);

#endif
