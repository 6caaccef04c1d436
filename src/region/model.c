// SPDX-License-Identifier: MIT
// model.c: a B-rep with what the search for touching parts needs
#include "region/model.h"

#include "base/context.h"
#include "base/error.h"

/// Whether the outline of a face turns left at every corner.
static int is_convex(const abut_region_model *model, int face)
{
    const abut_brep_face *f = &model->brep.faces[face];
    if (f->loop_count != 1) {
        return 0;
    }
    const abut_brep_loop *loop = &model->brep.loops[f->loop_begin];
    for (int i = 0; i < loop->coedge_count; ++i) {
        abut_vec3 along[2];
        for (int k = 0; k < 2; ++k) {
            const abut_brep_coedge *c = &model->brep.coedges[loop->coedge_begin + (i + k) % loop->coedge_count];
            const int *ends = model->brep.edges[c->edge].vertices;
            abut_vec3 from = abut_region_vertex(model, ends[c->is_reversed]);
            along[k] = abut_sub(abut_region_vertex(model, ends[1 - c->is_reversed]), from);
        }
        if (abut_dot(abut_cross(along[0], along[1]), f->normal) <= 0.0) {
            return 0;
        }
    }
    return 1;
}

static abut_status find_convex_faces(abut_region_model *model)
{
    model->is_convex_face = abut_allocate(&model->context, (size_t)model->brep.face_count, 1);
    for (int i = 0; model->is_convex_face != NULL && i < model->brep.face_count; ++i) {
        model->is_convex_face[i] = (unsigned char)is_convex(model, i);
    }
    return model->is_convex_face != NULL ? ABUT_OK : ABUT_NO_MEMORY;
}

static abut_status find_owned(abut_region_model *model)
{
    model->owned = abut_allocate_zeroed(&model->context, (size_t)model->elements.triangle_count, 1);
    if (model->owned == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < model->elements.triangle_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int vertex = model->elements.triangles[3 * (size_t)i + (size_t)k];
            int edge = model->topology.triangle_edges[3 * (size_t)i + (size_t)k];
            int stands_for_vertex =
                model->brep.mesh_vertex_vertices[vertex] >= 0 &&
                model->topology.vertex_triangles[model->topology.vertex_triangle_offsets[vertex]] == i;
            int stands_for_edge = model->brep.mesh_edge_edges[edge] >= 0 &&
                                  model->topology.edge_triangles[model->topology.edge_triangle_offsets[edge]] == i;
            model->owned[i] |= (unsigned char)(stands_for_vertex << k | stands_for_edge << (3 + k));
        }
    }
    return ABUT_OK;
}

/// The lowest vertex of the set of a vertex (union-find with path halving).
static int lowest_of(int *lowest, int vertex)
{
    while (lowest[vertex] != vertex) {
        lowest[vertex] = lowest[lowest[vertex]];
        vertex = lowest[vertex];
    }
    return vertex;
}

static void join(int *lowest, int a, int b)
{
    int x = lowest_of(lowest, a), y = lowest_of(lowest, b);
    lowest[x > y ? x : y] = x > y ? y : x;
}

/// Finds the connected parts: edges join their ends, and faces join their outlines.
static abut_status find_parts(abut_region_model *model)
{
    const abut_brep_elements *brep = &model->brep;
    int *parts = abut_allocate(&model->context, (size_t)brep->vertex_count, sizeof *parts);
    model->vertex_parts = parts;
    if (parts == NULL) {
        return ABUT_NO_MEMORY;
    }
    for (int i = 0; i < brep->vertex_count; ++i) {
        parts[i] = i;
    }
    for (int i = 0; i < brep->edge_count; ++i) {
        join(parts, brep->edges[i].vertices[0], brep->edges[i].vertices[1]);
    }
    for (int i = 0; i < brep->face_count; ++i) {
        const abut_brep_loop *loops = brep->loops + brep->faces[i].loop_begin;
        for (int k = 1; k < brep->faces[i].loop_count; ++k) {
            int first = brep->coedges[loops[0].coedge_begin].edge,
                other = brep->coedges[loops[k].coedge_begin].edge;
            join(parts, brep->edges[first].vertices[0], brep->edges[other].vertices[0]);
        }
    }
    int count = 0;
    for (int i = 0; i < brep->vertex_count; ++i) {
        parts[i] = lowest_of(parts, i);
        count += parts[i] == i;
    }
    model->part_vertices = abut_allocate(&model->context, (size_t)count, sizeof *parts);
    if (model->part_vertices == NULL) {
        return ABUT_NO_MEMORY;
    }
    model->part_count = 0;
    for (int i = 0; i < brep->vertex_count; ++i) {
        if (parts[i] == i) {
            model->part_vertices[model->part_count] = i;
            parts[i] = model->part_count++;
        } else {
            parts[i] = parts[parts[i]]; // the lowest vertex of a part already holds its number
        }
    }
    return ABUT_OK;
}

int abut_region_part(const abut_region_model *model, abut_entity entity)
{
    const abut_brep_elements *brep = &model->brep;
    int vertex = entity.index;
    switch (entity.kind) {
    case ABUT_ENTITY_VERTEX: break;
    case ABUT_ENTITY_EDGE: vertex = brep->edges[entity.index].vertices[0]; break;
    case ABUT_ENTITY_FACE: {
        if (brep->faces[entity.index].loop_count == 0) {
            return -1;
        }
        const abut_brep_loop *loop = &brep->loops[brep->faces[entity.index].loop_begin];
        vertex = brep->edges[brep->coedges[loop->coedge_begin].edge].vertices[0];
        break;
    }
    }
    return model->vertex_parts[vertex];
}

abut_status abut_region_model_create(const abut_context *context, const abut_mesh *mesh, const abut_brep *brep,
                                     abut_region_model **model, abut_error *error)
{
    abut_context kept = abut_context_or_default(context);
    abut_region_model *made = abut_allocate_zeroed(&kept, 1, sizeof *made);
    if (made == NULL) {
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to prepare a shape for contact regions");
    }
    made->context = kept;
    made->mesh = mesh;
    made->elements = abut_mesh_get_elements(mesh);
    made->topology = abut_mesh_get_topology(mesh);
    made->brep = abut_brep_get_elements(brep);
    if (find_owned(made) != ABUT_OK || find_parts(made) != ABUT_OK || find_convex_faces(made) != ABUT_OK ||
        abut_touch_model_create(&kept, &made->elements, &made->topology, &made->brep, &made->touch) != ABUT_OK) {
        abut_region_model_destroy(made);
        return abut_fail(error, ABUT_NO_MEMORY, "no memory to prepare a shape for contact regions");
    }
    *model = made;
    return ABUT_OK;
}

void abut_region_model_destroy(abut_region_model *model)
{
    if (model != NULL) {
        abut_context context = model->context;
        abut_touch_model_destroy(model->touch);
        abut_free(&context, model->owned);
        abut_free(&context, model->vertex_parts);
        abut_free(&context, model->part_vertices);
        abut_free(&context, model->is_convex_face);
        abut_free(&context, model);
    }
}
