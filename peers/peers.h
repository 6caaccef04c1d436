// SPDX-License-Identifier: MIT
// peers.h: one interface to the libraries that benchmarks compare with; ABUT_PEER_<NAME> says that a peer is built
#ifndef ABUT_PEERS_H
#define ABUT_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

/// What a peer read from a mesh file.
typedef struct peer_mesh_counts {
    int vertices, triangles;
} peer_mesh_counts;

/// assimp: reads a mesh file and joins equal corners. Returns 0 if it refuses the file.
int peer_assimp_read(const char *path, peer_mesh_counts *counts);

/// A convex polyhedron. The arrays outlive what the peer makes of it.
typedef struct peer_hull {
    const double *points; ///< three each
    int point_count;
    const int *triangles; ///< three points each, outward
    int triangle_count;
    const double *half_sides; ///< three, if it is an axis-aligned box around the origin; else NULL
} peer_hull;

/// p -> rotation p + position; the quaternion is w x y z.
typedef struct peer_pose {
    double position[3];
    double rotation[4];
} peer_pose;

/// A peer that finds the signed distance of overlapping convex polyhedra.
typedef struct peer_convex {
    const char *name;
    void *(*make)(const peer_hull *hull); ///< returns NULL on failure
    void (*release)(void *shape);
    /// In A's frame. Returns 0 if it finds no overlap or fails; else `distance` is minus the depth.
    int (*distance)(void *a, void *b, const peer_pose *b_to_a, double *distance);
} peer_convex;

extern const peer_convex peer_ccd;        ///< libccd: GJK and EPA
extern const peer_convex peer_fcl_convex; ///< FCL: GJK and EPA over libccd, with repairs
extern const peer_convex peer_bullet;     ///< Bullet: GJK and EPA
extern const peer_convex peer_ode_convex; ///< ODE: separating axes for boxes, Minkowski portals of libccd for hulls
extern const peer_convex peer_mujoco;     ///< MuJoCo: likewise

/// Bullet's btBoxBoxDetector: separating axes of two boxes about their origins, and up to four contacts.
void *peer_boxes_make(const double half_sides[3]);
void peer_boxes_release(void *box);
/// Returns the number of contacts; `distance` is minus the largest depth. In A's frame.
int peer_boxes_contacts(void *a, void *b, const peer_pose *b_to_a, double *distance);

/// A mesh of triangles. It outlives what the peer makes of it.
typedef struct peer_mesh {
    const double *vertices; ///< three numbers each
    int vertex_count;
    const int *triangles; ///< three vertices each
    int triangle_count;
} peer_mesh;

/// p -> rotation p + position; the rotation is a matrix.
typedef struct peer_placement {
    double rotation[9]; ///< row by row
    double position[3];
} peer_placement;

/// Called with a triangle of each mesh.
typedef void peer_pair_function(void *user, int triangle_a, int triangle_b);

/// A bounding volume hierarchy of triangles. Functions that a peer lacks are NULL.
typedef struct peer_hierarchy {
    const char *name;
    void *(*create)(const peer_mesh *mesh); ///< returns NULL on failure
    void (*destroy)(void *made);
    /// Calls `function` for all pairs of triangles that intersect according to the peer, some more than once. A is
    /// in its own frame.
    void (*pairs)(void *a, void *b, const peer_placement *b_to_a, peer_pair_function *function, void *user);
    /// The distance of the two meshes.
    double (*distance)(void *a, void *b, const peer_placement *b_to_a);
} peer_hierarchy;

/// FCL: BVHModel with OBBRSS nodes.
extern const peer_hierarchy peer_fcl;
/// The time, as a share of the way, at which two meshes of peer_fcl touch, by FCL on 1,000 samples of the motion: A stands
/// still, B moves straight between two placements and turns at a constant rate. -1: they do not touch.
double peer_fcl_sweep(void *a, void *b, const peer_placement *from, const peer_placement *to, int is_turning);
/// Bullet: GImpact.
extern const peer_hierarchy peer_gimpact;
/// ODE: trimesh.
extern const peer_hierarchy peer_ode;

/// A contact of two meshes in A's frame.
typedef struct peer_touch {
    double position[3];
    double normal[3]; ///< from A to B
    double depth;     ///< positive if they overlap
} peer_touch;

/// A peer that finds contacts of triangle meshes.
typedef struct peer_contacts {
    const char *name;
    void *(*create)(const peer_mesh *mesh); ///< returns NULL on failure
    void (*destroy)(void *made);
    /// Writes at most `capacity` contacts and returns how many; -1 on failure. A is in its own frame.
    int (*find)(void *a, void *b, const peer_placement *b_to_a, peer_touch *touches, int capacity);
} peer_contacts;

extern const peer_contacts peer_fcl_contacts;         ///< FCL: BVHModel with OBBRSS nodes
extern const peer_contacts peer_gimpact_contacts;     ///< Bullet: GImpact meshes
extern const peer_contacts peer_bullet_hull_contacts; ///< Bullet: the convex hulls of the meshes
extern const peer_contacts peer_ode_contacts;         ///< ODE: trimesh
extern const peer_contacts peer_mujoco_contacts;      ///< MuJoCo: the convex hulls of the meshes

/// A body whose principal axes are those of the world.
typedef struct peer_body {
    double mass, inertia[3];
    double position[3];
    double velocity[3], spin[3];
} peer_body;

/// A contact without gap; a or b is -1 for the world. Contacts of one pair are consecutive.
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
    /// Does this many sweeps over all contacts, from zero impulses. `velocities` has six numbers for each body, the
    /// linear velocity and the spin; `impulses` three for each contact, the impulse on B.
    void (*solve)(void *made, int sweeps, double *velocities, double *impulses);
    /// The number of contacts that it accepted.
    int (*count)(const void *made);
} peer_impulses;

/// Bullet: sequential impulses.
extern const peer_impulses peer_bullet_impulses;

/// A box around its own origin.
typedef struct peer_box {
    double half_sides[3];
    peer_pose pose;
    int is_fixed;
} peer_box;

/// Of all boxes of a world; gravity points along -y.
typedef struct peer_world_def {
    double density, friction, gravity, dt;
    int sweeps; ///< over all contacts in a step
} peer_world_def;

/// Seconds of the parts of a step, and of all of it.
typedef struct peer_world_times {
    double broad, narrow, solve, step;
} peer_world_times;

/// A simulation of boxes on one thread.
typedef struct peer_world {
    const char *name;
    void *(*make)(const peer_box *boxes, int count, const peer_world_def *def);
    void (*release)(void *made);
    peer_world_times (*step)(void *made);
    peer_pose (*get_pose)(const void *made, int box);
    int (*count_contacts)(const void *made); ///< of the last step
} peer_world;

/// Bullet: boxes with its box detector, sequential impulses.
extern const peer_world peer_bullet_world;

#ifdef __cplusplus
}
#endif
#endif
