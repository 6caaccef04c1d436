// SPDX-License-Identifier: MIT
// model.h: a B-rep with what the analysis of regions needs
#ifndef ABUT_REGION_MODEL_H
#define ABUT_REGION_MODEL_H

#include "region/cone.h"
#include "region/touch_model.h"

#include <abut/brep.h>

/// The B-rep of a shape, in the frame of the mesh. What a query finds out about it stays with the query.
typedef struct abut_region_model {
    abut_context context;
    const abut_mesh *mesh;
    abut_mesh_elements elements;
    abut_mesh_topology topology;
    abut_brep_elements brep;
    /// By triangle: bits 0-2 are set for corners, bits 3-5 for edges of the B-rep that the triangle owns. The first
    /// triangle of a corner or edge owns it, so each is tested once.
    unsigned char *owned;
    abut_touch_model *touch;       ///< NULL if the triangles are the elements of a search
    unsigned char *is_convex_face; ///< by face: it has one outline, and that is convex
    int *vertex_parts;             ///< by vertex: the connected part of the surface that it is on
    int *part_vertices;            ///< by part: its lowest vertex
    int part_count;
} abut_region_model;

/// Needs a B-rep of a closed mesh; both must outlive the model.
abut_status abut_region_model_create(const abut_context *context, const abut_mesh *mesh, const abut_brep *brep,
                                     abut_region_model **model, abut_error *error);
void abut_region_model_destroy(abut_region_model *model);

/// The kinds of entities of a B-rep; the value is the dimension.
typedef enum abut_entity_kind {
    ABUT_ENTITY_VERTEX = 0,
    ABUT_ENTITY_EDGE = 1,
    ABUT_ENTITY_FACE = 2
} abut_entity_kind;

typedef struct abut_entity {
    abut_entity_kind kind;
    int index; ///< in the B-rep
} abut_entity;

/// The solid near a point of an entity, in the mesh's frame turned by `rotation` (local_solid.c). Returns 0 if memory
/// ran out.
int abut_region_local_solid(const abut_region_model *model, abut_entity entity, abut_mat3 rotation,
                            abut_arena *arena, abut_local_solid *solid);

/// Whether the solid near a point of an entity is in the half-space of that point to which n points, within `angle`. n
/// is in the mesh's frame.
int abut_region_is_beyond(const abut_region_model *model, abut_entity entity, abut_vec3 n, double angle);

/// The position of a vertex of the B-rep, in the mesh's frame.
static inline abut_vec3 abut_region_vertex(const abut_region_model *model, int vertex)
{
    return model->elements.vertices[model->brep.vertices[vertex].source_vertex];
}

/// The connected part of the surface that an entity is on; -1 for a face without a border.
int abut_region_part(const abut_region_model *model, abut_entity entity);

/// The face to the left of an edge that leaves a vertex, seen from outside.
static inline int abut_region_left_face(const abut_region_model *model, int edge, int vertex)
{
    const abut_brep_edge *e = &model->brep.edges[edge];
    return e->vertices[0] == vertex ? e->faces[0] : e->faces[1];
}

/// The number of faces at an entity, and each of them.
static inline int abut_region_face_count(const abut_region_model *model, abut_entity entity)
{
    return entity.kind == ABUT_ENTITY_VERTEX ? model->brep.vertices[entity.index].cycle_count
           : entity.kind == ABUT_ENTITY_EDGE ? 2
                                             : 1;
}

static inline int abut_region_face(const abut_region_model *model, abut_entity entity, int which)
{
    const abut_brep_elements *brep = &model->brep;
    if (entity.kind == ABUT_ENTITY_VERTEX) {
        int edge = brep->vertex_cycles[brep->vertices[entity.index].cycle_begin + which];
        return abut_region_left_face(model, edge, entity.index);
    }
    return entity.kind == ABUT_ENTITY_EDGE ? brep->edges[entity.index].faces[which] : entity.index;
}

#endif
