// SPDX-License-Identifier: MIT
// check.c: the steps of a check
//
// 1. The definition: broken elements.
// 2. The mesh of the valid elements: edges and parts.
// 3. Welding and dropping: duplicate vertices and faces, degenerate faces.
// 4. The mesh after that (often the same): shapes of faces, shells, T-junctions, crossings.
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/arguments.h"
#include "check/crossings.h"
#include "check/holes.h"
#include "check/look.h"
#include "mesh/mesh.h"

#include <string.h>

void abut_check_params_init(abut_check_params *params, size_t size)
{
    const abut_check_params made = {.struct_size = sizeof made,
                                    .tolerance = -1.0,
                                    .sliver = 0.01,
                                    .uneven = 10.0,
                                    .element_limit = 10,
                                    .hole = -1.0};
    abut_write_versioned(params, size, &made, sizeof made);
}

enum { ELEMENT_LIMIT_HIGHEST = 1000000 }; // the elements of all kinds then take about 300 MB

abut_status abut_check_read_arguments(const abut_mesh_def *def, const abut_check_params *params,
                                      abut_mesh_def *read_def, abut_check_params *read_params, abut_error *error)
{
    *read_def = abut_mesh_def_default();
    *read_params = abut_check_params_default();
    if (def == NULL || !abut_read_versioned(read_def, sizeof *read_def, def)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "check: start from abut_mesh_def_default()");
    }
    if (params != NULL && !abut_read_versioned(read_params, sizeof *read_params, params)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "check: start from abut_check_params_default()");
    }
    if (!isfinite(read_params->tolerance) || !isfinite(read_params->hole)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "check: the tolerance or the perimeter of holes is not finite");
    }
    if (!(read_params->sliver >= 0.0) || !(read_params->uneven >= 1.0)) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "check: sliver must be 0 or more, uneven 1 or more");
    }
    if (read_params->element_limit < 0 || read_params->element_limit > ELEMENT_LIMIT_HIGHEST) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "check: element_limit must be from 0 to %d",
                         (int)ELEMENT_LIMIT_HIGHEST);
    }
    return abut_mesh_def_check(read_def, error);
}

// If the definition has no faces, the boundary faces of its tetrahedra are reported with their numbers in the mesh.
static abut_status name_new_faces(abut_surface *surface, const abut_mesh *mesh, abut_error *error)
{
    int face_count = abut_mesh_get_elements(mesh).face_count;
    for (int i = surface->face_sources.count; i < face_count; ++i) {
        abut_status status = abut_ints_add(&surface->parts.context, &surface->face_sources, i);
        if (status != ABUT_OK) {
            return abut_surface_fail(error, status);
        }
    }
    return ABUT_OK;
}

static abut_status look_at_mesh(abut_check *check, abut_surface *surface, const abut_mesh *mesh, abut_error *error)
{
    abut_status status = name_new_faces(surface, mesh, error);
    if (status == ABUT_OK) {
        abut_look_at_edges(check, mesh);
        status = abut_look_at_parts(check, mesh, surface->face_sources.items, error);
    }
    return status;
}

static void add_junctions(abut_check *check, const abut_mesh *mesh, const abut_junctions *junctions)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    int64_t side_count = 0;
    if (!junctions->is_complete) {
        abut_findings_end_early(check, ABUT_FINDING_T_JUNCTION);
    }
    for (int i = 0; i < junctions->count; ++i) {
        const abut_junction *junction = &junctions->items[i];
        int triangle = junction->side / 3, k = junction->side % 3;
        const int *corners = elements.triangles + 3 * (size_t)triangle;
        const int numbers[3] = {junction->vertex, corners[k], corners[(k + 1) % 3]};
        abut_findings_add(check, ABUT_FINDING_T_JUNCTION, numbers);
        side_count += i == 0 || junction->side != junctions->items[i - 1].side;
    }
    // A side with k vertices on it has k + 1 open edges beside it, so k + 2 edges are open with the side itself. If
    // there are no other open edges, cutting closes all.
    if (abut_mesh_get_info(mesh).boundary_edge_count == 2 * side_count + junctions->count) {
        abut_findings_set_repaired(check, ABUT_FINDING_OPEN_EDGE);
    }
}

static abut_status look_with_tree(abut_check *check, const abut_surface *surface, const abut_mesh *mesh,
                                  abut_shells *shells, abut_error *error)
{
    abut_tree *tree = NULL;
    abut_junctions junctions;
    memset(&junctions, 0, sizeof junctions);
    junctions.context = check->context;
    abut_status status = abut_tree_create(&check->context, mesh, ABUT_ELEMENT_TRIANGLE, &tree, error);
    if (status == ABUT_OK) {
        status = abut_shells_nest(shells, mesh, tree, error);
    }
    if (status == ABUT_OK) {
        abut_look_at_shells(check, mesh, surface->face_sources.items, shells);
        status = abut_junctions_find(&junctions, &check->context, mesh, tree, surface->tolerance, error);
    }
    if (status == ABUT_OK) {
        add_junctions(check, mesh, &junctions);
        status = abut_crossings_find(check, surface, mesh, tree, &junctions, error);
    }
    abut_junctions_release(&junctions);
    abut_tree_destroy(tree);
    return status;
}

// Notes which findings about edges and vertices welding and dropping repair completely.
static void note_repaired(abut_check *check, const abut_mesh *clean)
{
    abut_mesh_info info = abut_mesh_get_info(clean);
    if (info.boundary_edge_count == 0) {
        abut_findings_set_repaired(check, ABUT_FINDING_OPEN_EDGE);
    }
    if (info.non_manifold_edge_count == 0) {
        abut_findings_set_repaired(check, ABUT_FINDING_NON_MANIFOLD_EDGE);
    }
    if (info.non_manifold_vertex_count == 0) {
        abut_findings_set_repaired(check, ABUT_FINDING_NON_MANIFOLD_VERTEX);
    }
}

static int is_empty(const abut_mesh *mesh)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    return elements.face_count + elements.segment_count + elements.point_count + elements.tet_count == 0;
}

static abut_status look_at_clean(abut_check *check, abut_surface *surface, const abut_mesh *mesh,
                                 const abut_check_params *params, abut_error *error)
{
    note_repaired(check, mesh);
    int are_small = 0;
    if (abut_holes_are_small(&check->context, mesh, abut_holes_perimeter(surface, params->hole), &are_small) !=
        ABUT_OK) {
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    if (are_small) {
        abut_findings_set_repaired(check, ABUT_FINDING_OPEN_EDGE);
    }
    check->all[ABUT_FINDING_NO_ELEMENTS].count = is_empty(mesh);
    abut_status status = name_new_faces(surface, mesh, error);
    if (status == ABUT_OK) {
        status = abut_look_at_faces(check, mesh, surface->face_sources.items, params, error);
    }
    abut_shells shells;
    memset(&shells, 0, sizeof shells);
    shells.context = check->context;
    if (status == ABUT_OK && abut_shells_find(&shells, &check->context, mesh) != ABUT_OK) {
        status = abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    if (status == ABUT_OK) {
        status = look_with_tree(check, surface, mesh, &shells, error);
    }
    abut_shells_release(&shells);
    return status;
}

static abut_status run(abut_check *check, const abut_mesh_def *def, const abut_check_params *params,
                       abut_surface *surface, abut_mesh **mesh, abut_error *error)
{
    int changed = 0;
    abut_status status = abut_surface_init(surface, &check->context, def, params->tolerance, check, error);
    if (status == ABUT_OK) {
        status = abut_surface_build(surface, mesh, error);
    }
    if (status == ABUT_OK) {
        status = look_at_mesh(check, surface, *mesh, error);
    }
    if (status == ABUT_OK) {
        status = abut_surface_weld(surface, check, error);
    }
    if (status == ABUT_OK) {
        status = abut_surface_drop(surface, check, &changed, error);
    }
    if (status == ABUT_OK && changed) {
        abut_mesh_destroy(*mesh);
        *mesh = NULL;
        status = abut_surface_build(surface, mesh, error);
    }
    return status == ABUT_OK ? look_at_clean(check, surface, *mesh, params, error) : status;
}

static void finish(abut_check *check, const abut_surface *surface)
{
    for (int i = 0; i < ABUT_FINDING_KINDS; ++i) {
        abut_finding *finding = &check->all[i];
        if (finding->count > 0 || !finding->is_complete) {
            finding->is_note |= finding->count == 0; // nothing found, but the search ended early
            check->found[check->found_count++] = *finding;
        }
    }
    int e = surface->exponent;
    abut_vec3 low = surface->bounds.lower, high = surface->bounds.upper;
    check->tolerance = ldexp(surface->tolerance, e);
    check->bounds.lower = abut_vec3_make(ldexp(low.x, e), ldexp(low.y, e), ldexp(low.z, e));
    check->bounds.upper = abut_vec3_make(ldexp(high.x, e), ldexp(high.y, e), ldexp(high.z, e));
}

abut_status abut_check_create(const abut_context *context, const abut_mesh_def *def,
                              const abut_check_params *params, abut_check **check, abut_error *error)
{
    if (check == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "check: `check` is NULL");
    }
    *check = NULL;
    abut_mesh_def read_def;
    abut_check_params read_params;
    abut_status status = abut_check_read_arguments(def, params, &read_def, &read_params, error);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_context own = abut_context_or_default(context);
    abut_check *made = abut_allocate(&own, 1, sizeof *made);
    if (made == NULL) {
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    abut_surface surface;
    abut_mesh *mesh = NULL;
    if (abut_findings_init(made, &own, read_params.element_limit)) {
        status = run(made, &read_def, &read_params, &surface, &mesh, error);
        finish(made, &surface);
        abut_surface_release(&surface);
        abut_mesh_destroy(mesh);
    } else {
        status = abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    if (status != ABUT_OK) {
        abut_check_destroy(made);
        return status;
    }
    *check = made;
    return ABUT_OK;
}
