// SPDX-License-Identifier: MIT
// contact_regions.c: the contact regions of two touching solids, reduced to the necessary ones, with their normals
//
// Polygons first, then segments, then points. A segment or point is left out if every motion that the regions around
// it allow also keeps the solids apart at the segment or point itself. This is the rule behind definitions 1 and 2 of
// the paper. It is decided by the feasible motions themselves; the paper approximates the solids by half-spaces, with
// which definition 1 fails its own figure 5. If the feasible motions are a union of several cones, the one of the last
// step is taken if the region persists or has shrunk, else the one nearest to the relative velocity.
//
// Source:  Bouma and Vanecek 1993, section 3.
#include "region/contact_regions.h"

#include "base/arena_list.h"
#include "region/outlines.h"
#include "region/spanning.h"

/// Distance of unit normals (about radians) below which a normal counts as the one of the last step. Those of faces turn
/// with their bodies, so only normals of two edges change: 0.1 a query is one turn a second at 60 queries a second.
static const double remembered_distance = 0.1;

typedef struct region_search {
    const abut_touch *touch;
    const abut_region_hints *hints;
    const int *places;
    abut_face_contacts faces;
    int *interval_kept; ///< the region of each interval that was kept, or -1
    abut_region_set *set;
} region_search;

// ---- the normals of the last step

static int is_same_entity(abut_entity x, abut_entity y)
{
    return x.kind == y.kind && x.index == y.index;
}

/// Whether an entity is on the border of another one of higher dimension.
static int is_on_border(const abut_region_model *model, abut_entity low, abut_entity high)
{
    const abut_brep_elements *brep = &model->brep;
    if (low.kind == ABUT_ENTITY_VERTEX && high.kind == ABUT_ENTITY_EDGE) {
        const int *ends = brep->edges[high.index].vertices;
        return ends[0] == low.index || ends[1] == low.index;
    }
    for (int i = 0; low.kind < high.kind && i < abut_region_face_count(model, low); ++i) {
        if (abut_region_face(model, low, i) == high.index) {
            return 1;
        }
    }
    return 0;
}

/// Whether the solid is convex near a point of the entity.
static int is_convex_at(const abut_region_model *model, abut_entity entity)
{
    const abut_brep_elements *brep = &model->brep;
    if (entity.kind == ABUT_ENTITY_VERTEX) {
        const abut_brep_vertex *vertex = &brep->vertices[entity.index];
        for (int i = 0; i < vertex->cycle_count; ++i) {
            if (brep->edges[brep->vertex_cycles[vertex->cycle_begin + i]].kind == ABUT_EDGE_REFLEX) {
                return 0;
            }
        }
    }
    return entity.kind != ABUT_ENTITY_EDGE || brep->edges[entity.index].kind != ABUT_EDGE_REFLEX;
}

int abut_region_follows(const abut_touch_side sides[2], const abut_entity now[2], const abut_entity then[2])
{
    int is_same = 1;
    for (int i = 0; i < 2; ++i) {
        int is_equal = is_same_entity(now[i], then[i]);
        if (!is_equal && !is_on_border(sides[i].model, now[i], then[i])) {
            return 0;
        }
        is_same &= is_equal;
    }
    return is_same                                                                          ? ABUT_FOLLOWS_SAME
           : is_convex_at(sides[0].model, then[0]) && is_convex_at(sides[1].model, then[1]) ? ABUT_FOLLOWS_LARGER
                                                                                            : 0;
}

/// The distance of a normal from the nearest of those that the region, or the larger ones that it follows, had.
static double distance_from_past(const region_search *s, const abut_touch_region *region, int how, abut_vec3 normal)
{
    const abut_entity now[2] = {region->a, region->b};
    double nearest = HUGE_VAL;
    for (int i = 0; i < s->hints->remembered_count; ++i) {
        const abut_remembered_region *old = &s->hints->remembered[i];
        const abut_entity then[2] = {old->a, old->b};
        if (abut_region_follows(s->touch->sides, now, then) != how) {
            continue;
        }
        for (int k = 0; k < old->normals.count; ++k) {
            nearest = fmin(nearest, abut_norm(abut_sub(old->normals.items[k], normal)));
        }
    }
    return nearest;
}

/// Marks the cones whose normals separate the points of the region, or all if none do. Returns how many.
static int mark_separating(const region_search *s, const abut_feasible *feasible, const int *nodes, int count,
                           unsigned char *is_marked)
{
    int marked = 0;
    for (int i = 0; i < feasible->cone_count; ++i) {
        abut_directions cone = feasible->cones[i];
        is_marked[i] = 1;
        for (int k = 0; k < cone.count * count; ++k) {
            const abut_touch_node *node = &s->touch->nodes[nodes[k % count]];
            double gap = abut_dot(cone.items[k / count], abut_sub(node->point_b, node->point_a));
            is_marked[i] &= gap >= -s->hints->deepest;
        }
        marked += is_marked[i];
    }
    for (int i = 0; marked == 0 && i < feasible->cone_count; ++i) {
        is_marked[i] = 1;
    }
    return marked > 0 ? marked : feasible->cone_count;
}

/// Of the marked cones, leaves those whose normals the region had in the last step: conditions (6) and (7) of the paper, in this order.
/// Returns how many.
static int mark_remembered(const region_search *s, const abut_touch_region *region, double *distances,
                           unsigned char *is_marked)
{
    const abut_feasible *feasible = &region->feasible;
    for (int how = ABUT_FOLLOWS_SAME; how <= ABUT_FOLLOWS_LARGER && s->hints->remembered_count > 0; ++how) {
        double nearest = HUGE_VAL;
        for (int i = 0; i < feasible->cone_count; ++i) {
            abut_directions cone = feasible->cones[i];
            distances[i] = is_marked[i] ? 0.0 : HUGE_VAL;
            for (int k = 0; k < cone.count && distances[i] < remembered_distance; ++k) {
                distances[i] = fmax(distances[i], distance_from_past(s, region, how, cone.items[k]));
            }
            nearest = fmin(nearest, distances[i]);
        }
        if (nearest >= remembered_distance) {
            continue;
        }
        int count = 0;
        for (int i = 0; i < feasible->cone_count; ++i) {
            is_marked[i] = distances[i] < remembered_distance && distances[i] <= nearest + s->touch->angle;
            count += is_marked[i];
        }
        return count;
    }
    return 0;
}

/// Of the marked cones, leaves those that are nearest to the velocity, or all if the point rests. Returns how many.
static int mark_nearest(const region_search *s, const abut_feasible *feasible, abut_vec3 point, double *distances,
                        unsigned char *is_marked)
{
    abut_vec3 velocity = abut_add(s->hints->linear, abut_cross(s->hints->angular, point));
    double speed = abut_norm(velocity), nearest = HUGE_VAL;
    int rests = speed <= s->hints->least_speed, count = 0;
    for (int i = 0; i < feasible->cone_count; ++i) {
        distances[i] = is_marked[i] && !rests ? abut_cone_distance(feasible->cones[i], velocity) : 0.0;
        nearest = is_marked[i] ? fmin(nearest, distances[i]) : nearest;
    }
    for (int i = 0; i < feasible->cone_count; ++i) {
        is_marked[i] = is_marked[i] && distances[i] <= nearest + s->touch->angle * speed;
        count += is_marked[i];
    }
    return count;
}

/// Marks the cones whose normals are reported if there are several: of those that separate the solids the ones of the
/// last step, else those nearest to the velocity, else all. Returns the rule.
static abut_rule mark_cones(const region_search *s, const abut_touch_region *region, const int *nodes,
                            int node_count, double *distances, unsigned char *is_marked)
{
    const abut_feasible *feasible = &region->feasible;
    const abut_touch_node *from = &s->touch->nodes[nodes[0]], *to = &s->touch->nodes[nodes[node_count - 1]];
    if (mark_separating(s, feasible, nodes, node_count, is_marked) == 1) {
        return ABUT_RULE_GEOMETRY;
    }
    int remembered = mark_remembered(s, region, distances, is_marked);
    int count = mark_nearest(s, feasible, abut_lerp(from->point_a, to->point_a, 0.5), distances, is_marked);
    return remembered > 0 ? ABUT_RULE_HISTORY : count == 1 ? ABUT_RULE_VELOCITY : ABUT_RULE_NONE;
}

// ---- normals and regions

/// The normals of the only cone, or of those that history or the velocity choose. If nothing decides between several
/// cones, the normals of all these, or of some if they are many. Returns 0 if memory ran out.
static int choose_normals(region_search *s, abut_touch_region *region, const int *nodes, int node_count)
{
    const abut_feasible *feasible = &region->feasible;
    size_t room = 1;
    for (int i = 0; i < feasible->cone_count; ++i) {
        room += (size_t)feasible->cones[i].count;
    }
    abut_vec3 *normals = abut_arena_take(s->touch->arena, room * sizeof *normals);
    unsigned char *is_marked = abut_arena_take(s->touch->arena, (size_t)feasible->cone_count + 1);
    double *distances = abut_arena_take(s->touch->arena, ((size_t)feasible->cone_count + 1) * sizeof *distances);
    if (normals == NULL || is_marked == NULL || distances == NULL) {
        return 0;
    }
    region->rule = ABUT_RULE_GEOMETRY;
    is_marked[0] = 1;
    if (feasible->cone_count > 1) {
        region->rule = mark_cones(s, region, nodes, node_count, distances, is_marked);
    }
    if (region->rule == ABUT_RULE_NONE) {
        abut_spanning_cones(feasible->cones, feasible->cone_count, s->touch->angle, is_marked);
    }
    int count = 0;
    for (int i = 0; i < feasible->cone_count; ++i) {
        abut_directions cone = feasible->cones[i];
        for (int k = 0; is_marked[i] && k < cone.count; ++k) {
            int is_new = 1;
            for (int m = 0; m < count; ++m) {
                is_new &= !abut_cone_is_same_ray(normals[m], cone.items[k], s->touch->angle);
            }
            if (is_new) {
                normals[count++] = cone.items[k];
            }
        }
    }
    region->normals.items = normals;
    region->normals.count = s->hints->is_spanning ? abut_spanning_normals(normals, count) : count;
    s->set->ambiguous += region->rule == ABUT_RULE_NONE;
    s->set->capped += feasible->is_capped;
    return 1;
}

/// Adds the normals of a region to a list. Returns 0 if memory ran out.
static int add_normals(const region_search *s, abut_arena_list *normals, const abut_touch_region *region)
{
    abut_vec3 *added = abut_arena_list_add(s->touch->arena, normals, region->normals.count, sizeof *added);
    for (int i = 0; added != NULL && i < region->normals.count; ++i) {
        added[i] = region->normals.items[i];
    }
    return added != NULL;
}

static void add_region(region_search *s, abut_touch_region *region, const int *nodes, int count)
{
    abut_region_set *set = s->set;
    region->outline_begin = set->outline_count;
    region->outline_count = 1;
    abut_outline outline = {set->corner_count, count, 0};
    set->outlines[set->outline_count++] = outline;
    for (int i = 0; i < count; ++i) {
        set->corners[set->corner_count++] = nodes[i];
    }
    set->regions[set->region_count++] = *region;
}

/// Whether a normal from A to B separates the two solids near a point. Then the point follows from a region around it
/// that has this normal.
static int is_separated(const abut_touch *touch, const abut_touch_region *region, abut_vec3 n)
{
    const abut_touch_side *a = &touch->sides[0], *b = &touch->sides[1];
    abut_vec3 of_a = abut_negate(abut_mat3_apply_transposed(a->rotation, n));
    abut_vec3 of_b = abut_mat3_apply_transposed(b->rotation, n);
    return abut_region_is_beyond(a->model, region->a, of_a, touch->angle) &&
           abut_region_is_beyond(b->model, region->b, of_b, touch->angle);
}

/// Whether one of the normals around a segment or point separates the solids there.
static int is_implied(const abut_touch *touch, const abut_touch_region *region, const abut_arena_list *around)
{
    const abut_vec3 *normals = around->items;
    for (int i = 0; i < around->count; ++i) {
        if (is_separated(touch, region, normals[i])) {
            return 1;
        }
    }
    return 0;
}

/// Of the faces of A at an entity of it, the normal of one that separates the solids and is parallel to a face of B.
/// Otherwise, and within an envelope, where faces at an angle count as parallel, that of B's face.
static abut_vec3 normal_at_face_of_b(const region_search *s, const abut_touch_region *region)
{
    const abut_touch *touch = s->touch;
    const abut_touch_side *a = &touch->sides[0];
    abut_vec3 of_b = abut_negate(abut_touch_normal(&touch->sides[1], region->b.index));
    int is_exact = isinf(s->hints->level);
    for (int i = 0; is_exact && i < abut_region_face_count(a->model, region->a); ++i) {
        abut_vec3 n = abut_touch_normal(a, abut_region_face(a->model, region->a, i));
        if (abut_norm_squared(abut_sub(n, of_b)) <= 4.0 * touch->angle * touch->angle &&
            is_separated(touch, region, n)) {
            return n;
        }
    }
    return of_b;
}

/// Finds the motions that the solids allow at a segment or point. Returns 0 if memory ran out.
static int find_motions(region_search *s, abut_touch_region *region)
{
    const abut_touch *touch = s->touch;
    const abut_touch_side *sides = touch->sides;
    if (region->a.kind == ABUT_ENTITY_FACE || region->b.kind == ABUT_ENTITY_FACE) {
        abut_vec3 n = region->a.kind == ABUT_ENTITY_FACE ? abut_touch_normal(&sides[0], region->a.index)
                                                         : normal_at_face_of_b(s, region);
        return abut_feasible_at_face(touch->arena, n, is_separated(touch, region, n), &region->feasible);
    }
    abut_local_solid a, b;
    if (!abut_region_local_solid(sides[0].model, region->a, sides[0].rotation, touch->arena, &a) ||
        !abut_region_local_solid(sides[1].model, region->b, sides[1].rotation, touch->arena, &b) ||
        !abut_feasible_motions(touch->arena, a, b, touch->angle, &region->feasible)) {
        return 0;
    }
    int is_coarse = a.is_coarse || b.is_coarse;
    s->set->capped += is_coarse;
    region->feasible.overlaps &= !is_coarse;
    return 1;
}

/// Keeps a segment or point unless the normals of the regions around it imply its own. Returns 0 if memory ran out.
static int consider(region_search *s, abut_touch_region *region, const abut_arena_list *around, const int *nodes,
                    int count, int *is_kept)
{
    const abut_touch *touch = s->touch;
    const abut_directions constraints = {around->items, around->count};
    *is_kept = 0;
    if (is_implied(touch, region, around)) {
        return 1;
    }
    if (!find_motions(s, region)) {
        return 0;
    }
    s->set->overlaps |= region->feasible.overlaps;
    int is_needless = region->feasible.clause_count == 0
                          ? 1
                          : abut_feasible_contains(touch->arena, &region->feasible, constraints, touch->angle);
    if (is_needless != 0) {
        return is_needless > 0;
    }
    if (!abut_feasible_cones(touch->arena, touch->angle, &region->feasible) ||
        !choose_normals(s, region, nodes, count)) {
        return 0;
    }
    *is_kept = 1;
    add_region(s, region, nodes, count);
    return 1;
}

/// The normal of a polygon. Within an envelope its faces may be at an angle. Then it is the normal of the face on which the
/// nearest corner lies: a corner of one solid moves against a face of the other. Otherwise, and if a corner of each is as
/// near, it is that of A's face.
static abut_vec3 polygon_normal(const abut_touch *touch, const abut_region_hints *hints, const abut_region_set *set,
                                const abut_touch_region *region)
{
    abut_vec3 of_a = abut_touch_normal(&touch->sides[0], region->a.index);
    abut_vec3 of_b = abut_negate(abut_touch_normal(&touch->sides[1], region->b.index));
    double nearest[2] = {HUGE_VAL, HUGE_VAL}; // corners of B on A's face, and of A on B's
    for (int i = 0; i < region->outline_count && !isinf(hints->level); ++i) {
        abut_outline outline = set->outlines[region->outline_begin + i];
        for (int k = 0; k < outline.count; ++k) {
            const abut_touch_node *node = &touch->nodes[set->corners[outline.begin + k]];
            int is_on_b = node->a.kind == ABUT_ENTITY_VERTEX && node->b.kind != ABUT_ENTITY_VERTEX;
            int is_on_a = node->b.kind == ABUT_ENTITY_VERTEX && node->a.kind != ABUT_ENTITY_VERTEX;
            if (is_on_a || is_on_b) {
                double gap = abut_dot(is_on_b ? of_b : of_a, abut_sub(node->point_b, node->point_a));
                nearest[is_on_b] = fmin(nearest[is_on_b], gap);
            }
        }
    }
    return nearest[1] < nearest[0] - hints->level ? of_b : of_a;
}

int abut_regions_finish_polygons(const abut_touch *touch, const abut_region_hints *hints, abut_region_set *set)
{
    for (int i = 0; i < set->region_count; ++i) {
        abut_touch_region *region = &set->regions[i];
        abut_vec3 *normal = abut_arena_take(touch->arena, sizeof *normal);
        abut_directions *cone = abut_arena_take(touch->arena, sizeof *cone);
        if (normal == NULL || cone == NULL) {
            return 0;
        }
        *normal = polygon_normal(touch, hints, set, region);
        cone->items = normal;
        cone->count = 1;
        region->normals = *cone;
        region->feasible.clauses = region->feasible.cones = cone;
        region->feasible.clause_count = region->feasible.cone_count = 1;
        region->rule = ABUT_RULE_GEOMETRY;
    }
    return 1;
}

/// The regions that touch each place, as chains: `heads` by place, then `next`.
typedef struct place_chains {
    int *heads, *next, *regions;
    int count;
} place_chains;

static void add_to_chain(place_chains *chains, int place, int region)
{
    int link = chains->count++;
    chains->regions[link] = region;
    chains->next[link] = chains->heads[place];
    chains->heads[place] = link;
}

/// Chains of all polygons and of those of the first `interval_count` segments that were kept. Returns 0 if memory ran
/// out.
static int find_chains(const region_search *s, int interval_count, place_chains *chains)
{
    const abut_touch *touch = s->touch;
    size_t nodes = (size_t)touch->node_count;
    size_t links = (size_t)s->faces.place_region_count + 2 * (size_t)interval_count;
    chains->count = 0;
    chains->heads = abut_arena_take(touch->arena, (nodes + 2 * links + 1) * sizeof *chains->heads);
    if (chains->heads == NULL) {
        return 0;
    }
    chains->next = chains->heads + nodes;
    chains->regions = chains->next + links;
    for (size_t i = 0; i < nodes; ++i) {
        chains->heads[i] = -1;
    }
    // a chain ends with what was added first, so it lists polygons before segments, each in order
    for (int k = interval_count - 1; k >= 0; --k) {
        const int *ends = touch->intervals[k].nodes;
        int from = s->places[ends[0]], to = s->places[ends[1]];
        if (s->interval_kept[k] >= 0) {
            add_to_chain(chains, from, s->interval_kept[k]);
            if (to != from) {
                add_to_chain(chains, to, s->interval_kept[k]);
            }
        }
    }
    for (int k = s->faces.place_region_count - 1; k >= 0; --k) {
        add_to_chain(chains, s->faces.place_regions[2 * k], s->faces.place_regions[2 * k + 1]);
    }
    return 1;
}

/// Whether a polygon at a place has this normal.
static int has_polygon(const region_search *s, const place_chains *polygons, int place, abut_vec3 normal)
{
    for (int link = polygons->heads[place]; link >= 0; link = polygons->next[link]) {
        abut_vec3 other = s->set->regions[polygons->regions[link]].normals.items[0];
        if (abut_norm_squared(abut_sub(other, normal)) <= s->touch->angle * s->touch->angle) {
            return 1;
        }
    }
    return 0;
}

/// Adds the normals that polygons have at both ends of a segment. The velocity is linear along the segment, so a normal
/// that holds at both ends holds between them, even if no outline runs along it, or if each end has a polygon of its
/// own. Returns 0 if memory ran out.
static int add_polygons_at_ends(const region_search *s, const place_chains *polygons, const int nodes[2],
                                abut_arena_list *around)
{
    for (int from = polygons->heads[s->places[nodes[0]]]; from >= 0; from = polygons->next[from]) {
        const abut_touch_region *polygon = &s->set->regions[polygons->regions[from]];
        if (has_polygon(s, polygons, s->places[nodes[1]], polygon->normals.items[0]) &&
            !add_normals(s, around, polygon)) {
            return 0;
        }
    }
    return 1;
}

static int find_segments(region_search *s)
{
    const abut_touch *touch = s->touch;
    abut_arena_list around = {0};
    place_chains polygons;
    if (!find_chains(s, 0, &polygons)) {
        return 0;
    }
    for (int i = 0; i < touch->interval_count; ++i) {
        const abut_touch_interval *interval = &touch->intervals[i];
        around.count = 0;
        for (int k = 0; k < 4; ++k) {
            int region = s->faces.interval_regions[4 * (size_t)i + (size_t)k];
            if (region >= 0 && !add_normals(s, &around, &s->set->regions[region])) {
                return 0;
            }
        }
        abut_touch_region region = {.a = interval->a, .b = interval->b, .dimension = 1};
        if (!is_implied(touch, &region, &around) && !add_polygons_at_ends(s, &polygons, interval->nodes, &around)) {
            return 0;
        }
        region.measure =
            abut_norm(abut_sub(touch->nodes[interval->nodes[1]].point_a, touch->nodes[interval->nodes[0]].point_a));
        int is_kept;
        if (!consider(s, &region, &around, interval->nodes, 2, &is_kept)) {
            return 0;
        }
        s->interval_kept[i] = is_kept ? s->set->region_count - 1 : -1;
    }
    return 1;
}

static int find_points(region_search *s)
{
    const abut_touch *touch = s->touch;
    place_chains chains;
    if (!find_chains(s, touch->interval_count, &chains)) {
        return 0;
    }
    abut_arena_list around = {0};
    for (int i = 0; i < touch->node_count; ++i) {
        around.count = 0;
        for (int link = chains.heads[s->places[i]]; link >= 0; link = chains.next[link]) {
            if (!add_normals(s, &around, &s->set->regions[chains.regions[link]])) {
                return 0;
            }
        }
        abut_touch_region region = {.a = touch->nodes[i].a, .b = touch->nodes[i].b};
        int is_kept;
        if (!consider(s, &region, &around, &i, 1, &is_kept)) {
            return 0;
        }
    }
    return 1;
}

int abut_regions_find(const abut_touch *touch, const abut_region_hints *hints, abut_region_set *set)
{
    abut_region_set empty = {0};
    *set = empty;
    region_search s = {.touch = touch, .hints = hints, .set = set};
    s.places = abut_outline_places(touch);
    s.interval_kept = abut_arena_take(touch->arena, ((size_t)touch->interval_count + 1) * sizeof *s.interval_kept);
    if (s.places == NULL || s.interval_kept == NULL || !abut_outlines_find(touch, s.places, set, &s.faces)) {
        return 0;
    }
    return (hints->polygons_only && set->region_count == 0) ||
           (abut_regions_finish_polygons(touch, hints, set) && find_segments(&s) && find_points(&s));
}
