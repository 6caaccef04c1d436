// SPDX-License-Identifier: MIT
// ode.cpp: pairs of meshes with ODE's trimesh
//
// ODE reports contacts, each with a triangle of both meshes; a pair may have several.
#include "peers.h"

#include <ode/ode.h>
#include <vector>

static const int CONTACTS_MOST = 0xffff; // the limit of dCollide

struct Mesh {
    std::vector<dTriIndex> indices;
    dTriMeshDataID data = nullptr;
    dGeomID geometry = nullptr;
};

// Silences ODE, which prints a message for each of thousands of contacts beyond its table.
static void ignore_message(int, const char *, va_list)
{
}

static void *create(const peer_mesh *mesh)
{
    // ODE may be initialised more than once; it ends with the program.
    dInitODE2(0);
    dSetMessageHandler(ignore_message);
    Mesh *made = new Mesh;
    made->indices.assign(mesh->triangles, mesh->triangles + 3 * static_cast<std::size_t>(mesh->triangle_count));
    made->data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(made->data, mesh->vertices, 3 * sizeof(double), mesh->vertex_count,
                                made->indices.data(), static_cast<int>(made->indices.size()),
                                3 * sizeof(dTriIndex));
    made->geometry = dCreateTriMesh(nullptr, made->data, nullptr, nullptr, nullptr);
    return made;
}

static void destroy(void *made)
{
    Mesh *mesh = static_cast<Mesh *>(made);
    dGeomDestroy(mesh->geometry);
    dGeomTriMeshDataDestroy(mesh->data);
    delete mesh;
}

static void pairs(void *a, void *b, const peer_placement *b_to_a, peer_pair_function *function, void *user)
{
    dGeomID geometry_a = static_cast<Mesh *>(a)->geometry, geometry_b = static_cast<Mesh *>(b)->geometry;
    const double *r = b_to_a->rotation, *t = b_to_a->position;
    const dMatrix3 rotation = {r[0], r[1], r[2], 0, r[3], r[4], r[5], 0, r[6], r[7], r[8], 0};
    dGeomSetPosition(geometry_b, t[0], t[1], t[2]);
    dGeomSetRotation(geometry_b, rotation);
    static thread_local std::vector<dContactGeom> contacts(CONTACTS_MOST);
    int count = dCollide(geometry_a, geometry_b, CONTACTS_MOST, contacts.data(), sizeof contacts[0]);
    for (int i = 0; i < count; ++i) {
        function(user, contacts[static_cast<std::size_t>(i)].side1, contacts[static_cast<std::size_t>(i)].side2);
    }
}

const peer_hierarchy peer_ode = {"ode", create, destroy, pairs, nullptr};
