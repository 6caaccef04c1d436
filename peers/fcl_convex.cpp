// SPDX-License-Identifier: MIT
// fcl_convex.cpp: signed distance of convex polyhedra by FCL, with its default solver
#include "peers.h"

#include <exception>
#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace
{

// FCL's default of 1e-6 gives errors of 1e-10 on large hulls; at 1e-12 and below, its own assertions fail.
constexpr double TOLERANCE = 1e-8;

struct body {
    std::unique_ptr<fcl::CollisionGeometryd> geometry;
};

void *make(const peer_hull *hull)
{
    if (hull->half_sides != nullptr) {
        const double *h = hull->half_sides;
        return new body{std::make_unique<fcl::Boxd>(2.0 * h[0], 2.0 * h[1], 2.0 * h[2])};
    }
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>(); // a count, then as many points
    for (int i = 0; i < hull->point_count; ++i) {
        points->emplace_back(hull->points + 3 * i);
    }
    for (int i = 0; i < hull->triangle_count; ++i) {
        const int *t = hull->triangles + 3 * i;
        faces->push_back(3);
        faces->insert(faces->end(), t, t + 3);
    }
    return new body{std::make_unique<fcl::Convexd>(points, hull->triangle_count, faces)};
}

void release(void *shape)
{
    delete static_cast<body *>(shape);
}

fcl::Transform3d place(const peer_pose *pose)
{
    const double *q = pose->rotation;
    fcl::Transform3d result = fcl::Transform3d::Identity();
    result.linear() = fcl::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
    result.translation() = Eigen::Map<const fcl::Vector3d>(pose->position);
    return result;
}

int distance(void *a, void *b, const peer_pose *b_to_a, double *result)
{
    const fcl::DistanceRequestd request(false, true, 0.0, 0.0, TOLERANCE);
    fcl::DistanceResultd found;
    try {
        *result = fcl::distance(static_cast<body *>(a)->geometry.get(), fcl::Transform3d::Identity(),
                                static_cast<body *>(b)->geometry.get(), place(b_to_a), request, found);
    } catch (const std::exception &) {
        return 0; // how it reports failure
    }
    return *result < 0.0;
}

} // namespace

const peer_convex peer_fcl_convex = {"fcl", make, release, distance};
