// SPDX-License-Identifier: MIT
// study_kinds.h: the kinds of studies, each defined in its own file and listed in study.c
#ifndef ABUT_LAB_STUDY_KINDS_H
#define ABUT_LAB_STUDY_KINDS_H

#include <abut-lab/study.h>

extern const abut_study_kind abut_perturbation_kind, abut_refinement_kind, abut_timestep_kind, abut_spin_kind;

#endif
