// SPDX-License-Identifier: MIT
// identity.h: the ids of contacts over time
#ifndef ABUT_METHOD_IDENTITY_H
#define ABUT_METHOD_IDENTITY_H

#include "method/workspace.h"

/// What a memory knows of a contact.
typedef struct abut_known_contact {
    uint64_t features; ///< hash of features and normal feature
    uint64_t id;
    abut_vec3 points[2]; ///< on A and on B, in the frames of their meshes
    abut_vec3 normal;    ///< in A's frame
    int32_t has_twin;    ///< another contact has the same features
    int32_t age;         ///< queries since it was last there
} abut_known_contact;

/// Gives the contacts of a query the ids that they had in the last one, if the pair has a memory, and tells which began
/// and ended. `order` has the `count` contacts in the order of delivery; they have the ids of their features. Returns 0
/// if memory ran out.
int abut_identify_contacts(abut_sink *sink, const int *order, int count);

/// The hash of the features of a contact and of its normal.
uint64_t abut_contact_features(const abut_contact *contact);

#endif
