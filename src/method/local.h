// SPDX-License-Identifier: MIT
// local.h: what the local methods share: two meshes in one frame, their pairs of elements, and where contacts go
//
// A local method tests one pair of elements at a time. It begins with abut_local_begin() and calls abut_local_run(),
// which finds the pairs with the trees, runs the method's function on them, on any number of threads, and adds the
// contacts to the sink in an order that does not depend on the threads.
#ifndef ABUT_METHOD_LOCAL_H
#define ABUT_METHOD_LOCAL_H

#include <abut/contact.h>

/// A side of a query with its vertices in A's frame.
typedef struct abut_placed {
    const abut_mesh *mesh;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    const abut_vec3 *vertices; ///< in the side's own frame
    abut_mat3 rotation;        ///< to A's frame
    abut_vec3 translation;
} abut_placed;

static inline abut_vec3 abut_placed_vertex(const abut_placed *side, int vertex)
{
    return abut_add(abut_mat3_apply(side->rotation, side->vertices[vertex]), side->translation);
}

static inline void abut_placed_triangle(const abut_placed *side, int triangle, abut_vec3 corners[3])
{
    for (int k = 0; k < 3; ++k) {
        corners[k] = abut_placed_vertex(side, side->elements.triangles[3 * triangle + k]);
    }
}

static inline void abut_placed_tet(const abut_placed *side, int tet, abut_vec3 corners[4])
{
    for (int k = 0; k < 4; ++k) {
        corners[k] = abut_placed_vertex(side, side->elements.tets[4 * tet + k]);
    }
}

/// Whether the two triangles at an edge of the mesh lie in one plane, with normals within `angle`. Edges are not flat
/// if they are on a border, have more than two triangles or two that run the same way, or a triangle without area.
int abut_placed_edge_is_flat(const abut_placed *side, int edge, double angle);

/// What the function of a pair sees of the query. Constant while pairs are tested.
typedef struct abut_local {
    const abut_query *query;
    abut_placed a, b;
    const void *user; ///< options and data of the method
} abut_local;

/// Takes the contacts of the pairs that one thread tests.
typedef struct abut_local_output {
    abut_contact *contacts;
    int capacity, count;
    abut_stats stats; ///< counters for the function to add to; `candidate_pairs` is already counted
} abut_local_output;

/// Tests one pair of elements and adds contacts in A's frame. Must not allocate.
typedef void abut_local_function(const abut_local *local, int element_a, int element_b, abut_local_output *output);

/// Whether B is the first body, for methods that depend on the order: the first has the lower key. If the keys are
/// equal, A is first. (The order of A and B follows from a hash of the shapes, which changes with their scale.)
static inline int abut_local_first_is_b(const abut_local *local)
{
    return local->query->pair->b.key < local->query->pair->a.key;
}

/// What to run over which pairs.
typedef struct abut_local_task {
    abut_element_kind kind_a, kind_b;
    const abut_tree *tree_a, *tree_b; ///< of the method; NULL: those of the sides
    double margin;                    ///< pairs of elements within this distance are tested
    int is_surface_only;              ///< leave out tetrahedra without a triangle on the surface
    int contact_limit;                ///< most contacts that one call of the function adds
    abut_local_function *function;
} abut_local_task;

/// Places both sides. Fails with ABUT_UNSUPPORTED for self-contact, dilation and offset.
abut_status abut_local_begin(abut_local *local, const abut_query *query, const void *user, abut_sink *sink);

/// Runs the function over all pairs. May be called several times in a query.
abut_status abut_local_run(const abut_local *local, const abut_local_task *task, abut_sink *sink);

/// Adds a contact, given in A's frame and without a region.
void abut_local_contact(abut_local_output *output, const abut_contact *contact);

/// Anchors, with weights that add up to 1.
abut_anchor abut_vertex_anchor(int vertex);
/// On edge k of a triangle, from corner k (weight 0) to the next.
abut_anchor abut_edge_anchor(const abut_placed *side, int triangle, int edge, double weight);
abut_anchor abut_triangle_anchor(const abut_placed *side, int triangle, const double weights[3]);
/// The point of a tetrahedron, given by its placed corners, that is nearest to `point`. No weight is negative.
abut_anchor abut_tet_anchor(const abut_placed *side, int tet, const abut_vec3 corners[4], abut_vec3 point);

#endif
