// SPDX-License-Identifier: MIT
// regions_order.c: the order of regions, the same wherever the bodies are in the world
//
// Two faces may touch in several polygons, and an edge may touch a face in several segments. Their order in the analysis
// depends on the place in the world, so it is not used. Polygons are ordered by where their outlines first meet the
// loops of the faces, segments by their place along the edge. If no two polygons share an edge of a face, each has its own
// part of the loops of this face, and the order along them stays the same wherever the outlines come to. So the loops
// of such a face come first.
#include "method/regions_analysis.h"

#include "base/arena_list.h"

int abut_regions_compare_entities(abut_entity xa, abut_entity xb, abut_entity ya, abut_entity yb)
{
    const int keys[][2] = {
        {(int)xa.kind, (int)ya.kind}, {xa.index, ya.index}, {(int)xb.kind, (int)yb.kind}, {xb.index, yb.index}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_entities(const abut_touch_region *x, const abut_touch_region *y)
{
    return abut_regions_compare_entities(x->a, x->b, y->a, y->b);
}

/// Where a region is on the entities of the two sides: along loops, or along an edge. The side that counts more is first.
typedef struct region_place {
    double along[2];
} region_place;

typedef struct ordering {
    const abut_touch_region *regions;
    const region_place *places; ///< NULL: not found yet
} ordering;

static int compare_regions(const void *user, int left, int right)
{
    const ordering *o = user;
    int order = compare_entities(&o->regions[left], &o->regions[right]);
    for (int i = 0; i < 2 && order == 0 && o->places != NULL; ++i) {
        double x = o->places[left].along[i], y = o->places[right].along[i];
        order = x < y ? -1 : x > y;
    }
    return order;
}

/// An edge of a face.
typedef struct loop_edge {
    int place; ///< along the loops
    int owner; ///< the region that was last found to have a corner on it, or -1
} loop_edge;

/// Writes the place of each edge of a face along its loops.
static void number_loops(const abut_region_model *model, int face, loop_edge *edges)
{
    const abut_brep_face *f = &model->brep.faces[face];
    for (int i = 0, place = 0; i < f->loop_count; ++i) {
        const abut_brep_loop *loop = &model->brep.loops[f->loop_begin + i];
        for (int k = 0; k < loop->coedge_count; ++k) {
            edges[model->brep.coedges[loop->coedge_begin + k].edge] = (loop_edge){place++, -1};
        }
    }
}

/// The first place on the loops of a face that a corner of a region is at; HUGE_VAL if it is within the face. Counts in
/// `shared` the edges that another region has a corner on.
static double first_place(const abut_region_model *model, int face, abut_entity entity, loop_edge *edges, int owner,
                          int *shared)
{
    const abut_brep_elements *brep = &model->brep;
    const int *at = &entity.index;
    int count = entity.kind == ABUT_ENTITY_EDGE;
    double first = HUGE_VAL;
    if (entity.kind == ABUT_ENTITY_VERTEX) {
        at = brep->vertex_cycles + brep->vertices[entity.index].cycle_begin;
        count = brep->vertices[entity.index].cycle_count;
    }
    for (int i = 0; i < count; ++i) {
        const int *faces = brep->edges[at[i]].faces;
        if (faces[0] == face || faces[1] == face) {
            loop_edge *edge = &edges[at[i]];
            *shared += edge->owner >= 0 && edge->owner != owner;
            edge->owner = owner;
            first = fmin(first, (double)edge->place);
        }
    }
    return first;
}

/// The place of a region along a side: of a polygon on a face, or of a segment on an edge. 0 if it does not matter.
static double place_along(const abut_regions_analysis *a, int region_index, int side, loop_edge *edges, int *shared)
{
    const abut_touch_side *s = &a->sides[side];
    const abut_touch_region *region = &a->set.regions[region_index];
    abut_entity entity = side == 0 ? region->a : region->b;
    const abut_outline *outline = &a->set.outlines[region->outline_begin];
    double first = HUGE_VAL;
    for (int i = 0; i < outline->count; ++i) {
        const abut_touch_node *node = &a->touch.nodes[a->set.corners[outline->begin + i]];
        if (entity.kind == ABUT_ENTITY_EDGE) {
            abut_vec3 from = abut_touch_edge_end(s, entity.index, 0), to = abut_touch_edge_end(s, entity.index, 1);
            abut_vec3 point = side == 0 ? node->point_a : node->point_b;
            first = fmin(first, abut_dot(abut_sub(point, from), abut_sub(to, from)));
        } else if (entity.kind == ABUT_ENTITY_FACE && region->dimension == 2) {
            abut_entity corner = side == 0 ? node->a : node->b;
            first = fmin(first, first_place(s->model, entity.index, corner, edges, region_index, shared));
        }
    }
    return isinf(first) ? 0.0 : first;
}

/// Finds the places of the regions order[begin] to order[end - 1], which have the same entities.
static void find_places(const abut_regions_analysis *a, const int *order, int begin, int end,
                        loop_edge *const edges[2], region_place *places)
{
    const abut_touch_region *first = &a->set.regions[order[begin]];
    const abut_entity entities[2] = {first->a, first->b};
    int shared[2] = {0, 0};
    for (int side = 0; side < 2; ++side) {
        if (entities[side].kind == ABUT_ENTITY_FACE) {
            number_loops(a->sides[side].model, entities[side].index, edges[side]);
        }
        for (int i = begin; i < end; ++i) {
            places[order[i]].along[side] = place_along(a, order[i], side, edges[side], &shared[side]);
        }
    }
    for (int i = begin; shared[0] > 0 && shared[1] == 0 && i < end; ++i) {
        region_place *place = &places[order[i]];
        *place = (region_place){{place->along[1], place->along[0]}};
    }
}

/// Orders the regions by their places if some have the same entities. NULL if memory ran out.
static const int *order_by_place(abut_regions_analysis *a, const int *order)
{
    int count = a->set.region_count;
    ordering by_place = {a->set.regions, NULL};
    region_place *places = abut_sink_scratch(a->sink, (size_t)count * sizeof *places);
    loop_edge *edges[2];
    for (int side = 0; side < 2; ++side) {
        size_t size = (size_t)a->sides[side].model->brep.edge_count + 1;
        edges[side] = abut_sink_scratch(a->sink, size * sizeof *edges[side]);
    }
    if (places == NULL || edges[0] == NULL || edges[1] == NULL) {
        return NULL;
    }
    for (int begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && compare_entities(&a->set.regions[order[begin]], &a->set.regions[order[end]]) == 0) {
            ++end;
        }
        places[order[begin]] = (region_place){{0.0, 0.0}};
        if (end > begin + 1) {
            find_places(a, order, begin, end, edges, places);
        }
    }
    by_place.places = places;
    return abut_arena_order(&a->sink->arena, count, compare_regions, &by_place);
}

const int *abut_regions_find_order(abut_regions_analysis *a)
{
    const abut_touch_region *regions = a->set.regions;
    const ordering by_entity = {regions, NULL};
    int count = a->set.region_count, has_twins = 0;
    const int *order = abut_arena_order(&a->sink->arena, count, compare_regions, &by_entity);
    for (int i = 1; order != NULL && i < count && !has_twins; ++i) {
        has_twins = compare_entities(&regions[order[i - 1]], &regions[order[i]]) == 0;
    }
    return has_twins ? order_by_place(a, order) : order;
}
