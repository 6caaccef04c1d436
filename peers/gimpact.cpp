// SPDX-License-Identifier: MIT
// gimpact.cpp: pairs of meshes with Bullet's GImpact
//
// The two hierarchies give pairs of boxes. Each pair is tested as in
// btGImpactCollisionAlgorithm::collide_sat_triangles, but with margins of 0, so that only intersecting triangles
// count.
#include "peers.h"

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <algorithm>
#include <btBulletCollisionCommon.h>
#include <vector>

struct Mesh {
    std::vector<btScalar> vertices;
    btTriangleIndexVertexArray array;
    btGImpactMeshShape *shape = nullptr;
};

static void *create(const peer_mesh *mesh)
{
    Mesh *made = new Mesh;
    made->vertices.assign(mesh->vertices, mesh->vertices + 3 * static_cast<std::size_t>(mesh->vertex_count));
    btIndexedMesh part;
    part.m_numTriangles = mesh->triangle_count;
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh->triangles);
    part.m_triangleIndexStride = 3 * sizeof(int);
    part.m_numVertices = mesh->vertex_count;
    part.m_vertexBase = reinterpret_cast<const unsigned char *>(made->vertices.data());
    part.m_vertexStride = 3 * sizeof(btScalar);
    made->array.addIndexedMesh(part, PHY_INTEGER);
    made->shape = new btGImpactMeshShape(&made->array);
    made->shape->setMargin(0);
    made->shape->updateBound();
    return made;
}

static void destroy(void *made)
{
    Mesh *mesh = static_cast<Mesh *>(made);
    delete mesh->shape;
    delete mesh;
}

static bool intersect(const btGImpactMeshShapePart *a, const btGImpactMeshShapePart *b, const btTransform &b_to_a,
                      const GIM_PAIR &pair)
{
    btPrimitiveTriangle triangle_a, triangle_b;
    GIM_TRIANGLE_CONTACT contact;
    a->getPrimitiveTriangle(pair.m_index1, triangle_a);
    b->getPrimitiveTriangle(pair.m_index2, triangle_b);
    triangle_b.applyTransform(b_to_a);
    triangle_a.m_margin = triangle_b.m_margin = 0;
    triangle_a.buildTriPlane();
    triangle_b.buildTriPlane();
    return triangle_a.overlap_test_conservative(triangle_b) &&
           triangle_a.find_triangle_collision_clip_method(triangle_b, contact);
}

static void pairs(void *a, void *b, const peer_placement *b_to_a, peer_pair_function *function, void *user)
{
    const btGImpactMeshShapePart *part_a = static_cast<Mesh *>(a)->shape->getMeshPart(0);
    const btGImpactMeshShapePart *part_b = static_cast<Mesh *>(b)->shape->getMeshPart(0);
    btScalar r[9];
    std::copy(b_to_a->rotation, b_to_a->rotation + 9, r);
    const double *t = b_to_a->position;
    const btTransform placed{btMatrix3x3{r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7], r[8]},
                             btVector3{btScalar(t[0]), btScalar(t[1]), btScalar(t[2])}};
    btPairSet found;
    btGImpactBoxSet::find_collision(part_a->getBoxSet(), btTransform::getIdentity(), part_b->getBoxSet(), placed,
                                    found);
    part_a->lockChildShapes();
    part_b->lockChildShapes();
    for (int i = 0; i < found.size(); ++i) {
        if (intersect(part_a, part_b, placed, found[i])) {
            function(user, found[i].m_index1, found[i].m_index2);
        }
    }
    part_b->unlockChildShapes();
    part_a->unlockChildShapes();
}

const peer_hierarchy peer_gimpact = {"bullet", create, destroy, pairs, nullptr};
