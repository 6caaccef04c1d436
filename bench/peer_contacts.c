// SPDX-License-Identifier: MIT
// peer_contacts.c: contacts of meshes by the other libraries of this build
#include "peer_contacts.h"

#include "peers.h"

#include <stdlib.h>

// ended by NULL, as there may be none
static const peer_contacts *const peers[] = {
#ifdef ABUT_PEER_FCL_CONTACTS
    &peer_fcl_contacts,
#endif
#ifdef ABUT_PEER_BULLET_CONTACTS
    &peer_gimpact_contacts,
    &peer_bullet_hull_contacts,
#endif
#ifdef ABUT_PEER_ODE_CONTACTS
    &peer_ode_contacts,
#endif
#ifdef ABUT_PEER_MUJOCO_CONTACTS
    &peer_mujoco_contacts,
#endif
    NULL,
};

int bench_contact_peer_count(void)
{
    return (int)(sizeof peers / sizeof peers[0]) - 1;
}

const char *bench_contact_peer_name(int peer)
{
    return peers[peer]->name;
}

static peer_mesh mesh_of(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    return (peer_mesh){&elements.vertices[0].x, elements.vertex_count, elements.triangles, elements.triangle_count};
}

static peer_placement placement_of(abut_pose pose)
{
    const abut_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    peer_placement placement = {.position = {pose.position.x, pose.position.y, pose.position.z}};
    for (int i = 0; i < 3; ++i) {
        abut_vec3 column = abut_quat_rotate(pose.rotation, axes[i]);
        placement.rotation[i] = column.x;
        placement.rotation[3 + i] = column.y;
        placement.rotation[6 + i] = column.z;
    }
    return placement;
}

static abut_vec3 vec3_of(const double v[3])
{
    return abut_vec3_make(v[0], v[1], v[2]);
}

int bench_contact_peer_find(int peer, const abut_mesh *a, abut_pose pose_a, const abut_mesh *b, abut_pose pose_b,
                            bench_peer_contact *contacts, int capacity)
{
    const peer_contacts *row = peers[peer];
    peer_mesh meshes[2] = {mesh_of(a), mesh_of(b)};
    peer_placement b_to_a = placement_of(abut_pose_relative(pose_a, pose_b));
    peer_touch *touches = malloc(((size_t)capacity + 1) * sizeof *touches);
    void *made[2] = {row->create(&meshes[0]), row->create(&meshes[1])};
    int count = touches != NULL && made[0] != NULL && made[1] != NULL
                    ? row->find(made[0], made[1], &b_to_a, touches, capacity)
                    : -1;
    for (int i = 0; i < count; ++i) {
        contacts[i].position = abut_pose_apply(pose_a, vec3_of(touches[i].position));
        contacts[i].normal = abut_quat_rotate(pose_a.rotation, vec3_of(touches[i].normal));
        contacts[i].gap = -touches[i].depth;
    }
    for (int i = 0; i < 2; ++i) {
        if (made[i] != NULL) {
            row->destroy(made[i]);
        }
    }
    free(touches);
    return count;
}
