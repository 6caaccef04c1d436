// SPDX-License-Identifier: MIT
// local_solid.c: the solid near a point of a B-rep as a union of convex cones
//
// A face is a half-space, a convex edge the intersection of two, and a reflex edge their union. A vertex whose edges
// are all convex is one convex cone. A vertex whose edges are all reflex is the union of the half-spaces of its faces.
// Other vertices, and those in which the surface meets itself, are taken apart by the planes of their faces
// (fan_pieces.c). With many faces there are too many cells. Then, if some direction sees all faces from inside, it
// makes a piece with each of them. If there is none, the vertex counts as convex and is marked as coarse.
//
// All of this is found when a query asks for it: few vertices of a large mesh ever touch, and what is known about all
// of them would take more memory than the mesh.
#include "region/fan.h"
#include "region/model.h"

enum { KERNEL_ROUNDS = 256 };
static const double kernel_sine = 1e-6; ///< least sine of the angle between a kernel direction and a face
static const double kernel_step =
    1e-3; ///< how far beyond a face's plane a direction is moved in search of the kernel
static const double wide_sector = 3.0; ///< radians, a little below pi: wider sectors are halved to stay convex

// ---- the edges and sectors around a vertex

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

/// Goes around a vertex, sector by sector.
typedef struct sector_walk {
    const abut_region_model *model;
    int vertex;
    const int *edges;
    int count;
    int first; ///< the sector that begins the current ring
} sector_walk;

static sector_walk walk_around(const abut_region_model *model, int vertex)
{
    const abut_brep_vertex *v = &model->brep.vertices[vertex];
    sector_walk walk = {model, vertex, model->brep.vertex_cycles + v->cycle_begin, v->cycle_count, 0};
    return walk;
}

/// Whether sector i closes its ring. More than one ring: the surface meets itself in the vertex.
static int is_last(const sector_walk *walk, int i)
{
    return i + 1 == walk->count || !follows(walk->model, walk->edges[i], walk->edges[i + 1], walk->vertex);
}

static abut_vec3 normal_of(const sector_walk *walk, int i)
{
    return walk->model->brep.faces[abut_region_left_face(walk->model, walk->edges[i], walk->vertex)].normal;
}

/// Sector i; they are taken in order.
static abut_sector next_sector(sector_walk *walk, int i)
{
    int closes = is_last(walk, i);
    int next = walk->edges[closes ? walk->first : i + 1];
    abut_sector s = {.from = edge_direction(walk->model, walk->edges[i], walk->vertex),
                     .to = edge_direction(walk->model, next, walk->vertex),
                     .normal = normal_of(walk, i),
                     .before = i - 1};
    s.angle = abut_angle_about(s.normal, s.from, s.to);
    walk->first = closes ? i + 1 : walk->first;
    return s;
}

/// A direction within a sector, halfway between its edges.
static abut_vec3 middle_of(const abut_sector *s)
{
    abut_vec3 across = abut_cross(s->normal, s->from);
    return abut_add(abut_scale(cos(0.5 * s->angle), s->from), abut_scale(sin(0.5 * s->angle), across));
}

/// Vertices by the kinds of their edges.
typedef enum vertex_kind { VERTEX_CONVEX, VERTEX_REFLEX, VERTEX_MIXED, VERTEX_RINGS } vertex_kind;

static vertex_kind kind_of(const sector_walk *walk)
{
    int convex = 0, reflex = 0, rings = 0;
    for (int i = 0; i < walk->count; ++i) {
        abut_edge_kind kind = walk->model->brep.edges[walk->edges[i]].kind;
        convex += kind == ABUT_EDGE_CONVEX;
        reflex += kind == ABUT_EDGE_REFLEX;
        rings += is_last(walk, i);
    }
    return rings != 1 ? VERTEX_RINGS : reflex == 0 ? VERTEX_CONVEX : convex == 0 ? VERTEX_REFLEX : VERTEX_MIXED;
}

static void add_normal(abut_fan *fan, abut_vec3 normal)
{
    for (int k = 0; k < fan->normal_count; ++k) {
        if (abut_norm_squared(abut_sub(fan->normals[k], normal)) <= abut_plane_angle * abut_plane_angle) {
            return;
        }
    }
    fan->normals[fan->normal_count++] = normal;
}

/// The sectors of a vertex. Returns 0 if memory ran out.
static int make_fan(sector_walk *walk, abut_arena *arena, abut_fan *made)
{
    size_t count = (size_t)walk->count;
    abut_fan fan = {.sectors = abut_arena_take(arena, count * sizeof *fan.sectors),
                    .count = walk->count,
                    .normals = abut_arena_take(arena, count * sizeof *fan.normals)};
    *made = fan;
    if (fan.sectors == NULL || fan.normals == NULL) {
        return 0;
    }
    for (int i = 0; i < walk->count; ++i) {
        int first = walk->first;
        fan.sectors[i] = next_sector(walk, i);
        if (walk->first != first) {
            fan.sectors[first].before = i;
        }
        add_normal(made, fan.sectors[i].normal);
    }
    return 1;
}

// ---- pieces

/// A local solid while it is made.
typedef struct solid_maker {
    const abut_region_model *model;
    abut_mat3 rotation;
    abut_arena *arena;
    abut_arena_list pieces;
    int is_coarse;
} solid_maker;

/// Adds a piece, turned. Returns 0 if memory ran out.
static int add_piece(solid_maker *to, const abut_vec3 *rays, int count)
{
    abut_piece *added = abut_arena_list_add(to->arena, &to->pieces, 1, sizeof *added);
    abut_vec3 *items = abut_arena_take(to->arena, (size_t)count * sizeof *items);
    if (added == NULL || items == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        items[i] = abut_mat3_apply(to->rotation, rays[i]);
    }
    *added = (abut_piece){.rays = {items, count}};
    return 1;
}

/// Adds the half-space below a face.
static int add_half_space(solid_maker *to, abut_vec3 normal)
{
    abut_vec3 inward = abut_negate(normal), u = abut_any_perpendicular(inward), w = abut_cross(inward, u);
    const abut_vec3 rays[5] = {u, abut_negate(u), w, abut_negate(w), inward};
    if (!add_piece(to, rays, 5)) {
        return 0;
    }
    abut_piece *added = (abut_piece *)to->pieces.items + (to->pieces.count - 1);
    added->is_half_space = 1;
    added->normal = abut_mat3_apply(to->rotation, normal);
    return 1;
}

/// The rays of the wedge below two faces, of which the first is to the left of the edge. Returns 0 if the faces are in
/// one plane.
static int wedge_rays(abut_vec3 left, abut_vec3 right, abut_vec3 rays[4])
{
    abut_vec3 cross = abut_cross(left, right);
    double sine = abut_norm(cross);
    if (sine <= abut_plane_angle) {
        return 0;
    }
    abut_vec3 line = abut_scale(1.0 / sine, cross);
    rays[0] = abut_cross(left, line);  // in the left face: right . rays[0] = -sine
    rays[1] = abut_cross(line, right); // in the right face
    rays[ABUT_WEDGE_LINE] = line;
    rays[ABUT_WEDGE_LINE + 1] = abut_negate(line);
    return 1;
}

static int add_edge(solid_maker *to, int edge)
{
    const abut_brep_edge *e = &to->model->brep.edges[edge];
    abut_vec3 left = to->model->brep.faces[e->faces[0]].normal, right = to->model->brep.faces[e->faces[1]].normal;
    abut_vec3 rays[4];
    if (e->kind == ABUT_EDGE_REFLEX) {
        return add_half_space(to, left) && add_half_space(to, right);
    }
    if (!wedge_rays(left, right, rays)) {
        return add_half_space(to, left);
    }
    if (!add_piece(to, rays, 4)) {
        return 0;
    }
    ((abut_piece *)to->pieces.items)[to->pieces.count - 1].is_wedge = 1;
    return 1;
}

/// Adds one convex cone along the edges of a vertex.
static int add_convex_vertex(solid_maker *to, const sector_walk *walk)
{
    abut_vec3 *rays = abut_arena_take(to->arena, (size_t)walk->count * sizeof *rays);
    for (int i = 0; rays != NULL && i < walk->count; ++i) {
        rays[i] = edge_direction(walk->model, walk->edges[i], walk->vertex);
    }
    return rays != NULL && add_piece(to, rays, walk->count);
}

/// Looks for a direction that is on the inner side of all faces of a fan. Returns 0 if it found none.
static int find_kernel(const abut_fan *f, abut_vec3 *inner)
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

/// Adds a piece of an inner direction with each sector.
static int add_star_pieces(solid_maker *to, const abut_fan *f, abut_vec3 inner)
{
    for (int i = 0; i < f->count; ++i) {
        const abut_sector *s = &f->sectors[i];
        int is_wide = s->angle > wide_sector;
        abut_vec3 rays[2][3] = {{inner, s->from, is_wide ? middle_of(s) : s->to}, {inner, middle_of(s), s->to}};
        if (!add_piece(to, rays[0], 3) || (is_wide && !add_piece(to, rays[1], 3))) {
            return 0;
        }
    }
    return 1;
}

/// Adds the pieces of a vertex with convex and reflex edges.
static int add_fan_pieces(solid_maker *to, const abut_fan *f)
{
    uint32_t pieces[ABUT_FAN_PIECES];
    int count = abut_fan_pieces(f, pieces), is_done = 1;
    abut_direction_list rays = {.arena = to->arena};
    for (int i = 0; is_done && i < count; ++i) {
        abut_vec3 inward[ABUT_FAN_FACES];
        int face_count = 0;
        for (int k = 0; k < f->normal_count; ++k) {
            if ((pieces[i] >> k & 1u) != 0) {
                inward[face_count++] = abut_negate(f->normals[k]);
            }
        }
        abut_directions constraints = {inward, face_count};
        is_done = face_count == 1 ? add_half_space(to, abut_negate(inward[0]))
                                  : abut_cone_find_rays(&rays, constraints, abut_plane_angle) &&
                                        add_piece(to, rays.list.items, rays.list.count);
    }
    return is_done;
}

static int add_vertex(solid_maker *to, int vertex)
{
    sector_walk walk = walk_around(to->model, vertex);
    vertex_kind kind = kind_of(&walk);
    abut_fan fan;
    abut_vec3 inner;
    if (kind == VERTEX_CONVEX) {
        return add_convex_vertex(to, &walk);
    }
    if (!make_fan(&walk, to->arena, &fan)) {
        return 0;
    }
    if (kind == VERTEX_REFLEX) {
        int is_done = 1;
        for (int i = 0; is_done && i < fan.normal_count; ++i) {
            is_done = add_half_space(to, fan.normals[i]);
        }
        return is_done;
    }
    if (fan.normal_count <= ABUT_FAN_FACES) {
        return add_fan_pieces(to, &fan);
    }
    if (kind == VERTEX_MIXED && find_kernel(&fan, &inner)) {
        return add_star_pieces(to, &fan, inner);
    }
    to->is_coarse = 1;
    return add_convex_vertex(to, &walk);
}

int abut_region_local_solid(const abut_region_model *model, abut_entity entity, abut_mat3 rotation,
                            abut_arena *arena, abut_local_solid *solid)
{
    solid_maker made = {.model = model, .rotation = rotation, .arena = arena};
    int is_done = entity.kind == ABUT_ENTITY_VERTEX ? add_vertex(&made, entity.index)
                  : entity.kind == ABUT_ENTITY_EDGE ? add_edge(&made, entity.index)
                                                    : add_half_space(&made, model->brep.faces[entity.index].normal);
    solid->pieces = made.pieces.items;
    solid->count = made.pieces.count;
    solid->is_coarse = made.is_coarse;
    return is_done;
}

// ---- which half-spaces hold the solid

/// Whether the half-space below a face is the one to which n points.
static int is_face_beyond(abut_vec3 normal, abut_vec3 n, double angle)
{
    abut_vec3 inward = abut_negate(normal), u = abut_any_perpendicular(inward), w = abut_cross(inward, u);
    return fabs(abut_dot(n, u)) <= angle && fabs(abut_dot(n, w)) <= angle && abut_dot(n, inward) >= -angle;
}

static int is_edge_beyond(const abut_region_model *model, int edge, abut_vec3 n, double angle)
{
    const abut_brep_edge *e = &model->brep.edges[edge];
    abut_vec3 left = model->brep.faces[e->faces[0]].normal, right = model->brep.faces[e->faces[1]].normal, rays[4];
    if (e->kind == ABUT_EDGE_REFLEX) {
        return is_face_beyond(left, n, angle) && is_face_beyond(right, n, angle);
    }
    if (!wedge_rays(left, right, rays)) {
        return is_face_beyond(left, n, angle);
    }
    abut_directions wedge = {rays, 4};
    return abut_cone_implies(wedge, n, angle);
}

/// Whether the solid at a vertex is on the side of n, given that its edges are. Then its sectors are, if they are not
/// wide or if their middles are. And the direction against n, which is nearest to the vertex itself, must be outside
/// the solid: by the angle-weighted normal of the vertex (Baerentzen and Aanaes 2005).
static int is_fan_beyond(sector_walk *walk, abut_vec3 n, double angle)
{
    abut_vec3 apex_normal = {0.0, 0.0, 0.0};
    for (int i = 0; i < walk->count; ++i) {
        abut_sector s = next_sector(walk, i);
        if (s.angle > wide_sector && abut_dot(n, middle_of(&s)) < -angle) {
            return 0;
        }
        apex_normal = abut_add_scaled(apex_normal, s.angle, s.normal);
    }
    return abut_dot(n, apex_normal) <= 0.0;
}

static int is_vertex_beyond(const abut_region_model *model, int vertex, abut_vec3 n, double angle)
{
    sector_walk walk = walk_around(model, vertex);
    for (int i = 0; i < walk.count; ++i) {
        if (abut_dot(n, edge_direction(model, walk.edges[i], vertex)) < -angle) {
            return 0;
        }
    }
    return kind_of(&walk) == VERTEX_CONVEX || is_fan_beyond(&walk, n, angle);
}

int abut_region_is_beyond(const abut_region_model *model, abut_entity entity, abut_vec3 n, double angle)
{
    switch (entity.kind) {
    case ABUT_ENTITY_VERTEX: return is_vertex_beyond(model, entity.index, n, angle);
    case ABUT_ENTITY_EDGE: return is_edge_beyond(model, entity.index, n, angle);
    case ABUT_ENTITY_FACE: break;
    }
    return is_face_beyond(model->brep.faces[entity.index].normal, n, angle);
}
