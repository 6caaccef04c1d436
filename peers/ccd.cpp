// SPDX-License-Identifier: MIT
// ccd.cpp: depth of overlapping convex polyhedra by libccd
#include "peers.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>
#include <cmath>

namespace
{

struct body {
    peer_hull hull;
    ccd_vec3_t position;
    ccd_quat_t rotation, inverse;
};

void place(body &b, const peer_pose *pose)
{
    ccdVec3Set(&b.position, pose->position[0], pose->position[1], pose->position[2]);
    ccdQuatSet(&b.rotation, pose->rotation[1], pose->rotation[2], pose->rotation[3], pose->rotation[0]);
    ccdQuatInvert2(&b.inverse, &b.rotation);
}

// The furthest of all points.
void find_furthest(const peer_hull &hull, const ccd_vec3_t &local, ccd_vec3_t *found)
{
    const double *best = hull.points;
    double highest = -1e300;
    for (int i = 0; i < hull.point_count; ++i) {
        const double *p = hull.points + 3 * i;
        double height = p[0] * local.v[0] + p[1] * local.v[1] + p[2] * local.v[2];
        if (height > highest) {
            highest = height;
            best = p;
        }
    }
    ccdVec3Set(found, best[0], best[1], best[2]);
}

// The support function is the user's; for a box, the signs of the direction are enough.
void support(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *found)
{
    const body &b = *static_cast<const body *>(object);
    ccd_vec3_t local = *direction;
    ccdQuatRotVec(&local, &b.inverse);
    const double *h = b.hull.half_sides;
    if (h != nullptr) {
        ccdVec3Set(found, std::copysign(h[0], local.v[0]), std::copysign(h[1], local.v[1]),
                   std::copysign(h[2], local.v[2]));
    } else {
        find_furthest(b.hull, local, found);
    }
    ccdQuatRotVec(found, &b.rotation);
    ccdVec3Add(found, &b.position);
}

void *make(const peer_hull *hull)
{
    const peer_pose identity = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    body *made = new body{*hull, {}, {}, {}};
    place(*made, &identity);
    return made;
}

void release(void *shape)
{
    delete static_cast<body *>(shape);
}

int distance(void *a, void *b, const peer_pose *b_to_a, double *result)
{
    place(*static_cast<body *>(b), b_to_a);
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
