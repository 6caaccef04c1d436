// SPDX-License-Identifier: MIT
// fcl_mesh.h: meshes and placements as FCL has them
#ifndef ABUT_PEER_FCL_MESH_H
#define ABUT_PEER_FCL_MESH_H

#include "peers.h"

#include <fcl/fcl.h>
#include <vector>

using FclMesh = fcl::BVHModel<fcl::OBBRSSd>;

inline void *fcl_mesh_create(const peer_mesh *mesh)
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
    FclMesh *model = new FclMesh;
    model->beginModel(mesh->triangle_count, mesh->vertex_count);
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

inline void fcl_mesh_destroy(void *made)
{
    delete static_cast<FclMesh *>(made);
}

inline fcl::Transform3d fcl_transform(const peer_placement *pose)
{
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(pose->rotation);
    result.translation() = Eigen::Map<const fcl::Vector3d>(pose->position);
    return result;
}

#endif
