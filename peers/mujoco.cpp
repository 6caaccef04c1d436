// SPDX-License-Identifier: MIT
// mujoco.cpp: depth of overlapping convex polyhedra by MuJoCo
//
// MuJoCo collides the bodies of a model, not two shapes: shape A makes a model of A and B, and a query is one call of
// mj_collision. Boxes have a special routine; meshes have float vertices.
#include "peers.h"

#include <cstdio>
#include <mujoco/mujoco.h>
#include <string>

namespace
{

struct body {
    mjModel *model;
    mjData *data;
};

std::string describe(const peer_hull *hull)
{
    char number[96];
    std::string asset, geom;
    if (hull->half_sides != nullptr) {
        const double *h = hull->half_sides;
        std::snprintf(number, sizeof number, "%.17g %.17g %.17g", h[0], h[1], h[2]);
        geom = std::string("<geom type='box' size='") + number + "'/>";
    } else {
        asset = "<asset><mesh name='hull' vertex='";
        for (int i = 0; i < hull->point_count; ++i) {
            const double *p = hull->points + 3 * i;
            std::snprintf(number, sizeof number, "%.17g %.17g %.17g ", p[0], p[1], p[2]);
            asset += number;
        }
        asset += "'/></asset>";
        geom = "<geom type='mesh' mesh='hull'/>";
    }
    return "<mujoco>" + asset + "<worldbody>" + geom + "<body><freejoint/>" + geom + "</body></worldbody></mujoco>";
}

void *make(const peer_hull *hull)
{
    const std::string text = describe(hull);
    mjVFS *files = new mjVFS;
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "pair.xml", static_cast<int>(text.size()) + 1);
    text.copy(static_cast<char *>(files->filedata[0]), text.size());
    char error[256];
    mjModel *model = mj_loadXML("pair.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    delete files;
    return model == nullptr ? nullptr : new body{model, mj_makeData(model)};
}

void release(void *shape)
{
    body *b = static_cast<body *>(shape);
    mj_deleteData(b->data);
    mj_deleteModel(b->model);
    delete b;
}

int distance(void *a, void *, const peer_pose *b_to_a, double *result)
{
    const body &pair = *static_cast<body *>(a);
    for (int i = 0; i < 3; ++i) {
        pair.data->qpos[i] = b_to_a->position[i];
    }
    for (int i = 0; i < 4; ++i) {
        pair.data->qpos[3 + i] = b_to_a->rotation[i];
    }
    mj_kinematics(pair.model, pair.data);
    mj_collision(pair.model, pair.data);
    double deepest = 0.0;
    for (int i = 0; i < pair.data->ncon; ++i) {
        deepest = pair.data->contact[i].dist < deepest ? pair.data->contact[i].dist : deepest;
    }
    *result = deepest;
    return pair.data->ncon > 0;
}

} // namespace

const peer_convex peer_mujoco = {"mujoco", make, release, distance};
