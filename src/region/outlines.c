// SPDX-License-Identifier: MIT
// outlines.c: the polygons in which faces of two solids lie on each other
//
// A polygon of face f of A and face g of B is bounded by edges of f that lie on g, edges of g that lie on f, and edges
// of both that run together. So the segments in which edges lie on the other solid, directed such that f and g are on
// the left, are chained to closed outlines. If the faces are tilted against each other, the chain stays open and there
// is no polygon.
#include "region/outlines.h"

#include "base/arena_list.h"

#include <string.h>

enum { NONE = -1 };
static const double pi = 3.14159265358979323846;

/// Cosine of the largest angle between faces that may share a polygon. find_loops() keeps polygons of more area than
/// tolerance times perimeter. Such a polygon holds a disc of radius r > tolerance. Its corners, and so the disc, are
/// within the tolerance of both planes: r sin(angle) <= tolerance. Beyond 60 degrees only specks with r < 1.16
/// tolerances could be left.
static const double least_opposition = 0.5;

/// A directed piece of the boundary of (f, g), with the polygon to its left seen along A's normal.
typedef struct boundary {
    int face_a, face_b;
    int nodes[2];  ///< from, to
    int places[2]; ///< of these nodes
    int interval;
    int is_used;
    int loop; ///< the loop that it is part of, or NONE
} boundary;

typedef struct outline_search {
    const abut_touch *touch;
    const int *places;
    boundary *items;
    int count;
} outline_search;

typedef struct loop {
    int begin, count; ///< in `corners`: all nodes, also those on straight lines
    int outer;        ///< the outline around a hole, or NONE
    double area;
} loop;

static abut_vec3 node_point(const abut_touch *touch, int node)
{
    return touch->nodes[node].point_a;
}

int *abut_outline_places(const abut_touch *touch)
{
    int *places = abut_arena_take(touch->arena, ((size_t)touch->node_count + 1) * sizeof *places);
    const int *order = abut_arena_order(touch->arena, touch->node_count, abut_touch_compare_sweep, touch->nodes);
    if (places == NULL || order == NULL) {
        return NULL;
    }
    for (int i = 0; i < touch->node_count; ++i) {
        places[i] = i;
    }
    double squared = touch->tolerance * touch->tolerance;
    for (int i = 0; i < touch->node_count; ++i) {
        abut_vec3 p = node_point(touch, order[i]);
        // twice the tolerance leaves room for rounding
        double reach = abut_touch_sweep(p) + 2.0 * touch->tolerance;
        for (int k = i + 1; k < touch->node_count; ++k) {
            abut_vec3 q = node_point(touch, order[k]);
            if (abut_touch_sweep(q) > reach) {
                break;
            }
            if (abut_norm_squared(abut_sub(p, q)) <= squared) {
                int x = places[order[i]], y = places[order[k]];
                places[order[i]] = places[order[k]] = x < y ? x : y;
            }
        }
    }
    // nodes that are near each other through others share the lowest number of all
    for (int i = 0; i < touch->node_count; ++i) {
        while (places[places[i]] != places[i]) {
            places[i] = places[places[i]];
        }
    }
    return places;
}

static void add_boundary(outline_search *s, int face_a, int face_b, int interval, int is_backward)
{
    const abut_touch_interval *i = &s->touch->intervals[interval];
    boundary *b = &s->items[s->count];
    b->face_a = face_a;
    b->face_b = face_b;
    b->nodes[0] = i->nodes[is_backward ? 1 : 0];
    b->nodes[1] = i->nodes[is_backward ? 0 : 1];
    b->places[0] = s->places[b->nodes[0]];
    b->places[1] = s->places[b->nodes[1]];
    b->interval = interval;
    b->is_used = 0;
    b->loop = NONE;
    if (b->places[0] != b->places[1]) {
        ++s->count;
    }
}

/// Whether two faces may share a polygon.
static int faces_oppose(const abut_touch *touch, int face_a, int face_b)
{
    return abut_dot(abut_touch_normal(&touch->sides[0], face_a), abut_touch_normal(&touch->sides[1], face_b)) <
           -least_opposition;
}

/// Adds an interval to the boundaries of all pairs of faces at it. faces[0] of an edge is to its left, seen from
/// outside. Seen along A's normal B is mirrored: faces[0] of B's edge is to the right.
static void add_boundaries(outline_search *s, int interval)
{
    const abut_touch *touch = s->touch;
    const abut_touch_interval *i = &touch->intervals[interval];
    const abut_brep_edge *edge_a =
        i->a.kind == ABUT_ENTITY_EDGE ? &touch->sides[0].model->brep.edges[i->a.index] : NULL;
    const abut_brep_edge *edge_b =
        i->b.kind == ABUT_ENTITY_EDGE ? &touch->sides[1].model->brep.edges[i->b.index] : NULL;
    int runs_against = 0;
    if (edge_a != NULL && edge_b != NULL) {
        abut_vec3 u = abut_sub(abut_touch_edge_end(&touch->sides[0], i->a.index, 1),
                               abut_touch_edge_end(&touch->sides[0], i->a.index, 0));
        abut_vec3 v = abut_sub(abut_touch_edge_end(&touch->sides[1], i->b.index, 1),
                               abut_touch_edge_end(&touch->sides[1], i->b.index, 0));
        runs_against = abut_dot(u, v) < 0.0;
    }
    for (int x = 0; x < 2; ++x) {
        int face_a = edge_a != NULL ? edge_a->faces[x] : i->a.index;
        int back_a = edge_a != NULL ? x : NONE;
        for (int y = 0; y < 2; ++y) {
            int face_b = edge_b != NULL ? edge_b->faces[y] : i->b.index;
            int back_b = edge_b == NULL ? NONE : edge_a == NULL ? 1 - y : (1 - y) ^ runs_against;
            int is_backward = back_a != NONE ? back_a : back_b;
            if ((back_a == NONE || back_b == NONE || back_a == back_b) && faces_oppose(touch, face_a, face_b)) {
                add_boundary(s, face_a, face_b, interval, is_backward);
            }
            if (edge_b == NULL) {
                break;
            }
        }
        if (edge_a == NULL) {
            break;
        }
    }
}

static int compare_boundaries(const void *user, int a, int b)
{
    const boundary *x = (const boundary *)user + a, *y = (const boundary *)user + b;
    const int keys[][2] = {
        {x->face_a, y->face_a}, {x->face_b, y->face_b}, {x->places[0], y->places[0]}, {x->places[1], y->places[1]}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

/// Sorts the boundaries, and keeps each once. Returns 0 if memory ran out.
static int sort_boundaries(outline_search *s)
{
    const int *order = abut_arena_order(s->touch->arena, s->count, compare_boundaries, s->items);
    boundary *sorted = abut_arena_take(s->touch->arena, ((size_t)s->count + 1) * sizeof *sorted);
    if (order == NULL || sorted == NULL) {
        return 0;
    }
    int kept = 0;
    for (int i = 0; i < s->count; ++i) {
        // an edge that runs along two others within the tolerance gives the same boundary twice
        if (kept > 0 && memcmp(sorted[kept - 1].places, s->items[order[i]].places, sizeof sorted->places) == 0 &&
            sorted[kept - 1].face_a == s->items[order[i]].face_a &&
            sorted[kept - 1].face_b == s->items[order[i]].face_b) {
            continue;
        }
        sorted[kept++] = s->items[order[i]];
    }
    s->items = sorted;
    s->count = kept;
    return 1;
}

/// The first of the boundaries [begin, end) that leaves a place; they are sorted by it.
static int first_boundary_at(const outline_search *s, int begin, int end, int place)
{
    while (begin < end) {
        int middle = begin + (end - begin) / 2;
        if (s->items[middle].places[0] < place) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/// Of the boundaries [begin, end) that leave the end of `arriving`, the one that turns most to the left.
static int next_boundary(const outline_search *s, int begin, int end, int arriving, abut_vec3 normal)
{
    const boundary *in = &s->items[arriving];
    int place = in->places[1], first = first_boundary_at(s, begin, end, place);
    if (first == end || s->items[first].places[0] != place) {
        return NONE;
    }
    if (first + 1 == end || s->items[first + 1].places[0] != place) {
        return first; // no choice
    }
    abut_vec3 back = abut_sub(node_point(s->touch, in->nodes[0]), node_point(s->touch, in->nodes[1]));
    int best = NONE;
    double best_angle = -1.0;
    for (int i = first; i < end && s->items[i].places[0] == place; ++i) {
        const boundary *out = &s->items[i];
        abut_vec3 along = abut_sub(node_point(s->touch, out->nodes[1]), node_point(s->touch, out->nodes[0]));
        double angle = atan2(abut_dot(normal, abut_cross(back, along)), abut_dot(back, along));
        angle = angle <= 0.0 ? angle + 2.0 * pi : angle;
        // going straight back is the last choice
        angle = out->places[1] == in->places[0] ? 0.0 : angle;
        if (angle > best_angle) {
            best_angle = angle;
            best = i;
        }
    }
    return best;
}

/// Follows an outline from one of its boundaries; returns the number of corners, or 0 if it does not close.
static int follow(outline_search *s, int begin, int end, int first, abut_vec3 normal, int *corners)
{
    int count = 0, current = first;
    do {
        if (current == NONE || s->items[current].is_used) {
            return 0;
        }
        s->items[current].is_used = 1;
        corners[count++] = current;
        current = next_boundary(s, begin, end, current, normal);
    } while (current != first);
    return count;
}

/// The area within a closed chain of boundaries, positive if it runs counter-clockwise, and its perimeter.
static double signed_area(const outline_search *s, const int *chain, int count, abut_vec3 normal, double *perimeter)
{
    abut_vec3 origin = node_point(s->touch, s->items[chain[0]].nodes[0]), sum = {0.0, 0.0, 0.0};
    *perimeter = 0.0;
    abut_vec3 p = {0.0, 0.0, 0.0};
    for (int i = 0; i < count; ++i) {
        int next = chain[i + 1 < count ? i + 1 : 0];
        abut_vec3 q = abut_sub(node_point(s->touch, s->items[next].nodes[0]), origin);
        sum = abut_add(sum, abut_cross(p, q));
        *perimeter += abut_norm(abut_sub(q, p));
        p = q;
    }
    return 0.5 * abut_dot(sum, normal);
}

/// Removes corners that are within the tolerance of the line between their neighbours; returns how many are left.
static int straighten(const abut_touch *touch, int *nodes, int count)
{
    double squared = touch->tolerance * touch->tolerance;
    for (int i = 0; i < count && count > 2;) {
        abut_vec3 before = node_point(touch, nodes[(i + count - 1) % count]);
        abut_vec3 after = node_point(touch, nodes[(i + 1) % count]);
        abut_vec3 along = abut_sub(after, before), offset = abut_sub(node_point(touch, nodes[i]), before);
        if (abut_norm_squared(abut_cross(along, offset)) <= squared * abut_norm_squared(along)) {
            memmove(nodes + i, nodes + i + 1, (size_t)(count - i - 1) * sizeof *nodes);
            --count;
            i = i > 0 ? i - 1 : 0;
        } else {
            ++i;
        }
    }
    return count;
}

/// Whether a point of the plane is inside a polygon, by the angle that the polygon turns about it.
static int is_inside(const abut_touch *touch, const int *nodes, int count, abut_vec3 normal, abut_vec3 p)
{
    double turn = 0.0;
    for (int i = 0; i < count; ++i) {
        abut_vec3 a = abut_sub(node_point(touch, nodes[i]), p);
        abut_vec3 b = abut_sub(node_point(touch, nodes[(i + 1) % count]), p);
        turn += atan2(abut_dot(normal, abut_cross(a, b)), abut_dot(a, b));
    }
    return turn > pi; // 2 pi inside, 0 outside
}

/// Makes room for the most regions that there can be. Returns 0 if memory ran out.
static int reserve(outline_search *s, abut_region_set *set)
{
    size_t count = (size_t)s->count + 1;
    set->regions =
        abut_arena_take(s->touch->arena, (count + (size_t)s->touch->interval_count + (size_t)s->touch->node_count) *
                                             sizeof *set->regions);
    set->outlines =
        abut_arena_take(s->touch->arena, (count + (size_t)s->touch->interval_count + (size_t)s->touch->node_count) *
                                             sizeof *set->outlines);
    set->corners = abut_arena_take(s->touch->arena,
                                   (count + 2 * (size_t)s->touch->interval_count + (size_t)s->touch->node_count) *
                                       sizeof *set->corners);
    return set->regions != NULL && set->outlines != NULL && set->corners != NULL;
}

/// Finds the closed outlines of one pair of faces; returns how many.
static int find_loops(outline_search *s, int begin, int end, loop *loops, int *corners, abut_region_set *set)
{
    abut_vec3 normal = abut_touch_normal(&s->touch->sides[0], s->items[begin].face_a);
    abut_vec3 other = abut_touch_normal(&s->touch->sides[1], s->items[begin].face_b);
    int is_flat = abut_norm(abut_cross(normal, other)) <= s->touch->angle;
    int count = 0, used = 0;
    for (int i = begin; i < end; ++i) {
        if (s->items[i].is_used) {
            continue;
        }
        int *chain = corners + used;
        int length = follow(s, begin, end, i, normal, chain);
        set->open_outlines += length == 0 && is_flat; // outlines of tilted faces need not close
        if (length < 3) {
            continue;
        }
        double perimeter;
        loop made = {used, length, NONE, signed_area(s, chain, length, normal, &perimeter)};
        if (fabs(made.area) <= s->touch->tolerance * perimeter) {
            continue;
        }
        for (int k = 0; k < length; ++k) {
            s->items[chain[k]].loop = count;
            chain[k] = s->items[chain[k]].nodes[0];
        }
        loops[count++] = made;
        used += length;
    }
    return count;
}

/// The smallest outer outline around a hole, or NONE.
static int outer_of(const abut_touch *touch, const loop *loops, int count, int hole, const int *corners,
                    abut_vec3 normal)
{
    int best = NONE;
    abut_vec3 p = node_point(touch, corners[loops[hole].begin]);
    for (int i = 0; i < count; ++i) {
        if (loops[i].area > 0.0 && (best == NONE || loops[i].area < loops[best].area) &&
            loops[i].area > -loops[hole].area &&
            is_inside(touch, corners + loops[i].begin, loops[i].count, normal, p)) {
            best = i;
        }
    }
    return best;
}

static void add_outline(const abut_touch *touch, abut_region_set *set, const int *nodes, int count, int is_hole)
{
    abut_outline *outline = &set->outlines[set->outline_count++];
    outline->begin = set->corner_count;
    outline->is_hole = is_hole;
    memcpy(set->corners + set->corner_count, nodes, (size_t)count * sizeof *nodes);
    outline->count = straighten(touch, set->corners + set->corner_count, count);
    set->corner_count += outline->count;
}

/// Makes regions of the outlines of one pair of faces; `loop_regions` tells the region of each outline.
static void make_regions(outline_search *s, int begin, loop *loops, int count, const int *corners,
                         abut_region_set *set, int *loop_regions)
{
    const abut_touch *touch = s->touch;
    abut_vec3 normal = abut_touch_normal(&touch->sides[0], s->items[begin].face_a);
    for (int i = 0; i < count; ++i) {
        loop_regions[i] = NONE;
        loops[i].outer = loops[i].area < 0.0 ? outer_of(touch, loops, count, i, corners, normal) : NONE;
    }
    for (int i = 0; i < count; ++i) {
        if (loops[i].area <= 0.0) {
            continue;
        }
        abut_touch_region region = {.a = {ABUT_ENTITY_FACE, s->items[begin].face_a},
                                    .b = {ABUT_ENTITY_FACE, s->items[begin].face_b},
                                    .dimension = 2,
                                    .outline_begin = set->outline_count,
                                    .outline_count = 1,
                                    .measure = loops[i].area};
        loop_regions[i] = set->region_count;
        add_outline(touch, set, corners + loops[i].begin, loops[i].count, 0);
        for (int k = 0; k < count; ++k) {
            if (loops[k].outer == i) {
                loop_regions[k] = set->region_count;
                add_outline(touch, set, corners + loops[k].begin, loops[k].count, 1);
                ++region.outline_count;
                region.measure += loops[k].area;
            }
        }
        set->regions[set->region_count++] = region;
    }
}

/// Notes the polygons at each interval and place.
static void note_contacts(const outline_search *s, int begin, int end, const int *loop_regions,
                          abut_face_contacts *contacts)
{
    for (int i = begin; i < end; ++i) {
        const boundary *b = &s->items[i];
        int region = b->loop != NONE ? loop_regions[b->loop] : NONE;
        if (region == NONE) {
            continue;
        }
        int *slots = contacts->interval_regions + 4 * (size_t)b->interval;
        for (int k = 0; k < 4; ++k) {
            if (slots[k] == NONE) {
                slots[k] = region;
                break;
            }
        }
        contacts->place_regions[2 * contacts->place_region_count] = b->places[0];
        contacts->place_regions[2 * contacts->place_region_count + 1] = region;
        ++contacts->place_region_count;
    }
}

int abut_outlines_find(const abut_touch *touch, const int *places, abut_region_set *set,
                       abut_face_contacts *contacts)
{
    size_t intervals = (size_t)touch->interval_count;
    outline_search s = {.touch = touch, .places = places};
    contacts->place_region_count = 0;
    if (intervals == 0) {
        return reserve(&s, set);
    }
    s.items = abut_arena_take(touch->arena, (4 * intervals + 1) * sizeof *s.items);
    contacts->interval_regions = abut_arena_take(touch->arena, (4 * intervals + 1) * sizeof(int));
    if (s.items == NULL || contacts->interval_regions == NULL) {
        return 0;
    }
    memset(contacts->interval_regions, 0xff, (4 * intervals + 1) * sizeof(int));
    for (int i = 0; i < touch->interval_count; ++i) {
        add_boundaries(&s, i);
    }
    size_t count = (size_t)s.count + 1;
    loop *loops = abut_arena_take(touch->arena, count * sizeof *loops);
    int *corners = abut_arena_take(touch->arena, count * sizeof *corners);
    int *loop_regions = abut_arena_take(touch->arena, count * sizeof *loop_regions);
    contacts->place_regions = abut_arena_take(touch->arena, 2 * count * sizeof(int));
    if (loops == NULL || corners == NULL || loop_regions == NULL || contacts->place_regions == NULL ||
        !sort_boundaries(&s) || !reserve(&s, set)) {
        return 0;
    }
    for (int begin = 0, end; begin < s.count; begin = end) {
        for (end = begin + 1; end < s.count && s.items[end].face_a == s.items[begin].face_a &&
                              s.items[end].face_b == s.items[begin].face_b;) {
            ++end;
        }
        int loop_count = find_loops(&s, begin, end, loops, corners, set);
        make_regions(&s, begin, loops, loop_count, corners, set, loop_regions);
        note_contacts(&s, begin, end, loop_regions, contacts);
    }
    return 1;
}
