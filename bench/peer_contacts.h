// SPDX-License-Identifier: MIT
// peer_contacts.h: contacts of meshes by the other libraries of this build
#ifndef ABUT_BENCH_PEER_CONTACTS_H
#define ABUT_BENCH_PEER_CONTACTS_H

#include <abut/abut.h>

typedef struct bench_peer_contact {
    abut_vec3 position, normal; ///< in the world; the normal points from A to B
    double gap;
} bench_peer_contact;

/// How many libraries of this build find contacts of meshes, and their names.
int bench_contact_peer_count(void);
const char *bench_contact_peer_name(int peer);

/// The contacts of two placed meshes. Writes at most `capacity` of them and returns how many; -1 if the library refuses
/// the meshes.
int bench_contact_peer_find(int peer, const abut_mesh *a, abut_pose pose_a, const abut_mesh *b, abut_pose pose_b,
                            bench_peer_contact *contacts, int capacity);

#endif
