// SPDX-License-Identifier: MIT
// mujoco_contacts.cpp: contacts of meshes with MuJoCo, which takes their convex hulls
//
// MuJoCo collides the bodies of a model, so each query makes a model of the two meshes. Vertices are floats.
#include "peers.h"

#include <cstdio>
#include <mujoco/mujoco.h>
#include <string>

namespace
{

void *create(const peer_mesh *mesh)
{
    std::string *text = new std::string;
    char number[96];
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const double *p = mesh->vertices + 3 * i;
        std::snprintf(number, sizeof number, "%.17g %.17g %.17g ", p[0], p[1], p[2]);
        *text += number;
    }
    return text;
}

void destroy(void *made)
{
    delete static_cast<std::string *>(made);
}

std::string describe(const std::string &a, const std::string &b, const peer_placement *place)
{
    char pose[320];
    const double *r = place->rotation, *t = place->position; // xyaxes: the first two columns
    std::snprintf(pose, sizeof pose, "pos='%.17g %.17g %.17g' xyaxes='%.17g %.17g %.17g %.17g %.17g %.17g'", t[0],
                  t[1], t[2], r[0], r[3], r[6], r[1], r[4], r[7]);
    return "<mujoco><size nconmax='1000'/><asset><mesh name='a' vertex='" + a + "'/><mesh name='b' vertex='" + b +
           "'/></asset><worldbody><geom type='mesh' mesh='a'/><body " + pose +
           "><freejoint/><geom type='mesh' mesh='b'/></body></worldbody></mujoco>";
}

int find(void *a, void *b, const peer_placement *b_to_a, peer_touch *touches, int capacity)
{
    const std::string text = describe(*static_cast<std::string *>(a), *static_cast<std::string *>(b), b_to_a);
    mjVFS *files = new mjVFS;
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "pair.xml", static_cast<int>(text.size()) + 1);
    text.copy(static_cast<char *>(files->filedata[0]), text.size());
    char error[256];
    mjModel *model = mj_loadXML("pair.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    delete files;
    if (model == nullptr) {
        return -1;
    }
    mjData *data = mj_makeData(model);
    mj_kinematics(model, data);
    mj_collision(model, data);
    const int count = data->ncon < capacity ? data->ncon : capacity;
    for (int i = 0; i < count; ++i) {
        const mjContact &contact = data->contact[i];
        for (int k = 0; k < 3; ++k) {
            touches[i].position[k] = contact.pos[k];
            touches[i].normal[k] = contact.frame[k]; // from the first geometry to the second
        }
        touches[i].depth = -contact.dist;
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    return count;
}

} // namespace

const peer_contacts peer_mujoco_contacts = {"mujoco", create, destroy, find};
