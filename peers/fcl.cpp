// SPDX-License-Identifier: MIT
// fcl.cpp: pairs and distances of meshes with FCL
#include "fcl_mesh.h"

#include <limits>

static void pairs(void *a, void *b, const peer_placement *b_to_a, peer_pair_function *function, void *user)
{
    fcl::CollisionRequestd request(std::numeric_limits<std::size_t>::max(), false);
    fcl::CollisionResultd result;
    fcl::collide(static_cast<FclMesh *>(a), fcl::Transform3d::Identity(), static_cast<FclMesh *>(b),
                 fcl_transform(b_to_a), request, result);
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
        const fcl::Contactd &contact = result.getContact(i);
        function(user, static_cast<int>(contact.b1), static_cast<int>(contact.b2));
    }
}

static double distance(void *a, void *b, const peer_placement *b_to_a)
{
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return fcl::distance(static_cast<FclMesh *>(a), fcl::Transform3d::Identity(), static_cast<FclMesh *>(b),
                         fcl_transform(b_to_a), request, result);
}

const peer_hierarchy peer_fcl = {"fcl", fcl_mesh_create, fcl_mesh_destroy, pairs, distance};
