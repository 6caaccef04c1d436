// SPDX-License-Identifier: MIT
// repair.c: welds vertices, drops elements, cuts at T-junctions, orients faces, fills holes, renumbers the vertices, and
// splits seams
#include "base/context.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/arguments.h"
#include "check/holes.h"
#include "check/junctions.h"
#include "check/seams.h"
#include "check/shells.h"

#include <string.h>

// Cutting can create degenerate or duplicate faces, and dropping these can create new junctions. In practice two
// rounds are enough.
enum { ROUNDS = 16 };

// One round: builds the mesh and cuts it at its T-junctions. Sets `is_done` if there are none.
static abut_status cut_once(abut_surface *surface, int *is_done, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    abut_mesh *mesh = NULL;
    abut_tree *tree = NULL;
    abut_junctions junctions;
    memset(&junctions, 0, sizeof junctions);
    junctions.context = *context;
    abut_status status = abut_surface_build(surface, &mesh, error);
    *is_done = status == ABUT_OK && abut_mesh_get_info(mesh).boundary_edge_count == 0;
    if (status == ABUT_OK && !*is_done) {
        status = abut_tree_create(context, mesh, ABUT_ELEMENT_TRIANGLE, &tree, error);
    }
    if (status == ABUT_OK && !*is_done) {
        status = abut_junctions_find(&junctions, context, mesh, tree, surface->tolerance, error);
        *is_done = junctions.count == 0;
    }
    if (status == ABUT_OK && !*is_done) {
        status = abut_junctions_split(&junctions, mesh, surface, error);
    }
    abut_junctions_release(&junctions);
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    return status;
}

static void turn_face(int *corners, int count)
{
    for (int low = 1, high = count - 1; low < high; ++low, --high) {
        int kept = corners[low];
        corners[low] = corners[high];
        corners[high] = kept;
    }
}

static void turn_faces(abut_surface *surface, const abut_mesh *mesh, const abut_shells *shells)
{
    abut_mesh_elements elements = abut_mesh_get_elements(mesh);
    int last = -1;
    for (int i = 0; i < elements.triangle_count; ++i) {
        int face = elements.triangle_faces[i];
        const abut_shell *shell = &shells->shells[shells->triangle_shells[i]];
        if (face != last && shells->is_turned[i] != abut_shell_is_inside_out(shell)) {
            int begin = elements.face_offsets[face];
            turn_face(surface->parts.face_vertices.items + begin, elements.face_offsets[face + 1] - begin);
            ++surface->counts.faces_turned;
        }
        last = face;
    }
}

static abut_status orient(abut_surface *surface, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    abut_mesh *mesh = NULL;
    abut_tree *tree = NULL;
    abut_shells shells;
    memset(&shells, 0, sizeof shells);
    shells.context = *context;
    abut_status status = abut_surface_build(surface, &mesh, error);
    if (status == ABUT_OK && abut_shells_find(&shells, context, mesh) != ABUT_OK) {
        status = abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    if (status == ABUT_OK && shells.count > 1) {
        status = abut_tree_create(context, mesh, ABUT_ELEMENT_TRIANGLE, &tree, error);
    }
    if (status == ABUT_OK && tree != NULL) {
        status = abut_shells_nest(&shells, mesh, tree, error);
    }
    if (status == ABUT_OK) {
        turn_faces(surface, mesh, &shells);
    }
    abut_tree_destroy(tree);
    abut_mesh_destroy(mesh);
    abut_shells_release(&shells);
    return status;
}

static abut_status cut(abut_surface *surface, abut_error *error)
{
    int changed, is_done = 0;
    abut_status status = ABUT_OK;
    for (int i = 0; i < ROUNDS && status == ABUT_OK && !is_done; ++i) {
        status = cut_once(surface, &is_done, error);
        if (status == ABUT_OK && !is_done) {
            status = abut_surface_drop(surface, NULL, &changed, error);
        }
    }
    return status;
}

static abut_status clean(abut_surface *surface, double hole, abut_error *error)
{
    int changed;
    abut_status status = abut_surface_weld(surface, NULL, error);
    if (status == ABUT_OK) {
        status = abut_surface_drop(surface, NULL, &changed, error);
    }
    if (surface->parts.tets.count > 0) {
        return status;
    }
    for (int i = 0; i < ROUNDS && status == ABUT_OK; ++i) {
        int turned_before = surface->counts.faces_turned;
        status = cut(surface, error);
        if (status == ABUT_OK) {
            status = orient(surface, error);
        }
        // A reversed polygon is cut into different triangles. Where faces overlap, these may have other neighbours,
        // so repeat.
        if (surface->parts.face_offsets.count == 0 || surface->counts.faces_turned == turned_before) {
            break;
        }
    }
    if (status == ABUT_OK) {
        status = abut_holes_fill(surface, abut_holes_perimeter(surface, hole), error);
    }
    if (status == ABUT_OK && surface->counts.holes_filled > 0) {
        status = orient(surface, error); // parts that are closed now have an outside
    }
    return status;
}

// ---------------------------------------------------------------------------------------------------------------
// Renumbering

// Numbers the used vertices in their old order; unused ones get -1. Returns the number of used vertices.
static int number_vertices(const abut_surface *surface, int *numbers)
{
    const abut_parts *parts = &surface->parts;
    const abut_ints *const arrays[] = {&parts->points, &parts->segments, &parts->face_vertices, &parts->tets};
    memset(numbers, 0xff, (size_t)parts->vertex_count * sizeof *numbers);
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; ++i) {
        for (int k = 0; k < arrays[i]->count; ++k) {
            numbers[arrays[i]->items[k]] = 0;
        }
    }
    int count = 0;
    for (int i = 0; i < parts->vertex_count; ++i) {
        numbers[i] = numbers[i] == 0 ? count++ : -1;
    }
    return count;
}

static void rename_vertices(abut_ints *array, const int *numbers)
{
    for (int i = 0; i < array->count; ++i) {
        array->items[i] = numbers[array->items[i]];
    }
}

// Moves the used vertices to the front, with their coordinates from the definition, and renumbers all elements.
static void compact(abut_surface *surface, const abut_mesh_def *def, const int *numbers, int count,
                    abut_remade *remade)
{
    abut_parts *parts = &surface->parts;
    for (int i = 0; i < parts->vertex_count; ++i) {
        if (numbers[i] >= 0) {
            parts->vertices[numbers[i]] = def->vertices[i];
            remade->vertex_sources[numbers[i]] = i;
        }
    }
    surface->counts.vertices_dropped = parts->vertex_count - count - surface->counts.vertices_welded;
    parts->vertex_count = count;
    rename_vertices(&parts->points, numbers);
    rename_vertices(&parts->segments, numbers);
    rename_vertices(&parts->face_vertices, numbers);
    rename_vertices(&parts->tets, numbers);
}

/// Splits the seams of a surface whose vertices are renumbered. Parts that are closed now have an outside.
static abut_status split_seams(abut_surface *surface, int count, abut_remade *remade, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    abut_ints sources = {NULL, 0, 0};
    abut_status status = abut_seams_split(surface, &sources, error);
    if (status == ABUT_OK && sources.count > 0) {
        int *grown = abut_allocate(context, (size_t)count + (size_t)sources.count, sizeof *grown);
        status = grown != NULL ? ABUT_OK : abut_surface_fail(error, ABUT_NO_MEMORY);
        for (int i = 0; grown != NULL && i < count + sources.count; ++i) {
            grown[i] = remade->vertex_sources[i < count ? i : sources.items[i - count]];
        }
        if (grown != NULL) {
            abut_free(context, remade->vertex_sources);
            remade->vertex_sources = grown;
        }
        surface->counts.vertices_added = sources.count;
        status = status == ABUT_OK ? orient(surface, error) : status;
    }
    abut_free(context, sources.items);
    return status;
}

static abut_status finish(abut_surface *surface, const abut_mesh_def *def, abut_remade *remade, abut_error *error)
{
    const abut_context *context = &surface->parts.context;
    int *numbers = abut_allocate(context, (size_t)surface->parts.vertex_count, sizeof(int));
    int count = numbers != NULL ? number_vertices(surface, numbers) : 0;
    remade->vertex_sources = abut_allocate(context, (size_t)count, sizeof(int));
    if (numbers == NULL || remade->vertex_sources == NULL) {
        abut_free(context, numbers);
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    compact(surface, def, numbers, count, remade);
    abut_free(context, numbers);
    abut_status status = surface->parts.tets.count > 0 ? ABUT_OK : split_seams(surface, count, remade, error);
    if (status == ABUT_OK) {
        status = abut_surface_build(surface, &remade->mesh, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    int face_count = abut_mesh_get_elements(remade->mesh).face_count;
    remade->face_sources = abut_allocate(context, (size_t)face_count, sizeof(int));
    if (remade->face_sources == NULL) {
        return abut_surface_fail(error, ABUT_NO_MEMORY);
    }
    for (int i = 0; i < face_count; ++i) {
        remade->face_sources[i] = i < surface->face_sources.count ? surface->face_sources.items[i] : -1;
    }
    remade->counts = surface->counts;
    return ABUT_OK;
}

abut_status abut_repair(const abut_context *context, const abut_mesh_def *def, const abut_check_params *params,
                        abut_remade *remade, abut_error *error)
{
    if (remade == NULL) {
        return abut_fail(error, ABUT_BAD_ARGUMENT, "repair: `remade` is NULL");
    }
    memset(remade, 0, sizeof *remade);
    abut_context kept = abut_context_or_default(context);
    abut_mesh_def read_def;
    abut_check_params read_params;
    abut_status status = abut_check_read_arguments(def, params, &read_def, &read_params, error);
    if (status != ABUT_OK) {
        return status;
    }
    abut_surface surface;
    status = abut_surface_init(&surface, &kept, &read_def, read_params.tolerance, NULL, error);
    if (status == ABUT_OK) {
        status = clean(&surface, read_params.hole, error);
    }
    if (status == ABUT_OK) {
        status = finish(&surface, &read_def, remade, error);
    }
    abut_surface_release(&surface);
    if (status != ABUT_OK) {
        abut_remade_release(context, remade);
    }
    return status;
}

void abut_remade_release(const abut_context *context, abut_remade *remade)
{
    if (remade == NULL) {
        return;
    }
    abut_context kept = abut_context_or_default(context);
    abut_mesh_destroy(remade->mesh);
    abut_free(&kept, remade->vertex_sources);
    abut_free(&kept, remade->face_sources);
    memset(remade, 0, sizeof *remade);
}
