// SPDX-License-Identifier: MIT
// bullet_world.cpp: boxes simulated by Bullet, with its defaults but for the number of sweeps, and without sleeping
//
// Its defaults are a warm start, one direction of friction, and overlaps corrected by separate ("split") impulses.
#include "peers.h"

#include <btBulletDynamicsCommon.h>
#include <chrono>
#include <memory>
#include <vector>

namespace
{

using timer = std::chrono::steady_clock;

/// Adds the time of its life to a number.
class stopwatch
{
  public:
    explicit stopwatch(double *seconds) : m_seconds(seconds), m_begin(timer::now())
    {
    }
    ~stopwatch()
    {
        *m_seconds += std::chrono::duration<double>(timer::now() - m_begin).count();
    }
    stopwatch(const stopwatch &) = delete;
    stopwatch &operator=(const stopwatch &) = delete;

  private:
    double *m_seconds;
    timer::time_point m_begin;
};

/// Measures its parts.
class timed_world : public btDiscreteDynamicsWorld
{
  public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
    peer_world_times times{};

    void updateAabbs() override
    {
        stopwatch watch(&times.broad);
        btDiscreteDynamicsWorld::updateAabbs();
    }
    void computeOverlappingPairs() override
    {
        stopwatch watch(&times.broad);
        btDiscreteDynamicsWorld::computeOverlappingPairs();
    }
    void performDiscreteCollisionDetection() override
    {
        double broad = times.broad;
        {
            stopwatch watch(&times.narrow);
            btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
        }
        times.narrow -= times.broad - broad;
    }

  protected:
    void solveConstraints(btContactSolverInfo &info) override
    {
        stopwatch watch(&times.solve);
        btDiscreteDynamicsWorld::solveConstraints(info);
    }
};

struct box_world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::vector<std::unique_ptr<btBoxShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    double dt;
    timed_world world{&dispatcher, &broadphase, &solver, &configuration}; // destroyed first
};

btVector3 vector_of(const double *v)
{
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

void add_box(box_world *made, const peer_box &box, const peer_world_def &def)
{
    auto shape = std::make_unique<btBoxShape>(vector_of(box.half_sides));
    const double *h = box.half_sides, *q = box.pose.rotation;
    double mass = box.is_fixed ? 0.0 : 8.0 * h[0] * h[1] * h[2] * def.density;
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) {
        shape->calculateLocalInertia(btScalar(mass), inertia);
    }
    auto body = std::make_unique<btRigidBody>(btScalar(mass), nullptr, shape.get(), inertia);
    body->setWorldTransform(
        btTransform(btQuaternion(btScalar(q[1]), btScalar(q[2]), btScalar(q[3]), btScalar(q[0])),
                    vector_of(box.pose.position)));
    // Bullet multiplies the frictions of two bodies
    body->setFriction(btSqrt(btScalar(def.friction)));
    body->setActivationState(DISABLE_DEACTIVATION);
    made->world.addRigidBody(body.get());
    made->shapes.push_back(std::move(shape));
    made->bodies.push_back(std::move(body));
}

void *make(const peer_box *boxes, int count, const peer_world_def *def)
{
    auto *made = new box_world;
    made->dt = def->dt;
    made->world.setGravity(btVector3(0, -btScalar(def->gravity), 0));
    made->world.getSolverInfo().m_numIterations = def->sweeps;
    for (int i = 0; i < count; ++i) {
        add_box(made, boxes[i], *def);
    }
    return made;
}

void release(void *made)
{
    auto *w = static_cast<box_world *>(made);
    for (auto &body : w->bodies) {
        w->world.removeRigidBody(body.get());
    }
    delete w;
}

peer_world_times step(void *made)
{
    auto *w = static_cast<box_world *>(made);
    w->world.times = {};
    {
        stopwatch watch(&w->world.times.step);
        w->world.stepSimulation(btScalar(w->dt), 0);
    }
    return w->world.times;
}

peer_pose get_pose(const void *made, int box)
{
    const btTransform &at = static_cast<const box_world *>(made)->bodies[std::size_t(box)]->getWorldTransform();
    btQuaternion q = at.getRotation();
    return {{at.getOrigin().x(), at.getOrigin().y(), at.getOrigin().z()}, {q.w(), q.x(), q.y(), q.z()}};
}

int count_contacts(const void *made)
{
    auto &dispatcher = const_cast<box_world *>(static_cast<const box_world *>(made))->dispatcher;
    int contacts = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        contacts += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    }
    return contacts;
}

} // namespace

const peer_world peer_bullet_world = {"bullet", make, release, step, get_pose, count_contacts};
