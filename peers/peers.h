// SPDX-License-Identifier: MIT
// peers.h: what the benchmarks ask of other libraries; a peer is there where its ABUT_PEER_<NAME> is defined
#ifndef ABUT_PEERS_H
#define ABUT_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

/// What a peer made of a mesh file.
typedef struct peer_mesh_counts {
    int vertices, triangles;
} peer_mesh_counts;

/// assimp: reads a mesh file and joins the corners at the same place. Returns 0 where it refuses the file.
int peer_assimp_read(const char *path, peer_mesh_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
