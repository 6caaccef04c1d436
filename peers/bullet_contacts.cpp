// SPDX-License-Identifier: MIT
// bullet_contacts.cpp: contacts of meshes with Bullet: of GImpact meshes, and of their convex hulls
#include "peers.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <algorithm>
#include <btBulletCollisionCommon.h>
#include <memory>
#include <vector>

namespace
{

struct mesh {
    std::vector<btScalar> vertices;
    btTriangleIndexVertexArray array;
    std::unique_ptr<btCollisionShape> shape;
};

struct world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld pairs{&dispatcher, &broadphase, &configuration};

    world()
    {
        btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
    }
};

void *create_gimpact(const peer_mesh *from)
{
    mesh *made = new mesh;
    made->vertices.assign(from->vertices, from->vertices + 3 * static_cast<std::size_t>(from->vertex_count));
    btIndexedMesh part;
    part.m_numTriangles = from->triangle_count;
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(from->triangles);
    part.m_triangleIndexStride = 3 * sizeof(int);
    part.m_numVertices = from->vertex_count;
    part.m_vertexBase = reinterpret_cast<const unsigned char *>(made->vertices.data());
    part.m_vertexStride = 3 * sizeof(btScalar);
    made->array.addIndexedMesh(part, PHY_INTEGER);
    auto shape = std::make_unique<btGImpactMeshShape>(&made->array);
    shape->setMargin(0);
    shape->updateBound();
    made->shape = std::move(shape);
    return made;
}

void *create_hull(const peer_mesh *from)
{
    mesh *made = new mesh;
    auto shape = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < from->vertex_count; ++i) {
        const double *p = from->vertices + 3 * i;
        shape->addPoint(btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])), false);
    }
    shape->setMargin(0);
    shape->recalcLocalAabb();
    made->shape = std::move(shape);
    return made;
}

void destroy(void *made)
{
    delete static_cast<mesh *>(made);
}

int find(void *a, void *b, const peer_placement *b_to_a, peer_touch *touches, int capacity)
{
    world w;
    btCollisionObject objects[2];
    btScalar r[9];
    std::copy(b_to_a->rotation, b_to_a->rotation + 9, r);
    const double *t = b_to_a->position;
    objects[0].setCollisionShape(static_cast<mesh *>(a)->shape.get());
    objects[1].setCollisionShape(static_cast<mesh *>(b)->shape.get());
    objects[0].setWorldTransform(btTransform::getIdentity());
    objects[1].setWorldTransform(btTransform(btMatrix3x3(r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]),
                                             btVector3(btScalar(t[0]), btScalar(t[1]), btScalar(t[2]))));
    for (btCollisionObject &object : objects) {
        object.setCollisionFlags(0); // two static objects would not be tested
        w.pairs.addCollisionObject(&object);
    }
    w.pairs.performDiscreteCollisionDetection();
    int count = 0;
    for (int i = 0; i < w.dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold *manifold = w.dispatcher.getManifoldByIndexInternal(i);
        // its normals point from the second object to the first one
        const double sign = manifold->getBody0() == &objects[0] ? -1.0 : 1.0;
        for (int k = 0; k < manifold->getNumContacts() && count < capacity; ++k) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            peer_touch &touch = touches[count++];
            for (int m = 0; m < 3; ++m) {
                touch.position[m] = 0.5 * (point.getPositionWorldOnA()[m] + point.getPositionWorldOnB()[m]);
                touch.normal[m] = sign * point.m_normalWorldOnB[m];
            }
            touch.depth = -point.getDistance();
        }
    }
    for (btCollisionObject &object : objects) {
        w.pairs.removeCollisionObject(&object);
    }
    return count;
}

} // namespace

const peer_contacts peer_gimpact_contacts = {"bullet-gimpact", create_gimpact, destroy, find};
const peer_contacts peer_bullet_hull_contacts = {"bullet-hulls", create_hull, destroy, find};
