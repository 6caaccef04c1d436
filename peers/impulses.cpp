// SPDX-License-Identifier: MIT
// impulses.cpp: contact impulses by Bullet's sequential impulses, in the precision of its package
//
// Two friction directions with separate limits, no warm start, no stabilisation and no early exit: the same number of
// sweeps over the same contacts.
#include "peers.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace
{

struct problem {
    btBoxShape shape{btVector3(1, 1, 1)};
    std::vector<std::unique_ptr<btRigidBody>> bodies; // the last one is the world
    std::vector<btVector3> velocities, spins;
    std::vector<std::unique_ptr<btPersistentManifold>> manifolds;
    std::vector<btCollisionObject *> body_list;
    std::vector<btPersistentManifold *> manifold_list;
    btSequentialImpulseConstraintSolver solver;
};

btVector3 vector_of(const double *v)
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

void add_body(problem *made, double mass, const btVector3 &inertia, const btVector3 &position,
              const btVector3 &velocity, const btVector3 &spin)
{
    auto body = std::make_unique<btRigidBody>(btScalar(mass), nullptr, &made->shape, inertia);
    body->setWorldTransform(btTransform(btQuaternion::getIdentity(), position));
    body->updateInertiaTensor();
    made->body_list.push_back(body.get());
    made->bodies.push_back(std::move(body));
    made->velocities.push_back(velocity);
    made->spins.push_back(spin);
}

void add_contact(problem *made, const peer_contact &c)
{
    int world = int(made->bodies.size()) - 1;
    // Bullet's normal points from the second body to the first, ours from A to B
    btRigidBody *b = made->bodies[std::size_t(c.b < 0 ? world : c.b)].get();
    btRigidBody *a = made->bodies[std::size_t(c.a < 0 ? world : c.a)].get();
    btPersistentManifold *last = made->manifolds.empty() ? nullptr : made->manifolds.back().get();
    if (last == nullptr || last->getBody0() != b || last->getBody1() != a ||
        last->getNumContacts() == MANIFOLD_CACHE_SIZE) {
        made->manifolds.push_back(std::make_unique<btPersistentManifold>(b, a, 0, BT_LARGE_FLOAT, BT_LARGE_FLOAT));
        last = made->manifolds.back().get();
        made->manifold_list.push_back(last);
    }
    btVector3 point = vector_of(c.point);
    btManifoldPoint contact(b->getWorldTransform().inverse() * point, a->getWorldTransform().inverse() * point,
                            vector_of(c.normal), 0);
    contact.m_positionWorldOnA = contact.m_positionWorldOnB = point;
    contact.m_combinedFriction = btScalar(c.friction);
    contact.m_combinedRestitution = 0;
    last->addManifoldPoint(contact);
}

void *make(const peer_body *bodies, int body_count, const peer_contact *contacts, int contact_count)
{
    auto *made = new problem;
    for (int i = 0; i < body_count; ++i) {
        add_body(made, bodies[i].mass, vector_of(bodies[i].inertia), vector_of(bodies[i].position),
                 vector_of(bodies[i].velocity), vector_of(bodies[i].spin));
    }
    add_body(made, 0, btVector3(0, 0, 0), btVector3(0, 0, 0), btVector3(0, 0, 0), btVector3(0, 0, 0));
    for (int i = 0; i < contact_count; ++i) {
        add_contact(made, contacts[i]);
    }
    return made;
}

void release(void *made)
{
    delete static_cast<problem *>(made);
}

void solve(void *made, int sweeps, double *velocities, double *impulses)
{
    auto *p = static_cast<problem *>(made);
    for (std::size_t i = 0; i < p->bodies.size(); ++i) {
        p->bodies[i]->setLinearVelocity(p->velocities[i]);
        p->bodies[i]->setAngularVelocity(p->spins[i]);
    }
    btContactSolverInfo info;
    info.m_timeStep = btScalar(0.01);
    info.m_numIterations = sweeps;
    info.m_leastSquaresResidualThreshold = 0;
    info.m_splitImpulse = 0;
    info.m_solverMode = SOLVER_SIMD | SOLVER_USE_2_FRICTION_DIRECTIONS;
    p->solver.solveGroup(p->body_list.data(), int(p->body_list.size()), p->manifold_list.data(),
                         int(p->manifold_list.size()), nullptr, 0, info, nullptr, nullptr);
    for (std::size_t i = 0; i + 1 < p->bodies.size(); ++i) {
        const btVector3 &v = p->bodies[i]->getLinearVelocity(), &spin = p->bodies[i]->getAngularVelocity();
        for (int k = 0; k < 3; ++k) {
            velocities[6 * i + std::size_t(k)] = v[k];
            velocities[6 * i + std::size_t(3 + k)] = spin[k];
        }
    }
    for (const btPersistentManifold *manifold : p->manifold_list) {
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            const btManifoldPoint &point = manifold->getContactPoint(i);
            btVector3 impulse = point.m_appliedImpulse * point.m_normalWorldOnB +
                                point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                                point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2;
            for (int k = 0; k < 3; ++k) {
                *impulses++ = impulse[k];
            }
        }
    }
}

int count(const void *made)
{
    int contacts = 0;
    for (const btPersistentManifold *manifold : static_cast<const problem *>(made)->manifold_list) {
        contacts += manifold->getNumContacts();
    }
    return contacts;
}

} // namespace

const peer_impulses peer_bullet_impulses = {"bullet", make, release, solve, count};
