// SPDX-License-Identifier: MIT
// ode_convex.cpp: depth of overlapping convex polyhedra by ODE, with its special routine for boxes
#include "peers.h"

#include <algorithm>
#include <cmath>
#include <ode/ode.h>
#include <vector>

namespace
{

constexpr int CONTACTS_MOST = 64;

struct body {
    std::vector<dReal> planes; // normal and offset
    std::vector<dReal> points;
    std::vector<unsigned int> polygons; // a count, then as many points
    dGeomID geometry = nullptr;
};

void add_plane(body &b, const double *p, const double *q, const double *r)
{
    const double u[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, v[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    const double length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const double offset = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
    b.planes.insert(b.planes.end(), {n[0] / length, n[1] / length, n[2] / length, offset / length});
}

void *make(const peer_hull *hull)
{
    dInitODE2(0); // may be called more than once; ODE ends with the program
    body *made = new body;
    if (hull->half_sides != nullptr) {
        const double *h = hull->half_sides;
        made->geometry = dCreateBox(nullptr, 2.0 * h[0], 2.0 * h[1], 2.0 * h[2]);
        return made;
    }
    made->points.assign(hull->points, hull->points + 3 * static_cast<std::size_t>(hull->point_count));
    for (int i = 0; i < hull->triangle_count; ++i) {
        const int *t = hull->triangles + 3 * i;
        add_plane(*made, hull->points + 3 * t[0], hull->points + 3 * t[1], hull->points + 3 * t[2]);
        made->polygons.push_back(3);
        made->polygons.insert(made->polygons.end(), t, t + 3);
    }
    made->geometry =
        dCreateConvex(nullptr, made->planes.data(), static_cast<unsigned int>(hull->triangle_count),
                      made->points.data(), static_cast<unsigned int>(hull->point_count), made->polygons.data());
    return made;
}

void release(void *shape)
{
    body *b = static_cast<body *>(shape);
    dGeomDestroy(b->geometry);
    delete b;
}

int distance(void *a, void *b, const peer_pose *b_to_a, double *result)
{
    dGeomID geometry_a = static_cast<body *>(a)->geometry, geometry_b = static_cast<body *>(b)->geometry;
    const double *p = b_to_a->position, *q = b_to_a->rotation;
    const dQuaternion rotation = {q[0], q[1], q[2], q[3]};
    dGeomSetPosition(geometry_b, p[0], p[1], p[2]);
    dGeomSetQuaternion(geometry_b, rotation);
    dContactGeom contacts[CONTACTS_MOST];
    const int count = dCollide(geometry_a, geometry_b, CONTACTS_MOST, contacts, sizeof contacts[0]);
    double depth = 0.0;
    for (int i = 0; i < count; ++i) {
        depth = std::max(depth, contacts[i].depth);
    }
    *result = -depth;
    return count > 0;
}

} // namespace

const peer_convex peer_ode_convex = {"ode", make, release, distance};
