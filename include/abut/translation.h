// SPDX-License-Identifier: MIT
/// @file translation.h
/// The least translation that meets a set of half-spaces, for example the one that separates overlapping bodies by
/// their contacts.
#ifndef ABUT_TRANSLATION_H
#define ABUT_TRANSLATION_H

#include <abut/base.h>
#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The points t with normal . t >= distance.
typedef struct abut_half_space {
    abut_vec3 normal; ///< unit
    double distance;
} abut_half_space;

/// Finds the shortest vector of the intersection of half-spaces. A contact with normal n and gap g allows the
/// translations t of B with n . t >= -g, so for the contacts of a pair this is the least translation of B that opens
/// all of them. A half-space counts as met within 1e-12 of the largest distance and of the length of `t`.
/// @return 0 if the half-spaces have no common point; `t` is then zero
ABUT_API int abut_least_translation(const abut_half_space *sides, int count, abut_vec3 *t);

#ifdef __cplusplus
}
#endif
#endif
