// SPDX-License-Identifier: MIT
// model.c: the solid near each vertex of a B-rep as a union of convex cones
//
// A vertex whose edges are all convex is one convex cone. A vertex whose edges are all reflex is the union of the
// half-spaces of its faces. For other vertices, and if the surface meets itself in the vertex, the planes of the faces
// cut the directions into cells, each inside or outside the solid. Each inner cell is an intersection of half-spaces
// of faces. Faces are left out of the intersection one by one as long as it stays within the solid. So the pieces are
// bounded by planes of faces only, and are as large as possible. With many faces there are too many cells. Then, if
// some direction sees all faces from inside, it makes a piece with each of them. If there is none, the vertex counts
// as convex and is marked as coarse.
#include "region/model.h"

#include "base/context.h"
#include "base/error.h"

#include <string.h>

enum { FACE_LIMIT = 24, CELL_LIMIT = 1024, KERNEL_ROUNDS = 256 };
static const double pi = 3.14159265358979323846;
static const double plane_angle = 1e-9; ///< sine below which a direction lies in a plane
static const double cell_step = 1e-4;   ///< longest step from a corner of a cell into it, for a unit corner
static const double kernel_sine = 1e-6; ///< least sine of the angle between a kernel direction and a face
static const double kernel_step =
    1e-3; ///< how far beyond a face's plane a direction is moved in search of the kernel
static const double wide_sector = 3.0; ///< radians, a little below pi: wider sectors are halved to stay convex

/// One face sector at a vertex, between two edges.
typedef struct sector {
    abut_vec3 from, to; ///< unit, along the edges
    abut_vec3 normal;
    double angle; ///< from `from` to `to`, counter-clockwise about the normal
    int before;   ///< the sector that ends where this one begins
} sector;

typedef struct fan {
    sector *sectors;
    int count;
    abut_vec3 *normals; ///< of the different faces
    int normal_count;
    int convex_count, reflex_count;
    int cycle_count; ///< closed rings of sectors: more than one if the surface meets itself
} fan;

typedef struct cell {
    uint32_t faces; ///< bit i: the cell is in the half-space of face i
    int is_inside;
} cell;

static double angle_about(abut_vec3 normal, abut_vec3 from, abut_vec3 v)
{
    double angle = atan2(abut_dot(abut_cross(from, v), normal), abut_dot(from, v));
    return angle < 0.0 ? angle + 2.0 * pi : angle;
}

static abut_vec3 edge_direction(const abut_region_model *model, int edge, int vertex)
{
    const abut_brep_edge *e = &model->brep.edges[edge];
    int other = e->vertices[0] == vertex ? e->vertices[1] : e->vertices[0];
    return abut_unit(abut_sub(abut_region_vertex(model, other), abut_region_vertex(model, vertex)));
}

/// Whether edge `next` follows `edge` about a vertex: the face to the left of `edge` is to the right of `next`.
static int follows(const abut_region_model *model, int edge, int next, int vertex)
{
    const abut_brep_edge *e = &model->brep.edges[next];
    int right = e->vertices[0] == vertex ? e->faces[1] : e->faces[0];
    return right == abut_region_left_face(model, edge, vertex);
}

static void add_normal(fan *f, abut_vec3 normal)
{
    for (int k = 0; k < f->normal_count; ++k) {
        if (abut_norm(abut_sub(f->normals[k], normal)) <= plane_angle) {
            return;
        }
    }
    f->normals[f->normal_count++] = normal;
}

/// The sectors of a vertex. Returns 0 if memory ran out.
static int make_fan(const abut_region_model *model, int vertex, abut_arena *arena, fan *made)
{
    const abut_brep_vertex *v = &model->brep.vertices[vertex];
    const int *edges = model->brep.vertex_cycles + v->cycle_begin;
    int count = v->cycle_count, first = 0;
    made->count = count;
    made->normal_count = made->convex_count = made->reflex_count = made->cycle_count = 0;
    made->sectors = abut_arena_take(arena, (size_t)count * sizeof *made->sectors);
    made->normals = abut_arena_take(arena, (size_t)count * sizeof *made->normals);
    if (made->sectors == NULL || made->normals == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        int is_last = i + 1 == count || !follows(model, edges[i], edges[i + 1], vertex);
        int next = edges[is_last ? first : i + 1];
        abut_vec3 normal = model->brep.faces[abut_region_left_face(model, edges[i], vertex)].normal;
        sector s = {edge_direction(model, edges[i], vertex), edge_direction(model, next, vertex), normal, 0.0,
                    i - 1};
        s.angle = angle_about(normal, s.from, s.to);
        made->sectors[i] = s;
        made->convex_count += model->brep.edges[edges[i]].kind == ABUT_EDGE_CONVEX;
        made->reflex_count += model->brep.edges[edges[i]].kind == ABUT_EDGE_REFLEX;
        add_normal(made, normal);
        if (is_last) {
            made->sectors[first].before = i;
            first = i + 1;
            ++made->cycle_count;
        }
    }
    return 1;
}

/// Whether a direction points into the solid: by the angle-weighted normal at the nearest point of the fan (Baerentzen
/// and Aanaes 2005).
static int points_inside(const fan *f, abut_vec3 w)
{
    double best = HUGE_VAL, side = 0.0;
    abut_vec3 apex_normal = {0.0, 0.0, 0.0};
    for (int i = 0; i < f->count; ++i) {
        const sector *s = &f->sectors[i];
        const sector *before = &f->sectors[s->before];
        double height = abut_dot(s->normal, w);
        abut_vec3 foot = abut_add_scaled(w, -height, s->normal);
        if (angle_about(s->normal, s->from, foot) <= s->angle && fabs(height) < best) {
            best = fabs(height);
            side = height;
        }
        double along = abut_dot(s->from, w);
        double distance = abut_norm(abut_add_scaled(w, -along, s->from));
        if (along > 0.0 && distance < best) {
            best = distance;
            side = abut_dot(w, abut_add(s->normal, before->normal));
        }
        apex_normal = abut_add_scaled(apex_normal, s->angle, s->normal);
    }
    return (abut_norm(w) < best ? abut_dot(w, apex_normal) : side) < 0.0;
}

static int add_cell(const fan *f, abut_vec3 w, cell *cells, int count)
{
    cell c = {0, 0};
    for (int i = 0; i < f->normal_count; ++i) {
        c.faces |= (uint32_t)(abut_dot(f->normals[i], w) < 0.0) << i;
    }
    for (int i = 0; i < count; ++i) {
        if (cells[i].faces == c.faces) {
            return count;
        }
    }
    if (count < CELL_LIMIT) {
        c.is_inside = points_inside(f, w);
        cells[count++] = c;
    }
    return count;
}

/// A step from a corner along a direction at right angles that stays in the cell: at most half the way to the first
/// plane that does not go through the corner.
static double step_into_cell(const fan *f, abut_vec3 corner, abut_vec3 direction)
{
    double step = cell_step;
    for (int i = 0; i < f->normal_count; ++i) {
        double height = abut_dot(f->normals[i], corner), slope = abut_dot(f->normals[i], direction);
        if (fabs(height) > plane_angle && height * slope < 0.0) {
            step = fmin(step, 0.5 * fabs(height / slope));
        }
    }
    return step;
}

/// Adds the cells that meet at a corner: those between two neighbouring planes through it.
static int add_cells_at(const fan *f, abut_vec3 corner, cell *cells, int count)
{
    abut_vec3 u = abut_any_perpendicular(corner), w = abut_cross(corner, u);
    double angles[2 * FACE_LIMIT];
    int angle_count = 0;
    for (int i = 0; i < f->normal_count; ++i) {
        if (fabs(abut_dot(f->normals[i], corner)) <= plane_angle) {
            abut_vec3 line = abut_cross(f->normals[i], corner);
            double angle = atan2(abut_dot(line, w), abut_dot(line, u));
            angles[angle_count++] = angle;
            angles[angle_count++] = angle > 0.0 ? angle - pi : angle + pi;
        }
    }
    for (int i = 1; i < angle_count; ++i) {
        for (int k = i; k > 0 && angles[k] < angles[k - 1]; --k) {
            double swapped = angles[k];
            angles[k] = angles[k - 1];
            angles[k - 1] = swapped;
        }
    }
    for (int i = 0; i < angle_count; ++i) {
        double next = i + 1 < angle_count ? angles[i + 1] : angles[0] + 2.0 * pi;
        if (next - angles[i] <= plane_angle) {
            continue; // two faces in one plane, with opposite normals: what is between them is rounding
        }
        double middle = 0.5 * (angles[i] + next);
        abut_vec3 step = abut_add(abut_scale(cos(middle), u), abut_scale(sin(middle), w));
        count = add_cell(f, abut_add_scaled(corner, step_into_cell(f, corner, step), step), cells, count);
    }
    return count;
}

static int find_cells(const fan *f, cell *cells)
{
    int count = 0;
    for (int i = 0; i < f->normal_count; ++i) {
        for (int k = 0; k < i; ++k) {
            abut_vec3 line = abut_cross(f->normals[i], f->normals[k]), corner = abut_unit(line);
            if (abut_norm(line) > plane_angle) { // otherwise one plane, and the direction is rounding
                count = add_cells_at(f, corner, cells, count);
                count = add_cells_at(f, abut_negate(corner), cells, count);
            }
        }
    }
    return count;
}

/// Whether the intersection of the half-spaces of these faces is within the solid.
static int is_within_solid(uint32_t faces, const cell *cells, int count)
{
    for (int i = 0; i < count; ++i) {
        if ((cells[i].faces & faces) == faces && !cells[i].is_inside) {
            return 0;
        }
    }
    return 1;
}

/// The sets of faces whose half-spaces intersect in pieces of the solid; returns how many.
static int find_pieces(const fan *f, const cell *cells, int count, uint32_t *pieces)
{
    int found = 0;
    for (int i = 0; i < count; ++i) {
        if (!cells[i].is_inside) {
            continue;
        }
        uint32_t faces = cells[i].faces;
        for (int k = 0; k < f->normal_count; ++k) {
            uint32_t fewer = faces & ~((uint32_t)1 << k);
            if (fewer != faces && is_within_solid(fewer, cells, count)) {
                faces = fewer;
            }
        }
        int is_new = 1;
        for (int k = 0; k < found; ++k) {
            is_new &= (pieces[k] & faces) != pieces[k];
        }
        if (is_new) {
            pieces[found++] = faces;
        }
    }
    return found;
}

typedef struct piece_list {
    abut_directions *items;
    int count, capacity;
} piece_list;

static int add_piece(abut_region_model *model, piece_list *list, abut_directions piece)
{
    if (!abut_grow(&model->context, &list->items, &list->capacity, list->count + 1, sizeof *list->items)) {
        return 0;
    }
    list->items[list->count++] = piece;
    return 1;
}

/// Adds the intersection of the half-spaces of some faces.
static int add_piece_of_faces(abut_region_model *model, piece_list *list, const fan *f, uint32_t faces)
{
    abut_vec3 inward[FACE_LIMIT];
    int count = 0;
    for (int i = 0; i < f->normal_count; ++i) {
        if ((faces >> i & 1u) != 0) {
            inward[count++] = abut_negate(f->normals[i]);
        }
    }
    abut_directions constraints = {inward, count}, rays;
    return abut_cone_rays(&model->arena, constraints, plane_angle, &rays) && add_piece(model, list, rays);
}

/// One convex cone along the edges.
static int add_convex_piece(abut_region_model *model, piece_list *list, const fan *f)
{
    abut_vec3 *rays = abut_arena_take(&model->arena, (size_t)f->count * sizeof *rays);
    if (rays == NULL) {
        return 0;
    }
    for (int i = 0; i < f->count; ++i) {
        rays[i] = f->sectors[i].from;
    }
    abut_directions piece = {rays, f->count};
    return add_piece(model, list, piece);
}

/// Adds the half-space below a face, or the intersection of two.
static int add_half_spaces(abut_region_model *model, piece_list *list, abut_vec3 normal, const abut_vec3 *other)
{
    abut_vec3 inward[2] = {abut_negate(normal), other != NULL ? abut_negate(*other) : normal};
    abut_directions constraints = {inward, other != NULL ? 2 : 1}, rays;
    return abut_cone_rays(&model->arena, constraints, plane_angle, &rays) && add_piece(model, list, rays);
}

/// Looks for a direction that is on the inner side of all faces of a fan. Returns 0 if it found none.
static int find_kernel(const fan *f, abut_vec3 *inner)
{
    abut_vec3 c = {0.0, 0.0, 0.0};
    for (int i = 0; i < f->count; ++i) {
        c = abut_add_scaled(c, -f->sectors[i].angle, f->sectors[i].normal);
    }
    for (int round = 0; round < KERNEL_ROUNDS; ++round) {
        c = abut_unit(c);
        int worst = 0;
        for (int i = 1; i < f->normal_count; ++i) {
            worst = abut_dot(f->normals[i], c) > abut_dot(f->normals[worst], c) ? i : worst;
        }
        double sine = abut_dot(f->normals[worst], c);
        if (sine < -kernel_sine && abut_norm_squared(c) > 0.0) {
            *inner = c;
            return 1;
        }
        // to the inner side of the worst face
        c = abut_add_scaled(c, -sine - kernel_step, f->normals[worst]);
    }
    return 0;
}

/// Adds the cone of an inner direction and a part of a sector.
static int add_triangular_piece(abut_region_model *model, piece_list *list, abut_vec3 inner, abut_vec3 from,
                                abut_vec3 to)
{
    abut_vec3 *rays = abut_arena_take(&model->arena, 3 * sizeof *rays);
    if (rays == NULL) {
        return 0;
    }
    rays[0] = inner;
    rays[1] = from;
    rays[2] = to;
    abut_directions piece = {rays, 3};
    return add_piece(model, list, piece);
}

static int add_star_pieces(abut_region_model *model, piece_list *list, const fan *f, abut_vec3 inner)
{
    for (int i = 0; i < f->count; ++i) {
        const sector *s = &f->sectors[i];
        abut_vec3 across = abut_cross(s->normal, s->from);
        abut_vec3 middle =
            abut_add(abut_scale(cos(0.5 * s->angle), s->from), abut_scale(sin(0.5 * s->angle), across));
        int is_wide = s->angle > wide_sector;
        if (!add_triangular_piece(model, list, inner, s->from, is_wide ? middle : s->to) ||
            (is_wide && !add_triangular_piece(model, list, inner, middle, s->to))) {
            return 0;
        }
    }
    return 1;
}

/// Adds the pieces of a vertex with convex and reflex edges, by cells.
static int add_pieces_of_cells(abut_region_model *model, piece_list *list, abut_arena *scratch, const fan *f)
{
    cell *cells = abut_arena_take(scratch, CELL_LIMIT * sizeof *cells);
    uint32_t *pieces = abut_arena_take(scratch, CELL_LIMIT * sizeof *pieces);
    if (cells == NULL || pieces == NULL) {
        return 0;
    }
    int piece_count = find_pieces(f, cells, find_cells(f, cells), pieces);
    for (int i = 0; i < piece_count; ++i) {
        if (!add_piece_of_faces(model, list, f, pieces[i])) {
            return 0;
        }
    }
    return 1;
}

static int add_vertex(abut_region_model *model, piece_list *list, abut_arena *scratch, int vertex)
{
    fan f;
    abut_vec3 inner;
    if (!make_fan(model, vertex, scratch, &f)) {
        return 0;
    }
    if (f.cycle_count == 1 && f.reflex_count == 0) {
        return add_convex_piece(model, list, &f);
    }
    if (f.cycle_count == 1 && f.convex_count == 0) {
        int is_done = 1;
        for (int i = 0; is_done && i < f.normal_count; ++i) {
            is_done = add_half_spaces(model, list, f.normals[i], NULL);
        }
        return is_done;
    }
    if (f.normal_count <= FACE_LIMIT) {
        return add_pieces_of_cells(model, list, scratch, &f);
    }
    if (f.cycle_count == 1 && find_kernel(&f, &inner)) {
        return add_star_pieces(model, list, &f, inner);
    }
    model->is_coarse_vertex[vertex] = 1;
    return add_convex_piece(model, list, &f);
}

static int add_edge(abut_region_model *model, piece_list *list, int edge)
{
    const abut_brep_edge *e = &model->brep.edges[edge];
    abut_vec3 left = model->brep.faces[e->faces[0]].normal, right = model->brep.faces[e->faces[1]].normal;
    if (e->kind == ABUT_EDGE_REFLEX) {
        return add_half_spaces(model, list, left, NULL) && add_half_spaces(model, list, right, NULL);
    }
    return add_half_spaces(model, list, left, &right);
}

static int add_entity(abut_region_model *model, piece_list *list, abut_arena *scratch, abut_entity entity)
{
    switch (entity.kind) {
    case ABUT_ENTITY_VERTEX: abut_arena_reset(scratch); return add_vertex(model, list, scratch, entity.index);
    case ABUT_ENTITY_EDGE: return add_edge(model, list, entity.index);
    case ABUT_ENTITY_FACE: break;
    }
    return add_half_spaces(model, list, model->brep.faces[entity.index].normal, NULL);
}

static abut_status find_pieces_of_all(abut_region_model *model)
{
    const int counts[3] = {model->brep.vertex_count, model->brep.edge_count, model->brep.face_count};
    piece_list list = {0};
    abut_arena scratch;
    abut_arena_init(&scratch, &model->context);
    model->is_coarse_vertex = abut_allocate_zeroed(&model->context, (size_t)counts[0], 1);
    int is_done = model->is_coarse_vertex != NULL;
    for (int kind = 0; is_done && kind < 3; ++kind) {
        model->piece_begin[kind] = abut_allocate(&model->context, (size_t)counts[kind] + 1, sizeof(int));
        is_done = model->piece_begin[kind] != NULL;
        for (int i = 0; is_done && i < counts[kind]; ++i) {
            abut_entity entity = {(abut_entity_kind)kind, i};
            model->piece_begin[kind][i] = list.count;
            is_done = add_entity(model, &list, &scratch, entity);
        }
        if (is_done) {
            model->piece_begin[kind][counts[kind]] = list.count;
        }
    }
    model->pieces = list.items;
    abut_arena_release(&scratch);
    return is_done ? ABUT_OK : ABUT_NO_MEMORY;
}

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
    model->part_vertices = abut_allocate(&model->context, (size_t)brep->vertex_count, sizeof *parts);
    if (parts == NULL || model->part_vertices == NULL) {
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
    for (int i = 0; i < brep->vertex_count; ++i) {
        parts[i] = lowest_of(parts, i);
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
    abut_arena_init(&made->arena, &kept);
    if (find_owned(made) != ABUT_OK || find_parts(made) != ABUT_OK || find_convex_faces(made) != ABUT_OK ||
        find_pieces_of_all(made) != ABUT_OK ||
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
        abut_arena_release(&model->arena);
        abut_touch_model_destroy(model->touch);
        abut_free(&context, model->owned);
        abut_free(&context, model->vertex_parts);
        abut_free(&context, model->part_vertices);
        abut_free(&context, model->is_convex_face);
        abut_free(&context, model->is_coarse_vertex);
        for (int kind = 0; kind < 3; ++kind) {
            abut_free(&context, model->piece_begin[kind]);
        }
        abut_free(&context, model->pieces);
        abut_free(&context, model);
    }
}

int abut_region_is_beyond(const abut_region_model *model, abut_entity entity, abut_vec3 n, double angle)
{
    const int *begin = model->piece_begin[entity.kind] + entity.index;
    for (int i = begin[0]; i < begin[1]; ++i) {
        for (int k = 0; k < model->pieces[i].count; ++k) {
            if (abut_dot(n, model->pieces[i].items[k]) < -angle) {
                return 0;
            }
        }
    }
    return 1;
}

static int turn(abut_directions from, abut_mat3 rotation, abut_arena *arena, abut_directions *to)
{
    abut_vec3 *items = abut_arena_take(arena, (size_t)from.count * sizeof *items);
    if (items == NULL) {
        return 0;
    }
    for (int i = 0; i < from.count; ++i) {
        items[i] = abut_mat3_apply(rotation, from.items[i]);
    }
    to->items = items;
    to->count = from.count;
    return 1;
}

int abut_region_local_solid(const abut_region_model *model, abut_entity entity, abut_mat3 rotation,
                            abut_arena *arena, abut_local_solid *solid)
{
    const int *begin = model->piece_begin[entity.kind] + entity.index;
    solid->count = begin[1] - begin[0];
    solid->is_coarse = entity.kind == ABUT_ENTITY_VERTEX && model->is_coarse_vertex[entity.index];
    abut_directions *pieces = abut_arena_take(arena, (size_t)solid->count * sizeof *pieces);
    if (pieces == NULL) {
        return 0;
    }
    for (int i = 0; i < solid->count; ++i) {
        if (!turn(model->pieces[begin[0] + i], rotation, arena, &pieces[i])) {
            return 0;
        }
    }
    solid->pieces = pieces;
    return 1;
}
