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

/// A convex polyhedron for a peer; the arrays outlive what the peer makes of it.
typedef struct peer_hull {
    const double *points; ///< three each
    int point_count;
    const int *triangles; ///< three points each, outward
    int triangle_count;
} peer_hull;

/// p -> rotation p + position; the quaternion is w x y z.
typedef struct peer_pose {
    double position[3];
    double rotation[4];
} peer_pose;

/// A peer that finds the signed distance of overlapping convex polyhedra.
typedef struct peer_convex {
    const char *name;
    void *(*make)(const peer_hull *hull);
    void (*release)(void *shape);
    /// Returns 0 where it finds no overlap or gives up; else `distance` is minus the depth.
    int (*distance)(void *a, const peer_pose *pose_a, void *b, const peer_pose *pose_b, double *distance);
} peer_convex;

extern const peer_convex peer_ccd;    ///< libccd: GJK and EPA
extern const peer_convex peer_bullet; ///< Bullet: GJK and EPA

#ifdef __cplusplus
}
#endif
#endif
