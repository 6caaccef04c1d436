// SPDX-License-Identifier: MIT
// fcl_contacts.cpp: contacts of meshes with FCL
#include "peers.h"

#include <fcl/fcl.h>
#include <limits>
#include <vector>

namespace
{

using Model = fcl::BVHModel<fcl::OBBRSSd>;

void *create(const peer_mesh *mesh)
{
    std::vector<fcl::Vector3d> vertices(static_cast<std::size_t>(mesh->vertex_count));
    std::vector<fcl::Triangle> triangles(static_cast<std::size_t>(mesh->triangle_count));
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        vertices[i] = fcl::Vector3d(mesh->vertices + 3 * i);
    }
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const int *corners = mesh->triangles + 3 * i;
        triangles[i].set(static_cast<std::size_t>(corners[0]), static_cast<std::size_t>(corners[1]),
                         static_cast<std::size_t>(corners[2]));
    }
    Model *model = new Model;
    model->beginModel(mesh->triangle_count, mesh->vertex_count);
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

void destroy(void *made)
{
    delete static_cast<Model *>(made);
}

int find(void *a, void *b, const peer_placement *b_to_a, peer_touch *touches, int capacity)
{
    fcl::Transform3d place = fcl::Transform3d::Identity();
    place.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(b_to_a->rotation);
    place.translation() = Eigen::Map<const fcl::Vector3d>(b_to_a->position);
    fcl::CollisionRequestd request(static_cast<std::size_t>(capacity), true);
    fcl::CollisionResultd result;
    fcl::collide(static_cast<Model *>(a), fcl::Transform3d::Identity(), static_cast<Model *>(b), place, request,
                 result);
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

} // namespace

const peer_contacts peer_fcl_contacts = {"fcl", create, destroy, find};
