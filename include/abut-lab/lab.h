// SPDX-License-Identifier: MIT
/// @file lab.h
/// Everything of the laboratory.
#ifndef ABUT_LAB_LAB_H
#define ABUT_LAB_LAB_H

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

#endif
