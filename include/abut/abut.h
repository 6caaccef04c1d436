// SPDX-License-Identifier: MIT
/// @file abut.h
/// All headers of the library. Abut computes contact points between meshes.
#ifndef ABUT_ABUT_H
#define ABUT_ABUT_H

#include <abut/base.h>
#include <abut/brep.h>
#include <abut/brep_index.h>
#include <abut/check.h>
#include <abut/complex.h>
#include <abut/contact.h>
#include <abut/continuous.h>
#include <abut/convex.h>
#include <abut/io.h>
#include <abut/locate.h>
#include <abut/math.h>
#include <abut/mesh.h>
#include <abut/penalty.h>
#include <abut/predicates.h>
#include <abut/primitives.h>
#include <abut/quasi_lmd.h>
#include <abut/response.h>
#include <abut/soft.h>
#include <abut/solve.h>
#include <abut/support.h>
#include <abut/sweep.h>
#include <abut/translation.h>
#include <abut/tree.h>
#include <abut/world.h>

#endif
