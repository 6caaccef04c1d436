// SPDX-License-Identifier: MIT
// ode_contacts.cpp: contacts of meshes with ODE's trimesh
#include "peers.h"

#include <ode/ode.h>
#include <vector>

namespace
{

const int contacts_most = 0xffff; // the limit of dCollide

struct mesh {
    std::vector<dTriIndex> indices;
    dTriMeshDataID data = nullptr;
    dGeomID geometry = nullptr;
};

void ignore_message(int, const char *, va_list)
{
}

void *create(const peer_mesh *from)
{
    dInitODE2(0); // may be called more than once
    dSetMessageHandler(ignore_message);
    mesh *made = new mesh;
    made->indices.assign(from->triangles, from->triangles + 3 * static_cast<std::size_t>(from->triangle_count));
    made->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(made->data, from->vertices, 3 * sizeof(double), from->vertex_count,
                                made->indices.data(), static_cast<int>(made->indices.size()),
                                3 * sizeof(dTriIndex));
    made->geometry = dCreateTriMesh(nullptr, made->data, nullptr, nullptr, nullptr);
    return made;
}

void destroy(void *made)
{
    mesh *m = static_cast<mesh *>(made);
    dGeomDestroy(m->geometry);
    dGeomTriMeshDataDestroy(m->data);
    delete m;
}

int find(void *a, void *b, const peer_placement *b_to_a, peer_touch *touches, int capacity)
{
    dGeomID geometry_a = static_cast<mesh *>(a)->geometry, geometry_b = static_cast<mesh *>(b)->geometry;
    const double *r = b_to_a->rotation, *t = b_to_a->position;
    const dMatrix3 rotation = {r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0};
    dMatrix3 none;
    dRSetIdentity(none);
    dGeomSetPosition(geometry_a, 0, 0, 0);
    dGeomSetRotation(geometry_a, none);
    dGeomSetPosition(geometry_b, t[0], t[1], t[2]);
    dGeomSetRotation(geometry_b, rotation);
    std::vector<dContactGeom> contacts(contacts_most);
    int count = dCollide(geometry_a, geometry_b, contacts_most, contacts.data(), sizeof contacts[0]);
    count = count < capacity ? count : capacity;
    for (int i = 0; i < count; ++i) {
        const dContactGeom &contact = contacts[static_cast<std::size_t>(i)];
        for (int k = 0; k < 3; ++k) {
            touches[i].position[k] = contact.pos[k];
            touches[i].normal[k] = -contact.normal[k]; // its normal points into the first geometry
        }
        touches[i].depth = contact.depth;
    }
    return count;
}

} // namespace

const peer_contacts peer_ode_contacts = {"ode", create, destroy, find};
