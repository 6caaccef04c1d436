// SPDX-License-Identifier: MIT
/// @file lab.h
/// Everything of the laboratory.
#ifndef ABUT_LAB_LAB_H
#define ABUT_LAB_LAB_H

#include <abut-lab/assembly.h>
#include <abut-lab/assess.h>
#include <abut-lab/case.h>
#include <abut-lab/draw.h>
#include <abut-lab/measure.h>
#include <abut-lab/overlap.h>
#include <abut-lab/paper.h>
#include <abut-lab/plugin.h>
#include <abut-lab/recording.h>
#include <abut-lab/scene.h>
#include <abut-lab/simulation.h>
#include <abut-lab/spinning.h>
#include <abut-lab/states.h>
#include <abut-lab/study.h>
#include <abut-lab/tetgen.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version and a hash of sources, compiler and flags, such as "0.1.0+4f9c02d1a7be". Builds of the same name give
/// the same results.
ABUT_API const char *abut_lab_build(void);

#ifdef __cplusplus
}
#endif
#endif
