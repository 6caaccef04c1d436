// SPDX-License-Identifier: MIT
// lmd_derivative.h: how a contact of method quasi-lmd changes with the motion of the bodies
#ifndef ABUT_METHOD_LMD_DERIVATIVE_H
#define ABUT_METHOD_LMD_DERIVATIVE_H

#include "method/base_complex.h"

/// How far the surfaces are outside of the complexes at a contact, of which normal and anchors are known.
void abut_lmd_reaches(const abut_query *query, const abut_base *const bases[2], const abut_contact *contact,
                      double reaches[2]);

/// The derivative of a contact made of a quasi-LMD, for the same pair of simplices.
abut_derivative abut_lmd_derivative(const abut_query *query, const abut_base *const bases[2], const abut_lmd *lmd,
                                    const abut_contact *contact);

/// The derivative of a contact whose points and normal do not slide or turn: of bodies that were moved apart to find it.
abut_derivative abut_fixed_derivative(const abut_query *query, const abut_contact *contact);

#endif
