// SPDX-License-Identifier: MIT
// touch_model.c: the elements that a search for touching entities looks at, if a B-rep has faces of many triangles
#include "region/touch_model.h"

#include "base/context.h"
#include "base/memory.h"
#include "spatial/tree.h"

#include <string.h>

enum { WIDE = 8 }; ///< faces of more triangles are wide, if there is a touch model at all
/// Two faces of m triangles that lie on each other have up to m^2 pairs of triangles whose boxes overlap. Models are
/// made if the sum of m^2 over all faces of more than WIDE triangles exceeds this many times the triangles of the mesh;
/// otherwise these pairs are few.
static const double pairs_per_triangle = 4.0;

static int is_wide(const abut_brep_elements *brep, int face)
{
    return brep->faces[face].triangle_count > WIDE;
}

/// Whether a touch model saves work; counts the wide faces.
static int is_useful(const abut_mesh_elements *mesh, const abut_brep_elements *brep, int *wide_count)
{
    double pairs = 0.0;
    *wide_count = 0;
    for (int i = 0; i < brep->face_count; ++i) {
        double count = brep->faces[i].triangle_count;
        *wide_count += is_wide(brep, i);
        pairs += is_wide(brep, i) ? count * count : 0.0;
    }
    return pairs > pairs_per_triangle * mesh->triangle_count;
}

/// Whether a triangle stands for an edge of the B-rep: the edge is one of the mesh, and other triangles at it are
/// later or in wide faces.
static int owns_edge(const abut_mesh_topology *topology, const abut_brep_elements *brep, int triangle,
                     int mesh_edge)
{
    int edge = brep->mesh_edge_edges[mesh_edge];
    if (edge < 0 || brep->edges[edge].mesh_edge_count != 1) {
        return 0;
    }
    int at = topology->edge_triangle_offsets[mesh_edge];
    while (is_wide(brep, brep->triangle_faces[topology->edge_triangles[at]])) {
        ++at;
    }
    return topology->edge_triangles[at] == triangle;
}

/// The first triangle at a vertex of the mesh that is not in a wide face, or -1.
static int first_triangle(const abut_mesh_topology *topology, const abut_brep_elements *brep, int mesh_vertex)
{
    for (int i = topology->vertex_triangle_offsets[mesh_vertex];
         i < topology->vertex_triangle_offsets[mesh_vertex + 1]; ++i) {
        if (!is_wide(brep, brep->triangle_faces[topology->vertex_triangles[i]])) {
            return topology->vertex_triangles[i];
        }
    }
    return -1;
}

/// Whether an edge of the B-rep is a border.
static int is_border(const abut_brep_elements *brep, int edge)
{
    const abut_brep_edge *e = &brep->edges[edge];
    int is_between_wide =
        (e->faces[0] < 0 || is_wide(brep, e->faces[0])) && (e->faces[1] < 0 || is_wide(brep, e->faces[1]));
    return e->mesh_edge_count != 1 || is_between_wide;
}

/// The rotation that takes the z axis to `normal` and the x axis to the part of `along` at right angles to it.
static abut_quat turn_to(abut_vec3 normal, abut_vec3 along)
{
    // half the way from 1 to the product of the two directions, from z or, after half a turn about x, from -z
    abut_quat tilt =
        normal.z >= 0.0
            ? abut_quat_unit(abut_quat_make(1.0 + normal.z, -normal.y, normal.x, 0.0))
            : abut_quat_multiply(abut_quat_unit(abut_quat_make(1.0 - normal.z, normal.y, -normal.x, 0.0)),
                                 abut_quat_make(0.0, 1.0, 0.0, 0.0));
    abut_vec3 flat = abut_quat_rotate(abut_quat_conjugate(tilt), along);
    return abut_quat_multiply(tilt, abut_quat_from_axis(abut_vec3_make(0.0, 0.0, 1.0), atan2(flat.y, flat.x)));
}

/// Chooses the frame of the trees.
static abut_pose choose_frame(const abut_mesh_elements *mesh, const abut_brep_elements *brep)
{
    const abut_brep_face *largest = NULL;
    for (int i = 0; i < brep->face_count; ++i) {
        if (is_wide(brep, i) && (largest == NULL || brep->faces[i].area > largest->area)) {
            largest = &brep->faces[i];
        }
    }
    abut_vec3 longest = abut_any_perpendicular(largest->normal);
    double squared = 0.0;
    for (int i = 0; i < (largest->loop_count > 0 ? brep->loops[largest->loop_begin].coedge_count : 0); ++i) {
        const int *ends =
            brep->edges[brep->coedges[brep->loops[largest->loop_begin].coedge_begin + i].edge].vertices;
        abut_vec3 along = abut_sub(mesh->vertices[brep->vertices[ends[1]].source_vertex],
                                   mesh->vertices[brep->vertices[ends[0]].source_vertex]);
        if (abut_norm_squared(along) > squared) {
            squared = abut_norm_squared(along);
            longest = along;
        }
    }
    return abut_pose_make(abut_box_center(mesh->bounds), turn_to(largest->normal, longest));
}

/// The points in the frame of the trees.
static void place_points(const abut_touch_model *model, const abut_vec3 *from, int count, abut_vec3 *to)
{
    abut_mat3 rotation = abut_quat_matrix(model->frame.rotation);
    for (int i = 0; i < count; ++i) {
        to[i] = abut_mat3_apply_transposed(rotation, abut_sub(from[i], model->frame.position));
    }
}

static int *add_element(abut_touch_model *model, int source, unsigned owned)
{
    int element = model->element_count++;
    model->sources[element] = source;
    model->owned[element] = (unsigned char)owned;
    return model->corners + 3 * (size_t)element;
}

static void add_triangle(abut_touch_model *model, const abut_mesh_elements *mesh,
                         const abut_mesh_topology *topology, const abut_brep_elements *brep, int triangle)
{
    const int *vertices = mesh->triangles + 3 * (size_t)triangle;
    const int *edges = topology->triangle_edges + 3 * (size_t)triangle;
    unsigned owned = 0;
    for (int k = 0; k < 3; ++k) {
        int owns_vertex =
            brep->mesh_vertex_vertices[vertices[k]] >= 0 && first_triangle(topology, brep, vertices[k]) == triangle;
        owned |= (unsigned)owns_vertex << k | (unsigned)owns_edge(topology, brep, triangle, edges[k]) << (3 + k);
    }
    memcpy(add_element(model, triangle, owned), vertices, 3 * sizeof *vertices);
}

/// The corner off a border of a triangle at it, in the face of fewer triangles. With it the box hierarchy knows a plane
/// through the border, which tells the edges of a cap apart whose boxes overlap.
static int corner_beside(const abut_mesh_elements *mesh, const abut_mesh_topology *topology,
                         const abut_brep_elements *brep, int edge)
{
    int mesh_edge = brep->edge_mesh_edges[brep->edges[edge].mesh_edge_begin];
    const int *ends = topology->edge_vertices + 2 * (size_t)mesh_edge;
    int best = topology->edge_triangles[topology->edge_triangle_offsets[mesh_edge]];
    for (int i = topology->edge_triangle_offsets[mesh_edge] + 1; i < topology->edge_triangle_offsets[mesh_edge + 1];
         ++i) {
        int triangle = topology->edge_triangles[i];
        int is_fewer = brep->faces[brep->triangle_faces[triangle]].triangle_count <
                       brep->faces[brep->triangle_faces[best]].triangle_count;
        best = is_fewer ? triangle : best;
    }
    const int *corners = mesh->triangles + 3 * (size_t)best;
    int k = 0;
    while (k < 2 && (corners[k] == ends[0] || corners[k] == ends[1])) {
        ++k;
    }
    return corners[k];
}

/// A border owns the ends that no triangle owns, if it is the first border there.
static void add_border(abut_touch_model *model, const abut_mesh_elements *mesh, const abut_mesh_topology *topology,
                       const abut_brep_elements *brep, int edge)
{
    unsigned owned = 1u << 3;
    int ends[2];
    for (int k = 0; k < 2; ++k) {
        const abut_brep_vertex *v = &brep->vertices[brep->edges[edge].vertices[k]];
        int first = v->cycle_begin;
        while (!is_border(brep, brep->vertex_cycles[first])) {
            ++first;
        }
        ends[k] = v->source_vertex;
        int owns = first_triangle(topology, brep, ends[k]) < 0 && brep->vertex_cycles[first] == edge;
        owned |= (unsigned)owns << k;
    }
    int *corners = add_element(model, ~edge, owned);
    corners[0] = ends[0];
    corners[1] = ends[1];
    corners[2] = corner_beside(mesh, topology, brep, edge);
}

/// Adds all elements and their tree. Returns ABUT_NO_MEMORY if memory ran out.
static abut_status add_elements(abut_touch_model *model, const abut_mesh_elements *mesh,
                                const abut_mesh_topology *topology, const abut_brep_elements *brep)
{
    size_t count = 0;
    for (int i = 0; i < brep->face_count; ++i) {
        count += is_wide(brep, i) ? 0 : (size_t)brep->faces[i].triangle_count;
    }
    for (int i = 0; i < brep->edge_count; ++i) {
        count += (size_t)is_border(brep, i);
    }
    model->corners = abut_allocate(&model->context, 3 * count, sizeof *model->corners);
    model->sources = abut_allocate(&model->context, count, sizeof *model->sources);
    model->owned = abut_allocate(&model->context, count, sizeof *model->owned);
    model->points = abut_allocate(&model->context, (size_t)mesh->vertex_count, sizeof *model->points);
    if (model->corners == NULL || model->sources == NULL || model->owned == NULL || model->points == NULL) {
        return ABUT_NO_MEMORY;
    }
    place_points(model, mesh->vertices, mesh->vertex_count, model->points);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        if (!is_wide(brep, brep->triangle_faces[i])) {
            add_triangle(model, mesh, topology, brep, i);
        }
    }
    for (int i = 0; i < brep->edge_count; ++i) {
        if (is_border(brep, i)) {
            add_border(model, mesh, topology, brep, i);
        }
    }
    return abut_tree_create_over(&model->context, model->points, model->corners, model->element_count,
                                 &model->tree);
}

static abut_status add_wide_faces(abut_touch_model *model, const abut_mesh_elements *mesh,
                                  const abut_brep_elements *brep, int wide_count)
{
    size_t corners = 3 * (size_t)wide_count;
    model->faces = abut_allocate_zeroed(&model->context, (size_t)wide_count, sizeof *model->faces);
    model->cover_corners = abut_allocate(&model->context, corners, sizeof *model->cover_corners);
    model->cover_points = abut_allocate(&model->context, corners, sizeof *model->cover_points);
    model->cover_indices = abut_allocate(&model->context, corners, sizeof *model->cover_indices);
    if (model->faces == NULL || model->cover_corners == NULL || model->cover_points == NULL ||
        model->cover_indices == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < brep->face_count; ++i) {
        if (is_wide(brep, i)) {
            abut_wide_face *face = &model->faces[model->face_count];
            size_t first = 3 * (size_t)model->face_count++;
            if (!abut_wide_face_build(&model->context, mesh, brep, i, face)) {
                return ABUT_NO_MEMORY;
            }
            abut_wide_face_cover(face, model->cover_corners + first);
        }
    }
    place_points(model, model->cover_corners, (int)corners, model->cover_points);
    for (size_t i = 0; i < corners; ++i) {
        model->cover_indices[i] = (int)i;
    }
    return abut_tree_create_over(&model->context, model->cover_points, model->cover_indices, wide_count,
                                 &model->covers);
}

abut_status abut_touch_model_create(const abut_context *context, const abut_mesh_elements *mesh,
                                    const abut_mesh_topology *topology, const abut_brep_elements *brep,
                                    abut_touch_model **model)
{
    int wide_count;
    *model = NULL;
    if (!is_useful(mesh, brep, &wide_count)) {
        return ABUT_OK;
    }
    abut_touch_model *made = abut_allocate_zeroed(context, 1, sizeof *made);
    if (made == NULL) {
        return ABUT_NO_MEMORY;
    }
    made->context = *context;
    made->frame = choose_frame(mesh, brep);
    if (add_elements(made, mesh, topology, brep) != ABUT_OK ||
        add_wide_faces(made, mesh, brep, wide_count) != ABUT_OK) {
        abut_touch_model_destroy(made);
        return ABUT_NO_MEMORY;
    }
    *model = made;
    return ABUT_OK;
}

void abut_touch_model_destroy(abut_touch_model *model)
{
    if (model == NULL) {
        return;
    }
    abut_context context = model->context;
    for (int i = 0; i < model->face_count; ++i) {
        abut_wide_face_free(&context, &model->faces[i]);
    }
    abut_tree_destroy(model->tree);
    abut_tree_destroy(model->covers);
    abut_free(&context, model->faces);
    abut_free(&context, model->points);
    abut_free(&context, model->cover_corners);
    abut_free(&context, model->cover_points);
    abut_free(&context, model->cover_indices);
    abut_free(&context, model->corners);
    abut_free(&context, model->sources);
    abut_free(&context, model->owned);
    abut_free(&context, model);
}

int abut_touch_model_find(const abut_touch_model *model, int face)
{
    int begin = 0, end = model->face_count;
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (model->faces[middle].face < face) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin < model->face_count && model->faces[begin].face == face ? begin : -1;
}
