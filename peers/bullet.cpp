// SPDX-License-Identifier: MIT
// bullet.cpp: depth of overlapping convex polyhedra by Bullet, in the precision of its package
#include "peers.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

namespace
{

void *make(const peer_hull *hull)
{
    auto *shape = new btConvexHullShape();
    for (int i = 0; i < hull->point_count; ++i) {
        const double *p = hull->points + 3 * i;
        shape->addPoint(btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])), false);
    }
    shape->setMargin(0);
    shape->recalcLocalAabb();
    return shape;
}

void release(void *shape)
{
    delete static_cast<btConvexHullShape *>(shape);
}

btTransform place(const peer_pose *pose)
{
    const double *q = pose->rotation, *p = pose->position;
    return btTransform(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])),
                       btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])));
}

int distance(void *a, void *b, const peer_pose *b_to_a, double *result)
{
    const auto *shape_a = static_cast<btConvexHullShape *>(a), *shape_b = static_cast<btConvexHullShape *>(b);
    const btTransform to_a = btTransform::getIdentity(), to_b = place(b_to_a);
    btGjkEpaSolver2::sResults found;
    if (!btGjkEpaSolver2::Penetration(shape_a, to_a, shape_b, to_b, to_b.getOrigin(), found, false)) {
        return 0;
    }
    *result = found.distance;
    return 1;
}

} // namespace

const peer_convex peer_bullet = {"bullet", make, release, distance};
