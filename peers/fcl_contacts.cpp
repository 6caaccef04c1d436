// SPDX-License-Identifier: MIT
// fcl_contacts.cpp: contacts of meshes with FCL
#include "fcl_mesh.h"

static int find(void *a, void *b, const peer_placement *b_to_a, peer_touch *touches, int capacity)
{
    fcl::CollisionRequestd request(static_cast<std::size_t>(capacity), true);
    fcl::CollisionResultd result;
    fcl::collide(static_cast<FclMesh *>(a), fcl::Transform3d::Identity(), static_cast<FclMesh *>(b),
                 fcl_transform(b_to_a), request, result);
    const int count = static_cast<int>(result.numContacts());
    for (int i = 0; i < count; ++i) {
        const fcl::Contactd &contact = result.getContact(static_cast<std::size_t>(i));
        for (int k = 0; k < 3; ++k) {
            touches[i].position[k] = contact.pos[k];
            touches[i].normal[k] = contact.normal[k]; // from the first to the second
        }
        touches[i].depth = contact.penetration_depth;
    }
    return count;
}

const peer_contacts peer_fcl_contacts = {"fcl", fcl_mesh_create, fcl_mesh_destroy, find};
