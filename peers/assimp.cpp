// SPDX-License-Identifier: MIT
// assimp.cpp: reading mesh files with assimp
//
// Its STL reader creates a normal per face, which would keep equal corners apart. Normals are removed first.
#include "peers.h"

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

int peer_assimp_read(const char *path, peer_mesh_counts *counts)
{
    Assimp::Importer importer;
    importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_NORMALS | aiComponent_TEXCOORDS |
                                                            aiComponent_COLORS | aiComponent_MATERIALS);
    const aiScene *scene = importer.ReadFile(path, aiProcess_RemoveComponent | aiProcess_JoinIdenticalVertices);
    if (scene == nullptr) {
        return 0;
    }
    counts->vertices = 0;
    counts->triangles = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; ++i) {
        counts->vertices += static_cast<int>(scene->mMeshes[i]->mNumVertices);
        counts->triangles += static_cast<int>(scene->mMeshes[i]->mNumFaces);
    }
    return 1;
}
