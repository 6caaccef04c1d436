// SPDX-License-Identifier: MIT
// ccd.cpp: depth of overlapping convex polyhedra by libccd
#include "peers.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>

namespace
{

struct body {
    const peer_hull *hull;
    ccd_vec3_t position;
    ccd_quat_t rotation, inverse;
};

void place(body &b, const peer_pose *pose)
{
    ccdVec3Set(&b.position, pose->position[0], pose->position[1], pose->position[2]);
    ccdQuatSet(&b.rotation, pose->rotation[1], pose->rotation[2], pose->rotation[3], pose->rotation[0]);
    ccdQuatInvert2(&b.inverse, &b.rotation);
}

// All vertices: the library leaves the support to its user.
void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *found)
{
    const body &b = *static_cast<const body *>(object);
    ccd_vec3_t local = *direction;
    ccdQuatRotVec(&local, &b.inverse);
    const double *best = b.hull->points;
    double highest = -1e300;
    for (int i = 0; i < b.hull->point_count; ++i) {
        const double *p = b.hull->points + 3 * i;
        double height = p[0] * local.v[0] + p[1] * local.v[1] + p[2] * local.v[2];
        if (height > highest) {
            highest = height;
            best = p;
        }
    }
    ccdVec3Set(found, best[0], best[1], best[2]);
    ccdQuatRotVec(found, &b.rotation);
    ccdVec3Add(found, &b.position);
}

void *make(const peer_hull *hull)
{
    return new body{hull, {}, {}, {}};
}

void release(void *shape)
{
    delete static_cast<body *>(shape);
}

int distance(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, double *result)
{
    place(*static_cast<body *>(a), pose_a);
    place(*static_cast<body *>(b), pose_b);
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = support;
    ccd.support2 = support;
    ccd.max_iterations = 100;
    ccd.epa_tolerance = 1e-6;
    ccd_real_t depth;
    ccd_vec3_t direction, position;
    if (ccdGJKPenetration(a, b, &ccd, &depth, &direction, &position) != 0) {
        return 0;
    }
    *result = -depth;
    return 1;
}

} // namespace

const peer_convex peer_ccd = {"libccd", make, release, distance};
