// SPDX-License-Identifier: MIT
// fcl_sweep.cpp: the time of contact of moving meshes with FCL, by 1,000 samples of the motion
//
// FCL 0.7.0's conservative advancement is not used: it reports no contact for meshes that run into each other, even for
// two cubes of 12 triangles on a straight line.
#include "fcl_mesh.h"

double peer_fcl_sweep(void *a, void *b, const peer_placement *from, const peer_placement *to, int is_turning)
{
    fcl::ContinuousCollisionRequestd request;
    request.ccd_solver_type = fcl::CCDC_NAIVE;
    request.num_max_iterations = 1000;
    request.ccd_motion_type = is_turning ? fcl::CCDM_LINEAR : fcl::CCDM_TRANS;
    fcl::ContinuousCollisionResultd result;
    const fcl::Transform3d still = fcl::Transform3d::Identity();
    fcl::continuousCollide(static_cast<FclMesh *>(a), still, still, static_cast<FclMesh *>(b), fcl_transform(from),
                           fcl_transform(to), request, result);
    return result.is_collide ? result.time_of_contact : -1.0;
}
