// SPDX-License-Identifier: MIT
// brep.c: building a B-rep step by step
#include "mesh/brep.h"

#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"

#include <float.h>

// Distances below this many ulps of the largest coordinate cannot be told from rounding.
static const double resolution_ulps = 4.0;

static abut_brep_params default_brep_params(void)
{
    abut_brep_params params = {sizeof params, 0.0};
    return params;
}

void abut_brep_params_init(abut_brep_params *params, size_t size)
{
    const abut_brep_params made = default_brep_params();
    abut_write_versioned(params, size, &made, sizeof made);
}

void *abut_brep_own(abut_brep *brep, size_t count, size_t item_size)
{
    ABUT_ASSERT(brep->block_count < (int)(sizeof brep->blocks / sizeof brep->blocks[0]));
    void *block = abut_allocate(&brep->context, count, item_size);
    if (block != NULL) {
        brep->blocks[brep->block_count++] = block;
    }
    return block;
}

// The planarity times the diagonal of the mesh, but at least the resolution of its coordinates.
static double tolerance_of(const abut_mesh_elements *mesh, double planarity)
{
    if (mesh->vertex_count == 0) {
        return 0.0;
    }
    int is_float = mesh->precision == ABUT_PRECISION_FLOAT;
    double relative = planarity > 0.0 ? planarity : is_float ? 1e-6 : 1e-9;
    double largest = abut_max_component(abut_max(abut_abs(mesh->bounds.lower), abut_abs(mesh->bounds.upper)));
    double resolution = resolution_ulps * (is_float ? (double)FLT_EPSILON : DBL_EPSILON) * largest;
    return fmax(relative * abut_box_diagonal(mesh->bounds), resolution);
}

static abut_status run_steps(abut_brep_work *work)
{
    work->is_sharp = abut_allocate(&work->context, (size_t)work->topology.edge_count, 1);
    work->is_backward = abut_allocate_zeroed(&work->context, (size_t)work->topology.edge_count, 1);
    abut_status status = work->is_sharp != NULL && work->is_backward != NULL ? ABUT_OK : ABUT_NO_MEMORY;
    if (status == ABUT_OK) {
        status = abut_brep_make_faces(work);
    }
    if (status == ABUT_OK) {
        status = abut_brep_make_edges(work);
    }
    if (status == ABUT_OK) {
        status = abut_brep_make_loops(work);
    }
    if (status == ABUT_OK) {
        status = abut_brep_make_cycles(work);
    }
    abut_free(&work->context, work->is_backward);
    abut_free(&work->context, work->is_sharp);
    return status;
}

abut_status abut_brep_create(const abut_context *context, const abut_mesh *mesh, const abut_brep_params *params,
                             abut_brep **brep, abut_error *error)
{
    if (mesh == NULL || brep == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "B-rep: `mesh` or `brep` is NULL");
    }
    *brep = NULL;
    abut_brep_params read = abut_brep_params_default();
    if (params != NULL && !abut_read_versioned(&read, sizeof read, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "B-rep: start from abut_brep_params_default()");
    }
    if (!(read.planarity >= 0.0) || !isfinite(read.planarity)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "B-rep: planarity is %g; it must be finite and not negative",
                         read.planarity);
    }
    abut_context kept = abut_context_or_default(context);
    abut_brep *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "out of memory for a B-rep");
    }
    made->context = kept;
    made->mesh = mesh;
    abut_brep_work work = {.context = kept,
                           .mesh = abut_mesh_get_elements(mesh),
                           .topology = abut_mesh_get_topology(mesh),
                           .brep = made};
    work.tolerance = tolerance_of(&work.mesh, read.planarity);
    made->elements.tolerance = work.tolerance;
    abut_status status = run_steps(&work);
    if (status != ABUT_OK) {
        abut_brep_destroy(made);
        return abut_fail(error, status, "out of memory for a B-rep");
    }
    *brep = made;
    return ABUT_OK;
}

void abut_brep_destroy(abut_brep *brep)
{
    if (brep == NULL) {
        return;
    }
    abut_context context = brep->context;
    for (int i = 0; i < brep->block_count; ++i) {
        abut_free(&context, brep->blocks[i]);
    }
    abut_free(&context, brep);
}

abut_brep_elements abut_brep_get_elements(const abut_brep *brep)
{
    return brep->elements;
}

abut_edge_kind abut_brep_mesh_edge_kind(const abut_brep *brep, int mesh_edge, double *angle)
{
    abut_mesh_topology topology = abut_mesh_get_topology(brep->mesh);
    ABUT_ASSERT(mesh_edge >= 0 && mesh_edge < topology.edge_count);
    abut_edge_kind kind = ABUT_EDGE_FLAT;
    double found = 3.14159265358979323846;
    int edge = brep->elements.mesh_edge_edges[mesh_edge];
    if (edge >= 0) {
        kind = brep->elements.edges[edge].kind;
        found = brep->elements.edges[edge].angle;
    } else if (topology.edge_triangle_offsets[mesh_edge] == topology.edge_triangle_offsets[mesh_edge + 1]) {
        kind = ABUT_EDGE_BOUNDARY; // a segment without a triangle
        found = 0.0;
    }
    if (angle != NULL) {
        *angle = found;
    }
    return kind;
}
