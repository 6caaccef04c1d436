// SPDX-License-Identifier: MIT
// complex.h: internals of a complex
//
// Simplices are numbered: vertices as in the mesh, then edges, then triangles.
#ifndef ABUT_COMPLEX_COMPLEX_H
#define ABUT_COMPLEX_COMPLEX_H

#include <abut/complex.h>
#include <abut/support.h>

typedef struct abut_lmd_node abut_lmd_node;

enum {
    ABUT_NO_CLASS = 7, ///< no distance has a minimum at such a simplex
    ABUT_MOST_SIMPLICES = 1 << 30
};

/// A cone of directions about an axis. Two-sided: the opposite directions too.
typedef struct abut_polar_cone {
    abut_vec3 axis;
    double half_angle; ///< pi: all directions
    int is_two_sided;
    int dimension; ///< of the polar cone that it encloses, 0 to 3
} abut_polar_cone;

struct abut_complex {
    abut_context context;
    abut_complex_info info;
    abut_vec3 origin;          ///< what positions are relative to, so that they are no larger than the body
    double radius;             ///< of a ball about the origin that holds all vertices
    double noise;              ///< rounding of the coordinates
    int vertex_count;          ///< as many as in the mesh
    int face_count, tet_count; ///< of the mesh
    abut_vec3 *vertices;       ///< relative to the origin
    int *triangles;      ///< three vertices each; counter-clockwise seen from outside if there is a solid behind
    int *triangle_faces; ///< the mesh face that it comes from, or ~t for tetrahedron t
    int *patches;        ///< the lowest face of the flat patch that the triangle is in
    unsigned char *is_solid;
    int *edges;         ///< two vertices each, lower first, sorted
    int *wing_offsets;  ///< by edge
    int *wings;         ///< the triangles at each edge
    int *spoke_offsets; ///< by vertex
    int *spokes;        ///< the edges at each vertex
    unsigned char *classes;
    abut_polar_cone *cones; ///< by simplex; only while the hierarchy is built
    abut_lmd_node *nodes;   ///< of the hierarchy (hierarchy.h)
    int node_count;
};

/// How far rounding may turn what is as long or as high as `height`: neighbours that differ by less are coplanar. Radians.
static inline double abut_complex_tau(const abut_complex *complex, double height)
{
    return fmin(fmax(8.0 * complex->noise / height, 1e-9), 1e-3);
}

static inline int abut_box_contains(abut_box box, abut_vec3 p)
{
    return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y &&
           p.z >= box.lower.z && p.z <= box.upper.z;
}

/// Vertices, used or not, edges and triangles.
static inline int abut_complex_simplex_count(const abut_complex *complex)
{
    return complex->vertex_count + complex->info.edge_count + complex->info.triangle_count;
}

/// The vertex of a triangle that is not on an edge of it.
static inline int abut_complex_apex(const abut_complex *complex, int triangle, int edge)
{
    const int *t = complex->triangles + 3 * (size_t)triangle, *e = complex->edges + 2 * (size_t)edge;
    return t[0] != e[0] && t[0] != e[1] ? t[0] : t[1] != e[0] && t[1] != e[1] ? t[1] : t[2];
}

/// Finds the parts of the mesh (abut_mesh_topology.vertex_parts) that bound a solid, in any of their surfaces.
abut_status abut_complex_survey(const abut_context *context, const abut_complex_def *def,
                                unsigned char *part_is_solid, abut_error *error);

/// Sets size and hash of a saved complex, so that abut_complex_load() looks at the rest: for tests with forged ones.
void abut_complex_seal(void *buffer, size_t size);

/// The lowest of the joined numbers that i is one of, as disjoint sets have it; shortens the way there.
static inline int abut_complex_find_root(int *roots, int i)
{
    while (roots[i] != i) {
        roots[i] = roots[roots[i]];
        i = roots[i];
    }
    return i;
}

/// Joins the sets of two numbers. Returns 0 if they are joined already.
static inline int abut_complex_join_roots(int *roots, int a, int b)
{
    int x = abut_complex_find_root(roots, a), y = abut_complex_find_root(roots, b);
    roots[x > y ? x : y] = x > y ? y : x;
    return x != y;
}

/// The edge between two vertices, or -1.
int abut_complex_find_edge(const abut_complex *complex, int vertex_a, int vertex_b);

/// Marks the triangles of closed, oriented parts of the surface as solid.
abut_status abut_complex_tell_solids(abut_complex *complex, const abut_complex_def *def, abut_error *error);

/// Finds classes and cones of all simplices, and the flat patches. `points` are vertices that count even without edges.
abut_status abut_complex_classify(abut_complex *complex, const int *points, int point_count, abut_error *error);

/// The polar cone of directions `u`, `count` unit vectors: all z with z . u <= 0, up to the angle `tau`, at a vertex. If
/// there is a solid, `outward` is its pseudonormal, the sum of the face normals weighted by their angles; else zero.
/// `room` has room for 2 count + 8 vectors. A dimension of 0 means that the cone is empty.
abut_polar_cone abut_polar_of_vertex(const abut_vec3 *u, int count, double tau, abut_vec3 outward, abut_vec3 *room);

/// The polar cone at an edge: all z at right angles to the unit vector `along` with z . u <= 0. `u` are unit vectors at
/// right angles to it, in any order; `outward` is the sum of the normals of solid triangles. `room` has room for
/// `count` numbers.
abut_polar_cone abut_polar_of_edge(abut_vec3 along, const abut_vec3 *u, int count, double tau, abut_vec3 outward,
                                   double *room);

/// Triangles and other elements on their way into a complex.
typedef struct abut_complex_soup {
    const abut_vec3 *vertices;
    int vertex_count;
    int *triangles, *faces;
    unsigned char *is_solid; ///< there is a tetrahedron behind it
    int triangle_count;
    int *segments;
    int segment_count;
    int *points;
    int point_count;
    double thinnest; ///< lengths and heights up to this are zero
    int collapsed_count, flipped_count, dropped_count;
} abut_complex_soup;

/// Collapses edges of no length and flips flat triangles away. Returns 0 if memory ran out.
int abut_complex_mend(abut_complex_soup *soup, const abut_context *context);

#endif
