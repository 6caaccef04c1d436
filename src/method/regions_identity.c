// SPDX-License-Identifier: MIT
// regions_identity.c: which region is which, and what became of those of the last step
//
// Regions of the same two entities are numbered in an order that does not depend on the place in the world
// (regions_order.c).
//
// With a memory, a region with the entities of one of the last step is the same. Of several, the nearest ones are, seen
// from A or from B; equally near ones are told apart by size and place in A's frame, never by numbers of the mesh. A
// region that is left is a part of an old one (split), what is left of a larger one that is gone (shrink), or new. An
// old one that is left is now a part of another (merge), or has ended.
//
// Source: Bouma and Vanecek 1993, section 3, conditions (6) to (8).
#include "method/regions_analysis.h"

#include "base/arena_list.h"
#include "method/feature_hash.h"
#include "method/matching.h"

#include <string.h>

/// Of the size: distances of regions are compared in such steps.
static const double match_step = 1e-9;

/// Up to so many regions of the same entities are all compared with each other. Of more, only near ones are.
enum { FEW_TWINS = 8 };

// ---- ids and events

uint64_t abut_regions_id(const abut_regions_analysis *a, abut_entity entity_a, abut_entity entity_b, int ordinal)
{
    abut_feature feature_a = abut_regions_feature(a->sides[0].model, entity_a);
    abut_feature feature_b = abut_regions_feature(a->sides[1].model, entity_b);
    return abut_hash_mix(abut_hash_features(feature_a, feature_b), (uint64_t)ordinal);
}

static uint64_t old_id(const abut_regions_analysis *a, const abut_kept_region *region)
{
    return abut_regions_id(a, region->a, region->b, region->ordinal);
}

void abut_regions_tell(abut_regions_analysis *a, abut_event_kind kind, const abut_touch_region *region,
                       const abut_kept_region *other)
{
    if (a->query->pair->memory != NULL) {
        abut_event event = {.kind = kind, .is_region = 1};
        event.id = region != NULL ? abut_regions_id(a, region->a, region->b, region->ordinal) : old_id(a, other);
        event.other_id = other != NULL ? old_id(a, other) : event.id;
        (void)abut_sink_event(a->sink, &event);
    }
}

// ---- regions of the last step

enum { GONE = -1, SHRUNK = -2 };

/// The regions of this step and of the last.
typedef struct history {
    abut_regions_analysis *a;
    const abut_kept *kept;
    const abut_kept_region *then;
    const int *now_order, *then_order; ///< by entities
    int now_count, then_count;
    int *matches; ///< by region of this step: the one of the last that it is, or -1
    int *heirs;   ///< by region of the last step: the one of this step that it is, or GONE or SHRUNK
    double slack; ///< no point has moved further, up to the tolerance
} history;

static int compare_kept(const void *user, int left, int right)
{
    const abut_kept_region *x = (const abut_kept_region *)user + left, *y = (const abut_kept_region *)user + right;
    return abut_regions_compare_entities(x->a, x->b, y->a, y->b);
}

/// The corners of a region of this step on A, in A's frame. NULL if memory ran out.
static const abut_vec3 *corners_now(const history *h, int region, int *count)
{
    const abut_region_set *set = &h->a->set;
    const abut_outline *first = &set->outlines[set->regions[region].outline_begin];
    const abut_outline *last = first + set->regions[region].outline_count - 1;
    *count = last->begin + last->count - first->begin;
    abut_vec3 *points = abut_sink_scratch(h->a->sink, (size_t)*count * sizeof *points);
    for (int i = 0; points != NULL && i < *count; ++i) {
        points[i] = h->a->touch.nodes[set->corners[first->begin + i]].point_a;
    }
    return points;
}

static const abut_vec3 *corners_then(const history *h, int region, int *count)
{
    const abut_touch_node *nodes = abut_kept_corners(h->kept, &h->then[region], count);
    abut_vec3 *points = abut_sink_scratch(h->a->sink, (size_t)*count * sizeof *points);
    for (int i = 0; points != NULL && i < *count; ++i) {
        points[i] = nodes[i].point_a;
    }
    return points;
}

/// A region as a thing with a place; its reach is that of its corners. B's pose is that in which it was found. Returns 0
/// if memory ran out.
static int make_item(const abut_vec3 *points, int count, abut_pose b_to_a, double measure, abut_match_item *item)
{
    abut_vec3 middle = {0.0, 0.0, 0.0};
    double radius = 0.0;
    if (points == NULL) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        middle = abut_add_scaled(middle, 1.0 / count, points[i]);
    }
    for (int i = 0; i < count; ++i) {
        radius = fmax(radius, abut_norm(abut_sub(points[i], middle)));
    }
    *item = (abut_match_item){
        .points = {middle, abut_pose_apply_inverse(b_to_a, middle)}, .weight = measure, .reach = radius};
    return 1;
}

static void join(history *h, int now, int then)
{
    h->matches[now] = then;
    h->heirs[then] = now;
}

/// Matches regions of the same entities, if there are several in one of the steps. Returns 0 if memory ran out.
static int match_twins(history *h, const int *now, int now_count, const int *then, int then_count)
{
    abut_regions_analysis *a = h->a;
    abut_match_item *items = abut_sink_scratch(a->sink, (size_t)(now_count + then_count) * sizeof *items);
    int *found = abut_sink_scratch(a->sink, (size_t)now_count * sizeof *found), count;
    int is_few = now_count <= FEW_TWINS && then_count <= FEW_TWINS;
    abut_pose b_to_a = abut_pose_make(a->sides[1].translation, a->sides[1].turn);
    if (items == NULL || found == NULL) {
        return 0;
    }
    for (int i = 0; i < now_count; ++i) {
        const abut_vec3 *points = corners_now(h, now[i], &count);
        if (!make_item(points, count, b_to_a, a->set.regions[now[i]].measure, &items[i])) {
            return 0;
        }
        items[i].reach = is_few ? HUGE_VAL : items[i].reach + fmin(h->slack, items[i].reach);
    }
    for (int i = 0; i < then_count; ++i) {
        const abut_vec3 *points = corners_then(h, then[i], &count);
        if (!make_item(points, count, h->kept->touching, h->then[then[i]].measure, &items[now_count + i])) {
            return 0;
        }
    }
    if (!abut_match_near(&a->sink->arena, items + now_count, then_count, items, now_count,
                         match_step * a->query->size, found)) {
        return 0;
    }
    for (int i = 0; i < now_count; ++i) {
        if (found[i] >= 0) {
            join(h, now[i], then[found[i]]);
        }
    }
    return 1;
}

static int group_end_now(const history *h, int begin)
{
    const abut_touch_region *regions = h->a->set.regions, *first = &regions[h->now_order[begin]];
    int end = begin + 1;
    while (end < h->now_count && abut_regions_compare_entities(first->a, first->b, regions[h->now_order[end]].a,
                                                               regions[h->now_order[end]].b) == 0) {
        ++end;
    }
    return end;
}

static int group_end_then(const history *h, int begin)
{
    int end = begin + 1;
    while (end < h->then_count && compare_kept(h->then, h->then_order[begin], h->then_order[end]) == 0) {
        ++end;
    }
    return end;
}

/// Matches all regions whose entities are those of some region of the last step: condition (6). Both lists ascend.
static int match_same(history *h)
{
    int is_done = 1;
    for (int i = 0, k = 0; i < h->now_count && k < h->then_count && is_done;) {
        const abut_touch_region *now = &h->a->set.regions[h->now_order[i]];
        const abut_kept_region *then = &h->then[h->then_order[k]];
        int order = abut_regions_compare_entities(now->a, now->b, then->a, then->b);
        int now_end = order <= 0 ? group_end_now(h, i) : i, then_end = order >= 0 ? group_end_then(h, k) : k;
        if (order == 0 && now_end - i == 1 && then_end - k == 1) {
            join(h, h->now_order[i], h->then_order[k]);
        } else if (order == 0) {
            is_done = match_twins(h, h->now_order + i, now_end - i, h->then_order + k, then_end - k);
        }
        i = now_end;
        k = then_end;
    }
    return is_done;
}

/// Gives regions of the same entities their numbers: those of the last step, and else the lowest that are free. Returns
/// 0 if memory ran out.
static int number_regions(const history *h, int begin, int end)
{
    abut_touch_region *regions = h->a->set.regions;
    int count = end - begin, next = 0;
    unsigned char *is_used = abut_sink_scratch(h->a->sink, (size_t)count);
    if (is_used == NULL) {
        return 0;
    }
    memset(is_used, 0, (size_t)count);
    for (int i = begin; i < end; ++i) {
        int match = h->matches[h->now_order[i]];
        int ordinal = match >= 0 ? h->then[match].ordinal : -1;
        regions[h->now_order[i]].ordinal = ordinal;
        if (ordinal >= 0 && ordinal < count) {
            is_used[ordinal] = 1;
        }
    }
    for (int i = begin; i < end; ++i) {
        int *ordinal = &regions[h->now_order[i]].ordinal;
        while (*ordinal < 0) {
            *ordinal = is_used[next] ? -1 : next;
            ++next;
        }
    }
    return 1;
}

// ---- what became of them

/// The distance of a point from a segment.
static double distance_from_segment(abut_vec3 p, abut_vec3 from, abut_vec3 to)
{
    abut_vec3 along = abut_sub(to, from);
    double squared = abut_norm_squared(along);
    double t = squared > 0.0 ? abut_dot(abut_sub(p, from), along) / squared : 0.0;
    return abut_norm(abut_sub(p, abut_add_scaled(from, fmin(fmax(t, 0.0), 1.0), along)));
}

/// Whether a point of the plane of a closed outline is within it, or within `slack` of it. A point or segment is an
/// outline without an inside.
static int is_in_outline(const abut_vec3 *outline, int count, abut_vec3 normal, abut_vec3 p, double slack)
{
    abut_vec3 u = abut_any_perpendicular(normal), w = abut_cross(normal, u);
    int is_inside = 0;
    for (int i = 0; i < count; ++i) {
        abut_vec3 from = outline[i], to = outline[(i + 1) % count];
        if (distance_from_segment(p, from, to) <= slack) {
            return 1;
        }
        double x = abut_dot(p, u), y = abut_dot(p, w), y0 = abut_dot(from, w), y1 = abut_dot(to, w);
        if ((y0 > y) != (y1 > y)) {
            double x0 = abut_dot(from, u), x1 = abut_dot(to, u);
            is_inside ^= x < x0 + (y - y0) / (y1 - y0) * (x1 - x0);
        }
    }
    return is_inside && count > 2;
}

/// Whether most of some points are in an outline.
static int covers(const history *h, const abut_vec3 *outline, int outline_count, abut_vec3 normal,
                  const abut_vec3 *points, int count)
{
    int inside = 0;
    for (int i = 0; i < count; ++i) {
        inside += is_in_outline(outline, outline_count, normal, points[i], h->slack);
    }
    return 2 * inside > count;
}

/// Whether the place of one region is that of another, of the same entities, which is larger: both in A's frame.
static int is_part(const history *h, int now, int then, int is_now_larger)
{
    int now_count, then_count;
    const abut_vec3 *points_now = corners_now(h, now, &now_count),
                    *points_then = corners_then(h, then, &then_count);
    const abut_kept_region *old = &h->then[then];
    const abut_touch_region *region = &h->a->set.regions[now];
    if (points_now == NULL || points_then == NULL) {
        return 0;
    }
    if (is_now_larger) { // only the outer outline counts
        int outer = h->a->set.outlines[region->outline_begin].count;
        return covers(h, points_now, outer, region->normals.items[0], points_then, then_count);
    }
    return covers(h, points_then, then_count, abut_kept_normals(h->kept, old).items[0], points_now, now_count);
}

/// The number of entities of a model that an entity is on the border of, with itself; and each of these.
static int upper_count(const abut_region_model *model, abut_entity entity)
{
    return entity.kind == ABUT_ENTITY_VERTEX ? 1 + 2 * model->brep.vertices[entity.index].cycle_count
           : entity.kind == ABUT_ENTITY_EDGE ? 3
                                             : 1;
}

static abut_entity upper_entity(const abut_region_model *model, abut_entity entity, int which)
{
    int edges = entity.kind == ABUT_ENTITY_VERTEX ? model->brep.vertices[entity.index].cycle_count : 0;
    if (which == 0) {
        return entity;
    }
    if (which <= edges) {
        const int *cycle = model->brep.vertex_cycles + model->brep.vertices[entity.index].cycle_begin;
        return (abut_entity){ABUT_ENTITY_EDGE, cycle[which - 1]};
    }
    return (abut_entity){ABUT_ENTITY_FACE, abut_region_face(model, entity, which - 1 - edges)};
}

/// The first in the order of entities that is not before these.
static int first_kept(const history *h, abut_entity a, abut_entity b)
{
    int low = 0, high = h->then_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const abut_kept_region *region = &h->then[h->then_order[middle]];
        if (abut_regions_compare_entities(region->a, region->b, a, b) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/// A larger region of the last step that is gone and that a region of this step may be the rest of, or -1.
static int find_larger(const history *h, const abut_touch_region *region)
{
    const abut_touch_side *sides = h->a->sides;
    const abut_entity now[2] = {region->a, region->b};
    int a_count = upper_count(sides[0].model, region->a), b_count = upper_count(sides[1].model, region->b);
    for (int i = 0; i < a_count; ++i) {
        for (int k = 0; k < b_count; ++k) {
            const abut_entity then[2] = {upper_entity(sides[0].model, region->a, i),
                                         upper_entity(sides[1].model, region->b, k)};
            int at = first_kept(h, then[0], then[1]);
            if (at == h->then_count || abut_region_follows(sides, now, then) != ABUT_FOLLOWS_LARGER) {
                continue;
            }
            const abut_kept_region *old = &h->then[h->then_order[at]];
            if (abut_regions_compare_entities(old->a, old->b, then[0], then[1]) == 0 &&
                old->dimension > region->dimension && h->heirs[h->then_order[at]] < 0) {
                return h->then_order[at];
            }
        }
    }
    return -1;
}

/// Tells what a region of this step is that was not there in the last one.
static void tell_new(history *h, int index)
{
    abut_touch_region *region = &h->a->set.regions[index];
    int begin = first_kept(h, region->a, region->b), end = begin;
    while (end < h->then_count && end - begin <= FEW_TWINS) {
        const abut_kept_region *old = &h->then[h->then_order[end]];
        if (abut_regions_compare_entities(old->a, old->b, region->a, region->b) != 0) {
            break;
        }
        ++end;
    }
    for (int k = begin; k < end && end - begin <= FEW_TWINS; ++k) {
        if (is_part(h, index, h->then_order[k], 0)) {
            region->life = h->a->past_lives[h->then_order[k]];
            abut_regions_tell(h->a, ABUT_EVENT_SPLIT, region, &h->then[h->then_order[k]]);
            return;
        }
    }
    int larger = find_larger(h, region);
    if (larger >= 0) {
        region->life = h->a->past_lives[larger];
        abut_regions_tell(h->a, ABUT_EVENT_SHRINK, region, &h->then[larger]);
        h->heirs[larger] = SHRUNK;
    } else {
        abut_regions_tell(h->a, ABUT_EVENT_BEGIN, region, NULL);
    }
}

/// Tells what became of a region of the last step that is not there any more: now[0] to now[count - 1] have its entities.
static void tell_gone(history *h, int index, const int *now, int count)
{
    for (int i = 0; i < count && count <= FEW_TWINS; ++i) {
        if (is_part(h, now[i], index, 1)) {
            abut_regions_tell(h->a, ABUT_EVENT_MERGE, &h->a->set.regions[now[i]], &h->then[index]);
            return;
        }
    }
    abut_regions_tell(h->a, ABUT_EVENT_END, NULL, &h->then[index]);
}

/// Tells all events: of the regions of this step in their order, then of those that are gone.
static void tell_all(history *h)
{
    for (int i = 0; i < h->now_count; ++i) {
        abut_touch_region *region = &h->a->set.regions[i];
        if (h->matches[i] >= 0) {
            region->life = h->a->past_lives[h->matches[i]];
            abut_regions_tell(h->a, ABUT_EVENT_PERSIST, region, NULL);
        } else {
            tell_new(h, i);
        }
    }
    for (int i = 0, begin = 0; i < h->then_count; ++i) {
        const abut_kept_region *old = &h->then[h->then_order[i]];
        int order = -1;
        while (begin < h->now_count && order < 0) {
            const abut_touch_region *region = &h->a->set.regions[h->now_order[begin]];
            order = abut_regions_compare_entities(region->a, region->b, old->a, old->b);
            begin = order < 0 ? begin + 1 : begin;
        }
        int end = order == 0 ? group_end_now(h, begin) : begin;
        if (h->heirs[h->then_order[i]] == GONE) {
            tell_gone(h, h->then_order[i], h->now_order + begin, end - begin);
        }
    }
}

int abut_regions_identify(abut_regions_analysis *a)
{
    history h = {.a = a, .kept = a->past, .now_count = a->set.region_count};
    h.then_count = a->past != NULL ? a->past->region_count : 0;
    h.then = a->past != NULL ? abut_kept_regions(a->past) : NULL;
    if (h.now_count == 0 && h.then_count == 0) {
        return 1;
    }
    h.matches = abut_sink_scratch(a->sink, ((size_t)h.now_count + 1) * sizeof *h.matches);
    h.heirs = abut_sink_scratch(a->sink, ((size_t)h.then_count + 1) * sizeof *h.heirs);
    h.now_order = abut_regions_find_order(a);
    h.then_order = abut_arena_order(&a->sink->arena, h.then_count, compare_kept, h.then);
    if (h.matches == NULL || h.heirs == NULL || h.now_order == NULL || h.then_order == NULL) {
        return 0;
    }
    for (int i = 0; i < h.now_count; ++i) {
        h.matches[i] = -1;
    }
    for (int i = 0; i < h.then_count; ++i) {
        h.heirs[i] = GONE;
    }
    h.slack = a->past != NULL
                  ? abut_regions_distance_moved(a, a->past->b_to_a) + fmax(a->touch.tolerance, a->past->tolerance)
                  : 0.0;
    int is_done = match_same(&h);
    for (int begin = 0, end; begin < h.now_count && is_done; begin = end) {
        end = group_end_now(&h, begin);
        is_done = number_regions(&h, begin, end);
    }
    if (is_done) {
        tell_all(&h);
    }
    return is_done;
}
