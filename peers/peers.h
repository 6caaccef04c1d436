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
    const double *half_sides; ///< three, where it is a box about the origin with sides along the axes; else NULL
} peer_hull;

/// p -> rotation p + position; the quaternion is w x y z.
typedef struct peer_pose {
    double position[3];
    double rotation[4];
} peer_pose;

/// A peer that finds the signed distance of overlapping convex polyhedra.
typedef struct peer_convex {
    const char *name;
    void *(*make)(const peer_hull *hull); ///< NULL where it cannot
    void (*release)(void *shape);
    /// In A's frame. Returns 0 where it finds no overlap or gives up; else `distance` is minus the depth.
    int (*distance)(void *a, void *b, const peer_pose *b_to_a, double *distance);
} peer_convex;

extern const peer_convex peer_ccd;        ///< libccd: GJK and EPA
extern const peer_convex peer_fcl_convex; ///< FCL: GJK and EPA over libccd, with repairs
extern const peer_convex peer_bullet;     ///< Bullet: GJK and EPA
extern const peer_convex peer_ode_convex; ///< ODE: separating axes for boxes, Minkowski portals of libccd for hulls
extern const peer_convex peer_mujoco;     ///< MuJoCo: likewise

/// A mesh of triangles as the benchmarks have it; it outlives what a peer makes of it.
typedef struct peer_mesh {
    const double *vertices; ///< three numbers each
    int vertex_count;
    const int *triangles; ///< three vertices each
    int triangle_count;
} peer_mesh;

/// Puts p at rotation p + position, as a matrix.
typedef struct peer_placement {
    double rotation[9]; ///< row by row
    double position[3];
} peer_placement;

/// Gets a triangle of each mesh.
typedef void peer_pair_function(void *user, int triangle_a, int triangle_b);

/// A hierarchy of boxes over triangles. Meshes are opaque; functions that a peer lacks are NULL.
typedef struct peer_hierarchy {
    const char *name;
    void *(*create)(const peer_mesh *mesh); ///< NULL where it cannot
    void (*destroy)(void *made);
    /// Calls `function` for all pairs of triangles that the peer takes to intersect, A in its own frame; some more
    /// than once.
    void (*pairs)(void *a, void *b, const peer_placement *b_to_a, peer_pair_function *function, void *user);
    /// The least distance of the two.
    double (*distance)(void *a, void *b, const peer_placement *b_to_a);
} peer_hierarchy;

/// FCL: BVHModel with OBBRSS nodes.
extern const peer_hierarchy peer_fcl;
/// Bullet: GImpact.
extern const peer_hierarchy peer_gimpact;
/// ODE: trimesh.
extern const peer_hierarchy peer_ode;

/// A body at rest in its principal axes, which are those of the world.
typedef struct peer_body {
    double mass, inertia[3];
    double position[3];
    double velocity[3];
} peer_body;

/// A contact without gap; a or b is -1 for the world. Those of one pair follow each other.
typedef struct peer_contact {
    int a, b;
    double point[3];
    double normal[3]; ///< from A to B
    double friction;
} peer_contact;

/// A solver for the impulses of contacts.
typedef struct peer_impulses {
    const char *name;
    void *(*make)(const peer_body *bodies, int body_count, const peer_contact *contacts, int contact_count);
    void (*release)(void *made);
    /// From zero impulses, this many sweeps over all contacts. `velocities`: three numbers for each body.
    void (*solve)(void *made, int sweeps, double *velocities);
    /// How many contacts it has taken.
    int (*count)(const void *made);
} peer_impulses;

/// Bullet: sequential impulses.
extern const peer_impulses peer_bullet_impulses;

#ifdef __cplusplus
}
#endif
#endif
