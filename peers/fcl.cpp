// SPDX-License-Identifier: MIT
// fcl.cpp: pairs and distances of meshes with FCL
#include "peers.h"

#include <fcl/fcl.h>
#include <limits>
#include <vector>

using Model = fcl::BVHModel<fcl::OBBRSSd>;

static void *create(const peer_mesh *mesh)
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

static void destroy(void *made)
{
    delete static_cast<Model *>(made);
}

static fcl::Transform3d transform(const peer_placement *pose)
{
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose->rotation);
    result.translation() = Eigen::Map<const fcl::Vector3d>(pose->position);
    return result;
}

static void pairs(void *a, void *b, const peer_placement *b_to_a, peer_pair_function *function, void *user)
{
    fcl::CollisionRequestd request(std::numeric_limits<std::size_t>::max(), false);
    fcl::CollisionResultd result;
    fcl::collide(static_cast<Model *>(a), fcl::Transform3d::Identity(), static_cast<Model *>(b), transform(b_to_a),
                 request, result);
    for (std::size_t i = 0; i < result.numContacts(); ++i) {
        const fcl::Contactd &contact = result.getContact(i);
        function(user, static_cast<int>(contact.b1), static_cast<int>(contact.b2));
    }
}

static double distance(void *a, void *b, const peer_placement *b_to_a)
{
    fcl::DistanceRequestd request(true);
    fcl::DistanceResultd result;
    return fcl::distance(static_cast<Model *>(a), fcl::Transform3d::Identity(), static_cast<Model *>(b),
                         transform(b_to_a), request, result);
}

const peer_hierarchy peer_fcl = {"fcl", create, destroy, pairs, distance};
