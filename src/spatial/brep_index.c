// SPDX-License-Identifier: MIT
// brep_index.c: creates and describes a Brep-index
#include "spatial/brep_index.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "mesh/brep.h"

#include <limits.h>

// Build tolerance in units of the B-rep tolerance. The build uses the least tolerance that makes sense, and queries
// use the caller's: a large build tolerance would move a piece within a plane by the tolerance divided by the sine of
// the angle to the next face. 4 covers corners that are one B-rep tolerance off the plane of their face or the line of
// their edge, cut by planes that are off by as much.
static const double brep_tolerances = 4.0;

// Largest tolerance, relative to the diagonal. With more, separate features of a solid would merge.
static const double largest_tolerance = 0.01;

double abut_index_least_tolerance(const abut_brep *brep)
{
    return brep_tolerances * brep->elements.tolerance;
}

// Default limits. Balanced trees of tori need 1.5 nodes per entity; needles that cross need 29 with 124 of
// them (docs/brep-index.md). 1000 nodes more keep small solids from failing.
enum { NODES_PER_ENTITY = 32, NODES_AT_LEAST = 1000 };
static const int64_t default_splits = 1000000000; // pieces split by planes: about a minute

static abut_brep_index_params default_brep_index_params(void)
{
    abut_brep_index_params params = {.struct_size = sizeof params};
    return params;
}

void abut_brep_index_params_init(abut_brep_index_params *params, size_t size)
{
    const abut_brep_index_params made = default_brep_index_params();
    abut_write_versioned(params, size, &made, sizeof made);
}

static abut_status read_params(const abut_brep_index_params *given, const abut_brep *brep,
                               abut_brep_index_params *read, abut_error *error)
{
    const abut_brep_elements *elements = &brep->elements;
    *read = abut_brep_index_params_default();
    if (given != NULL && !abut_read_versioned(read, sizeof *read, given)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "Brep-index: make the parameters with abut_brep_index_params_default()");
    }
    if (!(read->tolerance >= 0.0) || !isfinite(read->tolerance)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "Brep-index: tolerance is %g; it must be finite and not negative", read->tolerance);
    }
    if (read->cuts != ABUT_CUTS_BALANCED && read->cuts != ABUT_CUTS_FACE_PLANES) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "Brep-index: unknown kind of cuts %d", (int)read->cuts);
    }
    if (read->max_nodes < 0 || read->max_splits < 0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "Brep-index: max_nodes or max_splits is negative");
    }
    read->tolerance = fmax(read->tolerance, abut_index_least_tolerance(brep));
    double size = abut_box_diagonal(abut_mesh_get_elements(brep->mesh).bounds);
    if (read->tolerance > largest_tolerance * size && size > 0.0) {
        return abut_fail(error, ABUT_BAD_ARGUMENT,
                         "Brep-index: a tolerance of %g is too large for a solid of size %g; at most 1%% of it",
                         read->tolerance, size);
    }
    int64_t entities = (int64_t)elements->vertex_count + elements->edge_count + elements->face_count;
    int64_t nodes = NODES_AT_LEAST + NODES_PER_ENTITY * entities;
    if (read->max_nodes == 0) {
        read->max_nodes = nodes < INT_MAX / 2 ? (int)nodes : INT_MAX / 2;
    }
    if (read->max_splits == 0) {
        read->max_splits = default_splits;
    }
    return ABUT_OK;
}

static abut_status check_solid(const abut_brep *brep, abut_error *error)
{
    abut_mesh_info info = abut_mesh_get_info(brep->mesh);
    if (!info.is_closed || !info.is_oriented) {
        return abut_fail(
            error, ABUT_UNSUPPORTED,
            "Brep-index: the mesh is not closed and oriented (%d open, %d non-manifold, %d misoriented "
            "edges); repair it first",
            info.boundary_edge_count, info.non_manifold_edge_count, info.misoriented_edge_count);
    }
    if (!(info.volume > 0.0) || !isfinite(info.volume)) {
        return abut_fail(error, ABUT_BAD_DATA, "Brep-index: the volume is %g; faces must point outward",
                         info.volume);
    }
    // leaf codes are 32-bit: abut_leaf_code() needs three per entity
    if (brep->elements.face_count > INT_MAX / 4 || brep->elements.edge_count > INT_MAX / 4 ||
        brep->elements.vertex_count > INT_MAX / 4) {
        return abut_fail(error, ABUT_LIMIT, "Brep-index: more than %d vertices, edges or faces", INT_MAX / 4);
    }
    return ABUT_OK;
}

// The rim of a triangle's corner: ABUT_RIM_ENTITY if a B-rep edge ends at it or passes through it.
static abut_rim rim_of_vertex(const abut_brep_elements *brep, const abut_mesh_topology *topology, int vertex)
{
    for (int i = topology->vertex_edge_offsets[vertex]; i < topology->vertex_edge_offsets[vertex + 1]; ++i) {
        if (brep->mesh_edge_edges[topology->vertex_edges[i]] >= 0) {
            return ABUT_RIM_ENTITY;
        }
    }
    return ABUT_RIM_INNER;
}

static abut_corner corner_at(abut_vec3 p, const abut_mat3 *rotation, abut_vec3 shift)
{
    abut_corner corner = {abut_add(abut_mat3_apply(*rotation, p), shift), ABUT_RIM_ENTITY, ABUT_RIM_ENTITY};
    return corner;
}

int abut_index_add_entities(const abut_context *context, const abut_brep *brep, abut_pose pose, abut_vec3 center,
                            abut_piece_list *list)
{
    abut_mesh_elements mesh = abut_mesh_get_elements(brep->mesh);
    abut_mesh_topology topology = abut_mesh_get_topology(brep->mesh);
    const abut_brep_elements *elements = &brep->elements;
    abut_mat3 rotation = abut_quat_matrix(pose.rotation);
    abut_vec3 shift = abut_sub(pose.position, center);
    abut_corner *corners = NULL;
    for (int i = 0; i < elements->vertex_count; ++i) {
        corners = abut_piece_list_add(context, list, (abut_location){ABUT_PLACE_VERTEX, i}, 1);
        if (corners == NULL) {
            return 0;
        }
        corners[0] = corner_at(mesh.vertices[elements->vertices[i].source_vertex], &rotation, shift);
    }
    for (int i = 0; i < elements->edge_count; ++i) {
        corners = abut_piece_list_add(context, list, (abut_location){ABUT_PLACE_EDGE, i}, 2);
        for (int k = 0; k < 2 && corners != NULL; ++k) {
            int vertex = elements->vertices[elements->edges[i].vertices[k]].source_vertex;
            corners[k] = corner_at(mesh.vertices[vertex], &rotation, shift);
        }
        if (corners == NULL) {
            return 0;
        }
    }
    for (int i = 0; i < mesh.triangle_count; ++i) {
        corners =
            abut_piece_list_add(context, list, (abut_location){ABUT_PLACE_FACE, elements->triangle_faces[i]}, 3);
        for (int k = 0; k < 3 && corners != NULL; ++k) {
            int vertex = mesh.triangles[3 * (size_t)i + (size_t)k];
            int edge = topology.triangle_edges[3 * (size_t)i + (size_t)k];
            corners[k] = corner_at(mesh.vertices[vertex], &rotation, shift);
            corners[k].rim = rim_of_vertex(elements, &topology, vertex);
            corners[k].rim_next = elements->mesh_edge_edges[edge] >= 0 ? ABUT_RIM_ENTITY : ABUT_RIM_INNER;
        }
        if (corners == NULL) {
            return 0;
        }
    }
    return 1;
}

static abut_status fail_build(const abut_brep_index *index, abut_status status, int max_nodes, abut_error *error)
{
    if (status == ABUT_LIMIT) {
        const char *advice = "raise the limit, use balanced cuts, or use a box hierarchy (abut_tree)";
        return index->info.node_count >= max_nodes
                   ? abut_fail(error, status, "Brep-index: more than %d nodes (max_nodes); %s", max_nodes, advice)
                   : abut_fail(error, status,
                               "Brep-index: too many pieces to split (max_splits) after %d nodes; %s",
                               index->info.node_count, advice);
    }
    return abut_fail(error, status, "no memory for a Brep-index");
}

abut_status abut_brep_index_create(const abut_context *context, const abut_brep *brep,
                                   const abut_brep_index_params *params, abut_brep_index **index, abut_error *error)
{
    if (brep == NULL || index == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "Brep-index: `brep` or `index` is NULL");
    }
    *index = NULL;
    abut_brep_index_params read;
    abut_status status = read_params(params, brep, &read, error);
    status = status == ABUT_OK ? check_solid(brep, error) : status;
    if (status != ABUT_OK) {
        return status;
    }
    abut_context kept = abut_context_or_default(context);
    abut_brep_index *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory for a Brep-index");
    }
    made->context = kept;
    made->center = abut_box_center(abut_mesh_get_elements(brep->mesh).bounds);
    made->info.tolerance = read.tolerance;
    abut_piece_list entities = {0};
    status = abut_index_add_entities(&kept, brep, abut_pose_identity(), made->center, &entities)
                 ? abut_index_build(made, &read, brep, &entities)
                 : ABUT_NO_MEMORY;
    abut_piece_list_free(&kept, &entities);
    if (status != ABUT_OK) {
        status = fail_build(made, status, read.max_nodes, error);
        abut_brep_index_destroy(made);
        return status;
    }
    *index = made;
    return ABUT_OK;
}

void abut_brep_index_destroy(abut_brep_index *index)
{
    if (index != NULL) {
        abut_context context = index->context;
        abut_free(&context, index->nodes);
        abut_free(&context, index);
    }
}

abut_brep_index_info abut_brep_index_get_info(const abut_brep_index *index)
{
    return index->info;
}
