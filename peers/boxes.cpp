// SPDX-License-Identifier: MIT
// boxes.cpp: contacts of two boxes by Bullet's btBoxBoxDetector, in the precision of its package
#include "peers.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>

namespace
{

struct Contacts : btDiscreteCollisionDetectorInterface::Result {
    int count = 0;
    btScalar deepest = BT_LARGE_FLOAT;
    void setShapeIdentifiersA(int, int) override
    {
    }
    void setShapeIdentifiersB(int, int) override
    {
    }
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar depth) override
    {
        ++count;
        deepest = btMin(deepest, depth);
    }
};

btTransform place(const peer_pose *pose)
{
    const double *q = pose->rotation, *p = pose->position;
    return btTransform(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])),
                       btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])));
}

} // namespace

void *peer_boxes_make(const double half_sides[3])
{
    auto *shape =
        new btBoxShape(btVector3(btScalar(half_sides[0]), btScalar(half_sides[1]), btScalar(half_sides[2])));
    shape->setMargin(0);
    return shape;
}

void peer_boxes_release(void *box)
{
    delete static_cast<btBoxShape *>(box);
}

int peer_boxes_contacts(void *a, void *b, const peer_pose *b_to_a, double *distance)
{
    btBoxBoxDetector detector(static_cast<btBoxShape *>(a), static_cast<btBoxShape *>(b));
    btDiscreteCollisionDetectorInterface::ClosestPointInput input;
    input.m_transformA = btTransform::getIdentity();
    input.m_transformB = place(b_to_a);
    Contacts contacts;
    detector.getClosestPoints(input, contacts, nullptr);
    *distance = contacts.deepest;
    return contacts.count;
}
