// SPDX-License-Identifier: MIT
// index_pieces.c: convex pieces of entities, and cuts of them by planes
#include "spatial/index_pieces.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

void abut_piece_list_free(const abut_context *context, abut_piece_list *list)
{
    abut_free(context, list->pieces);
    abut_free(context, list->corners);
    memset(list, 0, sizeof *list);
}

static int make_room(const abut_context *context, abut_piece_list *list, int pieces, int corners)
{
    return pieces <= INT_MAX - list->count && corners <= INT_MAX - list->corner_count &&
           abut_grow(context, &list->pieces, &list->capacity, list->count + pieces, sizeof *list->pieces) &&
           abut_grow(context, &list->corners, &list->corner_capacity, list->corner_count + corners,
                     sizeof *list->corners);
}

abut_corner *abut_piece_list_add(const abut_context *context, abut_piece_list *list, abut_location location,
                                 int count)
{
    if (!make_room(context, list, 1, count)) {
        return NULL;
    }
    list->pieces[list->count++] = (abut_piece){location, list->corner_count, count};
    list->corner_count += count;
    return list->corners + (list->corner_count - count);
}

int abut_piece_list_join(const abut_context *context, abut_piece_list *list, const abut_piece_list *added)
{
    if (!make_room(context, list, added->count, added->corner_count)) {
        return 0;
    }
    for (int i = 0; i < added->count; ++i) {
        list->pieces[list->count] = added->pieces[i];
        list->pieces[list->count++].begin += list->corner_count;
    }
    if (added->corner_count > 0) {
        memcpy(list->corners + list->corner_count, added->corners,
               (size_t)added->corner_count * sizeof *added->corners);
    }
    list->corner_count += added->corner_count;
    return 1;
}

// A piece being cut.
typedef struct cutting {
    const abut_context *context;
    const abut_piece *piece;
    const abut_corner *corners;
    const abut_index_plane *plane;
    double tolerance;
    abut_piece_list *parts;
} cutting;

static int side_of(const cutting *c, int i)
{
    double height = abut_index_height(c->plane, c->corners[i].position);
    return height > c->tolerance ? 1 : height < -c->tolerance ? -1 : 0;
}

static int next_of(const cutting *c, int i)
{
    return i + 1 < c->piece->count ? i + 1 : 0;
}

// The point where the side from corner i to the next crosses the plane. Both directions of the side give the same
// bits.
static abut_corner crossing_of(const cutting *c, int i)
{
    abut_vec3 a = c->corners[i].position, b = c->corners[next_of(c, i)].position;
    double height_a = abut_index_height(c->plane, a), height_b = abut_index_height(c->plane, b);
    if (height_a < height_b) {
        abut_vec3 swapped = a;
        a = b;
        b = swapped;
        double height = height_a;
        height_a = height_b;
        height_b = height;
    }
    abut_corner corner = {abut_lerp(a, b, height_a / (height_a - height_b)), c->corners[i].rim_next, ABUT_RIM_CUT};
    return corner;
}

static int copy_piece(const cutting *c, int part)
{
    abut_corner *copy = abut_piece_list_add(c->context, &c->parts[part], c->piece->location, c->piece->count);
    if (copy == NULL) {
        return 0;
    }
    memcpy(copy, c->corners, (size_t)c->piece->count * sizeof *copy);
    return 1;
}

static int add_point(const cutting *c, abut_corner corner)
{
    abut_corner *point = abut_piece_list_add(c->context, &c->parts[ABUT_ON], c->piece->location, 1);
    if (point != NULL) {
        *point = corner;
    }
    return point != NULL;
}

static int add_segment(const cutting *c, abut_corner a, abut_corner b)
{
    abut_corner *ends = abut_piece_list_add(c->context, &c->parts[ABUT_ON], c->piece->location, 2);
    if (ends != NULL) {
        ends[0] = a;
        ends[1] = b;
    }
    return ends != NULL;
}

// Handles a piece on one side that may touch the plane. The piece stays whole. Corners and sides that touch are marked
// ABUT_RIM_CUT; inner ones leave a point or segment on the plane.
static int touch(const cutting *c, int part)
{
    if (!copy_piece(c, part)) {
        return 0;
    }
    int count = c->piece->count;
    abut_corner *copy = c->parts[part].corners + (c->parts[part].corner_count - count);
    for (int i = 0; i < count; ++i) {
        if (side_of(c, i) != 0) {
            continue;
        }
        copy[i].rim = ABUT_RIM_CUT;
        int next = next_of(c, i);
        if (count > 2 && side_of(c, next) == 0) {
            copy[i].rim_next = ABUT_RIM_CUT;
            if (c->corners[i].rim_next == ABUT_RIM_INNER && !add_segment(c, c->corners[i], c->corners[next])) {
                return 0;
            }
        }
        if (c->corners[i].rim == ABUT_RIM_INNER && !add_point(c, c->corners[i])) {
            return 0;
        }
    }
    return 1;
}

static int cut_segment(const cutting *c)
{
    abut_corner middle = crossing_of(c, 0);
    middle.rim = ABUT_RIM_CUT;
    for (int i = 0; i < 2; ++i) {
        int part = side_of(c, i) > 0 ? ABUT_ABOVE : ABUT_BELOW;
        abut_corner *ends = abut_piece_list_add(c->context, &c->parts[part], c->piece->location, 2);
        if (ends == NULL) {
            return 0;
        }
        ends[i] = c->corners[i];
        ends[1 - i] = middle;
    }
    return add_point(c, middle);
}

// Adds the part of a polygon on one side of the plane (sign 1: above, -1: below). It must have corners there.
static int clip(const cutting *c, int sign, int part)
{
    int count = 0;
    for (int i = 0; i < c->piece->count; ++i) {
        int here = side_of(c, i), next = side_of(c, next_of(c, i));
        count += (here * sign >= 0) + (here * next < 0);
    }
    abut_corner *out = abut_piece_list_add(c->context, &c->parts[part], c->piece->location, count);
    if (out == NULL) {
        return 0;
    }
    for (int i = 0; i < c->piece->count; ++i) {
        int here = side_of(c, i), next = side_of(c, next_of(c, i));
        if (here * sign >= 0) {
            *out = c->corners[i];
            if (here == 0) {
                out->rim = ABUT_RIM_CUT;
                out->rim_next = next * sign <= 0 ? ABUT_RIM_CUT : out->rim_next;
            }
            ++out;
        }
        if (here * next < 0) {
            *out = crossing_of(c, i);
            out->rim_next = next * sign > 0 ? out->rim : ABUT_RIM_CUT;
            out->rim = ABUT_RIM_CUT;
            ++out;
        }
    }
    return 1;
}

// Adds the segment in which a polygon crosses the plane. Rounding may leave more than two points of its rim on the
// plane; the segment joins two that are far apart.
static int add_section(const cutting *c)
{
    abut_corner found[2];
    int count = 0;
    for (int i = 0; i < c->piece->count; ++i) {
        int here = side_of(c, i), next = side_of(c, next_of(c, i));
        if (here != 0 && here * next >= 0) {
            continue;
        }
        abut_corner corner = here == 0 ? c->corners[i] : crossing_of(c, i);
        if (count < 2) {
            found[count++] = corner;
            continue;
        }
        double length = abut_norm_squared(abut_sub(found[1].position, found[0].position));
        double to_first = abut_norm_squared(abut_sub(corner.position, found[0].position));
        double to_second = abut_norm_squared(abut_sub(corner.position, found[1].position));
        if (to_first > length && to_first >= to_second) {
            found[1] = corner;
        } else if (to_second > length) {
            found[0] = corner;
        }
    }
    return count < 2 || add_segment(c, found[0], found[1]);
}

int abut_piece_split(const abut_context *context, const abut_piece *piece, const abut_corner *corners,
                     const abut_index_plane *plane, double tolerance, abut_piece_list parts[3])
{
    cutting c = {context, piece, corners, plane, tolerance, parts};
    int has_above = 0, has_below = 0;
    for (int i = 0; i < piece->count; ++i) {
        int side = side_of(&c, i);
        has_above |= side > 0;
        has_below |= side < 0;
    }
    if (!has_above && !has_below) {
        return copy_piece(&c, ABUT_ON);
    }
    if (!has_above || !has_below) {
        return touch(&c, has_above ? ABUT_ABOVE : ABUT_BELOW);
    }
    if (piece->count == 2) {
        return cut_segment(&c);
    }
    return clip(&c, 1, ABUT_ABOVE) && clip(&c, -1, ABUT_BELOW) && add_section(&c);
}
