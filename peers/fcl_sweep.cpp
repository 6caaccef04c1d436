// SPDX-License-Identifier: MIT
// fcl_sweep.cpp: the time of contact of moving meshes with FCL, by conservative advancement
#include "fcl_mesh.h"

double peer_fcl_sweep(void *a, void *b, const peer_placement *from, const peer_placement *to, int is_turning)
{
    fcl::ContinuousCollisionRequestd request;
    request.ccd_solver_type = fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
    request.ccd_motion_type = is_turning ? fcl::CCDM_LINEAR : fcl::CCDM_TRANS;
    fcl::ContinuousCollisionResultd result;
    const fcl::Transform3d still = fcl::Transform3d::Identity();
    fcl::continuousCollide(static_cast<FclMesh *>(a), still, still, static_cast<FclMesh *>(b), fcl_transform(from),
                           fcl_transform(to), request, result);
    return result.is_collide ? result.time_of_contact : -1.0;
}
